// What fast paths ask of histories.

package shadow

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
)

// Limits of crowded places.
const (
	CrowdedAt  = 1 << 12 // races at one location
	CrowdKept  = 8       // accesses by each instruction that are kept at a crowded location
	CrowdLimit = 16      // length at which a log of a crowded location is pruned
)

// FewLanes is the least number of consecutive lanes whose accesses the history of a line holds.
const FewLanes = 3

// IsCrowded reports whether a location has had many races.
func (h *History) IsCrowded() bool { return h.More != nil && h.More.Raced >= CrowdedAt }

// ReadsOnly reports whether the further entries are all reads.
func (m *more) ReadsOnly() bool { return m.Bytes == nil && len(m.Writes.Entries) == 0 }

// AllOf reports whether all further entries are writes that are morally strong with accesses whose class has that code.
func (m *more) AllOf(code uint32) bool {
	return m.Bytes == nil && len(m.Reads.Entries) == 0 && (len(m.Writes.Entries) == 0 || m.Writes.Same == code)
}

// OwnHistory returns the history of size bytes of a split line, nil if they have none of their own.
func (l *Line) OwnHistory(addr, size uint64) *History {
	if l.Words == nil || l.cells != nil && (size > wordBytes || l.HasCell(addr)) {
		return nil
	}
	word := int(addr % lineBytes / wordBytes)
	if !l.Words.isWord(word) {
		if h, words := l.Words.Of(word); l.Words.begins>>word&1 != 0 && size == uint64(words)*wordBytes {
			return h
		}
		return nil
	}
	switch h := &l.Words.words[word]; {
	case h.More == nil || h.More.Bytes == nil:
		if size == wordBytes {
			return h
		}
	case size == 1:
		return &h.More.Bytes[addr%wordBytes]
	}
	return nil
}

// Whether a row of a line races with an access depends, as in a tally, on the block, the access class and the time of
// the row. So it is decided once for each block and class, and what is left is to count the elements that both rows
// have. Rows that may be ordered before the access are compared one by one, and so are those of its own threads.
//
// A list of rows takes less memory and time than lists for each of 32 words. So many rows stay rows as long as accesses
// race with most of them.

// Numbers of rows of writes in a line.
const (
	MaxRows  = 32  // from which on each word has a history of its own, unless the latest write raced with most rows
	mostRows = 512 // from which on it has one in any case
)

// HasRoomForRow reports whether a line keeps the row of an access, and does not give each word a history of its own. A
// line with many rows of writes has no reads.
func (h *History) HasRoomForRow(a *causality.Access) bool {
	switch n := h.Logs(false).Size(); {
	case n < MaxRows:
		return true
	case !a.Writes():
		return n == MaxRows
	default:
		return n < mostRows && h.More.Writes.Racing && h.Read.Mask == 0
	}
}
