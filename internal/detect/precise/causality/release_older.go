// All releases at a location but the latest, by the threads that may acquire them.

package causality

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// olderReleases holds all releases but the latest: a few recent ones, and the join of the others by the threads that
// may acquire them.
type olderReleases struct {
	recent  [maxRecent]source // oldest first
	recents int
	// atOnce says that some thread has had to join several recent releases: later ones are joined with the others at
	// once, so that whoever acquires them has one clock to join.
	atOnce bool

	any      *clock               // acquired by every thread, whatever its scope
	all      lazyClock            // of scopes that reach all threads
	devices  map[uint32]lazyClock // of scope gpu or wider, by releasing device, if devices have numbers
	clusters map[uint64]lazyClock // of scope cluster or wider, by releasing cluster
	first    uint32               // the first block that has released anything, 0 for none
	byFirst  lazyClock            // of any scope for which keptByBlock holds, released by that block
	blocks   map[uint32]lazyClock // the same for the other blocks

	acquirer uint32 // block for which acquired was computed, 0 if there was a change since
	acquired Acquired

	// Cache of acquiredBy: what a lane with clock knowing observes beyond that clock. asked is false if there was a
	// change since. It does not hold for lanes that have released something themselves.
	asked   bool
	knowing *clock
	by      unit
	found   Acquired
}

// maxRecent is the number of releases besides the latest that are kept separately.
const maxRecent = 3

// push adds the latest release, which s is about to replace; clocks are its clocks as far as they are made, nil for
// none. It drops the releases that s covers.
func (m *olderReleases) push(d *Threads, latest, s *source, clocks *Acquired) {
	n := 0
	for i := range m.recent[:m.recents] {
		if x := m.recent[i]; !s.covers(d, &x) {
			m.recent[n] = x
			n++
		}
	}
	switch {
	case m.atOnce:
		for i := range m.recent[:n] {
			m.merge(d, &m.recent[i], nil)
		}
		m.merge(d, latest, clocks)
		n = 0
	case n == maxRecent:
		m.merge(d, &m.recent[0], nil)
		n = copy(m.recent[:], m.recent[1:])
		fallthrough
	default:
		m.recent[n] = *latest
		n++
	}
	m.recents, m.asked = n, false
	clear(m.recent[n:])
}

// byBlock returns the join of the releases by a block.
func (m *olderReleases) byBlock(number uint32) lazyClock {
	if number == m.first {
		return m.byFirst
	}
	return m.blocks[number]
}

func (m *olderReleases) setByBlock(number uint32, x lazyClock) {
	switch {
	case m.first == 0 || m.first == number:
		m.first, m.byFirst = number, x
		return
	case m.blocks == nil:
		m.blocks = make(map[uint32]lazyClock)
	}
	m.blocks[number] = x
}

// merge joins a release with the older ones. clocks are its clocks as far as they are made, nil for none.
func (m *olderReleases) merge(d *Threads, s *source, clocks *Acquired) {
	number := uint32(s.Unit >> radixBits)
	p := d.Places[number]
	for r, f := range s.by {
		if f.At != 0 && !m.includes(d, accesses.Reach(r), p, number, s.thread, f) {
			x := lazyClock{thread: s.thread, f: f}
			if clocks != nil {
				x.clock = clocks[r]
			}
			m.add(d, accesses.Reach(r), p, number, x)
		}
	}
}

// has reports whether the older releases include all of a source.
func (m *olderReleases) has(d *Threads, s *source) bool {
	for i := range m.recent[:m.recents] {
		if m.recent[i].covers(d, s) {
			return true
		}
	}
	number := uint32(s.Unit >> radixBits)
	for r, f := range s.by {
		if f.At != 0 && !m.includes(d, accesses.Reach(r), d.Places[number], number, s.thread, f) {
			return false
		}
	}
	return true
}

// includes reports whether all threads within reach r of a source acquire its release f from the joined releases alone.
func (m *olderReleases) includes(d *Threads, r accesses.Reach, p *Place, block uint32, t thread, f snapshot) bool {
	x := m.byBlock(block)
	if d.keptByBlock(r) && !x.includes(d, t, f) || r >= accesses.ReachAll && !m.all.includes(d, t, f) {
		return false
	}
	if r >= accesses.ReachDevice && p.Device != 0 {
		if x = m.devices[p.Device]; !x.includes(d, t, f) {
			return false
		}
	}
	if r < accesses.ReachCluster || !d.Clustered {
		return true
	}
	x = m.clusters[p.ClusterKey()]
	return x.includes(d, t, f)
}

// includesRelease reports whether clock c includes release f of thread t. A clock that includes a thread up to some
// time includes the thread's clock at that time.
func (d *Threads) includesRelease(c *clock, t thread, f snapshot) bool {
	if t.Lane == noLane {
		return d.Merges.Includes(c, f.Clock)
	}
	return c.Includes(t.Unit, int(t.Lane), f.At)
}

// keptByBlock reports whether releases of reach r are joined by block. Those that reach all threads are so for
// operations of the block that reach less.
func (d *Threads) keptByBlock(r accesses.Reach) bool { return r < accesses.ReachAll || !d.wide }

// add joins a release by a thread of a block.
func (m *olderReleases) add(d *Threads, r accesses.Reach, p *Place, block uint32, x lazyClock) {
	m.acquirer, m.asked = 0, false
	if d.keptByBlock(r) {
		m.setByBlock(block, x.after(d, m.byBlock(block)))
	}
	if r >= accesses.ReachCluster && d.Clustered {
		if m.clusters == nil {
			m.clusters = make(map[uint64]lazyClock)
		}
		k := p.ClusterKey()
		m.clusters[k] = x.after(d, m.clusters[k])
	}
	if r >= accesses.ReachDevice && p.Device != 0 {
		if m.devices == nil {
			m.devices = make(map[uint32]lazyClock)
		}
		m.devices[p.Device] = x.after(d, m.devices[p.Device])
	}
	if r == accesses.ReachAll {
		m.all = x.after(d, m.all)
	}
}

// lazyClock is the join of releases. It is a snapshot of one thread, from which the clock is made on demand, or, if
// f.at is 0, a clock, which may be nil.
type lazyClock struct {
	thread
	f     snapshot
	clock *clock
}

// mostCompared is the number of nodes of a clock that is not large.
const mostCompared = 32

// isLarge reports whether it takes long to find out whether a clock includes the join.
func (x *lazyClock) isLarge() bool {
	c := x.clock
	for c != nil && c.Before != nil {
		if c.Known != nil {
			return true
		}
		c = c.Before
	}
	return c != nil && !c.Known.IsSmall(mostCompared)
}

// get returns the clock.
func (x *lazyClock) get(m *merges) *clock {
	if x.clock == nil && x.f.At != 0 {
		x.clock = m.Of(x.f, x.thread)
	}
	return x.clock
}

// includes reports whether the join includes release f of thread t.
func (x *lazyClock) includes(d *Threads, t thread, f snapshot) bool {
	switch {
	case x.f.At == 0:
		return d.includesRelease(x.clock, t, f)
	case x.thread == t && t.Lane != noLane && x.f.At >= f.At:
		return true
	}
	return d.includesRelease(x.f.Clock, t, f)
}

// after returns the join with an earlier one. A thread that releases has usually acquired the earlier releases, so that
// its clock alone is the join.
func (x lazyClock) after(d *Threads, earlier lazyClock) lazyClock {
	switch {
	case earlier == lazyClock{}, earlier.f.At != 0 && x.f.At != 0 && x.includes(d, earlier.thread, earlier.f):
		return x
	}
	c := d.Merges.MergeReleased(earlier.get(&d.Merges), x.get(&d.Merges))
	if c == x.clock {
		return x
	}
	return lazyClock{clock: c}
}

// acquiredBy adds to o what a lane observes of the older releases beyond its clock and o. Usually the later ones
// include the earlier. It reports whether none of them is the lane's own.
func (m *olderReleases) acquiredBy(d *Threads, w *Warp, lane int, o *Acquired) (others bool) {
	mine, learnt := w.Of(lane), 0
	others = true
	for i := m.recents - 1; i >= 0; i-- {
		s := &m.recent[i]
		if s.Unit == w.Unit && int(s.Lane) == lane {
			others = false
			continue
		}
		least := w.At.Least(&d.Places[s.Unit>>radixBits].Place)
		to := d.kept(least)
		for _, f := range s.by[least:] {
			if f.At != 0 && !d.includesRelease(mine, s.thread, f) && !o.has(d, to, s.thread, f) {
				o[to] = d.Merges.Merge(o[to], d.Merges.Of(f, s.thread))
				learnt++
			}
		}
	}
	if learnt >= d.Tuning.RecentJoins {
		m.atOnce = true
	}
	// The join with the latest release, if that is news, is what the next release is joined to, so that it is made in
	// any case.
	atOnce := m.atOnce && *o != (Acquired{})
	if !atOnce && m.joinedKnownTo(d, w, mine, o) {
		return others
	}
	for r, c := range m.acquiredFrom(&d.Merges, w) {
		if to := d.kept(accesses.Reach(r)); c != nil && (atOnce || !d.Merges.Includes(mine, c)) {
			o[to] = d.Merges.Merge(c, o[to])
		}
	}
	return others
}

// joinedKnownTo reports whether clock mine, or what the warp has observed otherwise, includes what it observes of the
// joined releases.
func (m *olderReleases) joinedKnownTo(d *Threads, w *Warp, mine *clock, o *Acquired) bool {
	x := m.byBlock(w.Block())
	if m.any != nil || !m.all.knownTo(d, mine, o[:]) || !x.knownTo(d, mine, o[:accesses.ReachBlock+1]) {
		return false
	}
	x = m.clusters[w.At.ClusterKey()]
	if !x.knownTo(d, mine, o[:accesses.ReachCluster+1]) {
		return false
	}
	x = m.devices[w.At.Device]
	return x.knownTo(d, mine, o[:accesses.ReachDevice+1])
}

// knownTo reports whether clock c, or one of others, includes the join.
func (x *lazyClock) knownTo(d *Threads, c *clock, others []*clock) bool {
	switch {
	case x.f.At == 0 && x.clock == nil:
		return true
	case x.includedIn(d, c):
		return true
	}
	return slices.ContainsFunc(others, func(c *clock) bool { return c != nil && x.includedIn(d, c) })
}

// includedIn reports whether clock c includes the join, which is not empty.
func (x *lazyClock) includedIn(d *Threads, c *clock) bool {
	if x.f.At != 0 {
		return d.includesRelease(c, x.thread, x.f)
	}
	return d.Merges.Includes(c, x.clock)
}

// acquiredFrom returns what a warp observes of the joined releases.
func (m *olderReleases) acquiredFrom(by *merges, w *Warp) Acquired {
	if m.acquirer == w.Block() {
		return m.acquired
	}
	m.acquirer = w.Block()
	m.acquired = Acquired{accesses.ReachBlock: m.any, accesses.ReachAll: m.all.get(by)}
	if x := m.byBlock(m.acquirer); x != (lazyClock{}) {
		if x.f.At != 0 && x.thread == m.all.thread && x.f == m.all.f {
			x.clock = m.all.clock
		}
		m.acquired[accesses.ReachBlock] = order.Merge(m.any, x.get(by))
		m.setByBlock(m.acquirer, x)
	}
	if m.clusters != nil {
		x := m.clusters[w.At.ClusterKey()]
		m.acquired[accesses.ReachCluster] = x.get(by)
	}
	if m.devices != nil {
		x := m.devices[w.At.Device]
		m.acquired[accesses.ReachDevice] = x.get(by)
	}
	return m.acquired
}
