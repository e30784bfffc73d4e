// The path of an access: it is split into runs of lanes, which are compared with the entries of the shadow.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// access is the state of one access, by a warp or by an asynchronous operation of its lanes, while it is checked.
type access struct {
	*accesses.Class
	index uint32 // of the access class
	ev    *abi.Event
	warp  *warp
	unit  unit // of the warp, or of the asynchronous operation

	at         stamp // time of the entries that the access makes
	writesHere int   // number of writes in the history that the access is compared with
	since      stamp // for a strong write: a thread that observes it observes all strong writes since then

	// cachedTime is the time up to which the thread's clock covers all lanes of cachedUnit, the unit looked up last. It
	// is kept only if the warp has one clock.
	cachedUnit unit
	cachedTime stamp
	began      stamp // of an access by an asynchronous operation: when the operation began
	met        stamp // accesses by threads of the warp's block up to this time precede the access (warp.met); 0 for none

	told    bool // a cell has held the access: its messages have been recorded
	before  done
	raced   uint32 // races found in the history that the access is compared with
	crowded bool   // that history is crowded
	late    bool   // at is before other events: the access is told again
}

// begin reuses a for another access, for which there is no event. It assigns field by field: assigning the whole struct
// copies it, and the next load stalls on that copy.
func (a *access) begin(d *Detector, w *warp, u unit, index uint32) {
	a.Class, a.index, a.ev, a.warp, a.unit = &d.classes[index], index, nil, w, u
	a.at, a.writesHere, a.since = 0, 0, 0
	a.cachedUnit, a.cachedTime, a.met = ^unit(0), 0, 0
	if a.Async == abi.Synchronous && a.Proxy == abi.ProxyGeneric {
		a.met = w.met
	}
	a.told, a.before, a.raced, a.crowded, a.late = false, done{}, 0, false, false
	d.begun++
}

// done says what has been done about an access before its event was made.
type done struct {
	lanes uint32 // lanes for which the access has been checked and recorded already
	row   bool   // all lanes, those in lanes too, access consecutive elements
}

// checked reports whether the access of an event can take part in a race.
func checked(ev *abi.Event) bool {
	return ev.Bytes != 0 && ev.Mask != 0 && (ev.Space == abi.SpaceGlobal || ev.Space == abi.SpaceShared ||
		ev.Space == abi.SpaceTensor)
}

// access checks and records the access of an event.
func (d *Detector) access(ev *abi.Event, before done) {
	if !checked(ev) {
		return
	}
	w := d.warpAt(ev)
	a := &d.current
	a.begin(d, w, w.unit, d.classOf(ev))
	a.ev, a.before = ev, before
	w.touched |= ev.Mask
	a.at = d.stampOf(a)
	if a.Tensor {
		d.tensorAccess(a)
		return
	}
	if a.Proxy == abi.ProxyAny {
		d.noteAddress(a)
	}
	s := d.shadowOf(ev, w)
	if ev.Again {
		d.settleAll(a, s)
		d.again(a, s)
		return
	}
	if a.Strong && ev.Ages != nil {
		d.noteUnresolved(a)
	}
	if d.tryDefer(a, s) {
		if a.Strong && a.Writes() {
			d.tick()
		}
		return
	}
	if a.Async != abi.Synchronous {
		d.asynchronous(a, s)
		return
	}
	d.perform(a, s)
	if a.Strong && a.Writes() {
		d.tick() // ends the release interval, and gives each write at a location a stamp of its own
	}
	if ev.Async == abi.AsyncSignals { // in the papers' model, whose copies happen in place
		d.scorCopied(ev, w)
	}
}

// perform checks and records a synchronous access, and applies its effects on synchronisation.
func (d *Detector) perform(a *access, s *shadow) {
	if d.tryAtomics(a, s) {
		return
	}
	mask := d.tryCells(a, s)
	if mask == 0 {
		return
	}
	d.synchronise(a, s, mask)
	if ev := a.ev; ev.Access == abi.AccessRMW && a.Kind == abi.AccessRMW && ev.Valued && ev.Wrote&ev.Mask != ev.Mask {
		d.mixed(a, s)
	} else {
		d.lanes(a, s, mask)
	}
}

// mixed handles a compare-and-swap that failed for some lanes: those lanes only read.
func (d *Detector) mixed(a *access, s *shadow) {
	ev, failed := a.ev, *a
	wrote := ev.Wrote
	d.lanes(a, s, ev.Mask&wrote)
	ev.Wrote = 0
	failed.index = d.classOf(ev)
	ev.Wrote = wrote
	failed.Class = &d.classes[failed.index]
	d.lanes(&failed, s, ev.Mask&^wrote)
}

// lanes checks and records an access by the lanes in mask.
func (d *Detector) lanes(a *access, s *shadow, mask uint32) {
	switch {
	case mask == 0:
		return
	case a.before.row:
		d.rows(a, s, mask)
		return
	case mask&(mask-1) == 0:
		d.words(a, s, a.ev.Addr[bits.TrailingZeros32(mask)], mask)
		return
	}
	for m := mask; m != 0; {
		together := sideBySide(a.ev, m, uint64(a.Size))
		if bits.OnesCount32(together) >= fewLanes {
			d.rows(a, s, together)
		} else {
			together = m & -m
			if !a.Writes() {
				together = sameAddress(a.ev, m)
			}
			d.words(a, s, a.ev.Addr[bits.TrailingZeros32(m)], together)
		}
		m &^= together
	}
}

// fewLanes is the number of consecutive lanes below which their words are handled one by one.
const fewLanes = 3

// sideBySide returns the longest run of lanes in mask, starting with the first, that access consecutive elements of an
// array.
func sideBySide(ev *abi.Event, mask uint32, size uint64) uint32 {
	first := bits.TrailingZeros32(mask)
	base := ev.Addr[first] - uint64(first)*size
	if size > 16 || size&(size-1) != 0 || base%size != 0 {
		return 0
	}
	out := following(ev.Next, mask)
	for mask = afterHole(mask, out); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask)
		if ev.Addr[i] != base+uint64(i)*size {
			break
		}
		out |= 1 << i
	}
	return out
}

// sameAddress returns the longest run of lanes in mask, starting with the first, that access the same address.
func sameAddress(ev *abi.Event, mask uint32) uint32 {
	first := ev.Addr[bits.TrailingZeros32(mask)]
	out := following(ev.Same, mask)
	for mask = afterHole(mask, out); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask)
		if ev.Addr[i] != first {
			break
		}
		out |= 1 << i
	}
	return out
}

// following returns the first lane in mask and the lanes after it without a gap, as long as each is in next.
func following(next, mask uint32) uint32 {
	first := bits.TrailingZeros32(mask)
	n := bits.TrailingZeros32(^(next & mask >> first >> 1))
	return uint32(2<<n-1) << first
}

// afterHole returns mask without first, or 0 if the lane after first is in mask: Event.Next and Event.Same say nothing
// about the lanes after a gap.
func afterHole(mask, first uint32) uint32 {
	if mask&(first+first&-first) != 0 {
		return 0
	}
	return mask &^ first
}

// against calls visit for each entry that the access may race with or subsume.
func (d *Detector) against(a *access, h *history, visit func(e *entry, reads bool)) {
	if h.write.mask != 0 {
		l := h.logs(false)
		a.writesHere = l.size()
		l.filter(func(e *entry) { visit(e, false) }, a.Code)
	}
	d.againstReads(a, h, visit)
}

// againstReads is against for reads alone.
func (d *Detector) againstReads(a *access, h *history, visit func(e *entry, reads bool)) {
	if h.read.mask == 0 {
		return
	}
	if l := h.logs(true); a.Writes() || l.size() <= scanLimit {
		l.filter(func(e *entry) { visit(e, true) }, a.Code)
	}
}

// words handles an access by the lanes in mask to one address, word by word.
func (d *Detector) words(a *access, s *shadow, addr uint64, mask uint32) {
	for at, left := addr, uint64(a.Size); left > 0; {
		n := min(wordBytes-at%wordBytes, left)
		h := &d.split(d.expanded(s, at, n))[at%lineBytes/wordBytes]
		if n == wordBytes && (h.more == nil || h.more.bytes == nil) {
			d.cell(a, h, at, mask)
		} else {
			parts := d.bytesOf(h)
			for i := range n {
				d.cell(a, &parts[(at+i)%wordBytes], at+i, mask)
			}
		}
		at, left = at+n, left-n
	}
}

// cell checks and records an access to one word or byte.
func (d *Detector) cell(a *access, h *history, at uint64, mask uint32) {
	tallied := h.more != nil && h.more.writes.tally != nil
	if !tallied && d.tryFast(a, h, mask, 0, false) {
		return
	}
	oneByOne := false
	a.raced, a.crowded = 0, h.isCrowded()
	compare := func(e *entry, _ bool) { d.compareEntry(a, e, mask, at) }
	switch {
	case tallied && d.tryTally(a, h, mask, at):
		d.againstReads(a, h, compare)
	case tallied && d.tryFast(a, h, mask, 0, false):
		return
	case !tallied && d.tryPreceded(a, h, mask):
		d.againstReads(a, h, compare)
	default:
		d.against(a, h, compare)
		oneByOne = true
	}
	d.enter(h, entry{unit: a.unit, mask: mask, at: a.at, class: a.index}, a)
	if a.raced != 0 {
		d.crowd(h, a.raced)
	}
	if a.raced != 0 || oneByOne && a.Strong && a.warp.of(bits.TrailingZeros32(mask)) == nil {
		d.tallied(h) // a thread that has acquired nothing has none of these writes ordered before it but its own
	}
}

// compareEntry compares an access by the lanes in mask to one word or byte with an entry, from which it drops the lanes
// that it subsumes.
func (d *Detector) compareEntry(a *access, e *entry, mask uint32, at uint64) {
	x := &d.classes[e.class]
	if a.isAlike(e, x) && !d.subsumes(a, e, x) {
		return
	}
	ordered := e.mask
	if !d.allPrecede(a, e, x) {
		for l := mask; l != 0; l &= l - 1 {
			lane := bits.TrailingZeros32(l)
			unordered := d.unordered(a, e, x, lane)
			ordered &^= unordered
			d.conflicts(a, e, unordered, lane, at)
		}
	}
	if d.subsumes(a, e, x) {
		e.mask &^= ordered
	}
}

// subsumes reports whether access a makes the earlier entry e, which precedes it, redundant: everything that races with
// e races with a as well.
func (d *Detector) subsumes(a *access, e *entry, x *accesses.Class) bool {
	switch {
	case x.Writes() && !a.Writes(), x.Proxy != a.Proxy:
		return false
	case x.Writes() && x.Site != a.Site && e.unit != a.unit && !a.Shared && a.writesHere <= distinctSites:
		return false // keep it: it may deserve a report of its own
	case !d.lockSets.none() && !d.alikeLocked(a, e):
		return false
	case !a.Strong:
		return true
	}
	if x.Strong && x.Reach == a.Reach && x.Scalar == a.Scalar && d.observersAcquire {
		return true // a thread that observes a has acquired e
	}
	if a.Writes() && (!x.Writes() || e.at <= a.since) {
		return false // a thread that observes a need not have observed e
	}
	return x.Strong && x.Reach == a.Reach && x.Scalar == a.Scalar && e.unit>>radixBits == a.unit>>radixBits
}
