// Warnings: conflicting strong accesses that nothing orders.

package evidence

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Conflicting accesses that are morally strong are no data race of the model, but if they are unordered, the value read
// is not determined. That deserves a warning if the location holds data, and none if threads synchronise through it:
// docs/detectors/precise.md has the rule.

// History holds the recent strong accesses to a scalar, and the warnings about them.
type History struct {
	writes, reads []StrongAccess
	warnings      []warning
	order         uint64          // number of the scalar among those that have had warnings, by its first one, from 1 on; 0 for none
	first         [2]StrongAccess // backing arrays of writes and reads
}

// StrongAccess is one strong access.
type StrongAccess struct {
	Unit   unit
	At     stamp
	Value  uint64 // value written
	Class  uint32
	Lane   uint8
	Valued bool // value is known
}

func (x *StrongAccess) isBy(t thread) bool { return x.Unit == t.Unit && x.Lane == t.Lane }

// set makes x equal to m, which has just been written. It assigns field by field: assigning the whole struct loads
// several fields at once, which stalls until they have been stored.
func (x *StrongAccess) set(m *StrongAccess) {
	x.Unit, x.At, x.Value, x.Class, x.Lane, x.Valued = m.Unit, m.At, m.Value, m.Class, m.Lane, m.Valued
}

// maxStrongAccesses is how many strong accesses of each kind to one scalar are remembered.
const maxStrongAccesses = 8

// Access is a strong access by lanes of a warp.
type Access struct {
	By   Lanes
	Told bool // its warnings have been given
	*accesses.Class
	Index  uint32 // of the class
	Unit   unit   // of the warp
	At     stamp
	Event  *abi.Event
	Place  *accesses.Place
	Memory *Memory // nil for global memory
	// Older says that, under weak memory, the access is a read that has returned an older value than the latest one:
	// that of the write at Returned, or that before all writes.
	Older    bool
	Returned stamp
}

// RecordStrong records a strong access by one lane, or reads by several lanes with the same clock, in a history. It
// adds warnings about earlier accesses that are not ordered with it.
func (e *Evidence) RecordStrong(a *Access, v *History, lanes uint32) {
	if !a.Writes() {
		e.recordReads(a, v, lanes)
		return
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		e.recordStrongBy(a, v, bits.TrailingZeros32(lanes))
	}
}

// recordStrongBy records a strong access by one lane in a history.
func (e *Evidence) recordStrongBy(a *Access, v *History, lane int) {
	m := strongBy(a, lane)
	if v.isOnlyOf(thread{Unit: m.Unit, Lane: m.Lane}) {
		v.replaceOwn(a, &m)
		return
	}
	var observed observedWrites
	superseded := func(x *StrongAccess) bool { return e.supersedes(a, v, x, &m, &observed) }
	v.writes = dropIf(v.writes, superseded)
	if !a.Writes() {
		v.reads = e.appendRecent(dropIf(v.reads, func(x *StrongAccess) bool { return e.isBefore(a, x, lane) }), &m)
		return
	}
	v.reads = dropIf(v.reads, superseded)
	v.writes = e.appendRecent(v.writes, &m)
}

// strongBy returns what a history holds of a strong access by a lane.
func strongBy(a *Access, lane int) (m StrongAccess) {
	m.Unit, m.At, m.Value, m.Class, m.Lane = a.Unit, a.At, a.Event.New[lane], a.Index, uint8(lane) // assigned as in set
	m.Valued = a.Event.Valued && !a.Event.Wide && a.Scalar == a.Size
	return m
}

// dropIf drops the accesses for which gone returns true. It copies none unless it has dropped one before.
func dropIf(list []StrongAccess, gone func(x *StrongAccess) bool) []StrongAccess {
	kept := 0
	for i := range list {
		if gone(&list[i]) {
			continue
		}
		if kept < i {
			list[kept] = list[i]
		}
		kept++
	}
	return list[:kept]
}

// observedWrites is the times of the recent writes that reads before an access may have observed, found when it is
// asked twice.
type observedWrites struct {
	accesses.Span
	asked, found bool
}

// has reports whether reads before an access of lane may have observed a recent write of a time.
func (o *observedWrites) has(a *Access, v *History, at stamp, lane int) bool {
	if !o.asked {
		o.asked = true
		return true
	}
	if !o.found {
		oldest := at // the writes before it in the list, which have been compared, may have been dropped
		for i := range v.writes {
			oldest = min(oldest, v.writes[i].At)
		}
		o.Span, o.found = a.By.ObservedSpan(oldest, 1<<lane, a.Event.Addr[lane]), true
	}
	return o.Has(at)
}

// isOnlyOf reports whether there is at most one access of each kind, all by thread t.
func (v *History) isOnlyOf(t thread) bool {
	return len(v.writes) <= 1 && len(v.reads) <= 1 && (len(v.writes) == 0 || v.writes[0].isBy(t)) &&
		(len(v.reads) == 0 || v.reads[0].isBy(t))
}

// replaceOwn records another access by the only thread, whose earlier accesses are ordered before it.
func (v *History) replaceOwn(a *Access, m *StrongAccess) {
	if v.reads = v.reads[:0]; a.Writes() {
		v.writes = appendAccess(v.writes[:0], m)
	} else {
		v.reads = appendAccess(v.reads, m)
	}
}

// Warns reports whether warnings are possible: SetDecisions has been called, and it is not forgotten which locations
// threads synchronise through.
func (e *Evidence) Warns() bool { return e.Decisions != nil && !e.Forgetful }

// ShowsSynchronisation reports whether an access shows that threads synchronise through its location: it is a
// compare-and-swap, an acquire or release, a read that does nothing but decide a branch, or one whose value the thread
// waits for.
func (e *Evidence) ShowsSynchronisation(a *accesses.Class, ev *abi.Event) bool {
	return ev.Atomic == abi.AtomicCAS || a.Sem.Acquires() || a.Sem.Releases() || a.Sem <= abi.SemWeak ||
		a.Kind != abi.AccessStore && e.IsDecision(a.Site)
}

// IsDecision reports whether a read at a site does nothing but decide a branch, or reads what the thread waits for.
func (e *Evidence) IsDecision(site uint32) bool { return e.Decisions.Has(site) || e.Awaited.Has(site) }

// DropAccesses drops the accesses of a history, and keeps their memory for others.
func (v *History) DropAccesses() { v.writes, v.reads = v.writes[:0], v.reads[:0] }

// AddWrite adds a write to those of a history.
func (e *Evidence) AddWrite(v *History, m *StrongAccess) {
	v.writes = e.appendRecent(v.writes, m)
}

// FreeHistory takes back a history. One that has had warnings may still be listed with them.
func (e *Evidence) FreeHistory(v *History) {
	v.DropAccesses()
	e.bytes.Sub(v.size())
	if v.order == 0 {
		e.freeHistories = append(e.freeHistories, v)
	} else {
		v.writes, v.reads = nil, nil
	}
}

// size returns the size in bytes of a history with its accesses.
func (v *History) size() uintptr {
	return unsafe.Sizeof(*v) + unsafe.Sizeof(StrongAccess{})*uintptr(max(cap(v.writes), 1)-1+max(cap(v.reads), 1)-1)
}

// appendRecent appends an access to a list, and drops the oldest one if the list is full.
func (e *Evidence) appendRecent(list []StrongAccess, m *StrongAccess) []StrongAccess {
	if len(list) == maxStrongAccesses {
		list = slices.Delete(list, 0, 1)
	}
	if len(list) == cap(list) {
		e.bytes.Add(unsafe.Sizeof(*m) * uintptr(max(len(list), 1)))
	}
	return appendAccess(list, m)
}

// appendAccess appends an access to a list.
func appendAccess(list []StrongAccess, m *StrongAccess) []StrongAccess {
	n := len(list)
	if n == cap(list) {
		return append(list, *m)
	}
	list = list[:n+1]
	list[n].set(m)
	return list
}

// supersedes compares access m with the earlier access x and reports whether m subsumes it. observed is about
// the writes that reads before m have observed.
func (e *Evidence) supersedes(a *Access, v *History, x, m *StrongAccess, observed *observedWrites) bool {
	switch y := e.classes.At(x.Class); {
	case e.isBefore(a, x, int(m.Lane)):
		return a.Writes()
	case (y.Reach != accesses.ReachAll || a.Reach != accesses.ReachAll) &&
		!accesses.Mutual(y.Reach, e.PlaceOf(x.Unit), a.Reach, a.Place):
		return false // a race
	case y.Kind == abi.AccessRMW && a.Kind == abi.AccessRMW:
		return true // atomic operations on the same value
	case y.Writes() && a.Writes() && x.Valued && m.Valued && x.Value == m.Value:
		return false // the value is the same in either order
	case y.Writes() && observed.has(a, v, x.At, int(m.Lane)) &&
		a.By.Observed(thread{Unit: x.Unit, Lane: x.Lane}, x.At, int(m.Lane), a.Event.Addr[m.Lane]):
		return false
	}
	if !a.Told {
		e.addWarning(a.Memory, v, a.Event.Addr[m.Lane], x, m)
	}
	if a.Older && a.Returned < x.At {
		e.AddStale(a.Event.Addr[m.Lane], x, m)
	}
	return false
}

// isBefore reports whether strong access x is ordered before an access of lane.
func (e *Evidence) isBefore(a *Access, x *StrongAccess, lane int) bool {
	if x.Unit == a.Unit && int(x.Lane) == lane {
		return true
	}
	c := a.By.Clock(lane)
	return c != nil && c.IncludesEager(x.Unit, int(x.Lane), x.At)
}

// NewHistory returns an empty history.
func (e *Evidence) NewHistory() (v *History) {
	if n := len(e.freeHistories); n > 0 {
		v, e.freeHistories = e.freeHistories[n-1], e.freeHistories[:n-1]
	} else {
		if len(e.historySlab) == 0 {
			e.historySlab = make([]History, 32)
		}
		v, e.historySlab = &e.historySlab[0], e.historySlab[1:]
		v.writes, v.reads = v.first[:0:1], v.first[1:1:2]
	}
	e.bytes.Add(v.size())
	return v
}
