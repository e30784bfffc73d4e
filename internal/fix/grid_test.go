// Repairs that order blocks: barriers of the grid, and second kernels.

package fix_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
)

// mirrored stores to one element and loads from the one at the other end of the grid; AHEAD and BEHIND are further
// statements.
const mirrored = `
	mad.lo.u32 %r4, %r2, 32, %r1;
	mul.wide.u32 %rd2, %r4, 4;
	add.u64 %rd3, %rd1, %rd2;
	sub.u32 %r5, 63, %r4;
	mul.wide.u32 %rd4, %r5, 4;
	add.u64 %rd5, %rd1, %rd4;
	AHEAD
	st.global.u32 [%rd3], %r4;
	ld.global.u32 %r6, [%rd5];
	BEHIND
END:`

func TestOrderOfBlocks(t *testing.T) {
	long(t)
	const exits = "setp.gt.u32 %p1, %r4, 60;\n@%p1 bra END;"
	for name, x := range map[string]struct {
		ahead, behind string
		want          []repair.Op
	}{
		"all threads come":               {"", "", []repair.Op{repair.Grid}},
		"some threads exit":              {exits, "", []repair.Op{repair.Split}},
		"a loaded value is needed":       {exits + "\nld.global.u32 %r7, [%rd5];\nadd.u32 %r5, %r7, 1;", "st.global.u32 [%rd3], %r5;", nil},
		"shared memory is needed":        {".shared .b32 s;\nst.shared.u32 [s], 1;\n" + exits, "ld.shared.u32 %r7, [s];", nil},
		"the second access is in a loop": {"AGAIN:\nadd.u32 %r7, %r7, 1;\n" + exits, "setp.lt.u32 %p2, %r7, 3;\n@%p2 bra AGAIN;", nil},
	} {
		res := mendBody(t, strings.NewReplacer("AHEAD", x.ahead, "BEHIND", x.behind).Replace(mirrored), "grid: 2, block: 32")
		if !slices.Equal(ops(res), x.want) || len(res.Races) == 0 {
			t.Errorf("%s: %d races, mended by %v, expected %v; %s\n%s", name, len(res.Races), ops(res), x.want, res.Why, res.Diff())
		}
	}
}

// TestSecondKernel tests that the second kernel calculates again what it needs and does nothing twice.
func TestSecondKernel(t *testing.T) {
	long(t)
	res := mendBody(t, strings.NewReplacer("AHEAD", "setp.gt.u32 %p1, %r4, 60;\n@%p1 bra END;\nred.global.add.u32 [l], 1;", "BEHIND", "").Replace(mirrored), "grid: 2, block: 32")
	src := string(res.Module.AST.File.Src)
	second, first, _ := strings.Cut(src[strings.Index(src, ".entry"):], ".visible .entry k(")
	for _, once := range []string{"red.global", "st.global"} {
		if strings.Contains(second, once) || !strings.Contains(first, once) {
			t.Errorf("%s is not in the first kernel alone:\n%s", once, src)
		}
	}
	if strings.Contains(first, "ld.global") || !strings.Contains(second, "ld.global") || !strings.Contains(second, "@%p1 bra END") {
		t.Errorf("the second kernel does not go on:\n%s", src)
	}
}

// TestSecondKernelInSource tests that a source is split where the cut is at the top level of the kernel, and not where
// the rest needs a variable that the first part changes.
func TestSecondKernelInSource(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: nothing compiles the source")
	}
	const src = `extern "C" __global__ void k(unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n && n > 1) return;
  unsigned scale = 2;
  SCALE
  out[i] = 3 * i;
  unsigned x = out[n - 1 - i];
  out[64 + i] = scale * x;
}
void run(unsigned *out) {
  k<<<2, 32>>>(out, 60);
}
`
	for scale, want := range map[string]fix.Verdict{"": fix.Checked, "scale += n;": fix.Wrong} {
		file, plan := compilation(t, strings.Replace(src, "SCALE", scale, 1), "buffers: {out: {type: u32, count: 128, init: 0}}\nlaunches: [{kernel: k, grid: 2, block: 32, args: [out, 60]}]\n")
		res := mendPlan(t, plan, 12, 100, 2)
		x := fixSource(t, res, file)
		if x.Verdict != want || want == fix.Checked && !strings.Contains(x.Text, "  k_rest<<<2, 32>>>(out, 60);\n") {
			t.Errorf("%q: %v; %s, expected %s\n%s", scale, ops(res), x.Check(), want, x.Patch())
		}
	}
}
