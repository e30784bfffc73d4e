// Differences between the memory models: that of the manual and that of the papers.

package options

// Values of Options.Model.
const (
	ModelPTX  = "ptx"  // the memory model of the PTX manual
	ModelScoR = "scor" // the model common to papers on race detectors: docs/detectors/precise-model.md
)

// Model holds the rules in which the memory models differ. New chooses it.
type Model struct {
	// VolatileIsStrong: volatile accesses are strong operations (PTX ISA, "Operation Types").
	VolatileIsStrong bool
	// OneSize: operations are morally strong only if they overlap completely (PTX ISA, "Morally Strong Operations").
	OneSize bool
	// RelaxedOrders: a relaxed arrival at, or wait for, a cluster barrier or an mbarrier orders accesses nevertheless.
	RelaxedOrders bool
	// CopiesInPlace: an asynchronous copy happens at its instruction, as accesses through the generic proxy.
	CopiesInPlace bool
	// fenceSC: sequentially consistent fences are totally ordered.
	FenceSC bool
	// FencesOrder: a thread that observes an atomic operation is ordered after what precedes the fence in front of that
	// operation. Fence and operation must reach the thread; their semantics do not matter. Its own atomic operations
	// pass that order on. If unset, acquire and release patterns decide.
	FencesOrder bool
	// BarriersApart: what barriers alone order is kept separate, and fences do not pass it on.
	BarriersApart bool
	// lockSets: accesses under a common lock whose scope includes both threads do not race.
	LockSets bool
}

// Models are the memory models by name.
var Models = map[string]Model{
	ModelPTX:  {VolatileIsStrong: true, OneSize: true, FenceSC: true},
	ModelScoR: {RelaxedOrders: true, CopiesInPlace: true, FencesOrder: true, BarriersApart: true, LockSets: true},
}
