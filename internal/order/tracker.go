// Operations of streams, and what orders them.

package order

import (
	"maps"
	"slices"
)

// Stream is a stream of the application.
type Stream uint32

// Device is a device of the application, from 0.
type Device uint32

// firstDefault plus the number of a device is the number of its default stream, but for device 0. All other streams
// have smaller numbers.
const firstDefault Stream = 1 << 26

// Default returns the default stream of a device: 0 for device 0.
func Default(d Device) Stream {
	if d == 0 {
		return 0
	}
	return firstDefault + Stream(d)
}

// defaultOf returns the device whose default stream a stream is.
func (s Stream) defaultOf() (d Device, ok bool) {
	if s > firstDefault {
		return Device(s - firstDefault), true
	}
	return 0, s == 0
}

// Tracker maintains the happens-before order of a process's operations. Processes may share an order (Join); the
// numbers of streams, devices, events and places are those of each process. It is not safe for use by several
// goroutines.
type Tracker struct {
	*history
	streams map[Stream]*stream
	devices map[Device]*device
	events  map[uint64]*eventMark
	report  func(Conflict)
	heard   func(reader, writer *Operation)
	hosts   hosts
	marks   marks
	several bool // a stream besides the default one has existed, memory that a stream allocates, or another process
}

// marks is what is known of the places of a process.
type marks struct {
	strong         map[Place]uint64 // places of strong accesses, with the access size
	signals        map[Place]bool   // through which the host may synchronise
	release, await map[Place]bool   // signals between operations, and waits for them
}

// history is the order of the operations of all processes that share it, and what they have touched.
type history struct {
	host    clock
	tracks  map[track]*stream
	newest  track // number of streams so far
	shadow  map[uint64]*page
	toucher []toucher // toucher[0] stands for nobody
	touches map[toucher]touch
	last    lastToucher
	// followed caches the latest pair of operations of which the second follows the first: most words were accessed by
	// one operation.
	followed struct {
		first, by *Operation
	}
	operations int // number of operations kept
	births     []birth
	found      map[pair]bool
	divides    bool // operations are divided at their signals
	// silent and narrow have the places of strong writes of the first operation for which the second one waited: those
	// that were no signals, and signals whose scope, or that of the read, does not reach the other device.
	silent, narrow map[[2]*Operation]Place
	common         map[uint64]*eventMark // events from Common on
	ended          []*stream             // that the application has destroyed and not yet waited for
	removed        int                   // number of streams that have been removed
	waits          uint64                // number of times that the host has waited
	processes      int                   // that share the order; 0 if no other process can join it
	letting        []*Grid               // of which an event represents that they have let dependent grids begin
}

// lastToucher caches the place of the operation that accessed memory last.
type lastToucher struct {
	toucher
	touch
}

// device is a device as a process sees it.
type device struct {
	number  Device
	machine Device // its number among the devices of all processes
	of      *Tracker
	across  clock   // operations that all later ones of the device follow
	grids   []*Grid // latest judged grids, if there are several devices
}

type stream struct {
	moment
	name     Stream
	device   *device
	blocking bool           // synchronises implicitly with the default stream of its device
	branch   bool           // a branch of a graph, which follows neither the host nor other streams but by events
	settled  bool           // it has ended, and the host has waited for all of it: everything from now on follows it
	last     *Grid          // the last operation, if it is a grid
	awaits   []Prerequisite // of the next operation, if that is a grid
}

// moment is a point in the sequence of a stream's items.
type moment struct {
	track  track
	number uint32 // number of operations of the stream so far
	others clock  // operations of other streams that happen before
}

// eventMark is what an event represents.
type eventMark struct {
	moment
	removed int          // number of streams that had been removed
	let     Prerequisite // if it represents that a grid has let dependent grids begin
}

// join returns the clock that has, besides c, the moment and what happens before it.
func (c clock) join(m *moment) clock { return c.union(m.others).with(m.track, m.number) }

// NewTracker makes a tracker, which calls report for each pair of places that conflict, once.
func NewTracker(report func(Conflict)) *Tracker {
	t := &Tracker{
		history: &history{
			tracks: make(map[track]*stream), shadow: make(map[uint64]*page), toucher: make([]toucher, 1),
			touches: make(map[toucher]touch), found: make(map[pair]bool), silent: make(map[[2]*Operation]Place),
			narrow: make(map[[2]*Operation]Place), common: make(map[uint64]*eventMark),
		},
		streams: make(map[Stream]*stream), devices: make(map[Device]*device), events: make(map[uint64]*eventMark),
		marks: marks{
			strong: make(map[Place]uint64), signals: make(map[Place]bool), release: make(map[Place]bool),
			await: make(map[Place]bool),
		},
		report: report,
	}
	t.add(0, &stream{device: t.device(0), blocking: true})
	t.Releases(Release32)
	t.Releases(Release64)
	t.hosts.open = make(map[uint64]*openPage)
	for i, size := range [...]uint64{4, 8} {
		for _, p := range [...]Place{Value32 + Place(i), Release32 + Place(i)} {
			t.Strong(p, size)
			t.Signals(p)
		}
	}
	return t
}

// Create adds a stream of a device. A stream that is not blocking is not ordered with the default stream.
func (t *Tracker) Create(s Stream, d Device, blocking bool) {
	t.several = true
	t.add(s, &stream{device: t.device(d), blocking: blocking})
}

// add adds a stream, whose operations follow what the host has waited for unless it is a branch.
func (t *Tracker) add(s Stream, st *stream) {
	if old := t.streams[s]; old != nil { // of a process that is incorrect
		t.ended = append(t.ended, old)
	}
	t.newest++
	st.name, st.track = s, t.newest
	if !st.branch {
		st.others = t.host
	}
	t.streams[s], t.tracks[st.track] = st, st
}

// AddDevice adds a device besides device 0.
func (t *Tracker) AddDevice(d Device) {
	t.several = true
	t.device(d)
}

// SeveralDevices reports whether there is a device besides device 0.
func (t *Tracker) SeveralDevices() bool { return len(t.devices) > 1 }

// device returns a device.
func (t *Tracker) device(d Device) *device {
	if t.devices[d] == nil {
		t.devices[d] = &device{number: d, machine: d, of: t}
	}
	return t.devices[d]
}

// NameDevice says which device of the machine a device of the process is, if that has another number.
func (t *Tracker) NameDevice(d, machine Device) { t.device(d).machine = machine }

// Branch adds a stream of a device for a branch of a graph: its operations are requested by the launch of the graph,
// and follow what the branch waits for, and nothing else.
func (t *Tracker) Branch(s Stream, d Device) {
	t.several = true
	t.add(s, &stream{device: t.device(d), branch: true})
}

// End records that the application destroys a stream. Operations that were issued to the stream still complete. Once
// the host has waited for all of them, the stream's entry is removed from all clocks.
func (t *Tracker) End(s Stream) {
	if _, lasts := s.defaultOf(); !lasts && t.streams[s] != nil {
		t.ended = append(t.ended, t.streams[s])
		t.settle()
	}
}

// settle removes the streams that have ended and that the host has waited for.
func (t *Tracker) settle() {
	before := t.removed
	t.ended = slices.DeleteFunc(t.ended, func(st *stream) bool {
		if st.number > t.host.of(st.track) {
			return false
		}
		if !st.settled {
			t.remove(st)
		}
		return true
	})
	if t.removed == before {
		return
	}
	shared := t.host
	t.host = t.present(shared)
	for _, o := range t.tracks {
		o.device.across = t.present(o.device.across)
		if o.others.same(shared) { // so that they share their entries again, as after Synchronize
			o.others = t.host
		} else {
			o.others = t.present(o.others)
		}
	}
}

// remove removes a stream that has ended, and that everything from now on follows.
func (t *history) remove(st *stream) {
	st.settled = true
	if of := st.device.of; of.streams[st.name] == st {
		delete(of.streams, st.name)
	}
	delete(t.tracks, st.track)
	t.removed++
}

// present returns a clock without entries of streams that have been removed.
func (t *Tracker) present(c clock) clock {
	return c.without(func(s track) bool { return t.tracks[s] == nil })
}

// joinEvent is c.join for an event. Streams may have been removed since it was recorded.
func (t *Tracker) joinEvent(c clock, e *eventMark) clock {
	if e.removed == t.removed {
		return c.join(&e.moment)
	}
	c = c.union(t.present(e.others))
	if t.tracks[e.track] == nil {
		return c
	}
	return c.with(e.track, e.number)
}

// Implicit reports whether operations of two streams are ordered because one is the default stream of the other's
// device.
func (t *Tracker) Implicit(a, b Stream) bool {
	x, y := t.of(a), t.of(b)
	standard := Default(x.device.number)
	return x.device == y.device && x.blocking && y.blocking && (a == standard || b == standard)
}

// DeviceOf returns the device of a stream.
func (t *Tracker) DeviceOf(s Stream) Device { return t.of(s).device.number }

// of returns a stream. It adds default streams, and streams that an incorrect process uses without creating them.
func (t *Tracker) of(s Stream) *stream {
	if t.streams[s] == nil {
		d, _ := s.defaultOf()
		t.Create(s, d, true)
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
	grid   *Grid  // if it is one
	// then is what it does after its first signal, nil if there is none. Of that, whole is the operation, and divisions the
	// number of earlier signals.
	then, whole *Operation
	divisions   int
}

// Device returns the device of the operation's stream.
func (o *Operation) Device() Device { return o.in.device.number }

// Begin adds the next operation of a stream.
func (t *Tracker) Begin(s Stream, label any) *Operation { return t.begin(t.next(s), label) }

// BeginAcross adds the next operation of a stream, which follows all earlier ones of some devices, and which all later
// ones of these devices follow.
func (t *Tracker) BeginAcross(s Stream, label any, devices ...Device) *Operation {
	st := t.next(s)
	for _, o := range t.streams {
		if o != st && slices.Contains(devices, o.device.number) {
			st.others = st.others.join(&o.moment)
		}
	}
	o := t.begin(st, label)
	for _, d := range devices {
		of := t.device(d)
		of.across = of.across.join(&st.moment)
	}
	return o
}

func (t *Tracker) begin(st *stream, label any) *Operation {
	st.number++
	st.last, st.awaits = nil, nil
	t.operations++
	return &Operation{Stream: st.name, Label: label, in: st, number: st.number, before: st.others}
}

// next prepares a stream for another item: an operation, or an event to record or to wait for, or the host that waits.
// The item follows the earlier items of the stream and everything that the host has waited for. In the default stream
// of a device it also follows the items of its blocking streams, and in a blocking stream those of the default stream.
func (t *Tracker) next(s Stream) *stream {
	st := t.of(s)
	if st.branch {
		return st
	}
	st.others = t.host.union(st.others).union(st.device.across)
	switch standard := Default(st.device.number); {
	case s != standard && st.blocking:
		st.others = st.others.join(&t.of(standard).moment)
	case s == standard:
		for _, o := range t.streams {
			if o.blocking && o.device == st.device && o != st {
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
	t.waits++
	if t.operations > mostOperations && t.idle() {
		t.forgetAll()
	}
}

// idle reports whether the host has waited for all operations.
func (t *Tracker) idle() bool {
	for s, st := range t.tracks {
		if st.number > t.host.of(s) {
			return false
		}
	}
	return true
}

// Synchronize makes the host wait for all streams of a device.
func (t *Tracker) Synchronize(d Device) {
	t.synchronize(func(s *stream) bool { return s.device.number == d })
}

// SynchronizeAll makes the host wait for all streams.
func (t *Tracker) SynchronizeAll() { t.synchronize(func(*stream) bool { return true }) }

// synchronize makes the host wait for some streams.
func (t *Tracker) synchronize(with func(*stream) bool) {
	for _, s := range t.streams {
		if with(s) {
			t.host = t.host.join(&s.moment)
		}
	}
	for _, s := range t.streams {
		if with(s) {
			s.others = t.host // which it includes before its next item
		}
	}
	t.waited()
}

// EndDevice makes the host wait for all streams of a device, and ends them.
func (t *Tracker) EndDevice(d Device) {
	for _, s := range slices.Collect(maps.Keys(t.streams)) {
		if t.streams[s].device.number == d {
			t.End(s)
		}
	}
	t.Synchronize(d)
}

// Reset makes the host wait for all streams, removes the streams and events, and empties the shadow memory.
func (t *Tracker) Reset() {
	for s, st := range t.streams {
		if s != 0 {
			t.ended = append(t.ended, st)
		}
	}
	t.SynchronizeAll()
	for _, d := range t.devices {
		d.across, d.grids = nil, nil
	}
	clear(t.events)
	if t.several = t.SeveralDevices() || t.processes > 0; t.processes == 0 {
		t.forgetAll()
		t.births, t.letting = nil, nil
	}
	t.hosts.watched, t.hosts.last.op = nil, nil
	clear(t.hosts.open)
}

// mostOperations is the maximum number of operations kept when the host has waited for all.
const mostOperations = 4096

// Record makes an event represent the items of a stream so far.
func (t *Tracker) Record(event uint64, s Stream) {
	*t.mark(event) = eventMark{moment: t.next(s).moment, removed: t.removed}
}

// mark returns what an event represents. It adds one that represents nothing yet.
func (t *Tracker) mark(event uint64) *eventMark {
	events := t.eventsOf(event)
	if events[event] == nil {
		events[event] = new(eventMark)
	}
	return events[event]
}

// Common is the least number of events that all processes of an order have in common. Smaller numbers are those of each
// process.
const Common uint64 = 1 << 63

// eventsOf returns the events of which one is a member: the common ones, or those of the process.
func (t *Tracker) eventsOf(event uint64) map[uint64]*eventMark {
	if event >= Common {
		return t.common
	}
	return t.events
}

// Wait makes a stream wait for an event.
func (t *Tracker) Wait(s Stream, event uint64) {
	if e, ok := t.eventsOf(event)[event]; ok {
		st := t.next(s)
		st.others = t.joinEvent(st.others, e)
		if e.let.On != nil {
			st.awaits = append(st.awaits, e.let)
		}
	}
}

// Continue adds to a stream the rest of its latest operation, which has waited for events. Unlike another operation, it
// does not follow what the host has waited for meanwhile.
func (t *Tracker) Continue(o *Operation, events ...uint64) *Operation {
	for _, event := range events {
		if e, ok := t.eventsOf(event)[event]; ok {
			o.in.others = t.joinEvent(o.in.others, e)
		}
	}
	return t.begin(o.in, o.Label)
}

// EndEvent removes an event.
func (t *Tracker) EndEvent(event uint64) { delete(t.eventsOf(event), event) }

// SynchronizeEvent makes the host wait for an event.
func (t *Tracker) SynchronizeEvent(event uint64) {
	if e, ok := t.eventsOf(event)[event]; ok {
		t.host = t.joinEvent(t.host, e)
	}
	t.waited()
}

// follows reports whether o begins after the earlier operation has ended, or is judged together with it by others: see
// Grid.
func (o *Operation) follows(earlier *Operation) bool {
	return earlier.in.settled || o.in == earlier.in && o.number >= earlier.number ||
		o.before.of(earlier.in.track) >= earlier.number || o.mayOverlap(earlier)
}
