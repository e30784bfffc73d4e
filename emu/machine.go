// Machines: configuration, launching a kernel, and checks of a launch.

package emu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/emu/internal/schedule"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Schedule is all choices of a scheduler in the launches of a machine.
type Schedule = schedule.Schedule

// IsSchedule reports whether text looks like the text form of a schedule.
func IsSchedule(text string) bool { return schedule.IsSchedule(text) }

// Minimize removes turns from a schedule while fails stays true (schedule.Minimize).
func Minimize(ctx context.Context, s *Schedule, runs int, fails func(*Schedule) (bool, error)) (*Schedule, error) {
	return schedule.Minimize(ctx, s, runs, fails)
}

// Policy is a scheduling policy.
type Policy = schedule.Policy

// Policies.
const (
	ITS        = schedule.ITS        // fair, independent threads: every runnable group progresses
	Lockstep   = schedule.Lockstep   // pre-Volta SIMT stack: one path at a time, reconvergence at post-dominators
	Random     = schedule.Random     // seeded preemption at visible operations; may split converged groups
	PCT        = schedule.PCT        // probabilistic concurrency testing: seeded priorities with few changes
	RoundRobin = schedule.RoundRobin // turns of equal length, in thread order; the seed selects a variant
	PerThread  = schedule.PerThread  // every thread separately, usually one operation per turn, sometimes two
	Executions = schedule.Executions // every thread separately, as far as it can; under Memory PTX, loads are resolved late (weak_defer.go)
)

// Config configures the execution of a Machine. The zero value is usable: ITS, seed 0, default limits.
type Config struct {
	Policy      Policy
	Seed        uint64    // of PCT: bug depth, the number of priority changes plus one; 0 = DefaultDepth
	Depth       int       // of PCT: bug depth, one more than the priority changes; 0 = DefaultDepth, at most MaxDepth
	Length      uint64    // of PCT: visible operations within which priorities change; 0 = DefaultLength
	Record      *Schedule // unless nil, receives the choices of the scheduler
	Replay      *Schedule // unless nil, is replayed in place of Policy
	Workers     int       // goroutines that execute a launch with independent blocks, 0 = 1; results do not depend on it
	MaxSteps    uint64    // warp instructions per launch, 0 = Limits.Steps
	MemoryLimit uint64    // bytes of device memory, 0 = DefaultMemoryLimit
	Padding     uint64    // minimum distance in bytes between two allocations; it is at least 4 GiB
	Resident    int       // maximum number of resident CTAs, 0 = all
	Limits      Limits
	MaxFaults   int  // a launch ends after so many kinds of memory faults, 0 = 1
	NoMemcheck  bool // accesses that would fault read zeros and write nothing
	// Uninitialised reports uses of memory that was never written. It makes accesses to such memory several times
	// slower.
	Uninitialised bool
	// Variables reports accesses to shared and local memory and to parameters outside of the variable that their
	// address was derived from, where that is known. Such accesses become several times slower.
	Variables bool
	// LateAsync postpones asynchronous copies and stores until a thread waits for them, so that a missing wait changes
	// the results.
	LateAsync bool
	// Synccheck reports usage that works on hardware but is undefined or suspect: membermasks that name lanes that have
	// exited or do not exist, shuffles from a lane that does not take part, bar.sync by warps with exited lanes.
	Synccheck bool
	// NoVector executes everything in Go, as on machines without the vector instructions that the assembly needs; the
	// results are the same.
	NoVector bool
	Stdout   io.Writer // vprintf output; nil discards
	Listener Listener  // nil costs nothing
	// DecodeLate postpones decoding of functions until Machine.Decode or a launch needs them, in modules in which no
	// instruction takes the address of a function. Errors are then reported later, too.
	DecodeLate bool
	// Booking verifies proofs about the accessed allocations, nil without proofs.
	Booking *Booking
	// Poll, unless nil, lets the host run while kernels run: it is called between turns of threads, at the same points
	// in every run of the same program, and when no thread can run. It may read and write the machine's memory, and
	// reports whether it has written. To threads its writes are writes of another device.
	Poll func() (wrote bool)
	// Stalled, unless nil, is called when threads spin and none can run. Another process may change the machine's
	// memory before it returns. It reports whether the threads are to run again; otherwise the launch ends with a
	// fault. changed says that memory has changed since the last call in the launch.
	Stalled func(changed bool) (again bool)
	// Blame chooses the instruction that a fault names, for programs with inserted code: in is where the fault
	// occurred, calls are the call instructions that led there, innermost first. A nil Blame chooses in.
	Blame func(in *rewrite.Inst, calls []*rewrite.Inst) *rewrite.Inst
	// Observes, unless nil, reports whether an instruction is an observer's: of inserted code that watches the program
	// and has memory and registers of its own, which the program's instructions never read, and that ends whatever the
	// program does. Threads whose loop changes nothing else wait as if the loop changed nothing (spin_detect.go).
	Observes func(*rewrite.Inst) bool

	// Progress, unless nil, is kept up to date while a launch runs.
	Progress *Progress

	// Memory is the memory consistency model. Under PTX, a launch is executed by one goroutine.
	Memory Memory
	// Explain, unless nil, receives why the first launch that is not sequentially consistent is not.
	Explain *Explanation
	// Guide chooses in place of Policy, nil for none.
	Guide Guide
}

// Dim3 is a grid or block extent, or an index within one.
type Dim3 struct{ X, Y, Z uint32 }

// Machine is a module that is loaded on a device. It is not safe for concurrent use.
type Machine struct {
	*Device
	*machine
}

// machine is the state of a Machine.
type machine struct {
	dev *device
	cfg Config
	// run executes a launch from beginning to end: (*engine).run.
	run       func(*engine) error
	interest  Interest // of cfg.Listener
	src       *rewrite.Module
	functions []*function
	byAddress map[uint64]*function
	bySource  map[*rewrite.Func]*function
	// inlines caches, by called function, whether its calls can be inlined.
	inlines       map[*rewrite.Func]bool
	passings      map[*rewrite.Func]*inlining.Passing
	inTables      []*function             // functions whose address is in an initial value
	placed        bool                    // functions are not decoded before Reload
	cancels       bool                    // the module has clusterlaunchcontrol.try_cancel
	fabric        bool                    // the module has operations on logical endpoints
	vars          map[*rewrite.Var]uint64 // addresses of .global and .const variables
	symbols       map[string]*rewrite.Var
	launches      uint64
	deviceRuntime deviceState
	workers       workerPool
	sums          map[*gmem.Allocation]*privateSum // of a worker: its private copies of the allocations that blocks access only by commutative operations

	vectorSites int           // number of memory instructions with a site in assembly
	facts       eventFacts    // of the instructions whose events the listener receives
	notes       []vector.Note // space for notes of the assembly, not in use by a launch
	runner      *vectorRunner // not in use by a launch
}

// New loads a module on a new device, as Device.Load does.
func New(mod *rewrite.Module, cfg Config) (*Machine, error) {
	return NewDevice(cfg).Load(mod, cfg)
}

// Symbol returns the address and size of a module-scope .global or .const variable.
func (m *Machine) Symbol(name string) (addr, size uint64, ok bool) {
	v, ok := m.symbols[name]
	if !ok {
		return 0, 0, false
	}
	return m.vars[v], v.Size, true
}

// DescribeShared returns the name of the variable of a kernel's shared memory at a shared address, or at a generic
// address of shared memory, in any block, and the offset in it. For arrays that share the dynamic shared memory, it is
// the first by name.
func (m *Machine) DescribeShared(kernel string, addr uint64) (name string, offset uint64, ok bool) {
	fn, err := m.kernel(kernel)
	if err != nil || addr>>gmem.SlotBits != 0 && addr>>gmem.SlotBits != gmem.SharedWindow>>gmem.SlotBits {
		return "", 0, false
	}
	offsets := m.sharedLayout(fn).offsets
	off := addr & (1<<rankShift - 1)
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
func (m *Machine) SetMaxSteps(n uint64) { m.cfg.MaxSteps = n }

// Params returns the parameter layout of a kernel, which the caller must not change, and the size of the parameter
// block.
func (m *Machine) Params(kernel string) ([]Param, uint64, error) {
	fn, err := m.kernel(kernel)
	if err != nil {
		return nil, 0, err
	}
	return fn.formals, fn.formalBytes, nil
}

// kernel finds a kernel by name.
func (m *machine) kernel(name string) (*function, error) {
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
	Cluster     Dim3   // extent in blocks; zero: the kernel's required cluster, or none
	Shared      uint64 // dynamic shared memory, bytes
	Cooperative bool   // all blocks are resident at once, and grid.sync() has a workspace
	Params      []byte // laid out according to Machine.Params
}

// Stats has counts of a launch.
type Stats struct {
	WarpInstructions   uint64
	ThreadInstructions uint64
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
	if m.placed {
		return nil, fmt.Errorf("kernel %s has been placed, not loaded", lc.Kernel)
	}
	if err := m.Decode(lc.Kernel); err != nil {
		return nil, err
	}
	l, err := m.prepare(&lc)
	if err != nil {
		return nil, err
	}
	if m.cfg.Booking != nil {
		m.dev.mem.Forget() // another launch may rely on other allocations
	}
	if m.cfg.Memory == SC {
		l.independent = m.independent(l)
	}
	defer runtime.KeepAlive(m) // its memory (allocation.block)
	x := &engine{m: m.machine, ctx: ctx, l: l}
	x.setListener(m.cfg.Listener, m.interest)
	defer m.cfg.Progress.end()
	if err := m.run(x); err != nil {
		return nil, err
	}
	m.deviceRuntime.reset(m.machine)
	return &Result{Faults: x.outcome(), Stats: x.stats, Misuses: l.misuses.list(), Bounded: x.weak.bounded()}, nil
}

// run executes the launch, of the host or of a thread, from beginning to end.
func (x *engine) run() error {
	l := x.l
	x.m.launches++
	l.id = x.m.launches
	if x.m.cfg.Memory == PTX {
		x.weak = newWeakMemory(x.m.cfg.policy() == Executions, x.m.cfg.Seed+l.id<<32)
		x.weak.explain = x.m.cfg.Explain != nil
	}
	if err := x.setSchedule(); err != nil {
		return err
	}
	l.targetRunnable = x.sched.targetRunnable()
	if x.m.cancels {
		l.room = cancelRoom
	}
	x.vec, x.special = x.newVectorRunner(), l.specialContext()
	if x.listener != nil {
		if x.interest.Kernel != nil {
			x.interest.Kernel(l.kernel.src)
		}
		x.emitKernelBegin()
	}
	if err := errors.Join(x.runBlocks(), x.nested, x.endWeak(), x.endSchedule()); err != nil {
		return err
	}
	x.returnRunner()
	if x.listener != nil {
		x.emitMachineEvent(abi.EventKernelEnd, 0)
	}
	return nil
}

// runBlocks executes the blocks: in parts, if they are independent.
func (x *engine) runBlocks() error {
	x.beginProgress()
	if x.l.independent != nil && x.runParts() {
		return nil
	}
	x.beginProgress()
	x.takeReuse()
	err := x.runAll(x.ctx)
	if err == nil {
		x.keepReuse()
	}
	return err
}

// SharedSize returns the size in bytes of a block's shared memory: the reserved part if the kernel asks where it is,
// the kernel's static variables, and the dynamic bytes of the launch.
func (m *Machine) SharedSize(kernel string, dynamic uint64) (uint64, error) {
	fn, err := m.kernel(kernel)
	if err != nil {
		return 0, err
	}
	return m.sharedLayout(fn).size() + dynamic, nil
}

// prepare checks a launch and lays out its shared memory.
func (m *machine) prepare(lc *LaunchConfig) (*launch, error) {
	fn, err := m.kernel(lc.Kernel)
	if err != nil {
		return nil, err
	}
	if err := lc.checkShape(); err != nil {
		return nil, err
	}
	if uint64(len(lc.Params)) != fn.formalBytes {
		return nil, fmt.Errorf("kernel %s: %d bytes of parameters given, expected %d", lc.Kernel, len(lc.Params),
			fn.formalBytes)
	}
	shared := m.sharedLayout(fn)
	static := shared.static
	if lc.Shared > maxShared || static+lc.Shared > maxShared {
		return nil, fmt.Errorf("kernel %s: %d bytes of static and %d of dynamic shared memory, the limit is %d",
			lc.Kernel, static, lc.Shared, maxShared)
	}
	if err := checkPerf(fn.src, lc); err != nil {
		return nil, err
	}
	if err := checkCluster(fn, lc); err != nil {
		return nil, err
	}
	l := &launch{
		misuses: new(barrierMisuses),
		kernel:  fn, grid: lc.Grid, block: lc.Block, cluster: lc.Cluster, params: lc.Params,
		shared: shared.offsets, reserved: shared.reserved, sharedSize: shared.size() + lc.Shared, dynamic: lc.Shared,
		total: lc.Grid.count(),
	}
	threads := lc.Block.count()
	warps := min(l.total, 1<<40) * ((threads + warpSize - 1) / warpSize)
	l.limit = m.cfg.residentBlocks(l.total, threads)
	l.maxSteps, l.stall = m.cfg.maxSteps(warps), m.cfg.stall(warps)
	l.checkAt = min(checkPeriod, l.maxSteps+1)
	n := int(l.clusterDim().count())
	if m.cfg.Resident > 0 && m.cfg.Resident < n {
		return nil, fmt.Errorf("kernel %s: clusters of %d blocks cannot start, only %d may be resident", lc.Kernel, n,
			m.cfg.Resident)
	}
	l.limit = max(l.limit, n)
	if lc.Cooperative {
		if err := m.cooperate(l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// checkPerf compares the block with the kernel's .maxntid and .reqntid (PTX ISA, "Performance-Tuning Directives").
func checkPerf(f *rewrite.Func, lc *LaunchConfig) error {
	for _, p := range f.AST.Perf {
		want := [3]uint64{1, 1, 1}
		copy(want[:], p.Args)
		switch p.Name {
		case ".reqntid":
			if got := [3]uint64{uint64(lc.Block.X), uint64(lc.Block.Y), uint64(lc.Block.Z)}; got != want {
				return fmt.Errorf("kernel %s requires blocks of (%d,%d,%d) threads, got %v", lc.Kernel, want[0],
					want[1], want[2], lc.Block)
			}
		case ".maxntid":
			if limit := product(p.Args); lc.Block.count() > limit {
				return fmt.Errorf("kernel %s allows blocks of at most %d threads, got %v", lc.Kernel, limit, lc.Block)
			}
		}
	}
	return nil
}

// MostThreads returns the maximum number of threads of a block: .maxntid or .reqntid (PTX ISA, "Performance-Tuning
// Directives"), limited by the maximum of all targets.
func MostThreads(f *rewrite.Func) uint32 {
	most := uint64(maxBlockThreads)
	for _, p := range f.AST.Perf {
		if p.Name == ".maxntid" || p.Name == ".reqntid" {
			most = min(most, product(p.Args))
		}
	}
	return uint32(most)
}

// product returns the number of threads of a block with the extents of a directive, at most 2^30.
func product(extents []uint64) uint64 {
	const most = 1 << 30
	n := uint64(1)
	for _, v := range extents {
		n = min(n*min(v, most), most)
	}
	return n
}
