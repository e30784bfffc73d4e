package barracuda

import (
	"flag"
	"math/bits"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

var traces = flag.Int("traces", 10000, "random traces that the theorem is tested with")

// set is a set of events.
type set []uint64

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) union(o set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// order is the synchronisation order of a trace as section 3.2 defines it: for each
// event the set of those before it.
func order(events []event, paper bool) []set {
	before := make([]set, len(events))
	last := [testThreads]int{}
	for i := range last {
		last[i] = -1
	}
	for i, e := range events {
		s := make(set, len(events)/64+1)
		comes := func(j int) {
			if j >= 0 {
				s.union(before[j])
				s.add(j)
			}
		}
		for m := uint32(e.who); m != 0; m &= m - 1 { // intra-thread, intra-warp and barriers
			comes(last[bits.TrailingZeros32(m)])
		}
		for _, j := range e.after {
			comes(j)
		}
		if e.kind == evAcquire { // inter-thread
			for j := range i {
				if synchronises(&events[j], &e, paper) {
					comes(j)
				}
			}
		}
		for m := uint32(e.who); m != 0; m &= m - 1 {
			last[bits.TrailingZeros32(m)] = i
		}
		before[i] = s
	}
	return before
}

func blockOf(w threads) int { return bits.TrailingZeros32(uint32(w)) / (testWarps * testLanes) }

// synchronises reports whether a release and an acquire are on one location and in scope:
// one of them to the paper, both otherwise.
func synchronises(rel, acq *event, paper bool) bool {
	wide := rel.scope == ScopeGlobal || acq.scope == ScopeGlobal
	if !paper {
		wide = rel.scope == ScopeGlobal && acq.scope == ScopeGlobal
	}
	return rel.kind == evRelease && rel.loc == acq.loc && rel.shared == acq.shared &&
		(blockOf(rel.who) == blockOf(acq.who) || !rel.shared && wide)
}

// conflict reports whether two events access a common location, one writes, and not
// both are atomic and, unless by the paper, in each other's scope.
func conflict(a, b *event, paper bool) bool {
	together := paper || blockOf(a.who) == blockOf(b.who) || a.scope == ScopeGlobal && b.scope == ScopeGlobal
	return a.kind <= evAtomicRead && b.kind <= evAtomicRead && (a.writes() || b.writes()) && (!a.atomic() || !b.atomic() || !together) &&
		a.shared == b.shared && (!a.shared || blockOf(a.who) == blockOf(b.who)) &&
		a.loc < b.loc+uint64(b.bytes) && b.loc < a.loc+uint64(a.bytes)
}

func (e *event) writes() bool { return e.kind == evWrite || e.kind == evAtomic }
func (e *event) atomic() bool { return e.kind == evAtomic || e.kind == evAtomicRead }

// firstRace is the first event that races with an earlier one; -1 when there is none.
func firstRace(events []event, paper bool) int {
	before := order(events, paper)
	for i := range events {
		for j := range i {
			if conflict(&events[j], &events[i], paper) && !before[i].has(j) {
				return i
			}
		}
	}
	return -1
}

var testLaunch = detect.Launch{Kernel: "k", LaunchShape: detect.LaunchShape{
	Grid: [3]uint32{testBlocks, 1, 1}, Block: [3]uint32{testWarps * fanout, 1, 1},
}}

// newTestDetector keeps to the paper, whose rules most tests are about.
func newTestDetector(t testing.TB) *Detector {
	t.Helper()
	return newDetector(t, Options{Paper: true})
}

func newDetector(t testing.TB, o Options) *Detector {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	d.spare.accesses.least = 10 // so that accesses are dropped often
	d.Begin(testLaunch)
	return d
}

// TestTheorem is Theorem 1 on random traces: the detector reports its first race at the
// operation that completes the first race of section 3.2, and none when there is none.
// The same holds where the detector departs from the paper's scopes.
func TestTheorem(t *testing.T) {
	for _, paper := range []bool{true, false} {
		racy := 0
		for seed := range uint64(*traces / 2) {
			if theorem(t, seed, paper) {
				racy++
			}
		}
		if racy < *traces/8 || racy > *traces*9/20 {
			t.Errorf("paper %v: %d of %d traces race: too many or too few to tell", paper, racy, *traces/2)
		}
	}
}

// theorem checks one trace, and reports whether it has races.
func theorem(t *testing.T, seed uint64, paper bool) bool {
	t.Helper()
	tr := newTrace(seed, 5+int(seed%50))
	want := len(tr.ops)
	i := firstRace(tr.events, paper)
	if i >= 0 {
		for want = 0; tr.ends[want] <= i; want++ {
		}
	}
	d := newDetector(t, Options{Paper: paper})
	got := len(tr.ops)
	for i := range tr.ops {
		d.Op(&tr.ops[i])
		if len(d.check.found.list) > 0 {
			got = i
			break
		}
	}
	if got != want {
		t.Fatalf("seed %d, paper %v: first race at operation %d of %d, want %d", seed, paper, got, len(tr.ops), want)
	}
	return i >= 0
}
