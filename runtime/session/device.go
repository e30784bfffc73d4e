// Devices that sessions execute on, and the interfaces that they implement.

package session

import (
	"context"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// device is the memory of a GPU, emulated or real (gpuDevice), and the objects in it.
type device interface {
	Alloc(name string, size uint64) (uint64, error)
	AllocShared(name string, memory []byte) (uint64, error)
	AllocWorkspace() error
	Share(addr uint64, memory []byte) error
	Free(addr uint64) error
	Read(addr uint64, p []byte) error
	Write(addr uint64, p []byte) error
	Describe(addr uint64) (name string, offset uint64, ok bool)
	stateKeeper
	// NewTexture makes a texture. surface says that kernels may access it as a surface.
	NewTexture(t emu.Texture, surface bool) (uint64, error)
	NewTensorMap(t emu.TensorMap) (uint64, error)
	// place lays out the variables of a module.
	place(m *rewrite.Module, cfg emu.Config) (machine, error)
}

// stateKeeper knows which memory has been written, for emu.Config.Uninitialised: see emu.Device.
type stateKeeper interface {
	SetInitialised(addr uint64)
	SetUninitialised(addr uint64) error
	SetRows(addr uint64, r emu.Rows)
	Unwritten(addr, size uint64) (first, count uint64)
	CopyInitialised(to, from, size uint64)
}

// noState is a stateKeeper that knows nothing.
type noState struct{}

func (noState) SetInitialised(uint64)                  {}
func (noState) SetUninitialised(uint64) error          { return nil }
func (noState) SetRows(uint64, emu.Rows)               {}
func (noState) Unwritten(uint64, uint64) (a, n uint64) { return 0, 0 }
func (noState) CopyInitialised(uint64, uint64, uint64) {}

// machine is a module on a device. Alloc allocates memory for the program, AllocPrivate for detectors.
type machine interface {
	abi.Device
	abi.Freer
	AllocPrivate(name string, size uint64) (uint64, error)
	Describe(addr uint64) (name string, offset uint64, ok bool)
	DescribeShared(kernel string, addr uint64) (name string, offset uint64, ok bool)
	Params(kernel string) ([]emu.Param, uint64, error)
	SharedSize(kernel string, dynamic uint64) (uint64, error)
	BindTexture(name string, t emu.Texture) error
	SetMaxSteps(n uint64)
	Launch(ctx context.Context, l emu.LaunchConfig) (*emu.Result, error)
	// reload makes a machine of another version of the module. Variables that both versions have keep their contents.
	reload(m *rewrite.Module, cfg emu.Config) (machine, error)
	// Decode decodes a kernel and the functions that it may call, unless they are decoded.
	Decode(kernel string) error
	// unload frees the variables of the module.
	unload() error
	// lost reports whether a fault has destroyed the device's memory.
	lost() bool
}

// emulatedDevice is an emulated device.
type emulatedDevice struct{ *emu.Device }

func (d emulatedDevice) place(m *rewrite.Module, cfg emu.Config) (machine, error) {
	placed, err := d.Place(m, cfg)
	if err != nil {
		return nil, err
	}
	return emulatedMachine{placed}, nil
}

// NewTexture implements device: a texture of the emulator is a surface, too.
func (d emulatedDevice) NewTexture(t emu.Texture, _ bool) (uint64, error) {
	return d.Device.NewTexture(t)
}

// emulatedMachine is a module on an emulated device.
type emulatedMachine struct{ *emu.Machine }

func (m emulatedMachine) reload(mod *rewrite.Module, cfg emu.Config) (machine, error) {
	again, err := m.Reload(mod, cfg)
	if err != nil {
		return nil, err
	}
	return emulatedMachine{again}, nil
}

func (m emulatedMachine) unload() error { return m.FreeVariables() }

func (m emulatedMachine) lost() bool { return false }

// alignAddresses makes the next objects get the same addresses on all devices.
func (s *Session) alignAddresses() {
	var devices []*emu.Device
	for _, r := range s.runs {
		if d, ok := r.dev.(emulatedDevice); ok {
			devices = append(devices, d.Device)
		}
	}
	emu.AlignAddresses(devices...)
}
