// Devices that sessions execute on, and the interfaces that they implement.

package devices

import (
	"context"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Device is the memory of a GPU, emulated or real (gpuDevice), and the objects in it.
type Device interface {
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
	SetEndpoint(id uint32, e *emu.Endpoint) error
	// Place lays out the variables of a module.
	Place(m *rewrite.Module, cfg emu.Config) (Machine, error)
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

// Machine is a module on a device. Alloc allocates memory for the program, AllocPrivate for detectors.
type Machine interface {
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
	// Reload makes a machine of another version of the module. Variables that both versions have keep their contents.
	Reload(m *rewrite.Module, cfg emu.Config) (Machine, error)
	// Decode decodes a kernel and the functions that it may call, unless they are decoded.
	Decode(kernel string) error
	// Restore gives the variables of a program, of which the module is a version, their initial values.
	Restore(program *rewrite.Module) error
	// Unload frees the variables of the module.
	Unload() error
	// Lost reports whether a fault has destroyed the device's memory.
	Lost() bool
}

// EmulatedDevice is an emulated device.
type EmulatedDevice struct{ *emu.Device }

// SetEndpoint is that of emu.Device, which cannot fail.
func (d EmulatedDevice) SetEndpoint(id uint32, e *emu.Endpoint) error {
	d.Device.SetEndpoint(id, e)
	return nil
}

// Place prepares a module for launches on the device.
func (d EmulatedDevice) Place(m *rewrite.Module, cfg emu.Config) (Machine, error) {
	placed, err := d.Device.Place(m, cfg)
	if err != nil {
		return nil, err
	}
	return EmulatedMachine{placed}, nil
}

// NewTexture implements device: a texture of the emulator is a surface, too.
func (d EmulatedDevice) NewTexture(t emu.Texture, _ bool) (uint64, error) {
	return d.Device.NewTexture(t)
}

// EmulatedMachine is a module on an emulated device.
type EmulatedMachine struct{ *emu.Machine }

// Reload implements Machine.
func (m EmulatedMachine) Reload(mod *rewrite.Module, cfg emu.Config) (Machine, error) {
	again, err := m.Machine.Reload(mod, cfg)
	if err != nil {
		return nil, err
	}
	return EmulatedMachine{again}, nil
}

// Unload implements Machine.
func (m EmulatedMachine) Unload() error { return m.FreeVariables() }

// Lost implements Machine: an emulated device keeps its memory.
func (m EmulatedMachine) Lost() bool { return false }
