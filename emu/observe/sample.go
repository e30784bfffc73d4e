// Large grids of which only some blocks are observed.

package observe

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// running is a grid that runs, or waits for one that it has launched.
type running struct {
	emu.Dim3
	sample Sample
}

// Sample is the set of observed blocks of a grid: the first ones, and the last one, which is often partly filled. First is 0 if
// all blocks are observed.
type Sample struct{ First, Blocks uint64 }

// SampleOf returns the observed blocks of a grid, with at most the given number of threads, or two blocks if those have more;
// most is 0 for all threads.
func SampleOf(grid, block emu.Dim3, most uint64) Sample {
	blocks, threads := extent(grid), extent(block)
	if most == 0 || blocks <= 2 || blocks <= most/threads {
		return Sample{}
	}
	return Sample{max(most/threads, 2) - 1, blocks}
}

func extent(d emu.Dim3) uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

// has reports whether a block is observed.
func (s *Sample) has(block uint64) bool {
	return s.First == 0 || block < s.First || block == s.Blocks-1
}

// MaxThreads observes only some blocks of grids with more threads (SampleOf). For the other blocks there are only the events by
// which threads synchronise, which includes strong accesses but no weak accesses.
func (e *Events) MaxThreads(n uint64) { e.most = n }

// weak reports whether an access cannot be used for synchronisation.
func (f *siteEvent) weak(kind isa.AccessKind) bool {
	return f.sem <= abi.SemWeak && (kind == isa.AccessLoad || kind == isa.AccessStore)
}
