// Strong accesses: each is looked up in the record of accesses, and synchronises.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// synchronise records what an access of the lanes in mask releases and observes. The caller must call tick after it has
// recorded the access itself.
func (d *Detector) synchronise(a *causality.Access, s *shadow.Memory, mask uint32) {
	if !a.Strong {
		if a.Writes() && s.Synced {
			for m := mask; m != 0; m &= m - 1 {
				addr := a.Ev.Addr[bits.TrailingZeros32(m)]
				d.Expanded(s, addr, uint64(a.Size)).Overwrite(&d.Record, addr, uint64(a.Size), nil)
			}
		}
		return
	}
	for m := mask; m != 0; {
		lane := bits.TrailingZeros32(m)
		lanes := d.readersTogether(a, s, m)
		for off := uint64(0); off < uint64(a.Size); off += uint64(a.Scalar) {
			d.strongAccess(a, s, a.Ev.Addr[lane]+off, lanes)
		}
		m &^= lanes
	}
}

// strongAccess records a strong access to a scalar by one lane, or reads by several lanes that readersTogether has
// grouped.
func (d *Detector) strongAccess(a *causality.Access, s *shadow.Memory, addr uint64, lanes uint32) {
	lane := bits.TrailingZeros32(lanes)
	if d.enforced.launch != nil {
		d.enforcedAccess(a, s, addr, lane)
		return
	}
	l := d.Expanded(s, addr, uint64(a.Scalar))
	loc := l.Find(addr, uint64(a.Scalar))
	writes := a.Writes() && (a.Kind != abi.AccessRMW || !a.Ev.Valued || a.Ev.Wrote>>lane&1 != 0)
	observes := false
	if d.Evidence.Warns() && (loc == nil || !loc.Synchronises) {
		if loc == nil {
			loc = l.Location(&d.Record, s, addr, uint64(a.Scalar))
		}
		d.recordStrong(a, s, loc, lanes)
	}
	age := a.Age(lane, addr)
	a.Chance = d.ByChance(a, loc, lane)
	if loc != nil && age == 0 && !writes && !a.Told && loc.IsRepeatedRead(a, lanes) {
		return
	}
	if writes && d.Launch.Weak {
		loc = l.Location(&d.Record, s, addr, uint64(a.Scalar))
		loc.Keep(&d.Threads)
	}
	if loc != nil {
		switch {
		case a.Kind == abi.AccessStore:
		case age > 0:
			d.learnsStart(a, loc.Before(age, writes).Writer, lanes)
			observes = d.ReadOlder(a, loc, lanes, age, writes)
		default:
			d.learnsStart(a, loc.Writer, lanes)
			observes = d.Read(a, loc, lanes)
			d.PruneSeen(a, loc)
		}
		if loc.Chained && !a.Chance && (a.Kind == abi.AccessStore || a.Ev.Reduces) {
			d.FollowChain(a, loc, lane)
		}
		if !a.Told && !a.Chance { // else the lanes have followed it when they made the access, or need not
			d.FollowFenceSC(a, loc, lanes, writes)
		}
	}
	if writes {
		if !a.Told {
			d.changeLock(a, s, addr, lane)
		}
		loc = d.write(a, s, l, addr, lane, observes)
	}
	a.Warp.Spread(lanes)
	d.recordFenceSC(a, s, l, addr, loc, lanes, writes)
}

// learnsStart makes lanes learn that the block of a writer has started, whose write an access of them reads.
func (d *Detector) learnsStart(a *causality.Access, writer thread, lanes uint32) {
	if !a.Told && d.TracksLives() {
		d.Operations.LearnsWriter(a.Warp, writer, lanes)
	}
}

// changeLock records the effect of a lane's strong write on locks. The write must take place.
func (d *Detector) changeLock(a *causality.Access, s *shadow.Memory, addr uint64, lane int) {
	l := evidence.LockAt(&s.Reports, s.Life, addr, a.Scalar)
	if d.Model.LockSets && (evidence.TakesLock(a.Ev) || evidence.DropsLock(a.Ev)) {
		d.ScorLocks(a, l, lane)
	}
	if !d.Absent.Unlocks { // only a lock that is dropped counts as one
		d.Evidence.LockedBy(a.Ev, thread{Unit: a.Warp.Unit, Lane: uint8(lane)}, l)
	}
}

// write records a strong write and returns its location. inherits says that it is by an atomic operation which the
// previous write precedes in observation order.
func (d *Detector) write(a *causality.Access, s *shadow.Memory, l *shadow.Line, addr uint64, lane int,
	inherits bool,
) *causality.Location {
	loc := l.Location(&d.Record, s, addr, uint64(a.Scalar))
	l.Overwrite(&d.Record, addr, uint64(a.Scalar), loc)
	d.WriteTo(a, loc, lane, inherits)
	return loc
}

// recordFenceSC records the fence.sc that precede a strong access of lanes with the same fences: their own, and those
// that barriers have passed on.
func (d *Detector) recordFenceSC(a *causality.Access, s *shadow.Memory, l *shadow.Line, addr uint64,
	loc *causality.Location, lanes uint32, writes bool,
) {
	f := a.Warp.PendingOf(bits.TrailingZeros32(lanes)).Fences
	if f == nil || writes && loc.Chained || f.Sc.IsNone() && f.Inherited.IsNone() {
		return
	}
	if loc == nil {
		loc = l.Location(&d.Record, s, addr, uint64(a.Scalar))
	}
	to := &loc.Reads
	if writes {
		to = &loc.Writes
	}
	for n := (causality.FenceRecord{Fences: f, Unit: a.Warp.Unit, Within: a.Reach}); lanes != 0; lanes &^= n.Lanes {
		if n.Lanes = lanes; !to.Latest.IsAlike(&n) {
			n.Lanes = lanes & -lanes
		}
		if to.Record(&d.Threads, n) {
			loc.Version++
		}
	}
}

// Lanes that wait for a lock or a flag read the same scalar with one instruction again and again. Usually their clocks,
// fences and observations are the same, so the read means the same for all of them, unless the location holds something
// of a lane itself.

// readersTogether returns the first lane in mask, and the lanes after it for which a strong access is a read of the
// same scalar with the same effect.
func (d *Detector) readersTogether(a *causality.Access, s *shadow.Memory, mask uint32) (lanes uint32) {
	first := mask & -mask
	if mask == first || a.Ev.Ages != nil || !d.Tuning.Takes(options.ReadersAtOnce) || a.Kind == abi.AccessStore ||
		a.Size != a.Scalar || a.Sem.Acquires() || d.Model.FencesOrder {
		return first
	}
	if a.Kind == abi.AccessRMW {
		if !a.Ev.Valued || a.Ev.Wrote&first != 0 {
			return first
		}
		mask = causality.Before(mask, a.Ev.Wrote)
	}
	if lanes = causality.SameAddress(a.Ev, mask); lanes == first {
		return first
	}
	addr := a.Ev.Addr[bits.TrailingZeros32(first)]
	loc := d.Expanded(s, addr, uint64(a.Scalar)).Find(addr, uint64(a.Scalar))
	if loc == nil {
		return first
	}
	if d.Evidence.Warns() && !loc.Synchronises {
		lanes = causality.Before(mask, ^lanes) // warnings depend on the reads of earlier lanes
	}
	lanes = causality.Before(a.Warp.LikeFirst(lanes), loc.Authors(a.Unit))
	return lanes | first
}

// again records what an access has returned that had its event before that was known.
func (d *Detector) again(a *causality.Access, s *shadow.Memory) {
	for m := a.Ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		u, known := d.TakeUnresolved(thread{Unit: a.Warp.Unit, Lane: uint8(lane)}, a.Ev.Site)
		if known {
			a.At, a.Late = u.At, true
		}
		before := a.Warp.PendingFor(lane).Seen
		a.Warp.PendingFor(lane).Seen = causality.Acquired{}
		d.synchronise(a, s, 1<<lane)
		p := a.Warp.PendingFor(lane)
		for r, c := range p.Seen {
			if at := u.Fenced[r]; c != nil && at != 0 {
				d.AcquireLate(a, lane, p, c, at)
				p.Seen[r] = nil
			}
		}
		p.Seen.Merge(&d.Merges, &before)
	}
}
