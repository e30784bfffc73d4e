// The detector: options, launches and the dispatch of events.

package precise

import (
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Options are the options of the detector.
type Options struct {
	Model string // ModelPTX or ModelScoR
	// Memory is the size in bytes that the record of accesses may take. When it is
	// full, earlier accesses are forgotten.
	Memory uint64
	// Unused says that loads are looked at in threads, too, that do not use what they load.
	Unused bool
}

// DefaultOptions is the model of the manual in 4 GiB.
func DefaultOptions() Options { return Options{Model: ModelPTX, Memory: 4 << 30} }

// Detector is the detector. Its methods are those of detect.Detector.
type Detector struct {
	opts     Options
	model    model
	journals uintptr // bytes that all journals may take; 0 for none
	launch   detect.Launch
	// No access of the program acquires.
	acquiresNowhere bool

	threads
	used     uint64 // bytes of the record of accesses
	events   uint32 // so far
	clusters map[uint64]*cluster

	global    *shadow
	regions   regions
	mbarriers map[sharedAddr]*mbarrier
	sizes     map[uint64]uint64 // of allocations by threads

	classes          []accessClass
	classIndex       map[accessClass]uint32
	bySite           [][3]latest // by site and kind of access
	current          access
	prefetched       uint32    // something of what was, so that it is loaded
	event            abi.Event // the access in progress
	replay           *replay   // for the next journal that is read
	walk             walk
	clustered        bool // a cluster may have several blocks
	barriersSeparate bool // barriers separate what happens in shared memory: shadow_generation.go
	subsumed         subsumptionTable
	merges           merges
	inheritances     inheritances
	contexts         contexts
	known            known
	readFrom         location // scratch, of a word that has an ordered cell

	freelists

	asyncPlace  *place // where the next asynchronous operations get their numbers
	asyncNumber uint32
	asyncUsed   uint32

	tensor tensorMemory

	lockSets lockSets // of the papers' model

	evidence evidence     // what reports say of races, and how often they occur
	parts    *launchParts // nil unless the launch came in parts
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
	return &Detector{opts: o, model: m, journals: uintptr(o.Memory / journalShare)}, nil
}

// SetDecisions names the sites of strong reads and atomic operations whose values do nothing
// but decide which way threads go, as those of flags and locks do, and of weak reads that
// poll. Without them there are no warnings.
func (d *Detector) SetDecisions(sites map[uint32]bool) {
	d.evidence.decisions = newSiteSet(sites)
}

// SetGuesses names the sites of weak reads that only guess what a compare-and-swap of the same
// thread will find: what they lack is strength and not order.
func (d *Detector) SetGuesses(sites map[uint32]bool) { d.evidence.guesses = newSiteSet(sites) }

// SetConsulted names the sites of strong reads and atomic operations whose values decide which way threads go, whatever else is done
// with them: the threads may have waited there for a message. Without them, they may have done so at all.
func (d *Detector) SetConsulted(sites map[uint32]bool) { d.evidence.consulted = newSiteSet(sites) }

// SetMarks numbers the weak stores by which threads mark something, as by "changed = 1": those with equal numbers, none of which is 0, store
// equal values, the same in all threads.
func (d *Detector) SetMarks(marks map[uint32]uint32) { d.evidence.marks = marks }

// SetAcquires says whether any load or atomic operation of the program acquires. Without it, some may.
func (d *Detector) SetAcquires(some bool) { d.acquiresNowhere = !some }

// Needs implements detect.Selective.
func (d *Detector) Needs() detect.Needs {
	return detect.Needs{Values: true, Shared: true, Skips: true, Used: !d.opts.Unused}
}

// Begin implements detect.Detector.
func (d *Detector) Begin(l detect.Launch) {
	*d = Detector{
		opts: d.opts, model: d.model, launch: l, acquiresNowhere: d.acquiresNowhere, threads: newThreads(d.losses),
		clusters: make(map[uint64]*cluster), mbarriers: make(map[sharedAddr]*mbarrier),
		evidence: newEvidence(d, &d.evidence), freelists: d.freelists, used: d.lastGlobalBytes,
		journals: d.journals, regions: regions{at: make(map[uint64]*region), limit: d.journals},
		contexts: contexts{limit: minContexts},
		classes:  make([]accessClass, 1), classIndex: make(map[accessClass]uint32),
	}
	if d.global = d.lastGlobal; d.global == nil {
		d.global = new(shadow)
	}
	d.lastGlobal = nil
	d.clustered = l.Clustered()
	d.barriersSeparate = !d.clustered
}

// End implements detect.Detector.
func (d *Detector) End() []detect.Race {
	races := d.evidence.races()
	if d.parts != nil && len(races) == 0 {
		races = d.parts.races // the launch as a whole has had another schedule, or no time
	}
	for _, r := range d.regions.open {
		d.drop(r)
		r.open = false
	}
	d.save()
	d.global, d.clusters, d.regions = nil, nil, regions{}
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

// uses counts bytes of the record of accesses.
func (d *Detector) uses(n uintptr) { d.used += uint64(n) }

// Event implements detect.Detector.
func (d *Detector) Event(ev *abi.Event) {
	if d.overflowed {
		return
	}
	d.count()
	if tellsOthers(ev.Kind) {
		d.warpAt(ev).at.told = true
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
	case abi.EventMbarrierInit, abi.EventMbarrierInval, abi.EventMbarrierArrive, abi.EventMbarrierCopyArrive, abi.EventMbarrierPass:
		d.mbarrierEvent(ev)
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

// tellsOthers reports whether events of a kind may be part of what orders other blocks after
// what a block did before, besides accesses that release.
func tellsOthers(k abi.EventKind) bool {
	switch k {
	case abi.EventFence, abi.EventClusterArrive, abi.EventMbarrierArrive, abi.EventMbarrierExpect, abi.EventMbarrierComplete,
		abi.EventMbarrierCopyArrive, abi.EventAsyncCommit, abi.EventLaunch:
		return true
	}
	return false
}

// count counts an event, and sees to it that there is room for what it makes.
func (d *Detector) count() {
	d.events++
	if d.used > d.opts.Memory {
		d.forgetAccesses()
	}
}

// forgetAccesses empties the record of accesses.
func (d *Detector) forgetAccesses() {
	d.giveUp(fmt.Sprintf("pairs of accesses that are far apart: the record of accesses takes more than %d bytes", d.opts.Memory))
	d.readJournals(counting)
	for _, r := range d.regions.open {
		d.drop(r)
	}
	d.empty(d.global)
	d.lockSets.forget()
	for _, c := range d.clusters {
		d.empty(c.memory)
	}
	d.used = 0
}
