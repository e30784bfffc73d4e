// Package isa is the instruction table of PTX: every base opcode once, with the
// manual's syntax forms as data, operand roles and types, effects, state spaces,
// since-version, minimum target and manual section.
//
// The parser's checks, the rewriter's def/use sets, the passes' notion of "memory access" and the
// emulator's coverage test are all derived from this table. The package imports no other package
// of ptxsan, and must not know syntax trees, edits or execution.
//
// To add an opcode: add a row to the table of its manual chapter (table_*.go; form.go
// has the notation) and a line per form to testdata/forms.txt. To add a modifier
// value: add it to the row's set, with what it needs behind an @. A special register
// goes to names.go, a directive to directives.go, a target to target.go; the counts
// of registers that hold a matrix are in fragment.go. Nothing else changes.
package isa

import "slices"

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
	ReadsClock  // result differs between executions: %clock, activemask, alloca
	ReadsCarry  // reads the condition code register CC.CF (PTX ISA 9.7.2)
	WritesCarry // writes CC.CF: nothing that touches it may be put before the reader
	Agrees      // gives all lanes of its mask, or all threads of its barrier, one result
	Aborts      // ends the whole grid with an error
	Exits       // ends the thread, whatever functions it is in
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
	Op          Op
	Name        string
	Class       Class
	Calc        Calc
	Effects     Effect // of all forms together; see Decoded.Effects
	Requirement        // of the opcode; forms and modifiers may ask for more
	Ref         string // sections of the PTX ISA manual, numbered as in 8.7
	Doc         string // half a line in plain words
	Forms       []*Form

	cache decodeCache
}

// Form is one syntax line of the manual, parsed.
type Form struct {
	Mods     []ModSlot
	Operands []OperandSpec
	Effects  Effect     // without what the modifiers add; see Decoded.Effects
	Access   AccessKind // of the first operand that is accessed; AccessNone without
	Requirement
	// Note says where the manual and other sources disagree and which one this
	// form follows, or what its notation does not show; "" for most.
	Note string

	opcode, head string // the modifiers as the table has them
	vectorLimit  int    // bytes, 0 where the syntax says all about vectors
}

// ModSlot is one modifier position of a form.
type ModSlot struct {
	Set      string   // name of the set ("type", "sem", "scope", ...); "" for a literal modifier
	Values   []string // accepted spellings, without the leading dot
	Optional bool
	needed   []Requirement // of each value; nil when none asks for anything
}

// needs is what one of the slot's values asks for.
func (m *ModSlot) needs(value string) Requirement {
	if m.needed == nil {
		return Requirement{}
	}
	return m.needed[slices.Index(m.Values, value)]
}

// OperandSpec is one operand position of a form.
type OperandSpec struct {
	Name     string // the manual's letter
	Role     Role
	Type     string // "" untyped, a set name ("type", "dtype"), or a literal type ("u32", "pred")
	Widen    bool   // twice as wide as Type (mul.wide)
	Vector   bool   // braces allowed, with Decoded.Vec elements when the form has .vec
	Elems    int    // elements of a vector: a count, or one of the Elems constants
	Reads    bool   // a destination that is also read (wgmma's accumulator)
	Not      bool   // a predicate that may be negated: !c
	Optional bool
	Needs    string // modifier that an optional operand goes with, "" when it stands alone
	Pair     string // second name of d|p, "" when there is none
	PairType string
	// PairOptional says that |p may be left out: d{|p}.
	PairOptional bool

	access *operandAccess // of an address operand; nil when nothing is accessed
}

// Values of OperandSpec.Elems other than a count.
const (
	ElemsVec      = 0  // scalar, or as many as the form's .vec says
	ElemsAny      = -1 // as many as written (texture coordinates)
	ElemsPacked   = -2 // as many as written, together as wide as the type (mov.b64 {a, b}, d)
	ElemsFragment = -3 // a thread's part of a matrix: the shape and the types decide
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
	// Scope and Sem are as spelled, or for fences and barriers, which have
	// defaults, what they mean without (PTX ISA 9.7.13); None when neither.
	// Volatile and mmio count as semantics.
	Scope Scope
	Sem   Sem
	Vec   int // 1, 2, 4 or 8 elements
	// Access describes the access at the address that an operand gives, the load
	// of an instruction that copies memory; Access.Kind is AccessNone for others.
	Access Access
	// Copy is the store or reduction of an instruction that copies memory
	// (cp.async); Copy.Kind is AccessNone for others.
	Copy Access
	// Accesses lists all that the instruction does to memory, in the order of its
	// operands: Access and Copy, what it does through tensor maps, textures and
	// surfaces, and to the barrier object that it signals when it is done.
	Accesses []Access
	// Requirement is of the opcode, the form and the modifiers together.
	Requirement
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
	// Vec is the number of elements expected in a vector operand, 1 for scalars, 0
	// for as many as written. A fragment of one register is written with or
	// without braces.
	Vec int
	// PairType is the type of the second half of d|p.
	PairType Type
	// Single is the type of the one register or constant that may stand in place of
	// a fragment, a matrix descriptor; TypeNone where there is none.
	Single Type
}

// Whole is the type of an operand that is written as one register or constant.
func (o *OperandInfo) Whole() Type {
	if o.Single != TypeNone {
		return o.Single
	}
	return o.Type
}

// AccessKind says how memory is touched.
type AccessKind uint8

// Access kinds.
const (
	AccessNone AccessKind = iota
	AccessLoad
	AccessStore
	AccessAtomic // atom, mbarrier.arrive: read-modify-write with result
	AccessReduce // red, mbarrier.expect_tx: read-modify-write without result
)

// Access describes a memory access: which operand is the address, how many bytes.
type Access struct {
	Kind   AccessKind
	AtomOp string // "add", "cas", "exch", ..., and "arrive", ... for barrier objects
	Space  Space  // SpaceNone for generic; SpaceTex for textures and surfaces
	Addr   int    // index of the address operand
	// Indirect says that the operand is no address but a tensor map, a texture or a
	// surface with coordinates, which decide the addresses.
	Indirect bool
	// Value is the index of the operand loaded into or stored from, -1 when none;
	// for atomics the first source operand (cas: the compared value, followed by
	// the new one).
	Value    int
	ElemSize int // bytes of one element
	// Size is the bytes in all; 0 when an operand, a tensor map or the shape of a
	// matrix decides (cp.async, tex, wmma).
	Size int
}

// Writes reports whether the access may change memory.
func (a Access) Writes() bool { return a.Kind >= AccessStore }

// Atomic reports whether the access is a read-modify-write.
func (a Access) Atomic() bool { return a.Kind >= AccessAtomic }
