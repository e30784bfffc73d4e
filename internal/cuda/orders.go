// Calls that order operations and the host, by the table of CUDA's synchronisation (order.Rules).

package cuda

import "github.com/ptxsan/ptxsan/internal/order"

// Order is a kind of call that orders operations, or a step of one.
type Order uint32

// Kinds of calls that order operations. The numbers are those of wire.h.
const (
	OrderCreate        Order = iota // a stream is created; bits of the token say what it is
	OrderStream                     // the host waits for a stream
	OrderDevice                     // the host waits for all streams
	OrderRecord                     // an event is recorded in a stream; the token is the event
	OrderWait                       // a stream waits for an event
	OrderEvent                      // the host waits for an event
	OrderFunction                   // a stream is given a host function
	OrderEnd                        // a stream is destroyed; its operations still complete
	OrderEndEvent                   // an event is destroyed
	OrderStreamDone                 // the host has found that a stream has completed all its operations
	OrderEventDone                  // the host has found that an event has completed
	OrderFunctionRuns               // the host function of a stream begins
	OrderBranch                     // a stream becomes a branch of a graph that another one launches; the token is that one
	OrderAllocated                  // a node of a graph allocates memory at an address, the token
	OrderReleased                   // a node of a graph releases it
	OrderRecordLet                  // an event is recorded when the blocks of the latest launch have let dependent grids begin
	OrderRecordStarted              // an event is recorded when these blocks, each at its beginning, let dependent grids begin
	OrderRecordBegun                // an event is recorded when these blocks have begun
	OrderOverlaps                   // launches from now on may begin before the end of the one before
	OrderFunctionEnds               // the host function of a stream that has had to wait ends; the token is its number
)

// Bits of the token of OrderCreate.
const (
	nonBlocking = 1 << iota // the stream does not synchronise with the default stream
	ofThread                // the stream is the default stream of a thread
)

// groups are the groups of the table of synchronisation of those calls for which the host may wait.
var groups = map[Order]order.Call{
	OrderStream: order.SynchronizeStream, OrderStreamDone: order.SynchronizeStream,
	OrderDevice: order.SynchronizeDevice,
	OrderEvent:  order.SynchronizeEvent, OrderEventDone: order.SynchronizeEvent, OrderEnd: order.DestroyStream,
}

// Order records a call that orders operations, which is made while a device is current.
func (p *Process) Order(what Order, d order.Device, stream order.Stream, token uint64) error {
	if what > OrderFunctionEnds {
		return errorf(InvalidValue, "an order of kind %d", what)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.start()
	p.streams.uses(d)
	if c, ok := groups[what]; ok {
		p.streams.tracker.HostWaits(order.RuleOf(c, order.AnyMemory, order.AnyMemory).Host, d, stream, token)
	}
	p.streams.order(what, d, stream, token)
	return nil
}

// order records what a call does to the order of operations on the device.
func (s *streams) order(what Order, d order.Device, stream order.Stream, token uint64) {
	switch what {
	case OrderCreate:
		s.tracker.Create(stream, d, token&nonBlocking == 0)
		if token&ofThread != 0 {
			s.names[stream] = "the default stream of a thread" + s.ofDevice(d)
		}
	case OrderRecord:
		s.tracker.Record(token, stream)
	case OrderRecordLet, OrderRecordStarted:
		s.tracker.RecordLet(token, stream, what == OrderRecordStarted)
	case OrderRecordBegun:
		s.tracker.RecordBegun(token, stream)
	case OrderOverlaps:
		s.depends()
	case OrderWait:
		s.tracker.Wait(stream, token)
	case OrderFunction:
		s.functions[stream] = s.tracker.Begin(stream, s.label(hostFunction, In{Stream: stream}))
	case OrderFunctionRuns:
		s.runs(stream)
	case OrderBranch:
		s.branch(stream, d, order.Stream(token))
	case OrderAllocated, OrderReleased:
		s.memoryNode(what, stream, token)
	case OrderEnd:
		s.tracker.End(stream)
		delete(s.names, stream)
		delete(s.running, stream)
	case OrderEndEvent:
		s.tracker.EndEvent(token)
		s.p.endEvent(token)
	}
}

// memoryNode records that a node of a graph allocates or releases memory, which exists as long as the graph.
func (s *streams) memoryNode(what Order, stream order.Stream, address uint64) {
	switch a := s.p.memory.at(address); {
	case a == nil:
	case what == OrderAllocated:
		s.allocated(a, In{Stream: stream})
	default:
		s.tracker.Released(s.tracker.Begin(stream, s.label("a release of memory", In{Stream: stream})), a.base, a.size)
	}
}

// reset forgets the streams, after which all operations have ended.
func (s *streams) reset() {
	if s.tracker != nil {
		s.tracker.Reset()
	}
	s.moved = nil
	s.dependents.reset(s.p.opts)
	clear(s.names)
	clear(s.functions)
	clear(s.running)
}

// runs records that the host function of a stream begins: from now on it may inform any thread that the stream has come
// so far.
func (s *streams) runs(stream order.Stream) {
	if f := s.functions[stream]; f != nil {
		s.tracker.Inform(f)
		s.running[stream] = f
		delete(s.functions, stream)
	}
}

// branch makes a stream a branch of a graph that another one launches. It is ordered with that one by events only.
func (s *streams) branch(stream order.Stream, d order.Device, of order.Stream) {
	if s.names[stream] == "" {
		s.tracker.Branch(stream, d)
	}
	s.names[stream] = branchOf + s.name(of)
}
