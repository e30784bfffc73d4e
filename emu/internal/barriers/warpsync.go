// Fences, barriers of a warp, and helpers for operations among its lanes (shfl, vote, match, redux, elect).

package barriers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// shuffles gives the result of a shuffle the undefined bits of the lanes that it reads. Which these are shows when the
// shuffle moves their numbers.
func shuffles(x *state.Engine, op *state.SyncOp, in *state.Inst, part state.Lanes) {
	f := x.Frame
	s := f.Fn.SourceOf(in.Src).In
	if undefined.FlowOf(s) != undefined.Shuffles {
		return
	}
	to, of := undefined.Result(s), s.Operands[1].Reg
	if to == nil || f.Undefined.In(of) == 0 {
		f.Undefined.Clear(to, uint32(part))
		return
	}
	a, d := f.R32(in.A), f.R32(in.D)
	oldA, oldD := *a, *d
	for i := range a {
		a[i] = uint32(i + 1)
	}
	op.Body(x, in, part)
	var from [state.WarpSize]int
	for i := range from {
		from[i] = int(d[i]) - 1
	}
	*d, *a = oldD, oldA
	f.Undefined.Shuffle(to, of, uint32(part), &from)
}

// ExecSync executes the operation for the lanes in m, or makes them wait.
func ExecSync(op *state.SyncOp, x *state.Engine, in *state.Inst, m state.Lanes) {
	g := x.Running
	w, members := g.Warp, x.Frame.R32(op.Members)
	if m = own(op, x, in, m); m == 0 {
		return
	}
	var blocked [state.WarpSize]state.Lanes // lanes that have to wait, by the lowest of them
	waits := state.Lanes(0)
	for rest := m; rest != 0; {
		mm := members[rest.First()]
		part := EqualLanes(members, rest, mm)
		rest &^= part
		if gone := state.Lanes(mm) &^ w.Live; gone != 0 && x.M.Cfg.Synccheck {
			faults.Raise(x, in, part.First(), "barrier-divergence", 0, "%s", absentText(w, mm, gone))
			return
		}
		noteAround(x, op, in, w, state.Lanes(mm))
		if state.Lanes(mm)&w.Live&^part != 0 || op.Ready != nil && !op.Ready(x, x.Frame, part.First()) {
			blocked[part.First()] = part
			waits |= part
			continue
		}
		perform(op, x, in, part)
	}
	if waits == 0 {
		g.PC++
		return
	}
	if done := g.Mask &^ waits; done != 0 {
		groups.Ready(x, groups.Split(x, g, done, g.PC+1, g.Join))
	}
	x.Progress++
	for _, part := range blocked {
		if part == 0 {
			continue
		}
		h := g
		if part != g.Mask {
			h = groups.Split(x, g, part, g.PC, g.Join)
		}
		h.State = state.GroupSync
		w.Syncs = append(w.Syncs, &state.SyncWait{G: h, Op: op, In: in, Members: state.Lanes(members[part.First()])})
		groups.Release(x, h, 0)
	}
	recheckSyncs(x, w)
}

// own checks that each lane in m is in its own membermask. It returns the lanes that are, and raises a fault for each
// other lane, which then exits if Config.MaxFaults permits more faults. It returns 0 if the launch or the group has
// ended.
func own(op *state.SyncOp, x *state.Engine, in *state.Inst, m state.Lanes) state.Lanes {
	members := x.Frame.R32(op.Members)
	outside := state.Lanes(0)
	for rest := m; rest != 0; rest &= rest - 1 {
		if i := rest.First(); members[i]>>i&1 == 0 {
			outside |= 1 << i
		}
	}
	if outside == 0 {
		return m
	}
	for rest := outside; rest != 0; rest &= rest - 1 {
		i := rest.First()
		faults.Raise(x, in, i, "barrier-divergence", 0, "membermask 0x%08x does not contain the executing lane %d",
			members[i],
			i)
		if x.M.Cfg.MaxFaults == 1 {
			return 0
		}
		if faults.RecordFault(x); x.Fault != nil {
			return 0
		}
	}
	g := x.Running
	Exit(x, g, outside)
	if m == outside || x.Fault != nil {
		return 0
	}
	g.PC-- // the other lanes execute the instruction
	return m &^ outside
}

// absentText says that lanes of a membermask are not live, and why.
func absentText(w *state.Warp, members uint32, gone state.Lanes) string {
	why := "do not exist in a block of this size"
	if gone&w.Exists != 0 {
		why = "have exited"
	}
	return fmt.Sprintf("membermask 0x%08x names lanes 0x%08x, which %s", members, uint32(gone), why)
}

// refuseAbsent raises a fault under Config.Synccheck if an operation for which lanes wait completes without others that have
// exited meanwhile: whether they have exited before makes no difference.
func refuseAbsent(x *state.Engine, w *state.Warp, s *state.SyncWait) {
	if gone := s.Members &^ w.Live; gone != 0 && x.M.Cfg.Synccheck {
		faults.Fail(x, w, s.G.Mask.First(), faults.BlameAt(x, s.G.Frame, s.G.PC), "barrier-divergence", 0,
			absentText(w, uint32(s.Members), gone))
	}
}

// perform runs the body and emits the event.
func perform(op *state.SyncOp, x *state.Engine, in *state.Inst, part state.Lanes) {
	if !x.Frame.Undefined.None() {
		shuffles(x, op, in, part)
	}
	op.Body(x, in, part)
	if x.Weak != nil && op.Orders {
		weak.Meet(x, part)
	}
	if x.Listener != nil && (op.Orders || x.All || x.Interest.Lanes) {
		events.EmitBarrierEvent(x, x.Warp, events.InstOf(x, in), part, abi.EventWarpSync, 0, 0)
	}
}

// recheckSyncs executes the operations that have become complete.
func recheckSyncs(x *state.Engine, w *state.Warp) {
	for i := 0; i < len(w.Syncs); i++ {
		if met := meeting(x, w, i); met != nil {
			if refuseAbsent(x, w, met[0]); x.Fault != nil {
				return
			}
			meet(x, w, met)
			i = -1
		}
	}
}

// meeting returns the waiting groups that make the operation of w.syncs[i] complete, nil if a lane is missing.
func meeting(x *state.Engine, w *state.Warp, i int) []*state.SyncWait {
	first := w.Syncs[i]
	missing, n := first.Members&w.Live, 0
	for _, s := range w.Syncs[i:] {
		if meets(s, first) {
			missing &^= s.G.Mask
			n++
		}
	}
	if missing != 0 || first.Op.Ready != nil && !first.Op.Ready(x, first.G.Frame, first.G.Mask.First()) {
		return nil
	}
	met := make([]*state.SyncWait, 0, n)
	for _, s := range w.Syncs[i:] {
		if meets(s, first) {
			met = append(met, s)
		}
	}
	return met
}

// meets reports whether two groups wait for the same operation.
func meets(s *state.SyncWait, first *state.SyncWait) bool {
	return s.Members == first.Members && (s.Op == first.Op || s.Op.Matches != "" && s.Op.Matches == first.Op.Matches)
}

// RetrySyncs makes ready the groups of a block that wait in operations for more than lanes, so that they try again.
func RetrySyncs(x *state.Engine, c *state.CTA) {
	for _, w := range c.Warps {
		w.Syncs = slices.DeleteFunc(w.Syncs, func(s *state.SyncWait) bool {
			if s.Op.Ready == nil {
				return false
			}
			s.G.State = state.GroupReady
			groups.Ready(x, s.G)
			x.Progress++
			return true
		})
	}
}

// meet executes an operation when all its lanes have arrived. The lanes may be in several groups; the instruction with
// most results is executed for all. If the groups have different instructions, a temporary register file holds the
// operands, since one instruction's registers may hold other values in the lanes of another.
func meet(x *state.Engine, w *state.Warp, met []*state.SyncWait) {
	lead := slices.MaxFunc(met, func(a, b *state.SyncWait) int { return len(a.Op.Writes) - len(b.Op.Writes) })
	saved := x.Frame
	x.Frame = lead.G.Frame
	if len(lead.Op.Writes) > 0 && slices.ContainsFunc(met, func(s *state.SyncWait) bool { return s.Op != lead.Op }) {
		x.Frame = groups.NewFrame(lead.G.Frame.Fn)
		x.Frame.Warp = w
	}
	all := state.Lanes(0)
	meeting := make([]*state.Group, 0, len(met))
	for _, s := range met {
		all |= s.G.Mask
		meeting = append(meeting, s.G)
		if s.G.Frame != x.Frame {
			copyLanes(x.Frame, lead.Op.Reads, s.G.Frame, s.Op.Reads, s.G.Mask)
		}
	}
	noteAround(x, lead.Op, lead.In, w, lead.Members)
	perform(lead.Op, x, lead.In, all)
	for _, s := range met {
		if s.G.Frame != x.Frame {
			copyLanes(s.G.Frame, s.Op.Writes, x.Frame, lead.Op.Writes, s.G.Mask)
			define(s)
		}
	}
	x.Frame = saved
	kept := w.Syncs[:0]
	for _, s := range w.Syncs {
		if all&s.G.Mask == 0 {
			kept = append(kept, s)
		}
	}
	clear(w.Syncs[len(kept):])
	w.Syncs = kept
	x.Progress++
	groups.ContinueGroups(x, meeting)
}

// define makes the result of a shuffle that was executed elsewhere a defined one.
func define(s *state.SyncWait) {
	f := s.G.Frame
	if in := f.Fn.SourceOf(s.In.Src).In; undefined.FlowOf(in) == undefined.Shuffles {
		f.Undefined.Clear(undefined.Result(in), uint32(s.G.Mask))
	}
}

// copyLanes copies registers of the lanes in m between activations: as many as both sides have, in order.
func copyLanes(dst *state.Frame, to []state.SlotRange, src *state.Frame, from []state.SlotRange, m state.Lanes) {
	for i := range min(len(to), len(from)) {
		r, q := to[i], from[i]
		if r.Lane == 0 {
			d := dst.P(r.Slot)
			*d = *d&^m | *src.P(q.Slot)&m
			continue
		}
		for k := m; k != 0; k &= k - 1 {
			copy(groups.BytesOf(dst, r, k.First()), groups.BytesOf(src, q, k.First()))
		}
	}
}

// Kinds of misuse.
const (
	// SplitBarrier: threads of the block arrive by two instructions at an aligned barrier 0 without a count, as
	// __syncthreads() is compiled to, which CUDA C leaves undefined. Threads of one warp at two places are a fault
	// instead.
	SplitBarrier state.MisuseKind = iota
	// LeftBarrier: threads of the block that have passed an aligned barrier without a count exit, while others come to
	// it again, as in the last round of a loop. All threads of the block must execute an aligned barrier (PTX ISA,
	// "barrier"). Threads that exit before they have come to it even once are not expected, as in "if (i >= n) return;"
	// (CUDA C++ Programming Guide, "__syncthreads": all non-exited threads).
	LeftBarrier
	// SkippedBarrier: threads of the block, or lanes of the membermask, go around the barrier or operation, and execute
	// code that the others come to behind it, before they exit.
	SkippedBarrier
)

func add(s *state.BarrierMisuses, b state.BarrierMisuse) {
	if b.Kind == SplitBarrier && b.Other.Line < b.At.Line {
		b.At, b.Other = b.Other, b.At
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Seen == nil {
		s.Seen = make(map[state.BarrierMisuse]bool)
	}
	s.Seen[b] = true
}

// ListMisuses returns them in source order.
func ListMisuses(s *state.BarrierMisuses) (list []state.BarrierMisuse) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for b := range s.Seen {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b state.BarrierMisuse) int {
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
func noteSplit(x *state.Engine, b *state.Barrier, id int) {
	if id != 0 || b.Need != 0 || len(b.Waiting) == 0 || !barrierAt(b.Waiting[0]).Aligned {
		return
	}
	first := b.Waiting[0]
	at := func(g *state.Group) *rewrite.Inst { return faults.BlameAt(x, g.Frame, g.PC) }
	for _, g := range b.Waiting[1:] {
		if g.PC == first.PC && g.Frame.Fn == first.Frame.Fn {
			continue
		}
		if p, q := at(first), at(g); p != nil && q != nil && !sameSource(p, q) {
			add(x.L.Misuses, state.BarrierMisuse{Kind: SplitBarrier, At: p, Other: q})
		}
	}
}

// noteMissing records that a barrier for all threads of the block completes without some that have exited, if it is a
// misuse.
func noteMissing(x *state.Engine, b *state.Barrier, c *state.CTA) {
	if b.Need != 0 || len(b.Waiting) == 0 {
		return
	}
	g := b.Waiting[0]
	op := barrierAt(g)
	i := slices.IndexFunc(c.Passed, func(p state.PassedBarrier) bool { return p.Op == op })
	if !op.Aligned || i >= 0 && c.Passed[i].Threads == c.Live ||
		slices.ContainsFunc(b.Waiting, func(h *state.Group) bool { return barrierAt(h) != op }) {
		return
	}
	switch at := faults.BlameAt(x, g.Frame, g.PC); {
	case op.Around != nil && uint64(c.Live) < x.L.Block.Count():
		add(x.L.Misuses, state.BarrierMisuse{Kind: SkippedBarrier, At: at, Other: faults.Blamed(x, op.Around)})
	case i >= 0 && c.Left != c.Live: // the other barriers of a loop miss the same threads
		c.Left = c.Live
		add(x.L.Misuses, state.BarrierMisuse{Kind: LeftBarrier, At: at, Other: nil})
	}
	if i < 0 {
		c.Passed = append(c.Passed, state.PassedBarrier{Op: op, Threads: c.Live})
	} else {
		c.Passed[i].Threads = c.Live
	}
}

// noteAround records that lanes of the membermask of an operation have exited, if they have gone around it.
func noteAround(x *state.Engine, op *state.SyncOp, in *state.Inst, w *state.Warp, members state.Lanes) {
	if op.Around != nil && members&w.Exists&^w.Live != 0 {
		add(x.L.Misuses, state.BarrierMisuse{
			Kind: SkippedBarrier, At: faults.Blame(x, x.Frame, in.Src),
			Other: faults.Blamed(x, op.Around),
		})
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
