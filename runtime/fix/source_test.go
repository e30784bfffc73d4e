// Patches of CUDA sources.

package fix_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/fix"
	"github.com/ptxsan/ptxsan/runtime/hostcode"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// fixSource applies the repair of a module to a source.
func fixSource(t *testing.T, res *fix.Result, file string) *fix.SourceFix {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return res.FixSource(context.Background(), file, src, hostcode.Options{})
}

func TestSourcePatch(t *testing.T) {
	_, missing := exec.LookPath("clang-19")
	for name, want := range map[string][]string{
		"fence/message-block-fence": {"__threadfence();"},
		"barrier/exchange-shared":   {"+  __syncthreads();"},
		"warp/exchange-global":      {"+  __syncwarp();"},
		"atomic/lost-increment":     {"atomicAdd(&", ", 1);"},
	} {
		x := fixSource(t, mend(t, suite+"/"+name+"-racy.yaml", 20, 100), suite+"/"+name+".cu")
		for _, text := range want {
			if !strings.Contains(x.Patch(), text) {
				t.Errorf("%s: %d edits are not in the patch, expected %q in\n%s", name, len(x.Left), text, x.Patch())
			}
		}
		if missing == nil && x.Verdict != fix.Checked {
			t.Errorf("%s: %s", name, x.Check())
		}
	}
}

// TestSourcePlace tests that a barrier after an access in the PTX is after its line in the source, and that if a compiler puts
// it into a separate line, the place that leaves no race is found by compiling.
func TestSourcePlace(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: nothing compiles the source")
	}
	const src = `extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[2];
  if (threadIdx.x < 2) s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  // broadcast
  unsigned x = s[0];
  for (unsigned i = 0; i < 3; i++) out[threadIdx.x] += x;
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = x + 1;
  __syncthreads();
  out[threadIdx.x] += s[1];
}
`
	file := t.TempDir() + "/k.cu"
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := hostcode.CompileDevice(context.Background(), file, "sm_70", hostcode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	yaml, err := launch.Parse("k.yaml", []byte("buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [out]}]\n"), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res := mendPlan(t, planOf(t, "k.ptx", text, yaml), 12, 60, 2)
	x := fixSource(t, res, file)
	if x.Verdict != fix.Checked || !strings.Contains(x.Patch(), "+  __syncthreads();") {
		t.Errorf("%s; %s\n%s\n%s", x.Check(), res.Why, x.Patch(), res.Diff())
	}
}

// TestSourceCondition tests that the condition for one thread of the block is before the call.
func TestSourceCondition(t *testing.T) {
	file := t.TempDir() + "/k.cu"
	if err := os.WriteFile(file, []byte("if (threadIdx.x == 0) {\n  init(&bar, n);\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	res := mendBody(t, `
	.file 1 "k.cu"
	.shared .align 8 .b64 bar;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra INITIALISED;
	.loc 1 2 3
	mbarrier.init.shared.b64 [bar], 32;
INITIALISED:
	bar.sync 0;
	mbarrier.arrive.shared.b64 %rd2, [bar];`, "grid: 1, block: [16, 2]")
	if x := fixSource(t, res, file); !strings.Contains(x.Text, "  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) init(&bar, n);\n") || x.Verdict != fix.NotChecked {
		t.Errorf("%s\n%s", x.Check(), x.Text)
	}
}
