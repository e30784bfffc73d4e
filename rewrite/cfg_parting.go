// Divergence under a SIMT stack: which joins the sides of a branch wait at.

package rewrite

// This file finds where the lanes that a branch parts reconverge on a GPU with a SIMT stack.

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Parting says where the lanes that a branch parts meet again on a GPU that
// reconverges by a stack, as GPUs before Volta do. See docs/lockstep.md for the rule
// and for what ptxas does.
//
// The immediate post-dominator of the branch does not do: one possible exit on one side
// moves it behind everything that the lanes do together. A lane that ends is waited for
// nowhere, so paths that end do not matter to where the others meet.
type Parting struct {
	// Joins are the blocks at whose start lanes wait for each other, innermost first. A
	// lane that comes to one of them past those before it is not waited for there any more.
	Joins []*Block
	// End is where lanes meet at the latest: the virtual exit, or the last of Joins.
	End *Block
	// Whole reports that no path, whether it ends at the last of Joins or passes it, leads to
	// where lanes wait that another branch has parted before.
	Whole bool
	// First is the successor whose lanes have to go first: the others come to a barrier
	// before they come to a join. Nil when the order does not matter.
	First *Block
}

// Partings returns the partings of a function's branches, by the index of the block
// that ends in the branch. Blocks that end otherwise have none. The graph of a
// degenerate function says nothing: its branches have no joins.
func (f *Func) Partings() []Parting {
	return memo(f, partingsKey{}, func() []Parting { return newPartings(f.CFG(), MaxJoinSearch) })
}

// partFinder computes the partings of a function.
type partFinder struct {
	g       *CFG
	loops   []*Loop // by block, the innermost
	waits   []bool  // by block: holds an instruction that waits for other threads
	reaches []bool  // by block: such a block can be reached from it
	all     []Parting
	owners  map[*Block][]*Block // by join: the blocks whose branches have it
	walker
	end     []*Block // by block that parts: Parting.End
	place   []int    // by block: see region
	rank    []int    // by block: see setRanks
	regions int      // blocks in the regions so far
	most    int      // blocks after which no further region is searched
}

// newPartings searches no further region when those so far have more than most blocks.
func newPartings(g *CFG, most int) []Parting {
	n := len(g.Blocks)
	p := &partFinder{
		g: g, most: most, loops: g.Innermost(), waits: make([]bool, n), reaches: make([]bool, n),
		all: make([]Parting, n), owners: map[*Block][]*Block{}, walker: walker{seen: make([]int, n)}, end: make([]*Block, n), place: make([]int, n), rank: make([]int, n),
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

// parts reports whether the block ends in a branch at which lanes may part: to the same
// place, perhaps, as when a jump leads to the next instruction.
func (b *Block) parts() bool {
	if b.Start == b.End {
		return false
	}
	last := b.graph.Func.Insts[b.End-1]
	return last.Branches() && (last.Guard != nil || len(b.Succs) > 1)
}

// findWaits finds the blocks that wait for other threads, and those from which they
// can be reached.
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

// mayWait reports whether an instruction may wait for other threads: it does, or it
// calls what may.
func mayWait(in *Inst) bool {
	if in.Effects().Has(isa.Synchronises) {
		return true
	}
	c, ok := in.Call()
	return ok && (c.Func == nil || c.Func.mayWait())
}

// mayWait reports whether f, or what it calls, waits for other threads, as far as is
// known of calls through registers: those may.
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

// waitsOrCalls reports whether f's own instructions wait for other threads or call
// through a register, or else which functions they call.
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

// latest is where the lanes meet at the latest that the branch at the end of b has parted.
func (p *partFinder) latest(b *Block) *Block {
	if p.regions > p.most {
		return b.IPDom
	}
	p.work = p.work[:0] // without a loop nothing is walked
	end := p.sameRound(b, p.loops)
	p.regions += len(p.work)
	return end
}

// joins are the places where lanes meet that the branch at the end of b has parted.
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

// meets are the blocks where paths from different successors of b meet, and the exits of
// the loops that lanes may leave in different rounds.
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

// ends reports whether lanes need not meet at j: from there they only come to their
// end, and the others would wait for them in vain, at a barrier that a path from b
// passes and j does not. Threads that have ended count as arrived there.
func (p *partFinder) ends(b, j *Block) bool {
	return !p.reaches[j.Index] && p.reaches[b.Index] && slices.ContainsFunc(p.walk(b.Succs, j), func(n *Block) bool { return p.waits[n.Index] })
}

// left is how many of the loops that all paths from b leave have been left at j.
func (p *partFinder) left(b, j *Block) int {
	n := 0
	for l := p.loops[b.Index]; l != nil && !inLoop(p.loops, l, p.end[b.Index]); l = l.Parent {
		if !inLoop(p.loops, l, j) {
			n++
		}
	}
	return n
}

// whole is Parting.Whole.
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
				return false // owner may have parted lanes before b
			}
		}
	}
	return true
}

// comesTo reports whether a path from owner to b does not pass n, so that lanes that owner has parted may
// still wait at n for those that b parts.
func (p *partFinder) comesTo(owner, b, n *Block) bool {
	p.regions += len(p.walk(owner.Succs, n))
	return p.seen[b.Index] == p.round && b != n
}

// first is Parting.First of a branch with two successors.
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

// comesToWait reports whether a path from s waits for other threads before it comes to
// a join.
func (p *partFinder) comesToWait(s *Block, joins []*Block) bool {
	return slices.ContainsFunc(p.walk([]*Block{s}, joins...), func(n *Block) bool { return p.waits[n.Index] })
}
