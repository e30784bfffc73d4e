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

// Part returns the history of a part that begins with a word and has at most that many words, and the number of its
// words.
func (d *Record) Part(p *Parts, word, most int) (*History, int) {
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
	if p.begins>>word&1 == 0 {
		h, _ := p.Of(word)
		h.copyTo(d, &p.words[word])
		p.begins |= 1 << word
	}
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

// isEmpty reports whether there are no further entries.
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
