// Acquire and release (HGRD §6.5), by the rules of the PTX memory model. A lock is taken by a compare-and-swap from E
// to another value that is known to have found E, and a fence. It is released by a fence and a strong write of E. If an
// object has no other writes, and only holders release it, its elements are locks: critical sections follow each other,
// and accesses in one happen before those in the next.

package rules

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// isFence reports whether an instruction is a fence, with at least a scope, that all threads which reach it execute.
func isFence(in *rewrite.Inst, scope isa.Scope, has func(isa.Sem) bool) bool {
	return in.Instr.Class == isa.ClassFence && in.Guard == nil && in.Proxy() == isa.ProxyGeneric && in.Scope >= scope &&
		has(in.Sem)
}

// synchronisation looks for what orders two accesses other than barriers: locks, flags, counters and phases of
// mbarriers. It keeps what it finds out, so that what it finds rests on all facts that it has used so far.
type synchronisation struct {
	Contents
	rests     []string // the facts used
	floor     int64    // what is left of the budget when proofs are given up
	locks     lockResults
	counters  []*counter                       // the result of allCounters
	phases    *phases                          // the result of allPhases
	broadcast map[*kernel.Item]*broadcastValue // the results of broadcastAt
	own       map[*kernel.Item]*exclusive      // the results of othersWrite
	within    map[*kernel.Item]bool            // the results of withinBlock
}

// NewContents returns what is known of the contents of memory under a model.
func NewContents(m *kernel.Model) Contents {
	y := &synchronisation{
		locks:     lockResults{make(map[lockKey]bool), make(map[lockKey]bool), make(map[lockKey][]*kernel.Item)},
		broadcast: make(map[*kernel.Item]*broadcastValue),
		own:       make(map[*kernel.Item]*exclusive),
		within:    make(map[*kernel.Item]bool),
	}
	y.Contents = Contents{m, y}
	return y.Contents
}

// uses records facts.
func (y *synchronisation) uses(names ...string) {
	for _, n := range names {
		if !slices.Contains(y.rests, n) {
			y.rests = append(y.rests, n)
		}
	}
}

// relate compares the objects of two accesses, and records the facts used: see [kernel.Model.Relate].
func (y *synchronisation) relate(x, z *kernel.Item) (kernel.Relation, *expr.Int, []string) {
	r, distance, needed := y.Relate(x, z)
	y.uses(needed...)
	return r, distance, needed
}

// solve answers a query, and records the facts used.
func (y *synchronisation) solve(goal []*expr.Bool, facts []solve.Fact, e query.Effort) query.Answer {
	r := y.Solve(goal, facts, e)
	y.uses(r.Core...)
	return r
}

// needs returns what an order rests on: the facts used, and those of the formulas of all accesses.
func (y *synchronisation) needs() []string {
	needed := slices.Clone(y.rests)
	for _, it := range y.Items {
		needed = append(needed, it.Needs()...)
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}

// locked reports whether both accesses are under a lock at the same address.
func (y *synchronisation) locked(q *Conflict) bool {
	for _, c := range y.held(q.X, q.Kind) {
		for _, d := range y.held(q.Y, q.Kind) {
			if y.sameAddress(q, c, d) {
				return true
			}
		}
	}
	return false
}

// sameAddress reports whether further accesses c and d of the two threads have the same address whenever the accesses
// conflict.
func (y *synchronisation) sameAddress(q *Conflict, c, d *kernel.Item) bool {
	if c.Access.ElemSize != d.Access.ElemSize {
		return false
	}
	rel, distance, _ := y.relate(c, d)
	if rel != kernel.Related {
		return false
	}
	for _, it := range []*kernel.Item{q.X, q.Y, c, d} {
		y.FindWraps(it)
	}
	a1, f1 := c.Fitting(1)
	a2, f2 := d.Fitting(2)
	if q.equal(a1, a2, distance) {
		return true
	}
	if assumed, ok := q.Assume(c, d); ok {
		y.uses(assumed...)
		goal, bounds := q.Fitting()
		goal = append(append(goal, f1...), f2...)
		return !y.differ(q, goal, a1, a2, distance, bounds)
	}
	goal, bounds := q.Exact()
	goal = append(append(goal, c.Formulas(1)...), d.Formulas(2)...)
	return !y.differ(q, goal, c.Addr.Instance(1), d.Addr.Instance(2), distance, bounds)
}

// differ reports whether two addresses may differ under a goal.
func (y *synchronisation) differ(q *Conflict, goal []*expr.Bool, a1, a2, distance *expr.Int, bounds []solve.Fact) bool {
	d := expr.Wrap(expr.Add(expr.Sub(a1, a2), distance), 64, true)
	goal = append(goal, expr.Ne(d, expr.Const(0)))
	return !y.solve(q.together(goal), bounds, query.NoModel).Unsat
}

// lockKey identifies a question about the locks of an access: whether it takes one, which it holds, or whether it gives
// back those of an object whose free value is known.
type lockKey struct {
	it         *kernel.Item
	kind       kernel.Kind
	base, free string
}

// lockResults keeps the answers, as each pair asks again.
type lockResults struct {
	takes, gives map[lockKey]bool
	held         map[lockKey][]*kernel.Item
}

// keep returns a kept answer, or asks for it.
func keep[K comparable](kept map[K]bool, key K, ask func() bool) bool {
	yes, ok := kept[key]
	if !ok {
		yes = ask()
		kept[key] = yes
	}
	return yes
}

// held returns the compare-and-swaps of the locks under which an access is made; none when the time is over.
func (y *synchronisation) held(it *kernel.Item, kind kernel.Kind) []*kernel.Item {
	key := lockKey{it: it, kind: kind}
	if out, ok := y.locks.held[key]; ok {
		return out
	}
	var out []*kernel.Item
	for _, c := range y.Items {
		if y.Over() {
			return nil
		}
		if c.Access.Frame == it.Access.Frame && c.Access.AtomOp == "cas" && y.isLock(c, kind) &&
			y.holds(c, it.Access.Inst, it.Access.Cond, kind) && y.releasedByUnlocks(c, it, kind) {
			out = append(out, c)
		}
	}
	y.locks.held[key] = out
	return out
}

// swaps returns the values that a compare-and-swap expects and writes, if they are constants.
func (y *synchronisation) swaps(c *kernel.Item) (from, to *big.Int, ok bool) {
	n := c.Access.Value
	from, ok1 := c.WordOf(n)
	to, ok2 := c.WordOf(n + 1)
	return from, to, ok1 && ok2
}

// isLock reports whether all writes of the kernel to the object of a compare-and-swap take or release the lock.
func (y *synchronisation) isLock(c *kernel.Item, kind kernel.Kind) bool {
	return keep(y.locks.takes, lockKey{it: c, kind: kind}, func() bool { return y.takesLock(c, kind) })
}

func (y *synchronisation) takesLock(c *kernel.Item, kind kernel.Kind) bool {
	from, to, ok := y.swaps(c)
	if !ok || from.Cmp(to) == 0 || c.Object.Base == "" || len(y.Kernel.Unknown) > 0 || y.Traits.Hidden != nil {
		return false
	}
	for _, w := range y.Items {
		if !w.Access.Writes() {
			continue
		}
		if r, _, _ := y.relate(c, w); r == kernel.Apart {
			continue
		}
		if w.Object.Base != c.Object.Base || !w.Access.Inst.Strong() || !sameWord(w, c) ||
			w.Access.Inst.StrongScope() < y.scopeFor(c, kind) {
			return false
		}
		if w.Access.AtomOp == "cas" {
			if f, t, ok := y.swaps(w); !ok || f.Cmp(from) != 0 || t.Cmp(from) == 0 {
				return false
			}
			continue
		}
		if !y.unlocks(w, c, from, kind) {
			return false
		}
	}
	return true
}

// sameWord reports whether two accesses are to one word each, of one size: then those that overlap are to the same
// word.
func sameWord(x, y *kernel.Item) bool {
	return x.Access.Size == y.Access.Size && x.Access.Single() && y.Access.Single()
}

// unlocks reports whether an access writes the value of a free lock, in a thread that holds it.
func (y *synchronisation) unlocks(w, c *kernel.Item, free *big.Int, kind kernel.Kind) bool {
	return keep(y.locks.gives, lockKey{w, kind, c.Object.Base, free.String()},
		func() bool { return y.givesBack(w, c, free, kind) })
}

func (y *synchronisation) givesBack(w, c *kernel.Item, free *big.Int, kind kernel.Kind) bool {
	if !writesConstant(w, free) {
		return false
	}
	for _, d := range y.Items {
		if d.Access.AtomOp == "cas" && d.Access.Frame == w.Access.Frame && d.Object.Base == c.Object.Base &&
			d.Access.Addr.Equal(w.Access.Addr) && y.holds(d, w.Access.Inst, w.Access.Cond, kind) {
			return true
		}
	}
	return false
}

// writesConstant reports whether a store or exchange writes a word.
func writesConstant(w *kernel.Item, k *big.Int) bool {
	if w.Access.Atomic() && w.Access.AtomOp != "exch" {
		return false
	}
	v, ok := w.WordOf(w.Access.Value)
	return ok && v.Cmp(k) == 0
}

// holds reports whether a thread that executes an instruction holds the lock of a compare-and-swap: it has found the
// lock free, fenced, and not released it since. An instruction that releases the lock in a loop does so once for each
// time that it was taken.
func (y *synchronisation) holds(c *kernel.Item, at *rewrite.Inst, cond *expr.Bool, kind kernel.Kind) bool {
	f, cas := c.Access.Frame, c.Access.Inst
	from, _, ok := y.swaps(c)
	if !ok || cas.Guard != nil || !y.found(cond, c, from) {
		return false
	}
	if !cas.Sem.Acquires() && f.Leads(cas, at, func(in *rewrite.Inst) bool {
		return in == cas || isFence(in, y.scopeFor(c, kind), isa.Sem.Acquires)
	}) {
		return false
	}
	again := func(in *rewrite.Inst) bool { return in == cas }
	for _, u := range y.Items {
		if u.Access.Frame != f || u.Access.AtomOp == "cas" || !u.Access.Writes() ||
			u.Object.Base != "" && u.Object.Base != c.Object.Base {
			continue
		}
		if f.Leads(cas, u.Access.Inst, again) && f.Leads(u.Access.Inst, at, again) {
			return false
		}
	}
	return true
}

// found reports whether a condition implies that a compare-and-swap has found a value.
func (y *synchronisation) found(cond *expr.Bool, c *kernel.Item, value *big.Int) bool {
	for _, p := range query.Conjuncts(nil, []*expr.Bool{cond}) {
		if p.Kind() != expr.KindEq {
			continue
		}
		k, terms := p.Diff().Linear()
		if len(terms) != 1 || terms[0].X.Op() != expr.OpVar || !terms[0].Coef.IsInt64() {
			continue
		}
		o := y.Kernel.Origin(terms[0].X.Variable().Name)
		if o == nil || o.Frame != c.Access.Frame || o.Inst != c.Access.Inst {
			continue
		}
		got := new(big.Int).Neg(k)
		if terms[0].Coef.Int64() == -1 {
			got = k
		} else if terms[0].Coef.Int64() != 1 {
			continue
		}
		bits := uint(8 * c.Access.ElemSize)
		if got = new(big.Int).Sub(got, value); got.Sign() == 0 || got.TrailingZeroBits() >= bits {
			return true
		}
	}
	return false
}

// releasedByUnlocks reports whether every release of the lock after an access releases the access.
func (y *synchronisation) releasedByUnlocks(c, it *kernel.Item, kind kernel.Kind) bool {
	f := it.Access.Frame
	for _, u := range y.Items {
		if !u.Access.Writes() || u.Access.AtomOp == "cas" || u.Object.Base != c.Object.Base {
			continue
		}
		if u.Access.Frame != f {
			return false
		}
		if u.Access.Inst.Sem.Releases() {
			continue
		}
		if f.Leads(it.Access.Inst, u.Access.Inst, func(in *rewrite.Inst) bool {
			return in == c.Access.Inst || isFence(in, y.scopeFor(c, kind), isa.Sem.Releases)
		}) {
			return false
		}
	}
	return true
}

// Contents is what is known of values in memory, and of what threads synchronise by it.
type Contents struct {
	*kernel.Model
	sync *synchronisation
}
