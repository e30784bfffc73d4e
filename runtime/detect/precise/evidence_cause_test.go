package precise

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestWiderCause compares the cause that findings take from others with the definition, which looks at all pairs of findings.
// Causes change in the order of the list, as they do in settle.
func TestWiderCause(t *testing.T) {
	causes := []detect.Cause{detect.MissingBarrier, detect.NotStrong, detect.MissingWarpSync, detect.MissingFence, detect.InsufficientFenceScope}
	changed := map[detect.Cause]int{}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		var list, want []*finding
		for range 1 + r.IntN(12) {
			f := finding{first: uint32(r.IntN(3)), second: uint32(r.IntN(3)), kind: kind(r.IntN(3)), cause: causes[r.IntN(len(causes))]}
			if r.IntN(2) == 0 {
				f.message = &message{how: elsewhere}
			}
			g := f
			list, want = append(list, &f), append(want, &g)
		}
		of := findingsBySites(list, siteKey)
		for i, f := range list {
			before := f.cause
			f.cause, want[i].cause = of.wider(siteKey(f), f), widerOfAll(want, want[i])
			if f.cause != want[i].cause {
				t.Fatalf("seed %d: finding %d of cause %s takes the cause %s, the definition says %s", seed, i, before, f.cause, want[i].cause)
			}
			if f.cause != before {
				changed[f.cause]++
			}
		}
	}
	for _, cause := range []detect.Cause{detect.MissingBarrier, detect.NotStrong} {
		if changed[cause] == 0 {
			t.Errorf("no finding has taken the cause %s", cause)
		}
	}
}

// siteKey is the key of a finding whose access classes are its sites.
func siteKey(f *finding) findingKey {
	return findingKey{f.first, f.second, f.kind, f.cause, f.warning, f.open, ""}
}

// widerOfAll is the definition of findingsOf.wider.
func widerOfAll(all []*finding, f *finding) detect.Cause {
	for _, g := range all {
		k, l := siteKey(f), siteKey(g)
		same := k.first == l.first && k.second == l.second || k.first == l.second && k.second == l.first
		switch {
		case same && f.unconnected() && g.cause == detect.MissingBarrier, same && f.cause == detect.MissingBarrier && g.cause == detect.NotStrong:
			return g.cause
		case same && k.first == k.second && g.cause == detect.NotStrong && f.contended():
			return g.cause
		case (f.cause == detect.MissingBarrier || f.unconnected()) && g.cause == detect.NotStrong && l.first == l.second && (k.first == l.first || k.second == l.first) && g.kind == f.kind:
			return g.cause
		}
	}
	return f.cause
}
