// Barriers and their phases in the history of weak memory.

package events

import (
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
)

// AgentOf returns a warp as an agent.
func AgentOf(x *state.Engine, w *state.Warp) *weakmem.Agent {
	if w.Agent == nil || w.AgentOf != w.Serial {
		x.Weak.Agents++
		w.Agent, w.AgentOf = weakmem.NewAgent(w.CTA.Linear, w.CTA.Cluster.Linear, x.Weak.Agents), w.Serial
	}
	return w.Agent
}

// arriveNow records that the running warp has arrived at a barrier.
func arriveNow(x *state.Engine, of state.PhaseOf) {
	w, a := x.Weak, AgentOf(x, x.Warp)
	list, begun := w.Meets[of]
	if n := len(w.Spare); !begun && n > 0 {
		list, w.Spare = w.Spare[n-1], w.Spare[:n-1]
	}
	if n := len(list); n == 0 || list[n-1] != a {
		w.Meets[of] = append(list, a)
	}
}

// meetNow completes a barrier; all says that its threads are all of the block.
func meetNow(x *state.Engine, groups []*state.Group, of state.PhaseOf, all bool) (met weakmem.Met) {
	w := x.Weak
	w.Left = w.Left[:0]
	for _, g := range groups {
		w.Left = append(w.Left, AgentOf(x, g.Warp))
	}
	arrived := w.Meets[of]
	met = w.History.Meet(arrived, w.Left, all)
	delete(w.Meets, of)
	w.Spare = append(w.Spare, arrived[:0])
	return met
}

// maxRecorded is the maximum number of operations that are recorded for an explanation.
const maxRecorded = 1024

// Recorded reports whether operations enter the graph.
func Recorded(w *state.WeakMemory) bool { return w.Lazy || Explained(w) }

// Explained reports whether operations enter the graph for an explanation.
func Explained(w *state.WeakMemory) bool { return w.Explain && w.Graph.Len() < maxRecorded }

// WeakBarrierOps adds a barrier operation of each of some lanes.
func WeakBarrierOps(x *state.Engine, w *state.Warp, m state.Lanes) (ops []int) {
	for ; m != 0; m &= m - 1 {
		t := weakmem.Thread{
			Block: w.CTA.Linear, Cluster: w.CTA.Cluster.Linear,
			Number: uint64(w.Index*state.WarpSize + m.First()),
		}
		ops = append(ops, x.Weak.Graph.Add(weakmem.Op{Thread: t, Kind: weakmem.Barrier}))
	}
	return ops
}

// WeakArrive adds arrivals of the running group at a barrier.
func WeakArrive(x *state.Engine, m state.Lanes, of state.PhaseOf) {
	if !x.Weak.Lazy {
		arriveNow(x, of)
	}
	if !Recorded(x.Weak) {
		return
	}
	x.Weak.Arrived[of] = append(x.Weak.Arrived[of], WeakBarrierOps(x, x.Warp, m)...)
}

// WeakPass completes a barrier phase: the operations before the arrivals are ordered before the next operations of the
// groups, which have waited. all says that the groups are all threads of the block.
func WeakPass(x *state.Engine, groups []*state.Group, of state.PhaseOf, all bool) (p state.WeakPhase) {
	if !x.Weak.Lazy {
		p.Met = meetNow(x, groups, of, all)
	}
	if !Recorded(x.Weak) {
		return p
	}
	p.Arrived = x.Weak.Arrived[of]
	for _, g := range groups {
		WeakLeave(x, &p, g.Warp, g.Mask)
	}
	delete(x.Weak.Arrived, of)
	return p
}

// WeakLeave records that lanes of a warp leave a barrier.
func WeakLeave(x *state.Engine, p *state.WeakPhase, w *state.Warp, m state.Lanes) {
	for _, left := range WeakBarrierOps(x, w, m) {
		for _, a := range p.Arrived {
			x.Weak.Graph.Order(a, left)
		}
	}
}

// weakObject orders an operation on an mbarrier by the lanes in m after all that were executed before: more than the
// manual demands, which orders arrivals before the waits for their phase.
func weakObject(x *state.Engine, m state.Lanes) {
	w := x.Weak
	if !w.Lazy {
		w.History.Object(AgentOf(x, x.Warp))
		return
	}
	ops := WeakBarrierOps(x, x.Warp, m)
	for _, op := range ops {
		if w.Objects > 0 {
			w.Graph.Order(w.Objects-1, op)
		}
		w.Objects = op + 1
	}
}
