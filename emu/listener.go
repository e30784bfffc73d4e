package emu

import "github.com/ptxsan/ptxsan/rewrite"

// Listener observes execution at warp granularity. Events and what they point to
// are valid during the call only. A machine without a listener pays one
// predictable branch per memory access.
//
// Embed NopListener to implement only what is of interest.
type Listener interface {
	// Access is called before memory changes.
	Access(ev *AccessEvent)
	// Fence is called for membar, fence and the like.
	Fence(ev *SyncEvent)
	// Barrier is called when lanes arrive at a barrier of their block, and for
	// warp-level synchronisation when it has succeeded.
	Barrier(ev *BarrierEvent)
	BeginKernel(kernel string, grid, block Dim3)
	EndKernel(kernel string)
	BeginBlock(block Dim3)
	EndBlock(block Dim3)
}

// AccessEvent is one warp-level memory access. What is accessed and how (kind,
// size, scope, semantics) is in Inst.Decoded.
type AccessEvent struct {
	Inst  *rewrite.Inst
	Block Dim3
	Warp  uint32 // within the block
	Mask  uint32
	Addrs *[32]uint64 // generic addresses of the lanes in Mask
}

// SyncEvent is a fence executed by the lanes in Mask.
type SyncEvent struct {
	Inst  *rewrite.Inst
	Block Dim3
	Warp  uint32
	Mask  uint32
}

// BarrierEvent is an arrival at a barrier of the block, the completion of one, or
// a synchronisation among lanes of a warp.
type BarrierEvent struct {
	SyncEvent
	Kind BarrierKind
	ID   uint32 // of a block barrier
}

// BarrierKind says what happened.
type BarrierKind uint8

// Kinds of barrier events.
const (
	BarrierArrive   BarrierKind = iota // lanes arrive, and wait unless the instruction is an arrive
	BarrierComplete                    // all have arrived; Mask and Warp are those of the last
	WarpSync                           // the lanes of Mask have synchronised
)

// NopListener ignores every event.
type NopListener struct{}

// Access implements Listener.
func (NopListener) Access(*AccessEvent) {}

// Fence implements Listener.
func (NopListener) Fence(*SyncEvent) {}

// Barrier implements Listener.
func (NopListener) Barrier(*BarrierEvent) {}

// BeginKernel implements Listener.
func (NopListener) BeginKernel(string, Dim3, Dim3) {}

// EndKernel implements Listener.
func (NopListener) EndKernel(string) {}

// BeginBlock implements Listener.
func (NopListener) BeginBlock(Dim3) {}

// EndBlock implements Listener.
func (NopListener) EndBlock(Dim3) {}

// observe reports a memory access of the running group. Only call it when
// x.listener is not nil.
func (x *exec) observe(in *inst, m lanes, addrs *[32]uint64) {
	x.listener.Access(&AccessEvent{
		Inst: x.frame.fn.src.Insts[in.src], Block: x.cta.index, Warp: uint32(x.warp.index),
		Mask: uint32(m), Addrs: addrs,
	})
}

// observeSync is the event of the running group's lanes in m at in.
func (x *exec) observeSync(in *inst, m lanes) SyncEvent {
	return SyncEvent{
		Inst: x.frame.fn.src.Insts[in.src], Block: x.cta.index, Warp: uint32(x.warp.index), Mask: uint32(m),
	}
}
