// Batches of accesses, as listening detectors receive them.

package abi

import "math/bits"

// Batch is accesses that one warp has made one after the other, without any other event in
// between: the form in which accesses reach detectors. The accesses of an asynchronous
// operation come one by one. A batch and what it points to, except for access classes, are the
// producer's and change after the call that hands it out.
type Batch struct {
	Block   uint64 // as in Event
	Cluster uint64
	Warp    uint32
	Live    uint32
	Async   AsyncKind
	Op      uint64 // of an asynchronous operation
	Pipe    Pipe   // of an AsyncTensor operation
	List    []Access
}

// Receiver takes what the threads of a launch do, in order: accesses in batches, everything
// else as events. What it is given is the caller's and changes after the call.
type Receiver interface {
	Event(*Event)
	Accesses(*Batch)
}

// PartsReceiver is a Receiver that can take a launch in parts: some blocks each, which notice nothing of the blocks of other parts. The
// launch has its own EventKernelBegin before Divide and EventKernelEnd after Unite.
type PartsReceiver interface {
	Receiver
	// TakesParts reports whether launches may come in parts.
	TakesParts() bool
	// Divide makes a receiver for each of so many goroutines.
	Divide(goroutines int) []PartReceiver
	// Unite ends that. When it is not ok, what the parts have shown did not happen, and the launch comes as a whole.
	Unite(ok bool)
}

// PartReceiver takes parts, one after the other. Each is like a launch of its own: the first event is EventKernelBegin and the last
// one EventKernelEnd.
type PartReceiver interface {
	Receiver
	BeginPart(number uint64)
	// EndPart reports whether the part has shown nothing. If it has, the launch comes as a whole after Unite.
	EndPart() bool
}

// Each makes ev the event of one access after the other and calls f for each: for those who
// look at accesses one at a time. It costs the time to copy the addresses of all lanes.
func (b *Batch) Each(ev *Event, f func(*Event)) {
	for i := range b.List {
		b.Event(&b.List[i], ev)
		f(ev)
	}
}

// Deliver hands an event to a receiver; that of an access, as a batch of one: for producers
// that have accesses as events.
func Deliver(to Receiver, ev *Event) {
	if ev.Kind == EventAccess {
		to.Accesses(BatchOf(ev))
	} else {
		to.Event(ev)
	}
}

// BatchOf is the batch of one access, which points into its event.
func BatchOf(ev *Event) *Batch {
	class := &AccessClass{
		Site: ev.Site, Bytes: ev.Bytes, Scalar: ev.Scalar, Space: ev.Space, Access: ev.Access, Atomic: ev.Atomic, Sem: ev.Sem,
		Scope: ev.Scope, Proxy: ev.Proxy, Wide: ev.Wide, Reduces: ev.Reduces,
	}
	a := Access{AccessClass: class, Mask: ev.Mask, Next: ev.Next, Same: ev.Same, Wrote: ev.Wrote, Addr: &ev.Addr}
	if ev.Valued {
		a.New, a.Old = &ev.New, &ev.Old
	}
	return &Batch{Block: ev.Block, Cluster: ev.Cluster, Warp: ev.Warp, Live: ev.Live, Async: ev.Async, Op: ev.Op, Pipe: ev.Pipe, List: []Access{a}}
}

// Access is an access of a batch. Mask, Next, Same and Wrote are as in Event.
type Access struct {
	*AccessClass
	Mask       uint32
	Next, Same uint32
	Wrote      uint32
	// Lane i accesses address Base + i*Step when Addr is nil: all lanes consecutive
	// values (Step is Bytes), one value (0), or others that are evenly apart.
	Base, Step uint64
	Addr       *[WarpLanes]uint64
	New        *[WarpLanes]uint64 // values written, nil when they are not known
	Old        *[WarpLanes]uint64 // values found by read-modify-write operations, nil when not known
}

// AccessClass is the static part of the accesses of one instruction to one space; the fields
// are as in Event. It never changes: listeners may keep its address and compare by it.
type AccessClass struct {
	Site    uint32
	Bytes   uint32
	Scalar  uint32
	Space   Space
	Access  AccessKind
	Atomic  AtomicOp
	Sem     Semantics
	Scope   Scope
	Proxy   Proxy
	Wide    bool
	Reduces bool
}

// At is the address that a lane in Mask accesses.
func (a *Access) At(lane int) uint64 {
	if a.Addr != nil {
		return a.Addr[lane]
	}
	return a.Base + uint64(lane)*a.Step
}

// Event makes ev the event of an access of the batch. Addresses and values of lanes that are not in its
// mask may stay what they were.
func (b *Batch) Event(a *Access, ev *Event) {
	ev.Kind, ev.Block, ev.Cluster, ev.Warp, ev.Live = EventAccess, b.Block, b.Cluster, b.Warp, b.Live
	s := a.AccessClass
	ev.Site, ev.Bytes, ev.Scalar, ev.Space, ev.Access, ev.Atomic = s.Site, s.Bytes, s.Scalar, s.Space, s.Access, s.Atomic
	ev.Sem, ev.Scope, ev.Proxy, ev.Reduces = s.Sem, s.Scope, s.Proxy, s.Reduces
	ev.Async, ev.Op, ev.Pipe = b.Async, b.Op, b.Pipe
	ev.Mask, ev.Next, ev.Same, ev.Wrote = a.Mask, a.Next, a.Same, a.Wrote
	ev.Valued, ev.Wide = a.New != nil, a.New != nil && s.Wide
	if a.Mask != 0 && a.Mask&(a.Mask-1) == 0 {
		a.eventOf(bits.TrailingZeros32(a.Mask), ev)
		return
	}
	if a.Addr != nil {
		ev.Addr = *a.Addr
	} else {
		for i, at := 0, a.Base; i < WarpLanes; i, at = i+1, at+a.Step {
			ev.Addr[i] = at
		}
	}
	if a.New != nil {
		ev.New = *a.New
	}
	if a.Old != nil {
		ev.Old = *a.Old
	}
}

// eventOf fills in the address and the values of a lane.
func (a *Access) eventOf(lane int, ev *Event) {
	ev.Addr[lane] = a.At(lane)
	if a.New != nil {
		ev.New[lane] = a.New[lane]
	}
	if a.Old != nil {
		ev.Old[lane] = a.Old[lane]
	}
}
