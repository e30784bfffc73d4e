// Replays: accesses of journals and of cells are made again when another kind of access needs what they leave.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// replay is an access that is made again, by the path of an access in progress.
type replay struct {
	event    abi.Event
	warp     causality.Warp
	access   causality.Access
	pendings causality.Pendings // for the warp
	now      stamp              // Threads.Now and Threads.Events when the replay began
	events   uint32
}

// beginReplay returns a replay, which the caller must end.
func (d *Detector) beginReplay() *replay {
	p := d.replay
	if d.replay = nil; p == nil { // a replay may lead to another one
		p = new(replay)
	}
	p.now, p.events = d.Now, d.Events
	return p
}

func (p *replay) end(d *Detector) {
	d.replay, d.Now, d.Events = p, p.now, p.events
}

// by begins an access by lanes of a unit whose clock is given.
func (p *replay) by(d *Detector, u unit, c *clock, class uint32) *causality.Access {
	p.warp = causality.Warp{Unit: u, At: d.PlaceOf(u), Clock: c, Noted: 1<<radix - 1}
	p.access.Begin(&d.Threads, &p.warp, u, class)
	p.access.Ev = &p.event
	return &p.access
}

// at sets the time of the access, and the number of its event.
func (p *replay) at(d *Detector, at stamp, event uint32) {
	p.access.At = at
	if d.Now, d.Events = p.now, event; p.access.Writes() {
		d.Now = at // a read may have the stamp of an earlier write
	}
}

// describe sets what the event has of an access class.
func (p *replay) describe(class *accesses.Class) {
	ev := &p.event
	ev.Access, ev.Site, ev.Sem, ev.Scope, ev.Proxy, ev.Bytes, ev.Scalar = class.Kind, class.Site, class.Sem,
		class.Scope, class.Proxy, class.Size, class.Scalar
	ev.Atomic, ev.Reduces, ev.Valued, ev.Space = abi.AtomicOther, false, false, abi.SpaceGlobal
	if class.Shared {
		ev.Space = abi.SpaceShared
	}
}

// recall gives a lane of the warp the clock and the fences that it had at a strong access.
func (p *replay) recall(d *Detector, lane uint8, at stamp) {
	c := d.ContextOf(thread{Unit: p.warp.Unit, Lane: lane}, at)
	p.warp.Clock = c.Clock
	if c.Fences != nil {
		p.pendings.Apart, p.pendings.Rest = 0, causality.PendingSync{Fences: c.Fences}
		p.warp.Pending = &p.pendings
	}
}

// replays takes the compact forms of the record apart: it makes their accesses again by the path of live ones.
type replays struct{ d *Detector }

var _ shadow.Replayer = replays{}

// ReplayJournal makes the accesses of a region's journal again.
func (x replays) ReplayJournal(r *shadow.Region) {
	d := x.d
	p := d.beginReplay()
	for _, c := range r.Chunks {
		for i := range c.N {
			x, known := &c.Records[i], (*clock)(nil)
			if r.Mode == shadow.Counting {
				known = c.Clocks[x.Clock]
			}
			a := p.by(d, x.Unit, known, x.Class)
			for k := range x.Times {
				p.fill(c, x, a.Class, k, r.Window)
				p.at(d, x.At+stamp(k)*x.Rise, x.Event+k*x.Events)
				d.perform(a, r.Memory)
			}
		}
	}
	p.end(d)
}

// fill sets the event to access number k of a record of a chunk, in a window of addresses. A value that is written is 1
// if it differs from the old one, which counts as 0.
func (p *replay) fill(c *deferred.Chunk, x *deferred.Record, class *accesses.Class, k uint32, window uint64) {
	p.describe(class)
	ev := &p.event
	ev.Access, ev.Atomic, ev.Reduces, ev.Valued = x.Access, x.Atomic, x.Reduces, true
	ev.Mask, ev.Next, ev.Same, ev.Wrote = x.Mask, x.Next, x.Same, x.Wrote
	wrote := uint64(0)
	if x.Changes {
		wrote = 1
	}
	c.AddressesOf(x, k, class.Size, &ev.Addr)
	for m := x.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		ev.Addr[lane], ev.New[lane] = ev.Addr[lane]+window<<deferred.WindowBits, wrote
	}
}

// again makes what an access that a cell has held leaves in the location of its scalar, and returns it for the caller
// to make what it leaves in histories. It is by a lane, whose address and value the event has.
func (p *replay) again(d *Detector, s *shadow.Memory, lane uint8) *causality.Access {
	a, ev := &p.access, &p.event
	a.Told = true
	ev.Mask, ev.Next, ev.Same, ev.Wrote = 1<<lane, 0, 0, 0
	if a.Writes() {
		ev.Wrote = ev.Mask
	}
	d.strongAccess(a, s, ev.Addr[lane], ev.Mask)
	return a
}

// ReplayCell makes a location and a history from the cell at an address.
func (r replays) ReplayCell(s *shadow.Memory, l *shadow.Line, c *shadow.Cell, addr uint64) {
	d := r.d
	x := d.AccessesOf(c)
	d.Ordered.Release(c)
	*c = shadow.Cell{}
	loc := l.Location(&d.Record, s, addr, uint64(l.Scalar))
	if x.Flags&shadow.CellSynchronises != 0 && d.Evidence.Warns() {
		loc.SetSynchronises()
	}
	p, latest := d.beginReplay(), x.LatestWrite()
	for i := range x.List[:x.N] {
		e := &x.List[i]
		p.describe(p.by(d, e.Unit, nil, uint32(e.Class)).Class)
		p.recall(d, e.Lane, e.At)
		p.at(d, e.At, p.events-1)
		p.event.Addr[e.Lane], p.event.New[e.Lane], p.event.Valued = addr, x.Value, i == latest &&
			x.Flags&shadow.CellValued != 0
		d.Words(p.again(d, s, e.Lane), s, addr, 1<<e.Lane)
	}
	p.end(d)
}
