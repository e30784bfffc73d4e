// Barriers of a block: bar and barrier instructions, their arrivals, completion and divergence.

package barriers

import (
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

func reset(b *state.Barrier) {
	clear(b.PassedBy)
	*b = state.Barrier{Waiting: b.Waiting[:0], PassedBy: b.PassedBy, And: true}
}

// What an operation on a barrier does: it waits, only arrives, or combines predicates.
const (
	BarrierSync state.BarrierKind = iota
	BarrierArrive
	BarrierPopc
	BarrierAnd
	BarrierOr
)

// ExecBarrier makes the lanes in m arrive.
func ExecBarrier(op *state.BarrierOp, x *state.Engine, in *state.Inst, m state.Lanes) {
	g := x.Running
	if op.Plain && m == g.Mask && arrivePlain(op, x, in, g) {
		return
	}
	id, need, same := named(op, x, m)
	if id >= state.NumBarriers || need%state.WarpSize != 0 || need > MaxBlockThreads || op.Count != 0 && need == 0 {
		faults.Raise(x, in, m.First(), "barrier-divergence", 0,
			"barrier %d with a count of %d threads: there are %d barriers and counts are multiples of %d up to %d",
			id, need, state.NumBarriers, state.WarpSize, MaxBlockThreads)
		return
	}
	if rest := m &^ same; rest != 0 { // lanes that name other barriers arrive later
		groups.Ready(x, groups.Split(x, g, rest, g.PC, g.Join))
		m = same
	}
	b := &g.Warp.CTA.Barriers[id]
	g.Warp.CTA.Used |= 1 << id
	if b.Arrived > 0 && !sameCount(x, b.Need, int(need)) {
		faults.Raise(x, in, m.First(), "barrier-divergence", 0,
			"threads arrive at barrier %d with different counts: %s and %s",
			id, countWord(b.Need), countWord(int(need)))
		return
	}
	if !matches(op, x, in, b, id, m.First()) {
		return
	}
	if b.Arrived == 0 {
		reset(b)
	}
	if op.Kind != BarrierArrive {
		b.Kind, b.KindKnown = op.Kind, true
	}
	b.Need = max(b.Need, int(need))
	b.Arrived += weight(b, g.Warp, m)
	contribute(op, x, b, m)
	x.Progress++
	events.EmitBarrier(x, in, m, id, need)
	if op.Kind == BarrierArrive {
		if b.Need != 0 {
			remember(b, g.Warp, m)
		}
		g.PC++
	} else {
		if rest := g.Mask &^ m; rest != 0 { // the guard predicate is false in these lanes: they do not arrive and continue
			groups.Ready(x, groups.Split(x, g, rest, g.PC+1, g.Join))
		}
		g.State = state.GroupBarrier
		b.Waiting = append(b.Waiting, g)
		groups.Release(x, g, 0)
	}
	tryBarrier(x, g.Warp.CTA, int(id), g)
}

// arrivePlain makes a whole group arrive at a bar.sync for all threads. It returns false if other threads have arrived
// by another operation.
func arrivePlain(op *state.BarrierOp, x *state.Engine, in *state.Inst, g *state.Group) bool {
	id := x.Frame.R32(op.ID)[0]
	c := g.Warp.CTA
	b := &c.Barriers[id&(state.NumBarriers-1)]
	if id >= state.NumBarriers || b.Need != 0 || b.Arrived != 0 && (!b.KindKnown || b.Kind != BarrierSync) {
		return false
	}
	x.Progress++
	JoinBarrier(x, in, g, id)
	if g.Join != nil {
		groups.Release(x, g, 0)
	}
	if b.Arrived >= c.Live {
		tryBarrier(x, c, int(id), g)
	}
	return true
}

// JoinBarrier makes g wait at a barrier for all threads.
func JoinBarrier(x *state.Engine, in *state.Inst, g *state.Group, id uint32) {
	c := g.Warp.CTA
	b := &c.Barriers[id]
	b.Kind, b.KindKnown = BarrierSync, true // the other fields have been reset
	c.Used |= 1 << id
	b.Arrived += g.Mask.Count()
	events.EmitBarrier(x, in, g.Mask, id, 0)
	g.State = state.GroupBarrier
	b.Waiting = append(b.Waiting, g)
}

// named returns the barrier and the count that the first lane in m names, and the lanes that name the same.
func named(op *state.BarrierOp, x *state.Engine, m state.Lanes) (id, need uint32, same state.Lanes) {
	ids, same := x.Frame.R32(op.ID), m
	id = ids[m.First()]
	if !op.Constant {
		same = EqualLanes(ids, m, id)
	}
	if op.Count != 0 {
		counts := x.Frame.R32(op.Count)
		need = counts[m.First()]
		if !op.Constant {
			same &= EqualLanes(counts, m, need)
		}
	}
	return id, need, same
}

// matches raises a fault if the instruction does not match those of earlier arrivals: bar.red must not be mixed with
// bar.sync or another reduction (PTX ISA, "bar, barrier": the outcome is unpredictable), nor with bar.arrive, which
// contributes no predicate.
func matches(op *state.BarrierOp, x *state.Engine, in *state.Inst, b *state.Barrier, id uint32, lane int) bool {
	reduces := op.Kind >= BarrierPopc || b.KindKnown && b.Kind >= BarrierPopc
	if b.Arrived == 0 || !reduces || b.KindKnown && op.Kind == b.Kind {
		return true
	}
	faults.Raise(x, in, lane, "barrier-divergence", 0,
		"threads arrive at barrier %d by different operations: %s and %s", id,
		BarrierWords[op.Kind], word(b))
	return false
}

// word names the operation of the threads that have arrived.
func word(b *state.Barrier) string {
	if !b.KindKnown {
		return BarrierWords[BarrierArrive]
	}
	return BarrierWords[b.Kind]
}

// BarrierWords are the operations on barriers as instructions name them.
var BarrierWords = [...]string{
	BarrierSync: "sync", BarrierArrive: "arrive", BarrierPopc: "red.popc", BarrierAnd: "red.and", BarrierOr: "red.or",
}

// sameCount reports whether two counts of a barrier are equal: 0 stands for all threads of the block.
func sameCount(x *state.Engine, a, b int) bool {
	return a == b || min(a, b) == 0 && uint64(max(a, b)) == x.L.Block.Count()
}

// countWord returns a barrier's count as text for messages.
func countWord(n int) string {
	if n == 0 {
		return "all threads"
	}
	return diag.Plural(n, "thread")
}

// contribute adds the lanes' predicates to a reduction.
func contribute(op *state.BarrierOp, x *state.Engine, b *state.Barrier, m state.Lanes) {
	if op.Kind < BarrierPopc {
		return
	}
	p := *x.Frame.P(op.Pred) & m
	b.Popc += uint32(p.Count())
	b.And = b.And && p == m
	b.Or = b.Or || p != 0
}

// tryBarrier completes a barrier when all expected threads have arrived. The event has the instruction of last, the
// group that arrived last.
func tryBarrier(x *state.Engine, c *state.CTA, id int, last *state.Group) {
	b := &c.Barriers[id]
	need := b.Need
	if need == 0 {
		need = c.Live
	}
	if b.Arrived == 0 || b.Arrived < need {
		return
	}
	apart := needsGroups(x, b.Waiting)
	if apart && !checkAligned(x, b, id) {
		return
	}
	noteSplit(x, b, id)
	noteMissing(x, b, c)
	if x.Listener != nil {
		events.EmitBarrierEvent(x, x.Warp, last.Inst(), x.Running.Mask, abi.EventBarrierComplete, uint32(id),
			uint32(b.Need))
	}
	x.Progress++
	waiting := b.Waiting
	if b.Kind != BarrierSync {
		for _, g := range waiting {
			x.Frame = g.Frame
			finish(barrierAt(g), x, b, g.Mask)
		}
	}
	events.EmitBarrierPass(x, abi.EventBarrierPass, uint32(id), uint32(b.Need), waiting)
	if apart {
		groups.ContinueGroups(x, waiting)
	} else {
		groups.ContinueWarps(x, waiting)
	}
	clear(waiting)
	reset(b)
}

// needsGroups reports whether the waiting groups must be processed one by one: there may be several of one warp, or
// Config.Synccheck needs the state of their warps.
func needsGroups(x *state.Engine, waiting []*state.Group) bool {
	for _, g := range waiting {
		if g.Mask != g.Warp.Live {
			return true
		}
	}
	return x.M.Cfg.Synccheck
}

// recheckBarriers completes barriers that waited only for threads of a warp that have exited. The exit may be the last
// instruction of the kernel, so the event has the instruction of a waiting group.
func recheckBarriers(x *state.Engine, w *state.Warp) {
	c := w.CTA
	for u := c.Used; u != 0; u &= u - 1 {
		id := bits.TrailingZeros32(u)
		b := &c.Barriers[id]
		changed := b.Need == 0 || b.Arrived > 0 && leave(b, w) > 0
		if changed && len(b.Waiting) > 0 {
			tryBarrier(x, c, id, b.Waiting[0])
		}
	}
}

// Lanes that have exited, at barriers with a count: they count together with the first live lane of their warp.

// remember records arrived lanes of a warp that do not wait, and may exit before the others arrive.
func remember(b *state.Barrier, w *state.Warp, m state.Lanes) {
	for len(b.PassedBy) <= w.Index {
		b.PassedBy = append(b.PassedBy, 0)
	}
	b.PassedBy[w.Index] |= m
}

// absent returns the lanes of a warp that have exited without arriving.
func absent(b *state.Barrier, w *state.Warp) state.Lanes {
	if w.Index < len(b.PassedBy) {
		return ^w.Live &^ b.PassedBy[w.Index]
	}
	return ^w.Live
}

// weight returns the number of threads that the lanes in m count as. At barriers with a count, the first live lane also
// counts for the lanes that hold no thread or have exited.
func weight(b *state.Barrier, w *state.Warp, m state.Lanes) int {
	n := m.Count()
	if b.Need != 0 && m.Has(w.Live.First()) {
		n += countAbsent(b, w)
	}
	return n
}

// countAbsent returns the number of lanes of a warp that have exited and have not been counted yet, and counts them.
func countAbsent(b *state.Barrier, w *state.Warp) int {
	absent := absent(b, w)
	remember(b, w, absent)
	return absent.Count()
}

// leave counts lanes of a warp that have exited after the first live lane arrived at a barrier with a count. It returns
// their number.
func leave(b *state.Barrier, w *state.Warp) int {
	var arrived state.Lanes
	if w.Index < len(b.PassedBy) {
		arrived = b.PassedBy[w.Index]
	}
	for _, g := range b.Waiting {
		if g.Warp == w {
			arrived |= g.Mask
		}
	}
	if w.Live != 0 && !arrived.Has(w.Live.First()) || arrived == 0 {
		return 0
	}
	n := countAbsent(b, w)
	b.Arrived += n
	return n
}

// barrierAt returns the barrier operation at the pc of g.
func barrierAt(g *state.Group) *state.BarrierOp { return g.Frame.Fn.Barriers[g.PC] }

// finish gives the lanes in m the result of a reduction.
func finish(op *state.BarrierOp, x *state.Engine, b *state.Barrier, m state.Lanes) {
	switch op.Kind {
	case BarrierPopc:
		d := x.Frame.R32(op.Dst)
		for ; m != 0; m &= m - 1 {
			d[m.First()] = b.Popc
		}
	case BarrierAnd, BarrierOr:
		d := x.Frame.P(op.Dst)
		*d &^= m
		if op.Kind == BarrierAnd && b.And || op.Kind == BarrierOr && b.Or {
			*d |= m
		}
	}
}

// checkAligned raises a fault if lanes of one warp have arrived at an aligned barrier by different instructions; with
// Config.Synccheck also if lanes of a warp have exited.
func checkAligned(x *state.Engine, b *state.Barrier, id int) bool {
	for i, g := range b.Waiting {
		if w := g.Warp; x.M.Cfg.Synccheck && barrierAt(g).Aligned && w.Live != w.Exists {
			faults.Fail(x, w, g.Mask.First(), faults.BlameAt(x, g.Frame, g.PC), "barrier-divergence", 0, fmt.Sprintf(
				"lanes 0x%08x of the warp have exited and cannot arrive at the aligned barrier %d", uint32(w.Exists&^w.Live), id))
			return false
		}
		for _, h := range b.Waiting[:i] {
			if h.Warp != g.Warp || h.Frame.Fn == g.Frame.Fn && h.PC == g.PC ||
				!barrierAt(g).Aligned && !barrierAt(h).Aligned {
				continue
			}
			other := faults.BlameAt(x, h.Frame, h.PC)
			faults.Fail(x, g.Warp, g.Mask.First(), faults.BlameAt(x, g.Frame, g.PC), "barrier-divergence", 0,
				fmt.Sprintf(
					"threads of one warp arrive at barrier %d from different instructions: lane %d here, lane %d at line %d (%s)",
					id, g.Mask.First(), h.Mask.First(), other.Line, other.Text()))
			return false
		}
	}
	return true
}

// EqualLanes returns the lanes of m where r holds v.
func EqualLanes(r *state.Vec32, m state.Lanes, v uint32) state.Lanes {
	for k := m; k != 0; k &= k - 1 {
		if r[k.First()] != v {
			m &^= k & -k
		}
	}
	return m
}
