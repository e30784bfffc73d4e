// Barriers of a block: bar and barrier instructions, their arrivals, completion and divergence.

package emu

import (
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Barriers of the block: bar.sync, bar.arrive, bar.red and their barrier.* spellings (PTX ISA, "Parallel
// Synchronization and Communication Instructions: bar, barrier").
//
// Where the manual is silent, or hardware does more than it requires, the emulator does the following:
//   - Barriers count threads, as since Volta, under every policy.
//   - A barrier without a count expects the threads of the block that have not exited, as hardware does.
//   - At a barrier with a count, lanes that have exited, or that hold no thread of the block, count together with the
//     first live lane of their warp, since counts are multiples of the warp size. A count of all threads of the block is
//     the same as no count.
//   - Arrivals by different instructions at one barrier match each other, except within a warp when the instruction is
//     .aligned (bar.* always is): that is barrier divergence.
//   - A barrier that cannot complete because all other threads wait elsewhere or have exited is barrier divergence.

// numBarriers is the number of barriers of a block.
const numBarriers = 16

// barrier is the state of one barrier of a block.
type barrier struct {
	arrived   int
	need      int // expected threads, 0 when the instructions specify no count
	waiting   []*group
	passedBy  []lanes     // by warp: the lanes that arrived by bar.arrive at a barrier with a count, and those counted as exited
	kind      barrierKind // operation of the waiting threads: bar.sync or a reduction
	kindKnown bool        // a thread waits, so that kind is valid
	popc      uint32
	and, or   bool
}

func (b *barrier) reset() {
	clear(b.passedBy)
	*b = barrier{waiting: b.waiting[:0], passedBy: b.passedBy, and: true}
}

// barrierKind is the operation of an instruction at a barrier.
type barrierKind uint8

const (
	barrierSync barrierKind = iota
	barrierArrive
	barrierPopc
	barrierAnd
	barrierOr
)

// barrierOp is a decoded barrier instruction.
type barrierOp struct {
	kind    barrierKind
	aligned bool
	// constant says that id and count are constants: all threads name the same barrier and count.
	constant bool
	plain    bool // bar.sync of a constant barrier, without a count
	zero     bool // bar.sync 0 without a count, as __syncthreads
	id       slot
	count    slot          // 0 when absent
	pred     slot          // of a reduction
	dst      slot          // of a reduction
	around   *rewrite.Inst // code that threads execute which go around the barrier; nil if there is none
}

// exec makes the lanes in m arrive.
func (op *barrierOp) exec(x *engine, in *inst, m lanes) {
	g := x.running
	if op.plain && m == g.mask && op.arrivePlain(x, in, g) {
		return
	}
	id, need, same := op.named(x, m)
	if id >= numBarriers || need%warpSize != 0 || need > maxBlockThreads || op.count != 0 && need == 0 {
		x.raise(in, m.first(), "barrier-divergence", 0,
			"barrier %d with a count of %d threads: there are %d barriers and counts are multiples of %d up to %d",
			id, need, numBarriers, warpSize, maxBlockThreads)
		return
	}
	if rest := m &^ same; rest != 0 { // lanes that name other barriers arrive later
		x.ready(x.split(g, rest, g.pc, g.join))
		m = same
	}
	b := &g.warp.cta.barriers[id]
	g.warp.cta.used |= 1 << id
	if b.arrived > 0 && !x.sameCount(b.need, int(need)) {
		x.raise(in, m.first(), "barrier-divergence", 0, "threads arrive at barrier %d with different counts: %s and %s",
			id, countWord(b.need), countWord(int(need)))
		return
	}
	if !op.matches(x, in, b, id, m.first()) {
		return
	}
	if b.arrived == 0 {
		b.reset()
	}
	if op.kind != barrierArrive {
		b.kind, b.kindKnown = op.kind, true
	}
	b.need = max(b.need, int(need))
	b.arrived += b.weight(g.warp, m)
	op.contribute(x, b, m)
	x.progress++
	x.emitBarrier(in, m, id, need)
	if op.kind == barrierArrive {
		if b.need != 0 {
			b.remember(g.warp, m)
		}
		g.pc++
	} else {
		if rest := g.mask &^ m; rest != 0 { // the guard predicate is false in these lanes: they do not arrive and continue
			x.ready(x.split(g, rest, g.pc+1, g.join))
		}
		g.state = groupBarrier
		b.waiting = append(b.waiting, g)
		x.release(g, 0)
	}
	x.tryBarrier(g.warp.cta, int(id), g)
}

// arrivePlain makes a whole group arrive at a bar.sync for all threads. It returns false if other threads have arrived
// by another operation.
func (op *barrierOp) arrivePlain(x *engine, in *inst, g *group) bool {
	id := x.frame.r32(op.id)[0]
	c := g.warp.cta
	b := &c.barriers[id&(numBarriers-1)]
	if id >= numBarriers || b.need != 0 || b.arrived != 0 && (!b.kindKnown || b.kind != barrierSync) {
		return false
	}
	x.progress++
	x.joinBarrier(in, g, id)
	if g.join != nil {
		x.release(g, 0)
	}
	if b.arrived >= c.live {
		x.tryBarrier(c, int(id), g)
	}
	return true
}

// joinBarrier makes g wait at a barrier for all threads.
func (x *engine) joinBarrier(in *inst, g *group, id uint32) {
	c := g.warp.cta
	b := &c.barriers[id]
	b.kind, b.kindKnown = barrierSync, true // the other fields have been reset
	c.used |= 1 << id
	b.arrived += g.mask.count()
	x.emitBarrier(in, g.mask, id, 0)
	g.state = groupBarrier
	b.waiting = append(b.waiting, g)
}

// named returns the barrier and the count that the first lane in m names, and the lanes that name the same.
func (op *barrierOp) named(x *engine, m lanes) (id, need uint32, same lanes) {
	ids, same := x.frame.r32(op.id), m
	id = ids[m.first()]
	if !op.constant {
		same = equalLanes(ids, m, id)
	}
	if op.count != 0 {
		counts := x.frame.r32(op.count)
		need = counts[m.first()]
		if !op.constant {
			same &= equalLanes(counts, m, need)
		}
	}
	return id, need, same
}

// matches raises a fault if the instruction does not match those of earlier arrivals: bar.red must not be mixed with
// bar.sync or another reduction (PTX ISA, "bar, barrier": the outcome is unpredictable), nor with bar.arrive, which
// contributes no predicate.
func (op *barrierOp) matches(x *engine, in *inst, b *barrier, id uint32, lane int) bool {
	reduces := op.kind >= barrierPopc || b.kindKnown && b.kind >= barrierPopc
	if b.arrived == 0 || !reduces || b.kindKnown && op.kind == b.kind {
		return true
	}
	x.raise(in, lane, "barrier-divergence", 0, "threads arrive at barrier %d by different operations: %s and %s", id,
		barrierWords[op.kind], b.word())
	return false
}

// word names the operation of the threads that have arrived.
func (b *barrier) word() string {
	if !b.kindKnown {
		return barrierWords[barrierArrive]
	}
	return barrierWords[b.kind]
}

var barrierWords = [...]string{
	barrierSync: "sync", barrierArrive: "arrive", barrierPopc: "red.popc", barrierAnd: "red.and", barrierOr: "red.or",
}

// sameCount reports whether two counts of a barrier are equal: 0 stands for all threads of the block.
func (x *engine) sameCount(a, b int) bool {
	return a == b || min(a, b) == 0 && uint64(max(a, b)) == x.l.block.count()
}

// countWord returns a barrier's count as text for messages.
func countWord(n int) string {
	if n == 0 {
		return "all threads"
	}
	return diag.Plural(n, "thread")
}

// contribute adds the lanes' predicates to a reduction.
func (op *barrierOp) contribute(x *engine, b *barrier, m lanes) {
	if op.kind < barrierPopc {
		return
	}
	p := *x.frame.p(op.pred) & m
	b.popc += uint32(p.count())
	b.and = b.and && p == m
	b.or = b.or || p != 0
}

// tryBarrier completes a barrier when all expected threads have arrived. The event has the instruction of last, the
// group that arrived last.
func (x *engine) tryBarrier(c *cta, id int, last *group) {
	b := &c.barriers[id]
	need := b.need
	if need == 0 {
		need = c.live
	}
	if b.arrived == 0 || b.arrived < need {
		return
	}
	apart := x.needsGroups(b.waiting)
	if apart && !x.checkAligned(b, id) {
		return
	}
	x.noteSplit(b, id)
	x.noteMissing(b, c)
	if x.listener != nil {
		x.emitBarrierEvent(x.warp, last.inst(), x.running.mask, abi.EventBarrierComplete, uint32(id), uint32(b.need))
	}
	x.progress++
	waiting := b.waiting
	if b.kind != barrierSync {
		for _, g := range waiting {
			x.frame = g.frame
			barrierAt(g).finish(x, b, g.mask)
		}
	}
	x.emitBarrierPass(abi.EventBarrierPass, uint32(id), uint32(b.need), waiting)
	if apart {
		x.continueGroups(waiting)
	} else {
		x.continueWarps(waiting)
	}
	clear(waiting)
	b.reset()
}

// needsGroups reports whether the waiting groups must be processed one by one: there may be several of one warp, or
// Config.Synccheck needs the state of their warps.
func (x *engine) needsGroups(waiting []*group) bool {
	for _, g := range waiting {
		if g.mask != g.warp.live {
			return true
		}
	}
	return x.m.cfg.Synccheck
}

// recheckBarriers completes barriers that waited only for threads of a warp that have exited. The exit may be the last
// instruction of the kernel, so the event has the instruction of a waiting group.
func (x *engine) recheckBarriers(w *warp) {
	c := w.cta
	for u := c.used; u != 0; u &= u - 1 {
		id := bits.TrailingZeros32(u)
		b := &c.barriers[id]
		changed := b.need == 0 || b.arrived > 0 && b.leave(w) > 0
		if changed && len(b.waiting) > 0 {
			x.tryBarrier(c, id, b.waiting[0])
		}
	}
}

// Lanes that have exited, at barriers with a count: they count together with the first live lane of their warp.

// remember records arrived lanes of a warp that do not wait, and may exit before the others arrive.
func (b *barrier) remember(w *warp, m lanes) {
	for len(b.passedBy) <= w.index {
		b.passedBy = append(b.passedBy, 0)
	}
	b.passedBy[w.index] |= m
}

// absent returns the lanes of a warp that have exited without arriving.
func (b *barrier) absent(w *warp) lanes {
	if w.index < len(b.passedBy) {
		return ^w.live &^ b.passedBy[w.index]
	}
	return ^w.live
}

// weight returns the number of threads that the lanes in m count as. At barriers with a count, the first live lane also
// counts for the lanes that hold no thread or have exited.
func (b *barrier) weight(w *warp, m lanes) int {
	n := m.count()
	if b.need != 0 && m.has(w.live.first()) {
		n += b.countAbsent(w)
	}
	return n
}

// countAbsent returns the number of lanes of a warp that have exited and have not been counted yet, and counts them.
func (b *barrier) countAbsent(w *warp) int {
	absent := b.absent(w)
	b.remember(w, absent)
	return absent.count()
}

// leave counts lanes of a warp that have exited after the first live lane arrived at a barrier with a count. It returns
// their number.
func (b *barrier) leave(w *warp) int {
	var arrived lanes
	if w.index < len(b.passedBy) {
		arrived = b.passedBy[w.index]
	}
	for _, g := range b.waiting {
		if g.warp == w {
			arrived |= g.mask
		}
	}
	if w.live != 0 && !arrived.has(w.live.first()) || arrived == 0 {
		return 0
	}
	n := b.countAbsent(w)
	b.arrived += n
	return n
}

// barrierAt returns the barrier operation at the pc of g.
func barrierAt(g *group) *barrierOp { return g.frame.fn.barriers[g.pc] }

// finish gives the lanes in m the result of a reduction.
func (op *barrierOp) finish(x *engine, b *barrier, m lanes) {
	switch op.kind {
	case barrierPopc:
		d := x.frame.r32(op.dst)
		for ; m != 0; m &= m - 1 {
			d[m.first()] = b.popc
		}
	case barrierAnd, barrierOr:
		d := x.frame.p(op.dst)
		*d &^= m
		if op.kind == barrierAnd && b.and || op.kind == barrierOr && b.or {
			*d |= m
		}
	}
}

// checkAligned raises a fault if lanes of one warp have arrived at an aligned barrier by different instructions; with
// Config.Synccheck also if lanes of a warp have exited.
func (x *engine) checkAligned(b *barrier, id int) bool {
	for i, g := range b.waiting {
		if w := g.warp; x.m.cfg.Synccheck && barrierAt(g).aligned && w.live != w.exists {
			x.fail(w, g.mask.first(), x.blameAt(g.frame, g.pc), "barrier-divergence", 0, fmt.Sprintf(
				"lanes 0x%08x of the warp have exited and cannot arrive at the aligned barrier %d", uint32(w.exists&^w.live), id))
			return false
		}
		for _, h := range b.waiting[:i] {
			if h.warp != g.warp || h.frame.fn == g.frame.fn && h.pc == g.pc ||
				!barrierAt(g).aligned && !barrierAt(h).aligned {
				continue
			}
			other := x.blameAt(h.frame, h.pc)
			x.fail(g.warp, g.mask.first(), x.blameAt(g.frame, g.pc), "barrier-divergence", 0, fmt.Sprintf(
				"threads of one warp arrive at barrier %d from different instructions: lane %d here, lane %d at line %d (%s)",
				id, g.mask.first(), h.mask.first(), other.Line, other.Text()))
			return false
		}
	}
	return true
}
