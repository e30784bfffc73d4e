package emu

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// The barrier of a cluster: barrier.cluster.arrive and barrier.cluster.wait (PTX
// ISA, "barrier.cluster").
//
// A phase ends when all threads of the cluster that have not exited have arrived.
// A thread arrives once, then waits once; another order is undefined on a device
// and barrier divergence here, like .aligned arrivals of one warp from different
// instructions. Lanes of a warp may arrive at the same instruction one by one.

// decodeClusterBarrier decodes both instructions.
func decodeClusterBarrier(b isa.Barrier) inst {
	out := inst{exec: execClusterArrive, flags: flagVisible | flagControl | flagFaults}
	if b.Step == isa.BarrierWait {
		out.exec = execClusterWait
	}
	if b.Aligned {
		out.imm = 1
	}
	return out
}

// execClusterArrive makes the lanes in m arrive.
func execClusterArrive(x *exec, in *inst, m lanes) {
	w, g := x.warp, x.running
	if again := m & (w.arrived | w.passed); again != 0 {
		x.raise(in, again.first(), "barrier-divergence", 0, "the thread arrives at the barrier of the cluster again without having waited")
		return
	}
	if w.arrived == 0 {
		w.arrivedAt = in
	} else if w.arrivedAt != in && w.arrivedAt.imm|in.imm != 0 {
		x.raise(in, m.first(), "barrier-divergence", 0, "threads of one warp arrive at the barrier of the cluster from different instructions, with .aligned")
		return
	}
	x.tellClusterBarrier(in, m, ClusterArrive)
	cl := w.cta.cluster
	w.arrived |= m
	cl.arrived += m.count()
	x.progress++
	g.pc++
	x.tryClusterBarrier(cl)
}

// execClusterWait makes the lanes in m wait for the phase in which they arrived.
func execClusterWait(x *exec, in *inst, m lanes) {
	w, g := x.warp, x.running
	if stray := m &^ (w.arrived | w.passed); stray != 0 {
		x.raise(in, stray.first(), "barrier-divergence", 0, "the thread waits at the barrier of the cluster without having arrived")
		return
	}
	x.tellClusterBarrier(in, m, ClusterWait)
	waits := m & w.arrived
	w.passed &^= m
	if gone := m &^ waits; gone != 0 {
		x.tellClusterBarrier(in, gone, ClusterPass)
	}
	if waits == 0 {
		g.pc++
		return
	}
	if rest := g.mask &^ waits; rest != 0 {
		x.ready(x.split(g, rest, g.pc+1, g.join))
	}
	g.state = groupBarrier
	cl := w.cta.cluster
	cl.waiting = append(cl.waiting, g)
	x.release(g, 0)
}

// tryClusterBarrier ends the phase when everybody has arrived.
func (x *exec) tryClusterBarrier(cl *cluster) {
	if cl.arrived == 0 || cl.arrived < cl.live {
		return
	}
	cl.arrived = 0
	for _, c := range cl.blocks {
		if c == nil {
			continue
		}
		for _, w := range c.warps {
			w.arrived, w.passed = 0, w.passed|w.arrived
		}
	}
	x.progress++
	waiting := cl.waiting
	cl.waiting = nil
	for _, g := range waiting {
		g.warp.passed &^= g.mask
	}
	x.tellPass(ClusterPass, 0, 0, waiting)
	x.goOn(waiting)
}

func (x *exec) tellClusterBarrier(in *inst, m lanes, kind BarrierKind) {
	if x.listener != nil {
		x.sayBarrier(x.warp, x.instOf(in), m, kind, 0, 0, false)
	}
}
