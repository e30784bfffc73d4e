// Modules of a process, their kernels and variables, and the parameters of launches.

package cuda

import (
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// modules holds the modules of a process, and the kernels that it has asked for.
type modules struct {
	byID    map[uint64]*module
	kernels map[uint64]*Kernel
}

func newModules() modules {
	return modules{make(map[uint64]*module), make(map[uint64]*Kernel)}
}

// of returns a module by its number.
func (l *modules) of(id uint64) (*module, error) {
	if m := l.byID[id]; m != nil {
		return m, nil
	}
	return nil, errorf(InvalidHandle, "there is no module %d", id)
}

// variableAt returns the requested variable that contains an address. Of a managed variable that modules share, it is
// that of the first one.
func (l *modules) variableAt(address uint64) *variable {
	for _, m := range l.byID {
		for name, v := range m.variables {
			if address-v.address < v.size && m.program.Managed[name] == 0 {
				return v
			}
		}
	}
	return nil
}

// module is a module loaded by a process.
type module struct {
	program   *session.Program
	kernels   map[string]*Kernel
	variables map[string]*variable
	bound     map[string]*Texture // to texture and surface references, by name
	device    order.Device
	image     [sha256.Size]byte // the sum of what it was loaded from, in an application with several devices
}

// variable is a module-scope variable whose address the process has requested.
type variable struct {
	object        *session.Object
	address, size uint64
	shared        Mapping // of a managed variable
	device        order.Device
}

// Kernel is a kernel of a module, with its attributes.
type Kernel struct {
	ID, Module    uint64
	Name          string
	Params        []Param // that the host passes
	Shared, Local uint64  // static size in bytes
	MaxThreads    uint32  // per block
	PTX           uint32  // architecture of its PTX, such as 70: that of the device or an earlier one

	module   *module
	function *rewrite.Func
	params   []launch.Param // see described
}

// Param is the offset and size of a parameter in bytes.
type Param struct{ Offset, Size uint32 }

// maxParams is the maximal size of parameters in bytes (PTX ISA, section "Kernel Function Parameters").
const maxParams = 32764

// LoadModule loads a module from an image: PTX text, a fat binary, or several of these, which are linked. The error is
// an *Error.
func (p *Process) LoadModule(image []byte, in In) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := p.handle()
	place := func(ptx []byte) []byte {
		return p.sites.sources.place(id, ptx, func() []callsite.Frame { return p.sites.python(in) })
	}
	r := &reader{Target: p.target, edit: place}
	program, err := r.program(id, image)
	if err == nil {
		p.opts.noteRelease(id, program)
		program.Managed = p.managedOf(image, in.Device)
		err = p.session.Load(program)
	}
	if err != nil && p.unchecked.rejected.add(id, err) && errors.As(err, new(*Error)) {
		p.opts.note("%v", err)
	}
	if errors.As(err, new(*Error)) {
		return 0, err
	}
	if err != nil {
		p.opts.note("module %d: %v", id, err)
		return 0, errorf(InvalidPTX, "module %d: %v", id, err)
	}
	p.streams.loaded(program.Module)
	p.named.add(program, p.opts)
	p.unchecked.machineCode.add(id, r)
	m := &module{
		program: program, kernels: make(map[string]*Kernel), variables: make(map[string]*variable),
		bound: make(map[string]*Texture), device: in.Device,
	}
	if p.opts.several() {
		m.image = sha256.Sum256(image)
	}
	p.modules.byID[id] = m
	return id, p.permitVariables(m)
}

// noteRelease notes what a module has of a PTX release newer than the instruction table, and what its target lacks.
func (o *Options) noteRelease(id uint64, program *session.Program) {
	for _, note := range program.Module.Newer() {
		o.note("note: module %d: %s", id, note)
	}
	if note := query.Older(program.Module); note != "" {
		o.note("note: %s", note)
	}
}

// ReadProgram reads the PTX of an image that becomes module id, on a GPU instead of the image: PTX text, a fat binary, or
// several of these. The error is an *Error: NoImageForDevice if there is no PTX of a part of it, NotSupported if the
// driver does with it what it does not do with PTX.
func ReadProgram(id uint64, image []byte, device Target) (*session.Program, error) {
	r := &reader{Target: device, edit: func(ptx []byte) []byte { return ptx }}
	program, err := r.program(id, image)
	switch {
	case err != nil:
		return nil, err
	case len(r.without) > 0:
		return nil, errorf(NoImageForDevice, "machine code without PTX: %s", report.Functions(r.without))
	case slices.ContainsFunc(program.Module.Funcs, (*rewrite.Func).TileIR):
		return nil, errorf(NotSupported, "kernels of Tile IR, which the driver launches by host code in the machine code")
	}
	return program, nil
}

// Unload drops a module and its variables, except for variables shared with the application.
func (p *Process) Unload(id uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.modules.of(id)
	if err != nil {
		return err
	}
	return p.unload(id, m)
}

// unload removes a module, and what it has on the device.
func (p *Process) unload(id uint64, m *module) error {
	for _, k := range m.kernels {
		delete(p.modules.kernels, k.ID)
	}
	delete(p.modules.byID, id)
	for _, v := range m.variables {
		if v.shared != nil {
			return nil
		}
	}
	p.streams.unloaded(m.program.Module)
	return p.session.Unload(m.program)
}

// Kernel returns a kernel of a module by its PTX name.
func (p *Process) Kernel(id uint64, name string) (*Kernel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.modules.of(id)
	if err != nil {
		return nil, err
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
	p.modules.kernels[k.ID], p.sites.kernels[name] = k, true
	return k, nil
}

// Kernels returns the names of the kernels of a module, in the order of the module.
func (p *Process) Kernels(id uint64) (names []string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.modules.of(id)
	if err != nil {
		return nil, err
	}
	for _, f := range m.program.Module.Funcs {
		if f.Entry {
			names = append(names, f.Name)
		}
	}
	return names, nil
}

// describeKernel computes the parameter layout of a kernel and the sizes of what it declares.
func describeKernel(f *rewrite.Func) *Kernel {
	k := &Kernel{Name: f.Name, MaxThreads: emu.MostThreads(f), PTX: uint32(isa.ModuleTarget(f.Module.AST.Target).SM)}
	offset := uint32(0)
	for _, v := range f.Params {
		if v.Hidden() {
			continue
		}
		align := uint32(max(v.Align, 1))
		offset = (offset + align - 1) / align * align
		k.Params = append(k.Params, Param{offset, uint32(v.Size)})
		offset += uint32(v.Size)
	}
	k.Shared, k.Local = declared(f)
	return k
}

// declared returns the sizes of shared and local memory of a kernel in bytes, including the module's shared variables.
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

// Variable returns the address and size of a module-scope variable.
func (p *Process) Variable(id uint64, name string) (address, size uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.modules.of(id)
	if err != nil {
		return 0, 0, err
	}
	v, err := m.variable(p.session, name)
	if err != nil {
		return 0, 0, err
	}
	return v.address, v.size, nil
}

// variable returns a variable of the module, whose address has been requested from now on.
func (m *module) variable(s *session.Session, name string) (*variable, error) {
	if v := m.variables[name]; v != nil {
		return v, nil
	}
	o, err := s.Global(m.program, name)
	if err != nil {
		return nil, errorf(NotFound, "%v", err)
	}
	v := &variable{object: o, address: o.Address(), size: o.Size(), device: m.device}
	m.variables[name] = v
	return v, nil
}

// Managed makes a variable memory shared with the process, at the same address. mapped makes the memory, given the
// address and the size.
func (p *Process) Managed(id uint64, name string,
	mapped func(address, size uint64) (Mapping, error),
) (address, size uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.modules.of(id)
	if err != nil {
		return 0, 0, err
	}
	v, err := m.variable(p.session, name)
	if err != nil || v.shared != nil || m.program.Managed[name] != 0 { // it is shared already
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

// arguments splits a parameter block into the arguments of the kernel.
func (k *Kernel) arguments(block []byte) ([]any, error) {
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
