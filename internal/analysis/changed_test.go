package analysis_test

import (
	"context"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestChanged: a proof uses what a variable of the module starts with only if host code does not overwrite it. In the
// kernel thread 1 waits until thread 0 has set the flag behind its store.
func TestChanged(t *testing.T) {
	const text = `.version 7.5
.target sm_70
.address_size 64
.global .align 4 .u32 _ZN2ns5readyE;
.global .align 4 .u32 kept;
.visible .entry k(.param .u64 a)
{
	.reg .pred %p<4>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [a];
	mov.u64 %rd2, _ZN2ns5readyE;
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p1, %r1, 0;
	setp.eq.u32 %p2, %r1, 1;
	@%p1 bra SET;
	@%p2 bra WAIT;
	bra DONE;
SET:
	st.global.u32 [%rd1], 7;
	membar.gl;
	atom.global.exch.b32 %r2, [%rd2], 1;
	bra DONE;
WAIT:
	ld.volatile.global.u32 %r2, [%rd2];
	setp.ne.s32 %p3, %r2, 1;
	@%p3 bra WAIT;
	membar.gl;
	ld.global.u32 %r3, [%rd1];
DONE:
	ret;
}
`
	prog, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ code, want string }{
		"none":                       {"", report.Clean},
		"a copy":                     {"cudaMemcpyToSymbol(ns::ready, h, 4);", report.Unknown},
		"a copy to another variable": {"cudaMemcpyToSymbol(kept, h, 4);", report.Clean},
		"a name that is not known":   {"cuModuleGetGlobal(&p, &n, m, name);", report.Unknown},
	} {
		src := "#include <string.h>\nnamespace ns { __device__ int ready; }\n__device__ int kept;\n" +
			"extern \"C\" { __global__ void k(int *a) {}\nint cuModuleGetGlobal(void **, size_t *, void *, const char *); }\n" +
			"extern int *h;\nextern char *name;\nint main() { int *a; void *p, *m = 0; size_t n; cudaMalloc(&a, 4096); " +
			c.code + " k<<<1, 32>>>(a); }\n"
		given := hostFactsOf(t, src)
		for _, l := range given[0].Launches { // host code alone does not say so
			l.First = true
		}
		out, err := analysis.Run(context.Background(), prog, analysis.Options{Facts: given, Disjoint: true})
		if err != nil {
			t.Fatal(err)
		}
		if p := out.Report.Proofs[0]; p.Verdict != c.want {
			t.Errorf("%s: %s with %q, want %s (%q)", name, p.Verdict, p.Needed, c.want, p.Notes)
		}
	}
}
