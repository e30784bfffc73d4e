// Thread block clusters: blocks that start together, and barrier.cluster.

package emu

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Thread block clusters (PTX ISA, "Thread Hierarchy: Cluster of Cooperative Thread Arrays"): blocks that are resident
// together and can access each other's shared memory. Without an explicit cluster every block is a cluster of its own.

// maxClusterBlocks is the largest cluster size, for which kernels must opt in; every device supports eight blocks.
const maxClusterBlocks = 16

// cluster is the blocks of one cluster, from its start until the last block has ended.
type cluster struct {
	linear uint64 // position among the clusters of the grid, x fastest
	blocks []*cta // by rank; nil once ended
	live   int    // threads that have not exited

	// State of the cluster barrier:
	arrived int // live threads that have arrived in the current phase
	waiting []*group
	met     weakPhase // the latest that is complete, under weak memory
}

// explicit reports whether the launch specifies clusters.
func (l *launch) explicit() bool { return l.cluster != Dim3{} }

// clustered reports whether clusters have more than one block.
func (l *launch) clustered() bool { return l.cluster.count() > 1 }

// clusterDim returns the extent of a cluster in blocks.
func (l *launch) clusterDim() Dim3 {
	if l.explicit() {
		return l.cluster
	}
	return Dim3{1, 1, 1}
}

// Linear returns the linear index, x fastest, of an index within the extent.
func (d Dim3) Linear(at Dim3) uint64 {
	return uint64(at.X) + uint64(d.X)*(uint64(at.Y)+uint64(d.Y)*uint64(at.Z))
}

// At returns the index for a linear index, x fastest.
func (d Dim3) At(i uint64) Dim3 {
	x, y := uint64(d.X), uint64(d.Y)
	return Dim3{uint32(i % x), uint32(i / x % y), uint32(i / x / y)}
}

// times and over multiply and divide component by component.
func (d Dim3) times(e Dim3) Dim3 { return Dim3{d.X * e.X, d.Y * e.Y, d.Z * e.Z} }
func (d Dim3) over(e Dim3) Dim3  { return Dim3{d.X / e.X, d.Y / e.Y, d.Z / e.Z} }

// plus adds component by component.
func (d Dim3) plus(e Dim3) Dim3 { return Dim3{d.X + e.X, d.Y + e.Y, d.Z + e.Z} }

// ownCluster returns a cluster of n blocks, of which c is the first. If n is 1, it reuses the cluster of c's last use.
func (c *cta) ownCluster(n uint64) *cluster {
	cl := c.cluster
	if n > 1 || cl == nil {
		return &cluster{}
	}
	*cl = cluster{blocks: cl.blocks[:0], waiting: cl.waiting[:0]}
	return cl
}

// startCluster makes the blocks of the next cluster resident.
func (x *engine) startCluster() {
	l, dim := x.l, x.l.clusterDim()
	n := dim.count()
	base := l.grid.over(dim).At(l.next / n).times(dim)
	var cl *cluster
	for rank := range n {
		c := x.takeCTA()
		if cl == nil {
			cl = c.ownCluster(n)
			cl.linear = l.next / n
		}
		c.cluster, c.rank = cl, uint32(rank)
		c.index = base.plus(dim.At(rank))
		c.linear = l.grid.Linear(c.index)
		c.live = int(l.block.count())
		cl.blocks, cl.live = append(cl.blocks, c), cl.live+c.live
	}
	l.next += n
	for _, c := range cl.blocks {
		if x.fault == nil {
			x.startCTA(c)
		}
	}
}

// leaveCluster removes exiting threads from their cluster.
func (x *engine) leaveCluster(w *warp, m lanes) {
	cl := w.cta.cluster
	cl.live -= m.count()
	cl.arrived -= (w.arrived & m).count()
	w.arrived &^= m
	w.passed &^= m
	x.tryClusterBarrier(cl)
}

// RequiredBlock returns the block extent that a kernel requires, zeros if it requires none (PTX ISA, ".reqntid").
func RequiredBlock(f *rewrite.Func) Dim3 { return required(f, ".reqntid") }

// RequiredCluster returns the cluster extent that a kernel requires, zeros if it requires none (PTX ISA,
// ".reqnctapercluster").
func RequiredCluster(f *rewrite.Func) Dim3 { return required(f, ".reqnctapercluster") }

// required returns the extent that a directive of a kernel gives, zeros without it.
func required(f *rewrite.Func, directive string) Dim3 {
	for _, p := range f.AST.Perf {
		if p.Name == directive && len(p.Args) > 0 {
			n := [3]uint64{1, 1, 1}
			copy(n[:], p.Args)
			return Dim3{uint32(n[0]), uint32(n[1]), uint32(n[2])}
		}
	}
	return Dim3{}
}

// InClusters reports whether launch configurations of a kernel count clusters instead of blocks (PTX ISA,
// ".blocksareclusters").
func InClusters(f *rewrite.Func) bool {
	return slices.ContainsFunc(f.AST.Perf, func(p ptxgrammar.Perf) bool { return p.Name == ".blocksareclusters" })
}

// InBlocks converts a launch configuration to a grid that counts blocks. The configuration of a kernel with
// .blocksareclusters counts clusters: its grid is multiplied by the cluster's extents. When its block is one thread,
// the result has the block of the kernel's .reqntid (CUDA programming guide, "__block_size__").
func InBlocks(f *rewrite.Func, grid, block Dim3) (Dim3, Dim3, error) {
	if !InClusters(f) {
		return grid, block, nil
	}
	c := RequiredCluster(f)
	for _, n := range [][2]uint32{{grid.X, c.X}, {grid.Y, c.Y}, {grid.Z, c.Z}} {
		if uint64(n[0])*uint64(n[1]) > math.MaxUint32 {
			return grid, block, fmt.Errorf("grid %v of clusters %v has more than %d blocks in one dimension", grid, c,
				uint32(math.MaxUint32))
		}
	}
	if block == (Dim3{1, 1, 1}) {
		block = RequiredBlock(f)
	}
	return grid.times(c), block, nil
}

// checkCluster determines the cluster of a launch: the one in the configuration, or the one that the kernel requires
// (PTX ISA, "Cluster Dimension Directives").
func checkCluster(fn *function, lc *LaunchConfig) error {
	required, explicit := RequiredCluster(fn.src), false
	limit := uint64(maxClusterBlocks)
	for _, p := range fn.src.AST.Perf {
		switch p.Name {
		case ".explicitcluster":
			explicit = true
		case ".maxclusterrank":
			if len(p.Args) > 0 {
				limit = min(limit, p.Args[0])
			}
		}
	}
	switch {
	case lc.Cluster == Dim3{}:
		lc.Cluster = required
	case required != Dim3{} && required != lc.Cluster:
		return fmt.Errorf("kernel %s requires clusters of %v blocks, got %v", lc.Kernel, required, lc.Cluster)
	}
	c, g := lc.Cluster, lc.Grid
	switch {
	case c == Dim3{} && explicit:
		return fmt.Errorf("kernel %s must be launched with a cluster", lc.Kernel)
	case c == Dim3{}:
		return nil
	case c.X == 0 || c.Y == 0 || c.Z == 0:
		return fmt.Errorf("kernel %s: cluster %v has an extent of 0", lc.Kernel, c)
	case max(c.X, c.Y, c.Z) > maxClusterBlocks || c.count() > limit:
		return fmt.Errorf("kernel %s: cluster %v has more than %d blocks", lc.Kernel, c, limit)
	case g.X%c.X != 0 || g.Y%c.Y != 0 || g.Z%c.Z != 0:
		return fmt.Errorf("kernel %s: grid %v is not a multiple of the cluster %v", lc.Kernel, g, c)
	}
	return nil
}

// The cluster barrier: barrier.cluster.arrive and barrier.cluster.wait (PTX ISA, "barrier.cluster").
//
// A phase ends when all threads of the cluster that have not exited have arrived. A thread arrives once, then waits
// once. Any other order is undefined on a device and barrier divergence here, like .aligned arrivals of one warp by
// different instructions. Lanes of a warp may arrive at the same instruction one by one.

// decodeClusterBarrier decodes both instructions.
func decodeClusterBarrier(b isa.Barrier) inst {
	out := inst{body: execClusterArrive, flags: flagVisible | flagControl | flagFaults}
	if b.Step == isa.BarrierWait {
		out.body = execClusterWait
	}
	if b.Aligned {
		out.imm = 1
	}
	return out
}

// execClusterArrive makes the lanes in m arrive.
func execClusterArrive(x *engine, in *inst, m lanes) {
	w, g := x.warp, x.running
	if again := m & (w.arrived | w.passed); again != 0 {
		x.raise(in, again.first(), "barrier-divergence", 0,
			"the thread arrives at the barrier of the cluster again without having waited")
		return
	}
	if w.arrived == 0 {
		w.arrivedAt = in
	} else if w.arrivedAt != in && w.arrivedAt.imm|in.imm != 0 {
		x.raise(in, m.first(), "barrier-divergence", 0,
			"threads of one warp arrive at the barrier of the cluster from different instructions, with .aligned")
		return
	}
	x.emitClusterBarrier(in, m, abi.EventClusterArrive)
	cl := w.cta.cluster
	w.arrived |= m
	cl.arrived += m.count()
	x.progress++
	g.pc++
	x.tryClusterBarrier(cl)
}

// execClusterWait makes the lanes in m wait for the phase in which they arrived.
func execClusterWait(x *engine, in *inst, m lanes) {
	w, g := x.warp, x.running
	if stray := m &^ (w.arrived | w.passed); stray != 0 {
		x.raise(in, stray.first(), "barrier-divergence", 0,
			"the thread waits at the barrier of the cluster without having arrived")
		return
	}
	x.emitClusterBarrier(in, m, abi.EventClusterWait)
	waits := m & w.arrived
	w.passed &^= m
	if gone := m &^ waits; gone != 0 {
		x.weakLeaveCluster(gone)
		x.emitClusterBarrier(in, gone, abi.EventClusterPass)
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

// tryClusterBarrier ends the phase when all threads of the cluster have arrived.
func (x *engine) tryClusterBarrier(cl *cluster) {
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
	x.weakPassCluster(cl, waiting)
	x.emitBarrierPass(abi.EventClusterPass, 0, 0, waiting)
	x.continueGroups(waiting)
}

func (x *engine) emitClusterBarrier(in *inst, m lanes, kind abi.EventKind) {
	if x.weak != nil && kind == abi.EventClusterArrive {
		x.weakArrive(m, phaseOf{x.cta.cluster.linear, clusterPhase})
	}
	if x.listener != nil {
		x.emitBarrierEvent(x.warp, x.instOf(in), m, kind, 0, 0)
	}
}
