// Loads on whose values all threads of a block agree.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/symbolic"
)

// barriers finds the barrier intervals, under the assumption that the loads of agree are uniform.
func (a *analysis) barriers() {
	a.blocks, a.warps = a.kernel.BarriersIn(symbolic.Block, a.parts), a.kernel.BarriersIn(symbolic.Warp, a.parts)
	a.teams = nil
	for _, t := range a.teamKinds() {
		a.teams = append(a.teams, team{t, a.kernel.BarriersIn(t, a.parts)})
	}
	a.result.Divided = nil
	for _, in := range a.blocks.Divided {
		if at := where(in); !slices.Contains(a.result.Divided, at) {
			a.result.Divided = append(a.result.Divided, at)
		}
	}
}

// excluded reports whether the definitions of facts exclude a condition, such as n < 2 where n is 64, and keeps these facts: a branch on it
// is no way around a barrier.
func (a *analysis) excluded(c *expr.Bool) bool {
	s := a.fill(c)
	if s.f != expr.False {
		return false
	}
	for _, d := range s.used {
		for _, name := range a.definitionsOf(d) {
			if !slices.Contains(a.agreedBy, name) {
				a.agreedBy = append(a.agreedBy, name)
			}
		}
	}
	return true
}

// missed finds the barriers of warps and of some threads of a block of which it is open whether all threads come to them that they wait
// for: all lanes of the mask, or whole runs of as many threads as the barrier is for.
func (a *analysis) missed() (out []string) {
	for _, f := range a.kernel.Frames {
		for _, in := range f.Func.Insts {
			bar, ok := in.Barrier()
			if !ok || !f.Reached(in) || bar.Of == isa.BarrierOfCluster || bar.Of == isa.BarrierOfCTA && bar.Threads < 0 && bar.Step != isa.BarrierArrive {
				continue
			}
			t := a.parts.Of[in]
			if bar.Of == isa.BarrierOfWarp && f.ForWarp(in, bar) {
				t = symbolic.Warp
			}
			if at := where(in); (t == symbolic.Block || !f.TogetherIn(t, in) || t > symbolic.Warp && !a.wholeTeams(t) || t == symbolic.Warp && bar.Of == isa.BarrierOfCTA) && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

// wholeTeams reports whether the threads of a block are whole teams.
func (a *analysis) wholeTeams(t symbolic.Team) bool {
	return a.neverInBlock([]*expr.Bool{expr.Ne(expr.Rem(symbolic.Extent("ntid", 'x'), expr.Const(int64(t))), expr.Const(0))})
}

// team is a kind of teams with their barriers.
type team struct {
	of       symbolic.Team
	barriers *symbolic.Barriers
}

// agreement lists, for a load, the writes of the kernel that may overlap it, and the facts that exclude all other writes.
type agreement struct {
	writes []*item
	needs  []string
}

// agree finds the loads at uniform addresses that return one value to all threads of a block which execute them in the same
// iterations of the loops around them, and computes the barrier intervals again with them. A load of global memory is one if the
// kernel does not write to its object. A load of shared memory is one if no thread may write to its bytes in the same barrier
// interval. Loads that are so by facts alone are left out unless all threads pass the same barriers because of them.
func (a *analysis) agree() {
	if len(a.kernel.Unknown) > 0 || a.traits.hidden != nil || a.traits.peers != nil || a.traits.tex != nil || !a.hasBarrier() {
		return
	}
	all := a.mayAgree()
	plain := make(map[*rewrite.Inst]agreement)
	for in, x := range all {
		if len(x.needs) == 0 {
			plain[in] = x
		}
	}
	a.agreeOn(plain)
	if a.blocks.Even() && len(a.blocks.Divided) == 0 || len(plain) == len(all) {
		return
	}
	agreed := a.agreeOn(all)
	if !a.blocks.Even() || len(a.blocks.Divided) > 0 {
		a.agreeOn(plain)
		return
	}
	for in := range agreed {
		a.agreedBy = append(a.agreedBy, all[in].needs...)
	}
	slices.Sort(a.agreedBy)
	a.agreedBy = slices.Compact(a.agreedBy)
}

// agreeOn finds the loads among some that are uniform. As the barrier intervals depend on them, all are assumed to be, and those for
// which that fails are removed until none fails; the others are uniform by induction on the barrier intervals, as in Separation.
func (a *analysis) agreeOn(loads map[*rewrite.Inst]agreement) map[*rewrite.Inst]bool {
	agreed := make(map[*rewrite.Inst]bool)
	for in := range loads {
		agreed[in] = true
	}
	for tries, again := 0, true; again; tries++ {
		if tries == maxAgree {
			clear(agreed)
		}
		a.kernel.AssumeUniform(agreed)
		a.barriers()
		again = false
		for in, x := range loads {
			if agreed[in] && !a.steady(in, x.writes) {
				delete(agreed, in)
				again = true
			}
		}
	}
	return agreed
}

// hasBarrier reports whether the kernel has a barrier of a block.
func (a *analysis) hasBarrier() bool {
	return slices.ContainsFunc(a.kernel.Frames, func(f *symbolic.Frame) bool { return slices.ContainsFunc(f.Func.Insts, waitsForBlock) })
}

// mayAgree returns the weak loads. Those of global memory have no writes.
func (a *analysis) mayAgree() map[*rewrite.Inst]agreement {
	loads, excluded := make(map[*rewrite.Inst]agreement), make(map[*rewrite.Inst]bool)
	for _, it := range a.items {
		if a.over() {
			return nil
		}
		in := it.acc.Inst
		if it.acc.Kind != isa.AccessLoad || async(it) || it.chosen || in.Strong() || it.obj.base == "" || it.acc.Frame != a.kernel.Root {
			excluded[in] = true
			continue
		}
		writes, needs := a.mayWrite(it), []string(nil)
		if it.obj.space != isa.SpaceShared && len(writes) > 0 {
			if more, ok := a.constant(it); ok {
				writes, needs = nil, more
			}
		}
		if it.obj.space != isa.SpaceShared && len(writes) > 0 || slices.ContainsFunc(writes, async) {
			excluded[in] = true
			continue
		}
		loads[in] = agreement{append(loads[in].writes, writes...), append(loads[in].needs, needs...)}
	}
	for in := range excluded {
		delete(loads, in)
	}
	return loads
}

// mayWrite returns the writes that may be to the bytes of an access, whatever the facts.
func (a *analysis) mayWrite(it *item) (out []*item) {
	for _, w := range a.items {
		if !w.acc.Writes() || it.inVariable() && w.inVariable() && !it.meets(w) {
			continue
		}
		if r, _, needed := a.relate(it, w); r != apart || len(needed) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// steady reports whether none of the writes can be in the same barrier interval as a load.
func (a *analysis) steady(in *rewrite.Inst, writes []*item) bool {
	var list []*symbolic.Access
	for _, w := range writes {
		list = append(list, w.acc)
	}
	return len(writes) == 0 || a.blocks.Complete() && a.blocks.Steady(&symbolic.Access{Frame: a.kernel.Root, Inst: in}, list)
}

// meets reports whether two accesses at constant offsets in variables may touch a common byte. Size 0 is an unknown one.
func (it *item) meets(w *item) bool {
	if it.obj.v != w.obj.v {
		return false
	}
	k, ok := expr.Sub(it.acc.Addr, w.acc.Addr).Int64()
	return !ok || it.acc.Size == 0 || w.acc.Size == 0 || it.acc.Rows || w.acc.Rows || k > -int64(it.acc.Size) && k < int64(w.acc.Size)
}

// inVariable reports whether an access is at a constant offset in a variable, and stays in it.
func (it *item) inVariable() bool {
	k, terms := it.acc.Addr.Linear()
	return it.obj.v != nil && len(terms) == 1 && k.Sign() >= 0 && k.IsInt64() && k.Int64()+int64(it.acc.Size) <= int64(it.obj.v.Size)
}
