// Weak memory: fences, barriers and the end of a launch.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// weakFence adds a fence of the lanes in m.
func (x *engine) weakFence(in *inst, m lanes) {
	src := x.instOf(in)
	if src.Sem == isa.SemNone { // of proxies
		return
	}
	if !x.weak.lazy {
		x.weak.history.Fence(x.agentOf(x.warp), weakScopes[src.Scope], src.Sem.Acquires(), src.Sem.Releases(), src.Sem == isa.SemSC)
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
		t := weakmem.Thread{Block: w.cta.linear, Cluster: w.cta.cluster.linear, Number: uint64(w.index*warpSize + m.first())}
		ops = append(ops, x.weak.graph.Add(weakmem.Op{Thread: t, Kind: weakmem.Barrier}))
	}
	return ops
}

// weakArrive adds arrivals of the running group at a barrier.
func (x *engine) weakArrive(m lanes, of phaseOf) {
	if !x.weak.lazy {
		x.weak.meets[of] = append(x.weak.meets[of], x.agentOf(x.warp))
	}
	if !x.weak.recorded() {
		return
	}
	x.weak.arrived[of] = append(x.weak.arrived[of], x.weakBarrierOps(x.warp, m)...)
}

// weakPass completes a barrier: what its threads have done before is ordered before what those that have waited do.
func (x *engine) weakPass(groups []*group, kind BarrierKind, id, count uint32) {
	of := phaseOf{groups[0].warp.cta.linear, id}
	if kind == ClusterPass {
		of = phaseOf{groups[0].warp.cta.cluster.linear, clusterPhase}
	}
	if !x.weak.lazy {
		x.meetNow(groups, of, kind == BarrierPass && count == 0)
	}
	if !x.weak.recorded() {
		return
	}
	var passed []int
	for _, g := range groups {
		passed = append(passed, x.weakBarrierOps(g.warp, g.mask)...)
	}
	for _, a := range x.weak.arrived[of] {
		for _, p := range passed {
			x.weak.graph.Order(a, p)
		}
	}
	delete(x.weak.arrived, of)
}

// weakMeet orders what lanes of the running warp have done before what they do next.
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

// weakObject orders an operation on an mbarrier by the lanes in m after all that were executed before: more than the manual
// demands, which orders arrivals before the waits for their phase.
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
	switch {
	case w.long:
		return ErrLong
	case w.dead:
		return ErrRedundant
	case x.fault == nil:
		for _, part := range w.graph.Written() {
			if part.Space == 0 {
				x.settle(part)
			}
		}
	case stuckClasses[x.fault.Class] && !w.settled():
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
	write := list[x.sched.value(x, len(list))]
	g.SetLast(part, write)
	a := x.m.mem.Find(part.Addr)
	if a == nil || a.Freed() {
		return
	}
	data := make([]byte, part.Size)
	for i := range data {
		data[i] = g.Byte(write, part, i)
	}
	if err := x.m.mem.Write(part.Addr, data); err != nil {
		panic("BUG: the last store of a location cannot be written: " + err.Error())
	}
}
