// Devices, modules on them, and their configuration.

package state

import (
	"io"
	counter "sync/atomic"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/emu/internal/schedule"
	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/emu/internal/undo"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Device is the state of a Device.
type Device struct {
	Mem       *gmem.Memory
	Textures  map[uint64]*Texture // by texture object, and by the address of a bound reference
	Objects   uint64              // number of texture objects made so far
	Functions uint64              // number of function addresses assigned so far
	Endpoints map[uint32]*Endpoint
	// Workspaces has the addresses of the workspaces of cooperative launches that no launch uses.
	Workspaces []uint64
	Undo       undo.Log // of the current stage of a launch
	Tracks     bool     // new allocations are uninitialised: Config.Uninitialised
}

// Launches in device code use two functions, to which compilers translate kernel<<<...>>>(...) (CUDA C++ Programming
// Guide, "Device-side Launch from PTX"): one returns a buffer for the parameters, the other launches.

// DeviceState is the state of the device runtime during a launch by the host.
type DeviceState struct {
	Arenas  []*gmem.Allocation // of parameter buffers
	Used    uint64             // Used bytes of the last arena
	Pending map[uint64]LaunchConfig
	Grids   uint64 // number of grids launched by device code
	Handles uint64 // number of streams and events made
	Texts   map[string]uint64
}

// Progress counts the blocks of the launch that runs. Any goroutine may read it.
type Progress struct{ Ended, Blocks counter.Uint64 }

// Count returns the number of blocks that have ended, and that of all blocks of the grid; 0 while none runs. Blocks of
// grids that threads launch are not counted.
func (p *Progress) Count() (ended, blocks uint64) { return p.Ended.Load(), p.Blocks.Load() }

// Limits bounds the resources that a kernel may use. Zero values stand for defaults.
type Limits struct {
	Steps       uint64 // warp instructions of a launch where Config.MaxSteps is 0; 0 = by the size of the launch
	CallDepth   int    // activations per thread, 0 = DefaultCallDepth
	Stack       uint64 // bytes of local memory per thread, 0 = DefaultStackLimit
	ThreadState uint64 // bytes of state (see claim) of all resident threads and launched grids, 0 = DefaultThreadState
	Threads     int    // maximum number of resident threads, 0 = no limit; a block is resident as a whole
	Stall       uint64 // warp instructions without a change, while threads wait, after which livelock is suspected; 0 = by the size of the launch, never when steps are limited
	Printf      uint64 // bytes of vprintf output of a launch, the rest is dropped; 0 = DefaultPrintfLimit
}

// Param is one kernel parameter in the parameter block.
type Param struct {
	Var          *rewrite.Var
	Offset, Size uint64
}

// SharedLayout has the offsets of the shared variables of a kernel.
type SharedLayout struct {
	Offsets  map[*rewrite.Var]uint64
	Reserved uint64 // size of the reserved part, which is first
	Static   uint64 // size of the variables with a fixed size, and of the alignment of the dynamic ones
}

// Schedule is all choices of a scheduler in the launches of a machine.
type Schedule = schedule.Schedule

// Policy is a scheduling policy.
type Policy = schedule.Policy

// TracksLocal reports whether it is known which local memory has been written.
func (c *Config) TracksLocal() bool { return c.Uninitialised || c.Unwritten != nil }

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
	Addresses   int       // range of addresses of programs' memory, below AddressRanges; 0 is the largest one
	// Managed has the addresses of managed variables that the module shares with one on another device, by name.
	Managed    map[string]uint64
	Padding    uint64 // minimum distance in bytes between two allocations; it is at least 4 GiB
	Resident   int    // maximum number of resident CTAs, 0 = all
	Limits     Limits
	MaxFaults  int  // a launch ends after so many kinds of memory faults, 0 = 1
	NoMemcheck bool // accesses that would fault read zeros and write nothing
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
	// Absent, unless nil, is called when a shuffle reads from a lane that does not take part, which PTX leaves undefined.
	// Parts of a launch call it concurrently.
	Absent func(shuffle *rewrite.Inst)
	// Unwritten, unless nil, is called when a load reads local memory that the thread has not written since the function
	// began. Parts of a launch call it concurrently. It makes accesses to local memory several times slower.
	Unwritten func(load *rewrite.Inst)
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
	// Blame chooses the instruction that a fault names, for programs with inserted code: in is where the fault
	// occurred, calls are the call instructions that led there, innermost first. A nil Blame chooses in.
	Blame func(in *rewrite.Inst, calls []*rewrite.Inst) *rewrite.Inst
	// Observes, unless nil, reports whether an instruction is an observer's: of inserted code that watches the program
	// and has memory and registers of its own, which the program's instructions never read, and that ends whatever the
	// program does. Threads whose loop changes nothing else wait as if the loop changed nothing (package sched).
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

// Machine is the state of a Machine.
type Machine struct {
	Dev *Device
	Cfg Config
	// Run executes a launch from beginning to end. Package emu sets it; a grid that a thread launches runs by it, too.
	Run       func(*Engine) error
	Interest  Interest // of cfg.Listener
	Src       *rewrite.Module
	Functions []*Function
	ByAddress map[uint64]*Function
	BySource  map[*rewrite.Func]*Function
	// Inlines caches, by called function, whether its calls can be inlined.
	Inlines       map[*rewrite.Func]bool
	Passings      map[*rewrite.Func]*inlining.Passing
	InTables      []*Function             // Functions whose address is in an initial value
	Placed        bool                    // Functions are not decoded before Reload
	Cancels       bool                    // the module has clusterlaunchcontrol.try_cancel
	Fabric        bool                    // the module has operations on logical endpoints
	Vars          map[*rewrite.Var]uint64 // addresses of .global and .const variables
	Symbols       map[string]*rewrite.Var
	Launches      uint64
	DeviceRuntime DeviceState
	Workers       WorkerPool
	Sums          map[*gmem.Allocation]*PrivateSum // of a worker: its private copies of the allocations that blocks access only by commutative operations

	VectorSites int           // number of memory instructions with a site in assembly
	Facts       eventFacts    // of the instructions whose events the listener receives
	Notes       []vector.Note // space for notes of the assembly, not in use by a launch
	Runner      *VectorRunner // not in use by a launch
}

// LaunchConfig is one kernel launch.
type LaunchConfig struct {
	Kernel      string
	Grid, Block Dim3
	Cluster     Dim3   // extent in blocks; zero: the kernel's required cluster, or none
	Shared      uint64 // dynamic shared memory, bytes
	Cooperative bool   // all blocks are resident at once, and grid.sync() has a workspace
	Params      []byte // laid out according to Machine.Params
	// Device is the device of the application that executes the launch; none in an application with a single device.
	Device gmem.Devices
	// Stalled, unless nil, is called when threads spin and none can run. Whatever else executes on the device may change
	// its memory before it returns, also launches of other machines. It reports whether the threads are to run again;
	// otherwise the launch ends with a fault. changed says that the launch has changed memory since the last call.
	Stalled func(changed bool) (again bool)
	// Pause, unless nil, is called when threads wait for memory or for a clock, and no other can run, and besides after
	// as many turns as PauseAfter has returned last, unless that is nil. Whatever else executes on the device may change
	// its memory before it returns, and it reports whether it may have, or whether the launch is alone: all others wait for it, so
	// that nothing but time can let its threads go on.
	Pause      func() (changed, alone bool)
	PauseAfter func() (turns uint64)
}

// Stats has counts of a launch.
type Stats struct {
	WarpInstructions   uint64
	ThreadInstructions uint64
}

// Texture is memory that kernels sample with tex, or access as a surface with suld, sust and
// sured.
type Texture = texture.Texture
