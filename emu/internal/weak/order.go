// Weak memory: the order of events, fences, barriers and the end of a launch.

package weak

import (
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// noteAge records, for the next event, the age of what element k of lane i has returned (abi.Access.Ages). The caller
// sets ages to nil after the event.
func noteAge(t *state.Emitter, i, k, age int) {
	if age == 0 {
		return
	}
	if t.Ages == nil {
		t.Aged = [state.WarpSize]uint64{}
		t.Ages = &t.Aged
	}
	if k >= abi.MaxAge {
		k, age = abi.MaxAge, abi.AgeUnknown
	}
	t.Aged[i] |= uint64(min(age, abi.AgeUnknown)) << (8 * k)
}

// tells lets an atomic operation have its event before its reads are resolved, unless it may not write: then the reads
// have another event.
func tells(x *state.Engine, ac *state.Access, in *state.Inst, t isa.Type, d *state.Incomplete, addr uint64, i int) {
	if events.InstOf(x, in).Access.AtomOp == "cas" {
		return
	}
	read := *ac
	read.Kind = isa.AccessLoad
	d.Again = func() { emitLane(&read, x, in, addr, i) }
	d.Unknown = func() {
		x.Values.Done = 0
		for k := range d.Elements {
			events.NoteElement(&x.Values, i, k*t.Bits(), 0, 0, true)
		}
	}
}

// tell emits the event of a deferred instruction whose reads may not be resolved.
func tell(x *state.Engine, op *state.Incomplete) {
	if op.Emit == nil || op.Atomic && op.Again == nil {
		return
	}
	if op.Unknown != nil {
		op.Unknown()
	}
	for k := range op.Elements {
		if op.Strong {
			noteAge(&x.Emitter, op.Lane, k, abi.AgeUnknown)
		}
		if op.Atomic {
			x.Weak.Graph.Tell(op.Elements[k].Write)
		}
	}
	emitNow(x, op)
	x.Ages = nil
}

// tellAges emits the event of a deferred instruction whose reads are resolved: again, if it had one before.
func tellAges(x *state.Engine, op *state.Incomplete) {
	for k := range op.Elements {
		e, own := &op.Elements[k], -1
		if op.Emit != nil {
			own = e.Write
		}
		if op.Strong {
			noteAge(&x.Emitter, op.Lane, k, x.Weak.Graph.Age(e.Read, own))
		}
	}
	switch {
	case op.Emit != nil:
		emitNow(x, op)
	case op.Strong && op.Again != nil:
		x.Repeated = true
		op.Again()
		x.Repeated = false
	}
	x.Ages = nil
}

// inOrder prepares an instruction that releases: it emits the events of the deferred instructions before it in program
// order. It reports whether the thread can go on: before a barrier, stores that other threads may wait for must be
// complete.
func inOrder(x *state.Engine, l *state.DeferredList, src *rewrite.Inst) bool {
	if isBarrier(src) && !needs(x, l, func(op *state.Incomplete) bool { return op.Wanted }) {
		return false
	}
	for _, op := range l.Ops {
		emitBehind(x, nil, op.Behind)
		op.Behind = nil
		tell(x, op)
	}
	return true
}

// isFence reports whether an instruction is a fence.
func isFence(src *rewrite.Inst) bool { return src.Instr.Class == isa.ClassFence }

// releases reports whether an instruction is part of a release pattern, or a barrier.
func releases(src *rewrite.Inst) bool {
	return isBarrier(src) || isFence(src) || src.Access.Kind >= isa.AccessStore && src.MemorySem().Releases()
}

// Fence adds a fence of the lanes in m.
func Fence(x *state.Engine, in *state.Inst, m state.Lanes) {
	src := events.InstOf(x, in)
	if src.Sem == isa.SemNone { // of proxies
		return
	}
	if !x.Weak.Lazy {
		x.Weak.History.Fence(events.AgentOf(x, x.Warp), weakScopes[src.Scope], src.Sem.Acquires(), src.Sem.Releases(),
			src.Sem == isa.SemSC)
		if !events.Recorded(x.Weak) {
			return
		}
	}
	for ; m != 0; m &= m - 1 {
		x.Weak.Graph.Add(weakmem.Op{
			Thread: weakThread(x, m.First()), Kind: weakmem.Fence, Strong: true, Scope: weakScopes[src.Scope],
			Acquires: src.Sem.Acquires(), Releases: src.Sem.Releases(), SC: src.Sem == isa.SemSC,
		})
	}
}

// PassCluster completes the barrier of a cluster, of which the groups have waited. Others wait after that.
func PassCluster(x *state.Engine, cl *state.Cluster, groups []*state.Group) {
	if x.Weak != nil {
		cl.Met = events.WeakPass(x, groups, state.PhaseOf{At: cl.Linear, Number: ClusterPhase}, false)
	}
}

// LeaveCluster orders what lanes of the running warp do next behind the phase of the barrier of the cluster that is
// complete.
func LeaveCluster(x *state.Engine, m state.Lanes) {
	if x.Weak == nil {
		return
	}
	p := &x.CTA.Cluster.Met
	if !x.Weak.Lazy {
		p.Met.Leave(events.AgentOf(x, x.Warp))
	}
	if events.Recorded(x.Weak) {
		events.WeakLeave(x, p, x.Warp, m)
	}
}

// Meet orders the operations so far of lanes of the running warp before their next ones (bar.warp.sync).
func Meet(x *state.Engine, m state.Lanes) {
	if !events.Recorded(x.Weak) {
		return // the threads of a warp are one agent
	}
	events.WeakArrive(x, m, state.PhaseOf{})
	passed := events.WeakBarrierOps(x, x.Warp, m)
	for _, a := range x.Weak.Arrived[state.PhaseOf{}] {
		for _, p := range passed {
			x.Weak.Graph.Order(a, p)
		}
	}
	delete(x.Weak.Arrived, state.PhaseOf{})
}

// End ends the launch: it chooses the last store to each location.
func End(x *state.Engine) error {
	w := x.Weak
	if w == nil {
		return nil
	}
	defer explainWeak(x)
	if !w.Lazy {
		return nil
	}
	redundant := w.Dead
	switch {
	case redundant:
	case x.Fault == nil:
		for _, part := range w.Graph.Written() {
			if part.Space == 0 && !w.Dead {
				settle(x, part)
			}
		}
	default:
		redundant = stuckClasses[x.Fault.Class] && !settled(w)
	}
	switch checked(w); {
	case w.Long:
		return ErrLong
	case redundant:
		return ErrRedundant
	}
	return nil
}

// stuckClasses are the classes of faults of threads that wait for ever.
var stuckClasses = map[string]bool{"livelock": true, "deadlock": true, "barrier-divergence": true}

// settle gives a part of memory the value of the last store to it.
func settle(x *state.Engine, part weakmem.Range) {
	g := x.Weak.Graph
	list := g.Last(part)
	if checked(x.Weak); x.Weak.Dead {
		return
	}
	write := list[x.Sched.PickValue(x, len(list))]
	g.SetLast(part, write)
	a := x.M.Dev.Mem.Find(part.Addr)
	if a == nil || a.Freed() {
		return
	}
	data := make([]byte, part.Size)
	for i := range data {
		data[i] = g.Byte(write, part, i)
	}
	if err := x.M.Dev.Mem.Write(part.Addr, data); err != nil {
		panic("BUG: the last store of a location cannot be written: " + err.Error())
	}
}
