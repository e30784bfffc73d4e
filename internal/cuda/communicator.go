// Communicators of NCCL: sets of ranks, each with a device of some process.

package cuda

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/order"
)

// MostRanks is the number of ranks that a communicator may have.
const MostRanks = 1 << 10

// communicators is the registry of the communicators of an application's processes. A process that holds its own lock
// may take the registry's, not the other way round.
type communicators struct {
	mu     sync.Mutex
	ids    uint64                   // that have been given to applications
	byID   map[uint64]*communicator // those whose ranks have not all joined
	events uint64                   // numbers of events for the order of ranks
}

// lockRanks locks the process and the registry of communicators, up to the call of unlock.
func (p *Process) lockRanks() (g *communicators, unlock func()) {
	p.mu.Lock()
	g = &p.group.communicators
	g.mu.Lock()
	return g, func() {
		g.mu.Unlock()
		p.mu.Unlock()
	}
}

// communicator is a set of ranks. The registry's lock protects it.
type communicator struct {
	ranks     []*rank // by number, nil for one that has not joined
	missing   int     // number of ranks that have not joined
	exchanges map[exchangeKey]*exchange
	splits    []*split // by their number, nil if all ranks have called
}

// rank is a rank of a communicator.
type rank struct {
	of      *communicator // nil while the split that makes it waits for other ranks
	number  int
	process *Process
	device  order.Device
	by      *split // that makes it, nil for none
	why     string // why it cannot be used, "" if it can

	failed      error                // of its first operation that has failed
	left        bool                 // it has been destroyed, or its process has ended
	aborted     bool                 // its operations end at once
	pending     []*Collectives       // operations that have been requested and have not ended
	collectives uint64               // number of collective operations that it has called
	splits      int                  // number of splits
	transfers   [2]map[uint32]uint64 // number of calls that send, and of those that receive, by the other rank
	retired     []uint64             // events that no operation waits for any more
}

// split is a call by which all ranks of a communicator divide it.
type split struct {
	of      *communicator
	calls   []splitCall // by rank
	missing int
}

type splitCall struct {
	made       *rank // by it; nil if the rank takes no part
	color, key int32
	called     bool
}

// ready reports whether all ranks of the communicator have joined.
func (r *rank) ready() bool { return r.of != nil && r.of.missing == 0 }

// CommunicatorState is what a rank knows of its communicator.
type CommunicatorState struct {
	Ready       bool // all ranks have joined
	Ranks, Rank int
	Device      order.Device
}

// CommunicatorID makes a unique id for a communicator.
func (p *Process) CommunicatorID() uint64 {
	g := &p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ids++
	return g.ids
}

// JoinCommunicator makes the process's current device a rank of a communicator, and returns its handle.
func (p *Process) JoinCommunicator(id uint64, ranks, number uint32, in In) (handle uint64, err error) {
	g, unlock := p.lockRanks()
	defer unlock()
	if id == 0 || id > g.ids || ranks == 0 || ranks > MostRanks || number >= ranks {
		return 0, errorf(InvalidValue, "rank %d of %d ranks, with unique id %d", number, ranks, id)
	}
	c := g.byID[id]
	if c == nil {
		c = newCommunicator(int(ranks))
	}
	r := &rank{number: int(number), process: p, device: in.Device}
	if err := c.admits(r, int(ranks)); err != nil {
		return 0, err
	}
	if ranks > 1 {
		p.streams.start()
	}
	if g.byID == nil {
		g.byID = make(map[uint64]*communicator)
	}
	g.byID[id] = c
	if c.join(r); c.missing == 0 {
		delete(g.byID, id)
	}
	return p.keepRank(r), nil
}

// newCommunicator makes a communicator that no rank has joined.
func newCommunicator(ranks int) *communicator {
	return &communicator{ranks: make([]*rank, ranks), missing: ranks, exchanges: make(map[exchangeKey]*exchange)}
}

// admits returns an error unless a rank can join as one of so many.
func (c *communicator) admits(r *rank, ranks int) error {
	if ranks != len(c.ranks) {
		return errorf(InvalidValue, "rank %d says that there are %d ranks, another one that there are %d", r.number,
			ranks, len(c.ranks))
	}
	if c.ranks[r.number] != nil {
		return errorf(InvalidValue, "rank %d joins twice", r.number)
	}
	for _, o := range c.ranks {
		if o != nil && o.process == r.process && o.device == r.device {
			return errorf(InvalidValue, "ranks %d and %d both use device %d", o.number, r.number, r.device)
		}
	}
	return nil
}

// join makes a rank one of the communicator.
func (c *communicator) join(r *rank) {
	r.of, r.transfers = c, [2]map[uint32]uint64{make(map[uint32]uint64), make(map[uint32]uint64)}
	c.ranks[r.number] = r
	c.missing--
}

// keepRank makes a handle of a rank.
func (p *Process) keepRank(r *rank) (handle uint64) {
	if p.ranks == nil {
		p.ranks = make(map[uint64]*rank)
	}
	handle = p.handle()
	p.ranks[handle] = r
	return handle
}

// rank returns the rank of a handle.
func (p *Process) rank(handle uint64) (*rank, error) {
	r := p.ranks[handle]
	if r == nil {
		return nil, errorf(InvalidHandle, "a communicator that does not exist")
	}
	return r, nil
}

// SplitCommunicator divides a communicator: ranks of one color form another one, in the order of their keys. It returns
// the handle of the rank in that, 0 for a rank with a negative color, which takes no part.
func (p *Process) SplitCommunicator(handle uint64, color, key int32) (made uint64, err error) {
	_, unlock := p.lockRanks()
	defer unlock()
	r, err := p.rank(handle)
	if err == nil && !r.ready() {
		err = errorf(InvalidValue, "a split of a communicator that not all ranks have joined")
	}
	if err != nil {
		return 0, err
	}
	c := r.of
	if r.splits == len(c.splits) {
		c.splits = append(c.splits, &split{of: c, calls: make([]splitCall, len(c.ranks)), missing: len(c.ranks)})
	}
	s := c.splits[r.splits]
	call := &s.calls[r.number]
	*call = splitCall{color: color, key: key, called: true}
	if color >= 0 {
		call.made = &rank{process: p, device: r.device, by: s}
		made = p.keepRank(call.made)
	}
	if s.missing--; s.missing == 0 {
		s.execute()
		c.splits[r.splits] = nil
	}
	r.splits++
	return made, nil
}

// execute makes the communicators of a split that all ranks have called.
func (s *split) execute() {
	calls := slices.SortedStableFunc(slices.Values(s.calls), func(a, b splitCall) int {
		return cmp.Or(cmp.Compare(a.color, b.color), cmp.Compare(a.key, b.key))
	})
	for list := calls; len(list) > 0; {
		n := 1
		for n < len(list) && list[n].color == list[0].color {
			n++
		}
		if list[0].color >= 0 {
			c := newCommunicator(n)
			for i := range n {
				list[i].made.number = i
				c.join(list[i].made)
			}
		}
		list = list[n:]
	}
}

// CommunicatorState returns the state of a rank's communicator, an error if it cannot be used.
func (p *Process) CommunicatorState(handle uint64) (s CommunicatorState, err error) {
	_, unlock := p.lockRanks()
	defer unlock()
	r, err := p.rank(handle)
	if err != nil {
		return s, err
	}
	if r.why != "" {
		return s, errorf(LaunchTimeout, "%s", r.why)
	}
	s = CommunicatorState{Ready: r.ready(), Rank: r.number, Device: r.device}
	if r.of != nil {
		s.Ranks = len(r.of.ranks)
	}
	return s, nil
}

// HasPending reports whether operations of a rank are pending, which have to end before the rank is destroyed.
func (p *Process) HasPending(handle uint64) bool {
	_, unlock := p.lockRanks()
	defer unlock()
	r := p.ranks[handle]
	return r != nil && len(r.pending) > 0
}

// LeaveCommunicator destroys a rank. If it is aborted, its operations end at once.
func (p *Process) LeaveCommunicator(handle uint64, abort bool) error {
	_, unlock := p.lockRanks()
	defer unlock()
	r, err := p.rank(handle)
	if err != nil {
		return err
	}
	r.left, r.aborted = true, abort
	delete(p.ranks, handle)
	return nil
}

// leaveCommunicators destroys all ranks of a process that has ended.
func (p *Process) leaveCommunicators() {
	g := &p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range p.ranks {
		r.left, r.aborted = true, true
	}
	clear(p.ranks)
}

// SetStuck records whether the process can go on only by what ranks in other processes do.
func (p *Process) SetStuck(now bool) {
	if p.stuck.Load() != now {
		p.stuck.Store(now)
	}
}

// AwaitsProcesses reports whether the process, which is stuck (SetStuck), waits for ranks of other processes that may
// go on, and whether it, or a process that it waits for, waits for ranks to join.
func (p *Process) AwaitsProcesses() (awaits, join bool) {
	g := &p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	waiting := []*Process{p}
	for i := 0; i < len(waiting); i++ {
		others, joins, goesOn := waiting[i].awaited()
		join = join || joins
		if goesOn || !waiting[i].stuck.Load() || i > 0 && len(others) == 0 && !joins {
			return true, join
		}
		for _, o := range others {
			if !slices.Contains(waiting, o) {
				waiting = append(waiting, o)
			}
		}
	}
	return false, join
}

// awaited returns the processes, possibly this one among them, for whose ranks the process waits, whether it waits for
// ranks to join, and whether an operation can go on. The registry is locked.
func (p *Process) awaited() (list []*Process, joins, goesOn bool) {
	for _, r := range p.ranks {
		switch {
		case r.why != "":
		case r.by != nil && r.of == nil:
			list = append(list, r.by.awaited()...)
		case !r.ready():
			joins = true
		}
		for _, c := range r.pending {
			others, complete := c.awaited()
			list, goesOn = append(list, others...), goesOn || complete
		}
	}
	return list, joins, goesOn
}

// awaited returns the processes whose ranks have not called a split.
func (s *split) awaited() (list []*Process) {
	for i, c := range s.calls {
		if r := s.of.ranks[i]; !c.called && !r.left {
			list = append(list, r.process)
		}
	}
	return list
}

// abandonRanks records an error for the ranks whose communicators nobody is left to complete. It reports whether there
// are any.
func (p *Process) abandonRanks() (any bool) {
	_, unlock := p.lockRanks()
	defer unlock()
	for _, r := range p.ranks {
		if !r.ready() && r.why == "" {
			r.why, any = "nobody is left who could make a communicator complete: "+r.lacking(), true
		}
	}
	return any
}

// lacking says which ranks have not joined.
func (r *rank) lacking() string {
	if r.of == nil {
		return "not all ranks have called ncclCommSplit"
	}
	var list []string
	for i, o := range r.of.ranks {
		if o == nil {
			list = append(list, fmt.Sprint(i))
		}
	}
	if len(list) == 1 {
		return fmt.Sprintf("rank %s of %d ranks has not joined", list[0], len(r.of.ranks))
	}
	return fmt.Sprintf("ranks %s of %d ranks have not joined", strings.Join(list, ", "), len(r.of.ranks))
}
