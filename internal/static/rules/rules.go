// The rules about pairs of accesses, in one list: each is an argument of its own, which a test can switch off.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
)

// rule is an argument about the two threads of a conflict. Proofs by formulas know indices, conditions and barriers
// alone; rules know what the PTX memory model says of atomic operations, fences and contents of memory.
type rule interface {
	// name is what [query.Options.Without] calls the rule.
	name() string
	// of returns what holds whenever the two threads make the accesses with nothing that orders them, and on what that
	// rests; nothing where the rule does not apply. A formula that is False says that they never do: it decides the
	// pair.
	of(q *Conflict) []known
}

// known is a formula, and what it needs.
type known struct {
	formula *expr.Bool
	needs   []string
}

// The rules, by when they are asked: with the first query of a pair; when formulas do not decide it, what orders it and
// then what is known of the values on which it depends; and for pairs with a bulk copy, before all formulas.
var (
	rulesOfFormulas = []rule{ticketRule{}, phaseRule{}, issueRule{}}
	rulesOfOrder    = []rule{lockRule{}, flagRule{}, phaseRule{}, counterRule{}}
	rulesOfValues   = []rule{constantRule{}, broadcastRule{}}
	rulesOfBulk     = []rule{phaseRule{}, issueRule{}}
)

// sidesOfOrder is the name of the case analysis by the order of places in an ascending allocation, which a test can
// switch off: see [Conflict.BySides].
const sidesOfOrder = "sides"

// Names returns the names of all rules, and of those of the model of a kernel.
func Names() []string {
	out := append(kernel.Rules(), sidesOfOrder)
	for _, list := range [][]rule{rulesOfFormulas, rulesOfOrder, rulesOfValues, rulesOfBulk} {
		for _, r := range list {
			out = append(out, r.name())
		}
	}
	return out
}

// says returns what rules say of a conflict.
func (q *Conflict) says(rules []rule) (out []known) {
	for _, r := range rules {
		if !q.Contents.Takes(r.name()) {
			continue
		}
		if list := r.of(q); len(list) > 0 {
			q.Contents.Applies(r.name())
			out = append(out, list...)
		}
	}
	return out
}

// InOrder returns what the first rule needs that says that something orders the two threads.
func (q *Conflict) InOrder() (needs []string, ok bool) { return q.decidedBy(rulesOfOrder) }

// BulkInOrder returns what the first rule about bulk copies needs that says that something orders the two threads.
func (q *Conflict) BulkInOrder() (needs []string, ok bool) { return q.decidedBy(rulesOfBulk) }

// decidedBy returns what the first of some rules needs that says that the two threads are in order.
func (q *Conflict) decidedBy(rules []rule) (needs []string, ok bool) {
	for i := range rules {
		for _, k := range q.says(rules[i : i+1]) {
			if k.formula == expr.False {
				return k.needs, true
			}
		}
	}
	return nil, false
}

// never returns that two threads are in order, if they are, by what is known of the kernel's synchronisation.
func (y *synchronisation) never(q *Conflict, ordered bool) []known {
	if !ordered {
		return nil
	}
	y.uses(q.tickets...)
	return []known{{expr.False, y.needs()}}
}

// ticketRule says that what atomic additions to one counter return is different in two threads. Read-modify-write
// operations on one location that are morally strong with each other are ordered, and each reads what the one before
// has written (PTX ISA, "Atomicity"), so that two results are at least one addend apart, as long as the counter does
// not come around to where it has been.
type ticketRule struct{}

func (ticketRule) name() string           { return "tickets" }
func (ticketRule) of(q *Conflict) []known { return q.distinct() }

// lockRule says that accesses under one lock do not race (HGRD, §6.5): critical sections follow each other, and
// accesses in one happen before those in the next. See [synchronisation.takesLock].
type lockRule struct{}

func (lockRule) name() string           { return "locks" }
func (lockRule) of(q *Conflict) []known { return q.Contents.sync.never(q, q.Contents.sync.locked(q)) }

// flagRule says that an access happens before one whose thread has waited for a value that only the first thread sets,
// after its access (HGRD, §6.5, producer and consumer).
type flagRule struct{}

func (flagRule) name() string { return "flags" }
func (flagRule) of(q *Conflict) []known {
	return q.Contents.sync.never(q, q.Contents.sync.orderedByFlag(q))
}

// phaseRule says that accesses before the arrivals for a phase of an mbarrier, and the bulk copies that it counts,
// precede accesses of threads of the block that have waited for it. See [phases].
type phaseRule struct{}

func (phaseRule) name() string { return "phases" }
func (phaseRule) of(q *Conflict) []known {
	y := q.Contents.sync
	if q.Kind == kernel.InterBlock || !y.hasPhases() {
		return nil
	}
	f := y.allPhases().unordered(q.X, q.Y)
	if f == expr.True {
		return nil
	}
	return []known{{f, y.needs()}}
}

// counterRule says that the accesses of a block before it increments a counter precede those of the block with the last
// increment after it, and that there is only one last block. See [counter].
type counterRule struct{}

func (counterRule) name() string { return "counters" }
func (counterRule) of(q *Conflict) []known {
	return q.Contents.sync.never(q, q.Contents.sync.counted(q))
}

// issueRule says that an access of a block precedes a bulk copy if a fence between the proxies follows it before the
// copy is issued, by the thread itself or behind a barrier. See [notIssuedAfter].
type issueRule struct{}

func (issueRule) name() string { return "issue of bulk copies" }
func (issueRule) of(q *Conflict) []known {
	if q.Kind == kernel.InterBlock || !q.X.Access.Bulk && !q.Y.Access.Bulk {
		return nil
	}
	f := expr.True
	if q.X.Access.Bulk {
		f = notIssuedAfter(q.Contents.Model, q.Y, q.X, q.Kind, 2)
	}
	if q.Y.Access.Bulk {
		f = expr.All(f, notIssuedAfter(q.Contents.Model, q.X, q.Y, q.Kind, 1))
	}
	if f == expr.True {
		return nil
	}
	return []known{{f, slices.Concat(q.X.Needs(), q.Y.Needs())}}
}

// constantRule says that loads from one address return one value where the kernel does not write to the object, or, for
// those of one thread, where no thread writes between them; and what facts say of the order of elements.
type constantRule struct{}

func (constantRule) name() string           { return "constant loads" }
func (constantRule) of(q *Conflict) []known { return q.eachPair(q.equalLoads) }

// broadcastRule says that values in shared memory which one thread of each block makes of the result of an atomic
// addition, and which the others load behind a barrier, are different in different blocks, as the results are.
type broadcastRule struct{}

func (broadcastRule) name() string           { return "broadcast tickets" }
func (broadcastRule) of(q *Conflict) []known { return q.broadcasts(q.sites()) }
