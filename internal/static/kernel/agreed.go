// Loads on whose values all threads of a block agree.

package kernel

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/intervals"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// barriers finds the barrier intervals, under the assumption that the loads of agree are uniform.
func (b *Builder) barriers() {
	b.Blocks, b.warps = intervals.In(b.Kernel, symbolic.Block, b.parts), intervals.In(b.Kernel, symbolic.Warp, b.parts)
	b.teams = nil
	for _, t := range b.teamKinds() {
		b.teams = append(b.teams, team{t, intervals.In(b.Kernel, t, b.parts)})
	}
	b.Gaps.Divided = nil
	for _, in := range b.Blocks.Divided {
		if at := Where(in); !slices.Contains(b.Gaps.Divided, at) {
			b.Gaps.Divided = append(b.Gaps.Divided, at)
		}
	}
}

// excluded reports whether the definitions of facts exclude a condition, such as n < 2 where n is 64, and keeps these
// facts: a branch on it is no way around a barrier.
func (b *Builder) excluded(c *expr.Bool) bool {
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
			if !slices.Contains(b.AgreedBy, name) {
				b.AgreedBy = append(b.AgreedBy, name)
			}
		}
	}
	return true
}

// Missed finds the barriers of warps and of some threads of a block of which it is open whether all threads come to
// them that they wait for: all lanes of the mask, or whole runs of as many threads as the barrier is for.
func (b *Builder) Missed() (out []string) {
	for _, f := range b.Kernel.Frames {
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
			if at := Where(in); (t == symbolic.Block || !f.TogetherIn(t, in) || t > symbolic.Warp && !b.wholeTeams(t) ||
				t == symbolic.Warp && bar.Of == isa.BarrierOfCTA) && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

// wholeTeams reports whether the threads of a block are whole teams.
func (m *Model) wholeTeams(t symbolic.Team) bool {
	return m.RefuteInBlock([]*expr.Bool{expr.Ne(expr.Rem(symbolic.Extent("ntid", 'x'), expr.Const(int64(t))),
		expr.Const(0))}).Unsat
}

// agreement lists, for a load, the writes of the kernel that may overlap it, and the facts that exclude all other
// writes.
type agreement struct {
	writes []*Item
	needs  []string
}

// agree finds the loads at uniform addresses that return one value to all threads of a block which execute them in the
// same iterations of the loops around them, and computes the barrier intervals again with them. A load of global memory
// is one if the kernel does not write to its object. A load of shared memory is one if no thread may write to its bytes
// in the same barrier interval. Loads that are so by facts alone are left out unless all threads pass the same barriers
// because of them.
func (b *Builder) agree() {
	if !b.Takes(uniformLoads) {
		return
	}
	if len(b.Kernel.Unknown) > 0 || b.Traits.Hidden != nil || b.Traits.Peers != nil || b.Traits.Tex != nil ||
		!b.hasBarrier() {
		return
	}
	plain := b.mayAgree(false)
	if len(b.agreeOn(plain)) > 0 {
		b.Applies(uniformLoads)
	}
	if b.Blocks.Even() && len(b.Blocks.Divided) == 0 {
		return
	}
	all := b.mayAgree(true)
	if !slices.ContainsFunc(slices.Collect(maps.Values(all)), func(x agreement) bool { return len(x.needs) > 0 }) {
		return
	}
	agreed := b.agreeOn(all)
	if !b.Blocks.Even() || len(b.Blocks.Divided) > 0 {
		b.agreeOn(plain)
		return
	}
	b.Applies(uniformLoads)
	for in := range agreed {
		b.AgreedBy = append(b.AgreedBy, all[in].needs...)
	}
	slices.Sort(b.AgreedBy)
	b.AgreedBy = slices.Compact(b.AgreedBy)
}

// agreeOn finds the loads among some that are uniform. As the barrier intervals depend on them, all are assumed to be,
// and those for which that fails are removed until none fails; the others are uniform by induction on the barrier
// intervals, as in Separation.
func (b *Builder) agreeOn(loads map[*rewrite.Inst]agreement) map[*rewrite.Inst]bool {
	agreed := make(map[*rewrite.Inst]bool)
	for in := range loads {
		agreed[in] = true
	}
	for tries, again := 0, true; again; tries++ {
		if tries == MaxAgree {
			clear(agreed)
		}
		b.Kernel.AssumeUniform(agreed)
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
func (b *Builder) hasBarrier() bool {
	return slices.ContainsFunc(b.Kernel.Frames, func(f *symbolic.Frame) bool {
		return slices.ContainsFunc(f.Func.Insts,
			WaitsForBlock)
	})
}

// mayAgree returns the weak loads, with the writes that may be to what they read, whatever the facts or by them. Those
// of global memory have no writes.
func (b *Builder) mayAgree(byFacts bool) map[*rewrite.Inst]agreement {
	loads, excluded := make(map[*rewrite.Inst]agreement), make(map[*rewrite.Inst]bool)
	for _, it := range b.Items {
		if b.Over() {
			return nil
		}
		in := it.Access.Inst
		if it.Access.Kind != isa.AccessLoad || Async(it) || it.Chosen || in.Strong() || it.Object.Base == "" ||
			it.Access.Frame != b.Kernel.Root {
			excluded[in] = true
			continue
		}
		writes, needs := b.MayWrite(it), []string(nil)
		if byFacts {
			writes, needs = b.NotApart(it)
		}
		if it.Object.Space != isa.SpaceShared && len(writes) > 0 || slices.ContainsFunc(writes, Async) {
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

// NotApart returns the writes that may be to the bytes of an access, and the facts by which others are not.
func (m *Model) NotApart(it *Item) (out []*Item, needs []string) {
	for _, w := range m.MayWrite(it) {
		if r, _, needed := m.Relate(it, w); r == Apart {
			needs = append(needs, needed...)
		} else {
			out = append(out, w)
		}
	}
	return out, needs
}

// MayWrite returns the writes that may be to the bytes of an access, whatever the facts.
func (m *Model) MayWrite(it *Item) (out []*Item) {
	for _, w := range m.Items {
		if !w.Access.Writes() || it.inVariable() && w.inVariable() && !it.meets(w) {
			continue
		}
		if r, _, needed := m.Relate(it, w); r != Apart || len(needed) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// steady reports whether none of the writes can be in the same barrier interval as a load.
func (b *Builder) steady(in *rewrite.Inst, writes []*Item) bool {
	var list []*symbolic.Access
	for _, w := range writes {
		list = append(list, w.Access)
	}
	return len(writes) == 0 || b.Blocks.Complete() && b.Blocks.Steady(&symbolic.Access{Frame: b.Kernel.Root, Inst: in},
		list)
}

// meets reports whether two accesses at constant offsets in variables may touch a common byte. Size 0 is an unknown
// one.
func (it *Item) meets(w *Item) bool {
	if it.Object.Var != w.Object.Var {
		return false
	}
	k, ok := expr.Sub(it.Access.Addr, w.Access.Addr).Int64()
	return !ok || it.Access.Size == 0 || w.Access.Size == 0 || it.Access.Rows || w.Access.Rows ||
		k > -int64(it.Access.Size) && k < int64(w.Access.Size)
}

// inVariable reports whether an access is at a constant offset in a variable, and stays in it.
func (it *Item) inVariable() bool {
	k, terms := it.Access.Addr.Linear()
	return it.Object.Var != nil && len(terms) == 1 && k.Sign() >= 0 && k.IsInt64() &&
		k.Int64()+int64(it.Access.Size) <= int64(it.Object.Var.Size)
}

// MaxAgree is the number of times that agree computes the barrier intervals before it gives up and removes all loads.
const MaxAgree = 8
