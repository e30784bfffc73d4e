package instrument_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// loops is a function whose comments say at which line the header of the loop starts
// that an access needs to be seen once in. A fence forgets all; loads of bytes do not
// cover themselves.
const loops = `.version 7.8
.target sm_80
.address_size 64
.global .b32 g;
.func f(.param .u64 p, .param .u32 n)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>, %i, %j;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd0, [p];
	ld.param.u32 %i, [n];
	ld.global.u32 %r0, [%rd0];
OUTER:
	ld.global.u32 %r0, [%rd0]; // want: 14
	ld.global.u8 %r0, [%rd0];
	ld.global.u32 %r0, [g]; // want: 14
	cvt.u64.u32 %rd1, %i;
	add.s64 %rd1, %rd1, %rd0;
	ld.global.u32 %r0, [%rd1];
	mov.u32 %j, 3;
INNER:
	ld.global.u32 %r0, [%rd1]; // want: 22
	@%p0 st.global.u32 [%rd0+4], %r0; // want: 14
	@%p0 bra SKIP;
	add.s64 %rd2, %rd2, 4;
	st.global.u32 [%rd2], %r0;
SKIP:
	sub.u32 %j, %j, 1;
	setp.ne.u32 %p1, %j, 0;
	@%p1 bra INNER;
	sub.u32 %i, %i, 1;
	setp.ne.u32 %p1, %i, 0;
	@%p1 bra OUTER;
FENCED:
	ld.global.u32 %r0, [%rd0];
	mov.u32 %j, 3;
PLAIN:
	ld.global.u32 %r0, [%rd0]; // want: 38
	sub.u32 %j, %j, 1;
	setp.ne.u32 %p1, %j, 0;
	@%p1 bra PLAIN;
	fence.acq_rel.gpu;
	@%p2 bra FENCED;
CHASE:
	ld.global.u64 %rd0, [%rd0]; // the address is loaded
	setp.ne.s64 %p1, %rd0, 0;
	@%p1 bra CHASE;
	@%p0 bra MIDDLE;
TWICE:
	ld.global.u32 %r0, [%rd1]; // entered in two places: no natural loop
MIDDLE:
	@%p1 bra TWICE;
	ret;
}
`

func TestInvariant(t *testing.T) {
	f := passtest.Load(t, "k.ptx", []byte(loops)).Func("f")
	var got []string
	for in, l := range instrument.Invariant(f, instrument.Policy{
		Candidate: func(in *rewrite.Inst) bool { return instrument.Accesses(in, isa.SpaceGlobal) },
		Covers:    func(first, _ *rewrite.Inst) bool { return first.Access.Size > 1 },
		Forgets:   func(in *rewrite.Inst) bool { return in.Instr.Class == isa.ClassFence },
	}) {
		got = append(got, fmt.Sprintf("%d: %d", in.Line, f.Insts[l.Header.Start].Line))
	}
	passtest.MatchWants(t, []byte(loops), got)
}

// A branch with unknown targets may lead into any loop.
func TestInvariantUnknownTargets(t *testing.T) {
	const src = `.version 7.8
.target sm_80
.address_size 64
.func f(.param .u64 p)
{
	.reg .pred %p;
	.reg .b32 %r;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [p];
	bra %r;
LOOP:
	st.global.u32 [%rd0], 1;
	@%p bra LOOP;
	ret;
}
`
	f := passtest.Load(t, "k.ptx", []byte(src)).Func("f")
	if found := instrument.Invariant(f, instrument.Policy{
		Candidate: func(*rewrite.Inst) bool { return true },
		Covers:    func(_, _ *rewrite.Inst) bool { return true },
	}); len(found) > 0 {
		t.Errorf("%d accesses found", len(found))
	}
}
