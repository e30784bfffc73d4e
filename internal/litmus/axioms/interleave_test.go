// Sequentially consistent executions: the interleavings of the threads, computed without the axioms.

package axioms

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/litmus"
)

// Interleave computes the final states of all interleavings of the threads' instructions, and whether one of these
// executions has a data race by the manual's definition; Races stays empty. A thread comes to a label at most bound
// times. Interleavings in which threads wait for ever have no final state; Hangs says that there are some.
func Interleave(t *litmus.Test, bound int) (*Interleavings, error) {
	name, err := namer(t)
	if err != nil {
		return nil, err
	}
	m := &machine{
		test: t, wide: t.Wide(), bound: bound, name: name, seen: map[string]bool{},
		verdict: &Interleavings{Verdict: Verdict{Outcomes: map[string]litmus.State{}}},
	}
	s := &machineState{memory: map[*litmus.Location][]cell{}}
	for _, l := range t.Locations {
		if l.Of == nil {
			w := &event{kind: write, thread: -1, at: l, address: l, hi: l.Size, value: constant(l.Initial)}
			for i := range l.Size {
				s.memory[l] = append(s.memory[l], cell{byte(l.Initial >> (8 * i)), w})
			}
		}
	}
	for _, th := range t.Threads {
		x := threadState{registers: map[string]int64{}, visits: map[string]int{}}
		for _, r := range th.Registers() {
			x.registers[r] = narrow(th.Initial[r], m.wide)
		}
		s.threads = append(s.threads, x)
	}
	m.run(s)
	return m.verdict, m.err
}

// Interleavings is what the interleavings of a test's threads come to.
type Interleavings struct {
	Verdict
	Hangs bool // some interleaving waits for ever
}

// machine explores the interleavings.
type machine struct {
	test    *litmus.Test
	wide    bool
	bound   int
	name    func(*litmus.Thread, *litmus.Instruction) rendezvous
	seen    map[string]bool
	verdict *Interleavings
	err     error
}

// cell is a byte of memory and the write that it is from.
type cell struct {
	value byte
	from  *event
}

// machineState is a state of all threads. Steps make new ones.
type machineState struct {
	memory  map[*litmus.Location][]cell
	threads []threadState
	fences  []*event // fence.sc operations in their order
}

// threadState is the state of a thread.
type threadState struct {
	pc        int
	registers map[string]int64
	visits    map[string]int
	events    []*event
	from      map[*event][]source
	log       string // of the events and what they read, for names of states
	stopped   bool   // at the bound of a loop
}

// maxStates is the largest number of states of a test.
const maxStates = 2_000_000

func (m *machine) run(s *machineState) {
	if m.err != nil || m.known(s) {
		return
	}
	moved, waiting := false, false
	for i := range s.threads {
		th := &s.threads[i]
		switch {
		case m.waits(s, i):
			waiting = true
		case th.stopped:
			m.verdict.Cut = true
			return
		case th.pc < len(m.test.Threads[i].Instructions):
			moved = true
			next := s.fork(i)
			m.step(next, i)
			m.run(next)
		}
	}
	switch {
	case moved:
	case waiting:
		m.verdict.Hangs = true
	default:
		m.end(s)
	}
}

// known reports whether a state has been seen before, and remembers it.
func (m *machine) known(s *machineState) bool {
	var b strings.Builder
	for i := range s.threads {
		fmt.Fprintf(&b, "%d%s|", s.threads[i].pc, s.threads[i].log)
	}
	for _, f := range s.fences {
		fmt.Fprintf(&b, "%d,", f.thread)
	}
	for _, l := range m.test.Locations {
		for _, c := range s.memory[l] {
			b.WriteString(eventName(c.from))
		}
	}
	key := b.String()
	if m.seen[key] {
		return true
	}
	m.seen[key] = true
	if len(m.seen) > maxStates {
		m.err = ErrTooLarge
	}
	return m.err != nil
}

// eventName names an event among those of all interleavings: by its thread and number there.
func eventName(e *event) string { return fmt.Sprintf("%d.%d;", e.thread, e.index) }

// fork returns a copy in which thread i can take a step.
func (s *machineState) fork(i int) *machineState {
	c := &machineState{
		memory: maps.Clone(s.memory), threads: slices.Clone(s.threads),
		fences: s.fences[:len(s.fences):len(s.fences)],
	}
	th := &c.threads[i]
	th.registers, th.visits, th.from = maps.Clone(th.registers), maps.Clone(th.visits), maps.Clone(th.from)
	th.events = th.events[:len(th.events):len(th.events)]
	return c
}

// waits reports whether thread i waits at a barrier that others have not come to as often.
func (m *machine) waits(s *machineState, i int) bool {
	list := s.threads[i].events
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	if last.kind != barrier || !last.waits {
		return false
	}
	round, arrived := 0, 0
	for _, e := range list {
		if e.kind == barrier && e.barrier.name == last.barrier.name {
			round++
		}
	}
	for j := range s.threads {
		n := 0
		for _, e := range s.threads[j].events {
			if e.kind == barrier && e.barrier.name == last.barrier.name {
				n++
			}
		}
		if n >= round {
			arrived++
		}
	}
	return arrived < last.barrier.expects
}

func (th *threadState) operand(v litmus.Value) int64 {
	if v.Reg == "" {
		return v.Num
	}
	return th.registers[v.Reg]
}

func (th *threadState) add(e *event) {
	e.index = len(th.events)
	th.events = append(th.events, e)
}

// step executes the next instruction of thread i.
func (m *machine) step(s *machineState, i int) {
	th := &s.threads[i]
	code := m.test.Threads[i].Instructions
	in := code[th.pc]
	th.pc++
	switch in.Op {
	case litmus.Load, litmus.Store, litmus.Atom, litmus.Red:
		m.access(s, i, in)
	case litmus.Fence:
		e := &event{
			kind: fence, thread: i, in: in, strong: true, scope: in.Scope, acquires: true, releases: true,
			sc: in.Sem == "sc",
		}
		if th.add(e); e.sc {
			s.fences = append(s.fences, e)
		}
	case litmus.ProxyFence:
		th.add(&event{kind: proxyFence, thread: i, in: in, proxy: in.Proxy})
	case litmus.Barrier:
		th.add(&event{
			kind: barrier, thread: i, in: in, barrier: m.name(m.test.Threads[i], in),
			waits: in.Func == "sync",
		})
	case litmus.Compute:
		n := th.operand(in.Args[0])
		if in.Func != "mov" {
			n = apply(in.Func, n, th.operand(in.Args[1]), m.wide)
		}
		th.registers[in.Dst] = narrow(n, m.wide)
	case litmus.Label:
		if th.visits[in.Label]++; th.visits[in.Label] > m.bound {
			th.stopped = true
		}
	case litmus.Goto:
		th.jump(code, in.Label)
	case litmus.Branch:
		if compare(in.Func, th.operand(in.Args[0]), th.operand(in.Args[1])) {
			th.jump(code, in.Label)
		}
	}
}

func (th *threadState) jump(code []*litmus.Instruction, label string) {
	for i, in := range code {
		if in.Op == litmus.Label && in.Label == label {
			th.pc = i
		}
	}
}

// access executes an access.
func (m *machine) access(s *machineState, i int, in *litmus.Instruction) {
	th := &s.threads[i]
	at := in.Loc.Memory()
	old := int64(0)
	if in.Op != litmus.Store {
		var word uint64
		for k, c := range s.memory[at][in.Off : in.Off+in.Size] {
			word |= uint64(c.value) << (8 * k)
		}
		old = loaded(word, in.Size)
	}
	succeeds := in.Func != "cas" || old == loaded(uint64(th.operand(in.Args[0])), in.Size)
	for _, e := range accesses(i, in, succeeds) {
		th.add(e)
		if e.kind == write {
			n := th.operand(in.Args[len(in.Args)-1])
			if in.Op != litmus.Store {
				n = apply(in.Func, old, n, m.wide)
			}
			e.value = constant(n)
			cells := slices.Clone(s.memory[at])
			for k := range in.Size {
				cells[in.Off+k] = cell{byte(n >> (8 * k)), e}
			}
			s.memory[at] = cells
			continue
		}
		if th.from == nil {
			th.from = map[*event][]source{}
		}
		th.log += "r"
		for k, c := range s.memory[at][in.Off : in.Off+in.Size] {
			lo := in.Off + k
			th.from[e] = append(th.from[e], source{lo, lo + 1, c.from})
			th.log += eventName(c.from)
		}
	}
	if in.Dst != "" {
		th.registers[in.Dst] = old
	}
}

// end records a final state and the races of its execution.
func (m *machine) end(s *machineState) {
	m.verdict.Executions++
	state := litmus.State{}
	for i, th := range s.threads {
		for r, v := range th.registers {
			state[litmus.Variable{Thread: m.test.Threads[i].Name, Name: r}] = v
		}
	}
	for l, cells := range s.memory {
		var word uint64
		for k, c := range cells {
			word |= uint64(c.value) << (8 * k)
		}
		state[litmus.Variable{Name: l.Name}] = loaded(word, l.Size)
	}
	m.verdict.Outcomes[Key(m.test, state)] = state
	if !m.verdict.Racy {
		m.verdict.Racy = m.races(s)
	}
}

// races computes the causality order of an execution.
func (m *machine) races(s *machineState) bool {
	var traces []*trace
	for i := range s.threads {
		tr := &trace{}
		for _, e := range s.threads[i].events {
			c := *e // the candidate numbers the events
			tr.events = append(tr.events, &c)
			if e.rmw != nil && e.kind == write { // the read precedes it
				c.rmw = tr.events[len(tr.events)-2]
				c.rmw.rmw = &c
			}
		}
		traces = append(traces, tr)
	}
	c := newCandidate(m.test, traces)
	if c == nil {
		panic("BUG: barriers that met do not meet")
	}
	at := func(e *event) *event { // the copy
		if e.thread < 0 {
			for _, f := range c.events {
				if f.thread < 0 && f.at == e.at {
					return f
				}
			}
		}
		return traces[e.thread].events[e.index]
	}
	for i := range s.threads {
		for r, list := range s.threads[i].from {
			for _, b := range list {
				c.from[at(r).index] = append(c.from[at(r).index], source{b.lo, b.hi, at(b.w)})
			}
		}
	}
	for i, f := range s.fences {
		for _, g := range s.fences[:i] {
			if c.strong.has(at(f).index, at(g).index) {
				c.fenceSC.add(at(g).index, at(f).index)
			}
		}
	}
	if !c.order() {
		panic("BUG: an interleaving contradicts its own order of fences")
	}
	racy := false
	c.races(func(_, _ *event) { racy = true })
	return racy
}
