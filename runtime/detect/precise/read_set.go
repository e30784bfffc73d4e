// Read sets: weak reads of words that lanes access in no order.

package precise

import (
	"math/bits"
	"unsafe"
)

// Weak reads of scattered words, or of one word by many lanes, are kept as read sets, so that the line need not be split into
// words.

// readSet stands for reads by each of some lanes of each of some words of a line, or of the same part of each of these words. A
// diagonal one stands for reads of word i+shift by lane i alone.
type readSet struct {
	unit         unit
	lanes, words uint32 // lanes is unused in a diagonal one
	at           stamp
	class        uint32
	from         uint8 // offset of the part within each word
	shift        int8
	diagonal     bool
}

// readSets holds the read sets of a line. None is known to subsume another.
type readSets struct {
	list   []readSet
	latest [radix]uint16 // 1 + index in list of the set that a lane and instruction may extend
	next   int           // length at which to prune
}

// tryReadSet checks and records a weak read of words, or of a part of one, by the lanes in mask as a read set. It reports whether
// it could.
func (d *Detector) tryReadSet(a *access, l *line, addr uint64, mask uint32) bool {
	at := addr % lineBytes
	from, size := at%wordBytes, uint64(a.size)
	if a.strong || a.writes() || at+size > lineBytes || from+size > wordBytes && (from|size%wordBytes) != 0 {
		return false
	}
	t := d.readSetsOf(a, l, mask)
	if t == nil {
		return false
	}
	t.add(d, readSet{unit: a.unit, lanes: mask, words: wordRange(at, size), at: a.at, class: a.index, from: uint8(from)})
	return true
}

// readSetsOf returns the read sets of a line for weak reads by the lanes in mask, nil if such reads have to be compared with the
// line's entries.
func (d *Detector) readSetsOf(a *access, l *line, mask uint32) *readSets {
	h := &l.whole
	if a.unit != a.warp.unit || !d.lockSets.none() || l.isSplit() || h.more != nil && !h.more.readsOnly() || h.write.mask != 0 && !d.orderedFast(a, &h.write, mask, 0, false) {
		return nil
	}
	if l.readSets == nil {
		l.readSets = new(readSets)
		d.uses(unsafe.Sizeof(readSets{}))
	}
	return l.readSets
}

// tryStrided checks and records weak reads of the same part of each of consecutive words by lanes in mask, from the first on. It
// returns the lanes it has handled, 0 if they are few.
func (d *Detector) tryStrided(a *access, s *shadow, mask uint32) uint32 {
	first := bits.TrailingZeros32(mask)
	addr := &a.ev.Addr
	if a.strong || a.writes() || a.size >= wordBytes || addr[first]%wordBytes+uint64(a.size) > wordBytes {
		return 0
	}
	base, together := addr[first]-wordBytes*uint64(first), uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if addr[i] != base+wordBytes*uint64(i) {
			break
		}
		together |= 1 << i
	}
	if bits.OnesCount32(together) < fewLanes {
		return 0
	}
	d.eachLine(s, addr, together, wordBytes, func(l *line, _ uint64, here uint32, shift int32) {
		t := d.readSetsOf(a, l, here)
		if t == nil {
			d.eachWord(a, s, here)
			return
		}
		words := uint32(uint64(here) << radix >> (radix - shift))
		t.add(d, readSet{unit: a.unit, words: words, at: a.at, class: a.index, from: uint8(base % wordBytes), shift: int8(shift), diagonal: true})
	})
	return together
}

// wordRange returns the set of words that cover bytes bytes from offset from of the line.
func wordRange(from, bytes uint64) uint32 {
	return uint32((1<<((bytes+wordBytes-1)/wordBytes) - 1) << (from / wordBytes))
}

// nearby is the number of latest read sets that are tried for extension: lanes often read two words alternately.
const nearby = 2

func (t *readSets) add(d *Detector, x readSet) {
	n := len(t.list)
	latest := &t.latest[(uint32(bits.TrailingZeros32(x.lanes))+5*x.class)%radix]
	if i := int(*latest) - 1; i >= 0 && i < n && t.list[i].extended(&x) {
		return
	}
	for i := n - 1; i >= max(n-nearby, 0); i-- {
		if t.list[i].extended(&x) {
			return
		}
	}
	if cap(t.list) == 0 {
		t.list = make([]readSet, 0, 4)
	}
	t.list = append(t.list, x)
	d.uses(unsafe.Sizeof(x))
	*latest = uint16(min(n+1, 1<<16-1))
	if n+1 > max(t.next, 2*radix) {
		t.prune(d)
	}
}

// extended makes a read set include a later one of the same instruction, and reports whether it could: the later one has the same
// lanes or the same words.
func (t *readSet) extended(x *readSet) bool {
	if t.unit != x.unit || t.class != x.class || t.from != x.from || t.diagonal != x.diagonal || t.shift != x.shift {
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

// by returns the lanes that have read a word.
func (t *readSet) by(word int) uint32 {
	if t.diagonal {
		return 1 << (word - int(t.shift))
	}
	return t.lanes
}

// prune drops reads that later ones subsume.
func (t *readSets) prune(d *Detector) {
	n := len(t.list)
	d.subsumed.reset(n)
	kept := n
	for i := kept - 1; i >= 0; i-- {
		x := t.list[i]
		key := subsumptionKey{unit: x.unit, class: x.class, shift: int32(x.lanes), from: x.from, diagonal: x.diagonal}
		if x.diagonal {
			key.shift = int32(x.shift)
		}
		later := d.subsumed.of(key)
		x.words &^= *later
		*later |= x.words
		if x.words != 0 {
			kept--
			t.list[kept] = x
		}
	}
	t.list = t.list[:copy(t.list, t.list[kept:])]
	if t.next = 2 * len(t.list); 2*len(t.list) > n {
		t.next *= 2 // pruning found little
	}
	clear(t.latest[:])
}

// writeOverReadSets checks a write by consecutive lanes in mask against the read sets of a line, and drops the reads that it
// subsumes. It returns false if a read may not be ordered before the write, which then has to be compared in detail.
func (d *Detector) writeOverReadSets(a *access, l *line, mask uint32, shift int32) bool {
	if !a.writes() || l.readSets == nil {
		return true
	}
	if a.size%wordBytes != 0 {
		return false
	}
	words := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		words |= wordRange(uint64(int32(bits.TrailingZeros32(m))+shift)*uint64(a.size), uint64(a.size))
	}
	kept := l.readSets.list[:0]
	for i := range l.readSets.list {
		t := &l.readSets.list[i]
		e := entry{unit: t.unit, at: t.at, class: t.class}
		if t.words&words != 0 && !d.allPrecede(a, &e, &d.classes[t.class]) {
			l.readSets.list = append(kept, l.readSets.list[i:]...)
			return false
		}
		if t.words&words != 0 && d.subsumes(a, &e, &d.classes[t.class]) {
			t.words &^= words
		}
		if t.words != 0 {
			kept = append(kept, *t)
		}
	}
	l.readSets.list = kept
	clear(l.readSets.latest[:])
	return true
}

// splitReadSets moves the read sets of a line into the words' histories.
func (d *Detector) splitReadSets(l *line) {
	if l.readSets == nil {
		return
	}
	for i := range l.readSets.list {
		t := &l.readSets.list[i]
		e, size := entry{unit: t.unit, at: t.at, class: t.class}, min(int(d.classes[t.class].size), wordBytes)
		for m := t.words; m != 0; m &= m - 1 {
			e.mask = t.by(bits.TrailingZeros32(m))
			d.spread(l.words, bits.TrailingZeros32(m)*wordBytes+int(t.from), size, &e, true)
		}
	}
	l.readSets = nil
}
