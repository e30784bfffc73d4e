package analysis_test

import (
	"context"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestChanged: a proof uses the initial values of a table only if host code does not overwrite it. In the kernel thread t writes element
// 4 * t + tab[t % 4], which no two threads share if the elements of tab are below 4.
func TestChanged(t *testing.T) {
	const text = `.version 7.5
.target sm_70
.address_size 64
.const .align 4 .b8 _ZN2ns3tabE[16] = {3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
.const .align 4 .b8 kept[16];
.visible .entry k(.param .u64 a)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r1, %r1, %r2, %r3;
	and.b32 %r2, %r1, 3;
	mul.wide.u32 %rd2, %r2, 4;
	mov.u64 %rd3, _ZN2ns3tabE;
	add.s64 %rd3, %rd3, %rd2;
	ld.const.u32 %r3, [%rd3];
	mad.lo.u32 %r3, %r1, 4, %r3;
	mad.wide.u32 %rd4, %r3, 4, %rd1;
	st.global.u32 [%rd4], %r1;
	ret;
}
`
	prog, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const need = "constants: _ZN2ns3tabE holds what the module says"
	for name, c := range map[string]struct {
		code   string
		proved bool
	}{
		"a copy":                      {"cudaMemcpyToSymbol(ns::tab, h, 16); k<<<1, 32>>>(a);", false},
		"a copy to another variable":  {"cudaMemcpyToSymbol(kept, h, 16); k<<<1, 32>>>(a);", true},
		"none":                        {"k<<<1, 32>>>(a);", true},
		"a name that is not known":    {"cuModuleGetGlobal(&p, &n, m, name); k<<<1, 32>>>(a);", false},
		"a copy, and another kernel":  {"cudaMemcpyToSymbol(ns::tab, h, 16); other<<<1, 32>>>(a);", false},
		"no copy, and another kernel": {"other<<<1, 32>>>(a);", true},
	} {
		src := "#include <string.h>\nnamespace ns { __constant__ int tab[4] = {3, 1, 2, 0}; }\n__constant__ int kept[4];\nextern \"C\" { __global__ void k(int *a) {}\n__global__ void other(int *a) {} int cuModuleGetGlobal(void **, size_t *, void *, const char *); }\n" +
			"extern int *h;\nextern char *name;\nint run() { int *a; void *p, *m = 0; size_t n; cudaMalloc(&a, 4096); " + c.code + " }\n"
		out, err := analysis.Run(context.Background(), prog, analysis.Options{Facts: hostFactsOf(t, src), Disjoint: true, NoWrap: true, Drop: map[facts.Class]bool{}})
		if err != nil {
			t.Fatal(err)
		}
		p := out.Report.Proofs[0]
		if uses := slices.Contains(p.Needed, need); uses != c.proved || c.proved && p.Proved == 0 {
			t.Errorf("%s: %d pairs of %d are proved with %q (%s, %q)", name, p.Proved, p.Pairs, p.Needed, p.Verdict, p.Notes)
		}
		if !c.proved && p.Verdict == report.Clean {
			t.Errorf("%s: the kernel is proved", name)
		}
	}
}
