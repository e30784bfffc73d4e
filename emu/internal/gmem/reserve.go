// Reserved address ranges, and the memory that an application maps into them and unmaps (CUDA Driver API, "Virtual
// Memory Management").

package gmem

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/pages"
)

// Handle is memory without an address: cuMemCreate. Parts of it are mapped in reserved ranges, each in one place at a
// time.
type Handle struct {
	size   uint64
	block  *pages.Block // contents of what is not mapped; nil for zeros
	shadow *Shadow      // of the same; nil for memory that nothing has written
}

// reservation is the state of a reserved range.
type reservation struct {
	parts []part // with memory, by address
}

// part is a part of a reserved range that has memory.
type part struct {
	from, to  uint64     // offsets
	devices   Devices    // that may access it (cuMemSetAccess)
	multicast *Multicast // the object that is mapped here; nil: memory is mapped
	first     uint64     // offset in multicast of the part's first byte
}

// accessible reports whether the part may be accessed as memory. may says whether the accessing device is in a set.
func (p *part) accessible(may func(Devices) bool) bool {
	return may(p.devices) && p.devices != 0 && p.multicast == nil
}

// anyone admits all sets of devices: the host may access memory that any device may access.
func anyone(Devices) bool { return true }

// at returns the index of the part that contains an offset, or of the next one.
func (r *reservation) at(off uint64) (i int, in bool) {
	i, _ = slices.BinarySearchFunc(r.parts, off, func(p part, off uint64) int {
		if p.to <= off {
			return -1
		}
		return 1
	})
	return i, i < len(r.parts) && r.parts[i].from <= off
}

// around returns the range of accessible bytes around an offset, empty if that one is not accessible.
func (r *reservation) around(off uint64, may func(Devices) bool) (lo, hi uint64) {
	i, in := r.at(off)
	if !in || !r.parts[i].accessible(may) {
		return off, off
	}
	lo, hi = r.parts[i].from, r.parts[i].to
	for k := i - 1; k >= 0 && r.parts[k].accessible(may) && r.parts[k].to == lo; k-- {
		lo = r.parts[k].from
	}
	for _, p := range r.parts[i+1:] {
		if !p.accessible(may) || p.from != hi {
			break
		}
		hi = p.to
	}
	return lo, hi
}

// around returns the range of bytes of an allocation that can be accessed together with the one at an offset.
func (a *Allocation) around(off uint64, may func(Devices) bool) (lo, hi uint64) {
	switch {
	case a.reserved != nil:
		return a.reserved.around(off, may)
	case len(a.heaps) > 0:
		lo, hi, _ = a.divided(off)
		return lo, hi
	}
	return 0, a.Size
}

// Extent returns the number of bytes up to the last one that can have been written.
func (a *Allocation) Extent() uint64 {
	switch {
	case a.reserved == nil:
		return a.Size
	case len(a.reserved.parts) == 0:
		return 0
	}
	return a.reserved.parts[len(a.reserved.parts)-1].to
}

// inaccessible says why the running launch cannot access n bytes of an allocation though they are in it, "" if it can.
func (mm *Memory) inaccessible(a *Allocation, off, n uint64) string {
	if why := mm.foreign(a); why != "" {
		return why
	}
	return a.unmapped(off, n, mm.may, mm.runningDevice())
}

// unmapped says why n bytes in a reserved range cannot be accessed, "" if they can. may says whether the accessing
// device, who, is in a set; who is "" in a program with a single device.
func (a *Allocation) unmapped(off, n uint64, may func(Devices) bool, who string) string {
	if a.reserved == nil || a.Freed() {
		return ""
	}
	lo, hi := a.reserved.around(off, may)
	if off-lo+n <= hi-lo {
		return ""
	}
	i, in := a.reserved.at(max(off, hi))
	switch {
	case in && a.reserved.parts[i].multicast != nil:
		return ", where a multicast object is mapped, whose memory only multimem accesses"
	case in && who != "":
		return fmt.Sprintf(", where memory is mapped to which %s has no access (cuMemSetAccess)", who)
	case in:
		return ", where the mapped memory has no access (cuMemSetAccess)"
	}
	return ", where no memory is mapped (cuMemMap)"
}

// Reserve reserves a range of addresses without memory. It does not count for the limit of memory.
func (mm *Memory) Reserve(name string, size uint64, align uint32) (*Allocation, error) {
	return mm.place(&mm.user, &Allocation{Name: name, Size: size, reserved: &reservation{}}, max(align, allocAlign))
}

// NewHandle makes memory without an address.
func (mm *Memory) NewHandle(name string, size uint64) (*Handle, error) {
	if err := mm.admit(&mm.user, &Allocation{Name: name, Size: size}); err != nil {
		return nil, err
	}
	mm.user.used += size
	return &Handle{size: size}, nil
}

// EndHandle frees the memory of a handle, which must not be mapped.
func (mm *Memory) EndHandle(h *Handle) { mm.user.used -= h.size }

// Map gives n bytes of a handle from byte first on the address addr in a reserved range, where there must be no memory.
// They may not be accessed yet. If track is set, what has been written of them is known.
func (mm *Memory) Map(addr uint64, h *Handle, first, n uint64, track bool) {
	a := mm.Find(addr)
	from := addr - a.Base
	i, _ := a.reserved.at(from)
	a.reserved.parts = slices.Insert(a.reserved.parts, i, part{from: from, to: from + n})
	if h.block != nil {
		copyWritten(a.Data[from:from+n], h.block.Bytes()[first:first+n])
		h.block.ClearRange(first, n)
	}
	if track {
		a.Shadow.Grow(from + n)
		if h.shadow == nil {
			a.Shadow.Unset(from, n)
		} else {
			a.Shadow.Copy(from, h.shadow, first, n)
		}
	}
	mm.Forget()
}

// Unmap takes the n bytes at addr, which Map has mapped together, back from a reserved range, and keeps their contents
// in the handle unless that is nil.
func (mm *Memory) Unmap(addr, n uint64, h *Handle, first uint64) error {
	a := mm.Find(addr)
	from := addr - a.Base
	i, _ := a.reserved.at(from)
	a.reserved.parts = slices.Delete(a.reserved.parts, i, i+1)
	mm.Forget()
	defer a.block.ClearRange(from, n)
	if h == nil {
		return nil
	}
	if h.block == nil {
		block, err := pages.New(h.size)
		if err != nil {
			return err
		}
		h.block = block
	}
	copyWritten(h.block.Bytes()[first:first+n], a.Data[from:from+n])
	if a.Shadow != nil {
		if h.shadow == nil {
			h.shadow = NewShadow(h.size)
		}
		h.shadow.Copy(first, a.Shadow, from, n)
	}
	return nil
}

// Allow says which devices may access the n mapped bytes at addr, one or several parts.
func (mm *Memory) Allow(addr, n uint64, devices Devices) {
	a := mm.Find(addr)
	for i := range a.reserved.parts {
		if p := &a.reserved.parts[i]; p.from-(addr-a.Base) < n {
			p.devices = devices
		}
	}
	mm.Forget()
}

// copyWritten copies to zeroed memory. Pages of zeros are not touched there.
func copyWritten(to, from []byte) {
	var zeros [pageBytes]byte
	for len(from) > 0 {
		n := min(len(from), pageBytes)
		if !bytes.Equal(from[:n], zeros[:n]) {
			copy(to, from[:n])
		}
		to, from = to[n:], from[n:]
	}
}
