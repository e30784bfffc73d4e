// What of a run was not exact.

package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
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
		if clock.What != "%clock" || clock.Count != 1 || !slices.Equal(clock.Kernels, []string{"b"}) ||
			power.What != "ex2.approx.f32" || power.Count != 3 || power.First.PTX.Line != 8 ||
			!slices.Equal(power.Kernels, []string{"a", "b"}) {
			t.Errorf("%s: %+v, %+v", name, clock, power)
		}
		if again := s.Report().Fidelity; again.Instructions[1].Count != 3 {
			t.Errorf("%s: another report counts again: %+v", name, again.Instructions[1])
		}
	}
}

// TestFidelityOfProcesses: what several processes have in common is there once.
func TestFidelityOfProcesses(t *testing.T) {
	process := func(kernel string, library string) *report.Report {
		return &report.Report{Fidelity: &report.Fidelity{
			Memory: "sc", Libraries: []report.StandIn{{Library: library, Why: "w"}},
			Instructions: []*report.Inexact{{What: "ex2.approx.f32", Why: "w", Kernels: []string{kernel}, Count: 2}},
		}}
	}
	all := process("k", "cuBLAS")
	all.Merge(process("k", "cuBLAS"))
	all.Merge(process("l", "cuFFT"))
	var text strings.Builder
	if err := all.WriteText(&text, report.TextOptions{Fidelity: true}); err != nil {
		t.Fatal(err)
	}
	const line = "FIDELITY: approximated: ex2.approx.f32 at an unknown place (4 instructions in 2 kernels): w"
	if !strings.Contains(text.String(), line) || !strings.Contains(text.String(), "FIDELITY: cuFFT: w") {
		t.Errorf("%s\nlacks %s", text.String(), line)
	}
	f := all.Fidelity
	if len(f.Instructions) != 1 || f.Instructions[0].Count != 4 || len(f.Instructions[0].Kernels) != 2 || len(f.Libraries) != 2 {
		t.Errorf("%+v, %+v", f, f.Instructions[0])
	}
}
