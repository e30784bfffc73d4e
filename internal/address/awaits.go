// Loads that a loop repeats until their value is as wanted.

package address

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Awaited returns the strong loads and atomic operations of f that a loop repeats at one address until their value is
// as wanted, whatever other uses the value has: the thread has tested what it goes on with. Such is a decoupled
// look-back, which waits until a word is not 0, and adds up what else is in it. The loop may go on to another address
// when the value says so, as a look-back in one loop does. The first round may stand in front of the loop: compilers
// put it there. A loop that stores at that address changes the word, rather than waiting for it.
func Awaited(f *rewrite.Func) map[*rewrite.Inst]bool {
	d := &loadFlow{f: f, du: f.DefUse()}
	out, rest := make(map[*rewrite.Inst]bool), []*rewrite.Inst(nil)
	for _, in := range f.Insts {
		if a := in.Access.Kind; a == isa.AccessAtomic || a == isa.AccessLoad && in.Strong() {
			if (d.again(in) || d.stays(in)) && d.leaves(in) && !d.storesInLoop(in) {
				out[in] = true
			} else {
				rest = append(rest, in)
			}
		}
	}
	loops := slices.Collect(maps.Keys(out))
	for _, in := range rest {
		out[in] = slices.ContainsFunc(loops, func(load *rewrite.Inst) bool { return d.begins(in, load) })
	}
	maps.DeleteFunc(out, func(_ *rewrite.Inst, awaited bool) bool { return !awaited })
	return out
}

// storesInLoop reports whether the innermost loop with a load stores at its address.
func (d *loadFlow) storesInLoop(load *rewrite.Inst) bool {
	for _, b := range d.loop(load).Blocks {
		if slices.ContainsFunc(d.f.Insts[b.Start:b.End], func(in *rewrite.Inst) bool { return storesTo(in, load) }) {
			return true
		}
	}
	return false
}

// flow returns the forward slice of a load: the load, and all instructions that compute with its value, directly or
// through others.
func (d *loadFlow) flow(load *rewrite.Inst) map[*rewrite.Inst]bool {
	seen := map[*rewrite.Inst]bool{load: true}
	for work := []*rewrite.Inst{load}; len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range d.du.Uses(in, r) {
				next, _ := d.through(u, r)
				for _, n := range next {
					if !seen[n] {
						seen[n] = true
						work = append(work, n)
					}
				}
			}
		})
	}
	return seen
}

// leaves reports whether the value of a load decides if the innermost loop with it goes on.
func (d *loadFlow) leaves(load *rewrite.Inst) bool {
	g, loop := d.f.CFG(), d.loop(load)
	for in := range d.flow(load) {
		left := false
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range d.du.Uses(in, r) {
				b := g.BlockOf[u.Index]
				left = left || u.Branches() && slices.Contains(loop.Blocks, b) &&
					slices.ContainsFunc(b.Succs, func(to *rewrite.Block) bool {
						return !slices.Contains(loop.Blocks,
							to)
					})
			}
		})
		if left {
			return true
		}
	}
	return false
}

// stays reports whether a load is in a loop that can return to it with the same address, and changes the address only
// as the loaded value says, or on another path.
func (d *loadFlow) stays(load *rewrite.Inst) bool {
	loop, base := d.loop(load), load.Operands[load.Access.Addr].Reg
	if loop == nil || base == nil {
		return false
	}
	g, flow := d.f.CFG(), d.flow(load)
	steps := map[*rewrite.Inst]bool{} // the instructions of the loop that compute the address
	for work := d.within(loop, load, base); len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		if steps[in] {
			continue
		}
		if in.Access.Kind != isa.AccessNone || in.Effects()&(isa.ReadsMemory|isa.Calls) != 0 {
			return false
		}
		steps[in] = true
		work = append(work, d.sources(loop, in)...)
	}
	moves := map[*rewrite.Block]bool{} // where the address changes from one round to the next, whatever the value
	for in := range steps {
		if in.Instr.Calc != isa.CalcCopy && d.dependsOnItself(loop, in) && !d.chosen(loop, in, flow) {
			moves[g.BlockOf[in.Index]] = true
		}
	}
	return returns(g.BlockOf[load.Index], loop, moves)
}

// within returns the definitions in a loop of a register that an instruction reads.
func (d *loadFlow) within(loop *rewrite.Loop, in *rewrite.Inst, r *rewrite.Reg) []*rewrite.Inst {
	defs, _ := d.du.Defs(in, r)
	return slices.DeleteFunc(defs, func(def *rewrite.Inst) bool {
		return !slices.Contains(loop.Blocks, d.f.CFG().BlockOf[def.Index])
	})
}

// sources returns the definitions in a loop of what an instruction computes with, predicates left out.
func (d *loadFlow) sources(loop *rewrite.Loop, in *rewrite.Inst) (defs []*rewrite.Inst) {
	in.Uses(func(r *rewrite.Reg) {
		if r.Type != isa.Pred {
			defs = append(defs, d.within(loop, in, r)...)
		}
	})
	return defs
}

// dependsOnItself reports whether an instruction computes with what it has computed in an earlier round of a loop.
func (d *loadFlow) dependsOnItself(loop *rewrite.Loop, in *rewrite.Inst) bool {
	seen := map[*rewrite.Inst]bool{}
	for work := d.sources(loop, in); len(work) > 0; {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		if from == in {
			return true
		}
		if !seen[from] {
			seen[from] = true
			work = append(work, d.sources(loop, from)...)
		}
	}
	return false
}

// chosen reports whether a value decides if an instruction changes anything: a selp chooses between the old and a new
// result, or between 0 and another amount to add.
func (d *loadFlow) chosen(loop *rewrite.Loop, in *rewrite.Inst, flow map[*rewrite.Inst]bool) bool {
	if in.Instr.Calc == isa.CalcSelect {
		return flow[in]
	}
	seen := map[*rewrite.Inst]bool{in: true}
	for work := d.sources(loop, in); len(work) > 0; {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		if from.Instr.Calc == isa.CalcSelect && flow[from] && slices.ContainsFunc(from.Operands, isZero) {
			return true
		}
		if !seen[from] {
			seen[from] = true
			work = append(work, d.sources(loop, from)...)
		}
	}
	return false
}

func isZero(o rewrite.Operand) bool { return o.Kind == rewrite.OperandImm && o.Imm == 0 }

// returns reports whether a loop leads from one of its blocks back to it around other blocks.
func returns(b *rewrite.Block, loop *rewrite.Loop, around map[*rewrite.Block]bool) bool {
	seen := map[*rewrite.Block]bool{}
	for work := []*rewrite.Block{b}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if around[at] || !slices.Contains(loop.Blocks, at) {
			continue
		}
		for _, to := range at.Succs {
			if to == b {
				return true
			}
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return false
}

// begins reports whether load first is the peeled first iteration of load, which is in a loop: it dominates the loop,
// has the same opcode, and a result computed from it and the same result computed from load are reaching definitions of
// one use.
func (d *loadFlow) begins(first, load *rewrite.Inst) bool {
	g, loop := d.f.CFG(), d.loop(load)
	if first.Opcode() != load.Opcode() || !g.Dominates(g.BlockOf[first.Index], loop.Header) ||
		slices.Contains(loop.Blocks, g.BlockOf[first.Index]) {
		return false
	}
	early, late := d.flow(first), d.flow(load)
	for in := range early {
		if slices.Contains(loop.Blocks, g.BlockOf[in.Index]) {
			continue
		}
		met := false
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range d.du.Uses(in, r) {
				defs, _ := d.du.Defs(u, r)
				met = met || slices.ContainsFunc(defs, func(def *rewrite.Inst) bool {
					return late[def] && !early[def] && def.Opcode() == in.Opcode()
				})
			}
		})
		if met {
			return true
		}
	}
	return false
}
