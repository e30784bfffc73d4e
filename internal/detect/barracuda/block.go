// Blocks: their warps, live threads and barriers.

package barracuda

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// block is the state of a block that has live threads.
type block struct {
	index, cluster uint64
	clustered      bool // the cluster may have other blocks
	threads        uint32
	warps          [fanout]*warp // made when the warp executes its first operation
	barriers       map[uint32]*barrier
	spare          *barrier // for the next phase
}

func newBlock(index, cluster uint64, threads uint32) *block {
	return &block{index: index, cluster: cluster, threads: threads}
}

// warp returns the state of a warp, nil if the block has no such warp.
func (b *block) warp(i uint32) *warp {
	if i >= fanout || i*abi.WarpLanes >= b.threads {
		return nil
	}
	if b.warps[i] == nil {
		lanes := min(b.threads-i*abi.WarpLanes, abi.WarpLanes)
		b.warps[i] = newWarp(warpID(b.index, i), uint32(1<<lanes-1))
	}
	return b.warps[i]
}

// barrier is a barrier at which some threads have arrived.
type barrier struct {
	expected uint32
	arrived  uint32
	waiting  [fanout]uint32 // waiting lanes, by warp
	gone     [fanout]uint32 // lanes that have arrived without waiting
	site     [fanout]uint32 // instruction at which the first lanes of a warp wait
	released *vclock.Clock  // released by the lanes that did not wait
	goes     bool           // some lanes did not wait
}

func (b *block) barrier(id uint32) *barrier {
	if b.barriers == nil {
		b.barriers = make(map[uint32]*barrier)
	}
	x := b.barriers[id]
	if x == nil {
		if x, b.spare = b.spare, nil; x == nil {
			x = new(barrier)
		}
		*x = barrier{}
		b.barriers[id] = x
	}
	return x
}

// elsewhere returns the lanes of the warp that wait at the same barrier as an Arrive, but at another instruction.
func (b *block) elsewhere(op *Op) uint32 {
	x := b.barriers[op.Barrier]
	if x == nil || x.site[op.Warp] == op.Site {
		return 0
	}
	return x.waiting[op.Warp]
}

// arrive makes the lanes of an Arrive wait at their barrier, or pass it. The barrier is complete when the expected
// number of threads has arrived.
func (b *block) arrive(w *warp, op *Op) {
	x := b.barrier(op.Barrier)
	x.expected = max(x.expected, op.Expected)
	x.arrived += uint32(bits.OnesCount32(op.Mask))
	w.isolate(op.Mask)
	p := w.pathOf(op.Mask)
	if op.Goes {
		v := w.clockOf(p)
		x.released, x.goes = vclock.Join(x.released, v.clocks(p.mask)), true
		x.gone[op.Warp] |= op.Mask
	} else {
		if x.waiting[op.Warp] == 0 {
			x.site[op.Warp] = op.Site
		}
		x.waiting[op.Warp] |= op.Mask
	}
	p.endInsn()
	b.complete(op.Barrier, 0, false)
}

// exit records that lanes of a warp have exited: barriers no longer expect them.
func (b *block) exit(w *warp, lanes uint32) {
	w.exit(lanes)
	for _, id := range slices.Sorted(maps.Keys(b.barriers)) {
		b.complete(id, 0, false)
	}
}

// complete ends the phase of a barrier if all threads have arrived, or if ended says that the producer has recorded
// its end. A barrier that expects all threads does not wait for those that have exited.
func (b *block) complete(id, expected uint32, ended bool) {
	x := b.barriers[id]
	if x == nil {
		return
	}
	expected = max(expected, x.expected)
	whole := expected == 0 || expected >= b.threads
	if !ended && (expected == 0 || x.arrived < expected && (!whole || x.arrived+b.exited(x) < b.threads)) {
		return
	}
	delete(b.barriers, id)
	if !x.goes && (whole || b.allWait(x)) {
		b.bar()
	} else {
		b.partial(x)
	}
	b.spare = x
}

// exited returns the number of threads known to have exited without having arrived at a barrier before.
func (b *block) exited(x *barrier) uint32 {
	n := 0
	for i, w := range b.warps {
		if w != nil {
			n += bits.OnesCount32(w.full &^ w.live &^ x.gone[i])
		}
	}
	return uint32(n)
}

// allWait reports whether all live threads wait.
func (b *block) allWait(x *barrier) bool {
	for i, w := range b.warps {
		if uint32(i)*abi.WarpLanes < b.threads && (w == nil || w.live&^x.waiting[i] != 0) {
			return false
		}
	}
	return true
}

// bar is BAR: all threads of the block join and fork. Their clocks become the largest clock that any of them has for
// itself (section 4.3.2).
func (b *block) bar() {
	highest, rest := uint32(0), (*vclock.Clock)(nil)
	for _, w := range b.warps {
		if w == nil {
			continue
		}
		for i := range w.paths {
			p := &w.paths[i]
			highest, rest = max(highest, p.local), vclock.Join(rest, p.rest)
		}
	}
	rest = rest.WithoutBlock(vclock.Unit(warpID(b.index, 0)))
	for _, w := range b.warps {
		if w == nil {
			continue
		}
		var outside *laneClocks
		if len(w.paths) > 1 {
			outside = outside.with(w.full, highest)
		}
		for i := range w.paths {
			p := &w.paths[i]
			*p = path{mask: p.mask, local: increment(highest), block: highest, outside: outside, rest: rest}
		}
	}
}

// partial joins and forks the threads at a barrier at which not all threads of the block wait: named barriers, which
// the paper does not have.
func (b *block) partial(x *barrier) {
	vc := x.released
	b.eachWaiting(x, func(w *warp, p *path) {
		v := w.clockOf(p)
		vc = vclock.Join(vc, v.clocks(p.mask))
	})
	all := &releasedClock{vc: vc}
	var to builders
	b.eachWaiting(x, func(w *warp, p *path) {
		v := w.clockOf(p)
		v.acquire(all, &to)
		v.endAcquires(&to)
		*p = v.path
		p.endInsn()
	})
}

// eachWaiting calls do for the paths that wait at a barrier.
func (b *block) eachWaiting(x *barrier, do func(*warp, *path)) {
	for i, lanes := range x.waiting {
		if lanes == 0 {
			continue
		}
		w := b.warps[i]
		for j := range w.paths {
			if w.paths[j].mask&lanes != 0 {
				do(w, &w.paths[j])
			}
		}
	}
}
