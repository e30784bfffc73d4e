// Objects: buffers, variables, texture objects and tensor maps on the devices of a session.

package session

import (
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// Object is something in device memory that can be passed to kernels: a buffer, a variable, a texture object or a
// tensor map. It has the same address on all devices on which a launch is executed. Reads return the contents after the
// uninstrumented execution.
type Object struct {
	s    *Session
	name string
	addr uint64
	elem launch.Type // type of a buffer's elements
	size uint64      // in bytes; 0 for texture objects
	kind objectKind

	program *Program // program of a variable; nil for others

	blank  bool // in the device's memory, and the host has not written to it
	unseen int  // Session.unseen when it was allocated
}

// neverWritten reports whether an application has allocated the object in the device's memory, and neither the host nor
// a launch that nobody followed may have written to it.
func (o *Object) neverWritten() bool {
	return o.s.opts.Application && o.blank && o.unseen == o.s.unseen
}

type objectKind uint8

const (
	objectBuffer objectKind = iota
	objectTexture
	objectTensorMap
	objectGlobal
)

// Name returns the object's name in reports.
func (o *Object) Name() string { return o.name }

// Size returns the size of a buffer in bytes.
func (o *Object) Size() uint64 { return o.size }

// Alloc allocates zeroed device memory for count elements of a type. The name is that of the memory in reports. The
// error is an *InputError: the device's memory is exhausted.
func (s *Session) Alloc(name string, elem launch.Type, count uint64) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := uint64(elem.Size())
	if size == 0 || count > 1<<62/size {
		return nil, badinput.Errorf("buffer %s: %d elements of type %s", name, count, elem)
	}
	o := &Object{s: s, name: name, elem: elem, size: size * count, blank: true, unseen: s.unseen}
	return o, s.add(o, func(r *run) (uint64, error) { return r.dev.Alloc(name, o.size) })
}

// AllocShared makes host memory that others access as well a buffer of bytes: see emu.Device.AllocShared. The session
// must have a single device: one detector inside the kernel with Options.InstrumentedOnly, or only detectors that
// listen.
func (s *Session) AllocShared(name string, memory []byte) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.runs) > 1 {
		return nil, badinput.Errorf("buffer %s: memory cannot be shared with %d devices", name, len(s.runs))
	}
	bytes, _ := launch.TypeOf("u8")
	o := &Object{s: s, name: name, elem: bytes, size: uint64(len(memory))}
	return o, s.add(o, func(r *run) (uint64, error) { return r.dev.AllocShared(name, memory) })
}

// AllocAt makes an object of shared memory that the device of another session has at addr: see emu.Device.AllocAt.
func (s *Session) AllocAt(name string, addr uint64, memory []byte) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.first().dev.(devices.EmulatedDevice)
	if len(s.runs) > 1 || !ok {
		return nil, badinput.Errorf("buffer %s: memory is shared with one emulated device only", name)
	}
	bytes, _ := launch.TypeOf("u8")
	o := &Object{s: s, name: name, elem: bytes, size: uint64(len(memory))}
	return o, s.add(o, func(*run) (uint64, error) { return addr, d.AllocAt(name, addr, memory) })
}

// Global returns a module-scope .global or .const variable of a loaded program.
func (s *Session) Global(p *Program, name string) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.loaded(p) {
		return nil, badinput.Errorf("the program has not been loaded")
	}
	sym, _ := p.Module.Lookup(name)
	v, ok := sym.(*rewrite.Var)
	if !ok || v.Func != nil || v.Space != isa.SpaceGlobal && v.Space != isa.SpaceConst {
		return nil, badinput.Errorf("the module has no .global or .const variable %q", name)
	}
	o := &Object{s: s, name: name, elem: kernelcode.TypeOf(v.Type), size: v.Size, kind: objectGlobal, program: p}
	for _, r := range s.runs {
		addr, _, _ := r.loaded[p].machine.Symbol(name)
		o.setAddress(r, addr)
	}
	return o, nil
}

// add makes an object on every device.
func (s *Session) add(o *Object, make func(*run) (uint64, error)) error {
	for _, r := range s.runs {
		addr, err := make(r)
		if err != nil {
			s.alignAddresses()
			return badinput.Wrap(err)
		}
		if o.setAddress(r, addr); o.kind == objectBuffer {
			r.buffers[addr] = o
		}
	}
	s.objects[o.name] = o
	return nil
}

// setAddress sets the object's address on the device of a run.
func (o *Object) setAddress(r *run, addr uint64) {
	if o.addr != addr && r != o.s.first() {
		panic("BUG: session: an object has another address on another device")
	}
	o.addr = addr
}

// at returns the object's address on the device of a run. A driver gives the variables of each version of a program new
// addresses.
func (o *Object) at(r *run) uint64 {
	if o.program != nil {
		if l := r.loaded[o.program]; l != nil {
			addr, _, _ := l.machine.Symbol(o.name)
			return addr
		}
	}
	return o.addr
}

// Share moves the contents of a buffer or variable to host memory of the same size that others access as well: see
// AllocShared.
func (o *Object) Share(memory []byte) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	if len(o.s.runs) > 1 {
		return badinput.Errorf("%s: memory cannot be shared with %d devices", o.name, len(o.s.runs))
	}
	r := o.s.first()
	o.blank = false
	return badinput.Wrap(r.dev.Share(o.addr, memory))
}

// Address returns the object's device address, to be passed to a kernel as a number or written to memory that a kernel
// reads. The address of memory allocated by a kernel cannot be used that way: it may differ in the instrumented
// execution.
func (o *Object) Address() uint64 {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.at(o.s.first())
}

// Free frees a buffer. Later accesses to it are faults.
func (o *Object) Free() error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	if o.kind != objectBuffer {
		return badinput.Errorf("%s is no buffer, and cannot be freed", o.name)
	}
	for _, r := range o.s.runs {
		if err := r.dev.Free(o.addr); err != nil {
			return badinput.Wrap(err)
		}
		delete(r.buffers, o.addr)
	}
	return nil
}

// Write copies bytes to a buffer, from an offset on.
func (o *Object) Write(offset uint64, p []byte) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.write(offset, p)
}

func (o *Object) write(offset uint64, p []byte) error {
	return o.set(offset, uint64(len(p)), func(r *run, addr uint64) error { return r.dev.Write(addr, p) })
}

// Zero is Write of zeros. Of large buffers, parts that have not been touched take no memory.
func (o *Object) Zero(offset, size uint64) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.set(offset, size, func(r *run, addr uint64) error {
		if z, ok := r.dev.(abi.Zeroer); ok {
			return z.Zero(addr, size)
		}
		return r.dev.Write(addr, make([]byte, size))
	})
}

// set sets size bytes from an offset on, on every device.
func (o *Object) set(offset, size uint64, write func(r *run, addr uint64) error) error {
	o.blank = false
	o.s.wrote(o, offset, int(size))
	for _, r := range o.s.runs {
		if err := write(r, o.at(r)+offset); err != nil {
			return badinput.Wrap(err)
		}
	}
	return nil
}

// Read copies bytes from a buffer, from an offset on.
func (o *Object) Read(offset uint64, p []byte) error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	r := o.s.first()
	o.s.read(o, offset, len(p))
	return badinput.Wrap(r.dev.Read(o.at(r)+offset, p))
}

// SetInitialised marks all contents of a buffer as written, for emu.Config.Uninitialised.
func (o *Object) SetInitialised() {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	o.blank = false
	for _, r := range o.s.runs {
		r.dev.SetInitialised(o.addr)
	}
}

// SetUninitialised marks all contents of a buffer as unwritten, for emu.Config.Uninitialised. Memory that others access
// as well gets other contents, by which their writes are recognised.
func (o *Object) SetUninitialised() error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	for _, r := range o.s.runs {
		if err := r.dev.SetUninitialised(o.addr); err != nil {
			return badinput.Wrap(err)
		}
	}
	return nil
}

// SetRows says that a buffer is pitched memory: see emu.Device.
func (o *Object) SetRows(rows emu.Rows) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	for _, r := range o.s.runs {
		r.dev.SetRows(o.addr, rows)
	}
}

// Unwritten returns how many bytes of a range nothing has written, without padding, and the offset of the first. There
// are none without emu.Config.Uninitialised.
func (o *Object) Unwritten(offset, size uint64) (first, count uint64) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	r := o.s.first()
	first, count = r.dev.Unwritten(o.at(r)+offset, size)
	return first - o.at(r), count
}

// CopyInitialised marks a range as written where a range of another object is, after a copy.
func (o *Object) CopyInitialised(offset uint64, from *Object, fromOffset, size uint64) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	for _, r := range o.s.runs {
		r.dev.CopyInitialised(o.at(r)+offset, from.at(r)+fromOffset, size)
	}
}

// Number is the element types that Go and PTX have in common.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Buffer allocates a buffer with the contents of a slice, which it copies.
func Buffer[T Number](s *Session, name string, values []T) (*Object, error) {
	o, err := s.Alloc(name, elementType[T](), uint64(len(values)))
	if err != nil {
		return nil, err
	}
	p, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		return nil, err
	}
	return o, o.Write(0, p)
}

// Values reads a buffer into a new slice.
func Values[T Number](o *Object) ([]T, error) {
	var zero T
	values := make([]T, o.size/uint64(binary.Size(zero)))
	p := make([]byte, binary.Size(values))
	if err := o.Read(0, p); err != nil {
		return nil, err
	}
	_, err := binary.Decode(p, binary.LittleEndian, values)
	return values, err
}

// elementType returns the PTX type of a Go type.
func elementType[T Number]() launch.Type {
	var zero T
	kind := map[bool]string{true: "f", false: "u"}[T(1)/2 != 0]
	if zero-1 < 0 && kind == "u" {
		kind = "s"
	}
	t, ok := launch.TypeOf(fmt.Sprint(kind, 8*binary.Size(zero)))
	if !ok {
		panic("BUG: session: no PTX type for a Go number")
	}
	return t
}

// alignAddresses makes the next objects get the same addresses on all devices.
func (s *Session) alignAddresses() {
	var emulated []*emu.Device
	for _, r := range s.runs {
		if d, ok := r.dev.(devices.EmulatedDevice); ok {
			emulated = append(emulated, d.Device)
		}
	}
	emu.AlignAddresses(emulated...)
}
