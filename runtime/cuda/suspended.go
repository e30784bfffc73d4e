// Launches that wait for the host: kernels that spin until the host has changed memory, as a GPU
// lets them while the host goes on.

package cuda

import "github.com/ptxsan/ptxsan/runtime/cuda/order"

// suspended is a launch that waits for the host, and what comes after it.
type suspended struct {
	tracker *order.Tracker
	streams map[order.Stream]bool // whose next operation begins when the launch has ended
	events  map[uint64]bool       // that happen when it has ended
}

// stalled lets the host go on while the launch that runs waits for it.
func (p *Process) stalled(changed bool) bool {
	s := p.streams
	if p.stall == nil || s.tracker == nil || !s.tracker.Matters() { // nobody can reach what the threads wait for
		return false
	}
	if p.suspended == nil {
		p.suspended = &suspended{tracker: s.tracker, streams: map[order.Stream]bool{s.stream: true}, events: make(map[uint64]bool)}
	}
	p.mu.Unlock()
	defer p.mu.Lock()
	return p.stall(changed)
}

// order takes note of what orders operations behind the launch.
func (s *suspended) order(what Order, stream order.Stream, token uint64) {
	switch {
	case s == nil:
	case what == OrderRecord:
		s.events[token] = s.behind(stream)
	case what == OrderWait && s.events[token]:
		s.streams[stream] = true
	}
}

// behind reports whether the next operation of a stream begins when the launch has ended.
func (s *suspended) behind(stream order.Stream) bool {
	if s.streams[stream] || stream != 0 && s.streams[0] && s.tracker.Blocking(stream) {
		return true
	}
	if stream == 0 {
		for other := range s.streams {
			if s.tracker.Blocking(other) {
				return true
			}
		}
	}
	return false
}

// Awaits reports whether the next operation of a stream has to wait for a launch that waits for the host.
func (p *Process) Awaits(stream order.Stream) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.suspended != nil && p.suspended.behind(stream)
}

// OrderAwaits reports whether something that orders operations has to wait for a launch that waits for the
// host.
func (p *Process) OrderAwaits(what Order, stream order.Stream, token uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.suspended
	switch {
	case s == nil:
		return false
	case what == OrderStream, what == OrderStreamDone, what == OrderCallback:
		return s.behind(stream)
	case what == OrderEvent, what == OrderEventDone:
		return s.events[token]
	}
	return what == OrderDevice
}
