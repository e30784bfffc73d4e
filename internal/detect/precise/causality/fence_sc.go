// The part of Fence-SC order that barriers pass on.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// fenceSC is the part of Fence-SC order that a barrier passes on. Suppose that a fence.sc precedes a strong access in
// base causality order, perhaps an access of another thread after a barrier. It then precedes every fence.sc that
// follows a later conflicting access: in the opposite order, the accesses would have happened the other way round.
type fenceSC struct {
	before [accesses.Reaches]order.Join // releases by fence.sc that precede the thread, by reach
	after  Acquired                     // as PendingSync.After
	passes Acquired                     // as PendingSync.Passes
}

// passedSC is what a barrier passes on to the threads that leave it.
type passedSC struct {
	before, after, passes Acquired
}

// passed returns what threads have brought to the barrier, and resets it.
func (s *fenceSC) passed(m *merges) (p passedSC) {
	for r := range s.before {
		p.before[r] = s.before[r].Get(m)
	}
	p.after, p.passes = s.after, s.passes
	s.after, s.passes = Acquired{}, Acquired{}
	return p
}

// bring adds the Fence-SC order of the lanes in mask to a barrier.
func (d *Threads) bring(s *fenceSC, w *Warp, mask uint32) {
	if w.Pending == nil {
		return
	}
	for mask != 0 {
		p, same := w.samePending(mask)
		mask &^= same
		if f := p.Fences; f != nil {
			for r := range accesses.Reaches {
				if own := f.Sc[r]; own.At != 0 {
					s.before[r].AddPart(&d.Merges, &order.Part{Snapshot: own, Unit: w.Unit, Lanes: same})
				}
				s.before[r].AddClock(&d.Merges, f.Inherited[r].Clock)
			}
		}
		s.after.Merge(&d.Merges, &p.After)
		if p.Passes != nil {
			s.passes.Merge(&d.Merges, p.Passes)
		}
	}
}

// samePending returns the pending state of the first lane in mask, and the lanes that bring the same to barriers.
func (w *Warp) samePending(mask uint32) (p *PendingSync, same uint32) {
	p, same = w.PendingOf(bits.TrailingZeros32(mask)), mask&^w.Pending.Apart
	if same != 0 && !p.passesOn(&w.Pending.Rest) {
		same = 0
	}
	for m := mask & w.Pending.Apart; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if p.passesOn(&w.Pending.own[lane]) {
			same |= 1 << lane
		}
	}
	return p, same
}

// passesOn reports whether two lanes bring the same to barriers.
func (p *PendingSync) passesOn(q *PendingSync) bool {
	return q.Fences == p.Fences && q.After == p.After && q.Passes == p.Passes
}

// inherit gives the lanes in mask, which have passed a barrier, the Fence-SC order that all threads have brought to it.
func (d *Threads) inherit(w *Warp, mask, live uint32, s *passedSC) {
	if *s == (passedSC{}) {
		return
	}
	if w.Pending == nil {
		w.Pending = new(Pendings)
	}
	w.forgetContexts(1<<radix - 1)
	p := w.Pending
	if rest := live &^ p.Apart; rest&^mask == 0 {
		d.inheritBy(&p.Rest, s)
		mask &= p.Apart
	}
	for ; mask != 0; mask &= mask - 1 {
		d.inheritBy(w.PendingFor(bits.TrailingZeros32(mask)), s)
	}
	p.unite(live)
}

// inheritBy gives a lane, or several with equal state, the Fence-SC order brought to a barrier.
func (d *Threads) inheritBy(p *PendingSync, s *passedSC) {
	if f := d.inheritances.of(d, p.Fences, &s.before); p.Fences != f {
		p.Fences, p.polled = f, nil
	}
	p.After.Merge(&d.Merges, &s.after)
	if s.passes != (Acquired{}) {
		p.passFurther(&d.Merges, &s.passes)
	}
}

// unite makes the lanes whose pending state equals that of most others share it.
func (p *Pendings) unite(live uint32) {
	if live != 0 && live&^p.Apart == 0 {
		p.Rest = p.own[bits.Len32(live)-1] // threads that act for all others are usually the first ones
	}
	p.Rest.polled = nil // the lanes united with it may have polled nothing
	for m := p.Apart; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if q := &p.own[lane]; q.passesOn(&p.Rest) && q.Seen == p.Rest.Seen {
			p.Apart &^= 1 << lane
		}
	}
}

// inheritances caches the latest inheritance: the warps of a block inherit the same.
type inheritances struct {
	before Acquired
	list   [4]struct{ old, by *Fences }
	next   int
	// The latest result of beyond.
	whole, far *release
	reach      accesses.Reach
}

// of returns the fences of a lane after a barrier to which before was brought.
func (x *inheritances) of(d *Threads, old *Fences, before *Acquired) *Fences {
	if x.before != *before {
		x.before, x.list = *before, [4]struct{ old, by *Fences }{}
	}
	if old == nil {
		old = &noFences
	}
	var inherited *release
	for i := range x.list {
		switch k := &x.list[i]; {
		case k.by == nil:
		case k.old == old:
			return k.by
		case k.old.Inherited == old.Inherited:
			inherited = k.by.Inherited
		}
	}
	f := d.inheritedBy(old, inherited, before)
	x.list[x.next%len(x.list)] = struct{ old, by *Fences }{old, f}
	x.next++
	return f
}

// inheritedBy computes what of caches; inherited is the known inheritance, or nil.
func (d *Threads) inheritedBy(old *Fences, inherited *release, before *Acquired) *Fences {
	switch {
	case old.Sc.IsNone() && d.allKnown(old.Inherited, before):
		return old
	case inherited == nil:
		inherited = d.releases.Next()
		*inherited = *old.Inherited
		for r := range inherited {
			x := &inherited[r]
			if c := d.Merges.Joined(before[r], x.Clock); c != x.Clock {
				*x = snapshot{Clock: c, At: d.Now}
			}
		}
	}
	f := d.fences.Next()
	f.Fenced, f.Sc, f.Inherited, f.made = old.Fenced, &nothingReleased, inherited, d.Now
	return f
}

// beyond returns the part of a release that reaches further than r.
func (x *inheritances) beyond(d *Threads, f *release, r accesses.Reach) *release {
	if x.whole == f && x.reach == r {
		return x.far
	}
	by := *f
	clear(by[:r+1])
	x.whole, x.reach = f, r
	switch by {
	case *f:
		x.far = f
	case release{}:
		x.far = &nothingReleased
	default:
		x.far = d.releases.Next()
		*x.far = by
	}
	return x.far
}

// allKnown reports whether f includes all of o, reach by reach.
func (d *Threads) allKnown(f *release, o *Acquired) bool {
	for r, c := range o {
		if !d.Merges.Includes(f[r].Clock, c) {
			return false
		}
	}
	return true
}
