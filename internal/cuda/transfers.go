// Copies, fills, allocations and releases as operations of streams, by the table of CUDA's synchronisation
// (order.Rules).

package cuda

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/order"
)

// form chooses between the synchronous and the asynchronous form of a call.
func form(in In, sync, async order.Call) order.Call {
	if in.Sync {
		return sync
	}
	return async
}

// kindAt returns the kind of memory at an address of the device.
func (p *Process) kindAt(address uint64) order.Memory {
	if a := p.memory.at(address); a != nil {
		return a.kind
	}
	if v := p.modules.variableAt(address); v != nil && v.shared != nil {
		return order.Managed
	}
	return order.DeviceMemory
}

// copied adds a copy to its stream as an operation. Address 0 stands for memory of the host that only the host reaches.
func (s *streams) copied(what string, in In, to, from, size uint64) {
	c := form(in, order.Copy, order.CopyAsync)
	if in.Across {
		c = order.CopyPeer
	}
	kinds := [2]order.Memory{order.Pageable, order.Pageable}
	for i, address := range [2]uint64{from, to} {
		if address != 0 {
			kinds[i] = s.p.kindAt(address)
		}
	}
	done := s.begin("a "+what, in, order.RuleOf(c, kinds[0], kinds[1]), to, from)
	defer done()
	if from != 0 {
		s.touch(from, size, false)
	}
	if to != 0 {
		s.touch(to, size, true)
	}
}

// fills begins a fill, as begin does.
func (s *streams) fills(in In, to uint64) (done func()) {
	rule := order.RuleOf(form(in, order.Fill, order.FillAsync), order.AnyMemory, s.p.kindAt(to))
	return s.begin("a fill", in, rule, to)
}

// begin adds a copy or fill of memory at some addresses to its stream as an operation, or continues one. touch adds
// memory to it until done is called.
func (s *streams) begin(what string, in In, rule *order.Rule, addresses ...uint64) (done func()) {
	s.dependents.before = ""
	if s.tracker == nil {
		return func() {}
	}
	if s.moving = s.moved; !s.continues(in) {
		s.moving = s.another(what, in, rule, addresses...)
	}
	return func() {
		s.moved, s.moving = s.moving, nil
		if rule.Host == order.ForOperation {
			s.tracker.HostWaits(rule.Host, in.Device, in.Stream, 0)
		}
	}
}

// continues reports whether a call continues the latest copy or fill.
func (s *streams) continues(in In) bool {
	return in.Part && s.moved != nil && s.moved.Stream == in.Stream && s.moved.Label.(label).path == in.Path
}

// another begins a copy, a fill or a call of a library as a new operation.
func (s *streams) another(what string, in In, rule *order.Rule, addresses ...uint64) *order.Operation {
	s.uses(s.deviceOf(in.Stream))
	if rule.Host == order.ForStream {
		s.tracker.HostWaits(rule.Host, in.Device, in.Stream, 0)
	}
	l := s.label(what, in)
	if rule.Device == order.AllStreams {
		devices := []order.Device{in.Device}
		for _, address := range addresses {
			if a := s.p.memory.at(address); a != nil && !slices.Contains(devices, a.device) {
				devices = append(devices, a.device)
			}
		}
		return s.tracker.BeginAcross(in.Stream, l, devices...)
	}
	return s.tracker.Begin(in.Stream, l)
}

// touch records that the running copy or fill reads or writes memory.
func (s *streams) touch(address, size uint64, write bool) {
	if s.moving != nil {
		s.tracker.Touch(s.moving, order.WholeOperation, address, size, write)
	}
}

// allocated adds an allocation to its stream as an operation, which other operations that use the memory must follow.
func (s *streams) allocated(a *allocation, in In) {
	s.start()
	s.tracker.Allocated(s.tracker.Begin(in.Stream, s.label("an allocation", in)), a.base, a.size)
}

// freed records the release of memory.
func (s *streams) freed(a *allocation, in In) {
	if s.tracker == nil {
		return
	}
	switch rule := order.RuleOf(form(in, order.Free, order.FreeAsync), order.AnyMemory, a.kind); {
	case rule.Device == order.InStream:
		s.tracker.Released(s.tracker.Begin(in.Stream, s.label("a release of memory", in)), a.base, a.size)
	case rule.Host == order.ForNothing:
		s.tracker.ReleasedByHost(s.hostLabel("a release of memory by the host", in), a.base, a.size)
	default:
		s.tracker.HostWaits(rule.Host, a.device, in.Stream, 0)
		s.tracker.Forget(a.base, a.size)
	}
	if a.shared != nil {
		s.tracker.Unwatch(a.base)
	}
}
