// Loops and divergence at decode time: which branches are back edges, and where diverged lanes reconverge.

package program

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/state"
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
func loops(d *state.Decoder, b *state.Body) {
	cfg := b.Src.CFG()
	left := cycles(d, b)
	for i := range b.Src.Insts {
		for pc := b.Starts[i]; pc < b.Starts[i+1]; pc++ {
			c := &d.Fn.Code[pc]
			if c.Src != int32(b.First+i) || c.Flags&state.FlagBranch == 0 || c.Tgt > pc {
				continue
			}
			from := cfg.BlockOf[i]
			to := successorAt(b, from, c.Tgt)
			if cfg.Degenerate || to == nil || cfg.Dominates(to, from) || left[to.Index] == left[from.Index] {
				c.Flags |= state.FlagLoop
			}
			switch {
			case d.Fn.Sources[c.Src].Aside:
				c.Flags |= state.FlagCounted // the loop ends, whatever the program does
				c.A = 0
			case to != nil && !cfg.Degenerate && cfg.Dominates(to, from):
				if step, ok := counterOf(b, to, from); ok {
					c.Flags |= state.FlagCounted
					c.A = step
				}
			}
		}
	}
}

// successorAt returns the successor of a block that begins at pc.
func successorAt(b *state.Body, from *rewrite.Block, pc int32) *rewrite.Block {
	for _, to := range from.Succs {
		if to.Start < len(b.Src.Insts) && b.Starts[to.Start] == pc {
			return to
		}
	}
	return nil
}

// counts reports whether an edge between two blocks is marked: a back edge of a natural loop, or any backward jump of
// an indirect branch (brx.idx).
func counts(d *state.Decoder, b *state.Body, from, to *rewrite.Block) bool {
	cfg := b.Src.CFG()
	if to == cfg.Exit || from == cfg.Exit || from.End == from.Start {
		return false
	}
	pc := b.Starts[from.End] - 1 // the branch, if there is one
	target := b.Starts[to.Start]
	c := &d.Fn.Code[pc]
	switch {
	case target > pc:
		return false
	case c.Flags&state.FlagBranch != 0:
		return c.Tgt == target && cfg.Dominates(to, from)
	}
	return c.Flags&state.FlagControl != 0 // brx
}

// cycles numbers the blocks of a body: blocks in one cycle without a marked jump get the same number (Tarjan,
// "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972: strongly connected components).
func cycles(d *state.Decoder, b *state.Body) []int {
	type visit struct {
		block *rewrite.Block
		next  int // index of the next successor
	}
	blocks := b.Src.CFG().Blocks
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
				case counts(d, b, v.block, to):
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

// counterOf finds a counter of the natural loop of the back edge from a block to the header. It returns the slot of the
// register that holds the counter's step, 0 when the step is a constant.
func counterOf(b *state.Body, head, from *rewrite.Block) (step state.Slot, ok bool) {
	cfg := b.Src.CFG()
	blocks := cfg.LoopBlocks(head, []*rewrite.Block{from}, exec.MaxCountedLoop)
	computes := true                 // the loop does nothing else
	defs := map[*rewrite.Reg][]int{} // in the loop, by index of the instruction
	for _, l := range blocks {
		for i := l.Start; i < l.End; i++ {
			in := b.Src.Insts[i]
			in.Defs(func(r *rewrite.Reg) { defs[r] = append(defs[r], i) })
			computes = computes && Refuses(in) == "" && in.Effects()&^isa.Branches == 0
		}
	}
	counters := b.Src.Liveness().In(head)
	if !computes {
		counters = deciding(b, head, counters)
	}
	for _, l := range blocks {
		if !cfg.Dominates(l, from) {
			continue
		}
		for i := l.Start; i < l.End; i++ {
			if step, ok := addition(b, i, defs, counters); ok {
				return step, true
			}
		}
	}
	return 0, false
}

// deciding returns the registers of a set that may influence what a group at the start of the block does as long as it
// does not leave the loops around it. In an inlined body, these are all registers: its calls may be in loops of the
// caller.
func deciding(b *state.Body, at *rewrite.Block, set rewrite.RegSet) rewrite.RegSet {
	strong := query.StronglyLive(b.Src, at)
	if b.Outer != nil || strong == nil {
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
func liveInLoop(b *state.Body, head *rewrite.Block, set rewrite.RegSet) (changing, rest []state.SlotRange) {
	changed, same := make(rewrite.RegSet, len(set)), slices.Clone(set)
	cfg := b.Src.CFG()
	for _, from := range head.Preds {
		if !cfg.Dominates(head, from) {
			continue
		}
		for _, l := range cfg.LoopBlocks(head, []*rewrite.Block{from}, exec.MaxCountedLoop) {
			for _, in := range b.Src.Insts[l.Start:l.End] {
				in.Defs(func(r *rewrite.Reg) {
					word, bit := r.Index/64, uint64(1)<<(r.Index%64)
					changed[word] |= set[word] & bit
					same[word] &^= bit
				})
			}
		}
	}
	return live(b, changed), live(b, same)
}

// addition reports whether instruction i, which every iteration executes, increments or decrements a counter by a
// constant, or by a register that the loop does not write. Nothing else in the loop may write the counter. The sum may
// also go to another register from which a move copies it to the counter, as in code by nvcc. defs has the instructions
// of the loop that write each register, counters the registers that may be counters.
func addition(b *state.Body, i int, defs map[*rewrite.Reg][]int, counters rewrite.RegSet) (step state.Slot, ok bool) {
	in := b.Src.Insts[i]
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
	if at := defs[counter.Reg][0]; counter.Reg != sum.Reg && !moves(b, at, i, sum.Reg) {
		return 0, false
	}
	switch {
	case added.Kind == rewrite.OperandImm:
		v := int64(added.Imm)
		if events.SlotBits(counter.Reg.Type) == 32 {
			v = int64(int32(v))
		}
		return 0, v != 0 && v < exec.MaxCounterStep && v > -exec.MaxCounterStep
	case isReg(added) && len(defs[added.Reg]) == 0:
		return b.Regs[added.Reg.Index], true
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
func moves(b *state.Body, at, i int, from *rewrite.Reg) bool {
	in, cfg := b.Src.Insts[at], b.Src.CFG()
	return at > i && cfg.BlockOf[at] == cfg.BlockOf[i] && in.Guard == nil && in.Instr.Calc == isa.CalcCopy &&
		isReg(&in.Operands[0]) && isReg(&in.Operands[1]) && in.Operands[1].Reg == from
}

// reconvergenceOf is joinOf under the lockstep policy. A branch that needs more than one join gets a
// reconvergence.
func reconvergenceOf(d *state.Decoder, b *state.Body, i int, pc int32) int32 {
	p := reconvergence(b, i)
	for _, j := range p.Joins {
		endsAt(d, j.PC)
	}
	switch {
	case p.TakenFirst || len(p.Joins) > 1 || len(p.Joins) == 1 && p.Joins[0].Partial:
		if d.Fn.Reconvergences == nil {
			d.Fn.Reconvergences = map[int32]*state.Reconvergence{}
		}
		d.Fn.Reconvergences[pc] = p
		return exec.JoinAtReturn
	case len(p.Joins) == 1:
		return p.Joins[0].PC
	}
	return exec.JoinAtReturn
}

// reconvergence returns the joins of lanes that diverge at instruction i. Lanes that return from an inlined body
// reconverge at its end at the latest, lanes that return from other bodies in the caller.
func reconvergence(b *state.Body, i int) *state.Reconvergence {
	cfg, p := b.Src.CFG(), &state.Reconvergence{}
	block := cfg.BlockOf[i]
	from := b.Src.Reconvergences()[block.Index]
	last := len(from.Joins) - 1
	whole := from.Whole
	if b.Place != nil && (last < 0 || from.Joins[last] != from.End) {
		p.Joins = append(p.Joins, state.JoinPoint{PC: end(b)})
		whole = false
	}
	for k := last; k >= 0; k-- {
		p.Joins = append(p.Joins, state.JoinPoint{PC: b.Starts[from.Joins[k].Start], Partial: k < last || !whole})
	}
	p.TakenFirst = from.First != nil && from.First == block.Succs[0]
	return p
}
