// Vector clocks over streams, and the operations that join them.

package order

import (
	"maps"
	"slices"
)

// Stream is a stream of the application. The default stream is 0.
type Stream uint32

// clock is a vector clock: for each stream, the number of its operations that happen before.
type clock map[Stream]uint32

// join sets c to the maximum of both clocks.
func (c clock) join(other clock) {
	for s, n := range other {
		c[s] = max(c[s], n)
	}
}

func (c clock) clone() clock { return maps.Clone(c) }

// Tracker maintains the happens-before order of a process's operations. It is not safe for use by several goroutines.
type Tracker struct {
	host    clock
	streams map[Stream]*stream
	events  map[uint64]clock
	shadow  map[uint64]*page
	toucher []toucher // toucher[0] stands for nobody
	touches map[toucher]touch
	strong  map[Place]uint64 // places of strong accesses, with the access size
	last    lastToucher
	// followed caches the latest pair of operations of which the second follows the first: most words were accessed by one
	// operation.
	followed   struct{ first, by *Operation }
	operations int // number of operations kept
	births     []birth
	found      map[pair]bool
	report     func(Conflict)
	hosts      hosts
	several    bool     // a stream besides the default one has existed
	ended      []Stream // streams that the application has destroyed and not yet waited for
}

// lastToucher caches the place of the operation that accessed memory last.
type lastToucher struct {
	toucher
	touch
}

type stream struct {
	clock    clock
	blocking bool // synchronises implicitly with the default stream
	settled  bool // it has ended, and the host has waited for all of it: everything from now on follows it
}

// NewTracker makes a tracker, which calls report for each pair of places that conflict, once.
func NewTracker(report func(Conflict)) *Tracker {
	t := &Tracker{
		host: clock{}, streams: make(map[Stream]*stream), events: make(map[uint64]clock),
		toucher: make([]toucher, 1), strong: make(map[Place]uint64), touches: make(map[toucher]touch), shadow: make(map[uint64]*page), found: make(map[pair]bool), report: report,
	}
	t.streams[0] = &stream{clock: clock{}, blocking: true}
	t.hosts.open, t.hosts.signals = make(map[uint64]*openPage), make(map[Place]bool)
	return t
}

// Create adds a stream. A stream that is not blocking is not ordered with the default stream.
func (t *Tracker) Create(s Stream, blocking bool) {
	t.several = true
	t.streams[s] = &stream{clock: t.host.clone(), blocking: blocking}
}

// End records that the application destroys a stream. Operations that were issued to the stream still complete. Once
// the host has waited for all of them, the stream's entry is removed from all clocks.
func (t *Tracker) End(s Stream) {
	if s != 0 && t.streams[s] != nil {
		t.ended = append(t.ended, s)
		t.settle()
	}
}

// settle removes the streams that have ended and that the host has waited for.
func (t *Tracker) settle() {
	t.ended = slices.DeleteFunc(t.ended, func(s Stream) bool {
		st := t.streams[s]
		if st != nil && st.clock[s] > t.host[s] {
			return false
		}
		if st != nil {
			st.settled = true
			delete(t.streams, s)
			delete(t.host, s)
			for _, o := range t.streams {
				delete(o.clock, s)
			}
		}
		return true
	})
}

// joinOld is c.join for an earlier clock, which may have entries of removed streams.
func (t *Tracker) joinOld(c, old clock) {
	for s, n := range old {
		if t.streams[s] != nil {
			c[s] = max(c[s], n)
		}
	}
}

// Blocking reports whether a stream synchronises implicitly with the default stream.
func (t *Tracker) Blocking(s Stream) bool { return t.of(s).blocking }

// of returns a stream. It adds streams that an incorrect process uses without creating them.
func (t *Tracker) of(s Stream) *stream {
	if t.streams[s] == nil {
		t.Create(s, true)
	}
	return t.streams[s]
}

// Operation is one operation of a stream.
type Operation struct {
	Stream Stream
	Label  any // the caller's

	in     *stream
	number uint32 // among those of its stream
	before clock
}

// Begin adds the next operation of a stream.
func (t *Tracker) Begin(s Stream, label any) *Operation {
	st := t.next(s)
	o := &Operation{Stream: s, Label: label, in: st, number: st.clock[s] + 1, before: st.clock.clone()}
	t.operations++
	st.clock[s] = o.number
	return o
}

// next prepares a stream for another item: an operation, or an event to record or to wait for. The item follows the earlier
// items of the stream and everything that the host has waited for. In the default stream it also follows the items of all
// blocking streams, and in a blocking stream those of the default stream.
func (t *Tracker) next(s Stream) *stream {
	st := t.of(s)
	st.clock.join(t.host)
	switch {
	case s != 0 && st.blocking:
		st.clock.join(t.streams[0].clock)
	case s == 0:
		for _, o := range t.streams {
			if o.blocking {
				st.clock.join(o.clock)
			}
		}
	}
	return st
}

// SynchronizeStream makes the host wait for a stream.
func (t *Tracker) SynchronizeStream(s Stream) {
	t.host.join(t.of(s).clock)
	t.waited()
}

// Call makes a stream call a host function, which may inform any thread that the stream has come so far.
func (t *Tracker) Call(s Stream) {
	t.host.join(t.next(s).clock)
	t.waited()
}

// waited is called when the host has waited for operations: later operations cannot race with them.
func (t *Tracker) waited() {
	t.settle()
	t.hosts.stale = true
	if t.operations > mostOperations && t.idle() {
		t.forgetAll()
	}
}

// idle reports whether the host has waited for all operations.
func (t *Tracker) idle() bool {
	for s, st := range t.streams {
		if st.clock[s] > t.host[s] {
			return false
		}
	}
	return true
}

// Synchronize makes the host wait for all streams.
func (t *Tracker) Synchronize() {
	for _, s := range t.streams {
		t.host.join(s.clock)
	}
	t.waited()
}

// Reset makes the host wait for all streams, removes the streams and events, and empties the shadow memory.
func (t *Tracker) Reset() {
	for s := range t.streams {
		t.ended = append(t.ended, s)
	}
	t.ended = slices.DeleteFunc(t.ended, func(s Stream) bool { return s == 0 })
	t.Synchronize()
	t.several = false
	clear(t.events)
	t.forgetAll()
	t.births = nil
	t.hosts.watched, t.hosts.last.op = nil, nil
	clear(t.hosts.open)
}

// mostOperations is the maximum number of operations kept when the host has waited for all.
const mostOperations = 4096

// Record makes an event represent the items of a stream so far.
func (t *Tracker) Record(event uint64, s Stream) { t.events[event] = t.next(s).clock.clone() }

// Wait makes a stream wait for an event.
func (t *Tracker) Wait(s Stream, event uint64) { t.joinOld(t.next(s).clock, t.events[event]) }

// EndEvent removes an event.
func (t *Tracker) EndEvent(event uint64) { delete(t.events, event) }

// SynchronizeEvent makes the host wait for an event.
func (t *Tracker) SynchronizeEvent(event uint64) {
	t.joinOld(t.host, t.events[event])
	t.waited()
}

// follows reports whether o begins after the earlier operation has ended.
func (o *Operation) follows(earlier *Operation) bool {
	return earlier.in.settled || o.before[earlier.Stream] >= earlier.number
}
