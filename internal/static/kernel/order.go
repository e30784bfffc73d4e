// Which threads may make two accesses with nothing that orders them, by barriers and strength alone.

package kernel

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/intervals"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// KindsOf returns the kinds of races that are possible for two accesses, the widest first.
func (m *Model) KindsOf(x, y *Item) []Kind {
	var out []Kind
	for k := range Kinds {
		if m.morallyStrong(x, y, k) || k == InterBlock && m.PerBlockMemory(x, y) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// NeverRace reports whether two accesses never race, whatever their addresses: they are morally strong (PTX ISA,
// "Morally Strong Operations"), or in different state spaces.
func (m *Model) NeverRace(x, y *Item) bool {
	if x.Object.Space != isa.SpaceNone && y.Object.Space != isa.SpaceNone && x.Object.Space != y.Object.Space {
		return true
	}
	if signalled(x, y) {
		return true
	}
	for k := range Kinds {
		if !m.morallyStrong(x, y, k) && (k != InterBlock || !m.PerBlockMemory(x, y)) {
			return false
		}
	}
	return true
}

// PerBlockMemory reports whether two accesses are to memory that each block has separately.
func (m *Model) PerBlockMemory(x, y *Item) bool {
	return (x.Object.Space == isa.SpaceShared || y.Object.Space == isa.SpaceShared) && !x.Remote && !y.Remote
}

// morallyStrong reports whether two accesses to a common address are morally strong, for the threads of a kind of race.
// Threads of two blocks that access the shared memory of one are in one cluster.
func (m *Model) morallyStrong(x, y *Item, kind Kind) bool {
	between := isa.ScopeGPU
	if x.Object.Space == isa.SpaceShared || y.Object.Space == isa.SpaceShared {
		between = isa.ScopeCluster
	}
	strong := func(it *Item) bool {
		in := it.Access.Inst
		s := in.StrongScope()
		if !in.Strong() || it.Access.Async || in.Proxy() != isa.ProxyGeneric {
			return false
		}
		if kind == InterBlock {
			return s >= between
		}
		return s >= isa.ScopeCTA
	}
	return x.Access.Scalar == y.Access.Scalar && x.Access.Scalar > 0 && strong(x) && strong(y)
}

// Ordered returns when two threads may make the accesses without a barrier in between: a condition on the rounds of
// loops. It is False if there always is a barrier.
func (m *Model) Ordered(x, y *Item, kind Kind) *expr.Bool {
	if kind == InterBlock {
		return expr.True
	}
	b := m.Blocks
	if kind == IntraWarp {
		b = m.warps
	}
	order := concurrent(b, x, y)
	for _, t := range m.teams {
		order = expr.All(order, expr.Any(expr.Not(inTeam(t.of)), concurrent(t.barriers, x, y)))
	}
	return order
}

// concurrent returns when two threads may make the accesses without one of some barriers in between.
func concurrent(b *intervals.Barriers, x, y *Item) *expr.Bool {
	if !b.Complete() {
		return expr.True
	}
	var ways []*expr.Bool
	for _, p := range b.Phases(x.Access, y.Access) {
		ways = append(ways, Together(p))
	}
	return expr.Any(Weakest(ways)...)
}

// Weakest returns alternatives without those that others follow from.
func Weakest(ways []*expr.Bool) []*expr.Bool {
	out := slices.Clone(ways)
	for i := len(out) - 1; i >= 0; i-- {
		w := out[i]
		if rest := slices.Concat(out[:i], out[i+1:]); slices.ContainsFunc(rest,
			func(v *expr.Bool) bool { return follows(v, w) }) {
			out = rest
		}
	}
	return out
}

// follows reports whether a condition follows from another one that says which constants variables are.
func follows(c, from *expr.Bool) bool {
	values := make(map[string]*expr.Int)
	for _, f := range query.Conjuncts(nil, []*expr.Bool{from}) {
		if v, value := query.Pinned(f); v != "" {
			values[v] = value
		}
	}
	return len(values) > 0 &&
		c.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int { return values[v.Name] }}) == expr.True
}

// ApartFromOrder reports whether nothing orders two accesses, not even those of one thread: one is a load of read-only
// data, the other writes (PTX ISA, "Scope and applicability of the model", "ld.global.nc").
func ApartFromOrder(x, y *Item) bool {
	return ReadOnly(x, y) != nil && (x.Access.Writes() || y.Access.Writes())
}

// ReadOnly returns that of two accesses which is a load of read-only data, nil for none.
func ReadOnly(x, y *Item) *Item {
	for _, it := range []*Item{x, y} {
		if it.Access.Inst.Proxy() == isa.ProxyReadOnly {
			return it
		}
	}
	return nil
}

// Recurrences returns equations of two threads of a block for values that loops carry and that are the same in all
// threads in a round, for others on which all threads agree, and what exchanges between lanes tell of two threads of a
// warp, where some formulas hold.
func (m *Model) Recurrences(x, y *Item, given []*expr.Bool) []*expr.Bool {
	var out []*expr.Bool
	seen := make(map[string]bool)
	for _, it := range []*Item{x, y} {
		vars := expr.Vars([]*expr.Int{it.Addr}, append([]*expr.Bool{it.Cond}, it.Sides...))
		for _, v := range vars {
			o := m.Kernel.Origin(v.Name)
			if o == nil || seen[v.Name] {
				continue
			}
			seen[v.Name] = true
			if !v.Bool {
				if r := o.Recurrence(v.Name); r != nil {
					out = append(out, alike(expr.NewVar(v), r)...)
				}
			}
			out = append(out, sameInTeam(v, o, given)...)
		}
	}
	return out
}

// sameInTeam returns what holds of a variable in two threads of a block: a value that is the same in all threads of the
// block, or in all lanes of a warp, after the same iterations of loops is equal, and no two lanes are elected.
// Conditions that are given are left out, so that solvers see the plain equation.
func sameInTeam(v expr.Variable, o *symbolic.Origin, given []*expr.Bool) []*expr.Bool {
	var when []*expr.Bool
	loops, ok := o.Alike(symbolic.Block)
	if !ok {
		loops, ok = o.Alike(symbolic.Warp)
		when = append(when, sameWarp())
	}
	if !ok && !o.Elects() {
		return nil
	}
	for _, l := range loops {
		when = append(when, expr.Eq(l.Round.Instance(1), l.Round.Instance(2)))
	}
	var equal *expr.Bool
	switch {
	case o.Elects():
		p := expr.BoolVar(v.Name, false)
		equal = expr.Not(expr.All(p.Instance(1), p.Instance(2)))
		return []*expr.Bool{expr.Any(expr.Not(sameWarp()), sameThread(), equal)}
	case v.Bool:
		p := expr.BoolVar(v.Name, false)
		equal = expr.Iff(p.Instance(1), p.Instance(2))
	default:
		equal = expr.Eq(expr.NewVar(v).Instance(1), expr.NewVar(v).Instance(2))
	}
	when = slices.DeleteFunc(when, func(c *expr.Bool) bool { return slices.ContainsFunc(given, c.Equal) })
	return []*expr.Bool{expr.Implies(expr.All(when...), equal)}
}

// alike returns the equations for a variable of two threads that follow from a recurrence.
func alike(v *expr.Int, r *symbolic.Recurrence) []*expr.Bool {
	rounds := func(ahead int64) *expr.Bool {
		var eq []*expr.Bool
		for i, l := range r.Loops {
			d := int64(0)
			if i == 0 {
				d = ahead
			}
			eq = append(eq, expr.Eq(expr.Sub(l.Round.Instance(1), l.Round.Instance(2)), expr.Const(d)))
		}
		return expr.All(eq...)
	}
	out := []*expr.Bool{expr.Implies(rounds(0), expr.Eq(v.Instance(1), v.Instance(2)))}
	if r.Next != nil {
		out = append(out, expr.Implies(rounds(1), expr.Eq(v.Instance(1), r.Next.Instance(2))),
			expr.Implies(rounds(-1), expr.Eq(v.Instance(2), r.Next.Instance(1))))
	}
	return out
}

// BoundNames returns the names of the facts that accesses stay in their allocations.
func (m *Model) BoundNames(items ...*Item) []string {
	var out []string
	for _, it := range items {
		if p := m.Pointer(&it.Object); p != nil && p.Bound != "" {
			out = append(out, p.Bound)
		}
	}
	return out
}

// Async reports whether an access is made by an asynchronous operation or copy.
func Async(it *Item) bool { return it.Access.Async || it.Access.Copy }

// WaitsForBlock reports whether an instruction is a barrier of a block.
func WaitsForBlock(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCTA
}

// signalled reports whether two accesses are to an mbarrier, by its own instructions and by the signals of copies,
// which never race with each other.
func signalled(x, y *Item) bool {
	signal := func(it *Item) bool { return it.Access.Bulk && it.Access.AtomOp == "complete_tx" }
	own := func(it *Item) bool {
		m := it.Access.Inst.Mbarrier()
		return m == isa.MbarrierArrive || m == isa.MbarrierDrop || m.Waits()
	}
	return signal(x) && (signal(y) || own(y)) || signal(y) && own(x)
}
