// The detector: options, launches and the dispatch of events.

package precise

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/compare"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/phases"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
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
	// Claims says that Dependences finds out whether the verdict holds for other schedules.
	Claims bool
	// Enforced says that strong accesses order others only where they do in every schedule: where they end a wait. Races
	// are then those of some schedule.
	Enforced bool
}

// Values of Options.Model.
const (
	ModelPTX  = options.ModelPTX
	ModelScoR = options.ModelScoR
)

// DefaultOptions returns options for the memory model of the PTX manual and 4 GiB.
func DefaultOptions() Options { return Options{Model: options.ModelPTX, Memory: 4 << 30} }

// Detector implements detect.Detector.
type Detector struct {
	compare.Checker
	opts     Options
	event    abi.Event // the access in progress
	replay   *replay   // for the next journal to be read
	lanes    lanesOf   // of the strong access that is recorded for warnings
	walk     walk
	replicas replicas
	parts    *launchParts  // nil unless the launch was delivered in parts
	phases   *phases.State // nil unless Options.Claims is set
	enforced enforcedState
	// If launches are related:
	related  relatedRaces
	unheeded func(site uint32) bool
}

// New makes a detector.
func New(o Options) (*Detector, error) {
	m, ok := options.Models[o.Model]
	if !ok {
		return nil, fmt.Errorf("precise: model %q, expected %s or %s", o.Model, options.ModelPTX, options.ModelScoR)
	}
	if o.Memory < 1<<20 {
		return nil, fmt.Errorf("precise: %d bytes of memory, expected 1048576 or more", o.Memory)
	}
	d := &Detector{opts: o}
	d.Model, d.Tuning, d.Journals = m, options.Standard, uintptr(o.Memory/shadow.JournalShare)
	if o.Enforced {
		d.Model.FenceSC = false
		d.Tuning.Without |= skippedInEnforced
	}
	return d, nil
}

// SetDecisions sets the sites of strong reads and atomic operations whose values are used only for control flow, as
// those of flags and locks, and of weak reads that poll. Without them there are no warnings.
func (d *Detector) SetDecisions(sites map[uint32]bool) {
	d.Evidence.Decisions = evidence.NewSiteSet(sites)
}

// SetAwaited sets the sites of strong reads and atomic operations that a loop repeats until their value is as wanted.
func (d *Detector) SetAwaited(sites map[uint32]bool) { d.Evidence.Awaited = evidence.NewSiteSet(sites) }

// SetGuesses sets the sites of weak reads whose values only predict what a compare-and-swap of the same thread will
// find. Such reads need strength and not order.
func (d *Detector) SetGuesses(sites map[uint32]bool) { d.Evidence.Guesses = evidence.NewSiteSet(sites) }

// SetStored sets the sites of weak reads whose values, or what is computed from them, are stored to memory. Such reads
// need order.
func (d *Detector) SetStored(sites map[uint32]bool) { d.Evidence.Stored = evidence.NewSiteSet(sites) }

// SetLooks sets the sites of weak reads whose values only decide whether the thread executes a compare-and-swap on the
// same location, and those of the compare-and-swaps. Such reads need strength and not order, compared with such swaps.
func (d *Detector) SetLooks(looks, swaps map[uint32]bool) {
	d.Evidence.Looks, d.Evidence.Swaps = evidence.NewSiteSet(looks), evidence.NewSiteSet(swaps)
}

// SetConsulted sets the sites of strong reads and atomic operations whose values affect control flow, whatever other
// uses they have: the threads may have waited there for a message. If it is not called, every such access may be one.
func (d *Detector) SetConsulted(sites map[uint32]bool) {
	d.Evidence.Consulted = evidence.NewSiteSet(sites)
}

// SetUnheeded sets the sites of atomic operations whose results are not used, as those of counters.
func (d *Detector) SetUnheeded(sites map[uint32]bool) {
	d.Evidence.Unheeded = evidence.NewSiteSet(sites)
}

// SetConsumed sets the sites of loads whose value the thread uses before it arrives anywhere: then they have been
// performed.
func (d *Detector) SetConsumed(sites map[uint32]bool) {
	d.Evidence.Consumed = evidence.NewSiteSet(sites)
}

// SetMarks numbers the weak stores by which threads mark something, as by "changed = 1". Stores with equal numbers,
// none of which is 0, store equal values, the same in all threads.
func (d *Detector) SetMarks(marks map[uint32]uint32) { d.Evidence.Marks = marks }

// Absent says what no instruction of a program does.
type Absent = options.Absent

// SetAbsent says what no instruction of the program does. If it is not called, there may be anything.
func (d *Detector) SetAbsent(a options.Absent) { d.Absent = a }

// Needs implements detect.Selective.
func (d *Detector) Needs() abi.Needs {
	return abi.Needs{Values: true, Shared: true, Skips: true, Used: !d.opts.Unused}
}

// TakesLoops implements abi.LoopReceiver.
func (d *Detector) TakesLoops() bool { return true }

// Begin implements detect.Detector.
func (d *Detector) Begin(l detect.Launch) {
	d.Threads.Begin(l, answers{d})
	d.Unheeded = d.unheeded
	d.Record.Begin(replays{d})
	d.Operations.Begin(&d.Threads)
	d.BySite, d.ObservedTimes.Of = nil, nil
	d.related = relatedRaces{at: make(map[relatedKey]*relatedRace)}
	d.event, d.replay, d.walk, d.replicas, d.parts = abi.Event{}, nil, walk{}, d.replicas.fresh(), nil
	if d.opts.Claims {
		d.phases = phases.New(&d.Operations)
	}
	d.beginEnforced()
}

// End implements detect.Detector.
func (d *Detector) End() []detect.Race {
	races := d.Evidence.Races()
	d.replicas.incomplete = d.Overflowed
	d.replicas.mark(races)
	if d.parts != nil && len(races) == 0 {
		races = d.parts.races // rerun as a whole, the launch had another schedule, or was cut off
	}
	for _, r := range d.Regions.Open {
		d.Drop(r)
		r.Place = 0
	}
	if d.phases != nil {
		d.phases.End()
	}
	d.save()
	d.Global, d.Memories, d.Operations.Clusters, d.Regions = nil, nil, nil, shadow.Regions{}
	return races
}

// Statistics implements detect.Statistics.
func (d *Detector) Statistics() []string {
	var lines []string
	for _, l := range d.Losses {
		lines = append(lines, "not checked: "+l)
	}
	return lines
}

// Event implements detect.Detector.
func (d *Detector) Event(ev *abi.Event) {
	if d.Overflowed {
		return
	}
	d.count()
	if mayRelease(ev.Kind) {
		d.UnsplitWarp(ev).At.MayRelease = true
	}
	if d.phases != nil {
		d.phases.Event(ev)
	}
	switch ev.Kind {
	case abi.EventFence:
		d.Fence(ev)
	case abi.EventBarrierArrive:
		d.Arrive(ev)
	case abi.EventBarrierComplete:
		d.complete(ev)
	case abi.EventBarrierPass:
		d.Pass(ev)
	case abi.EventWarpSync:
		d.WarpSync(ev)
	case abi.EventClusterArrive:
		d.Operations.ClusterArrive(ev)
	case abi.EventClusterPass:
		d.Operations.ClusterPass(ev)
	case abi.EventMbarrierInit, abi.EventMbarrierInval, abi.EventMbarrierArrive, abi.EventMbarrierCopyArrive,
		abi.EventMbarrierPass:
		d.Operations.MbarrierEvent(ev)
	case abi.EventMbarrierExpect, abi.EventMbarrierComplete:
		d.Operations.Transacted(ev)
	case abi.EventAsyncCommit:
		d.Operations.Commit(ev)
	case abi.EventAsyncWait:
		d.Operations.Waited(ev)
	case abi.EventAsyncDone:
		d.Operations.Landed(ev)
	case abi.EventAlloc, abi.EventFree:
		d.heap(ev)
	case abi.EventTensorAlloc:
		d.Operations.TensorAlloc(ev)
	case abi.EventTensorBefore, abi.EventTensorAfter:
		d.Operations.TensorFence(ev)
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
	d.Events++
	if uint64(d.Used) > d.opts.Memory {
		d.forgetAccesses()
	}
}

// forgetAccesses empties the record of accesses and of what synchronises them. From then on there are no warnings.
func (d *Detector) forgetAccesses() {
	d.GiveUp(fmt.Sprintf("pairs of accesses that are far apart: the record of accesses takes more than %d bytes",
		d.opts.Memory))
	d.ReadCounters()
	for _, r := range d.Regions.Open {
		d.Drop(r)
	}
	d.Empty(d.Global)
	if d.Evidence.Warns() {
		d.GiveUp("volatile data, from the time when the record of accesses was full")
	}
	d.Evidence.SettleAllWarnings()
	d.Evidence.Forgetful = true
	d.LockSets.Forget()
	for _, m := range d.Memories {
		d.Empty(m.Shadow)
	}
	d.Used = 0
}

// save keeps memory for the next launch if it is little: programs launch small kernels again and again.
func (d *Detector) save() {
	if uint64(d.Used) > uint64(d.Journals) {
		d.Freelists, d.Slabs = shadow.Freelists{}, causality.Slabs{}
		return
	}
	d.Chunks.Trim()
	for _, m := range d.Memories {
		d.Recycle(m.Shadow)
	}
	for _, s := range d.FreeShadows {
		s.Phase.Mode, s.Phase.Mixes = shadow.Untouched, false // the next kernel may access it in another way
	}
	d.BeginGeneration(d.Global)
	d.Global.FirstGeneration = d.Global.Generation
	d.LastGlobal, d.LastGlobalBytes = d.Global, d.Used
}

// complete handles the end of a phase of a barrier. When all threads of the block that have accessed memory have
// arrived, the waiting threads acquire everything that the block has done.
func (d *Detector) complete(ev *abi.Event) {
	home := d.BlockOf(ev.Block)
	if d.CompletePhase(home, home.Barrier(ev.Barrier)) {
		d.Advance(home)
		d.replicas.separate(ev.Block)
	}
}
