// Logical endpoints (CUDA Driver API, "Logical Endpoint"): numbers by which kernels access memory of this device with
// fabric operations.

package cuda

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
)

// endpoints holds the reserved numbers of endpoints. A released number is not reserved again, so that its use later is
// an error.
type endpoints struct {
	reserved map[uint32]*endpoint
	last     uint32
}

// endpoint is a reserved number.
type endpoint struct {
	made, ready bool // ready since cuLogicalEndpointQuery has said so
	size        uint64
	bound       []*binding // by offset
}

// binding is memory that is bound at an offset of an endpoint.
type binding struct {
	offset, size uint64
	of           *physical // nil for an allocation
	first        uint64    // byte of the handle's memory, or address of the allocation
}

// mostEndpoints is the number of endpoints that can be reserved in all.
const mostEndpoints = 1 << 20

// fabricTarget is the first architecture with fabric operations (PTX ISA, "Fabric Instructions").
const fabricTarget = 10

// ReserveEndpoints reserves consecutive numbers, and returns the first.
func (p *Process) ReserveEndpoints(count uint64) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.target.Major < fabricTarget:
		return 0, errorf(NotSupported, "logical endpoints need an sm_%d0 device", fabricTarget)
	case count == 0:
		return 0, errorf(InvalidValue, "a reservation of 0 logical endpoints")
	case count > mostEndpoints-uint64(p.endpoints.last):
		return 0, errorf(OutOfMemory, "a reservation of more than %d logical endpoints", mostEndpoints)
	}
	base := p.endpoints.last + 1
	for range count {
		p.endpoints.last++
		p.endpoints.reserved[p.endpoints.last] = &endpoint{}
	}
	return uint64(base), nil
}

// of returns reserved numbers.
func (s *endpoints) of(base, count uint64) ([]*endpoint, error) {
	if count == 0 || count > mostEndpoints {
		return nil, errorf(InvalidValue, "a range of %d logical endpoints", count)
	}
	list := make([]*endpoint, count)
	for i := range list {
		if list[i] = s.reserved[uint32(base)+uint32(i)]; list[i] == nil {
			return nil, errorf(InvalidValue, "the logical endpoint %d is not reserved", base+uint64(i))
		}
	}
	return list, nil
}

// ReleaseEndpoints returns reserved endpoint numbers (cuLogicalEndpointIdRelease). It fails if an endpoint still has
// one of them.
func (p *Process) ReleaseEndpoints(base, count uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, err := p.endpoints.of(base, count)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(list, func(e *endpoint) bool { return e.made }); i >= 0 {
		return errorf(InvalidValue, "the logical endpoint %d is not destroyed", base+uint64(i))
	}
	for i := range list {
		delete(p.endpoints.reserved, uint32(base)+uint32(i))
	}
	return nil
}

// CreateEndpoint makes a unicast endpoint of this device.
func (p *Process) CreateEndpoint(id, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, err := p.endpoints.of(id, 1)
	switch {
	case err != nil:
		return err
	case list[0].made:
		return errorf(InvalidValue, "there is a logical endpoint %d", id)
	case size == 0 || size%Granularity != 0 || size > p.opts.limit():
		return errorf(InvalidValue, "a logical endpoint of %d bytes, expected a multiple of %d and at most %d", size,
			Granularity, p.opts.limit())
	}
	*list[0] = endpoint{made: true, size: size}
	return p.showEndpoint(id, list[0])
}

// made returns an endpoint that has been created.
func (s *endpoints) made(id uint64) (*endpoint, error) {
	list, err := s.of(id, 1)
	if err != nil {
		return nil, err
	}
	if !list[0].made {
		return nil, errorf(InvalidValue, "there is no logical endpoint %d", id)
	}
	return list[0], nil
}

// DestroyEndpoint destroys an endpoint. Its number stays reserved.
func (p *Process) DestroyEndpoint(id uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, err := p.endpoints.made(id)
	if err != nil {
		return err
	}
	bound := e.bound
	*e = endpoint{}
	if err = p.session.SetEndpoint(uint32(id), nil); err != nil {
		return err
	}
	return p.unbound(bound)
}

// QueryEndpoints returns 1 if all endpoints of a range have been created, from when on memory can be bound, and 0
// otherwise.
func (p *Process) QueryEndpoints(base, count uint64) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, err := p.endpoints.of(base, count)
	if err != nil || slices.ContainsFunc(list, func(e *endpoint) bool { return !e.made }) {
		return 0, err
	}
	for _, e := range list {
		e.ready = true
	}
	return 1, nil
}

// Bind binds memory of a handle, from byte first on, to an endpoint.
func (p *Process) Bind(id, offset, handle, first, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, err := p.memory.ofHandle(handle)
	switch {
	case err != nil:
		return err
	case first > h.size || size > h.size-first:
		return errorf(InvalidValue, "a binding of %d bytes from byte %d on, of a handle of %d bytes", size, first,
			h.size)
	}
	return p.bindMemory(id, &binding{offset, size, h, first})
}

// BindAddress binds memory at an address, of a handle or allocated in the order of a stream, to an endpoint.
func (p *Process) BindAddress(id, offset, address, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch a := p.memory.at(address); {
	case a == nil:
		return errorf(InvalidValue, "no memory is allocated at 0x%x", address)
	case a.reserved != nil:
		m, err := p.memory.mappedAt(address)
		switch {
		case err != nil:
			return err
		case size > m.base+m.size-address:
			return errorf(InvalidValue, "a binding of %d bytes at 0x%x, where %d are mapped", size, address,
				m.base+m.size-address)
		}
		return p.bindMemory(id, &binding{offset, size, m.of, m.first + address - m.base})
	case a.kind != order.StreamOrdered:
		return errorf(InvalidValue, "the %s was not allocated by cuMemCreate or cudaMallocAsync", a.object.Name())
	case size > a.size-(address-a.base):
		return errorf(InvalidValue, "a binding of %d bytes at 0x%x, of %s with %d bytes", size, address,
			a.object.Name(), a.size)
	}
	return p.bindMemory(id, &binding{offset, size, nil, address})
}

// bindMemory adds a binding to an endpoint.
func (p *Process) bindMemory(id uint64, b *binding) error {
	e, err := p.endpoints.made(id)
	switch {
	case err != nil:
		return err
	case !e.ready:
		return errorf(InvalidValue,
			"memory is bound to the logical endpoint %d before cuLogicalEndpointQuery has said that it is ready", id)
	case b.size == 0 || (b.offset|b.size|b.first)%Granularity != 0:
		return errorf(InvalidValue, "a binding of %d bytes from 0x%x on at offset 0x%x, which are not multiples of %d",
			b.size, b.first, b.offset, Granularity)
	case b.offset > e.size || b.size > e.size-b.offset:
		return errorf(InvalidValue, "a binding of %d bytes at offset 0x%x of the logical endpoint %d, which has %d",
			b.size, b.offset, id, e.size)
	case slices.ContainsFunc(e.bound, func(o *binding) bool {
		return o.offset < b.offset+b.size &&
			b.offset < o.offset+o.size
	}):
		return errorf(InvalidValue, "memory is bound at offset 0x%x of the logical endpoint %d", b.offset, id)
	}
	if b.of != nil {
		b.of.bindings++
	}
	e.bound = append(e.bound, b)
	slices.SortFunc(e.bound, func(a, b *binding) int { return cmp.Compare(a.offset, b.offset) })
	return p.showEndpoint(id, e)
}

// Unbind takes memory back from a range of an endpoint, which must begin with a binding and end with one.
func (p *Process) Unbind(id, offset, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, err := p.endpoints.made(id)
	if err != nil {
		return err
	}
	var in, out []*binding
	for _, b := range e.bound {
		if b.offset >= offset && b.offset-offset < size {
			in = append(in, b)
		} else {
			out = append(out, b)
		}
	}
	if len(in) == 0 || in[0].offset != offset || in[len(in)-1].offset+in[len(in)-1].size != offset+size {
		return errorf(InvalidValue, "%d bytes at offset 0x%x are not what is bound to the logical endpoint %d there",
			size, offset, id)
	}
	e.bound = out
	if err = p.showEndpoint(id, e); err != nil {
		return err
	}
	return p.unbound(in)
}

// unbound drops what bindings refer to.
func (p *Process) unbound(list []*binding) error {
	for _, b := range list {
		if b.of == nil {
			continue
		}
		b.of.bindings--
		if err := p.unused(b.of); err != nil {
			return err
		}
	}
	return nil
}

// showEndpoint gives the device the memory of an endpoint.
func (p *Process) showEndpoint(id uint64, e *endpoint) error {
	shown := &emu.Endpoint{Size: e.size}
	for _, b := range e.bound {
		shown.Memory = append(shown.Memory, b.memory()...)
	}
	return p.session.SetEndpoint(uint32(id), shown)
}

// memory returns the memory of a binding: where it is mapped for access, and after that all of it, without an address.
func (b *binding) memory() []emu.EndpointMemory {
	if b.of == nil {
		return []emu.EndpointMemory{{Offset: b.offset, Addr: b.first, Size: b.size}}
	}
	var list []emu.EndpointMemory
	for _, m := range b.of.mappings {
		from, to := max(b.first, m.first), min(b.first+b.size, m.first+m.size)
		if from < to && m.access != 0 {
			list = append(list, emu.EndpointMemory{
				Offset: b.offset + from - b.first, Addr: m.base + from - m.first,
				Size: to - from,
			})
		}
	}
	return append(list, emu.EndpointMemory{Offset: b.offset, Size: b.size})
}

// remapped gives the device the memory of all endpoints, after a change of mappings, and that of multicast objects.
func (p *Process) remapped() error {
	p.memory.replicate()
	for id, e := range p.endpoints.reserved {
		if len(e.bound) == 0 {
			continue
		}
		if err := p.showEndpoint(uint64(id), e); err != nil {
			return err
		}
	}
	return nil
}
