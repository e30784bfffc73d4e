// Launches that may overlap, and the detector that judges them.

package overlap

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Race is a race between two launches that may overlap.
type Race struct {
	First, Second Side // in the order of execution
	Between       any  // the label of the launch between the two whose wait is missing; nil if that is the second one
	Address       uint64
	Size          int
	Words         uint64 // number of words that race
	// What is wrong with the flag by which the first launch tells the second one of its access, and the operations by
	// which these write and read it; nothing if there is none.
	Flag             detect.FlagFault
	Publish, Observe *report.Operation
	// Of launches on different devices:
	Cause   detect.Cause // MissingGridWait for others
	Missing string
	Repair  detect.Repair
	Fence   *report.Operation // that is too narrow
	Locks   detect.LockFault
}

// Side is one access of a race.
type Side struct {
	Label  any // of the launch
	Access report.Access
}

// related judges launches that may overlap.
type related struct {
	found    func(*Race)
	detector *precise.Detector // nil before the first launch
	grids    []*order.Grid     // since the last one before which all others had ended
	launches map[*order.Grid]*precise.Launched
	of       map[*precise.Launched]*launch
	reported map[likeness]bool
}

// likeness is what races have in common that are reported once.
type likeness struct {
	first, second           any // labels
	firstPlace, secondPlace order.Place
	firstKind, secondKind   string
}

// detectorMemory is the size in bytes that the record of the accesses of related launches may take.
const detectorMemory = 4 << 30

// neededToRelate is the events that the detector needs.
var neededToRelate = newDetector(nil).Needs()

func newDetector(unheeded func(site uint32) bool) *precise.Detector {
	o := precise.DefaultOptions()
	o.Memory = detectorMemory
	d, err := precise.New(o)
	if err != nil {
		panic(err) // the options are valid
	}
	d.RelateLaunches(unheeded)
	return d
}

// begin begins a launch in the detector.
func (r *related) begin(w *Watch, l *launch, ev *abi.Event) {
	if r.detector == nil {
		r.detector, r.reported = newDetector(w.places.unheeded), make(map[likeness]bool)
	}
	if len(r.grids) == 0 || w.tracker.Apart(l.grid) {
		r.restart(w, l, ev)
	}
	of := &precise.Launched{FirstSite: w.places.relate()}
	if w.tracker.SeveralDevices() {
		of.Device = uint32(l.grid.Device()) + 1
	}
	for _, p := range l.grid.Prerequisites {
		if on := r.launches[p.On]; on != nil {
			of.Prerequisites = append(of.Prerequisites, precise.Prerequisite{On: on, AtStart: p.AtStart})
		}
	}
	for _, g := range l.grid.Overlaps {
		if earlier := r.launches[g]; earlier != nil {
			of.Overlaps = append(of.Overlaps, earlier)
		}
	}
	for _, g := range r.grids {
		if l.grid.Follows(g) {
			of.After = append(of.After, r.launches[g])
		}
	}
	r.grids = append(slices.DeleteFunc(r.grids, func(g *order.Grid) bool {
		return g.Stream == l.grid.Stream && l.grid.Follows(g) // what is to follow it follows the launch
	}), l.grid)
	r.launches[l.grid], r.of[of] = of, l
	r.detector.BeginLaunch(of)
}

// restart forgets all launches before one that begins.
func (r *related) restart(w *Watch, l *launch, ev *abi.Event) {
	if len(r.grids) > 0 {
		r.detector.End()
	}
	r.grids = nil
	r.launches, r.of = make(map[*order.Grid]*precise.Launched), make(map[*precise.Launched]*launch)
	w.places.forgetRelated()
	shape := detect.LaunchShape{Grid: dimensions(ev.Addr[:3]), Block: dimensions(ev.Addr[3:6])}
	r.detector.Begin(detect.Launch{LaunchShape: shape, Ranked: true, Weak: l.Weak})
}

// dimensions returns three numbers of an event as an extent.
func dimensions(n []uint64) [3]uint32 { return [3]uint32{uint32(n[0]), uint32(n[1]), uint32(n[2])} }

// accesses passes accesses on to the detector, without those that another detector has inserted.
func (r *related) accesses(w *Watch, b *abi.Batch) {
	for a := range b.All() {
		w.places.of(a.Site, uint64(a.Bytes))
	}
	if !w.Inserted {
		r.detector.Accesses(b)
		return
	}
	var ev abi.Event
	b.Each(&ev, func(ev *abi.Event) {
		if w.places.of(ev.Site, uint64(ev.Bytes)) != foreign {
			abi.Deliver(r.detector, ev)
		}
	})
}

// resume makes a launch that has been suspended the running one.
func (r *related) resume(l *launch) {
	if of := r.launches[l.grid]; of != nil {
		r.detector.Resume(of)
	}
}

// end ends the running launch, and reports its races.
func (r *related) end(w *Watch) {
	of := r.launches[w.running.grid]
	if of == nil {
		return // it has not begun
	}
	for _, x := range r.detector.EndLaunch() {
		r.report(w, &x)
	}
	if of.Waited {
		w.running.grid.Waited()
	}
}

// report reports a race, unless there has been one like it.
func (r *related) report(w *Watch, x *precise.LaunchRace) {
	y := &Race{
		First: r.side(w, r.of[x.First], &x.Race.First), Second: r.side(w, r.of[x.Second], &x.Race.Second),
		Address: x.Race.Address, Size: x.Race.Size, Words: x.Race.Count, Flag: x.Race.Flag,
		Publish: w.places.operation(x.Race.Publish), Observe: w.places.operation(x.Race.Observe),
		Cause: x.Race.Cause, Missing: x.Race.Missing, Repair: x.Race.Repair, Locks: x.Race.Locks,
		Fence: w.places.operation(x.Race.Fence),
	}
	if x.Missing != x.Second {
		y.Between = r.of[x.Missing].grid.Label
	}
	k := likeness{
		y.First.Label, y.Second.Label, w.places.ofSite(x.Race.First.Site), w.places.ofSite(x.Race.Second.Site),
		y.First.Access.Access, y.Second.Access.Access,
	}
	if !r.reported[k] {
		r.reported[k] = true
		r.found(y)
	}
}

// side describes an access of a race.
func (r *related) side(w *Watch, l *launch, s *detect.Side) Side {
	a := w.places.describe(w.places.ofSite(s.Site), s.Access != abi.AccessLoad.String())
	a.Block, a.Thread, a.Warp, a.Known = s.Block, s.Thread, l.warp(s.Thread), true
	return Side{Label: l.grid.Label, Access: a}
}

// losses returns what was not checked.
func (r *related) losses() []string {
	if r.detector == nil {
		return nil
	}
	return r.detector.Statistics()
}
