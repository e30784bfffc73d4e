// Activation frames: entering, filling, leaving, their stacks; storage for the next launch.

package groups

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// frameUse says when a frame was last used, and so which of its registers still hold valid values.
type frameUse uint8

const (
	usedNever   frameUse = iota
	usedEarlier          // in an earlier launch, by threads at the same place of a block of the same shape
	usedNow              // in this launch
)

// EnterFrame makes the activation frame of a call of fn by a warp. It returns nil after a fault.
func EnterFrame(x *state.Engine, w *state.Warp, fn *state.Function, caller *state.Frame) *state.Frame {
	f := w.Frames[fn.Index]
	if f != nil {
		w.Frames[fn.Index] = f.Next
	}
	used := usedNow
	if f == nil || f.Launch != x.L.ID {
		used = usedEarlier
		if !faults.ClaimFor(x, w.CTA, uint64(fn.FrameSize)+uint64(unsafe.Sizeof(state.Frame{})), "registers") {
			return nil
		}
		if f == nil {
			f, used = NewFrame(fn), usedNever
		}
		f.Warp, f.Launch, f.FilledFor = w, x.L.ID, 0
	}
	base, depth := uint64(0), 0
	if caller != nil {
		base, depth = memory.StackEnd(caller), caller.Depth+1
	}
	if depth >= x.M.Cfg.Limits.CallDepth || base+fn.StackSize > x.M.Cfg.Limits.Stack {
		faults.RaiseHere(x, "out-of-bounds",
			"stack overflow: %s is called %d deep with %d bytes of local memory per thread; the limits are %d deep and %d bytes",
			fn.Src.Name, depth, base+fn.StackSize, x.M.Cfg.Limits.CallDepth, x.M.Cfg.Limits.Stack)
		return nil
	}
	if !GrowStack(x, w, base+fn.StackSize) {
		return nil
	}
	x.L.Serial++
	f.Serial, f.Caller, f.Depth, f.Live = x.L.Serial, caller, depth, 0
	f.Ret, f.Site = nil, nil
	f.Undefined.Reset()
	f.Async = nil
	fill(x, f, base, used)
	return f
}

// Reenter is EnterFrame for the frame that the warp's threads had in the last block with this storage, in the same
// launch.
func Reenter(x *state.Engine, f *state.Frame) {
	x.L.Serial++
	f.Serial, f.FilledFor = x.L.Serial, f.Warp.Serial
	f.Undefined.Reset()
	f.Async = nil
	for i := range f.Fn.BlockSpecials {
		if sp, v := &f.Fn.BlockSpecials[i], &x.BlockValues[i]; sp.Bits == 64 {
			broadcast(f, sp.Slot, 64, v.Value)
		} else {
			*f.R32(sp.Slot) = v.Row
		}
	}
	zero(f)
}

// zero clears the registers that may be read before they are written.
func zero(f *state.Frame) {
	for _, r := range f.Fn.Zeroed {
		clear(unsafe.Slice((*byte)(unsafe.Add(f.Regs, uintptr(r.Slot))), size(r)))
	}
}

// fill loads the registers that depend on the warp and on the depth of the activation.
func fill(x *state.Engine, f *state.Frame, base uint64, used frameUse) {
	if f.FilledFor != f.Warp.Serial {
		f.FilledFor = f.Warp.Serial
		fillSpecials(x, f, used)
		if used < usedNow || x.L.Clustered() {
			fillShared(x, f)
		}
	}
	if used < usedNow || f.StackBase != base {
		f.StackBase = base
		for _, r := range f.Fn.StackRefs {
			broadcast(f, r.Slot, wideBits(r.Wide), base+r.Off)
		}
	}
	if p := f.Fn.Preface; p != nil && (used < usedNow || x.L.Clustered()) {
		execPreface(x, f, p)
	}
	zero(f)
}

// execPreface executes the preface of the kernel for a warp.
func execPreface(x *state.Engine, f *state.Frame, p *state.Function) {
	outer := x.Frame
	x.Frame = f
	for pc, end := int32(0), int32(len(p.Code)-1); pc < end; pc++ {
		if x.Vec != nil && p.Vector.Starts[pc] != NoStart {
			pc = straight(x.Vec, f, p.Vector, pc)
		}
		p.Code[pc].Body(x, &p.Code[pc], state.AllLanes)
	}
	x.Frame = outer
}

// fillShared loads the addresses of shared variables.
func fillShared(x *state.Engine, f *state.Frame) {
	base := f.Warp.CTA.SharedBase()
	for _, r := range f.Fn.SharedRefs {
		broadcast(f, r.Slot, wideBits(r.Wide), base+x.L.Shared[r.V]+r.Off)
	}
}

// wideBits returns the width in bits of a slot that holds an address.
func wideBits(wide bool) int {
	if wide {
		return 64
	}
	return 32
}

// LeaveFrame removes lanes from an activation, which ends with its last lane.
func LeaveFrame(x *state.Engine, f *state.Frame, m state.Lanes) {
	if f.Live &^= m; f.Live == 0 {
		w := f.Warp
		f.Caller, f.Ret, f.Site = nil, nil, nil
		f.Next = w.Frames[f.Fn.Index]
		w.Frames[f.Fn.Index] = f
	}
}

// GrowStack makes the stack of every thread of the warp at least n bytes large. It reports false after a fault.
func GrowStack(x *state.Engine, w *state.Warp, n uint64) bool {
	if n <= w.StackStride {
		return true
	}
	stride := max((n+255)&^255, min(2*w.StackStride, (x.M.Cfg.Limits.Stack+255)&^255))
	stack := takeStack(x, w.CTA, stride)
	if stack == nil {
		return false
	}
	for i := range uint64(state.WarpSize) {
		copy(stack[i*stride:], w.Stack[i*w.StackStride:(i+1)*w.StackStride])
	}
	if x.M.Cfg.TracksLocal() {
		growShadow(w, stride, !x.M.Cfg.Uninitialised)
	}
	leaveStack(x, w.Stack, w.StackStride)
	w.Stack, w.StackStride = stack, stride
	return true
}

// takeStack returns zeroed stacks for a warp of a block. It reuses stacks that another warp has outgrown, so that the
// memory claimed equals the memory allocated. It returns nil after a fault.
func takeStack(x *state.Engine, c *state.CTA, stride uint64) []byte {
	if free := x.L.FreeStacks[stride]; len(free) > 0 {
		stack := free[len(free)-1]
		x.L.FreeStacks[stride] = free[:len(free)-1]
		clear(stack)
		return stack
	}
	if !faults.ClaimFor(x, c, stride*state.WarpSize, "local memory") {
		return nil
	}
	return guard.Bytes(stride*state.WarpSize, 16)
}

// leaveStack makes the stacks of a warp available for reuse.
func leaveStack(x *state.Engine, stack []byte, stride uint64) {
	if stride == 0 {
		return
	}
	if x.L.FreeStacks == nil {
		x.L.FreeStacks = map[uint64][][]byte{}
	}
	x.L.FreeStacks[stride] = append(x.L.FreeStacks[stride], stack)
}

// FreshLocals marks the local variables of the lanes in m of an activation as uninitialised.
func FreshLocals(w *state.Warp, f *state.Frame, m state.Lanes) {
	if w.Shadow == nil {
		return
	}
	for ; m != 0; m &= m - 1 {
		w.Shadow.Unset(uint64(m.First())*w.StackStride+f.StackBase, f.Fn.Fresh)
	}
}

// WroteLocal marks local memory of lane i as initialised that was not written by a store.
func WroteLocal(w *state.Warp, i int, off, n uint64) {
	w.Shadow.Set(uint64(i)*w.StackStride+off, n)
}

// growShadow grows the shadow memory of the stacks for GrowStack. What is added counts as written or not.
func growShadow(w *state.Warp, stride uint64, written bool) {
	if w.Shadow == nil {
		w.Shadow = gmem.NewShadow(stride * state.WarpSize)
	} else {
		w.Shadow = w.Shadow.Widen(state.WarpSize, w.StackStride, stride)
	}
	for i := uint64(0); written && i < state.WarpSize; i++ {
		w.Shadow.Set(i*stride+w.StackStride, stride-w.StackStride)
	}
}

// Local returns the bytes of lane i's stack from off on.
func Local(w *state.Warp, i int, off, size uint64) []byte {
	at := uint64(i)*w.StackStride + off
	return w.Stack[at : at+size]
}

// size returns the number of bytes of the range.
func size(r state.SlotRange) uintptr {
	if r.Lane == 0 {
		return 4
	}
	return uintptr(r.Lane) * state.WarpSize
}

// BytesOf returns the bytes of one lane of a register.
func BytesOf(f *state.Frame, r state.SlotRange, i int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(f.Regs, uintptr(r.Slot)+uintptr(i)*uintptr(r.Lane))), r.Lane)
}

// maxReused limits the bytes of storage kept for a kernel.
const maxReused = 32 << 20

// TakeReuse gives the launch the storage that the last launch of the kernel has left.
func TakeReuse(x *state.Engine) {
	l := x.L
	s := l.Kernel.Stored
	if s == nil || s.Block != l.Block || s.Shared != l.SharedSize {
		return
	}
	l.Kernel.Stored = nil
	l.OldCTAs, l.FreeGroups, l.FreeJoins = s.Ctas, s.Groups, s.Joins
}

// KeepReuse leaves the storage of ended blocks to the next launch.
func KeepReuse(x *state.Engine) {
	l := x.L
	if x.Fault != nil || len(l.Resident) > 0 || x.M.Cfg.TracksLocal() {
		return
	}
	each := l.SharedSize + (l.Block.Count()+state.WarpSize-1)/state.WarpSize*uint64(l.Kernel.FrameSize)
	ctas := append(l.FreeCTAs, l.OldCTAs...)
	ctas = ctas[:min(uint64(len(ctas)), maxReused/(each+1))]
	for _, c := range ctas {
		for _, w := range c.Warps {
			ReleaseIdle(x, w)
		}
	}
	const few = 1024
	l.Kernel.Stored = &state.LaunchReuse{
		Block: l.Block, Shared: l.SharedSize, Ctas: ctas,
		Groups: l.FreeGroups[:min(len(l.FreeGroups), few)], Joins: l.FreeJoins[:min(len(l.FreeJoins), few)],
	}
	l.FreeCTAs, l.OldCTAs, l.FreeGroups, l.FreeJoins = nil, nil, nil, nil
}

// Renew resets a block of an earlier launch. Register files are reset when they are used (EnterFrame).
func Renew(c *state.CTA) *state.CTA {
	*c = state.CTA{Shared: c.Shared, Warps: c.Warps}
	clear(c.Shared)
	for i, w := range c.Warps {
		*w = state.Warp{CTA: c, Index: i, Frames: w.Frames, Groups: w.Groups[:0], Joins: w.Joins[:0]}
	}
	return c
}

// NewFrame allocates a register file with the constants in place.
func NewFrame(fn *state.Function) *state.Frame {
	memory := guard.New(uint64(fn.FrameSize), 64)
	f := &state.Frame{Regs: memory.Start(), Fn: fn, Memory: memory}
	*f.P(state.SlotTrue) = state.AllLanes
	for _, c := range fn.Constants {
		if c.Each != nil {
			*f.R32(c.Slot) = *c.Each
			continue
		}
		broadcast(f, c.Slot, c.Bits, c.Val)
	}
	return f
}

// broadcast sets all lanes of a slot.
func broadcast(f *state.Frame, s state.Slot, bits int, v uint64) {
	switch bits {
	case 1:
		*f.P(s) = -state.Lanes(v & 1)
	case 32:
		r := (*[state.WarpSize / 2]uint64)(unsafe.Pointer(f.R32(s)))
		for i := range r {
			r[i] = v<<32 | v&(1<<32-1)
		}
	default:
		r := f.R64(s)
		for i := range r {
			r[i] = v
		}
	}
}

// fillSpecials loads the special registers of all lanes of f's warp, except those that f still holds from its last use.
func fillSpecials(x *state.Engine, f *state.Frame, used frameUse) {
	w, s := f.Warp, &x.Special
	s.Ctaid, s.Linear, s.Rank, s.Warp = w.CTA.Index, w.CTA.Linear, uint64(w.CTA.Rank), uint(w.Index)
	for i := range f.Fn.Specials {
		sp := &f.Fn.Specials[i]
		s.Dim = sp.Reg.Dim
		switch {
		case sp.Varies == decode.PerBlock, sp.Varies == decode.PerLaunch && used < usedNow:
			broadcast(f, sp.Slot, sp.Bits, sp.Value(s))
		case sp.Varies == decode.PerThread && used == usedNever:
			fillLanes(x, f, sp, s)
		}
	}
}

// fillLanes loads a special register lane by lane.
func fillLanes(x *state.Engine, f *state.Frame, sp *state.Special, s *state.SpecialContext) {
	for i := range state.WarpSize {
		s.Lane, s.Tid = uint(i), faults.ThreadIndex(x, f.Warp, i)
		if v := sp.Value(s); sp.Bits == 64 {
			f.R64(sp.Slot)[i] = v
		} else {
			f.R32(sp.Slot)[i] = uint32(v)
		}
	}
}

// straight executes code without branches in assembly, from pc on, for all lanes. It returns the pc of the first
// instruction that has no handler.
func straight(a *state.VectorRunner, f *state.Frame, v *state.VectorCode, pc int32) int32 {
	c := a.C
	c.Regs, c.Code, c.At = f.Regs, First(v), v.Starts[pc]
	c.Mask, c.Active, c.Stop, c.Depth = ^uint32(0), ^uint32(0), vector.NoPC, 0
	vector.Run(c)
	return int32((*vector.Inst)(unsafe.Add(c.Code, uintptr(c.At))).PC)
}

// NoStart is the start of an instruction that has no handler.
const NoStart = ^uint32(0)

// First returns the address of the program.
func First(v *state.VectorCode) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(v.Code)) }
