// Parts of a split line: words that have been accessed alike share a history.

package shadow

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
)

// Copies, matrix operations and vectors access several words at once, most of them the same words again and again. So
// consecutive words of a line, a part of it, share a history until an access has only some of them, and again once the
// latest accesses of all of them are the same. A word that is split into bytes is a part by itself.

// The lanes of a vector or matrix operation access elements side by side. Their entry in the history of a part has the
// lane of each element, as in the history of a line, and is divided with the part.

// MaxElement is the greatest size in bytes of the elements of a row.
const MaxElement = 16

// rowOfPart marks an entry in the history of a part each of whose lanes accesses another element: its shift is the shift
// in the line and rowOfPart. An entry each of whose lanes accesses the whole part has shift 0.
const rowOfPart = 1 << 16

// RowOf returns the shift of an entry in the history of a part: lane i accesses element i+shift of the line.
func RowOf(lanes uint32, shift int32) int32 {
	if lanes&(lanes-1) == 0 {
		return 0
	}
	return rowOfPart + shift
}

// LaneRange returns the lanes from lo to hi-1.
func LaneRange(lo, hi int64) uint32 {
	lo, hi = min(max(lo, 0), radix), min(max(hi, 0), radix)
	return uint32(1<<hi - 1<<lo)
}

// Parts holds the histories of a split line.
type Parts struct {
	begins uint32             // the first words of the parts, a bit for each
	words  [lineWords]History // of each part, at its first word
}

// everyWord has each word be a part.
const everyWord = ^uint32(0)

// Of returns the history of a word, and the number of words from it on that share the history.
func (p *Parts) Of(word int) (h *History, words int) {
	rest := p.begins >> word >> 1
	words = min(bits.TrailingZeros32(rest)+1, lineWords-word)
	return &p.words[bits.Len32(p.begins&(2<<word-1))-1], words
}

// isWord reports whether a word is a part by itself.
func (p *Parts) isWord(word int) bool {
	return p.begins>>word&1 != 0 && (p.begins>>word>>1&1 != 0 || word == lineWords-1)
}

// Part returns the history of a part that begins with a word and has at most that many words, and the number of its
// words.
func (d *Record) Part(p *Parts, word, most int) (*History, int) {
	if p.isWord(word) {
		return &p.words[word], 1
	}
	d.cut(p, word)
	h, n := p.Of(word)
	if n > most {
		d.cut(p, word+most)
		n = most
	}
	return h, n
}

// Each calls f for the history of each word from first on, that of words which share it once.
func (p *Parts) Each(first, words int, f func(h *History)) {
	for end := min(first+words, lineWords); first < end; {
		h, n := p.Of(first)
		f(h)
		first += n
	}
}

// cut has a part begin with a word.
func (d *Record) cut(p *Parts, word int) {
	if p.begins>>word&1 != 0 {
		return
	}
	h, words := p.Of(word)
	h.copyTo(d, &p.words[word])
	p.begins |= 1 << word
	h.Each(func(e *accesses.Entry, _ bool) { d.limit(e, 0, word) })
	p.words[word].Each(func(e *accesses.Entry, _ bool) { d.limit(e, word, word+words) })
}

// limit limits an entry in the history of a part to the lanes that access the words from first to end-1.
func (d *Record) limit(e *accesses.Entry, first, end int) {
	if e.Shift == 0 {
		return
	}
	words, shift := int(d.Classes.List[e.Class].Size/wordBytes), int(e.Shift)-rowOfPart
	e.Mask &= LaneRange(int64(first/words-shift), int64((end+words-1)/words-shift))
	e.Shift = RowOf(e.Mask, int32(shift))
}

// JoinWords makes the parts of size bytes of a split line one where their histories are the same.
func (d *Record) JoinWords(l *Line, addr, size uint64) {
	if addr%wordBytes == 0 {
		d.join(l.Words, int(addr%lineBytes/wordBytes), int(size/wordBytes))
	}
}

// join makes neighbouring parts one where their histories are the same: of a number of words, the first of which begins
// a part.
func (d *Record) join(p *Parts, first, words int) {
	if !d.Tuning.Takes(options.SharedHistories) {
		return
	}
	last := first
	for m := p.begins & (1<<(first+words) - 1) &^ (2<<first - 1); m != 0; m &= m - 1 {
		w := bits.TrailingZeros32(m)
		if p.words[last].equals(&p.words[w]) {
			p.begins &^= 1 << w
		} else {
			last = w
		}
	}
}

// equals reports whether two histories hold the same accesses, at most one write and one read.
func (h *History) equals(o *History) bool {
	return h.Write.Equals(&o.Write) && h.Read.Equals(&o.Read) && h.More.isEmpty() && o.More.isEmpty()
}

// isEmpty reports whether there are no further entries. The number of races does not matter.
func (m *more) isEmpty() bool {
	return m == nil || m.Bytes == nil && len(m.Writes.Entries) == 0 && len(m.Reads.Entries) == 0
}

// copyTo makes another history, of words, one with the same accesses.
func (h *History) copyTo(d *Record, to *History) {
	to.Write, to.Read = h.Write, h.Read
	switch {
	case to.More == nil && h.More.isEmpty():
		return
	case to.More == nil:
		to.More = new(more)
		d.Used.Add(unsafe.Sizeof(more{}))
	}
	kept, from := to.More, h.More
	if from == nil {
		from = new(more)
	}
	*to.More = more{
		Writes: from.Writes.copied(d, kept.Writes.Entries), Reads: from.Reads.copied(d, kept.Reads.Entries),
		Raced: from.Raced, RacedElements: from.RacedElements,
	}
}

// copied returns a log with the same entries, in a list that is not used any more. It has no tally yet.
func (l *Log) copied(d *Record, list []accesses.Entry) Log {
	out := *l
	out.Tally, out.Preceding = nil, nil
	out.Entries = slices.Grow(list[:0], len(l.Entries))
	d.Used.Add(uintptr(cap(out.Entries)-cap(list)) * unsafe.Sizeof(accesses.Entry{}))
	out.Entries = append(out.Entries, l.Entries...)
	return out
}
