// Explanations of runs under weak memory: which accesses were seen out of order.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Explanation says why a run is not sequentially consistent. It is empty if the run is, or if it is too long to be explained.
type Explanation struct {
	// Pairs are accesses of one thread, in program order, which other threads have seen in the other order.
	Pairs []Reordering
	// Fence is the fence that, between the two accesses of each pair, makes the manual's axioms forbid the run; empty if none does,
	// since a weak access takes part.
	Fence string
}

// Reordering is two accesses of a thread.
type Reordering struct {
	First, Second *rewrite.Inst
	Thread        ThreadPos
}

// maxRecorded is the maximum number of operations that are recorded for an explanation.
const maxRecorded = 1024

// recorded reports whether operations enter the graph.
func (w *weakMemory) recorded() bool { return w.lazy || w.explain && w.graph.Len() < maxRecorded }

// source records the instruction of the latest operations of the graph.
func (w *weakMemory) source(src *rewrite.Inst) {
	for len(w.sources) < w.graph.Len() {
		w.sources = append(w.sources, src)
	}
}

// noRead is the store returned by an access that does not read.
const noRead = weakmem.Lost - 1

// recordAccess records an access by lane i for an explanation: the store that it returns, and whether it stores. It returns the
// number of its store.
func (x *engine) recordAccess(a *weakmem.Access, src *rewrite.Inst, from, i int, writes bool) int {
	w := x.weak
	if !w.explain || !w.recorded() {
		return weakmem.Lost
	}
	g, read, write := w.graph, -1, weakmem.Lost
	if from != noRead {
		if read = g.Add(x.weakOp(src, weakmem.Read, a.At, i)); from != weakmem.Lost {
			g.Set(read, 0, a.At.Size, from)
		}
	}
	if writes {
		write = g.Add(x.weakOp(src, weakmem.Write, a.At, i))
		if g.Perform(write, [2]uint64{}); read >= 0 {
			g.Pair(read, write)
		}
	}
	w.source(src)
	return write
}

// explainWeak explains the run, if that is asked for.
func (x *engine) explainWeak() {
	to, w := x.m.cfg.Explain, x.weak
	if to == nil || len(to.Pairs) > 0 {
		return
	}
	pairs, remedy, scope, ok := w.graph.Explain()
	if !ok {
		return
	}
	for _, p := range pairs {
		t := w.graph.Thread(p.First)
		to.Pairs = append(to.Pairs, Reordering{w.sources[p.First], w.sources[p.Second], ThreadPos{t.Block, int(t.Number) / warpSize, int(t.Number) % warpSize}})
	}
	name := map[weakmem.Scope]isa.Scope{weakmem.CTA: isa.ScopeCTA, weakmem.Cluster: isa.ScopeCluster, weakmem.GPU: isa.ScopeGPU}[scope]
	switch remedy {
	case weakmem.FenceAcqRel:
		to.Fence = "fence.acq_rel." + name.String()
	case weakmem.FenceSC:
		to.Fence = "fence.sc." + name.String()
	}
}
