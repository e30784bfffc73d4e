// The engine: executes one turn of a group, instruction by instruction, with branches, joins and exits.

package emu

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
)

// at returns the instruction at pc. Code ends with an instruction that has no fall-through, so that pc stays within it.
func at(code unsafe.Pointer, pc int32) *state.Inst {
	return (*state.Inst)(unsafe.Add(code, uintptr(uint32(pc))*unsafe.Sizeof(state.Inst{})))
}

// turn executes a group until it waits, exits, faults, or has used up its quantum of scheduling points. If the turns of
// other groups have followed in the same run of the assembly, x.running is the last of these groups at the end.
func turn(x *state.Engine, g *state.Group, quantum int) {
	x.Running = g
	x.Warp, x.CTA = g.Warp, g.Warp.CTA
	x.Quantum, x.Yield = quantum, false
	if !groups.Arrive(x, g) {
		return
	}
	if x.Vec != nil && x.Vec.Turns.Sched != nil {
		gatherTurns(x, g)
	}
	for runs(x, x.Running) && stretch(x, x.Running) {
	}
}

// runs reports whether the turn of g goes on.
func runs(x *state.Engine, g *state.Group) bool {
	return x.Fault == nil && g.State == state.GroupReady && !x.Yield
}

// stretch executes instructions of g in its current frame until something other than a uniform branch changes the
// group. It reports whether the turn goes on.
func stretch(x *state.Engine, g *state.Group) bool {
	f := g.Frame
	x.Frame = f
	code := unsafe.Pointer(unsafe.SliceData(f.Fn.Code))
	mask, pc, stop := g.Mask, g.PC, stopOf(g)
	var v *state.VectorCode
	if x.Vec != nil && stop != stopAnywhere {
		v = f.Fn.Vector
	}
	bound := false // no instruction has been executed in Go since x.bind
	for {
		recording := x.Recording
		followed := !f.Undefined.None() // instruction by instruction: see inspect
		if v != nil && v.Starts[pc] != groups.NoStart && (!recording || codeObserves(v, pc)) && !followed {
			if !bound {
				bind(x, f, v)
			}
			end := assembled(x, g, v, &pc)
			if g != x.Running {
				return continueTurn(x, end, pc)
			}
			bound = end != afterRest
			mask, stop = g.Mask, stopOf(g)
			switch end {
			case afterRun, afterRest:
				if pc != stop {
					continue
				}
				g.PC = pc
				return groups.Arrive(x, g)
			case afterEnd:
				return false
			case afterArrive:
				return groups.Arrive(x, g)
			case afterSurvive:
				g.PC = pc
				return continueAfterFault(x, g, at(code, pc), state.Lanes(x.Vec.C.Rest))
			}
		}
		start := pc
		bound = false
		in := at(code, pc)
		lazy := x.Weak != nil && x.Weak.Lazy
		for in.Flags == 0 && !recording && !followed && !lazy && (v == nil || v.Starts[pc] == groups.NoStart) {
			if m := mask & (*f.P(in.Guard) ^ in.GuardXor); m != 0 {
				in.Body(x, in, m)
			}
			pc++
			in = at(code, pc)
		}
		n := uint64(pc - start)
		if in.Flags&state.FlagVisible != 0 {
			if x.Quantum <= 0 {
				countInstructions(x, n, mask)
				g.PC = pc
				return false
			}
			x.Quantum--
		}
		next := pc
		if lazy {
			waits := false
			if next, waits = weak.Before(x, g, in, pc); waits {
				countInstructions(x, n, mask)
				g.PC = pc
				return false
			}
		}
		countInstructions(x, n+1, mask)
		if followed {
			memory.Inspect(x, in, at(code, pc+1), mask)
		}
		m := mask & (*f.P(in.Guard) ^ in.GuardXor)
		if in.Flags&state.FlagStep != 0 {
			if x.Step.Stored == nil {
				x.Step.Stored = func(lane int) (uint64, bool) { return memory.Stored(x, &x.Step, lane) }
			}
			events.EmitStep(x, in, mask, m)
		}
		if recording && m != 0 {
			sched.Instruction(&x.Recorder, f.Fn.SourceOf(in.Src))
		}
		switch {
		case next > pc:
			pc = next
		case m == 0:
			pc++
		case in.Flags&state.FlagBranch != 0:
			if m != mask {
				g.PC = pc
				exec.Diverge(x, g, m, in)
				return groups.Arrive(x, g)
			}
			back := in.Flags&state.FlagLoop != 0
			pc = in.Tgt
			if back {
				g.PC = pc
				if !grids.BackEdge(x, g, exec.Counted(x, g, in)) {
					return false
				}
			}
		case in.Flags&state.FlagControl != 0:
			g.PC = pc
			// Only at instructions without a handler and at returns: the assembly does not check the limit at the
			// others either, so that both notice it at the same places.
			if x.Stats.WarpInstructions >= x.L.CheckAt && (in.Op == vector.Slow || in.Op == vector.Return) &&
				!grids.CheckProgress(x) {
				return false
			}
			in.Body(x, in, m)
			return runs(x, g) && groups.Arrive(x, g)
		default:
			in.Body(x, in, m)
			if x.Fault != nil {
				g.PC = pc
				return continueAfterFault(x, g, in, m)
			}
			x.Storing = nil
			pc++
		}
		if pc == stop || stop == stopAnywhere && groups.Reached(g.Join, f, pc) != nil {
			g.PC = pc
			return groups.Arrive(x, g)
		}
	}
}

// stopAnywhere is the stop of a group that may bypass its innermost join and reach an outer one.
const stopAnywhere = -3

// stopOf returns the pc of the innermost join of g in its frame, JoinAtReturn if there is none, stopAnywhere if that
// join may be bypassed.
func stopOf(g *state.Group) int32 {
	switch {
	case g.Join == nil || g.Join.Frame != g.Frame:
		return exec.JoinAtReturn
	case g.Join.Partial:
		return stopAnywhere
	}
	return g.Join.PC
}

// countInstructions adds n instructions executed by the lanes in mask.
func countInstructions(x *state.Engine, n uint64, mask state.Lanes) {
	x.Stats.WarpInstructions += n
	x.Stats.ThreadInstructions += n * uint64(mask.Count())
}

// beginProgress sets the counts at the beginning of a launch.
func beginProgress(x *state.Engine) {
	if p := x.M.Cfg.Progress; p != nil && x.L.Grids.Depth == 0 {
		p.Ended.Store(x.L.Next)
		p.Blocks.Store(x.L.Total)
	}
}

// suspend lets other launches execute, and count their blocks, until resume is called.
func suspend(x *state.Engine) (resume func()) {
	p, device := x.M.Cfg.Progress, x.M.Dev.Mem.Running
	if p == nil {
		return func() { x.M.Dev.Mem.Running = device }
	}
	ended, blocks := p.Count()
	return func() {
		x.M.Dev.Mem.Running = device
		p.Ended.Store(ended)
		p.Blocks.Store(blocks)
	}
}

// end sets the counts to 0 at the end of a launch.
func end(p *Progress) {
	if p != nil {
		p.Blocks.Store(0)
	}
}

// stuck raises the fault of a launch in which no group can run.
func stuck(x *state.Engine) {
	ws := faults.Waiters(x)
	if len(ws) == 0 {
		panic("BUG: emu: threads are left but none waits")
	}
	class, named := faults.StuckClass(x, ws)
	var b strings.Builder
	b.WriteString(faults.StuckHeads[class])
	b.WriteString(faults.DescribeWaiters(x, ws))
	b.WriteString(async.DescribeMbarriers(ws))
	if n := x.L.Total - x.L.Next; n > 0 {
		fmt.Fprintf(&b, "; %d blocks have not started because only %d may be resident, and none of those can end", n,
			x.L.Limit)
	}
	faults.Fail(x, named.Warp, named.Mask.First(), faults.BlameAt(x, named.Frame, named.Pc), class, 0, b.String())
}

// continueAfterFault is called after in has faulted for a lane of g, which is at in; m is the lanes that execute it. It
// reports whether the turn goes on.
func continueAfterFault(x *state.Engine, g *state.Group, in *state.Inst, m state.Lanes) bool {
	if in.Flags&state.FlagResumable == 0 || x.M.Cfg.MaxFaults == 1 {
		return false
	}
	listener := x.Listener
	x.Listener = nil // it has received the event for all lanes
	dead := state.Lanes(0)
	for x.Fault != nil {
		lane := state.Lanes(1) << x.FaultLane
		if faults.RecordFault(x); x.Fault != nil {
			break
		}
		dead |= lane
		if rest := m &^ (lane<<1 - 1); rest != 0 {
			in.Body(x, in, rest)
		}
	}
	x.Listener, x.Storing = listener, nil
	if x.Fault != nil {
		return false
	}
	barriers.Exit(x, g, dead)
	return runs(x, g) && groups.Arrive(x, g)
}
