// Volatile accesses to shared memory that nothing orders: no data race of the model, but it is open what is read.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// leavesOpen reports whether the value that one of two accesses reads depends on their order, though they do not race:
// one of them is volatile, and threads do not synchronise through the object. A detector of executions warns of such
// accesses of all memory.
func (a *analysis) leavesOpen(x, y *kernel.Item) bool {
	volatile := func(it *kernel.Item) bool { return it.Access.Inst.Sem == isa.SemVolatile }
	return !a.opt.ProofOnly && x.Object.Space == isa.SpaceShared && y.Object.Space == isa.SpaceShared &&
		x.Access.Writes() != y.Access.Writes() &&
		(volatile(x) || volatile(y)) && !synchronises(a.Model, x) && !synchronises(a.Model, y)
}

// synchronises reports whether threads of the kernel synchronise through the object of an access: by atomic operations,
// acquires or releases, or by reads that only decide what is done next.
func synchronises(m *kernel.Model, x *kernel.Item) bool {
	return slices.ContainsFunc(m.Items, func(it *kernel.Item) bool {
		in := it.Access.Inst
		if it.Object.Base != x.Object.Base {
			return false
		}
		return it.Access.Atomic() || in.Sem.Acquires() || in.Sem.Releases() || address.Deciding(in.Func)[in] ||
			address.Awaited(in.Func)[in]
	})
}

// leftOpen decides a pair of accesses that leave open what is read; nil if barriers order them, or if that is not
// decided.
func (a *analysis) leftOpen(x, y *kernel.Item) *Pair {
	p := a.start(x, y)
	for _, kind := range []kernel.Kind{kernel.IntraWarp, kernel.IntraBlock} {
		if f := a.decideKind(x, y, kind); f.verdict == Racy && !f.data {
			p.Verdict, p.Kind, p.Witness, p.LeftOpen = Racy, kind, f.witness, true
		} else {
			p.Wider = kind == kernel.IntraBlock && f.verdict != Clean
		}
	}
	if a.onlyFollowed(p, x, y); p.Verdict != Racy {
		return nil
	}
	p.Verdict, p.Kinds, p.Cause = Possible, []kernel.Kind{p.Kind}, cause(a.Model, x, y, p.Kind)
	return p
}
