// Fences, barriers of a warp, and helpers for operations among its lanes (shfl, vote, match, redux, elect).

package exec

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semSync is the semantics of barriers, fences and operations among the lanes of a warp.
var semSync = map[string]state.DecodeFunc{
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
func decodeFence(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	i := state.Inst{Body: execFence, Flags: state.FlagVisible, Op: vector.Fence}
	if d.M.Cfg.Listener != nil {
		i.Op = vector.NoteFence
	}
	if d.M.Cfg.Memory == weak.PTX {
		i.Op = vector.Slow
	}
	return i, nil
}

func execFence(x *state.Engine, in *state.Inst, m state.Lanes) {
	if x.Weak != nil {
		weak.Fence(x, in, m)
	}
	events.EmitFence(x, in, m)
}

// decodeBarrier: bar{.cta} and barrier{.cta} .sync, .arrive, .red; bar.warp.sync.
func decodeBarrier(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	b, _ := in.Barrier()
	switch b.Of {
	case isa.BarrierOfWarp:
		return decodeWarpBarrier(d, in)
	case isa.BarrierOfCluster:
		return barriers.DecodeClusterBarrier(b), nil
	}
	op := &state.BarrierOp{Aligned: b.Aligned}
	switch b.Step {
	case isa.BarrierArrive:
		op.Kind = barriers.BarrierArrive
	case isa.BarrierReduce:
		switch decode.ModOf(in, "popc", "and", "or") {
		case "popc":
			op.Kind = barriers.BarrierPopc
		case "and":
			op.Kind = barriers.BarrierAnd
		case "or":
			op.Kind = barriers.BarrierOr
		}
		dst, err := decode.Dst(d, in)
		if err != nil {
			return state.Inst{}, err
		}
		op.Dst = dst.Slot
		if op.Pred, err = decode.Pred(d, in, len(in.Operands)-1); err != nil {
			return state.Inst{}, err
		}
	}
	id, err := decode.Value(d, in, &in.Operands[b.ID], isa.U32)
	if err != nil {
		return state.Inst{}, err
	}
	op.ID, op.Constant = id.Slot, in.Operands[b.ID].Kind == rewrite.OperandImm
	if b.Threads >= 0 {
		threads, err := decode.Value(d, in, &in.Operands[b.Threads], isa.U32)
		if err != nil {
			return state.Inst{}, err
		}
		op.Count = threads.Slot
		op.Constant = op.Constant && in.Operands[b.Threads].Kind == rewrite.OperandImm
	}
	op.Plain = op.Constant && op.Count == 0 && op.Kind == barriers.BarrierSync
	op.Zero = op.Plain && in.Operands[b.ID].Imm == 0
	op.Around = around(in)
	d.Barrier = op
	i := state.Inst{
		Body:  func(x *state.Engine, in *state.Inst, m state.Lanes) { barriers.ExecBarrier(op, x, in, m) },
		Flags: state.FlagVisible | state.FlagControl,
	}
	if op.Plain && in.Operands[b.ID].Imm < state.NumBarriers && d.M.Cfg.Memory == weak.SC {
		i.Op = vector.Barrier
	}
	return i, nil
}

// decodeSync completes an operation among lanes: members is the index of the membermask operand, or -1 for forms
// without .sync, whose members are the lanes that execute it together.
func decodeSync(d *state.Decoder, in *rewrite.Inst, members int, op *state.SyncOp, i state.Inst) (state.Inst, error) {
	if members < 0 {
		i.Body, i.Flags = op.Body, state.FlagVisible
		return i, nil
	}
	mm, err := decode.Value(d, in, &in.Operands[members], isa.B32)
	if err != nil {
		return state.Inst{}, err
	}
	op.Members, op.Around = mm.Slot, around(in)
	if !in.Has("aligned") {
		op.Matches = strings.Join(append([]string{in.Instr.Name}, in.Mods...), ".")
	}
	i.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) { barriers.ExecSync(op, x, in, m) }
	i.Flags = state.FlagVisible | state.FlagControl
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
func inAssembly(d *state.Decoder, i *state.Inst, op *state.SyncOp, code vector.Op) {
	l := d.M.Cfg.Listener
	if op.Orders && d.M.Cfg.Memory == weak.PTX {
		return
	}
	if emits := l != nil && (op.Orders || d.M.Interest.Lanes); !emits && op.Members != 0 {
		i.Op, i.B = code, op.Members
	}
}

// decodeWarpBarrier: bar.warp.sync membermask.
func decodeWarpBarrier(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	op := &state.SyncOp{Orders: true, Body: func(*state.Engine, *state.Inst, state.Lanes) {}}
	i, err := decodeSync(d, in, 0, op, state.Inst{})
	inAssembly(d, &i, op, vector.WarpSync)
	return i, err
}

// sources resolves operands 1 to end-1 as values of type t, each in a register of its own: see SyncOp.Reads.
func sources(d *state.Decoder, in *rewrite.Inst, end int, t isa.Type) ([]state.Operand, error) {
	var ops []state.Operand
	for i := 1; i < end; i++ {
		o, err := decode.Value(d, in, &in.Operands[i], t)
		if err != nil {
			return nil, err
		}
		if slices.Contains(ops, o) {
			again := state.Operand{Slot: decode.Temp(d, events.SlotBits(t)), Typ: t}
			decode.Emit(d, state.Inst{D: again.Slot, A: o.Slot, Body: execMove[uint32], Op: vector.Mov32})
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
