// Memory without an address: CUmemGenericAllocationHandle of the driver API.

package cuda

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// physical is memory without an address, which exists while there are references to its handle, mappings or bindings.
type physical struct {
	handle     uint64
	size       uint64
	memory     *session.Handle
	references int
	mappings   []*handleMapping
	bindings   int          // to logical endpoints and multicast objects
	multicast  *multicast   // nil for memory
	device     order.Device // that has it
	properties []byte       // CUmemAllocationProp, for the application
	from       Path
}

// Create makes memory of a device without an address, and returns its handle.
func (p *Process) Create(size uint64, d order.Device, properties []byte, in In) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.exists(d); err != nil {
		return 0, err
	}
	if size == 0 || size%Granularity != 0 {
		return 0, errorf(InvalidValue, "a handle of %d bytes, which is not a multiple of %d", size, Granularity)
	}
	memory, err := p.session.NewHandle(fmt.Sprintf("handle %d", p.handles+1), size)
	if err != nil {
		return 0, errorf(OutOfMemory, "%v", err)
	}
	h := &physical{
		handle: p.handle(), size: size, memory: memory, references: 1, properties: slices.Clone(properties),
		from: in.Path, device: d,
	}
	p.memory.physical[h.handle] = h
	p.memory.total += size
	p.sites.allocated(in.Path)
	return h.handle, nil
}

// HandleProperties returns the properties with which a handle was made.
func (p *Process) HandleProperties(handle uint64) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, err := p.memory.ofHandle(handle)
	if err != nil {
		return nil, err
	}
	return h.properties, nil
}

// Release drops a reference to a handle.
func (p *Process) Release(handle uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, err := p.memory.ofHandle(handle)
	if err != nil {
		return err
	}
	h.references--
	return p.unused(h)
}

// unused frees the memory of a handle that nothing refers to any more.
func (p *Process) unused(h *physical) error {
	if h.references > 0 || len(h.mappings) > 0 || h.bindings > 0 {
		return nil
	}
	delete(p.memory.physical, h.handle)
	if h.multicast != nil {
		return p.unbound(h.multicast.bound)
	}
	p.memory.total -= h.size
	return p.session.EndHandle(h.memory)
}

// Retain adds a reference to the handle of the memory at an address, and returns the handle.
func (p *Process) Retain(address uint64) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.memory.mappedAt(address)
	if err != nil {
		return 0, err
	}
	m.of.references++
	return m.of.handle, nil
}

// Access returns the CUmemAccess_flags of a device for the memory at an address.
func (p *Process) Access(address uint64, d order.Device) (uint32, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.memory.mappedAt(address)
	if err != nil {
		return 0, err
	}
	if m.access&only(d) == 0 {
		return accessNone, nil
	}
	return accessReadWrite, nil
}

// unfreed returns the memory that has not been freed.
func (m *memory) unfreed() []*allocation {
	list := slices.DeleteFunc(slices.Clone(m.list), func(a *allocation) bool { return a.reserved != nil })
	for _, id := range slices.Sorted(maps.Keys(m.physical)) {
		h := m.physical[id]
		a := &allocation{size: h.size, from: h.from, device: h.device}
		if len(h.mappings) > 0 {
			a.base = h.mappings[0].base
		}
		list = append(list, a)
	}
	return list
}
