// Shadows: which bytes have been written.

package gmem

import "math/bits"

// Shadow says which bytes of some memory have been written. A nil shadow stands for memory all of
// whose bytes have been.
type Shadow struct {
	written []uint64 // a bit for each byte
	size    uint64   // bytes of the memory
	missing uint64   // bytes that have not been written
	pages   []uint16 // the same of each page of pageBytes bytes
}

// pageBytes is how many bytes Shadow.Around looks at together.
const pageBytes = 4096

// NewShadow is the shadow of n bytes, none of which have been written.
func NewShadow(n uint64) *Shadow {
	s := &Shadow{written: make([]uint64, (n+63)/64), size: n, pages: make([]uint16, (n+pageBytes-1)/pageBytes)}
	s.Reset()
	return s
}

// Complete reports whether all bytes have been written.
func (s *Shadow) Complete() bool { return s == nil || s.missing == 0 }

// Set marks n bytes from off on as written. What is outside is ignored.
func (s *Shadow) Set(off, n uint64) {
	for i, mask := range s.words(off, n) {
		s.mark(i, mask)
	}
}

// mark marks bytes whose bits are in word i.
func (s *Shadow) mark(i, mask uint64) {
	fresh := bits.OnesCount64(mask &^ s.written[i])
	s.missing -= uint64(fresh)
	s.pages[i*64/pageBytes] -= uint16(fresh)
	s.written[i] |= mask
}

// Unset makes n bytes from off on count as never written. What is outside is ignored.
func (s *Shadow) Unset(off, n uint64) {
	for i, mask := range s.words(off, n) {
		gone := bits.OnesCount64(mask & s.written[i])
		s.missing += uint64(gone)
		s.pages[i*64/pageBytes] += uint16(gone)
		s.written[i] &^= mask
	}
}

// Reset makes all bytes count as never written.
func (s *Shadow) Reset() {
	if s == nil {
		return
	}
	clear(s.written)
	s.missing = s.size
	for i := range s.pages {
		s.pages[i] = uint16(min(pageBytes, s.size-uint64(i)*pageBytes))
	}
}

// Missing is how many of the n bytes from off on have not been written.
func (s *Shadow) Missing(off, n uint64) int {
	count := 0
	for i, mask := range s.words(off, n) {
		count += bits.OnesCount64(mask &^ s.written[i])
	}
	return count
}

// maxAround is how many pages Around looks at on either side.
const maxAround = 64

// Around returns a range of bytes, from lo up to hi, that have all been written and that the byte at off
// is one of: as a rule not the largest one. It is empty when a byte of that one's page has not been written.
func (s *Shadow) Around(off uint64) (lo, hi uint64) {
	page := off / pageBytes
	if s.pages[page] != 0 {
		return off, off
	}
	first, end := page, page+1
	for first > 0 && page-first < maxAround && s.pages[first-1] == 0 {
		first--
	}
	for end < uint64(len(s.pages)) && end-page <= maxAround && s.pages[end] == 0 {
		end++
	}
	return first * pageBytes, min(end*pageBytes, s.size)
}

// Widen returns the shadow of memory in rows of to bytes, each of which begins with a row of from
// bytes of s. Both are multiples of 64.
func (s *Shadow) Widen(rows, from, to uint64) *Shadow {
	wide := NewShadow(rows * to)
	for i := range rows {
		for k, w := range s.written[i*from/64 : (i+1)*from/64] {
			wide.mark(i*to/64+uint64(k), w)
		}
	}
	return wide
}

// words are the indices of the words of bits that n bytes from off on have, and which bits in each are theirs.
func (s *Shadow) words(off, n uint64) func(yield func(uint64, uint64) bool) {
	return func(yield func(uint64, uint64) bool) {
		if s == nil || off >= s.size {
			return
		}
		for end := off + min(n, s.size-off); off < end; {
			k := min(64-off&63, end-off)
			if !yield(off>>6, ^uint64(0)>>(64-k)<<(off&63)) {
				return
			}
			off += k
		}
	}
}
