package emu

import "testing"

// TestNeverImpatient: the trait agrees with the schedulers, whose impatient is not called then. Policies without the
// trait let lanes pass joins, under some seed at least.
func TestNeverImpatient(t *testing.T) {
	for p := ITS; p <= PerThread; p++ {
		impatient := false
		for seed := range uint64(64) {
			x := &engine{m: &machine{cfg: Config{Policy: p, Seed: seed}}}
			x.sched = newScheduler(p, &x.m.cfg, nil)
			never := x.neverImpatient()
			for range 100 {
				now := x.sched.impatient(x)
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
