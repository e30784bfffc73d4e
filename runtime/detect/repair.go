// The vocabulary of repairs: what can be changed in a program so that a race goes away.

package detect

// Repair is a kind of change to a program.
type Repair string

// Repairs.
const (
	// RepairUpdate replaces a load, a computation and a store by one atomic operation.
	RepairUpdate Repair = "atomic-update"
	// RepairSplit puts a barrier between the load and the store of one statement.
	RepairSplit Repair = "load-barrier-store"
	// RepairOneThread lets one thread of the block, instead of many, execute a statement, followed by a barrier.
	RepairOneThread Repair = "one-thread"
	// RepairBarrier puts a barrier between two places.
	RepairBarrier Repair = "barrier"
	// RepairGrid ends the kernel, or synchronises the grid, between two places.
	RepairGrid Repair = "grid-barrier"
	// RepairFence adds fences around a message, or makes its accesses release and acquire.
	RepairFence Repair = "fence"
	// RepairScope widens the scope of operations.
	RepairScope Repair = "widen-scope"
	// RepairStrong makes weak accesses strong.
	RepairStrong Repair = "strong-access"
	// RepairLock protects both accesses with a lock.
	RepairLock Repair = "lock"
	// RepairWait waits for an asynchronous operation.
	RepairWait Repair = "async-wait"
	// RepairLoad loads by ordinary instructions what is loaded as read-only data.
	RepairLoad Repair = "coherent-load"
	// RepairMask adds lanes to the mask of a warp barrier.
	RepairMask Repair = "lane-mask"
	// RepairMove moves an access to the other side of a synchronisation.
	RepairMove Repair = "move"
	// RepairSize makes accesses the same size.
	RepairSize Repair = "one-size"
	// RepairShape launches threads in fewer dimensions, or uses their index in all.
	RepairShape Repair = "launch-shape"
	// RepairApart gives two arrays of one allocation room of their own.
	RepairApart Repair = "arrays-apart"
	// RepairStream orders operations of an application's streams.
	RepairStream Repair = "stream-order"
	// RepairGridWait makes a grid wait for the one before it.
	RepairGridWait Repair = "grid-wait"
	// RepairHostWait makes host code wait for an operation.
	RepairHostWait Repair = "host-wait"
)
