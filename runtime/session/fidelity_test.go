// What of a run was not exact.

package session_test

import (
	"maps"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestFidelity: a report has the instructions of launched kernels, and of the functions that they call, that are not
// exact, once for each kind.
func TestFidelity(t *testing.T) {
	const text = `.version 9.3
.target sm_100a
.address_size 64
.func power(.reg .f32 %x) { .reg .f32 %y; ex2.approx.f32 %y, %x; ret; }
.visible .entry a(.param .u64 x) {
	.reg .f32 %f<3>; .reg .b32 %r;
	mov.f32 %f1, 0f3F800000;
	ex2.approx.f32 %f2, %f1;
	ex2.approx.f32 %f2, %f2;
	add.f32 %f2, %f2, %f1;
	ret;
}
.visible .entry b(.param .u64 x) {
	.reg .f32 %f1; .reg .b32 %r;
	mov.f32 %f1, 0f3F800000;
	call power, (%f1);
	mov.u32 %r, %clock;
	ret;
}
.visible .entry never(.param .u64 x) { .reg .f32 %f; sin.approx.f32 %f, %f; ret; }
`
	for memory, name := range map[emu.Memory]string{emu.SC: "sc", emu.PTX: "ptx"} {
		var o session.Options
		o.Emulator.Memory = memory
		s, x, _, _ := hostedBy(t, text, o)
		for _, kernel := range []string{"a", "b", "a"} {
			launch(t, s, session.Launch{Kernel: kernel, Grid: emu.Dim3{X: 1}, Block: emu.Dim3{X: 1}, Args: []any{x}})
		}
		f := s.Report().Fidelity
		if f == nil || f.Memory != name || len(f.Instructions) != 2 {
			t.Fatalf("%s: %+v", name, f)
		}
		clock, power := f.Instructions[0], f.Instructions[1]
		if clock.What != "%clock" || !maps.Equal(clock.Kernels, map[string]int{"b": 1}) ||
			power.What != "ex2.approx.f32" || power.First.PTX.Line != 8 ||
			!maps.Equal(power.Kernels, map[string]int{"a": 2, "b": 1}) {
			t.Errorf("%s: %+v, %+v", name, clock, power)
		}
		if again := s.Report().Fidelity; again.Instructions[1].Kernels["a"] != 2 {
			t.Errorf("%s: another report counts again: %+v", name, again.Instructions[1])
		}
	}
}
