// Strong accesses as synchronisation edges.

package iguard

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Option edge: strong operations and barriers of clusters notify the library of what they release and observe. Fences and
// barriers of blocks have a second hook each.

// clusterKey stands in for the location through which threads of a cluster synchronise: by its barriers, and by strong operations
// of cluster scope on shared memory, whose addresses differ between blocks. It is not an address of memory.
const clusterKey = 1

// strong plans the hooks around a strong operation.
func (p *planner) strong(in *rewrite.Inst, scope isa.Scope) {
	if !p.opts.Edge || !p.atomic(in) {
		return
	}
	how := uint32(0)
	if in.Access.Writes() {
		how |= abi.IGuardEdgeWrites
	}
	if in.Access.Kind != isa.AccessStore && in.Access.Kind != isa.AccessReduce {
		how |= abi.IGuardEdgeReads
	}
	if scope == isa.ScopeCluster && in.Space == isa.SpaceShared {
		p.edge(in, rewrite.Const64(clusterKey), how)
		return
	}
	if scope == isa.ScopeCTA {
		how |= abi.IGuardEdgeBlockScope
	}
	if in.Space != isa.SpaceGlobal {
		how |= abi.IGuardEdgeGeneric
	}
	p.edge(in, rewrite.Addr(in.Access.Addr), how)
}

// clusterEdge plans the hooks of a barrier of the cluster: waiting threads observe all that have arrived.
func (p *planner) clusterEdge(in *rewrite.Inst, step isa.BarrierStep) {
	switch {
	case !p.opts.Edge:
	case step == isa.BarrierArrive:
		p.edge(in, rewrite.Const64(clusterKey), abi.IGuardEdgeWrites)
	default:
		p.edge(in, rewrite.Const64(clusterKey), abi.IGuardEdgeReads)
	}
}

func (p *planner) edge(in *rewrite.Inst, addr rewrite.Arg, how uint32) {
	p.before(in, abi.IGuardStrong, addr, rewrite.Const32(how))
	if how&abi.IGuardEdgeReads != 0 {
		p.after(in, abi.IGuardObserve)
	}
}
