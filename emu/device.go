// Devices: memory that several modules share, and loading and reloading modules.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Device is the memory of an emulated GPU, with textures and tensor maps. Modules that are loaded on one device share
// its allocations, textures and tensor maps. A device and its machines are not safe for concurrent use.
type Device struct{ state *state.Device }

// NewDevice makes a device with the settings of a Config that are the device's: MemoryLimit, Addresses, Padding and
// Uninitialised. They apply to all of its memory, whatever modules are loaded and when.
func NewDevice(cfg Config) *Device {
	faults.OrDefault(&cfg.MemoryLimit, DefaultMemoryLimit)
	d := &state.Device{Mem: gmem.New(cfg.MemoryLimit), Textures: map[uint64]*Texture{}, Tracks: cfg.Uninitialised}
	d.Mem.Within(cfg.Addresses)
	d.Mem.Pad(cfg.Padding)
	return &Device{d}
}

// Load loads a module: it places the module's variables in the device's memory and decodes its functions, unless
// Config.DecodeLate postpones that. MemoryLimit and Padding of the Config have no effect: the device has its own.
// Uninitialised says whether the module's instructions are checked; they can find nothing in the memory of a device
// that does not track it. The error is a ptxgrammar.ErrorList of the unsupported constructs, with lines.
func (d *Device) Load(mod *rewrite.Module, cfg Config) (*Machine, error) {
	m, err := load(d.state, mod, cfg, nil)
	if err != nil {
		return nil, err
	}
	return &Machine{Device: d, state: m}, nil
}

// Reload loads another version of the machine's module, or the same one with another Config, such as another listener.
// Variables that both versions have keep their address and contents, functions keep their address. New variables are
// placed like those of AllocPrivate, and initialised as by Load; Config.Managed is that of the old machine, which
// remains usable.
func (m *Machine) Reload(mod *rewrite.Module, cfg Config) (*Machine, error) {
	cfg.Managed = m.state.Cfg.Managed
	next, err := load(m.state.Dev, mod, cfg, m.state)
	if err != nil {
		return nil, err
	}
	return &Machine{Device: m.Device, state: next}, nil
}

// Place places a module's variables like Load, but does not decode its functions: the machine has addresses and
// contents, but cannot launch kernels before Reload.
func (d *Device) Place(mod *rewrite.Module, cfg Config) (*Machine, error) {
	m := newMachineOn(d.state, mod, cfg)
	m.Placed = true
	if err := program.LayOut(m, nil); err != nil {
		return nil, ptxgrammar.ErrorList{err}
	}
	return &Machine{Device: d, state: m}, nil
}

// load loads a module, as a new version of old's module unless old is nil.
func load(d *state.Device, mod *rewrite.Module, cfg Config, old *state.Machine) (*state.Machine, error) {
	m := newMachineOn(d, mod, cfg)
	if err := program.LoadModule(m, old); err != nil {
		return nil, err
	}
	return m, nil
}

func newMachineOn(d *state.Device, mod *rewrite.Module, cfg Config) *state.Machine {
	faults.SetDefaults(&cfg)
	return &state.Machine{
		Dev: d, Cfg: cfg, Run: run, Interest: events.InterestOf(cfg.Listener), Src: mod,
		Symbols: map[string]*rewrite.Var{},
	}
}

// Alloc allocates zeroed device memory and returns its generic address. The name is used in fault messages and by
// Describe. Untouched pages occupy no host memory.
func (d *Device) Alloc(name string, size uint64) (uint64, error) {
	return grids.Alloc(d.state, name, size)
}

// AllocPrivate is Alloc for memory that is not the program's, such as a detector's metadata: it has a separate range of
// addresses, so that it does not affect the addresses of the program's buffers. The limit is gmem.PrivateLimit.
func (d *Device) AllocPrivate(name string, size uint64) (uint64, error) {
	a, err := d.state.Mem.AllocPrivate(name, size, false)
	if err != nil {
		return 0, err
	}
	grids.Track(d.state, a)
	return a.Base, nil
}

// AlignAddresses makes the next allocations have the same addresses on all devices, which may differ only in the
// allocations made by threads.
func AlignAddresses(devices ...*Device) {
	var to gmem.Position
	for _, d := range devices {
		to = to.Later(d.state.Mem.Position())
	}
	for _, d := range devices {
		d.state.Mem.Advance(to)
	}
}

// AllocShared makes an allocation of memory that is shared, for example with the process for which kernels are
// launched. Its address is a multiple of 64 KiB, so that the memory can be mapped at the same address elsewhere. The
// capacity of the slice must be a multiple of 16 bytes, and the memory must stay valid until it is freed. Its contents
// count as written.
func (d *Device) AllocShared(name string, memory []byte) (uint64, error) {
	a, err := d.state.Mem.AllocShared(name, memory)
	if err != nil {
		return 0, err
	}
	return a.Base, nil
}

// AddressRanges is the number of address ranges that Config.Addresses can select.
const AddressRanges = gmem.AddressRanges

// AllocAt makes an allocation of shared memory (AllocShared) that a device with another number in Config.Addresses has
// at addr. It does not count for the limit of memory.
func (d *Device) AllocAt(name string, addr uint64, memory []byte) error {
	return d.state.Mem.AllocAt(name, addr, memory)
}

// Share moves the bytes of the allocation or variable that starts at addr into shared memory, as of AllocShared; its
// address stays the same.
func (d *Device) Share(addr uint64, memory []byte) error { return d.state.Mem.Share(addr, memory) }

// SetInitialised marks all contents of the allocation at addr as written, for Config.Uninitialised.
func (d *Device) SetInitialised(addr uint64) {
	if a := d.state.Mem.Find(addr); a != nil {
		a.Shadow = nil
	}
}

// SetUninitialised marks all contents of the allocation at addr as unwritten, if the device tracks that. Of shared
// memory the host's writes are recognised by what they change: it is filled with a pattern.
func (d *Device) SetUninitialised(addr uint64) error {
	if !d.state.Tracks {
		return nil
	}
	return d.state.Mem.SetUnwritten(addr)
}

// Rows describes pitched memory: rows of Width bytes, Pitch bytes apart.
type Rows = gmem.Rows

// SetRows says that the allocation at addr is pitched memory. The bytes between rows are padding: they may be copied
// unwritten.
func (d *Device) SetRows(addr uint64, r Rows) { d.state.Mem.SetRows(addr, r) }

// Unwritten returns how many of size bytes from addr on were never written, without those that are like padding, and
// the address of the first.
func (d *Device) Unwritten(addr, size uint64) (first, count uint64) {
	return d.state.Mem.Unwritten(addr, size)
}

// CopyInitialised marks size bytes from to on as written where those from from on are: for a copy by the host.
func (d *Device) CopyInitialised(to, from, size uint64) {
	if d.state.Tracks {
		d.state.Mem.CopyState(to, from, size)
	}
}

// Handle is memory without an address, of which parts are mapped in reserved ranges.
type Handle = gmem.Handle

// Reserve reserves a range of addresses without memory, at a multiple of a power of two. Accesses to parts of it are
// faults until Map gives them memory and Allow says that it may be accessed.
func (d *Device) Reserve(name string, size uint64, align uint32) (uint64, error) {
	a, err := d.state.Mem.Reserve(name, size, align)
	if err != nil {
		return 0, err
	}
	if d.state.Tracks {
		a.Shadow = gmem.NewShadow(0)
	}
	return a.Base, nil
}

// NewHandle makes memory without an address, and EndHandle frees it when no part of it is mapped.
func (d *Device) NewHandle(name string, size uint64) (*Handle, error) {
	return d.state.Mem.NewHandle(name, size)
}

// EndHandle frees what NewHandle has made.
func (d *Device) EndHandle(h *Handle) { d.state.Mem.EndHandle(h) }

// Map gives size bytes of a handle, from byte first on, the address addr in a reserved range, where there must be no
// memory.
func (d *Device) Map(addr uint64, h *Handle, first, size uint64) {
	d.state.Mem.Map(addr, h, first, size, d.state.Tracks)
}

// MapMulticast gives size bytes of a multicast object from byte first on the address addr in a reserved range, where
// multimem accesses all replicas. These may change later.
func (d *Device) MapMulticast(addr uint64, of *Multicast, first, size uint64) {
	d.state.Mem.MapMulticast(addr, of, first, size)
}

// Unmap undoes a Map. The handle keeps the contents, unless it is nil.
func (d *Device) Unmap(addr, size uint64, h *Handle, first uint64) error {
	return d.state.Mem.Unmap(addr, size, h, first)
}

// Allow says which devices of an application may access memory that Map has mapped; none may at first.
func (d *Device) Allow(addr, size uint64, devices Devices) { d.state.Mem.Allow(addr, size, devices) }

// SetDevices says which devices of an application may access the allocation that starts at addr, which is memory of the
// device home; all may at first.
func (d *Device) SetDevices(addr uint64, home int, devices Devices) {
	d.state.Mem.SetDevices(addr, home, devices)
}

// Divide makes the n bytes at addr, which are in one allocation and in no heap, a heap: kernels may access only regions of it.
// Undivide makes the heap that begins at addr ordinary memory.
func (d *Device) Divide(addr, n uint64, name string) { d.state.Mem.Divide(addr, n, name) }

// Undivide undoes Divide.
func (d *Device) Undivide(addr uint64) { d.state.Mem.Undivide(addr) }

// Region makes the n bytes at addr a region of their heap, EndRegion ends it, and NameRegion names it, or a heap. The values are
// false where there is none.
func (d *Device) Region(addr, n uint64, name string) bool { return d.state.Mem.Region(addr, n, name) }

// EndRegion undoes Region.
func (d *Device) EndRegion(addr uint64) bool { return d.state.Mem.EndRegion(addr) }

// NameRegion names the region, or the heap, that begins at addr.
func (d *Device) NameRegion(addr uint64, name string) { d.state.Mem.NameRegion(addr, name) }

// Free frees the allocation at addr. Later accesses to it are faults.
func (d *Device) Free(addr uint64) error { return d.state.Mem.Retire(addr) }

// Reset frees everything that programs have on the device: allocations, variables, memory allocated by kernels,
// textures and endpoints. Their addresses are not reused, and accesses to them are faults. Modules have to be loaded
// again.
func (d *Device) Reset() {
	d.state.Mem.RetireAll()
	clear(d.state.Textures)
	clear(d.state.Endpoints)
	d.state.Workspaces = nil
}

// FreeVariables frees the module's variables, but for those that another version of the module has freed, and managed
// ones of another module (Config.Managed). The module's kernels cannot be launched any more.
func (m *Machine) FreeVariables() error {
	var own []uint64
	for v, addr := range m.state.Vars {
		if m.state.Cfg.Managed[v.Name] != addr {
			own = append(own, addr)
		}
	}
	slices.Sort(own)
	for _, addr := range own {
		if m.state.Dev.Mem.Find(addr).Freed() {
			continue
		}
		if err := m.state.Dev.Mem.Retire(addr); err != nil {
			return err
		}
	}
	return nil
}

// SetDevices says which devices of an application may access the module's variables, which are memory of the device
// home. All may access managed variables.
func (m *Machine) SetDevices(home int, devices Devices) {
	for v, addr := range m.state.Vars {
		if !v.Managed() {
			m.state.Dev.Mem.SetDevices(addr, home, devices)
		}
	}
}

// Write copies from host to device memory.
func (d *Device) Write(addr uint64, p []byte) error { return d.state.Mem.Write(addr, p) }

// Zero zeroes device memory. Of large allocations, parts that have not been touched take no time.
func (d *Device) Zero(addr, size uint64) error { return d.state.Mem.Zero(addr, size) }

// Read copies from device to host memory.
func (d *Device) Read(addr uint64, p []byte) error { return d.state.Mem.Read(addr, p) }

// Describe returns the name of the allocation or variable that contains addr, and the offset in it.
func (d *Device) Describe(addr uint64) (name string, offset uint64, ok bool) {
	return d.state.Mem.Describe(addr)
}

// AllocWorkspace allocates a workspace for a cooperative launch, unless there is one that no launch uses. Otherwise the
// cooperative launch allocates it. A host that needs to know all allocations before a launch, such as a detector's, calls it.
func (d *Device) AllocWorkspace() error { return grids.AllocWorkspace(d.state) }
