package collide_test

import (
	"context"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// scenario launches k on a buffer of 128 words.
type scenario struct{ program *session.Program }

// Play implements session.Scenario.
func (sc scenario) Play(ctx context.Context, s *session.Session) error {
	if err := s.Load(sc.program); err != nil {
		return err
	}
	p, err := session.Buffer(s, "p", make([]uint32, 128))
	if err != nil {
		return err
	}
	_, err = s.Launch(ctx, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 2}, Block: emu.Dim3{X: 64}, Args: []any{p}})
	return err
}

// instructions returns the number of warp instructions of a kernel under a detector; "" for none.
func instructions(t *testing.T, detector, src string) float64 {
	t.Helper()
	p, err := session.Parse("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	o := session.Options{}
	if detector != "" {
		if o.Detectors, err = session.ParseDetectors(detector); err != nil {
			t.Fatal(err)
		}
	}
	s, err := session.Open(o)
	if err == nil {
		err = scenario{p}.Play(t.Context(), s)
	}
	if err != nil {
		t.Fatal(err)
	}
	rep := s.Report()
	if len(rep.Faults) > 0 || len(rep.Races) > 0 {
		t.Fatalf("%s: %d faults, %d races", detector, len(rep.Faults), len(rep.Races))
	}
	if detector != "" {
		return float64(rep.Stats.InstrumentedWarpInstructions)
	}
	return float64(rep.Stats.WarpInstructions)
}
