// The maps of the passes that count: which counter stands for what.

package abi

// Variables that hold the counters of instrumented code: arrays of u64, zero in a
// module that has just been loaded.
const (
	CoverageCounters = "__ptxsan_coverage"
	InstCounters     = "__ptxsan_instcount"
)

// CounterBytes is the size of a counter.
const CounterBytes = 8

// Line is a line of the user's program: of the CUDA source where the PTX says
// which, else of the PTX.
type Line struct {
	File string
	Line int
}

// CoverageMap says what the counters of the coverage pass count.
type CoverageMap struct {
	Counters  int
	Functions []CoveredFunction
}

// CoveredFunction is one function of the user's, in source order.
type CoveredFunction struct {
	Name   string // mangled
	Line   Line   // of its first instruction
	Blocks []CoveredBlock
}

// CoveredBlock is a run of instructions that execute equally often.
type CoveredBlock struct {
	Counter  int    // threads that executed it
	Lines    []Line // of its instructions, each once
	Branches []CoveredBranch
}

// CoveredBranch is one of several ways to leave a block.
type CoveredBranch struct {
	Line    Line
	Counter int // threads that took it; -1: those of the block that took none of the others
}

// InstMap says what the counters of the instcount pass count.
type InstMap struct {
	Counters int
	Insts    []CountedInst // in source order
}

// CountedInst is one instruction of the user's. Several share a counter.
type CountedInst struct {
	Line    Line
	Class   string // title of its class in the instruction table
	Opcode  string // with modifiers
	Issued  int    // counter of the threads that reached it
	Guarded int    // counter of those whose guard held; -1 when it has no guard
}
