// Package emu runs PTX without a GPU: a functional, deterministic emulator that
// reports what would go wrong on a device.
//
// A Machine is one device with one module (rewrite.Module) loaded. Launch runs a
// kernel to its end or to its first fault; device memory stays as it was then.
// Registers of a warp are vectors of 32 lanes and every instruction is dispatched
// once per warp through a function pointer decoded beforehand (core.go). Threads
// that run together form groups that split at divergent branches and meet again
// at immediate post-dominators (warp.go, engine.go); which group runs next, and
// how long lanes wait for each other, is the policy's affair (sched.go). The same
// module, launches, policy and seed give the same interleaving, always.
//
// To emulate another opcode, add a decode function to the table of its chapter in
// sem_*.go. The arithmetic itself is in emu/num.
//
// What is modelled: all state spaces with bounds and alignment, generic
// addressing, independent thread scheduling with forward progress or the SIMT
// stack of older GPUs, barriers with numbers and counts, calls with recursion and
// function pointers, vprintf, assertions, device malloc.
//
// What is not: time, caches and weak memory (every run is a sequentially
// consistent interleaving, judging weak outcomes is up to listeners), clusters,
// textures, matrix and asynchronous-proxy instructions. New names those that a
// module needs.
//
// The package knows nothing of passes, detectors or reports.
package emu

import (
	"context"
	"fmt"
	"io"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Policy is a scheduling policy.
type Policy uint8

// Policies.
const (
	ITS      Policy = iota // fair, independent threads: every runnable group progresses
	Lockstep               // pre-Volta SIMT stack: one path at a time, reconvergence at post-dominators
	Random                 // seeded preemption at visible operations; may split converged groups
)

// Default limits.
const (
	DefaultMaxSteps    = 2_000_000_000
	DefaultMemoryLimit = 16 << 30
)

// Config says how a Machine executes. The zero value is usable: ITS, seed 0, default limits.
type Config struct {
	Policy      Policy
	Seed        uint64
	MaxSteps    uint64    // warp instructions per launch, 0 = DefaultMaxSteps
	MemoryLimit uint64    // bytes of device memory, 0 = DefaultMemoryLimit
	Resident    int       // CTAs resident at a time, 0 = all
	Stdout      io.Writer // vprintf output; nil discards
	Listener    Listener  // nil costs nothing
	// Blame chooses the instruction that a fault names, for programs with inserted
	// code: in is where it happened, calls the call instructions that led there,
	// innermost first. Nil names in.
	Blame func(in *rewrite.Inst, calls []*rewrite.Inst) *rewrite.Inst
}

// Dim3 is a grid or block extent, or an index within one.
type Dim3 struct{ X, Y, Z uint32 }

// Machine is one emulated device with one loaded module. It is not safe for
// concurrent use.
type Machine struct {
	cfg       Config
	src       *rewrite.Module
	mem       *memory
	functions []*function
	bySource  map[*rewrite.Func]*function
	inTables  []*function             // whose address is in an initial value
	vars      map[*rewrite.Var]uint64 // addresses of .global and .const variables
	symbols   map[string]*rewrite.Var
	launches  uint64
}

// New loads a module: lays out its variables and decodes its functions. The
// error is a ptxgrammar.ErrorList naming what is unsupported, with lines.
func New(mod *rewrite.Module, cfg Config) (*Machine, error) {
	if cfg.MaxSteps == 0 {
		cfg.MaxSteps = DefaultMaxSteps
	}
	if cfg.MemoryLimit == 0 {
		cfg.MemoryLimit = DefaultMemoryLimit
	}
	m := &Machine{cfg: cfg, src: mod, mem: newMemory(cfg.MemoryLimit), symbols: map[string]*rewrite.Var{}}
	if err := m.load(); err != nil {
		return nil, err
	}
	return m, nil
}

// Alloc reserves zeroed device memory and returns its generic address. The name
// is used in fault messages and by Describe. Sparse: untouched pages cost nothing.
func (m *Machine) Alloc(name string, size uint64) (uint64, error) {
	a, err := m.mem.alloc(name, size, false)
	if err != nil {
		return 0, err
	}
	return a.base, nil
}

// Free ends the life of the allocation at addr. Accesses to it are faults from
// then on.
func (m *Machine) Free(addr uint64) error { return m.mem.free(addr) }

// Write copies from host to device memory.
func (m *Machine) Write(addr uint64, p []byte) error { return m.mem.write(addr, p) }

// Read copies from device to host memory.
func (m *Machine) Read(addr uint64, p []byte) error { return m.mem.read(addr, p) }

// Symbol is the address and size of a module-scope .global or .const variable.
func (m *Machine) Symbol(name string) (addr, size uint64, ok bool) {
	v, ok := m.symbols[name]
	if !ok {
		return 0, 0, false
	}
	return m.vars[v], v.Size, true
}

// Describe names the allocation or variable that holds addr and the offset in it.
func (m *Machine) Describe(addr uint64) (name string, offset uint64, ok bool) {
	return m.mem.describe(addr)
}

// Params is the parameter layout of a kernel and the size of its block.
func (m *Machine) Params(kernel string) ([]Param, uint64, error) {
	fn, err := m.kernel(kernel)
	if err != nil {
		return nil, 0, err
	}
	ps, size := paramLayout(fn.src)
	return ps, size, nil
}

// kernel finds a kernel by name.
func (m *Machine) kernel(name string) (*function, error) {
	f := m.src.Func(name)
	switch {
	case f == nil:
		return nil, fmt.Errorf("there is no kernel %s in %s", name, m.src.AST.File.Name)
	case !f.Entry:
		return nil, fmt.Errorf("%s is a function, not a kernel", name)
	case !f.Defined():
		return nil, fmt.Errorf("kernel %s is declared but not defined", name)
	}
	return m.bySource[f], nil
}

// LaunchConfig is one kernel launch.
type LaunchConfig struct {
	Kernel      string
	Grid, Block Dim3
	Shared      uint64 // dynamic shared memory, bytes
	Params      []byte // laid out as Params says
}

// Stats counts what a launch did.
type Stats struct {
	WarpInstructions   uint64
	ThreadInstructions uint64
}

// Result is the outcome of a launch.
type Result struct {
	Faults []*Fault
	Stats  Stats
}

// Launch runs a kernel to completion. Faults of the kernel are in the result
// (the launch stops at the first); the error is for launches that could not
// start, and for a cancelled context.
func (m *Machine) Launch(ctx context.Context, lc LaunchConfig) (*Result, error) {
	l, err := m.prepare(&lc)
	if err != nil {
		return nil, err
	}
	m.launches++
	x := &exec{m: m, l: l, listener: m.cfg.Listener, sched: newScheduler(m.cfg.Policy, m.cfg.Seed)}
	l.crowd = x.sched.crowd()
	if x.listener != nil {
		x.listener.BeginKernel(lc.Kernel, lc.Grid, lc.Block)
	}
	if err := x.runAll(ctx); err != nil {
		return nil, err
	}
	if x.listener != nil {
		x.listener.EndKernel(lc.Kernel)
	}
	r := &Result{Stats: x.stats}
	if x.fault != nil {
		r.Faults = []*Fault{x.fault}
	}
	return r, nil
}

// prepare checks a launch and lays out its shared memory.
func (m *Machine) prepare(lc *LaunchConfig) (*launch, error) {
	fn, err := m.kernel(lc.Kernel)
	if err != nil {
		return nil, err
	}
	if err := lc.checkShape(); err != nil {
		return nil, err
	}
	if _, size := paramLayout(fn.src); uint64(len(lc.Params)) != size {
		return nil, fmt.Errorf("kernel %s: %d bytes of parameters given, expected %d", lc.Kernel, len(lc.Params), size)
	}
	offsets, static := m.sharedLayout(fn)
	if lc.Shared > maxShared || static+lc.Shared > maxShared {
		return nil, fmt.Errorf("kernel %s: %d bytes of static and %d of dynamic shared memory, the limit is %d", lc.Kernel, static, lc.Shared, maxShared)
	}
	if err := checkPerf(fn.src, lc); err != nil {
		return nil, err
	}
	l := &launch{
		kernel: fn, grid: lc.Grid, block: lc.Block, params: lc.Params,
		shared: offsets, sharedSize: static + lc.Shared, dynamic: lc.Shared,
		maxSteps: m.cfg.MaxSteps, total: lc.Grid.count(), limit: m.cfg.Resident,
	}
	if l.limit <= 0 {
		l.limit = int(min(l.total, 1<<62))
	}
	return l, nil
}

// checkPerf compares the block with the kernel's .maxntid and .reqntid (PTX ISA,
// "Performance-Tuning Directives").
func checkPerf(f *rewrite.Func, lc *LaunchConfig) error {
	for _, p := range f.AST.Perf {
		want := [3]uint64{1, 1, 1}
		copy(want[:], p.Args)
		switch p.Name {
		case ".reqntid":
			if got := [3]uint64{uint64(lc.Block.X), uint64(lc.Block.Y), uint64(lc.Block.Z)}; got != want {
				return fmt.Errorf("kernel %s requires blocks of (%d,%d,%d) threads, got %v", lc.Kernel, want[0], want[1], want[2], lc.Block)
			}
		case ".maxntid":
			if limit := want[0] * want[1] * want[2]; lc.Block.count() > limit {
				return fmt.Errorf("kernel %s allows blocks of at most %d threads, got %v", lc.Kernel, limit, lc.Block)
			}
		case ".explicitcluster", ".reqnctapercluster":
			return fmt.Errorf("kernel %s needs thread block clusters, which are not yet emulated", lc.Kernel)
		}
	}
	return nil
}
