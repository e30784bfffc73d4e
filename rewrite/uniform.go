// Uniformity: which values and branches are the same in all threads of a block or warp.

package rewrite

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// Uniformity says which registers and branches are warp-uniform: the same in all lanes of a warp that execute an
// instruction together, that is, after the same number of iterations of every loop around it. A value not known to be
// uniform is varying.
//
// Varying are: %tid, %laneid and other special registers that differ by lane or time; values loaded from memory that
// the program may write, and results of atomics, since lanes may execute separately; parameters of device functions and
// results of calls; fragments of matrices. Merged values are varying where the sides of a divergent branch may meet,
// and after a loop that lanes leave in different iterations. Votes and reductions over a uniform mask, loads of kernel
// parameters and constants from uniform addresses, and arithmetic on uniform values are uniform.
type Uniformity struct {
	v       *SSA
	varying []bool // by value
	parts   []bool // divergent branches and guarded exits, by instruction
	meets   []bool // blocks at whose start diverged lanes may meet
	leaky   map[*Loop]bool
	loops   []*Loop // innermost loop of each block
	tangled bool    // a cycle that is no natural loop, or edges unknown
	parted  bool    // there is a divergent branch
	joins   *joinFinder
	rounds  walker

	raceFree bool // weak loads from shared memory are uniform
}

// Uniformity returns the uniformity of f, computed on first use.
func (f *Func) Uniformity() *Uniformity {
	return memo(f, uniformityKey{}, func() *Uniformity { return newUniformity(f, false) })
}

// RaceFreeUniformity returns the uniformity of f under the assumption that it has no data race on shared memory. All
// threads that execute a weak load from a uniform address of shared memory between the same two barriers then read the
// same value: a write between two of these loads would race with one of them. An exception are writes ordered between
// the loads by atomic operations or named barriers, so callers have to test conclusions from it.
func (f *Func) RaceFreeUniformity() *Uniformity {
	return memo(f, uniformityKey{raceFree: true}, func() *Uniformity { return newUniformity(f, true) })
}

func newUniformity(f *Func, raceFree bool) *Uniformity {
	g, v := f.CFG(), f.SSA()
	u := &Uniformity{
		v: v, varying: make([]bool, len(v.Values)), parts: make([]bool, len(f.Insts)),
		meets: make([]bool, len(g.Blocks)),
		leaky: make(map[*Loop]bool), loops: g.Innermost(), tangled: g.Degenerate ||
			g.irreducible(), joins: newJoinFinder(g),
		rounds: walker{seen: make([]int, len(g.Blocks))}, raceFree: raceFree,
	}
	for changed := true; changed; {
		changed = u.flow()
		for i, in := range f.Insts {
			if !u.parts[i] && u.splits(in) {
				u.part(in)
				changed = true
			}
		}
	}
	return u
}

// irreducible reports whether there is a cycle that is not a natural loop: an edge backwards in reverse postorder to a
// block that does not dominate its source.
func (g *CFG) irreducible() bool {
	for _, b := range g.rpo {
		for _, s := range b.Succs {
			if g.order[s.Index] <= g.order[b.Index] && !g.Dominates(s, b) {
				return true
			}
		}
	}
	return false
}

// flow propagates varying through values to a fixed point, and reports whether anything changed.
func (u *Uniformity) flow() bool {
	changed := false
	for again := true; again; {
		again = false
		for _, i := range u.v.Order {
			if !u.varying[i] && u.varies(&u.v.Values[i]) {
				u.varying[i], again, changed = true, true, true
			}
		}
	}
	return changed
}

// varies evaluates one value.
func (u *Uniformity) varies(v *SSAValue) bool {
	found := false
	v.Inputs(func(i int32) { found = found || u.at(i, v.Block) })
	switch {
	case found:
		return true
	case v.Kind == SSAEntry:
		return true // an argument, or undefined
	case v.Kind == SSAPhi:
		return u.meets[v.Block.Index] || u.tangled && u.parted
	}
	return u.result(v.Inst)
}

// at reports whether a value is varying where a block reads it. A value written in a loop that lanes leave in different
// iterations is varying after the loop.
func (u *Uniformity) at(v int32, reader *Block) bool {
	if u.varying[v] {
		return true
	}
	for l := u.loops[u.v.Values[v].Block.Index]; l != nil && !inLoop(u.loops, l, reader); l = l.Parent {
		if u.leaky[l] {
			return true
		}
	}
	return false
}

// result reports whether what an instruction writes is varying.
func (u *Uniformity) result(in *Inst) bool {
	switch {
	case in.Effects().Has(isa.Agrees):
		// the same in all lanes of the mask
	case in.Instr.Effects&(isa.Calls|isa.Convergent|isa.ReadsClock) != 0 || in.Access.Atomic():
		return true
	case in.Instr.Class == isa.ClassMatrix || in.Instr.Class == isa.ClassTexture || in.Instr.Class == isa.ClassStack ||
		in.Instr.Class == isa.ClassAsync:
		return true
	case in.Access.Kind == isa.AccessLoad && !in.loadsFixed() &&
		(!u.raceFree || in.Access.Space != isa.SpaceShared || in.Strong()):
		return true
	}
	if in.Effects().Has(isa.Agrees) {
		return u.maskVaries(in)
	}
	for n := range in.Operands {
		if in.Role(n) != isa.RoleDst && u.operand(in, &in.Operands[n]) {
			return true
		}
	}
	return in.Guard != nil && !u.Reg(in, in.Guard)
}

// maskVaries reports whether the lanes of a warp may give a warp-level instruction different masks, its last operand,
// or may not all execute it.
func (u *Uniformity) maskVaries(in *Inst) bool {
	if in.Instr.Class == isa.ClassBarrier {
		return in.Guard != nil && !u.Reg(in, in.Guard)
	}
	return u.operand(in, &in.Operands[len(in.Operands)-1]) || in.Guard != nil && !u.Reg(in, in.Guard)
}

// loadsFixed reports whether the instruction loads from memory that nothing writes
// while the kernel runs: parameters of a kernel, constants, ld.global.nc.
func (i *Inst) loadsFixed() bool {
	if i.Access.Space == isa.SpaceParam {
		return i.Func.Entry && !i.callParam()
	}
	return i.ReadOnly()
}

// operand reports whether an operand is varying where in reads it.
func (u *Uniformity) operand(in *Inst, o *Operand) bool {
	if o.Kind == OperandSpecial && !uniformSpecial(o.Special) {
		return true
	}
	if o.Reg != nil && !u.Reg(in, o.Reg) {
		return true
	}
	for i := range o.Elems {
		if u.operand(in, &o.Elems[i]) {
			return true
		}
	}
	return false
}

// uniformSpecial reports whether a special register has one value in a warp, at any
// moment (PTX ISA 10).
func uniformSpecial(r isa.SpecialReg) bool { return !r.Volatile && !r.PerLane }

// splits reports whether lanes may diverge at the instruction.
func (u *Uniformity) splits(in *Inst) bool {
	if !in.Branches() && !in.leaves() {
		return false
	}
	if in.Guard != nil && !u.Reg(in, in.Guard) {
		return true
	}
	for n := range in.Operands {
		if in.Branches() && u.operand(in, &in.Operands[n]) {
			return true
		}
	}
	return false
}

// part records a divergent branch: where its sides meet, and which loops lanes leave in different iterations because of
// it.
func (u *Uniformity) part(in *Inst) {
	u.parts[in.Index], u.parted = true, true
	g := u.v.f.CFG()
	b := g.BlockOf[in.Index]
	if !g.Reached(b) {
		return
	}
	for _, j := range u.joins.of(b) {
		u.meets[j] = true
	}
	end := u.rounds.sameRound(b, u.loops)
	for l := u.loops[b.Index]; l != nil; l = l.Parent {
		if inLoop(u.loops, l, end) {
			continue
		}
		u.leaky[l] = true
		if inLoop(u.loops, l, b.IPDom) { // where lanes in different iterations meet
			u.meets[l.Header.Index] = true
		}
	}
}

// Reg reports whether a register that in reads is uniform there; false if in does not read r.
func (u *Uniformity) Reg(in *Inst, r *Reg) bool {
	v := u.v.Use(in, r)
	return v != NoValue && !u.at(v, u.block(in))
}

func (u *Uniformity) block(in *Inst) *Block { return u.v.f.CFG().BlockOf[in.Index] }

// Divergent reports whether lanes may diverge at a branch, or at a guarded ret, exit or trap.
func (u *Uniformity) Divergent(in *Inst) bool { return u.parts[in.Index] }

// DivergentBranches returns the instructions that Divergent holds for, in source order.
func (u *Uniformity) DivergentBranches() []*Inst {
	var out []*Inst
	for i, p := range u.parts {
		if p {
			out = append(out, u.v.f.Insts[i])
		}
	}
	return out
}
