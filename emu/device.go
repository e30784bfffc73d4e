// Devices: memory that several modules share, and loading and reloading a module.

package emu

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Device is the memory of an emulated GPU and the objects that live in it. Modules that
// are loaded on one device see the same allocations, textures and tensor maps. A device
// and its machines are not safe for concurrent use.
type Device struct {
	mem       *gmem.Memory
	textures  map[uint64]*Texture // by object, and by the address of a bound reference
	objects   uint64              // texture objects that there have been
	functions uint64              // function addresses that modules have been given
	workspace uint64              // of cooperative launches, 0 before the first
	tracks    bool                // allocations are uninitialised: a module wants to know (Config.Uninitialised)
}

// NewDevice makes a device with a limit on its memory in bytes, 0 for DefaultMemoryLimit.
func NewDevice(memoryLimit uint64) *Device {
	orDefault(&memoryLimit, DefaultMemoryLimit)
	return &Device{mem: gmem.New(memoryLimit), textures: map[uint64]*Texture{}}
}

// Pad keeps the next allocations as many bytes apart from each other; 4 GiB it is anyway.
func (d *Device) Pad(bytes uint64) { d.mem.Pad(bytes) }

// Load loads a module: it lays out the module's variables in the device's memory and
// decodes its functions, unless Config.DecodeLate puts that off. Config.MemoryLimit has no effect: the limit is the device's. The
// error is a ptxgrammar.ErrorList naming what is unsupported, with lines.
func (d *Device) Load(mod *rewrite.Module, cfg Config) (*Machine, error) {
	return d.load(mod, cfg, nil)
}

// Reload loads another version of the machine's module, or the same one under another
// Config, such as one with another listener. Variables that the versions have in common
// keep their address and contents, functions keep their address; what is new is laid out as
// AllocPrivate does, and initialised as Load does. The old machine stays usable.
func (m *Machine) Reload(mod *rewrite.Module, cfg Config) (*Machine, error) {
	return m.load(mod, cfg, m)
}

// Place lays out a module's variables as Load does, and leaves its functions as they are:
// the machine has addresses and contents, but cannot launch kernels before Reload.
func (d *Device) Place(mod *rewrite.Module, cfg Config) (*Machine, error) {
	m := d.newMachine(mod, cfg)
	m.placed = true
	if err := m.layOut(nil); err != nil {
		return nil, ptxgrammar.ErrorList{err}
	}
	return m, nil
}

// load loads a module, as another version of that of old unless old is nil.
func (d *Device) load(mod *rewrite.Module, cfg Config, old *Machine) (*Machine, error) {
	m := d.newMachine(mod, cfg)
	if err := m.loadModule(old); err != nil {
		return nil, err
	}
	return m, nil
}

func (d *Device) newMachine(mod *rewrite.Module, cfg Config) *Machine {
	cfg.setDefaults()
	d.tracks = d.tracks || cfg.Uninitialised
	return &Machine{Device: d, cfg: cfg, interest: interestOf(cfg.Listener), src: mod, symbols: map[string]*rewrite.Var{}}
}

// variableKey identifies a variable across versions of a module. A variable whose size has
// changed is another one.
type variableKey struct {
	function, name string
	size           uint64
}

func keyOf(v *rewrite.Var) variableKey {
	k := variableKey{name: v.Name, size: v.Size}
	if v.Func != nil {
		k.function = v.Func.Name
	}
	return k
}

// oldAddresses are the addresses that the next version of a module takes over.
type oldAddresses struct {
	vars  map[variableKey]uint64
	funcs map[string]uint64
}

// addresses lists the addresses of the machine's variables and functions. The list of a
// nil machine is empty.
func (m *Machine) addresses() oldAddresses {
	o := oldAddresses{vars: map[variableKey]uint64{}, funcs: map[string]uint64{}}
	if m == nil {
		return o
	}
	for v, addr := range m.vars {
		o.vars[keyOf(v)] = addr
	}
	for _, fn := range m.functions {
		o.funcs[fn.src.Name] = fn.addr
	}
	return o
}

// functionAddress is the next address for a function, from codeWindow on.
func (d *Device) functionAddress() uint64 {
	d.functions++
	return codeWindow + (d.functions-1)*codeStep
}

// Alloc reserves zeroed device memory and returns its generic address. The name
// is used in fault messages and by Describe. Sparse: untouched pages cost nothing.
func (d *Device) Alloc(name string, size uint64) (uint64, error) {
	a, err := d.mem.Alloc(name, size, false)
	if err != nil {
		return 0, err
	}
	d.track(a)
	return a.Base, nil
}

// AllocPrivate is Alloc for memory that programs do not know of, such as a detector's
// metadata: it lies in a range of addresses of its own. Where Alloc places the buffers of a
// program does not depend on it. The limit is gmem.PrivateLimit.
func (d *Device) AllocPrivate(name string, size uint64) (uint64, error) {
	a, err := d.mem.AllocPrivate(name, size, false)
	if err != nil {
		return 0, err
	}
	d.track(a)
	return a.Base, nil
}

// AlignAddresses has the next allocations lie at the same addresses on all devices, which
// differ at most in what threads have allocated.
func AlignAddresses(devices ...*Device) {
	var to gmem.Position
	for _, d := range devices {
		to = to.Later(d.mem.Position())
	}
	for _, d := range devices {
		d.mem.Advance(to)
	}
}

// AllocShared makes memory that somebody else has as well an allocation: a process that
// kernels are launched for, say. It begins at a multiple of 64 KiB, so that it can be mapped
// at the same address elsewhere. The capacity of the slice must be a multiple of 16 bytes, and
// the memory must stay until it is freed. Its contents count as written.
func (d *Device) AllocShared(name string, memory []byte) (uint64, error) {
	a, err := d.mem.AllocShared(name, memory)
	if err != nil {
		return 0, err
	}
	return a.Base, nil
}

// Share puts the bytes of the allocation or variable that starts at addr into memory that
// somebody else has as well, as that of AllocShared; its address stays.
func (d *Device) Share(addr uint64, memory []byte) error { return d.mem.Share(addr, memory) }

// SetInitialised makes all contents of the allocation at addr count as written, for
// Config.Uninitialised.
func (d *Device) SetInitialised(addr uint64) {
	if a := d.mem.Find(addr); a != nil {
		a.Shadow = nil
	}
}

// track makes the contents of an allocation uninitialised.
func (d *Device) track(a *gmem.Allocation) {
	if d.tracks {
		a.Shadow = gmem.NewShadow(a.Size)
	}
}

// Free ends the life of the allocation at addr. Accesses to it are faults from
// then on.
func (d *Device) Free(addr uint64) error { return d.mem.Retire(addr) }

// Reset ends the life of all that programs have on the device: allocations, variables, what kernels
// have allocated, and textures. Their addresses are not used again, and accesses to them are faults.
// Modules have to be loaded again.
func (d *Device) Reset() {
	d.mem.RetireAll()
	clear(d.textures)
	d.workspace = 0
}

// FreeVariables ends the life of the module's variables, of which kernels cannot be launched any more.
func (m *Machine) FreeVariables() error {
	for _, addr := range slices.Sorted(maps.Values(m.vars)) {
		if err := m.mem.Retire(addr); err != nil {
			return err
		}
	}
	return nil
}

// Write copies from host to device memory.
func (d *Device) Write(addr uint64, p []byte) error { return d.mem.Write(addr, p) }

// Read copies from device to host memory.
func (d *Device) Read(addr uint64, p []byte) error { return d.mem.Read(addr, p) }

// Describe names the allocation or variable that holds addr and the offset in it.
func (d *Device) Describe(addr uint64) (name string, offset uint64, ok bool) {
	return d.mem.Describe(addr)
}
