// Launches that wait for the host: kernels that spin until the host has changed memory. On a GPU, the host would
// continue meanwhile.

package cuda

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/order"
)

// hostWaits says what waits for the host.
type hostWaits struct {
	suspended *suspendedLaunch        // the launch that waits for the host; nil for none
	stall     func(changed bool) bool // Launch.Stalled of the current launch
	forValue  bool                    // a stream waits for a value in memory, and no kernel runs
}

// suspendedLaunch is a launch that waits for the host, with the operations that follow it.
type suspendedLaunch struct {
	tracker *order.Tracker
	streams map[order.Stream]bool // streams whose next operation must wait for the end of the launch
	events  map[uint64]bool       // events that occur at its end
}

// stalled lets the host continue while the current launch waits for it.
func (p *Process) stalled(changed bool) bool {
	s := p.streams
	if p.waits.stall == nil || s.tracker == nil || !s.tracker.Beside() { // no one can change what the threads wait for
		return false
	}
	if p.waits.suspended == nil {
		p.waits.suspended = &suspendedLaunch{
			tracker: s.tracker, streams: map[order.Stream]bool{s.stream: true},
			events: make(map[uint64]bool),
		}
	}
	p.mu.Unlock()
	defer p.mu.Lock()
	return p.waits.stall(changed)
}

// order records an operation that orders others after the launch.
func (s *suspendedLaunch) order(what Order, stream order.Stream, token uint64) {
	switch {
	case s == nil:
	case what == OrderRecord, what >= OrderRecordLet && what <= OrderRecordBegun:
		s.events[token] = s.behind(stream)
	case what == OrderWait && s.events[token]:
		s.streams[stream] = true
	}
}

// recorded returns the events that occur at the end of the launch.
func (s *suspendedLaunch) recorded() (events []uint64) {
	for id, behind := range s.events {
		if behind {
			events = append(events, id)
		}
	}
	slices.Sort(events)
	return events
}

// behind reports whether the next operation of a stream must wait for the end of the launch.
func (s *suspendedLaunch) behind(stream order.Stream) bool {
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

// Overtaken records that the launch which waits for the host is ended because the application has requested another
// one. On a GPU, that might let the first go on: kernels of different streams may run at the same time.
func (p *Process) Overtaken() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unchecked.overtaken++
}

// overtakenNote says how many launches were ended because of another one.
func overtakenNote(n int) string {
	kernels := "1 kernel"
	if n > 1 {
		kernels = fmt.Sprintf("%d kernels", n)
	}
	return "not checked: how kernels wait for each other, which run one at a time, whatever their streams: " + kernels +
		" waited for memory to change when the application launched another one"
}

// Awaits reports whether the next operation of a stream has to wait for a launch that waits for the host.
func (p *Process) Awaits(stream order.Stream) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waits.suspended != nil && p.waits.suspended.behind(stream)
}

// OrderAwaits reports whether an ordering operation has to wait for a launch that waits for the host.
func (p *Process) OrderAwaits(what Order, stream order.Stream, token uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.waits.suspended
	switch {
	case s == nil:
		return false
	case what == OrderStream, what == OrderStreamDone, what == OrderFunction:
		return s.behind(stream)
	case what == OrderEvent, what == OrderEventDone:
		return s.events[token]
	}
	return what == OrderDevice
}
