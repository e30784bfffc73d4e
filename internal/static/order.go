// Which threads may make two accesses with nothing that orders them, by barriers and strength alone.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// kindsOf returns the kinds of races that are possible for two accesses, the widest first.
func (m *model) kindsOf(x, y *item) []Kind {
	var out []Kind
	for k := range kinds {
		if m.morallyStrong(x, y, k) || k == InterBlock && m.perBlockMemory(x, y) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// neverRace reports whether two accesses never race, whatever their addresses: they are morally strong (PTX ISA,
// "Morally Strong Operations"), or in different state spaces.
func (m *model) neverRace(x, y *item) bool {
	if x.obj.space != isa.SpaceNone && y.obj.space != isa.SpaceNone && x.obj.space != y.obj.space {
		return true
	}
	if signalled(x, y) {
		return true
	}
	for k := range kinds {
		if !m.morallyStrong(x, y, k) && (k != InterBlock || !m.perBlockMemory(x, y)) {
			return false
		}
	}
	return true
}

// perBlockMemory reports whether two accesses are to memory that each block has separately.
func (m *model) perBlockMemory(x, y *item) bool {
	return (x.obj.space == isa.SpaceShared || y.obj.space == isa.SpaceShared) && !x.remote && !y.remote
}

// morallyStrong reports whether two accesses to a common address are morally strong, for the threads of a kind of race.
// Threads of two blocks that access the shared memory of one are in one cluster.
func (m *model) morallyStrong(x, y *item, kind Kind) bool {
	between := isa.ScopeGPU
	if x.obj.space == isa.SpaceShared || y.obj.space == isa.SpaceShared {
		between = isa.ScopeCluster
	}
	strong := func(it *item) bool {
		in := it.acc.Inst
		s := in.StrongScope()
		if !in.Strong() || it.acc.Async || in.Proxy() != isa.ProxyGeneric {
			return false
		}
		if kind == InterBlock {
			return s >= between
		}
		return s >= isa.ScopeCTA
	}
	return x.acc.Scalar == y.acc.Scalar && x.acc.Scalar > 0 && strong(x) && strong(y)
}

// ordered returns when two threads may make the accesses without a barrier in between: a condition on the rounds of
// loops. It is False if there always is a barrier.
func (m *model) ordered(x, y *item, kind Kind) *expr.Bool {
	if kind == InterBlock {
		return expr.True
	}
	b := m.blocks
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
func concurrent(b *symbolic.Barriers, x, y *item) *expr.Bool {
	if !b.Complete() {
		return expr.True
	}
	var ways []*expr.Bool
	for _, p := range b.Phases(x.acc, y.acc) {
		ways = append(ways, together(p))
	}
	return expr.Any(weakest(ways)...)
}

// weakest returns alternatives without those that others follow from.
func weakest(ways []*expr.Bool) []*expr.Bool {
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

// apartFromOrder reports whether nothing orders two accesses, not even those of one thread: one is a load of read-only
// data, the other writes (PTX ISA, "Scope and applicability of the model", "ld.global.nc").
func apartFromOrder(x, y *item) bool {
	return readOnly(x, y) != nil && (x.acc.Writes() || y.acc.Writes())
}

// readOnly returns that of two accesses which is a load of read-only data, nil for none.
func readOnly(x, y *item) *item {
	for _, it := range []*item{x, y} {
		if it.acc.Inst.Proxy() == isa.ProxyReadOnly {
			return it
		}
	}
	return nil
}

// recurrences returns equations of two threads of a block for values that loops carry and that are the same in all
// threads in a round, and what exchanges between lanes tell of two threads of a warp, where some formulas hold.
func (m *model) recurrences(x, y *item, given []*expr.Bool) []*expr.Bool {
	var out []*expr.Bool
	seen := make(map[string]bool)
	for _, it := range []*item{x, y} {
		vars := expr.Vars([]*expr.Int{it.addr}, append([]*expr.Bool{it.cond}, it.sides...))
		for _, v := range vars {
			o := m.kernel.Origin(v.Name)
			if o == nil || seen[v.Name] {
				continue
			}
			seen[v.Name] = true
			if !v.Bool {
				if r := o.Recurrence(v.Name); r != nil {
					out = append(out, alike(expr.NewVar(v), r)...)
				}
			}
			out = append(out, inWarp(v, o, given)...)
		}
	}
	return out
}

// inWarp returns what holds of a variable in two threads of a warp: a value that is the same in all its lanes after the
// same iterations of loops is equal, and no two lanes are elected. Conditions that are given are left out, so that
// solvers see the plain equation.
func inWarp(v expr.Variable, o *symbolic.Origin, given []*expr.Bool) (out []*expr.Bool) {
	loops, ok := o.Alike(symbolic.Warp)
	if !ok && !o.Elects() {
		return nil
	}
	lane := []*expr.Bool{sameWarp()}
	for _, l := range loops {
		lane = append(lane, expr.Eq(l.Round.Instance(1), l.Round.Instance(2)))
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
	lane = slices.DeleteFunc(lane, func(c *expr.Bool) bool { return slices.ContainsFunc(given, c.Equal) })
	return []*expr.Bool{expr.Implies(expr.All(lane...), equal)}
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

// boundNames returns the names of the facts that accesses stay in their allocations.
func (m *model) boundNames(items ...*item) []string {
	var out []string
	for _, it := range items {
		if p := m.pointer(&it.obj); p != nil && p.Bound != "" {
			out = append(out, p.Bound)
		}
	}
	return out
}

func async(it *item) bool { return it.acc.Async || it.acc.Copy }

// waitsForBlock reports whether an instruction is a barrier of a block.
func waitsForBlock(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCTA
}

// signalled reports whether two accesses are to an mbarrier, by its own instructions and by the signals of copies,
// which never race with each other.
func signalled(x, y *item) bool {
	signal := func(it *item) bool { return it.acc.Bulk && it.acc.AtomOp == "complete_tx" }
	own := func(it *item) bool {
		m := it.acc.Inst.Mbarrier()
		return m == isa.MbarrierArrive || m == isa.MbarrierDrop || m.Waits()
	}
	return signal(x) && (signal(y) || own(y)) || signal(y) && own(x)
}
