// Strong reads of older stores than the latest, under weak memory.

package causality

import (
	"maps"
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Under weak memory a strong read may return an older store, and observes what that store releases. Each location then
// keeps what it was after each of its latest stores. Deferred accesses and reads and atomic operations of lanes
// together return the latest store: an access with ages is handled lane by lane, after the journal of its region. Cells
// hold all stores. The forms of strong accesses that forget earlier stores are not used.

// latestStrong are the shortcuts that take each strong read to return the latest store.
const latestStrong = options.Walks

// maxPasts is the number of earlier stores to a location that are kept under weak memory: no read returns an older one,
// but by a long delay.
const maxPasts = 64

// pasts holds what a location was before each of its latest stores, in a ring, or before all of them.
type pasts struct {
	ring   []lastStore
	stores int // so far
	all    bool
}

// Keep records what a location is before a store.
func (loc *Location) Keep(d *Threads) {
	if !d.Launch.Weak && !d.Keeping {
		return
	}
	if loc.past == nil {
		loc.past = &pasts{all: d.Keeping}
	}
	p, now := loc.past, loc.lastStore
	if !now.Releases.None() {
		now.Releases = now.Releases.copied()
	}
	if len(p.ring) < maxPasts || p.all {
		p.ring = append(p.ring, now)
	} else {
		p.ring[p.stores%maxPasts] = now
	}
	p.stores++
}

// Stores returns how many stores to a location have been kept, the one aside that comes after the latest Keep.
func (loc *Location) Stores() int {
	if loc.past == nil {
		return 0
	}
	return loc.past.stores
}

// before returns what a location was before its latest n stores, and whether that is known.
func (p *pasts) before(n int) (s lastStore, ok bool) {
	if p == nil || n > len(p.ring) {
		return lastStore{}, false
	}
	if p.all {
		return p.ring[p.stores-n], true
	}
	return p.ring[(p.stores-n)%maxPasts], true
}

// copied returns a copy that does not change.
func (h *Releases) copied() Releases {
	out := h.clone()
	if m := out.older; m != nil {
		m.clusters, m.blocks = maps.Clone(m.clusters), maps.Clone(m.blocks)
	}
	return out
}

// Age returns the number of stores to a scalar after the one that a lane's access has returned.
func (a *Access) Age(lane int, addr uint64) int {
	if a.Ev.Ages == nil {
		return 0
	}
	element := min((addr-a.Ev.Addr[lane])/uint64(a.Scalar), abi.MaxAge)
	return int(a.Ev.Ages[lane] >> (8 * element) & abi.AgeUnknown)
}

// Before returns what a location was before its latest stores, as many as age and, if a read writes, too, its own; the
// zero value if that is not known.
func (loc *Location) Before(age int, writes bool) lastStore {
	stores := age
	if writes {
		stores++
	}
	if was, ok := loc.past.before(stores); ok && (age < abi.AgeUnknown || loc.past.all) {
		return was
	}
	return lastStore{}
}

// ReadOlder records a strong read of a store after which there were others, as many as age. Where the access writes,
// too, the location has been kept, and is then as after the older store. It reports whether that store precedes the
// read in observation order.
func (d *Threads) ReadOlder(a *Access, loc *Location, lanes uint32, age int, writes bool) (observes bool) {
	now := loc.lastStore
	loc.lastStore = loc.Before(age, writes)
	loc.Releases = loc.Releases.copied()
	d.older = true
	observes = loc.Writer != (thread{}) && d.Read(a, loc, lanes)
	d.older = false
	if writes { // an operation that others observe later has not observed the stores in between
		loc.Since, loc.From = d.Now, uint8(bits.TrailingZeros32(lanes))
	} else {
		loc.lastStore = now
	}
	return observes
}

// addOlder adds a observation of older writes.
func (s *Observations) addOlder(x Observation) {
	for _, before := range s.Older[max(0, len(s.Older)-maxPasts):] {
		if before.stands(&x) {
			return
		}
	}
	s.Older = append(s.Older, x)
}

// OlderObserved returns those lanes in others whose writes, recorded in e, were observed by a read of an older write
// that is ordered before the access of lane.
func (s *Observations) OlderObserved(d *Threads, a *Access, e *accesses.Entry, others uint32, lane int) (found uint32) {
	for i := range s.Older {
		found |= d.observedBy(&s.Older[i], a, e, others, lane)
	}
	return found
}
