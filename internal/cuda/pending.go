// Operations that have been requested and have not ended: kernels that are resident and wait for memory to change, and
// what waits behind them.

package cuda

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Pending executes the operations of a process's streams. An operation begins when those before it in its stream have
// ended, with what events and the default stream add to that. It runs to its end, or until it can only look at memory
// again and again: then it stays resident, and others go on. Under the schedules random and pct, others also go on at
// other points. One operation runs at a time, so that everything is deterministic. One goroutine at a time may use a
// Pending.
type Pending struct {
	p     *Process
	list  []*Operation // in the order of the requests
	ended func(err error)
	// HostWaits says that host code goes on only when a pending operation has ended.
	HostWaits bool
	// AllWait says that it is certain: all threads of the host wait for pending operations.
	AllWait bool
	// Paused says that an operation has let others go on, and does not wait for them.
	Paused   bool
	schedule *rand.Rand // of operations at other points than where they wait; nil for none
	turns    int        // log2 of the most turns between two such points
	changes  uint64     // number of times that memory may have changed
}

// Operation is an operation of a stream that has been requested.
type Operation struct {
	Stream order.Stream
	Text   string // for reports: "a copy"
	Kernel string // the kernel of a launch, else ""
	// Records and Awaits are the events, from 1, that the operation records and waits for.
	Records, Awaits uint64
	// Function is the number of a host function, from 1: when it begins, host code goes on, until EndFunction.
	Function uint64
	// Execute executes the operation, with callbacks for others if Waits is set.
	Execute func(by *Others) error
	Waits   bool
	// WaitsFor says, of an operation that waits for ranks of a communicator, which these are; nil for others.
	WaitsFor func() string

	// Of one that is resident:
	look    func() (changed, waits bool)
	changed bool // it has changed memory when it looked last
	over    bool // nothing can change what it waits for
	waits   bool // it can only look at memory again
	met     bool // a kernel has begun while it could
	heard   bool // it has seen what another kernel has written
	end     context.CancelFunc
	fault   *report.FaultEvent // that has stopped the kernel
	err     error
	begun   bool         // of a host function
	after   []*Operation // operations of other processes that record the awaited event
	done    bool         // it has ended
}

// Others lets others execute while an operation does: see Launch. Of an operation that does not wait, all is nil.
type Others struct {
	Context context.Context
	Stalled func(changed bool) (again bool)
	// Pause and PauseAfter are those of Launch.
	Pause      func() (changed, alone bool)
	PauseAfter func() (turns uint64)
}

// MostPending is the number of operations that may be pending. A call that requests another one waits, as on a GPU.
const MostPending = 1024

// NewPending makes an empty set of operations. ended is called with the results of operations that do not end when they
// are requested.
func NewPending(p *Process, ended func(err error)) *Pending {
	q := &Pending{p: p, ended: ended}
	p.pending = q
	switch o := &p.opts.Emulator; o.Policy {
	case emu.Random:
		q.turns = 6
		q.schedule = rand.New(rand.NewPCG(o.Seed, uint64(p.number)))
	case emu.PCT:
		q.turns = 10
		q.schedule = rand.New(rand.NewPCG(o.Seed, uint64(p.number)))
	}
	return q
}

// Empty reports whether no operation is pending.
func (q *Pending) Empty() bool { return len(q.list) == 0 }

// Full reports whether no further operation may be pending.
func (q *Pending) Full() bool { return len(q.list) >= MostPending }

// Resident reports whether a kernel is resident.
func (q *Pending) Resident() bool {
	return slices.ContainsFunc(q.list, func(o *Operation) bool { return o.look != nil && o.Kernel != "" })
}

// Add adds an operation, and executes it unless it has to wait for others. It reports whether the operation has ended.
func (q *Pending) Add(o *Operation) (ended bool, err error) {
	o.after = q.p.recorders(o.Awaits)
	if q.before(o, len(q.list)) == nil && q.begin(o) {
		return true, o.err
	}
	q.list = append(q.list, o)
	return false, nil
}

// begin executes an operation to its end, or until others go on. It reports whether it has ended.
func (q *Pending) begin(o *Operation) (ended bool) {
	ctx := q.p.context()
	q.changes++
	if !o.Waits {
		o.err = o.Execute(&Others{Context: ctx})
		o.begun = o.Function != 0 && o.err == nil
		return !o.begun
	}
	for _, other := range q.list {
		other.met = other.met || other.waits && o.Kernel != ""
	}
	ctx, o.end = context.WithCancel(ctx)
	o.look, _ = iter.Pull(func(yield func(changed bool) bool) {
		by := &Others{Context: ctx, Stalled: func(changed bool) bool {
			o.waits = true
			return yield(changed) && !o.over
		}}
		by.Pause = func() (changed, alone bool) { return q.pause(o, yield) }
		if q.p.several() {
			by.PauseAfter = q.pauseAfter()
		}
		o.err = o.Execute(by)
	})
	return q.goesOn(o)
}

// pause lets others go on between two turns of an operation. It reports whether memory may have changed, and whether
// nobody else acts until the operation has ended.
func (q *Pending) pause(o *Operation, yield func(changed bool) bool) (changed, alone bool) {
	if q.HostWaits && !slices.ContainsFunc(q.list, func(other *Operation) bool { return other != o }) {
		return false, q.AllWait
	}
	own := q.changes + 1 // goesOn counts the turns so far
	q.Paused, o.waits = true, false
	yield(true)
	return q.changes != own, false
}

// pauseAfter returns what chooses the turns after which others go on, nil for none.
func (q *Pending) pauseAfter() func() (turns uint64) {
	if q.schedule == nil {
		return nil
	}
	return func() uint64 { return q.schedule.Uint64N(1 << q.schedule.IntN(q.turns+1)) }
}

// goesOn has a resident operation go on until others do. It reports whether it has ended.
func (q *Pending) goesOn(o *Operation) (ended bool) {
	changed, waits := o.look()
	o.heard = q.p.heard() || o.heard
	if o.changed = changed; !waits {
		o.end()
	}
	if !waits || changed {
		q.changes++
	}
	return !waits
}

// Look has all operations go on that can: it begins those that need not wait any longer, and has the resident ones look
// at memory. It reports whether anything has changed; then they may be able to go on again.
func (q *Pending) Look() (changed bool) {
	q.Paused = false
	list := slices.Clone(q.list)
	if q.schedule != nil {
		q.schedule.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for _, o := range list {
		at := slices.Index(q.list, o)
		if at < 0 {
			continue // Abort has ended it
		}
		ended := false
		switch {
		case o.begun:
		case o.look != nil:
			ended = q.goesOn(o)
			changed = changed || ended || o.changed
		case q.first(o.Stream) == o && q.before(o, at) == nil:
			ended, changed = q.begin(o), true
		}
		if ended {
			q.remove(o)
		}
	}
	return changed
}

// remove removes an operation that has ended.
func (q *Pending) remove(o *Operation) {
	q.list = slices.DeleteFunc(q.list, func(other *Operation) bool { return other == o })
	o.done = true
	if o.met && o.heard && o.fault == nil {
		q.p.relies(o.Kernel)
	}
	q.ended(o.err)
}

// first returns the first pending operation of a stream.
func (q *Pending) first(s order.Stream) *Operation {
	return q.list[slices.IndexFunc(q.list, func(o *Operation) bool { return o.Stream == s })]
}

// before returns the operation among the first n pending ones, or of another process, that an operation has to wait
// for, nil for none.
func (q *Pending) before(o *Operation, n int) *Operation {
	for _, e := range o.after {
		if !e.done {
			return e
		}
	}
	for _, e := range slices.Backward(q.list[:n]) {
		if q.p.precedes(e.Stream, o.Stream) || e.Records != 0 && (e.Records == o.Awaits || e.Records == o.Records) {
			return e
		}
	}
	return nil
}

// precedes reports whether an operation of a stream has to wait for an earlier one of another.
func (p *Process) precedes(earlier, later order.Stream) bool {
	if earlier == later {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.streams.tracker
	return t != nil && t.Implicit(earlier, later)
}

// several reports whether there is a stream besides the default one.
func (p *Process) several() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.streams.tracker
	return t != nil && t.Several()
}

// Changed says that memory may have changed in another way than by the operations.
func (q *Pending) Changed() { q.changes++ }

// Before reports whether an operation of a stream would have to wait for a pending one.
func (q *Pending) Before(s order.Stream) bool {
	return q.before(&Operation{Stream: s}, len(q.list)) != nil
}

// BeforeDevice reports whether a wait for a device has to wait for pending operations.
func (q *Pending) BeforeDevice(d order.Device) bool {
	return slices.ContainsFunc(q.list, func(o *Operation) bool { return q.p.isOf(o.Stream, d) })
}

// isOf reports whether a stream belongs to a device.
func (p *Process) isOf(s order.Stream, d order.Device) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.streams.tracker
	return t == nil || t.DeviceOf(s) == d
}

// Recorded reports whether no pending operation records an event, also none of another process that shares it.
func (q *Pending) Recorded(event uint64) bool {
	return q.Recorder(event) == nil && len(q.p.recorders(event)) == 0
}

// Recorder returns the latest pending operation that records an event, nil for none.
func (q *Pending) Recorder(event uint64) *Operation {
	for _, o := range slices.Backward(q.list) {
		if o.Records == event {
			return o
		}
	}
	return nil
}

// FunctionWaits reports whether a host function has not begun.
func (q *Pending) FunctionWaits(number uint64) bool {
	return slices.ContainsFunc(q.list, func(o *Operation) bool { return o.Function == number && !o.begun })
}

// EndFunction ends a host function.
func (q *Pending) EndFunction(number uint64) {
	if i := slices.IndexFunc(q.list, func(o *Operation) bool { return o.Function == number }); i >= 0 {
		q.remove(q.list[i])
	}
}

// Abort ends all pending operations: the device is in an error.
func (q *Pending) Abort() {
	list := q.list
	q.list = nil
	for _, o := range list {
		o.done = true
		if o.look == nil {
			continue
		}
		for o.over = o.Kernel == ""; ; {
			if o.end(); q.goesOn(o) {
				break
			}
		}
	}
}

// Close ends all pending operations: the process has ended. What can still end does so before.
func (q *Pending) Close() {
	q.p.ended.Store(true)
	q.p.SetStuck(true)
	for q.Look() {
	}
	for range 3 { // communicators, waits for values, kernels and collective operations
		q.Deadlocked(nil)
	}
	for _, o := range q.list {
		o.done = true
	}
	q.list = nil
}
