// Memory pools that a program announces (NVTX, "Memory"): heaps and their regions, which are allocations for kernels and for
// reports of leaks.

package cuda

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// PoolEvent says what a program does with a pool.
type PoolEvent uint64

// Events, by the numbers of wire.h.
const (
	HeapBegins PoolEvent = iota
	HeapEnds
	HeapEmpty
	RegionBegins // or has another size
	RegionEnds
	PoolNamed // a heap, or a region
)

// heap is a heap of a process, and region one of its regions.
type heap struct {
	of         *allocation
	base, size uint64
	name       string
	regions    []*region // by address
}

type region struct {
	base, size uint64
	from       Path
}

// Pool records an event of a pool at an address.
func (p *Process) Pool(what PoolEvent, address, size uint64, name string, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.reserved != nil || size > a.size-(address-a.base) {
		return nil // not of the device, or freed before its heap
	}
	offset := address - a.base
	switch h := p.heapAt(address); {
	case what == HeapBegins:
		if h != nil || size == 0 || p.heapAt(address+size-1) != nil {
			return nil // a heap within a heap
		}
		p.memory.heaps = append(p.memory.heaps, &heap{of: a, base: address, size: size, name: name})
		return a.object.Divide(offset, size, name)
	case h == nil:
		return nil
	case what == HeapEnds || what == HeapEmpty:
		if h.base != address {
			return nil
		}
		h.regions = nil
		err := a.object.Undivide(offset)
		if what == HeapEmpty && err == nil {
			return a.object.Divide(offset, h.size, h.name)
		}
		p.memory.heaps = slices.DeleteFunc(p.memory.heaps, func(o *heap) bool { return o == h })
		return err
	case what == RegionBegins:
		if size == 0 || address+size > h.base+h.size {
			return nil
		}
		h.end(address, size)
		h.regions = append(h.regions, &region{address, size, in.Path})
		p.sites.announced(in.Path)
		return a.object.Region(offset, size, name)
	case what == RegionEnds:
		h.end(address, 1)
		return a.object.EndRegion(offset)
	}
	return a.object.NameRegion(offset, name)
}

// heapAt returns the heap that contains an address, nil for none.
func (p *Process) heapAt(address uint64) *heap {
	for _, h := range p.memory.heaps {
		if address-h.base < h.size {
			return h
		}
	}
	return nil
}

// end ends the regions that overlap a range.
func (h *heap) end(address, size uint64) {
	h.regions = slices.DeleteFunc(h.regions, func(r *region) bool { return r.base < address+size && address < r.base+r.size })
}

// forgetHeaps forgets those of an allocation that is freed.
func (m *memory) forgetHeaps(a *allocation) {
	m.heaps = slices.DeleteFunc(m.heaps, func(h *heap) bool { return h.of == a })
}

// unended returns the regions that exist, as allocations.
func (m *memory) unended() (list []*allocation) {
	for _, h := range m.heaps {
		for _, r := range h.regions {
			list = append(list, &allocation{base: r.base, size: r.size, from: r.from})
		}
	}
	return list
}

// announced records the call by which a program announces a region, for which code in the headers of NVTX stands.
func (s *callSites) announced(path Path) {
	if _, known := s.allocations[path]; known || s.allocations == nil || s.code == nil {
		return
	}
	call := report.Call{Function: "nvtxMemRegionsRegister"}
	for _, f := range usersFirst(s.code.Frames(path.addresses())) {
		if f.Line > 0 && !isDropIn(f.Object) && !strings.Contains(f.File, "/nvtx3/") {
			call.Source = &report.Source{File: f.File, Line: f.Line}
			break
		}
	}
	s.allocations[path] = &call
}

// leakOf returns the fault of an allocation that has not been freed, with the call that has allocated it if that is known.
func (p *Process) leakOf(a *allocation) *report.FaultEvent {
	f := &report.FaultEvent{Class: report.LeakClass, Address: report.Hex(a.base), Space: "global"}
	if call := p.sites.allocations[a.from]; call != nil && call.Function != "" {
		f.Call, f.Source = call, call.Source
	}
	return f
}
