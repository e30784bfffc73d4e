package emu

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// TestNeverImpatient: the trait agrees with the schedulers, whose impatient is not called then. Policies without the
// trait let lanes pass joins, under some seed at least.
func TestNeverImpatient(t *testing.T) {
	for p := ITS; p <= PerThread; p++ {
		impatient := false
		for seed := range uint64(64) {
			x := &state.Engine{M: &state.Machine{Cfg: Config{Policy: p, Seed: seed}}}
			x.Sched = sched.New(p, &x.M.Cfg, nil)
			never := neverImpatient(x)
			for range 100 {
				now := x.Sched.Impatient(x)
				if impatient = impatient || now; now && never {
					t.Fatalf("policy %d, seed %d: impatient, which the traits deny", p, seed)
				}
			}
		}
		if impatient == p.Traits().NeverImpatient {
			t.Errorf("policy %d: impatient %t", p, impatient)
		}
	}
}
