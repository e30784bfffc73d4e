// Traces: the ways in which a thread can go through its instructions.

package axioms

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/litmus"
)

// trace is one way of a thread through its instructions.
type trace struct {
	events     []*event
	conditions []condition
	registers  map[string]*value // at the end
}

// condition must hold for a trace to happen.
type condition struct {
	fn   string
	a, b *value
	want bool
}

// tracer collects the traces of a thread.
type tracer struct {
	test    *litmus.Test
	thread  int
	wide    bool
	bound   int // how often a thread comes to a label
	traces  []*trace
	cut     bool // some trace has more rounds than the bound
	barrier func(*litmus.Thread, *litmus.Instruction) rendezvous
}

// walk is the state of a thread on its way.
type walk struct {
	pc         int
	registers  map[string]*value
	events     []*event
	conditions []condition
	depends    []*event // reads that conditions so far depend on
	visits     map[string]int
}

func (w *walk) fork() *walk {
	c := *w
	c.registers, c.visits = maps.Clone(w.registers), maps.Clone(w.visits)
	c.events, c.conditions, c.depends = slices.Clone(w.events), slices.Clone(w.conditions), slices.Clone(w.depends)
	return &c
}

// tracesOf returns all traces of a thread with at most bound visits of each label, and whether there are longer ones.
func tracesOf(t *litmus.Test, thread, bound int,
	name func(*litmus.Thread, *litmus.Instruction) rendezvous,
) ([]*trace, bool) {
	x := &tracer{test: t, thread: thread, wide: t.Wide(), bound: bound, barrier: name}
	w := &walk{registers: map[string]*value{}, visits: map[string]int{}}
	for _, r := range t.Threads[thread].Registers() {
		w.registers[r] = constant(t.Threads[thread].Initial[r])
	}
	x.run(w)
	return x.traces, x.cut
}

func (x *tracer) run(w *walk) {
	if len(x.traces) >= maxTraces {
		return
	}
	code := x.test.Threads[x.thread].Instructions
	for w.pc < len(code) {
		in := code[w.pc]
		w.pc++
		switch in.Op {
		case litmus.Load, litmus.Store, litmus.Atom, litmus.Red:
			x.access(w, in)
		case litmus.Fence:
			w.add(&event{
				kind: fence, thread: x.thread, in: in, strong: true, scope: in.Scope, acquires: in.Sem != "release",
				releases: in.Sem != "acquire", sc: in.Sem == "sc",
			})
		case litmus.ProxyFence:
			w.add(&event{kind: proxyFence, thread: x.thread, in: in, proxy: in.Proxy})
		case litmus.Barrier:
			w.add(&event{
				kind: barrier, thread: x.thread, in: in, barrier: x.barrier(x.test.Threads[x.thread], in),
				waits: in.Func == "sync",
			})
		case litmus.Compute:
			w.compute(in, x.wide)
		case litmus.Label:
			if w.visits[in.Label]++; w.visits[in.Label] > x.bound {
				x.cut = true
				return
			}
		case litmus.Goto:
			w.jump(code, in.Label)
		case litmus.Branch:
			if !x.branch(w, in) {
				return
			}
		}
	}
	x.traces = append(x.traces, &trace{w.events, w.conditions, w.registers})
}

func (w *walk) add(e *event) {
	e.depends = slices.Clone(w.depends)
	w.events = append(w.events, e)
}

func (w *walk) operand(v litmus.Value) *value {
	if v.Reg == "" {
		return constant(v.Num)
	}
	return w.registers[v.Reg]
}

func (w *walk) compute(in *litmus.Instruction, wide bool) {
	a := w.operand(in.Args[0])
	if in.Func == "mov" {
		w.registers[in.Dst] = a
		return
	}
	w.registers[in.Dst] = combine(in.Func, a, w.operand(in.Args[1]), wide)
}

// combine returns the value of a function, computed at once if it is constant. A dependency remains one even if the
// value does not change with it.
func combine(fn string, a, b *value, wide bool) *value {
	if a.isConstant() && b.isConstant() {
		return constant(apply(fn, a.num, b.num, wide))
	}
	return &value{fn: fn, a: a, b: b}
}

// require adds a condition to the way. It returns false if it cannot hold.
func (w *walk) require(c condition) bool {
	if c.a.isConstant() && c.b.isConstant() {
		return compare(c.fn, c.a.num, c.b.num) == c.want
	}
	w.conditions = append(w.conditions, c)
	w.depends = c.b.reads(c.a.reads(w.depends))
	return true
}

// branch goes both ways: where it is taken, in a walk of its own. It returns false if w cannot go on.
func (x *tracer) branch(w *walk, in *litmus.Instruction) bool {
	c := condition{in.Func, w.operand(in.Args[0]), w.operand(in.Args[1]), true}
	taken := w.fork()
	if taken.require(c) {
		taken.jump(x.test.Threads[x.thread].Instructions, in.Label)
		x.run(taken)
	}
	c.want = false
	return w.require(c)
}

func (w *walk) jump(code []*litmus.Instruction, label string) {
	for i, in := range code {
		if in.Op == litmus.Label && in.Label == label {
			w.pc = i
		}
	}
}

// access adds the events of an access. A compare-and-swap goes both ways.
func (x *tracer) access(w *walk, in *litmus.Instruction) {
	if in.Func == "cas" {
		failed := w.fork()
		r := accesses(x.thread, in, false)[0]
		failed.add(r)
		failed.result(in, r)
		failed.conditions = append(failed.conditions, condition{"eq", result(r), failed.truncated(in, 0), false})
		x.run(failed)
	}
	list := accesses(x.thread, in, true)
	old := result(list[0])
	last := list[len(list)-1]
	switch in.Op {
	case litmus.Store:
		last.value = w.operand(in.Args[0])
	case litmus.Atom, litmus.Red:
		last.value = x.atomic(w, in, old)
	}
	for _, e := range list {
		w.add(e)
	}
	if in.Func == "cas" {
		c := condition{"eq", old, w.truncated(in, 0), true}
		w.conditions = append(w.conditions, c)
		last.depends = c.b.reads(c.a.reads(last.depends)) // what follows the operation does not depend on whether it succeeds
	}
	w.result(in, list[0])
}

func result(r *event) *value { return &value{fn: "read", read: r} }

// result sets the destination to what was read.
func (w *walk) result(in *litmus.Instruction, r *event) {
	if in.Dst != "" {
		w.registers[in.Dst] = result(r)
	}
}

// atomic returns what an atomic operation writes.
func (x *tracer) atomic(w *walk, in *litmus.Instruction, old *value) *value {
	b := w.operand(in.Args[len(in.Args)-1])
	if in.Func == "exch" || in.Func == "cas" {
		return b
	}
	return &value{fn: in.Func, a: old, b: b}
}

// truncated returns an operand as an operation of the instruction's size compares it.
func (w *walk) truncated(in *litmus.Instruction, n int) *value {
	v := w.operand(in.Args[n])
	if v.isConstant() {
		return constant(loaded(uint64(v.num), in.Size))
	}
	return v
}
