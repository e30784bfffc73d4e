// What users of the package name and the packages below define.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Endpoint is a unicast logical endpoint of a device, which supports counted completion. Memory is what is bound to it;
// where several parts have an offset, the first counts.
type Endpoint = state.Endpoint

// EndpointMemory is device memory that is bound at an offset of an endpoint. Addr is 0 for memory without an address.
type EndpointMemory = state.EndpointMemory

// Multicast is a multicast object.
type Multicast = gmem.Multicast

// Replica is memory that is bound to a multicast object.
type Replica = gmem.Replica

// Devices is a set of devices of an application, a bit for each, which share the memory of one Device.
type Devices = gmem.Devices

// AllDevices is the set of all devices.
const AllDevices = gmem.AllDevices

// OnlyDevice returns the set of one device.
func OnlyDevice(number int) Devices { return gmem.OnlyDevice(number) }

// RequiredBlock returns the block extent that a kernel requires, zeros if it requires none (PTX ISA, ".reqntid").
func RequiredBlock(f *rewrite.Func) Dim3 {
	return exec.RequiredBlock(f)
}

// RequiredCluster returns the cluster extent that a kernel requires, zeros if it requires none (PTX ISA,
// ".reqnctapercluster").
func RequiredCluster(f *rewrite.Func) Dim3 {
	return grids.RequiredCluster(f)
}

// InClusters reports whether launch configurations of a kernel count clusters instead of blocks (PTX ISA,
// ".blocksareclusters").
func InClusters(f *rewrite.Func) bool {
	return exec.InClusters(f)
}

// InBlocks converts a launch configuration to a grid that counts blocks. The configuration of a kernel with
// .blocksareclusters counts clusters: its grid is multiplied by the cluster's extents. When its block, or that of a
// kernel of Tile IR, is one thread, the result has the block of the kernel's .reqntid (CUDA programming guide,
// "__block_size__"; Tile IR, "Launching").
func InBlocks(f *rewrite.Func, grid, block Dim3) (Dim3, Dim3, error) {
	return exec.InBlocks(f, grid, block)
}

// Progress counts the blocks of the launch that runs. Any goroutine may read it.
type Progress = state.Progress

// Listener observes execution at warp granularity. It receives accesses in the order in which they take effect, before
// any later event; memory may already have changed at that time. Sites are numbered as in internal/sites. Without a
// listener, a machine spends one predictable branch per memory access.
// A listener that is an abi.LoopReceiver may receive batches with loops.
type Listener = state.Listener

// Interest is the set of events that a Listener needs, and functions that the emulator calls in addition to the methods
// of abi.Receiver. The emulator does not make events that its listener does not need, which makes runs faster.
type Interest = state.Interest

// Step is one instruction executed by a group of threads of a warp.
type Step = state.Step

// NopListener receives all events, with accesses without values, and ignores them.
type NopListener = state.NopListener

// Fault is an error of the kernel: a GPU would kill the kernel, or never finish it.
type Fault = state.Fault

// RegisterFault is what is wrong with a register of an asynchronous operation.
type RegisterFault = state.RegisterFault

// Faults of registers.
const (
	NoRegister       = faults.NoRegister       // a fault of another class
	EarlyResult      = faults.EarlyResult      // a result of tcgen05.ld is accessed before tcgen05.wait::ld
	EarlyAccumulator = faults.EarlyAccumulator // an accumulator of a product is accessed before wgmma.wait_group
	EarlyFragment    = faults.EarlyFragment    // a fragment is overwritten before wgmma.wait_group
	NoProductFence   = faults.NoProductFence   // a product lacks wgmma.fence
)

// Default limits.
const (
	DefaultMaxSteps    = faults.DefaultMaxSteps
	LongMaxSteps       = faults.LongMaxSteps // for launches that must run on as long as they may still end: some minutes
	DefaultMemoryLimit = faults.DefaultMemoryLimit
	LongMemoryLimit    = faults.LongMemoryLimit
	DefaultStackLimit  = faults.DefaultStackLimit // a GPU has a few KiB
	DefaultCallDepth   = faults.DefaultCallDepth
	DefaultThreadState = faults.DefaultThreadState
	DefaultPrintfLimit = faults.DefaultPrintfLimit
	// StepsBase and StepsPerWarp determine the limit on steps of launches without an explicit one: an endless loop in a
	// small launch is found sooner.
	StepsBase    = faults.StepsBase
	StepsPerWarp = faults.StepsPerWarp
)

// Limits of the device runtime (CUDA C++ Programming Guide, "Implementation
// Restrictions and Limitations").
const (
	MaxNesting = faults.MaxNesting // nesting depth of grids launched by grids, below the one launched by the host
	MaxPending = faults.MaxPending // grids that have been launched and have not run
)

// Limits bounds the resources that a kernel may use. Zero values stand for defaults.
type Limits = state.Limits

// The record of an allocation, freed or not, counts as RecordBytes: there can be as many as fit the memory limit, but
// at least LeastAllocations.
const (
	RecordBytes      = faults.RecordBytes
	LeastAllocations = faults.LeastAllocations
)

// Param is one kernel parameter in the parameter block.
type Param = state.Param

// Schedule is all choices of a scheduler in the launches of a machine.
type Schedule = state.Schedule

// Policy is a scheduling policy.
type Policy = state.Policy

// Policies.
const (
	ITS        = sched.ITS        // fair, independent threads: every runnable group progresses
	Lockstep   = sched.Lockstep   // pre-Volta SIMT stack: one path at a time, reconvergence at post-dominators
	Random     = sched.Random     // seeded preemption at visible operations; may split converged groups
	PCT        = sched.PCT        // probabilistic concurrency testing: seeded priorities with few changes
	RoundRobin = sched.RoundRobin // turns of equal length, in thread order; the seed selects a variant
	PerThread  = sched.PerThread  // every thread separately, usually one operation per turn, sometimes two
	// Executions schedules every thread separately, as far as it can; under Memory PTX, loads are resolved late (package
	// weak).
	Executions = sched.Executions
)

// Config configures the execution of a Machine. The zero value is usable: ITS, seed 0, default limits.
type Config = state.Config

// Dim3 is a grid or block extent, or an index within one.
type Dim3 = state.Dim3

// LaunchConfig is one kernel launch.
type LaunchConfig = state.LaunchConfig

// Stats has counts of a launch.
type Stats = state.Stats

// Booking verifies proofs about the allocations that accesses go to (address.Exempt). The machine compares each time
// that an instruction accesses a different allocation than its last one, which it has to look up anyway.
type Booking = state.Booking

// Guide chooses the schedules of a machine's launches.
type Guide = state.Guide

// GuidedLaunch is a launch that a Guide schedules.
type GuidedLaunch = state.GuidedLaunch

// Guidance says how to schedule a launch: ByThread or Held.
type Guidance = state.Guidance

// ByThread runs every thread separately, in the order that a function chooses. A turn is one visible operation of one
// thread, and the instructions up to the next one.
type ByThread = sched.ByThread

// Held schedules fairly, but holds one thread at an instruction.
type Held = sched.Held

// Thread identifies a thread of a run.
type Thread = sched.Thread

// ThreadPos is the position of a thread in the grid.
type ThreadPos = state.ThreadPos

// Default parameters of PCT, used where Config has 0.
const (
	DefaultDepth  = faults.DefaultDepth
	MaxDepth      = faults.MaxDepth // a larger depth counts as this
	DefaultLength = faults.DefaultLength
)

// Refusal is the error for an instruction that the emulator does not accept.
type Refusal = exec.Refusal

// Refuses is NotEmulated for an instruction with its operands: some special registers are not emulated either.
func Refuses(in *rewrite.Inst) string {
	return program.Refuses(in)
}

// IsClock reports whether a special register counts time.
func IsClock(register string) bool {
	return exec.IsClock(register)
}

// TensorMapSize is the size of a tensor map, bytes.
const TensorMapSize = async.TensorMapSize

// TensorMap describes a tensor in device memory, and the box of it that one instruction copies.
type TensorMap = async.TensorMap

// TensorColumn describes the part that an instruction copies in the im2col modes.
type TensorColumn = async.TensorColumn

// TensorWide is a mode of im2col columns that extend along the first spatial dimension only.
type TensorWide = async.TensorWide

// Wide im2col modes.
const (
	TensorWideNot = async.TensorWideNot
	TensorWideW   = async.TensorWideW
	TensorWide128 = async.TensorWide128
)

// TensorSwizzle is the permutation of the 16-byte units of a tile in shared memory.
type TensorSwizzle = async.TensorSwizzle

// Swizzles, by the bytes within which units are permuted.
const (
	SwizzleNone           = async.SwizzleNone
	Swizzle32             = async.Swizzle32
	Swizzle64             = async.Swizzle64
	Swizzle128            = async.Swizzle128
	Swizzle128Atom32      = async.Swizzle128Atom32
	Swizzle128Atom32Flip8 = async.Swizzle128Atom32Flip8
	Swizzle128Atom64      = async.Swizzle128Atom64
	Swizzle96             = async.Swizzle96
)

// TensorPacking is the layout of 4- and 6-bit elements in a tensor and in shared memory.
type TensorPacking = async.TensorPacking

// Packings.
const (
	TensorPackedNot    = async.TensorPackedNot
	TensorPacked4      = async.TensorPacked4
	TensorPacked4Apart = async.TensorPacked4Apart
	TensorPacked6Apart = async.TensorPacked6Apart
)

// Texture is memory that kernels sample with tex, or access as a surface with suld, sust and
// sured.
type Texture = state.Texture

// LOD selects levels of detail.
type LOD = exec.LOD

// AddressMode determines the result outside of a texture.
type AddressMode = exec.AddressMode

// CompareMode is a depth comparison.
type CompareMode = exec.CompareMode

// Address modes. Wrap and mirror act as clamp if coordinates are not normalised.
const (
	AddressClamp  = exec.AddressClamp
	AddressBorder = exec.AddressBorder
	AddressWrap   = exec.AddressWrap
	AddressMirror = exec.AddressMirror
)

// Comparisons of the instruction's operand with the texel.
const (
	CompareNone         = exec.CompareNone
	CompareNever        = exec.CompareNever
	CompareLess         = exec.CompareLess
	CompareEqual        = exec.CompareEqual
	CompareLessEqual    = exec.CompareLessEqual
	CompareGreater      = exec.CompareGreater
	CompareNotEqual     = exec.CompareNotEqual
	CompareGreaterEqual = exec.CompareGreaterEqual
	CompareAlways       = exec.CompareAlways
)

// BarrierMisuse is a use of a barrier, or of an operation among lanes, that is undefined although it is complete.
type BarrierMisuse = state.BarrierMisuse

// MisuseKind is a kind of BarrierMisuse.
type MisuseKind = state.MisuseKind

// Kinds of misuse.
const (
	// SplitBarrier: threads of the block arrive by two instructions at an aligned barrier 0 without a count, as
	// __syncthreads() is compiled to, which CUDA C leaves undefined. Threads of one warp at two places are a fault
	// instead.
	SplitBarrier = barriers.SplitBarrier
	// LeftBarrier: threads of the block that have passed an aligned barrier without a count exit, while others come to
	// it again, as in the last round of a loop. All threads of the block must execute an aligned barrier (PTX ISA,
	// "barrier"). Threads that exit before they have come to it even once are not expected, as in "if (i >= n) return;"
	// (CUDA C++ Programming Guide, "__syncthreads": all non-exited threads).
	LeftBarrier = barriers.LeftBarrier
	// SkippedBarrier: threads of the block, or lanes of the membermask, go around the barrier or operation, and execute
	// code that the others come to behind it, before they exit.
	SkippedBarrier = barriers.SkippedBarrier
)

// Memory is a memory consistency model.
type Memory = state.Memory

// Memory consistency models.
const (
	SC  = weak.SC  // sequential consistency: a load returns the latest store
	PTX = weak.PTX // a load returns any store that the PTX manual's memory consistency model allows
)

// ErrRedundant is the error of a launch that was aborted because it repeats another one of an exploration, or cannot be
// completed.
var ErrRedundant = weak.ErrRedundant

// ErrLong is the error, an ErrRedundant too, of a launch that has more operations than an execution graph holds, or too
// many orders of its fence.sc or stores to try.
var ErrLong = weak.ErrLong

// MaxOlderStores is the greatest number of stores to one location that are kept for loads to return, under other
// policies than Executions. Once 4096 locations have more than two, two are kept of others.
const MaxOlderStores = weak.MaxOlderStores

// Explanation says why a run is not sequentially consistent. It is empty if the run is, or if it is too long to be
// explained.
type Explanation = state.Explanation

// Reordering is two accesses of a thread.
type Reordering = state.Reordering
