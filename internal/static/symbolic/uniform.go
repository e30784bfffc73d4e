// Uniformity: values that are the same in all threads of a block, or of a team, and branches on which they agree.

package symbolic

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// uniform holds which values of a frame are uniform, that is, the same in all threads of a block that execute an
// instruction after the same iterations of the loops around it, and which branches may diverge within a block. For a
// team, "block" stands for it.
type uniform struct {
	f        *Frame
	team     Team
	varying  []bool // by value
	diverges []bool // by block: threads may diverge at its end
	meets    []bool // by block: diverged threads may meet here
	leaky    map[*rewrite.Loop]bool
}

// uniformity returns the uniformity of the frame's values in a block, computed at the first call.
func (f *Frame) uniformity() *uniform { return f.uniformIn(Block) }

// Diverges reports whether threads of a team may take different ways at the end of a block.
func (f *Frame) Diverges(t Team, b *rewrite.Block) bool { return f.uniformIn(t).diverges[b.Index] }

// uniformIn returns the uniformity of the frame's values in a team.
func (f *Frame) uniformIn(t Team) *uniform {
	if u := f.uni[t]; u != nil {
		return u
	}
	g := f.CFG
	u := &uniform{
		f: f, team: t, varying: make([]bool, len(f.vals)), diverges: make([]bool, len(g.Blocks)),
		meets: make([]bool, len(g.Blocks)), leaky: make(map[*rewrite.Loop]bool),
	}
	if f.uni == nil {
		f.uni = make(map[Team]*uniform)
	}
	f.uni[t] = u
	for changed := true; changed; {
		changed = false
		for _, i := range f.ssa.Order {
			if !u.varying[i] && u.varies(i) && !u.fixed(i) {
				u.varying[i], changed = true, true
			}
		}
		for _, b := range g.Blocks {
			if !u.diverges[b.Index] && g.Reached(b) && u.mayDiverge(b) {
				u.markDivergent(b)
				changed = true
			}
		}
	}
	return u
}

func (u *uniform) varies(i int32) bool {
	v := &u.f.ssa.Values[i]
	found := false
	v.Inputs(func(k int32) { found = found || u.read(k, v.Block) })
	switch {
	case found || v.Kind == rewrite.SSAEntry:
		return true
	case v.Kind == rewrite.SSAPhi:
		return u.meets[v.Block.Index] || u.f.CFG.Degenerate
	}
	return u.result(v.Inst)
}

// read reports whether a value varies where a block reads it. A value written in a loop varies behind the loop if
// threads leave it in different iterations.
func (u *uniform) read(i int32, at *rewrite.Block) bool {
	if i == rewrite.NoValue || u.varying[i] {
		return true
	}
	for l := u.f.inner[u.f.ssa.Values[i].Block.Index]; l != nil; l = l.Parent {
		if u.leaky[l] && !u.f.InLoop(at, l) {
			return true
		}
	}
	return false
}

func (u *uniform) reg(in *rewrite.Inst, r *rewrite.Reg) bool {
	return u.read(u.f.ssa.Use(in, r), u.f.Block(in))
}

func (u *uniform) result(in *rewrite.Inst) bool {
	if b, ok := in.Barrier(); ok && u.team != Grid && b.Of == isa.BarrierOfCTA && b.Step == isa.BarrierReduce &&
		b.Threads < 0 {
		return in.Guard != nil && u.reg(in, in.Guard) // all threads of the block have the same result
	}
	if same, ok := u.exchanged(in); ok {
		return !same
	}
	if in.Instr.Effects&(isa.Calls|isa.Convergent|isa.ReadsClock) != 0 || in.Access.Atomic() {
		return true
	}
	switch in.Instr.Class {
	case isa.ClassMatrix, isa.ClassTexture, isa.ClassStack, isa.ClassAsync:
		return true
	}
	if in.Access.Kind == isa.AccessLoad && !in.ReadOnly() && !u.argument(in) &&
		(u.team == Grid || !u.f.Kernel.alike[in]) {
		return true
	}
	found := in.Guard != nil && u.reg(in, in.Guard)
	for n := range in.Operands {
		found = found || in.Role(n) != isa.RoleDst && u.operand(in, &in.Operands[n])
	}
	return found
}

// argument reports whether an instruction loads a parameter that is the same in all threads of the block.
func (u *uniform) argument(in *rewrite.Inst) bool {
	if in.Access.Space != isa.SpaceParam {
		return false
	}
	v, _, ok := parameters{u.f}.place(in)
	if !ok || !u.f.Func.Formal(v) {
		return false
	}
	if u.f.Parent == nil {
		return true
	}
	return u.f.Parent.passesUniform(u.f.Call, u.team)
}

// passesUniform reports whether all arguments of a call are uniform in a team.
func (f *Frame) passesUniform(call *rewrite.Inst, t Team) bool {
	u, b := f.uniformIn(t), f.Block(call)
	for i := call.Index - 1; i >= b.Start; i-- {
		in := f.Func.Insts[i]
		if _, ok := in.Call(); ok {
			break
		}
		if in.Access.Kind != isa.AccessStore || in.Access.Space != isa.SpaceParam {
			continue
		}
		if in.Guard != nil || u.operand(in, in.Value()) {
			return false
		}
	}
	c, _ := call.Call()
	for i := range c.Args {
		if u.operand(call, &c.Args[i]) {
			return false
		}
	}
	return true
}

func (u *uniform) operand(in *rewrite.Inst, o *rewrite.Operand) bool {
	if o.Kind == rewrite.OperandSpecial && (o.Special.PerLane || o.Special.Volatile ||
		u.team == Grid && o.Special.PerBlock) {
		return true
	}
	if o.Reg != nil && u.reg(in, o.Reg) {
		return true
	}
	for i := range o.Elems {
		if u.operand(in, &o.Elems[i]) {
			return true
		}
	}
	return false
}

// mayDiverge reports whether threads of the block may diverge at the end of a block.
func (u *uniform) mayDiverge(b *rewrite.Block) bool {
	if len(b.Succs) < 2 || b.Start == b.End {
		return false
	}
	last := u.f.Func.Insts[b.End-1]
	if last.Guard != nil && u.reg(last, last.Guard) {
		return true
	}
	found := last.Guard == nil // an indirect branch
	for n := range last.Operands {
		found = found || u.operand(last, &last.Operands[n])
	}
	return found && len(b.Succs) > 1 && (last.Guard == nil || last.BranchIndex() >= 0)
}

// markDivergent records a divergent branch.
func (u *uniform) markDivergent(b *rewrite.Block) {
	u.diverges[b.Index] = true
	for x := range u.f.region(b) {
		if len(x.Preds) > 1 {
			u.meets[x.Index] = true
		}
	}
	if b.IPDom != nil {
		u.meets[b.IPDom.Index] = true
	}
	for l := u.f.inner[b.Index]; l != nil; l = l.Parent {
		if b.IPDom == nil || !u.f.InLoop(b.IPDom, l) {
			u.leaky[l] = true
		}
	}
}

// region returns the blocks that control may reach from a branch before its post-dominator.
func (f *Frame) region(b *rewrite.Block) map[*rewrite.Block]bool {
	out := make(map[*rewrite.Block]bool)
	for _, s := range b.Succs {
		f.reach(s, b.IPDom, out)
	}
	return out
}

// reach adds the blocks that control may reach from a block before another.
func (f *Frame) reach(from, before *rewrite.Block, out map[*rewrite.Block]bool) {
	work := []*rewrite.Block{from}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == before || out[x] {
			continue
		}
		out[x] = true
		work = append(work, x.Succs...)
	}
}

// AssumeUniform sets the loads that are uniform if their address is: all threads of a block that execute them in the
// same iterations of the loops around them load the same value. It replaces the loads of an earlier call. Barriers that
// have been computed before do not change.
func (k *Kernel) AssumeUniform(loads map[*rewrite.Inst]bool) {
	k.alike = loads
	for _, f := range k.Frames {
		f.uni = nil
	}
}

// Agrees reports whether an instruction is one of the loads of AssumeUniform.
func (k *Kernel) Agrees(in *rewrite.Inst) bool { return k.alike[in] }
