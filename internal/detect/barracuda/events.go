// Operations made from the events of the emulator.

package barracuda

import (
	"cmp"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Orders gives, by abi.Site.ID, the acquire and release of each instruction. It comes from the same analysis as the
// annotations in the records of instrumented kernels.
type Orders map[uint32]Order

// FromEvents turns the events of an uninstrumented program into operations.
type FromEvents struct {
	orders []Order // by site
	emit   func(*Op)
	op     Op
}

// NewFromEvents makes a FromEvents that hands operations to emit, which must not keep them.
func NewFromEvents(orders Orders, emit func(*Op)) *FromEvents {
	f := &FromEvents{emit: emit}
	f.setOrders(orders)
	return f
}

func (f *FromEvents) setOrders(orders Orders) {
	f.orders = nil
	for site, o := range orders {
		if n := int(site) + 1; n > len(f.orders) {
			f.orders = append(f.orders, make([]Order, n-len(f.orders))...)
		}
		f.orders[site] = o
	}
}

func (f *FromEvents) order(site uint32) Order {
	if int(site) < len(f.orders) {
		return f.orders[site]
	}
	return Order{}
}

// kinds gives the operation of each event that only names lanes.
var kinds = [...]Kind{
	abi.EventBlockBegin: BlockBegin, abi.EventBlockEnd: BlockEnd,
	abi.EventKernelBegin: KernelBegin, abi.EventKernelEnd: KernelEnd,
	abi.EventWarpSync: WarpSync, abi.EventDiverge: If, abi.EventConverge: Fi,
	abi.EventBarrierArrive: Arrive, abi.EventBarrierComplete: Complete,
	abi.EventClusterArrive: Arrive, abi.EventClusterPass: Pass,
	abi.EventMbarrierArrive: Sync, abi.EventMbarrierCopyArrive: Sync, abi.EventMbarrierPass: Sync,
	abi.EventAsyncDone: Sync, abi.EventFree: Free,
}

// Event emits the operations of an event other than an access: at most one, but two for a branch if threads are
// scheduled independently, since both of its paths begin at once.
func (f *FromEvents) Event(ev *abi.Event) {
	kind := KindNone
	if int(ev.Kind) < len(kinds) {
		kind = kinds[ev.Kind]
	}
	if kind == KindNone {
		return
	}
	f.start(kind, ev)
	switch ev.Kind {
	case abi.EventDiverge:
		f.diverge(ev)
		return
	case abi.EventBarrierArrive:
		f.op.Barrier, f.op.Expected, f.op.Goes = ev.Barrier, 0, ev.Mode == abi.BarrierArrive
	case abi.EventBarrierComplete:
		f.op.Barrier, f.op.Expected = ev.Barrier, ev.Expected
	case abi.EventClusterArrive, abi.EventClusterPass:
		f.op.Barrier, f.op.Expected, f.op.Goes = ClusterBarrier, 0, true
	case abi.EventMbarrierArrive, abi.EventMbarrierCopyArrive, abi.EventMbarrierPass, abi.EventAsyncDone:
		f.mbarrier(ev)
	case abi.EventFree:
		f.op.Addr, f.op.Bytes = ev.Addr, ev.Bytes
	}
	f.emit(&f.op)
}

// start sets the fields that all operations have.
func (f *FromEvents) start(kind Kind, ev *abi.Event) {
	op := &f.op
	op.Kind, op.Site = kind, ev.Site
	op.Block, op.Cluster, op.Warp, op.Mask, op.Live = ev.Block, ev.Cluster, ev.Warp, ev.Mask, ev.Live
}

// Accesses emits the operations of a batch: loads, stores and atomic operations. Asynchronous copies are newer than the
// paper; they take effect at their instruction.
func (f *FromEvents) Accesses(b *abi.Batch) {
	op := &f.op
	op.Block, op.Cluster, op.Warp, op.Live = b.Block, b.Cluster, b.Warp, b.Live
	for i := range b.List {
		if a := &b.List[i]; checked(a.Space, a.Bytes) {
			f.access(a)
			f.emit(op)
			for at := a.Piece; a.Piece != 0 && at < a.Bytes; at += a.Piece {
				for i := range op.Addr {
					op.Addr[i] += uint64(a.Piece)
				}
				f.emit(op)
			}
		}
	}
}

// access sets the operation to that of an access.
func (f *FromEvents) access(a *abi.Access) {
	op := &f.op
	f.class(a.AccessClass)
	op.Mask = a.Mask
	if a.Addr != nil {
		op.Addr = *a.Addr
	} else {
		for lane, at := 0, a.Base; lane < abi.WarpLanes; lane, at = lane+1, at+a.Step {
			op.Addr[lane] = at
		}
	}
	if op.Valued = op.Kind == Write && a.New != nil; op.Valued {
		op.Value = *a.New
	}
}

// checked reports whether accesses of bytes bytes to a space become operations.
func checked(space abi.Space, bytes uint32) bool {
	return (space == abi.SpaceGlobal || space == abi.SpaceShared) && bytes != 0
}

// class sets the static part of an operation.
func (f *FromEvents) class(s *abi.AccessClass) {
	op := &f.op
	op.Kind, op.Site, op.Space, op.Order = KindOf(s.Access, s.Sem), s.Site, s.Space, f.order(s.Site)
	op.Bytes = cmp.Or(s.Piece, s.Bytes)
	op.Strong = s.Access.Atomic(s.Sem) || s.Sem >= abi.SemVolatile
	op.Reach = ScopeGlobal
	if s.Scope != abi.ScopeNone {
		op.Reach = ScopeOf(s.Scope)
	}
}

// KindOf returns the kind of an access. Relaxed, acquire and release accesses, which are newer than the paper, are
// atomic; volatile accesses and edits of tensor maps are not.
func KindOf(a abi.AccessKind, s abi.Semantics) Kind {
	switch {
	case a.Atomic(s), a == abi.AccessStore && s >= abi.SemRelaxed:
		return Atomic
	case a.Writes():
		return Write
	case s >= abi.SemRelaxed:
		return AtomicRead
	}
	return Read
}

// diverge emits If and Else.
func (f *FromEvents) diverge(ev *abi.Event) {
	f.op.Then = ev.Wrote & ev.Mask
	f.emit(&f.op)
	if rest := ev.Mask &^ ev.Wrote; rest != 0 && f.op.Then != 0 {
		f.start(Else, ev)
		f.op.Mask = rest
		f.emit(&f.op)
	}
}

// mbarrier emits a release for an arrival and an acquire for a wait, as at barriers. The completion of an asynchronous
// operation is a release by the thread that began it.
func (f *FromEvents) mbarrier(ev *abi.Event) {
	op, passes := &f.op, ev.Kind == abi.EventMbarrierPass
	op.Space, op.Bytes, op.Addr = abi.SpaceShared, 0, ev.Addr
	op.Order = Order{Acquire: passes, Release: !passes, Scope: ScopeCluster}
	if ev.Kind == abi.EventAsyncDone {
		op.Addr[first(ev.Mask)] = ev.Signal
	}
}
