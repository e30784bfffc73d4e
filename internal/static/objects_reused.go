// The memory of mbarriers: while one is valid, using its bytes as data, and initialising one there again, are faults
// (PTX ISA, "Lifecycle of the mbarrier object"), so that pairs of such accesses are not proved by the order of their
// threads alone.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// reused opens a proved pair of the initialisation of an mbarrier and an access that may be to its bytes while it is
// valid. If it is whenever a thread comes to it, that is a fault, of an undecided pair too.
func (a *analysis) reused(p *Pair, x, y *item) {
	for _, by := range [][2]*item{{x, y}, {y, x}} {
		init, it := by[0], by[1]
		if p.Verdict == Racy || p.Fault != 0 || init.acc.Inst.Mbarrier() != isa.MbarrierInit || ofObject(it) {
			continue
		}
		if p.Verdict == Clean {
			needed, apart := a.apartFromObject(init, it)
			p.Needed = append(p.Needed, needed...)
			slices.Sort(p.Needed)
			if p.Needed = slices.Compact(p.Needed); apart || a.beforeObject(init, it) || a.endedBetween(init, it) {
				continue
			}
			p.open(fmt.Sprintf("the access at %s may be to the mbarrier that is initialised at %s, and valid",
				where(it.acc.Inst), where(init.acc.Inst)))
		}
		if a.alwaysReuses(init, it) {
			why := fmt.Sprintf("the access at %s is to the mbarrier that is initialised at %s, and valid",
				where(it.acc.Inst), where(init.acc.Inst))
			p.open(why)
			p.Fault = it.acc.Inst.Line
			a.fault(it.acc.Inst, why, it.formulas(1))
		}
	}
}

// initialises reports whether one of two accesses is the initialisation of an mbarrier.
func initialises(x, y *item) bool {
	return x.acc.Inst.Mbarrier() == isa.MbarrierInit || y.acc.Inst.Mbarrier() == isa.MbarrierInit
}

// ofObject reports whether an access is by an operation on an mbarrier, other than its initialisation.
func ofObject(it *item) bool {
	m := it.acc.Inst.Mbarrier()
	return m != isa.MbarrierNone && m != isa.MbarrierInit || it.acc.Inst.SignalsAt(it.acc.Access)
}

// apartFromObject reports whether no thread of a block makes an access to the bytes of an mbarrier that one
// initialises, and with which facts.
func (m contents) apartFromObject(init, it *item) ([]string, bool) {
	rel, distance, needed := m.relate(init, it)
	if rel != related {
		return needed, rel == apart
	}
	m.findWraps(init)
	m.findWraps(it)
	q := &conflict{
		m: m, x: init, y: it, kind: anyThread, order: expr.True, distance: distance,
		bytes: true,
	}
	goal := append(append(init.formulas(1), it.formulas(2)...), append(m.Ranges(1), m.Ranges(2)...)...)
	goal = append(goal, q.overlap(init.addr.Instance(1), it.addr.Instance(2)))
	if init == it {
		goal = append(goal, m.otherExecution(it))
	}
	for i := range goal {
		goal[i] = q.oneBlock(goal[i])
	}
	r := q.solve(goal, q.bounds(), query.Cheap|query.NoModel)
	return append(needed, q.used(r.Core)...), r.Unsat
}

// otherExecution is the condition that two executions of an instruction are by two threads, or in two iterations of the
// loops around it.
func (m *model) otherExecution(it *item) *expr.Bool {
	ways := []*expr.Bool{different(anyThread)}
	for _, l := range it.acc.Frame.LoopsAround(it.acc.Frame.Block(it.acc.Inst)) {
		ways = append(ways, expr.Ne(l.Round.Instance(1), l.Round.Instance(2)))
	}
	return expr.Any(ways...)
}

// beforeObject reports whether an access comes before the initialisation of an mbarrier: control never passes from this
// to the access, so that a barrier between them is behind the access.
func (m *model) beforeObject(init, it *item) bool {
	root := m.kernel.Root
	return init.acc.Frame == root && it.acc.Frame == root && init != it && !async(it) &&
		!root.Leads(init.acc.Inst, it.acc.Inst, func(*rewrite.Inst) bool { return false })
}

// endedBetween reports whether a thread that initialises an mbarrier ends its life before control comes to an access.
func (m *model) endedBetween(init, it *item) bool {
	root := m.kernel.Root
	if init.acc.Frame != root || it.acc.Frame != root {
		return false
	}
	ends := make(map[*rewrite.Inst]bool)
	for _, v := range m.items {
		if v.acc.Inst.Mbarrier() == isa.MbarrierInval && v.acc.Frame == root && v.addr.Equal(init.addr) &&
			init.addr.Uniform() {
			m.markEnd(ends, init, v.acc.Inst)
		}
	}
	return len(ends) > 0 && !root.Leads(init.acc.Inst, it.acc.Inst, func(in *rewrite.Inst) bool { return ends[in] })
}

// markEnd marks the instruction from which on a thread that has initialised an mbarrier executes an inval of it: that
// itself, or the branch that leads to its basic block alone.
func (m *model) markEnd(ends map[*rewrite.Inst]bool, init *item, inval *rewrite.Inst) {
	root := m.kernel.Root
	if inval.Guard != nil && !m.implies(init, root.Guard(inval)) {
		return
	}
	ends[inval] = true
	if branch, taken := root.Arm(inval); branch != nil && m.implies(init, taken) {
		ends[branch] = true
	}
}

// implies reports whether a condition holds in each thread that makes an access, at any time: it depends on no loops
// and on no memory.
func (m *model) implies(it *item, c *expr.Bool) bool {
	changes := func(v expr.Variable) bool { return m.kernel.Origin(v.Name) != nil }
	return !slices.ContainsFunc(c.Vars(), changes) && c.Kind() != expr.KindMaybe &&
		m.Solve(append(append(it.formulas(1), m.Ranges(1)...), expr.Not(c).Instance(1)), nil, query.Cheap|query.NoModel).Unsat
}

// executesBefore reports whether a thread that makes an access has executed an instruction before: control passes
// through its basic block, or through a branch that leads there in each thread that makes the access.
func (m *model) executesBefore(in *rewrite.Inst, it *item) bool {
	root, g := m.kernel.Root, m.kernel.Root.Func.CFG()
	at, to := root.Block(in), root.Block(it.acc.Inst)
	switch {
	case in.Guard != nil:
		return false
	case at == to:
		return in.Index < it.acc.Inst.Index
	case g.Dominates(at, to):
		return true
	}
	branch, taken := root.Arm(in)
	return branch != nil && root.Block(branch) != to && g.Dominates(root.Block(branch), to) && m.implies(it, taken)
}

// alwaysReuses reports whether an access is to the bytes of an mbarrier that the same thread has initialised before,
// and that nothing ends.
func (m contents) alwaysReuses(init, it *item) bool {
	root := m.kernel.Root
	for _, v := range m.items {
		if v.acc.Inst.Mbarrier() == isa.MbarrierInval {
			return false
		}
	}
	if init == it || init.acc.Frame != root || it.acc.Frame != root || async(it) || it.acc.Size == 0 ||
		!m.executesBefore(init.acc.Inst, it) {
		return false
	}
	rel, distance, _ := m.relate(init, it)
	if rel != related {
		return false
	}
	q := &conflict{
		m: m, x: init, y: it, kind: anyThread, order: expr.True, distance: distance,
		bytes: true,
	}
	meet := q.overlap(init.addr.Instance(1), it.addr.Instance(1))
	goal := append(append(init.formulas(1), it.formulas(1)...), append(m.Ranges(1), expr.Not(meet))...)
	return m.Solve(goal, nil, query.Cheap|query.NoModel).Unsat
}
