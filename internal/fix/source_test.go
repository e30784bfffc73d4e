// Patches of CUDA sources.

package fix_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
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

// TestSourcePlace tests that a barrier after an access in the PTX is after its line in the source, that if a compiler
// puts it into a separate line, the place that leaves no race is found by compiling, and that the advice names the
// place in the patch.
func TestSourcePlace(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: nothing compiles the source")
	}
	for name, body := range map[string]string{
		"a line of its own": `  if (threadIdx.x < 2) s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  // broadcast
  unsigned x = s[0];
  for (unsigned i = 0; i < 3; i++) out[threadIdx.x] += x;
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = x + 1;
  __syncthreads();
  out[threadIdx.x] += s[1];
`,
		"a statement of two lines": `  s[threadIdx.x] = out[threadIdx.x];
  unsigned y = threadIdx.x * 3,
    z = s[threadIdx.x ^ 32];
  out[threadIdx.x] = y + z;
`,
		"the end of a round": `  for (unsigned i = out[0]; i < 3; i++) {
    s[threadIdx.x] = i + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] += s[threadIdx.x ^ 32];
  }
`,
	} {
		src := "extern \"C\" __global__ void k(unsigned *out) {\n  __shared__ unsigned s[64];\n" + body + "}\n"
		file, plan := compilation(t, src, "buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [out]}]\n")
		res := mendPlan(t, plan, 12, 60, 2)
		x := fixSource(t, res, file)
		patch := x.ForReport(res)
		if x.Verdict != fix.Checked || len(patch.Replacements) != 1 || strings.TrimSpace(patch.Replacements[0].Text) != "__syncthreads();" {
			t.Fatalf("%s: %s; %s\n%s\n%s", name, x.Check(), res.Why, x.Patch(), res.Diff())
		}
		res.Advise(res.Report)
		line := patch.Replacements[0].Line
		for _, race := range res.Report.Races {
			if !strings.Contains(race.Hint, fmt.Sprintf("before k.cu:%d", line)) && !strings.Contains(race.Hint, fmt.Sprintf("after k.cu:%d", line-1)) {
				t.Errorf("%s: the advice %q does not name the place in the patch\n%s", name, race.Hint, x.Patch())
			}
		}
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

// TestSourceForms tests how edits of the PTX are written in CUDA C++.
func TestSourceForms(t *testing.T) {
	long(t)
	const copying = `
	.file 1 "k.cu"
	.shared .align 16 .b8 s[512];
	mov.u32 %r3, s;
	shl.b32 %r4, %r1, 2;
	add.u32 %r3, %r3, %r4;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd1, %rd2;
	.loc 1 2 3
	cp.async.ca.shared.global [%r3], [%rd2], 4;
	COMMIT
	.loc 1 3 3
	ld.shared.u32 %r5, [%r3];
	.loc 1 4 3
	st.global.u32 [%rd2], %r5;`
	waiting := strings.Replace(copying, "COMMIT", "cp.async.commit_group;\n.loc 1 2 9\ncp.async.wait_group 1;", 1)
	const message = `
	.file 1 "k.cu"
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra WAIT;
	.loc 1 2 3
	st.global.u32 [%rd1], 5;
	.loc 1 3 3
	atom.global.exch.b32 %r3, [%rd1+4], 1;
	ret;
WAIT:
	.loc 1 5 3
	atom.global.or.b32 %r3, [%rd1+4], 0;
	setp.eq.u32 %p1, %r3, 0;
	@%p1 bra WAIT;
	.loc 1 6 3
	ld.global.u32 %r4, [%rd1];
	st.global.u32 [%rd1+8], %r4;`
	for name, x := range map[string]struct{ body, shape, src, want string }{
		"assembly":     {strings.Replace(copying, "COMMIT", "", 1), "grid: 1, block: 32", "void f() {\n  copy(s, p);\n  x = s[t];\n}\n", `  asm volatile("cp.async.wait_all;" ::: "memory");`},
		"pipeline":     {strings.Replace(copying, "COMMIT", "", 1), "grid: 1, block: 32", "void f() {\n  __pipeline_memcpy_async(s, p, 4);\n  x = s[t];\n}\n", "  __pipeline_wait_prior(0);"},
		"another wait": {waiting, "grid: 1, block: 32", "void f() {\n  __pipeline_commit(); __pipeline_wait_prior(1);\n  x = s[t];\n}\n", "  __pipeline_commit(); __pipeline_wait_prior(0);"},
		"a release":    {message, "grid: 2, block: 1", "void f() { if (b == 0) {\n  data = 5;\n  exch(&flag, 1);\n} else {\n  while (or(&flag, 0) == 0);\n  out = data;\n} }\n", "  __threadfence();\n  __syncthreads();\n  exch(&flag, 1);"},
		"an acquire":   {message, "grid: 2, block: 1", "void f() { if (b == 0) {\n  data = 5;\n  exch(&flag, 1);\n} else {\n  while (or(&flag, 0) == 0);\n  out = data;\n} }\n", "== 0);\n  __threadfence();\n"},
	} {
		file := t.TempDir() + "/k.cu"
		if err := os.WriteFile(file, []byte(x.src), 0o600); err != nil {
			t.Fatal(err)
		}
		res := mendBody(t, x.body, x.shape)
		if f := fixSource(t, res, file); !strings.Contains(f.Text, x.want) || f.Verdict != fix.NotChecked {
			t.Errorf("%s: %s, expected %q in\n%s%s", name, f.Check(), x.want, f.Text, res.Diff())
		}
	}
}

// TestSourceUnrolled tests that copies of a line in an unrolled loop are one edit of the PTX and one of the source.
func TestSourceUnrolled(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: nothing compiles the source")
	}
	const src = `extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[128];
  unsigned sum = 0;
  s[threadIdx.x] = out[threadIdx.x];
#pragma unroll
  for (unsigned i = 1; i < 4; i++) {
    sum += s[(threadIdx.x + i * 32) % 64];
    s[threadIdx.x] = sum;
  }
  out[threadIdx.x] = sum;
}
`
	file, plan := compilation(t, src, "buffers: {out: {type: u32, count: 64, init: iota}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [out]}]\n")
	res := mendPlan(t, plan, 12, 200, 2)
	x := fixSource(t, res, file)
	if added := strings.Count(x.Patch(), "\n+ "); x.Verdict != fix.Checked || added != 2 || len(res.Edits) != added {
		t.Errorf("%d edits of the PTX, %d in the source: %s\n%s\n%s", len(res.Edits), added, x.Check(), x.Patch(), res.Diff())
	}
}

// TestFailedRepair: after a search that has found no repair, no finding says that one would look for it.
func TestFailedRepair(t *testing.T) {
	res := mendBody(t, "st.global.u32 [%rd1], %r1;", "grid: 1, block: 64")
	if res.Mended() || len(res.Report.Races) != 1 || !res.Report.Races[0].Unverified() {
		t.Fatalf("%d edits, races %v", len(res.Edits), res.Report.Races)
	}
	res.Advise(res.Report)
	if hint := res.Report.Races[0].Hint; !strings.HasPrefix(hint, "ptxsan fix found no repair of all races: ") {
		t.Error(hint)
	}
}

// TestLineEnds: inserted lines end as the lines beside them do.
func TestLineEnds(t *testing.T) {
	res := mend(t, suite+"/barrier/exchange-shared-racy.yaml", 20, 100)
	src, err := os.ReadFile(suite + "/barrier/exchange-shared.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"\n", "\r\n"} {
		x := res.FixSource(context.Background(), suite+"/barrier/exchange-shared.cu", []byte(strings.ReplaceAll(string(src), "\n", end)), hostcode.Options{})
		if n := strings.Count(x.Text, end); n != strings.Count(x.Text, "\n") || n != strings.Count(string(src), "\n")+1 {
			t.Errorf("%q: %d line ends in\n%q", end, n, x.Text)
		}
	}
}
