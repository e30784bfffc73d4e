package precise_test

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// oracle decides which accesses of a trace race by building the relations of the
// memory consistency model one by one, over single operations of single threads, with
// the definitions of the manual. It shares nothing with the detector but the events.
type oracle struct {
	ops    []*operation
	before [][]uint64             // by operation: the set of those before it in base causality order
	edges  [][]int                // by operation: those that precede it directly
	near   [][]int                // the same by program order and barriers of blocks and warps alone
	last   map[oracleThread][]int // the latest instruction, several operations of a vector

	barriers map[[2]uint64]*oracleBarrier
	clusters map[[2]uint64][]int // arrivals by cluster and phase
	phase    map[oracleThread]uint64
	groups   map[oracleGroup]*oracleGroups

	oracleMbarriers
	oracleGrids
	oracleLaunches
	tensor oracleTensor
}

type oracleThread struct {
	block uint64
	warp  uint32
	lane  int
}

type oracleBarrier struct{ arrived, done []int }

// oracleGroup is the asynchronous operations of one kind by a thread.
type oracleGroup struct {
	oracleThread
	kind abi.AsyncKind
}

// oracleGroups is the groups of one kind of a thread.
type oracleGroups struct {
	open   []int
	closed [][]int
}

// operation is a memory operation on a scalar, a fence, or a point of synchronisation.
type operation struct {
	thread  oracleThread
	cluster uint64
	device  uint64
	site    uint32
	event   int
	number  uint64 // of the asynchronous operation
	proxy   abi.Proxy

	memory         bool
	shared, async  bool
	signals        bool // completes on an mbarrier
	reads, writes  bool
	reduces        bool
	addr, size     uint64
	strong         bool
	reach          abi.Scope
	sem            abi.Semantics
	fence          bool
	proxyFence     bool         // of the asynchronous proxy
	sources        map[int]bool // writes that the bytes were read from; -1 is the initial value
	observes       map[int]bool // writes that precede it in observation order
	clusterArrival bool
	lets           bool        // griddepcontrol.launch_dependents
	tensor         *tensorPart // of tcgen05, nil for others
}

// race is a pair of sites.
type race struct{ first, second uint32 }

func newOracle(events []abi.Event) *oracle {
	return newOracleOf(events, len(events), oracleLaunches{})
}

// newOracleOf is newOracle for a trace of two launches, of which the second begins with an event.
func newOracleOf(events []abi.Event, second int, launches oracleLaunches) *oracle {
	o := newRelations(events, second, launches)
	o.serial(closure(o.near, func(int) bool { return false }))
	o.close()
	return o
}

// newRelations are all relations of a trace but Fence-SC order and what follows from it.
func newRelations(events []abi.Event, second int, launches oracleLaunches) *oracle {
	o := &oracle{
		last: map[oracleThread][]int{}, barriers: map[[2]uint64]*oracleBarrier{}, clusters: map[[2]uint64][]int{},
		phase: map[oracleThread]uint64{}, groups: map[oracleGroup]*oracleGroups{},
		oracleMbarriers: newOracleMbarriers(), oracleGrids: newOracleGrids(),
	}
	for i := range events {
		if i == second {
			o.oracleLaunches = launches
		}
		ev := events[i]
		o.within(&ev)
		o.event(i, &ev)
	}
	o.readFrom()
	o.observe()
	o.patterns()
	o.phases()
	return o
}

// newWholeOracle has all of Fence-SC order that the axioms force, however the accesses on
// either side of the fences are ordered with them; newOracle knows of program order and barriers of
// blocks and warps only, as the detector does.
func newWholeOracle(events []abi.Event) *oracle {
	o := newRelations(events, len(events), oracleLaunches{})
	for o.close(); o.serial(o.before); o.close() {
	}
	return o
}

// add appends an operation of a lane, after those of its thread.
func (o *oracle) add(i int, ev *abi.Event, lane int) (int, *operation) {
	op := &operation{
		thread: oracleThread{ev.Block, ev.Warp, lane}, cluster: ev.Cluster, site: ev.Site, event: i,
		strong: ev.Sem > abi.SemWeak, reach: ev.Scope, sem: ev.Sem, proxy: ev.Proxy,
	}
	if o.devices {
		op.device = deviceOf(ev)
	}
	if ev.Sem == abi.SemVolatile || op.reach == abi.ScopeNone {
		op.reach = abi.ScopeSys
	}
	n := len(o.ops)
	o.ops, o.edges, o.near = append(o.ops, op), append(o.edges, nil), append(o.near, nil)
	defer func() { o.edges[n] = append(o.edges[n], o.visible...) }()
	if ev.Async != abi.Synchronous && ev.Kind == abi.EventAccess {
		op.async = true
		o.edges[n] = slices.Concat(o.last[op.thread], o.starts[gridOf(op.thread)])
		return n, op
	}
	o.edges[n], o.near[n] = slices.Concat(o.last[op.thread], o.starts[gridOf(op.thread)]), slices.Clone(o.last[op.thread])
	o.last[op.thread] = []int{n}
	return n, op
}

func lanesOf(mask uint32) (out []int) {
	for ; mask != 0; mask &= mask - 1 {
		out = append(out, bits.TrailingZeros32(mask))
	}
	return out
}

func (o *oracle) event(i int, ev *abi.Event) {
	block := [2]uint64{ev.Block, uint64(ev.Barrier)}
	switch ev.Kind {
	case abi.EventAccess:
		o.access(i, ev)
	case abi.EventFence:
		for _, lane := range lanesOf(ev.Mask) {
			_, op := o.add(i, ev, lane)
			op.fence, op.proxyFence = ev.Sem != abi.SemNone, ev.Sem == abi.SemNone && ev.Proxy == abi.ProxyAsync
		}
	case abi.EventBarrierArrive:
		b := o.barriers[block]
		if b == nil {
			b = &oracleBarrier{}
			o.barriers[block] = b
		}
		for _, lane := range lanesOf(ev.Mask) {
			n, _ := o.add(i, ev, lane)
			b.arrived = append(b.arrived, n)
		}
	case abi.EventBarrierComplete:
		b := o.barriers[block]
		b.done, b.arrived = b.arrived, nil
	case abi.EventBarrierPass:
		for _, lane := range lanesOf(ev.Mask) {
			n, _ := o.add(i, ev, lane)
			o.edges[n] = append(o.edges[n], o.barriers[block].done...)
			o.near[n] = append(o.near[n], o.barriers[block].done...)
		}
	case abi.EventWarpSync:
		var in []int
		for _, lane := range lanesOf(ev.Mask) {
			n, _ := o.add(i, ev, lane)
			in = append(in, n)
		}
		for _, lane := range lanesOf(ev.Mask) {
			n, _ := o.add(i, ev, lane)
			o.edges[n] = append(o.edges[n], in...)
			o.near[n] = append(o.near[n], in...)
		}
	case abi.EventClusterArrive:
		for _, lane := range lanesOf(ev.Mask) {
			n, op := o.add(i, ev, lane)
			op.clusterArrival = true
			k := [2]uint64{ev.Cluster, o.phase[op.thread]}
			o.phase[op.thread]++
			o.clusters[k] = append(o.clusters[k], n)
		}
	case abi.EventClusterPass:
		for _, lane := range lanesOf(ev.Mask) {
			n, op := o.add(i, ev, lane)
			for _, m := range o.clusters[[2]uint64{ev.Cluster, o.phase[op.thread] - 1}] {
				o.clusterEdge(m, n)
			}
		}
	case abi.EventTensorBefore, abi.EventTensorAfter:
		o.tensorFence(i, ev)
	case abi.EventAsyncCommit, abi.EventAsyncWait:
		o.group(i, ev)
	case abi.EventMbarrierInit, abi.EventMbarrierArrive, abi.EventMbarrierCopyArrive, abi.EventMbarrierPass, abi.EventAsyncDone:
		o.mbarrier(i, ev)
	case abi.EventDepend:
		o.depend(i, ev)
	default:
		o.ofGrids(i, ev)
	}
}

// clusterEdge is what an arrival at the barrier of a cluster does for who passes it.
// A relaxed one is a strong operation that fences of the thread may stand before.
func (o *oracle) clusterEdge(arrival, pass int) {
	if o.ops[arrival].sem != abi.SemRelaxed {
		o.edges[pass] = append(o.edges[pass], arrival)
		return
	}
	for f := range arrival {
		x := o.ops[f]
		if x.fence && x.thread == o.ops[arrival].thread && x.sem.Releases() && x.reach >= abi.ScopeCluster {
			o.edges[pass] = append(o.edges[pass], f)
		}
	}
}

func (o *oracle) group(i int, ev *abi.Event) {
	for _, lane := range lanesOf(ev.Mask) {
		n, op := o.add(i, ev, lane)
		g := o.groupsOf(op.thread, ev.Async)
		if ev.Kind == abi.EventAsyncCommit {
			g.closed, g.open = append(g.closed, g.open), nil
			o.tensorGroup(ev, n)
			continue
		}
		done := max(len(g.closed)-int(ev.Pending[lane]), 0)
		if ev.Async == abi.AsyncMatrices {
			o.edges[n] = append(o.edges[n], o.matrices(op.thread, done)...)
			continue
		}
		for _, m := range slices.Concat(g.closed[:done]...) {
			if ev.Mode != abi.BarrierRead || o.ops[m].reads {
				o.edges[n] = append(o.edges[n], m)
			}
		}
		if ev.Mode != abi.BarrierRead {
			g.closed = g.closed[done:]
		}
		o.tensorGroup(ev, n)
	}
}

func (o *oracle) groupsOf(t oracleThread, kind abi.AsyncKind) *oracleGroups {
	k := oracleGroup{t, kind}
	if o.groups[k] == nil {
		o.groups[k] = &oracleGroups{}
	}
	return o.groups[k]
}

func (o *oracle) access(i int, ev *abi.Event) {
	for _, lane := range lanesOf(ev.Mask) {
		scalar := ev.Bytes
		if ev.Scalar != 0 {
			scalar = ev.Scalar
		}
		// The operations of a vector access are in no order.
		t := oracleThread{ev.Block, ev.Warp, lane}
		before, last := o.last[t], []int(nil)
		for off := uint32(0); off < ev.Bytes; off += scalar {
			o.last[t] = before
			n, op := o.add(i, ev, lane)
			last = append(last, n)
			if off+scalar == ev.Bytes && !op.async {
				o.last[t] = last
			}
			op.memory, op.shared = true, ev.Space == abi.SpaceShared
			op.addr, op.size = ev.Addr[lane]+uint64(off), uint64(scalar)
			op.reads = ev.Access != abi.AccessStore
			op.writes = ev.Access == abi.AccessStore || ev.Access == abi.AccessRMW && ev.Wrote>>lane&1 != 0
			op.reduces, op.number, op.signals = ev.Reduces, ev.Op, ev.Async == abi.AsyncSignals
			if op.async {
				g := o.groupsOf(op.thread, ev.Async)
				g.open = append(g.open, n)
			}
			if ev.Space == abi.SpaceTensor {
				o.tensorAccess(ev, n)
			}
		}
	}
}

// same reports whether two operations are on one location of one memory.
func (x *operation) same(y *operation) bool {
	return x.addr == y.addr && x.size == y.size && x.memoryOf() == y.memoryOf()
}

func (x *operation) memoryOf() uint64 {
	if x.shared {
		return x.cluster + 1
	}
	return 0
}

func (x *operation) overlaps(y *operation) bool {
	return x.memoryOf() == y.memoryOf() && (x.addr-y.addr < y.size || y.addr-x.addr < x.size)
}

// includes reports whether the scope of x includes the thread of y.
func (x *operation) includes(y *operation) bool {
	switch x.reach {
	case abi.ScopeCTA:
		return x.thread.block == y.thread.block
	case abi.ScopeCluster:
		return x.cluster == y.cluster
	case abi.ScopeGPU:
		return x.device == y.device
	}
	return true
}

// morallyStrong: PTX ISA, "Morally Strong Operations".
func (x *operation) morallyStrong(y *operation) bool {
	related := x.thread == y.thread && !x.async && !y.async || x.strong && y.strong && x.includes(y) && y.includes(x)
	return related && (!x.memory || !y.memory || x.same(y))
}

// readFrom finds the writes that each read takes its bytes from.
func (o *oracle) readFrom() {
	type place struct{ memory, addr uint64 }
	writer := map[place]int{}
	for n, op := range o.ops {
		if !op.memory {
			continue
		}
		op.sources = map[int]bool{}
		for b := range op.size {
			p := place{op.memoryOf(), op.addr + b}
			if op.reads {
				if w, ok := writer[p]; ok {
					op.sources[w] = true
				} else {
					op.sources[-1] = true
				}
			}
			if op.writes {
				writer[p] = n
			}
		}
	}
}

// observe: PTX ISA, "Observation Order".
func (o *oracle) observe() {
	for _, op := range o.ops {
		op.observes = map[int]bool{}
		if len(op.sources) != 1 {
			continue
		}
		for w := range op.sources {
			if w < 0 || !o.ops[w].morallyStrong(op) || !o.ops[w].strong || !op.strong {
				continue
			}
			op.observes[w] = true
			if o.ops[w].reads && o.ops[w].writes {
				for v := range o.ops[w].observes {
					op.observes[v] = true
				}
			}
		}
	}
}

// heads are the first operations of the release patterns that end in a write (PTX ISA,
// "Release and Acquire Patterns").
func (o *oracle) heads(w int) (out []int) {
	write := o.ops[w]
	for n := 0; n <= w; n++ {
		x := o.ops[n]
		switch {
		case x.thread != write.thread || !x.sem.Releases():
		case x.fence, x.memory && x.writes && x.same(write) && x.strong:
			out = append(out, n)
		}
	}
	return out
}

// tails are the last operations of the acquire patterns that begin with a read.
func (o *oracle) tails(r int) (out []int) {
	read := o.ops[r]
	for n := r; n < len(o.ops); n++ {
		x := o.ops[n]
		switch {
		case x.thread != read.thread || !x.sem.Acquires():
		case x.fence, x.memory && x.reads && !x.reduces && x.same(read) && x.strong:
			out = append(out, n)
		}
	}
	return out
}

// patterns: PTX ISA, "Memory synchronization".
func (o *oracle) patterns() {
	for r, read := range o.ops {
		if !read.memory || read.reduces || !read.strong {
			continue
		}
		for w := range read.observes {
			for _, h := range o.heads(w) {
				for _, t := range o.tails(r) {
					if o.ops[h].morallyStrong(o.ops[t]) && h < t {
						o.edges[t] = append(o.edges[t], h)
					}
				}
			}
		}
	}
}

// serial adds the part of Fence-SC order that follows from the order of strong accesses
// on either side of fences, given what orders those with the fences. It reports whether that is
// more than there was.
func (o *oracle) serial(near [][]uint64) (more bool) {
	for f, first := range o.ops {
		for g := f + 1; g < len(o.ops); g++ {
			second := o.ops[g]
			if first.fence && second.fence && first.sem == abi.SemSC && second.sem == abi.SemSC &&
				first.thread != second.thread && first.morallyStrong(second) && !slices.Contains(o.edges[g], f) && o.communicates(near, f, g) {
				o.edges[g], more = append(o.edges[g], f), true
			}
		}
	}
	return more
}

// communicates reports whether an access after fence f conflicts with one before fence g
// that comes later; after and before by near.
func (o *oracle) communicates(near [][]uint64, f, g int) bool {
	for a := f; a < g; a++ {
		x := o.ops[a]
		if !x.memory || !x.strong || x.async || !contains(near[a], f) {
			continue
		}
		for b := a + 1; b < g; b++ {
			y := o.ops[b]
			if y.memory && y.strong && !y.async && contains(near[g], b) && x.morallyStrong(y) && (x.writes || y.writes) {
				return true
			}
		}
	}
	return false
}

// close makes base causality order of the edges: PTX ISA, "Base causality order". The end
// of an asynchronous operation tells nothing of what came before it began.
func (o *oracle) close() {
	o.before = closure(o.edges, func(n int) bool { return o.ops[n].async })
}

// closure is the set of those before each operation, given those directly before it, but
// for what is before those that are apart. All edges lead forward.
func closure(edges [][]int, apart func(n int) bool) [][]uint64 {
	words := (len(edges) + 63) / 64
	before := make([][]uint64, len(edges))
	for n := range edges {
		set := make([]uint64, words)
		for _, m := range edges[n] {
			set[m/64] |= 1 << (m % 64)
			if apart(m) {
				continue
			}
			for i, w := range before[m] {
				set[i] |= w
			}
		}
		before[n] = set
	}
	return before
}

func contains(set []uint64, n int) bool { return set[n/64]>>(n%64)&1 != 0 }

func (o *oracle) precedes(x, y int) bool { return contains(o.before[y], x) }

// causes: PTX ISA, "Causality order".
func (o *oracle) causes(x, y int) bool {
	if o.precedes(x, y) {
		return true
	}
	for z := range y {
		if o.ops[z].observes[x] && o.precedes(z, y) {
			return true
		}
	}
	return false
}

// races: PTX ISA, "Conflict and Data-races".
func (o *oracle) races() map[race]bool {
	out := map[race]bool{}
	for b, y := range o.ops {
		for a, x := range o.ops[:b] {
			if o.race(a, b) {
				out[race{x.site, y.site}] = true
			}
		}
	}
	o.incomplete(out)
	return out
}

// race reports whether two operations race.
func (o *oracle) race(a, b int) bool {
	x, y := o.ops[a], o.ops[b]
	switch {
	case !x.memory || !y.memory || !x.overlaps(y) || !x.writes && !y.writes:
		return false
	case o.readApart(x, y):
		return true
	case x.thread == y.thread && (x.event == y.event || x.async && y.async && x.number == y.number) || x.morallyStrong(y):
		return false
	}
	return !o.causes(a, b) || !o.proxiesAllow(a, b)
}
