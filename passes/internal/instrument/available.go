// Available instrumentation: a forward data-flow analysis over checks already made.

package instrument

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Available returns the accesses of a function that earlier ones cover on all paths to them, in other basic blocks too:
// a superset of those of Redundant.
//
// The claim, for a thread that executes the access: since the function began it has executed an access that covers it,
// with an address that contains its bytes, and Forgets was true for nothing between them. It is that of Redundant, with
// a set of accesses at the start of each block: those known, or covered, at the end of all preceding blocks (an
// available-expressions analysis, the greatest solution). Only accesses that are not covered themselves are known, so
// that covering accesses are instrumented; Policy.Covers must be transitive. Where diverged lanes may reconverge,
// nothing is known.
//
// It returns none for a function with unknown edges, and those of Redundant for a function with many accesses, since
// sets of them take quadratic time.
func Available(f *rewrite.Func, p Policy) map[*rewrite.Inst]*rewrite.Inst {
	g := f.CFG()
	switch {
	case g.Degenerate:
		return nil
	case accesses(f) > mostAvailable:
		return Redundant(f, p)
	}
	a := &available{
		p: p, f: f, out: make([][]*rewrite.Inst, len(g.Blocks)), known: make([]bool, len(g.Blocks)),
		meets: make([]bool, len(g.Blocks)),
	}
	for _, b := range f.ConvergencePoints() {
		a.meets[b.Index] = true
	}
	for changed := true; changed; {
		changed = false
		for _, b := range g.Blocks[:g.Exit.Index] {
			if out, ready := a.in(b); ready {
				out = a.through(b, out, nil)
				if !a.known[b.Index] || !slices.Equal(out, a.out[b.Index]) {
					a.out[b.Index], a.known[b.Index], changed = out, true, true
				}
			}
		}
	}
	found := map[*rewrite.Inst]*rewrite.Inst{}
	for _, b := range g.Blocks[:g.Exit.Index] {
		in, _ := a.in(b)
		a.through(b, in, found)
	}
	return found
}

// mostAvailable is the number of accesses of a function up to which sets of them are computed.
const mostAvailable = 1 << 12

// accesses returns the number of instructions of a function that access memory.
func accesses(f *rewrite.Func) (n int) {
	for _, in := range f.Insts {
		if in.Access.Kind != isa.AccessNone {
			n++
		}
	}
	return n
}

// available is the state of an analysis.
type available struct {
	p     Policy
	f     *rewrite.Func
	out   [][]*rewrite.Inst // for each block: accesses known at its end, in source order
	known []bool            // out of a block has been computed; until then it stands for everything
	meets []bool            // lanes may reconverge at the start of a block
}

// in returns the accesses known at the start of a block: those known, or covered by a known one, at the end of all its
// predecessors that have been visited. ready is false if none has been.
func (a *available) in(b *rewrite.Block) (in []*rewrite.Inst, ready bool) {
	if b.Index == 0 || a.meets[b.Index] {
		return nil, true
	}
	var ends [][]*rewrite.Inst
	for _, pred := range b.Preds {
		if a.known[pred.Index] {
			ends = append(ends, a.out[pred.Index])
		}
	}
	everywhere := func(k *rewrite.Inst) bool {
		return !slices.ContainsFunc(ends, func(end []*rewrite.Inst) bool {
			return !slices.Contains(end, k) && a.p.cover(end, k) == nil
		})
	}
	for _, end := range ends {
		for _, k := range end {
			if !slices.Contains(in, k) && everywhere(k) {
				in = append(in, k)
			}
		}
	}
	return in, len(ends) > 0
}

// through follows a block from the accesses known at its start to its end. It adds covered accesses to found unless
// that is nil.
func (a *available) through(b *rewrite.Block, known []*rewrite.Inst,
	found map[*rewrite.Inst]*rewrite.Inst,
) []*rewrite.Inst {
	known = slices.Clone(known)
	for _, in := range a.f.Insts[b.Start:b.End] {
		if a.p.Forgets != nil && a.p.Forgets(in) {
			known = nil
		}
		if Own(in) && in.Access.Kind != isa.AccessNone && a.p.Candidate(in) {
			switch first := a.p.cover(known, in); {
			case first == nil:
				known = append(known, in)
			case found != nil && first != in:
				found[in] = first
			}
		}
		known = unwritten(known, in)
	}
	slices.SortFunc(known, func(x, y *rewrite.Inst) int { return x.Index - y.Index })
	return known
}
