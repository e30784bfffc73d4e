package phases_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A small machine with threads, mbarriers and barriers of a block, which executes one program under many schedules.

// kind is what a thread does.
type kind int

const (
	arrive     kind = iota // at an mbarrier, with a count
	relaxed                // the same, without a release
	drop                   // the same, and never again
	incomplete             // the same with .noComplete
	expect                 // bytes
	arriveExpect
	complete   // bytes, without a copy
	startCopy  // of some bytes
	commit     // an arrival that takes place later
	copyArrive // the same, expected in addition
	copyNoinc  // the same, expected anyway
	wait       // for a parity
	await      // the same, relaxed
	sync       // bar.sync without a count
	syncNamed  // bar.sync with a count
	arriveNamed
	kinds
)

// op is a step of a thread's program.
type op struct {
	kind kind
	at   int // the mbarrier or barrier
	n    int // arrivals, bytes, parity, or threads
}

func (o op) String() string {
	return fmt.Sprintf("%s %d,%d", [...]string{
		"arrive", "relaxed", "drop", "incomplete", "expect", "arriveExpect", "complete", "copy", "commit", "copyArrive",
		"copyNoinc", "wait", "await", "sync", "syncNamed", "arriveNamed",
	}[o.kind], o.at, o.n)
}

// program is what each thread does, and the counts of the mbarriers. Threads are lanes of two warps, or, if warps is
// set, whole warps.
type program struct {
	threads [][]op
	counts  []int
	warps   bool
}

// place returns the warp of a thread, and its lanes.
func (p *program) place(t int) (warp, mask uint32) {
	if p.warps {
		return uint32(t), 1<<32 - 1
	}
	return uint32(t % 2), 1 << (t / 2)
}

// live returns the lanes of a warp.
func (p *program) live(warp uint32) (mask uint32) {
	for t := range p.threads {
		if w, m := p.place(t); w == warp {
			mask |= m
		}
	}
	return mask
}

// bar is an mbarrier.
type bar struct{ pending, count, tx, phase int }

func (b *bar) advance() {
	if b.pending == 0 && b.tx == 0 {
		b.phase, b.pending = b.phase+1, b.count
	}
}

// named is a barrier of the block.
type named struct {
	arrived, count, phase int
	waiting               []int
}

// flight is an asynchronous operation.
type flight struct {
	thread, step int
	op           op
	number       uint64
}

// machine executes a program.
type machine struct {
	*program
	rng     *rand.Rand
	at      []int // next step of each thread
	blocked []bool
	bars    []bar
	named   [16]named
	flights []flight
	trace   []abi.Event
	phases  map[string]int // in which each effect and each wait has taken place
	ops     uint64
	bad     string
}

// run executes a program under a random schedule. It returns the events, and the phase of each effect and wait.
func run(p *program, seed uint64) *machine {
	m := &machine{
		program: p, rng: rand.New(rand.NewPCG(seed, 7)), phases: make(map[string]int),
		at: make([]int, len(p.threads)), blocked: make([]bool, len(p.threads)),
	}
	for i, n := range p.counts {
		m.bars = append(m.bars, bar{pending: n, count: n})
		m.emit(0, abi.Event{Kind: abi.EventMbarrierInit}, i, n)
	}
	favoured := -1
	for m.bad == "" {
		var list []int
		for t := range p.threads {
			if m.ready(t) {
				list = append(list, t)
			}
		}
		for i := range m.flights {
			list = append(list, -1-i)
		}
		if len(list) == 0 {
			break
		}
		x := list[m.rng.IntN(len(list))]
		if seed%3 == 1 { // one thread runs as long as it can
			if !slices.Contains(list, favoured) || m.rng.IntN(8) == 0 {
				favoured = x
			}
			x = favoured
		}
		if seed%3 == 2 && x < 0 && m.rng.IntN(4) > 0 { // asynchronous operations come late
			x = list[0]
		}
		if x < 0 {
			m.land(-1 - x)
		} else {
			m.step(x)
		}
	}
	for t := range p.threads {
		if m.bad == "" && m.at[t] < len(p.threads[t]) {
			m.bad = "deadlock"
		}
	}
	return m
}

func (m *machine) ready(t int) bool {
	if m.blocked[t] || m.at[t] == len(m.threads[t]) {
		return false
	}
	o := m.threads[t][m.at[t]]
	return o.kind != wait && o.kind != await || m.bars[o.at].phase%2 != o.n%2
}

const sharedBase = 0x1000

// emit emits an event of a thread about an mbarrier.
func (m *machine) emit(t int, ev abi.Event, at, count int) {
	warp, mask := m.place(t)
	switch ev.Kind {
	case abi.EventBarrierArrive, abi.EventBarrierPass, abi.EventBarrierComplete:
	default:
		mask &= -mask // one lane acts on mbarriers
	}
	ev.Warp, ev.Mask, ev.Live = warp, mask, m.live(warp)
	if m.warps {
		ev.Live = 1<<32 - 1
	}
	for i := range ev.Addr {
		ev.Addr[i], ev.Pending[i] = sharedBase+8*uint64(at), uint32(count)
	}
	m.trace = append(m.trace, ev)
}

// mbarrier emits an operation on an mbarrier and notes its phase.
func (m *machine) mbarrier(t int, k abi.EventKind, o op, form abi.MbarrierForm) {
	b := &m.bars[o.at]
	ev := abi.Event{Kind: k, Form: form, Site: uint32(t*100 + m.at[t] + 1), Sem: abi.SemRelease}
	if o.kind == relaxed {
		ev.Sem = abi.SemRelaxed
	}
	ev.Phases = uint32(-(b.phase & 1))
	m.emit(t, ev, o.at, o.n)
	m.note(t, m.at[t], b.phase)
}

func (m *machine) note(t, step, phase int) { m.phases[fmt.Sprintf("%d.%d", t, step)] = phase }

// step executes the next step of a thread.
func (m *machine) step(t int) {
	o := m.threads[t][m.at[t]]
	var b *bar
	if o.kind < sync {
		b = &m.bars[o.at]
	}
	switch o.kind {
	case arrive, relaxed, drop, incomplete:
		form := map[kind]abi.MbarrierForm{drop: abi.FormDrops, incomplete: abi.FormIncomplete}[o.kind]
		m.mbarrier(t, abi.EventMbarrierArrive, o, form)
		m.arrives(b, o)
	case arriveExpect:
		m.mbarrier(t, abi.EventMbarrierArrive, o, abi.FormExpects)
		b.tx += o.n
		m.arrives(b, op{arrive, o.at, 1})
	case expect:
		m.mbarrier(t, abi.EventMbarrierExpect, o, 0)
		b.tx += o.n
	case complete:
		m.mbarrier(t, abi.EventMbarrierComplete, o, 0)
		b.tx -= o.n
		b.advance()
	case copyArrive, copyNoinc:
		form := abi.MbarrierForm(0)
		if o.kind == copyNoinc {
			form = abi.FormUncounted
		} else {
			b.pending++
		}
		m.mbarrier(t, abi.EventMbarrierCopyArrive, o, form)
		m.flights = append(m.flights, flight{t, m.at[t], o, 0})
	case startCopy, commit:
		m.start(t, o)
	case wait, await:
		m.passes(t, o, b)
	default:
		m.joins(t, o)
		m.at[t]--
	}
	m.at[t]++
	if m.at[t] == len(m.threads[t]) {
		m.leave()
	}
}

// arrives handles an arrival.
func (m *machine) arrives(b *bar, o op) {
	if o.n == 0 || o.n > b.pending || o.kind == incomplete && o.n == b.pending && b.tx == 0 {
		m.bad = "fault"
		return
	}
	if b.pending -= o.n; o.kind == drop {
		b.count -= o.n
	}
	b.advance()
}

// start starts an asynchronous operation that an event follows when it completes.
func (m *machine) start(t int, o op) {
	m.ops++
	m.flights = append(m.flights, flight{t, m.at[t], o, m.ops})
	if o.kind == commit {
		m.emit(t, abi.Event{Kind: abi.EventAsyncCommit, Async: abi.AsyncTensor, Op: m.ops}, 0, 0)
		return
	}
	ev := abi.Event{
		Kind: abi.EventAccess, Async: abi.AsyncSignals, Access: abi.AccessStore, Sem: abi.SemWeak, Op: m.ops,
		Space: abi.SpaceShared, Bytes: 4, Site: uint32(t*100 + m.at[t] + 1), Proxy: abi.ProxyAsync,
	}
	m.emit(t, ev, 64+int(m.ops), 0)
}

// passes handles a wait whose phase is complete.
func (m *machine) passes(t int, o op, b *bar) {
	ev := abi.Event{Kind: abi.EventMbarrierPass, Site: uint32(t*100 + m.at[t] + 1), Sem: abi.SemAcquire}
	if o.kind == await {
		ev.Sem = abi.SemRelaxed
	}
	ev.Phases = uint32(-(o.n & 1))
	m.emit(t, ev, o.at, 0)
	m.note(t, m.at[t], b.phase)
}

// land completes an asynchronous operation.
func (m *machine) land(i int) {
	f := m.flights[i]
	m.flights = slices.Delete(m.flights, i, i+1)
	b := &m.bars[f.op.at]
	if f.number != 0 {
		ev := abi.Event{
			Kind: abi.EventAsyncDone, Async: abi.AsyncSignals, Op: f.number, Signal: sharedBase + 8*uint64(f.op.at),
			Bytes: uint32(f.op.n), Site: uint32(f.thread*100 + f.step + 1), Phases: uint32(-(b.phase & 1)),
		}
		if f.op.kind == commit {
			ev.Async = abi.AsyncTensor
		}
		m.emit(f.thread, ev, 0, 0)
	}
	m.note(f.thread, f.step, b.phase)
	if f.op.kind == startCopy {
		b.tx -= f.op.n
		b.advance()
	} else {
		m.arrives(b, op{arrive, f.op.at, 1})
	}
}

// joins handles an arrival at a barrier of the block.
func (m *machine) joins(t int, o op) {
	b := &m.named[o.at]
	need := o.n
	if o.kind == sync {
		need = 0
	}
	if b.arrived > 0 && b.count != need {
		m.bad = "fault"
		return
	}
	b.count = need
	ev := abi.Event{
		Kind: abi.EventBarrierArrive, Barrier: uint32(o.at), Expected: uint32(need), Site: uint32(t*100 + m.at[t] + 1),
	}
	if o.kind == arriveNamed {
		ev.Mode = abi.BarrierArrive
	}
	m.emit(t, ev, 0, 0)
	m.note(t, m.at[t], b.phase)
	m.at[t]++ // before others complete the barrier
	if b.arrived += m.weight(); o.kind != arriveNamed {
		b.waiting, m.blocked[t] = append(b.waiting, t), true
	}
	m.meet(t, o.at)
}

// meet completes a barrier of the block if all have arrived: without a count, all threads that have not ended.
func (m *machine) meet(t, id int) {
	b := &m.named[id]
	need := b.count
	for x := range m.threads {
		if b.count == 0 && (m.blocked[x] || m.at[x] < len(m.threads[x])) {
			need += m.weight()
		}
	}
	if b.arrived < need {
		return
	}
	if b.arrived > need {
		m.bad = "fault"
		return
	}
	m.emit(t, abi.Event{Kind: abi.EventBarrierComplete, Barrier: uint32(id), Expected: uint32(b.count)}, 0, 0)
	for _, w := range b.waiting {
		m.emit(w, abi.Event{Kind: abi.EventBarrierPass, Barrier: uint32(id), Expected: uint32(b.count)}, 0, 0)
		m.blocked[w] = false
	}
	*b = named{phase: b.phase + 1}
	m.leave()
}

// leave completes barriers without a count that waited only for threads that have ended.
func (m *machine) leave() {
	for id := range m.named {
		if b := &m.named[id]; len(b.waiting) > 0 && b.count == 0 {
			m.meet(b.waiting[0], id)
			return
		}
	}
}

// weight returns the number of threads that one of the program stands for.
func (m *machine) weight() int {
	if m.warps {
		return 32
	}
	return 1
}
