// Faults: recording, blame, the lanes and calls that a fault names.

package faults

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Faults of registers.
const (
	NoRegister       state.RegisterFault = iota // a fault of another class
	EarlyResult                                 // a result of tcgen05.ld is accessed before tcgen05.wait::ld
	EarlyAccumulator                            // an accumulator of a product is accessed before wgmma.wait_group
	EarlyFragment                               // a fragment is overwritten before wgmma.wait_group
	NoProductFence                              // a product lacks wgmma.fence
)

// Blame returns the instruction to name in a fault in activation f at the instruction with the given src.
func Blame(x *state.Engine, f *state.Frame, src int32) *rewrite.Inst {
	at := f.Fn.SourceOf(src)
	if x.M.Cfg.Blame == nil || at.In == nil {
		return at.In
	}
	calls := callChain(at, nil)
	for ; f.Caller != nil && f.Ret != nil; f = f.Caller {
		fn := f.Caller.Fn
		if site := fn.SourceOf(fn.Code[f.Ret.PC-1].Src); site.In != nil {
			calls = callChain(site, append(calls, site.In))
		}
	}
	return x.M.Cfg.Blame(at.In, calls)
}

// Blamed returns the instruction to name for one of the kernel that no thread is at.
func Blamed(x *state.Engine, in *rewrite.Inst) *rewrite.Inst {
	if x.M.Cfg.Blame == nil {
		return in
	}
	return x.M.Cfg.Blame(in, nil)
}

// callChain appends the inlined calls in place of which s was decoded, the innermost first.
func callChain(s state.Source, to []*rewrite.Inst) []*rewrite.Inst {
	for at := s.At; at != nil; at = at.Outer {
		to = append(to, at.Call)
	}
	return to
}

// BlameAt is blame for the instruction at pc.
func BlameAt(x *state.Engine, f *state.Frame, pc int32) *rewrite.Inst {
	return Blame(x, f, f.Fn.Code[pc].Src)
}

// PlaceText describes the place of an instruction in messages: its source line, the one at which it was inlined, if the
// PTX has it, and the line of the PTX.
func PlaceText(in *rewrite.Inst) string {
	text := fmt.Sprintf("line %d (%s)", in.Line, in.Text())
	at := in.Loc
	for at != nil && at.InlinedAt != nil {
		at = at.InlinedAt
	}
	if at != nil && at.Line > 0 {
		text = fmt.Sprintf("%s:%d, PTX %s", filepath.Base(at.File), at.Line, text)
	}
	return text
}

// Raise records a fault of one lane of the running group at the instruction in. The launch ends, unless only that lane
// has to stop (see fail).
func Raise(x *state.Engine, in *state.Inst, lane int, class string, addr uint64, format string, args ...any) {
	Fail(x, x.Warp, lane, Blame(x, x.Frame, in.Src), class, addr, fmt.Sprintf(format, args...))
}

// RaiseHere is raise for the engine itself, at the running group's first lane and instruction, or at the beginning of
// the kernel when no group runs.
func RaiseHere(x *state.Engine, class, format string, args ...any) {
	lane, at := 0, (*rewrite.Inst)(nil)
	if g := x.Running; g != nil && g.Mask != 0 {
		lane, at = g.Mask.First(), BlameAt(x, g.Frame, g.PC)
	} else if g == nil && len(x.L.Kernel.Src.Insts) > 0 { // a block starts
		at = x.L.Kernel.Src.Insts[0]
	}
	Fail(x, x.Warp, lane, at, class, 0, fmt.Sprintf(format, args...))
}

// Waiter is a set of threads that cannot continue.
type Waiter struct {
	g     *state.Group
	Warp  *state.Warp
	Mask  state.Lanes
	Frame *state.Frame
	Pc    int32
	State state.GroupState
	what  string
}

// StuckHeads are the beginnings of messages about threads that wait forever, by class.
var StuckHeads = map[string]string{
	"livelock":           "no thread can make progress: ",
	"deadlock":           "no thread can make progress: ",
	"barrier-divergence": "a barrier can never complete: ",
}

// StuckClass classifies a launch in which no group can run, and chooses the threads to name. Threads that spin forever
// are a livelock. If there are blocks that have not started, they never will, because the resident blocks with the
// spinning threads do not end: a deadlock.
func StuckClass(x *state.Engine, ws []Waiter) (string, Waiter) {
	for _, w := range ws {
		switch {
		case w.State != state.GroupParked:
		case x.L.Next < x.L.Total:
			return "deadlock", w
		default:
			return "livelock", w
		}
	}
	for _, w := range ws {
		if w.State == state.GroupBarrier {
			return "barrier-divergence", w
		}
	}
	return "deadlock", ws[0]
}

// Waiters lists all groups of the launch, by block, warp and lane, with what they wait for.
func Waiters(x *state.Engine) []Waiter {
	var ws []Waiter
	ctas := slices.Clone(x.L.Resident)
	slices.SortFunc(ctas, func(a, b *state.CTA) int { return int(a.Linear) - int(b.Linear) })
	for _, c := range ctas {
		for _, w := range c.Warps {
			from := len(ws)
			for _, g := range w.Groups {
				ws = append(ws, Waiter{
					g: g, Warp: w, Mask: g.Mask, Frame: g.Frame, Pc: g.PC, State: g.State,
					what: waitsAt(g),
				})
			}
			for _, j := range w.Joins {
				ws = append(ws, Waiter{
					Warp: w, Mask: j.Arrived, Frame: j.Frame, Pc: j.PC, State: state.GroupPending,
					what: "wait to reconverge",
				})
			}
			slices.SortFunc(ws[from:], func(a, b Waiter) int { return a.Mask.First() - b.Mask.First() })
		}
	}
	return ws
}

var stateWords = [...]string{
	state.GroupReady:   "run",
	state.GroupParked:  "spin",
	state.GroupBarrier: "wait at a barrier",
	state.GroupSync:    "wait for other lanes",
	state.GroupPending: "wait for the other side of a branch",
}

// waitsAt describes what a group does.
func waitsAt(g *state.Group) string {
	for _, s := range g.Warp.Syncs {
		if s.G == g && s.Op.Ready != nil && s.Members&g.Warp.Live == g.Mask {
			return s.Op.Awaits
		}
	}
	return stateWords[g.State]
}

// MaxPlaces limits the number of places that a message lists.
const MaxPlaces = 6

// DescribeWaiters summarises the waiters by what they do and where.
func DescribeWaiters(x *state.Engine, ws []Waiter) string {
	type place struct {
		what string
		line int
		text string
	}
	var order []place
	sum := map[place]int{}
	example := map[place]Waiter{}
	for _, w := range ws {
		p := place{what: w.what}
		if in := BlameAt(x, w.Frame, w.Pc); in != nil {
			p.line, p.text = in.Line, in.Text()
		}
		if sum[p] == 0 {
			order = append(order, p)
			example[p] = w
		}
		sum[p] += w.Mask.Count()
	}
	var parts []string
	for i, p := range order {
		if i == MaxPlaces {
			parts = append(parts, fmt.Sprintf("and %d more places", len(order)-i))
			break
		}
		n, e := sum[p], example[p]
		what := p.what
		if n == 1 {
			what = singular(what)
		}
		parts = append(parts, fmt.Sprintf("%s %s at line %d (%s), e.g. block %v warp %d lane %d",
			diag.Plural(n, "thread"), what, p.line, p.text, e.Warp.CTA.Index, e.Warp.Index, e.Mask.First()))
	}
	return strings.Join(parts, "; ")
}

// singular turns "wait at" into "waits at".
func singular(what string) string {
	verb, rest, _ := strings.Cut(what, " ")
	if rest != "" {
		rest = " " + rest
	}
	return verb + "s" + rest
}

// Continuing after faults. Config.MaxFaults kinds of faults end a launch, not counting those that stop nothing. Before
// that, the threads whose memory access faulted stop as if they had exited, and the others continue. Equal faults of
// the same instruction are one kind and reported once, with the number of threads. A thread also stops that names a
// membermask without itself. Traps, assertions, barriers and all other faults that are not of single threads end the
// launch immediately. Consequences of missing threads, such as others waiting for them forever, are not reported.

// Fail raises a fault of one lane.
func Fail(x *state.Engine, w *state.Warp, lane int, at *rewrite.Inst, class string, addr uint64, msg string) {
	if x.Fault != nil {
		return
	}
	x.FaultLane = lane
	msg += likelyCause(x.L, class, addr)
	x.Fault = &state.Fault{
		Class: class, Message: msg, Kernel: x.L.Kernel.Src.Name, Count: 1,
		Block: w.CTA.Index, Thread: ThreadIndex(x, w, lane), Inst: at, Address: addr,
	}
}

// RecordFault moves the current fault to the list. The launch continues unless the number of kinds has reached the
// limit.
func RecordFault(x *state.Engine) {
	f := x.Fault
	for _, g := range x.Faults {
		if g == f {
			return // recorded already, as the last kind
		}
		if g.Inst == f.Inst && g.Class == f.Class {
			g.Count++
			x.Fault = nil
			return
		}
	}
	x.Faults = append(x.Faults, f)
	stopping := 0
	for _, g := range x.Faults {
		if stopped(g) {
			stopping++
		}
	}
	if f.Continued || stopping < x.M.Cfg.MaxFaults {
		x.Fault = nil
	}
}

// Outcome returns the faults of the launch.
func Outcome(x *state.Engine) []*state.Fault {
	f := x.Fault
	if f != nil && !slices.Contains(x.Faults, f) && (!consequences[f.Class] || !slices.ContainsFunc(x.Faults, stopped)) {
		x.Faults = append(x.Faults, f)
	}
	return x.Faults
}

// stopped reports whether a fault has stopped threads.
func stopped(f *state.Fault) bool { return !f.Continued }

// consequences are the classes of faults that missing threads can cause.
var consequences = map[string]bool{"deadlock": true, "livelock": true, "barrier-divergence": true, "timeout": true}

// In a cooperative launch all blocks are resident at once, so that they can wait for each other. The driver provides a
// workspace in device memory, which holds the grid barrier of cooperative_groups::this_grid().sync(). The CUDA header
// reads the address of the workspace from two special registers.
const (
	WorkspaceHigh = "%envreg1"
	WorkspaceLow  = "%envreg2"
	WorkspaceSize = 4096
)

// likelyCause returns an explanation for a fault that looks like grid.sync() in a launch that is not cooperative, else
// "". In such a launch the workspace address is 0: the CUDA header traps on it, and other code accesses it.
func likelyCause(l *state.Launch, class string, addr uint64) string {
	nowhere := class == "trap" || class == "out-of-bounds" && addr < WorkspaceSize
	if l.Workspace != 0 || !nowhere || !readsWorkspace(l.Kernel) {
		return ""
	}
	return "; perhaps by grid.sync() in a launch that is not cooperative: set cooperative: true"
}

// readsWorkspace reports whether fn, or a function that it reaches through direct calls, reads the address of the
// workspace.
func readsWorkspace(fn *state.Function) bool {
	seen := map[*state.Function]bool{fn: true}
	for work := []*state.Function{fn}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.Specials {
			if s.Reg.Name == WorkspaceHigh || s.Reg.Name == WorkspaceLow {
				return true
			}
		}
		for _, callee := range f.Calls {
			if !seen[callee] {
				seen[callee] = true
				work = append(work, callee)
			}
		}
	}
	return false
}

// ThreadIndex returns %tid of lane i.
func ThreadIndex(x *state.Engine, w *state.Warp, i int) state.Dim3 {
	t, b := uint32(w.Index*state.WarpSize+i), x.L.Block
	return state.Dim3{X: t % b.X, Y: t / b.X % b.Y, Z: t / b.X / b.Y}
}
