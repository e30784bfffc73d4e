package barracuda

import (
	"strings"
	"testing"
)

// TestSyncs: without room for synchronisation no race is false: the first one is that of
// section 3.2 or comes later.
func TestSyncs(t *testing.T) {
	widened := uint64(0)
	for seed := range uint64(3000) {
		d := roomy(t, Options{Syncs: 1 + int(seed%5)})
		noneFalse(t, d, seed)
		widened += d.Stats().Widened
	}
	if widened == 0 {
		t.Error("there was always room")
	}
}

// TestPastFull: the same without room for accesses that share no row.
func TestPastFull(t *testing.T) {
	refused := uint64(0)
	for seed := range uint64(3000) {
		d := roomy(t, Options{})
		d.spare.accesses.most = 2 + int(seed%5)
		noneFalse(t, d, seed)
		refused += d.Stats().Refused
	}
	if refused == 0 {
		t.Error("there was always room")
	}
}

// noneFalse ends a detector's launch with a random trace, in which its first race is the first
// of section 3.2, or later.
func noneFalse(t *testing.T, d *Detector, seed uint64) {
	t.Helper()
	tr := newTrace(seed, 5+int(seed%50))
	first := len(tr.ops)
	if i := firstRace(tr.events, true); i >= 0 {
		for first = 0; tr.ends[first] <= i; first++ {
		}
	}
	for i := range tr.ops {
		d.Op(&tr.ops[i])
		if len(d.check.found.list) > 0 {
			if i < first {
				t.Fatalf("seed %d: a race at operation %d, the first is at %d", seed, i, first)
			}
			break
		}
	}
	d.End()
}

func roomy(t *testing.T, o Options) *Detector {
	t.Helper()
	o.Paper = true
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	d.Begin(testLaunch)
	return d
}

// TestSyncsFull: a location without room orders everybody who synchronises on any such.
func TestSyncsFull(t *testing.T) {
	release, acquire := Order{Release: true, Scope: ScopeBlock}, Order{Acquire: true, Scope: ScopeBlock}
	for _, c := range []struct{ syncs, races int }{{0, 1}, {2, 1}, {1, 0}} {
		var s script
		s.on(Write, 0, 0, 1, y)
		s.on(Write, 0, 0, 1, x).Order = release
		s.on(Read, 1, 0, 1, x).Order = acquire
		s.on(Read, 1, 0, 1, y)
		d := roomy(t, Options{Syncs: c.syncs})
		for i := range s.ops {
			d.Op(&s.ops[i])
		}
		if got := len(d.End()); got != c.races {
			t.Errorf("room for %d: %d races, want %d", c.syncs, got, c.races)
		}
		text := strings.Join(d.Statistics(), "\n")
		if told := strings.Contains(text, "races may be missed"); told != (c.races == 0) {
			t.Errorf("room for %d: %s", c.syncs, text)
		}
	}
}

// TestBlocksFull: no block begins after there was no room for one.
func TestBlocksFull(t *testing.T) {
	var s script
	s.on(Write, 0, 0, 1, x)
	s.on(Write, 1, 0, 1, x)
	s.ops = append(s.ops, Op{Kind: BlockEnd, Block: 0})
	s.on(Write, 2, 0, 1, x)
	d := roomy(t, Options{Blocks: 1})
	for i := range s.ops {
		d.Op(&s.ops[i])
	}
	if got := len(d.End()); got != 0 {
		t.Errorf("%d races", got)
	}
	if text := strings.Join(d.Statistics(), "\n"); !strings.Contains(text, "2 operations are left out: more than 1 blocks ran at a time") {
		t.Error(text)
	}
}
