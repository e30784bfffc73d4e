// Replays: accesses of journals and of cells are made again when another kind of access needs what they leave.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// replay is an access that is made again, by the path of an access in progress.
type replay struct {
	event    abi.Event
	warp     warp
	access   access
	pendings pendings // for the warp
	now      stamp    // Detector.now and Detector.events when the replay began
	events   uint32
}

// beginReplay returns a replay, which the caller must end.
func (d *Detector) beginReplay() *replay {
	p := d.replay
	if d.replay = nil; p == nil { // a replay may lead to another one
		p = new(replay)
	}
	p.now, p.events = d.now, d.events
	return p
}

func (p *replay) end(d *Detector) {
	d.replay, d.now, d.events = p, p.now, p.events
}

// by begins an access by lanes of a unit whose clock is given.
func (p *replay) by(d *Detector, u unit, c *clock, class uint32) *access {
	p.warp = warp{unit: u, at: d.placeOf(u), clock: c, noted: 1<<radix - 1}
	p.access.begin(d, &p.warp, u, class)
	p.access.ev = &p.event
	return &p.access
}

// at sets the time of the access, and the number of its event.
func (p *replay) at(d *Detector, at stamp, event uint32) {
	p.access.at, p.access.cachedUnit = at, ^unit(0)
	if d.now, d.events = p.now, event; p.access.Writes() {
		d.now = at // a read may have the stamp of an earlier write
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
	c := d.contextOf(thread{Unit: p.warp.unit, Lane: lane}, at)
	p.warp.clock = c.clock
	if c.fences != nil {
		p.pendings.apart, p.pendings.rest = 0, pendingSync{fences: c.fences}
		p.warp.pending = &p.pendings
	}
}

// readJournal replays a region's journal and empties it.
func (d *Detector) readJournal(r *region) {
	r.looked = r.looked || r.Taken > 0
	p := d.beginReplay()
	for _, c := range r.Chunks {
		for i := range c.N {
			x, known := &c.Records[i], (*clock)(nil)
			if r.mode == counting {
				known = c.Clocks[x.Clock]
			}
			a := p.by(d, x.Unit, known, x.Class)
			for k := range x.Times {
				p.fill(c, x, a.Class, k, r.window)
				p.at(d, x.At+stamp(k)*x.Rise, x.Event+k*x.Events)
				d.perform(a, r.memory)
			}
		}
	}
	p.end(d)
	if r.mode == counting && r.Taken > 0 {
		d.evidence.MessagesCameLate()
	}
	d.drop(r)
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
func (p *replay) again(d *Detector, s *shadow, lane uint8) *access {
	a, ev := &p.access, &p.event
	a.told = true
	ev.Mask, ev.Next, ev.Same, ev.Wrote = 1<<lane, 0, 0, 0
	if a.Writes() {
		ev.Wrote = ev.Mask
	}
	d.strongAccess(a, s, ev.Addr[lane], ev.Mask)
	return a
}
