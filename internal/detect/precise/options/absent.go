// What no instruction of a program does.

package options

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
