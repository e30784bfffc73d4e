// The maps of the counting passes: the meaning of each counter.

package abi

// Names of the variables with the counters of instrumented code: arrays of u64, initially zero.
const (
	CoverageCounters = "__ptxsan_coverage"
	InstCounters     = "__ptxsan_instcount"
)

// CounterBytes is the size of a counter.
const CounterBytes = 8

// Line is a line of the user's program: of the CUDA source if the PTX contains it, else of the PTX.
type Line struct {
	File string
	Line int
}

// CoverageMap describes the counters of the coverage pass.
type CoverageMap struct {
	Counters  int
	Functions []CoveredFunction
}

// CoveredFunction is one of the user's functions, in source order.
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

// CoveredBranch is one of several exits of a block.
type CoveredBranch struct {
	Line    Line
	Counter int // threads that took it; -1: threads of the block that took no other exit
}

// InstMap describes the counters of the instcount pass.
type InstMap struct {
	Counters int
	Insts    []CountedInst // in source order
}

// CountedInst is one of the user's instructions. Several share a counter.
type CountedInst struct {
	Line    Line
	Class   string // title of its class in the instruction table
	Opcode  string // with modifiers
	Issued  int    // counter of the threads that reached it
	Guarded int    // counter of those whose guard was true; -1 for an instruction without a guard
}
