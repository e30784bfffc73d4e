// A device that is reset between launches.

package session_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

const countUp = `.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 total = 5;
.visible .entry up(.param .u64 where)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [where];
	ld.global.u32 %r1, [%rd1];
	add.u32 %r1, %r1, 1;
	st.global.u32 [%rd1], %r1;
	ret;
}
`

// TestReset: what a program has changed is not there after a reset, addresses from before are faults,
// and a program has to be loaded again.
func TestReset(t *testing.T) {
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors, GoOn: true})
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, countUp)
	total := func() *session.Object {
		t.Helper()
		if err := s.Load(p); err != nil {
			t.Fatal(err)
		}
		o, err := s.Global(p, "total")
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	up := func(address uint64, faults int) {
		t.Helper()
		res, err := s.Launch(t.Context(), session.Launch{Program: p, Kernel: "up", Grid: emu.Dim3{X: 1}, Block: emu.Dim3{X: 1}, Args: []any{address}})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Faults) != faults {
			t.Errorf("%d faults, want %d", len(res.Faults), faults)
		}
	}
	value := func(o *session.Object) uint32 {
		t.Helper()
		v, err := session.Values[uint32](o)
		if err != nil {
			t.Fatal(err)
		}
		return v[0]
	}
	first := total()
	before := first.Address()
	if up(before, 0); value(first) != 6 {
		t.Errorf("total is %d, want 6", value(first))
	}
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Launch(t.Context(), session.Launch{Program: p, Kernel: "up", Args: []any{before}}); err == nil {
		t.Error("a program that was unloaded is launched")
	}
	again := total()
	if again.Address() == before || value(again) != 5 {
		t.Errorf("total is %d at 0x%x, want 5 elsewhere than at 0x%x", value(again), again.Address(), before)
	}
	up(before, 1)
	if up(again.Address(), 0); value(again) != 6 {
		t.Errorf("total is %d, want 6", value(again))
	}
	if rep := s.Report(); rep.Stats.Launches != 3 || len(rep.Faults) != 1 {
		t.Errorf("%d launches and %d faults, want 3 and 1", rep.Stats.Launches, len(rep.Faults))
	}
}

// TestUnload: an unloaded program cannot be launched, its variables are freed memory, and what its launches
// have shown is in the report as it was.
func TestUnload(t *testing.T) {
	for _, detector := range []string{"precise", "barracuda", "iguard"} {
		detectors, err := session.ParseDetectors(detector)
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.Open(session.Options{Detectors: detectors, GoOn: true})
		if err != nil {
			t.Fatal(err)
		}
		first, second := parse(t, sampledKernel), parse(t, countUp)
		data := buffer(t, s, "data", make([]uint32, 16))
		for _, p := range []*session.Program{first, second} {
			if err = s.Load(p); err != nil {
				t.Fatal(err)
			}
		}
		total, err := s.Global(second, "total")
		if err != nil {
			t.Fatal(err)
		}
		one, address := emu.Dim3{X: 1}, total.Address()
		launch(t, s, session.Launch{Program: first, Kernel: "k", Grid: emu.Dim3{X: 8}, Block: emu.Dim3{X: 32}, Args: []any{data}})
		launch(t, s, session.Launch{Program: second, Kernel: "up", Grid: one, Block: one, Args: []any{address}})
		before, statistics := s.Report(), s.Statistics()
		if len(before.Races) == 0 || len(before.Coverage) != 2 {
			t.Fatalf("%s: %d races and %d kernels", detector, len(before.Races), len(before.Coverage))
		}
		if err := s.Unload(second); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Launch(t.Context(), session.Launch{Program: second, Kernel: "up", Grid: one, Block: one, Args: []any{data}}); err == nil {
			t.Errorf("%s: a program that was unloaded is launched", detector)
		}
		if err := s.Load(second); err != nil {
			t.Fatal(err)
		}
		if res := launch(t, s, session.Launch{Program: second, Kernel: "up", Grid: one, Block: one, Args: []any{address}, Unreported: true}); len(res.Faults) != 1 {
			t.Errorf("%s: %d faults where a variable was, want 1", detector, len(res.Faults))
		}
		for _, p := range []*session.Program{first, second} {
			if err := s.Unload(p); err != nil {
				t.Fatal(err)
			}
		}
		after := s.Report()
		if len(after.Races) != len(before.Races) || len(after.Coverage) != 2 || !slices.Equal(after.Notes, before.Notes) || len(s.Statistics()) < len(statistics) {
			t.Errorf("%s: %d races, coverage %v, notes %q, statistics %q; before %d, %v, %q, %q", detector, len(after.Races), after.Coverage, after.Notes, s.Statistics(),
				len(before.Races), before.Coverage, before.Notes, statistics)
		}
	}
}
