// Launches of which only some blocks are observed.

package observe

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/sample"
)

// running is a grid that runs, or waits for one that it has launched.
type running struct {
	emu.Dim3
	sample *sample.Launch // nil if all blocks are observed
	block  uint64         // the last one that was looked up in sample
	has    bool           // it is observed
}

// noBlock is the number of no block.
const noBlock = ^uint64(0)

// Watch chooses the observed blocks of the next launch, nil for all. For the other blocks there are only the events by which threads
// synchronise, which includes strong accesses but no weak accesses. Grids that threads launch are observed as a whole.
//
// No race is invented: a detector knows of every operation by which the accesses that it compares can be ordered, whichever block
// makes it. Weak accesses order nothing (PTX ISA, "Release and Acquire Patterns").
func (e *Events) Watch(l *sample.Launch) { e.sampled = l }

// observes reports whether a block of the running grid is observed.
func (g *running) observes(block uint64) bool {
	if g.sample == nil {
		return true
	}
	if block != g.block {
		g.block, g.has = block, g.sample.Has(block)
	}
	return g.has
}

// weak reports whether an access cannot be used for synchronisation.
func (f *siteEvent) weak(kind isa.AccessKind) bool {
	return f.sem <= abi.SemWeak && (kind == isa.AccessLoad || kind == isa.AccessStore)
}
