// Warnings: conflicting strong accesses that nothing orders.

package precise

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Conflicting accesses that are morally strong are no data race of the model, but if they are unordered, the value read is not
// determined. That deserves a warning if the location holds data, and none if threads synchronise through it:
// docs/detectors/precise.md has the rule.

// scalar is the address and size of a strong operation.
type scalar struct {
	addr uint64
	size uint32
}

// strongHistory holds the recent strong accesses to a scalar, and the warnings about them.
type strongHistory struct {
	writes, reads []strongAccess
	warnings      []warning
	order         uint64          // number of the scalar among those that have had warnings, by its first one, from 1 on; 0 for none
	first         [2]strongAccess // backing arrays of writes and reads
}

// strongAccess is one strong access.
type strongAccess struct {
	unit   unit
	at     stamp
	value  uint64 // value written
	class  uint32
	lane   uint8
	valued bool // value is known
}

func (x *strongAccess) isBy(t thread) bool { return x.unit == t.Unit && x.lane == t.Lane }

// set makes x equal to m, which has just been written. It assigns field by field: assigning the whole struct loads several fields
// at once, which stalls until they have been stored.
func (x *strongAccess) set(m *strongAccess) {
	x.unit, x.at, x.value, x.class, x.lane, x.valued = m.unit, m.at, m.value, m.class, m.lane, m.valued
}

const maxStrongAccesses = 8 // of each kind, to one scalar

// siteSet is a set of sites; nil if the caller has set none.
type siteSet []bool

func newSiteSet(sites map[uint32]bool) siteSet {
	set := siteSet{}
	for s, is := range sites {
		if is {
			set = append(set, make([]bool, max(0, int(s)+1-len(set)))...)
			set[s] = true
		}
	}
	return set
}

func (s siteSet) has(site uint32) bool { return int(site) < len(s) && s[site] }

// recordStrong records a strong access by one lane, or reads by several lanes that readersTogether has grouped, to a location
// through which no threads have synchronised so far. It adds warnings about earlier accesses that are not ordered with it.
func (e *evidence) recordStrong(a *access, loc *location, lanes uint32) {
	if e.showsSynchronisation(a) {
		loc.setSynchronises()
		return
	}
	if loc.history == nil {
		if a.ev.Access == abi.AccessRMW {
			return // the location has the latest access
		}
		loc.history = e.newStrongHistory()
		if e.class(loc.lastClass).kind == abi.AccessRMW && loc.writer != (thread{}) {
			loc.history.writes = e.appendRecent(loc.history.writes, &strongAccess{unit: loc.writer.Unit, lane: loc.writer.Lane, at: loc.last, class: loc.lastClass})
		}
	}
	if !a.writes() {
		e.recordReads(a, loc.history, lanes)
		return
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		e.recordStrongBy(a, loc.history, bits.TrailingZeros32(lanes))
	}
}

// recordStrongBy records a strong access by one lane in a history.
func (e *evidence) recordStrongBy(a *access, v *strongHistory, lane int) {
	m := strongBy(a, lane)
	if v.isOnlyOf(thread{Unit: m.unit, Lane: m.lane}) {
		v.replaceOwn(a, &m)
		return
	}
	var observed observedWrites
	superseded := func(x *strongAccess) bool { return e.supersedes(a, v, x, &m, &observed) }
	v.writes = dropIf(v.writes, superseded)
	if !a.writes() {
		v.reads = e.appendRecent(dropIf(v.reads, func(x *strongAccess) bool { return e.isBefore(a, x, lane) }), &m)
		return
	}
	v.reads = dropIf(v.reads, superseded)
	v.writes = e.appendRecent(v.writes, &m)
}

// strongBy returns what a history holds of a strong access by a lane.
func strongBy(a *access, lane int) (m strongAccess) {
	m.unit, m.at, m.value, m.class, m.lane = a.warp.unit, a.at, a.ev.New[lane], a.index, uint8(lane) // assigned as in set
	m.valued = a.ev.Valued && !a.ev.Wide && a.scalar == a.size
	return m
}

// dropIf drops the accesses for which gone returns true. It copies none unless it has dropped one before.
func dropIf(list []strongAccess, gone func(x *strongAccess) bool) []strongAccess {
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

// observedWrites is the times of the recent writes that reads before an access may have observed, found when it is asked twice.
type observedWrites struct {
	span
	asked, found bool
}

// has reports whether reads before an access of lane may have observed a recent write of a time.
func (o *observedWrites) has(e *evidence, a *access, v *strongHistory, at stamp, lane int) bool {
	if !o.asked {
		o.asked = true
		return true
	}
	if !o.found {
		oldest := at // the writes before it in the list, which have been compared, may have been dropped
		for i := range v.writes {
			oldest = min(oldest, v.writes[i].at)
		}
		o.span, o.found = e.observedSpan(a, oldest, 1<<lane, a.ev.Addr[lane]), true
	}
	return o.span.has(at)
}

// isOnlyOf reports whether there is at most one access of each kind, all by thread t.
func (v *strongHistory) isOnlyOf(t thread) bool {
	return len(v.writes) <= 1 && len(v.reads) <= 1 && (len(v.writes) == 0 || v.writes[0].isBy(t)) && (len(v.reads) == 0 || v.reads[0].isBy(t))
}

// replaceOwn records another access by the only thread, whose earlier accesses are ordered before it.
func (v *strongHistory) replaceOwn(a *access, m *strongAccess) {
	if v.reads = v.reads[:0]; a.writes() {
		v.writes = appendAccess(v.writes[:0], m)
	} else {
		v.reads = appendAccess(v.reads, m)
	}
}

// setSynchronises records that threads synchronise through a location.
func (loc *location) setSynchronises() {
	loc.synchronises = true
	if loc.history != nil {
		loc.history.warnings, loc.history = nil, nil
	}
}

// warns reports whether warnings are possible: SetDecisions has been called, and it is not forgotten which locations threads
// synchronise through.
func (e *evidence) warns() bool { return e.decisions != nil && !e.forgetful }

// showsSynchronisation reports whether an access shows that threads synchronise through its location: it is a compare-and-swap,
// an acquire or release, a read that does nothing but decide a branch, or one whose value the thread waits for.
func (e *evidence) showsSynchronisation(a *access) bool {
	return a.ev.Atomic == abi.AtomicCAS || a.sem.Acquires() || a.sem.Releases() || a.sem <= abi.SemWeak || a.kind != abi.AccessStore && e.isDecision(a.site)
}

// isDecision reports whether a read at a site does nothing but decide a branch, or reads what the thread waits for.
func (e *evidence) isDecision(site uint32) bool { return e.decisions.has(site) || e.wanted.has(site) }

// dropAccesses drops the accesses of a history, and keeps their memory for others.
func (v *strongHistory) dropAccesses() { v.writes, v.reads = v.writes[:0], v.reads[:0] }

// freeHistory takes back a history. One that has had warnings may still be listed with them.
func (e *evidence) freeHistory(v *strongHistory) {
	v.dropAccesses()
	e.unuses(v.size())
	if v.order == 0 {
		e.freeHistories = append(e.freeHistories, v)
	} else {
		v.writes, v.reads = nil, nil
	}
}

// size returns the size in bytes of a history with its accesses.
func (v *strongHistory) size() uintptr {
	return unsafe.Sizeof(*v) + unsafe.Sizeof(strongAccess{})*uintptr(max(cap(v.writes), 1)-1+max(cap(v.reads), 1)-1)
}

// appendRecent appends an access to a list, and drops the oldest one if the list is full.
func (e *evidence) appendRecent(list []strongAccess, m *strongAccess) []strongAccess {
	if len(list) == maxStrongAccesses {
		list = slices.Delete(list, 0, 1)
	}
	if len(list) == cap(list) {
		e.uses(unsafe.Sizeof(*m) * uintptr(max(len(list), 1)))
	}
	return appendAccess(list, m)
}

// appendAccess appends an access to a list.
func appendAccess(list []strongAccess, m *strongAccess) []strongAccess {
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
func (e *evidence) supersedes(a *access, v *strongHistory, x, m *strongAccess, observed *observedWrites) bool {
	switch y := e.class(x.class); {
	case e.isBefore(a, x, int(m.lane)):
		return a.writes()
	case (y.reach != reachAll || a.reach != reachAll) && !e.mutual(y.reach, e.placeOf(x.unit), a.reach, a.warp.at):
		return false // a race
	case y.kind == abi.AccessRMW && a.kind == abi.AccessRMW:
		return true // atomic operations on the same value
	case y.writes() && a.writes() && x.valued && m.valued && x.value == m.value:
		return false // the value is the same in either order
	case y.writes() && observed.has(e, a, v, x.at, int(m.lane)) && e.observedBefore(a, &entry{unit: x.unit, at: x.at}, int(x.lane), int(m.lane), a.ev.Addr[m.lane]):
		return false
	}
	e.addWarning(a, v, a.ev.Addr[m.lane], x, m)
	return false
}

// isBefore reports whether strong access x is ordered before an access of lane.
func (e *evidence) isBefore(a *access, x *strongAccess, lane int) bool {
	if x.unit == a.warp.unit && int(x.lane) == lane {
		return true
	}
	c := a.warp.of(lane)
	return c != nil && c.IncludesEager(x.unit, int(x.lane), x.at)
}

// newStrongHistory returns an empty history.
func (e *evidence) newStrongHistory() (v *strongHistory) {
	if n := len(e.freeHistories); n > 0 {
		v, e.freeHistories = e.freeHistories[n-1], e.freeHistories[:n-1]
	} else {
		if len(e.historySlab) == 0 {
			e.historySlab = make([]strongHistory, 32)
		}
		v, e.historySlab = &e.historySlab[0], e.historySlab[1:]
		v.writes, v.reads = v.first[:0:1], v.first[1:1:2]
	}
	e.uses(v.size())
	return v
}
