// Asynchronous operations: what is in flight, what waits for it, registers that an operation still uses.

package state

import (
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/tmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Endpoint is a unicast logical endpoint of a device, which supports counted completion. Memory is what is bound to it;
// where several parts have an offset, the first counts.
type Endpoint struct {
	Size   uint64
	Memory []EndpointMemory
}

// EndpointMemory is device memory that is bound at an offset of an endpoint. Addr is 0 for memory without an address.
type EndpointMemory struct{ Offset, Addr, Size uint64 }

// FabricWay says whether an operation reads or writes an endpoint.
type FabricWay uint8

// An asynchronous operation usually completes immediately, which is one of the orders that the manual allows: a missing
// wait then does not change the result. Under Config.LateAsync it is in flight until a thread waits for it, at the
// latest until no group can run. A thread that does not wait then reads the old contents, and if the source is
// overwritten too early, the new contents of the source are copied.

// Transfer is the memory operation of an asynchronous operation.
type Transfer struct {
	To, From []byte // of equal length; a shorter source is extended with zeros
	// Combine computes an element of type elem from the old one and the source's; nil for a copy.
	Combine func(old, v [2]uint64) [2]uint64
	Elem    isa.Type
	Sixes   bool   // the source has six-bit elements in bytes
	Swap    int    // Swap of units, as in tensor.Piece
	Source  uint64 // address of from in device memory, if the operation reports what it finds there
}

// FlightKind is the kind of group, or the mbarrier, that an operation belongs to.
type FlightKind uint8

// Kinds of asynchronous operations, by what they complete on.
const (
	FlightCopy        FlightKind = iota // a cp.async group
	FlightBulk                          // a bulk group
	FlightSignal                        // no group: completes on an mbarrier
	FlightArrive                        // an arrival at an mbarrier when the thread's earlier FlightCopy operations are complete
	FlightTensor                        // of tcgen05: ordered with others, also of other threads
	FlightTensorStore                   // a tcgen05.st
	FlightCommit                        // an arrival at an mbarrier when the earlier FlightTensor operations are complete
	FlightFabric                        // on a logical endpoint, and not submitted
	FlightKinds       = 2               // number of kinds with groups
)

// Flight is an asynchronous operation in flight.
type Flight struct {
	Transfer
	Parts []Transfer // further transfers of a tensor operation
	// Work executes a tcgen05 operation, in place of transfers.
	Work   func() *diag.Violation
	Kind   FlightKind
	Signal *uint64      // mbarrier
	Looks  mbar.Pattern // for what the operation looks in its sources, to report it to the mbarrier
	Bytes  uint64       // transaction bytes completed on the mbarrier
	Fabric FabricWay    // of an operation on a logical endpoint
	Lane   int
	Group  uint64        // number of the group of its thread and kind
	Copied uint64        // Bytes of the sources, if they have been copied
	At     *rewrite.Inst // position for faults
	// For listeners: the instruction, the number of the operation and the generic address of the mbarrier.
	Inst       *rewrite.Inst
	Op         uint64
	SignalAddr uint64
}

// Package asyncregs finds what may go wrong on some path. Only functions in which it finds something are checked when
// they are executed, by instructions in front of those of the source: at operations that begin, at accesses to their
// registers, and at products. Operations write their registers when they begin, so that a fault of this kind stops
// nothing.

// RegisterWaits counts what a warp has executed of asynchronous operations on registers.
type RegisterWaits struct {
	Products, Waited uint64 // groups of wgmma: committed, and complete
	Loads, Loaded    uint64 // tcgen05.ld: executed, and waited for
	Fences           uint64 // wgmma.fence
}

// AsyncKey identifies a register of one execution of a function. For a register of an inlined function, at is the call.
type AsyncKey struct {
	Reg *rewrite.Reg
	At  *InlinedAt
}

// AsyncUse is an operation that uses a register, and the number of its group or of the load.
type AsyncUse struct {
	By     *rewrite.Inst // nil for none
	Number uint64
}

// AsyncRegister is the state of a register.
type AsyncRegister struct {
	Accumulator, Fragment, Result AsyncUse
	Accessed                      AsyncUse // the latest access by another instruction, after this number of fences
	Written                       AsyncUse // the latest write among those
	Multiplied                    AsyncUse // the latest product with it as accumulator, likewise
}

// AsyncRegisters holds the registers of an activation.
type AsyncRegisters map[AsyncKey]*AsyncRegister

// IncompleteWait is the mbarrier that lanes of a warp have last found incomplete, for the report of a deadlock.
type IncompleteWait struct {
	Object *uint64
	Addr   uint32 // shared address
	Mask   Lanes
}

// TensorBlock is the tensor memory of a block.
type TensorBlock struct {
	*tmem.Memory               // nil before the first allocation
	First        *rewrite.Inst // First executed instruction with a .cta_group
	// Of the latest allocation, for the fault if it is not freed:
	At   *rewrite.Inst
	Warp *Warp
	// Of .cta_group::2: requested is the number of columns that a warp waits for the peer to allocate; granted says
	// that it may go on.
	Requested uint32
	Granted   bool
}
