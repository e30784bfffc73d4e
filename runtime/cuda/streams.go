// Memory accesses of operations in streams, and the races between them.

package cuda

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/cuda/order"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// In describes the context of an operation: its stream, whether the host waits for it, and where the host code issued it.
type In struct {
	Stream order.Stream
	Waits  bool
	Path   Path
}

// streams tracks the memory accesses of a process's operations. It begins when the process creates its first stream or shares
// memory with the host; until then, everything is in the default stream.
type streams struct {
	emu.NopListener
	p       *Process
	tracker *order.Tracker   // nil before the first stream and shared memory
	kernel  *order.Operation // the running launch
	stream  order.Stream     // of the running launch
	moving  *order.Operation // the running copy or fill
	listens bool             // accesses of kernels are tracked: from when they could first race with something
	places  map[*rewrite.Inst]order.Place
	recent  [256]recentPlace
	known   []instruction // by place; known[0] stands for a whole operation
	races   []*report.Race
	// undescribed lists places of loaded modules whose description has not been needed yet.
	undescribed []order.Place
}

// start begins tracking.
func (s *streams) start() {
	if s.tracker == nil {
		s.tracker = order.NewTracker(s.found)
	}
}

// shares records memory that is shared with the host.
func (s *streams) shares(address, size uint64) {
	s.start()
	s.tracker.Watch(address, size)
}

// label describes an operation for people. Races of operations with equal labels are reported once.
type label struct {
	kernel string // empty for copies and fills
	text   string
	stream order.Stream
	path   Path
}

func newStreams(p *Process) *streams {
	return &streams{p: p, places: make(map[*rewrite.Inst]order.Place), known: make([]instruction, 1)}
}

// Interest implements emu.Listener.
func (s *streams) Interest() emu.Interest {
	return emu.Interest{Needs: emu.Needs{Skips: !s.listens}, Site: func(*rewrite.Inst) bool { return s.listens }}
}

// Accesses implements emu.BatchListener.
func (s *streams) Accesses(b *emu.Accesses) {
	for a := (emu.Access{}); s.kernel != nil && b.Next(&a); {
		s.accessed(&a)
	}
}

// Access implements emu.Listener.
func (s *streams) Access(ev *emu.AccessEvent) {
	if s.kernel != nil {
		site := emu.AccessSite{Inst: ev.Inst, Kind: ev.Kind, Size: ev.Size}
		s.accessed(&emu.Access{AccessSite: &site, Space: ev.Space, Mask: ev.Mask, Next: ev.Next, Same: ev.Same, Addrs: ev.Addrs})
	}
}

// accessed records the bytes that an access of the running kernel covers. A fence accesses no space.
func (s *streams) accessed(a *emu.Access) {
	if a.Space != isa.SpaceGlobal {
		return
	}
	size, write := uint64(a.Size), a.Kind != isa.AccessLoad
	place := s.placeOf(a.Inst, size)
	if place == foreign {
		return
	}
	for lanes, joined := a.Mask, a.Next|a.Same; lanes != 0; {
		first := bits.TrailingZeros32(lanes)
		last := first + bits.TrailingZeros32(^uint32(uint64(joined)>>(first+1))) // of addresses that are one row
		lanes &^= uint32(uint64(2)<<last - 1)
		from := a.At(first)
		s.tracker.Touch(s.kernel, place, from, a.At(last)+size-from, write)
	}
}

// foreign is the place of an instruction that a detector has inserted.
const foreign = ^order.Place(0)

// recentPlace is an entry of a cache of places, which is faster than a map.
type recentPlace struct {
	in    *rewrite.Inst
	place order.Place
}

// placeOf returns the place of an instruction with accesses of the given size.
func (s *streams) placeOf(in *rewrite.Inst, size uint64) order.Place {
	recent := &s.recent[uint64(in.Line)%uint64(len(s.recent))]
	if recent.in != in {
		*recent = recentPlace{in, s.place(in, size)}
	}
	return recent.place
}

// place is placeOf without the cache.
func (s *streams) place(in *rewrite.Inst, size uint64) order.Place {
	p, ok := s.places[in]
	if !ok {
		p = foreign
		if own := s.p.session.Own(in); own != nil {
			p = order.Place(len(s.known))
			s.known, s.undescribed = append(s.known, instruction{of: own}), append(s.undescribed, p)
			switch scope := own.StrongScope(); {
			case !own.Strong():
			case scope == isa.ScopeSys:
				s.tracker.Signals(p)
				s.tracker.Strong(p, size)
			case scope == isa.ScopeGPU:
				s.tracker.Strong(p, size)
			}
		}
		s.places[in] = p
	}
	return p
}

// beginKernel adds a launch to its stream as an operation.
func (s *streams) beginKernel(name string, in In) {
	s.stream = in.Stream
	if s.tracker != nil && s.tracker.Matters() {
		if !s.listens {
			s.listens = true
			s.p.session.ListenerChanged()
		}
		s.kernel = s.tracker.Begin(in.Stream, label{kernel: name, text: "a launch in " + streamText(in.Stream), stream: in.Stream, path: in.Path})
	}
}

func (s *streams) endKernel() { s.kernel = nil }

// copied adds a copy to its stream as an operation. Address 0 stands for the host's side.
func (s *streams) copied(what string, in In, to, from, size uint64) {
	done := s.begin(what, in)
	defer done()
	if from != 0 {
		s.touch(from, size, false)
	}
	if to != 0 {
		s.touch(to, size, true)
	}
}

// begin adds a copy or fill to its stream as an operation. touch adds memory to it until done is called.
func (s *streams) begin(what string, in In) (done func()) {
	if s.tracker == nil {
		return func() {}
	}
	s.moving = s.tracker.Begin(in.Stream, label{text: "a " + what + " in " + streamText(in.Stream), stream: in.Stream, path: in.Path})
	return func() {
		s.moving = nil
		if in.Waits {
			s.tracker.SynchronizeStream(in.Stream)
		}
	}
}

// touch records that the running copy or fill reads or writes memory.
func (s *streams) touch(address, size uint64, write bool) {
	if s.moving != nil {
		s.tracker.Touch(s.moving, 0, address, size, write)
	}
}

// freed records that memory is freed, for which the host waits for all operations (CUDA Runtime API, "cudaFree").
func (s *streams) freed(a *allocation) {
	if s.tracker != nil {
		s.tracker.Synchronize()
		s.tracker.Forget(a.base, a.size)
		if a.shared != nil {
			s.tracker.Unwatch(a.base)
		}
	}
}

// allocated adds an allocation to its stream as an operation, which other operations that use the memory must follow.
func (s *streams) allocated(a *allocation, in In) {
	if s.tracker != nil {
		s.tracker.Allocated(s.tracker.Begin(in.Stream, label{text: "an allocation in " + streamText(in.Stream), stream: in.Stream, path: in.Path}), a.base, a.size)
	}
}

// released adds the end of an allocation to a stream as an operation, which must follow those that have used the memory.
func (s *streams) released(a *allocation, in In) {
	if s.tracker != nil {
		s.tracker.Released(s.tracker.Begin(in.Stream, label{text: "a release of memory in " + streamText(in.Stream), stream: in.Stream, path: in.Path}), a.base, a.size)
		if a.shared != nil {
			s.tracker.Unwatch(a.base)
		}
	}
}

func streamText(s order.Stream) string {
	if s == 0 {
		return "the default stream"
	}
	return fmt.Sprintf("stream %d", s)
}

// found reports a conflict as a race.
func (s *streams) found(c order.Conflict) {
	if s.p.unwatched {
		return
	}
	second := c.Second.Operation.Label.(label)
	kind, cause := kindOf(&second)
	x := &report.Race{
		Kind: kind, Cause: cause, Space: "global", Address: report.Hex(c.Address),
		Symbol: s.p.symbol(c.Address), Size: c.Size, Count: 1, First: s.access(&c.First), Second: s.access(&c.Second),
	}
	s.races = append(s.races, x)
}

func (s *streams) access(t *order.Touch) report.Access {
	l := t.Operation.Label.(label)
	a := report.Access{Access: "read", Kernel: l.kernel, Operation: l.text}
	if t.Write {
		a.Access = "write"
	}
	s.p.locate(&a, &l)
	in := &s.known[t.Place]
	if in.describe(); in.text == "" {
		return a
	}
	if in.atomic {
		a.Access = "atomic"
	}
	a.Instruction, a.PTX, a.Source = in.text, in.ptx, in.source
	if in.function != l.kernel {
		a.Function = in.function
	}
	return a
}

// instruction describes an instruction for reports, also after its module has been unloaded.
type instruction struct {
	of             *rewrite.Inst // nil once the other fields are filled in
	text, function string
	atomic         bool
	ptx            report.Place
	source         *report.Source
}

// describe fills in the fields for reports.
func (i *instruction) describe() {
	if in := i.of; in != nil {
		*i = instruction{
			text: session.OpcodeText(in), function: in.Func.Name, atomic: in.Access.Kind == isa.AccessAtomic,
			ptx: report.Place{File: in.Func.Module.AST.File.Name, Line: in.Line}, source: session.SourceOf(in),
		}
	}
}

// unloaded drops the instructions of a module. Their descriptions are kept for reports.
func (s *streams) unloaded(m *rewrite.Module) {
	s.undescribed = slices.DeleteFunc(s.undescribed, func(p order.Place) bool {
		in := &s.known[p]
		if in.of != nil && in.of.Func.Module == m {
			in.describe()
		}
		return in.of == nil
	})
	inside := s.p.opts.InsideKernel() // the running module is another one
	maps.DeleteFunc(s.places, func(in *rewrite.Inst, _ order.Place) bool { return inside || in.Func.Module == m })
	s.recent = [len(s.recent)]recentPlace{}
}

// symbol names an address.
func (p *Process) symbol(address uint64) string {
	r, err := p.span(address, 1)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s+0x%x", r.object.Name(), r.offset)
}

// Order is a kind of call that orders operations.
type Order uint32

// Kinds of calls that order operations. The numbers are those of wire.h.
const (
	OrderCreate     Order = iota // a stream is created; a token of 1 says that it is non-blocking
	OrderStream                  // the host waits for a stream
	OrderDevice                  // the host waits for all streams
	OrderRecord                  // an event is recorded in a stream; the token is the event
	OrderWait                    // a stream waits for an event
	OrderEvent                   // the host waits for an event
	OrderCallback                // a stream calls a host function
	OrderEnd                     // a stream is destroyed; its operations still complete
	OrderEndEvent                // an event is destroyed
	OrderStreamDone              // the host has found that a stream has completed all its operations
	OrderEventDone               // the host has found that an event has completed
)

// Order records a call that orders operations.
func (p *Process) Order(what Order, stream order.Stream, token uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.streams
	s.start()
	p.suspended.order(what, stream, token)
	switch what {
	case OrderCreate:
		s.tracker.Create(stream, token == 0)
	case OrderStream, OrderStreamDone:
		s.tracker.SynchronizeStream(stream)
	case OrderCallback:
		s.tracker.Call(stream)
	case OrderDevice:
		s.tracker.Synchronize()
	case OrderRecord:
		s.tracker.Record(token, stream)
	case OrderWait:
		s.tracker.Wait(stream, token)
	case OrderEvent, OrderEventDone:
		s.tracker.SynchronizeEvent(token)
	case OrderEnd:
		s.tracker.End(stream)
	case OrderEndEvent:
		s.tracker.EndEvent(token)
	default:
		return errorf(InvalidValue, "an order of kind %d", what)
	}
	return nil
}
