// Regions: memory whose accesses may be deferred.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Deferred accesses. Most memory is only read in a launch, or only counted in by relaxed
// atomic operations. Accesses of such memory race with none of it, and learn nothing
// that the next one would depend on: they are noted in a journal and looked at when
// something else comes, which is usually never. What they amount to does not depend on
// when that is:
//
//   - A weak read changes nothing but the histories of what it reads. As long as nothing
//     has written there, it races with nothing, and its entry is made of what the journal
//     has: the time, the instruction, the lanes and their addresses.
//   - A relaxed atomic operation that reaches everybody, of lanes that have executed no
//     fence, is morally strong with others like it and releases nothing. Among themselves
//     they make entries, and sightings of each other, in the order of the journal. Nobody
//     asks for sightings but who accesses the same place, and for messages but who
//     describes a race, for which all these journals are read first (evidence.describe).
//   - A weak store to words that nobody else accesses races with nothing either (region_stores.go).
//
// The memory of which that is said is a window of addresses: the emulator, and a device,
// begin each allocation in one of its own, so that as a rule it is an allocation. Were
// it not, less would be deferred, and nothing would be lost.

// windowBits is the binary logarithm of the size of a window.
const windowBits = 32

// mode is what all accesses of a region have in common.
type mode uint8

const (
	untouched mode = iota
	reading        // they are weak reads
	storing        // they are weak stores, each to words that nobody else accesses
	counting       // they are relaxed atomic operations of one size that reach everybody, or all who access the word
	settled        // nothing: they are in the histories of the shadow
)

// region is memory whose accesses may be deferred.
type region struct {
	mode   mode
	window uint64 // what its addresses begin with, unless it is untouched
	memory *shadow
	open   bool   // it is in regions.open
	size   uint32 // of the atomic operations
	// Of shared memory: something but reads and atomic operations has come since it is
	// settled, and in an earlier generation after some of those, so that there is no use in a journal.
	written, mixes bool
	looked         bool         // at what was in its journal
	owners         *owners      // of the words of a counting region; nil when all accesses reach everybody
	stored         *storedWords // of a storing region
	journal
}

// journalShare is the part of the memory that journals may take: 1 of so many.
const journalShare = 64

// regions are those of global memory, and all that have something in their journals.
type regions struct {
	at     map[uint64]*region
	recent [8]*region // by the low bits of the window
	open   []*region
	bytes  uintptr // of all journals
	limit  uintptr
	counts bool // atomic operations have been noted in some since all were read
}

// of is the region of global memory that is a window.
func (r *regions) of(window uint64, memory *shadow) *region {
	x := &r.recent[window%uint64(len(r.recent))]
	if *x != nil && (*x).window == window {
		return *x
	}
	if *x = r.at[window]; *x == nil {
		*x = &region{window: window, memory: memory}
		r.at[window] = *x
	}
	return *x
}

// tryDefer notes an access in a journal, if all that has happened in its region allows it;
// otherwise what it accesses is settled afterwards.
func (d *Detector) tryDefer(a *access, s *shadow) bool {
	at := addresses{each: &a.ev.Addr}
	window, one := at.window(a.ev.Mask, a.ev.Mask&^(a.ev.Next|a.ev.Same), uint64(a.size))
	if !one {
		d.settleAll(a, s)
		return false
	}
	r := d.regionOf(s, window)
	if r.mode == settled {
		s.phase.written = s.phase.written || a.writes()
		return false
	}
	m := d.modeOf(a, r)
	if m == settled || r.mode != m && r.mode != untouched || r.window != window || !d.admits(r, a, m, &at) {
		r.mixes = r.mixes || r.taken > 0
		d.settle(r)
		return false
	}
	r.mode, r.size = m, a.size
	d.regions.counts = d.regions.counts || m == counting
	ev, w, lane := a.ev, a.warp, bits.TrailingZeros32(a.ev.Mask)
	d.note(r, &record{
		unit: a.unit, mask: ev.Mask, next: ev.Next & ev.Mask, same: ev.Same & ev.Mask, wrote: ev.Wrote, access: ev.Access, atomic: ev.Atomic, reduces: ev.Reduces,
		changes: ev.Valued && ev.Old[lane] != ev.New[lane],
		at:      a.at, class: a.index, event: d.events, times: 1,
	}, &at, w.clock)
	return true
}

// admits reports whether an access of a mode may be deferred in a region as far as the words are concerned that it is to.
func (d *Detector) admits(r *region, a *access, m mode, at *addresses) bool {
	switch m {
	case storing:
		return d.claimWords(r, a.size, a.ev.Mask, at)
	case counting:
		return (r.mode != m || r.size == a.size) && d.claim(r, a.accessClass, uint32(a.unit>>radixBits), a.ev.Mask, a.ev.Next, at)
	}
	return true
}

// note adds a record to a region's journal, by a warp that knows so much.
func (d *Detector) note(r *region, x *record, at *addresses, knows *clock) {
	if !r.open {
		r.open, d.regions.open = true, append(d.regions.open, r)
	}
	before := r.taken
	r.add(d, x, at, knows)
	d.uses(r.taken - before)
	if d.regions.bytes += r.taken - before; d.regions.bytes > d.regions.limit {
		d.makeRoom()
	}
}

// journalGrowth is how many times the memory for journals may grow before one is looked at.
const journalGrowth = 16

// makeRoom makes room in the journals when they are full: it drops what need not be kept. If that
// is little it lets them grow, and in the end looks at the largest.
func (d *Detector) makeRoom() {
	r := &d.regions
	largest := r.open[0]
	for _, x := range r.open {
		d.compact(x)
		if x.taken > largest.taken {
			largest = x
		}
	}
	switch {
	case 2*r.bytes <= r.limit:
	case r.limit < journalGrowth*d.journals:
		r.limit *= 2
	default:
		d.readJournal(largest)
	}
}

// regionOf is the region of a window of memory, or of all of the memory if that is shared.
func (d *Detector) regionOf(s *shadow, window uint64) *region {
	if s == d.global {
		return d.regions.of(window, s)
	}
	r := &s.phase
	if r.mode == untouched {
		r.window, r.memory = window, s
	}
	return r
}

// settleAll settles what the lanes of an access are to.
func (d *Detector) settleAll(a *access, s *shadow) {
	if s != d.global {
		d.settle(&s.phase)
		return
	}
	for m := a.ev.Mask; m != 0; m &= m - 1 {
		at := a.ev.Addr[bits.TrailingZeros32(m)]
		d.settle(d.regions.of(at>>windowBits, d.global))
		d.settle(d.regions.of((at+uint64(a.size)-1)>>windowBits, d.global))
	}
}

// modeOf is what a region may have seen nothing but for an access to be deferred.
func (d *Detector) modeOf(a *access, r *region) mode {
	ev, w := a.ev, a.warp
	switch {
	case ev.Async != abi.Synchronous, d.journals == 0:
	case d.model.lockSets && (!d.lockSets.none() || ev.Atomic != abi.AtomicOther):
	case a.kind == abi.AccessLoad && !a.strong:
		return reading
	case a.storesWords() && r.memory == d.global && !d.model.lockSets && (r.mode == storing || isScattered(ev.Mask, ev.Next|ev.Same)):
		return storing
	case ev.Access == abi.AccessRMW && ev.Valued && d.mayCount(a.accessClass) && w.apart == 0 && !w.fenced(ev.Mask):
		return counting
	}
	return settled
}

// mayCount reports whether an atomic operation may be deferred, if its lanes have not fenced.
func (d *Detector) mayCount(x *accessClass) bool {
	return x.sem == abi.SemRelaxed && x.size <= 8 && d.counts(x)
}

// fenced reports whether a lane in mask has executed a fence, or has passed a barrier
// after one of another thread.
func (w *warp) fenced(mask uint32) bool {
	if w.pending == nil {
		return false
	}
	for mask != 0 {
		p, same := w.alike(mask)
		if p.fences != nil || p.passes != nil {
			return true
		}
		mask &^= same
	}
	return false
}

// settle makes histories of what is in a region's journal, and of what will come.
func (d *Detector) settle(r *region) {
	if r.mode != settled {
		d.readJournal(r)
		r.mode, r.owners, r.stored = settled, nil, nil
	}
}

// readJournals reads the journals of all regions in a mode, in all modes for 0.
func (d *Detector) readJournals(only mode) {
	d.regions.open = slices.DeleteFunc(d.regions.open, func(r *region) bool {
		if only != 0 && r.mode != only {
			return false
		}
		d.readJournal(r)
		r.open = false
		return true
	})
}

// replay is an access that is made again, from a journal.
type replay struct {
	event  abi.Event
	warp   warp
	access access
}

// readJournal makes histories of what is in a region's journal, and empties it.
func (d *Detector) readJournal(r *region) {
	r.looked = r.looked || r.taken > 0
	now, events := d.now, d.events
	p := d.replay
	if d.replay = nil; p == nil { // or a journal is read because of what was found in another one
		p = new(replay)
	}
	p.event, p.warp = abi.Event{}, warp{}
	w, a := &p.warp, &p.access
	for _, c := range r.chunks {
		for i := range c.n {
			x := &c.records[i]
			w.unit, w.at = x.unit, d.placeOf(x.unit)
			if r.mode == counting {
				w.clock = c.clocks[x.clock]
			}
			a.begin(d, w, x.unit, x.class)
			a.ev, a.at = &p.event, x.at
			for k := range x.times {
				c.fill(&p.event, x, a.accessClass, k, r.window)
				a.cachedUnit = ^unit(0)
				if d.now, d.events = now, x.event; a.writes() {
					d.now = x.at // a read may have the stamp of a write before it
				}
				d.perform(a, r.memory)
			}
		}
	}
	d.replay = p
	d.now, d.events = now, events
	d.evidence.edges.mixed = d.evidence.edges.mixed || r.mode == counting && r.taken > 0
	d.drop(r)
}

// drop forgets what is in a region's journal.
func (d *Detector) drop(r *region) {
	d.regions.bytes -= r.taken
	d.used -= uint64(r.taken)
	r.clear(d)
}
