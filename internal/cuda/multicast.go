// Multicast objects (CUDA Driver API, "Multicast Object Management"): handles whose addresses stand for memory of
// several devices, which multimem accesses.

package cuda

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
)

// multicast is what a multicast object has besides its handle.
type multicast struct {
	added  []order.Device
	bound  []*binding
	object emu.Multicast
}

// CreateMulticast makes a multicast object for a number of devices, and returns its handle.
func (p *Process) CreateMulticast(size, devices uint64, in In) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.target.Major < multicastTarget:
		return 0, errorf(NotSupported, "multicast objects need an sm_%d0 device", multicastTarget)
	case size == 0 || size%Granularity != 0:
		return 0, errorf(InvalidValue, "a multicast object of %d bytes, which is not a multiple of %d", size,
			Granularity)
	case devices == 0 || devices > uint64(p.Devices()):
		return 0, errorf(InvalidValue, "a multicast object for %d devices, of %d", devices, p.Devices())
	}
	h := &physical{
		handle: p.handle(), size: size, references: 1, from: in.Path,
		multicast: &multicast{object: emu.Multicast{Size: size, Devices: int(devices)}},
	}
	p.memory.physical[h.handle] = h
	return h.handle, nil
}

// multicastTarget is the first architecture with multicast objects (PTX ISA, "multimem").
const multicastTarget = 9

// multicastOf returns the multicast object of a handle.
func (m *memory) multicastOf(handle uint64) (*physical, error) {
	h, err := m.ofHandle(handle)
	if err == nil && h.multicast == nil {
		err = errorf(InvalidValue, "the handle %d is not that of a multicast object", handle)
	}
	return h, err
}

// AddToMulticast adds a device to a multicast object.
func (p *Process) AddToMulticast(handle uint64, d order.Device) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, err := p.memory.multicastOf(handle)
	if err == nil {
		err = p.exists(d)
	}
	switch {
	case err != nil:
		return err
	case slices.Contains(h.multicast.added, d):
		return errorf(InvalidValue, "device %d has been added to the multicast object %d", d, handle)
	case len(h.multicast.added) == h.multicast.object.Devices:
		return errorf(InvalidValue, "the multicast object %d has its %d devices", handle, h.multicast.object.Devices)
	}
	h.multicast.added = append(h.multicast.added, d)
	return nil
}

// complete returns an error if devices of a multicast object have not been added, which the call would wait for.
func (h *physical) complete() error {
	if n := len(h.multicast.added); n < h.multicast.object.Devices {
		return errorf(InvalidValue, "the multicast object %d is for %d devices, of which %d have been added "+
			"(cuMulticastAddDevice)", h.handle, h.multicast.object.Devices, n)
	}
	return nil
}

// BindMulticast binds memory of a handle, from byte first on, at an offset of a multicast object.
func (p *Process) BindMulticast(handle, offset, memory, first, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	of, err := p.memory.ofHandle(memory)
	if err == nil && (first > of.size || size > of.size-first) {
		err = errorf(InvalidValue, "a binding of %d bytes from byte %d on, of a handle of %d bytes", size, first,
			of.size)
	}
	if err != nil {
		return err
	}
	return p.bindMulticast(handle, &binding{offset, size, of, first})
}

// BindMulticastAddress binds the memory that is mapped at an address, at an offset of a multicast object.
func (p *Process) BindMulticastAddress(handle, offset, address, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.memory.mappedAt(address)
	if err == nil && size > m.base+m.size-address {
		err = errorf(InvalidValue, "a binding of %d bytes at 0x%x, where %d are mapped", size, address,
			m.base+m.size-address)
	}
	if err != nil {
		return err
	}
	return p.bindMulticast(handle, &binding{offset, size, m.of, m.first + address - m.base})
}

// bindMulticast adds a binding to a multicast object.
func (p *Process) bindMulticast(handle uint64, b *binding) error {
	h, err := p.memory.multicastOf(handle)
	if err == nil {
		err = h.complete()
	}
	switch {
	case err != nil:
		return err
	case b.size == 0 || (b.offset|b.size|b.first)%Granularity != 0:
		return errorf(InvalidValue, "a binding of %d bytes from byte %d on at offset %d, which are not multiples of %d",
			b.size, b.first, b.offset, Granularity)
	case b.offset > h.size || b.size > h.size-b.offset:
		return errorf(InvalidValue, "a binding of %d bytes at offset %d of a multicast object of %d", b.size, b.offset,
			h.size)
	case b.of.multicast != nil || !slices.Contains(h.multicast.added, b.of.device):
		return errorf(InvalidValue, "the handle %d is not of memory of a device of the multicast object %d",
			b.of.handle, handle)
	case slices.ContainsFunc(h.multicast.bound, b.overlaps):
		return errorf(InvalidValue, "memory of device %d is bound at offset %d of the multicast object %d", b.of.device,
			b.offset, handle)
	}
	b.of.bindings++
	h.multicast.bound = append(h.multicast.bound, b)
	h.multicast.replicate()
	return nil
}

// overlaps reports whether another binding is of the same device and has an offset of this one.
func (b *binding) overlaps(o *binding) bool {
	return o.of.device == b.of.device && o.offset < b.offset+b.size && b.offset < o.offset+o.size
}

// UnbindMulticast takes the memory of a device back from a range of a multicast object.
func (p *Process) UnbindMulticast(handle uint64, d order.Device, offset, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, err := p.memory.multicastOf(handle)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(h.multicast.bound, func(b *binding) bool {
		return b.of.device == d && b.offset == offset && b.size == size
	})
	if i < 0 {
		return errorf(InvalidValue, "%d bytes at offset %d are not what device %d has bound to the multicast object %d",
			size, offset, d, handle)
	}
	gone := h.multicast.bound[i]
	h.multicast.bound = slices.Delete(h.multicast.bound, i, i+1)
	h.multicast.replicate()
	return p.unbound([]*binding{gone})
}

// replicate sets the replicas, after a change of bindings or of mappings.
func (m *multicast) replicate() {
	m.object.Replicas = nil
	for _, b := range m.bound {
		for _, at := range b.of.mappings {
			if from, to := max(b.first, at.first), min(b.first+b.size, at.first+at.size); from < to {
				m.object.Replicas = append(m.object.Replicas, emu.Replica{
					Offset: b.offset + from - b.first, Addr: at.base + from - at.first, Size: to - from,
				})
			}
		}
	}
}

// replicate sets the replicas of all multicast objects.
func (m *memory) replicate() {
	for _, h := range m.physical {
		if h.multicast != nil {
			h.multicast.replicate()
		}
	}
}

// provide makes memory of a handle, or the object of one, accessible in a reservation from an offset on.
func (h *physical) provide(a *allocation, offset, first, size uint64) error {
	if h.multicast == nil {
		return a.object.Map(offset, h.memory, first, size)
	}
	if err := h.complete(); err != nil {
		return err
	}
	return a.object.MapMulticast(offset, &h.multicast.object, first, size)
}
