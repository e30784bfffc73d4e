package precise

import (
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// explain says which edge of the model is missing and how to make it, where more is
// known than the cause. It is called when the second access happens.
func (d *Detector) explain(f *finding) {
	x, y := &d.whats[f.first], &d.whats[f.second]
	apart, scope := d.apart(f)
	switch {
	case f.cause == "missing-fence" && x.needsProxyFence(y):
		f.missing = "a proxy fence: the asynchronous proxy need not see what the generic proxy wrote"
		f.hint = "fence.proxy.async after the first access, before what tells the second thread of it"
	case f.cause == "not-strong":
		f.missing = fmt.Sprintf("complete overlap: operations on %d and %d bytes are not morally strong", x.scalar, y.scalar)
		f.hint = "access the location with one size"
	case f.cause == "insufficient-atomic-scope":
		f.missing = fmt.Sprintf("a scope of both accesses that includes the other thread, which is %s: %s", apart, d.narrowOf(f))
		f.hint = fmt.Sprintf("use scope %s for both (.%[1]s in PTX)", scope)
	case f.cause == "insufficient-fence-scope":
		f.fence = d.narrowFence(f).site
		f.missing = fmt.Sprintf("a %s-scope fence or release: the second thread is %s, and the first has executed only narrower ones since its access", scope, apart)
	case d.unacquired(f):
		f.missing = "an acquire: the second thread has observed what the first released, but no acquire or fence that reaches the first stands before its access"
		f.hint = fmt.Sprintf("ld.acquire.%s in place of the read that observes it, or fence.acq_rel.%[1]s (__threadfence) after that read", scope)
	}
}

// apart says where the second thread is as the first sees it, and the least scope that
// includes both.
func (d *Detector) apart(f *finding) (where, scope string) {
	p, q := d.placeOf(f.firstUnit), d.placeOf(f.secondUnit)
	switch {
	case p.within(reachBlock, q):
		return "in the same block", "cta"
	case p.within(reachCluster, q):
		return "in another block of its cluster", "cluster"
	}
	return "in another block", "gpu"
}

// narrowOf says which of two strong accesses does not include the other thread.
func (d *Detector) narrowOf(f *finding) string {
	x, y := &d.whats[f.first], &d.whats[f.second]
	p, q := d.placeOf(f.firstUnit), d.placeOf(f.secondUnit)
	first, second := !p.within(x.reach, q), !q.within(y.reach, p)
	switch {
	case first && second:
		return fmt.Sprintf("the first is of scope %s, the second of scope %s", scopeNames[x.scope], scopeNames[y.scope])
	case first:
		return "the first is of scope " + scopeNames[x.scope]
	}
	return "the second is of scope " + scopeNames[y.scope]
}

var scopeNames = [...]string{abi.ScopeNone: "none", abi.ScopeCTA: "cta", abi.ScopeCluster: "cluster", abi.ScopeGPU: "gpu", abi.ScopeSys: "sys"}

// unacquired reports whether the second thread has observed a release that follows the
// first access, and all that is missing is an acquire.
func (d *Detector) unacquired(f *finding) bool {
	p := d.current.warp.pendingOf(int(f.secondLane))
	for _, c := range p.seen {
		if c != nil && c.known.known(f.firstUnit, int(f.firstLane)) >= f.since {
			return true
		}
	}
	return false
}
