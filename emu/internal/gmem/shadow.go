// Shadow memory: which bytes have been written.

package gmem

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/pages"
)

// Shadow records which bytes of an allocation, of a block's shared memory or of a warp's local memory have been
// written. A nil *Shadow means that every byte has been written.
type Shadow struct {
	written []uint64 // a bit for each byte
	size    uint64   // bytes of the memory
	missing uint64   // bytes that have not been written
	pages   []uint16 // for each page of pageBytes bytes, the number of written bytes
	widths  []uint8  // for each group of widthBytes bytes, the sizes of the stores that have written there (Store)
	rows    Rows
	blocks  []*pages.Block // of large tables: what is about memory that nobody has written is not touched
}

// pageBytes is the granularity of Shadow.Around.
const pageBytes = 4096

// NewShadow returns the shadow memory of n bytes, none of which have been written.
func NewShadow(n uint64) *Shadow {
	s := &Shadow{size: n, missing: n}
	s.written, s.pages = table[uint64](s, (n+63)/64), table[uint16](s, (n+pageBytes-1)/pageBytes)
	s.widths = table[uint8](s, n/widthBytes+1)
	return s
}

// table makes a table of n zeros for s.
func table[T uint64 | uint16 | uint8](s *Shadow, n uint64) []T {
	if size := n * uint64(unsafe.Sizeof(T(0))); size >= sparseFrom {
		if b, err := pages.New(size); err == nil {
			s.blocks = append(s.blocks, b)
			return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b.Bytes()))), n)
		}
	}
	return make([]T, n)
}

// Grow makes s the shadow memory of at least n bytes, a multiple of pageBytes. Further ones count as written.
func (s *Shadow) Grow(n uint64) {
	if n <= s.size {
		return
	}
	for range (n - s.size) / 64 {
		s.written = append(s.written, ^uint64(0))
	}
	for range (n - s.size) / pageBytes {
		s.pages = append(s.pages, pageBytes)
	}
	s.widths = append(s.widths, make([]uint8, (n-s.size)/widthBytes)...)
	s.size = n
}

// Complete reports whether all bytes have been written.
func (s *Shadow) Complete() bool { return s == nil || s.missing == 0 }

// Set marks n bytes from off on as written. It ignores bytes out of range.
func (s *Shadow) Set(off, n uint64) {
	for i, mask := range s.words(off, n) {
		s.mark(i, mask)
	}
}

// full reports whether all bytes of a page have been written.
func (s *Shadow) full(page uint64) bool {
	return uint64(s.pages[page]) == min(pageBytes, s.size-page*pageBytes)
}

// mark sets the bits of mask in s.written[i], and counts those that were clear as written.
func (s *Shadow) mark(i, mask uint64) {
	fresh := bits.OnesCount64(mask &^ s.written[i])
	s.missing -= uint64(fresh)
	s.pages[i*64/pageBytes] += uint16(fresh)
	s.written[i] |= mask
}

// Unset marks n bytes from off on as not written. It ignores bytes out of range.
func (s *Shadow) Unset(off, n uint64) {
	for i, mask := range s.words(off, n) {
		gone := bits.OnesCount64(mask & s.written[i])
		s.missing += uint64(gone)
		s.pages[i*64/pageBytes] -= uint16(gone)
		s.written[i] &^= mask
	}
}

// Reset marks all bytes as not written.
func (s *Shadow) Reset() {
	if s == nil {
		return
	}
	clear(s.written)
	clear(s.widths)
	clear(s.pages)
	s.missing = s.size
}

// maxAround is the number of pages that Around checks on either side.
const maxAround = 64

// Around returns a range [lo, hi) that contains the byte at off and in which every byte has been written. If the page
// of off has no unwritten byte, the range is of whole pages, at most maxAround to either side; otherwise it is of whole
// groups of 64 bytes in that page. It is empty if the group of off has unwritten bytes.
func (s *Shadow) Around(off uint64) (lo, hi uint64) {
	page := off / pageBytes
	if !s.full(page) {
		return s.aroundInPage(off, page)
	}
	first, end := page, page+1
	for first > 0 && page-first < maxAround && s.full(first-1) {
		first--
	}
	for end < uint64(len(s.pages)) && end-page <= maxAround && s.full(end) {
		end++
	}
	return first * pageBytes, min(end*pageBytes, s.size)
}

// aroundInPage is Around for a page with unwritten bytes.
func (s *Shadow) aroundInPage(off, page uint64) (lo, hi uint64) {
	const all, groups = ^uint64(0), pageBytes / 64
	at := off / 64
	if s.written[at] != all {
		return off, off
	}
	first, end := at, at+1
	for first > page*groups && s.written[first-1] == all {
		first--
	}
	for end < min((page+1)*groups, uint64(len(s.written))) && s.written[end] == all {
		end++
	}
	return first * 64, end * 64
}

// Widen returns a shadow of rows of to bytes each, where s has rows of from bytes each: the first from bytes of a row
// are as in s, the others are unwritten. The sizes from and to are multiples of 64.
func (s *Shadow) Widen(rows, from, to uint64) *Shadow {
	wide := NewShadow(rows * to)
	for i := range rows {
		for k, w := range s.written[i*from/64 : (i+1)*from/64] {
			wide.mark(i*to/64+uint64(k), w)
			wide.widths[(i*to+64*uint64(k))/widthBytes] |= s.widths[(i*from+64*uint64(k))/widthBytes]
		}
	}
	return wide
}

// words yields, for n bytes from off on, each index in s.written and the mask of their bits in that word.
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
