package precise_test

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// What the oracle knows of mbarriers, proxies and grids that threads launch.

// oracleMbarriers are those of all clusters.
type oracleMbarriers struct {
	mbarriers map[[2]uint64]*oracleMbarrier // by cluster and address
	passes    []oraclePass
	completed []completion
}

// completion is the complete-tx operation of an asynchronous operation on an mbarrier: the operation that initialised
// that, and one of the thread when the asynchronous operation is complete.
type completion struct{ init, at int }

func newOracleMbarriers() oracleMbarriers {
	return oracleMbarriers{mbarriers: map[[2]uint64]*oracleMbarrier{}}
}

// oracleMbarrier is what contributes to the latest phase of each parity.
type oracleMbarrier struct {
	init   int // operation
	parity uint32
	phases [2][]contribution
}

// contribution is an arrival, or the end of asynchronous operations.
type contribution struct {
	arrival int // -1 for none
	ended   []int
	block   uint64 // that the ends are for, everyone
}

const everyone = ^uint64(0)

// oraclePass is that a thread finds a phase complete.
type oraclePass struct {
	op    int
	phase []contribution
}

// in is the contributions to the phase in progress, of that parity.
func (b *oracleMbarrier) in(parity uint32) *[]contribution {
	if b.parity != parity {
		b.parity, b.phases[parity] = parity, nil
	}
	return &b.phases[parity]
}

func (o *oracle) mbarrier(i int, ev *abi.Event) {
	lane := lanesOf(ev.Mask)[0]
	k, parity := [2]uint64{ev.Cluster, ev.Addr[lane]}, ev.Phases>>lane&1
	t := oracleThread{ev.Block, ev.Warp, lane}
	switch ev.Kind {
	case abi.EventAsyncDone:
		k[1] = ev.Signal
		ended := o.operations(t, ev.Op)
		if ev.Async == abi.AsyncTensor {
			c := o.tensor.commits[ev.Op]
			ended = append(slices.Clone(c.ops), c.at)
		}
		b := o.mbarriers[k]
		if b != nil && ev.Async != abi.AsyncTensor && o.signals(t, ev.Op) {
			n, _ := o.add(i, ev, lane)
			o.completed = append(o.completed, completion{b.init, n})
		}
		if b != nil {
			*b.in(parity) = append(*b.in(parity), contribution{-1, ended, everyone})
		}
		return
	case abi.EventMbarrierInit:
		n, _ := o.add(i, ev, lane)
		o.mbarriers[k] = &oracleMbarrier{init: n}
		return
	}
	n, op := o.add(i, ev, lane)
	op.strong = true
	if ev.Scope == abi.ScopeNone {
		op.reach = abi.ScopeCTA
	}
	b := o.mbarriers[k]
	switch ev.Kind {
	case abi.EventMbarrierArrive:
		*b.in(parity) = append(*b.in(parity), contribution{n, nil, everyone})
	case abi.EventMbarrierCopyArrive:
		g := o.groupsOf(t, abi.AsyncCopies)
		*b.in(parity) = append(*b.in(parity), contribution{-1, slices.Concat(append(slices.Clone(g.closed), g.open)...), ev.Block})
	default:
		o.passes = append(o.passes, oraclePass{n, slices.Clone(b.phases[parity])})
	}
}

// incomplete adds the races of complete-tx operations with the initialisation of their mbarrier, through the generic
// proxy.
func (o *oracle) incomplete(out map[race]bool) {
	for _, c := range o.completed {
		if x, y := o.ops[c.init], o.ops[c.at]; x.thread != y.thread && !o.precedes(c.init, c.at) {
			out[race{x.site, y.site}] = true
		}
	}
}

// signals reports whether the warp of a thread has asynchronous operations of that number that complete on mbarriers.
func (o *oracle) signals(t oracleThread, number uint64) bool {
	return slices.ContainsFunc(o.ops, func(op *operation) bool {
		return op.signals && op.thread.block == t.block && op.thread.warp == t.warp && op.number == number
	})
}

// operations are those of a thread with that number.
func (o *oracle) operations(t oracleThread, number uint64) (out []int) {
	for n, op := range o.ops {
		if op.async && op.thread == t && op.number == number {
			out = append(out, n)
		}
	}
	return out
}

// matrices are the operations of the first groups of wgmma of a thread's warp group: groups belong to its four warps.
func (o *oracle) matrices(t oracleThread, groups int) (out []int) {
	for k, g := range o.groups {
		if k.kind == abi.AsyncMatrices && k.block == t.block && k.warp/4 == t.warp/4 {
			out = append(out, slices.Concat(g.closed[:min(groups, len(g.closed))]...)...)
		}
	}
	return out
}

// phases adds what threads learn that find phases complete: arrivals are strong writes that
// they observe, which release unless they are relaxed; the wait acquires unless it is, and
// fences stand before the one and behind the other. The end of an asynchronous operation is
// known to everybody who acquires.
func (o *oracle) phases() {
	for _, p := range o.passes {
		pass := o.ops[p.op]
		var tails []int
		for n := p.op; n < len(o.ops); n++ {
			x := o.ops[n]
			if n == p.op && x.sem != abi.SemRelaxed || n > p.op && x.fence && x.thread == pass.thread && x.sem.Acquires() {
				tails = append(tails, n)
			}
		}
		for _, c := range p.phase {
			for _, t := range tails {
				if c.block == everyone || c.block == pass.thread.block {
					o.edges[t] = append(o.edges[t], c.ended...)
				}
				for _, h := range o.released(c.arrival, p.op) {
					if o.ops[h].morallyStrong(o.ops[t]) {
						o.edges[t] = append(o.edges[t], h)
					}
				}
			}
		}
	}
}

// released is the heads of the release patterns that end in an arrival which a pass observes.
func (o *oracle) released(arrival, pass int) (out []int) {
	if arrival < 0 || !o.ops[arrival].morallyStrong(o.ops[pass]) {
		return nil
	}
	for n := range arrival {
		if x := o.ops[n]; x.fence && x.thread == o.ops[arrival].thread && x.sem.Releases() {
			out = append(out, n)
		}
	}
	if o.ops[arrival].sem != abi.SemRelaxed {
		out = append(out, arrival)
	}
	return out
}

// fencedBetween reports whether a proxy fence stands between two operations in base
// causality order.
func (o *oracle) fencedBetween(a, b int) bool {
	for n := a; n < b; n++ {
		if o.ops[n].proxyFence && o.precedes(a, n) && o.precedes(n, b) {
			return true
		}
	}
	return false
}

// readApart reports whether one of two operations of a grid, of which one writes, is a read that does not find what the
// other writes, however they are ordered.
func (o *oracle) readApart(x, y *operation) bool {
	if gridOf(x.thread) != gridOf(y.thread) {
		return false
	}
	by := func(z *operation, p abi.Proxy) bool { return z.proxy == p }
	never := by(y, abi.ProxyReadOnly) || by(y, abi.ProxyTexture) || !y.writes && by(x, abi.ProxySurface) != by(y, abi.ProxySurface)
	return by(x, abi.ProxyReadOnly) && y.writes || x.writes && never
}

// proxiesAllow reports whether the proxies of two operations let causality order suffice: there is a proxy fence
// between an access of the generic proxy and one of the asynchronous one, or, for a read of shared memory that is
// overwritten, an mbarrier.
func (o *oracle) proxiesAllow(a, b int) bool {
	x, y := o.ops[a], o.ops[b]
	if x.proxy != abi.ProxyGeneric || y.proxy != abi.ProxyAsync || !x.writes && (!y.writes || !x.shared) || o.fencedBetween(a, b) {
		return true
	}
	return !x.writes && o.handedBetween(a, b)
}

// handedBetween reports whether a thread of b's warp has waited for an mbarrier at which one of another warp has
// arrived after a.
func (o *oracle) handedBetween(a, b int) bool {
	by := o.ops[b].thread
	inWarp := func(t oracleThread) bool { return t.block == by.block && t.warp == by.warp }
	for _, p := range o.passes {
		if p.op > b || !inWarp(o.ops[p.op].thread) {
			continue
		}
		for _, c := range p.phase {
			if c.arrival >= 0 && !inWarp(o.ops[c.arrival].thread) && o.precedes(a, c.arrival) {
				return true
			}
		}
	}
	return false
}

// oracleGrids is the grids that threads launch. The number of its grid is part of that of a
// block and a cluster.
type oracleGrids struct {
	running  []uint64         // from the outermost to the one in progress
	starts   map[uint64][]int // what precedes all of a grid
	launcher map[uint64]uint64
	ended    map[uint64][]int // by block: what follows all of the grids that it launched
	count    uint64
	numbers  map[uint64]uint64 // of grids, by operation
}

func newOracleGrids() oracleGrids {
	return oracleGrids{starts: map[uint64][]int{}, launcher: map[uint64]uint64{}, ended: map[uint64][]int{}, numbers: map[uint64]uint64{}}
}

func gridOf(t oracleThread) uint64 { return t.block >> 32 }

// within makes an event one of the grid in progress.
func (o *oracle) within(ev *abi.Event) {
	if len(o.running) > 0 {
		g := o.running[len(o.running)-1]
		ev.Block, ev.Cluster = ev.Block|g<<32, ev.Cluster|g<<32
	}
}

func (o *oracle) ofGrids(i int, ev *abi.Event) {
	switch ev.Kind {
	case abi.EventLaunch:
		n, _ := o.add(i, ev, lanesOf(ev.Mask)[0])
		o.count++
		o.numbers[ev.Op], o.starts[o.count], o.launcher[o.count] = o.count, []int{n}, ev.Block
	case abi.EventKernelBegin:
		o.running = append(o.running, o.numbers[ev.Op])
	case abi.EventKernelEnd:
		o.endGrid()
	case abi.EventJoin:
		for _, lane := range lanesOf(ev.Mask) {
			n, _ := o.add(i, ev, lane)
			o.edges[n] = append(o.edges[n], o.ended[ev.Block]...)
		}
	}
}

// endGrid ends the grid in progress: who waits for it follows all that its threads did, and
// the grids that they launched.
func (o *oracle) endGrid() {
	last := len(o.running) - 1
	g := o.running[last]
	o.running = o.running[:last]
	by := o.launcher[g]
	for n, op := range o.ops {
		if gridOf(op.thread) == g && !op.async {
			o.ended[by] = append(o.ended[by], n)
		}
	}
	for block, ops := range o.ended {
		if block>>32 == g {
			o.ended[by] = append(o.ended[by], ops...)
		}
	}
}
