// The part of Fence-SC order that barriers pass on.

package precise

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
	after  acquired                     // as pending.after
	passes acquired                     // as pending.passes
}

// passedSC is what a barrier passes on to the threads that leave it.
type passedSC struct {
	before, after, passes acquired
}

// passed returns what threads have brought to the barrier, and resets it.
func (s *fenceSC) passed(m *merges) (p passedSC) {
	for r := range s.before {
		p.before[r] = s.before[r].Get(m)
	}
	p.after, p.passes = s.after, s.passes
	s.after, s.passes = acquired{}, acquired{}
	return p
}

// bring adds the Fence-SC order of the lanes in mask to a barrier.
func (d *Detector) bring(s *fenceSC, w *warp, mask uint32) {
	if w.pending == nil {
		return
	}
	for mask != 0 {
		p, same := w.samePending(mask)
		mask &^= same
		if f := p.fences; f != nil {
			for r := range accesses.Reaches {
				if own := f.sc[r]; own.At != 0 {
					s.before[r].AddPart(&d.merges, &order.Part{Snapshot: own, Unit: w.unit, Lanes: same})
				}
				s.before[r].AddClock(&d.merges, f.inherited[r].Clock)
			}
		}
		s.after.merge(&d.merges, &p.after)
		if p.passes != nil {
			s.passes.merge(&d.merges, p.passes)
		}
	}
}

// samePending returns the pending state of the first lane in mask, and the lanes that bring the same to barriers.
func (w *warp) samePending(mask uint32) (p *pendingSync, same uint32) {
	p, same = w.pendingOf(bits.TrailingZeros32(mask)), mask&^w.pending.apart
	if same != 0 && !p.passesOn(&w.pending.rest) {
		same = 0
	}
	for m := mask & w.pending.apart; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if p.passesOn(&w.pending.own[lane]) {
			same |= 1 << lane
		}
	}
	return p, same
}

// passesOn reports whether two lanes bring the same to barriers.
func (p *pendingSync) passesOn(q *pendingSync) bool {
	return q.fences == p.fences && q.after == p.after && q.passes == p.passes
}

// inherit gives the lanes in mask, which have passed a barrier, the Fence-SC order that all threads have brought to it.
func (d *Detector) inherit(w *warp, mask, live uint32, s *passedSC) {
	if *s == (passedSC{}) {
		return
	}
	if w.pending == nil {
		w.pending = new(pendings)
	}
	w.forgetContexts(1<<radix - 1)
	p := w.pending
	if rest := live &^ p.apart; rest&^mask == 0 {
		d.inheritBy(&p.rest, s)
		mask &= p.apart
	}
	for ; mask != 0; mask &= mask - 1 {
		d.inheritBy(w.pendingFor(bits.TrailingZeros32(mask)), s)
	}
	p.unite(live)
}

// inheritBy gives a lane, or several with equal state, the Fence-SC order brought to a barrier.
func (d *Detector) inheritBy(p *pendingSync, s *passedSC) {
	if f := d.inheritances.of(d, p.fences, &s.before); p.fences != f {
		p.fences, p.polled = f, nil
	}
	p.after.merge(&d.merges, &s.after)
	if s.passes != (acquired{}) {
		p.passFurther(&d.merges, &s.passes)
	}
}

// unite makes the lanes whose pending state equals that of most others share it.
func (p *pendings) unite(live uint32) {
	if live != 0 && live&^p.apart == 0 {
		p.rest = p.own[bits.Len32(live)-1] // threads that act for all others are usually the first ones
	}
	p.rest.polled = nil // the lanes united with it may have polled nothing
	for m := p.apart; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if q := &p.own[lane]; q.passesOn(&p.rest) && q.seen == p.rest.seen {
			p.apart &^= 1 << lane
		}
	}
}

// inheritances caches the latest inheritance: the warps of a block inherit the same.
type inheritances struct {
	before acquired
	list   [4]struct{ old, by *fences }
	next   int
	// The latest result of beyond.
	whole, far *release
	reach      accesses.Reach
}

// of returns the fences of a lane after a barrier to which before was brought.
func (x *inheritances) of(d *Detector, old *fences, before *acquired) *fences {
	if x.before != *before {
		x.before, x.list = *before, [4]struct{ old, by *fences }{}
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
		case k.old.inherited == old.inherited:
			inherited = k.by.inherited
		}
	}
	f := d.inheritedBy(old, inherited, before)
	x.list[x.next%len(x.list)] = struct{ old, by *fences }{old, f}
	x.next++
	return f
}

// inheritedBy computes what of caches; inherited is the known inheritance, or nil.
func (d *Detector) inheritedBy(old *fences, inherited *release, before *acquired) *fences {
	switch {
	case old.sc.isNone() && d.allKnown(old.inherited, before):
		return old
	case inherited == nil:
		inherited = d.releases.Next()
		*inherited = *old.inherited
		for r := range inherited {
			x := &inherited[r]
			if c := d.merges.Joined(before[r], x.Clock); c != x.Clock {
				*x = snapshot{Clock: c, At: d.now}
			}
		}
	}
	f := d.fences.Next()
	f.fenced, f.sc, f.inherited, f.made = old.fenced, &nothingReleased, inherited, d.now
	return f
}

// beyond returns the part of a release that reaches further than r.
func (x *inheritances) beyond(d *Detector, f *release, r accesses.Reach) *release {
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
func (d *Detector) allKnown(f *release, o *acquired) bool {
	for r, c := range o {
		if !d.merges.Includes(f[r].Clock, c) {
			return false
		}
	}
	return true
}
