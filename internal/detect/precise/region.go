// Regions: memory whose accesses may be deferred.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// journalShare is the inverse of the share of memory that journals may take.
const journalShare = 64

// tryDefer appends an access to the journal of its region, if the earlier accesses of the region allow it. Otherwise it
// settles the regions that the access touches.
func (d *Detector) tryDefer(a *causality.Access, s *shadow.Memory) bool {
	at := deferred.Addresses{Each: &a.Ev.Addr}
	window, one := at.Window(a.Ev.Mask, a.Ev.Mask&^(a.Ev.Next|a.Ev.Same), uint64(a.Size))
	if !one || a.Ev.Ages != nil {
		d.settleAll(a, s)
		return false
	}
	r := d.regionOf(s, window)
	if r.Mode == shadow.Settled {
		s.Phase.Written = s.Phase.Written || a.Writes()
		return false
	}
	m := d.modeOf(a, r)
	if m == shadow.Settled || r.Mode != m && r.Mode != shadow.Untouched || r.Window != window || !d.admits(r, a, m, &at) {
		r.Mixes = r.Mixes || r.Taken > 0
		d.settle(r)
		return false
	}
	r.Mode, r.Size = m, a.Size
	d.Evidence.Deferred = d.Evidence.Deferred || m == shadow.Counting
	ev, w, lane := a.Ev, a.Warp, bits.TrailingZeros32(a.Ev.Mask)
	d.note(r, &deferred.Record{
		Unit: a.Unit, Mask: ev.Mask, Next: ev.Next & ev.Mask, Same: ev.Same & ev.Mask, Wrote: ev.Wrote,
		Access: ev.Access, Atomic: ev.Atomic, Reduces: ev.Reduces,
		Changes: ev.Valued && ev.Old[lane] != ev.New[lane],
		At:      a.At, Class: a.Index, Event: d.Events, Times: 1,
	}, &at, w.Clock)
	return true
}

// admits reports whether the elements that an access touches allow it to be deferred in mode m.
func (d *Detector) admits(r *shadow.Region, a *causality.Access, m shadow.Mode, at *deferred.Addresses) bool {
	switch m {
	case shadow.Storing:
		return d.claimElements(r, a.Size, a.Ev.Mask, at)
	case shadow.Counting:
		return (r.Mode != m || r.Size == a.Size) && d.claim(r, a.Class, uint32(a.Unit>>radixBits), a.Ev.Mask, a.Ev.Next,
			at)
	}
	return true
}

// note adds a record to a region's journal; current is the warp's clock.
func (d *Detector) note(r *shadow.Region, x *deferred.Record, at *deferred.Addresses, current *clock) {
	if r.Place == 0 {
		d.Regions.Open = append(d.Regions.Open, r)
		r.Place = len(d.Regions.Open)
	}
	before := r.Taken
	r.Add(&d.Chunks, x, at, current)
	d.Used.Add(r.Taken - before)
	if d.Regions.Bytes += r.Taken - before; d.Regions.Bytes > d.Regions.Limit {
		d.makeRoom()
	}
}

// journalGrowth is how often the limit for journals may be raised before one is replayed.
const journalGrowth = 16

// makeRoom makes room when the journals are full: it compacts them. If that frees little, it raises the limit, and in
// the end replays the largest.
func (d *Detector) makeRoom() {
	r := &d.Regions
	largest := r.Open[0]
	for _, x := range r.Open {
		d.compact(x)
		if x.Taken > largest.Taken {
			largest = x
		}
	}
	switch {
	case 2*r.Bytes <= r.Limit:
	case r.Limit < journalGrowth*d.Journals:
		r.Limit *= 2
	default:
		d.readJournal(largest)
	}
}

// compact drops the atomic operations in a region's journal that others subsume. Under weak memory none is: a later
// read may return the value of any.
func (d *Detector) compact(r *shadow.Region) {
	if d.Launch.Weak || r.Mode != shadow.Counting || r.Memory != d.Global || d.Grids != 1 || d.Model.FencesOrder {
		return
	}
	before := r.Taken
	r.Compact(&d.Chunks, r.Size, d.isOver)
	d.Regions.Bytes += r.Taken - before
	d.Used += accesses.Bytes(r.Taken) - accesses.Bytes(before)
}

// isOver reports whether a record is a plain atomic operation of a block that has ended and has released nothing.
func (d *Detector) isOver(x *deferred.Record) bool {
	p := d.PlaceOf(x.Unit)
	return p.Home == nil && !p.MayRelease && x.Wrote&x.Mask == x.Mask && x.Atomic == abi.AtomicOther
}

// regionOf returns the region of a window of global memory, or that of all of a shared memory.
func (d *Detector) regionOf(s *shadow.Memory, window uint64) *shadow.Region {
	if s == d.Global {
		return d.Regions.Of(window, s)
	}
	r := &s.Phase
	if r.Mode == shadow.Untouched {
		r.Window, r.Memory = window, s
	}
	return r
}

// settleAll settles the regions that the lanes of an access touch.
func (d *Detector) settleAll(a *causality.Access, s *shadow.Memory) {
	if s != d.Global {
		d.settle(&s.Phase)
		return
	}
	for m := a.Ev.Mask; m != 0; m &= m - 1 {
		at := a.Ev.Addr[bits.TrailingZeros32(m)]
		d.settle(d.Regions.Of(at>>deferred.WindowBits, d.Global))
		d.settle(d.Regions.Of((at+uint64(a.Size)-1)>>deferred.WindowBits, d.Global))
	}
}

// modeOf returns the mode in which a region may defer an access, settled for none.
func (d *Detector) modeOf(a *causality.Access, r *shadow.Region) shadow.Mode {
	ev, w := a.Ev, a.Warp
	switch {
	case ev.Async != abi.Synchronous, d.Journals == 0, !d.Tuning.Takes(options.Journals):
	case d.Model.LockSets && (!d.LockSets.None() || ev.Atomic != abi.AtomicOther):
	case a.Kind == abi.AccessLoad && !a.Strong:
		return shadow.Reading
	case storesElements(a.Class) && r.Memory == d.Global && !d.Model.LockSets &&
		(r.Mode == shadow.Storing || isScattered(ev.Mask, ev.Next|ev.Same)):
		return shadow.Storing
	case ev.Access == abi.AccessRMW && ev.Valued && d.mayCount(a.Class) && w.Apart == 0 && !w.Fenced(ev.Mask):
		return shadow.Counting
	}
	return shadow.Settled
}

// mayCount reports whether an atomic operation may be deferred, provided that its lanes have executed no fence.
func (d *Detector) mayCount(x *accesses.Class) bool {
	return x.Sem == abi.SemRelaxed && x.Size <= 8 && d.counts(x)
}

// settle replays a region's journal into histories, and defers no more accesses of the region.
func (d *Detector) settle(r *shadow.Region) {
	if r.Mode != shadow.Settled {
		d.readJournal(r)
		d.dropElements(r)
		r.Mode = shadow.Settled
	}
}

// dropElements drops what is known of the words of a region, which is not needed when nothing more is deferred.
func (d *Detector) dropElements(r *shadow.Region) {
	if r.Owners != nil {
		d.Used.Sub(r.Owners.Bytes())
	}
	if r.Stored != nil {
		d.Used.Sub(r.Stored.Bytes())
	}
	r.Owners, r.Stored = nil, nil
}

// readCounters replays the journals of all regions that have atomic operations.
func (d *Detector) readCounters() {
	d.Regions.Open = slices.DeleteFunc(d.Regions.Open, func(r *shadow.Region) bool {
		if r.Mode != shadow.Counting {
			return false
		}
		d.readJournal(r)
		r.Place = 0
		return true
	})
	for i, r := range d.Regions.Open {
		r.Place = i + 1
	}
}
