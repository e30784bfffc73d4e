package barracuda

import "testing"

// TestReleasedClocks: what was set for a block is found, among few and among many.
func TestReleasedClocks(t *testing.T) {
	s := syncVar{rareVar: &noRare}
	for round := range 2 {
		var want [3 * fewBlocks]*releasedClock
		for i := range want {
			want[i] = new(releasedClock)
			s.set(uint64(i*i), want[i])
			for k := range want[:i+1] {
				if s.of(uint64(k*k)) != want[k] {
					t.Fatalf("round %d: block %d of %d is not found", round, k, i+1)
				}
			}
		}
		if s.of(2) != nil {
			t.Error("a block that has none has one")
		}
	}
}

// TestReleasedKnown: who takes a lock again that it has dropped itself learns nothing, and what
// it releases takes the place of what it released before.
func TestReleasedKnown(t *testing.T) {
	order := Order{Acquire: true, Release: true, Scope: ScopeBlock}
	d := newDetector(t, Options{})
	var s script
	for range 3 {
		s.on(Atomic, 0, 0, 1, x).Order = order
	}
	for i := range s.ops {
		d.Op(&s.ops[i])
	}
	a := d.grids[0].syncs.numbered(1).of(0)
	if a.vc != nil || a.acquired != nil || d.grids[0].blocks[0].warps[0].paths[0].rest != nil {
		t.Errorf("%+v, %+v", a, d.grids[0].blocks[0].warps[0].paths[0])
	}
}
