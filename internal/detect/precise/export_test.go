package precise

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// LimitJournals sets how many bytes the journals of a detector may take, 0 for none.
func (d *Detector) LimitJournals(bytes uintptr) { d.journals = bytes }

// Shortcuts are those that Without switches off.
type Shortcuts = shortcuts

// EndOfShortcuts is beyond all of them.
const EndOfShortcuts = endOfShortcuts

// tune changes the tuning of detectors made from then on, and returns a function that undoes it.
func tune(change func(t *tuning)) (undo func()) {
	before := standard
	change(&standard)
	return func() { standard = before }
}

// Without switches shortcuts off.
func Without(s Shortcuts) (undo func()) { return tune(func(t *tuning) { t.without |= s }) }

// LimitContexts sets how many contexts are kept without a look at who needs them.
func LimitContexts(n int) (undo func()) { return tune(func(t *tuning) { t.contexts = n }) }

// LimitRecentJoins sets how many recent releases of a location a thread may have to join before later ones are joined
// at once.
func LimitRecentJoins(n int) (undo func()) { return tune(func(t *tuning) { t.recentJoins = n }) }

// JoinBesideAlways has threads join clocks of any size lazily in all programs, in short chains.
func JoinBesideAlways() (undo func()) {
	return tune(func(t *tuning) { t.joins = order.JoinTuning{Always: true, Longest: 6} })
}

// JoinedBeside reports whether one of the latest joins has been made so.
func (d *Detector) JoinedBeside() bool {
	return slices.ContainsFunc(d.merges.Pairs(), func(p order.ClockPair) bool { return p.Both != nil && p.Both.Kind&order.HasBeside != 0 })
}

// LongestLog is the number of entries of the longest list of a word of global memory.
func (d *Detector) LongestLog() int {
	n := 0
	for _, p := range d.global.pages.All {
		for i := range p {
			if p[i].words == nil {
				continue
			}
			for k := range p[i].words {
				h := &p[i].words[k]
				n = max(n, h.logs(false).size(), h.logs(true).size())
			}
		}
	}
	return n
}

// Journaled is how many bytes the journals take.
func (d *Detector) Journaled() uintptr { return d.regions.bytes }

// Walked reports whether rounds of a loop have been handled together in the latest launch.
func (d *Detector) Walked() bool { return d.walk.rest != nil }

// WalkedUnevenly reports whether the lanes were not evenly apart in the latest loop whose rounds have been handled
// together.
func (d *Detector) WalkedUnevenly() bool {
	return d.Walked() && len(d.walk.list) > 0 && d.walk.list[0].Addr != nil
}

// OrderedCells is how many ordered cells are in use, those of the latest launch included.
func (d *Detector) OrderedCells() int {
	return orderedTogether*len(d.ordered.chunks) - len(d.ordered.free)
}

// Messages is how many messages between threads there have been in the latest launch.
func (d *Detector) Messages() uint32 { return d.evidence.MessageCount() }

// LimitObservations sets how many observations of a location, and units that have any, are looked at one after the
// other.
func LimitObservations(n int) (undo func()) {
	return tune(func(t *tuning) { t.observations, t.observationUnits = n, n })
}

// IgnoreSpans has no span of observed writes computed.
func IgnoreSpans() (undo func()) {
	return tune(func(t *tuning) { t.observations, t.spanObservations = 0, -1 })
}

// LimitPreceding sets the length of a list of strong writes from which on it keeps a read that they precede.
func LimitPreceding(n int) (undo func()) { return tune(func(t *tuning) { t.preceding = n }) }

// ExamineAll has every warning and every race examined, also those like an earlier one.
func ExamineAll() (undo func()) { return Without(knownCauses) }

// LimitFenceRecords sets how many records of fences are kept apart at a location, 1 at least.
func LimitFenceRecords(n int) (undo func()) { return tune(func(t *tuning) { t.fenceRecords = n }) }

// ObservationsRise reports whether the observations of each location of global memory are in order.
func (d *Detector) ObservationsRise() bool {
	rise := true
	for n, p := range d.global.pages.All {
		for i := range p {
			p[i].overlapping(n*pageBytes+uint64(i)*lineBytes, lineBytes, func(loc *location) {
				for k := 1; loc.seen != nil && k < len(loc.seen.list); k++ {
					x, y := &loc.seen.list[k-1], &loc.seen.list[k]
					rise = rise && x.since <= y.since && x.upTo <= y.upTo
				}
			})
		}
	}
	return rise
}

// CodesKnown reports whether the lists of all words of global memory whose entries have one code say so, and right
// whether those that say so have it.
func (d *Detector) CodesKnown() (known, right bool) {
	known, right = true, true
	for _, p := range d.global.pages.All {
		for i := range p {
			if p[i].words == nil || p[i].generation != d.global.generation {
				continue // or of an earlier launch
			}
			for k := range p[i].words {
				if m := p[i].words[k].more; m != nil {
					for _, l := range []*log{&m.writes, &m.reads} {
						code := d.codeOf(l)
						known = known && l.same == code
						right = right && (l.same == 0 || len(l.entries) == 0 || l.same == code)
					}
				}
			}
		}
	}
	return known, right
}

// codeOf returns the code of the classes of all entries of a list, 0 if they have several or there are none.
func (d *Detector) codeOf(l *log) uint32 {
	if len(l.entries) == 0 {
		return 0
	}
	code := d.classes[l.entries[0].class].Code
	for _, e := range l.entries {
		if d.classes[e.class].Code != code {
			return 0
		}
	}
	return code
}

// Pages is the number of pages of the shadow of global memory.
func (d *Detector) Pages() int { return d.global.pages.Len() }

// RegionCount is the number of regions of global memory.
func (d *Detector) RegionCount() int { return max(len(d.regions.at), len(d.regions.open)) }

// UsedBytes is the size in bytes of the record of accesses.
func (d *Detector) UsedBytes() uint64 { return d.used }

// LimitTallies sets how many writes of a word, and rows of a line, are compared one by one.
func LimitTallies(n int) (undo func()) { return tune(func(t *tuning) { t.writes, t.rows = n, n }) }

// ReadApart has the reads of each lane handled for itself.
func ReadApart() (undo func()) { return Without(readersAtOnce) }

// LimitKept sets the number of observations of a location from which on some are dropped.
func LimitKept(n int) (undo func()) { return tune(func(t *tuning) { t.manyObservations = n }) }
