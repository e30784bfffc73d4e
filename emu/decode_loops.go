// Loops and divergence at decode time: which branches are back edges, and where diverged lanes reconverge.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// At back edges turns may end and spin detection takes place. Compilers place cold code at the end of a function, from
// where it jumps back to the middle: that is not a loop, and such a jump is not marked. In each cycle at least one jump
// is marked.

// loops marks the branches of a body that are back edges. In natural loops these are the edges to the loop header. In
// other cycles, loops with several entries or whose header is reached by falling through, they are all backward jumps.
// The targets of the branches must have been resolved.
func (d *decoder) loops(b *body) {
	cfg := b.src.CFG()
	left := d.cycles(b)
	for i := range b.src.Insts {
		for pc := b.starts[i]; pc < b.starts[i+1]; pc++ {
			c := &d.fn.code[pc]
			if c.src != int32(b.first+i) || c.flags&flagBranch == 0 || c.tgt > pc {
				continue
			}
			from := cfg.BlockOf[i]
			to := b.successorAt(from, c.tgt)
			if cfg.Degenerate || to == nil || cfg.Dominates(to, from) || left[to.Index] == left[from.Index] {
				c.flags |= flagLoop
			}
			switch {
			case d.fn.sources[c.src].aside:
				c.flags |= flagCounted // the loop ends, whatever the program does
				c.a = 0
			case to != nil && !cfg.Degenerate && cfg.Dominates(to, from):
				if step, ok := b.counterOf(to, from); ok {
					c.flags |= flagCounted
					c.a = step
				}
			}
		}
	}
}

// successorAt returns the successor of a block that begins at pc.
func (b *body) successorAt(from *rewrite.Block, pc int32) *rewrite.Block {
	for _, to := range from.Succs {
		if to.Start < len(b.src.Insts) && b.starts[to.Start] == pc {
			return to
		}
	}
	return nil
}

// counts reports whether an edge between two blocks is marked: a back edge of a natural loop, or any backward jump of an
// indirect branch (brx.idx).
func (d *decoder) counts(b *body, from, to *rewrite.Block) bool {
	cfg := b.src.CFG()
	if to == cfg.Exit || from == cfg.Exit || from.End == from.Start {
		return false
	}
	pc := b.starts[from.End] - 1 // the branch, if there is one
	target := b.starts[to.Start]
	c := &d.fn.code[pc]
	switch {
	case target > pc:
		return false
	case c.flags&flagBranch != 0:
		return c.tgt == target && cfg.Dominates(to, from)
	}
	return c.flags&flagControl != 0 // brx
}

// cycles numbers the blocks of a body: blocks in one cycle without a marked jump get the same number (Tarjan,
// "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972: strongly connected components).
func (d *decoder) cycles(b *body) []int {
	type visit struct {
		block *rewrite.Block
		next  int // index of the next successor
	}
	blocks := b.src.CFG().Blocks
	var path []visit // from the start of the search
	var open []int   // blocks that may be in a cycle with a block on the path
	order, low, number := make([]int, len(blocks)), make([]int, len(blocks)), make([]int, len(blocks))
	seen := 0
	enter := func(b *rewrite.Block) {
		seen++
		order[b.Index], low[b.Index] = seen, seen
		path, open = append(path, visit{block: b}), append(open, b.Index)
	}
	for _, root := range blocks {
		if order[root.Index] == 0 {
			enter(root)
		}
		for len(path) > 0 {
			v := &path[len(path)-1]
			at := v.block.Index
			if v.next < len(v.block.Succs) {
				to := v.block.Succs[v.next]
				v.next++
				switch {
				case d.counts(b, v.block, to):
				case order[to.Index] == 0:
					enter(to)
				case number[to.Index] == 0:
					low[at] = min(low[at], order[to.Index])
				}
				continue
			}
			if path = path[:len(path)-1]; len(path) > 0 {
				up := path[len(path)-1].block.Index
				low[up] = min(low[up], low[at])
			}
			for k := len(open) - 1; low[at] == order[at] && number[at] == 0; k-- {
				number[open[k]] = order[at]
				open = open[:k]
			}
		}
	}
	return number
}

// Loops with a counter. A register to which every iteration adds a value other than 0 has a different value at each
// visit of the loop header. The state of a group at the header cannot repeat, so spin detection (spin_detect.go) skips
// the back edge. If an outer loop resets the counter, spin detection takes place at the back edge of the outer loop. A
// counter that does not influence what the loop does, such as the number of polls, is not part of that state
// (deciding), but a loop that only computes waits for nobody: spin detection skips it, too.

const (
	maxCountedLoop = 1000           // maximum number of instructions of a loop that is searched for a counter
	maxCounterStep = vector.MaxStep // larger steps could bring the counter back to an earlier value within few iterations
)

// counterOf finds a counter of the natural loop of the back edge from a block to the header. It returns the slot of the
// register that holds the counter's step, 0 when the step is a constant.
func (b *body) counterOf(head, from *rewrite.Block) (step slot, ok bool) {
	cfg := b.src.CFG()
	blocks := cfg.LoopBlocks(head, []*rewrite.Block{from}, maxCountedLoop)
	computes := true                 // the loop does nothing else
	defs := map[*rewrite.Reg][]int{} // in the loop, by index of the instruction
	for _, l := range blocks {
		for i := l.Start; i < l.End; i++ {
			in := b.src.Insts[i]
			in.Defs(func(r *rewrite.Reg) { defs[r] = append(defs[r], i) })
			computes = computes && Refuses(in) == "" && in.Effects()&^isa.Branches == 0
		}
	}
	counters := b.src.Liveness().In(head)
	if !computes {
		counters = b.deciding(head, counters)
	}
	for _, l := range blocks {
		if !cfg.Dominates(l, from) {
			continue
		}
		for i := l.Start; i < l.End; i++ {
			if step, ok := b.addition(i, defs, counters); ok {
				return step, true
			}
		}
	}
	return 0, false
}

// deciding returns the registers of a set that may influence what a group at the start of the block does as long as it
// does not leave the loops around it. In an inlined body, these are all registers: its calls may be in loops of the
// caller.
func (b *body) deciding(at *rewrite.Block, set rewrite.RegSet) rewrite.RegSet {
	strong := query.StronglyLive(b.src, at)
	if b.outer != nil || strong == nil {
		return set
	}
	both := make(rewrite.RegSet, len(set))
	for i := range both {
		both[i] = set[i] & strong[i]
	}
	return both
}

// liveInLoop splits the registers of a set into those that the loops with this header write and the others. Spin
// detection compares the written ones first: it finds a difference from the last snapshot there.
func (b *body) liveInLoop(head *rewrite.Block, set rewrite.RegSet) (changing, rest []slotRange) {
	changed, same := make(rewrite.RegSet, len(set)), slices.Clone(set)
	cfg := b.src.CFG()
	for _, from := range head.Preds {
		if !cfg.Dominates(head, from) {
			continue
		}
		for _, l := range cfg.LoopBlocks(head, []*rewrite.Block{from}, maxCountedLoop) {
			for _, in := range b.src.Insts[l.Start:l.End] {
				in.Defs(func(r *rewrite.Reg) {
					word, bit := r.Index/64, uint64(1)<<(r.Index%64)
					changed[word] |= set[word] & bit
					same[word] &^= bit
				})
			}
		}
	}
	return b.live(changed), b.live(same)
}

// addition reports whether instruction i, which every iteration executes, increments or decrements a counter by a
// constant, or by a register that the loop does not write. Nothing else in the loop may write the counter. The sum may
// also go to another register from which a move copies it to the counter, as in code by nvcc. defs has the instructions
// of the loop that write each register, counters the registers that may be counters.
func (b *body) addition(i int, defs map[*rewrite.Reg][]int, counters rewrite.RegSet) (step slot, ok bool) {
	in := b.src.Insts[i]
	sums := in.Instr.Calc == isa.CalcAdd || in.Instr.Calc == isa.CalcSub
	if !sums || in.Guard != nil || len(in.Mods) != 1 || in.Effects().Has(isa.ReadsCarry) ||
		!slices.Contains(countable, in.Decoded.Operands[0].Type) {
		return 0, false
	}
	sum, counter, added := &in.Operands[0], &in.Operands[1], &in.Operands[2]
	if !isReg(sum) || !isReg(counter) || len(defs[sum.Reg]) != 1 || len(defs[counter.Reg]) != 1 ||
		!counters.Has(counter.Reg) {
		return 0, false
	}
	if at := defs[counter.Reg][0]; counter.Reg != sum.Reg && !b.moves(at, i, sum.Reg) {
		return 0, false
	}
	switch {
	case added.Kind == rewrite.OperandImm:
		v := int64(added.Imm)
		if slotBits(counter.Reg.Type) == 32 {
			v = int64(int32(v))
		}
		return 0, v != 0 && v < maxCounterStep && v > -maxCounterStep
	case isReg(added) && len(defs[added.Reg]) == 0:
		return b.regs[added.Reg.Index], true
	}
	return 0, false
}

// countable are the types of counters.
var countable = []isa.Type{isa.U32, isa.S32, isa.U64, isa.S64}

// isReg reports whether an operand is a register by itself.
func isReg(o *rewrite.Operand) bool {
	return o.Kind == rewrite.OperandReg && o.Reg.Vec == 1 && o.Member == "" && !o.Neg && !o.Not
}

// moves reports whether instruction at is an unguarded move from a register that follows instruction i in the same
// block.
func (b *body) moves(at, i int, from *rewrite.Reg) bool {
	in, cfg := b.src.Insts[at], b.src.CFG()
	return at > i && cfg.BlockOf[at] == cfg.BlockOf[i] && in.Guard == nil && in.Instr.Calc == isa.CalcCopy &&
		isReg(&in.Operands[0]) && isReg(&in.Operands[1]) && in.Operands[1].Reg == from
}

// counted reports whether spin detection can skip the back edge in of the running group g, because the loop has a
// counter. If the step of the counter is a register, g must contain lane 0, and the register's value in lane 0 must be
// 1 to maxCounterStep.
func (x *engine) counted(g *group, in *inst) bool {
	switch {
	case in.flags&flagCounted == 0:
		return false
	case in.a == 0:
		return true
	}
	return g.mask.has(0) && x.frame.r32(in.a)[0]-1 < maxCounterStep
}

// Divergence and reconvergence under the lockstep policy (rewrite.Reconvergence). Most branches have one join, which
// all lanes reach that do not exit before: it is in the instruction, as under the other policies. The other branches
// have a reconvergence.

// reconvergence describes a branch under the lockstep policy: its joins, and the side that runs first.
type reconvergence struct {
	joins      []joinPoint // outermost first
	takenFirst bool        // the lanes that jump run first
}

// joinPoint is a join of a reconvergence.
type joinPoint struct {
	pc      int32
	partial bool // lanes may bypass it
}

// reconvergenceOf is decoder.joinOf under the lockstep policy. A branch that needs more than one join gets a
// reconvergence.
func (d *decoder) reconvergenceOf(b *body, i int, pc int32) int32 {
	p := b.reconvergence(i)
	for _, j := range p.joins {
		d.endsAt(j.pc)
	}
	switch {
	case p.takenFirst || len(p.joins) > 1 || len(p.joins) == 1 && p.joins[0].partial:
		if d.fn.reconvergences == nil {
			d.fn.reconvergences = map[int32]*reconvergence{}
		}
		d.fn.reconvergences[pc] = p
		return joinAtReturn
	case len(p.joins) == 1:
		return p.joins[0].pc
	}
	return joinAtReturn
}

// reconvergence returns the joins of lanes that diverge at instruction i. Lanes that return from an inlined body
// reconverge at its end at the latest, lanes that return from other bodies in the caller.
func (b *body) reconvergence(i int) *reconvergence {
	cfg, p := b.src.CFG(), &reconvergence{}
	block := cfg.BlockOf[i]
	from := b.src.Reconvergences()[block.Index]
	last := len(from.Joins) - 1
	whole := from.Whole
	if b.place != nil && (last < 0 || from.Joins[last] != from.End) {
		p.joins = append(p.joins, joinPoint{pc: b.end()})
		whole = false
	}
	for k := last; k >= 0; k-- {
		p.joins = append(p.joins, joinPoint{b.starts[from.Joins[k].Start], k < last || !whole})
	}
	p.takenFirst = from.First != nil && from.First == block.Succs[0]
	return p
}

// part splits g at the branch in, where g stands: the lanes in taken go to the target, the others fall through.
func (x *engine) part(g *group, taken lanes, in *inst, p *reconvergence) {
	x.expect(g, p)
	fall := g.pc + 1
	if p.takenFirst {
		x.setAside(g, g.mask&^taken, fall, p)
		g.pc = in.tgt
		return
	}
	x.setAside(g, taken, in.tgt, p)
	g.pc = fall
}

// expect gives g the joins of a reconvergence that it does not have yet.
func (x *engine) expect(g *group, p *reconvergence) {
	for _, j := range p.joins {
		if !g.expectedAt(j.pc) {
			g.join = x.newJoin(g.frame, j.pc, g.mask, g.join)
			g.join.partial = j.partial
		}
	}
}

// expectedAt reports whether g has a join at pc of its frame.
func (g *group) expectedAt(pc int32) bool {
	for j := g.join; j != nil && j.frame == g.frame; j = j.parent {
		if j.pc == pc {
			return true
		}
	}
	return false
}

// setAside moves the lanes in m from g to a pending group at pc. Under the lockstep policy, where p is not nil, they
// wait immediately if they have a join there.
func (x *engine) setAside(g *group, m lanes, pc int32, p *reconvergence) {
	if p != nil {
		if j := g.join.reached(g.frame, pc); j != nil {
			x.leaveUntil(g.join, j, m)
			x.wait(j, m)
			g.mask &^= m
			return
		}
	}
	x.sched.diverged(x, x.split(g, m, pc, g.join))
}
