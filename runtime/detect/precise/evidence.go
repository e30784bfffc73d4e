package precise

// clues are what reports say of synchronisation that does not suffice. Verdicts do not
// depend on them.
type clues struct {
	fences    map[unit]*fenceMarks       // of warps that have executed narrow ones, or releases
	acquires  map[unit]*fenceMarks       // of warps that have executed narrow ones
	misreads  map[uint32][]misread       // the latest ones, by block
	warpSyncs map[unit]warpSync          // the latest ones of part of a warp
	relaxed   map[thread]fenceMark       // the latest arrivals at the barrier of a cluster that release nothing
	arrivals  map[unit]*[radix]fenceMark // the latest ones at barriers of blocks and mbarriers that do not wait
	awaited   map[unit]bool              // asynchronous operations that their threads have waited for
	edges     edges
	queries   map[pair]*query
	locks     locks
}

// newClues are none. They use the space of those of the last launch.
func newClues(last *clues) clues {
	return clues{
		fences: make(map[unit]*fenceMarks), acquires: make(map[unit]*fenceMarks), misreads: make(map[uint32][]misread),
		warpSyncs: make(map[unit]warpSync), relaxed: make(map[thread]fenceMark), awaited: make(map[unit]bool),
		arrivals: make(map[unit]*[radix]fenceMark),
		queries:  make(map[pair]*query),
		edges:    edges{list: last.edges.list[:0], details: last.edges.details[:0]},
	}
}
