// What a thread may acquire at a location by a read, for explanations.

package precise

import (
	"github.com/ptxsan/ptxsan/runtime/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/evidence"
)

// acquirable holds what a thread may acquire at a location, including what its clock has already: the latest releases, each from
// its least reach on, and the join of the older ones.
type acquirable struct {
	sources [maxRecent + 1]source
	least   [maxRecent + 1]accesses.Reach
	count   int
	joined  bool // any and others are not empty
	any     *clock
	others  [accesses.Reaches]lazyClock
}

// fillAcquirable sets what a warp may acquire, in the detail of a message.
func (h *releases) fillAcquirable(d *Detector, w *warp, of *evidence.Detail) {
	x, _ := of.Acquirable.(*acquirable)
	if x == nil {
		x = new(acquirable)
		of.Acquirable = x
	}
	x.count, x.joined = 0, false
	if h.latest.by != nil {
		x.addSource(d, w, &h.latest)
	}
	m := h.older
	if m == nil {
		return
	}
	for i := range m.recent[:m.recents] {
		x.addSource(d, w, &m.recent[i])
	}
	if m.any != nil || m.first != 0 || m.all != (lazyClock{}) {
		x.joined, x.any = true, m.any
		x.others[accesses.ReachBlock], x.others[accesses.ReachCluster], x.others[accesses.ReachAll] = m.byBlock(w.home.number), m.clusters[w.at.clusterKey()], m.all
	}
}

func (x *acquirable) addSource(d *Detector, w *warp, s *source) {
	x.sources[x.count], x.least[x.count] = *s, w.at.Least(&d.placeOf(s.Unit).Place)
	x.count++
}

// Has implements evidence.Acquirable.
func (x *acquirable) Has(u unit, lane int, at stamp) bool {
	t := thread{Unit: u, Lane: uint8(lane)}
	for i := range x.sources[:x.count] {
		s := &x.sources[i]
		for _, f := range s.by[x.least[i]:] {
			if f.Includes(s.thread, t, at) {
				return true
			}
		}
	}
	if !x.joined {
		return false
	}
	for i := range x.others {
		if o := &x.others[i]; o.f.Includes(o.thread, t, at) || o.clock.Includes(u, lane, at) {
			return true
		}
	}
	return x.any.Includes(u, lane, at)
}
