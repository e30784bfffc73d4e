// Releases at a location, and which threads may acquire them.

package causality

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// release is what a thread releases with its next strong write, by the reach of the fence or release operation. It is
// immutable.
type release [accesses.Reaches]snapshot

// later joins two releases of one thread, of which b is the later.
func later(a, b *release) *release {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	out, isA, isB := *b, true, true
	for r := range out {
		if a[r].At > b[r].At {
			out[r], isB = a[r], false
		} else if a[r].At < b[r].At {
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

// source is a release and the thread that made it. Lane noLane stands for a clock that barriers have passed on to a
// thread of the warp: it does not include that thread's own accesses.
type source struct {
	thread
	by *release // nil for none
}

// Releases holds the clocks released at a location, by the narrowest scope that can observe them: an acquire pattern
// synchronises with the release patterns whose first operation is morally strong with it (PTX ISA, "Memory
// synchronization").
type Releases struct {
	latest source
	clocks *Acquired      // clocks of latest by reach, made when a thread first observes them
	older  *olderReleases // nil if there are none
	// If latest is by several lanes of a warp that fenced together: the release of each of them, and the lanes.
	each  *release // nil if latest is by one thread
	lanes uint32
}

// None reports whether nothing has been released.
func (h *Releases) None() bool { return h.latest.by == nil && h.older == nil }

// onlyOf reports whether t alone has released anything.
func (h *Releases) onlyOf(t thread) bool {
	return h.older == nil && (h.latest.by == nil || h.latest.thread == t)
}

// add records a release.
func (h *Releases) add(d *Threads, s source) {
	switch {
	case s.by.IsNone(), h.latest.by == s.by && h.latest.SameAs(s.thread):
		return
	case h.older != nil && h.older.atOnce:
		h.addAtOnce(d, &s)
		return
	case h.latest.by == nil:
		h.latest = s
		return
	case h.latest.thread == s.thread && s.Lane != noLane:
		before := h.latest.by
		if h.latest.by = later(before, s.by); h.latest.by == before {
			return
		}
		h.setLatest(source{s.thread, h.latest.by})
		return
	case h.addLane(d, &s):
		return
	case h.latest.covers(d, &s), h.older != nil && h.older.has(d, &s):
		return
	case !s.covers(d, &h.latest):
		h.olderReleases().push(d, &h.latest, &s, h.clocks)
	}
	h.setLatest(s)
}

// addAtOnce joins a release, and the latest one if there is one, with the older ones: the clock of the thread that
// releases is likely still in the processor's cache, and whoever acquires has one clock to load.
func (h *Releases) addAtOnce(d *Threads, s *source) {
	if h.latest.by != nil {
		h.older.push(d, &h.latest, s, h.clocks)
		h.setLatest(source{})
	}
	h.older.merge(d, s, nil)
}

// addLane adds a release to the latest one if other lanes of the warp have made the same, and reports whether it did.
func (h *Releases) addLane(d *Threads, s *source) bool {
	lanes := h.lanes
	switch {
	case s.Lane == noLane || s.Unit != h.latest.Unit || d.Model.FencesOrder:
		return false
	case h.each == nil && h.latest.by == s.by && h.latest.Lane != noLane:
		lanes = 1 << h.latest.Lane
	case h.each != s.by:
		return false
	}
	if lanes |= 1 << s.Lane; lanes != h.lanes {
		h.setLatest(source{thread{Unit: s.Unit, Lane: noLane}, s.by.of(d, s.Unit, lanes)})
		h.each, h.lanes = s.by, lanes
	}
	return true
}

func (h *Releases) setLatest(s source) {
	h.latest, h.clocks, h.each, h.lanes = s, nil, nil, 0
	if h.older != nil {
		h.older.asked = false
	}
}

// IsNone reports whether a release is empty.
func (f *release) IsNone() bool {
	return f[accesses.ReachBlock].At|f[accesses.ReachCluster].At|f[accesses.ReachDevice].At|f[accesses.ReachAll].At == 0
}

// covers reports whether a source includes everything that an earlier source of its block has released, for at least
// the same threads.
func (s *source) covers(d *Threads, before *source) bool {
	if s.Unit>>radixBits != before.Unit>>radixBits {
		return false
	}
	for r, f := range before.by {
		if f.At != 0 && !s.tells(d, accesses.Reach(r), before.thread, f) {
			return false
		}
	}
	return true
}

// tells reports whether a source includes what another source of its block has released with reach r.
func (s *source) tells(d *Threads, r accesses.Reach, t thread, f snapshot) bool {
	for _, x := range s.by[r:] {
		if x.At != 0 && (s.thread == t && t.Lane != noLane && x.At >= f.At || d.includesRelease(x.Clock, t, f)) {
			return true
		}
	}
	return false
}

func (h *Releases) olderReleases() *olderReleases {
	if h.older == nil {
		h.older = new(olderReleases)
	}
	return h.older
}

// AddClock records a clock released by a thread of a warp.
func (h *Releases) AddClock(d *Threads, r accesses.Reach, w *Warp, c *clock) {
	h.olderReleases().add(d, r, w.At, w.Block(), lazyClock{clock: c})
}

// AddAll records a clock that every thread observes, whatever its scope.
func (h *Releases) AddAll(c *clock) {
	m := h.olderReleases()
	m.any, m.acquirer, m.asked = order.Merge(m.any, c), 0, false
}

// of returns the clock that the latest source has released with reach r.
func (h *Releases) of(d *Threads, r accesses.Reach) *clock {
	if h.clocks == nil {
		h.clocks = d.acquired.Next()
	}
	f := &h.latest.by[r]
	if h.clocks[r] == nil {
		h.clocks[r] = d.Merges.Of(*f, h.latest.thread)
	}
	return h.clocks[r]
}

// ClusterKey identifies a cluster among those of all grids.
func (p *Place) ClusterKey() uint64 { return uint64(p.Grid)<<40 | p.Cluster }

// Acquired holds clocks that a thread has observed but not acquired, by the narrowest reach of an operation that
// acquires them: kept says by which.
type Acquired [accesses.Reaches]*clock

// kept returns the reach by which a clock is kept that operations of reach r and more acquire.
func (d *Threads) kept(r accesses.Reach) accesses.Reach {
	if d.wide {
		return accesses.ReachAll // there are no others
	}
	return r
}

// AcquiredBy returns what a lane observes at the location beyond its own clock.
func (h *Releases) AcquiredBy(d *Threads, w *Warp, lane int) (o Acquired) {
	mine, m, others := w.Of(lane), h.older, true
	if m != nil {
		if m.asked && m.knowing == mine && m.by == w.Unit {
			return m.found
		}
	}
	switch s := &h.latest; {
	case s.by == nil:
	case s.Unit == w.Unit && int(s.Lane) == lane:
		others = false
	default:
		least := w.At.Least(&d.Places[s.Unit>>radixBits].Place)
		to := d.kept(least)
		for r := least; r < accesses.Reaches; r++ {
			if f := s.by[r]; f.At != 0 && !d.includesRelease(mine, s.thread, f) {
				o[to] = d.Merges.Merge(o[to], h.of(d, r))
			}
		}
	}
	if m != nil && !m.acquiredBy(d, w, lane, &o) {
		others = false
	}
	if m != nil && others {
		m.asked, m.knowing, m.by, m.found = true, mine, w.Unit, o
	}
	return o
}

// knownTo reports whether clock mine of a lane of a warp, or o, includes all that the lane observes of the releases.
// The test is conservative: false may mean that the joined releases are of too many threads to find out.
func (h *Releases) knownTo(d *Threads, w *Warp, mine *clock, o *Acquired) bool {
	if h.latest.by != nil && !h.latest.knownTo(d, w, mine, o) {
		return false
	}
	m := h.older
	if m == nil {
		return true
	}
	for i := range m.recent[:m.recents] {
		if !m.recent[i].knownTo(d, w, mine, o) {
			return false
		}
	}
	return !m.all.isLarge() && !m.byFirst.isLarge() && len(m.blocks)+len(m.clusters)+len(m.devices) == 0 &&
		m.joinedKnownTo(d, w, mine, o)
}

// knownTo reports whether clock mine of a lane of a warp, or o, includes all that the lane observes of the source.
func (s *source) knownTo(d *Threads, w *Warp, mine *clock, o *Acquired) bool {
	least := w.At.Least(&d.Places[s.Unit>>radixBits].Place)
	for _, f := range s.by[least:] {
		if f.At != 0 && !d.includesRelease(mine, s.thread, f) && !o.has(d, d.kept(least), s.thread, f) {
			return false
		}
	}
	return true
}

// has reports whether an operation of reach r acquires the release f of thread t.
func (o *Acquired) has(d *Threads, r accesses.Reach, t thread, f snapshot) bool {
	for _, c := range o[:r+1] {
		if c != nil && d.includesRelease(c, t, f) {
			return true
		}
	}
	return false
}

// Merge joins p into o.
func (o *Acquired) Merge(m *merges, p *Acquired) {
	for i, c := range p {
		if c != nil {
			o[i] = m.Merge(o[i], c)
		}
	}
}

// Within returns the clock that an operation of reach r acquires.
func (o *Acquired) Within(r accesses.Reach) *clock {
	var c *clock
	for _, x := range o[:r+1] {
		if x != nil {
			c = order.Merge(c, x)
		}
	}
	return c
}
