// Regions: memory whose accesses may be deferred.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Deferred accesses. Most memory is only read in a launch, or only updated by relaxed atomic operations on counters.
// Such accesses do not race with each other, and no later access of the memory depends on them for its clock. They are
// recorded in a journal, which is replayed when an access of another kind comes: usually never. The result of a replay
// does not depend on when it is done:
//
//   - A weak read changes only the histories of the bytes it reads. As long as nothing has been written there, it races with
//     nothing, and the journal has all that its entry needs: the time, the instruction, the lanes and their addresses.
//   - A relaxed atomic operation whose scope includes all threads, by lanes that have executed no fence, is morally strong with
//     others like it and releases nothing. A replay makes entries, and observations of each other, in the order of the journal.
//     Observations are needed only by an access of the same location, and messages only to describe a race, which replays all these
//     journals first (package evidence).
//   - A weak store to elements that no other thread accesses races with nothing either (region_modes.go).
//
// A region is one window of addresses. The emulator and devices begin each allocation in a window of its own, so that a
// region usually is one allocation. If it were not, fewer accesses would be deferred, and the results would be the
// same.

// mode is the kind of access that a region's journal holds.
type mode uint8

const (
	untouched mode = iota
	reading        // weak reads
	storing        // weak stores, each to elements that no other thread accesses
	counting       // relaxed atomic operations of one size, whose scope includes all threads, or all that access the word
	settled        // no journal: accesses are in the histories of the shadow
)

// region is memory whose accesses may be deferred.
type region struct {
	mode   mode
	window uint64 // upper bits of its addresses, unless it is untouched
	memory *shadow
	place  int    // one more than its index in regions.open; 0 if it is not there
	size   uint32 // of the atomic operations, in bytes
	// For shared memory. written: an access other than a read or an atomic operation has come since the region was
	// settled. mixes: such an access came after deferred ones in an earlier generation, so a journal is of no use.
	written, mixes bool
	looked         bool                     // its journal has been examined
	owners         *deferred.Owners         // of the words of a counting region; nil if the scope of all accesses includes all threads
	stored         *deferred.StoredElements // for a storing region
	deferred.Journal
}

// journalShare is the inverse of the share of memory that journals may take.
const journalShare = 64

// regions holds the regions of global memory, and all regions with a journal in use.
type regions struct {
	at     map[uint64]*region
	recent [8]*region // by the low bits of the window
	open   []*region
	bytes  uintptr // of all journals
	limit  uintptr
	counts bool // atomic operations have been deferred since all journals were replayed
}

// of returns the region of a window of global memory.
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

// remove removes a region when the allocation in its window is freed. The region's journal must be empty.
func (r *regions) remove(x *region) {
	delete(r.at, x.window)
	if recent := &r.recent[x.window%uint64(len(r.recent))]; *recent == x {
		*recent = nil
	}
	if x.place == 0 {
		return
	}
	last := len(r.open) - 1
	moved := r.open[last]
	r.open[x.place-1], moved.place = moved, x.place
	r.open[last] = nil
	r.open, x.place = r.open[:last], 0
}

// tryDefer appends an access to the journal of its region, if the earlier accesses of the region allow it. Otherwise it
// settles the regions that the access touches.
func (d *Detector) tryDefer(a *access, s *shadow) bool {
	at := deferred.Addresses{Each: &a.ev.Addr}
	window, one := at.Window(a.ev.Mask, a.ev.Mask&^(a.ev.Next|a.ev.Same), uint64(a.Size))
	if !one || a.ev.Ages != nil {
		d.settleAll(a, s)
		return false
	}
	r := d.regionOf(s, window)
	if r.mode == settled {
		s.phase.written = s.phase.written || a.Writes()
		return false
	}
	m := d.modeOf(a, r)
	if m == settled || r.mode != m && r.mode != untouched || r.window != window || !d.admits(r, a, m, &at) {
		r.mixes = r.mixes || r.Taken > 0
		d.settle(r)
		return false
	}
	r.mode, r.size = m, a.Size
	d.regions.counts = d.regions.counts || m == counting
	ev, w, lane := a.ev, a.warp, bits.TrailingZeros32(a.ev.Mask)
	d.note(r, &deferred.Record{
		Unit: a.unit, Mask: ev.Mask, Next: ev.Next & ev.Mask, Same: ev.Same & ev.Mask, Wrote: ev.Wrote,
		Access: ev.Access, Atomic: ev.Atomic, Reduces: ev.Reduces,
		Changes: ev.Valued && ev.Old[lane] != ev.New[lane],
		At:      a.at, Class: a.index, Event: d.events, Times: 1,
	}, &at, w.clock)
	return true
}

// admits reports whether the elements that an access touches allow it to be deferred in mode m.
func (d *Detector) admits(r *region, a *access, m mode, at *deferred.Addresses) bool {
	switch m {
	case storing:
		return d.claimElements(r, a.Size, a.ev.Mask, at)
	case counting:
		return (r.mode != m || r.size == a.Size) && d.claim(r, a.Class, uint32(a.unit>>radixBits), a.ev.Mask, a.ev.Next,
			at)
	}
	return true
}

// note adds a record to a region's journal; current is the warp's clock.
func (d *Detector) note(r *region, x *deferred.Record, at *deferred.Addresses, current *clock) {
	if r.place == 0 {
		d.regions.open = append(d.regions.open, r)
		r.place = len(d.regions.open)
	}
	before := r.Taken
	r.Add(&d.chunks, x, at, current)
	d.uses(r.Taken - before)
	if d.regions.bytes += r.Taken - before; d.regions.bytes > d.regions.limit {
		d.makeRoom()
	}
}

// journalGrowth is how often the limit for journals may be raised before one is replayed.
const journalGrowth = 16

// makeRoom makes room when the journals are full: it compacts them. If that frees little, it raises the limit, and in
// the end replays the largest.
func (d *Detector) makeRoom() {
	r := &d.regions
	largest := r.open[0]
	for _, x := range r.open {
		d.compact(x)
		if x.Taken > largest.Taken {
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

// compact drops the atomic operations in a region's journal that others subsume. Under weak memory none is: a later
// read may return the value of any.
func (d *Detector) compact(r *region) {
	if d.launch.Weak || r.mode != counting || r.memory != d.global || d.grids != 1 || d.model.fencesOrder {
		return
	}
	before := r.Taken
	r.Compact(&d.chunks, r.size, d.isOver)
	d.regions.bytes += r.Taken - before
	d.used += uint64(r.Taken) - uint64(before)
}

// isOver reports whether a record is a plain atomic operation of a block that has ended and has released nothing.
func (d *Detector) isOver(x *deferred.Record) bool {
	p := d.placeOf(x.Unit)
	return p.home == nil && !p.mayRelease && x.Wrote&x.Mask == x.Mask && x.Atomic == abi.AtomicOther
}

// regionOf returns the region of a window of global memory, or that of all of a shared memory.
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

// settleAll settles the regions that the lanes of an access touch.
func (d *Detector) settleAll(a *access, s *shadow) {
	if s != d.global {
		d.settle(&s.phase)
		return
	}
	for m := a.ev.Mask; m != 0; m &= m - 1 {
		at := a.ev.Addr[bits.TrailingZeros32(m)]
		d.settle(d.regions.of(at>>deferred.WindowBits, d.global))
		d.settle(d.regions.of((at+uint64(a.Size)-1)>>deferred.WindowBits, d.global))
	}
}

// modeOf returns the mode in which a region may defer an access, settled for none.
func (d *Detector) modeOf(a *access, r *region) mode {
	ev, w := a.ev, a.warp
	switch {
	case ev.Async != abi.Synchronous, d.journals == 0, !d.tuning.takes(journals):
	case d.model.lockSets && (!d.lockSets.none() || ev.Atomic != abi.AtomicOther):
	case a.Kind == abi.AccessLoad && !a.Strong:
		return reading
	case storesElements(a.Class) && r.memory == d.global && !d.model.lockSets &&
		(r.mode == storing || isScattered(ev.Mask, ev.Next|ev.Same)):
		return storing
	case ev.Access == abi.AccessRMW && ev.Valued && d.mayCount(a.Class) && w.apart == 0 && !w.fenced(ev.Mask):
		return counting
	}
	return settled
}

// mayCount reports whether an atomic operation may be deferred, provided that its lanes have executed no fence.
func (d *Detector) mayCount(x *accesses.Class) bool {
	return x.Sem == abi.SemRelaxed && x.Size <= 8 && d.counts(x)
}

// fenced reports whether a lane in mask has executed a fence, or has passed a barrier after another thread's fence.
func (w *warp) fenced(mask uint32) bool {
	if w.pending == nil {
		return false
	}
	for mask != 0 {
		p, same := w.samePending(mask)
		if p.fences != nil || p.passes != nil {
			return true
		}
		mask &^= same
	}
	return false
}

// settle replays a region's journal into histories, and defers no more accesses of the region.
func (d *Detector) settle(r *region) {
	if r.mode != settled {
		d.readJournal(r)
		d.dropElements(r)
		r.mode = settled
	}
}

// dropElements drops what is known of the words of a region, which is not needed when nothing more is deferred.
func (d *Detector) dropElements(r *region) {
	if r.owners != nil {
		d.unuses(r.owners.Bytes())
	}
	if r.stored != nil {
		d.unuses(r.stored.Bytes())
	}
	r.owners, r.stored = nil, nil
}

// readCounters replays the journals of all regions that have atomic operations.
func (d *Detector) readCounters() {
	d.regions.open = slices.DeleteFunc(d.regions.open, func(r *region) bool {
		if r.mode != counting {
			return false
		}
		d.readJournal(r)
		r.place = 0
		return true
	})
	for i, r := range d.regions.open {
		r.place = i + 1
	}
}

// drop empties a region's journal without a replay.
func (d *Detector) drop(r *region) {
	d.regions.bytes -= r.Taken
	d.used -= uint64(r.Taken)
	r.Clear(&d.chunks)
}
