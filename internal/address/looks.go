// Looks: weak loads that test a location before a compare-and-swap on it.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Looks returns the weak loads that test a location before a compare-and-swap on it and serve nothing else, as in the
// insertion into a hash table "if (t[i] == empty) old = atomicCAS(&t[i], empty, key)". The result maps each load to the
// swaps that the thread executes depending on its value. Such a load needs no order with other threads' swaps: if its
// value is out of date, the swap fails.
//
// The value may affect branches and predicates, and be what the swap expects. A path without barriers and calls leads
// from the load to the swap. Since compilers rotate loops, the path may enter the next round of a loop, and the swap
// may use another register.
func Looks(f *rewrite.Func) map[*rewrite.Inst][]*rewrite.Inst {
	return f.Memo(looksKey{}, func() any {
		out := make(map[*rewrite.Inst][]*rewrite.Inst)
		if !slices.ContainsFunc(f.Insts, swaps) {
			return out
		}
		l := looks{&loadFlow{f: f, du: f.DefUse(), swap: true, most: maxLookSlice}}
		for _, in := range f.Insts {
			if !predicts(in) || !ofThreads(in.Access.Space) {
				continue
			}
			if decides, data := l.follow(in); decides && !data {
				if after := l.after(in); after != nil {
					out[in] = after
				}
			}
		}
		return out
	}).(map[*rewrite.Inst][]*rewrite.Inst)
}

// looksKey is the key under which a function caches its Looks.
type looksKey struct{}

// Limits, so that long functions do not take quadratic time.
const (
	maxLookSlice  = 64   // instructions that compute from the value of a look
	maxLookBlocks = 8    // of a path from a look to a swap
	maxLookVisits = 128  // of blocks, on all paths from a look
	maxLookSteps  = 4096 // instructions on all paths from a look
)

// looks finds the swaps that a load precedes.
type looks struct{ *loadFlow }

// after returns the swaps on the location of a load that its value decides about.
func (l looks) after(load *rewrite.Inst) (found []*rewrite.Inst) {
	g, flow := l.f.CFG(), l.flow(load)
	start := g.BlockOf[load.Index]
	paths := [][]*rewrite.Block{{start}}
	for n, steps := 0, 0; n < min(len(paths), maxLookVisits); n++ {
		path := paths[n]
		b := path[len(path)-1]
		from, to := b.Start, b.End
		switch {
		case n == 0:
			from = load.Index + 1
		case b == start:
			to = load.Index
		}
		open := true
		for _, in := range l.f.Insts[from:to] {
			steps++
			if open = steps <= maxLookSteps && in.Instr.Class != isa.ClassBarrier &&
				in.Effects()&isa.Calls == 0; !open {
				break
			}
			if swaps(in) && in.Access.Size == load.Access.Size && !slices.Contains(found, in) &&
				l.decided(in, path, flow) && sameAlong(path, load, in) {
				found = append(found, in)
			}
		}
		if !open || n > 0 && b == start || len(path) == maxLookBlocks {
			continue
		}
		for _, next := range b.Succs {
			if next != g.Exit && (next == start || !slices.Contains(path, next)) {
				paths = append(paths, append(slices.Clip(path), next))
			}
		}
	}
	return found
}

// decided reports whether a value, of which flow has what is computed from it, decides on a path if the swap at its end
// is executed: the predicate of the swap does, or a branch that also leads to the end of the thread, or to another
// look, around the swap.
func (l looks) decided(swap *rewrite.Inst, path []*rewrite.Block, flow map[*rewrite.Inst]bool) bool {
	if l.guarded(swap, flow) {
		return true
	}
	for n, b := range path[:len(path)-1] {
		if last := l.f.Insts[b.End-1]; last.Branches() && l.guarded(last, flow) {
			for _, other := range b.Succs {
				if other != path[n+1] && l.avoids(other, path[0], path[len(path)-1]) {
					return true
				}
			}
		}
	}
	return false
}

// guarded reports whether the predicate of an instruction is computed from a value.
func (l looks) guarded(in *rewrite.Inst, flow map[*rewrite.Inst]bool) bool {
	if in.Guard == nil {
		return false
	}
	defs, _ := l.du.Defs(in, in.Guard)
	return slices.ContainsFunc(defs, func(def *rewrite.Inst) bool { return flow[def] })
}

// avoids reports whether control may get from a block to the end of the function, or to the block of the load, without
// passing the block of the swap.
func (l looks) avoids(b, load, swap *rewrite.Block) bool {
	seen := map[*rewrite.Block]bool{swap: true}
	for work := []*rewrite.Block{b}; len(work) > 0; {
		b, work = work[len(work)-1], work[:len(work)-1]
		if seen[b] {
			continue
		}
		if seen[b] = true; b == load || b == l.f.CFG().Exit {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}
