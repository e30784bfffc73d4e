// The path of an access: it is split into runs of lanes, which are compared with the entries of the shadow.

package compare

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Mixed handles a compare-and-swap that failed for some lanes: those lanes only read.
func (d *Checker) Mixed(a *causality.Access, s *shadow.Memory) {
	ev, failed := a.Ev, *a
	wrote := ev.Wrote
	d.Lanes(a, s, ev.Mask&wrote)
	ev.Wrote = 0
	failed.Index = d.ClassOf(ev)
	ev.Wrote = wrote
	failed.Class = &d.Classes.List[failed.Index]
	d.Lanes(&failed, s, ev.Mask&^wrote)
}

// Lanes checks and records an access by the lanes in mask.
func (d *Checker) Lanes(a *causality.Access, s *shadow.Memory, mask uint32) {
	switch {
	case mask == 0:
		return
	case a.Before.Row:
		d.rows(a, s, mask, false)
		return
	case mask&(mask-1) == 0:
		d.Words(a, s, a.Ev.Addr[bits.TrailingZeros32(mask)], mask)
		return
	}
	for m := mask; m != 0; {
		together := sideBySide(a.Ev, m, uint64(a.Size))
		if n := bits.OnesCount32(together); n >= shadow.FewLanes || n > 1 && a.Size == shadow.MaxElement {
			d.rows(a, s, together, n < shadow.FewLanes)
		} else {
			together = m & -m
			if !a.Writes() {
				together = causality.SameAddress(a.Ev, m)
			}
			d.Words(a, s, a.Ev.Addr[bits.TrailingZeros32(m)], together)
		}
		m &^= together
	}
}

// sideBySide returns the longest run of lanes in mask, starting with the first, that access consecutive elements of an
// array.
func sideBySide(ev *abi.Event, mask uint32, size uint64) uint32 {
	first := bits.TrailingZeros32(mask)
	base := ev.Addr[first] - uint64(first)*size
	if size > 16 || size&(size-1) != 0 || base%size != 0 {
		return 0
	}
	out := causality.Following(ev.Next, mask)
	for mask = causality.AfterHole(mask, out); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask)
		if ev.Addr[i] != base+uint64(i)*size {
			break
		}
		out |= 1 << i
	}
	return out
}

// against calls visit for each entry that the access may race with or subsume.
func (d *Checker) against(a *causality.Access, h *shadow.History, visit func(e *accesses.Entry, reads bool)) {
	if h.Write.Mask != 0 {
		l := h.Logs(false)
		a.WritesHere = l.Size()
		l.Filter(func(e *accesses.Entry) { visit(e, false) }, a.Code)
	}
	d.againstReads(a, h, visit)
}

// againstReads is against for reads alone.
func (d *Checker) againstReads(a *causality.Access, h *shadow.History, visit func(e *accesses.Entry, reads bool)) {
	if h.Read.Mask == 0 {
		return
	}
	if l := h.Logs(true); a.Writes() || l.Size() <= shadow.ScanLimit {
		l.Filter(func(e *accesses.Entry) { visit(e, true) }, a.Code)
	}
}

// Words handles an access by the lanes in mask to one address, by words that share a history.
func (d *Checker) Words(a *causality.Access, s *shadow.Memory, addr uint64, mask uint32) {
	for left := uint64(a.Size); left > 0; {
		n := min(lineBytes-addr%lineBytes, left)
		d.wordsOfLine(a, d.Expanded(s, addr, n), addr, n, mask)
		addr, left = addr+n, left-n
	}
}

// wordsOfLine handles an access by the lanes in mask to size bytes of a line.
func (d *Checker) wordsOfLine(a *causality.Access, l *shadow.Line, addr, size uint64, mask uint32) {
	p, parts := d.Split(l), 0
	for at, left := addr, size; left > 0; parts++ {
		word, n := int(at%lineBytes/wordBytes), min(wordBytes-at%wordBytes, left)
		if n < wordBytes {
			h, _ := d.Part(p, word, 1)
			d.bytes(a, h, at, n, mask)
		} else {
			h, words := d.Part(p, word, int(left/wordBytes))
			if n = uint64(words) * wordBytes; words == 1 {
				d.word(a, h, at, mask)
			} else if !d.tryClean(a, h, mask, 0) {
				for i := range words {
					h, _ := d.Part(p, word+i, 1)
					d.word(a, h, at+uint64(i)*wordBytes, mask)
				}
			}
		}
		at, left = at+n, left-n
	}
	if parts > 1 {
		d.JoinWords(l, addr, size)
	}
}

// word handles an access by the lanes in mask to one word.
func (d *Checker) word(a *causality.Access, h *shadow.History, at uint64, mask uint32) {
	if h.More == nil || h.More.Bytes == nil {
		d.cell(a, h, at, mask)
	} else {
		d.bytes(a, h, at, wordBytes, mask)
	}
}

// bytes handles an access to bytes of a word.
func (d *Checker) bytes(a *causality.Access, h *shadow.History, at, n uint64, mask uint32) {
	parts := d.BytesOf(h)
	for i := range n {
		d.cell(a, &parts[(at+i)%wordBytes], at+i, mask)
	}
}

// tryClean checks and records an access to a part of a line: by the lanes in mask to all of it or, with a shift, by
// each to its element. It reports whether the access is ordered after everything in the history that it conflicts with,
// and otherwise changes nothing.
func (d *Checker) tryClean(a *causality.Access, h *shadow.History, mask uint32, shift int32) bool {
	if d.TryFast(a, h, mask, shift, false) {
		return true
	}
	if a.Strong || h.More != nil && h.More.Raced != 0 || !d.LockSets.None() {
		return false
	}
	clean := true
	h.Each(func(e *accesses.Entry, reads bool) {
		clean = clean && (reads && !a.Writes() || d.allOrdered(a, e, mask, shift))
	})
	if clean {
		d.against(a, h, func(e *accesses.Entry, _ bool) {
			if d.subsumes(a, e, &d.Classes.List[e.Class]) && (a.Writes() || d.allOrdered(a, e, mask, shift)) {
				e.Mask = 0
			}
		})
		d.Enter(h, accesses.Entry{Unit: a.Unit, Mask: mask, At: a.At, Class: a.Index, Shift: shift}, a)
	}
	return clean
}

// allOrdered reports whether an entry in the history of a part is ordered before an access to the part.
func (d *Checker) allOrdered(a *causality.Access, e *accesses.Entry, mask uint32, shift int32) bool {
	x := &d.Classes.List[e.Class]
	switch {
	case d.AllPrecede(a, e, x):
		return true
	case mask&(mask-1) != 0 && shift != 0 && e.Shift == shift && e.Mask == mask && x.Size == a.Size && d.isByItself(a, e, x):
		return true
	case mask&(mask-1) != 0:
		for m := mask; m != 0; m &= m - 1 {
			if !d.AllPrecedeLane(a, e, x, bits.TrailingZeros32(m)) {
				return false
			}
		}
		return true
	}
	return e.Shift == 0 && d.unordered(a, e, x, bits.TrailingZeros32(mask)) == 0
}

// cell checks and records an access to one word or byte.
func (d *Checker) cell(a *causality.Access, h *shadow.History, at uint64, mask uint32) {
	tallied := h.More != nil && h.More.Writes.Tally != nil
	if !tallied && d.TryFast(a, h, mask, 0, false) {
		return
	}
	oneByOne := false
	a.Raced, a.Crowded = 0, h.IsCrowded()
	if h.More == nil && d.tryEqualStore(a, h, mask, at) {
		return
	}
	compare := func(e *accesses.Entry, _ bool) { d.compareEntry(a, e, mask, at) }
	switch {
	case tallied && d.tryTally(a, h, mask, at):
		d.againstReads(a, h, compare)
	case tallied && d.TryFast(a, h, mask, 0, false):
		return
	case !tallied && d.tryPreceded(a, h, mask):
		d.againstReads(a, h, compare)
	default:
		d.against(a, h, compare)
		oneByOne = true
	}
	d.Enter(h, accesses.Entry{Unit: a.Unit, Mask: mask, At: a.At, Class: a.Index}, a)
	if a.Raced != 0 {
		d.crowd(h, a.Raced)
	}
	if a.Raced != 0 || oneByOne && a.Strong && a.Warp.Of(bits.TrailingZeros32(mask)) == nil {
		d.Tallied(h) // a thread that has acquired nothing has none of these writes ordered before it but its own
	}
}

// tryEqualStore checks and records the store of a lane to a word or byte to which, since everything else in a history,
// other lanes have stored the same value with the same instruction. It reports whether that is so.
func (d *Checker) tryEqualStore(a *causality.Access, h *shadow.History, mask uint32, at uint64) bool {
	e, lane := &h.Write, bits.TrailingZeros32(mask)
	if e.Unit != a.Unit || e.At != a.At || e.Class != a.Index || e.Mask == 0 || h.Read.Mask != 0 || !d.countsPairs(a, a.Class) {
		return false
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		if !d.SameWrite(a, e, bits.TrailingZeros32(m), lane) {
			return false
		}
	}
	d.addRaces(a, e, e.Mask, true, func(int) (int, uint64) { return lane, at })
	e.Mask |= mask
	return true
}

// compareEntry compares an access by the lanes in mask to one word or byte with an entry, from which it drops the lanes
// that it subsumes.
func (d *Checker) compareEntry(a *causality.Access, e *accesses.Entry, mask uint32, at uint64) {
	x := &d.Classes.List[e.Class]
	if a.IsAlike(e, x) && !d.subsumes(a, e, x) {
		return
	}
	ordered := e.Mask
	if !d.AllPrecede(a, e, x) {
		for l := mask; l != 0; l &= l - 1 {
			lane := bits.TrailingZeros32(l)
			unordered := d.unordered(a, e, x, lane)
			ordered &^= unordered
			d.conflicts(a, e, unordered, lane, at)
		}
	}
	if d.subsumes(a, e, x) {
		e.Mask &^= ordered
	}
}

// subsumes reports whether access a makes the earlier entry e, which precedes it, redundant: everything that races with
// e races with a as well.
func (d *Checker) subsumes(a *causality.Access, e *accesses.Entry, x *accesses.Class) bool {
	switch {
	case x.Writes() && !a.Writes(), x.Proxy != a.Proxy:
		return false
	case x.Writes() && x.Site != a.Site && e.Unit != a.Unit && !a.Shared && a.WritesHere <= shadow.DistinctSites:
		return false // keep it: it may deserve a report of its own
	case !d.LockSets.None() && !d.AlikeLocked(a, e):
		return false
	case !a.Strong:
		return true
	}
	if x.Strong && x.Reach == a.Reach && x.Scalar == a.Scalar && d.ObserversAcquire {
		return true // a thread that observes a has acquired e
	}
	if a.Writes() && (!x.Writes() || e.At <= a.Since) {
		return false // a thread that observes a need not have observed e
	}
	return x.Strong && x.Reach == a.Reach && x.Scalar == a.Scalar && e.Unit>>radixBits == a.Unit>>radixBits
}
