package precise

// All but the latest release at a location, by who may acquire it.

// olderReleases is what all but the latest source amount to.
type olderReleases struct {
	any      *clock               // known to whoever observes, whatever the scopes
	all      lazyClock            // of scope gpu or sys
	clusters map[uint64]lazyClock // of scope cluster or wider, by cluster
	blocks   map[uint32]lazyClock // of any scope, by block

	acquirer uint32 // block of the latest observer, 0 when there was none since the latest change
	acquired acquired
}

// merge adds the latest source.
func (m *olderReleases) merge(d *Detector, h *releases) {
	s := &h.latest
	number := uint32(s.unit >> radixBits)
	p := d.places[number]
	for r, f := range s.by {
		if f.at != 0 && !m.knows(d, reach(r), p, number, s.thread, f) {
			x := lazyClock{thread: s.thread, f: f}
			if h.clocks != nil {
				x.clock = h.clocks[r]
			}
			m.add(d, reach(r), p, number, x)
		}
	}
}

// has reports whether a source is among what the earlier ones amount to.
func (m *olderReleases) has(d *Detector, s *source) bool {
	number := uint32(s.unit >> radixBits)
	for r, f := range s.by {
		if f.at != 0 && !m.knows(d, reach(r), d.places[number], number, s.thread, f) {
			return false
		}
	}
	return true
}

// knows reports whether what a source has released is known to those within that reach.
func (m *olderReleases) knows(d *Detector, r reach, p *place, block uint32, t thread, f snapshot) bool {
	x := m.blocks[block]
	if !x.knows(d, t, f) || r >= reachAll && !m.all.knows(d, t, f) {
		return false
	}
	if r < reachCluster || !d.clustered {
		return true
	}
	x = m.clusters[p.clusterKey()]
	return x.knows(d, t, f)
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
func (m *olderReleases) add(d *Detector, r reach, p *place, block uint32, x lazyClock) {
	m.acquirer = 0
	if m.blocks == nil {
		m.blocks = make(map[uint32]lazyClock)
	}
	m.blocks[block] = x.after(d, m.blocks[block])
	if r >= reachCluster && d.clustered {
		if m.clusters == nil {
			m.clusters = make(map[uint64]lazyClock)
		}
		k := p.clusterKey()
		m.clusters[k] = x.after(d, m.clusters[k])
	}
	if r == reachAll {
		m.all = x.after(d, m.all)
	}
}

// lazyClock is what sources amount to: what one of them has released, which is made a clock
// when somebody asks for it, or if f.at is 0 a clock, nil for nothing.
type lazyClock struct {
	thread
	f     snapshot
	clock *clock
}

// get is the clock.
func (x *lazyClock) get() *clock {
	if x.clock == nil && x.f.at != 0 {
		x.clock = x.f.of(x.thread)
	}
	return x.clock
}

// knows reports whether what a source has released is part of an amount.
func (x *lazyClock) knows(d *Detector, t thread, f snapshot) bool {
	switch {
	case x.f.at == 0:
		return d.knows(x.clock, t, f)
	case x.thread == t && t.lane != nobody && x.f.at >= f.at:
		return true
	}
	return d.knows(x.f.clock, t, f)
}

// after is an amount added to an earlier one. As a rule who releases has acquired what was
// released before.
func (x lazyClock) after(d *Detector, earlier lazyClock) lazyClock {
	switch {
	case earlier == lazyClock{}, earlier.f.at != 0 && x.f.at != 0 && x.knows(d, earlier.thread, earlier.f):
		return x
	}
	c := d.merges.merge(earlier.get(), x.get())
	if c == x.clock {
		return x
	}
	return lazyClock{clock: c}
}

// acquiredFrom is what a warp observes of all but the latest source.
func (m *olderReleases) acquiredFrom(w *warp) acquired {
	if m.acquirer == w.home.number {
		return m.acquired
	}
	m.acquirer = w.home.number
	m.acquired = acquired{reachBlock: m.any, reachAll: m.all.get()}
	if x, ok := m.blocks[m.acquirer]; ok {
		if x.f.at != 0 && x.thread == m.all.thread && x.f == m.all.f {
			x.clock = m.all.clock
		}
		m.acquired[reachBlock] = merge(m.any, x.get())
		m.blocks[m.acquirer] = x
	}
	if m.clusters != nil {
		x := m.clusters[w.at.clusterKey()]
		m.acquired[reachCluster] = x.get()
	}
	return m.acquired
}
