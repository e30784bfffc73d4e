// Sessions on a real GPU: the driver compiles the modules; variables are laid out as in the emulator.

package devices

import (
	"context"
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// gpuDevice is a GPU. It refuses what only the emulator has, by name.
type gpuDevice struct {
	gpu.Runner
	noState
	arrays *gpuArrays
}

// OnGPU returns a GPU as the device of a session.
func OnGPU(r gpu.Runner) Device {
	return gpuDevice{Runner: r, arrays: &gpuArrays{textures: make(map[uint64]*gpuArray)}}
}

func (d gpuDevice) AllocShared(string, []byte) (uint64, error) {
	return 0, notOnGPU("memory that processes share")
}

func (d gpuDevice) Share(uint64, []byte) error { return notOnGPU("memory that processes share") }
func (d gpuDevice) SetEndpoint(uint32, *emu.Endpoint) error {
	return notOnGPU("logical endpoints")
}
func (d gpuDevice) AllocWorkspace() error { return nil } // the driver has one

// Distant implements abi.Distant.
func (m *gpuMachine) Distant() bool { return true }

// Decode implements machine. The driver has compiled the kernels.
func (m *gpuMachine) Decode(string) error { return nil }

func (m *gpuMachine) Unload() error { return notOnGPU("modules that are unloaded") }

func (m *gpuMachine) Restore(*rewrite.Module) error { return notOnGPU("variables that are restored") }

func notOnGPU(what string) error {
	return badinput.Errorf("%s are not supported on a GPU: expected --device emu", what)
}

// Place compiles the module.
func (d gpuDevice) Place(m *rewrite.Module, cfg emu.Config) (Machine, error) {
	layout, err := emu.NewDevice(emu.Config{}).Load(m, emu.Config{})
	if err != nil { // the GPU may support instructions that the emulator does not
		layout, err = emu.NewDevice(emu.Config{}).Place(m, emu.Config{})
	}
	if err != nil {
		return nil, err
	}
	return &gpuMachine{gpuDevice: d, layout: layout, source: m, poll: cfg.Poll}, nil
}

// gpuMachine is a module on a GPU. The layout of parameters follows from PTX. That shared variables lie as in the
// emulator is a guess, for names in reports.
type gpuMachine struct {
	gpuDevice
	layout *emu.Machine
	source *rewrite.Module
	code   gpu.Code // nil until needed: a version that is replaced before is not compiled
	poll   func() bool
	dead   bool
}

// compiled returns the compiled module.
func (m *gpuMachine) compiled() (gpu.Code, error) {
	if m.code != nil {
		return m.code, nil
	}
	code, err := m.Compile(gpu.ForDriver(m.source.Source()))
	if err != nil {
		return nil, badinput.Errorf("%s: %v", m.source.AST.File.Name, err)
	}
	m.code = code
	return code, nil
}

// sparseFrom is the size in bytes from which memory of detectors is sparse: their tables cover all addresses, and
// kernels touch a part.
const sparseFrom = 256 << 20

// AllocPrivate implements machine.
func (m *gpuMachine) AllocPrivate(name string, size uint64) (uint64, error) {
	if size >= sparseFrom {
		return m.AllocSparse(name, size)
	}
	return m.Alloc(name, size)
}

func (m *gpuMachine) Symbol(name string) (addr, size uint64, ok bool) {
	code, err := m.compiled()
	if err != nil {
		return 0, 0, false
	}
	return code.Symbol(name)
}

func (m *gpuMachine) DescribeShared(kernel string, addr uint64) (name string, offset uint64, ok bool) {
	return m.layout.DescribeShared(kernel, addr)
}

func (m *gpuMachine) Params(kernel string) ([]emu.Param, uint64, error) {
	return m.layout.Params(kernel)
}

func (m *gpuMachine) SharedSize(kernel string, dynamic uint64) (uint64, error) {
	code, err := m.compiled()
	if err != nil {
		return 0, err
	}
	static, err := code.StaticShared(kernel)
	return static + dynamic, err
}

func (m *gpuMachine) BindTexture(string, emu.Texture) error { return notOnGPU("textures") }
func (m *gpuMachine) SetMaxSteps(uint64)                    {} // the time is limited instead of the steps
func (m *gpuMachine) Lost() bool                            { return m.dead }

// Reload compiles another version of the module, and copies the variables to it.
func (m *gpuMachine) Reload(mod *rewrite.Module, cfg emu.Config) (Machine, error) {
	placed, err := m.Place(mod, cfg)
	if err != nil {
		return nil, err
	}
	next := placed.(*gpuMachine)
	if _, err = next.compiled(); err != nil || m.code == nil {
		return next, err
	}
	for _, v := range m.source.Globals {
		from, size, ok := m.Symbol(v.Name)
		to, room, there := next.Symbol(v.Name)
		if !ok || !there || size != room {
			continue
		}
		p := make([]byte, size)
		if err := errors.Join(m.Read(from, p), next.Write(to, p)); err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Name, err)
		}
	}
	return next, m.code.Unload()
}

// Launch implements machine.
func (m *gpuMachine) Launch(ctx context.Context, l emu.LaunchConfig) (*emu.Result, error) {
	code, err := m.compiled()
	if err != nil {
		return nil, err
	}
	grid := l.Grid.Array()
	if f := m.source.Func(l.Kernel); f != nil && emu.InClusters(f) { // which the driver counts in clusters
		for i, n := range emu.RequiredCluster(f).Array() {
			grid[i] /= max(n, 1)
		}
	}
	err = m.withArrays(l.Kernel, l.Params, func(params []byte) error {
		return code.Run(ctx, gpu.Launch{
			Kernel: l.Kernel, Grid: grid, Block: l.Block.Array(), Cluster: l.Cluster.Array(),
			Shared: uint32(l.Shared), Cooperative: l.Cooperative, Params: params,
		}, m.poller())
	})
	var fault *gpu.Fault
	switch {
	case errors.As(err, &fault):
		m.dead = true
		return &emu.Result{Faults: []*emu.Fault{{Class: fault.Class, Message: fault.Message, Kernel: l.Kernel}}}, nil
	case errors.Is(err, context.DeadlineExceeded):
		m.dead = true
		return &emu.Result{Faults: []*emu.Fault{{
			Class:   "timeout",
			Message: fmt.Sprintf("the kernel still ran after %v", context.Cause(ctx)), Kernel: l.Kernel,
		}}}, nil
	case err != nil:
		return nil, err
	}
	return &emu.Result{}, nil
}

// poller returns a function that lets a detector read what the kernel writes while it runs, nil if none needs it.
func (m *gpuMachine) poller() func() error {
	if m.poll == nil {
		return nil
	}
	return func() error { m.poll(); return nil }
}
