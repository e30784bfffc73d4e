// Package isa is the instruction table of PTX: every base opcode once, with the
// manual's syntax forms as data, operand roles and types, effects, state spaces,
// since-version, minimum target and manual section.
//
// The parser's checks, the rewriter's def/use sets, the passes' notion of "memory
// access" and the emulator's coverage test are all derived from this table. The
// package imports nothing of ptxsan and must not know about syntax trees, edits
// or execution.
//
// To add an opcode: add a row to the table of its manual chapter (table_*.go).
// To add a modifier value: add it to the row's set. Nothing else changes.
package isa

// Op identifies a base opcode such as "ld" or "add": an index into the table.
type Op uint16

// Class groups opcodes by manual chapter.
type Class uint8

// Classes, in the order of the manual's instruction chapters.
const (
	ClassNone Class = iota
	ClassInteger
	ClassExtended // carry chains
	ClassFloat
	ClassCompare
	ClassLogic
	ClassMove // mov, cvt, cvta, prmt, shfl-free data movement
	ClassMemory
	ClassAtomic // atom, red
	ClassFence  // membar, fence
	ClassBarrier
	ClassWarp // shfl, vote, match, activemask, redux, elect
	ClassAsync
	ClassTexture
	ClassControl
	ClassMatrix
	ClassVideo
	ClassStack
	ClassMisc
)

// Effect is a set of things that an instruction does beyond writing registers.
type Effect uint16

// Effects.
const (
	ReadsMemory  Effect = 1 << iota
	WritesMemory        // an atomic both reads and writes
	Orders              // fence, or access with acquire/release semantics
	Synchronises        // waits for other threads: barriers, shfl.sync, ...
	Branches            // may continue at a label operand
	Calls
	Terminates  // ret, exit, trap: control does not fall through when unpredicated
	Convergent  // result depends on which lanes execute together
	ReadsClock  // result differs between executions: %clock, activemask
	ReadsCarry  // reads the condition code register CC.CF (PTX ISA 9.7.2)
	WritesCarry // writes CC.CF: nothing that touches it may be put before the reader
)

// Has reports whether e includes all of f.
func (e Effect) Has(f Effect) bool { return e&f == f }

// Role says what an instruction does with an operand.
type Role uint8

// Roles.
const (
	RoleNone   Role = iota // a value or an address, as written; read
	RoleDst                // register or vector written; "_" discards
	RoleSrc                // register, immediate, symbol or vector read
	RoleAddr               // [base+offset]: base is read, memory is accessed at the effective address
	RoleLabel              // branch target
	RoleCallee             // operands of call: the callee, and the result, argument, prototype and target lists
	RoleSymbol             // name of a variable, texture, prototype, target list
)

// Instr is one row of the table.
type Instr struct {
	Op      Op
	Name    string
	Class   Class
	Effects Effect  // of all forms together; see Decoded.Effects
	Since   Version // PTX ISA version that introduced the opcode
	MinSM   int     // minimum compute capability times ten (70 = sm_70); 0 = all
	Ref     string  // sections of the PTX ISA manual, numbered as in 8.7
	Doc     string  // half a line in plain words
	Forms   []*Form

	cache decodeCache
}

// Form is one syntax line of the manual, parsed.
type Form struct {
	Syntax   string // the manual's notation
	Mods     []ModSlot
	Operands []OperandSpec
	Effects  Effect     // without what the modifiers add; see Decoded.Effects
	Access   AccessKind // AccessNone for forms that touch no memory by address
	Since    Version
	MinSM    int
}

// ModSlot is one modifier position of a form.
type ModSlot struct {
	Set      string   // name of the set ("type", "sem", "scope", ...); "" for a literal modifier
	Values   []string // accepted spellings, without the leading dot
	Optional bool
}

// OperandSpec is one operand position of a form.
type OperandSpec struct {
	Name     string // the manual's letter
	Role     Role
	Type     string // "" untyped, a set name ("type", "dtype"), or a literal type ("u32", "pred")
	Widen    bool   // twice as wide as Type (mul.wide)
	Vector   bool   // braces allowed, with Decoded.Vec elements when the form has .vec
	Elems    int    // elements of a vector: a count, or one of ElemsVec, ElemsAny, ElemsPacked
	Reads    bool   // a destination that is also read (wgmma's accumulator)
	Not      bool   // a predicate that may be negated: !c
	Optional bool
	Needs    string // modifier that an optional operand goes with, "" when it stands alone
	Pair     string // second name of d|p, "" when there is none
	PairType string
	// PairOptional says that |p may be left out: d{|p}.
	PairOptional bool
}

// Values of OperandSpec.Elems other than a count.
const (
	ElemsVec    = 0  // scalar, or as many as the form's .vec says
	ElemsAny    = -1 // as many as written (matrix fragments, texture coordinates)
	ElemsPacked = -2 // as many as written, together as wide as the type (mov.b64 {a, b}, d)
)

// Version is a PTX ISA version: major*10 + minor (8.7 is 87).
type Version uint16

// Decoded is what the table says about one spelling of an instruction with a
// given number of operands. It is shared by all occurrences: do not modify.
type Decoded struct {
	Instr *Instr
	Form  *Form
	// Mods holds the matched modifier of each Form.Mods slot, "" when absent.
	Mods []string
	// Types holds the type modifiers in order of appearance (cvt has two).
	Types []Type
	Space Space // SpaceNone when the instruction names none (generic for memory operations)
	Scope Scope // ScopeNone when not spelled
	Sem   Sem   // SemNone when not spelled; volatile and mmio count as semantics
	Vec   int   // 1, 2, 4 or 8 elements
	// Access describes the memory access; Access.Kind is AccessNone for others.
	Access Access
	// Copy is the store half of an instruction that copies memory (cp.async),
	// whose Access is then the load; Copy.Kind is AccessNone for others.
	Copy Access
	// Operands has one entry per operand actually present.
	Operands []OperandInfo
}

// Type returns the i-th type modifier, or TypeNone.
func (d *Decoded) Type(i int) Type {
	if i < len(d.Types) {
		return d.Types[i]
	}
	return TypeNone
}

// OperandInfo is the resolved role and type of one operand.
type OperandInfo struct {
	Spec *OperandSpec
	Role Role
	Type Type // element type for vectors; of the whole when Spec.Elems is ElemsPacked
	Vec  int  // elements expected in a vector operand, 1 for scalars, 0 for as many as written
	// PairType is the type of the second half of d|p.
	PairType Type
}

// AccessKind says how memory is touched.
type AccessKind uint8

// Access kinds.
const (
	AccessNone AccessKind = iota
	AccessLoad
	AccessStore
	AccessAtomic // atom: read-modify-write with result
	AccessReduce // red: read-modify-write without result
)

// Access describes a memory access: which operand is the address, how many bytes.
type Access struct {
	Kind   AccessKind
	AtomOp string // "add", "cas", "exch", ... for atomics and reductions
	Space  Space  // SpaceNone for generic
	Addr   int    // index of the address operand
	// Value is the index of the operand loaded into or stored from, -1 when none;
	// for atomics the first source operand (cas: the compared value, followed by
	// the new one).
	Value    int
	ElemSize int // bytes of one element
	// Size is the bytes in all, ElemSize*Vec; 0 when an operand or the shape of a
	// matrix decides (cp.async, wmma).
	Size int
}

// Writes reports whether the access may change memory.
func (a Access) Writes() bool { return a.Kind >= AccessStore }

// Atomic reports whether the access is a read-modify-write.
func (a Access) Atomic() bool { return a.Kind >= AccessAtomic }
