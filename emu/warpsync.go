// Operations among lanes of a warp that wait for each other by membermask. At the end: the record of barriers and of
// such operations that are complete, but not used as the manual demands.

package emu

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Operations that lanes of a warp execute together: shfl.sync, vote.sync, match.sync, redux.sync, elect.sync and
// bar.warp.sync. A lane waits until all lanes of its membermask that have not exited execute the operation "with the
// same qualifiers and same membermask value" (PTX ISA, e.g. "Data Movement and Conversion Instructions: shfl.sync").
// They may execute it by different instructions: __shfl_xor_sync in both arms of a branch is valid (CUDA C++
// Programming Guide, "Independent Thread Scheduling"). Operations with .aligned meet in one instruction only, in any
// activation.

// syncOp is a decoded operation.
type syncOp struct {
	members slot   // membermask
	matches string // opcode and qualifiers: operations with the same text meet. Empty: only the same instruction does.
	orders  bool   // orders memory: bar.warp.sync, and what query.HandsOver holds for
	// reads and writes are the registers that are copied when lanes come from several activations or instructions.
	// Operations that match have as many of each, and the reads of one of them are different registers.
	reads, writes []slotRange
	// ready, for an operation that waits for more than lanes, reports whether it can be executed, given a lane of a
	// frame. When the result may have changed, retrySyncs is called.
	ready  func(x *engine, f *frame, lane int) bool
	awaits string        // text for faults: what its lanes wait for in that case
	around *rewrite.Inst // code that lanes execute which go around the operation; nil if there is none
	// body executes the operation for the lanes in part, all in x.frame.
	body func(x *engine, in *inst, part lanes)
}

// syncWait is a group waiting in an operation for other lanes.
type syncWait struct {
	g       *group
	op      *syncOp
	in      *inst
	members lanes
}

// exec executes the operation for the lanes in m, or makes them wait.
func (op *syncOp) exec(x *engine, in *inst, m lanes) {
	g := x.running
	w, members := g.warp, x.frame.r32(op.members)
	if m = op.own(x, in, m); m == 0 {
		return
	}
	var blocked [warpSize]lanes // lanes that have to wait, by the lowest of them
	waits := lanes(0)
	for rest := m; rest != 0; {
		mm := members[rest.first()]
		part := equalLanes(members, rest, mm)
		rest &^= part
		if gone := lanes(mm) &^ w.live; gone != 0 && x.m.cfg.Synccheck {
			x.raise(in, part.first(), "barrier-divergence", 0, "membermask 0x%08x names lanes 0x%08x, which %s", mm,
				uint32(gone), w.absent(gone))
			return
		}
		x.noteAround(op, in, w, lanes(mm))
		if lanes(mm)&w.live&^part != 0 || op.ready != nil && !op.ready(x, x.frame, part.first()) {
			blocked[part.first()] = part
			waits |= part
			continue
		}
		op.perform(x, in, part)
	}
	if waits == 0 {
		g.pc++
		return
	}
	if done := g.mask &^ waits; done != 0 {
		x.ready(x.split(g, done, g.pc+1, g.join))
	}
	x.progress++
	for _, part := range blocked {
		if part == 0 {
			continue
		}
		h := g
		if part != g.mask {
			h = x.split(g, part, g.pc, g.join)
		}
		h.state = groupSync
		w.syncs = append(w.syncs, &syncWait{h, op, in, lanes(members[part.first()])})
		x.release(h, 0)
	}
	x.recheckSyncs(w)
}

// own returns the lanes in m whose membermasks contain them. For each of the others it raises a fault, by which that
// lane stops if Config.MaxFaults allows for more. It returns 0 when the launch or the group ends.
func (op *syncOp) own(x *engine, in *inst, m lanes) lanes {
	members := x.frame.r32(op.members)
	outside := lanes(0)
	for rest := m; rest != 0; rest &= rest - 1 {
		if i := rest.first(); members[i]>>i&1 == 0 {
			outside |= 1 << i
		}
	}
	if outside == 0 {
		return m
	}
	for rest := outside; rest != 0; rest &= rest - 1 {
		i := rest.first()
		x.raise(in, i, "barrier-divergence", 0, "membermask 0x%08x does not contain the executing lane %d", members[i],
			i)
		if x.m.cfg.MaxFaults == 1 {
			return 0
		}
		if x.recordFault(); x.fault != nil {
			return 0
		}
	}
	g := x.running
	x.exit(g, outside)
	if m == outside || x.fault != nil {
		return 0
	}
	g.pc-- // the other lanes execute the instruction
	return m &^ outside
}

// absent explains why lanes are not live.
func (w *warp) absent(gone lanes) string {
	if gone&w.exists != 0 {
		return "have exited"
	}
	return "do not exist in a block of this size"
}

// perform runs the body and emits the event.
func (op *syncOp) perform(x *engine, in *inst, part lanes) {
	if !x.frame.undefined.None() {
		x.shuffles(op, in, part)
	}
	op.body(x, in, part)
	if x.weak != nil && op.orders {
		x.weakMeet(part)
	}
	if x.listener != nil && (op.orders || x.all || x.interest.Lanes) {
		x.emitBarrierEvent(x.warp, x.instOf(in), part, abi.EventWarpSync, 0, 0)
	}
}

// recheckSyncs executes the operations that have become complete.
func (x *engine) recheckSyncs(w *warp) {
	for i := 0; i < len(w.syncs); i++ {
		if met := x.meeting(w, i); met != nil {
			x.meet(w, met)
			i = -1
		}
	}
}

// meeting returns the waiting groups that make the operation of w.syncs[i] complete, nil if a lane is missing.
func (x *engine) meeting(w *warp, i int) []*syncWait {
	first := w.syncs[i]
	missing, n := first.members&w.live, 0
	for _, s := range w.syncs[i:] {
		if s.meets(first) {
			missing &^= s.g.mask
			n++
		}
	}
	if missing != 0 || first.op.ready != nil && !first.op.ready(x, first.g.frame, first.g.mask.first()) {
		return nil
	}
	met := make([]*syncWait, 0, n)
	for _, s := range w.syncs[i:] {
		if s.meets(first) {
			met = append(met, s)
		}
	}
	return met
}

// meets reports whether two groups wait for the same operation.
func (s *syncWait) meets(first *syncWait) bool {
	return s.members == first.members && (s.op == first.op || s.op.matches != "" && s.op.matches == first.op.matches)
}

// retrySyncs makes ready the groups of a block that wait in operations for more than lanes, so that they try again.
func (x *engine) retrySyncs(c *cta) {
	for _, w := range c.warps {
		w.syncs = slices.DeleteFunc(w.syncs, func(s *syncWait) bool {
			if s.op.ready == nil {
				return false
			}
			s.g.state = groupReady
			x.ready(s.g)
			x.progress++
			return true
		})
	}
}

// meet executes an operation when all its lanes have arrived. The lanes may be in several groups; the instruction with
// most results is executed for all. If the groups have different instructions, a temporary register file holds the
// operands, since one instruction's registers may hold other values in the lanes of another.
func (x *engine) meet(w *warp, met []*syncWait) {
	lead := slices.MaxFunc(met, func(a, b *syncWait) int { return len(a.op.writes) - len(b.op.writes) })
	saved := x.frame
	x.frame = lead.g.frame
	if len(lead.op.writes) > 0 && slices.ContainsFunc(met, func(s *syncWait) bool { return s.op != lead.op }) {
		x.frame = newFrame(lead.g.frame.fn)
		x.frame.warp = w
	}
	all := lanes(0)
	groups := make([]*group, 0, len(met))
	for _, s := range met {
		all |= s.g.mask
		groups = append(groups, s.g)
		if s.g.frame != x.frame {
			copyLanes(x.frame, lead.op.reads, s.g.frame, s.op.reads, s.g.mask)
		}
	}
	x.noteAround(lead.op, lead.in, w, lead.members)
	lead.op.perform(x, lead.in, all)
	for _, s := range met {
		if s.g.frame != x.frame {
			copyLanes(s.g.frame, s.op.writes, x.frame, lead.op.writes, s.g.mask)
			s.define()
		}
	}
	x.frame = saved
	kept := w.syncs[:0]
	for _, s := range w.syncs {
		if all&s.g.mask == 0 {
			kept = append(kept, s)
		}
	}
	clear(w.syncs[len(kept):])
	w.syncs = kept
	x.progress++
	x.continueGroups(groups)
}

// define makes the result of a shuffle that was executed elsewhere a defined one.
func (s *syncWait) define() {
	f := s.g.frame
	if in := f.fn.sourceOf(s.in.src).in; undefined.FlowOf(in) == undefined.Shuffles {
		f.undefined.Clear(undefined.Result(in), uint32(s.g.mask))
	}
}

// copyLanes copies registers of the lanes in m between activations: as many as both sides have, in order.
func copyLanes(dst *frame, to []slotRange, src *frame, from []slotRange, m lanes) {
	for i := range min(len(to), len(from)) {
		r, q := to[i], from[i]
		if r.lane == 0 {
			d := dst.p(r.slot)
			*d = *d&^m | *src.p(q.slot)&m
			continue
		}
		for k := m; k != 0; k &= k - 1 {
			copy(dst.bytesOf(r, k.first()), src.bytesOf(q, k.first()))
		}
	}
}

// BarrierMisuse is a use of a barrier, or of an operation among lanes, that is undefined although it is complete.
type BarrierMisuse struct {
	Kind MisuseKind
	At   *rewrite.Inst
	// Other is the second place of SplitBarrier, which comes later in the source, and of SkippedBarrier the first
	// instruction of the code that the missing threads execute instead. It is nil for LeftBarrier.
	Other *rewrite.Inst
}

// MisuseKind is a kind of BarrierMisuse.
type MisuseKind uint8

// Kinds of misuse.
const (
	// SplitBarrier: threads of the block arrive by two instructions at an aligned barrier 0 without a count, as
	// __syncthreads() is compiled to, which CUDA C leaves undefined. Threads of one warp at two places are a fault
	// instead.
	SplitBarrier MisuseKind = iota
	// LeftBarrier: threads of the block that have passed an aligned barrier without a count exit, while others come to
	// it again, as in the last round of a loop. All threads of the block must execute an aligned barrier (PTX ISA,
	// "barrier"). Threads that exit before they have come to it even once are not expected, as in "if (i >= n) return;"
	// (CUDA C++ Programming Guide, "__syncthreads": all non-exited threads).
	LeftBarrier
	// SkippedBarrier: threads of the block, or lanes of the membermask, go around the barrier or operation, and execute
	// code that the others come to behind it, before they exit.
	SkippedBarrier
)

// barrierMisuses has the misuses of a launch, and of the grids that it launches.
type barrierMisuses struct {
	mu   sync.Mutex
	seen map[BarrierMisuse]bool
}

func (s *barrierMisuses) add(b BarrierMisuse) {
	if b.Kind == SplitBarrier && b.Other.Line < b.At.Line {
		b.At, b.Other = b.Other, b.At
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = make(map[BarrierMisuse]bool)
	}
	s.seen[b] = true
}

// list returns them in source order.
func (s *barrierMisuses) list() (list []BarrierMisuse) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for b := range s.seen {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b BarrierMisuse) int {
		return cmp.Or(a.At.Line-b.At.Line, int(a.Kind)-int(b.Kind), lineOf(a.Other)-lineOf(b.Other))
	})
	return list
}

func lineOf(in *rewrite.Inst) int {
	if in == nil {
		return 0
	}
	return in.Line
}

// noteSplit records that barrier id completes with threads of the block at several places.
func (x *engine) noteSplit(b *barrier, id int) {
	if id != 0 || b.need != 0 || len(b.waiting) == 0 || !barrierAt(b.waiting[0]).aligned {
		return
	}
	first := b.waiting[0]
	at := func(g *group) *rewrite.Inst { return x.blameAt(g.frame, g.pc) }
	for _, g := range b.waiting[1:] {
		if g.pc == first.pc && g.frame.fn == first.frame.fn {
			continue
		}
		if p, q := at(first), at(g); p != nil && q != nil && !sameSource(p, q) {
			x.l.misuses.add(BarrierMisuse{SplitBarrier, p, q})
		}
	}
}

// passedBarrier is an aligned barrier for all threads of the block that threads have passed, and how many have, the
// last time. If there is no listener, warps that take turns pass barriers in assembly, which does not count.
type passedBarrier struct {
	op      *barrierOp
	threads int
}

// noteMissing records that a barrier for all threads of the block completes without some that have exited, if it is a
// misuse.
func (x *engine) noteMissing(b *barrier, c *cta) {
	if b.need != 0 || len(b.waiting) == 0 {
		return
	}
	g := b.waiting[0]
	op := barrierAt(g)
	i := slices.IndexFunc(c.passed, func(p passedBarrier) bool { return p.op == op })
	if !op.aligned || i >= 0 && c.passed[i].threads == c.live ||
		slices.ContainsFunc(b.waiting, func(h *group) bool { return barrierAt(h) != op }) {
		return
	}
	switch at := x.blameAt(g.frame, g.pc); {
	case op.around != nil && uint64(c.live) < x.l.block.count():
		x.l.misuses.add(BarrierMisuse{SkippedBarrier, at, x.blamed(op.around)})
	case i >= 0 && c.left != c.live: // the other barriers of a loop miss the same threads
		c.left = c.live
		x.l.misuses.add(BarrierMisuse{LeftBarrier, at, nil})
	}
	if i < 0 {
		c.passed = append(c.passed, passedBarrier{op, c.live})
	} else {
		c.passed[i].threads = c.live
	}
}

// noteAround records that lanes of the membermask of an operation have exited, if they have gone around it.
func (x *engine) noteAround(op *syncOp, in *inst, w *warp, members lanes) {
	if op.around != nil && members&w.exists&^w.live != 0 {
		x.l.misuses.add(BarrierMisuse{SkippedBarrier, x.blame(x.frame, in.src), x.blamed(op.around)})
	}
}

// sameSource reports whether two instructions come from the same source position.
func sameSource(a, b *rewrite.Inst) bool {
	if a == b {
		return true
	}
	l, m := a.Loc, b.Loc
	for ; l != nil && m != nil; l, m = l.InlinedAt, m.InlinedAt {
		if l.File != m.File || l.Line != m.Line {
			return false
		}
	}
	return a.Loc != nil && l == nil && m == nil
}
