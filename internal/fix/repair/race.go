// Candidates for the repair of a race, by what is missing.

package repair

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Race is a pair of racing accesses in the module to be repaired.
type Race struct {
	Kernel        *rewrite.Func // executes the accesses, directly or by calls; nil if unknown
	First, Second *rewrite.Inst
	Kind          detect.Kind
	Cause         detect.Cause
	Shared        bool
	Compared      bool // the final contents of the location are compared
	Checks        bool // a thread reads to see whether to execute an atomic operation, which decides in any case
	// Fence is the fence or barrier that does not suffice. Publish is the write and Observe the read through which the
	// threads communicate. They are nil if unknown.
	Fence, Publish, Observe *rewrite.Inst
	// Unlocked is the access under no lock if the other one is under a lock; nil if unknown.
	Unlocked *rewrite.Inst
}

// Scope returns the scope that includes both threads of the race.
func (r *Race) Scope() isa.Scope {
	switch {
	case r.Kind != detect.InterBlock:
		return isa.ScopeCTA
	case r.Shared:
		return isa.ScopeCluster
	}
	return isa.ScopeGPU
}

// SameAccesses reports whether two races are of the same accesses.
func (r *Race) SameAccesses(o *Race) bool {
	return r.First == o.First && r.Second == o.Second || r.First == o.Second && r.Second == o.First
}

// Costs of edits outside loops.
const (
	costStrong      = 2
	costWarpBarrier = 3
	costTensorFence = 3
	costWait        = 4
	costOrder       = 5 // release or acquire with block scope
	costFence       = 6 // with block scope
	costBarrier     = 8
	costAtomic      = 10
	costOwnBarrier  = 16 // initialises an mbarrier and waits for it
	costCluster     = 20
	costGrid        = 60
	costSplit       = 70
	wider           = 3   // factor for a scope wider than the block
	unnamed         = 1   // added if the detector does not report the place
	doubtful        = 4   // added if races of this cause are usually repaired otherwise
	loopFactor      = 8   // for each loop level
	maxCost         = 1e6 // of one edit
)

// Candidates returns edits that may help to repair the race, cheapest first.
func Candidates(r *Race, origins *Origins) []*Edit {
	p := &proposer{
		r: r, at: newPlaces(r.First.Func), seen: make(map[string]bool), origins: origins,
		others: make(map[*rewrite.Func]*places),
	}
	p.propose()
	list := p.spread(p.list)
	Sort(list)
	return list
}

// propose collects the candidates.
func (p *proposer) propose() {
	r := p.r
	if r.First.Func != r.Second.Func { // no path leads from one to the other
		p.strong()
		p.messages()
		p.scopes()
		p.aroundCalls()
		return
	}
	if r.First.Proxy() != r.Second.Proxy() {
		p.proxyFences()
	}
	if asynchronous(r.First) || asynchronous(r.Second) {
		p.waits()
	}
	p.tensor()
	switch r.Cause {
	case detect.NotStrong:
		p.strong()
		p.atomic()
	case detect.InsufficientAtomicScope:
		p.scopes()
	case detect.InsufficientFenceScope, detect.MissingFence, detect.WeakOutcome:
		p.wideMbarriers()
		p.messages()
		p.scopes()
	case detect.NotReadOnly:
		p.coherent()
	case detect.MissingLock:
		p.lock()
		p.atomic()
		p.messages()
	}
	if r.Checks && r.Cause != detect.NotStrong {
		p.strong()
	}
	p.moveSignals()
	p.oneThread()
	p.barriers()
	p.gridBarriers()
	p.splits()
	p.aroundCalls()
	if r.Cause == detect.MissingBarrier || r.Cause == detect.MissingWarpSync ||
		r.Cause == detect.InsufficientAtomicScope {
		p.messages()
		p.atomic()
	}
}

// proposer collects the candidates for a race.
type proposer struct {
	r    *Race
	at   *places
	list []*Edit
	seen map[string]bool
	// origins and others, the places of other functions than that of at, are for copies of edits.
	origins *Origins
	others  map[*rewrite.Func]*places
}

// add adds an edit, with the cost for one execution.
func (p *proposer) add(op Op, cost int, advice string, changes ...Change) *Edit {
	w := 1
	for _, c := range changes {
		w = max(w, p.at.weight(c.At))
	}
	e := &Edit{Op: op, Changes: changes, Cost: min(cost*w, maxCost), Advice: advice}
	if k := e.Key(); !p.seen[k] && !slices.ContainsFunc(changes, p.silences) {
		p.seen[k] = true
		p.list = append(p.list, e)
	}
	return e
}

// silences reports whether a change makes one of two strong accesses to data a release or an acquire. That does not
// order the two, but the location then counts as one through which threads synchronise.
func (p *proposer) silences(c Change) bool {
	r := p.r
	if r == nil { // an order alone is asked for
		return false
	}
	unfenced := r.Cause == detect.MissingFence || r.Cause == detect.WeakOutcome
	own := c.Place == Strengthen && (c.At == r.First || c.At == r.Second) && (c.Sem.Acquires() || c.Sem.Releases())
	return unfenced && own && r.First.Strong() && r.Second.Strong()
}

// awaited marks a wait for an operation as named if the detector reports that it is missing.
func (p *proposer) awaited(e *Edit) { e.Named = p.r.Cause == detect.MissingAsyncWait }

// scaled returns a cost for block scope scaled to the scope of the race.
func (p *proposer) scaled(cost int) int {
	if p.r.Scope() > isa.ScopeCTA {
		return cost * wider
	}
	return cost
}
