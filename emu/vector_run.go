// Running a program in assembly, and executing in Go the instructions that have no handler.

package emu

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// vectorRunner runs programs of package vector for a launch. It translates between the engine's state and the Context
// of the assembly.
type vectorRunner struct {
	c     *vector.Context
	sites []vector.Site
	// shared and local are the memory that the sites of the two state spaces refer to; moves is gmem.Memory.Moves for
	// which the sites of instructions are valid.
	shared, local allocationRun
	moves         uint64
	// generic holds, by site, the accesses at generic addresses that last accessed shared memory: their sites change
	// with the block.
	generic map[int]*access
	parts   bool // lanes may diverge and reconverge in assembly
	notes   []vector.Note
	emitted uint32 // offset in notes: the listener has received the accesses noted before it
	reading notedAccesses
	turns   turnsAhead
}

// newVectorRunner returns nil when everything must run in Go.
func (x *engine) newVectorRunner() *vectorRunner {
	if x.m.cfg.NoVector || x.interest.Step != nil || x.weak != nil && x.weak.lazy || !vector.Available() {
		return nil
	}
	a := x.m.takeRunner()
	params := allocationRun{ptr: unsafe.Pointer(unsafe.SliceData(x.l.params)), size: uint64(len(x.l.params))}
	for i := range siteSizes {
		a.sites[paramSites+i] = params.site(1 << i)
		a.sites[paramSites+i].Ptr = params.ptr
	}
	a.c.Sites = unsafe.Pointer(unsafe.SliceData(a.sites))
	a.c.Turns, a.c.Values = unsafe.Pointer(&a.turns.turns), unsafe.Pointer(&a.turns.values)
	for i := range a.turns.turns {
		a.turns.turns[i].Visible = fairQuantum
	}
	a.moves = x.m.dev.mem.Moves
	if x.listener != nil {
		a.reserveNotes(x.m, x.interest.Values)
	}
	return a
}

// takeRunner returns a vectorRunner for a launch: that of an earlier one, unless a launch uses it, or a new one.
func (m *machine) takeRunner() *vectorRunner {
	a, sites := m.runner, numCommonSites+m.vectorSites
	m.runner = nil
	if a == nil {
		return &vectorRunner{
			c: &vector.Context{Nothing: 1 << 62}, sites: make([]vector.Site, sites),
			generic: map[int]*access{},
		}
	}
	clear(a.generic)
	clear(a.sites)
	*a.c = vector.Context{Nothing: 1 << 62}
	*a = vectorRunner{c: a.c, sites: slices.Grow(a.sites[:0], sites)[:sites], generic: a.generic}
	return a
}

// after is the engine's next step after a run in assembly.
type after uint8

const (
	afterStep    after = iota // execute the instruction at pc
	afterRun                  // continue in assembly
	afterRest                 // an instruction was executed in Go; continue in assembly
	afterEnd                  // end the turn
	afterArrive               // the group arrives at its join
	afterSurvive              // handle a fault
)

// allocationRun is memory for accesses in assembly: size bytes at ptr, with addresses from base on. The memory of the
// next lane begins stride bytes later.
type allocationRun struct {
	ptr                unsafe.Pointer
	base, size, stride uint64
}

// site returns the site of accesses of size bytes.
func (e *allocationRun) site(size uint64) vector.Site {
	if e.size < size {
		return vector.Site{}
	}
	return vector.Site{Base: e.base, Limit: e.size - size + 1, Ptr: e.ptr, Stride: e.stride}
}

// sharedBacking returns the shared memory of a block, without valid mbarriers. It is empty while the shadow memory has
// uninitialised bytes, and under weak memory, so that the assembly returns to Go for each access.
func (x *engine) sharedBacking(c *cta) allocationRun {
	if !c.shadow.Complete() || x.weak != nil {
		return allocationRun{}
	}
	from, to := x.plainShared(c)
	return allocationRun{
		ptr: unsafe.Pointer(unsafe.SliceData(c.shared[from:])), base: c.sharedBase() + from,
		size: to - from,
	}
}

// localBacking returns the local memory of the threads of a warp, n bytes each.
func (w *warp) localBacking(n uint64) allocationRun {
	return allocationRun{ptr: unsafe.Pointer(unsafe.SliceData(w.stack)), size: n, stride: w.stackStride}
}

// bind sets the current addresses of registers and memory for the assembly. The engine calls it before every run that
// follows an instruction executed in Go, in this frame or another: that may have moved, resized or freed them. The
// sites are compared with the memory itself, so that code that changes memory need not update them.
func (x *engine) bind(f *frame, v *vectorCode) {
	a := x.vec
	if a.c.Regs != f.regs {
		a.c.Regs = f.regs
	}
	if p := v.first(); a.c.Code != p {
		a.c.Code = p
	}
	if e := x.sharedBacking(x.cta); a.shared != e {
		a.bindShared(e)
	}
	if v.local {
		if e := x.warp.localBacking(f.stackEnd()); a.local != e {
			a.bindLocal(e)
		}
	}
	if a.moves != x.m.dev.mem.Moves {
		a.moves = x.m.dev.mem.Moves
		clear(a.sites[numCommonSites:])
		clear(a.generic)
	}
}

// bindShared sets the sites of shared memory to e.
func (a *vectorRunner) bindShared(e allocationRun) {
	a.shared = e
	for i := range siteSizes {
		a.sites[sharedSites+i] = e.site(1 << i)
	}
	for site, ac := range a.generic {
		a.bindGeneric(site, ac)
	}
}

// bindGeneric sets the site of an access at generic addresses to shared memory.
func (a *vectorRunner) bindGeneric(site int, ac *access) {
	e := a.shared
	e.base += gmem.SharedWindow
	a.sites[site] = e.site(ac.size)
}

// bindLocal sets the sites of local memory to e.
func (a *vectorRunner) bindLocal(e allocationRun) {
	a.local = e
	for i := range siteSizes {
		a.sites[localSites+i] = e.site(1 << i)
	}
}

// assembled runs g in assembly from *pc on until it returns to Go, and returns the engine's next step. If gatherTurns
// has found turns, these follow that of g; then the group of the unfinished turn is the running group.
func (x *engine) assembled(g *group, v *vectorCode, pc *int32) after {
	c, s := x.vec.c, &g.spin
	c.At, c.Executed = v.starts[*pc], -int64(*pc)
	c.Limit = int64(x.l.checkAt - x.stats.WarpInstructions)
	c.Visible, c.Progress, c.Aside = int64(x.quantum), x.progress, x.aside
	c.Spin.Progress, c.Spin.Visits, c.Spin.Next, c.Spin.Known = s.progress, s.visits, s.next, x.knownRound(g)
	if s.pc >= 0 && s.serial == g.frame.serial {
		c.Spin.PC, c.Spin.Mask, c.Spin.Witness, c.Spin.Value, c.Spin.Bits = uint32(s.pc), uint32(s.mask), s.witness,
			s.value, s.bits
	} else {
		c.Spin.PC, c.Spin.Mask, c.Spin.Witness, c.Spin.Bits = vector.NoPC, 0, 0, 0
	}
	c.Mask, c.Counted, c.Threads = uint32(g.mask), 0, 0
	x.lendJoins(g, x.asideAt(v, *pc))
	lent := c.Depth // 0 when turns follow
	for c.Active = c.Mask; ; c.Active = c.Rest {
		vector.Run(c)
		if c.Ring != 0 {
			g = x.endTurns()
			s = &g.spin
		}
		if c.Noted != 0 && c.Exit != vector.ExitRest {
			x.emitNotes()
		}
		switch {
		case c.Exit == vector.ExitNote:
			continue
		case c.Exit == vector.ExitCount && c.Visible > 0: // endTurns has drawn the quantum
			c.Rest = c.Mask
			continue
		}
		break
	}
	in := (*vector.Inst)(unsafe.Add(c.Code, uintptr(c.At)))
	*pc = int32(in.PC)
	if c.Exit == vector.ExitTurns {
		x.count(uint64(c.Executed+int64(in.PC)), lanes(c.Mask))
		x.stats.WarpInstructions += uint64(c.Counted)
		x.stats.ThreadInstructions += uint64(c.Threads)
		x.progress = c.Progress
		return afterEnd
	}
	if lanes(c.Mask) != g.mask || c.Low != lent || c.Depth != lent {
		x.takeJoins(g, int(lent/vector.JoinBytes))
	}
	x.count(uint64(c.Executed+int64(in.PC)), g.mask)
	x.stats.WarpInstructions += uint64(c.Counted)
	x.stats.ThreadInstructions += uint64(c.Threads)
	x.quantum, x.progress, x.aside = int(c.Visible), c.Progress, c.Aside
	if s.progress != c.Spin.Progress {
		s.reset()
		s.progress = c.Spin.Progress
	}
	s.visits = c.Spin.Visits
	switch c.Exit {
	case vector.ExitCount:
		g.pc = *pc
		return afterEnd
	case vector.ExitStop:
		g.pc = *pc
		return afterArrive
	case vector.ExitBack, vector.ExitLimit:
		g.pc = *pc
		if !x.backEdge(g, c.Exit == vector.ExitLimit) {
			return afterEnd
		}
		return afterRun
	case vector.ExitRest:
		return x.rest(g, pc)
	}
	return afterStep
}

// straight executes code without branches in assembly, from pc on, for all lanes. It returns the pc of the first
// instruction that has no handler.
func (a *vectorRunner) straight(f *frame, v *vectorCode, pc int32) int32 {
	c := a.c
	c.Regs, c.Code, c.At = f.regs, v.first(), v.starts[pc]
	c.Mask, c.Active, c.Stop, c.Depth = ^uint32(0), ^uint32(0), vector.NoPC, 0
	vector.Run(c)
	return int32((*vector.Inst)(unsafe.Add(c.Code, uintptr(c.At))).PC)
}

// rest executes in Go the instruction at *pc for the lanes that the assembly could not execute, and stores the memory
// that they accessed as the site of the instruction.
func (x *engine) rest(g *group, pc *int32) after {
	in := &g.frame.fn.code[*pc]
	m := lanes(x.vec.c.Rest)
	x.count(1, g.mask)
	addr := x.frame.r64(in.a)[m.first()] + in.form.ac.off
	if x.listener == nil {
		in.body(x, in, m)
	} else {
		x.emitRest(in, m)
	}
	if x.fault != nil {
		return afterSurvive
	}
	if in.form.site != 0 && x.weak.untouched(in.form.ac, addr) {
		x.vec.remember(in.form, addr)
	}
	*pc++
	return afterRest
}

// remember sets the site of an instruction to the memory that it has just accessed at addr.
func (a *vectorRunner) remember(f *vectorForm, addr uint64) {
	if f.ac.space == isa.SpaceNone && addr>>gmem.SlotBits == gmem.SharedWindow>>gmem.SlotBits {
		a.generic[f.site] = f.ac
		a.bindGeneric(f.site, f.ac)
		return
	}
	if s := &f.ac.cache; s.Lim != 0 {
		delete(a.generic, f.site)
		a.sites[f.site] = vector.Site{Base: s.Base, Limit: s.Lim, Ptr: s.Ptr}
	}
}

// Short divergence stays in assembly. When some lanes of a group jump over code and wait at the join for the others, no
// group begins or ends. The assembly keeps the lanes that wait at each join in a small table; when it returns,
// takeJoins updates the engine's joins.

// maxLent is the maximum number of a group's joins that are copied to the assembly before a run.
const maxLent = 4

// allowDivergence decides whether lanes may diverge and reconverge in assembly: no listener needs these events, and the
// scheduler has no choice at joins.
func (x *engine) allowDivergence() {
	if x.vec == nil {
		return
	}
	x.allowTurns()
	x.vec.parts, x.vec.c.Room = x.neverImpatient() && !x.interest.Branches, 0
	if x.vec.parts {
		x.vec.c.Room = vector.MaxJoins * vector.JoinBytes
	}
}

// neverImpatient reports whether the scheduler's method impatient always returns false, so that it
// need not be called. A schedule that is recorded or replayed has a choice for each call.
func (x *engine) neverImpatient() bool {
	cfg := &x.m.cfg
	if cfg.Guide != nil || cfg.Record != nil || cfg.Replay != nil {
		return false
	}
	if s, ok := x.sched.(*roundScheduler); ok {
		return !s.apart
	}
	return cfg.policy().Traits().NeverImpatient
}

// pcRange is code from first to before end. A run can stop at its end.
type pcRange struct{ first, end int32 }

// has reports whether pc is in the range or at its end; it is if the range is nil.
func (r *pcRange) has(pc int32) bool { return r == nil || pc >= r.first && pc <= r.end }

// observes reports whether the code at pc is an observer's: the assembly may execute it while a round is recorded,
// although it does not report accesses to the recorder.
func (v *vectorCode) observes(pc int32) bool { return v.aside != nil && v.aside[pc] != nil }

// asideAt returns the observer's code at pc that a run must not leave, because a round is recorded; otherwise nil.
func (x *engine) asideAt(v *vectorCode, pc int32) *pcRange {
	if !x.recording {
		return nil
	}
	return v.aside[pc]
}

// lendJoins copies the innermost joins of g in its frame to the table of the assembly: those in within, unless it is
// nil. Then the assembly returns at its end.
func (x *engine) lendJoins(g *group, within *pcRange) {
	a, c := x.vec, x.vec.c
	var lent [maxLent]*join
	n, j := 0, g.join
	if a.parts {
		for ; j != nil && j.frame == g.frame && within.has(j.pc) && n < maxLent && !j.underPartial(); j = j.parent {
			lent[n] = j
			n++
		}
	}
	c.Under = vector.NoPC
	switch {
	case j != nil && j.frame == g.frame && within.has(j.pc):
		c.Under = uint32(j.pc)
	case within != nil:
		c.Under = uint32(within.end)
	}
	c.Stop = c.Under
	if n > 0 {
		c.Stop = uint32(lent[0].pc)
	}
	for i, j := range lent[:n] {
		c.Joins[n-1-i] = vector.Join{PC: uint32(j.pc), Expected: uint32(j.expected), Arrived: uint32(j.arrived)}
	}
	c.Depth = uint32(n) * vector.JoinBytes
	c.Low = c.Depth
}

// underPartial reports whether the lanes that meet at j may bypass the next join. The assembly
// does not support that, so it must return at j.
func (j *join) underPartial() bool {
	return j.parent != nil && j.parent.partial && j.parent.frame == j.frame
}

// takeJoins updates the joins of g after assembly code has run. lendJoins copied the n innermost ones to the join
// table. takeJoins closes those that the assembly code has left, adds lanes that have arrived, opens the joins that the
// assembly code has added to the table, and sets the active lanes of g.
func (x *engine) takeJoins(g *group, n int) {
	c := x.vec.c
	low, depth := int(c.Low/vector.JoinBytes), int(c.Depth/vector.JoinBytes)
	for ; n > low; n-- {
		j := g.join
		g.join = j.parent
		x.closeJoin(j)
	}
	if low > 0 { // lanes can have begun to wait only at the innermost join
		if m := lanes(c.Joins[low-1].Arrived) &^ g.join.arrived; m != 0 {
			x.wait(g.join, m)
		}
	}
	for _, j := range c.Joins[low:depth] {
		g.join = x.newJoin(g.frame, int32(j.PC), lanes(j.Expected), g.join)
		x.wait(g.join, lanes(j.Arrived))
	}
	g.mask = lanes(c.Mask)
}
