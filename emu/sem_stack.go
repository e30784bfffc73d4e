// The stack of a thread: alloca, stacksave, stackrestore.

package emu

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semStack is the semantics of memory on the stack whose size is known only when
// the program runs (PTX ISA, "Stack Manipulation Instructions"). A thread's stack
// grows upwards here: what alloca takes lies above the variables of the
// activation, and below those of the functions that it calls.
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

// dynamic is the slot with the bytes that the lanes of an activation hold above
// its variables.
func (d *decoder) dynamic() slot {
	if d.fn.dynamic == 0 {
		d.fn.dynamic = d.alloc(64)
		d.fn.zeroed = appendRange(d.fn.zeroed, d.fn.dynamic, isa.U64)
	}
	return d.fn.dynamic
}

// stackEnd is where the variables of functions that f calls begin.
func (f *frame) stackEnd() uint64 {
	end := f.stackBase + f.fn.stackSize
	if f.fn.dynamic == 0 {
		return end
	}
	top := uint64(0)
	for _, n := range f.r64(f.fn.dynamic) {
		top = max(top, n)
	}
	return (end + top + 15) &^ 15
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
		if op.Kind != rewrite.OperandImm || op.Float || op.Imm == 0 || op.Imm&(op.Imm-1) != 0 || op.Imm > maxAllocaAlign {
			return inst{}, d.errorf(in, "%s: alignment %s: expected a power of 2 up to %d", in.Text(), d.text(op), maxAllocaAlign)
		}
		align = max(align, op.Imm)
	}
	taken := d.dynamic()
	body := func(x *engine, in *inst, m lanes) {
		x.wrote() // a loop around alloca comes to an end
		f := x.frame
		base, dyn := f.stackBase+f.fn.stackSize, f.r64(taken)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			n := f.word(size.slot, size.wide(), i)
			at := (base + dyn[i] + align - 1) &^ (align - 1)
			if limit := x.m.cfg.Limits.Stack; n > limit || at+n > limit {
				x.raise(in, i, "out-of-bounds", 0, "stack overflow: alloca of %d bytes on top of %d bytes of local memory per thread, the limit is %d", n, base+dyn[i], limit)
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

// stackOperands are the operands of alloca: two registers of the type, of which
// the second may be a constant.
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

// decodeStackrestore: stackrestore.type a. What the manual calls corruption of the
// stack pointer is a fault.
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
				x.raise(in, i, "out-of-bounds", 0, "stackrestore to 0x%x, which is not within what this activation holds (0x%x to 0x%x)", to, base, base+dyn[i])
				return
			}
			dyn[i] = to - base
		}
	}}, nil
}
