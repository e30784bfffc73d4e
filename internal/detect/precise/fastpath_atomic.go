// Fast path for relaxed atomic operations on counters, by which no thread releases or acquires.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// tryAtomics checks and records a relaxed read-modify-write operation on words, and reports
// whether it is one. The location is looked up once for synchronisation and for races.
func (d *Detector) tryAtomics(a *access, s *shadow) bool {
	ev := a.ev
	if a.Kind != abi.AccessRMW || a.Sem != abi.SemRelaxed || a.Code != wordBytes || a.Size != wordBytes ||
		ev.Valued && ev.Wrote&ev.Mask != ev.Mask || ev.Ages != nil || !d.tuning.takes(counters) {
		return false
	}
	for m := ev.Mask; m != 0; {
		lane := bits.TrailingZeros32(m)
		addr := ev.Addr[lane]
		l := d.expanded(s, addr, wordBytes)
		before := *a.warp.pendingOf(lane)
		if !d.tryCount(a, s, l, addr, lane) {
			d.strongAccess(a, s, addr, 1<<lane)
		} else if ev.Atomic != abi.AtomicOther {
			d.changeLock(a, s, addr, lane)
		}
		mask := uint32(1) << lane
		if m &^= mask; m != 0 {
			mask |= d.tryRepeat(a, l, lane, m&sameAddress(ev, m|mask), &before)
			m &^= mask
		}
		if h := &d.split(l)[addr%lineBytes/wordBytes]; d.tryAppend(a, h, mask) {
			continue
		}
		for ; mask != 0; mask &= mask - 1 {
			d.words(a, s, addr, mask&-mask)
		}
	}
	return true
}

// tryRepeat records the synchronisation of lanes in mask that access the same word as lane first of the instruction,
// and returns the lanes it could handle: those with the clock, fences and observations that first had before. Lane
// first has released nothing, so that these lanes observe what it has observed.
func (d *Detector) tryRepeat(a *access, l *line, first int, mask uint32, before *pendingSync) (done uint32) {
	w, f := a.warp, before.fences
	if f == nil || w.apart != 0 || a.ev.Atomic != abi.AtomicOther || d.model.fencesOrder || !f.fenced.isNone() ||
		!f.sc.isNone() {
		return 0
	}
	loc := l.find(a.ev.Addr[first], wordBytes)
	if loc.own != nil || loc.history != nil {
		return 0
	}
	done = w.pending.likeBefore(mask, before)
	if done == 0 {
		return 0
	}
	if now := w.pendingOf(first); now.seen != before.seen || now.after != before.after {
		w.pending.learn(done, a.ev.Live, now.seen, now.after)
	}
	d.tellRead(a, loc, thread{Unit: w.unit, Lane: uint8(bits.TrailingZeros32(done))}, true)
	if row := done & (done - 1); row != 0 {
		d.evidence.AddRow(row)
	}
	loc.addObservation(d, a, done)
	d.pruneSeen(a, loc)
	loc.lastClass = a.index
	for m := done; m != 0; m &= m - 1 {
		loc.keep(d)
		loc.writer = thread{Unit: w.unit, Lane: uint8(bits.TrailingZeros32(m))}
	}
	loc.version += uint32(bits.OnesCount32(done))
	return done
}

// likeBefore returns the lanes in mask, up to the first that differs, whose pending state is that which another lane
// had before.
func (p *pendings) likeBefore(mask uint32, before *pendingSync) (like uint32) {
	rest := p.rest.passesOn(before) && p.rest.seen == before.seen
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if q := &p.own[lane]; p.apart>>lane&1 == 0 && !rest ||
			p.apart>>lane&1 != 0 && (!q.passesOn(before) || q.seen != before.seen) {
			break
		}
		like |= 1 << lane
	}
	return like
}

// learn sets what the lanes in mask have observed, and what their next fence.sc follows.
func (p *pendings) learn(mask, live uint32, seen, after acquired) {
	if live&^p.apart&^mask == 0 {
		p.rest.seen, p.rest.after = seen, after
		mask &= p.apart
	}
	for m := mask; m != 0; m &= m - 1 {
		q := p.of(bits.TrailingZeros32(m))
		q.seen, q.after = seen, after
	}
}

// tryCount records the synchronisation of an atomic operation of a lane if neither the lane nor the location takes part
// in a release or acquire pattern or follows a fence. It reports whether that is so.
func (d *Detector) tryCount(a *access, s *shadow, l *line, addr uint64, lane int) bool {
	w := a.warp
	if p := w.pendingOf(lane); p.fences != nil || p.passes != nil {
		return false
	}
	loc := l.location(d, s, addr, wordBytes)
	if loc.own != nil || !loc.releases.none() || !loc.writes.none() || !loc.reads.none() {
		return false
	}
	if d.evidence.Warns() && !loc.synchronises {
		if d.evidence.ShowsSynchronisation(a.Class, a.ev) {
			loc.setSynchronises()
		} else if loc.history != nil {
			return false
		}
	}
	l.overwrite(d, addr, wordBytes, loc)
	me := thread{Unit: w.unit, Lane: uint8(lane)}
	if loc.writer != (thread{}) && loc.writer != me && loc.reach != accesses.ReachAll {
		return false
	}
	loc.keep(d)
	switch {
	case loc.writer == (thread{}):
		loc.since, loc.from, loc.chained = d.now, uint8(lane), d.chains()
	case loc.writer != me || loc.since != loc.last:
		loc.addObservation(d, a, 1<<lane)
		d.pruneSeen(a, loc)
		d.tellRead(a, loc, me, true)
	}
	loc.wrote(a, lane, true)
	loc.writer, loc.reach, loc.last = me, accesses.ReachAll, d.now
	loc.writerClock, loc.fenced = w.of(lane), nil
	loc.version++
	a.since = loc.since
	return true
}

// tryAppend records a strong write of a word whose history holds only accesses that are morally strong with it, and at
// most one ordered write before them. It reports whether that is so.
func (d *Detector) tryAppend(a *access, h *history, mask uint32) bool {
	if h.read.mask != 0 || h.more != nil && !h.more.allOf(a.Code) {
		return false
	}
	e := entry{unit: a.unit, mask: mask, at: a.at, class: a.index}
	if h.write.mask == 0 {
		h.write = e
		return true
	}
	if x := &d.classes[h.write.class]; x.Code != a.Code && !d.allPrecede(a, &h.write, x) {
		return false
	}
	d.enter(h, e, a)
	return true
}

// allOf reports whether all further entries are writes that are morally strong with accesses whose class has that code.
func (m *more) allOf(code uint32) bool {
	return m.bytes == nil && len(m.reads.entries) == 0 && (len(m.writes.entries) == 0 || m.writes.same == code)
}
