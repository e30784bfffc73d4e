// Virtual memory management (CUDA Driver API, "Virtual Memory Management"): reserved addresses, and memory of handles
// that is mapped there.

package cuda

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
)

// Granularity is the unit of sizes and addresses of mapped memory.
const Granularity = 2 << 20

// reservation is the state of a reserved range of addresses.
type reservation struct {
	mappings []*handleMapping // by address
}

// handleMapping is memory of a handle at addresses of a reservation.
type handleMapping struct {
	base, size uint64
	of         *physical
	first      uint64      // byte of the handle's memory
	access     emu.Devices // that may read and write it
}

// Values of CUmemAccess_flags.
const (
	accessNone      = 0
	accessReadWrite = 3
)

// charged returns the bytes of an allocation that are memory by themselves.
func (a *allocation) charged() uint64 {
	if a.reserved != nil || a.origin == ImportedMemory {
		return 0
	}
	return a.size
}

// mappingAt returns the mapping that contains an address.
func (a *allocation) mappingAt(address uint64) *handleMapping {
	if i := a.reserved.after(address); i > 0 && address-a.reserved.mappings[i-1].base < a.reserved.mappings[i-1].size {
		return a.reserved.mappings[i-1]
	}
	return nil
}

// after returns the index of the first mapping that begins behind an address.
func (r *reservation) after(address uint64) int {
	i, _ := slices.BinarySearchFunc(r.mappings, address, func(m *handleMapping, address uint64) int {
		if m.base <= address {
			return -1
		}
		return 1
	})
	return i
}

// taken reports whether a range has a byte that is mapped.
func (r *reservation) taken(address, size uint64) bool {
	i := r.after(address + size - 1)
	return i > 0 && address < r.mappings[i-1].base+r.mappings[i-1].size
}

// pointer returns the properties of an address.
func (a *allocation) pointer(address uint64) Pointer {
	if a.reserved == nil {
		return Pointer{Base: a.base, Size: a.size, Known: true, Shared: a.shared != nil, Device: a.device}
	}
	if m := a.mappingAt(address); m != nil {
		return Pointer{Base: m.base, Size: m.size, Known: true, Device: m.of.device}
	}
	return Pointer{Base: a.base, Size: a.size, Reserved: true}
}

// extent returns the number of bytes up to the last one that is memory.
func (a *allocation) extent() uint64 {
	if a.reserved == nil {
		return a.size
	}
	if n := len(a.reserved.mappings); n > 0 {
		last := a.reserved.mappings[n-1]
		return last.base + last.size - a.base
	}
	return 0
}

// contents returns the bytes of an allocation. Those without memory are zeros.
func (a *allocation) contents() ([]byte, error) {
	data := make([]byte, a.extent())
	if a.reserved == nil {
		return data, a.object.Read(0, data)
	}
	for _, m := range a.reserved.mappings {
		if m.of.multicast != nil {
			return nil, errMulticast
		}
		if off := m.base - a.base; m.access != 0 {
			if err := a.object.Read(off, data[off:off+m.size]); err != nil {
				return nil, err
			}
		}
	}
	return data, nil
}

// mappings returns the mappings that a range consists of. There are none if it has a gap, or begins or ends within one.
func (a *allocation) mappings(address, size uint64) (list []*handleMapping) {
	for end := address + size; address < end; {
		m := a.mappingAt(address)
		if m == nil || m.base != address || m.size > end-address {
			return nil
		}
		list = append(list, m)
		address += m.size
	}
	return list
}

// reaches returns an error if a range within an allocation has bytes that copies cannot access.
func (a *allocation) reaches(address, size uint64) error {
	if a.reserved == nil {
		return nil
	}
	for end := address + size; address < end; {
		m := a.mappingAt(address)
		switch {
		case m == nil:
			return errorf(InvalidValue, "no memory is mapped at 0x%x in %s", address, a.object.Name())
		case m.access == 0:
			return errorf(InvalidValue, "the memory mapped at 0x%x in %s has no access", address, a.object.Name())
		case m.of.multicast != nil:
			return errorf(InvalidValue, "0x%x is an address of a multicast object, whose memory only multimem accesses", address)
		}
		address = m.base + m.size
	}
	return nil
}

// Reserve reserves a range of addresses, at a multiple of a power of two, 0 for any.
func (p *Process) Reserve(size, align uint64) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	const page, most = 4096, 1 << 31
	switch {
	case size == 0 || size%page != 0 || align&(align-1) != 0:
		return 0, errorf(InvalidValue, "a reservation of %d bytes aligned to %d", size, align)
	case align > most:
		return 0, errorf(NotSupported, "a reservation aligned to %d bytes, which is more than %d", align, uint64(most))
	}
	align = max(align, Granularity)
	p.memory.reservations++
	a := &allocation{size: size, kind: order.DeviceMemory, reserved: &reservation{}}
	var err error
	if a.object, err = p.session.Reserve(fmt.Sprintf("reservation %d", p.memory.reservations), size,
		uint32(align)); err != nil {
		p.opts.note("%v", err)
		return 0, errorf(OutOfMemory, "%v", err)
	}
	a.base = a.object.Address()
	p.memory.add(a)
	return a.base, nil
}

// Unreserve frees a reservation, in which no memory may be mapped.
func (p *Process) Unreserve(address, size uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, err := p.memory.reservedAt(address, size)
	switch {
	case err != nil:
		return err
	case a.base != address || a.size != size:
		return errorf(InvalidValue, "%d bytes at 0x%x are not a whole reservation", size, address)
	case len(a.reserved.mappings) > 0:
		return errorf(InvalidValue, "memory is mapped at 0x%x in %s", a.reserved.mappings[0].base, a.object.Name())
	}
	if err = a.object.Free(); err == nil {
		p.memory.remove(a)
	}
	return err
}

// Map maps size bytes of a handle's memory, from byte first on, at an address of a reservation. No byte may be mapped
// twice at a time: detectors would take the two addresses for different memory.
func (p *Process) Map(address, size, handle, first uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, err := p.memory.reservedAt(address, size)
	if err != nil {
		return err
	}
	h, err := p.memory.ofHandle(handle)
	if err != nil {
		return err
	}
	switch {
	case (address|size|first)%Granularity != 0:
		return errorf(InvalidValue, "a mapping of %d bytes from byte %d on at 0x%x, which are not multiples of %d",
			size, first, address, Granularity)
	case first > h.size || size > h.size-first:
		return errorf(InvalidValue, "a mapping of %d bytes from byte %d on, of a handle of %d bytes", size, first,
			h.size)
	case a.reserved.taken(address, size):
		return errorf(InvalidValue, "memory is mapped in the %d bytes at 0x%x", size, address)
	case h.multicast == nil && slices.ContainsFunc(h.mappings, func(m *handleMapping) bool {
		return first < m.first+m.size &&
			m.first < first+size
	}):
		p.opts.note("cuMemMap: memory that is mapped at another address at the same time is not supported here; the application got the error \"not supported\"")
		return errorf(NotSupported, "the memory is mapped at 0x%x already, and would have two addresses",
			h.mappings[0].base)
	}
	if err = h.provide(a, address-a.base, first, size); err != nil {
		return err
	}
	m := &handleMapping{base: address, size: size, of: h, first: first}
	h.mappings = append(h.mappings, m)
	a.reserved.mappings = slices.Insert(a.reserved.mappings, a.reserved.after(address), m)
	p.memory.replicate()
	return nil
}

// Unmap takes memory back from a range, which must consist of whole mappings.
func (p *Process) Unmap(address, size uint64, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, err := p.memory.reservedAt(address, size)
	if err != nil {
		return err
	}
	list := a.mappings(address, size)
	if list == nil {
		return errorf(InvalidValue, "%d bytes at 0x%x are not what has been mapped there", size, address)
	}
	p.streams.unmapped(address, size, in)
	for _, m := range list {
		if err = a.object.Unmap(m.base-a.base, m.size, m.of.memory, m.first, m.of.multicast == nil &&
			(m.of.references > 0 || len(m.of.mappings) > 1 || m.of.bindings > 0)); err != nil {
			return err
		}
		is := func(other *handleMapping) bool { return other == m }
		a.reserved.mappings, m.of.mappings = slices.DeleteFunc(a.reserved.mappings, is),
			slices.DeleteFunc(m.of.mappings, is)
		if err = p.unused(m.of); err != nil {
			return err
		}
	}
	return p.remapped()
}

// SetAccess sets the CUmemAccess_flags of a device for a range, which must consist of whole mappings.
func (p *Process) SetAccess(address, size uint64, access uint32, d order.Device) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, err := p.memory.reservedAt(address, size)
	if err != nil {
		return err
	}
	if err = p.exists(d); err != nil {
		return err
	}
	list := a.mappings(address, size)
	switch {
	case list == nil:
		return errorf(InvalidValue, "%d bytes at 0x%x are not what has been mapped there", size, address)
	case access != accessNone && access != accessReadWrite:
		p.opts.note("cuMemSetAccess: memory that can only be read is not supported here; the application got the error \"not supported\"")
		return errorf(NotSupported, "access of kind %d", access)
	}
	for _, m := range list {
		if m.access |= only(d); access == accessNone {
			m.access &^= only(d)
		}
		if err = a.object.Allow(m.base-a.base, m.size, m.access); err != nil {
			return err
		}
	}
	return p.remapped()
}

// unmapped records that the host takes memory back.
func (s *streams) unmapped(address, size uint64, in In) {
	if s.tracker == nil {
		return
	}
	switch order.RuleOf(order.Free, order.AnyMemory, order.Mapped).Host {
	case order.ForNothing:
		s.tracker.ReleasedByHost(s.hostLabel("an end of a mapping by the host", in), address, size)
	default:
		panic("BUG: cuda: cuMemUnmap waits for the device")
	}
}
