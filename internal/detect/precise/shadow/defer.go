// Deferred accesses: journals of regions are filled, and replayed when another kind of access comes.

package shadow

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// JournalShare is the inverse of the share of memory that journals may take.
const JournalShare = 64

// TryDefer appends an access to the journal of its region, if the earlier accesses of the region allow it. Otherwise it
// settles the regions that the access touches.
func (d *Record) TryDefer(a *causality.Access, s *Memory) bool {
	at := deferred.Addresses{Each: &a.Ev.Addr}
	window, one := at.Window(a.Ev.Mask, a.Ev.Mask&^(a.Ev.Next|a.Ev.Same), uint64(a.Size))
	if !one || a.Ev.Ages != nil {
		d.SettleAll(a, s)
		return false
	}
	r := d.RegionOf(s, window)
	if r.Mode == Settled {
		s.Phase.Written = s.Phase.Written || a.Writes()
		return false
	}
	m := d.modeOf(a, r)
	if m == Settled || r.Mode != m && r.Mode != Untouched || r.Window != window || !d.admits(r, a, m, &at) {
		r.Mixes = r.Mixes || r.Taken > 0
		d.Settle(r)
		return false
	}
	r.Mode, r.Size, r.Counter = m, a.Size, d.Counters[a.Site]
	d.Evidence.Deferred = d.Evidence.Deferred || m == Counting
	ev, w, lane := a.Ev, a.Warp, bits.TrailingZeros32(a.Ev.Mask)
	d.Note(r, &deferred.Record{
		Unit: a.Unit, Mask: ev.Mask, Next: ev.Next & ev.Mask, Same: ev.Same & ev.Mask, Wrote: ev.Wrote,
		Access: ev.Access, Atomic: ev.Atomic, Reduces: ev.Reduces,
		Changes: ev.Valued && ev.Old[lane] != ev.New[lane],
		At:      a.At, Class: a.Index, Event: d.Events, Times: 1,
	}, &at, w.Clock)
	return true
}

// admits reports whether the elements that an access touches allow it to be deferred in mode m.
func (d *Record) admits(r *Region, a *causality.Access, m Mode, at *deferred.Addresses) bool {
	switch m {
	case Storing:
		return d.ClaimElements(r, a.Size, a.Ev.Mask, at)
	case Counting:
		return (r.Mode != m || r.Size == a.Size && r.Counter == d.Counters[a.Site]) &&
			d.Claim(r, a.Class, uint32(a.Unit>>radixBits), a.Ev.Mask, a.Ev.Next, at)
	}
	return true
}

// Note adds a record to a region's journal; current is the warp's clock.
func (d *Record) Note(r *Region, x *deferred.Record, at *deferred.Addresses, current *clock) {
	if r.Place == 0 {
		d.Regions.Open = append(d.Regions.Open, r)
		r.Place = len(d.Regions.Open)
	}
	before := r.Taken
	r.Add(&d.Chunks, x, at, current)
	d.Used.Add(r.Taken - before)
	if d.Regions.Bytes += r.Taken - before; d.Regions.Bytes > d.Regions.limit {
		d.makeRoom()
	}
}

// journalGrowth is how often the limit for journals may be raised before one is replayed.
const journalGrowth = 16

// makeRoom makes room when the journals are full: it compacts them. If that frees little, it raises the limit, and in
// the end replays the largest.
func (d *Record) makeRoom() {
	r := &d.Regions
	largest := r.Open[0]
	for _, x := range r.Open {
		d.compact(x)
		if x.Taken > largest.Taken {
			largest = x
		}
	}
	switch {
	case 2*r.Bytes <= r.limit:
	case r.limit < journalGrowth*d.Journals:
		r.limit *= 2
	default:
		d.ReadJournal(largest)
	}
}

// compact drops the atomic operations in a region's journal that others subsume. Under weak memory none is: a later
// read may return the value of any.
func (d *Record) compact(r *Region) {
	if d.Launch.Weak || r.Mode != Counting || r.Memory != d.Global || d.Grids != 1 || d.Model.FencesOrder {
		return
	}
	before := r.Taken
	r.Compact(&d.Chunks, r.Size, d.isOver)
	d.Regions.Bytes += r.Taken - before
	d.Used += accesses.Bytes(r.Taken) - accesses.Bytes(before)
}

// isOver reports whether a record is a plain atomic operation of a block that has ended and has released nothing.
func (d *Record) isOver(x *deferred.Record) bool {
	p := d.PlaceOf(x.Unit)
	return p.Home == nil && !p.MayRelease && x.Wrote&x.Mask == x.Mask && x.Atomic == abi.AtomicOther
}

// RegionOf returns the region of a window of global memory, or that of all of a shared memory.
func (d *Record) RegionOf(s *Memory, window uint64) *Region {
	if s == d.Global {
		return d.Regions.Of(window, s)
	}
	r := &s.Phase
	if r.Mode == Untouched {
		r.Window, r.Memory = window, s
	}
	return r
}

// SettleAll settles the regions that the lanes of an access touch.
func (d *Record) SettleAll(a *causality.Access, s *Memory) {
	if s != d.Global {
		d.Settle(&s.Phase)
		return
	}
	for m := a.Ev.Mask; m != 0; m &= m - 1 {
		at := a.Ev.Addr[bits.TrailingZeros32(m)]
		d.Settle(d.Regions.Of(at>>deferred.WindowBits, d.Global))
		d.Settle(d.Regions.Of((at+uint64(a.Size)-1)>>deferred.WindowBits, d.Global))
	}
}

// modeOf returns the mode in which a region may defer an access, settled for none.
func (d *Record) modeOf(a *causality.Access, r *Region) Mode {
	ev, w := a.Ev, a.Warp
	switch {
	case ev.Async != abi.Synchronous, d.Journals == 0, !d.Tuning.Takes(options.Journals):
	case d.Model.LockSets && (!d.LockSets.None() || ev.Atomic != abi.AtomicOther):
	case a.Kind == abi.AccessLoad && !a.Strong:
		return Reading
	case StoresElements(a.Class) && r.Memory == d.Global && !d.Model.LockSets &&
		(r.Mode == Storing || isScattered(ev.Mask, ev.Next|ev.Same)):
		return Storing
	case ev.Access == abi.AccessRMW && ev.Valued && d.MayCount(a.Class) && w.Apart == 0 && !w.Fenced(ev.Mask):
		return Counting
	}
	return Settled
}

// MayCount reports whether an atomic operation may be deferred, provided that its lanes have executed no fence.
func (d *Record) MayCount(x *accesses.Class) bool {
	return x.Sem == abi.SemRelaxed && x.Size <= 8 && d.counts(x) && d.Tuning.Takes(options.Counters) &&
		(d.Counters == nil || d.Counters[x.Site] != 0)
}

// Settle replays a region's journal into histories, and defers no more accesses of the region.
func (d *Record) Settle(r *Region) {
	if r.Mode != Settled {
		d.ReadJournal(r)
		d.DropElements(r)
		r.Mode = Settled
	}
}

// DropElements drops what is known of the words of a region, which is not needed when nothing more is deferred.
func (d *Record) DropElements(r *Region) {
	if r.owners != nil {
		d.Used.Sub(r.owners.Bytes())
	}
	if r.stored != nil {
		d.Used.Sub(r.stored.Bytes())
	}
	r.owners, r.stored = nil, nil
}

// ReadCounters replays the journals of all regions that have atomic operations.
func (d *Record) ReadCounters() {
	d.Regions.Open = slices.DeleteFunc(d.Regions.Open, func(r *Region) bool {
		if r.Mode != Counting {
			return false
		}
		d.ReadJournal(r)
		r.Place = 0
		return true
	})
	for i, r := range d.Regions.Open {
		r.Place = i + 1
	}
}
