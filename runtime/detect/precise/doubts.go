package precise

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Doubts are conflicting accesses in no order that are morally strong: the model calls
// them no race, but what is read is open. They are worth a warning where the location
// holds data, and none where threads synchronise by it: docs/detectors/precise.md has
// the rule.

// scalar is where a strong operation is.
type scalar struct {
	addr uint64
	size uint32
}

// watched is a scalar that is accessed strongly.
type watched struct {
	writes, reads []mark
	doubts        []*finding
	first         [2]mark // space of the first write and read
}

// mark is a strong access.
type mark struct {
	thread
	at     stamp
	what   uint32
	value  uint64 // that is written
	valued bool   // and known
}

// Limits of what is kept of one scalar.
const (
	maxMarks  = 8
	maxDoubts = 4
)

// SetDecisions names the sites of strong reads and atomic operations whose values do nothing
// but decide which way threads go, as those of flags and locks do, and of weak reads that
// poll. Without them there are no warnings.
func (d *Detector) SetDecisions(sites map[uint32]bool) {
	d.decisions = newSiteSet(sites)
}

// SetGuesses names the sites of weak reads that only guess what a compare-and-swap of the same
// thread will find: what they lack is strength and not order.
func (d *Detector) SetGuesses(sites map[uint32]bool) { d.guesses = newSiteSet(sites) }

// siteSet is a set of sites; nil when nobody has said what is in it.
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

// watch notes a strong access to a scalar by which nobody has synchronised so far, and what
// is doubtful about it. It returns the location, which is made when loc is nil.
func (d *Detector) watch(a *access, s *shadow, l *line, loc *location, addr uint64, lane int) *location {
	if loc == nil {
		loc = l.location(d, s, addr, uint64(a.scalar))
	}
	if d.signals(a) {
		loc.signal()
		return loc
	}
	if loc.watched == nil {
		if a.ev.Access == abi.AccessRMW {
			return loc // the location knows the latest one
		}
		loc.watched = d.newWatched()
		if d.whats[loc.what].kind == abi.AccessRMW && loc.writer != (thread{}) {
			loc.watched.writes = d.keep(loc.watched.writes, mark{thread: loc.writer, at: loc.last, what: loc.what})
		}
	}
	v := loc.watched
	m := mark{thread: thread{a.warp.unit, uint8(lane)}, at: a.at, what: a.index, value: a.ev.New[lane], valued: a.ev.Valued && !a.ev.Wide && a.scalar == a.size}
	if v.isOnlyOf(m.thread) {
		v.again(a, &m)
		return loc
	}
	v.writes = slices.DeleteFunc(v.writes, func(x mark) bool { return d.follows(a, v, &x, &m) })
	if !a.writes() {
		v.reads = slices.DeleteFunc(v.reads, func(x mark) bool { return d.isBefore(a, &x, lane) })
		v.reads = d.keep(v.reads, m)
		return loc
	}
	v.reads = slices.DeleteFunc(v.reads, func(x mark) bool { return d.follows(a, v, &x, &m) })
	v.writes = d.keep(v.writes, m)
	return loc
}

// isOnlyOf reports whether there is at most one mark of each kind, and all are of a thread.
func (v *watched) isOnlyOf(t thread) bool {
	return len(v.writes) <= 1 && len(v.reads) <= 1 && (len(v.writes) == 0 || v.writes[0].thread == t) && (len(v.reads) == 0 || v.reads[0].thread == t)
}

// again is another access by the only thread: what it did before is ordered.
func (v *watched) again(a *access, m *mark) {
	if v.reads = v.reads[:0]; a.writes() {
		v.writes = append(v.writes[:0], *m)
	} else {
		v.reads = append(v.reads, *m)
	}
}

// signal notes that threads synchronise by a location.
func (loc *location) signal() {
	loc.signals = true
	if loc.watched != nil {
		loc.watched.doubts, loc.watched = nil, nil
	}
}

// signals reports whether an access shows that threads synchronise by its location: a
// compare-and-swap, an acquire or release, a read that decides something.
func (d *Detector) signals(a *access) bool {
	return a.ev.Atomic == abi.AtomicCAS || a.sem.Acquires() || a.sem.Releases() || a.sem <= abi.SemWeak || a.kind != abi.AccessStore && d.decisions.has(a.site)
}

// keep adds a mark to a list that stays short.
func (d *Detector) keep(list []mark, m mark) []mark {
	if len(list) == maxMarks {
		list = slices.Delete(list, 0, 1)
	}
	if len(list) == cap(list) {
		d.uses(unsafe.Sizeof(m) * uintptr(max(len(list), 1)))
	}
	return append(list, m)
}

// follows compares an access m with an earlier one and reports whether it stands for it
// from now on.
func (d *Detector) follows(a *access, v *watched, x, m *mark) bool {
	switch y := &d.whats[x.what]; {
	case d.isBefore(a, x, int(m.lane)):
		return a.writes()
	case !d.mutual(y.reach, d.placeOf(x.unit), a.reach, a.warp.at):
		return false // a race
	case y.kind == abi.AccessRMW && a.kind == abi.AccessRMW:
		return true // atomic with each other
	case y.writes() && a.writes() && x.valued && m.valued && x.value == m.value:
		return false // whoever is last
	case y.writes() && d.observedBefore(a, &entry{unit: x.unit, at: x.at}, int(x.lane), int(m.lane), a.ev.Addr[m.lane]):
		return false
	}
	d.doubt(v, &finding{
		first: x.what, second: m.what, firstUnit: x.unit, secondUnit: m.unit, firstLane: x.lane, secondLane: m.lane,
		at: a.ev.Addr[m.lane], since: x.at, warning: true,
	})
	return false
}

// isBefore reports whether a mark is ordered before an access of lane.
func (d *Detector) isBefore(a *access, x *mark, lane int) bool {
	if x.unit == a.warp.unit && int(x.lane) == lane {
		return true
	}
	c := a.warp.of(lane)
	return c != nil && c.known.At(x.unit, int(x.lane)) >= x.at
}

// doubt notes a doubtful pair of accesses to a scalar.
func (d *Detector) doubt(v *watched, f *finding) {
	d.describe(f)
	x, y := &d.whats[f.first], &d.whats[f.second]
	atomic := x.kind == abi.AccessRMW || y.kind == abi.AccessRMW
	if x.sem != abi.SemVolatile && y.sem != abi.SemVolatile && (atomic || !d.isTold(f)) {
		return // relaxed operations ask for no order
	}
	for _, known := range v.doubts {
		if d.keyOf(known) == d.keyOf(f) {
			known.count++
			return
		}
	}
	if len(v.doubts) == maxDoubts {
		return
	}
	if len(v.doubts) == 0 {
		d.doubtful = append(d.doubtful, v)
	}
	f.count = 1
	d.explain(f)
	v.doubts = append(v.doubts, f)
	d.uses(unsafe.Sizeof(*f))
}

// isTold reports whether a message goes from the first access to the second.
func (d *Detector) isTold(f *finding) bool {
	m := d.ask(f).message
	return m != nil && m.how == direct
}

// warn makes findings of the doubts about what turned out to be data.
func (d *Detector) warn() {
	for _, v := range d.doubtful {
		for _, f := range v.doubts { // none when threads synchronise by it
			d.found.enter(d, f)
		}
	}
}
