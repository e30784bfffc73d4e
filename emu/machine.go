// Loading: addresses and initial values of variables, addresses of functions, layouts of parameters and shared memory.

package emu

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/schedule"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Restore gives the variables of a program in global memory their initial values. If the machine was made of another
// version of the program, the variables that only that version has keep their values.
func (m *Machine) Restore(restored *rewrite.Module) error {
	own := make(map[program.VariableKey]bool)
	for _, v := range program.DeviceVars(restored) {
		own[program.KeyOf(v)] = v.Space == isa.SpaceGlobal
	}
	var vars []*rewrite.Var
	for _, v := range program.DeviceVars(m.state.Src) {
		if own[program.KeyOf(v)] {
			vars = append(vars, v)
		}
	}
	for _, v := range vars {
		if err := m.state.Dev.Mem.Zero(m.state.Vars[v], v.Size); err != nil {
			return err
		}
	}
	tables := m.state.InTables
	inits, err := program.InitialValues(m.state, vars)
	if m.state.InTables = tables; err != nil {
		return err
	}
	for i := range inits {
		if err := program.Initialise(m.state, &inits[i]); err != nil {
			return err
		}
	}
	return nil
}

// IsSchedule reports whether text looks like the text form of a schedule.
func IsSchedule(text string) bool { return schedule.IsSchedule(text) }

// Minimize removes turns from a schedule while fails stays true (schedule.Minimize).
func Minimize(ctx context.Context, s *Schedule, runs int, fails func(*Schedule) (bool, error)) (*Schedule, error) {
	return schedule.Minimize(ctx, s, runs, fails)
}

// Machine is a module that is loaded on a device. It is not safe for concurrent use, and executes one launch at a time:
// while that waits in LaunchConfig.Stalled, other machines of the device can execute launches, also one of another
// version of the module (Reload).
type Machine struct {
	*Device
	state *state.Machine
}

// New loads a module on a new device, as Device.Load does.
func New(mod *rewrite.Module, cfg Config) (*Machine, error) {
	return NewDevice(cfg).Load(mod, cfg)
}

// Symbol returns the address and size of a module-scope .global or .const variable.
func (m *Machine) Symbol(name string) (addr, size uint64, ok bool) {
	v, ok := m.state.Symbols[name]
	if !ok {
		return 0, 0, false
	}
	return m.state.Vars[v], v.Size, true
}

// DescribeShared returns the name of the variable of a kernel's shared memory at a shared address, or at a generic
// address of shared memory, in any block, and the offset in it. For arrays that share the dynamic shared memory, it is
// the first by name.
func (m *Machine) DescribeShared(kernel string, addr uint64) (name string, offset uint64, ok bool) {
	fn, err := grids.Kernel(m.state, kernel)
	if err != nil || addr>>gmem.SlotBits != 0 && addr>>gmem.SlotBits != gmem.SharedWindow>>gmem.SlotBits {
		return "", 0, false
	}
	offsets := grids.SharedLayout(m.state, fn).Offsets
	off := addr & (1<<state.RankShift - 1)
	var found *rewrite.Var
	for v, at := range offsets {
		inside := off >= at && (v.Size == 0 || off-at < v.Size)
		if inside && (found == nil || v.Name < found.Name) {
			found = v
		}
	}
	if found == nil {
		return "", 0, false
	}
	return found.Name, off - offsets[found], true
}

// SetMaxSteps replaces Config.MaxSteps for later launches.
func (m *Machine) SetMaxSteps(n uint64) { m.state.Cfg.MaxSteps = n }

// Params returns the parameter layout of a kernel, which the caller must not change, and the size of the parameter
// block.
func (m *Machine) Params(kernel string) ([]Param, uint64, error) {
	fn, err := grids.Kernel(m.state, kernel)
	if err != nil {
		return nil, 0, err
	}
	return fn.Formals, fn.FormalBytes, nil
}

// Result is the outcome of a launch.
type Result struct {
	Faults  []*Fault
	Stats   Stats
	Misuses []BarrierMisuse // in source order
	// Bounded says that loads under Memory PTX did not have all older stores to return that they might: see
	// MaxOlderStores.
	Bounded bool
}

// Launch runs a kernel to completion. Faults of the kernel are in the result (the launch stops at the first, unless
// Config.MaxFaults says otherwise). An exceeded deadline of the context is one of them. The error is for launches that
// could not start, for a schedule that cannot be replayed, and for a cancelled context.
func (m *Machine) Launch(ctx context.Context, lc LaunchConfig) (*Result, error) {
	if m.state.Placed {
		return nil, fmt.Errorf("kernel %s has been placed, not loaded", lc.Kernel)
	}
	if err := m.Decode(lc.Kernel); err != nil {
		return nil, err
	}
	l, err := grids.Prepare(m.state, &lc)
	if err != nil {
		return nil, err
	}
	defer grids.EndCooperation(m.state.Dev, l)
	m.state.Dev.Mem.Running = lc.Device
	if m.state.Cfg.Booking != nil {
		m.state.Dev.Mem.Forget() // another launch may rely on other allocations
	}
	if m.state.Cfg.Memory == SC {
		l.Independent = independent(m.state, l)
	}
	defer runtime.KeepAlive(m) // its memory (allocation.block)
	x := &state.Engine{M: m.state, Ctx: ctx, L: l}
	events.SetListener(&x.Emitter, m.state.Cfg.Listener, m.state.Interest)
	defer end(m.state.Cfg.Progress)
	if err := m.state.Run(x); err != nil {
		return nil, err
	}
	exec.Reset(&m.state.DeviceRuntime, m.state)
	return &Result{
		Faults: faults.Outcome(x), Stats: x.Stats, Misuses: barriers.ListMisuses(l.Misuses),
		Bounded: weak.Bounded(x.Weak),
	}, nil
}

// run executes the launch, of the host or of a thread, from beginning to end.
func run(x *state.Engine) error {
	l := x.L
	x.M.Launches++
	l.ID = x.M.Launches
	if x.M.Cfg.Memory == PTX {
		x.Weak = weak.New(x.M.Cfg.ChosenPolicy() == Executions, x.M.Cfg.Seed+l.ID<<32)
		x.Weak.Explain = x.M.Cfg.Explain != nil
	}
	if err := sched.SetSchedule(x); err != nil {
		return err
	}
	l.TargetRunnable = x.Sched.TargetRunnable()
	if x.M.Cancels {
		l.Room = barriers.CancelRoom
	}
	x.Vec, x.Special = newVectorRunner(x), l.SpecialContext()
	if x.Listener != nil {
		if x.Interest.Kernel != nil {
			x.Interest.Kernel(l.Kernel.Src)
		}
		events.EmitKernelBegin(x)
	}
	if err := errors.Join(runBlocks(x), x.Nested, weak.End(x), sched.EndSchedule(x)); err != nil {
		return err
	}
	events.ReturnRunner(x)
	if x.Listener != nil {
		events.EmitMachineEvent(x, abi.EventKernelEnd, 0)
	}
	return nil
}

// runBlocks executes the blocks: in parts, if they are independent.
func runBlocks(x *state.Engine) error {
	beginProgress(x)
	if x.L.Independent != nil && runParts(x) {
		return nil
	}
	beginProgress(x)
	groups.TakeReuse(x)
	err := runAll(x, x.Ctx)
	if err == nil {
		groups.KeepReuse(x)
	}
	return err
}

// SharedSize returns the size in bytes of a block's shared memory: the reserved part if the kernel asks where it is,
// the kernel's static variables, and the dynamic bytes of the launch.
func (m *Machine) SharedSize(kernel string, dynamic uint64) (uint64, error) {
	fn, err := grids.Kernel(m.state, kernel)
	if err != nil {
		return 0, err
	}
	return grids.Size(grids.SharedLayout(m.state, fn)) + dynamic, nil
}

// MostThreads returns the maximum number of threads of a block: .maxntid or .reqntid (PTX ISA, "Performance-Tuning
// Directives"), limited by the maximum of all targets.
func MostThreads(f *rewrite.Func) uint32 {
	most := uint64(barriers.MaxBlockThreads)
	for _, p := range f.AST.Perf {
		if p.Name == ".maxntid" || p.Name == ".reqntid" {
			most = min(most, grids.Product(p.Args))
		}
	}
	return uint32(most)
}
