// The vocabulary of repairs: what can be changed in a program so that a race goes away.

package detect

// Repair is a kind of change to a program.
type Repair string

// Repairs.
const (
	// RepairUpdate makes one atomic operation of a load, what is computed and a store.
	RepairUpdate Repair = "atomic-update"
	// RepairSplit puts a barrier between the load and the store of one statement.
	RepairSplit Repair = "load-barrier-store"
	// RepairOneThread has one thread of the block do what many do, before a barrier.
	RepairOneThread Repair = "one-thread"
	// RepairBarrier puts a barrier between two places.
	RepairBarrier Repair = "barrier"
	// RepairGrid ends the kernel, or has all blocks wait, between two places.
	RepairGrid Repair = "grid-barrier"
	// RepairFence puts fences around a message, or makes its accesses release and acquire.
	RepairFence Repair = "fence"
	// RepairScope makes the scope of operations wider.
	RepairScope Repair = "widen-scope"
	// RepairStrong makes weak accesses strong.
	RepairStrong Repair = "strong-access"
	// RepairLock takes a lock around both accesses.
	RepairLock Repair = "lock"
	// RepairWait waits for an asynchronous operation.
	RepairWait Repair = "async-wait"
	// RepairMask names more lanes in the mask of a barrier of a warp.
	RepairMask Repair = "lane-mask"
	// RepairMove moves an access to the other side of what orders it.
	RepairMove Repair = "move"
	// RepairSize makes accesses of one size.
	RepairSize Repair = "one-size"
	// RepairStream orders operations of an application's streams.
	RepairStream Repair = "stream-order"
	// RepairHostWait has host code wait for an operation.
	RepairHostWait Repair = "host-wait"
)
