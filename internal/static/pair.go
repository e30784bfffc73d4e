// Pairs of accesses, and the decision for each kind of race.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// finding is the result for a pair and one kind of race.
type finding struct {
	verdict Verdict
	rule    Rule // of a clean one
	needed  []string
	reason  string
	data    bool
	fault   int // see Pair
	witness *Witness
}

func clean(by Rule, needed ...string) finding { return finding{rule: by, needed: needed} }

func possible(format string, args ...any) finding {
	return finding{verdict: Possible, reason: fmt.Sprintf(format, args...)}
}

// decide decides a pair for all kinds of races.
func (a *analysis) decide(p *Pair, x, y *item) {
	var all [kinds]finding
	if a.isNull(x) || a.isNull(y) {
		p.Needed, p.Rules, p.Kinds = []string{notNull}, []Rule{ByObjects}, a.kindsOf(x, y)
		if a.faulting(p, x, y); p.Verdict != Clean {
			p.Rules, p.Cause = nil, a.cause(x, y, p.Kind)
		}
		return
	}
	looked := a.kindsOf(x, y)
	a.opt.Proofs.begin()
	if f := a.inBlock(x, y, looked); f != nil {
		all[IntraBlock], all[IntraWarp] = *f, *f
	} else {
		for _, k := range []Kind{IntraBlock, IntraWarp} {
			if slices.Contains(looked, k) {
				all[k] = a.decideKind(x, y, k)
			}
		}
	}
	if slices.Contains(looked, InterBlock) {
		all[InterBlock] = a.decideKind(x, y, InterBlock)
	}
	if own := a.own(x, y); own.verdict == Clean {
		p.Needed = own.needed
	} else {
		for _, k := range looked {
			all[k] = own
		}
	}
	for _, k := range looked {
		p.Verdict = max(p.Verdict, all[k].verdict)
	}
	for _, k := range looked {
		p.Needed = append(p.Needed, all[k].needed...)
		if all[k].rule != "" && !slices.Contains(p.Rules, all[k].rule) {
			p.Rules = append(p.Rules, all[k].rule)
		}
		if all[k].verdict == p.Verdict {
			if len(p.Kinds) == 0 {
				p.Kind, p.Reason, p.DataDependent, p.Witness, p.Fault = k, all[k].reason, all[k].data, all[k].witness,
					all[k].fault
			}
			p.Kinds = append(p.Kinds, k)
			if all[k].fault == 0 {
				p.Fault = 0
			}
		}
	}
	if !slices.Contains(looked, InterBlock) && a.perBlockMemory(x, y) {
		p.Needed = append(p.Needed, a.localBy...)
	}
	if slices.Contains(looked, IntraBlock) || slices.Contains(looked, IntraWarp) {
		p.Needed = append(append(p.Needed, a.agreedBy...), a.teamsBy...)
	}
	p.Wider = slices.Contains(looked, IntraBlock) && all[IntraBlock].verdict != Clean
	slices.Sort(p.Needed)
	p.Needed = slices.Compact(p.Needed)
	p.Try = p.Verdict == Possible && !a.opt.ProofOnly && a.byExecution() && !a.loadedIndex(x) && !a.loadedIndex(y)
	a.faulting(p, x, y)
	a.within(p, x, y)
	a.onlyFollowed(p, x, y)
	a.reused(p, x, y)
	if p.Verdict == Clean {
		p.Proofs = a.opt.Proofs.used()
	} else {
		p.Rules, p.Cause = nil, a.cause(x, y, p.Kind)
	}
}

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

// within opens a pair whose proof rests on accesses that stay in their allocations, if no launch is recorded in which
// one of them does.
func (a *analysis) within(p *Pair, x, y *item) {
	for _, it := range []*item{x, y} {
		if to := a.pointer(&it.obj); p.Verdict == Clean && to != nil && slices.Contains(p.Needed, to.Bound) &&
			a.opt.Proofs != nil && !a.shownInside(it) {
			p.Needed = nil
			p.open(fmt.Sprintf("no launch is known in which the access at %s is inside of %s", where(it.acc.Inst),
				to.Buffer))
		}
	}
}

// inBlock tries to prove with one query that no two threads of a block race; nil if that fails, or there is nothing to
// prove.
func (a *analysis) inBlock(x, y *item, looked []Kind) *finding {
	if !slices.Contains(looked, IntraBlock) || !slices.Contains(looked, IntraWarp) {
		return nil
	}
	f := a.decideKind(x, y, anyThread)
	if f.verdict == Clean {
		return &f
	}
	return nil
}

// decideKind decides a pair for one kind of race.
func (a *analysis) decideKind(x, y *item, kind Kind) finding {
	if bulk(x, y) {
		return a.decideBulk(x, y, kind)
	}
	if !copies(x, y) {
		return a.copying()
	}
	if apartFromOrder(x, y) {
		return a.decideOrdered(x, y, kind, expr.True)
	}
	order := a.ordered(x, y, kind)
	if order == expr.False {
		return clean(ByBarriers)
	}
	return a.decideOrdered(x, y, kind, order)
}

// decideOrdered decides a pair of accesses for a condition on the rounds in which threads make them.
func (a *analysis) decideOrdered(x, y *item, kind Kind, order *expr.Bool) finding {
	rel, distance, needed := a.relate(x, y)
	if rel == apart {
		return clean(ByObjects, append(needed, a.boundNames(x, y)...)...)
	}
	copying, unordered := async(x) || async(y), apartFromOrder(x, y)
	q := &pairQuery{conflict: conflict{
		m: a.contents, x: x, y: y, kind: kind, order: order, distance: distance,
		anywhere: rel == unclear,
	}, a: a}
	q.proof = copying || unordered || x.acc.Rows || y.acc.Rows
	f := q.decide()
	switch {
	case f.verdict == Clean:
		f.needed = append(f.needed, needed...)
	case copying && f.reason != outOfBudget:
		return a.copying()
	case unordered:
		return possible("the kernel may write what %s loads as read-only data", where(readOnly(x, y).acc.Inst))
	}
	return f
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
	for _, f := range flatten(nil, []*expr.Bool{from}) {
		if v, value := pinned(f); v != "" {
			values[v] = value
		}
	}
	return len(values) > 0 &&
		c.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int { return values[v.Name] }}) == expr.True
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

// cause returns what is missing between two accesses, as a cause of the detectors.
func (m *model) cause(x, y *item, kind Kind) string {
	sx, sy := x.acc.Inst.Strong(), y.acc.Inst.Strong()
	switch {
	case apartFromOrder(x, y):
		return "not-read-only"
	case sx && sy && x.acc.Atomic() && y.acc.Atomic():
		return "insufficient-atomic-scope"
	case sx != sy && (x.acc.Atomic() || y.acc.Atomic()):
		return "not-strong"
	case kind == IntraWarp:
		return "missing-warp-sync"
	case kind == IntraBlock:
		return "missing-barrier"
	case m.traits.fences && x.acc.Space != isa.SpaceShared:
		return "insufficient-fence-scope"
	}
	return "missing-fence"
}
