// Where the memory models differ: the manual's and that of the papers.

package precise

// Values of Options.Model.
const (
	ModelPTX  = "ptx"  // the memory model of the PTX manual
	ModelScoR = "scor" // what papers on race detectors share: docs/detectors/precise.md
)

// model is what a memory model says where the two differ. It is chosen once, in New.
type model struct {
	// volatileIsStrong: volatile accesses are strong operations (PTX ISA, "Operation Types").
	volatileIsStrong bool
	// oneSize: morally strong operations overlap completely (PTX ISA, "Morally Strong
	// Operations").
	oneSize bool
	// relaxedOrders: an arrival at a barrier of a cluster or at an mbarrier orders, and so does
	// the wait, although it is relaxed.
	relaxedOrders bool
	// copiesInPlace: asynchronous copies happen where their instruction stands, as accesses in
	// the generic proxy.
	copiesInPlace bool
	// fenceSC: fences that are sequentially consistent are in one order.
	fenceSC bool
	// fencesOrder: who observes an atomic operation is ordered after what stands before the
	// fence in front of it as far as the fence and the operation reach, whatever the
	// semantics, and passes it on with atomic operations of its own. Else acquire and release
	// patterns decide.
	fencesOrder bool
	// barriersApart: what barriers alone order is kept apart from the rest, and is not passed on
	// by fences.
	barriersApart bool
	// lockSets: accesses under a common lock whose scope includes both threads do not race.
	lockSets bool
}

var models = map[string]model{
	ModelPTX:  {volatileIsStrong: true, oneSize: true, fenceSC: true},
	ModelScoR: {relaxedOrders: true, copiesInPlace: true, fencesOrder: true, barriersApart: true, lockSets: true},
}
