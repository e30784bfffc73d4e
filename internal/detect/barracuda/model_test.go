package barracuda

import (
	"math/rand/v2"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Random traces, in two forms: the operations that the detector consumes, and the
// trace operations of section 3.1 from which the models of this package's tests derive
// the synchronisation order (order_test.go) and full vector clocks (full_test.go).

// The grid of random traces: warps have few lanes that do something.
const (
	testBlocks = 3
	testWarps  = 2
	testLanes  = 4
	allLanes   = 1<<testLanes - 1

	testThreads = testBlocks * testWarps * testLanes
)

// tid numbers the threads.
func tid(block, warp, lane int) int { return (block*testWarps+warp)*testLanes + lane }

// threads is a set of threads.
type threads uint32

func threadsOf(block, warp int, mask uint32) threads { return threads(mask) << tid(block, warp, 0) }

// event is an operation of the trace of section 3.1, of all threads of a barrier-like
// one (endi, if, else, fi, bar).
type event struct {
	kind   eventKind
	who    threads
	loc    uint64
	bytes  uint32
	scope  Scope // of an acquire, a release or an atomic operation
	shared bool  // loc is in the shared memory of the block
	after  []int // events that come before it by what the paper does not have: bar.arrive
}

type eventKind uint8

const (
	evRead eventKind = iota
	evWrite
	evAtomic
	evAtomicRead
	evAcquire
	evRelease
	evJoin  // the threads join and fork
	evEnter // the threads join those of after, without becoming alike
)

// trace makes a random trace.
type trace struct {
	rnd    *rand.Rand
	ops    []Op
	events []event
	ends   []int // by operation: number of events then
	live   [testBlocks][testWarps]uint32
	paths  [testBlocks][testWarps][]uint32 // live lanes
}

func newTrace(seed uint64, n int) *trace {
	t := &trace{rnd: rand.New(rand.NewPCG(seed, 7))}
	for b := range t.paths {
		for w := range t.paths[b] {
			t.live[b][w] = allLanes
			t.paths[b][w] = []uint32{allLanes}
		}
	}
	for len(t.ops) < n {
		t.step()
	}
	return t
}

// step adds an operation, or those of a barrier.
func (t *trace) step() {
	b, w := t.rnd.IntN(testBlocks), t.rnd.IntN(testWarps)
	if len(t.paths[b][w]) == 0 {
		return
	}
	i := t.rnd.IntN(len(t.paths[b][w]))
	switch k := t.rnd.IntN(100); {
	case k < 40:
		t.access(b, w, i)
	case k < 62:
		t.synchronise(b, w, i)
	case k < 72:
		t.branch(b, w, i)
	case k < 80:
		t.meet(b, w)
	case k < 85:
		t.warpSync(b, w)
	case k < 92:
		t.barrier(b)
	case k < 97:
		t.namedBarrier(b)
	case k < 98:
		t.exit(b, w, i)
	}
}

// op adds an operation, with the events that it stands for.
func (t *trace) op(o Op, b, w int, events ...event) {
	o.Block, o.Cluster, o.Warp, o.Live, o.Site = uint64(b), uint64(b), uint32(w), t.live[b][w], uint32(len(t.ops)+1)
	t.ops = append(t.ops, o)
	t.events = append(t.events, events...)
	t.ends = append(t.ends, len(t.events))
}

// some is a set of lanes out of mask that is not empty.
func (t *trace) some(mask uint32) uint32 {
	for {
		if m := mask & t.rnd.Uint32(); m != 0 {
			return m
		}
	}
}

// access adds rd, wr or atm by lanes of a path, then endi.
func (t *trace) access(b, w, i int) {
	o := Op{Kind: Read + Kind(t.rnd.IntN(4)), Mask: t.some(t.paths[b][w][i]), Space: abi.SpaceGlobal, Bytes: 1 << t.rnd.IntN(3)}
	if t.rnd.IntN(3) == 0 {
		o.Space = abi.SpaceShared
	}
	o.Strong, o.Reach = o.Kind >= Atomic, ScopeGlobal
	if t.rnd.IntN(4) == 0 {
		o.Reach = ScopeBlock
	}
	var events []event
	base := uint64(t.rnd.IntN(3)) * 4
	together := t.rnd.IntN(2) == 0
	for m := o.Mask; m != 0; m &= m - 1 {
		lane := first(m)
		o.Addr[lane] = 64 + base
		if !together {
			o.Addr[lane] = 64 + uint64(t.rnd.IntN(3))*4 + uint64(t.rnd.IntN(4))&^uint64(o.Bytes-1)
		}
		events = append(events, event{
			kind: eventKind(o.Kind - Read), who: threadsOf(b, w, 1<<lane), loc: o.Addr[lane], bytes: o.Bytes, scope: o.Reach, shared: o.Space == abi.SpaceShared,
		})
	}
	t.op(o, b, w, append(events, t.endi(b, w, i))...)
}

func (t *trace) endi(b, w, i int) event {
	return event{kind: evJoin, who: threadsOf(b, w, t.paths[b][w][i])}
}

// synchronise adds acquires, releases or both, then endi.
func (t *trace) synchronise(b, w, i int) {
	o := Op{Kind: Atomic, Mask: t.some(t.paths[b][w][i]), Space: abi.SpaceGlobal, Bytes: 4, Strong: true, Reach: ScopeGlobal}
	if t.rnd.IntN(2) == 0 {
		o.Mask &= -o.Mask
	}
	o.Order = Order{Scope: []Scope{ScopeBlock, ScopeGlobal}[t.rnd.IntN(2)]}
	how := t.rnd.IntN(3)
	o.Order.Acquire, o.Order.Release = how != 1, how != 0
	if t.rnd.IntN(4) == 0 {
		o.Space = abi.SpaceShared
	}
	var events []event
	for m := o.Mask; m != 0; m &= m - 1 {
		lane := first(m)
		o.Addr[lane] = 128 + uint64(t.rnd.IntN(2))*4
		e := event{who: threadsOf(b, w, 1<<lane), loc: o.Addr[lane], scope: o.Order.Scope, shared: o.Space == abi.SpaceShared}
		if o.Order.Acquire {
			e.kind = evAcquire
			events = append(events, e)
		}
		if o.Order.Release {
			e.kind = evRelease
			events = append(events, e)
		}
	}
	t.op(o, b, w, append(events, t.endi(b, w, i))...)
}

// branch adds if and else.
func (t *trace) branch(b, w, i int) {
	p := t.paths[b][w][i]
	then := t.some(p)
	if then == p {
		t.op(Op{Kind: If, Mask: p, Then: then}, b, w, t.endi(b, w, i))
		return
	}
	t.paths[b][w][i] = p &^ then
	t.paths[b][w] = append(t.paths[b][w], then)
	t.op(Op{Kind: If, Mask: p, Then: then}, b, w, event{kind: evJoin, who: threadsOf(b, w, then)})
	t.op(Op{Kind: Else, Mask: p &^ then}, b, w, event{kind: evJoin, who: threadsOf(b, w, p&^then)})
}

// meet adds fi, of any lanes.
func (t *trace) meet(b, w int) {
	mask := t.some(t.live[b][w])
	if t.rnd.IntN(2) == 0 {
		mask = t.live[b][w]
	}
	keep := t.paths[b][w][:0]
	for _, p := range t.paths[b][w] {
		if p &= ^mask; p != 0 {
			keep = append(keep, p)
		}
	}
	t.paths[b][w] = append(keep, mask)
	t.op(Op{Kind: Fi, Mask: mask}, b, w, event{kind: evJoin, who: threadsOf(b, w, mask)})
}

// warpSync adds a barrier of some paths of a warp.
func (t *trace) warpSync(b, w int) {
	mask := uint32(0)
	for _, p := range t.paths[b][w] {
		if mask == 0 || t.rnd.IntN(2) == 0 {
			mask |= p
		}
	}
	t.op(Op{Kind: WarpSync, Mask: mask}, b, w, event{kind: evJoin, who: threadsOf(b, w, mask)})
}

// barrier adds bar: all arrive, in any order.
func (t *trace) barrier(b int) {
	type arrival struct{ w, i int }
	var list []arrival
	for w := range t.paths[b] {
		for i := range t.paths[b][w] {
			list = append(list, arrival{w, i})
		}
	}
	t.rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, a := range list {
		t.op(Op{Kind: Arrive, Mask: t.paths[b][a.w][a.i]}, b, a.w, t.endi(b, a.w, a.i))
	}
	t.op(Op{Kind: Complete}, b, 0, event{kind: evJoin, who: allOf(b)})
}

// allOf is the threads of a block: those that have exited count as having arrived.
func allOf(b int) threads { return threads(1<<(testWarps*testLanes)-1) << tid(b, 0, 0) }

// namedBarrier adds a barrier of some paths, which may go on without waiting.
func (t *trace) namedBarrier(b int) {
	var who, live threads
	var arrivals []int
	var ends []event
	goes := false
	for w := range t.paths[b] {
		live |= threadsOf(b, w, t.live[b][w])
		for i, p := range t.paths[b][w] {
			if t.rnd.IntN(2) == 0 {
				continue
			}
			o := Op{Kind: Arrive, Barrier: 1, Mask: p, Goes: t.rnd.IntN(3) == 0}
			arrivals = append(arrivals, len(t.events))
			t.op(o, b, w, t.endi(b, w, i))
			if goes = goes || o.Goes; !o.Goes {
				who |= threadsOf(b, w, p)
				ends = append(ends, t.endi(b, w, i))
			}
		}
	}
	if who == live && !goes {
		t.op(Op{Kind: Complete, Barrier: 1, Expected: fanout}, b, 0, event{kind: evJoin, who: allOf(b)})
		return
	}
	t.op(Op{Kind: Complete, Barrier: 1, Expected: fanout}, b, 0, append([]event{{kind: evEnter, who: who, after: arrivals}}, ends...)...)
}

// exit makes lanes of a path exit.
func (t *trace) exit(b, w, i int) {
	mask := t.some(t.paths[b][w][i])
	t.op(Op{Kind: Exit, Mask: mask}, b, w)
	t.live[b][w] &^= mask
	if t.paths[b][w][i] &^= mask; t.paths[b][w][i] == 0 {
		t.paths[b][w] = append(t.paths[b][w][:i:i], t.paths[b][w][i+1:]...)
	}
}
