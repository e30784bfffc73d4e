// Strong reads of older stores than the latest, under weak memory.

package precise

import (
	"maps"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Under weak memory a strong read may return an older store, and observes what that store releases. Each location then
// keeps what it was after each of its latest stores. Deferred accesses and reads and atomic operations of lanes
// together return the latest store: an access with ages is handled lane by lane, after the journal of its region. Cells
// hold all stores. The forms of strong accesses that forget earlier stores are not used.

// latestStrong are the shortcuts that take each strong read to return the latest store.
const latestStrong = walks

// maxPasts is the number of earlier stores to a location that are kept: no read returns an older one, but by a long
// delay.
const maxPasts = 64

// pasts holds what a location was before each of its latest stores, in a ring.
type pasts struct {
	ring   []lastStore
	stores int // so far
}

// keep records what a location is before a store.
func (loc *location) keep(d *Detector) {
	if !d.launch.Weak {
		return
	}
	if loc.past == nil {
		loc.past = new(pasts)
	}
	p, now := loc.past, loc.lastStore
	if !now.releases.none() {
		now.releases = now.releases.copied()
	}
	if len(p.ring) < maxPasts {
		p.ring = append(p.ring, now)
	} else {
		p.ring[p.stores%maxPasts] = now
	}
	p.stores++
}

// before returns what a location was before its latest n stores, and whether that is known.
func (p *pasts) before(n int) (s lastStore, ok bool) {
	if p == nil || n > len(p.ring) {
		return lastStore{}, false
	}
	return p.ring[(p.stores-n)%maxPasts], true
}

// copied returns a copy that does not change.
func (h *releases) copied() releases {
	out := h.clone()
	if m := out.older; m != nil {
		m.clusters, m.blocks = maps.Clone(m.clusters), maps.Clone(m.blocks)
	}
	return out
}

// age returns the number of stores to a scalar after the one that a lane's access has returned.
func (a *access) age(lane int, addr uint64) int {
	if a.ev.Ages == nil {
		return 0
	}
	element := min((addr-a.ev.Addr[lane])/uint64(a.Scalar), abi.MaxAge)
	return int(a.ev.Ages[lane] >> (8 * element) & abi.AgeUnknown)
}

// before returns what a location was before its latest stores, as many as age and, if a read writes, too, its own; the
// zero value if that is not known.
func (loc *location) before(age int, writes bool) lastStore {
	stores := age
	if writes {
		stores++
	}
	if was, ok := loc.past.before(stores); ok && age < abi.AgeUnknown {
		return was
	}
	return lastStore{}
}

// readOlder records a strong read of a store after which there were others, as many as age. Where the access writes,
// too, the location has been kept, and is then as after the older store. It reports whether that store precedes the
// read in observation order.
func (d *Detector) readOlder(a *access, loc *location, lanes uint32, age int, writes bool) (observes bool) {
	now := loc.lastStore
	loc.lastStore = loc.before(age, writes)
	loc.releases = loc.releases.copied()
	d.older = true
	observes = loc.writer != (thread{}) && d.read(a, loc, lanes)
	d.older = false
	if writes { // an operation that others observe later has not observed the stores in between
		loc.since, loc.from = d.now, uint8(bits.TrailingZeros32(lanes))
	} else {
		loc.lastStore = now
	}
	return observes
}

// addOlder adds a observation of older writes.
func (s *observations) addOlder(x observation) {
	for _, before := range s.older[max(0, len(s.older)-maxPasts):] {
		if before.stands(&x) {
			return
		}
	}
	s.older = append(s.older, x)
}

// olderObserved is Detector.observed for reads of older writes.
func (s *observations) olderObserved(d *Detector, a *access, e *entry, others uint32, lane int) (found uint32) {
	for i := range s.older {
		found |= d.observedBy(&s.older[i], a, e, others, lane)
	}
	return found
}

// addOlder adds the times of the older writes that reads before an access of a lane have observed.
func (t *observedTimes) addOlder(d *Detector, a *access, s *observations, lane int) {
	for i := range s.older {
		if d.lastPreceding(a, &s.older[i], 1<<lane) >= 0 {
			t.add(&s.older[i])
		}
	}
}
