// Activations: register files and stacks of called functions, their allocation and reuse; alloca, stacksave and stackrestore.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// frameUse says when a frame was last used, and so what its registers hold.
type frameUse uint8

const (
	usedNever   frameUse = iota
	usedEarlier          // in an earlier launch, by threads at the same place of a block of the same shape
	usedNow              // in this launch
)

// enterFrame makes the activation of fn by a warp. It reports nil after a fault.
func (x *engine) enterFrame(w *warp, fn *function, caller *frame) *frame {
	f := w.frames[fn.index]
	if f != nil {
		w.frames[fn.index] = f.next
	}
	used := usedNow
	if f == nil || f.launch != x.l.id {
		used = usedEarlier
		if !x.claim(uint64(fn.frameSize)+uint64(unsafe.Sizeof(frame{})), "registers") {
			return nil
		}
		if f == nil {
			f, used = newFrame(fn), usedNever
		}
		f.warp, f.launch, f.filledFor = w, x.l.id, 0
	}
	base, depth := uint64(0), 0
	if caller != nil {
		base, depth = caller.stackEnd(), caller.depth+1
	}
	if depth >= x.m.cfg.Limits.CallDepth || base+fn.stackSize > x.m.cfg.Limits.Stack {
		x.raiseHere("out-of-bounds", "stack overflow: %s is called %d deep with %d bytes of local memory per thread; the limits are %d deep and %d bytes",
			fn.src.Name, depth, base+fn.stackSize, x.m.cfg.Limits.CallDepth, x.m.cfg.Limits.Stack)
		return nil
	}
	if !x.growStack(w, base+fn.stackSize) {
		return nil
	}
	x.l.serial++
	f.serial, f.caller, f.depth, f.live = x.l.serial, caller, depth, 0
	f.ret, f.site = nil, nil
	x.fill(f, base, used)
	return f
}

// fill loads what depends on the warp and on the depth of the activation.
func (x *engine) fill(f *frame, base uint64, used frameUse) {
	if f.filledFor != f.warp.serial {
		f.filledFor = f.warp.serial
		x.fillSpecials(f, used)
		if used < usedNow || x.l.clustered() {
			x.fillShared(f)
		}
	}
	if used < usedNow || f.stackBase != base {
		f.stackBase = base
		for _, r := range f.fn.stackRefs {
			f.broadcast(r.slot, wideBits(r.wide), base+r.off)
		}
	}
	for _, r := range f.fn.zeroed {
		clear(unsafe.Slice((*byte)(unsafe.Add(f.regs, uintptr(r.slot))), r.size()))
	}
}

// fillShared loads the addresses of shared variables.
func (x *engine) fillShared(f *frame) {
	base := f.warp.cta.sharedBase()
	for _, r := range f.fn.sharedRefs {
		f.broadcast(r.slot, wideBits(r.wide), base+x.l.shared[r.v]+r.off)
	}
}

// wideBits is the width of a slot with an address.
func wideBits(wide bool) int {
	if wide {
		return 64
	}
	return 32
}

// leaveFrame takes lanes out of an activation, which ends with the last one.
func (x *engine) leaveFrame(f *frame, m lanes) {
	if f.live &^= m; f.live == 0 {
		w := f.warp
		f.caller, f.ret, f.site = nil, nil, nil
		f.next = w.frames[f.fn.index]
		w.frames[f.fn.index] = f
	}
}

// growStack makes every thread of the warp have at least n bytes of stack.
func (x *engine) growStack(w *warp, n uint64) bool {
	if n <= w.stackStride {
		return true
	}
	stride := max((n+255)&^255, min(2*w.stackStride, (x.m.cfg.Limits.Stack+255)&^255))
	stack := x.takeStack(stride)
	if stack == nil {
		return false
	}
	for i := range uint64(warpSize) {
		copy(stack[i*stride:], w.stack[i*w.stackStride:(i+1)*w.stackStride])
	}
	if x.m.cfg.Uninitialised {
		w.growShadow(stride)
	}
	x.leaveStack(w.stack, w.stackStride)
	w.stack, w.stackStride = stack, stride
	return true
}

// takeStack is the zeroed stacks of a warp: those that another warp has outgrown, so that
// what is claimed is all that is allocated. It is nil after a fault.
func (x *engine) takeStack(stride uint64) []byte {
	if free := x.l.freeStacks[stride]; len(free) > 0 {
		stack := free[len(free)-1]
		x.l.freeStacks[stride] = free[:len(free)-1]
		clear(stack)
		return stack
	}
	if !x.claim(stride*warpSize, "local memory") {
		return nil
	}
	words := make([]uint64, stride*warpSize/8+1)
	p := unsafe.Pointer(unsafe.SliceData(words))
	return unsafe.Slice((*byte)(unsafe.Add(p, -uintptr(p)&15)), stride*warpSize)
}

// leaveStack leaves the stacks of a warp to another one.
func (x *engine) leaveStack(stack []byte, stride uint64) {
	if stride == 0 {
		return
	}
	if x.l.freeStacks == nil {
		x.l.freeStacks = map[uint64][][]byte{}
	}
	x.l.freeStacks[stride] = append(x.l.freeStacks[stride], stack)
}

// local is the bytes of lane i's stack from off on.
func (w *warp) local(i int, off, size uint64) []byte {
	at := uint64(i)*w.stackStride + off
	return w.stack[at : at+size]
}

// size is the number of bytes of the range.
func (r slotRange) size() uintptr {
	if r.lane == 0 {
		return 4
	}
	return uintptr(r.lane) * warpSize
}

// bytesOf is the bytes of one lane of a register.
func (f *frame) bytesOf(r slotRange, i int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(f.regs, uintptr(r.slot)+uintptr(i)*uintptr(r.lane))), r.lane)
}

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
