// What reports need: the answers to the questions of package evidence, and what it has to be given about strong
// accesses.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// answers is the detector as package evidence sees it.
type answers struct{ d *Detector }

var _ evidence.Execution = answers{}

func (x answers) Class(index uint32) *accesses.Class { return &x.d.classes[index] }

func (x answers) Now() stamp { return x.d.now }

func (x answers) PlaceOf(u unit) *accesses.Place { return &x.d.placeOf(u).Place }

func (x answers) OwnerOf(u unit) unit { return x.d.ownerOf(u) }

// ExtentOf returns the numbers of blocks of a grid and of threads of its blocks, and which of those that threads have
// launched it is.
func (x answers) ExtentOf(grid uint32) (blocks, threads [3]uint32, of detect.Nested) {
	if grid < 2 {
		return x.d.launch.Grid, x.d.launch.Block, detect.Nested{}
	}
	size := x.d.nested[grid-2]
	return size.grid, size.block, detect.Nested{Number: grid - 1, Block: size.block}
}

func (x answers) HasClusters() bool { return x.d.clustered }

func (x answers) ClockOf(t thread) *clock {
	if w := x.d.warpOfUnit(t.Unit); w != nil {
		return w.of(int(t.Lane))
	}
	return nil
}

func (x answers) FencesOf(t thread) *evidence.FencedAt {
	if w := x.d.warpOfUnit(t.Unit); w != nil {
		return w.pendingOf(int(t.Lane)).fences.snapshots()
	}
	return nil
}

func (x answers) SeenBy(t thread) []*clock {
	if w := x.d.warpOfUnit(t.Unit); w != nil {
		return w.pendingOf(int(t.Lane)).seen[:]
	}
	return nil
}

func (x answers) GroupsAfter(u unit, lane int, kind abi.AsyncKind) (wait *evidence.GroupWait, later int) {
	by := x.d.warpOfUnit(x.d.ownerOf(u))
	if by == nil {
		return nil, -1
	}
	async := x.d.asyncOf(by)
	if async == nil {
		return nil, -1
	}
	g := &async.groups[kind]
	behind := g.behind(lane, u)
	if kind == abi.AsyncMatrices {
		behind = async.matrices.behind(u)
	}
	if behind < 0 {
		return nil, -1
	}
	return &g.wait, behind - int(g.since[lane])
}

func (x answers) CurrentClock(lane int) *clock { return x.d.current.warp.of(lane) }

func (x answers) PrecedesCurrent(by thread, at stamp, lane int) bool {
	return x.d.lastPreceding(&x.d.current, &observation{unit: by.Unit, lanes: 1 << by.Lane, at: at}, 1<<lane) >= 0
}

func (x answers) IsMbarrierAt(addr uint64) bool { return x.d.mbarrierAt(x.d.current.warp, addr) != nil }

func (x answers) ObservedBefore(of evidence.Lanes, by thread, at stamp, lane int, addr uint64) bool {
	return x.d.observed(of.(*access), &entry{unit: by.Unit, at: at}, 1<<by.Lane, lane, addr) != 0
}

func (x answers) ObservedSpan(of evidence.Lanes, since stamp, lanes uint32, addr uint64) accesses.Span {
	return x.d.observedSpan(of.(*access), since, lanes, addr)
}

func (x answers) LocksAt(f *evidence.Finding) (first, second []evidence.Lock, applies bool) {
	return x.d.scorLocksAt(f)
}

func (x answers) CountsDeferred() bool { return x.d.regions.counts }

func (x answers) ReplayCounts() {
	if x.d.regions.counts {
		x.d.regions.counts = false
		x.d.readCounters()
	}
}

func (x answers) Uses(bytes uintptr) { x.d.uses(bytes) }

func (x answers) Unuses(bytes uintptr) { x.d.unuses(bytes) }

// Clock implements evidence.Lanes.
func (a *access) Clock(lane int) *clock { return a.warp.of(lane) }

// snapshots returns what fences release, nil for none.
func (f *fences) snapshots() *evidence.FencedAt {
	if f == nil {
		return nil
	}
	return (*evidence.FencedAt)(f.fenced)
}

// behind returns the number of a lane's groups after that of an asynchronous unit, -1 if no closed group has it.
func (g *asyncGroups) behind(lane int, u unit) int {
	list := g.closed[lane]
	k := slices.IndexFunc(list, func(units asyncUnits) bool {
		return units[asyncReads] == u ||
			units[asyncWrites] == u
	})
	if k < 0 {
		return -1
	}
	return len(list) - 1 - k
}

// behind is the same for the groups of wgmma.
func (g *matrixGroups) behind(u unit) int {
	k := slices.IndexFunc(g.units, func(units []unit) bool { return slices.Contains(units, u) })
	if k < 0 {
		return -1
	}
	return len(g.units) - 1 - k
}

// tellRead records for reports that a thread reads a location strongly: a message, or one that does not synchronise
// because the scope of its write or of the read does not include the other thread.
func (d *Detector) tellRead(a *access, loc *location, me thread, arrives bool) {
	e := &d.evidence
	if a.Sem.Acquires() {
		e.MarkAcquire(&a.warp.reports, int(me.Lane), a.Reach, a.Site)
	}
	if loc.writer == me || loc.writer == (thread{}) {
		return
	}
	if arrives {
		more := e.AddMessage(&evidence.Edge{
			From: loc.writer, To: me, Sent: loc.last, At: a.at, Write: loc.lastClass, Read: a.index,
			Addr: loc.addr, Size: loc.size, Event: d.events, Reduces: a.ev != nil && a.ev.Reduces,
		})
		more.WriterClock, more.Fenced = loc.writerClock, loc.fenced.snapshots()
		loc.releases.fillAcquirable(d, a.warp, more)
		return
	}
	site := a.Site
	if !d.placeOf(loc.writer.Unit).Within(loc.reach, &a.warp.at.Place) {
		site = d.classes[loc.lastClass].Site
	}
	e.AddMisread(me, loc.writer, a.at, site, loc.writerClock)
}

// tellReads is tellRead for lanes of a warp of which none has written the location.
func (d *Detector) tellReads(a *access, loc *location, lanes uint32, arrives bool) {
	first := lanes & -lanes
	d.tellRead(a, loc, thread{Unit: a.warp.unit, Lane: uint8(bits.TrailingZeros32(first))}, arrives)
	switch lanes &^= first; {
	case lanes == 0 || loc.writer == thread{}:
	case arrives:
		d.evidence.AddReaders(lanes)
	default:
		for ; lanes != 0; lanes &= lanes - 1 {
			d.tellRead(a, loc, thread{Unit: a.warp.unit, Lane: uint8(bits.TrailingZeros32(lanes))}, false)
		}
	}
}

// recordStrong records a strong access by one lane, or reads by several lanes that readersTogether has grouped, to a
// location through which no threads have synchronised so far. It adds warnings about earlier accesses that are not
// ordered with it.
func (d *Detector) recordStrong(a *access, s *shadow, loc *location, lanes uint32) {
	e := &d.evidence
	if e.ShowsSynchronisation(a.Class, a.ev) {
		loc.setSynchronises()
		return
	}
	if loc.history == nil {
		if a.ev.Access == abi.AccessRMW {
			return // the location has the latest access
		}
		loc.history = e.NewHistory()
		if d.classes[loc.lastClass].Kind == abi.AccessRMW && loc.writer != (thread{}) {
			e.AddWrite(loc.history, &evidence.StrongAccess{
				Unit: loc.writer.Unit, Lane: loc.writer.Lane, At: loc.last,
				Class: loc.lastClass,
			})
		}
	}
	x := evidence.Access{
		By: a, Told: a.told, Class: a.Class, Index: a.index, Unit: a.warp.unit, At: a.at, Event: a.ev,
		Place: &a.warp.at.Place, Memory: reportsOf(a, s),
	}
	x.Returned, x.Older = d.returned(a, loc, bits.TrailingZeros32(lanes))
	e.RecordStrong(&x, loc.history, lanes)
}

// returned returns the time of the write whose value a read by a lane has returned, 0 for none, if that is known and
// older than the latest one, and outcomes are looked for.
func (d *Detector) returned(a *access, loc *location, lane int) (at stamp, older bool) {
	if !d.launch.Outcomes || a.ev.Ages == nil {
		return 0, false
	}
	age := a.age(lane, loc.addr)
	if age == 0 || age == abi.AgeUnknown {
		return 0, false
	}
	was, known := loc.past.before(age)
	return was.last, known
}

// reportsOf returns what evidence keeps of a shared memory, nil if the access is to global memory.
func reportsOf(a *access, s *shadow) *evidence.Memory {
	if !a.Shared {
		return nil
	}
	return &s.reports
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
		x.others[accesses.ReachBlock], x.others[accesses.ReachCluster],
			x.others[accesses.ReachAll] = m.byBlock(w.block()), m.clusters[w.at.clusterKey()], m.all
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
