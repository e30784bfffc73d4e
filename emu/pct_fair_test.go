package emu

import (
	"testing"
)

// TestPCTIsFairInTheEnd: warps that poll together, in a loop whose registers change and might end it, do not keep the
// warp that they wait for from running.
func TestPCTIsFairInTheEnd(t *testing.T) {
	const text = `.version 8.3
.target sm_90
.address_size 64
.global .u32 flag;
.global .u32 rounds;
.visible .entry k()
{
	.reg .b32 %r<5>; .reg .pred %p<3>;
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 32;
	@%p1 bra SET;
POLL:
	add.u32 %r2, %r2, 1;
	setp.eq.u32 %p0, %r2, -1;
	@%p0 trap;
	ld.volatile.global.u32 %r3, [flag];
	setp.eq.u32 %p2, %r3, 0;
	bar.red.or.pred %p2, 1, 64, %p2;
	@%p2 bra POLL;
	st.global.u32 [rounds], %r2;
	ret;
SET:
	st.volatile.global.u32 [flag], 1;
	ret;
}
`
	waited := false
	for seed := range uint64(20) {
		m := mustLoad(t, "k.ptx", text, Config{Policy: PCT, Depth: 1, Seed: seed, MaxSteps: 40_000_000})
		r, err := m.Launch(t.Context(), LaunchConfig{Kernel: "k", Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 96, Y: 1, Z: 1}})
		if err != nil || len(r.Faults) > 0 {
			t.Fatalf("seed %d: %v, %v", seed, err, r)
		}
		waited = waited || r.Stats.WarpInstructions > 1<<20
	}
	if !waited {
		t.Error("under no seed the warp that sets the flag came last")
	}
}
