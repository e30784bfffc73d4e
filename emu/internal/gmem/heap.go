// Heaps of memory pools: parts of allocations that a program announces (NVTX, "Memory") and divides into regions. Kernels may
// access regions only.

package gmem

import (
	"cmp"
	"fmt"
	"slices"
)

// heap describes a part of an allocation that consists of regions.
type heap struct {
	span
	regions []span // by offset
	ended   []span // the latest ones, in the order of their ends
}

// span is a range of an allocation, with the name that the program has for it, "" for none.
type span struct {
	from, to uint64 // offsets
	name     string
}

func (s *span) has(off uint64) bool { return s.from <= off && off < s.to }

// mostEnded is the number of ended regions of a heap that messages know.
const mostEnded = 1 << 10

// at returns the index of the region that contains an offset, or of the next one.
func (h *heap) at(off uint64) (i int, in bool) {
	i, _ = slices.BinarySearchFunc(h.regions, off, func(s span, off uint64) int {
		if s.to <= off {
			return -1
		}
		return 1
	})
	return i, i < len(h.regions) && h.regions[i].has(off)
}

// divided returns the range around an offset of an allocation with heaps that kernels may access, and the heap that contains the
// offset, nil for none.
func (a *Allocation) divided(off uint64) (lo, hi uint64, in *heap) {
	hi = a.Size
	for _, h := range a.heaps {
		switch {
		case h.to <= off:
			lo = max(lo, h.to)
		case off < h.from:
			hi = min(hi, h.from)
		default:
			if i, ok := h.at(off); ok {
				return h.regions[i].from, h.regions[i].to, h
			}
			return off, off, h
		}
	}
	return lo, hi, nil
}

// outside says why n bytes of an allocation with heaps are in no region, and the kind of the violation; "" if they are in one.
func (a *Allocation) outside(off, n uint64) (why, kind string) {
	lo, hi, h := a.divided(off)
	if off-lo+n <= hi-lo {
		return "", ""
	}
	kind = "out-of-bounds"
	if h == nil {
		return fmt.Sprintf(" and reaches %d bytes into a heap beyond regions of it", off+n-hi), kind
	}
	i, in := h.at(off)
	last := slices.IndexFunc(h.ended, func(s span) bool { return s.has(off) })
	switch {
	case in:
		return fmt.Sprintf(", in %s of the heap%s, and reaches %d bytes beyond its end", h.regions[i].text(),
			quoted(h.name), off+n-hi), kind
	case last >= 0:
		return fmt.Sprintf(", in the former %s of the heap%s", h.ended[last].text(), quoted(h.name)), "use-after-free"
	case i > 0:
		return fmt.Sprintf(", %d bytes after %s of the heap%s", off-h.regions[i-1].to, h.regions[i-1].text(), quoted(h.name)), kind
	case i < len(h.regions):
		return fmt.Sprintf(", %d bytes before %s of the heap%s", h.regions[i].from-off, h.regions[i].text(), quoted(h.name)), kind
	}
	return fmt.Sprintf(", in the heap%s, which has no region", quoted(h.name)), kind
}

func (s *span) text() string {
	return fmt.Sprintf("region%s of size %d", cmp.Or(quoted(s.name), fmt.Sprintf(" at +0x%x", s.from)), s.to-s.from)
}

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" %q", name)
}

// Divide makes the n bytes at addr, which are in one allocation and in no heap, one without regions.
func (mm *Memory) Divide(addr, n uint64, name string) {
	a := mm.Find(addr)
	a.heaps = append(a.heaps, &heap{span: span{addr - a.Base, addr - a.Base + n, name}})
	mm.Forget()
}

// Undivide makes the heap at addr ordinary memory, if there is one.
func (mm *Memory) Undivide(addr uint64) {
	if a := mm.Find(addr); a != nil {
		a.heaps = slices.DeleteFunc(a.heaps, func(h *heap) bool { return h.from == addr-a.Base })
		mm.Forget()
	}
}

// heapAt returns the heap that contains an address, nil for none, and the offset in its allocation.
func (mm *Memory) heapAt(addr uint64) (h *heap, off uint64) {
	a := mm.Find(addr)
	if a == nil || a.Freed() {
		return nil, 0
	}
	off = addr - a.Base
	if i := slices.IndexFunc(a.heaps, func(h *heap) bool { return h.has(off) }); i >= 0 {
		h = a.heaps[i]
	}
	return h, off
}

// Region makes the n bytes at addr a region of the heap that they are in. Regions that they overlap end. It reports whether
// the bytes are in a heap.
func (mm *Memory) Region(addr, n uint64, name string) bool {
	h, from := mm.heapAt(addr)
	if h == nil || n == 0 || n > h.to-from {
		return false
	}
	end := func(s span) bool { return s.from < from+n && from < s.to }
	h.end(end)
	h.ended = slices.DeleteFunc(h.ended, func(s span) bool { return s.from >= from && s.to <= from+n })
	i, _ := h.at(from)
	h.regions = slices.Insert(h.regions, i, span{from, from + n, name})
	mm.Forget()
	return true
}

// EndRegion ends the region that begins at addr, and reports whether there is one.
func (mm *Memory) EndRegion(addr uint64) bool {
	h, from := mm.heapAt(addr)
	if h == nil {
		return false
	}
	before := len(h.regions)
	h.end(func(s span) bool { return s.from == from })
	mm.Forget()
	return len(h.regions) < before
}

// end ends regions.
func (h *heap) end(which func(span) bool) {
	h.regions = slices.DeleteFunc(h.regions, func(s span) bool {
		if !which(s) {
			return false
		}
		h.ended = append([]span{s}, h.ended[:min(len(h.ended), mostEnded-1)]...)
		return true
	})
}

// NameRegion names the region, or the heap, that begins at addr.
func (mm *Memory) NameRegion(addr uint64, name string) {
	h, from := mm.heapAt(addr)
	if h == nil {
		return
	}
	if i, in := h.at(from); in && h.regions[i].from == from {
		h.regions[i].name = name
	} else if h.from == from {
		h.name = name
	}
}
