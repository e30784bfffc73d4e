// The memory of mbarriers: while one is valid, using its bytes as data, and initialising one there again, are faults
// (PTX ISA, "Lifecycle of the mbarrier object"), so that pairs of such accesses are not proved by the order of their
// threads alone.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// reused opens a proved pair of the initialisation of an mbarrier and an access that may be to its bytes while it is
// valid. If it is whenever a thread comes to it, that is a fault, of an undecided pair too.
func (a *analysis) reused(p *Pair, x, y *kernel.Item) {
	for _, by := range [][2]*kernel.Item{{x, y}, {y, x}} {
		init, it := by[0], by[1]
		if p.Verdict == Racy || p.Fault != 0 || init.Access.Inst.Mbarrier() != isa.MbarrierInit || ofObject(it) {
			continue
		}
		if p.Verdict == Clean {
			needed, apart := apartFromObject(a.Contents, init, it)
			p.Needed = append(p.Needed, needed...)
			slices.Sort(p.Needed)
			if p.Needed = slices.Compact(p.Needed); apart || beforeObject(a.Model, init, it) ||
				endedBetween(a.Model, init, it) {
				continue
			}
			p.open(fmt.Sprintf("the access at %s may be to the mbarrier that is initialised at %s, and valid",
				kernel.Where(it.Access.Inst), kernel.Where(init.Access.Inst)))
		}
		if alwaysReuses(a.Contents, init, it) {
			why := fmt.Sprintf("the access at %s is to the mbarrier that is initialised at %s, and valid",
				kernel.Where(it.Access.Inst), kernel.Where(init.Access.Inst))
			p.open(why)
			p.Fault = it.Access.Inst.Line
			a.fault(it.Access.Inst, why, it.Formulas(1))
		}
	}
}

// initialises reports whether one of two accesses is the initialisation of an mbarrier.
func initialises(x, y *kernel.Item) bool {
	return x.Access.Inst.Mbarrier() == isa.MbarrierInit || y.Access.Inst.Mbarrier() == isa.MbarrierInit
}

// ofObject reports whether an access is by an operation on an mbarrier, other than its initialisation.
func ofObject(it *kernel.Item) bool {
	m := it.Access.Inst.Mbarrier()
	return m != isa.MbarrierNone && m != isa.MbarrierInit || it.Access.Inst.SignalsAt(it.Access.Access)
}

// apartFromObject reports whether no thread of a block makes an access to the bytes of an mbarrier that one
// initialises, and with which facts.
func apartFromObject(m rules.Contents, init, it *kernel.Item) ([]string, bool) {
	rel, distance, needed := m.Relate(init, it)
	if rel != kernel.Related {
		return needed, rel == kernel.Apart
	}
	m.FindWraps(init)
	m.FindWraps(it)
	q := &rules.Conflict{
		Contents: m, X: init, Y: it, Kind: kernel.AnyThread, Order: expr.True, Distance: distance,
		Bytes: true,
	}
	goal := append(append(init.Formulas(1), it.Formulas(2)...), append(m.Ranges(1), m.Ranges(2)...)...)
	goal = append(goal, q.Overlap(init.Addr.Instance(1), it.Addr.Instance(2)))
	if init == it {
		goal = append(goal, otherExecution(it))
	}
	for i := range goal {
		goal[i] = q.OneBlock(goal[i])
	}
	r := q.Solve(goal, q.Bounds(), query.Cheap|query.NoModel)
	return append(needed, q.Used(r.Core)...), r.Unsat
}

// otherExecution is the condition that two executions of an instruction are by two threads, or in two iterations of the
// loops around it.
func otherExecution(it *kernel.Item) *expr.Bool {
	ways := []*expr.Bool{kernel.Different(kernel.AnyThread)}
	for _, l := range it.Access.Frame.LoopsAround(it.Access.Frame.Block(it.Access.Inst)) {
		ways = append(ways, expr.Ne(l.Round.Instance(1), l.Round.Instance(2)))
	}
	return expr.Any(ways...)
}

// beforeObject reports whether an access comes before the initialisation of an mbarrier: control never passes from this
// to the access, so that a barrier between them is behind the access.
func beforeObject(m *kernel.Model, init, it *kernel.Item) bool {
	root := m.Kernel.Root
	return init.Access.Frame == root && it.Access.Frame == root && init != it && !kernel.Async(it) &&
		!root.Leads(init.Access.Inst, it.Access.Inst, func(*rewrite.Inst) bool { return false })
}

// endedBetween reports whether a thread that initialises an mbarrier ends its life before control comes to an access.
func endedBetween(m *kernel.Model, init, it *kernel.Item) bool {
	root := m.Kernel.Root
	if init.Access.Frame != root || it.Access.Frame != root {
		return false
	}
	ends := make(map[*rewrite.Inst]bool)
	for _, v := range m.Items {
		if v.Access.Inst.Mbarrier() == isa.MbarrierInval && v.Access.Frame == root && v.Addr.Equal(init.Addr) &&
			init.Addr.Uniform() {
			markEnd(m, ends, init, v.Access.Inst)
		}
	}
	return len(ends) > 0 && !root.Leads(init.Access.Inst, it.Access.Inst,
		func(in *rewrite.Inst) bool { return ends[in] })
}

// markEnd marks the instruction from which on a thread that has initialised an mbarrier executes an inval of it: that
// itself, or the branch that leads to its basic block alone.
func markEnd(m *kernel.Model, ends map[*rewrite.Inst]bool, init *kernel.Item, inval *rewrite.Inst) {
	root := m.Kernel.Root
	if inval.Guard != nil && !implies(m, init, root.Guard(inval)) {
		return
	}
	ends[inval] = true
	if branch, taken := root.Arm(inval); branch != nil && implies(m, init, taken) {
		ends[branch] = true
	}
}

// implies reports whether a condition holds in each thread that makes an access, at any time: it depends on no loops
// and on no memory.
func implies(m *kernel.Model, it *kernel.Item, c *expr.Bool) bool {
	changes := func(v expr.Variable) bool { return m.Kernel.Origin(v.Name) != nil }
	return !slices.ContainsFunc(c.Vars(), changes) && c.Kind() != expr.KindMaybe &&
		m.Solve(append(append(it.Formulas(1), m.Ranges(1)...), expr.Not(c).Instance(1)), nil,
			query.Cheap|query.NoModel).Unsat
}

// executesBefore reports whether a thread that makes an access has executed an instruction before: control passes
// through its basic block, or through a branch that leads there in each thread that makes the access.
func executesBefore(m *kernel.Model, in *rewrite.Inst, it *kernel.Item) bool {
	root, g := m.Kernel.Root, m.Kernel.Root.Func.CFG()
	at, to := root.Block(in), root.Block(it.Access.Inst)
	switch {
	case in.Guard != nil:
		return false
	case at == to:
		return in.Index < it.Access.Inst.Index
	case g.Dominates(at, to):
		return true
	}
	branch, taken := root.Arm(in)
	return branch != nil && root.Block(branch) != to && g.Dominates(root.Block(branch), to) && implies(m, it, taken)
}

// alwaysReuses reports whether an access is to the bytes of an mbarrier that the same thread has initialised before,
// and that nothing ends.
func alwaysReuses(m rules.Contents, init, it *kernel.Item) bool {
	root := m.Kernel.Root
	for _, v := range m.Items {
		if v.Access.Inst.Mbarrier() == isa.MbarrierInval {
			return false
		}
	}
	if init == it || init.Access.Frame != root || it.Access.Frame != root || kernel.Async(it) || it.Access.Size == 0 ||
		!executesBefore(m.Model, init.Access.Inst, it) {
		return false
	}
	rel, distance, _ := m.Relate(init, it)
	if rel != kernel.Related {
		return false
	}
	q := &rules.Conflict{
		Contents: m, X: init, Y: it, Kind: kernel.AnyThread, Order: expr.True, Distance: distance,
		Bytes: true,
	}
	meet := q.Overlap(init.Addr.Instance(1), it.Addr.Instance(1))
	goal := append(append(init.Formulas(1), it.Formulas(1)...), append(m.Ranges(1), expr.Not(meet))...)
	return m.Solve(goal, nil, query.Cheap|query.NoModel).Unsat
}
