// Control flow: bra, brx, ret, exit, trap, nanosleep; and the stack: alloca, stacksave, stackrestore.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semControl is the semantics of control flow and of instructions that affect the machine rather than data.
var semControl = map[string]decodeFunc{
	"bra":            decodeBra,
	"brx":            decodeBrx,
	"call":           decodeCall,
	"ret":            decodeRet,
	"exit":           decodeExit,
	"trap":           decodeFixed(execTrap, flagControl),
	"nanosleep":      decodeFixed(execNanosleep, flagControl|flagVisible),
	"brkpt":          decodeFixed(execNothing, 0), // no debugger is attached
	"pmevent":        decodeFixed(execNothing, 0), // no profiler is attached
	"setmaxnreg":     decodeFixed(execNothing, 0), // registers are not limited
	"griddepcontrol": decodeFixed(execGridDependence, 0),
}

// decodeFixed decodes an instruction whose operands are ignored.
func decodeFixed(exec bodyFunc, flags instFlags) decodeFunc {
	return func(*decoder, *rewrite.Inst) (inst, error) { return inst{body: exec, flags: flags}, nil }
}

// decodeRet: ret{.uni}. In an inlined body it jumps to the end.
func decodeRet(d *decoder, _ *rewrite.Inst) (inst, error) {
	if d.body.place != nil {
		return inst{tgt: toEnd, flags: flagBranch}, nil
	}
	return d.leaving(execRet), nil
}

// decodeExit: exit.
func decodeExit(d *decoder, _ *rewrite.Inst) (inst, error) { return d.leaving(execExit), nil }

// leaving returns an instruction that ends the threads of a kernel; in other functions it may do so.
func (d *decoder) leaving(exec bodyFunc) inst {
	i := inst{body: exec, flags: flagControl}
	if d.fn.src.Entry {
		i.op = vector.Return
	}
	return i
}

func execNothing(*engine, *inst, lanes) {}

// execGridDependence executes griddepcontrol: grids are executed one after the other, so that there is nothing to wait
// for.
func execGridDependence(x *engine, in *inst, m lanes) {
	x.emitDepend(in, m)
}

func execRet(x *engine, _ *inst, m lanes)  { x.ret(x.running, m) }
func execExit(x *engine, _ *inst, m lanes) { x.exit(x.running, m) }

func execTrap(x *engine, in *inst, m lanes) {
	x.raise(in, m.first(), "trap", 0, "trap instruction executed")
}

// execNanosleep yields to all other groups: there is no time other than that of turns. If an iteration is being
// recorded, it continues, and the group waits at its end; but an observer that sleeps again waits for another one.
func execNanosleep(x *engine, in *inst, _ lanes) {
	x.running.pc++
	x.yield = !x.recording || x.recorder.slept && x.frame.fn.sourceOf(in.src).aside
	x.recorder.slept = true
}

// decodeBra: bra{.uni} label. The target and the join are filled in after all code has been decoded.
func decodeBra(d *decoder, in *rewrite.Inst) (inst, error) {
	l, ok := in.Operands[0].Sym.(*rewrite.Label)
	if !ok {
		return inst{}, d.errorf(in, "%s: expected a label", in.Text())
	}
	return inst{tgt: int32(l.Inst), flags: flagBranch}, nil
}

// decodeBrx: brx.idx{.uni} index, targets.
func decodeBrx(d *decoder, in *rewrite.Inst) (inst, error) {
	index, err := d.value(in, &in.Operands[0], isa.U32)
	if err != nil {
		return inst{}, err
	}
	list, ok := in.Operands[1].Sym.(*rewrite.Proto)
	if !ok || len(list.Labels) == 0 {
		return inst{}, d.errorf(in, "%s: expected the name of a .branchtargets list", in.Text())
	}
	t := &indexBranch{index: index.slot}
	for _, l := range list.Labels {
		t.targets = append(t.targets, int32(l.Inst))
	}
	d.indexed = append(d.indexed, t)
	return inst{body: func(x *engine, in *inst, m lanes) { t.exec(x, in, m) }, a: index.slot, flags: flagControl}, nil
}

// indexBranch is a decoded brx.idx.
type indexBranch struct {
	index   slot
	targets []int32
}

// exec sends every lane to the target that its index selects. Lanes with the same target stay together; all reconverge
// at the branch's join.
func (b *indexBranch) exec(x *engine, in *inst, m lanes) {
	g, index := x.running, x.frame.r32(b.index)
	part := g.frame.fn.reconvergences[g.pc]
	if part == nil {
		g.join = x.joinAt(g, int32(in.imm))
	} else {
		x.expect(g, part)
	}
	if rest := g.mask &^ m; rest != 0 { // the guard is false
		x.emitBranch(in, g.mask, m)
		x.setAside(g, rest, g.pc+1, part)
	}
	for {
		i := index[m.first()]
		if uint64(i) >= uint64(len(b.targets)) {
			x.raise(in, m.first(), "out-of-bounds", 0, "branch index %d, the list has %s", i,
				diag.Plural(len(b.targets), "target"))
			return
		}
		same := equalLanes(index, m, i)
		if m &^= same; m == 0 {
			back := b.targets[i] <= g.pc
			g.pc = b.targets[i]
			if back {
				x.backEdge(g, false)
			}
			return
		}
		x.emitBranch(in, g.mask, same)
		x.setAside(g, same, b.targets[i], part)
	}
}

// semStack is the semantics of the instructions that allocate memory on a thread's stack (PTX ISA, "Stack Manipulation
// Instructions"). Here the stack grows upwards: memory from alloca is above the variables of the activation, and below
// those of the functions that it calls.
var semStack = map[string]decodeFunc{
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
func (d *decoder) dynamic() slot {
	if d.fn.dynamic == 0 {
		d.fn.dynamic = d.alloc(64)
		d.fn.zeroed = appendRange(d.fn.zeroed, d.fn.dynamic, isa.U64)
	}
	return d.fn.dynamic
}

// decodeAlloca: alloca.type ptr, size{, immAlign}.
func decodeAlloca(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, size, err := d.stackOperands(in)
	if err != nil {
		return inst{}, err
	}
	align := uint64(minAllocaAlign)
	if len(in.Operands) > 2 {
		op := &in.Operands[2]
		if op.Kind != rewrite.OperandImm || op.Float || op.Imm == 0 || op.Imm&(op.Imm-1) != 0 ||
			op.Imm > maxAllocaAlign {
			return inst{}, d.errorf(in, "%s: alignment %s: expected a power of 2 up to %d", in.Text(), d.text(op),
				maxAllocaAlign)
		}
		align = max(align, op.Imm)
	}
	taken := d.dynamic()
	body := func(x *engine, in *inst, m lanes) {
		x.wrote() // progress for spin detection: a loop that calls alloca ends when the stack is full
		f := x.frame
		base, dyn := f.stackBase+f.fn.stackSize, f.r64(taken)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			n := f.word(size.slot, size.wide(), i)
			at := (base + dyn[i] + align - 1) &^ (align - 1)
			if limit := x.m.cfg.Limits.Stack; n > limit || at+n > limit {
				x.raise(in, i, "out-of-bounds", 0,
					"stack overflow: alloca of %d bytes on top of %d bytes of local memory per thread, the limit is %d",
					n, base+dyn[i], limit)
				return
			}
			if !x.growStack(x.warp, at+n) {
				return
			}
			x.warp.shadow.Unset(uint64(i)*x.warp.stackStride+at, n)
			dyn[i] = at + n - base
			f.setLane(dst.slot, slotBits(dst.typ), i, [2]uint64{at})
		}
	}
	return inst{body: body, flags: flagFaults}, nil
}

// stackOperands resolves the operands of alloca: two registers of the type, of which the second may be a constant.
func (d *decoder) stackOperands(in *rewrite.Inst) (dst, size operand, err error) {
	if dst, err = d.dst(in); err != nil {
		return dst, size, err
	}
	if err = d.fits(in, 0, dst); err != nil {
		return dst, size, err
	}
	if size, err = d.src(in, 1); err != nil {
		return dst, size, err
	}
	return dst, size, d.fits(in, 1, size)
}

// decodeStacksave: stacksave.type d.
func decodeStacksave(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err == nil {
		err = d.fits(in, 0, dst)
	}
	if err != nil {
		return inst{}, err
	}
	taken := d.dynamic()
	return inst{body: func(x *engine, _ *inst, m lanes) {
		f := x.frame
		base, dyn := f.stackBase+f.fn.stackSize, f.r64(taken)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			f.setLane(dst.slot, slotBits(dst.typ), i, [2]uint64{base + dyn[i]})
		}
	}}, nil
}

// decodeStackrestore: stackrestore.type a. Where the manual speaks of a corrupted stack pointer, it is a fault.
func decodeStackrestore(d *decoder, in *rewrite.Inst) (inst, error) {
	src, err := d.src(in, 0)
	if err == nil {
		err = d.fits(in, 0, src)
	}
	if err != nil {
		return inst{}, err
	}
	taken := d.dynamic()
	return inst{flags: flagFaults, body: func(x *engine, in *inst, m lanes) {
		f := x.frame
		base, dyn := f.stackBase+f.fn.stackSize, f.r64(taken)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			to := f.word(src.slot, src.wide(), i)
			if to < base || to-base > dyn[i] {
				x.raise(in, i, "out-of-bounds", 0,
					"stackrestore to 0x%x, which is not within what this activation holds (0x%x to 0x%x)", to, base,
					base+dyn[i])
				return
			}
			dyn[i] = to - base
		}
	}}, nil
}
