// Unwritten bytes: which of them are like padding, how they are copied, and what the host has written of shared memory.

package gmem

import (
	"fmt"
	"math/bits"
)

// Padding. Structures have bytes that no member occupies, and rows of pitched memory have bytes behind their last
// element. Programs copy both with the rest and do not use them. Such bytes of a structure lie before a member of A
// bytes, at a multiple of A, or at the end of the structure, whose size is a multiple of the largest A; there are fewer
// than A of them. Unwritten bytes like these, near which values of A bytes have been stored, count as padding. In an
// array of elements of one size there are none.

// maxPadding is the limit on the bytes of padding of a structure: the largest alignment of a type of CUDA C++ is 16.
const maxPadding = 16

// widthBytes is the number of bytes for which Shadow.widths has an entry.
const widthBytes = 512

// Rows describes pitched memory: rows of Width bytes, Pitch bytes apart. The bytes between them are padding.
type Rows struct{ Width, Pitch uint64 }

// Between reports whether the byte at an offset is between rows.
func (r Rows) Between(off uint64) bool { return r.Pitch > 0 && off%r.Pitch >= r.Width }

// Holes is a set of unwritten bytes among up to 64, a bit for each: all of them, and those that are like padding.
type Holes struct{ All, Padding uint64 }

// Count returns the number of unwritten bytes.
func (h Holes) Count() int { return bits.OnesCount64(h.All) }

// Store marks n bytes from off on as written by one store, of scalars or a vector.
func (s *Shadow) Store(off, n uint64) {
	if s == nil || off >= s.size {
		return
	}
	s.Set(off, n)
	s.widths[off/widthBytes] |= 1 << (bits.Len64(n) - 1)
}

// StoreBut is Store without the bytes of a mask, which become unwritten: the stored value has undefined bytes.
func (s *Shadow) StoreBut(off, n, undefined uint64) {
	s.Store(off, n)
	s.unset(off, undefined)
}

// unset marks the bytes of a mask, for 64 from off on, as unwritten.
func (s *Shadow) unset(off, mask uint64) {
	for ; mask != 0; mask &= mask - 1 {
		s.Unset(off+uint64(bits.TrailingZeros64(mask)), 1)
	}
}

// Holes returns the unwritten bytes among n, at most 64, from off on.
func (s *Shadow) Holes(off, n uint64) Holes {
	if s.Complete() || off >= s.size {
		return Holes{}
	}
	return s.holes(off, n, s.size)
}

// holes is Holes if a structure may end at end.
func (s *Shadow) holes(off, n, end uint64) (h Holes) {
	h.All = ^s.window(off) & (^uint64(0) >> (64 - min(n, s.size-off)))
	for rest := h.All; rest != 0; {
		first := bits.TrailingZeros64(rest)
		length := bits.TrailingZeros64(^(rest >> first))
		run := ^uint64(0) >> (64 - length) << first
		if s.padding(off+uint64(first), uint64(length), end) {
			h.Padding |= run
		}
		rest &^= run
	}
	if s.rows.Pitch > 0 {
		for rest := h.All; rest != 0; rest &= rest - 1 {
			if i := bits.TrailingZeros64(rest); s.rows.Between(off + uint64(i)) {
				h.Padding |= 1 << i
			}
		}
	}
	return h
}

// Between reports whether n bytes from off on are all between the rows of pitched memory.
func (s *Shadow) Between(off, n uint64) bool { return s.rows.Between(off) && s.rows.Between(off+n-1) }

// window returns which of the 64 bytes from off on have been written, a bit for each.
func (s *Shadow) window(off uint64) uint64 {
	at, shift := off/64, off%64
	w := s.written[at] >> shift
	if shift > 0 && at+1 < uint64(len(s.written)) {
		w |= s.written[at+1] << (64 - shift)
	}
	return w
}

// padding reports whether the unwritten bytes around n of them from off on, before end, are like the padding of a
// structure.
func (s *Shadow) padding(off, n, end uint64) bool {
	from, to := off, off+n
	for from > 0 && to-from < maxPadding && !s.has(from-1) {
		from--
	}
	for to < end && to-from < maxPadding && !s.has(to) {
		to++
	}
	if from == 0 || to-from >= maxPadding {
		return false
	}
	near := s.widths[(to-1)/widthBytes] | s.widths[to/widthBytes]
	for log := range 5 { // of the sizes up to maxPadding
		if size := uint64(1) << log; size > to-from && to%size == 0 && near>>log != 0 {
			return true
		}
	}
	return false
}

// has reports whether the byte at off has been written.
func (s *Shadow) has(off uint64) bool { return s.written[off/64]>>(off%64)&1 != 0 }

// Unwritten returns how many of n bytes from off on are unwritten and not like padding, and the offset of the first.
// What follows the bytes does not matter: a structure may end with them.
func (s *Shadow) Unwritten(off, n uint64) (first, count uint64) {
	if s.Complete() {
		return 0, 0
	}
	for end := min(off+n, s.size); off < end; off += 64 {
		if off%pageBytes == 0 && end-off >= pageBytes && s.full(off/pageBytes) {
			off += pageBytes - 64
			continue
		}
		h := s.holes(off, min(64, end-off), end)
		if h.All &^= h.Padding; h.All != 0 && count == 0 {
			first = off + uint64(bits.TrailingZeros64(h.All))
		}
		count += uint64(h.Count())
	}
	return first, count
}

// Copy makes n bytes from off on as written as those of another shadow from fromOff on, with what is known of their
// sizes. That shadow may be nil, or s itself.
func (s *Shadow) Copy(off uint64, from *Shadow, fromOff, n uint64) {
	if from.Complete() {
		s.Set(off, n)
		return
	}
	const step = 64
	for done := uint64(0); done < n; done += step {
		at, k := done, min(step, n-done)
		if s == from && off > fromOff { // from the end
			at = n - done - k
		}
		holes := from.Holes(fromOff+at, k)
		s.Set(off+at, k)
		s.unset(off+at, holes.All)
		s.widths[(off+at)/widthBytes] |= from.widths[(fromOff+at)/widthBytes]
	}
}

// Shared memory. The host writes it by itself, so its unwritten bytes have a pattern: what differs from it has been
// written. Of random numbers, one byte in 256 is like its place in the pattern. So all bytes of a word count as written
// if one of them has changed, except at the ends of what has been written: there, bytes as in the pattern are
// unwritten, unless the page has other bytes with values of the pattern.

// pattern is the contents of unwritten shared memory, by the lowest bits of the address. Small numbers, text and simple
// fractions have other bytes.
var pattern = [8]byte{0xb5, 0xe9, 0xd3, 0xa7, 0xe3, 0x97, 0xf1, 0x8d}

// ofPattern has the values of the pattern.
var ofPattern = func() (is [256]bool) {
	for _, v := range pattern {
		is[v] = true
	}
	return is
}()

// wordBytes is the size of the words in which the writes of the host are recognised.
const wordBytes = 4

// SetUnwritten marks all bytes of the allocation at addr as unwritten.
func (mm *Memory) SetUnwritten(addr uint64) error {
	a := mm.Find(addr)
	if a == nil || a.Freed() {
		return fmt.Errorf("0x%x %s", addr, mm.Where(addr, 1))
	}
	rows := Rows{}
	if a.Shadow != nil {
		rows = a.Shadow.rows
	}
	a.Shadow = NewShadow(a.Size)
	a.Shadow.rows = rows
	if mm.arenaOf(addr) == &mm.shared {
		a.patterned = true
		for i := range a.Data {
			a.Data[i] = pattern[i%len(pattern)]
		}
	}
	mm.Forget()
	return nil
}

// SetRows says that the allocation at addr is pitched memory.
func (mm *Memory) SetRows(addr uint64, r Rows) {
	if a := mm.Find(addr); a != nil && a.Shadow != nil {
		a.Shadow.rows = r
	}
}

// State returns the shadow memory of n bytes of an allocation from off on, after a look at what the host has written
// there; nil if all bytes are written.
func (a *Allocation) State(off, n uint64) *Shadow {
	if a.Shadow.Complete() {
		return nil
	}
	if a.patterned && (n > 64 || a.Shadow.Holes(off, n).All != 0) {
		for page := off / pageBytes; page*pageBytes < off+n; page++ {
			if !a.Shadow.full(page) {
				a.settle(page * pageBytes)
			}
		}
	}
	return a.Shadow
}

// settle marks the bytes of a page as written that the host has written. Words of eight bytes count as evidence of
// padding between others: what the members are is not known.
func (a *Allocation) settle(page uint64) {
	end := min(page+pageBytes, a.Size)
	exact := true
	for i := page; i < end; i++ {
		if b := a.Data[i]; ofPattern[b] && b != pattern[i%8] {
			exact = false
			break
		}
	}
	for off := page; off < end; off += wordBytes {
		from, to := off, min(off+wordBytes, end)
		if a.asPattern(from, to) {
			continue
		}
		if exact {
			for a.Data[from] == pattern[from%8] && a.untouched(from-from%wordBytes-wordBytes) {
				from++
			}
			for a.Data[to-1] == pattern[(to-1)%8] && a.untouched(off+wordBytes) {
				to--
			}
		}
		a.Shadow.Set(from, to-from)
		if group := off &^ 7; group+8 <= a.Size && a.Shadow.Holes(group, 8).All == 0 {
			a.Shadow.widths[off/widthBytes] |= 8
		}
	}
}

// asPattern reports whether bytes of shared memory are as in the pattern.
func (a *Allocation) asPattern(from, to uint64) bool {
	for i := from; i < to; i++ {
		if a.Data[i] != pattern[i%8] {
			return false
		}
	}
	return true
}

// untouched reports whether the word at an offset is unwritten, or outside of the allocation.
func (a *Allocation) untouched(off uint64) bool {
	if off >= a.Size {
		return true
	}
	n := min(wordBytes, a.Size-off)
	return a.Shadow.Holes(off, n).Count() == int(n) && a.asPattern(off, off+n)
}

// Unwritten returns how many of n bytes at addr are unwritten and not like padding, and the address of the first.
func (mm *Memory) Unwritten(addr, n uint64) (first, count uint64) {
	a := mm.Find(addr)
	if a == nil || a.Freed() || !a.contains(addr, n) {
		return 0, 0
	}
	off := addr - a.Base
	first, count = a.State(off, n).Unwritten(off, n)
	return a.Base + first, count
}

// CopyState makes n bytes at address to as written as those at from.
func (mm *Memory) CopyState(to, from, n uint64) {
	a, b := mm.Find(to), mm.Find(from)
	if a == nil || b == nil || a.Freed() || b.Freed() || n == 0 {
		return
	}
	source := b.State(from-b.Base, n)
	if source == nil {
		a.Shadow.Set(to-a.Base, n)
		return
	}
	mm.Tracked(a).Copy(to-a.Base, source, from-b.Base, n)
	mm.Forget()
}

// Tracked returns the shadow memory of an allocation, in which bytes are about to become unwritten. It makes one if all
// bytes count as written.
func (mm *Memory) Tracked(a *Allocation) *Shadow {
	if a.Shadow == nil {
		a.Shadow = NewShadow(a.Size)
		a.Shadow.Set(0, a.Size)
	}
	return a.Shadow
}
