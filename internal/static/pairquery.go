// The query for a pair: with and without wrap-around, and whether the result is a race.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// conflict is that two threads make two accesses to common bytes, as formulas.
type conflict struct {
	m        contents
	x, y     *item
	kind     Kind
	order    *expr.Bool
	distance *expr.Int // between the objects' addresses
	anywhere bool      // the addresses may be equal whatever the indices
	bytes    bool      // accesses may be misaligned
	aligned  bool      // the formulas are for accesses that are not misaligned
	tickets  []string  // needs of the conditions of distinct
	// loaded has what is known of values out of memory, from the second attempt on, and needs what each of these facts
	// needs.
	loaded []solve.Fact
	needs  map[string][]string
}

// pairQuery decides whether two threads race.
type pairQuery struct {
	conflict
	a     *analysis
	proof bool // only a proof by barriers and addresses is sought
}

// decide decides the pair. A proof that takes aligned accesses for granted, though the formulas do not show it, needs
// that unless there is one without. If no launch satisfies it, the pair is open.
func (q *pairQuery) decide() finding {
	f := q.attempt()
	if f.verdict != Clean || !q.aligned {
		return f
	}
	again := *q
	again.bytes, again.proof = true, true
	if g := again.attempt(); g.verdict == Clean {
		return g
	}
	for _, it := range []*item{q.x, q.y} {
		if q.a.neverAligned(it) {
			return possible("the access at %s is misaligned in every launch in which neighbouring threads or iterations make it", where(it.acc.Inst))
		}
	}
	f.needed = append(f.needed, aligned)
	return f
}

// attempt first assumes that no index wraps around, which makes formulas simpler. A pair that cannot race then is free
// of races if no index wraps, which is proved for each index separately. If that fails, the query is repeated with
// wrap-around.
func (q *pairQuery) attempt() finding {
	goal, bounds := q.fitting()
	r := q.solve(goal, bounds, q.effort())
	if !r.Unsat && q.a.traits.fences && !q.anywhere && !q.proof {
		if needed, ok := q.decidedBy(rulesOfOrder); ok {
			return clean(BySynchronisation, needed...)
		}
	}
	if !r.Unsat && !q.anywhere {
		if q.loaded = q.knowing(); len(q.loaded) > 0 {
			r = q.solve(goal, q.bounds(), query.Medium)
			if !r.Sat && !r.Unsat {
				r = q.bySides(goal, r)
			}
		}
	}
	switch {
	case r.Sat:
		return q.satisfied(r.Model)
	case !r.Unsat:
		return q.undecided(r.Reason)
	}
	return q.wrapping(r.Core)
}

// solve answers a query whose proof belongs to the pair alone, which needs the facts of its formulas in any case.
func (q *conflict) solve(goal []*expr.Bool, bounds []solve.Fact, e query.Effort, needed ...string) query.Answer {
	return q.m.SolveWith(slices.Concat(q.x.needs(), q.y.needs(), needed), goal, bounds, e)
}

// effort returns a small effort if a proof is unlikely because the contents of memory decide.
func (q *pairQuery) effort() query.Effort {
	if q.x.data != "" || q.y.data != "" {
		return query.Cheap
	}
	return 0
}

// used returns the names of the facts of the formulas, and of those of a core.
func (q *conflict) used(core []string) []string {
	out := slices.Concat(q.x.needs(), q.y.needs())
	for _, name := range core {
		if more, ok := q.needs[name]; ok {
			out = append(out, more...)
		} else {
			out = append(out, name)
		}
	}
	out = append(out, q.tickets...)
	slices.Sort(out)
	return slices.Compact(out)
}

// fitting returns the query under the assumption that no index wraps around. When the time is over, parts of queries
// are missing, and none is answered.
func (q *conflict) fitting() ([]*expr.Bool, []solve.Fact) {
	a1, c1 := q.x.fitting(1)
	if q.m.Over() {
		return nil, nil
	}
	a2, c2 := q.y.fitting(2)
	return q.goal(a1, a2, append(c1, c2...)), q.bounds()
}

// exact returns the query with wrap-around.
func (q *conflict) exact() ([]*expr.Bool, []solve.Fact) {
	conds := append(q.x.formulas(1), q.y.formulas(2)...)
	return q.goal(q.x.addr.Instance(1), q.y.addr.Instance(2), conds), q.bounds()
}

func (q *conflict) bounds() []solve.Fact {
	f := slices.Concat(q.m.boundsOf(q.x, 1), q.m.boundsOf(q.y, 2))
	if len(f) == 2 && f[0].Name == f[1].Name {
		f = []solve.Fact{{Name: f[0].Name, Formula: expr.All(f[0].Formula, f[1].Formula)}}
	}
	for i := range f {
		f[i].Formula = q.oneBlock(f[i].Formula)
	}
	return slices.Concat(f, q.loaded)
}

// oneBlock puts both threads into one block, unless the kind requires different blocks.
func (q *conflict) oneBlock(f *expr.Bool) *expr.Bool {
	if q.kind == InterBlock {
		return f
	}
	return q.m.OneBlock(f)
}

// goal returns the condition that the threads are different, make the accesses without a barrier in between, and touch
// a common byte.
func (q *conflict) goal(a1, a2 *expr.Int, conds []*expr.Bool) []*expr.Bool {
	touch := expr.True
	if !q.anywhere {
		if touch = q.oneBlock(q.overlap(a1, a2)); touch == expr.False {
			return []*expr.Bool{touch}
		}
	}
	goal := append([]*expr.Bool{different(q.kind), q.order, touch}, conds...)
	goal = append(goal, q.m.Ranges(1)...)
	goal = append(goal, q.m.Ranges(2)...)
	if q.kind != InterBlock {
		goal = append(goal, q.m.recurrences(q.x, q.y, query.Conjuncts(nil, []*expr.Bool{different(q.kind), q.order}))...)
	}
	for _, k := range q.says(rulesOfFormulas) {
		goal, q.tickets = append(goal, k.formula), append(q.tickets, k.needs...)
	}
	var out []*expr.Bool
	for _, f := range goal {
		if q.m.Over() {
			return nil
		}
		if f = q.oneBlock(f); f != expr.True {
			out = append(out, f)
		}
	}
	return out
}

// overlap is the condition that the accesses touch a common byte.
func (q *conflict) overlap(a1, a2 *expr.Int) *expr.Bool {
	s1, s2 := int64(q.x.acc.Size), int64(q.y.acc.Size)
	d := expr.Wrap(expr.Add(expr.Sub(a1, a2), q.distance), 64, true)
	if q.kind == InterBlock && (q.x.remote || q.y.remote) {
		d = betweenRanks(d)
	}
	switch {
	case s1 == 0 || s2 == 0:
		return expr.Maybe()
	case s1 == s2 && q.multiples(d, s1):
		return expr.Eq(d, expr.Const(0))
	}
	return expr.All(expr.Gt(d, expr.Const(-s1)), expr.Lt(d, expr.Const(s2)))
}

// multiples reports whether the distance of the two addresses is a multiple of their size: by its formula, or because
// addresses are multiples of the size of the access, or it faults (PTX ISA, "Addresses as Operands"). Bulk copies have
// no such alignment.
func (q *conflict) multiples(d *expr.Int, size int64) bool {
	if size&(size-1) == 0 && int64(1)<<min(expr.Twos(d), 62) >= size {
		return true
	}
	if q.bytes || q.x.acc.Bulk || q.y.acc.Bulk {
		return false
	}
	q.aligned = true
	return true
}

// wrapping completes a proof that assumes that nothing wraps around.
func (q *pairQuery) wrapping(core []string) finding {
	q.a.findWraps(q.x)
	q.a.findWraps(q.y)
	needed := q.used(core)
	open := append(q.x.openWraps(), q.y.openWraps()...)
	if len(open) == 0 {
		return clean(ByFormulas, needed...)
	}
	if _, ok := q.assume(); !ok {
		goal, bounds := q.exact()
		r := q.solve(goal, bounds, query.Cheap)
		if !r.Sat && !r.Unsat && len(q.loaded) > 0 {
			r = q.bySides(goal, r)
		}
		if r.Unsat {
			return clean(ByFormulas, q.used(r.Core)...)
		}
		if core, ok := q.fitByValues(); ok {
			return clean(ByFormulas, append(needed, q.used(core)...)...)
		}
	}
	for _, w := range open {
		if !w.host || !q.mayAssume() {
			return q.byCases(possible("an index may wrap around: %s", query.Short(w.node.Args()[0])))
		}
		needed = append(needed, w.assumption())
	}
	return clean(ByFormulas, needed...)
}

// mayAssume reports whether indices may be assumed not to wrap around: host code allocates the accessed memory, which
// the program would otherwise leave.
func (q *conflict) mayAssume() bool {
	known := func(it *item) bool {
		p := q.m.pointer(&it.obj)
		return p != nil && p.Size != nil || it.obj.v != nil
	}
	return q.m.assumed.noWrap || known(q.x) && known(q.y)
}

// satisfied returns the finding for values found by the solver: a race if two threads executed with them make it.
func (q *pairQuery) satisfied(m *expr.Model) finding {
	if q.a.opt.ProofOnly || q.proof || q.kind == anyThread { // only a proof counts for all threads of a block
		return q.byCases(possible("the conditions can be met"))
	}
	if g := q.a.Given; g.Unfollowed && g.Site == "" {
		return possible("no launch of the kernel is known in the program")
	} else if g.Unfollowed {
		return possible("what the launch at %s is given is not known, as host code was not followed to it in every way",
			g.Site)
	}
	w, m := q.search(m)
	if w != nil && (len(w.Memory) == 0 || q.a.opt.Contents && !q.loadedIndex()) {
		return finding{verdict: Racy, witness: w, data: len(w.Memory) > 0}
	}
	f, ok := q.reasons()
	if !ok {
		f = possible("the conditions can be met, but no execution was found")
	}
	if f = q.byCases(f); f.verdict != Possible {
		return f
	}
	if w == nil && !q.anywhere {
		if f = q.within(f); f.verdict == Clean || f.fault != 0 {
			return f
		}
	}
	f.witness = w
	if q.a.byExecution() && !q.loadedIndex() {
		q.a.try(q, m)
	}
	return f
}

// loadedIndex reports whether what memory holds decides where one of the two accesses goes. Programs rely on what they
// put into such memory (permutations, claimed slots, rows of a sparse matrix): that certain contents let two threads
// race is no race of the program.
func (q *conflict) loadedIndex() bool { return q.m.loadedIndex(q.x) || q.m.loadedIndex(q.y) }

// undecided returns the finding if the solver gave up.
func (q *pairQuery) undecided(why string) finding {
	f, ok := q.reasons()
	if !ok {
		f = possible("undecided: %s", why)
	}
	return q.byCases(f)
}

// reasons returns the finding if the accesses themselves leave the pair open.
func (q *pairQuery) reasons() (finding, bool) {
	for _, it := range []*item{q.x, q.y} {
		if it.data != "" {
			f := possible("data-dependent: %s", it.data)
			f.data = true
			return f, true
		}
	}
	if q.anywhere {
		o, p := q.x.obj.name(q.a.kernel.Func), q.y.obj.name(q.a.kernel.Func)
		if o == "" || p == "" {
			return possible("where an address leads is not known"), true
		}
		return possible("%s and %s may overlap", o, p), true
	}
	for _, it := range []*item{q.x, q.y} {
		if it.opaque != "" {
			return possible("no closed formula: %s", it.opaque), true
		}
	}
	return finding{}, false
}
