package precise

// snapshot is what a thread had to release at some time.
type snapshot struct {
	clock *clock
	at    stamp // 0 when there was nothing
}

// of is what a thread knew and had done.
func (f snapshot) of(t thread) *clock {
	c := f.clock.with(knowUnit(t.unit, 1<<t.lane, f.at))
	if c != f.clock {
		c.by, c.at = t, f.at
	}
	return c
}

// release is what a thread has to release to those whom it reaches, by reach. It never
// changes once it is made.
type release [reaches]snapshot

// later is what a thread has to release that had to release a and then b.
func later(a, b *release) *release {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	out, isA, isB := *b, true, true
	for r := range out {
		if a[r].at > b[r].at {
			out[r], isB = a[r], false
		} else if a[r].at < b[r].at {
			isA = false
		}
	}
	switch {
	case isB:
		return b
	case isA:
		return a
	}
	made := out
	return &made
}

// source is what a thread has released. Threads of a warp whose lane is nobody stand for
// what barriers have passed on to one of its threads: the clocks are all that there is to know.
type source struct {
	thread
	by *release // nil when there is none
}

const nobody = radix

// heads are what operations at the head of release patterns have released, by those
// whom it reaches: an acquire pattern synchronises with the heads that it is morally
// strong with (PTX ISA, "Memory synchronization").
type heads struct {
	latest source
	made   *observed  // what it amounts to by reach, once somebody has observed it
	more   *moreHeads // nil when that is all
}

// moreHeads is what all but the latest source amount to.
type moreHeads struct {
	any      *clock            // known to whoever observes, whatever the scopes
	all      *clock            // of scope gpu or sys
	clusters map[uint64]*clock // of scope cluster or wider, by cluster
	blocks   map[uint32]*clock // of any scope, by block

	by   uint32 // block of the latest observer, 0 when there was none since the latest change
	seen observed
}

// none reports whether nobody has released anything.
func (h *heads) none() bool { return h.latest.by == nil && h.more == nil }

// onlyOf reports whether nobody but a thread has released anything.
func (h *heads) onlyOf(t thread) bool {
	return h.more == nil && (h.latest.by == nil || h.latest.thread == t)
}

// add enters a source, and reports whether that is more than there was.
func (h *heads) add(d *Detector, s source) bool {
	switch {
	case *s.by == release{}, h.latest.by == s.by && h.latest.thread == s.thread:
		return false
	case h.latest.by == nil:
		h.latest = s
		return true
	case h.latest.thread == s.thread && s.lane != nobody:
		before := h.latest.by
		if h.latest.by = later(before, s.by); h.latest.by == before {
			return false
		}
		h.made = nil
		return true
	case h.more != nil && h.more.has(d, &s):
		return false
	}
	h.further().merge(d, h)
	h.latest, h.made = s, nil
	return true
}

func (h *heads) further() *moreHeads {
	if h.more == nil {
		h.more = new(moreHeads)
	}
	return h.more
}

// addClock enters what a thread of a warp has released that is no snapshot.
func (h *heads) addClock(d *Detector, r reach, w *warp, c *clock) {
	h.further().add(d, r, w.at, w.home.number, c)
}

// addAll enters what is released to everyone.
func (h *heads) addAll(c *clock) {
	m := h.further()
	m.any, m.by = merge(m.any, c), 0
}

// of is what the latest source has released with that reach.
func (h *heads) of(r reach) *clock {
	if h.made == nil {
		h.made = new(observed)
	}
	f := &h.latest.by[r]
	switch {
	case h.latest.lane == nobody:
		return f.clock
	case h.made[r] == nil:
		h.made[r] = f.of(h.latest.thread)
	}
	return h.made[r]
}

// merge adds the latest source.
func (m *moreHeads) merge(d *Detector, h *heads) {
	s := &h.latest
	number := uint32(s.unit >> radixBits)
	p := d.places[number]
	for r, f := range s.by {
		if f.at != 0 && !m.knows(d, reach(r), p, number, s.thread, f) {
			m.add(d, reach(r), p, number, h.of(reach(r)))
		}
	}
}

// has reports whether a source is among what the earlier ones amount to.
func (m *moreHeads) has(d *Detector, s *source) bool {
	number := uint32(s.unit >> radixBits)
	for r, f := range s.by {
		if f.at != 0 && !m.knows(d, reach(r), d.places[number], number, s.thread, f) {
			return false
		}
	}
	return true
}

// knows reports whether what a source has released is known to those within that reach.
func (m *moreHeads) knows(d *Detector, r reach, p *place, block uint32, t thread, f snapshot) bool {
	return d.knows(m.blocks[block], t, f) && (r < reachCluster || d.knows(m.clusters[p.clusterKey()], t, f)) &&
		(r < reachAll || d.knows(m.all, t, f))
}

// knows reports whether a clock has all that a source has released: who knows a thread
// up to some stamp knows what it knew.
func (d *Detector) knows(c *clock, t thread, f snapshot) bool {
	if t.lane == nobody {
		return c != nil && d.merges.merge(c, f.clock) == c
	}
	return c.knows(t.unit, int(t.lane), f.at)
}

// add enters what was released at a place.
func (m *moreHeads) add(d *Detector, r reach, p *place, block uint32, c *clock) {
	m.by = 0
	if m.blocks == nil {
		m.blocks = make(map[uint32]*clock)
	}
	m.blocks[block] = d.merges.merge(m.blocks[block], c)
	if r >= reachCluster {
		if m.clusters == nil {
			m.clusters = make(map[uint64]*clock)
		}
		k := p.clusterKey()
		m.clusters[k] = d.merges.merge(m.clusters[k], c)
	}
	if r == reachAll {
		m.all = d.merges.merge(m.all, c)
	}
}

// clusterKey tells clusters of all grids apart.
func (p *place) clusterKey() uint64 { return uint64(p.grid)<<40 | p.cluster }

// observed is what has been observed of heads, by the least reach of the operation
// that acquires it.
type observed [reaches]*clock

// seenBy is what a lane observes. It may leave out what the lane knows.
func (h *heads) seenBy(d *Detector, w *warp, lane int) observed {
	var o observed
	if h.more != nil {
		o = h.more.seenFrom(w)
	}
	s := &h.latest
	if s.by == nil || s.unit == w.unit && int(s.lane) == lane {
		return o
	}
	least, mine := w.at.least(d.places[s.unit>>radixBits]), w.of(lane)
	for r := least; r < reaches; r++ {
		if f := s.by[r]; f.at != 0 && !d.knows(mine, s.thread, f) {
			o[least] = d.merges.merge(o[least], h.of(r))
		}
	}
	return o
}

// toldTo is what a warp may acquire of them, whatever it knows.
func (h *heads) toldTo(d *Detector, w *warp) *clock {
	o := h.reaching(d, w)
	return o.within(reachAll)
}

// seenFrom is what a warp observes of all but the latest source.
func (m *moreHeads) seenFrom(w *warp) observed {
	if m.by != w.home.number {
		m.by = w.home.number
		m.seen = observed{reachBlock: merge(m.any, m.blocks[w.home.number]), reachAll: m.all}
		if m.clusters != nil {
			m.seen[reachCluster] = m.clusters[w.at.clusterKey()]
		}
	}
	return m.seen
}

// merge adds what has been observed otherwise.
func (o *observed) merge(m *merges, p *observed) {
	for i := range o {
		o[i] = m.merge(o[i], p[i])
	}
}

// within is what an operation of that reach acquires.
func (o *observed) within(r reach) *clock {
	var c *clock
	for i := range r + 1 {
		c = merge(c, o[i])
	}
	return c
}
