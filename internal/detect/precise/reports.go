// What reports need: the answers to the questions of package evidence, and what it has to be given about strong
// accesses.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// answers is the detector as package evidence sees it.
type answers struct{ d *Detector }

var _ evidence.Execution = answers{}

func (x answers) Now() stamp { return x.d.Now }

func (x answers) PlaceOf(u unit) *accesses.Place { return &x.d.PlaceOf(u).Place }

func (x answers) OwnerOf(u unit) unit { return x.d.OwnerOf(u) }

// ExtentOf returns the numbers of blocks of a grid and of threads of its blocks, and which of those that threads have
// launched it is.
func (x answers) ExtentOf(grid uint32) (blocks, threads [3]uint32, of detect.Nested) {
	if grid < 2 {
		return x.d.Launch.Grid, x.d.Launch.Block, detect.Nested{}
	}
	size := x.d.Nested[grid-2]
	if x.d.IsOfHost(grid) {
		return size.Grid, size.Block, detect.Nested{}
	}
	return size.Grid, size.Block, detect.Nested{Number: grid - 1, Block: size.Block}
}

func (x answers) KnowledgeOf(t thread) evidence.Knowledge {
	w, lane := x.d.WarpOfUnit(t.Unit), int(t.Lane)
	if w == nil {
		return evidence.Knowledge{}
	}
	p := w.PendingOf(lane)
	return evidence.Knowledge{Clock: w.All(1 << lane), Fences: p.Fences.Snapshots(), Seen: p.Seen[:]}
}

func (x answers) GroupsAfter(u unit, lane int, kind abi.AsyncKind, at stamp) (wait *evidence.GroupWait, later int) {
	by := x.d.WarpOfUnit(x.d.OwnerOf(u))
	if by == nil {
		return nil, -1
	}
	async := x.d.Operations.AsyncOf(by)
	if async == nil {
		return nil, -1
	}
	g := &async.Groups[kind]
	behind := g.Behind(lane, u, at)
	if kind == abi.AsyncMatrices {
		behind = async.Matrices.Behind(u, at)
	}
	if behind < 0 {
		return nil, -1
	}
	return &g.Wait, behind - int(g.Since[lane])
}

func (x answers) CurrentClock(lane int) *clock { return x.d.Current.Warp.All(1 << lane) }

func (x answers) PrecedesCurrent(by thread, at stamp, lane int) bool {
	read := causality.Observation{Unit: by.Unit, Lanes: 1 << by.Lane, At: at}
	return x.d.LastPreceding(&x.d.Current, &read, 1<<lane) >= 0
}

func (x answers) IsMbarrierAt(addr uint64) bool {
	return x.d.Operations.MbarrierAt(x.d.Current.Warp, addr) != nil
}

func (x answers) LocksAt(f *evidence.Finding) (first, second []evidence.Lock, applies bool) {
	return x.d.ScorLocksAt(f)
}

func (x answers) ReplayDeferred() { x.d.ReadCounters() }

// lanesOf is the lanes of a strong access as package evidence sees them.
type lanesOf struct {
	d *Detector
	*causality.Access
}

var _ evidence.Lanes = &lanesOf{}

func (x *lanesOf) Clock(lane int) *clock { return x.Warp.Of(lane) }

func (x *lanesOf) Observed(by thread, at stamp, lane int, addr uint64) bool {
	return x.d.Observed(x.Access, &accesses.Entry{Unit: by.Unit, At: at}, 1<<by.Lane, lane, addr) != 0
}

func (x *lanesOf) ObservedSpan(since stamp, lanes uint32, addr uint64) accesses.Span {
	return x.d.ObservedSpan(x.Access, since, lanes, addr)
}

// recordStrong records a strong access by one lane, or reads by several lanes that readersTogether has grouped, to a
// location through which no threads have synchronised so far. It adds warnings about earlier accesses that are not
// ordered with it.
func (d *Detector) recordStrong(a *causality.Access, s *shadow.Memory, loc *causality.Location, lanes uint32) {
	e := &d.Evidence
	if e.ShowsSynchronisation(a.Class, a.Ev) {
		loc.SetSynchronises()
		return
	}
	if loc.History == nil {
		if a.Ev.Access == abi.AccessRMW {
			return // the location has the latest access
		}
		loc.History = e.NewHistory()
		if d.Classes.List[loc.LastClass].Kind == abi.AccessRMW && loc.Writer != (thread{}) {
			e.AddWrite(loc.History, &evidence.StrongAccess{
				Unit: loc.Writer.Unit, Lane: loc.Writer.Lane, At: loc.Last,
				Class: loc.LastClass,
			})
		}
	}
	outer := d.lanes // recording an access may replay others
	d.lanes = lanesOf{d, a}
	x := evidence.Access{
		By: &d.lanes, Told: a.Told, Class: a.Class, Index: a.Index, Unit: a.Warp.Unit, At: a.At, Event: a.Ev,
		Place: &a.Warp.At.Place, Memory: reportsOf(a, s),
	}
	x.Returned, x.Older = d.Returned(a, loc, bits.TrailingZeros32(lanes))
	e.RecordStrong(&x, loc.History, lanes)
	d.lanes = outer
}

// reportsOf returns what evidence keeps of a shared memory, nil if the access is to global memory.
func reportsOf(a *causality.Access, s *shadow.Memory) *evidence.Memory {
	if !a.Shared {
		return nil
	}
	return &s.Reports
}
