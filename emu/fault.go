// Faults: raising them, the instruction to blame, and the description of a launch in which no group can run.

package emu

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Fault is an error of the kernel: a GPU would kill the kernel, or never finish it.
type Fault struct {
	// Class is as in the report: out-of-bounds, misaligned, barrier-divergence,
	// deadlock, livelock, timeout, trap, assert, unsupported, uninitialised,
	// use-after-free, tensor-memory.
	Class   string
	Message string
	Kernel  string
	Block   Dim3
	Thread  Dim3
	Inst    *rewrite.Inst // nil if no instruction is to blame
	Address uint64        // generic; 0 when none
	Count   int           // number of threads with the same fault at the same instruction
	// Continued says that the fault stops nothing: the use of memory that was never written, or of a register of an
	// asynchronous operation.
	Continued bool
	Register  RegisterFault
}

// RegisterFault is what is wrong with a register of an asynchronous operation.
type RegisterFault uint8

// Faults of registers.
const (
	NoRegister       RegisterFault = iota // a fault of another class
	EarlyResult                           // a result of tcgen05.ld is accessed before tcgen05.wait::ld
	EarlyAccumulator                      // an accumulator of a product is accessed before wgmma.wait_group
	EarlyFragment                         // a fragment is overwritten before wgmma.wait_group
	NoProductFence                        // a product lacks wgmma.fence
)

// Error returns the fault in one line, with the position in the PTX file.
func (f *Fault) Error() string {
	at := ""
	if f.Inst != nil {
		at = f.Inst.Position().String() + ": "
	}
	return fmt.Sprintf("%s%s: %s, block %v thread %v of %s", at, f.Class, f.Message, f.Block, f.Thread, f.Kernel)
}

// instAt returns the PTX instruction that the code at pc was decoded from.
func (fn *function) instAt(pc int32) *rewrite.Inst {
	return fn.sourceOf(fn.code[pc].src).in
}

// sourceOf returns the source of an instruction by inst.src.
func (fn *function) sourceOf(src int32) source {
	if src < 0 {
		return source{}
	}
	return fn.sources[src]
}

// blame returns the instruction to name in a fault in activation f at the instruction with the given src.
func (x *engine) blame(f *frame, src int32) *rewrite.Inst {
	at := f.fn.sourceOf(src)
	if x.m.cfg.Blame == nil || at.in == nil {
		return at.in
	}
	calls := at.calls(nil)
	for ; f.caller != nil && f.ret != nil; f = f.caller {
		fn := f.caller.fn
		if site := fn.sourceOf(fn.code[f.ret.pc-1].src); site.in != nil {
			calls = site.calls(append(calls, site.in))
		}
	}
	return x.m.cfg.Blame(at.in, calls)
}

// blamed returns the instruction to name for one of the kernel that no thread is at.
func (x *engine) blamed(in *rewrite.Inst) *rewrite.Inst {
	if x.m.cfg.Blame == nil {
		return in
	}
	return x.m.cfg.Blame(in, nil)
}

// calls appends the inlined calls in place of which s was decoded, the innermost first.
func (s source) calls(to []*rewrite.Inst) []*rewrite.Inst {
	for at := s.at; at != nil; at = at.outer {
		to = append(to, at.call)
	}
	return to
}

// blameAt is blame for the instruction at pc.
func (x *engine) blameAt(f *frame, pc int32) *rewrite.Inst { return x.blame(f, f.fn.code[pc].src) }

// placeText describes the place of an instruction in messages: its source line, the one at which it was inlined, if the
// PTX has it, and the line of the PTX.
func placeText(in *rewrite.Inst) string {
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

// raise records a fault of one lane of the running group at the instruction in. The launch ends, unless only that lane
// has to stop (see fail).
func (x *engine) raise(in *inst, lane int, class string, addr uint64, format string, args ...any) {
	x.fail(x.warp, lane, x.blame(x.frame, in.src), class, addr, fmt.Sprintf(format, args...))
}

// raiseHere is raise for the engine itself, at the running group's first lane and instruction, or at the beginning of
// the kernel when no group runs.
func (x *engine) raiseHere(class, format string, args ...any) {
	lane, at := 0, (*rewrite.Inst)(nil)
	if g := x.running; g != nil && g.mask != 0 {
		lane, at = g.mask.first(), x.blameAt(g.frame, g.pc)
	} else if g == nil && len(x.l.kernel.src.Insts) > 0 { // a block starts
		at = x.l.kernel.src.Insts[0]
	}
	x.fail(x.warp, lane, at, class, 0, fmt.Sprintf(format, args...))
}

// waiter is a set of threads that cannot continue.
type waiter struct {
	g     *group
	warp  *warp
	mask  lanes
	frame *frame
	pc    int32
	state groupState
	what  string
}

// stuck raises the fault of a launch in which no group can run.
func (x *engine) stuck() {
	ws := x.waiters()
	if len(ws) == 0 {
		panic("BUG: emu: threads are left but none waits")
	}
	class, named := x.stuckClass(ws)
	var b strings.Builder
	b.WriteString(stuckHeads[class])
	b.WriteString(x.describeWaiters(ws))
	b.WriteString(describeMbarriers(ws))
	if n := x.l.total - x.l.next; n > 0 {
		fmt.Fprintf(&b, "; %d blocks have not started because only %d may be resident, and none of those can end", n,
			x.l.limit)
	}
	x.fail(named.warp, named.mask.first(), x.blameAt(named.frame, named.pc), class, 0, b.String())
}

var stuckHeads = map[string]string{
	"livelock":           "no thread can make progress: ",
	"deadlock":           "no thread can make progress: ",
	"barrier-divergence": "a barrier can never complete: ",
}

// stuckClass classifies a launch in which no group can run, and chooses the threads to name. Threads that spin forever
// are a livelock. If there are blocks that have not started, they never will, because the resident blocks with the
// spinning threads do not end: a deadlock.
func (x *engine) stuckClass(ws []waiter) (string, waiter) {
	for _, w := range ws {
		switch {
		case w.state != groupParked:
		case x.l.next < x.l.total:
			return "deadlock", w
		default:
			return "livelock", w
		}
	}
	for _, w := range ws {
		if w.state == groupBarrier {
			return "barrier-divergence", w
		}
	}
	return "deadlock", ws[0]
}

// waiters lists all groups of the launch, by block, warp and lane, with what they wait for.
func (x *engine) waiters() []waiter {
	var ws []waiter
	ctas := slices.Clone(x.l.resident)
	slices.SortFunc(ctas, func(a, b *cta) int { return int(a.linear) - int(b.linear) })
	for _, c := range ctas {
		for _, w := range c.warps {
			from := len(ws)
			for _, g := range w.groups {
				ws = append(ws, waiter{
					g: g, warp: w, mask: g.mask, frame: g.frame, pc: g.pc, state: g.state,
					what: g.waitsAt(),
				})
			}
			for _, j := range w.joins {
				ws = append(ws, waiter{
					warp: w, mask: j.arrived, frame: j.frame, pc: j.pc, state: groupPending,
					what: "wait to reconverge",
				})
			}
			slices.SortFunc(ws[from:], func(a, b waiter) int { return a.mask.first() - b.mask.first() })
		}
	}
	return ws
}

var stateWords = [...]string{
	groupReady:   "run",
	groupParked:  "spin",
	groupBarrier: "wait at a barrier",
	groupSync:    "wait for other lanes",
	groupPending: "wait for the other side of a branch",
}

// waitsAt describes what a group does.
func (g *group) waitsAt() string {
	for _, s := range g.warp.syncs {
		if s.g == g && s.op.ready != nil && s.members&g.warp.live == g.mask {
			return s.op.awaits
		}
	}
	return stateWords[g.state]
}

// maxPlaces limits the number of places that a message lists.
const maxPlaces = 6

// describeWaiters summarises the waiters by what they do and where.
func (x *engine) describeWaiters(ws []waiter) string {
	type place struct {
		what string
		line int
		text string
	}
	var order []place
	sum := map[place]int{}
	example := map[place]waiter{}
	for _, w := range ws {
		p := place{what: w.what}
		if in := x.blameAt(w.frame, w.pc); in != nil {
			p.line, p.text = in.Line, in.Text()
		}
		if sum[p] == 0 {
			order = append(order, p)
			example[p] = w
		}
		sum[p] += w.mask.count()
	}
	var parts []string
	for i, p := range order {
		if i == maxPlaces {
			parts = append(parts, fmt.Sprintf("and %d more places", len(order)-i))
			break
		}
		n, e := sum[p], example[p]
		what := p.what
		if n == 1 {
			what = singular(what)
		}
		parts = append(parts, fmt.Sprintf("%s %s at line %d (%s), e.g. block %v warp %d lane %d",
			diag.Plural(n, "thread"), what, p.line, p.text, e.warp.cta.index, e.warp.index, e.mask.first()))
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

// fail raises a fault of one lane.
func (x *engine) fail(w *warp, lane int, at *rewrite.Inst, class string, addr uint64, msg string) {
	if x.fault != nil {
		return
	}
	x.faultLane = lane
	msg += x.l.likelyCause(class, addr)
	x.fault = &Fault{
		Class: class, Message: msg, Kernel: x.l.kernel.src.Name, Count: 1,
		Block: w.cta.index, Thread: x.threadIndex(w, lane), Inst: at, Address: addr,
	}
}

// recordFault moves the current fault to the list. The launch continues unless the number of kinds has reached the
// limit.
func (x *engine) recordFault() {
	f := x.fault
	for _, g := range x.faults {
		if g == f {
			return // recorded already, as the last kind
		}
		if g.Inst == f.Inst && g.Class == f.Class {
			g.Count++
			x.fault = nil
			return
		}
	}
	x.faults = append(x.faults, f)
	stopping := 0
	for _, g := range x.faults {
		if !g.Continued {
			stopping++
		}
	}
	if f.Continued || stopping < x.m.cfg.MaxFaults {
		x.fault = nil
	}
}

// continueAfterFault is called after in has faulted for a lane of g, which is at in; m is the lanes that execute it. It
// reports whether the turn goes on.
func (x *engine) continueAfterFault(g *group, in *inst, m lanes) bool {
	if in.flags&flagResumable == 0 || x.m.cfg.MaxFaults == 1 {
		return false
	}
	listener := x.listener
	x.listener = nil // it has received the event for all lanes
	dead := lanes(0)
	for x.fault != nil {
		lane := lanes(1) << x.faultLane
		if x.recordFault(); x.fault != nil {
			break
		}
		dead |= lane
		if rest := m &^ (lane<<1 - 1); rest != 0 {
			in.body(x, in, rest)
		}
	}
	x.listener, x.storing = listener, nil
	if x.fault != nil {
		return false
	}
	x.exit(g, dead)
	return x.runs(g) && x.arrive(g)
}

// outcome returns the faults of the launch.
func (x *engine) outcome() []*Fault {
	if f := x.fault; f != nil && (len(x.faults) == 0 || x.faults[len(x.faults)-1] != f && !consequences[f.Class]) {
		x.faults = append(x.faults, f)
	}
	return x.faults
}

// consequences are the classes of faults that missing threads can cause.
var consequences = map[string]bool{"deadlock": true, "livelock": true, "barrier-divergence": true, "timeout": true}
