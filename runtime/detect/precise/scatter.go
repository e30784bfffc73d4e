package precise

import (
	"math/bits"
	"unsafe"
)

// Weak reads of words that are not side by side: one word by many lanes, or words that
// lanes pick. They leave the line whole.

// touch is a read by each of the lanes of each of the words of a line, or of one part
// of each of them.
type touch struct {
	unit         unit
	lanes, words uint32
	at           stamp
	what         uint32
	from         uint8 // of the words, where the part begins
}

// touches are those of a line, none of them known to be ordered before another.
type touches struct {
	list []touch
	next int // length at which to look for those that others stand for
}

// touch checks and records a weak read of words, or of a part of one, by lanes in mask,
// if that is easy.
func (d *Detector) touch(a *access, l *line, addr uint64, mask uint32) bool {
	at, h := addr%lineBytes, &l.whole
	from, size := at%wordBytes, uint64(a.size)
	if a.strong || a.writes() || a.unit != a.warp.unit || l.words != nil || at+size > lineBytes {
		return false
	}
	if from+size > wordBytes && (from|size%wordBytes) != 0 {
		return false
	}
	if h.more != nil && !h.more.readsOnly() || h.write.mask != 0 && !d.surely(a, &h.write, mask, 0, false) {
		return false
	}
	t := l.touched
	if t == nil {
		t = new(touches)
		d.uses(unsafe.Sizeof(*t))
		l.touched = t
	}
	t.add(d, touch{a.unit, mask, wordRange(at, size), a.at, a.index, uint8(from)})
	return true
}

// wordRange is the words of so many bytes, from one in the line on.
func wordRange(from, bytes uint64) uint32 {
	return uint32((1<<((bytes+wordBytes-1)/wordBytes) - 1) << (from / wordBytes))
}

// nearby is how many touches back to look for one to extend: lanes often read two words
// in turns.
const nearby = 4

func (t *touches) add(d *Detector, x touch) {
	n := len(t.list)
	for i := n - 1; i >= max(n-nearby, 0); i-- {
		if t.list[i].extended(&x) {
			return
		}
	}
	t.list = append(t.list, x)
	d.uses(unsafe.Sizeof(x))
	if n+1 > max(t.next, 2*radix) {
		t.prune(d)
	}
}

// extended makes a touch stand for a later one by the same instruction too, and reports
// whether it can: by the same lanes, or of the same words.
func (t *touch) extended(x *touch) bool {
	if t.unit != x.unit || t.what != x.what || t.from != x.from {
		return false
	}
	switch {
	case t.lanes == x.lanes && (t.at == x.at || t.words&^x.words == 0):
		t.words |= x.words
	case t.words == x.words && (t.at == x.at || t.lanes&^x.lanes == 0):
		t.lanes |= x.lanes
	default:
		return false
	}
	t.at = x.at
	return true
}

// prune drops touches that later ones stand for.
func (t *touches) prune(d *Detector) {
	d.seen.reset(len(t.list))
	kept := len(t.list)
	for i := kept - 1; i >= 0; i-- {
		x := t.list[i]
		later := d.seen.of(dominator{x.unit, x.what, int32(x.lanes), x.from})
		x.words &^= *later
		*later |= x.words
		if x.words != 0 {
			kept--
			t.list[kept] = x
		}
	}
	t.list = t.list[:copy(t.list, t.list[kept:])]
	t.next = 2 * len(t.list)
}

// overTouches checks a write by lanes in mask, side by side, against the touches of a
// line and drops those that it stands for. It reports whether that was easy.
func (d *Detector) overTouches(a *access, l *line, mask uint32, shift int32) bool {
	if !a.writes() || l.touched == nil {
		return true
	}
	if a.size%wordBytes != 0 {
		return false
	}
	words := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		words |= wordRange(uint64(int32(bits.TrailingZeros32(m))+shift)*uint64(a.size), uint64(a.size))
	}
	kept := l.touched.list[:0]
	for i := range l.touched.list {
		t := &l.touched.list[i]
		e := entry{unit: t.unit, mask: t.lanes, at: t.at, what: t.what}
		if t.words&words != 0 && !d.allPrecede(a, &e, &d.whats[t.what]) {
			l.touched.list = append(kept, l.touched.list[i:]...)
			return false
		}
		if t.words&words != 0 && d.standsFor(a, &e, &d.whats[t.what]) {
			t.words &^= words
		}
		if t.words != 0 {
			kept = append(kept, *t)
		}
	}
	l.touched.list = kept
	return true
}

// spreadTouches enters the touches of a line in the words' histories.
func (d *Detector) spreadTouches(l *line) {
	if l.touched == nil {
		return
	}
	for i := range l.touched.list {
		t := &l.touched.list[i]
		e, size := entry{unit: t.unit, mask: t.lanes, at: t.at, what: t.what}, min(int(d.whats[t.what].size), wordBytes)
		for m := t.words; m != 0; m &= m - 1 {
			d.spread(l.words, bits.TrailingZeros32(m)*wordBytes+int(t.from), size, &e, true)
		}
	}
	l.touched = nil
}
