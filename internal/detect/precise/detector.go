// The detector: options, launches and the dispatch of events.

package precise

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Options configures the detector.
type Options struct {
	Model string // ModelPTX or ModelScoR
	// Memory is the size in bytes that the record of accesses may take. When it is full, earlier accesses are dropped.
	Memory uint64
	// Unused says that loads are checked also in threads that do not use the loaded value.
	Unused bool
}

// DefaultOptions returns options for the memory model of the PTX manual and 4 GiB.
func DefaultOptions() Options { return Options{Model: ModelPTX, Memory: 4 << 30} }

// Detector implements detect.Detector.
type Detector struct {
	checker
	opts     Options
	event    abi.Event // the access in progress
	replay   *replay   // for the next journal to be read
	walk     walk
	replicas replicas
	parts    *launchParts // nil unless the launch was delivered in parts
}

// New makes a detector.
func New(o Options) (*Detector, error) {
	m, ok := models[o.Model]
	if !ok {
		return nil, fmt.Errorf("precise: model %q, expected %s or %s", o.Model, ModelPTX, ModelScoR)
	}
	if o.Memory < 1<<20 {
		return nil, fmt.Errorf("precise: %d bytes of memory, expected 1048576 or more", o.Memory)
	}
	d := &Detector{opts: o}
	d.model, d.tuning, d.journals = m, standard, uintptr(o.Memory/journalShare)
	return d, nil
}

// SetDecisions sets the sites of strong reads and atomic operations whose values are used only for control flow, as
// those of flags and locks, and of weak reads that poll. Without them there are no warnings.
func (d *Detector) SetDecisions(sites map[uint32]bool) {
	d.evidence.Decisions = evidence.NewSiteSet(sites)
}

// SetAwaited sets the sites of strong reads and atomic operations that a loop repeats until their value is as wanted.
func (d *Detector) SetAwaited(sites map[uint32]bool) { d.evidence.Awaited = evidence.NewSiteSet(sites) }

// SetGuesses sets the sites of weak reads whose values only predict what a compare-and-swap of the same thread will
// find. Such reads need strength and not order.
func (d *Detector) SetGuesses(sites map[uint32]bool) { d.evidence.Guesses = evidence.NewSiteSet(sites) }

// SetStored sets the sites of weak reads whose values, or what is computed from them, are stored to memory. Such reads
// need order.
func (d *Detector) SetStored(sites map[uint32]bool) { d.evidence.Stored = evidence.NewSiteSet(sites) }

// SetLooks sets the sites of weak reads whose values only decide whether the thread executes a compare-and-swap on the
// same location, and those of the compare-and-swaps. Such reads need strength and not order, compared with such swaps.
func (d *Detector) SetLooks(looks, swaps map[uint32]bool) {
	d.evidence.Looks, d.evidence.Swaps = evidence.NewSiteSet(looks), evidence.NewSiteSet(swaps)
}

// SetConsulted sets the sites of strong reads and atomic operations whose values affect control flow, whatever other
// uses they have: the threads may have waited there for a message. If it is not called, every such access may be one.
func (d *Detector) SetConsulted(sites map[uint32]bool) {
	d.evidence.Consulted = evidence.NewSiteSet(sites)
}

// SetUnheeded sets the sites of atomic operations whose results are not used, as those of counters.
func (d *Detector) SetUnheeded(sites map[uint32]bool) {
	d.evidence.Unheeded = evidence.NewSiteSet(sites)
}

// SetConsumed sets the sites of loads whose value the thread uses before it arrives anywhere: then they have been
// performed.
func (d *Detector) SetConsumed(sites map[uint32]bool) {
	d.evidence.Consumed = evidence.NewSiteSet(sites)
}

// SetMarks numbers the weak stores by which threads mark something, as by "changed = 1". Stores with equal numbers,
// none of which is 0, store equal values, the same in all threads.
func (d *Detector) SetMarks(marks map[uint32]uint32) { d.evidence.Marks = marks }

// Absent says what no instruction of a program does. The detector then needs less of what threads observe.
type Absent struct {
	Acquires bool // loads and atomic operations that acquire
	Barriers bool // barriers of a block or a warp
	// RelaxedWrites: strong writes that do not release.
	RelaxedWrites bool
	// RelaxedReads: strong reads that do not acquire, and reductions.
	RelaxedReads bool
	// Unlocks: exchanges and strong stores, by one of which a thread drops a lock.
	Unlocks  bool
	Launches bool // of grids
	// NarrowScopes: strong operations and fences whose scope is less than the GPU, and asynchronous operations and
	// those on mbarrier objects, whose scope is so by default.
	NarrowScopes bool
}

// SetAbsent says what no instruction of the program does. If it is not called, there may be anything.
func (d *Detector) SetAbsent(a Absent) { d.absent = a }

// Needs implements detect.Selective.
func (d *Detector) Needs() abi.Needs {
	return abi.Needs{Values: true, Shared: true, Skips: true, Used: !d.opts.Unused}
}

// TakesLoops implements abi.LoopReceiver.
func (d *Detector) TakesLoops() bool { return true }

// Begin implements detect.Detector.
func (d *Detector) Begin(l detect.Launch) {
	d.threads.begin(l, answers{d})
	d.record.begin(d)
	d.operations.begin(&d.threads)
	d.bySite, d.observedTimes.of = nil, nil
	d.event, d.replay, d.walk, d.replicas, d.parts = abi.Event{}, nil, walk{}, d.replicas.fresh(), nil
}

// End implements detect.Detector.
func (d *Detector) End() []detect.Race {
	races := d.evidence.Races()
	d.replicas.incomplete = d.overflowed
	d.replicas.mark(races)
	if d.parts != nil && len(races) == 0 {
		races = d.parts.races // rerun as a whole, the launch had another schedule, or was cut off
	}
	for _, r := range d.regions.open {
		d.drop(r)
		r.place = 0
	}
	d.save()
	d.global, d.memories, d.clusters, d.regions = nil, nil, nil, regions{}
	return races
}

// Statistics implements detect.Statistics.
func (d *Detector) Statistics() []string {
	var lines []string
	for _, l := range d.losses {
		lines = append(lines, "not checked: "+l)
	}
	return lines
}

// Event implements detect.Detector.
func (d *Detector) Event(ev *abi.Event) {
	if d.overflowed {
		return
	}
	d.count()
	if mayRelease(ev.Kind) {
		d.warpAt(ev).at.mayRelease = true
	}
	switch ev.Kind {
	case abi.EventFence:
		d.fence(ev)
	case abi.EventBarrierArrive:
		d.arrive(ev)
	case abi.EventBarrierComplete:
		d.complete(ev)
	case abi.EventBarrierPass:
		d.pass(ev)
	case abi.EventWarpSync:
		d.warpSync(ev)
	case abi.EventClusterArrive:
		d.clusterArrive(ev)
	case abi.EventClusterPass:
		d.clusterPass(ev)
	case abi.EventMbarrierInit, abi.EventMbarrierInval, abi.EventMbarrierArrive, abi.EventMbarrierCopyArrive,
		abi.EventMbarrierPass:
		d.mbarrierEvent(ev)
	case abi.EventMbarrierExpect, abi.EventMbarrierComplete:
		d.transacted(ev)
	case abi.EventAsyncCommit:
		d.commit(ev)
	case abi.EventAsyncWait:
		d.waited(ev)
	case abi.EventAsyncDone:
		d.landed(ev)
	case abi.EventAlloc, abi.EventFree:
		d.heap(ev)
	case abi.EventTensorAlloc:
		d.tensorAlloc(ev)
	case abi.EventTensorBefore, abi.EventTensorAfter:
		d.tensorFence(ev)
	default:
		d.machine(ev)
	}
}

// mayRelease reports whether events of a kind may be part of a release by a block to other blocks, besides accesses
// that release.
func mayRelease(k abi.EventKind) bool {
	switch k {
	case abi.EventFence, abi.EventClusterArrive, abi.EventMbarrierArrive, abi.EventMbarrierExpect,
		abi.EventMbarrierComplete,
		abi.EventMbarrierCopyArrive, abi.EventAsyncCommit, abi.EventLaunch:
		return true
	}
	return false
}

// count counts an event, and makes room in the record of accesses when it is full.
func (d *Detector) count() {
	d.events++
	if d.used > d.opts.Memory {
		d.forgetAccesses()
	}
}

// forgetAccesses empties the record of accesses and of what synchronises them. From then on there are no warnings.
func (d *Detector) forgetAccesses() {
	d.giveUp(fmt.Sprintf("pairs of accesses that are far apart: the record of accesses takes more than %d bytes",
		d.opts.Memory))
	d.readCounters()
	for _, r := range d.regions.open {
		d.drop(r)
	}
	d.empty(d.global)
	if d.evidence.Warns() {
		d.giveUp("volatile data, from the time when the record of accesses was full")
	}
	d.evidence.SettleAllWarnings()
	d.evidence.Forgetful = true
	d.lockSets.forget()
	for _, m := range d.memories {
		d.empty(m.shadow)
	}
	d.used = 0
}
