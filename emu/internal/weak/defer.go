// Loads under weak memory that are resolved when their value is needed, and what waits for them.

package weak

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// deferOp completes an instruction of lane i of the running group, or defers it.
func deferOp(x *state.Engine, src *rewrite.Inst, i int, op *state.Incomplete) {
	l := list(x.Weak, threadPos(x, i))
	op.Frame, op.Lane, op.Seen = x.Frame, i, -1
	src.Uses(func(r *rewrite.Reg) { op.Uses = append(op.Uses, r) })
	src.Defs(func(r *rewrite.Reg) { op.Defs = append(op.Defs, r) })
	if src.Access.Kind == isa.AccessLoad {
		op.Uses = nil // the address, which is known
	}
	l.Ops = append(l.Ops, op)
	if op.Atomic || src.Access.Kind == isa.AccessStore {
		op.Wanted = true
		finish(x, l, op)
	}
}

// list returns the list of a thread.
func list(w *state.WeakMemory, t state.ThreadPos) *state.DeferredList {
	l := w.Lists[t]
	if l == nil {
		l = &state.DeferredList{}
		w.Lists[t] = l
	}
	return l
}

// strong reports whether a strong operation is deferred.
func strong(l *state.DeferredList) bool {
	return slices.ContainsFunc(l.Ops, func(op *state.Incomplete) bool { return op.Strong })
}

// emitNow emits the event of a deferred instruction, unless that is done.
func emitNow(x *state.Engine, op *state.Incomplete) {
	if op.Emit != nil {
		outer := x.Frame
		if op.Frame != nil {
			x.Frame = op.Frame
		}
		op.Emit()
		op.Emit, x.Frame = nil, outer
	}
}

// emitBehind emits the events of complete weak loads, or leaves them to the last strong operation that is deferred
// before them.
func emitBehind(x *state.Engine, before []*state.Incomplete, loads []*state.Incomplete) {
	for _, op := range slices.Backward(before) {
		if op.Strong {
			op.Behind = append(op.Behind, loads...)
			return
		}
	}
	for _, op := range loads {
		emitNow(x, op)
	}
}

// defines returns the last deferred instruction before one that has no value yet for a register, nil for none.
func defines(l *state.DeferredList, f *state.Frame, r *rewrite.Reg, before *state.Incomplete) *state.Incomplete {
	end := len(l.Ops)
	if before != nil {
		end = slices.Index(l.Ops, before)
	}
	for k := end - 1; k >= 0; k-- {
		if op := l.Ops[k]; op.Frame == f && slices.Contains(op.Defs, r) {
			return op
		}
	}
	return nil
}

// finish completes an instruction after those that it depends on, and reports whether it could.
func finish(x *state.Engine, l *state.DeferredList, op *state.Incomplete) bool {
	ok := true
	for _, r := range op.Uses {
		for from := defines(l, op.Frame, r, op); from != nil && ok; from = defines(l, op.Frame, r, op) {
			from.Wanted = true
			ok = finish(x, l, from)
		}
		if !ok {
			return false
		}
	}
	if op.Early != nil {
		op.Early()
		op.Early, op.Uses, op.Wanted = nil, nil, false
	}
	for k := range op.Elements {
		if !resolve(x, op, &op.Elements[k]) {
			if op.Atomic && op.Early == nil && op.Unknown == nil {
				tell(x, op) // an exchange that has stored
			}
			return false
		}
	}
	outer := x.Frame
	x.Frame = op.Frame
	op.Finish()
	x.Frame = outer
	at := slices.Index(l.Ops, op)
	l.Ops = slices.Delete(l.Ops, at, at+1)
	emitBehind(x, l.Ops[:at], op.Behind)
	return true
}

// resolve chooses the stores that a read returns, piece by piece, and reports whether it is resolved.
func resolve(x *state.Engine, op *state.Incomplete, e *state.Element) bool {
	g := x.Weak.Graph
	if g.Resolved(e.Read) {
		return true
	}
	if op.Seen >= 0 && !g.Newer(e.At, op.Seen) {
		return false
	}
	cuts, since := g.Pieces(e.At), op.Seen
	if len(cuts) > 2 {
		since = weakmem.Always // a part may return what was there before, where another one returns a later store
	}
	for k := range cuts[1:] {
		list := g.Candidates(e.Read, cuts[k], cuts[k+1], since)
		checked(x.Weak)
		n := len(list)
		if k == 0 && othersRun(x) {
			n++ // a later one
		}
		pick := -1
		if n > 0 {
			pick = x.Sched.PickValue(x, n) - (n - len(list))
		}
		if pick < 0 {
			g.Unset(e.Read)
			op.Seen = g.Serial()
			return false
		}
		g.Set(e.Read, cuts[k], cuts[k+1], list[pick])
		since = weakmem.Always
	}
	return true
}

// othersRun reports whether other threads are left that may store.
func othersRun(x *state.Engine) bool {
	n := 0
	for _, c := range x.L.Resident {
		n += c.Live
	}
	return n > 1 || x.L.Next < x.L.Total
}

// Before prepares the instruction in, at pc, of the running group, which has one thread. It returns the pc to go on
// at, behind the instruction if it is deferred, and whether the thread has to wait.
func Before(x *state.Engine, g *state.Group, in *state.Inst, pc int32) (next int32, waits bool) {
	i := g.Mask.First()
	l := list(x.Weak, threadPos(x, i))
	l.Stands = false
	if len(l.Ops) == 0 {
		return pc, false
	}
	retry(x, l)
	src := x.Frame.Fn.SourceOf(in.Src).In
	if src != nil && releases(src) && !inOrder(x, l, src) {
		return pc, true
	}
	if src == nil || in.Flags&state.FlagLoop != 0 || !inRegisters(src) {
		return pc, !needs(x, l, func(*state.Incomplete) bool { return true })
	}
	if src.Guard != nil && defines(l, x.Frame, src.Guard, nil) != nil && !deferrable(src) {
		if !need(x, l, src.Guard) {
			return pc, true
		}
	}
	if deferrable(src) {
		if end := groupOf(x, in.Src, pc); end > pc {
			return deferPure(x, l, src, pc, end, i)
		}
	}
	ok := overwrites(x, l, src)
	needed := func(r *rewrite.Reg) { ok = ok && need(x, l, r) }
	if src.Access.Kind == isa.AccessNone {
		src.Uses(needed)
	} else if a := src.Operands[src.Access.Addr].Reg; a != nil {
		needed(a)
	}
	return pc, !ok
}

// inRegisters reports whether an instruction neither leaves the function nor moves values in a way that its operands do
// not show.
func inRegisters(src *rewrite.Inst) bool {
	const elsewhere = isa.Calls | isa.Synchronises | isa.ReadsCarry | isa.WritesCarry | isa.Terminates | isa.Exits
	if src.Effects()&elsewhere != 0 && !isBarrier(src) {
		return false
	}
	switch src.Instr.Name {
	case "ld", "st", "atom", "red":
		return src.Access.Space != isa.SpaceParam && src.Access.Space != isa.SpaceLocal &&
			src.Access.Space != isa.SpaceConst || src.Access.Kind == isa.AccessLoad
	}
	return src.Access.Kind == isa.AccessNone
}

// isBarrier reports whether an instruction is a barrier of a block or cluster, which loads may be resolved after.
func isBarrier(src *rewrite.Inst) bool { return src.Instr.Class == isa.ClassBarrier }

// deferrable reports whether an instruction only computes registers from registers.
func deferrable(src *rewrite.Inst) bool {
	return src.Effects() == 0 && src.Access.Kind == isa.AccessNone
}

// groupOf returns the end of the instructions from pc on that were decoded from one instruction, pc if they do more
// than to compute.
func groupOf(x *state.Engine, src, pc int32) int32 {
	code, end := x.Frame.Fn.Code, pc
	const harmless = state.FlagBlockEnd | state.FlagStep | state.FlagNothing
	for ; code[end].Src == src; end++ {
		if code[end].Flags&^harmless != 0 {
			return pc
		}
	}
	return end
}

// deferPure defers an instruction that only computes, decoded to pc until end, if one of its operands has no value.
func deferPure(x *state.Engine, l *state.DeferredList, src *rewrite.Inst, pc, end int32,
	i int,
) (next int32, waits bool) {
	pending := src.Guard != nil && defines(l, x.Frame, src.Guard, nil) != nil
	src.Uses(func(r *rewrite.Reg) { pending = pending || defines(l, x.Frame, r, nil) != nil })
	if !overwrites(x, l, src) {
		return pc, true
	}
	if !pending {
		return pc, false
	}
	op := &state.Incomplete{Frame: x.Frame, Seen: -1}
	src.Uses(func(r *rewrite.Reg) { op.Uses = append(op.Uses, r) })
	src.Defs(func(r *rewrite.Reg) { op.Defs = append(op.Defs, r) })
	if src.Guard != nil {
		op.Uses = append(op.Uses, src.Guard)
	}
	code := x.Frame.Fn.Code[pc:end]
	op.Finish = func() {
		for k := range code {
			if in := &code[k]; state.Lanes(1)<<i&(*x.Frame.P(in.Guard)^in.GuardXor) != 0 {
				in.Body(x, in, 1<<i)
			}
		}
	}
	l.Ops = append(l.Ops, op)
	return end, false
}

// overwrites completes the deferred instructions that read or write a register that src writes.
func overwrites(x *state.Engine, l *state.DeferredList, src *rewrite.Inst) bool {
	ok := true
	src.Defs(func(r *rewrite.Reg) {
		ok = ok && needs(x, l, func(op *state.Incomplete) bool {
			return op.Frame == x.Frame && (slices.Contains(op.Defs, r) || slices.Contains(op.Uses, r))
		})
	})
	return ok
}

// need completes what defines a register, and reports whether it could.
func need(x *state.Engine, l *state.DeferredList, r *rewrite.Reg) bool {
	for op := defines(l, x.Frame, r, nil); op != nil; op = defines(l, x.Frame, r, nil) {
		if !finish(x, l, op) {
			l.Stands, op.Wanted = true, true
			return false
		}
	}
	return true
}

// needs completes the deferred instructions that are meant, and reports whether it could.
func needs(x *state.Engine, l *state.DeferredList, meant func(*state.Incomplete) bool) bool {
	ok := true
	for _, op := range slices.Clone(l.Ops) {
		if slices.Contains(l.Ops, op) && meant(op) && !finish(x, l, op) {
			l.Stands, op.Wanted, ok = true, true, false
		}
	}
	return ok
}

// retry completes the instructions of a thread that other threads may wait for, where later stores make it possible.
func retry(x *state.Engine, l *state.DeferredList) {
	for _, op := range slices.Clone(l.Ops) {
		if op.Wanted && slices.Contains(l.Ops, op) {
			finish(x, l, op)
		}
	}
}

// Stands reports whether a group is a thread that needs a value, and no store has been performed that could give it.
func Stands(w *state.WeakMemory, g *state.Group) bool {
	if w == nil || len(w.Lists) == 0 || g.Mask.Count() != 1 {
		return false
	}
	l := w.Lists[Pos(g)]
	if l == nil || !l.Stands {
		return false
	}
	return !slices.ContainsFunc(l.Ops, func(op *state.Incomplete) bool {
		return op.Wanted && slices.ContainsFunc(op.Elements, func(e state.Element) bool {
			return op.Seen >= 0 && !w.Graph.Resolved(e.Read) && w.Graph.Newer(e.At, op.Seen)
		})
	})
}

// settled reports whether the launch, in which no thread can go on, would end like this: its threads wait for no store
// that never comes, and have read the last stores.
func settled(w *state.WeakMemory) bool {
	stuck := map[weakmem.Thread]bool{}
	for pos, l := range w.Lists {
		if l.Stands {
			return false
		}
		stuck[weakmem.Thread{Block: pos.Block, Number: uint64(pos.Warp*state.WarpSize + pos.Lane)}] = true
	}
	return w.Graph.Settled(func(t weakmem.Thread) bool { t.Cluster = 0; return stuck[t] })
}
