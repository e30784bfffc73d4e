// Memory of a process: allocations, copies, fills, and properties of addresses.

package cuda

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// memory holds the allocations of a process, sorted by address.
type memory struct {
	list  []*allocation
	made  int
	total uint64 // in bytes
	// reservations counts the reserved ranges of addresses that there have been; physical has memory without an
	// address, by handle.
	reservations int
	physical     map[uint64]*physical
	// shared is the memory of managed variables, which lives as long as the process.
	shared []Mapping
	heaps  []*heap
}

type allocation struct {
	object     *session.Object
	base, size uint64
	shared     Mapping // nil for memory of the device alone
	from       Path
	origin     Origin
	kind       order.Memory
	patterned  bool         // writes of the host are recognised by what they change
	reserved   *reservation // state of a reserved range of addresses, nil for memory
	exported   *Exported    // of memory that processes share; nil for other memory
	opened     int          // number of times that the process has opened it (Import)
	device     order.Device // owner of the memory; for host memory, the device that was current at its allocation
	pool       emu.Devices  // devices that may access memory of a pool; 0 for other memory
}

// Origin is how an application gets memory.
type Origin uint8

// Origins.
const (
	OnDevice         Origin = iota // memory of the device alone
	ManagedMemory                  // shared with the process
	PinnedMemory                   // shared with the process
	RegisteredMemory               // the application's own memory, whose lifetime it controls; shared with the process
	ImportedMemory                 // memory of the device of another process (Import)
)

// kindOf returns the kind of memory that a call allocates.
func kindOf(origin Origin, in In) order.Memory {
	switch {
	case origin == ManagedMemory:
		return order.Managed
	case origin != OnDevice:
		return order.Pinned
	case in.Sync:
		return order.DeviceMemory
	}
	return order.StreamOrdered
}

// Mapping is memory shared with the process.
type Mapping interface {
	Bytes() []byte // capacity is a multiple of 16
	Unmap()
}

// private reports whether nothing but kernels, and copies that the application orders, accesses memory of the device: no
// memory is shared with the host or with another process.
func (m *memory) private() bool {
	return len(m.shared) == 0 && !slices.ContainsFunc(m.list, func(a *allocation) bool {
		return a.shared != nil || a.origin != OnDevice || a.exported != nil
	})
}

// at returns the allocation that contains an address, nil if there is none.
func (m *memory) at(address uint64) *allocation {
	i, exact := slices.BinarySearchFunc(m.list, address, func(a *allocation, address uint64) int {
		switch {
		case a.base < address:
			return -1
		case a.base > address:
			return 1
		}
		return 0
	})
	if exact {
		return m.list[i]
	}
	if i > 0 && address-m.list[i-1].base < m.list[i-1].size {
		return m.list[i-1]
	}
	return nil
}

func (m *memory) add(a *allocation) {
	i, _ := slices.BinarySearchFunc(m.list, a.base, func(a *allocation, base uint64) int {
		if a.base < base {
			return -1
		}
		return 1
	})
	m.list = slices.Insert(m.list, i, a)
	m.total += a.charged()
}

func (m *memory) remove(a *allocation) {
	i := slices.Index(m.list, a)
	m.list = slices.Delete(m.list, i, i+1)
	m.forgetHeaps(a)
	m.total -= a.charged()
}

func (m *memory) unmapAll() {
	for _, a := range m.list {
		if a.shared != nil {
			a.shared.Unmap()
		}
	}
	for _, s := range m.shared {
		s.Unmap()
	}
	m.list, m.shared, m.heaps = nil, nil, nil
	clear(m.physical)
}

// ofHandle returns the memory of a handle to which there are references.
func (m *memory) ofHandle(handle uint64) (*physical, error) {
	h := m.physical[handle]
	if h == nil || h.references == 0 {
		return nil, errorf(InvalidValue, "there is no memory with the handle %d", handle)
	}
	return h, nil
}

// reservedAt returns the reservation that contains a range.
func (m *memory) reservedAt(address, size uint64) (*allocation, error) {
	a := m.at(address)
	if a == nil || a.reserved == nil || size == 0 || size > a.size-(address-a.base) {
		return nil, errorf(InvalidValue, "%d bytes at 0x%x are not in a reserved range of addresses", size, address)
	}
	return a, nil
}

func (m *memory) mappedAt(address uint64) (*handleMapping, error) {
	a, err := m.reservedAt(address, 1)
	if err != nil {
		return nil, err
	}
	if at := a.mappingAt(address); at != nil {
		return at, nil
	}
	return nil, errorf(InvalidValue, "no memory is mapped at 0x%x in %s", address, a.object.Name())
}

// fromHost reports whether a copy is one from memory of the host, managed or pinned, to memory that only the device
// has.
func (m *memory) fromHost(to, from uint64) bool {
	a, b := m.at(to), m.at(from)
	return b != nil && b.shared != nil && (a == nil || a.shared == nil)
}

var bytesType, _ = launch.TypeOf("u8")

// Alloc allocates device memory for a call, and returns its address. If mapped is not nil, it makes the memory, which
// is then shared with the process.
func (p *Process) Alloc(size uint64, origin Origin, in In, mapped func(size uint64) (Mapping, error)) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if size == 0 {
		return 0, errorf(InvalidValue, "an allocation of 0 bytes")
	}
	p.memory.made++
	name := fmt.Sprintf("allocation %d", p.memory.made)
	a := &allocation{size: size, from: in.Path, origin: origin, kind: kindOf(origin, in), device: in.Device}
	var err error
	if mapped == nil {
		a.object, err = p.session.Alloc(name, bytesType, size)
	} else {
		a.object, a.shared, err = p.allocShared(name, size, mapped)
	}
	if err != nil {
		p.opts.note("%v", err)
		return 0, errorf(OutOfMemory, "%v", err)
	}
	a.base = a.object.Address()
	if a.shared != nil {
		if err = p.unwrittenByHost(a); err != nil {
			return 0, err
		}
	}
	p.memory.add(a)
	if err = p.permit(a); err != nil {
		return 0, err
	}
	p.sites.allocated(in.Path)
	p.streams.uses(in.Device)
	if a.shared != nil {
		p.streams.shares(a.base, size)
	}
	if a.kind == order.StreamOrdered {
		p.streams.allocated(a, in)
	}
	return a.base, nil
}

func (p *Process) allocShared(name string, size uint64,
	mapped func(size uint64) (Mapping, error),
) (*session.Object, Mapping, error) {
	if limit := p.opts.limit(); size > limit || p.memory.total > limit-size {
		return nil, nil, fmt.Errorf("%s of %d bytes exceeds the memory limit of %d bytes (%d in use)", name, size,
			limit, p.memory.total)
	}
	m, err := mapped(size)
	if err != nil {
		return nil, nil, err
	}
	o, err := p.session.AllocShared(name, m.Bytes())
	if err != nil {
		m.Unmap()
		return nil, nil, err
	}
	return o, m, nil
}

// Free frees an allocation: in the order of a stream, unless the call is a synchronous form.
func (p *Process) Free(address uint64, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.base != address || a.reserved != nil || a.origin == ImportedMemory {
		return errorf(InvalidValue, "free of 0x%x: no allocation starts there", address)
	}
	return p.free(a, in)
}

// Home returns the device for which a free of memory waits, false if that is not memory of a single device.
func (p *Process) Home(address uint64) (order.Device, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.origin != OnDevice || a.shared != nil {
		return 0, false
	}
	return a.device, true
}

// free frees an allocation, which it is certain to be.
func (p *Process) free(a *allocation, in In) error {
	if err := a.object.Free(); err != nil {
		return errorf(InvalidValue, "%v", err)
	}
	p.streams.freed(a, in)
	p.memory.remove(a)
	if a.exported != nil {
		a.exported.ended = true
		a.exported.drop()
	}
	if a.patterned {
		p.unchecked.shared.patterned -= a.size
	}
	if a.shared != nil {
		a.shared.Unmap()
	}
	return nil
}

// memoryRange is a range of memory in an allocation, or in a variable of a module.
type memoryRange struct {
	object *session.Object
	offset uint64
}

// span returns the range of size bytes from an address on.
func (p *Process) span(address, size uint64) (memoryRange, error) {
	base, room, o := uint64(0), uint64(0), (*session.Object)(nil)
	if a := p.memory.at(address); a != nil {
		base, room, o = a.base, a.size, a.object
		if err := a.reaches(address, min(size, room-(address-base))); err != nil {
			return memoryRange{}, err
		}
	} else if v := p.modules.variableAt(address); v != nil {
		base, room, o = v.address, v.size, v.object
	}
	if o == nil || size > room-(address-base) {
		return memoryRange{}, errorf(InvalidValue, "%d bytes at 0x%x are not in an allocation", size, address)
	}
	return memoryRange{o, address - base}, nil
}

// Write copies bytes of the host to the device.
func (p *Process) Write(to uint64, bytes []byte, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.span(to, uint64(len(bytes))); err != nil {
		return err
	}
	p.streams.copied("copy from pageable memory", in, to, 0, uint64(len(bytes)))
	return p.write(to, bytes)
}

func (p *Process) write(to uint64, bytes []byte) error {
	return p.set(to, uint64(len(bytes)), func(r memoryRange) error { return r.object.Write(r.offset, bytes) })
}

// set sets size bytes from an address on by a function.
func (p *Process) set(to, size uint64, by func(r memoryRange) error) error {
	if p.context().Err() != nil { // the process is being ended, perhaps for want of memory
		return session.ErrInterrupted
	}
	r, err := p.span(to, size)
	if err == nil {
		err = by(r)
	}
	return err
}

// Read copies bytes of the device to the host.
func (p *Process) Read(from uint64, bytes []byte, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.span(from, uint64(len(bytes))); err != nil {
		return err
	}
	p.streams.copied("copy to pageable memory", in, 0, from, uint64(len(bytes)))
	p.unwritten("", from, uint64(len(bytes)), in)
	return p.read(from, bytes)
}

// Condition returns the word at an address, the value of a condition of a graph. It is no copy that the application
// requests, so that it has no place in the order of operations.
func (p *Process) Condition(address uint64) (uint32, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var word [4]byte
	err := p.read(address, word[:])
	return binary.LittleEndian.Uint32(word[:]), err
}

func (p *Process) read(from uint64, bytes []byte) error {
	r, err := p.span(from, uint64(len(bytes)))
	if err == nil {
		err = r.object.Read(r.offset, bytes)
	}
	return err
}

// chunk is the number of bytes copied or filled at a time.
const chunk = 1 << 20

// Copy copies within the device, as if through a buffer if the ranges overlap.
func (p *Process) Copy(to, from, size uint64, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.span(to, size); err != nil {
		return err
	}
	if _, err := p.span(from, size); err != nil {
		return err
	}
	p.streams.copied("copy", in, to, from, size)
	reported := !p.memory.fromHost(to, from) && p.unwritten("", from, size, in)
	defer p.carry(to, from, size, reported)
	buffer := make([]byte, min(size, chunk))
	for done := uint64(0); done < size; {
		n := min(size-done, chunk)
		at := done
		if to > from { // from the end
			at = size - done - n
		}
		if err := p.read(from+at, buffer[:n]); err != nil {
			return err
		}
		if err := p.write(to+at, buffer[:n]); err != nil {
			return err
		}
		done += n
	}
	return nil
}

// Fill writes height rows, pitch bytes apart, of width elements of 1, 2 or 4 bytes.
func (p *Process) Fill(to, pitch uint64, element int, value uint32, width, height uint64, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if element != 1 && element != 2 && element != 4 || width > 1<<48 || height > 1<<48 {
		return errorf(InvalidValue, "a fill with %d elements of %d bytes", width, element)
	}
	row := width * uint64(element)
	switch {
	case row == 0:
		height = 0
	case height > 1 && pitch < row:
		return errorf(InvalidValue, "a fill of rows of %d bytes, %d bytes apart", row, pitch)
	}
	write := p.filler(element, value, row)
	done := p.streams.fills(in, to)
	defer done()
	for range height {
		if _, err := p.span(to, row); err != nil {
			return err
		}
		p.streams.touch(to, row, true)
		for at := uint64(0); at < row; at += chunk {
			if err := write(to+at, min(row-at, chunk)); err != nil {
				return err
			}
		}
		to += pitch
	}
	return nil
}

// filler returns a function that fills up to chunk bytes of a row with elements.
func (p *Process) filler(element int, value uint32, row uint64) func(to, size uint64) error {
	if value<<(32-8*element) == 0 {
		return func(to, size uint64) error {
			return p.set(to, size, func(r memoryRange) error { return r.object.Zero(r.offset, size) })
		}
	}
	pattern := make([]byte, min(row, chunk))
	for i := range pattern {
		pattern[i] = byte(value >> (i % element * 8))
	}
	return func(to, size uint64) error { return p.write(to, pattern[:size]) }
}

// Pointer holds the properties of an address.
type Pointer struct {
	Base, Size uint64
	Known      bool
	Shared     bool // with the process
	Reserved   bool // it has no memory
	Device     order.Device
}

// Pointer returns the properties of an address.
func (p *Process) Pointer(address uint64) Pointer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.memory.at(address); a != nil {
		return a.pointer(address)
	}
	if v := p.modules.variableAt(address); v != nil {
		return Pointer{Base: v.address, Size: v.size, Known: true, Shared: v.shared != nil, Device: v.device}
	}
	return Pointer{}
}

// Memory returns the free and the total memory of the device in bytes.
func (p *Process) Memory() (free, total uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	total = p.opts.limit()
	return total - min(total, p.memory.total), total
}
