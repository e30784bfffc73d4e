// The options of LDetector, and what its pass has made of a module.

package abi

// LDetectorOptions are the options of LDetector. The pass parses them; the host half hands
// them to the device code.
type LDetectorOptions struct {
	Continue bool   // report all racing ranges, and go on to the second pass after write-write races
	Stop     bool   // the grid ends at the first race
	Outputs  bool   // compare registers and stores, too
	Locate   bool   // find the bytes and the writer of read-write races
	Sites    bool   // find the accesses that touch racing bytes
	Spec     bool   // the second pass is a child grid's
	Global   bool   // the copies lie in global memory in any case
	Expand   uint64 // bytes of objects in global memory of which blocks have copies; 0: shared memory is looked at
	LogRows  int    // stores of a warp in a region that can be undone
}

// LDetectorProgram is what the pass has made of a module.
type LDetectorProgram struct {
	Options LDetectorOptions
	Kernels map[string]*LDetectorKernel // those with shared memory, by name
	Regions []LDetectorRegion           // Regions[i] has the number i+1
	// SharedLimit is the bytes of shared memory that a block can have on the target.
	SharedLimit uint64
	// ChildRegisters is what a thread keeps at most for a child grid, in registers of 64 bits.
	ChildRegisters int
}

// LDetectorKernel is a kernel with shared memory.
type LDetectorKernel struct {
	// Refused is why the kernel was not transformed; empty when it was.
	Refused string
	// Sized: the program reads how much shared memory there is, so that none can be added.
	Sized bool
	// Speculates: the second pass of some regions is a child grid's.
	Speculates bool
}

// LDetectorRegion is a region of a kernel: what lies between barriers of the block.
type LDetectorRegion struct {
	Kernel   string
	Where    string              // such as "from the barrier in line 7"
	Skipped  string              // why it is not checked; empty when it is
	Accesses []LDetectorTouching // accesses of shared memory, in source order
}

// LDetectorTouching is an access of a region that may touch shared memory.
type LDetectorTouching struct {
	Site   uint32
	Writes bool
}
