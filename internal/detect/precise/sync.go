// Synchronisation by strong accesses and by fences.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// fences holds what a lane's fences make its later strong writes release. It is immutable.
type fences struct {
	fenced *release // snapshots at the latest fence of each reach that no wider fence followed
	sc     *release // the same for fence.sc
	// inherited holds the releases of fence.sc that precede the lane through barriers, by reach, unless a wider
	// fence.sc of the lane has followed.
	inherited *release
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
	noFences        = fences{fenced: &nothingReleased, sc: &nothingReleased, inherited: &nothingReleased}
)

// synchronise records what an access of the lanes in mask releases and observes. The caller must call tick after it has
// recorded the access itself.
func (d *Detector) synchronise(a *access, s *shadow, mask uint32) {
	if !a.Strong {
		if a.Writes() && s.synced {
			for m := mask; m != 0; m &= m - 1 {
				addr := a.ev.Addr[bits.TrailingZeros32(m)]
				d.expanded(s, addr, uint64(a.Size)).overwrite(d, addr, uint64(a.Size), nil)
			}
		}
		return
	}
	for m := mask; m != 0; {
		lane := bits.TrailingZeros32(m)
		lanes := d.readersTogether(a, s, m)
		for off := uint64(0); off < uint64(a.Size); off += uint64(a.Scalar) {
			d.strongAccess(a, s, a.ev.Addr[lane]+off, lanes)
		}
		m &^= lanes
	}
}

// strongAccess records a strong access to a scalar by one lane, or reads by several lanes that readersTogether has
// grouped.
func (d *Detector) strongAccess(a *access, s *shadow, addr uint64, lanes uint32) {
	lane := bits.TrailingZeros32(lanes)
	l := d.expanded(s, addr, uint64(a.Scalar))
	loc := l.find(addr, uint64(a.Scalar))
	writes := a.Writes() && (a.Kind != abi.AccessRMW || !a.ev.Valued || a.ev.Wrote>>lane&1 != 0)
	observes := false
	if d.evidence.Warns() && (loc == nil || !loc.synchronises) {
		if loc == nil {
			loc = l.location(d, s, addr, uint64(a.Scalar))
		}
		d.recordStrong(a, s, loc, lanes)
	}
	age := a.age(lane, addr)
	if loc != nil && age == 0 && !writes && !a.told && loc.isRepeatedRead(a, lanes) {
		return
	}
	if writes && d.launch.Weak {
		loc = l.location(d, s, addr, uint64(a.Scalar))
		loc.keep(d)
	}
	if loc != nil {
		switch {
		case a.Kind == abi.AccessStore:
		case age > 0:
			d.learnsStart(a, loc.before(age, writes).writer, lanes)
			observes = d.readOlder(a, loc, lanes, age, writes)
		default:
			d.learnsStart(a, loc.writer, lanes)
			observes = d.read(a, loc, lanes)
			d.pruneSeen(a, loc)
		}
		if loc.chained && (a.Kind == abi.AccessStore || a.ev.Reduces) {
			d.followChain(a, loc, lane)
		}
		if !a.told { // else the lanes have followed it when they made the access
			d.followFenceSC(a, loc, lanes, writes)
		}
	}
	if writes {
		if !a.told {
			d.changeLock(a, s, addr, lane)
		}
		loc = d.write(a, s, l, addr, lane, observes)
	}
	a.warp.spread(lanes)
	d.recordFenceSC(a, s, l, addr, loc, lanes, writes)
}

// learnsStart makes lanes learn that the block of a writer has started, whose write an access of them reads.
func (d *Detector) learnsStart(a *access, writer thread, lanes uint32) {
	if !a.told && d.tracksLives() {
		d.learnsWriter(a.warp, writer, lanes)
	}
}

// changeLock records the effect of a lane's strong write on locks. The write must take place.
func (d *Detector) changeLock(a *access, s *shadow, addr uint64, lane int) {
	l := evidence.LockAt(&s.reports, s.life, addr, a.Scalar)
	if d.model.lockSets && (evidence.TakesLock(a.ev) || evidence.DropsLock(a.ev)) {
		d.scorLocks(a, l, lane)
	}
	if !d.absent.Unlocks { // only a lock that is dropped counts as one
		d.evidence.LockedBy(a.ev, thread{Unit: a.warp.unit, Lane: uint8(lane)}, l)
	}
}

// isRepeatedRead reports whether lanes poll: the same instruction reads a location again that has not changed since. It
// records the read.
func (loc *location) isRepeatedRead(a *access, lanes uint32) bool {
	if a.warp.pending == nil {
		return false
	}
	if a.warp.pendingOf(bits.TrailingZeros32(lanes)).polls(loc, a.index) {
		return true
	}
	p := a.warp.pendingTogether(lanes, a.ev.Live)
	p.polled, p.version, p.class = loc, loc.version, a.index
	return false
}

// polls reports whether the latest strong read since the latest fence is one of loc, by an instruction of that class,
// and loc has not changed since.
func (p *pendingSync) polls(loc *location, class uint32) bool {
	return p.polled == loc && p.version == loc.version && p.class == class
}

// read records a strong read. It reports whether the latest write precedes it in observation order.
func (d *Detector) read(a *access, loc *location, lanes uint32) bool {
	w, lane := a.warp, bits.TrailingZeros32(lanes)
	me := thread{Unit: w.unit, Lane: uint8(lane)}
	linked := loc.writer == me || loc.writer != (thread{}) &&
		accesses.Mutual(loc.reach, &d.places[loc.writer.Unit>>radixBits].Place, a.Reach, &w.at.Place)
	if linked && (loc.writer != me || loc.since != loc.last) &&
		(!a.told || !w.of(lane).Includes(loc.writer.Unit, int(loc.writer.Lane), loc.last)) {
		loc.addObservation(d, a, lanes)
	}
	if !a.told {
		d.tellReads(a, loc, lanes, linked)
	}
	if a.ev.Reduces {
		return linked // a reduction forms no acquire pattern
	}
	if d.model.fencesOrder {
		return d.scorObserve(a, loc, me)
	}
	var seen acquired
	if linked && !loc.releases.onlyOf(me) {
		seen = loc.releases.acquiredBy(d, w, lane)
	}
	if a.Sem.Acquires() {
		d.acquire(a, loc, me, seen)
		return linked
	}
	if seen != (acquired{}) {
		p := w.pendingTogether(lanes, a.ev.Live)
		p.seen.merge(&d.merges, &seen)
		if loc.chained && !d.absent.Barriers {
			p.after.merge(&d.merges, &seen)
		}
		for m := lanes; m != 0 && !d.absent.Acquires; m &= m - 1 {
			d.pattern(loc, thread{Unit: w.unit, Lane: uint8(bits.TrailingZeros32(m))}).seen.merge(&d.merges, &seen)
		}
	}
	return linked
}

// acquire makes a lane acquire, by a read that acquires, what the read observes and what the lane's earlier reads of
// the location have observed. It keeps as observed only what the read does not acquire: the lane's clock includes the
// rest.
func (d *Detector) acquire(a *access, loc *location, me thread, seen acquired) {
	w := a.warp
	all := seen
	own := loc.ownOf(me)
	if own != nil {
		all.merge(&d.merges, &own.seen)
		clear(own.seen[:a.Reach+1])
	}
	w.learn(&d.merges, 1<<me.Lane, a.ev.Live, all.within(a.Reach))
	w.of(int(me.Lane)).IsKnownTo(me, d.now)
	clear(seen[:a.Reach+1])
	if seen != (acquired{}) {
		w.pendingFor(int(me.Lane)).seen.merge(&d.merges, &seen)
		d.pattern(loc, me).seen.merge(&d.merges, &seen)
	}
}

// write records a strong write and returns its location. inherits says that it is by an atomic operation which the
// previous write precedes in observation order.
func (d *Detector) write(a *access, s *shadow, l *line, addr uint64, lane int, inherits bool) *location {
	loc := l.location(d, s, addr, uint64(a.Scalar))
	l.overwrite(d, addr, uint64(a.Scalar), loc)
	d.writeTo(a, loc, lane, inherits)
	return loc
}

// writeTo records a strong write of a location.
func (d *Detector) writeTo(a *access, loc *location, lane int, inherits bool) {
	w := a.warp
	if !inherits {
		loc.beginChain(d)
		loc.since, loc.from = d.now, uint8(lane)
	}
	me := thread{Unit: w.unit, Lane: uint8(lane)}
	loc.wrote(a, lane, inherits)
	loc.writer, loc.reach, loc.last = me, a.Reach, d.now
	loc.writerClock, loc.fenced = w.of(lane), w.pendingOf(lane).fences
	loc.version++
	a.since = max(a.since, loc.since)
	var by *release
	if p := w.pendingOf(lane); p.fences != nil {
		by = p.fences.fenced
	}
	if a.Sem.Releases() {
		d.evidence.MarkRelease(&w.reports, lane, a.Reach, a.Site)
		w.at.mayRelease = true
		released := d.releases.Next()
		released[a.Reach] = snapshot{Clock: w.of(lane), At: d.now}
		if d.wide && d.absent.RelaxedWrites { // the lane's next strong write of the location makes a later release of the same reach
			by = later(released, by)
		} else {
			own := d.pattern(loc, me)
			own.released = later(own.released, released)
		}
		w.since = 0 // later accesses are not released
	}
	if own := loc.ownOf(me); own != nil {
		by = later(own.released, by)
	}
	if d.model.fencesOrder && by != nil {
		by = by.within(d, a.Reach, new([accesses.ReachAll]*release)) // a fence reaches no further than the write that releases its snapshot
	}
	loc.continueChain(d, w.pendingOf(lane).fences, by)
	if by != nil && !by.isNone() {
		loc.releases.add(d, source{me, by})
	}
	d.scorPassOn(a, loc, lane)
}

// wrote records for reports the instruction by which a lane has written, unless it polls with an operation that changes
// nothing.
func (loc *location) wrote(a *access, lane int, inherits bool) {
	if ev := a.ev; !inherits || loc.writer != (thread{Unit: a.warp.unit, Lane: uint8(lane)}) || !ev.Valued || ev.Wide ||
		ev.Old[lane] != ev.New[lane] {
		loc.lastClass = a.index
	}
}

// fence handles a memory fence (PTX ISA, "membar/fence").
func (d *Detector) fence(ev *abi.Event) {
	w := d.warpOf(ev)
	if ev.Proxy == abi.ProxyTensorMap && ev.Sem.Acquires() {
		defer d.maps.fence(ev, w, d.now)
	}
	if ev.Sem == abi.SemNone {
		d.proxyFence(ev, w)
		return
	}
	r := accesses.ReachOf(ev.Scope)
	var lastOld, lastNew *fences
	var lastClock *clock
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		p := w.pendingFor(lane)
		if ev.Sem.Acquires() {
			d.evidence.MarkAcquire(&w.reports, lane, r, ev.Site)
			d.acquireSeen(ev, w, lane, p, r)
			d.fencesUnresolved(thread{Unit: w.unit, Lane: uint8(lane)}, r)
			d.scorFence(w, lane, r)
		}
		if lastNew == nil || p.fences != lastOld || lastClock != w.of(lane) {
			lastOld, lastClock = p.fences, w.of(lane)
			lastNew = d.afterFence(ev, p.fences, lastClock, r)
		}
		p.fences, p.polled = lastNew, nil
	}
	w.forgetContexts(ev.Mask)
	if ev.Sem.Releases() {
		d.evidence.MarkFence(ev, &w.reports, r)
	}
	d.tick()
}

// acquireSeen makes a lane acquire, by a fence, what it has observed before.
func (d *Detector) acquireSeen(ev *abi.Event, w *warp, lane int, p *pendingSync, r accesses.Reach) {
	c := p.seen.within(r)
	clear(p.seen[:r+1])
	if d.model.barriersApart {
		d.scorLearn(w, 1<<lane, ev.Live, c)
		return
	}
	if ev.Sem == abi.SemSC {
		c = order.Merge(c, p.after.within(r))
		clear(p.after[:r+1])
	}
	if c == nil {
		return
	}
	w.learn(&d.merges, 1<<lane, ev.Live, c)
	w.of(lane).IsKnownTo(thread{Unit: w.unit, Lane: uint8(lane)}, d.now) // the fence itself releases the clock
}

// afterFence returns the fences of a lane with clock c after one more of reach r.
func (d *Detector) afterFence(ev *abi.Event, old *fences, c *clock, r accesses.Reach) *fences {
	if old == nil {
		old = &noFences
	}
	made := d.madeFences.Next()
	f := &made.fences
	f.fenced, f.sc, f.inherited, f.made = old.fenced, old.sc, old.inherited, d.now
	if ev.Sem.Releases() {
		made.by = old.fenced.then(r, snapshot{Clock: c, At: d.now})
		f.fenced = &made.by
	}
	if ev.Sem == abi.SemSC && d.model.fenceSC {
		if f.sc = f.fenced; old.sc != old.fenced {
			if by := old.sc.then(r, snapshot{Clock: c, At: d.now}); by != made.by {
				f.sc = d.releases.Next()
				*f.sc = by
			}
		}
		f.inherited = d.inheritances.beyond(d, old.inherited, r)
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
func (f *release) within(d *Detector, r accesses.Reach, narrow *[accesses.ReachAll]*release) *release {
	if r == accesses.ReachAll || f.reachesNoFurther(r) {
		return f
	}
	if narrow[r] == nil {
		out := new(release)
		for i, s := range f {
			x := &out[min(accesses.Reach(i), r)]
			*x = snapshot{Clock: d.merges.Joined(x.Clock, s.Clock), At: max(x.At, s.At)}
		}
		narrow[r] = out
	}
	return narrow[r]
}

// proxyFence handles fence.proxy of lanes: from now on, accesses through the asynchronous proxy are ordered after what
// the lanes' clocks include.
func (d *Detector) proxyFence(ev *abi.Event, w *warp) {
	if ev.Proxy != abi.ProxyAsync {
		return
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		c := w.of(lane).With(vclock.Threads(w.unit, 1<<lane, d.now))
		w.learn(&d.merges, 1<<lane, ev.Live, &clock{Fenced: c.Tree()})
	}
	d.tick()
}
