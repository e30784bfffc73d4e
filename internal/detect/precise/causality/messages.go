// Messages between threads, as reports are told of them.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Snapshots returns what fences release, nil for none.
func (f *Fences) Snapshots() *evidence.FencedAt {
	if f == nil {
		return nil
	}
	return (*evidence.FencedAt)(f.Fenced)
}

// TellRead records for reports that a thread reads a location strongly: a message, or one that does not synchronise
// because the scope of its write or of the read does not include the other thread.
func (d *Threads) TellRead(a *Access, loc *Location, me thread, arrives bool) {
	e := &d.Evidence
	if a.Sem.Acquires() {
		e.MarkAcquire(&a.Warp.reports, int(me.Lane), a.Reach, a.Site)
	}
	if loc.Writer == me || loc.Writer == (thread{}) {
		return
	}
	if arrives {
		more := e.AddMessage(&evidence.Edge{
			From: loc.Writer, To: me, Sent: loc.Last, At: a.At, Write: loc.LastClass, Read: a.Index,
			Addr: loc.Addr, Size: loc.Size, Event: d.Events, Reduces: a.Ev != nil && a.Ev.Reduces,
		})
		more.WriterClock, more.Fenced = loc.WriterClock, loc.Fenced.Snapshots()
		loc.Releases.fillAcquirable(d, a.Warp, more)
		return
	}
	site := a.Site
	if !d.PlaceOf(loc.Writer.Unit).Within(loc.Reach, &a.Warp.At.Place) {
		site = d.Classes.List[loc.LastClass].Site
	}
	e.AddMisread(me, loc.Writer, a.At, site, loc.WriterClock)
}

// tellReads is TellRead for lanes of a warp of which none has written the location.
func (d *Threads) tellReads(a *Access, loc *Location, lanes uint32, arrives bool) {
	first := lanes & -lanes
	d.TellRead(a, loc, thread{Unit: a.Warp.Unit, Lane: uint8(bits.TrailingZeros32(first))}, arrives)
	switch lanes &^= first; {
	case lanes == 0 || loc.Writer == thread{}:
	case arrives:
		d.Evidence.AddReaders(lanes)
	default:
		for ; lanes != 0; lanes &= lanes - 1 {
			d.TellRead(a, loc, thread{Unit: a.Warp.Unit, Lane: uint8(bits.TrailingZeros32(lanes))}, false)
		}
	}
}

// Returned returns the time of the write whose value a read by a lane has returned, 0 for none, if that is known and
// older than the latest one, and outcomes are looked for.
func (d *Threads) Returned(a *Access, loc *Location, lane int) (at stamp, older bool) {
	if !d.Launch.Outcomes || a.Ev.Ages == nil {
		return 0, false
	}
	age := a.Age(lane, loc.Addr)
	if age == 0 || age == abi.AgeUnknown {
		return 0, false
	}
	was, known := loc.past.before(age)
	return was.Last, known
}

// acquirable holds what a thread may acquire at a location, including what its clock has already: the latest releases,
// each from its least reach on, and the join of the older ones.
type acquirable struct {
	sources [maxRecent + 1]source
	least   [maxRecent + 1]accesses.Reach
	count   int
	joined  bool // any and others are not empty
	any     *clock
	others  [accesses.Reaches]lazyClock
}

// fillAcquirable sets what a warp may acquire, in the detail of a message.
func (h *Releases) fillAcquirable(d *Threads, w *Warp, of *evidence.Detail) {
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
		x.others[accesses.ReachBlock] = m.byBlock(w.Block())
		x.others[accesses.ReachCluster] = m.clusters[w.At.ClusterKey()]
		x.others[accesses.ReachDevice] = m.devices[w.At.Device]
		x.others[accesses.ReachAll] = m.all
	}
}

func (x *acquirable) addSource(d *Threads, w *Warp, s *source) {
	x.sources[x.count], x.least[x.count] = *s, w.At.Least(&d.PlaceOf(s.Unit).Place)
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
