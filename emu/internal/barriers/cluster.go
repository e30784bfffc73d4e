// Thread block clusters: blocks that start together, and barrier.cluster.

package barriers

import (
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Thread block clusters (PTX ISA, "Thread Hierarchy: Cluster of Cooperative Thread Arrays"): blocks that are resident
// together and can access each other's shared memory. Without an explicit cluster every block is a cluster of its own.

// MaxClusterBlocks is the largest cluster size, for which kernels must opt in; every device supports eight blocks.
const MaxClusterBlocks = 16

// leaveCluster removes exiting threads from their cluster.
func leaveCluster(x *state.Engine, w *state.Warp, m state.Lanes) {
	cl := w.CTA.Cluster
	cl.Live -= m.Count()
	cl.Arrived -= (w.Arrived & m).Count()
	w.Arrived &^= m
	w.Passed &^= m
	tryClusterBarrier(x, cl)
}

// Required returns the extent that a directive of a kernel gives, zeros without it.
func Required(f *rewrite.Func, directive string) state.Dim3 {
	for _, p := range f.AST.Perf {
		if p.Name == directive && len(p.Args) > 0 {
			n := [3]uint64{1, 1, 1}
			copy(n[:], p.Args)
			return state.Dim3{X: uint32(n[0]), Y: uint32(n[1]), Z: uint32(n[2])}
		}
	}
	return state.Dim3{}
}

// The cluster barrier: barrier.cluster.arrive and barrier.cluster.wait (PTX ISA, "barrier.cluster").
//
// A phase ends when all threads of the cluster that have not exited have arrived. A thread arrives once, then waits
// once. Any other order is undefined on a device and barrier divergence here, like .aligned arrivals of one warp by
// different instructions. Lanes of a warp may arrive at the same instruction one by one.

// DecodeClusterBarrier decodes both instructions.
func DecodeClusterBarrier(b isa.Barrier) state.Inst {
	out := state.Inst{Body: execClusterArrive, Flags: state.FlagVisible | state.FlagControl | state.FlagFaults}
	if b.Step == isa.BarrierWait {
		out.Body = execClusterWait
	}
	if b.Aligned {
		out.Imm = 1
	}
	return out
}

// execClusterArrive makes the lanes in m arrive.
func execClusterArrive(x *state.Engine, in *state.Inst, m state.Lanes) {
	w, g := x.Warp, x.Running
	if again := m & (w.Arrived | w.Passed); again != 0 {
		faults.Raise(x, in, again.First(), "barrier-divergence", 0,
			"the thread arrives at the barrier of the cluster again without having waited")
		return
	}
	if w.Arrived == 0 {
		w.ArrivedAt = in
	} else if w.ArrivedAt != in && w.ArrivedAt.Imm|in.Imm != 0 {
		faults.Raise(x, in, m.First(), "barrier-divergence", 0,
			"threads of one warp arrive at the barrier of the cluster from different instructions, with .aligned")
		return
	}
	emitClusterBarrier(x, in, m, abi.EventClusterArrive)
	cl := w.CTA.Cluster
	w.Arrived |= m
	cl.Arrived += m.Count()
	x.Progress++
	g.PC++
	tryClusterBarrier(x, cl)
}

// execClusterWait makes the lanes in m wait for the phase in which they arrived.
func execClusterWait(x *state.Engine, in *state.Inst, m state.Lanes) {
	w, g := x.Warp, x.Running
	if stray := m &^ (w.Arrived | w.Passed); stray != 0 {
		faults.Raise(x, in, stray.First(), "barrier-divergence", 0,
			"the thread waits at the barrier of the cluster without having arrived")
		return
	}
	emitClusterBarrier(x, in, m, abi.EventClusterWait)
	waits := m & w.Arrived
	w.Passed &^= m
	if gone := m &^ waits; gone != 0 {
		weak.LeaveCluster(x, gone)
		emitClusterBarrier(x, in, gone, abi.EventClusterPass)
	}
	if waits == 0 {
		g.PC++
		return
	}
	if rest := g.Mask &^ waits; rest != 0 {
		groups.Ready(x, groups.Split(x, g, rest, g.PC+1, g.Join))
	}
	g.State = state.GroupBarrier
	cl := w.CTA.Cluster
	cl.Waiting = append(cl.Waiting, g)
	groups.Release(x, g, 0)
}

// tryClusterBarrier ends the phase when all threads of the cluster have arrived.
func tryClusterBarrier(x *state.Engine, cl *state.Cluster) {
	if cl.Arrived == 0 || cl.Arrived < cl.Live {
		return
	}
	cl.Arrived = 0
	for _, c := range cl.Blocks {
		if c == nil {
			continue
		}
		for _, w := range c.Warps {
			w.Arrived, w.Passed = 0, w.Passed|w.Arrived
		}
	}
	x.Progress++
	waiting := cl.Waiting
	cl.Waiting = nil
	for _, g := range waiting {
		g.Warp.Passed &^= g.Mask
	}
	weak.PassCluster(x, cl, waiting)
	events.EmitBarrierPass(x, abi.EventClusterPass, 0, 0, waiting)
	groups.ContinueGroups(x, waiting)
}

func emitClusterBarrier(x *state.Engine, in *state.Inst, m state.Lanes, kind abi.EventKind) {
	if x.Weak != nil && kind == abi.EventClusterArrive {
		events.WeakArrive(x, m, state.PhaseOf{At: x.CTA.Cluster.Linear, Number: weak.ClusterPhase})
	}
	if x.Listener != nil {
		events.EmitBarrierEvent(x, x.Warp, events.InstOf(x, in), m, kind, 0, 0)
	}
}
