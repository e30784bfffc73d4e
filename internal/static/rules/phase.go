// Phases of mbarriers: accesses before the arrivals for a phase, and the bulk copies that it counts, precede accesses
// of threads that have waited for it.
//
// Threads use mbarriers B[0] to B[n-1] in turn: see [ring]. Position q is phase q/n of B[q%n]. What is shown first:
//
//   - An arrival by a thread is for the position that is the number of its arrivals before ([ring.counts]).
//   - No more arrivals are made for a position than a phase takes ([ring.bounded]), and the bytes that they expect are
//     those of the copies for it ([ring.balanced]). So if all are made in their phase, this completes only when all
//     threads that ever arrive for it have done so, and all of its copies are made.
//   - A thread arrives, expects bytes or issues a copy for position q only when the phase of position q-n is complete,
//     and so are waits of a parity for q ([phases.keepsUp]): they find the mbarrier in phase q/n or later, so that the
//     parity is not that of an earlier one.
//
// The third is shown from the first two and from itself, by induction over an execution: a phase is complete when a
// thread has waited for it ([phases.pointOf]); and when it is complete, so are those that are complete wherever an
// arrival was made for it without which there are too few ([phases.conclude]). All of that is earlier in causality
// order than the operation, since arrivals release and waits acquire, and the first operation for which it did not hold
// would be behind operations only for which it does.
//
// An access is before the phase of an arrival that its thread makes later in the iteration, or that another one makes
// behind a barrier ([phases.covers]). If that phase is complete in iteration j of another access whenever j is at least
// i + d, for iteration i of the first, the first access precedes the second. That need be shown for few i: what follows
// from operations in loops alone in iterations i and j follows in the same way in i + m and j + m, where m is the least
// common multiple of the numbers of mbarriers; and what is complete in an iteration is so in later ones.

package rules

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// unordered returns what holds if no phase orders two accesses of threads of a block.
func (p *phases) unordered(x, y *kernel.Item) *expr.Bool {
	if len(p.rings) == 0 {
		return expr.True
	}
	key := [2]*kernel.Item{x, y}
	out, ok := p.orders[key]
	if !ok {
		out = expr.Not(expr.Any(p.precedes(x, y, 1), p.precedes(y, x, 2)))
		p.orders[key] = out
	}
	return out
}

// precedes returns a condition under which an access by thread n precedes that of the other one.
func (p *phases) precedes(x, y *kernel.Item, n int) *expr.Bool {
	covers := p.covers(x)
	if len(covers) == 0 || len(p.pointOf(y)) == 0 || !p.proxied(x, y, covers) {
		return expr.False
	}
	var when []*expr.Bool
	for _, c := range covers {
		when = append(when, p.since(c, y, n))
	}
	return expr.Any(when...)
}

// since returns a condition under which the phase of an operation by thread n is complete when the other thread makes
// an access.
func (p *phases) since(c covered, y *kernel.Item, n int) *expr.Bool {
	var at body
	if loops := y.Access.Frame.LoopsAround(y.Access.Frame.Block(y.Access.Inst)); len(loops) > 0 {
		at.loop = loops[len(loops)-1]
	}
	done := func(k, j int64, loops bool) bool {
		return !c.makes(k) || p.complete(moment{y, max(j, 0), loops}, completion{c.ring, c.position(k + c.later)})
	}
	switch fixed := c.loop == nil || c.slope == 0; {
	case fixed && at.loop == nil:
		return expr.Truth(done(0, 0, false))
	case fixed:
		for j := range p.many {
			if done(0, j, false) {
				return expr.Ge(at.round(3-n), expr.Const(j))
			}
		}
		return expr.False
	case at.loop == nil:
		var when []*expr.Bool
		for k := c.least; k < p.many; k++ {
			if done(k, 0, false) {
				when = append(when, expr.Eq(c.round(n), expr.Const(k)))
			}
		}
		return expr.Any(when...)
	}
	for d := -p.many; d <= p.many; d++ {
		if p.inEach(func(k int64) bool { return done(k, k+d, false) }, func(k int64) bool { return done(k, k+d, true) }) {
			return expr.Ge(expr.Sub(at.round(3-n), c.round(n)), expr.Const(d))
		}
	}
	return expr.False
}

// proxied reports whether the order of two accesses by phases holds between their proxies: behind an access other than
// a read of shared memory, a bulk copy needs a proxy fence, by the thread of the access before it arrives or comes to a
// barrier, or by the thread that issues the copy after it has waited (PTX ISA, "Async proxy").
func (p *phases) proxied(x, y *kernel.Item, covers []covered) bool {
	if kernel.Async(x) || !kernel.Async(y) || !x.Access.Writes() && x.Object.Space == isa.SpaceShared {
		return true
	}
	whole := body{synchronisation: p.synchronisation}
	fence := passage{
		inst: func(in *rewrite.Inst) bool { return proxyFence(in, x.Object.Space) },
		edge: func(_, _ *rewrite.Block) bool { return false },
	}
	reaches := func(from, to *rewrite.Inst) bool {
		return whole.follow(p.Kernel.Root.Block(from), from.Index+1, to, fence, anyEdge).comes
	}
	released := !slices.ContainsFunc(covers, func(c covered) bool { return reaches(x.Access.Inst, c.Access.Inst) }) &&
		!slices.ContainsFunc(p.Kernel.Root.Func.Insts, func(in *rewrite.Inst) bool {
			_, barrier := in.Barrier()
			return barrier && reaches(x.Access.Inst, in)
		})
	return released || !slices.ContainsFunc(p.pointOf(y), func(a awaited) bool {
		return reaches(a.wait.Access.Inst, y.Access.Inst)
	})
}

// passed reports whether a condition excludes that a wait has found the phase incomplete.
func passed(m *kernel.Model, cond *expr.Bool, wait *kernel.Item) bool {
	for _, part := range query.Conjuncts(nil, []*expr.Bool{cond}) {
		vs := part.Vars()
		if len(vs) != 1 {
			continue
		}
		o := m.Kernel.Origin(vs[0].Name)
		if o == nil || o.Frame != wait.Access.Frame || o.Inst != wait.Access.Inst {
			continue
		}
		model := expr.NewModel()
		if model.Ints[vs[0].Name] = new(big.Int); vs[0].Bool {
			model.Bools[vs[0].Name] = false
		}
		if v, err := part.Eval(model); err == nil && !v {
			return true
		}
	}
	return false
}

// notIssuedAfter returns what holds if nothing makes a bulk copy be issued after an access and a proxy fence behind it:
// the thread itself, or another one behind a barrier.
func notIssuedAfter(m *kernel.Model, it, bulk *kernel.Item, kind kernel.Kind, n int) *expr.Bool {
	f, in, issue := it.Access.Frame, it.Access.Inst, bulk.Access.Inst
	if kernel.Async(it) || f != m.Kernel.Root || bulk.Access.Frame != f {
		return expr.True
	}
	fence := func(in *rewrite.Inst) bool { return proxyFence(in, it.Object.Space) }
	if kind == kernel.OwnThread {
		if f.Leads(in, issue, fence) {
			return expr.True
		}
		return issuedBefore(m, it, bulk, n)
	}
	order := m.Ordered(it, bulk, kind)
	if order == expr.True || slices.ContainsFunc(f.Func.Insts, func(b *rewrite.Inst) bool {
		_, barrier := b.Barrier()
		return barrier && f.Leads(in, b, fence)
	}) {
		return expr.True
	}
	if n == 2 { // the threads are the other way round
		order = swapped(order)
	}
	return expr.Any(order, issuedBefore(m, it, bulk, n))
}

// issuedBefore returns a condition that holds whenever a copy is issued before an access of thread n of a block, if a
// barrier is between them or one thread does both: in an earlier iteration, or in the same one.
func issuedBefore(m *kernel.Model, it, bulk *kernel.Item, n int) *expr.Bool {
	f, in, issue := it.Access.Frame, it.Access.Inst, bulk.Access.Inst
	if !f.Leads(issue, in, func(*rewrite.Inst) bool { return false }) {
		return expr.False
	}
	loops := f.LoopsAround(f.Block(in))
	if len(loops) == 0 || !around(loops[len(loops)-1], bulk) {
		return expr.True
	}
	l := loops[len(loops)-1]
	b := body{loop: l, synchronisation: &synchronisation{Contents: Contents{Model: m}}}
	ahead := expr.Sub(l.Round.Instance(n), l.Round.Instance(3-n)) // of the access
	if !b.leads(issue, in) {
		return expr.Gt(ahead, expr.Const(0))
	}
	return expr.Ge(ahead, expr.Const(0))
}

// swapped returns a formula with the two threads exchanged.
func swapped(f *expr.Bool) *expr.Bool {
	name := func(s string) string {
		switch {
		case strings.HasSuffix(s, "#1"):
			return s[:len(s)-1] + "2"
		case strings.HasSuffix(s, "#2"):
			return s[:len(s)-1] + "1"
		}
		return s
	}
	return f.Subst(expr.Substitution{
		Int:  func(v expr.Variable) *expr.Int { v.Name = name(v.Name); return expr.NewVar(v) },
		Bool: func(v expr.Variable) *expr.Bool { return expr.BoolVar(name(v.Name), v.Uniform) },
	})
}

// proxyFence reports whether an instruction is a fence between the generic proxy and that of bulk copies, for a state
// space.
func proxyFence(in *rewrite.Inst, space isa.Space) bool {
	if in.Instr.Class != isa.ClassFence || in.Guard != nil || in.Proxy() != isa.ProxyAsync || in.Has("async::generic") {
		return false
	}
	global, shared := in.Has("global"), in.Has("shared::cta") || in.Has("shared::cluster")
	return !global && !shared || global && space == isa.SpaceGlobal || shared && space == isa.SpaceShared
}
