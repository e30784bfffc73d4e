// The execution of one thread, and the trace of its events.

package replay

import (
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Launch is the environment of a thread.
type Launch struct {
	Grid, Block [3]uint32
	// Param returns size bytes of a parameter from off on; false if they are unknown.
	Param func(index int, off int64, size int) (uint64, bool)
	// Symbol returns the address of a variable.
	Symbol func(f *symbolic.Frame, v *rewrite.Var) uint64
	// Load returns the content of memory at an address; false if it is unknown.
	Load func(f *symbolic.Frame, in *rewrite.Inst, elem int, addr uint64, size int) (uint64, bool)
	// Steps limits the instructions executed.
	Steps int
	// Ended reports whether the time is over; nil: never.
	Ended func() bool
	// Spin says that a thread leaves a loop if whether it does depends on a value read by a strong operation: it is
	// assumed to wait there until it can.
	Spin bool
}

// Event is an event of a thread. Certain is false if it may not have happened.
type Event struct {
	Frame *symbolic.Frame
	Inst  *rewrite.Inst
	// For an access: Known says that its address is known.
	Access isa.Access
	Addr   uint64
	Known  bool
	// Number of earlier barriers of the block and of the warp in which all threads take part.
	Blocks, Warps int
	Certain       bool
}

// Trace is the events of a thread, in order.
type Trace struct {
	Events  []Event
	Ended   bool   // the thread came to its end
	Why     string // reason why the thread was not followed further
	Unknown bool   // the reason is that a value is not known
	Steps   int
	Waited  bool // Launch.Spin was used
}

// value is the content of a register.
type value struct {
	bits  uint64
	known bool
	sync  bool          // unknown because it depends on a value read by a strong operation
	fn    *rewrite.Func // whose address it is; the number is not known
}

// activation is the execution of a frame.
type activation struct {
	frame *symbolic.Frame
	regs  []value
	back  int // where the calling frame continues
}

type thread struct {
	launch        Launch
	block, thread [3]uint32
	stack         []*activation
	params        map[paramKey]value
	called        map[callPlace]*symbolic.Frame // the function called last
	local         map[uint64]value
	trace         *Trace
	blocks, warps int
	stopped       bool
}

// callPlace is a call in a frame.
type callPlace struct {
	f  *symbolic.Frame
	in *rewrite.Inst
}

// paramKey is a part of a parameter or argument of a frame.
type paramKey struct {
	frame int
	v     *rewrite.Var
	off   int64
	size  int
}

// stepsAtOnce is the number of instructions between two looks at [Launch.Ended].
const stepsAtOnce = 1024

// Run executes a thread.
func Run(k *symbolic.Kernel, l Launch, block, id [3]uint32) *Trace {
	t := &thread{
		launch: l, block: block, thread: id, params: make(map[paramKey]value),
		called: make(map[callPlace]*symbolic.Frame), local: make(map[uint64]value), trace: &Trace{},
	}
	t.enter(k.Root, -1)
	at := 0
	for len(t.stack) > 0 && !t.stopped {
		top := t.stack[len(t.stack)-1]
		if at >= len(top.frame.Func.Insts) {
			at = t.leave()
			continue
		}
		if t.trace.Steps++; t.trace.Steps > l.Steps {
			t.stop("it makes too many steps")
			break
		}
		if l.Ended != nil && t.trace.Steps%stepsAtOnce == 0 && l.Ended() {
			t.stop("the time is over")
			break
		}
		at = t.step(top, top.frame.Func.Insts[at], at)
	}
	t.trace.Ended = len(t.stack) == 0 && !t.stopped
	return t.trace
}

func (t *thread) stop(why string) {
	t.stopped, t.trace.Why = true, why
}

// lose stops because a value is not known.
func (t *thread) lose(why string) {
	t.stop(why)
	t.trace.Unknown = true
}

func (t *thread) enter(f *symbolic.Frame, back int) {
	t.stack = append(t.stack, &activation{frame: f, regs: make([]value, len(f.Func.Regs)), back: back})
}

// leave returns from a function. The result is the index at which its caller continues.
func (t *thread) leave() int {
	top := t.stack[len(t.stack)-1]
	t.stack = t.stack[:len(t.stack)-1]
	return top.back
}

// step executes an instruction, and returns the index of the next.
func (t *thread) step(a *activation, in *rewrite.Inst, at int) int {
	guard := value{bits: 1, known: true}
	if in.Guard != nil {
		guard = a.regs[in.Guard.Index]
		if in.GuardNot {
			guard.bits ^= 1
		}
	}
	if guard.known && guard.bits&1 == 0 {
		return at + 1
	}
	switch {
	case in.Branches():
		return t.branch(a, in, at, guard)
	case in.Effects().Has(isa.Terminates):
		return t.terminate(in, at, guard)
	}
	if !guard.known {
		return t.perhaps(a, in, at)
	}
	if c, ok := in.Call(); ok {
		return t.call(a, in, c, at)
	}
	if b, ok := in.Barrier(); ok {
		t.barrier(a, in, b, true)
		t.forget(a, in)
		return at + 1
	}
	if in.Instr.Class == isa.ClassFence {
		t.event(a, in, isa.Access{}, value{}, true)
		return at + 1
	}
	if len(in.Accesses) > 0 {
		t.access(a, in)
		return at + 1
	}
	t.compute(a, in)
	return at + 1
}

// perhaps handles an instruction that may or may not be executed.
func (t *thread) perhaps(a *activation, in *rewrite.Inst, at int) int {
	_, call := in.Call()
	_, barrier := in.Barrier()
	if call || barrier {
		t.lose("whether it comes to a call or a barrier is not known")
		return at
	}
	for _, x := range in.Accesses {
		if x.Space != isa.SpaceParam && x.Space != isa.SpaceLocal {
			t.event(a, in, x, value{}, false)
		}
	}
	if in.Instr.Class == isa.ClassFence {
		t.event(a, in, isa.Access{}, value{}, false)
	}
	if in.Access.Kind == isa.AccessStore && in.Access.Space == isa.SpaceParam {
		t.stop("whether an argument is passed is not known")
	}
	t.forget(a, in)
	return at + 1
}

// forget makes what an instruction writes unknown.
func (t *thread) forget(a *activation, in *rewrite.Inst) {
	in.Defs(func(r *rewrite.Reg) { a.regs[r.Index] = value{sync: in.Strong()} })
}

func (t *thread) branch(a *activation, in *rewrite.Inst, at int, guard value) int {
	label := -1
	for i := range in.Operands {
		if l, ok := in.Operands[i].Sym.(*rewrite.Label); ok && in.Operands[i].Kind == rewrite.OperandLabel {
			label = l.Inst
		}
	}
	if in.BranchIndex() >= 0 || label < 0 {
		t.stop("a branch through a register")
		return at
	}
	if guard.known {
		return label
	}
	if t.launch.Spin && guard.sync {
		if leave, ok := exit(a.frame, in, label, at+1); ok {
			t.trace.Waited = true
			return leave
		}
	}
	t.lose("its way depends on what memory holds")
	return at
}

// exit returns the target of a branch that leaves the innermost loop, if the other target does not.
func exit(f *symbolic.Frame, in *rewrite.Inst, label, next int) (int, bool) {
	l := f.Loop(f.Block(in))
	if l == nil || label >= len(f.Func.Insts) || next >= len(f.Func.Insts) {
		return 0, false
	}
	inside := func(at int) bool {
		for x := f.Loop(f.Block(f.Func.Insts[at])); x != nil; x = x.Parent {
			if x == l {
				return true
			}
		}
		return false
	}
	switch {
	case inside(label) && !inside(next):
		return next, true
	case !inside(label) && inside(next):
		return label, true
	}
	return 0, false
}

func (t *thread) terminate(in *rewrite.Inst, at int, guard value) int {
	switch e := in.Effects(); {
	case !guard.known:
		t.lose("whether it ends is not known")
	case e.Has(isa.Aborts):
		t.stop("it ends the grid")
	case e.Has(isa.Exits):
		t.stack = nil
	default:
		return t.leave()
	}
	return at
}

func (t *thread) call(a *activation, in *rewrite.Inst, c rewrite.Call, at int) int {
	f := callee(a, in, c)
	if f == nil {
		if c.Func == nil || !symbolic.Harmless(c.Func) {
			t.stop("a call that is not followed")
		}
		t.forget(a, in)
		return at + 1
	}
	for _, r := range c.Returns {
		if r.Kind == rewrite.OperandReg {
			t.stop("results in registers")
			return at
		}
	}
	t.called[callPlace{a.frame, in}] = f
	t.enter(f, at+1)
	t.pass(a, f, c)
	return 0
}

// callee returns the frame of the function that a call calls, nil if it is not known.
func callee(a *activation, in *rewrite.Inst, c rewrite.Call) *symbolic.Frame {
	for _, f := range a.frame.Callees(in) {
		if c.Func != nil || a.regs[c.Target.Index].fn == f.Func {
			return f
		}
	}
	return nil
}

// pass passes its arguments to a function.
func (t *thread) pass(a *activation, f *symbolic.Frame, c rewrite.Call) {
	to := t.stack[len(t.stack)-1]
	for i, p := range f.Func.Params {
		if i >= len(c.Args) {
			break
		}
		v, ok := c.Args[i].Sym.(*rewrite.Var)
		if ok && c.Args[i].Kind == rewrite.OperandSymbol {
			for k, x := range t.params {
				if k.frame == a.frame.ID && k.v == v {
					t.params[paramKey{f.ID, p, k.off, k.size}] = x
				}
			}
		} else if p.Reg != nil {
			to.regs[p.Reg.Index] = t.operand(a, a.frame.Call, &c.Args[i])
		}
	}
}

// barrier counts a barrier in which all threads take part; others are events for the caller to judge.
func (t *thread) barrier(a *activation, in *rewrite.Inst, b isa.Barrier, certain bool) {
	all := b.Threads < 0 && (b.Step == isa.BarrierSync || b.Step == isa.BarrierReduce)
	if b.ID >= 0 && b.ID < len(in.Operands) {
		o := &in.Operands[b.ID]
		all = all && o.Kind == rewrite.OperandImm && (b.Of != isa.BarrierOfWarp || uint32(o.Imm) == ^uint32(0))
	}
	switch {
	case all && b.Of == isa.BarrierOfCTA:
		t.blocks++
	case all && b.Of == isa.BarrierOfWarp:
		t.warps++
	default:
		certain = false
	}
	t.event(a, in, isa.Access{}, value{}, certain)
}

func (t *thread) event(a *activation, in *rewrite.Inst, x isa.Access, addr value, certain bool) {
	t.trace.Events = append(t.trace.Events, Event{
		Frame: a.frame, Inst: in, Access: x, Addr: addr.bits, Known: addr.known, Blocks: t.blocks, Warps: t.warps,
		Certain: certain,
	})
}
