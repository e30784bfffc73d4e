// Control flow: bra, brx, ret, exit, trap, nanosleep; and the stack: alloca, stacksave, stackrestore.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semControl is the semantics of control flow and of instructions that affect the machine rather than data.
var semControl = map[string]state.DecodeFunc{
	"bra":            decodeBra,
	"brx":            decodeBrx,
	"call":           decodeCall,
	"ret":            decodeRet,
	"exit":           decodeExit,
	"trap":           decodeFixed(execTrap, state.FlagControl),
	"nanosleep":      decodeFixed(execNanosleep, state.FlagControl|state.FlagVisible),
	"brkpt":          decodeFixed(DoNothing, 0), // no debugger is attached
	"pmevent":        decodeFixed(DoNothing, 0), // no profiler is attached
	"setmaxnreg":     decodeFixed(DoNothing, 0), // registers are not limited
	"griddepcontrol": decodeFixed(execGridDependence, 0),
}

// decodeFixed decodes an instruction whose operands are ignored.
func decodeFixed(exec state.BodyFunc, flags state.InstFlags) state.DecodeFunc {
	return func(*state.Decoder, *rewrite.Inst) (state.Inst, error) {
		return state.Inst{Body: exec, Flags: flags}, nil
	}
}

// decodeRet: ret{.uni}. In an inlined body it jumps to the end.
func decodeRet(d *state.Decoder, _ *rewrite.Inst) (state.Inst, error) {
	if d.Body.Place != nil {
		return state.Inst{Tgt: ToEnd, Flags: state.FlagBranch}, nil
	}
	return Leaving(d, Return), nil
}

// decodeExit: exit.
func decodeExit(d *state.Decoder, _ *rewrite.Inst) (state.Inst, error) {
	return Leaving(d, execExit), nil
}

// Leaving returns an instruction that ends the threads of a kernel; in other functions it may do so.
func Leaving(d *state.Decoder, exec state.BodyFunc) state.Inst {
	i := state.Inst{Body: exec, Flags: state.FlagControl}
	if d.Fn.Src.Entry {
		i.Op = vector.Return
	}
	return i
}

// DoNothing executes an instruction without effect.
func DoNothing(*state.Engine, *state.Inst, state.Lanes) {}

// execGridDependence executes griddepcontrol: grids are executed one after the other, so that there is nothing to wait
// for.
func execGridDependence(x *state.Engine, in *state.Inst, m state.Lanes) {
	events.EmitDepend(x, in, m)
}

// Return returns from a function, or ends the threads of a kernel.
func Return(x *state.Engine, _ *state.Inst, m state.Lanes) { ret(x, x.Running, m) }

func execExit(x *state.Engine, _ *state.Inst, m state.Lanes) { barriers.Exit(x, x.Running, m) }

func execTrap(x *state.Engine, in *state.Inst, m state.Lanes) {
	faults.Raise(x, in, m.First(), "trap", 0, "trap instruction executed")
}

// execNanosleep yields to all other groups: there is no time other than that of turns. If an iteration is being
// recorded, it continues, and the group waits at its end; but an observer that sleeps again waits for another one.
func execNanosleep(x *state.Engine, in *state.Inst, _ state.Lanes) {
	x.Running.PC++
	x.Yield = !x.Recording || x.Recorder.Slept && x.Frame.Fn.SourceOf(in.Src).Aside
	x.Recorder.Slept = true
}

// decodeBra: bra{.uni} label. The target and the join are filled in after all code has been decoded.
func decodeBra(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	l, ok := in.Operands[0].Sym.(*rewrite.Label)
	if !ok {
		return state.Inst{}, decode.Errorf(d, in, "%s: expected a label", in.Text())
	}
	return state.Inst{Tgt: int32(l.Inst), Flags: state.FlagBranch}, nil
}

// decodeBrx: brx.idx{.uni} index, targets.
func decodeBrx(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	index, err := decode.Value(d, in, &in.Operands[0], isa.U32)
	if err != nil {
		return state.Inst{}, err
	}
	list, ok := in.Operands[1].Sym.(*rewrite.Proto)
	if !ok || len(list.Labels) == 0 {
		return state.Inst{}, decode.Errorf(d, in, "%s: expected the name of a .branchtargets list", in.Text())
	}
	t := &state.IndexBranch{Index: index.Slot}
	for _, l := range list.Labels {
		t.Targets = append(t.Targets, int32(l.Inst))
	}
	d.Indexed = append(d.Indexed, t)
	return state.Inst{
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) { execIndexBranch(t, x, in, m) },
		A:    index.Slot, Flags: state.FlagControl,
	}, nil
}

// execIndexBranch sends every lane to the target that its index selects. Lanes with the same target stay together; all
// reconverge at the branch's join.
func execIndexBranch(b *state.IndexBranch, x *state.Engine, in *state.Inst, m state.Lanes) {
	g, index := x.Running, x.Frame.R32(b.Index)
	part := g.Frame.Fn.Reconvergences[g.PC]
	if part == nil {
		g.Join = joinAt(x, g, int32(in.Imm))
	} else {
		expect(x, g, part)
	}
	if rest := g.Mask &^ m; rest != 0 { // the guard is false
		events.EmitBranch(x, in, g.Mask, m)
		setAside(x, g, rest, g.PC+1, part)
	}
	for {
		i := index[m.First()]
		if uint64(i) >= uint64(len(b.Targets)) {
			faults.Raise(x, in, m.First(), "out-of-bounds", 0, "branch index %d, the list has %s", i,
				diag.Plural(len(b.Targets), "target"))
			return
		}
		same := barriers.EqualLanes(index, m, i)
		if m &^= same; m == 0 {
			back := b.Targets[i] <= g.PC
			g.PC = b.Targets[i]
			if back {
				grids.BackEdge(x, g, false)
			}
			return
		}
		events.EmitBranch(x, in, g.Mask, same)
		setAside(x, g, same, b.Targets[i], part)
	}
}

// semStack is the semantics of the instructions that allocate memory on a thread's stack (PTX ISA, "Stack Manipulation
// Instructions"). Here the stack grows upwards: memory from alloca is above the variables of the activation, and below
// those of the functions that it calls.
var semStack = map[string]state.DecodeFunc{
	"alloca":       decodeAlloca,
	"stacksave":    decodeStacksave,
	"stackrestore": decodeStackrestore,
}

// Alignments that alloca guarantees and accepts, in bytes.
const (
	minAllocaAlign = 8
	maxAllocaAlign = 1 << 23
)

// dynamic returns the slot with the number of bytes that the lanes of an activation have allocated above its variables.
func dynamic(d *state.Decoder) state.Slot {
	if d.Fn.Dynamic == 0 {
		d.Fn.Dynamic = decode.Alloc(d, 64)
		d.Fn.Zeroed = decode.AppendRange(d.Fn.Zeroed, d.Fn.Dynamic, isa.U64)
	}
	return d.Fn.Dynamic
}

// decodeAlloca: alloca.type ptr, size{, immAlign}.
func decodeAlloca(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, size, err := stackOperands(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	align := uint64(minAllocaAlign)
	if len(in.Operands) > 2 {
		op := &in.Operands[2]
		if op.Kind != rewrite.OperandImm || op.Float || op.Imm == 0 || op.Imm&(op.Imm-1) != 0 ||
			op.Imm > maxAllocaAlign {
			return state.Inst{}, decode.Errorf(d, in, "%s: alignment %s: expected a power of 2 up to %d", in.Text(),
				decode.Text(d, op),
				maxAllocaAlign)
		}
		align = max(align, op.Imm)
	}
	taken := dynamic(d)
	body := func(x *state.Engine, in *state.Inst, m state.Lanes) {
		x.Wrote() // progress for spin detection: a loop that calls alloca ends when the stack is full
		f := x.Frame
		base, dyn := f.StackBase+f.Fn.StackSize, f.R64(taken)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			n := f.Word(size.Slot, size.Wide(), i)
			at := (base + dyn[i] + align - 1) &^ (align - 1)
			if limit := x.M.Cfg.Limits.Stack; n > limit || at+n > limit {
				faults.Raise(x, in, i, "out-of-bounds", 0,
					"stack overflow: alloca of %d bytes on top of %d bytes of local memory per thread, the limit is %d",
					n, base+dyn[i], limit)
				return
			}
			if !groups.GrowStack(x, x.Warp, at+n) {
				return
			}
			x.Warp.Shadow.Unset(uint64(i)*x.Warp.StackStride+at, n)
			dyn[i] = at + n - base
			f.SetLane(dst.Slot, events.SlotBits(dst.Typ), i, [2]uint64{at})
		}
	}
	return state.Inst{Body: body, Flags: state.FlagFaults}, nil
}

// stackOperands resolves the operands of alloca: two registers of the type, of which the second may be a constant.
func stackOperands(d *state.Decoder, in *rewrite.Inst) (dst, size state.Operand, err error) {
	if dst, err = decode.Dst(d, in); err != nil {
		return dst, size, err
	}
	if err = decode.Fits(d, in, 0, dst); err != nil {
		return dst, size, err
	}
	if size, err = decode.Src(d, in, 1); err != nil {
		return dst, size, err
	}
	return dst, size, decode.Fits(d, in, 1, size)
}

// decodeStacksave: stacksave.type d.
func decodeStacksave(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err == nil {
		err = decode.Fits(d, in, 0, dst)
	}
	if err != nil {
		return state.Inst{}, err
	}
	taken := dynamic(d)
	return state.Inst{Body: func(x *state.Engine, _ *state.Inst, m state.Lanes) {
		f := x.Frame
		base, dyn := f.StackBase+f.Fn.StackSize, f.R64(taken)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			f.SetLane(dst.Slot, events.SlotBits(dst.Typ), i, [2]uint64{base + dyn[i]})
		}
	}}, nil
}

// decodeStackrestore: stackrestore.type a. Where the manual speaks of a corrupted stack pointer, it is a fault.
func decodeStackrestore(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	src, err := decode.Src(d, in, 0)
	if err == nil {
		err = decode.Fits(d, in, 0, src)
	}
	if err != nil {
		return state.Inst{}, err
	}
	taken := dynamic(d)
	return state.Inst{Flags: state.FlagFaults, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		f := x.Frame
		base, dyn := f.StackBase+f.Fn.StackSize, f.R64(taken)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			to := f.Word(src.Slot, src.Wide(), i)
			if to < base || to-base > dyn[i] {
				faults.Raise(x, in, i, "out-of-bounds", 0,
					"stackrestore to 0x%x, which is not within what this activation holds (0x%x to 0x%x)", to, base,
					base+dyn[i])
				return
			}
			dyn[i] = to - base
		}
	}}, nil
}
