// Running a program in assembly, and executing in Go the instructions that have no handler.

package emu

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// newVectorRunner returns nil when everything must run in Go.
func newVectorRunner(x *state.Engine) *state.VectorRunner {
	if x.M.Cfg.NoVector || x.Interest.Step != nil && x.Interest.Steps == nil || x.Weak != nil && x.Weak.Lazy ||
		!vector.Available() {
		return nil
	}
	a := takeRunner(x.M)
	params := state.AllocationRun{Ptr: unsafe.Pointer(unsafe.SliceData(x.L.Params)), Size: uint64(len(x.L.Params))}
	for i := range program.SiteSizes {
		a.Sites[program.ParamSites+i] = siteOf(&params, 1<<i)
		a.Sites[program.ParamSites+i].Ptr = params.Ptr
	}
	a.C.Sites = unsafe.Pointer(unsafe.SliceData(a.Sites))
	a.C.Turns, a.C.Values = unsafe.Pointer(&a.Turns.Turns), unsafe.Pointer(&a.Turns.Values)
	for i := range a.Turns.Turns {
		a.Turns.Turns[i].Visible = state.FairQuantum
	}
	a.Moves = x.M.Dev.Mem.Moves
	if x.Listener != nil {
		events.ReserveNotes(a, x.M, x.Interest.Values)
	}
	return a
}

// takeRunner returns a VectorRunner for a launch: that of an earlier one, unless a launch uses it, or a new one.
func takeRunner(m *state.Machine) *state.VectorRunner {
	a, sites := m.Runner, program.NumCommonSites+m.VectorSites
	m.Runner = nil
	if a == nil {
		return &state.VectorRunner{
			C: &vector.Context{Nothing: 1 << 62}, Sites: make([]vector.Site, sites),
			Generic: map[int]*state.Access{},
		}
	}
	clear(a.Generic)
	clear(a.Sites)
	*a.C = vector.Context{Nothing: 1 << 62}
	*a = state.VectorRunner{C: a.C, Sites: slices.Grow(a.Sites[:0], sites)[:sites], Generic: a.Generic}
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

// siteOf returns the site of accesses of size bytes.
func siteOf(e *state.AllocationRun, size uint64) vector.Site {
	if e.Size < size {
		return vector.Site{}
	}
	return vector.Site{Base: e.Base, Limit: e.Size - size + 1, Ptr: e.Ptr, Stride: e.Stride}
}

// sharedBacking returns the shared memory of a block, without valid mbarriers. It is empty while the shadow memory has
// uninitialised bytes, and under weak memory, so that the assembly returns to Go for each access.
func sharedBacking(x *state.Engine, c *state.CTA) state.AllocationRun {
	if !c.Shadow.Complete() || x.Weak != nil {
		return state.AllocationRun{}
	}
	from, to := memory.PlainShared(x, c)
	return state.AllocationRun{
		Ptr: unsafe.Pointer(unsafe.SliceData(c.Shared[from:])), Base: c.SharedBase() + from,
		Size: to - from,
	}
}

// localBacking returns the local memory of the threads of a warp, n bytes each. It is empty, as for sharedBacking, while
// the shadow memory has unwritten bytes.
func localBacking(w *state.Warp, n uint64) state.AllocationRun {
	if !w.Shadow.Complete() {
		return state.AllocationRun{}
	}
	return state.AllocationRun{Ptr: unsafe.Pointer(unsafe.SliceData(w.Stack)), Size: n, Stride: w.StackStride}
}

// bind sets the current addresses of registers and memory for the assembly. The engine calls it before every run that
// follows an instruction executed in Go, in this frame or another: that may have moved, resized or freed them. The
// sites are compared with the memory itself, so that code that changes memory need not update them.
func bind(x *state.Engine, f *state.Frame, v *state.VectorCode) {
	a := x.Vec
	if a.C.Regs != f.Regs {
		a.C.Regs = f.Regs
	}
	if p := groups.First(v); a.C.Code != p {
		a.C.Code = p
	}
	if e := sharedBacking(x, x.CTA); a.Shared != e {
		bindShared(a, e)
	}
	if v.Local {
		if e := localBacking(x.Warp, memory.StackEnd(f)); a.Local != e {
			bindLocal(a, e)
		}
	}
	if a.Moves != x.M.Dev.Mem.Moves {
		a.Moves = x.M.Dev.Mem.Moves
		clear(a.Sites[program.NumCommonSites:])
		clear(a.Generic)
	}
}

// bindShared sets the sites of shared memory to e.
func bindShared(a *state.VectorRunner, e state.AllocationRun) {
	a.Shared = e
	for i := range program.SiteSizes {
		a.Sites[program.SharedSites+i] = siteOf(&e, 1<<i)
	}
	for site, ac := range a.Generic {
		bindGeneric(a, site, ac)
	}
}

// bindGeneric sets the site of an access at generic addresses to shared memory.
func bindGeneric(a *state.VectorRunner, site int, ac *state.Access) {
	e := a.Shared
	e.Base += gmem.SharedWindow
	a.Sites[site] = siteOf(&e, ac.Size)
}

// bindLocal sets the sites of local memory to e.
func bindLocal(a *state.VectorRunner, e state.AllocationRun) {
	a.Local = e
	for i := range program.SiteSizes {
		a.Sites[program.LocalSites+i] = siteOf(&e, 1<<i)
	}
}

// assembled runs g in assembly from *pc on until it returns to Go, and returns the engine's next step. If gatherTurns
// has found turns, these follow that of g; then the group of the unfinished turn is the running group.
func assembled(x *state.Engine, g *state.Group, v *state.VectorCode, pc *int32) after {
	c, s := x.Vec.C, &g.Spin
	c.At, c.Executed = v.Starts[*pc], -int64(*pc)
	c.Limit = int64(x.L.CheckAt - x.Stats.WarpInstructions)
	c.Visible, c.Progress, c.Aside = int64(x.Quantum), x.Progress, x.Aside
	c.Spin.Progress, c.Spin.Visits, c.Spin.Next, c.Spin.Known = s.Progress, s.Visits, s.Next, sched.KnownRound(x, g)
	if s.Pc >= 0 && s.Serial == g.Frame.Serial {
		c.Spin.PC, c.Spin.Mask, c.Spin.Witness, c.Spin.Value, c.Spin.Bits = uint32(s.Pc), uint32(s.Mask), s.Witness,
			s.Value, s.Bits
	} else {
		c.Spin.PC, c.Spin.Mask, c.Spin.Witness, c.Spin.Bits = vector.NoPC, 0, 0, 0
	}
	c.Mask, c.Counted, c.Threads = uint32(g.Mask), 0, 0
	lendJoins(x, g, asideAt(x, v, *pc))
	lent := c.Depth // 0 when turns follow
	for c.Active = c.Mask; ; c.Active = c.Rest {
		vector.Run(c)
		if c.Ring != 0 {
			g = endTurns(x)
			s = &g.Spin
		}
		if c.Noted != 0 && c.Exit != vector.ExitRest {
			events.EmitNotes(x)
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
		countInstructions(x, uint64(c.Executed+int64(in.PC)), state.Lanes(c.Mask))
		x.Stats.WarpInstructions += uint64(c.Counted)
		x.Stats.ThreadInstructions += uint64(c.Threads)
		x.Progress = c.Progress
		return afterEnd
	}
	if state.Lanes(c.Mask) != g.Mask || c.Low != lent || c.Depth != lent {
		takeJoins(x, g, int(lent/vector.JoinBytes))
	}
	countInstructions(x, uint64(c.Executed+int64(in.PC)), g.Mask)
	x.Stats.WarpInstructions += uint64(c.Counted)
	x.Stats.ThreadInstructions += uint64(c.Threads)
	x.Quantum, x.Progress, x.Aside = int(c.Visible), c.Progress, c.Aside
	if s.Progress != c.Spin.Progress {
		s.Reset()
		s.Progress = c.Spin.Progress
	}
	s.Visits = c.Spin.Visits
	switch c.Exit {
	case vector.ExitCount:
		g.PC = *pc
		return afterEnd
	case vector.ExitStop:
		g.PC = *pc
		return afterArrive
	case vector.ExitBack, vector.ExitLimit:
		g.PC = *pc
		if !grids.BackEdge(x, g, c.Exit == vector.ExitLimit) {
			return afterEnd
		}
		return afterRun
	case vector.ExitRest:
		return rest(x, g, pc)
	}
	return afterStep
}

// rest executes in Go the instruction at *pc for the lanes that the assembly could not execute, and stores the memory
// that they accessed as the site of the instruction.
func rest(x *state.Engine, g *state.Group, pc *int32) after {
	in := &g.Frame.Fn.Code[*pc]
	m := state.Lanes(x.Vec.C.Rest)
	countInstructions(x, 1, g.Mask)
	addr := x.Frame.R64(in.A)[m.First()] + in.Form.Ac.Off
	if x.Listener == nil {
		in.Body(x, in, m)
	} else {
		events.EmitRest(x, in, m)
	}
	if x.Fault != nil {
		return afterSurvive
	}
	if in.Form.Site != 0 && weak.Untouched(x.Weak, in.Form.Ac, addr) {
		remember(x.Vec, in.Form, addr)
	}
	*pc++
	return afterRest
}

// remember sets the site of an instruction to the memory that it has just accessed at addr.
func remember(a *state.VectorRunner, f *state.VectorForm, addr uint64) {
	if f.Ac.Space == isa.SpaceNone && addr>>gmem.SlotBits == gmem.SharedWindow>>gmem.SlotBits {
		a.Generic[f.Site] = f.Ac
		bindGeneric(a, f.Site, f.Ac)
		return
	}
	if s := &f.Ac.Cache; s.Lim != 0 {
		delete(a.Generic, f.Site)
		a.Sites[f.Site] = vector.Site{Base: s.Base, Limit: s.Lim, Ptr: s.Ptr}
	}
}

// Short divergence stays in assembly. When some lanes of a group jump over code and wait at the join for the others, no
// group begins or ends. The assembly keeps the lanes that wait at each join in a small table; when it returns,
// takeJoins updates the engine's joins.

// maxLent is the maximum number of a group's joins that are copied to the assembly before a run.
const maxLent = 4

// allowDivergence decides whether lanes may diverge and reconverge in assembly: no listener needs these events, and the
// scheduler has no choice at joins.
func allowDivergence(x *state.Engine) {
	if x.Vec == nil {
		return
	}
	allowTurns(x)
	x.Vec.Parts, x.Vec.C.Room = neverImpatient(x) && !x.Interest.Branches, 0
	if x.Vec.Parts {
		x.Vec.C.Room = vector.MaxJoins * vector.JoinBytes
	}
}

// neverImpatient reports whether the scheduler's method impatient always returns false, so that it
// need not be called. A schedule that is recorded or replayed has a choice for each call.
func neverImpatient(x *state.Engine) bool {
	cfg := &x.M.Cfg
	if cfg.Guide != nil || cfg.Record != nil || cfg.Replay != nil {
		return false
	}
	if s, ok := x.Sched.(*sched.RoundScheduler); ok {
		return !s.Apart
	}
	return cfg.ChosenPolicy().Traits().NeverImpatient
}

// has reports whether pc is in the range or at its end; it is if the range is nil.
func has(r *state.PCRange, pc int32) bool { return r == nil || pc >= r.First && pc <= r.End }

// codeObserves reports whether the code at pc is an observer's: the assembly may execute it while a round is recorded,
// although it does not report accesses to the recorder.
func codeObserves(v *state.VectorCode, pc int32) bool { return v.Aside != nil && v.Aside[pc] != nil }

// asideAt returns the observer's code at pc that a run must not leave, because a round is recorded; otherwise nil.
func asideAt(x *state.Engine, v *state.VectorCode, pc int32) *state.PCRange {
	if !x.Recording {
		return nil
	}
	return v.Aside[pc]
}

// lendJoins copies the innermost joins of g in its frame to the table of the assembly: those in within, unless it is
// nil. Then the assembly returns at its end.
func lendJoins(x *state.Engine, g *state.Group, within *state.PCRange) {
	a, c := x.Vec, x.Vec.C
	var lent [maxLent]*state.Join
	n, j := 0, g.Join
	if a.Parts {
		for ; j != nil && j.Frame == g.Frame && has(within, j.PC) && n < maxLent && !underPartial(j); j = j.Parent {
			lent[n] = j
			n++
		}
	}
	c.Under = vector.NoPC
	switch {
	case j != nil && j.Frame == g.Frame && has(within, j.PC):
		c.Under = uint32(j.PC)
	case within != nil:
		c.Under = uint32(within.End)
	}
	c.Stop = c.Under
	if n > 0 {
		c.Stop = uint32(lent[0].PC)
	}
	for i, j := range lent[:n] {
		c.Joins[n-1-i] = vector.Join{PC: uint32(j.PC), Expected: uint32(j.Expected), Arrived: uint32(j.Arrived)}
	}
	c.Depth = uint32(n) * vector.JoinBytes
	c.Low = c.Depth
}

// underPartial reports whether the lanes that meet at j may bypass the next join. The assembly
// does not support that, so it must return at j.
func underPartial(j *state.Join) bool {
	return j.Parent != nil && j.Parent.Partial && j.Parent.Frame == j.Frame
}

// takeJoins updates the joins of g after assembly code has run. lendJoins copied the n innermost ones to the join
// table. takeJoins closes those that the assembly code has left, adds lanes that have arrived, opens the joins that the
// assembly code has added to the table, and sets the active lanes of g.
func takeJoins(x *state.Engine, g *state.Group, n int) {
	c := x.Vec.C
	low, depth := int(c.Low/vector.JoinBytes), int(c.Depth/vector.JoinBytes)
	for ; n > low; n-- {
		j := g.Join
		g.Join = j.Parent
		groups.CloseJoin(x, j)
	}
	if low > 0 { // lanes can have begun to wait only at the innermost join
		if m := state.Lanes(c.Joins[low-1].Arrived) &^ g.Join.Arrived; m != 0 {
			groups.Wait(x, g.Join, m)
		}
	}
	for _, j := range c.Joins[low:depth] {
		g.Join = groups.NewJoin(x, g.Frame, int32(j.PC), state.Lanes(j.Expected), g.Join)
		groups.Wait(x, g.Join, state.Lanes(j.Arrived))
	}
	g.Mask = state.Lanes(c.Mask)
}
