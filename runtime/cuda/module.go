// Modules of a process, their kernels and variables, and the parameters of launches.

package cuda

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/fatbin"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// module is a module that a process has loaded.
type module struct {
	program   *session.Program
	kernels   map[string]*Kernel
	variables map[string]*variable
	bound     map[string]*Texture // to texture and surface references, by their name
}

// variable is a module-scope variable that the process has asked for.
type variable struct {
	object        *session.Object
	address, size uint64
	shared        Mapping // of a managed variable
}

// Kernel is a kernel of a module, as launches and attributes need it.
type Kernel struct {
	ID, Module    uint64
	Name          string
	Params        []Param
	Shared, Local uint64 // bytes, statically
	MaxThreads    uint32 // of a block
	PTX           uint32 // architecture that its PTX is for, as 70: that of the device or an earlier one

	module   *module
	function *rewrite.Func
}

// Param is where a parameter lies among the others, in bytes.
type Param struct{ Offset, Size uint32 }

// maxParams is the most bytes of parameters (PTX ISA, section "Kernel Function Parameters").
const maxParams = 32764

// LoadModule loads a module from an image: PTX text, a fat binary, or several of these, which are
// linked. The error is an *Error.
func (p *Process) LoadModule(image []byte) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := p.handle()
	program, err := ReadProgram(id, image, p.opts.Target)
	if err == nil {
		err = p.session.Load(program)
	}
	if outcome := (*Error)(nil); errors.As(err, &outcome) {
		p.note("%v", err)
		return 0, err
	}
	if err != nil {
		p.note("module %d: %v", id, err)
		return 0, errorf(InvalidPTX, "module %d: %v", id, err)
	}
	p.modules[id] = &module{program: program, kernels: make(map[string]*Kernel), variables: make(map[string]*variable), bound: make(map[string]*Texture)}
	return id, nil
}

// ReadProgram reads the PTX of an image that a process loads as its module of a number: PTX text, a fat
// binary, or several of these. The error is an *Error: NoImageForDevice when there is no PTX.
func ReadProgram(id uint64, image []byte, device Target) (*session.Program, error) {
	name := fmt.Sprintf("module%d.ptx", id)
	if isLinked(image) {
		return device.link(name, image)
	}
	text, err := device.ptx(image)
	if err != nil {
		return nil, err
	}
	return session.Parse(name, text)
}

// Unload forgets a module, and its variables, unless the application has them as well.
func (p *Process) Unload(id uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.modules[id]
	if m == nil {
		return errorf(InvalidHandle, "there is no module %d", id)
	}
	for _, k := range m.kernels {
		delete(p.kernels, k.ID)
	}
	delete(p.modules, id)
	for _, v := range m.variables {
		if v.shared != nil {
			return nil
		}
	}
	p.streams.unloaded(m.program.Module)
	return p.session.Unload(m.program)
}

// ptx is the PTX text in an image: of a fat binary, that for the highest architecture that
// the device has, or else for the lowest one.
func (t Target) ptx(image []byte) ([]byte, error) {
	trimmed := bytes.TrimRight(image, "\x00")
	if !bytes.HasPrefix(image, []byte("\x7fELF")) && !isFatbin(image) {
		return trimmed, nil
	}
	file, err := fatbin.Open("module", image)
	if err != nil {
		return nil, errorf(InvalidImage, "%v", err)
	}
	var list []*fatbin.Entry
	for _, m := range file.Modules {
		for _, i := range m.PTX() {
			list = append(list, m.Entries[i])
		}
	}
	if len(list) == 0 {
		return nil, errorf(NoImageForDevice, "a module holds machine code only: expected PTX, as nvcc -arch=compute_70 and -gencode arch=compute_70,code=compute_70 add it")
	}
	text, err := t.choose(list).Data()
	if err != nil {
		return nil, errorf(InvalidImage, "%v", err)
	}
	return text, nil
}

func (t Target) choose(list []*fatbin.Entry) *fatbin.Entry {
	device := t.Major*10 + t.Minor
	fits := func(e *fatbin.Entry) bool { return e.Arch <= device }
	return slices.MaxFunc(list, func(a, b *fatbin.Entry) int {
		switch {
		case fits(a) != fits(b):
			if fits(a) {
				return 1
			}
			return -1
		case fits(a):
			return cmp.Compare(a.Arch, b.Arch)
		}
		return cmp.Compare(b.Arch, a.Arch)
	})
}

// Numbers that fat binaries begin with.
const fatbinMagic = 0xba55ed50

func isFatbin(image []byte) bool {
	return len(image) >= 4 && binary.LittleEndian.Uint32(image) == fatbinMagic
}

// Kernel finds a kernel of a module by its name in the PTX.
func (p *Process) Kernel(id uint64, name string) (*Kernel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.modules[id]
	if m == nil {
		return nil, errorf(InvalidHandle, "there is no module %d", id)
	}
	if k := m.kernels[name]; k != nil {
		return k, nil
	}
	sym, _ := m.program.Module.Lookup(name)
	f, ok := sym.(*rewrite.Func)
	if !ok || !f.Entry {
		return nil, errorf(NotFound, "module %d has no kernel %s", id, name)
	}
	k := describeKernel(f)
	k.ID, k.Module, k.module, k.function = p.handle(), id, m, f
	m.kernels[name] = k
	p.kernels[k.ID] = k
	return k, nil
}

// describeKernel lays out the parameters of a kernel and counts what it declares.
func describeKernel(f *rewrite.Func) *Kernel {
	k := &Kernel{Name: f.Name, MaxThreads: emu.MostThreads(f), PTX: uint32(isa.ModuleTarget(f.Module.AST.Target).SM)}
	offset := uint32(0)
	for _, v := range f.Params {
		align := uint32(max(v.Align, 1))
		offset = (offset + align - 1) / align * align
		k.Params = append(k.Params, Param{offset, uint32(v.Size)})
		offset += uint32(v.Size)
	}
	k.Shared, k.Local = declared(f)
	return k
}

// declared is how many bytes of shared and local memory a kernel has, the module's own shared
// variables included.
func declared(f *rewrite.Func) (shared, local uint64) {
	for _, v := range slices.Concat(f.Module.Globals, f.Locals) {
		switch v.Space {
		case isa.SpaceShared:
			shared += v.Size
		case isa.SpaceLocal:
			local += v.Size
		}
	}
	return shared, local
}

// Variable is the address and size of a module-scope variable.
func (p *Process) Variable(id uint64, name string) (address, size uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.modules[id]
	if m == nil {
		return 0, 0, errorf(InvalidHandle, "there is no module %d", id)
	}
	v, err := p.variable(m, name)
	if err != nil {
		return 0, 0, err
	}
	return v.address, v.size, nil
}

func (p *Process) variable(m *module, name string) (*variable, error) {
	if v := m.variables[name]; v != nil {
		return v, nil
	}
	o, err := p.session.Global(m.program, name)
	if err != nil {
		return nil, errorf(NotFound, "%v", err)
	}
	v := &variable{object: o, address: o.Address(), size: o.Size()}
	m.variables[name] = v
	return v, nil
}

// Managed makes a variable memory that the process has as well, at the same address. The memory
// is made by mapped, which is given the address and the size.
func (p *Process) Managed(id uint64, name string, mapped func(address, size uint64) (Mapping, error)) (address, size uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.modules[id]
	if m == nil {
		return 0, 0, errorf(InvalidHandle, "there is no module %d", id)
	}
	v, err := p.variable(m, name)
	if err != nil || v.shared != nil {
		return 0, 0, err
	}
	shared, err := mapped(v.address, v.size)
	if err == nil {
		if err = v.object.Share(shared.Bytes()); err != nil {
			shared.Unmap()
		}
	}
	if err != nil {
		return 0, 0, errorf(OutOfMemory, "%v", err)
	}
	v.shared = shared
	p.memory.shared = append(p.memory.shared, shared)
	p.streams.shares(v.address, v.size)
	return v.address, v.size, nil
}

// variableAt is the variable that holds an address, among those that have been asked for.
func (p *Process) variableAt(address uint64) *variable {
	for _, m := range p.modules {
		for _, v := range m.variables {
			if address-v.address < v.size {
				return v
			}
		}
	}
	return nil
}

// arguments cuts a parameter block into the arguments of a kernel.
func (p *Process) arguments(k *Kernel, block []byte) ([]any, error) {
	if len(block) > maxParams {
		return nil, errorf(InvalidValue, "%d bytes of parameters, more than %d", len(block), maxParams)
	}
	args := make([]any, len(k.Params))
	for i, param := range k.Params {
		end := uint64(param.Offset) + uint64(param.Size)
		if end > uint64(len(block)) {
			return nil, errorf(InvalidValue, "%d bytes of parameters, expected %d at least", len(block), end)
		}
		args[i] = block[param.Offset:end:end]
	}
	return args, nil
}
