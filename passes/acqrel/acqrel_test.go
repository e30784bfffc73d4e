package acqrel_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestKernels compares the patterns found in compiled CUDA kernels with the "want"
// comments of their source.
func TestKernels(t *testing.T) {
	passtest.Archives(t, func(t *testing.T, path string, files passtest.Files) {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		m := passtest.Load(t, name+".ptx", files.Must(t, name+".ptx"))
		result := analyse(t, m)
		var found []string
		for _, p := range result.Patterns {
			if p.Inst.Loc == nil {
				t.Fatalf("line %d has no .loc", p.Inst.Line)
			}
			found = append(found, fmt.Sprintf("%d: %s", p.Inst.Loc.Line, p))
		}
		passtest.MatchWants(t, files.Must(t, name+".cu"), found)
	})
}

func analyse(t *testing.T, m *rewrite.Module) *acqrel.Result {
	out := passtest.Run(t, m, "acqrel", acqrel.Pass)
	if out.Module != m {
		t.Error("the analysis changed the module")
	}
	return out.Results["acqrel"].(*acqrel.Result)
}

// TestPTX has what CUDA source cannot spell: expectations are comments in the PTX,
// with the distances
// to the fences in lines.
func TestPTX(t *testing.T) {
	const head = `.version 8.7
.target sm_90
.address_size 64
.global .u32 lock;
.global .u32 flag;
.extern .func helper();
.visible .entry k(.param .u64 p) {
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [p];
`
	tests := []struct{ name, body string }{
		{"qualified accesses", `
	ld.acquire.gpu.u32 %r1, [%rd1]; // want: acquire at gpu scope
	st.release.cta.u32 [%rd1], 1; // want: release at cta scope
	atom.acq_rel.sys.add.u32 %r1, [%rd1], 1; // want: acquire-release at sys scope
	red.release.gpu.add.u32 [%rd1], 1; // want: release at gpu scope
	ld.relaxed.gpu.u32 %r1, [%rd1];
	ld.acquire.cluster.shared::cta.u32 %r1, [%rd1]; // want: acquire at cluster scope
	atom.acquire.cta.cas.b32 %r1, [flag], 0, 1; // want: lock at cta scope`},
		{"predicated accesses and fences", `
	setp.eq.u32 %p1, %r1, 0;
	@%p1 fence.acq_rel.gpu;
	@%p1 st.relaxed.gpu.u32 [%rd1], 1; // want: release at gpu scope (-1)
	@!%p1 ld.relaxed.gpu.u32 %r2, [%rd1]; // want: acquire at cta scope (+1)
	fence.acq_rel.cta;`},
		{"fences of one direction", `
	fence.release.gpu;
	st.relaxed.gpu.u32 [%rd1], 1; // want: release at gpu scope (-1)
	ld.relaxed.gpu.u32 %r2, [%rd1]; // want: acquire at gpu scope (+1)
	fence.acquire.gpu;
	ld.global.u32 %r2, [%rd1];
	st.global.u32 [%rd1], 1;
	st.relaxed.gpu.u32 [%rd1], 1;`},
		{"a call ends a pattern", `
	fence.sc.gpu;
	call helper;
	st.relaxed.gpu.u32 [%rd1], 1;
	ld.relaxed.gpu.u32 %r2, [%rd1];
	call helper;
	fence.sc.gpu;`},
		{"a proxy fence is none", `
	fence.proxy.async;
	st.relaxed.gpu.u32 [%rd1], 1;`},
		{"local and parameter accesses do not matter", `
	fence.sc.gpu;
	st.local.u32 [%rd2], 1;
	st.relaxed.gpu.u32 [%rd1], 1; // want: release at gpu scope (-2)`},
		{"the fence on one of two paths to the write", `
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra $A;
	fence.sc.gpu;
$A:
	st.relaxed.gpu.u32 [%rd1], 1; // want: release at gpu scope (-2)
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra $B;
	fence.sc.gpu;
	bra.uni $C;
$B:
	st.volatile.u32 [%rd1], 2;
$C:
	ret;`},
		{"a fence of one scope or another", `
	@%p3 bra $R;
	atom.relaxed.gpu.add.u32 %r1, [%rd1], 0; // want: acquire at gpu scope (+4, +7)
$R:
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra $A;
	fence.acq_rel.cta;
	bra.uni $B;
$A:
	fence.acq_rel.gpu;
$B:
	ld.global.u32 %r2, [%rd1+8];
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra $C;
	fence.acq_rel.cta;
	bra.uni $D;
$C:
	fence.acq_rel.gpu;
$D:
	st.relaxed.gpu.u32 [%rd1+4], 1; // want: release at gpu scope (-5, -2)`},
		{"not a fence on every path", `
	@%p3 bra $R;
	ld.relaxed.gpu.u32 %r1, [%rd1];
$R:
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra $A;
	setp.eq.u32 %p1, %r1, 1;
	@%p1 bra $B;
	fence.acq_rel.cta;
	bra.uni $C;
$A:
	fence.acq_rel.gpu;
$C:
	bra.uni $D;
$B:
	ld.global.u32 %r2, [%rd1+8];
$D:
	ret;`},
		{"volatile data between lock and fence", `
	atom.cas.b32 %r1, [lock], 0, 1;
	ld.volatile.u32 %r2, [%rd1]; // want: acquire at gpu scope (+2)
	st.volatile.u32 [%rd1], %r2;
	membar.gl;
	atom.exch.b32 %r1, [lock], 0; // want: release at gpu scope (-1)`},
		{"volatile data between fence and unlock", `
	atom.cas.b32 %r1, [lock], 0, 1; // want: lock at gpu scope (+1)
	membar.gl;
	ld.volatile.u32 %r2, [%rd1];
	st.volatile.u32 [%rd1], %r2; // want: release at gpu scope (-2)
	atom.exch.b32 %r1, [lock], 0;`},
		{"spin loop with the fence behind it", `
$L:
	ld.volatile.u32 %r1, [%rd1+4]; // want: acquire at gpu scope, spinning (+3)
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra $L;
	membar.gl;`},
		{"spin loop with an acquire of the same location behind it", `
	atom.add.release.gpu.u32 %r2, [%rd1+4], 1; // want: release at gpu scope
$L:
	ld.volatile.u32 %r1, [%rd1+4]; // want: acquire at gpu scope, spinning (+4)
	xor.b32 %r1, %r1, %r2;
	setp.gt.s32 %p1, %r1, -1;
	@%p1 bra $L;
	ld.acquire.gpu.u32 %r3, [%rd1+4]; // want: acquire at gpu scope`},
		{"spin loop with an acquire of another location behind it", `
$L:
	ld.volatile.u32 %r1, [%rd1+4];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra $L;
	ld.acquire.gpu.u32 %r3, [%rd1]; // want: acquire at gpu scope`},
		{"spin loop with the fence inside, before the read", `
$L:
	membar.gl;
	ld.volatile.u32 %r1, [%rd1+4];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra $L;
	ret;`},
		{"the lock's address through copies and conversions", `
	mov.u64 %rd2, lock;
	cvta.global.u64 %rd3, %rd2;
	add.s64 %rd4, %rd3, 0;
$L:
	atom.cas.b32 %r1, [%rd4], 0, 1; // want: lock at gpu scope, spinning (+3)
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra $L;
	membar.gl;
	st.shared.u32 [%rd5], 1;
	membar.cta;
	st.global.u32 [lock], 0; // want: unlock at cta scope (-1)`},
		{"the lock's address read twice from a parameter", `
	atom.cas.b32 %r1, [%rd1+8], 0, 1; // want: lock at gpu scope (+1)
	membar.gl;
	ld.param.u64 %rd2, [p];
	membar.gl;
	atom.exch.b32 %r1, [%rd2+8], 0; // want: unlock at gpu scope (-1)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := []byte(head + strings.TrimPrefix(test.body, "\n") + "\n\tret;\n}\n")
			var found []string
			for _, p := range analyse(t, passtest.Load(t, "k.ptx", src)).Patterns {
				s := fmt.Sprintf("%d: %s", p.Inst.Line, p)
				var lines []string
				for _, f := range p.Fences {
					lines = append(lines, fmt.Sprintf("%+d", f.Line-p.Inst.Line))
				}
				if lines != nil {
					s += " (" + strings.Join(lines, ", ") + ")"
				}
				found = append(found, s)
			}
			passtest.MatchWants(t, src, found)
		})
	}
}

// TestIndirectBranch reports functions whose control flow is unknown.
func TestIndirectBranch(t *testing.T) {
	src := `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [p];
	fence.sc.gpu;
	st.relaxed.gpu.u32 [%rd1], 1;
$A:
	ret;
}
`
	m := passtest.Load(t, "k.ptx", []byte(src))
	if r := analyse(t, m); len(r.Patterns) != 1 || r.At(m.Func("k").Insts[2]) != r.Patterns[0] || r.At(m.Func("k").Insts[0]) != nil {
		t.Fatalf("found %v", r.Patterns)
	}
	m.Func("k").CFG().Degenerate = true
	out := passtest.Run(t, m, "acqrel", acqrel.Pass)
	if n := len(out.Results["acqrel"].(*acqrel.Result).Patterns); n != 0 || len(out.Diagnostics) != 1 {
		t.Fatalf("found %d patterns, diagnostics %v", n, out.Diagnostics)
	}
	if got := out.Diagnostics[0].String(); !strings.HasPrefix(got, "k.ptx:7:2: k has an indirect branch") {
		t.Errorf("diagnostic %q", got)
	}
}
