// The options of LDetector, and the results of its pass.

package abi

// LDetectorOptions holds the options of LDetector. The pass parses them; the host part passes them to the device code.
type LDetectorOptions struct {
	Continue bool   // report all racing ranges, and continue with the second pass after write-write races
	Stop     bool   // the grid ends at the first race
	Outputs  bool   // also compare registers and stores
	Locate   bool   // find the bytes and the writer of read-write races
	Sites    bool   // find the accesses to racing bytes
	Spec     bool   // the second pass is in a child grid
	Global   bool   // the copies are always in global memory
	Expand   uint64 // maximum bytes of objects in global memory with copies for blocks; 0: shared memory is checked
	LogRows  int    // maximum stores of a warp in a region that can be undone
}

// LDetectorProgram is the result of the pass for a module.
type LDetectorProgram struct {
	Options LDetectorOptions
	Kernels map[string]*LDetectorKernel // those with shared memory, by name
	Regions []LDetectorRegion           // Regions[i] has the number i+1
	// SharedLimit is the maximum shared memory of a block on the target, in bytes.
	SharedLimit uint64
	// ChildRegisters is the maximum number of 64-bit registers that a thread saves for a child grid.
	ChildRegisters int
}

// LDetectorKernel is a kernel with shared memory.
type LDetectorKernel struct {
	// Refused says why the kernel was not transformed; empty if it was.
	Refused string
	// Sized says that the program reads the size of shared memory, so that none can be added.
	Sized bool
	// Speculates says that the second pass of some regions is in a child grid.
	Speculates bool
}

// LDetectorRegion is a region of a kernel: the code between barriers of the block.
type LDetectorRegion struct {
	Kernel   string
	Where    string              // such as "from the barrier in line 7"
	Skipped  string              // why it is not checked; empty if it is
	Accesses []LDetectorTouching // accesses of shared memory, in source order
}

// LDetectorTouching is an access of a region that may be to shared memory.
type LDetectorTouching struct {
	Site   uint32
	Writes bool
}
