// Operations of streams, and what orders them.

package order

import "slices"

// Stream is a stream of the application. The default stream is 0.
type Stream uint32

// Tracker maintains the happens-before order of a process's operations. It is not safe for use by several goroutines.
type Tracker struct {
	host    clock
	streams map[Stream]*stream
	events  map[uint64]eventMark
	shadow  map[uint64]*page
	toucher []toucher // toucher[0] stands for nobody
	touches map[toucher]touch
	strong  map[Place]uint64 // places of strong accesses, with the access size
	last    lastToucher
	// followed caches the latest pair of operations of which the second follows the first: most words were accessed by
	// one operation.
	followed struct {
		first, by *Operation
		wrote     bool
	}
	operations int // number of operations kept
	births     []birth
	found      map[pair]bool
	report     func(Conflict)
	hosts      hosts
	signals    signals
	several    bool     // a stream besides the default one has existed, or memory that a stream allocates
	across     clock    // operations that all later ones follow
	ended      []Stream // streams that the application has destroyed and not yet waited for
	removed    int      // number of streams that have been removed
}

// lastToucher caches the place of the operation that accessed memory last.
type lastToucher struct {
	toucher
	touch
}

type stream struct {
	moment
	blocking bool    // synchronises implicitly with the default stream
	branch   bool    // a branch of a graph, which follows neither the host nor other streams but by events
	settled  bool    // it has ended, and the host has waited for all of it: everything from now on follows it
	last     *Grid   // the last operation, if it is a grid
	awaits   []*Grid // grids that have let dependent grids begin, for the next operation
}

// moment is a point in the sequence of a stream's items.
type moment struct {
	stream Stream
	number uint32 // number of operations of the stream so far
	others clock  // operations of other streams that happen before
}

// eventMark is what an event represents.
type eventMark struct {
	moment
	removed int   // number of streams that had been removed
	let     *Grid // of which it represents that it has let dependent grids begin; nil for the items so far
}

// join returns the clock that has, besides c, the moment and what happens before it.
func (c clock) join(m *moment) clock { return c.union(m.others).with(m.stream, m.number) }

// NewTracker makes a tracker, which calls report for each pair of places that conflict, once.
func NewTracker(report func(Conflict)) *Tracker {
	t := &Tracker{
		streams: make(map[Stream]*stream), events: make(map[uint64]eventMark),
		toucher: make([]toucher, 1), strong: make(map[Place]uint64), touches: make(map[toucher]touch),
		shadow: make(map[uint64]*page), found: make(map[pair]bool), report: report,
	}
	t.streams[0] = &stream{blocking: true}
	t.signals = signals{
		release: make(map[Place]bool), await: make(map[Place]bool), silent: make(map[[2]*Operation]Place),
	}
	t.Releases(Release32)
	t.Releases(Release64)
	t.hosts.open, t.hosts.signals = make(map[uint64]*openPage), make(map[Place]bool)
	for i, size := range [...]uint64{4, 8} {
		for _, p := range [...]Place{Value32 + Place(i), Release32 + Place(i)} {
			t.Strong(p, size)
			t.Signals(p)
		}
	}
	return t
}

// Create adds a stream. A stream that is not blocking is not ordered with the default stream.
func (t *Tracker) Create(s Stream, blocking bool) {
	t.several = true
	t.streams[s] = &stream{moment: moment{s, t.host.of(s), t.host}, blocking: blocking}
}

// Branch adds a stream for a branch of a graph: its operations are requested by the launch of the graph, and follow
// what the branch waits for, and nothing else.
func (t *Tracker) Branch(s Stream) {
	t.several = true
	t.streams[s] = &stream{moment: moment{stream: s}, branch: true}
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
	before := t.removed
	t.ended = slices.DeleteFunc(t.ended, func(s Stream) bool {
		st := t.streams[s]
		if st != nil && st.number > t.host.of(s) {
			return false
		}
		if st != nil {
			st.settled = true
			delete(t.streams, s)
			t.removed++
		}
		return true
	})
	if t.removed == before {
		return
	}
	shared := t.host
	t.host, t.across = t.present(shared), t.present(t.across)
	for _, o := range t.streams {
		if o.others.same(shared) { // so that they share their entries again, as after Synchronize
			o.others = t.host
		} else {
			o.others = t.present(o.others)
		}
	}
}

// present returns a clock without entries of streams that have been removed.
func (t *Tracker) present(c clock) clock {
	return c.without(func(s Stream) bool { return t.streams[s] == nil })
}

// joinEvent is c.join for an event. Streams may have been removed since it was recorded.
func (t *Tracker) joinEvent(c clock, e *eventMark) clock {
	if e.removed == t.removed {
		return c.join(&e.moment)
	}
	c = c.union(t.present(e.others))
	if t.streams[e.stream] == nil {
		return c
	}
	return c.with(e.stream, e.number)
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
	number uint32 // among those of its stream, from 1
	before clock  // operations of other streams that happen before
	// then is what it does after its first signal, nil if there is none. Of that, whole is the operation.
	then, whole *Operation
	divisions   int

	// Of a part of a grid:
	grid     *Grid
	part     part
	overlaps []uint32 // past.overlaps
}

// Begin adds the next operation of a stream.
func (t *Tracker) Begin(s Stream, label any) *Operation { return t.begin(t.next(s), label) }

// BeginAcross is Begin for an operation that follows all earlier ones of all streams, and that all later ones follow.
func (t *Tracker) BeginAcross(s Stream, label any) *Operation {
	st := t.next(s)
	for _, o := range t.streams {
		if o != st {
			st.others = st.others.join(&o.moment)
		}
	}
	o := t.begin(st, label)
	t.across = t.across.join(&st.moment)
	return o
}

func (t *Tracker) begin(st *stream, label any) *Operation {
	st.number++
	st.last, st.awaits = nil, nil
	t.operations++
	return &Operation{Stream: st.stream, Label: label, in: st, number: st.number, before: st.others}
}

// next prepares a stream for another item: an operation, or an event to record or to wait for, or the host that waits.
// The item follows the earlier items of the stream and everything that the host has waited for. In the default stream
// it also follows the items of all blocking streams, and in a blocking stream those of the default stream.
func (t *Tracker) next(s Stream) *stream {
	st := t.of(s)
	if st.branch {
		return st
	}
	st.others = t.host.union(st.others).union(t.across)
	switch {
	case s != 0 && st.blocking:
		st.others = st.others.join(&t.streams[0].moment)
	case s == 0:
		for _, o := range t.streams {
			if o.blocking && o != st {
				st.others = st.others.join(&o.moment)
			}
		}
	}
	return st
}

// SynchronizeStream makes the host wait for a stream.
func (t *Tracker) SynchronizeStream(s Stream) {
	t.host = t.host.join(&t.next(s).moment)
	t.waited()
}

// Inform records that a host function, an operation, begins: it may inform any thread that its stream has come so far.
func (t *Tracker) Inform(o *Operation) {
	t.acquire(o)
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
		if st.number > t.host.of(s) {
			return false
		}
	}
	return true
}

// Synchronize makes the host wait for all streams.
func (t *Tracker) Synchronize() {
	for _, s := range t.streams {
		t.host = t.host.join(&s.moment)
	}
	for _, s := range t.streams {
		s.others = t.host // which it includes before its next item
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
	t.several, t.across = false, nil
	clear(t.events)
	t.forgetAll()
	t.births = nil
	t.hosts.watched, t.hosts.last.op = nil, nil
	clear(t.hosts.open)
}

// mostOperations is the maximum number of operations kept when the host has waited for all.
const mostOperations = 4096

// Record makes an event represent the items of a stream so far.
func (t *Tracker) Record(event uint64, s Stream) {
	t.events[event] = eventMark{t.next(s).moment, t.removed, nil}
}

// Wait makes a stream wait for an event.
func (t *Tracker) Wait(s Stream, event uint64) {
	if e, ok := t.events[event]; ok {
		st := t.next(s)
		st.others = t.joinEvent(st.others, &e)
		if e.let != nil {
			st.awaits = append(st.awaits, e.let)
		}
	}
}

// EndEvent removes an event.
func (t *Tracker) EndEvent(event uint64) { delete(t.events, event) }

// SynchronizeEvent makes the host wait for an event.
func (t *Tracker) SynchronizeEvent(event uint64) {
	if e, ok := t.events[event]; ok {
		t.host = t.joinEvent(t.host, &e)
	}
	t.waited()
}

// follows reports whether o begins after an access of the earlier operation has been performed, a write or a read.
func (o *Operation) follows(earlier *Operation, wrote bool) bool {
	switch {
	case earlier.in.settled:
		return true
	case o.in == earlier.in && o.number >= earlier.number:
		return len(o.overlaps) == 0 || !o.mayOverlap(earlier.entire(), wrote)
	}
	return o.before.of(earlier.Stream) >= earlier.number || o.awaited(earlier, wrote)
}
