package instrument_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestDemand: a condition has a name where the load stands, and a load for some threads covers nothing.
func TestDemand(t *testing.T) {
	const use = "setp.eq.s32 %p2, %r2, 0; or.pred %p3, %p1, %p2; @%p3 bra END; "
	for name, c := range map[string]struct {
		body      string
		demanded  bool
		redundant int
	}{
		"of some threads":    {"ld.shared.u32 %r2, [flag]; " + use, true, 0},
		"of all":             {"ld.shared.u32 %r2, [flag]; st.global.u32 [%rd1], %r2;", false, 0},
		"another predicate":  {"{ .reg .pred %p1; setp.eq.s32 %p1, %r1, 7; @%p1 bra END; } ld.shared.u32 %r2, [flag]; " + use, false, 0},
		"covers nothing":     {"ld.shared.u32 %r2, [flag]; ld.shared.u32 %r3, [flag]; st.global.u32 [%rd1], %r3; " + use, true, 0},
		"is covered":         {"ld.shared.u32 %r3, [flag]; ld.shared.u32 %r2, [flag]; st.global.u32 [%rd1], %r3; " + use, true, 1},
		"covers in any case": {"ld.shared.u32 %r4, [flag]; ld.shared.u32 %r3, [flag]; st.global.u32 [%rd1], %r3; st.global.u32 [%rd1], %r4;", false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := passtest.Load(t, "k.ptx", []byte(`.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %p<5>; .reg .b32 %r<6>; .reg .b64 %rd<3>; .shared .b32 flag;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	setp.ne.s32 %p1, %r1, 0;
	`+c.body+`
END:
	ret;
}
`)).Kernels()[0]
			demanded := false
			for _, in := range f.Insts {
				_, some := instrument.Demand(in)
				demanded = demanded || some
			}
			if demanded != c.demanded {
				t.Errorf("demanded: %t", demanded)
			}
			policy := instrument.Policy{
				Candidate: func(in *rewrite.Inst) bool { return in.Space == isa.SpaceShared },
				Covers:    func(_, second *rewrite.Inst) bool { return !second.Access.Writes() },
			}
			if got := len(instrument.Redundant(f, policy.Demanded())); got != c.redundant {
				t.Errorf("%d loads are covered", got)
			}
		})
	}
}
