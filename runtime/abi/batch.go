// Batches of accesses, as listening detectors receive them.

package abi

import (
	"iter"
	"math/bits"
)

// Batch holds accesses that one warp has made one after the other, without any other event in between. Detectors
// receive accesses in this form. A batch of asynchronous accesses has some of one operation to one space. A batch and
// the data that it points to, except for access classes, belong to the producer and change after the call that delivers
// it.
type Batch struct {
	Block   uint64 // as in Event
	Cluster uint64
	Warp    uint32
	Live    uint32 // as in Event; the same at all accesses
	Async   AsyncKind
	Op      uint64 // of an asynchronous operation
	Pipe    Pipe   // of an AsyncTensor operation
	List    []Access
	Loops   []Loop // in order; empty unless the receiver is a LoopReceiver that takes them
}

// Loop describes accesses that a warp makes in a loop: from round to round, the addresses of an access grow by the same
// number of bytes in all lanes. The batch lists at least the first two rounds. The receiver computes the addresses of
// those that are left out; the accesses of such a loop have a base and a step, and no values.
type Loop struct {
	At, Period int // a round is Period accesses, the first is List[At : At+Period]
	Listed     int // accesses of the loop in the list; the last round may be incomplete
	More       int // accesses after them that are left out
}

// Len returns the number of accesses of the loop.
func (l *Loop) Len() int { return l.Listed + l.More }

// Nth sets x to an access of the loop, counted from 0.
func (l *Loop) Nth(b *Batch, n int, x *Access) {
	if n < l.Listed {
		*x = b.List[l.At+n]
		return
	}
	c := l.At + n%l.Period
	*x = b.List[c]
	x.Base += uint64(n/l.Period) * (b.List[c+l.Period].Base - x.Base)
}

// LoopReceiver is a Receiver that may take batches with loops.
type LoopReceiver interface {
	Receiver
	TakesLoops() bool
}

// Receiver receives the operations of a launch's threads, in order: accesses in batches, everything else as events. The
// arguments belong to the caller and change after the call.
type Receiver interface {
	Event(*Event)
	Accesses(*Batch)
}

// PartsReceiver can receive a launch in parts. Each part consists of some blocks, which do not communicate with the
// blocks of other parts. The EventKernelBegin of the whole launch comes before Divide, its EventKernelEnd after Unite,
// both to a Receiver.
type PartsReceiver interface {
	// TakesParts reports whether launches may be delivered in parts.
	TakesParts() bool
	// Divide returns a receiver for each of the given number of goroutines.
	Divide(goroutines int) []PartReceiver
	// Unite ends the parts. If ok is false, the receiver must discard the results of the parts, and the whole launch is
	// delivered again.
	Unite(ok bool)
}

// PartReceiver receives parts, one after the other. Each part is like a separate launch: its first event is
// EventKernelBegin and its last one EventKernelEnd.
type PartReceiver interface {
	Receiver
	BeginPart(number uint64)
	// EndPart reports whether the part had no findings. If it had, the whole launch is delivered after Unite.
	EndPart() bool
}

// All returns the accesses of the batch one by one, those left out included. An access is valid until the next one.
func (b *Batch) All() iter.Seq[*Access] {
	return func(yield func(*Access) bool) {
		var left Access
		loops, at := b.Loops, 0
		for at < len(b.List) {
			if len(loops) == 0 || at < loops[0].At {
				if !yield(&b.List[at]) {
					return
				}
				at++
				continue
			}
			l := &loops[0]
			for n := range l.Len() {
				l.Nth(b, n, &left)
				if !yield(&left) {
					return
				}
			}
			loops, at = loops[1:], l.At+l.Listed
		}
	}
}

// Each calls f for all accesses of the batch, with ev set to the event of the access. It copies the addresses of all
// lanes.
func (b *Batch) Each(ev *Event, f func(*Event)) {
	for x := range b.All() {
		b.Event(x, ev)
		f(ev)
	}
}

// Deliver delivers an event to a receiver. An access is delivered as a batch of one, for producers that have accesses
// as events.
func Deliver(to Receiver, ev *Event) {
	if ev.Kind == EventAccess {
		to.Accesses(batchOf(ev))
	} else {
		to.Event(ev)
	}
}

// batchOf returns a batch with one access. It points into the event.
func batchOf(ev *Event) *Batch {
	class := &AccessClass{
		Site: ev.Site, Bytes: ev.Bytes, Scalar: ev.Scalar, Space: ev.Space, Access: ev.Access, Atomic: ev.Atomic,
		Sem:   ev.Sem,
		Piece: ev.Piece, Scope: ev.Scope, Proxy: ev.Proxy, Wide: ev.Wide, Reduces: ev.Reduces,
	}
	a := Access{
		AccessClass: class, Mask: ev.Mask, Next: ev.Next, Same: ev.Same, Wrote: ev.Wrote, Addr: &ev.Addr,
		Ages: ev.Ages, Again: ev.Again,
	}
	if ev.Valued {
		a.New, a.Old = &ev.New, &ev.Old
	}
	return &Batch{
		Block: ev.Block, Cluster: ev.Cluster, Warp: ev.Warp, Live: ev.Live, Async: ev.Async, Op: ev.Op,
		Pipe: ev.Pipe, List: []Access{a},
	}
}

// Access is an access of a batch. Mask, Next, Same and Wrote are as in Event.
type Access struct {
	*AccessClass
	Mask       uint32
	Next, Same uint32
	Wrote      uint32
	// If Addr is nil, lane i accesses address Base + i*Step. With Step = Bytes, the lanes access consecutive values;
	// with 0, they all access one value.
	Base, Step uint64
	Addr       *[WarpLanes]uint64
	New        *[WarpLanes]uint64 // values written, nil if unknown
	Old        *[WarpLanes]uint64 // values read by read-modify-write operations, nil if unknown
	Ages       *[WarpLanes]uint64 // as in Event
	Again      bool
}

// AccessClass is the static part of the accesses of one instruction to one space. Its fields are as in Event. It never
// changes: listeners may keep its address and compare addresses.
type AccessClass struct {
	Site    uint32
	Bytes   uint32
	Scalar  uint32
	Piece   uint32
	Space   Space
	Access  AccessKind
	Atomic  AtomicOp
	Sem     Semantics
	Scope   Scope
	Proxy   Proxy
	Wide    bool
	Reduces bool
}

// Weak reports whether the accesses cannot be used for synchronisation.
func (c *AccessClass) Weak() bool { return c.Sem <= SemWeak && c.Access != AccessRMW }

// SharedRank returns the rank in its cluster of the block to whose shared memory an address in the shared window
// belongs. The emulator has it in bits 24 to 31, above the offset.
func SharedRank(addr uint64) uint32 { return uint32(addr) >> 24 }

// At returns the address that a lane of Mask accesses.
func (a *Access) At(lane int) uint64 {
	if a.Addr != nil {
		return a.Addr[lane]
	}
	return a.Base + uint64(lane)*a.Step
}

// Event sets ev to the event of an access of the batch. It may leave addresses and values of lanes outside its mask
// unchanged.
func (b *Batch) Event(a *Access, ev *Event) {
	ev.Kind, ev.Block, ev.Cluster, ev.Warp, ev.Live = EventAccess, b.Block, b.Cluster, b.Warp, b.Live
	s := a.AccessClass
	ev.Site, ev.Bytes, ev.Scalar, ev.Space, ev.Access, ev.Atomic = s.Site, s.Bytes, s.Scalar, s.Space, s.Access,
		s.Atomic
	ev.Piece, ev.Sem, ev.Scope, ev.Proxy, ev.Reduces = s.Piece, s.Sem, s.Scope, s.Proxy, s.Reduces
	ev.Async, ev.Op, ev.Pipe = b.Async, b.Op, b.Pipe
	ev.Mask, ev.Next, ev.Same, ev.Wrote = a.Mask, a.Next, a.Same, a.Wrote
	ev.Valued, ev.Wide, ev.Ages = a.New != nil, a.New != nil && s.Wide, a.Ages
	ev.Again = a.Again
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

// eventOf sets the address and the values of a lane.
func (a *Access) eventOf(lane int, ev *Event) {
	ev.Addr[lane] = a.At(lane)
	if a.New != nil {
		ev.New[lane] = a.New[lane]
	}
	if a.Old != nil {
		ev.Old[lane] = a.Old[lane]
	}
}
