// Large grids, of which only some blocks are watched.

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

// Sample is the blocks of a grid that are watched: some from the first on, and the last one, in which
// grids often end. First is 0 when all are.
type Sample struct{ First, Blocks uint64 }

// SampleOf is the blocks of a grid that are watched, of as many threads as most, or two blocks when
// those have more; most is 0 for all threads.
func SampleOf(grid, block emu.Dim3, most uint64) Sample {
	blocks, threads := extent(grid), extent(block)
	if most == 0 || blocks <= 2 || blocks <= most/threads {
		return Sample{}
	}
	return Sample{max(most/threads, 2) - 1, blocks}
}

func extent(d emu.Dim3) uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

// has reports whether a block is watched.
func (s *Sample) has(block uint64) bool {
	return s.First == 0 || block < s.First || block == s.Blocks-1
}

// MaxThreads has only some blocks of grids with more threads watched (SampleOf). Of the others there
// are the events by which threads synchronise, strong accesses among them, but no weak accesses.
func (e *Events) MaxThreads(n uint64) { e.most = n }

// weak reports whether an access is of no use for synchronisation.
func (f *siteEvent) weak(kind isa.AccessKind) bool {
	return f.sem <= abi.SemWeak && (kind == isa.AccessLoad || kind == isa.AccessStore)
}
