// The state of a detector above that of its threads: operations besides accesses, and comparisons.

package precise

import "github.com/ptxsan/ptxsan/internal/detect/precise/order"

// operations holds the state of operations besides accesses: asynchronous ones, mbarriers, clusters, tensor memory.
type operations struct {
	clusters   map[uint64]*cluster
	mbarriers  map[sharedAddr]*mbarrier
	lives      map[uint64]*clusterLives // by cluster
	warpLives  order.UnitTable[threadLives]
	asyncs     order.UnitTable[asyncState] // of warps with asynchronous operations
	asyncProxy bool                        // the program uses the asynchronous proxy

	asyncPlace  *place // the place that numbers the next asynchronous operations
	asyncNumber uint32
	asyncUsed   uint32

	tensor tensorMemory
}

// begin begins a launch, whose threads have begun.
func (d *operations) begin(*threads) {
	*d = operations{mbarriers: make(map[sharedAddr]*mbarrier), clusters: make(map[uint64]*cluster)}
}

// checker compares accesses.
type checker struct {
	record
	operations
	bySite        [][3]latest // by site and kind of access
	observedTimes observedByLanes
}
