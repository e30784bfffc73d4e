// Loads under weak memory that are resolved when their value is needed, and what waits for them.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// A load is deferred: its registers have no value until another instruction needs it. An instruction that only computes
// is deferred while one of its operands has no value; a store or an atomic operation is deferred while its data have
// none. All other instructions, branches and addresses need the values of their operands. An instruction also needs the
// values of the registers that it overwrites, and of those that a deferred instruction still has to read. A back edge
// and the end of a function need all values. An exchange stores before its read is resolved, since its data do not
// depend on what it reads. So a store that follows a load can be performed before the load is resolved, and no store is
// performed before the loads that it depends on.

// incomplete is an instruction of a thread that is not complete.
type incomplete struct {
	frame      *frame
	uses, defs []*rewrite.Reg
	elements   []element // of an access; finish needs all their reads resolved
	atomic     bool
	strong     bool
	lane       int
	early      func()        // stores, before the reads are resolved, what does not depend on them; nil when it is done
	emit       func()        // emits its event; nil when that is done
	again      func()        // emits it again; nil for what is complete when its event is emitted
	behind     []*incomplete // complete weak loads that follow it; their events wait for what its read acquires
	unknown    func()        // notes values of its event that are not known yet
	wanted     bool          // a store depends on it, or it is one
	seen       int           // Graph.Serial when a store was last chosen from those so far; -1 for never
	finish     func()        // completes it when all that it uses and its reads are resolved
}

// deferredList is the incomplete instructions of a thread, in program order.
type deferredList struct {
	ops    []*incomplete
	stands bool // the thread needs a value that it has not got
}

// deferOp completes an instruction of lane i of the running group, or defers it.
func (x *engine) deferOp(src *rewrite.Inst, i int, op *incomplete) {
	l := x.weak.list(x.threadPos(i))
	op.frame, op.lane, op.seen = x.frame, i, -1
	src.Uses(func(r *rewrite.Reg) { op.uses = append(op.uses, r) })
	src.Defs(func(r *rewrite.Reg) { op.defs = append(op.defs, r) })
	if src.Access.Kind == isa.AccessLoad {
		op.uses = nil // the address, which is known
	}
	l.ops = append(l.ops, op)
	if op.atomic || src.Access.Kind == isa.AccessStore {
		op.wanted = true
		x.finish(l, op)
	}
}

// list returns the list of a thread.
func (w *weakMemory) list(t ThreadPos) *deferredList {
	l := w.lists[t]
	if l == nil {
		l = &deferredList{}
		w.lists[t] = l
	}
	return l
}

// strong reports whether a strong operation is deferred.
func (l *deferredList) strong() bool {
	return slices.ContainsFunc(l.ops, func(op *incomplete) bool { return op.strong })
}

// emitNow emits the event of a deferred instruction, unless that is done.
func (x *engine) emitNow(op *incomplete) {
	if op.emit != nil {
		outer := x.frame
		if op.frame != nil {
			x.frame = op.frame
		}
		op.emit()
		op.emit, x.frame = nil, outer
	}
}

// emitBehind emits the events of complete weak loads, or leaves them to the last strong operation that is deferred
// before them.
func (x *engine) emitBehind(before []*incomplete, loads []*incomplete) {
	for _, op := range slices.Backward(before) {
		if op.strong {
			op.behind = append(op.behind, loads...)
			return
		}
	}
	for _, op := range loads {
		x.emitNow(op)
	}
}

// defines returns the last deferred instruction before one that has no value yet for a register, nil for none.
func (l *deferredList) defines(f *frame, r *rewrite.Reg, before *incomplete) *incomplete {
	end := len(l.ops)
	if before != nil {
		end = slices.Index(l.ops, before)
	}
	for k := end - 1; k >= 0; k-- {
		if op := l.ops[k]; op.frame == f && slices.Contains(op.defs, r) {
			return op
		}
	}
	return nil
}

// finish completes an instruction after those that it depends on, and reports whether it could.
func (x *engine) finish(l *deferredList, op *incomplete) bool {
	ok := true
	for _, r := range op.uses {
		for from := l.defines(op.frame, r, op); from != nil && ok; from = l.defines(op.frame, r, op) {
			from.wanted = true
			ok = x.finish(l, from)
		}
		if !ok {
			return false
		}
	}
	if op.early != nil {
		op.early()
		op.early, op.uses, op.wanted = nil, nil, false
	}
	for k := range op.elements {
		if !x.resolve(op, &op.elements[k]) {
			if op.atomic && op.early == nil && op.unknown == nil {
				x.tell(op) // an exchange that has stored
			}
			return false
		}
	}
	outer := x.frame
	x.frame = op.frame
	op.finish()
	x.frame = outer
	at := slices.Index(l.ops, op)
	l.ops = slices.Delete(l.ops, at, at+1)
	x.emitBehind(l.ops[:at], op.behind)
	return true
}

// resolve chooses the stores that a read returns, piece by piece, and reports whether it is resolved.
func (x *engine) resolve(op *incomplete, e *element) bool {
	g := x.weak.graph
	if g.Resolved(e.read) {
		return true
	}
	if op.seen >= 0 && !g.Newer(e.at, op.seen) {
		return false
	}
	cuts, since := g.Pieces(e.at), op.seen
	if len(cuts) > 2 {
		since = weakmem.Always // a part may return what was there before, where another one returns a later store
	}
	for k := range cuts[1:] {
		list := g.Candidates(e.read, cuts[k], cuts[k+1], since)
		x.weak.checked()
		n := len(list)
		if k == 0 && x.othersRun() {
			n++ // a later one
		}
		pick := -1
		if n > 0 {
			pick = x.sched.pickValue(x, n) - (n - len(list))
		}
		if pick < 0 {
			g.Unset(e.read)
			op.seen = g.Serial()
			return false
		}
		g.Set(e.read, cuts[k], cuts[k+1], list[pick])
		since = weakmem.Always
	}
	return true
}

// othersRun reports whether other threads are left that may store.
func (x *engine) othersRun() bool {
	n := 0
	for _, c := range x.l.resident {
		n += c.live
	}
	return n > 1 || x.l.next < x.l.total
}

// beforeWeak prepares the instruction in, at pc, of the running group, which has one thread. It returns the pc to go on
// at, behind the instruction if it is deferred, and whether the thread has to wait.
func (x *engine) beforeWeak(g *group, in *inst, pc int32) (next int32, waits bool) {
	i := g.mask.first()
	l := x.weak.list(x.threadPos(i))
	l.stands = false
	if len(l.ops) == 0 {
		return pc, false
	}
	x.retry(l)
	src := x.frame.fn.sourceOf(in.src).in
	if src != nil && releases(src) && !x.inOrder(l, src) {
		return pc, true
	}
	if src == nil || in.flags&flagLoop != 0 || !inRegisters(src) {
		return pc, !x.needs(l, func(*incomplete) bool { return true })
	}
	if src.Guard != nil && l.defines(x.frame, src.Guard, nil) != nil && !deferrable(src) {
		if !x.need(l, src.Guard) {
			return pc, true
		}
	}
	if deferrable(src) {
		if end := x.groupOf(in.src, pc); end > pc {
			return x.deferPure(l, src, pc, end, i)
		}
	}
	ok := x.overwrites(l, src)
	needed := func(r *rewrite.Reg) { ok = ok && x.need(l, r) }
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
func (x *engine) groupOf(src, pc int32) int32 {
	code, end := x.frame.fn.code, pc
	const harmless = flagBlockEnd | flagStep | flagNothing
	for ; code[end].src == src; end++ {
		if code[end].flags&^harmless != 0 {
			return pc
		}
	}
	return end
}

// deferPure defers an instruction that only computes, decoded to pc until end, if one of its operands has no value.
func (x *engine) deferPure(l *deferredList, src *rewrite.Inst, pc, end int32, i int) (next int32, waits bool) {
	pending := src.Guard != nil && l.defines(x.frame, src.Guard, nil) != nil
	src.Uses(func(r *rewrite.Reg) { pending = pending || l.defines(x.frame, r, nil) != nil })
	if !x.overwrites(l, src) {
		return pc, true
	}
	if !pending {
		return pc, false
	}
	op := &incomplete{frame: x.frame, seen: -1}
	src.Uses(func(r *rewrite.Reg) { op.uses = append(op.uses, r) })
	src.Defs(func(r *rewrite.Reg) { op.defs = append(op.defs, r) })
	if src.Guard != nil {
		op.uses = append(op.uses, src.Guard)
	}
	code := x.frame.fn.code[pc:end]
	op.finish = func() {
		for k := range code {
			if in := &code[k]; lanes(1)<<i&(*x.frame.p(in.guard)^in.guardXor) != 0 {
				in.body(x, in, 1<<i)
			}
		}
	}
	l.ops = append(l.ops, op)
	return end, false
}

// overwrites completes the deferred instructions that read or write a register that src writes.
func (x *engine) overwrites(l *deferredList, src *rewrite.Inst) bool {
	ok := true
	src.Defs(func(r *rewrite.Reg) {
		ok = ok && x.needs(l, func(op *incomplete) bool {
			return op.frame == x.frame && (slices.Contains(op.defs, r) || slices.Contains(op.uses, r))
		})
	})
	return ok
}

// need completes what defines a register, and reports whether it could.
func (x *engine) need(l *deferredList, r *rewrite.Reg) bool {
	for op := l.defines(x.frame, r, nil); op != nil; op = l.defines(x.frame, r, nil) {
		if !x.finish(l, op) {
			l.stands, op.wanted = true, true
			return false
		}
	}
	return true
}

// needs completes the deferred instructions that are meant, and reports whether it could.
func (x *engine) needs(l *deferredList, meant func(*incomplete) bool) bool {
	ok := true
	for _, op := range slices.Clone(l.ops) {
		if slices.Contains(l.ops, op) && meant(op) && !x.finish(l, op) {
			l.stands, op.wanted, ok = true, true, false
		}
	}
	return ok
}

// retry completes the instructions of a thread that other threads may wait for, where later stores make it possible.
func (x *engine) retry(l *deferredList) {
	for _, op := range slices.Clone(l.ops) {
		if op.wanted && slices.Contains(l.ops, op) {
			x.finish(l, op)
		}
	}
}

// stands reports whether a group is a thread that needs a value, and no store has been performed that could give it.
func (w *weakMemory) stands(g *group) bool {
	if w == nil || len(w.lists) == 0 || g.mask.count() != 1 {
		return false
	}
	l := w.lists[g.pos()]
	if l == nil || !l.stands {
		return false
	}
	return !slices.ContainsFunc(l.ops, func(op *incomplete) bool {
		return op.wanted && slices.ContainsFunc(op.elements, func(e element) bool {
			return op.seen >= 0 && !w.graph.Resolved(e.read) && w.graph.Newer(e.at, op.seen)
		})
	})
}

// settled reports whether the launch, in which no thread can go on, would end like this: its threads wait for no store
// that never comes, and have read the last stores.
func (w *weakMemory) settled() bool {
	stuck := map[weakmem.Thread]bool{}
	for pos, l := range w.lists {
		if l.stands {
			return false
		}
		stuck[weakmem.Thread{Block: pos.Block, Number: uint64(pos.Warp*warpSize + pos.Lane)}] = true
	}
	return w.graph.Settled(func(t weakmem.Thread) bool { t.Cluster = 0; return stuck[t] })
}
