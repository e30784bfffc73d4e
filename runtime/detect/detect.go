// Package detect turns what device code and the emulator recorded into races. It
// knows record formats (runtime/abi) and no PTX syntax.
package detect

// Race is one racing pair of accesses, before names and lines are attached.
type Race struct {
	Kind    string // inter-block, intra-block, intra-warp
	Cause   string // report causes: missing-barrier, missing-warp-sync, missing-fence, ...
	Space   string // global, shared
	Address uint64
	Size    int
	Count   uint64 // dynamic occurrences of the pair
	First   Side   // the earlier access
	Second  Side
	Locks   string // what is wrong with the locks held: first-unlocked, second-unlocked, different, block-scope
	Detail  string // detector's own words, e.g. "iGUARD R4"
}

// Side is one access of a race.
type Side struct {
	Site          uint32 // abi.Site.ID, 0 unknown
	Block, Thread [3]uint32
}
