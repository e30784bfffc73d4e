// Activation frames: register files and stacks of called functions, their allocation and reuse; storage of blocks for
// the next launch.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/guard"
)

// frameUse says when a frame was last used, and so which of its registers still hold valid values.
type frameUse uint8

const (
	usedNever   frameUse = iota
	usedEarlier          // in an earlier launch, by threads at the same place of a block of the same shape
	usedNow              // in this launch
)

// enterFrame makes the activation frame of a call of fn by a warp. It returns nil after a fault.
func (x *engine) enterFrame(w *warp, fn *function, caller *frame) *frame {
	f := w.frames[fn.index]
	if f != nil {
		w.frames[fn.index] = f.next
	}
	used := usedNow
	if f == nil || f.launch != x.l.id {
		used = usedEarlier
		if !x.claimFor(w.cta, uint64(fn.frameSize)+uint64(unsafe.Sizeof(frame{})), "registers") {
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
		x.raiseHere("out-of-bounds",
			"stack overflow: %s is called %d deep with %d bytes of local memory per thread; the limits are %d deep and %d bytes",
			fn.src.Name, depth, base+fn.stackSize, x.m.cfg.Limits.CallDepth, x.m.cfg.Limits.Stack)
		return nil
	}
	if !x.growStack(w, base+fn.stackSize) {
		return nil
	}
	x.l.serial++
	f.serial, f.caller, f.depth, f.live = x.l.serial, caller, depth, 0
	f.ret, f.site = nil, nil
	f.undefined.Reset()
	f.async = nil
	x.fill(f, base, used)
	return f
}

// reenter is enterFrame for the frame that the warp's threads had in the last block with this storage, in the same
// launch.
func (x *engine) reenter(f *frame) {
	x.l.serial++
	f.serial, f.filledFor = x.l.serial, f.warp.serial
	f.undefined.Reset()
	f.async = nil
	for i := range f.fn.blockSpecials {
		if sp, v := &f.fn.blockSpecials[i], &x.blockValues[i]; sp.bits == 64 {
			f.broadcast(sp.slot, 64, v.value)
		} else {
			*f.r32(sp.slot) = v.row
		}
	}
	f.zero()
}

// zero clears the registers that may be read before they are written.
func (f *frame) zero() {
	for _, r := range f.fn.zeroed {
		clear(unsafe.Slice((*byte)(unsafe.Add(f.regs, uintptr(r.slot))), r.size()))
	}
}

// fill loads the registers that depend on the warp and on the depth of the activation.
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
	if p := f.fn.preface; p != nil && (used < usedNow || x.l.clustered()) {
		x.execPreface(f, p)
	}
	f.zero()
}

// execPreface executes the preface of the kernel for a warp.
func (x *engine) execPreface(f *frame, p *function) {
	outer := x.frame
	x.frame = f
	for pc, end := int32(0), int32(len(p.code)-1); pc < end; pc++ {
		if x.vec != nil && p.vector.starts[pc] != noStart {
			pc = x.vec.straight(f, p.vector, pc)
		}
		p.code[pc].body(x, &p.code[pc], allLanes)
	}
	x.frame = outer
}

// fillShared loads the addresses of shared variables.
func (x *engine) fillShared(f *frame) {
	base := f.warp.cta.sharedBase()
	for _, r := range f.fn.sharedRefs {
		f.broadcast(r.slot, wideBits(r.wide), base+x.l.shared[r.v]+r.off)
	}
}

// wideBits returns the width in bits of a slot that holds an address.
func wideBits(wide bool) int {
	if wide {
		return 64
	}
	return 32
}

// leaveFrame removes lanes from an activation, which ends with its last lane.
func (x *engine) leaveFrame(f *frame, m lanes) {
	if f.live &^= m; f.live == 0 {
		w := f.warp
		f.caller, f.ret, f.site = nil, nil, nil
		f.next = w.frames[f.fn.index]
		w.frames[f.fn.index] = f
	}
}

// growStack makes the stack of every thread of the warp at least n bytes large. It reports false after a fault.
func (x *engine) growStack(w *warp, n uint64) bool {
	if n <= w.stackStride {
		return true
	}
	stride := max((n+255)&^255, min(2*w.stackStride, (x.m.cfg.Limits.Stack+255)&^255))
	stack := x.takeStack(w.cta, stride)
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

// takeStack returns zeroed stacks for a warp of a block. It reuses stacks that another warp has outgrown, so that the
// memory claimed equals the memory allocated. It returns nil after a fault.
func (x *engine) takeStack(c *cta, stride uint64) []byte {
	if free := x.l.freeStacks[stride]; len(free) > 0 {
		stack := free[len(free)-1]
		x.l.freeStacks[stride] = free[:len(free)-1]
		clear(stack)
		return stack
	}
	if !x.claimFor(c, stride*warpSize, "local memory") {
		return nil
	}
	return guard.Bytes(stride*warpSize, 16)
}

// leaveStack makes the stacks of a warp available for reuse.
func (x *engine) leaveStack(stack []byte, stride uint64) {
	if stride == 0 {
		return
	}
	if x.l.freeStacks == nil {
		x.l.freeStacks = map[uint64][][]byte{}
	}
	x.l.freeStacks[stride] = append(x.l.freeStacks[stride], stack)
}

// freshLocals marks the local variables of the lanes in m of an activation as uninitialised.
func (w *warp) freshLocals(f *frame, m lanes) {
	if w.shadow == nil {
		return
	}
	for ; m != 0; m &= m - 1 {
		w.shadow.Unset(uint64(m.first())*w.stackStride+f.stackBase, f.fn.stackSize)
	}
}

// wroteLocal marks local memory of lane i as initialised that was not written by a store.
func (w *warp) wroteLocal(i int, off, n uint64) {
	w.shadow.Set(uint64(i)*w.stackStride+off, n)
}

// growShadow grows the shadow memory of the stacks for growStack.
func (w *warp) growShadow(stride uint64) {
	if w.shadow == nil {
		w.shadow = gmem.NewShadow(stride * warpSize)
		return
	}
	w.shadow = w.shadow.Widen(warpSize, w.stackStride, stride)
}

// local returns the bytes of lane i's stack from off on.
func (w *warp) local(i int, off, size uint64) []byte {
	at := uint64(i)*w.stackStride + off
	return w.stack[at : at+size]
}

// size returns the number of bytes of the range.
func (r slotRange) size() uintptr {
	if r.lane == 0 {
		return 4
	}
	return uintptr(r.lane) * warpSize
}

// bytesOf returns the bytes of one lane of a register.
func (f *frame) bytesOf(r slotRange, i int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(f.regs, uintptr(r.slot)+uintptr(i)*uintptr(r.lane))), r.lane)
}

// stackEnd returns the stack offset at which the variables of functions called by f begin.
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

// launchReuse is storage that the blocks of a launch leave to the next launch of the same kernel: register files,
// shared memory and other allocations. Reuse does not affect programs.
type launchReuse struct {
	block  Dim3
	shared uint64
	ctas   []*cta
	groups []*group
	joins  []*join
}

// maxReused limits the bytes of storage kept for a kernel.
const maxReused = 32 << 20

// takeReuse gives the launch the storage that the last launch of the kernel has left.
func (x *engine) takeReuse() {
	l := x.l
	s := l.kernel.stored
	if s == nil || s.block != l.block || s.shared != l.sharedSize {
		return
	}
	l.kernel.stored = nil
	l.oldCTAs, l.freeGroups, l.freeJoins = s.ctas, s.groups, s.joins
}

// keepReuse leaves the storage of ended blocks to the next launch.
func (x *engine) keepReuse() {
	l := x.l
	if x.fault != nil || len(l.resident) > 0 || x.m.cfg.Uninitialised {
		return
	}
	each := l.sharedSize + (l.block.count()+warpSize-1)/warpSize*uint64(l.kernel.frameSize)
	ctas := append(l.freeCTAs, l.oldCTAs...)
	ctas = ctas[:min(uint64(len(ctas)), maxReused/(each+1))]
	for _, c := range ctas {
		for _, w := range c.warps {
			x.releaseIdle(w)
		}
	}
	const few = 1024
	l.kernel.stored = &launchReuse{
		block: l.block, shared: l.sharedSize, ctas: ctas,
		groups: l.freeGroups[:min(len(l.freeGroups), few)], joins: l.freeJoins[:min(len(l.freeJoins), few)],
	}
	l.freeCTAs, l.oldCTAs, l.freeGroups, l.freeJoins = nil, nil, nil, nil
}

// renew resets a block of an earlier launch. Register files are reset when they are used (enterFrame).
func (c *cta) renew() *cta {
	*c = cta{shared: c.shared, warps: c.warps}
	clear(c.shared)
	for i, w := range c.warps {
		*w = warp{cta: c, index: i, frames: w.frames, groups: w.groups[:0], joins: w.joins[:0]}
	}
	return c
}
