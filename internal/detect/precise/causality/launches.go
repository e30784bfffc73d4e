// Launches of the host that may overlap (CUDA Programming Guide, "Programmatic Dependent Launch and Synchronization";
// PTX ISA, "griddepcontrol").

package causality

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A dependent launch may begin when every block of its prerequisites has let it (griddepcontrol.launch_dependents) or
// has ended. Its threads then follow what had been performed and made visible by that time. A thread that waits
// (griddepcontrol.wait) follows the ends of the prerequisites. All other order is that of threads of one launch.

// Launched is a launch of the host, among those of which later ones may overlap earlier ones.
type Launched struct {
	// Device is the number of its device, from 1; 0 if all launches are on one. Launches on different devices may
	// overlap each other; each of them counts as one of the other's Overlaps, whichever comes first.
	Device uint32
	// FirstSite is added to the sites of its module, so that those of all modules differ.
	FirstSite     uint32
	Prerequisites []Prerequisite
	Overlaps      []*Launched // earlier launches that it may overlap
	// After has earlier launches that have ended before it begins. With all others, races are not looked for.
	After []*Launched
	// Waited says that a thread has waited for the prerequisites, so that the end of the launch follows theirs.
	Waited bool

	stack  gridStack // while another launch is the running one
	grid   uint32    // number of its grid
	first  uint32    // number of the first place of the launch
	before started
	// flushes are the latest ones of all its threads.
	flushes []placedFlush
	let     started // what happens before dependent launches
	ends    *clock  // everything that the launch has done, and what its threads have acquired; nil until it ends
	mark    unit    // of no thread: a clock that includes it includes ends
}

// Prerequisite is a launch on which another one depends.
type Prerequisite struct {
	On *Launched
	// AtStart says that the dependent launch may begin when all blocks of the other one have begun, not when they have let
	// it begin.
	AtStart bool
}

// started is what happens before the threads of a launch.
type started struct {
	visible   *clock // accesses that are visible to them
	performed *clock // accesses that have been performed: a read among them precedes their writes
}

// join adds what happens before.
func (s *started) join(m *merges, o started) {
	s.visible, s.performed = m.Merge(s.visible, o.visible), m.Merge(s.performed, o.performed)
}

// relatedLaunches holds the launches of the host that are related with each other.
type relatedLaunches struct {
	Launched *Launched   // the running one; nil if launches are not related
	launchOf []*Launched // by the number of a grid
	// Unheeded reports whether an atomic operation of a site returns a value that nothing uses. It is not nil if launches
	// are related.
	Unheeded func(site uint32) bool
}

// flush is a release of device scope by lanes of a warp: what has happened before it is visible to all threads.
type flush struct {
	snapshot
	lanes uint32
}

// placedFlush is a flush with the unit of the warp.
type placedFlush struct {
	flush
	unit unit
}

// Numbers of the latest flushes that are told apart: of a warp, and of all other blocks.
const (
	mostFlushes       = 64
	mostPlacedFlushes = 4096
)

// BeginLaunch says that the next grid of the host is that of a launch.
func (d *Threads) BeginLaunch(l *Launched) {
	l.stack, l.first = newGridStack(), uint32(len(d.Places))
	for _, p := range l.Prerequisites {
		l.before.join(&d.Merges, p.On.before)
		if !p.AtStart {
			l.before.join(&d.Merges, p.On.let)
		}
	}
	for _, earlier := range slices.Backward(l.After) {
		if !earlier.precedes(l.before.visible) {
			l.before.join(&d.Merges, started{visible: earlier.ends})
		}
	}
	d.Resume(l)
}

// throughAllProxies returns the clock of accesses that are visible through all proxies, as at the beginning of a grid.
func throughAllProxies(c *clock) *clock {
	if c == nil {
		return nil
	}
	return &clock{Known: c.Tree(), Fenced: c.Tree()}
}

// Resume makes a launch that has begun the running one.
func (d *Threads) Resume(l *Launched) {
	if d.Launched == l {
		return
	}
	if d.Launched != nil {
		d.Launched.stack = d.gridStack
	}
	d.Launched, d.gridStack = l, l.stack
}

// EndLaunch ends the grids of the running launch, which has been cut off.
func (d *Threads) EndLaunch() {
	for d.Grid != nil {
		d.EndGrid()
	}
}

// LaunchOf returns the launch of the threads of a unit, nil if launches are not related.
func (d *Threads) LaunchOf(u unit) *Launched {
	if d.Launched == nil {
		return nil
	}
	return d.launchOf[d.PlaceOf(u).Grid]
}

// IsOfHost reports whether a grid, by its number, has been launched by the host.
func (d *Threads) IsOfHost(grid uint32) bool {
	return d.Launched == nil && grid < 2 || d.Launched != nil && d.launchOf[grid].grid == grid
}

// Depend handles griddepcontrol.
func (d *Threads) Depend(ev *abi.Event) {
	switch l := d.Launched; {
	case l == nil, len(d.OuterGrids) != 1:
	case ev.Mode == abi.BarrierSync:
		w := d.WarpOf(ev)
		for _, p := range l.Prerequisites {
			w.Learn(&d.Merges, ev.Mask, ev.Live, p.On.ends)
			l.Waited = true
		}
	default:
		if w := d.WarpOf(ev); !w.Home.let {
			d.letBegin(w.Home, d.release(w, ev.Mask))
		}
	}
}

// letBegin says that a block lets dependent launches begin, given the clock of the threads by which it does so: only
// its first griddepcontrol.launch_dependents counts, or else its end. Reads that have been performed precede the
// dependent launches. Writes do if a thread has executed a release of device scope after them, and before the block has
// let them begin (CUDA Runtime API, "cudaTriggerProgrammaticLaunchCompletion"). A prerequisite that has ended is
// visible anyway.
func (d *Threads) letBegin(b *Block, known *clock) {
	b.let = true
	s := started{performed: known}
	for _, w := range b.Warps {
		if w != nil {
			done := uint32(0)
			for _, f := range slices.Backward(w.flushes) {
				done |= d.flushed(&s, known, placedFlush{f, w.Unit}, done)
			}
		}
	}
	if b.heard {
		done := make(map[unit]uint32)
		for _, f := range slices.Backward(d.Launched.flushes) {
			done[f.unit] |= d.flushed(&s, known, f, done[f.unit])
		}
	}
	for _, p := range d.Launched.Prerequisites {
		if p.On.precedes(known) {
			s.visible = d.Merges.Merge(s.visible, p.On.ends)
		}
	}
	d.Launched.let.join(&d.Merges, s)
}

// flushed adds what a flush makes visible, for those of its lanes whose flush a clock includes. done has the lanes of
// later flushes.
func (d *Threads) flushed(s *started, known *clock, f placedFlush, done uint32) (lanes uint32) {
	for m := f.lanes &^ done; m != 0; m &= m - 1 {
		if known.Includes(f.unit, bits.TrailingZeros32(m), f.At) {
			lanes |= m & -m
		}
	}
	if lanes != 0 {
		s.visible = d.Merges.Merge(s.visible, d.Merges.OfLanes(f.snapshot, f.unit, lanes))
	}
	return lanes
}

// noteFlush records that lanes of a warp have executed a release of device scope, if a dependent launch may follow.
func (d *Threads) noteFlush(w *Warp, lanes uint32, s snapshot) {
	l := d.Launched
	if l == nil || w.Home == nil {
		return
	}
	if !w.Home.let {
		w.flushes = append(latest(w.flushes, mostFlushes), flush{s, lanes})
	}
	l.flushes = append(latest(l.flushes, mostPlacedFlushes), placedFlush{flush{s, lanes}, w.Unit})
}

// latest returns a list without its older half if it has as many entries as it may have.
func latest[T any](list []T, most int) []T {
	if len(list) < most {
		return list
	}
	return slices.Delete(list, 0, most/2)
}

// Hear has lanes learn what threads of other blocks may have told them.
func (d *Threads) Hear(w *Warp, lanes, live uint32, c *clock) {
	w.Learn(&d.Merges, lanes, live, c)
	if w.Home != nil {
		w.Home.heard = true
	}
}

// noteFence is noteFlush for a fence of lanes, each of which has just got its fences.
func (d *Threads) noteFence(w *Warp, ev *abi.Event, r accesses.Reach) {
	if d.Launched == nil || !ev.Sem.Releases() || r < accesses.ReachDevice {
		return
	}
	for rest := ev.Mask; rest != 0; {
		of, lanes := w.PendingOf(bits.TrailingZeros32(rest)).Fences, uint32(0)
		for m := rest; m != 0; m &= m - 1 {
			if w.PendingOf(bits.TrailingZeros32(m)).Fences == of {
				lanes |= m & -m
			}
		}
		d.noteFlush(w, lanes, of.Fenced[r])
		rest &^= lanes
	}
}

// MayBePerformed reports whether accesses of a class are reads that may have been performed before the running launch
// began, although they are not ordered before its accesses by clocks.
func (d *Threads) MayBePerformed(x *accesses.Class) bool {
	return d.Launched != nil && d.Launched.before.performed != nil && !x.Writes()
}

// performedBefore reports whether a read by a lane in an entry had been performed before the running launch began.
func (d *Threads) performedBefore(e *accesses.Entry, lane int) bool {
	return d.LaunchOf(e.Unit) != d.Launched && d.Launched.before.performed.Includes(e.Unit, lane, e.At)
}

// ByChance reports whether a strong access of a lane follows the latest strong write of its location only because the
// emulator executes launches one after the other: the write is of a launch that may overlap the lane's launch, nothing
// orders it before the access, and the access is a store or an atomic operation whose result is unused. Another
// execution has the opposite order, so that the access acquires nothing.
func (d *Threads) ByChance(a *Access, loc *Location, lane int) bool {
	if d.Launched == nil || loc == nil || loc.Writer == (thread{}) ||
		a.Kind != abi.AccessStore && !d.Unheeded(a.Site) {
		return false
	}
	mine := d.launchOf[a.Warp.At.Grid]
	return mine.MayOverlap(d.LaunchOf(loc.Writer.Unit)) &&
		!a.Warp.Of(lane).Includes(loc.Writer.Unit, int(loc.Writer.Lane), loc.Last)
}

// endOfLaunch sets the clock of the end of the running launch, given that of its threads.
func (d *Threads) endOfLaunch(l *Launched, c *clock) {
	for n := l.first; n < uint32(len(d.Places)); n++ {
		if p := d.Places[n]; p.Owners != nil && d.launchOf[p.Grid] == l { // an asynchronous operation has been performed
			c = c.With(vclock.Block(n, d.Now))
		}
	}
	l.flushes = nil
	l.mark = unit(d.NewPlace(&Place{Place: accesses.Place{Device: l.Device, Grid: l.grid}}) << radixBits)
	l.ends = throughAllProxies(c.With(vclock.Threads(l.mark, 1, d.Now)))
}

// precedes reports whether a clock includes the end of the launch.
func (l *Launched) precedes(c *clock) bool { return l.ends != nil && c.Includes(l.mark, 0, 1) }

// Missing returns the launch whose threads lack a wait, without which a thread of a launch may overlap an earlier
// launch: its own, unless it has waited, or else one between the two.
func (d *Threads) Missing(earlier, l *Launched, w *Warp, lane int) *Launched {
	next := l.towards(earlier)
	if next == nil || !next.precedes(w.Of(lane)) {
		return l
	}
	for ; next != nil && next != earlier; next = next.towards(earlier) {
		if l = next; !l.Waited {
			break
		}
	}
	return l
}

// MayOverlap reports whether the launch may overlap an earlier one.
func (l *Launched) MayOverlap(earlier *Launched) bool { return slices.Contains(l.Overlaps, earlier) }

// IsBeside reports whether a launch is on another device, and may overlap the launch.
func (l *Launched) IsBeside(other *Launched) bool {
	return l.Device != other.Device && (l.MayOverlap(other) || other.MayOverlap(l))
}

// device returns the number of the running launch's device. It is 0 if all launches are on one.
func (r *relatedLaunches) device() uint32 {
	if r.Launched == nil {
		return 0
	}
	return r.Launched.Device
}

// ReachOf returns the reach of a scope.
func (r *relatedLaunches) ReachOf(s abi.Scope) accesses.Reach {
	return accesses.ReachOf(s, r.device() != 0)
}

// towards returns the prerequisite that is an earlier launch, or that may overlap it.
func (l *Launched) towards(earlier *Launched) *Launched {
	for _, p := range l.Prerequisites {
		if p.On == earlier || p.On.MayOverlap(earlier) {
			return p.On
		}
	}
	return nil
}

// newGridStack returns the grids of a launch that has not begun.
func newGridStack() gridStack { return gridStack{launches: make(map[uint64]*childGrid)} }
