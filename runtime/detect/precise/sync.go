package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// heads are what operations at the head of release patterns have released, by those
// whom it reaches: an acquire pattern synchronises with the heads that it is morally
// strong with (PTX ISA, "Memory synchronization").
type heads struct {
	any      *clock            // known to whoever observes, whatever the scopes
	all      *clock            // of scope gpu or sys
	clusters map[uint64]*clock // of scope cluster or wider, by cluster
	blocks   map[uint32]*clock // of any scope, by block
}

// add enters a head of that reach by a thread of a warp.
func (h *heads) add(r reach, w *warp, c *clock) {
	if h.blocks == nil {
		h.blocks = make(map[uint32]*clock)
	}
	h.blocks[w.home.number] = merge(h.blocks[w.home.number], c)
	if r >= reachCluster {
		if h.clusters == nil {
			h.clusters = make(map[uint64]*clock)
		}
		k := w.clusterKey()
		h.clusters[k] = merge(h.clusters[k], c)
	}
	if r == reachAll {
		h.all = merge(h.all, c)
	}
}

// has reports whether what a lane had to release at a stamp is among the heads of that
// reach: who knows the lane up to there knows what it knew.
func (h *heads) has(r reach, w *warp, lane int, at stamp) bool {
	knows := func(c *clock) bool { return c != nil && c.known.known(w.unit, lane) >= at }
	return knows(h.blocks[w.home.number]) && (r < reachCluster || knows(h.clusters[w.clusterKey()])) && (r < reachAll || knows(h.all))
}

// addAll enters a head that is morally strong with everyone.
func (h *heads) addAll(c *clock) { h.any = merge(h.any, c) }

// clusterKey tells clusters of all grids apart.
func (w *warp) clusterKey() uint64 { return uint64(w.at.grid)<<40 | w.at.cluster }

// observed is what has been observed of heads, by the least reach of the operation
// that acquires it.
type observed [reaches]*clock

// seenBy is what a thread of a warp observes.
func (h *heads) seenBy(w *warp) observed {
	o := observed{reachBlock: merge(h.any, h.blocks[w.home.number]), reachAll: h.all}
	if h.clusters != nil {
		o[reachCluster] = h.clusters[w.clusterKey()]
	}
	return o
}

// merge adds what has been observed otherwise, and reports whether that was more.
func (o *observed) merge(m *merges, p observed) bool {
	before := *o
	for i := range o {
		o[i] = m.merge(o[i], p[i])
	}
	return *o != before
}

// within is what an operation of that reach acquires.
func (o *observed) within(r reach) *clock {
	var c *clock
	for i := range r + 1 {
		c = merge(c, o[i])
	}
	return c
}

// snapshot is what a thread had to release at a fence.
type snapshot struct {
	clock *clock
	at    stamp // 0 when there was no fence
}

// pending is what fences of a lane have to do with. It never changes once it is made.
type pending struct {
	fenced [reaches]snapshot // at the latest fence of each reach that no wider one followed
	serial [reaches]snapshot // the same, of fence.sc
	seen   observed          // by strong reads, not acquired yet
	// inherited is what fence.sc have released that precede the lane by barriers, by
	// their reach, and no wider one of its own has followed.
	inherited observed
	// after is what fence.sc of other threads have released that precede the lane's next
	// one in Fence-SC order.
	after observed
}

// synchronise does what an access means for synchronisation. The
// caller ticks when it has recorded the access.
func (d *Detector) synchronise(a *access, s *shadow) {
	if !a.strong {
		if a.writes() && s.synced {
			for m := a.ev.Mask; m != 0; m &= m - 1 {
				addr := a.ev.Addr[bits.TrailingZeros32(m)]
				d.line(s, addr).overwrite(addr, uint64(a.size), nil)
			}
		}
		return
	}
	for m := a.ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		for at, end := a.ev.Addr[lane], a.ev.Addr[lane]+uint64(a.size); at < end; at += uint64(a.scalar) {
			d.strongAccess(a, s, at, lane)
		}
	}
}

// strongAccess is a strong access to a scalar.
func (d *Detector) strongAccess(a *access, s *shadow, addr uint64, lane int) {
	l := d.line(s, addr)
	loc := l.find(addr, uint64(a.scalar))
	writes := a.writes() && (a.kind != abi.AccessRMW || !a.ev.Valued || a.ev.Wrote>>lane&1 != 0)
	observes := false
	if loc != nil && !writes && loc.heard(a, lane) {
		d.serialBefore(a, s, l, addr, lane, false)
		return
	}
	if loc != nil {
		d.serialAfter(a, loc, lane, writes)
		if a.kind != abi.AccessStore {
			observes = d.read(a, loc, lane)
		}
	}
	if writes {
		d.write(a, s, l, addr, lane, observes)
	}
	d.serialBefore(a, s, l, addr, lane, writes)
}

// heard reports whether a read is one more by the same instruction and thread of a
// location that has not changed since, and notes that it has been read.
func (loc *location) heard(a *access, lane int) bool {
	if loc.writer == nil && loc.writes.blocks == nil && loc.own == nil {
		return false
	}
	p := loc.pattern(thread{a.warp.unit, uint8(lane)})
	if p.version == loc.version && p.what == a.index {
		return true
	}
	p.version, p.what = loc.version, a.index
	return false
}

// read is a strong read. It reports whether the latest write precedes it in
// observation order.
func (d *Detector) read(a *access, loc *location, lane int) bool {
	w := a.warp
	me := thread{w.unit, uint8(lane)}
	linked := loc.writer != nil && (loc.writer == w && loc.lane == lane || d.mutual(loc.reach, loc.writer.at, a.reach, w.at))
	if linked {
		loc.sees(d, me)
	}
	if a.ev.Reduces {
		return linked // and its read forms no acquire pattern
	}
	var seen observed
	if linked && (loc.heads.any != nil || loc.heads.blocks != nil) {
		seen = loc.heads.seenBy(w)
	}
	if seen != (observed{}) {
		loc.pattern(me).seen.merge(&d.merges, seen)
		if p := w.pendingOf(lane); p.seen.merge(&d.merges, seen) {
			w.setPending(lane, &p)
		}
	}
	if loc.own == nil {
		return linked
	}
	switch own := loc.own[me]; {
	case d.opts.scor():
		w.learn(&d.merges, 1<<lane, a.ev.Live, seen.within(a.reach))
	case own != nil && a.sem.Acquires():
		w.learn(&d.merges, 1<<lane, a.ev.Live, own.seen.within(a.reach))
	}
	return linked
}

func (loc *location) pattern(t thread) *patterns {
	p := loc.own[t]
	if p == nil {
		if loc.own == nil {
			loc.own = make(map[thread]*patterns)
		}
		p = new(patterns)
		loc.own[t] = p
	}
	return p
}

// write is a strong write; inherits says that it is that of an atomic operation which
// the write before precedes in observation order. It reports whether it is a release.
func (d *Detector) write(a *access, s *shadow, l *line, addr uint64, lane int, inherits bool) {
	w, size := a.warp, uint64(a.scalar)
	loc := l.find(addr, size)
	p := w.pendingOf(lane)
	if loc == nil {
		loc = l.location(s, addr, size)
	}
	l.overwrite(addr, size, loc)
	if !inherits {
		loc.heads, loc.start, loc.since = heads{}, loc.count+1, d.now
	}
	loc.writer, loc.lane, loc.reach = w, lane, a.reach
	me := thread{w.unit, uint8(lane)}
	loc.wrote(d, me)
	loc.version++
	a.since = max(a.since, loc.since)
	if a.sem.Releases() {
		d.marksOf(w)[lane][a.reach] = fenceMark{d.now, a.site}
		own := loc.pattern(me)
		own.released[a.reach] = merge(own.released[a.reach], d.ownSince(w, lane, snapshot{w.of(lane), d.now}))
	}
	if own := loc.own[me]; own != nil {
		for r, c := range own.released {
			if c != nil {
				loc.heads.add(reach(r), w, c)
			}
		}
	}
	for r, f := range p.fenced {
		if f.at != 0 && !loc.heads.has(reach(r), w, lane, f.at) {
			loc.heads.add(reach(r), w, d.ownSince(w, lane, f))
		}
	}
}

// ownSince is a snapshot of a lane with what the lane itself had done by then.
func (d *Detector) ownSince(w *warp, lane int, f snapshot) *clock {
	return f.clock.with(knowUnit(w.unit, 1<<lane, f.at))
}

// serialBefore notes the lane's fence.sc that precede a strong access.
func (d *Detector) serialBefore(a *access, s *shadow, l *line, addr uint64, lane int, writes bool) {
	p := a.warp.pendingOf(lane)
	if p.serial == [reaches]snapshot{} && p.inherited == (observed{}) {
		return
	}
	loc := l.location(s, addr, uint64(a.scalar))
	to := &loc.reads
	if writes {
		to = &loc.writes
	}
	for r, f := range p.serial {
		if f.at != 0 && !to.has(min(reach(r), a.reach), a.warp, lane, f.at) {
			loc.version++
			to.add(min(reach(r), a.reach), a.warp, d.ownSince(a.warp, lane, f))
		}
	}
	d.inheritedBefore(a, loc, to, p.inherited)
}

// serialAfter notes the fence.sc before conflicting accesses: they precede the lane's
// next one in Fence-SC order, or else the accesses would have happened the other way
// round.
func (d *Detector) serialAfter(a *access, loc *location, lane int, writes bool) {
	if loc.writes.blocks == nil && (!writes || loc.reads.blocks == nil) {
		return // none
	}
	before := loc.writes.seenBy(a.warp)
	if writes {
		before.merge(&d.merges, loc.reads.seenBy(a.warp))
	}
	for r := a.reach + 1; r < reaches; r++ {
		before[r] = nil
	}
	if before == (observed{}) {
		return
	}
	if p := a.warp.pendingOf(lane); p.after.merge(&d.merges, before) {
		a.warp.setPending(lane, &p)
	}
}

// pendingOf is what is pending for a lane.
func (w *warp) pendingOf(lane int) pending {
	if w.pending == nil || w.pending[lane] == nil {
		return pending{}
	}
	return *w.pending[lane]
}

func (w *warp) setPending(lane int, p *pending) {
	if w.pending == nil {
		w.pending = new([radix]*pending)
	}
	w.pending[lane] = p
}

// fence is a memory fence (PTX ISA, "membar/fence").
func (d *Detector) fence(ev *abi.Event) {
	w := d.warpOf(ev)
	if ev.Sem == abi.SemNone {
		d.proxyFence(ev, w)
		return
	}
	r := reachOf(ev.Scope)
	var lastOld, lastNew *pending
	var lastClock *clock
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		var old *pending
		if w.pending != nil {
			old = w.pending[lane]
		}
		if old != nil && ev.Sem.Acquires() {
			d.acquireSeen(ev, w, lane, old, r)
		}
		if lastNew == nil || old != lastOld || lastClock != w.of(lane) {
			lastOld, lastClock = old, w.of(lane)
			lastNew = d.afterFence(ev, old, lastClock, r)
		}
		w.setPending(lane, lastNew)
	}
	if ev.Sem.Releases() {
		d.mark(ev, w, r)
	}
	d.tick()
}

// acquireSeen makes a lane know what it has observed before a fence.
func (d *Detector) acquireSeen(ev *abi.Event, w *warp, lane int, p *pending, r reach) {
	c := p.seen.within(r)
	if ev.Sem == abi.SemSC {
		c = merge(c, p.after.within(r))
	}
	w.learn(&d.merges, 1<<lane, ev.Live, c)
}

// afterFence is what is pending after a fence of a lane that knows c.
func (d *Detector) afterFence(ev *abi.Event, old *pending, c *clock, r reach) *pending {
	p := new(pending)
	if old != nil {
		*p = *old
	}
	for i := range r + 1 {
		if ev.Sem.Acquires() {
			p.seen[i] = nil
		}
		if ev.Sem.Releases() {
			p.fenced[i] = snapshot{}
		}
		if ev.Sem == abi.SemSC {
			p.serial[i], p.inherited[i], p.after[i] = snapshot{}, nil, nil
		}
	}
	if ev.Sem.Releases() {
		p.fenced[r] = snapshot{c, d.now}
	}
	if ev.Sem == abi.SemSC {
		p.serial[r] = snapshot{c, d.now}
	}
	return p
}

// proxyFence is fence.proxy of lanes: what they know, accesses through the asynchronous
// proxy may rely on from now on.
func (d *Detector) proxyFence(ev *abi.Event, w *warp) {
	if ev.Proxy != abi.ProxyAsync {
		return
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		c := w.of(lane).with(knowUnit(w.unit, 1<<lane, d.now))
		w.learn(&d.merges, 1<<lane, ev.Live, &clock{fenced: c.known})
	}
	d.tick()
}
