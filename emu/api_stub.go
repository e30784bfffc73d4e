package emu

import (
	"context"
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

// Config says how a Machine executes. The zero value is usable: ITS, seed 0, default limits.
type Config struct {
	Policy      Policy
	Seed        uint64
	MaxSteps    uint64    // warp instructions per launch, 0 = DefaultMaxSteps
	MemoryLimit uint64    // bytes of device memory, 0 = DefaultMemoryLimit
	Resident    int       // CTAs resident at a time, 0 = all
	Stdout      io.Writer // vprintf output; nil discards
	Listener    Listener  // nil costs nothing
}

// Dim3 is a grid or block extent, or an index within one.
type Dim3 struct{ X, Y, Z uint32 }

// Machine is one emulated device with one loaded module.
type Machine struct{}

// New loads a module: lays out its variables and decodes its functions. The
// error is a ptxgrammar.ErrorList naming what is unsupported, with lines.
func New(mod *rewrite.Module, cfg Config) (*Machine, error) { panic("stub") }

// Alloc reserves zeroed device memory and returns its generic address. The name
// is used in fault messages and by Describe. Sparse: untouched pages cost nothing.
func (m *Machine) Alloc(name string, size uint64) (uint64, error) { panic("stub") }

// Write and Read copy between host and device memory.
func (m *Machine) Write(addr uint64, p []byte) error { panic("stub") }
func (m *Machine) Read(addr uint64, p []byte) error  { panic("stub") }

// Symbol is the address and size of a module-scope .global or .const variable.
func (m *Machine) Symbol(name string) (addr, size uint64, ok bool) { panic("stub") }

// Describe names the allocation or variable that holds addr and the offset in it.
func (m *Machine) Describe(addr uint64) (name string, offset uint64, ok bool) { panic("stub") }

// Param is one kernel parameter in the parameter block.
type Param struct {
	Var          *rewrite.Var
	Offset, Size uint64
}

// Params is the parameter layout of a kernel and the size of its block.
func (m *Machine) Params(kernel string) ([]Param, uint64, error) { panic("stub") }

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

// Launch runs a kernel to completion. Faults of the kernel are in the result
// (the launch stops at the first); the error is for launches that could not
// start, and for a cancelled context.
func (m *Machine) Launch(ctx context.Context, l LaunchConfig) (*Result, error) { panic("stub") }

// Result is the outcome of a launch.
type Result struct {
	Faults []*Fault
	Stats  Stats
}

// Fault is something that a GPU would kill the kernel for, or never finish.
type Fault struct {
	Class   string // as in the report: out-of-bounds, misaligned, barrier-divergence, deadlock, livelock, timeout, trap, assert, unsupported, uninitialised, use-after-free
	Message string
	Kernel  string
	Block   Dim3
	Thread  Dim3
	Inst    *rewrite.Inst // nil when no instruction is to blame
	Address uint64        // 0 when none
}

// Listener observes execution at warp granularity. To be extended with fences,
// barriers, CTA and kernel begin and end.
type Listener interface {
	// Access is called before memory changes.
	Access(ev *AccessEvent)
}

// AccessEvent is one warp-level memory access.
type AccessEvent struct {
	Inst  *rewrite.Inst
	Block Dim3
	Warp  uint32
	Mask  uint32
	Addrs *[32]uint64 // generic addresses of the lanes in Mask
}
