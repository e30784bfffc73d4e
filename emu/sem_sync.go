// Fences, barriers of a warp, and helpers for operations among its lanes (shfl, vote, match, redux, elect).

package emu

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semSync is the semantics of barriers, fences and operations among the lanes of a warp.
var semSync = map[string]decodeFunc{
	"bar":        decodeBarrier,
	"barrier":    decodeBarrier,
	"membar":     decodeFence,
	"fence":      decodeFence,
	"shfl":       decodeShfl,
	"vote":       decodeVote,
	"match":      decodeMatch,
	"redux":      decodeRedux,
	"elect":      decodeElect,
	"activemask": decodeActivemask,
}

// decodeFence: memory is sequentially consistent here, so that a fence adds no ordering. It is an event for listeners
// and a scheduling point.
func decodeFence(d *decoder, in *rewrite.Inst) (inst, error) {
	i := inst{body: execFence, flags: flagVisible, op: vector.Fence}
	if d.m.cfg.Listener != nil {
		i.op = vector.NoteFence
	}
	if d.m.cfg.Memory == PTX {
		i.op = vector.Slow
	}
	return i, nil
}

func execFence(x *engine, in *inst, m lanes) {
	if x.weak != nil {
		x.weakFence(in, m)
	}
	x.emitFence(in, m)
}

// decodeBarrier: bar{.cta} and barrier{.cta} .sync, .arrive, .red; bar.warp.sync.
func decodeBarrier(d *decoder, in *rewrite.Inst) (inst, error) {
	b, _ := in.Barrier()
	switch b.Of {
	case isa.BarrierOfWarp:
		return decodeWarpBarrier(d, in)
	case isa.BarrierOfCluster:
		return decodeClusterBarrier(b), nil
	}
	op := &barrierOp{aligned: b.Aligned}
	switch b.Step {
	case isa.BarrierArrive:
		op.kind = barrierArrive
	case isa.BarrierReduce:
		switch modOf(in, "popc", "and", "or") {
		case "popc":
			op.kind = barrierPopc
		case "and":
			op.kind = barrierAnd
		case "or":
			op.kind = barrierOr
		}
		dst, err := d.dst(in)
		if err != nil {
			return inst{}, err
		}
		op.dst = dst.slot
		if op.pred, err = d.pred(in, len(in.Operands)-1); err != nil {
			return inst{}, err
		}
	}
	id, err := d.value(in, &in.Operands[b.ID], isa.U32)
	if err != nil {
		return inst{}, err
	}
	op.id, op.constant = id.slot, in.Operands[b.ID].Kind == rewrite.OperandImm
	if b.Threads >= 0 {
		threads, err := d.value(in, &in.Operands[b.Threads], isa.U32)
		if err != nil {
			return inst{}, err
		}
		op.count = threads.slot
		op.constant = op.constant && in.Operands[b.Threads].Kind == rewrite.OperandImm
	}
	op.plain = op.constant && op.count == 0 && op.kind == barrierSync
	op.zero = op.plain && in.Operands[b.ID].Imm == 0
	op.around = around(in)
	d.barrier = op
	i := inst{
		body:  func(x *engine, in *inst, m lanes) { op.exec(x, in, m) },
		flags: flagVisible | flagControl,
	}
	if op.plain && in.Operands[b.ID].Imm < numBarriers && d.m.cfg.Memory == SC {
		i.op = vector.Barrier
	}
	return i, nil
}

// decodeSync completes an operation among lanes: members is the index of the membermask operand, or -1 for forms
// without .sync, whose members are the lanes that execute it together.
func decodeSync(d *decoder, in *rewrite.Inst, members int, op *syncOp, i inst) (inst, error) {
	if members < 0 {
		i.body, i.flags = op.body, flagVisible
		return i, nil
	}
	mm, err := d.value(in, &in.Operands[members], isa.B32)
	if err != nil {
		return inst{}, err
	}
	op.members, op.around = mm.slot, around(in)
	if !in.Has("aligned") {
		op.matches = strings.Join(append([]string{in.Instr.Name}, in.Mods...), ".")
	}
	i.body = func(x *engine, in *inst, m lanes) { op.exec(x, in, m) }
	i.flags = flagVisible | flagControl
	return i, nil
}

// around returns an instruction of the code that threads of a kernel execute which go around in: it is on all ways from
// the beginning of the kernel to its end, and in is not. It returns nil if there is no such code, as after "if (i >= n)
// return;".
func around(in *rewrite.Inst) *rewrite.Inst {
	g := in.Func.CFG()
	if !in.Func.Entry || g.Degenerate {
		return nil
	}
	b, entry := g.BlockOf[in.Index], g.Blocks[0]
	if g.PostDominates(b, entry) {
		if in.Guard == nil {
			return nil
		}
		return firstEffect(in.Func.Insts[in.Index+1 : b.End])
	}
	for p := b.IPDom; p != nil && p != g.Exit; p = p.IPDom {
		if g.PostDominates(p, entry) {
			if next := firstEffect(in.Func.Insts[p.Start:p.End]); next != nil {
				return next
			}
		}
	}
	return nil
}

// firstEffect returns the first instruction that does more than to compute or to end the thread, nil if there is none.
func firstEffect(insts []*rewrite.Inst) *rewrite.Inst {
	const effects = isa.ReadsMemory | isa.WritesMemory | isa.Orders | isa.Synchronises | isa.Branches | isa.Calls
	for _, in := range insts {
		if in.Effects()&effects != 0 {
			return in
		}
	}
	return nil
}

// inAssembly sets the assembly operation of i, an operation among lanes, unless the listener needs its event. The
// assembly reads the membermask from b.
func (d *decoder) inAssembly(i *inst, op *syncOp, code vector.Op) {
	l := d.m.cfg.Listener
	if op.orders && d.m.cfg.Memory == PTX {
		return
	}
	if emits := l != nil && (op.orders || d.m.interest.Lanes); !emits && op.members != 0 {
		i.op, i.b = code, op.members
	}
}

// slotsOf returns registers as slot ranges, for copyLanes.
func slotsOf(ops ...operand) []slotRange {
	var rs []slotRange
	for _, o := range ops {
		if o.slot != 0 {
			rs = appendRange(rs, o.slot, o.typ)
		}
	}
	return rs
}

// decodeWarpBarrier: bar.warp.sync membermask.
func decodeWarpBarrier(d *decoder, in *rewrite.Inst) (inst, error) {
	op := &syncOp{orders: true, body: func(*engine, *inst, lanes) {}}
	i, err := decodeSync(d, in, 0, op, inst{})
	d.inAssembly(&i, op, vector.WarpSync)
	return i, err
}

// pair resolves the destination d|p in operand 0; p is slot 0 if absent.
func (d *decoder) pair(in *rewrite.Inst, t isa.Type) (dst, p operand, err error) {
	parts := d.elems(in, 0)
	dst, err = d.target(in, &parts[0], t)
	if err == nil && len(parts) > 1 {
		p, err = d.target(in, &parts[1], isa.Pred)
	}
	return dst, p, err
}

// sources resolves operands 1 to end-1 as values of type t, each in a register of its own: see syncOp.reads.
func (d *decoder) sources(in *rewrite.Inst, end int, t isa.Type) ([]operand, error) {
	var ops []operand
	for i := 1; i < end; i++ {
		o, err := d.value(in, &in.Operands[i], t)
		if err != nil {
			return nil, err
		}
		if slices.Contains(ops, o) {
			again := operand{d.temp(slotBits(t)), t}
			d.emit(inst{d: again.slot, a: o.slot, body: execMove[uint32], op: vector.Mov32})
			o = again
		}
		ops = append(ops, o)
	}
	return ops, nil
}

// syncMember returns the index of the membermask, the last operand of .sync forms, else -1.
func syncMember(in *rewrite.Inst) int {
	if in.Has("sync") {
		return len(in.Operands) - 1
	}
	return -1
}

// modOf returns which of the words the instruction has as a modifier, "" for none.
func modOf(in *rewrite.Inst, words ...string) string {
	for _, m := range in.Mods {
		for _, w := range words {
			if m == w {
				return w
			}
		}
	}
	return ""
}

// shuffles gives the result of a shuffle the undefined bits of the lanes that it reads. Which these are shows when the
// shuffle moves their numbers.
func (x *engine) shuffles(op *syncOp, in *inst, part lanes) {
	f := x.frame
	s := f.fn.sourceOf(in.src).in
	if undefined.FlowOf(s) != undefined.Shuffles {
		return
	}
	to, of := undefined.Result(s), s.Operands[1].Reg
	if to == nil || f.undefined.In(of) == 0 {
		f.undefined.Clear(to, uint32(part))
		return
	}
	a, d := f.r32(in.a), f.r32(in.d)
	oldA, oldD := *a, *d
	for i := range a {
		a[i] = uint32(i + 1)
	}
	op.body(x, in, part)
	var from [warpSize]int
	for i := range from {
		from[i] = int(d[i]) - 1
	}
	*d, *a = oldD, oldA
	f.undefined.Shuffle(to, of, uint32(part), &from)
}
