package emu

import "github.com/ptxsan/ptxsan/emu/internal/gmem"

// Default limits.
const (
	DefaultMaxSteps    = 2_000_000_000
	DefaultMemoryLimit = 16 << 30
	DefaultStackLimit  = 512 << 10 // a GPU has a few KiB
	DefaultCallDepth   = 1024
	DefaultThreadState = 4 << 30
	DefaultPrintfLimit = 64 << 20

	// StepsBase and StepsPerWarp make up the limit on steps of launches that have
	// none of their own: an endless loop in a small launch is found out sooner.
	StepsBase    = 200_000_000
	StepsPerWarp = 500_000

	// stallBase and stallPerWarp are after how many warp instructions without any
	// change that another thread could see a launch is suspected of livelock.
	stallBase    = 100_000_000
	stallPerWarp = 200_000
)

// Limits bound what a kernel may use. Zero values stand for defaults.
type Limits struct {
	CallDepth   int    // activations per thread, 0 = DefaultCallDepth
	Stack       uint64 // bytes of local memory per thread, 0 = DefaultStackLimit
	ThreadState uint64 // bytes of state (state.go) of all resident threads and launched grids, 0 = DefaultThreadState
	Threads     int    // resident at a time, 0 = any number; a block is resident as a whole
	Stall       uint64 // warp instructions that change nothing, while threads wait, after which livelock is suspected; 0 = by the size of the launch, never when steps are limited
	Printf      uint64 // bytes of vprintf output of a launch, what is beyond is lost; 0 = DefaultPrintfLimit
}

// setDefaults replaces zero values that stand for defaults.
func (c *Config) setDefaults() {
	orDefault(&c.MemoryLimit, DefaultMemoryLimit)
	orDefault(&c.Depth, DefaultDepth)
	orDefault(&c.Length, DefaultLength)
	orDefault(&c.MaxFaults, 1)
	orDefault(&c.Limits.CallDepth, DefaultCallDepth)
	orDefault(&c.Limits.Stack, DefaultStackLimit)
	orDefault(&c.Limits.ThreadState, DefaultThreadState)
	orDefault(&c.Limits.Printf, DefaultPrintfLimit)
}

func orDefault[T int | uint64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// maxSteps is the limit on warp instructions of a launch.
func (c *Config) maxSteps(warps uint64) uint64 {
	if c.MaxSteps != 0 {
		return c.MaxSteps
	}
	return min(DefaultMaxSteps, StepsBase+StepsPerWarp*min(warps, 1<<32))
}

// stall is after how many warp instructions without progress a launch is suspected of
// livelock, 0 for never.
func (c *Config) stall(warps uint64) uint64 {
	if c.MaxSteps != 0 || c.Limits.Stall != 0 {
		return c.Limits.Stall
	}
	return stallBase + stallPerWarp*min(warps, 1<<32)
}

// residentBlocks is how many blocks of so many threads may be resident.
func (c *Config) residentBlocks(total, threads uint64) int {
	n := min(total, 1<<62)
	if c.Resident > 0 {
		n = min(n, uint64(c.Resident))
	}
	if c.Limits.Threads > 0 {
		n = max(1, min(n, uint64(c.Limits.Threads)/threads))
	}
	return int(n)
}

// What is known of an allocation, freed or not, counts as RecordBytes: there can be as
// many as make up the memory limit, but always LeastAllocations.
const (
	RecordBytes      = gmem.RecordBytes
	LeastAllocations = gmem.LeastAllocations
)
