// The search tree of the exhaustive strategy, and the happens-before order of a run's steps.

package explore

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
)

// node is a state before a step that runs of All pass through.
type node struct {
	parent *node
	depth  int
	via    emu.Thread   // the thread that stepped from parent to here
	able   []emu.Thread // threads that can run, ascending
	sleep  []sleepEntry // sleep set: threads that need not run here
	trials []*trial     // threads that run here, or have run
	wanted []emu.Thread // threads that have to run here at some time
}

// sleepEntry is a thread whose next step has been explored from a state that differs only by steps that commute with
// it.
type sleepEntry struct {
	thread emu.Thread
	foot   *footprint // footprint of that step
}

// trial is the step of a thread from a node.
type trial struct {
	thread emu.Thread
	foot   *footprint // nil until it is known
}

// try starts a trial.
func (n *node) try(t emu.Thread) *trial {
	x := &trial{thread: t}
	n.trials = append(n.trials, x)
	return x
}

func (n *node) asleep(t emu.Thread) bool {
	return slices.ContainsFunc(n.sleep, func(s sleepEntry) bool { return s.thread == t })
}

// sleepers returns the sleep set after a trial has begun: the sleep set of the node, and the earlier trials.
func (n *node) sleepers(begun *trial) []sleepEntry {
	list := slices.Clone(n.sleep)
	for _, t := range n.trials {
		if t != begun && t.foot != nil {
			list = append(list, sleepEntry{t.thread, t.foot})
		}
	}
	return list
}

// path returns the nodes from the root to n.
func (n *node) path() []*node {
	list := make([]*node, n.depth+1)
	for ; n != nil; n = n.parent {
		list[n.depth] = n
	}
	return list
}

// covered reports whether one of the threads has run here, will run, or need not run.
func (n *node) covered(list []emu.Thread) bool {
	for _, t := range list {
		if n.asleep(t) || slices.Contains(n.wanted, t) || n.tried(t) {
			return true
		}
	}
	return false
}

func (n *node) tried(t emu.Thread) bool {
	return slices.ContainsFunc(n.trials, func(x *trial) bool { return x.thread == t })
}

// want makes one of some threads run here, preferably the last; if none of them can run here, all threads that can. It
// appends the branches to list.
func (n *node) want(some []emu.Thread, list []branch) []branch {
	if n.covered(some) {
		return list
	}
	able := slices.DeleteFunc(slices.Clone(some), func(t emu.Thread) bool { return !slices.Contains(n.able, t) })
	if len(able) > 0 {
		able = able[len(able)-1:]
	} else {
		able = n.able
	}
	for _, t := range able {
		if !n.covered([]emu.Thread{t}) {
			n.wanted = append(n.wanted, t)
			list = append(list, branch{n, t})
		}
	}
	return list
}

// clock is a vector clock: for each thread, by its number, the number of its steps that happen before an event.
type clock []int32

func (c clock) join(d clock) {
	for i, n := range d {
		c[i] = max(c[i], n)
	}
}

// order is the happens-before order of the steps of a run: program order, the order of conflicting steps, and the order
// by synchronisation.
type order struct {
	steps  []step
	number map[emu.Thread]int
	nth    []int32 // of each step, its index among those of its thread, from 1
	clocks []clock // clock of each step, including itself
	// For points where threads wait for all others: the steps that happen before the end of a phase.
	phases map[phase]clock
	counts map[phase]uint64     // arrivals of a thread, by phase.at, number and thread
	gained map[emu.Thread]clock // steps that happen before the next step of a thread, by synchronisation
}

// phase is the nth completion of a meeting; as a key of counts, it is a meeting and a thread.
type phase struct {
	at     object
	number uint64
	nth    uint64
	thread emu.Thread
}

// reversals finds the pairs of steps that could have happened in the other order, and returns the branches, at nodes of
// the run, that reverse them. It omits pairs of steps that were known before.
func (g *allRun) reversals() (list []branch) {
	o := newOrder(g.steps)
	for j := range g.steps {
		races := o.add(j)
		if j < g.known {
			continue
		}
		for _, i := range races {
			list = g.nodes[i].want(o.initials(i, j), list)
		}
	}
	return list
}

func newOrder(steps []step) *order {
	o := &order{
		steps: steps, number: map[emu.Thread]int{}, nth: make([]int32, len(steps)), clocks: make([]clock, len(steps)),
		phases: map[phase]clock{}, counts: map[phase]uint64{}, gained: map[emu.Thread]clock{},
	}
	for i := range steps {
		if _, ok := o.number[steps[i].thread]; !ok {
			o.number[steps[i].thread] = len(o.number)
		}
	}
	return o
}

// before reports whether step i happens before step k, or is the same.
func (o *order) before(i, k int) bool { return o.within(i, o.clocks[k]) }

func (o *order) within(i int, c clock) bool { return c[o.number[o.steps[i].thread]] >= o.nth[i] }

// add determines the steps that happen before step j. It returns the steps that conflict with it and precede it for no
// other reason.
func (o *order) add(j int) (races []int) {
	s := &o.steps[j]
	c := make(clock, len(o.number))
	self := o.number[s.thread]
	if s.enabler >= 0 {
		c.join(o.clocks[s.enabler])
	}
	c.join(o.gained[s.thread])
	delete(o.gained, s.thread)
	for i := j - 1; i >= 0 && o.steps[i].thread.Launch == s.thread.Launch; i-- {
		if o.steps[i].thread == s.thread {
			c.join(o.clocks[i])
			break
		}
	}
	for i := j - 1; i >= 0 && o.steps[i].thread.Launch == s.thread.Launch; i-- {
		if !o.within(i, c) && o.steps[i].foot.conflicts(s.foot) {
			races = append(races, i)
			c.join(o.clocks[i])
		}
	}
	o.nth[j] = c[self] + 1
	c[self]++
	o.clocks[j] = c
	for i := range s.meetings {
		o.meet(&s.meetings[i], c)
	}
	return races
}

// meet applies an arrival or a departure in a step with the clock c.
func (o *order) meet(m *conflict, c clock) {
	for _, t := range m.threads {
		key := phase{at: m.at, number: m.number, thread: t}
		switch m.kind {
		case meetingArrive:
			o.counts[key]++
			joinTo(o.phases, phase{at: m.at, number: m.number, nth: cmp.Or(m.nth, o.counts[key])}, c)
		case meetingLeave:
			joinTo(o.gained, t, o.phases[phase{at: m.at, number: m.number, nth: cmp.Or(m.nth, o.counts[key])}])
		}
	}
	if m.kind != meetingAll {
		return
	}
	all := slices.Clone(c)
	for _, t := range m.threads {
		if last := o.last(t); last >= 0 {
			all.join(o.clocks[last])
		}
	}
	for _, t := range m.threads {
		joinTo(o.gained, t, all)
	}
}

// last returns the last step so far of a thread, -1 if there is none.
func (o *order) last(t emu.Thread) int {
	for i := len(o.steps) - 1; i >= 0; i-- {
		if o.clocks[i] != nil && o.steps[i].thread == t {
			return i
		}
	}
	return -1
}

// joinTo joins c to a clock of a table, and adds the entry if it is missing.
func joinTo[K comparable](table map[K]clock, k K, c clock) {
	if c == nil {
		return
	}
	if table[k] == nil {
		table[k] = make(clock, len(c))
	}
	table[k].join(c)
}

// initials returns the threads that can make the first step of the steps between i and j that do not happen after i,
// and of j, in the order of their steps.
func (o *order) initials(i, j int) (list []emu.Thread) {
	var later []int
	for k := i + 1; k <= j; k++ {
		if k < j && o.before(i, k) {
			continue
		}
		t := o.steps[k].thread
		if !slices.Contains(list, t) && !slices.ContainsFunc(later, func(m int) bool {
			return o.steps[m].thread == t || o.before(m, k)
		}) {
			list = append(list, t)
		}
		later = append(later, k)
	}
	return list
}
