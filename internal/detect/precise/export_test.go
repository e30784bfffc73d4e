package precise

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
)

// LimitJournals sets how many bytes the journals of a detector may take, 0 for none.
func (d *Detector) LimitJournals(bytes uintptr) { d.Journals = bytes }

// Shortcuts are those that Without switches off.
type Shortcuts = options.Shortcuts

// EndOfShortcuts is beyond all of them, Deferring are those that defer accesses.
const (
	EndOfShortcuts = options.EndOfShortcuts
	Deferring      = options.Journals | options.Counters
)

// tune changes the tuning of detectors made from then on, and returns a function that undoes it.
func tune(change func(t *options.Tuning)) (undo func()) {
	before := options.Standard
	change(&options.Standard)
	return func() { options.Standard = before }
}

// Without switches shortcuts off.
func Without(s Shortcuts) (undo func()) { return tune(func(t *options.Tuning) { t.Without |= s }) }

// LimitContexts sets how many contexts are kept without a look at who needs them.
func LimitContexts(n int) (undo func()) { return tune(func(t *options.Tuning) { t.Contexts = n }) }

// LimitRecentJoins sets how many recent releases of a location a thread may have to join before later ones are joined
// at once.
func LimitRecentJoins(n int) (undo func()) {
	return tune(func(t *options.Tuning) { t.RecentJoins = n })
}

// JoinBesideAlways has threads join clocks of any size lazily in all programs, in short chains.
func JoinBesideAlways() (undo func()) {
	return tune(func(t *options.Tuning) { t.Joins = order.JoinTuning{Always: true, Longest: 6} })
}

// JoinedBeside reports whether one of the latest joins has been made so.
func (d *Detector) JoinedBeside() bool {
	return slices.ContainsFunc(d.Merges.Pairs(), func(p order.ClockPair) bool { return p.Both != nil && p.Both.Kind&order.HasBeside != 0 })
}

// LongestLog is the number of entries of the longest list of a word of global memory.
func (d *Detector) LongestLog() int {
	n := 0
	for _, p := range d.Global.Pages.All {
		for i := range p {
			if p[i].Words == nil {
				continue
			}
			p[i].Words.Each(0, lineBytes/wordBytes, func(h *shadow.History) { n = max(n, h.Logs(false).Size(), h.Logs(true).Size()) })
		}
	}
	return n
}

// Journaled is how many bytes the journals take.
func (d *Detector) Journaled() uintptr { return d.Regions.Bytes }

// Walked reports whether rounds of a loop have been handled together in the latest launch.
func (d *Detector) Walked() bool { return d.walk.rest != nil }

// WalkedUnevenly reports whether the lanes were not evenly apart in the latest loop whose rounds have been handled
// together.
func (d *Detector) WalkedUnevenly() bool {
	return d.Walked() && len(d.walk.list) > 0 && d.walk.list[0].Addr != nil
}

// OrderedCells is how many ordered cells are in use, those of the latest launch included.
func (d *Detector) OrderedCells() int {
	return shadow.OrderedTogether*len(d.Ordered.Chunks) - len(d.Ordered.Free)
}

// Messages is how many messages between threads there have been in the latest launch.
func (d *Detector) Messages() uint32 { return d.Evidence.MessageCount() }

// LimitObservations sets how many observations of a location, and units that have any, are looked at one after the
// other.
func LimitObservations(n int) (undo func()) {
	return tune(func(t *options.Tuning) { t.Observations, t.ObservationUnits = n, n })
}

// IgnoreSpans has no span of observed writes computed.
func IgnoreSpans() (undo func()) {
	return tune(func(t *options.Tuning) { t.Observations, t.SpanObservations = 0, -1 })
}

// LimitPreceding sets the length of a list of strong writes from which on it keeps a read that they precede.
func LimitPreceding(n int) (undo func()) { return tune(func(t *options.Tuning) { t.Preceding = n }) }

// ExamineAll has every warning and every race examined, also those like an earlier one.
func ExamineAll() (undo func()) { return Without(options.KnownCauses) }

// LimitFenceRecords sets how many records of fences are kept apart at a location, 1 at least.
func LimitFenceRecords(n int) (undo func()) {
	return tune(func(t *options.Tuning) { t.FenceRecords = n })
}

// ObservationsRise reports whether the observations of each location of global memory are in order.
func (d *Detector) ObservationsRise() bool {
	rise := true
	for n, p := range d.Global.Pages.All {
		for i := range p {
			p[i].Overlapping(n*shadow.PageBytes+uint64(i)*lineBytes, lineBytes, func(loc *causality.Location) {
				for k := 1; loc.Seen != nil && k < len(loc.Seen.List); k++ {
					x, y := &loc.Seen.List[k-1], &loc.Seen.List[k]
					rise = rise && x.Since <= y.Since && x.UpTo <= y.UpTo
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
	for _, p := range d.Global.Pages.All {
		for i := range p {
			if p[i].Words == nil || p[i].Generation != d.Global.Generation {
				continue // or of an earlier launch
			}
			p[i].Words.Each(0, lineBytes/wordBytes, func(h *shadow.History) {
				if m := h.More; m != nil {
					for _, l := range []*shadow.Log{&m.Writes, &m.Reads} {
						code := d.codeOf(l)
						known = known && l.Same == code
						right = right && (l.Same == 0 || len(l.Entries) == 0 || l.Same == code)
					}
				}
			})
		}
	}
	return known, right
}

// codeOf returns the code of the classes of all entries of a list, 0 if they have several or there are none.
func (d *Detector) codeOf(l *shadow.Log) uint32 {
	if len(l.Entries) == 0 {
		return 0
	}
	code := d.Classes.List[l.Entries[0].Class].Code
	for _, e := range l.Entries {
		if d.Classes.List[e.Class].Code != code {
			return 0
		}
	}
	return code
}

// Pages is the number of pages of the shadow of global memory.
func (d *Detector) Pages() int { return d.Global.Pages.Len() }

// RegionCount is the number of regions of global memory.
func (d *Detector) RegionCount() int { return max(len(d.Regions.At), len(d.Regions.Open)) }

// UsedBytes is the size in bytes of the record of accesses.
func (d *Detector) UsedBytes() uint64 { return uint64(d.Used) }

// LimitTallies sets how many writes of a word, and rows of a line, are compared one by one.
func LimitTallies(n int) (undo func()) {
	return tune(func(t *options.Tuning) { t.Writes, t.Rows = n, n })
}

// ReadApart has the reads of each lane handled for itself.
func ReadApart() (undo func()) { return Without(options.ReadersAtOnce) }

// LimitKept sets the number of observations of a location from which on some are dropped.
func LimitKept(n int) (undo func()) { return tune(func(t *options.Tuning) { t.ManyObservations = n }) }
