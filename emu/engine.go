// The engine: executes one turn of a group, instruction by instruction, with branches, joins and exits.

package emu

import (
	counter "sync/atomic"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// at returns the instruction at pc. Code ends with an instruction that has no fall-through, so that pc stays within it.
func at(code unsafe.Pointer, pc int32) *inst {
	return (*inst)(unsafe.Add(code, uintptr(uint32(pc))*unsafe.Sizeof(inst{})))
}

// turn executes a group until it waits, exits, faults, or has used up its quantum of scheduling points. If the turns of
// other groups have followed in the same run of the assembly, x.running is the last of these groups at the end.
func (x *engine) turn(g *group, quantum int) {
	x.running = g
	x.warp, x.cta = g.warp, g.warp.cta
	x.quantum, x.yield = quantum, false
	if !x.arrive(g) {
		return
	}
	if x.vec != nil && x.vec.turns.sched != nil {
		x.gatherTurns(g)
	}
	for x.runs(x.running) && x.stretch(x.running) {
	}
}

// runs reports whether the turn of g goes on.
func (x *engine) runs(g *group) bool {
	return x.fault == nil && g.state == groupReady && !x.yield
}

// stretch executes instructions of g in its current frame until something other than a uniform branch changes the
// group. It reports whether the turn goes on.
func (x *engine) stretch(g *group) bool {
	f := g.frame
	x.frame = f
	code := unsafe.Pointer(unsafe.SliceData(f.fn.code))
	mask, pc, stop := g.mask, g.pc, g.stop()
	var v *vectorCode
	if x.vec != nil && stop != stopAnywhere {
		v = f.fn.vector
	}
	bound := false // no instruction has been executed in Go since x.bind
	for {
		recording := x.recording
		followed := !f.undefined.None() // instruction by instruction: see inspect
		if v != nil && v.starts[pc] != noStart && (!recording || v.observes(pc)) && !followed {
			if !bound {
				x.bind(f, v)
			}
			end := x.assembled(g, v, &pc)
			if g != x.running {
				return x.continueTurn(end, pc)
			}
			bound = end != afterRest
			mask, stop = g.mask, g.stop()
			switch end {
			case afterRun, afterRest:
				if pc != stop {
					continue
				}
				g.pc = pc
				return x.arrive(g)
			case afterEnd:
				return false
			case afterArrive:
				return x.arrive(g)
			case afterSurvive:
				g.pc = pc
				return x.continueAfterFault(g, at(code, pc), lanes(x.vec.c.Rest))
			}
		}
		start := pc
		bound = false
		in := at(code, pc)
		lazy := x.weak != nil && x.weak.lazy
		for in.flags == 0 && !recording && !followed && !lazy && (v == nil || v.starts[pc] == noStart) {
			if m := mask & (*f.p(in.guard) ^ in.guardXor); m != 0 {
				in.body(x, in, m)
			}
			pc++
			in = at(code, pc)
		}
		n := uint64(pc - start)
		if in.flags&flagVisible != 0 {
			if x.quantum <= 0 {
				x.count(n, mask)
				g.pc = pc
				return false
			}
			x.quantum--
		}
		next := pc
		if lazy {
			waits := false
			if next, waits = x.beforeWeak(g, in, pc); waits {
				x.count(n, mask)
				g.pc = pc
				return false
			}
		}
		x.count(n+1, mask)
		if followed {
			x.inspect(in, at(code, pc+1), mask)
		}
		m := mask & (*f.p(in.guard) ^ in.guardXor)
		if in.flags&flagStep != 0 {
			x.emitStep(in, mask, m)
		}
		if recording && m != 0 {
			x.recorder.instruction(f.fn.sourceOf(in.src))
		}
		switch {
		case next > pc:
			pc = next
		case m == 0:
			pc++
		case in.flags&flagBranch != 0:
			if m != mask {
				g.pc = pc
				x.diverge(g, m, in)
				return x.arrive(g)
			}
			back := in.flags&flagLoop != 0
			pc = in.tgt
			if back {
				g.pc = pc
				if !x.backEdge(g, x.counted(g, in)) {
					return false
				}
			}
		case in.flags&flagControl != 0:
			g.pc = pc
			// Only at instructions without a handler and at returns: the assembly does not check the limit at the
			// others either, so that both notice it at the same places.
			if x.stats.WarpInstructions >= x.l.checkAt && (in.op == vector.Slow || in.op == vector.Return) &&
				!x.checkProgress() {
				return false
			}
			in.body(x, in, m)
			return x.runs(g) && x.arrive(g)
		default:
			in.body(x, in, m)
			if x.fault != nil {
				g.pc = pc
				return x.continueAfterFault(g, in, m)
			}
			x.storing = nil
			pc++
		}
		if pc == stop || stop == stopAnywhere && g.join.reached(f, pc) != nil {
			g.pc = pc
			return x.arrive(g)
		}
	}
}

// stopAnywhere is the stop of a group that may bypass its innermost join and reach an outer one.
const stopAnywhere = -3

// stop returns the pc of the innermost join of g in its frame, joinAtReturn if there is none, stopAnywhere if that join
// may be bypassed.
func (g *group) stop() int32 {
	switch {
	case g.join == nil || g.join.frame != g.frame:
		return joinAtReturn
	case g.join.partial:
		return stopAnywhere
	}
	return g.join.pc
}

// count adds n instructions executed by the lanes in mask.
func (x *engine) count(n uint64, mask lanes) {
	x.stats.WarpInstructions += n
	x.stats.ThreadInstructions += n * uint64(mask.count())
}

// backEdge is called when g has taken a back edge to g.pc; counted says that a counter keeps g from repeating an
// earlier state there. It reports whether the turn goes on.
func (x *engine) backEdge(g *group, counted bool) bool {
	x.quantum--
	if x.stats.WarpInstructions >= x.l.checkAt && !x.checkProgress() {
		return false
	}
	if !counted && !x.visit(g) {
		return false
	}
	return x.quantum > 0
}

// diverge splits g at the branch in, where g stands: the lanes in taken go to the target, the others fall through. They
// reconverge at the branch's join.
func (x *engine) diverge(g *group, taken lanes, in *inst) {
	x.emitBranch(in, g.mask, taken)
	if p := g.frame.fn.reconvergences[g.pc]; p != nil {
		x.part(g, taken, in, p)
		return
	}
	j, fall := x.joinAt(g, int32(in.imm)), g.pc+1
	g.join = j
	rest := g.mask &^ taken
	if !x.sched.impatient(x) {
		switch {
		case j.at(g.frame, in.tgt):
			x.wait(j, taken)
			g.mask, g.pc = rest, fall
			return
		case j.at(g.frame, fall):
			x.wait(j, rest)
			g.mask, g.pc = taken, in.tgt
			return
		}
	}
	if x.sched.takenFirst() {
		h := x.split(g, rest, fall, j)
		g.pc = in.tgt
		x.sched.diverged(x, h)
		return
	}
	h := x.split(g, taken, in.tgt, j)
	g.pc = fall
	x.sched.diverged(x, h)
}

// joinAt returns the join for a divergence of g that ends at pc of its frame.
func (x *engine) joinAt(g *group, pc int32) *join {
	if pc == joinAtReturn || g.join.at(g.frame, pc) {
		return g.join
	}
	return x.newJoin(g.frame, pc, g.mask, g.join)
}

// exit ends the threads in m of the running group g; the others continue at the next instruction.
func (x *engine) exit(g *group, m lanes) {
	w := g.warp
	x.progress++
	x.l.lastMove = x.l.turns
	if m == g.mask && g.alone() {
		x.exitAlone(g)
		return
	}
	w.live &^= m
	w.cta.live -= m.count()
	g.mask &^= m
	g.pc++
	j, f := g.join, g.frame
	if g.mask == 0 {
		x.drop(g)
	}
	x.leaveUntil(j, nil, m)
	for f != nil {
		caller := f.caller
		x.leaveFrame(f, m)
		f = caller
	}
	x.wake(w)
	x.resumeStranded(w)
	x.recheckSyncs(w)
	x.retryProducts(w.cta)
	x.recheckBarriers(w)
	x.leaveCluster(w, m)
	if w.cta.live == 0 {
		x.endCTA(w.cta)
	}
}

// alone reports whether the group is all that is left of its warp, in the kernel's own frame, and nothing waits for its
// threads.
func (g *group) alone() bool {
	w := g.warp
	c := w.cta
	return g.mask == w.live && len(w.groups) == 1 && g.join == nil && g.frame.caller == nil &&
		len(w.joins)+len(w.syncs) == 0 &&
		!c.awaitsProducts && c.cluster.arrived == 0 && w.passed == 0 && c.nobodyWaits()
}

// exitAlone is exit for a group that is alone. It becomes the idle group of its warp.
func (x *engine) exitAlone(g *group) {
	w, n := g.warp, g.mask.count()
	c := w.cta
	w.live, w.groups, w.active = 0, w.groups[:0], 0
	if g.waitsFor != nil {
		g.waitsFor.out--
	}
	g.mask, g.state, g.frame.live = 0, groupIdle, 0
	w.idle = g
	c.live -= n
	c.cluster.live -= n
	if c.live == 0 {
		x.endCTA(c)
	}
}

// Progress counts the blocks of the launch that runs. Any goroutine may read it.
type Progress struct{ ended, blocks counter.Uint64 }

// Count returns the number of blocks that have ended, and that of all blocks of the grid; 0 while none runs. Blocks of
// grids that threads launch are not counted.
func (p *Progress) Count() (ended, blocks uint64) { return p.ended.Load(), p.blocks.Load() }

// countEnded adds n blocks of the launch that have ended.
func (x *engine) countEnded(n uint64) {
	if p := x.m.cfg.Progress; p != nil && x.l.grids.depth == 0 {
		p.ended.Add(n)
	}
}

// beginProgress sets the counts at the beginning of a launch.
func (x *engine) beginProgress() {
	if p := x.m.cfg.Progress; p != nil && x.l.grids.depth == 0 {
		p.ended.Store(0)
		p.blocks.Store(x.l.total)
	}
}

// end sets the counts to 0 at the end of a launch.
func (p *Progress) end() {
	if p != nil {
		p.blocks.Store(0)
	}
}
