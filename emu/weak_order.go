// Weak memory: the order of events, fences, barriers and the end of a launch.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// noteAge records, for the next event, the age of what element k of lane i has returned (abi.Access.Ages). The caller
// sets ages to nil after the event.
func (t *emitter) noteAge(i, k, age int) {
	if age == 0 {
		return
	}
	if t.ages == nil {
		t.aged = [warpSize]uint64{}
		t.ages = &t.aged
	}
	if k >= abi.MaxAge {
		k, age = abi.MaxAge, abi.AgeUnknown
	}
	t.aged[i] |= uint64(min(age, abi.AgeUnknown)) << (8 * k)
}

// tells lets an atomic operation have its event before its reads are resolved, unless it may not write: then the reads
// have another event.
func (x *engine) tells(ac *access, in *inst, t isa.Type, d *incomplete, addr uint64, i int) {
	if x.instOf(in).Access.AtomOp == "cas" {
		return
	}
	read := *ac
	read.kind = isa.AccessLoad
	d.again = func() { read.emitLane(x, in, addr, i) }
	d.unknown = func() {
		x.values.Done = 0
		for k := range d.elements {
			x.values.noteElement(i, k*t.Bits(), 0, 0, true)
		}
	}
}

// tell emits the event of a deferred instruction whose reads may not be resolved.
func (x *engine) tell(op *incomplete) {
	if op.emit == nil || op.atomic && op.again == nil {
		return
	}
	if op.unknown != nil {
		op.unknown()
	}
	for k := range op.elements {
		if op.strong {
			x.noteAge(op.lane, k, abi.AgeUnknown)
		}
		if op.atomic {
			x.weak.graph.Tell(op.elements[k].write)
		}
	}
	x.emitNow(op)
	x.ages = nil
}

// tellAges emits the event of a deferred instruction whose reads are resolved: again, if it had one before.
func (x *engine) tellAges(op *incomplete) {
	for k := range op.elements {
		e, own := &op.elements[k], -1
		if op.emit != nil {
			own = e.write
		}
		if op.strong {
			x.noteAge(op.lane, k, x.weak.graph.Age(e.read, own))
		}
	}
	switch {
	case op.emit != nil:
		x.emitNow(op)
	case op.strong && op.again != nil:
		x.repeated = true
		op.again()
		x.repeated = false
	}
	x.ages = nil
}

// inOrder prepares an instruction that releases: it emits the events of the deferred instructions before it in program
// order. It reports whether the thread can go on: before a barrier, stores that other threads may wait for must be
// complete.
func (x *engine) inOrder(l *deferredList, src *rewrite.Inst) bool {
	if isBarrier(src) && !x.needs(l, func(op *incomplete) bool { return op.wanted }) {
		return false
	}
	for _, op := range l.ops {
		x.emitBehind(nil, op.behind)
		op.behind = nil
		x.tell(op)
	}
	return true
}

// isFence reports whether an instruction is a fence.
func isFence(src *rewrite.Inst) bool { return src.Instr.Class == isa.ClassFence }

// releases reports whether an instruction is part of a release pattern, or a barrier.
func releases(src *rewrite.Inst) bool {
	return isBarrier(src) || isFence(src) || src.Access.Kind >= isa.AccessStore && src.MemorySem().Releases()
}

// weakFence adds a fence of the lanes in m.
func (x *engine) weakFence(in *inst, m lanes) {
	src := x.instOf(in)
	if src.Sem == isa.SemNone { // of proxies
		return
	}
	if !x.weak.lazy {
		x.weak.history.Fence(x.agentOf(x.warp), weakScopes[src.Scope], src.Sem.Acquires(), src.Sem.Releases(),
			src.Sem == isa.SemSC)
		if !x.weak.recorded() {
			return
		}
	}
	for ; m != 0; m &= m - 1 {
		x.weak.graph.Add(weakmem.Op{
			Thread: x.weakThread(m.first()), Kind: weakmem.Fence, Strong: true, Scope: weakScopes[src.Scope],
			Acquires: src.Sem.Acquires(), Releases: src.Sem.Releases(), SC: src.Sem == isa.SemSC,
		})
	}
}

// weakBarrierOps adds a barrier operation of each of some lanes.
func (x *engine) weakBarrierOps(w *warp, m lanes) (ops []int) {
	for ; m != 0; m &= m - 1 {
		t := weakmem.Thread{
			Block: w.cta.linear, Cluster: w.cta.cluster.linear,
			Number: uint64(w.index*warpSize + m.first()),
		}
		ops = append(ops, x.weak.graph.Add(weakmem.Op{Thread: t, Kind: weakmem.Barrier}))
	}
	return ops
}

// weakArrive adds arrivals of the running group at a barrier.
func (x *engine) weakArrive(m lanes, of phaseOf) {
	if !x.weak.lazy {
		x.arriveNow(of)
	}
	if !x.weak.recorded() {
		return
	}
	x.weak.arrived[of] = append(x.weak.arrived[of], x.weakBarrierOps(x.warp, m)...)
}

// weakPhase is a phase of a barrier that is complete: what precedes all that its threads do behind it.
type weakPhase struct {
	met     weakmem.Met
	arrived []int // operations, if they are recorded
}

// weakPass completes a barrier phase: the operations before the arrivals are ordered before the next operations of the
// groups, which have waited. all says that the groups are all threads of the block.
func (x *engine) weakPass(groups []*group, of phaseOf, all bool) (p weakPhase) {
	if !x.weak.lazy {
		p.met = x.meetNow(groups, of, all)
	}
	if !x.weak.recorded() {
		return p
	}
	p.arrived = x.weak.arrived[of]
	for _, g := range groups {
		x.weakLeave(&p, g.warp, g.mask)
	}
	delete(x.weak.arrived, of)
	return p
}

// weakPassCluster completes the barrier of a cluster, of which the groups have waited. Others wait after that.
func (x *engine) weakPassCluster(cl *cluster, groups []*group) {
	if x.weak != nil {
		cl.met = x.weakPass(groups, phaseOf{cl.linear, clusterPhase}, false)
	}
}

// weakLeaveCluster orders what lanes of the running warp do next behind the phase of the barrier of the cluster that is
// complete.
func (x *engine) weakLeaveCluster(m lanes) {
	if x.weak == nil {
		return
	}
	p := &x.cta.cluster.met
	if !x.weak.lazy {
		p.met.Leave(x.agentOf(x.warp))
	}
	if x.weak.recorded() {
		x.weakLeave(p, x.warp, m)
	}
}

// weakLeave records that lanes of a warp leave a barrier.
func (x *engine) weakLeave(p *weakPhase, w *warp, m lanes) {
	for _, left := range x.weakBarrierOps(w, m) {
		for _, a := range p.arrived {
			x.weak.graph.Order(a, left)
		}
	}
}

// weakMeet orders the operations so far of lanes of the running warp before their next ones (bar.warp.sync).
func (x *engine) weakMeet(m lanes) {
	if !x.weak.recorded() {
		return // the threads of a warp are one agent
	}
	x.weakArrive(m, phaseOf{})
	passed := x.weakBarrierOps(x.warp, m)
	for _, a := range x.weak.arrived[phaseOf{}] {
		for _, p := range passed {
			x.weak.graph.Order(a, p)
		}
	}
	delete(x.weak.arrived, phaseOf{})
}

// weakObject orders an operation on an mbarrier by the lanes in m after all that were executed before: more than the
// manual demands, which orders arrivals before the waits for their phase.
func (x *engine) weakObject(m lanes) {
	w := x.weak
	if !w.lazy {
		w.history.Object(x.agentOf(x.warp))
		return
	}
	ops := x.weakBarrierOps(x.warp, m)
	for _, op := range ops {
		if w.objects > 0 {
			w.graph.Order(w.objects-1, op)
		}
		w.objects = op + 1
	}
}

// endWeak ends the launch: it chooses the last store to each location.
func (x *engine) endWeak() error {
	w := x.weak
	if w == nil {
		return nil
	}
	defer x.explainWeak()
	if !w.lazy {
		return nil
	}
	redundant := w.dead
	switch {
	case redundant:
	case x.fault == nil:
		for _, part := range w.graph.Written() {
			if part.Space == 0 && !w.dead {
				x.settle(part)
			}
		}
	default:
		redundant = stuckClasses[x.fault.Class] && !w.settled()
	}
	switch w.checked(); {
	case w.long:
		return ErrLong
	case redundant:
		return ErrRedundant
	}
	return nil
}

// stuckClasses are the classes of faults of threads that wait for ever.
var stuckClasses = map[string]bool{"livelock": true, "deadlock": true, "barrier-divergence": true}

// settle gives a part of memory the value of the last store to it.
func (x *engine) settle(part weakmem.Range) {
	g := x.weak.graph
	list := g.Last(part)
	if x.weak.checked(); x.weak.dead {
		return
	}
	write := list[x.sched.pickValue(x, len(list))]
	g.SetLast(part, write)
	a := x.m.dev.mem.Find(part.Addr)
	if a == nil || a.Freed() {
		return
	}
	data := make([]byte, part.Size)
	for i := range data {
		data[i] = g.Byte(write, part, i)
	}
	if err := x.m.dev.mem.Write(part.Addr, data); err != nil {
		panic("BUG: the last store of a location cannot be written: " + err.Error())
	}
}
