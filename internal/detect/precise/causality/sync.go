// Synchronisation by strong accesses and by fences.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Fences holds what a lane's fences make its later strong writes release. It is immutable.
type Fences struct {
	Fenced *release // snapshots at the latest fence of each reach that no wider fence followed
	Sc     *release // the same for fence.sc
	// inherited holds the releases of fence.sc that precede the lane through barriers, by reach, unless a wider
	// fence.sc of the lane has followed.
	Inherited *release
	// made is the time from which on this holds: a clock that includes the lane at that time includes all of it.
	made   stamp
	narrow *narrowFences // made on demand
}

// narrowFences caches the releases of fences by accesses whose scope does not include all threads, by the reach of the
// access.
type narrowFences struct{ sc, inherited [accesses.ReachAll]*release }

// noFences is the fences of a lane that has executed none, and nothingReleased their release.
var (
	nothingReleased release
	noFences        = Fences{Fenced: &nothingReleased, Sc: &nothingReleased, Inherited: &nothingReleased}
)

// IsRepeatedRead reports whether lanes poll: the same instruction reads a location again that has not changed since. It
// records the read.
func (loc *Location) IsRepeatedRead(a *Access, lanes uint32) bool {
	if a.Warp.Pending == nil {
		return false
	}
	if a.Warp.PendingOf(bits.TrailingZeros32(lanes)).polls(loc, a.Index) {
		return true
	}
	p := a.Warp.pendingTogether(lanes, a.Ev.Live)
	p.polled, p.version, p.class = loc, loc.Version, a.Index
	return false
}

// polls reports whether the latest strong read since the latest fence is one of loc, by an instruction of that class,
// and loc has not changed since.
func (p *PendingSync) polls(loc *Location, class uint32) bool {
	return p.polled == loc && p.version == loc.Version && p.class == class
}

// IsLinked reports whether the latest write of a location precedes a strong read of a lane in observation order.
func (d *Threads) IsLinked(a *Access, loc *Location, lane int) bool {
	return loc.Writer == thread{Unit: a.Warp.Unit, Lane: uint8(lane)} || loc.Writer != (thread{}) &&
		accesses.Mutual(loc.Reach, &d.Places[loc.Writer.Unit>>radixBits].Place, a.Reach, &a.Warp.At.Place)
}

// Read records a strong read. It reports whether the latest write precedes it in observation order.
func (d *Threads) Read(a *Access, loc *Location, lanes uint32) bool {
	w, lane := a.Warp, bits.TrailingZeros32(lanes)
	me := thread{Unit: w.Unit, Lane: uint8(lane)}
	linked := d.IsLinked(a, loc, lane)
	if a.Chance {
		return linked
	}
	if linked && (loc.Writer != me || loc.Since != loc.Last) &&
		(!a.Told || !w.Of(lane).Includes(loc.Writer.Unit, int(loc.Writer.Lane), loc.Last)) {
		loc.AddObservation(d, a, lanes)
	}
	if !a.Told {
		d.tellReads(a, loc, lanes, linked)
	}
	if a.Ev.Reduces {
		return linked // a reduction forms no acquire pattern
	}
	if d.Model.FencesOrder {
		return d.scorObserve(a, loc, me)
	}
	var seen Acquired
	if linked && !loc.Releases.onlyOf(me) {
		seen = loc.Releases.AcquiredBy(d, w, lane)
	}
	if a.Sem.Acquires() {
		d.acquire(a, loc, me, seen)
		return linked
	}
	if seen != (Acquired{}) {
		p := w.pendingTogether(lanes, a.Ev.Live)
		p.Seen.Merge(&d.Merges, &seen)
		if loc.Chained && !d.Absent.Barriers {
			p.After.Merge(&d.Merges, &seen)
		}
		for m := lanes; m != 0 && !d.Absent.Acquires; m &= m - 1 {
			d.pattern(loc, thread{Unit: w.Unit, Lane: uint8(bits.TrailingZeros32(m))}).seen.Merge(&d.Merges, &seen)
		}
	}
	return linked
}

// acquire makes a lane acquire, by a read that acquires, what the read observes and what the lane's earlier reads of
// the location have observed. It keeps as observed only what the read does not acquire: the lane's clock includes the
// rest.
func (d *Threads) acquire(a *Access, loc *Location, me thread, seen Acquired) {
	w := a.Warp
	all := seen
	own := loc.ownOf(me)
	if own != nil {
		all.Merge(&d.Merges, &own.seen)
		clear(own.seen[:a.Reach+1])
	}
	d.Hear(w, 1<<me.Lane, a.Ev.Live, all.Within(a.Reach))
	w.Of(int(me.Lane)).IsKnownTo(me, d.Now)
	clear(seen[:a.Reach+1])
	if seen != (Acquired{}) {
		w.PendingFor(int(me.Lane)).Seen.Merge(&d.Merges, &seen)
		d.pattern(loc, me).seen.Merge(&d.Merges, &seen)
	}
}

// WriteTo records a strong write of a location.
func (d *Threads) WriteTo(a *Access, loc *Location, lane int, inherits bool) {
	w := a.Warp
	if !inherits {
		loc.beginChain(d)
		loc.Since, loc.From = d.Now, uint8(lane)
	}
	me := thread{Unit: w.Unit, Lane: uint8(lane)}
	loc.Wrote(a, lane, inherits)
	loc.Writer, loc.Reach, loc.Last = me, a.Reach, d.Now
	loc.WriterClock, loc.Fenced = w.Of(lane), w.PendingOf(lane).Fences
	loc.Version++
	a.Since = max(a.Since, loc.Since)
	var by *release
	if p := w.PendingOf(lane); p.Fences != nil {
		by = p.Fences.Fenced
	}
	if a.Sem.Releases() {
		d.Evidence.MarkRelease(&w.reports, lane, a.Reach, a.Site)
		w.At.MayRelease = true
		released := d.releases.Next()
		released[a.Reach] = snapshot{Clock: w.Of(lane), At: d.Now}
		if a.Reach >= accesses.ReachDevice {
			d.noteFlush(w, 1<<lane, released[a.Reach])
		}
		if d.wide && d.Absent.RelaxedWrites { // the lane's next strong write of the location makes a later release of the same reach
			by = later(released, by)
		} else {
			own := d.pattern(loc, me)
			own.released = later(own.released, released)
		}
		w.Since = 0 // later accesses are not released
	}
	if own := loc.ownOf(me); own != nil {
		by = later(own.released, by)
	}
	if d.Model.FencesOrder && by != nil {
		by = by.within(d, a.Reach, new([accesses.ReachAll]*release)) // a fence reaches no further than the write that releases its snapshot
	}
	loc.continueChain(d, w.PendingOf(lane).Fences, by)
	if by != nil && !by.IsNone() {
		loc.Releases.add(d, source{me, by})
	}
	d.scorPassOn(a, loc, lane)
}

// Wrote records for reports the instruction by which a lane has written, unless it polls with an operation that changes
// nothing.
func (loc *Location) Wrote(a *Access, lane int, inherits bool) {
	if ev := a.Ev; !inherits || loc.Writer != (thread{Unit: a.Warp.Unit, Lane: uint8(lane)}) || !ev.Valued || ev.Wide ||
		ev.Old[lane] != ev.New[lane] {
		loc.LastClass = a.Index
	}
}

// Fence handles a memory fence (PTX ISA, "membar/fence").
func (d *Threads) Fence(ev *abi.Event) {
	if ev.Sem == abi.SemNone {
		d.proxyFence(ev, d.ReleasingWarp(ev))
		return
	}
	w := d.WarpOf(ev)
	if ev.Proxy == abi.ProxyTensorMap && ev.Sem.Acquires() {
		defer d.Maps.fence(ev, w, d.Now)
	}
	r := d.ReachOf(ev.Scope)
	var lastOld, lastNew *Fences
	var lastClock *clock
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		p := w.PendingFor(lane)
		if ev.Sem.Acquires() {
			d.Evidence.MarkAcquire(&w.reports, lane, r, d.Evidence.SiteOf(ev))
			d.acquireSeen(ev, w, lane, p, r)
			d.fencesUnresolved(thread{Unit: w.Unit, Lane: uint8(lane)}, r)
			d.scorFence(w, lane, r)
		}
		if lastNew == nil || p.Fences != lastOld || lastClock != w.Of(lane) {
			lastOld, lastClock = p.Fences, w.Of(lane)
			lastNew = d.afterFence(ev, p.Fences, lastClock, r)
		}
		p.Fences, p.polled = lastNew, nil
	}
	w.forgetContexts(ev.Mask)
	d.noteFence(w, ev, r)
	if ev.Sem.Releases() {
		d.Evidence.MarkFence(ev, &w.reports, r)
	}
	d.Tick()
}

// acquireSeen makes a lane acquire, by a fence, what it has observed before.
func (d *Threads) acquireSeen(ev *abi.Event, w *Warp, lane int, p *PendingSync, r accesses.Reach) {
	c := p.Seen.Within(r)
	clear(p.Seen[:r+1])
	if d.Model.BarriersApart {
		d.scorLearn(w, 1<<lane, ev.Live, c)
		return
	}
	if ev.Sem == abi.SemSC {
		c = order.Merge(c, p.After.Within(r))
		clear(p.After[:r+1])
	}
	if c == nil {
		return
	}
	d.Hear(w, 1<<lane, ev.Live, c)
	w.Of(lane).IsKnownTo(thread{Unit: w.Unit, Lane: uint8(lane)}, d.Now) // the fence itself releases the clock
}

// afterFence returns the fences of a lane with clock c after one more of reach r.
func (d *Threads) afterFence(ev *abi.Event, old *Fences, c *clock, r accesses.Reach) *Fences {
	if old == nil {
		old = &noFences
	}
	made := d.madeFences.Next()
	f := &made.Fences
	f.Fenced, f.Sc, f.Inherited, f.made = old.Fenced, old.Sc, old.Inherited, d.Now
	if ev.Sem.Releases() {
		made.by = old.Fenced.then(r, snapshot{Clock: c, At: d.Now})
		f.Fenced = &made.by
	}
	if ev.Sem == abi.SemSC && d.Model.FenceSC {
		if f.Sc = f.Fenced; old.Sc != old.Fenced {
			if by := old.Sc.then(r, snapshot{Clock: c, At: d.Now}); by != made.by {
				f.Sc = d.releases.Next()
				*f.Sc = by
			}
		}
		f.Inherited = d.inheritances.beyond(d, old.Inherited, r)
	}
	return f
}

// then returns the snapshots after one more fence of reach r.
func (f *release) then(r accesses.Reach, s snapshot) release {
	by := *f
	clear(by[:r])
	by[r] = s
	return by
}

// reachesNoFurther reports whether no part of a release reaches further than r.
func (f *release) reachesNoFurther(r accesses.Reach) bool {
	for _, s := range f[r+1:] {
		if s.At != 0 {
			return false
		}
	}
	return true
}

// within returns what fences release by an access of reach r, cached in narrow if that does not include all threads.
func (f *release) within(d *Threads, r accesses.Reach, narrow *[accesses.ReachAll]*release) *release {
	if r == accesses.ReachAll || f.reachesNoFurther(r) {
		return f
	}
	if narrow[r] == nil {
		out := new(release)
		for i, s := range f {
			x := &out[min(accesses.Reach(i), r)]
			*x = snapshot{Clock: d.Merges.Joined(x.Clock, s.Clock), At: max(x.At, s.At)}
		}
		narrow[r] = out
	}
	return narrow[r]
}

// proxyFence handles fence.proxy of lanes: from now on, accesses through the asynchronous proxy are ordered after what
// the lanes' clocks include.
func (d *Threads) proxyFence(ev *abi.Event, w *Warp) {
	if ev.Proxy != abi.ProxyAsync {
		return
	}
	w.fence(&d.Merges, ev.Mask, ev.Live, d.Now)
	d.Tick()
}
