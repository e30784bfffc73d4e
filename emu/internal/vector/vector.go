// Package vector executes programs over the register file of a warp in assembly: 32 lanes at a time, with AVX2 where
// the processor has it.
//
// A program is an array of Inst. Each one has three addresses, of its handlers for the full warp, for some of the lanes
// and for one. A handler ends in a jump to that of the next instruction (threaded code), so that loops and uniform
// branches run without a return to Go. Run returns when something has to be done that has no handler: see Exit.
//
// Package gen (go generate) generates the handlers into handlers_amd64.s. On other platforms, and with the build tag
// purego, Available returns false and programs cannot run. The package does not depend on PTX, warps or scheduling.
//
// The assembly accesses only the register file; the memory that sites describe, with bounds checks; Context.Notes,
// Values and Shared; and the fields of Context and Turn that are not pointers. The only pointer that it writes is
// Context.Regs, with one from Context.Turns. It uses no stack and calls nothing. It cannot be preempted: counters limit
// how long it runs, and Run lets the Go runtime preempt the goroutine.
package vector

import "unsafe"

//go:generate go run ./gen -out handlers_amd64.s -stubs handlers_amd64.go -pkg vector

// Lanes is the number of lanes of a register.
const Lanes = 32

// Inst is one instruction. Operands are byte offsets into the register file, where a register is an array of 32 values
// of 32 or 64 bits, or 32 bits for a predicate.
type Inst struct {
	handlers handlersOf

	D, A, B, C, E uint32

	// Site is the byte offset of the instruction's Site in Context.Sites.
	Site uint32
	// Count is the byte offset in Context of the counter that the instruction decrements before it runs: CountVisible
	// or CountNothing.
	Count uint32
	// PC is the program counter of the instruction, with which Context.Stop is compared.
	PC uint32
	// Target is the byte offset in the program of the target of a branch or guard; of an instruction that writes
	// memory, the byte offset in Context of the counter that it increments when a value changes: ChangesProgress or
	// ChangesAside.
	Target uint32
	// Other is the byte offset in the program of the copy of a guarded instruction for execution by only some of the
	// lanes.
	Other uint32
	// Imm is added to addresses (memory), to Context.Executed (branches).
	Imm int64
}

// handlersOf are the addresses of an operation's handlers: for the full warp, for some of the lanes, and for one.
type handlersOf struct{ full, masked, one uintptr }

// InstBytes is the size of an Inst: the unit of Target and Other.
const InstBytes = uint32(unsafe.Sizeof(Inst{}))

// Set makes in an instruction of the given operation.
func (in *Inst) Set(op Op) { in.handlers = find(op) }

// Site is memory that an instruction may access: address a of lane i is at Ptr + (a-Base) + i*Stride if a-Base < Limit.
type Site struct {
	Base, Limit uint64
	Ptr         unsafe.Pointer
	Stride      uint64
}

// SiteBytes is the size of a Site.
const SiteBytes = uint32(unsafe.Sizeof(Site{}))

// Exit is the reason why Run returned. Context.At says where.
type Exit uint32

// Exits.
const (
	// ExitSlow: the instruction at PC has not been executed; it has no handler, or its handler could not begin.
	ExitSlow Exit = iota
	// ExitRest: the instruction at PC has been counted and executed for all but the lanes in Context.Rest, which are
	// the highest of those that execute it.
	ExitRest
	// ExitCount: the counter of the instruction at PC is 0, and it has not been executed. Or the jump to PC has made
	// CountVisible 0.
	ExitCount
	// ExitStop: PC is Context.Stop.
	ExitStop
	// ExitBack: a back edge to PC has been executed but not counted, because Limit is reached or the spin state has to
	// be checked.
	ExitBack
	// ExitLimit: the same in a loop with a counter, because Limit is reached.
	ExitLimit
	// ExitTurns: the last turn has ended at the Return at PC.
	ExitTurns
	// ExitNote: there is no room in Notes for the access that the lanes in Rest are about to make. To continue, make
	// room and set Active to Rest.
	ExitNote
)

// Context is the input and output of a run. It must not move or be shared.
type Context struct {
	Regs  unsafe.Pointer // register file, 64-byte aligned
	Code  unsafe.Pointer // *Inst, the program
	Sites unsafe.Pointer // *Site

	At       uint32 // byte offset in the program: where to start, and where the run has ended
	Mask     uint32 // active lanes, which change when lanes diverge and reconverge
	Exit     Exit
	Rest     uint32 // of ExitRest and ExitNote
	Stop     uint32 // PC of a Stop instruction at which to return, NoPC for none
	changed  uint32 // scratch of atomic operations
	Executed int64  // number of PCs passed: set to -PC at the start; plus the PC at the exit it is the number of instructions
	Limit    int64  // limit of Executed plus PC after a back edge, at which ExitBack is due

	Visible  int64  // counter CountVisible: scheduling points
	Nothing  int64  // counter CountNothing: never runs out
	Progress uint64 // counts stores that changed a value, except those that Aside counts

	Spin Spin

	// Lanes of the function wait for each other at Joins. The innermost join is the last, and its PC is Stop.
	Joins [MaxJoins]Join
	Depth uint32 // size of Joins in use, in bytes
	Room  uint32 // maximum of Depth; 0 if lanes must not diverge in assembly
	Low   uint32 // set to Depth at the start: the lowest value that it has had
	Under uint32 // value of Stop when Depth is 0

	// Numbers of instructions and of thread instructions executed with masks other than the last one: set to 0 at the
	// start.
	Counted, Threads int64

	Aside uint64 // counts stores that changed a value and are not progress

	lanes [Lanes]uint32 // lanes that execute the instruction, each all ones or zero

	// Accesses that have been made or are about to be made, each a Note and the rows after it.
	Notes    unsafe.Pointer
	Noted    uint32 // bytes of Notes in use
	NoteRoom uint32 // there is room for another entry while Noted is at most this
	LastNote uint32 // offset of the last entry

	// Active is the lanes to start with: equal to Mask, except after ExitNote.
	Active uint32

	// Warps of a block can take turns in one run, with the same lanes. Regs and Visible are those of the first one. A
	// turn ends at a Barrier or a Return; the run ends in the last turn at the latest.
	Turns      unsafe.Pointer // *Turn, in the order of execution, in rotation
	Turn, Ring uint32         // byte offset in Turns of the current turn, and bytes of Turns in use; Ring is 0 if there are no turns
	Left       uint32         // turns that may follow the current one
	First      uint32         // value of Left in the first turn of the current block
	MayReturn  uint32         // 1 if turns may end at a Return
	// Rounds is 1 if Turns are all warps of the block and turns may pass barriers. Others is the number of warps less
	// one; without Rounds it is a number that Returned does not reach. RoundPC is the PC of the Barrier at which warps
	// wait.
	Rounds, Others, RoundPC uint32
	// Set to 0 at the start: how many turns have ended at a Barrier since the last one that was passed, how many at a
	// Return, and how many Barriers have been passed. The last two are of the current block.
	Arrived, Returned, Passed uint32

	// Blocks is how many further blocks the same warps may begin, one after the other, at byte offset Start in the
	// program, which has PC 0. Before a block begins, its shared memory is cleared, and the special registers at the
	// offsets Specials get the values in the next row of Values.
	Blocks, Start uint32
	Values        unsafe.Pointer // *[MaxSpecials]uint32
	ValuesAt      uint32         // byte offset in Values
	SpecialBytes  uint32         // of Specials in use
	Specials      [MaxSpecials]uint32
	Shared        unsafe.Pointer
	SharedBytes   uint32 // 0, or 32 at least
}

// MaxSpecials is the maximum number of special registers that differ from block to block.
const MaxSpecials = 4

// Turn is the turn of a warp, or all turns of a warp in rotation.
type Turn struct {
	Regs     unsafe.Pointer // register file of the warp, as Context.Regs
	Visible  int64          // Context.Visible for the turn
	Known    uint32         // Spin.Known for the turn
	At, From uint32         // where it begins: byte offset in the program, and PC; set at the end of the turn before
	PC       uint32         // set at the end: PC of the Barrier or Return
	Noted    uint32         // set at the end: Context.Noted
	Taken    uint32         // incremented at the end
}

// TurnBytes is the size of a Turn: the unit of Context.Turn and Ring.
const TurnBytes = uint32(unsafe.Sizeof(Turn{}))

// Note is an access, appended by the NoteAccess instruction before it, or a fence, of which only PC and Mask mean
// something. Rows follow it: the addresses of the lanes, unless they are even; then the rows of NoteValue instructions.
type Note struct {
	PC, Mask uint32
	Even     bool   // the address of lane i is Base + i*Step
	Lanes    uint32 // set by Go: lanes in Mask that have not made the access, 0 at first
	// Base and Step are those of even addresses. For others, Base has the two results of Neighbours.
	Base, Step uint64
}

// Neighbours compares the address of each lane with the address of the preceding lane, for lanes that are both in Mask.
// A lane is in next if its address is the preceding one plus size, the number of bytes of the access. A lane is in same
// if both are equal.
func (t *Note) Neighbours(size uint64) (next, same uint32) {
	if !t.Even {
		return uint32(t.Base), uint32(t.Base >> 32)
	}
	m := t.Mask & (t.Mask << 1)
	switch t.Step {
	case 0:
		return 0, m
	case size:
		return m, 0
	}
	return 0, 0
}

// Row is a 64-bit value of each lane.
type Row = [Lanes]uint64

// Sizes of the parts of a note.
const (
	NoteBytes = uint32(unsafe.Sizeof(Note{}))
	RowBytes  = uint32(unsafe.Sizeof(Row{}))
)

// MaxJoins is the maximum number of joins in Context.Joins.
const MaxJoins = 12

// Join is a reconvergence point of lanes that have diverged at a branch.
type Join struct {
	PC       uint32
	Expected uint32 // lanes that have not passed it
	Arrived  uint32 // lanes that wait there
}

// JoinBytes is the size of a Join: the unit of Context.Depth.
const JoinBytes = uint32(unsafe.Sizeof(Join{}))

// Values of Inst.B of conditional branches, and of Inst.Other of those that compare: which lanes wait for the others
// after a divergence, if that is known. Inst.E is the PC where they wait.
const (
	WaitsNobody uint32 = iota // Go decides
	WaitsTaken
	WaitsOthers
)

// BarrierZero is Inst.D of a Barrier at which turns may pass, that of barrier 0. Inst.D of any other Barrier is 0.
const BarrierZero = 1

// Values of Inst.D of back edges: Spin decides whether spin detection has to check them, or they need no check, as the
// loop has a counter. Any other value is the register of the counter's step: no check is needed if its value in lane 0
// is between 1 and MaxStep.
const (
	Uncounted uint32 = iota
	Counted

	MaxStep = 1 << 24
)

// Spin determines which back edges need a check by spin detection.
type Spin struct {
	Progress uint64 // value of Context.Progress since which Visits are counted
	Visits   uint64
	Next     uint64 // visit at which a check is due
	PC       uint32 // a check is also due at jumps to PC
	Witness  uint32 // if the word at this offset of the register file
	Value    uint32 // has this value
	Bits     uint32 // in these bits,
	Mask     uint32 // with these lanes
	Known    uint32 // the first jump to this PC since Progress needs a check
}

// NoPC is a PC that no instruction has.
const NoPC = ^uint32(0)

// The values of Inst.Count.
const (
	CountVisible = uint32(unsafe.Offsetof(Context{}.Visible))
	CountNothing = uint32(unsafe.Offsetof(Context{}.Nothing))
)

// The values of Inst.Target of instructions that write memory.
const (
	ChangesProgress = uint32(unsafe.Offsetof(Context{}.Progress))
	ChangesAside    = uint32(unsafe.Offsetof(Context{}.Aside))
)
