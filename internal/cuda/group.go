// Groups: processes of an application that share memory or events.

package cuda

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Group is the processes of an application that share something: each joins when it first exports or opens something
// (Process.join). From then on, they take turns: one of them at a time executes what has been requested, and a kernel
// that waits for memory lets the others go on. Their operations have one order (order.Tracker.Join), and their devices
// have memory at different addresses. Other processes run on their own.
type Group struct {
	turn    sync.Mutex // of the process that executes something; it protects what follows
	members []*Process
	changes uint64 // number of times that memory may have changed
	memory  []*Exported
	events  []*sharedEvent

	mu    sync.Mutex
	taken [emu.AddressRanges]bool // ranges of addresses of all processes, also of those that have not joined

	communicators communicators // of all processes
}

// NewGroup makes a group without processes.
func NewGroup() *Group { return &Group{} }

// takeAddresses chooses a range of addresses for the memory of a process. None is free if there are too many processes.
func (g *Group) takeAddresses() (addresses int, free bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.taken[:], false)
	if i < 0 {
		return 0, false
	}
	g.taken[i] = true
	return i, true
}

// freeAddresses makes a range of addresses free.
func (g *Group) freeAddresses(addresses int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.taken[addresses] = false
}

// membership is the state of a process in its group.
type membership struct {
	group     *Group
	joined    bool
	placed    bool // the range of addresses is the process's own
	addresses int
	gone      func() bool             // reports whether the process has ended, also before its connection has noticed
	seen      uint64                  // Group.changes when the process had its last turn
	events    map[uint64]*sharedEvent // that it shares, by its own numbers
}

// newMembership prepares a process for joining a group.
func newMembership(g *Group) membership {
	addresses, placed := g.takeAddresses()
	return membership{group: g, addresses: addresses, placed: placed}
}

// join makes the process a member of its group, which takes its turn.
func (p *Process) join() error {
	m := &p.membership
	switch {
	case m.joined:
		return nil
	case !m.placed:
		p.opts.note("too many processes at a time share memory or events: at most %d can", emu.AddressRanges)
		return errorf(NotSupported, "at most %d processes at a time can share memory or events", emu.AddressRanges)
	}
	m.group.turn.Lock()
	m.joined = true
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.joins(m.group.members)
	m.group.members = append(m.group.members, p)
	return nil
}

// joins makes the operations of a process have one order with those of other ones.
func (s *streams) joins(members []*Process) {
	s.start()
	if s.moved = nil; len(members) == 0 {
		s.tracker.Share()
	} else {
		s.tracker.Join(members[0].streams.tracker)
	}
}

// TakeTurn waits for the turn of a process that has joined others, up to GiveTurn. It reports whether the others may
// have changed memory since its last turn.
func (p *Process) TakeTurn() (changed bool) {
	m := &p.membership
	if !m.joined {
		return false
	}
	m.group.turn.Lock()
	for m.group.ends(p) { // so that what follows the end of a process in time does so here
		m.group.turn.Unlock()
		time.Sleep(pauseForEnd)
		m.group.turn.Lock()
	}
	changed = m.seen != m.group.changes
	m.seen = m.group.changes
	return changed
}

// pauseForEnd is how long the end of another process has to be recorded before a process looks again.
const pauseForEnd = 100 * time.Microsecond

// ends reports whether another member than p has ended, and is still to leave, and p has not.
func (g *Group) ends(p *Process) bool {
	gone := func(p *Process) bool { return p.gone != nil && p.gone() }
	return slices.ContainsFunc(g.members, func(other *Process) bool { return other != p && gone(other) }) && !gone(p)
}

// SetGone sets the function that reports whether the process has ended. It must be called before anything else.
func (p *Process) SetGone(gone func() bool) { p.gone = gone }

// GiveTurn ends the turn of the process.
func (p *Process) GiveTurn() {
	if p.joined {
		p.group.turn.Unlock()
	}
}

// Acted records that the process may have changed memory in its turn.
func (p *Process) Acted() {
	if m := &p.membership; m.joined {
		m.group.changes++
		m.seen = m.group.changes
	}
}

// Joined reports whether other processes may act on what the process waits for. It is to be called in its turn.
func (p *Process) Joined() bool { return p.joined }

// leave ends the membership of a process that has ended, with all its operations.
func (p *Process) leave() {
	m := &p.membership
	opened := false // others have opened its memory, which keeps its addresses
	if m.joined {
		m.group.turn.Lock()
		defer m.group.turn.Unlock()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.streams.tracker.Leave()
		m.joined = false
		m.group.changes++
		m.group.members = slices.DeleteFunc(m.group.members, func(other *Process) bool { return other == p })
		opened = p.unshare()
	}
	if m.placed && !opened {
		m.group.freeAddresses(m.addresses)
	}
	m.placed = false
}

// unshare ends what the process shares: its memory, that of others and events. It reports whether others have opened
// its memory.
func (p *Process) unshare() (opened bool) {
	for event := range p.events {
		p.endEvent(event)
	}
	for _, a := range p.memory.list {
		switch {
		case a.exported == nil:
		case a.exported.process == p:
			a.exported.ended = true
			opened = opened || a.exported.opened > 0
		default:
			a.exported.opened--
		}
		if a.exported != nil {
			a.exported.drop()
		}
	}
	return opened
}

// sharedEvent is an event that processes share, with its number in each of them.
type sharedEvent struct{ of map[*Process]uint64 }

// ExportEvent returns a handle by which other processes can open an event.
func (p *Process) ExportEvent(event uint64) (handle uint64, err error) {
	if err = p.join(); err != nil {
		return 0, err
	}
	g := p.group
	e := p.events[event]
	if e == nil {
		e = &sharedEvent{of: make(map[*Process]uint64)}
		g.events = append(g.events, e)
		p.shareEvent(e, event)
	}
	return uint64(slices.Index(g.events, e)) + 1, nil
}

// OpenEvent gives an event of another process a number in this one.
func (p *Process) OpenEvent(handle, event uint64) error {
	if err := p.join(); err != nil {
		return err
	}
	g := p.group
	if handle == 0 || handle > uint64(len(g.events)) || len(g.events[handle-1].of) == 0 {
		return errorf(InvalidValue, "the handle is not one of an event of this application")
	}
	e := g.events[handle-1]
	if _, own := e.of[p]; own {
		return errorf(InvalidContext, "the event is one of this process")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for other, theirs := range e.of {
		p.streams.tracker.SameEvent(event, other.streams.tracker, theirs)
	}
	p.shareEvent(e, event)
	return nil
}

// shareEvent records that an event is shared.
func (p *Process) shareEvent(e *sharedEvent, event uint64) {
	m := &p.membership
	if m.events == nil {
		m.events = make(map[uint64]*sharedEvent)
	}
	m.events[event], e.of[p] = e, event
}

// recorders returns the latest pending operation of each other process that records an event.
func (p *Process) recorders(event uint64) (list []*Operation) {
	e := p.events[event]
	if e == nil {
		return nil
	}
	for other, theirs := range e.of {
		if other == p || other.pending == nil {
			continue
		}
		if o := other.pending.Recorder(theirs); o != nil {
			list = append(list, o)
		}
	}
	return list
}

// endEvent forgets that an event is shared.
func (p *Process) endEvent(event uint64) {
	if e := p.events[event]; e != nil {
		delete(e.of, p)
		delete(p.events, event)
	}
}

// explainProcesses says which process each operation of a race is of, and what is missing, if they are of two.
func explainProcesses(x *report.Race, first, second *label) {
	if first.of == second.of {
		return
	}
	for a, l := range map[*report.Access]*label{&x.First: first, &x.Second: second} {
		a.Operation += fmt.Sprintf(" of process %d", l.of.p.number)
	}
	if x.Cause == detect.MissingStreamOrder {
		x.Missing = "an order between the operations of the two processes: no host has waited for the first one, and no event orders the two"
		x.Hint = "a wait of the first process for the operation (cudaStreamSynchronize) before it tells the other one, or an event of both processes (cudaIpcGetEventHandle) for which the second stream waits (cudaStreamWaitEvent)"
	}
}

// whileLocked calls a function while the process of other streams is locked. That of s is locked already.
func (s *streams) whileLocked(other *streams, do func()) {
	if other != s {
		other.p.mu.Lock()
		defer other.p.mu.Unlock()
	}
	do()
}
