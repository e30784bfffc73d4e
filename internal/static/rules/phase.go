// Mbarriers of which only one phase completes: accesses before its arrivals, and the bulk copies that it counts,
// precede accesses of threads that have waited for it.

package rules

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// phase is the first phase of an mbarrier in shared memory. A phase completes when the number of arrivals for which the
// barrier was initialised have come, and the bytes that they expect. Each arriving instruction is executed once in a
// thread, and in total no more often than that number. So whenever the phase completes, each thread that ever executes
// an arrival has arrived. There is no second phase, so a wait for parity 0 ends after the first.
type phase struct {
	*counter // for its proofs
	count    int64
	init     *kernel.Item
	arrivals []*kernel.Item
	signals  []*kernel.Item // by bulk copies; each is executed once in a block
	waits    []*kernel.Item
}

// allPhases returns the phases of the kernel.
func (y *synchronisation) allPhases() []*phase {
	if y.phases == nil {
		y.phases = []*phase{}
		if len(y.Kernel.Unknown) > 0 || y.Traits.Hidden != nil || y.Traits.Peers != nil || len(y.Kernel.Frames) > 1 {
			return nil
		}
		for _, it := range y.Items {
			if it.Access.Inst.Mbarrier() != isa.MbarrierInit {
				continue
			}
			if p := y.phase(it); p != nil {
				y.phases = append(y.phases, p)
			}
		}
	}
	return y.phases
}

// phase returns the phase of the barrier that an instruction initialises; nil if there may be another phase, or if some
// use of the barrier is not understood.
func (y *synchronisation) phase(init *kernel.Item) *phase {
	p := &phase{counter: &counter{synchronisation: y}, init: init}
	count, ok := operand(init, 1)
	if !ok || init.Object.Var == nil || init.Object.Space != isa.SpaceShared || init.Access.Inst.Guard != nil ||
		y.Again(init.Access.Inst) || !p.single(init) {
		return nil
	}
	p.count = count
	for _, it := range y.Items {
		if it != init && !p.takes(it) {
			return nil
		}
	}
	if !p.bounded() || !p.expected() {
		return nil
	}
	return p
}

// operand returns the value of an operand of an access's instruction if it is constant.
func operand(it *kernel.Item, n int) (int64, bool) {
	if n < 0 || n >= len(it.Access.Inst.Operands) {
		return 0, false
	}
	k, ok := expr.Wrap(it.Access.Frame.Operand(it.Access.Inst, n), 32, false).Const()
	if !ok || !k.IsInt64() {
		return 0, false
	}
	return k.Int64(), true
}

// single reports whether at most one thread of a block makes an access.
func (p *phase) single(it *kernel.Item) bool {
	return p.prove(append(it.Formulas(1), it.Formulas(2)...), kernel.Different(kernel.AnyThread))
}

// takes records the effect of an access on the barrier; it returns false if that is not understood.
func (p *phase) takes(it *kernel.Item) bool {
	rel, _, _ := p.relate(p.init, it)
	if it.Object.Space != isa.SpaceGlobal && kernel.Async(it) && it.Access.Size == 0 { // its end is unknown
		return false
	}
	if rel == kernel.Apart {
		return true
	}
	if rel != kernel.Related || it.Object.Base != p.init.Object.Base {
		return false
	}
	d, ok := expr.Sub(it.Offset, p.init.Offset).Const()
	if !ok || !d.IsInt64() || it.Access.Size == 0 {
		return false
	}
	if d.Int64() >= int64(p.init.Access.Size) || -d.Int64() >= int64(it.Access.Size) { // it does not overlap the barrier
		return true
	}
	in := it.Access.Inst
	if d.Sign() != 0 || in.Guard != nil || !p.made(it) {
		return false
	}
	switch m := in.Mbarrier(); {
	case m == isa.MbarrierArrive && (len(in.Operands) == 2 || in.Has("expect_tx")) && !in.Has("noComplete") &&
		in.Sem.Releases() && !p.Again(in):
		p.arrivals = append(p.arrivals, it)
	case m.Waits() && in.Has("parity"):
		k, known := operand(it, 2)
		if !known {
			return false
		}
		if k == 0 && in.Sem.Acquires() {
			p.waits = append(p.waits, it)
		}
	case it.Access.Bulk && it.Access.AtomOp == "complete_tx" && !p.Again(in) && p.single(it):
		p.signals = append(p.signals, it)
	default:
		return false
	}
	return true
}

// made reports whether the barrier is initialised before an access: the access is after a barrier of the block, or in
// the thread that initialises it.
func (p *phase) made(it *kernel.Item) bool {
	a := p.synchronisation
	if a.Leads(it.Access.Inst, p.init.Access.Inst) {
		return false
	}
	return a.Ordered(p.init, it, kernel.IntraBlock) == expr.False ||
		p.prove(append(p.init.Formulas(1), it.Formulas(2)...), kernel.Different(kernel.AnyThread))
}

// bounded reports whether no more threads arrive than the barrier was initialised for.
func (p *phase) bounded() bool {
	if len(p.arrivals) == 0 {
		return false
	}
	if len(p.arrivals) > 1 || p.count == 1 {
		return int64(len(p.arrivals)) <= p.count && !slices.ContainsFunc(p.arrivals,
			func(it *kernel.Item) bool { return !p.single(it) })
	}
	it := p.arrivals[0]
	flat := symbolic.Flat()
	apart := expr.Sub(flat.Instance(1), flat.Instance(2))
	return p.prove(append(it.Formulas(1), it.Formulas(2)...), expr.Ge(apart, expr.Const(p.count)))
}

// expected reports whether the arrivals expect the bytes of exactly all copies.
func (p *phase) expected() bool {
	sum, copied := new(big.Int), new(big.Int)
	for _, it := range p.arrivals {
		if !it.Access.Inst.Has("expect_tx") {
			continue
		}
		k, ok := operand(it, 2)
		if !ok || !p.single(it) {
			return false
		}
		sum.Add(sum, big.NewInt(k))
	}
	for _, it := range p.signals {
		k, ok := operand(it, it.Access.Inst.CopySize())
		if !ok {
			return false
		}
		copied.Add(copied, big.NewInt(k))
	}
	return sum.Cmp(copied) == 0
}

// behind reports whether a thread makes an access only after it has waited for the phase.
func (p *phase) behind(it *kernel.Item) bool {
	return slices.ContainsFunc(p.waits, func(w *kernel.Item) bool {
		return !kernel.Async(it) && p.ExecutedBefore(w.Access.Inst, it.Access.Inst) &&
			passed(p.Model, it.Access.Cond, w)
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

// covers reports whether an access precedes the completion of the phase, whichever thread makes it: it is by a copy
// that the phase counts, or by a thread that arrives later, or before a barrier of the block that precedes an arrival.
func (p *phase) covers(it *kernel.Item) bool {
	if kernel.Async(it) {
		return slices.ContainsFunc(p.signals, func(s *kernel.Item) bool { return s.Access.Inst == it.Access.Inst })
	}
	a, in := p.synchronisation, it.Access.Inst
	return slices.ContainsFunc(p.arrivals, func(w *kernel.Item) bool {
		if a.Leads(w.Access.Inst, in) {
			return false
		}
		return a.ExecutesLater(in, w.Access.Inst) || a.Ordered(it, w, kernel.IntraBlock) == expr.False
	})
}

// phased reports whether a phase orders two accesses of threads of a block.
func (y *synchronisation) phased(x, w *kernel.Item) bool {
	return slices.ContainsFunc(y.allPhases(), func(p *phase) bool {
		return p.covers(x) && p.behind(w) || p.covers(w) && p.behind(x)
	})
}

// issuedAfter reports whether a thread makes an access, and a proxy fence after it, before a bulk copy is issued: by
// itself, or by another thread after a barrier of the block.
func issuedAfter(m *kernel.Model, it, bulk *kernel.Item, kind kernel.Kind) bool {
	f, in, issue := it.Access.Frame, it.Access.Inst, bulk.Access.Inst
	if kernel.Async(it) || f != m.Kernel.Root || bulk.Access.Frame != f ||
		f.Leads(issue, in, func(*rewrite.Inst) bool { return false }) {
		return false
	}
	fence := func(in *rewrite.Inst) bool { return proxyFence(in, it.Object.Space) }
	if kind == kernel.OwnThread {
		return !f.Leads(in, issue, fence)
	}
	if m.Ordered(it, bulk, kind) != expr.False {
		return false
	}
	return !slices.ContainsFunc(f.Func.Insts, func(b *rewrite.Inst) bool {
		_, barrier := b.Barrier()
		return barrier && f.Leads(in, b, fence)
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
