// Reconvergence under a SIMT stack: the joins at which the sides of a divergent branch wait.

package rewrite

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Reconvergence says where the lanes that diverge at a branch reconverge on a GPU with a reconvergence stack, such as
// those before Volta. See docs/lockstep.md for the rule and for the behaviour of ptxas.
//
// The immediate post-dominator of the branch is not sufficient: one possible exit on one side moves it behind all
// common code. No lane waits for a lane that has ended, so paths that end do not affect where the others reconverge.
type Reconvergence struct {
	// Joins are the blocks at whose start lanes wait for each other, innermost first. Lanes do not wait at a join for a
	// lane that has reached a later one without passing it.
	Joins []*Block
	// End is where all lanes have reconverged: the virtual exit, or the last of Joins.
	End *Block
	// Whole reports that no path to or past the last of Joins leads to a join at which lanes wait that an earlier
	// branch has divided.
	Whole bool
	// First is the successor whose lanes have to go first: the others reach a barrier before they reach a join. It is
	// nil if the order does not matter.
	First *Block
}

// Reconvergences returns the reconvergences of a function's branches, by the index of the block that ends in the
// branch. Other blocks have none. In a function with unknown edges, branches have no joins.
func (f *Func) Reconvergences() []Reconvergence {
	return memo(f, reconvergencesKey{}, func() []Reconvergence { return newReconvergences(f.CFG(), MaxJoinSearch) })
}

// partFinder computes the reconvergences of a function.
type partFinder struct {
	g       *CFG
	loops   []*Loop // innermost loop of each block
	waits   []bool  // blocks with an instruction that waits for other threads
	reaches []bool  // blocks from which such a block can be reached
	all     []Reconvergence
	owners  map[*Block][]*Block // for each join: the blocks whose branches have it
	walker
	end     []*Block // Reconvergence.End of each block that ends in a divergent branch
	place   []int    // for each block: see region
	rank    []int    // for each block: see setRanks
	regions int      // total number of blocks in the regions so far
	most    int      // limit of regions, after which no further one is searched
}

// newReconvergences computes the reconvergences. It searches no further regions once they have more than most blocks in
// total.
func newReconvergences(g *CFG, most int) []Reconvergence {
	n := len(g.Blocks)
	p := &partFinder{
		g: g, most: most, loops: g.Innermost(), waits: make([]bool, n), reaches: make([]bool, n),
		all: make([]Reconvergence, n), owners: map[*Block][]*Block{}, walker: walker{seen: make([]int, n)},
		end: make([]*Block, n), place: make([]int, n), rank: make([]int, n),
	}
	if g.Degenerate {
		return p.all
	}
	p.findWaits()
	for _, b := range g.rpo {
		if !b.parts() {
			continue
		}
		p.end[b.Index] = p.latest(b)
		p.all[b.Index].End, p.all[b.Index].Joins = p.end[b.Index], p.joins(b)
		for _, j := range p.all[b.Index].Joins {
			p.owners[j] = append(p.owners[j], b)
		}
	}
	for _, b := range g.rpo {
		if b.parts() {
			part := &p.all[b.Index]
			part.Whole, part.First = p.whole(b, part.Joins), p.first(b, part.Joins)
		}
	}
	return p.all
}

// parts reports whether the block ends in a branch at which lanes may diverge. Both sides may lead to the same place,
// as for a jump to the next instruction.
func (b *Block) parts() bool {
	if b.Start == b.End {
		return false
	}
	last := b.graph.Func.Insts[b.End-1]
	return last.Branches() && (last.Guard != nil || len(b.Succs) > 1)
}

// findWaits sets waits and reaches.
func (p *partFinder) findWaits() {
	var work []*Block
	for _, in := range p.g.Func.Insts {
		if b := p.g.BlockOf[in.Index]; !p.waits[b.Index] && mayWait(in) {
			p.waits[b.Index] = true
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !p.reaches[b.Index] {
			p.reaches[b.Index] = true
			work = append(work, b.Preds...)
		}
	}
}

// mayWait reports whether an instruction may wait for other threads, directly or through a call.
func mayWait(in *Inst) bool {
	if in.Effects().Has(isa.Synchronises) {
		return true
	}
	c, ok := in.Call()
	return ok && (c.Func == nil || c.Func.mayWait())
}

// mayWait reports whether f, or a function that it calls, may wait for other threads. A call through a register may.
func (f *Func) mayWait() bool {
	seen := map[*Func]bool{f: true}
	for work := []*Func{f}; len(work) > 0; {
		last := len(work) - 1
		callees, waits := work[last].waitsOrCalls()
		if waits {
			return true
		}
		work = work[:last]
		for _, callee := range callees {
			if !seen[callee] {
				seen[callee] = true
				work = append(work, callee)
			}
		}
	}
	return false
}

// waitsOrCalls reports whether f's own instructions wait for other threads or call through a register. If not, it
// returns the functions that they call.
func (f *Func) waitsOrCalls() (callees []*Func, waits bool) {
	if f.Alias != nil {
		return []*Func{f.Alias}, false
	}
	for _, in := range f.Insts {
		c, call := in.Call()
		switch {
		case in.Effects().Has(isa.Synchronises), call && c.Func == nil:
			return nil, true
		case call:
			callees = append(callees, c.Func)
		}
	}
	return callees, false
}

// latest returns the block at which all lanes that diverge at the end of b have reconverged.
func (p *partFinder) latest(b *Block) *Block {
	if p.regions > p.most {
		return b.IPDom
	}
	p.work = p.work[:0] // without a loop there is nothing to walk
	end := p.sameRound(b, p.loops)
	p.regions += len(p.work)
	return end
}

// joins returns the blocks at which lanes that diverge at the end of b reconverge.
func (p *partFinder) joins(b *Block) []*Block {
	if len(b.Succs) == 1 && b.Succs[0] != p.g.Exit {
		return b.Succs
	}
	var out []*Block
	for _, j := range p.meets(b) {
		if j != p.g.Exit && !p.ends(b, j) {
			out = append(out, j)
		}
	}
	slices.SortFunc(out, func(x, y *Block) int {
		return cmp.Or(p.left(b, x)-p.left(b, y), p.rank[x.Index]-p.rank[y.Index])
	})
	return out
}

// meets returns the blocks where paths from different successors of b meet, and the exits of loops that lanes may leave
// in different iterations.
func (p *partFinder) meets(b *Block) []*Block {
	if p.regions > p.most {
		return []*Block{b.IPDom}
	}
	out := p.meetingPoints(b)
	for l := p.loops[b.Index]; l != nil && !inLoop(p.loops, l, p.end[b.Index]); l = l.Parent {
		for _, in := range l.Blocks {
			for _, s := range in.Succs {
				if !inLoop(p.loops, l, s) && !slices.Contains(out, s) {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// ends reports whether lanes need not wait at j: from there they only reach their end, while the others would wait for
// them in vain at a barrier that a path from b passes and j does not. A barrier counts threads that have ended as
// arrived.
func (p *partFinder) ends(b, j *Block) bool {
	return !p.reaches[j.Index] && p.reaches[b.Index] &&
		slices.ContainsFunc(p.walk(b.Succs, j), func(n *Block) bool { return p.waits[n.Index] })
}

// left returns how many of the loops that all paths from b leave do not contain j.
func (p *partFinder) left(b, j *Block) int {
	n := 0
	for l := p.loops[b.Index]; l != nil && !inLoop(p.loops, l, p.end[b.Index]); l = l.Parent {
		if !inLoop(p.loops, l, j) {
			n++
		}
	}
	return n
}

// whole computes Reconvergence.Whole.
func (p *partFinder) whole(b *Block, joins []*Block) bool {
	if len(joins) == 0 {
		return false
	}
	last := joins[len(joins)-1]
	isEnd := last == p.end[b.Index]
	if isEnd && p.regions > p.most {
		return true
	}
	for _, n := range slices.Clone(p.walk(b.Succs, last)) {
		p.regions += len(p.owners[n])
		for _, owner := range p.owners[n] {
			switch {
			case owner == b || p.g.Dominates(b, owner):
			case isEnd && p.regions > p.most:
				return true
			case !isEnd || p.comesTo(owner, b, n):
				return false // owner may have divided lanes before b
			}
		}
	}
	return true
}

// comesTo reports whether a path from owner to b does not pass n: then lanes that owner has divided may still wait at n
// for those that diverge at b.
func (p *partFinder) comesTo(owner, b, n *Block) bool {
	p.regions += len(p.walk(owner.Succs, n))
	return p.seen[b.Index] == p.round && b != n
}

// first computes Reconvergence.First for a branch with two successors.
func (p *partFinder) first(b *Block, joins []*Block) *Block {
	if len(b.Succs) != 2 || !p.reaches[b.Index] {
		return nil
	}
	taken, other := p.comesToWait(b.Succs[0], joins), p.comesToWait(b.Succs[1], joins)
	switch {
	case taken == other:
		return nil
	case taken:
		return b.Succs[1]
	}
	return b.Succs[0]
}

// comesToWait reports whether a path from s waits for other threads before it reaches a join.
func (p *partFinder) comesToWait(s *Block, joins []*Block) bool {
	return slices.ContainsFunc(p.walk([]*Block{s}, joins...), func(n *Block) bool { return p.waits[n.Index] })
}
