// The state of operations besides accesses.

package operations

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// State holds the state of operations besides accesses: asynchronous ones, mbarriers, clusters, tensor memory.
type State struct {
	*causality.Threads

	Clusters   map[uint64]*cluster
	Mbarriers  map[sharedAddr]*mbarrier
	lives      map[uint64]*clusterLives // by cluster
	ended      map[uint64]uint32        // numbers of blocks that have ended, by cluster, if their lives are not tracked
	WarpLives  order.UnitTable[threadLives]
	Asyncs     order.UnitTable[asyncState] // of warps with asynchronous operations
	AsyncProxy bool                        // the program uses the asynchronous proxy

	asyncPlace  *causality.Place // the place that numbers the next asynchronous operations
	asyncNumber uint32
	asyncUsed   uint32

	Tensor tensorMemory
}

// Begin begins a launch, whose threads have begun.
func (d *State) Begin(t *causality.Threads) {
	*d = State{
		Threads: t, Mbarriers: make(map[sharedAddr]*mbarrier), Clusters: make(map[uint64]*cluster),
		ended: make(map[uint64]uint32),
	}
}
