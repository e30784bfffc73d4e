// Teams: runs of consecutive threads of a block, such as its warps, and the values that are the same in all threads of
// one.

package symbolic

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Team is a kind of set of threads: those of the launch, those of a block, or those of a block whose linear indices
// differ only in their remainder by the number. Threads 64 to 127 are a team of kind 64.
type Team int

// Kinds of teams.
const (
	Grid  Team = -1
	Block Team = 0
	Warp  Team = 32
)

// Named tells of barriers in which only some threads of a block take part.
type Named struct {
	// Apart has those whose number is not that of a barrier of all threads.
	Apart map[*rewrite.Inst]bool
	// Of has those at which the threads of each team of a kind wait for each other, whenever they all execute them, and
	// those With them.
	Of map[*rewrite.Inst]Team
	// With has the barriers at which some threads may wait for others that are at one of Of, as their numbers or masks
	// may be the same.
	With map[*rewrite.Inst][]*rewrite.Inst
}

// Joins reports whether an instruction is a barrier of the threads of each team, theirs or that of larger teams, to
// which they come together. They also come together to all barriers at which one of them might wait in its place.
func (f *Frame) Joins(n Named, t Team, in *rewrite.Inst) bool {
	of := n.Of[in]
	apart := func(c *rewrite.Inst) bool { return !f.TogetherIn(t, c) }
	return of != Block && t != Block && of%t == 0 && !apart(in) && !slices.ContainsFunc(n.With[in], apart)
}

// InRow declares that blocks extend in dimension x only, so that tid.x is the linear index of a thread.
func (k *Kernel) InRow() { k.row = true }

// Names of the variables of split.
const (
	teamVar = "team."
	rankVar = "rank."
)

// split returns a formula with tid.x = T*team + rank, for teams of T threads.
func (t Team) split() expr.Substitution {
	tid := Index("tid", 'x').Variable().Name
	_, hi := Index("tid", 'x').Range()
	at := expr.Add(expr.Mul(expr.Const(int64(t)), expr.Var(teamVar, 0, hi.Int64())), expr.Var(rankVar, 0, int64(t)-1))
	return expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		switch {
		case v.Name == tid:
			return at
		case flatIndex(v.Name):
			return expr.Const(0)
		}
		return nil
	}}
}

// flatIndex reports whether a variable is the index of a thread in a dimension that a row does not have.
func flatIndex(name string) bool { return name == "tid.y" || name == "tid.z" }

// constant reports whether a number is the same in all threads of a team: after the split it depends on no thread's
// rank, and on nothing else than indices of the team and block and what is uniform in the launch.
func (k *Kernel) constant(t Team, x *expr.Int) bool {
	return k.row && x != nil && !x.IsUnknown() && k.ofLaunch(x.Vars()) && t.ignores(x.Subst(t.split()))
}

// holds is constant for a condition.
func (k *Kernel) holds(t Team, c *expr.Bool) bool {
	return c != nil && c.Kind() != expr.KindMaybe && k.ofLaunch(c.Vars()) && t.agrees(c.Subst(t.split()))
}

// ofLaunch reports whether variables are tid.x, indices of the block, and what is uniform in the launch.
func (k *Kernel) ofLaunch(vars []expr.Variable) bool {
	for _, v := range vars {
		own := v.Uniform || blockIndex(v.Name) || flatIndex(v.Name) || v.Name == Index("tid", 'x').Variable().Name
		if k.Origin(v.Name) != nil || !own {
			return false
		}
	}
	return true
}

// ranked reports whether a formula mentions the rank of a thread.
func ranked(vars []expr.Variable) bool {
	for _, v := range vars {
		if v.Name == rankVar {
			return true
		}
	}
	return false
}

// ignores reports whether a number does not depend on the rank. (rank + T*a) / c is a / (c/T) if T divides c and a is
// not negative.
func (t Team) ignores(x *expr.Int) bool {
	if x.IsUnknown() || !ranked(x.Vars()) {
		return !x.IsUnknown()
	}
	switch x.Op() {
	case expr.OpVar:
		return false
	case expr.OpSum:
		_, terms := x.Linear()
		for _, u := range terms {
			if !t.ignores(u.X) {
				return false
			}
		}
		return true
	case expr.OpDiv:
		if c, ok := x.Args()[1].Const(); ok && t.divides(c) && c.Sign() > 0 && t.aligned(x.Args()[0]) {
			return true
		}
	case expr.OpIte:
		if !t.agrees(x.Cond()) {
			return false
		}
	}
	for _, y := range x.Args() {
		if !t.ignores(y) {
			return false
		}
	}
	return true
}

func (t Team) divides(k *big.Int) bool { return new(big.Int).Rem(k, big.NewInt(int64(t))).Sign() == 0 }

// aligned reports whether a number is the rank and a multiple of the team's size that is not negative.
func (t Team) aligned(x *expr.Int) bool {
	k, terms := x.Linear()
	if lo, _ := x.Range(); lo == nil || lo.Sign() < 0 || !t.divides(k) {
		return false
	}
	for _, u := range terms {
		if v := u.X.Variable(); v != nil && v.Name == rankVar {
			if u.Coef.Cmp(big.NewInt(1)) != 0 {
				return false
			}
		} else if !t.divides(u.Coef) || !t.ignores(u.X) {
			return false
		}
	}
	return true
}

// agrees reports whether a condition does not depend on the rank. A linear inequality that is the same for the first
// and last rank is the same for all in between.
func (t Team) agrees(c *expr.Bool) bool {
	if c.Kind() == expr.KindMaybe {
		return false
	}
	if !ranked(c.Vars()) {
		return true
	}
	switch c.Kind() {
	case expr.KindAll, expr.KindAny:
		for _, p := range c.Parts() {
			if !t.agrees(p) {
				return false
			}
		}
		return true
	case expr.KindEq, expr.KindNe:
		return t.ignores(c.Diff())
	case expr.KindLe:
		return t.ignores(c.Diff()) || t.linear(c.Diff()) && t.at(c, 0).Equal(t.at(c, int64(t)-1))
	}
	return false
}

// linear reports whether the rank is a term of a sum and in no other term.
func (t Team) linear(x *expr.Int) bool {
	_, terms := x.Linear()
	for _, u := range terms {
		if v := u.X.Variable(); (v == nil || v.Name != rankVar) && !t.ignores(u.X) {
			return false
		}
	}
	return true
}

// at returns a condition for the thread with a rank.
func (t Team) at(c *expr.Bool, rank int64) *expr.Bool {
	return c.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == rankVar {
			return expr.Const(rank)
		}
		return nil
	}})
}

// fixed reports whether the formula of a value shows that it is the same in all threads of a team.
func (u *uniform) fixed(i int32) bool {
	v := &u.f.ssa.Values[i]
	if u.team <= Block || !u.f.Kernel.row || v.Kind == rewrite.SSAEntry || v.Reg.Vec > 1 || v.Reg.Type.Float() ||
		v.Reg.Type.Bits() > 64 {
		return false
	}
	if x := u.f.value(i); x.Bool != nil {
		return u.f.Kernel.holds(u.team, x.Bool)
	} else {
		return u.f.Kernel.constant(u.team, x.Int)
	}
}

// exchanged reports whether an exchange between the lanes of a warp gives all threads of the team the same result; ok
// is false for other instructions. Lanes wait in vote.sync, shfl.sync and the like for all lanes of the mask that have
// not ended (PTX ISA, "vote.sync"), whichever of these instructions of the same kind they come to. So with the mask of
// all lanes, the n-th executions of two lanes are one exchange; and they are the same instruction in the same
// iterations if all instructions of the kind are reached together.
func (u *uniform) exchanged(in *rewrite.Inst) (same, ok bool) {
	if in.Instr.Class != isa.ClassWarp || u.team <= Block || !in.Has("sync") || len(u.f.Kernel.Frames) > 1 {
		return false, false
	}
	for _, other := range u.f.Func.Insts {
		if other.Instr == in.Instr && u.f.Reached(other) &&
			(!other.Has("sync") || !u.f.WholeWarp(other, len(other.Operands)-1) || !u.meeting(other)) {
			return false, true
		}
	}
	switch {
	case in.Effects().Has(isa.Agrees):
		return u.team <= Warp, true
	case in.Effects().Has(isa.Shuffles) && len(in.Operands) == 5:
		return u.shuffled(in), true
	}
	return false, true
}

// shuffled reports whether a shuffle gives all threads of the team what lane 0 passes, which is in every warp that has
// not lost threads: those of a warp get the same, those of larger teams if all pass the same.
func (u *uniform) shuffled(in *rewrite.Inst) bool {
	from0 := in.Has("idx") && u.f.isNumber(in, 2, 0) && u.f.isNumber(in, 3, isa.WarpSize-1)
	return from0 && !u.early(in) && (u.team <= Warp || !u.operand(in, &in.Operands[1]))
}

// passed returns what all lanes of a warp pass to a shuffle that has the result of a variable, nil for other variables
// or if they may pass different values.
func (o *Origin) passed() *expr.Int {
	in := o.Inst
	if in == nil || o.value < 0 || !in.Effects().Has(isa.Shuffles) || !o.Frame.Kernel.row {
		return nil
	}
	if same, ok := o.Frame.uniformIn(Warp).exchanged(in); !same || !ok {
		return nil
	}
	if x := o.Frame.Operand(in, 1); o.Frame.Kernel.constant(Warp, x) {
		return x
	}
	return nil
}

// WholeWarp reports whether a mask is that of all lanes.
func (f *Frame) WholeWarp(in *rewrite.Inst, n int) bool { return f.isNumber(in, n, 1<<isa.WarpSize-1) }

// isNumber reports whether a 32-bit operand is a certain number.
func (f *Frame) isNumber(in *rewrite.Inst, n int, want int64) bool {
	k, ok := expr.Wrap(f.Operand(in, n), 32, false).Int64()
	return ok && k == want
}

// ForWarp reports whether a barrier of a warp is for all its lanes.
func (f *Frame) ForWarp(in *rewrite.Inst, bar isa.Barrier) bool {
	return bar.ID < 0 || bar.ID >= len(in.Operands) || f.WholeWarp(in, bar.ID)
}

// Agrees reports whether the threads of each team of a kind have the same value in an operand after the same iterations
// of loops.
func (f *Frame) Agrees(t Team, in *rewrite.Inst, n int) bool {
	return f.Parent == nil && !f.uniformIn(t).operand(in, &in.Operands[n])
}

// meeting reports whether no branch that is known to diverge separates the threads of the team at an instruction.
func (u *uniform) meeting(in *rewrite.Inst) bool {
	f := u.f
	if in.Guard != nil && u.reg(in, in.Guard) || f.CFG.Degenerate {
		return false
	}
	for _, b := range f.CFG.Blocks {
		if u.diverges[b.Index] && f.CFG.Reached(b) && f.separates(b, f.Block(in), u.team) {
			return false
		}
	}
	return true
}

// early reports whether a thread of the team may have ended before others reach an instruction.
func (u *uniform) early(in *rewrite.Inst) bool {
	for _, b := range u.f.CFG.Blocks {
		if u.diverges[b.Index] && u.f.CFG.Reached(b) && u.f.region(b)[u.f.Block(in)] {
			return true
		}
	}
	return u.f.Kernel.MayEndInCall()
}

// Alike returns the loops around a value that an instruction or loop gives a variable, innermost first, if the value is
// the same in all threads of a team that have it after the same iterations of them.
func (o *Origin) Alike(t Team) ([]*Loop, bool) {
	if o.value < 0 || len(o.Frame.Kernel.Frames) > 1 {
		return nil, false
	}
	u, b := o.Frame.uniformIn(t), o.Frame.ssa.Values[o.value].Block
	if u.varying[o.value] {
		return nil, false
	}
	for l := o.Frame.inner[b.Index]; l != nil; l = l.Parent {
		if u.leaky[l] {
			return nil, false
		}
	}
	return o.Frame.LoopsAround(b), true
}

// Elects reports whether a variable is the predicate of elect.sync for all lanes: it is true in one thread of a warp,
// and always in the same one, as elections with the same mask elect the same lane (PTX ISA, "elect.sync"), unless that
// has ended.
func (o *Origin) Elects() bool {
	in := o.Inst
	if in == nil || !in.Effects().Has(isa.Elects) || len(in.Operands) != 2 || o.value < 0 || in.Guard != nil {
		return false
	}
	return o.Frame.ssa.Values[o.value].Reg.Type == isa.Pred && o.Frame.WholeWarp(in, 1) &&
		!o.Frame.EndsEarly(in, Warp) && !o.Frame.Kernel.MayEndInCall()
}
