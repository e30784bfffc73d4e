// Loads on whose values all threads of a block agree.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// barriers finds the barrier intervals, under the assumption that the loads of agree are uniform.
func (b *builder) barriers() {
	b.blocks, b.warps = b.kernel.BarriersIn(symbolic.Block, b.parts), b.kernel.BarriersIn(symbolic.Warp, b.parts)
	b.teams = nil
	for _, t := range b.teamKinds() {
		b.teams = append(b.teams, team{t, b.kernel.BarriersIn(t, b.parts)})
	}
	b.gaps.divided = nil
	for _, in := range b.blocks.Divided {
		if at := where(in); !slices.Contains(b.gaps.divided, at) {
			b.gaps.divided = append(b.gaps.divided, at)
		}
	}
}

// excluded reports whether the definitions of facts exclude a condition, such as n < 2 where n is 64, and keeps these
// facts: a branch on it is no way around a barrier.
func (b *builder) excluded(c *expr.Bool) bool {
	if !b.Takes(excludedPaths) {
		return false
	}
	s := b.Fill(c)
	if s.Formula != expr.False {
		return false
	}
	b.Applies(excludedPaths)
	for _, d := range s.Used {
		for _, name := range b.DefinitionsOf(d) {
			if !slices.Contains(b.agreedBy, name) {
				b.agreedBy = append(b.agreedBy, name)
			}
		}
	}
	return true
}

// missed finds the barriers of warps and of some threads of a block of which it is open whether all threads come to
// them that they wait for: all lanes of the mask, or whole runs of as many threads as the barrier is for.
func (b *builder) missed() (out []string) {
	for _, f := range b.kernel.Frames {
		for _, in := range f.Func.Insts {
			bar, ok := in.Barrier()
			if !ok || !f.Reached(in) || bar.Of == isa.BarrierOfCluster ||
				bar.Of == isa.BarrierOfCTA && bar.Threads < 0 && bar.Step != isa.BarrierArrive {
				continue
			}
			t := b.parts.Of[in]
			if bar.Of == isa.BarrierOfWarp && f.ForWarp(in, bar) {
				t = symbolic.Warp
			}
			if at := where(in); (t == symbolic.Block || !f.TogetherIn(t, in) || t > symbolic.Warp && !b.wholeTeams(t) ||
				t == symbolic.Warp && bar.Of == isa.BarrierOfCTA) && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

// wholeTeams reports whether the threads of a block are whole teams.
func (m *model) wholeTeams(t symbolic.Team) bool {
	return m.RefuteInBlock([]*expr.Bool{expr.Ne(expr.Rem(symbolic.Extent("ntid", 'x'), expr.Const(int64(t))),
		expr.Const(0))}).Unsat
}

// agreement lists, for a load, the writes of the kernel that may overlap it, and the facts that exclude all other
// writes.
type agreement struct {
	writes []*item
	needs  []string
}

// agree finds the loads at uniform addresses that return one value to all threads of a block which execute them in the
// same iterations of the loops around them, and computes the barrier intervals again with them. A load of global memory
// is one if the kernel does not write to its object. A load of shared memory is one if no thread may write to its bytes
// in the same barrier interval. Loads that are so by facts alone are left out unless all threads pass the same barriers
// because of them.
func (b *builder) agree() {
	if !b.Takes(uniformLoads) {
		return
	}
	if len(b.kernel.Unknown) > 0 || b.traits.hidden != nil || b.traits.peers != nil || b.traits.tex != nil ||
		!b.hasBarrier() {
		return
	}
	all := b.mayAgree()
	plain := make(map[*rewrite.Inst]agreement)
	for in, x := range all {
		if len(x.needs) == 0 {
			plain[in] = x
		}
	}
	if len(b.agreeOn(plain)) > 0 {
		b.Applies(uniformLoads)
	}
	if b.blocks.Even() && len(b.blocks.Divided) == 0 || len(plain) == len(all) {
		return
	}
	agreed := b.agreeOn(all)
	if !b.blocks.Even() || len(b.blocks.Divided) > 0 {
		b.agreeOn(plain)
		return
	}
	b.Applies(uniformLoads)
	for in := range agreed {
		b.agreedBy = append(b.agreedBy, all[in].needs...)
	}
	slices.Sort(b.agreedBy)
	b.agreedBy = slices.Compact(b.agreedBy)
}

// agreeOn finds the loads among some that are uniform. As the barrier intervals depend on them, all are assumed to be,
// and those for which that fails are removed until none fails; the others are uniform by induction on the barrier
// intervals, as in Separation.
func (b *builder) agreeOn(loads map[*rewrite.Inst]agreement) map[*rewrite.Inst]bool {
	agreed := make(map[*rewrite.Inst]bool)
	for in := range loads {
		agreed[in] = true
	}
	for tries, again := 0, true; again; tries++ {
		if tries == maxAgree {
			clear(agreed)
		}
		b.kernel.AssumeUniform(agreed)
		b.barriers()
		again = false
		for in, x := range loads {
			if agreed[in] && !b.steady(in, x.writes) {
				delete(agreed, in)
				again = true
			}
		}
	}
	return agreed
}

// hasBarrier reports whether the kernel has a barrier of a block.
func (b *builder) hasBarrier() bool {
	return slices.ContainsFunc(b.kernel.Frames, func(f *symbolic.Frame) bool {
		return slices.ContainsFunc(f.Func.Insts,
			waitsForBlock)
	})
}

// mayAgree returns the weak loads. Those of global memory have no writes.
func (b *builder) mayAgree() map[*rewrite.Inst]agreement {
	loads, excluded := make(map[*rewrite.Inst]agreement), make(map[*rewrite.Inst]bool)
	for _, it := range b.items {
		if b.Over() {
			return nil
		}
		in := it.acc.Inst
		if it.acc.Kind != isa.AccessLoad || async(it) || it.chosen || in.Strong() || it.obj.base == "" ||
			it.acc.Frame != b.kernel.Root {
			excluded[in] = true
			continue
		}
		writes, needs := b.mayWrite(it), []string(nil)
		if it.obj.space != isa.SpaceShared && len(writes) > 0 {
			if more, ok := b.constant(it); ok {
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
func (m *model) mayWrite(it *item) (out []*item) {
	for _, w := range m.items {
		if !w.acc.Writes() || it.inVariable() && w.inVariable() && !it.meets(w) {
			continue
		}
		if r, _, needed := m.relate(it, w); r != apart || len(needed) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// steady reports whether none of the writes can be in the same barrier interval as a load.
func (b *builder) steady(in *rewrite.Inst, writes []*item) bool {
	var list []*symbolic.Access
	for _, w := range writes {
		list = append(list, w.acc)
	}
	return len(writes) == 0 || b.blocks.Complete() && b.blocks.Steady(&symbolic.Access{Frame: b.kernel.Root, Inst: in},
		list)
}

// meets reports whether two accesses at constant offsets in variables may touch a common byte. Size 0 is an unknown
// one.
func (it *item) meets(w *item) bool {
	if it.obj.v != w.obj.v {
		return false
	}
	k, ok := expr.Sub(it.acc.Addr, w.acc.Addr).Int64()
	return !ok || it.acc.Size == 0 || w.acc.Size == 0 || it.acc.Rows || w.acc.Rows ||
		k > -int64(it.acc.Size) && k < int64(w.acc.Size)
}

// inVariable reports whether an access is at a constant offset in a variable, and stays in it.
func (it *item) inVariable() bool {
	k, terms := it.acc.Addr.Linear()
	return it.obj.v != nil && len(terms) == 1 && k.Sign() >= 0 && k.IsInt64() &&
		k.Int64()+int64(it.acc.Size) <= int64(it.obj.v.Size)
}

// maxAgree is the number of times that agree computes the barrier intervals before it gives up and removes all loads.
const maxAgree = 8
