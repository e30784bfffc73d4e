// Volatile accesses to shared memory that nothing orders: no data race of the model, but it is open what is read.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// leavesOpen reports whether the value that one of two accesses reads depends on their order, though they do not race:
// one of them is volatile, and threads do not synchronise through the object. A detector of executions warns of such
// accesses of all memory.
func (a *analysis) leavesOpen(x, y *item) bool {
	volatile := func(it *item) bool { return it.acc.Inst.Sem == isa.SemVolatile }
	return !a.opt.ProofOnly && x.obj.space == isa.SpaceShared && y.obj.space == isa.SpaceShared &&
		x.acc.Writes() != y.acc.Writes() &&
		(volatile(x) || volatile(y)) && !a.synchronises(x) && !a.synchronises(y)
}

// synchronises reports whether threads of the kernel synchronise through the object of an access: by atomic operations,
// acquires or releases, or by reads that only decide what is done next.
func (m *model) synchronises(x *item) bool {
	return slices.ContainsFunc(m.items, func(it *item) bool {
		in := it.acc.Inst
		if it.obj.base != x.obj.base {
			return false
		}
		return it.acc.Atomic() || in.Sem.Acquires() || in.Sem.Releases() || address.Deciding(in.Func)[in] ||
			address.Awaited(in.Func)[in]
	})
}

// leftOpen decides a pair of accesses that leave open what is read; nil if barriers order them, or if that is not
// decided.
func (a *analysis) leftOpen(x, y *item) *Pair {
	p := a.start(x, y)
	for _, kind := range []Kind{IntraWarp, IntraBlock} {
		if f := a.decideKind(x, y, kind); f.verdict == Racy && !f.data {
			p.Verdict, p.Kind, p.Witness, p.LeftOpen = Racy, kind, f.witness, true
		} else {
			p.Wider = kind == IntraBlock && f.verdict != Clean
		}
	}
	if a.onlyFollowed(p, x, y); p.Verdict != Racy {
		return nil
	}
	p.Verdict, p.Kinds, p.Cause = Possible, []Kind{p.Kind}, a.cause(x, y, p.Kind)
	return p
}
