// Differences between the memory models: that of the manual and that of the papers.

package precise

// Values of Options.Model.
const (
	ModelPTX  = "ptx"  // the memory model of the PTX manual
	ModelScoR = "scor" // the model common to papers on race detectors: docs/detectors/precise-model.md
)

// model holds the rules in which the memory models differ. New chooses it.
type model struct {
	// volatileIsStrong: volatile accesses are strong operations (PTX ISA, "Operation Types").
	volatileIsStrong bool
	// oneSize: operations are morally strong only if they overlap completely (PTX ISA, "Morally Strong Operations").
	oneSize bool
	// relaxedOrders: a relaxed arrival at, or wait for, a cluster barrier or an mbarrier orders accesses nevertheless.
	relaxedOrders bool
	// copiesInPlace: an asynchronous copy happens at its instruction, as accesses through the generic proxy.
	copiesInPlace bool
	// fenceSC: sequentially consistent fences are totally ordered.
	fenceSC bool
	// fencesOrder: a thread that observes an atomic operation is ordered after what precedes the fence in front of that
	// operation. Fence and operation must reach the thread; their semantics do not matter. Its own atomic operations
	// pass that order on. If unset, acquire and release patterns decide.
	fencesOrder bool
	// barriersApart: what barriers alone order is kept separate, and fences do not pass it on.
	barriersApart bool
	// lockSets: accesses under a common lock whose scope includes both threads do not race.
	lockSets bool
}

var models = map[string]model{
	ModelPTX:  {volatileIsStrong: true, oneSize: true, fenceSC: true},
	ModelScoR: {relaxedOrders: true, copiesInPlace: true, fencesOrder: true, barriersApart: true, lockSets: true},
}
