package evidence

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestWiderCause compares the cause that findings take from others with the definition, which looks at all pairs of
// findings. Causes change in the order of the list, as they do in settle.
func TestWiderCause(t *testing.T) {
	causes := []detect.Cause{detect.MissingBarrier, detect.NotStrong, detect.MissingWarpSync, detect.MissingFence, detect.InsufficientFenceScope, detect.MissingLock}
	changed := map[detect.Cause]int{}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		var list, want []*Finding
		for range 1 + r.IntN(12) {
			f := Finding{First: uint32(r.IntN(3)), Second: uint32(r.IntN(3)), Relation: Relation(r.IntN(3)), Cause: causes[r.IntN(len(causes))]}
			if r.IntN(2) == 0 {
				f.message = &message{how: elsewhere}
			}
			f.elected = f.Cause == detect.MissingWarpSync && r.IntN(2) == 0
			f.early = f.Cause == detect.MissingLock
			g := f
			list, want = append(list, &f), append(want, &g)
		}
		of := findingsBySites(list, siteKey)
		for i, f := range list {
			before := f.Cause
			if g := of.wider(siteKey(f), f); g != nil {
				f.Cause = g.Cause
			}
			want[i].Cause = widerOfAll(want, want[i])
			if f.Cause != want[i].Cause {
				t.Fatalf("seed %d: finding %d of cause %s takes the cause %s, the definition says %s", seed, i, before, f.Cause, want[i].Cause)
			}
			if f.Cause != before {
				changed[f.Cause]++
			}
		}
	}
	for _, cause := range []detect.Cause{detect.MissingBarrier, detect.NotStrong, detect.MissingWarpSync} {
		if changed[cause] == 0 {
			t.Errorf("no finding has taken the cause %s", cause)
		}
	}
}

// siteKey is the key of a finding whose access classes are its sites.
func siteKey(f *Finding) findingKey {
	return findingKey{f.First, f.Second, f.Relation, f.Cause, f.warning, f.open, f.Performed, ""}
}

// widerOfAll is the definition of findingsOf.wider.
func widerOfAll(all []*Finding, f *Finding) detect.Cause {
	for _, g := range all {
		k, l := siteKey(f), siteKey(g)
		same := k.first == l.first && k.second == l.second || k.first == l.second && k.second == l.first
		switch {
		case same && g.early && (f.Cause == detect.NotStrong || f.contended()):
			return g.Cause
		case same && g.elected && g.Cause == detect.MissingWarpSync && f.Cause == detect.MissingBarrier && f.Relation == g.Relation:
			return g.Cause
		case same && f.unconnected() && !f.elected && g.Cause == detect.MissingBarrier, same && f.Cause == detect.MissingBarrier && g.Cause == detect.NotStrong:
			return g.Cause
		case same && k.first == k.second && g.Cause == detect.NotStrong && f.contended():
			return g.Cause
		case (f.Cause == detect.MissingBarrier || f.unconnected()) && g.Cause == detect.NotStrong && l.first == l.second && (k.first == l.first || k.second == l.first) && g.Relation == f.Relation:
			return g.Cause
		}
	}
	return f.Cause
}
