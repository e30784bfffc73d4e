// Operations of NCCL: each rank's call is an operation of its stream, which begins when the earlier ones of the stream
// have ended, and ends when the operations of all ranks that take part have begun.

package cuda

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// CollectiveCall is a call of a function of NCCL that communicates.
type CollectiveCall struct {
	Function library.Collective
	Type     library.Element
	Op       library.Reduction
	Peer     uint32 // of a transfer; else the root
	From, To uint64
	Count    uint64      // of elements
	Scale    library.Arg // of library.PreMulSum
}

// exchangeKey identifies an exchange of a communicator: the n-th collective operation of each rank, or the n-th
// transfer from a rank to another one.
type exchangeKey struct {
	transfer bool
	from, to int
	number   uint64
}

// exchange is a collective operation, or a transfer, in which calls of several ranks meet. The registry's lock protects
// what changes.
type exchange struct {
	key     exchangeKey
	parts   []*participant // by rank, nil for one that has not called; of a transfer, the sender and the receiver
	ended   int            // number of parts that have received
	root    int            // index of the root's part
	wrong   string         // why the calls do not fit each other, "" if they do
	told    bool           // the report says so
	reduced func() []byte  // returns the reduction of what all have sent
}

// participant is a rank's call in an exchange.
type participant struct {
	*exchange
	at     int // index of the part
	rank   *rank
	call   CollectiveCall
	stream order.Stream
	begun  bool
	sent   []byte // nil for nothing
	scale  []byte
	event  uint64 // recorded when it has sent; 0 for none
	memory *operand
}

// Collectives are the calls of a rank in one group, which are one operation of a stream.
type Collectives struct {
	p    *Process
	rank *rank
	in   In
	list []*participant
	// Stopped, unless nil, is called with the fault that has ended the operation.
	Stopped func(f *report.FaultEvent)
}

// Collectives makes an operation of a rank's calls. They meet the calls of other ranks in the order in which each rank
// makes them.
func (p *Process) Collectives(handle uint64, calls []CollectiveCall, in In) (*Collectives, error) {
	_, unlock := p.lockRanks()
	defer unlock()
	r, err := p.rank(handle)
	if err != nil {
		return nil, err
	}
	if !r.ready() {
		return nil, errorf(InvalidValue, "an operation of a communicator that not all ranks have joined")
	}
	for i := range calls {
		if err := r.check(&calls[i]); err != nil {
			return nil, err
		}
	}
	if t := p.streams.tracker; t != nil && t.DeviceOf(in.Stream) != r.device {
		return nil, errorf(InvalidHandle, "rank %d, whose device is %d, in a stream of device %d", r.number, r.device,
			t.DeviceOf(in.Stream))
	}
	in.Device = r.device
	c := &Collectives{p: p, rank: r, in: in}
	for _, call := range calls {
		c.list = append(c.list, r.participate(call, in.Stream))
	}
	r.pending = append(r.pending, c)
	return c, nil
}

// check returns an error for arguments that are not valid.
func (r *rank) check(c *CollectiveCall) error {
	ranks := len(r.of.ranks)
	if !c.Function.Valid() || c.Type.Size() == 0 || !c.Op.Valid() || c.Peer >= uint32(ranks) {
		return errorf(InvalidValue, "function %d of type %d with reduction %d and rank %d of %d", c.Function, c.Type,
			c.Op, c.Peer, ranks)
	}
	if _, ok := library.PartBytes(c.Count, c.Type, ranks); !ok {
		return errorf(InvalidValue, "%d elements", c.Count)
	}
	return nil
}

// participate adds a call to its exchange.
func (r *rank) participate(call CollectiveCall, stream order.Stream) *participant {
	p := &participant{at: r.number, rank: r, call: call, stream: stream}
	key, n, root := exchangeKey{number: r.collectives}, len(r.of.ranks), int(call.Peer)
	if call.Function.Transfers() {
		key, n, root = exchangeKey{transfer: true, from: r.number, to: int(call.Peer)}, 2, 0
		if p.at = 0; call.Function == library.Recv {
			key.from, key.to, p.at = key.to, key.from, 1
		}
		counter := &r.transfers[p.at]
		key.number = (*counter)[call.Peer]
		(*counter)[call.Peer]++
	} else {
		r.collectives++
	}
	x := r.of.exchanges[key]
	if x == nil {
		x = &exchange{key: key, parts: make([]*participant, n), root: root}
		x.reduced = sync.OnceValue(func() []byte { return x.reduce(0, 0) })
		r.of.exchanges[key] = x
	}
	p.exchange, x.parts[p.at] = x, p
	if !slices.Contains(x.parts, nil) {
		delete(r.of.exchanges, key)
	}
	return p
}

// hasBegun reports whether the operation of a part, which may not have been called, has begun.
func (x *participant) hasBegun() bool { return x != nil && x.begun }

// complete reports whether the operations of all parts have begun.
func (x *exchange) complete() bool {
	return !slices.ContainsFunc(x.parts, func(p *participant) bool { return !p.hasBegun() })
}

// Name names the operation.
func (c *Collectives) Name() string {
	var names []string
	for _, p := range c.list {
		if name := p.call.Function.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// Execute executes the operation. It lets others go on until all ranks have begun that it needs. After an error, later
// operations of the rank have the same one.
func (c *Collectives) Execute(by *Others) error {
	p := c.p
	p.mu.Lock()
	defer p.mu.Unlock()
	err := c.rank.failed
	if err == nil {
		err = c.execute(by)
	}
	c.end(err)
	return err
}

// execute sends, waits and receives. The process is locked but while it waits.
func (c *Collectives) execute(by *Others) error {
	if err := c.send(); err != nil {
		return err
	}
	for over := false; ; over = !c.p.unlocked(by.Stalled) {
		switch done, err := c.done(); {
		case err != nil || c.rank.aborted:
			return err
		case done:
			return c.receive()
		case by.Context.Err() != nil:
			return session.ErrInterrupted
		case over:
			return c.giveUp()
		}
	}
}

// end records that the operation has ended.
func (c *Collectives) end(err error) {
	g := &c.p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	c.rank.failed = err
	c.rank.pending = slices.DeleteFunc(c.rank.pending, func(o *Collectives) bool { return o == c })
	c.p.streams.moved, c.p.streams.moving = nil, nil
}

// send reads what the rank sends, with which the operation begins.
func (c *Collectives) send() error {
	p := c.p
	for _, x := range c.list {
		x.memory = &operand{p: p, name: x.call.Function.Name(), in: c.in}
		if err := x.read(x.memory); err != nil {
			return p.outcome(x.memory, err)
		}
		p.usesLibrary("nccl", x.memory.name)
		x.memory.begin() // where it sends nothing
	}
	p.streams.moving = nil // others use the process meanwhile
	g, t := &p.group.communicators, p.streams.tracker
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, x := range c.list {
		if t != nil && len(x.parts) > 1 {
			g.events++
			x.event = order.Common + g.events
			t.Record(x.event, c.in.Stream)
		}
		x.begun = true
		if x.complete() {
			x.wrong = x.compare()
		}
	}
	for _, event := range c.rank.retired {
		t.EndEvent(event)
	}
	c.rank.retired = nil
	return nil
}

// read reads what a call sends. All that it sends and receives must be in memory.
func (x *participant) read(m *operand) error {
	c, n := &x.call, len(x.parts)
	size, _ := library.PartBytes(c.Count, c.Type, n)
	sent, received := size*uint64(c.Function.Sent(x.at, x.root, n)), size*uint64(c.Function.Received(x.at, x.root, n))
	if received > 0 {
		if err := m.Holds(c.To, received); err != nil {
			return err
		}
	}
	if sent == 0 {
		return nil
	}
	if err := m.Holds(c.From, sent); err != nil {
		return err
	}
	x.sent = make([]byte, sent)
	if err := m.Read(c.From, x.sent); err != nil || c.Op != library.PreMulSum || !c.Function.Reduces() {
		return err
	}
	x.scale = binary.LittleEndian.AppendUint64(nil, c.Scale.Words[0])
	if c.Scale.OnDevice {
		return m.Read(c.Scale.Words[0], x.scale[:c.Type.Size()])
	}
	return nil
}

// reduce combines a part of what all ranks have sent, which begins at an offset; size 0 stands for all.
func (x *exchange) reduce(offset, size uint64) []byte {
	var parts, scales [][]byte
	for _, p := range x.parts {
		sent := p.sent
		if size > 0 {
			sent = sent[offset:][:size]
		}
		parts, scales = append(parts, sent), append(scales, p.scale)
	}
	call := &x.parts[0].call
	return call.Op.Reduce(call.Type, parts, scales)
}

// done reports whether the operations of all ranks have begun. The error is that of calls that do not fit each other.
func (c *Collectives) done() (done bool, err error) {
	g := &c.p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	done = true
	for _, x := range c.list {
		if x.wrong != "" {
			if !x.told {
				x.told = true
				c.fault(&report.FaultEvent{Class: report.CollectiveMismatch, Message: x.wrong})
			}
			return true, errorf(LaunchTimeout, "%s", x.wrong)
		}
		done = done && x.complete()
	}
	return done, nil
}

// receive writes what the rank receives. What its stream does from now on follows what the senders' streams have done
// before.
func (c *Collectives) receive() error {
	p := c.p
	for _, x := range c.list {
		if err := x.write(); err != nil {
			return p.outcome(x.memory, err)
		}
	}
	g := &p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, x := range c.list {
		if x.ended++; x.ended == len(x.parts) {
			for _, q := range x.parts {
				if q.event != 0 {
					q.rank.retired = append(q.rank.retired, q.event)
				}
			}
		}
	}
	return nil
}

// write writes what a call receives.
func (x *participant) write() error {
	c, n, m := &x.call, len(x.parts), x.memory
	size, _ := library.PartBytes(c.Count, c.Type, n)
	if size == 0 || c.Function.Received(x.at, x.root, n) == 0 {
		return nil
	}
	if m.operation != nil {
		m.operation = m.p.streams.tracker.Continue(m.operation, x.awaitedEvents()...)
	}
	offset := uint64(0)
	if c.Function.Divided() {
		offset = uint64(x.at) * size
	}
	switch {
	case c.Function.Reduces() && c.Function.Divided():
		return m.Write(c.To, x.reduce(offset, size))
	case c.Function.Reduces():
		return m.Write(c.To, x.reduced())
	}
	return x.gather(m, offset, size)
}

// awaitedEvents returns the events of the senders.
func (x *participant) awaitedEvents() (list []uint64) {
	for _, q := range x.parts {
		if q != x && q.sent != nil {
			list = append(list, q.event)
		}
	}
	return list
}

// gather writes the parts of the senders one after the other. What is in its place already is not written.
func (x *participant) gather(m *operand, offset, size uint64) error {
	to := x.call.To
	for _, q := range x.parts {
		if q.sent == nil {
			continue
		}
		if q != x || x.call.From+offset != to {
			if err := m.Write(to, q.sent[offset:][:size]); err != nil {
				return err
			}
		}
		to += size
	}
	return nil
}

// compare says how calls that meet do not fit each other, "" if they do.
func (x *exchange) compare() string {
	first := x.parts[0]
	for _, p := range x.parts[1:] {
		a, b := &first.call, &p.call
		fits := a.Count == b.Count && a.Type == b.Type && (x.key.transfer || a.Function == b.Function)
		fits = fits && (!a.Function.Reduces() || a.Op == b.Op)
		fits = fits && (x.key.transfer || !a.Function.Rooted() || a.Peer == b.Peer)
		if !fits {
			return fmt.Sprintf("rank %d calls %s, and rank %d calls %s", first.rank.number, a, p.rank.number, b)
		}
	}
	return ""
}

// String describes a call.
func (c *CollectiveCall) String() string {
	text := fmt.Sprintf("%s (count %d, %s", c.Function.Name(), c.Count, c.Type)
	if c.Function.Reduces() {
		text += ", " + c.Op.String()
	}
	if c.Function.Rooted() && !c.Function.Transfers() {
		text += fmt.Sprintf(", root %d", c.Peer)
	}
	return text + ")"
}

// fault records a fault of the operation.
func (c *Collectives) fault(f *report.FaultEvent) {
	f.Kernel, f.Count = c.Name(), 1
	c.p.callFault(f, c.in)
	if c.Stopped != nil {
		c.Stopped(f)
	}
}

// giveUp returns the error of an operation that nothing is left to let go on, or whose process has ended.
func (c *Collectives) giveUp() error {
	if awaits, _ := c.p.AwaitsProcesses(); c.p.ended.Load() && awaits {
		return session.ErrInterrupted
	}
	if err := c.peerError(); err != nil {
		return err
	}
	why := c.waits()
	c.fault(&report.FaultEvent{Class: "deadlock", Message: why})
	return errorf(LaunchTimeout, "%s", why)
}

// awaited returns the processes for whose ranks the operation waits, if it has begun, and whether it can go on. The
// registry is locked.
func (c *Collectives) awaited() (list []*Process, goesOn bool) {
	goesOn = true
	for _, x := range c.list {
		if !x.begun {
			return nil, false
		}
		goesOn = goesOn && x.complete()
		for at, q := range x.parts {
			if r := x.rankAt(at); !q.hasBegun() && !r.left && r.failed == nil {
				list = append(list, r.process)
			}
		}
	}
	return list, goesOn
}

// rankAt returns the rank of a part.
func (x *participant) rankAt(at int) *rank {
	if x.key.transfer {
		at = [...]int{x.key.from, x.key.to}[at]
	}
	return x.rank.of.ranks[at]
}

// peerError returns the error of another rank of the process because of which the operation cannot end, nil for none.
func (c *Collectives) peerError() error {
	g := &c.p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, x := range c.list {
		for at, q := range x.parts {
			if r := x.rankAt(at); !q.hasBegun() && r.failed != nil && r.process == c.p {
				return r.failed
			}
		}
	}
	return nil
}

// Waits says what the operation waits for.
func (c *Collectives) Waits() string {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	return c.waits()
}

// waits says for which ranks the operation waits. The process is locked.
func (c *Collectives) waits() string {
	g := &c.p.group.communicators
	g.mu.Lock()
	defer g.mu.Unlock()
	var list []string
	for _, x := range c.list {
		if text := x.waits(); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// waits says for which ranks a call waits, "" for none.
func (x *participant) waits() string {
	var list []string
	for at, q := range x.parts {
		if q.hasBegun() {
			continue
		}
		r := x.rankAt(at)
		text := "which has not called " + x.counterpart()
		switch {
		case r.failed != nil:
			text = "of which an operation has failed"
		case q != nil && r.process == x.rank.process:
			text = "whose call waits in " + r.process.streams.name(q.stream)
		case q != nil:
			text = "whose stream has not come so far"
		case r.left && r.process.ended.Load():
			text = "whose process has ended"
		case r.left:
			text = "which has left the communicator"
		}
		list = append(list, fmt.Sprintf("rank %d, %s", r.number, text))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of rank %d in %s waits for %s", x.call.Function.Name(), x.rank.number,
		x.rank.process.streams.name(x.stream), strings.Join(list, " and "))
}

// counterpart names the function that the other ranks have to call.
func (x *participant) counterpart() string {
	switch x.call.Function {
	case library.Send:
		return library.Recv.Name()
	case library.Recv:
		return library.Send.Name()
	}
	return "it"
}
