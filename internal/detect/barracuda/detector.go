// The detector: it applies the rules of the paper to operations, and has accesses checked.

package barracuda

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Detector finds the races of successive launches. It keeps the clocks itself, and leaves the shadow memory to a
// checker.
type Detector struct {
	opts     Options
	launch   detect.Launch
	grids    []*grid           // running grids, the innermost last
	check    *checker          // nil between launches
	spare    spare             // for the next launch
	seq      uint64            // number of operations so far
	sampled  uint64            // operation at which the size of the clocks is measured next
	released map[uint32]uint32 // clock of each warp's last release of block scope
	faults   []detect.Fault
	stats    Stats
}

// grid is the state of a grid: K, C and S. A grid that a thread launches is checked separately.
type grid struct {
	blocks   map[uint64]*block
	last     *block         // latest lookup
	resident map[uint64]int // number of running blocks, by cluster
	clusters map[uint64]*clusterBarrier
	syncs    *syncVars
	full     bool // more blocks ran at once than there is room for: no others are begun
	entered  bool // KernelBegin has been handled
	sampled  bool // clocks were measured when the first block ended
}

// New makes a detector.
func New(opts Options) (*Detector, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	opts.Blocks, opts.Syncs = cmp.Or(opts.Blocks, DefaultBlocks), cmp.Or(opts.Syncs, DefaultSyncs)
	return &Detector{opts: opts, spare: spare{accesses: newAccessTable()}}, nil
}

// Begin starts a launch.
func (d *Detector) Begin(l detect.Launch) {
	d.stop()
	d.launch, d.seq, d.sampled, d.faults = l, 0, sampleEvery, nil
	d.released = make(map[uint32]uint32)
	d.check = newChecker(rules{paper: d.opts.Paper, equal: d.opts.Equal, clusterOf: l.ClusterOf}, &d.spare)
	d.begin()
	d.stats.begin(&l)
}

// begin starts a grid.
func (d *Detector) begin() {
	d.grids = append(d.grids, &grid{
		blocks: make(map[uint64]*block), resident: make(map[uint64]int),
		clusters: make(map[uint64]*clusterBarrier), syncs: newSyncVars(d.opts.Syncs, d.opts.Paper),
	})
	d.check.beginGrid()
}

// stop drops the state of the launch.
func (d *Detector) stop() {
	for d.check != nil && len(d.check.grids) > 0 {
		d.check.endGrid()
	}
	d.grids, d.check = nil, nil
}

// End ends the launch and returns its races sorted by site.
func (d *Detector) End() []detect.Race {
	if d.check == nil {
		return nil
	}
	d.stats.sample(d.grids)
	for _, g := range d.grids {
		d.stats.Widened += g.syncs.widened
	}
	c := d.check
	d.stop()
	d.stats.Refused += c.refused + d.spare.accesses.lost
	d.stats.Pages = max(d.stats.Pages, c.peak)
	return c.found.races(&d.launch, d.released)
}

// Faults returns the barrier divergences of the launch, the first of each barrier
// instruction, in the order in which they occurred.
func (d *Detector) Faults() []detect.Fault { return d.faults }

// Op processes the next operation of the launch. It skips invalid operations, such as those of threads that the launch
// does not have.
func (d *Detector) Op(op *Op) {
	d.seq++
	g := d.grids[len(d.grids)-1]
	switch op.Kind {
	case KernelBegin:
		d.enter()
		return
	case KernelEnd:
		d.leave()
		return
	case BlockEnd:
		d.endBlock(g, op)
		return
	case Complete:
		if b := g.blocks[op.Block]; b != nil {
			b.complete(op.Barrier, op.Expected, true)
		}
		return
	case Free:
		d.free(op)
		return
	case KindNone, BlockBegin:
		return
	}
	b := d.block(g, op)
	if b == nil {
		return
	}
	w := b.warp(op.Warp)
	if w == nil || op.Mask&w.full == 0 {
		return
	}
	if op.Mask&^w.full != 0 { // the Op is the caller's and must not change
		own := *op
		own.Mask &= w.full
		op = &own
	}
	if op.Live != 0 {
		w.live &= op.Live
	}
	d.warpOp(g, b, w, op)
}

// warpOp processes an operation of lanes of a warp.
func (d *Detector) warpOp(g *grid, b *block, w *warp, op *Op) {
	switch op.Kind {
	case Read, Write, Atomic, AtomicRead, Sync:
		d.access(g, b, w, op)
	case If:
		w.ifRule(op.Mask, op.Then)
	case Else, Fi:
		w.elseEndIf(op.Mask)
	case WarpSync:
		w.sync(op.Mask)
	case Arrive:
		if op.Barrier == ClusterBarrier {
			g.cluster(op.Cluster).arrive(w, op.Mask)
			return
		}
		d.diverged(b, op)
		b.arrive(w, op)
	case Pass:
		g.cluster(op.Cluster).pass(w, op.Mask)
	case Exit:
		b.exit(w, op.Mask)
	}
}

// access processes a memory operation and the endi after it. An acquire or release updates S and C, any other access R
// and W.
func (d *Detector) access(g *grid, b *block, w *warp, op *Op) {
	p := w.pathOf(op.Mask)
	d.stats.count(p.format(w.full), op.Mask)
	if d.seq >= d.sampled {
		d.stats.sample(d.grids)
		d.sampled = d.seq + sampleEvery + sampleEvery/64*uint64(g.syncs.used)
	}
	kind := op.Kind
	if op.Order.synchronises() {
		d.synchronise(g, b, w, p, op)
		kind = d.location(op)
	}
	if kind != Sync && op.Bytes > 0 && (op.Space == abi.SpaceGlobal || op.Space == abi.SpaceShared) {
		d.check.access(op, kind, w.clockOf(p), d.seq)
	}
	p.endInsn()
}

// synchronise processes an acquire or release.
func (d *Detector) synchronise(g *grid, b *block, w *warp, p *path, op *Op) {
	if op.Order.Release && op.Order.Scope == ScopeBlock {
		d.released[w.id] = p.local
	}
	g.syncs.synchronise(b, w, p, op)
}

// location returns the kind of access as which an acquire or release is checked for races: weak ones as they are,
// others as atomic. The rules of Figure 3 leave R_x and W_x unchanged.
func (d *Detector) location(op *Op) Kind {
	switch {
	case d.opts.Paper || op.Kind == Sync:
		return Sync
	case !op.Strong:
		return op.Kind
	case op.Kind == Read || op.Kind == AtomicRead:
		return AtomicRead
	}
	return Atomic
}

// diverged reports a barrier divergence if the predicate of BAR does not hold, that all threads of the warp are active.
// Since Volta they may arrive one after the other, provided that they arrive at the same instruction.
func (d *Detector) diverged(b *block, op *Op) {
	others := b.elsewhere(op)
	if others == 0 || slices.ContainsFunc(d.faults, func(f detect.Fault) bool { return f.Site == op.Site }) {
		return
	}
	at := func(lanes uint32) [3]uint32 { return d.launch.ThreadAt(op.Warp*abi.WarpLanes + uint32(first(lanes))) }
	d.faults = append(d.faults, detect.Fault{
		Class: "barrier-divergence", Site: op.Site, Block: d.launch.BlockAt(op.Block), Thread: at(op.Mask),
		Message: fmt.Sprintf("%d threads of the warp wait at this barrier at another instruction, thread %v among them",
			bits.OnesCount32(others), at(others)),
	})
}

// enter begins a grid launched by a thread; the host's grid has begun already.
func (d *Detector) enter() {
	if g := d.grids[len(d.grids)-1]; len(d.grids) == 1 && !g.entered {
		g.entered = true
		return
	}
	d.begin()
	d.grids[len(d.grids)-1].entered = true
}

// leave ends a grid launched by a thread.
func (d *Detector) leave() {
	if n := len(d.grids); n > 1 {
		d.stats.sample(d.grids)
		d.stats.Widened += d.grids[n-1].syncs.widened
		d.grids = d.grids[:n-1]
		d.check.endGrid()
	}
}

// endBlock drops the state of a block, and with the last block of a cluster its shared memory.
func (d *Detector) endBlock(g *grid, op *Op) {
	b := g.blocks[op.Block]
	if b == nil {
		return
	}
	if !g.sampled {
		g.sampled = true
		d.stats.sample(d.grids)
	}
	delete(g.blocks, op.Block)
	if g.last == b {
		g.last = nil
	}
	if g.resident[b.cluster]--; g.resident[b.cluster] > 0 {
		return
	}
	delete(g.resident, b.cluster)
	delete(g.clusters, b.cluster)
	d.check.endCluster(b.cluster)
}

// block returns the state of the operation's block, nil if the grid has no such block. The shape of a grid that a
// thread launches is unknown.
func (d *Detector) block(g *grid, op *Op) *block {
	if b := g.last; b != nil && b.index == op.Block {
		return b
	}
	if b := g.blocks[op.Block]; b != nil {
		g.last = b
		return b
	}
	blocks, threads := uint64(1<<(32-fanoutBits)), uint64(fanout*abi.WarpLanes)
	if len(d.grids) == 1 {
		blocks, threads = min(blocks, d.launch.Blocks()), min(threads, d.launch.Threads())
	}
	if op.Block >= blocks {
		return nil
	}
	if g.full = g.full || len(g.blocks) >= d.opts.Blocks; g.full {
		d.stats.LeftOut++
		return nil
	}
	b := newBlock(op.Block, op.Cluster, uint32(threads))
	b.clustered = len(d.grids) > 1 || d.launch.Clustered()
	g.blocks[op.Block], g.last = b, b
	g.resident[op.Cluster]++
	return b
}

func (g *grid) cluster(i uint64) *clusterBarrier {
	c := g.clusters[i]
	if c == nil {
		c = new(clusterBarrier)
		g.clusters[i] = c
	}
	return c
}
