// Programs in assembly and the state in which they run.

package state

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// VectorForm holds the parts of an operation in assembly that an inst has no field for.
type VectorForm struct {
	Ac   *Access       // of memory operations
	Site int           // index in the site table; 0 if the instruction has no site of its own
	Regs []Slot        // registers of loads and stores of several values
	Seq  []vector.Inst // the complete program, if it is not one operation on d, a, b, c and imm
}

// Add appends an operation on registers.
func (f *VectorForm) Add(op vector.Op, d, a, b uint32) {
	in := vector.Inst{D: d, A: a, B: b}
	in.Set(op)
	f.Seq = append(f.Seq, in)
}

// VectorRunner runs programs of package vector for a launch. It translates between the engine's state and the Context
// of the assembly.
type VectorRunner struct {
	C     *vector.Context
	Sites []vector.Site
	// Shared and local are the memory that the sites of the two state spaces refer to; moves is gmem.Memory.Moves for
	// which the sites of instructions are valid.
	Shared, Local AllocationRun
	Moves         uint64
	// Generic holds, by site, the accesses at generic addresses that last accessed shared memory: their sites change
	// with the block.
	Generic map[int]*Access
	Parts   bool // lanes may diverge and reconverge in assembly
	Notes   []vector.Note
	Emitted uint32 // offset in notes: the listener has received the accesses noted before it
	Reading NotedAccesses
	Turns   TurnsAhead
}

// AllocationRun is memory for accesses in assembly: size bytes at ptr, with addresses from base on. The memory of the
// next lane begins stride bytes later.
type AllocationRun struct {
	Ptr                unsafe.Pointer
	Base, Size, Stride uint64
}

// PCRange is code from first to before end. A run can stop at its end.
type PCRange struct{ First, End int32 }

// A function's code and its program for package vector have the same program counters: the program can be left before
// any instruction, and entered at any instruction that it can execute.

// VectorCode is the program of a function.
type VectorCode struct {
	Code   []vector.Inst
	Starts []uint32 // by pc, the byte offset of the instruction in code; NoStart for instructions that Go executes
	Local  bool     // the program accesses local memory
	// Noted has, by pc, the instructions whose accesses and fences the program notes. It is empty if there are none.
	Noted  []*NotedSite
	Rounds bool // it has a Barrier that turns may pass
	// Aside has, by pc, the code of an observer around it, nil for the program's own code. It is nil when there are no
	// observers.
	Aside []*PCRange
}

// Most turns are short: from the start of a kernel to its end, or from one barrier to the next. The groups at the head
// of the queue then belong to one block and are at the same pc; only the addresses of their register files differ.
// gatherTurns finds such groups before the turn of the first one. The assembly continues from the end of one turn with
// the start of the next (vector.Barrier, vector.Return), and endTurns makes their groups wait at the barrier or exit.
// The order of turns and of events is the same as when turns are taken one by one.

// Where one block runs alone, the turns of its warps are known beyond the barriers at which all of them meet: the warp
// that arrives last goes on, and the others follow in the order of their arrival. Then the assembly passes barriers,
// too, and endRounds puts the groups where they would be.

// Where blocks run one after another, each in the storage of the one before, the turns are known beyond the end of the
// block. Then the assembly begins the next blocks, too (vector.Context.Blocks), and passBlocks brings the block's state
// up to date.

// MinTurns is the number of turns of one run that need no reason; MaxTurns is their limit where earlier runs have
// executed fewer than RunInsts instructions; MaxAhead is the maximum number of blocks that begin in a run.
const (
	MinTurns = 64
	MaxTurns = 1024
	RunInsts = 16384
	MaxAhead = 63
)

// TurnsAhead is the result of gatherTurns.
type TurnsAhead struct {
	Sched  *FairScheduler // nil when turns are taken one by one
	Pc     int32          // where the first turn began
	Groups []*Group       // in the order of their first turns
	Turns  [MinTurns]vector.Turn
	Left   uint32 // vector.Context.Left at the start
	Blocks uint32 // vector.Context.Blocks at the start
	Values [MaxAhead][vector.MaxSpecials]uint32
	// Pauses has one entry per value of the lowest bits of the pc at which turns begin.
	Pauses [16]TurnPause
}

// TurnPause stops gatherTurns from searching where first turns do not end in assembly: after consecutive failures, the
// search is skipped for length turns, of which left remain. turns is the number of turns worth allowing where barriers
// are passed.
type TurnPause struct {
	Length, Left uint8
	Turns        uint16
}
