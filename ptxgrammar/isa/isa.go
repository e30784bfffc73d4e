// Package isa is the instruction table of PTX: every base opcode once, with the manual's syntax forms as data, operand
// roles and types, effects, state spaces, since-version, minimum target and manual section.
//
// The parser's checks, the rewriter's def/use sets, the passes' notion of "memory access" and the emulator's coverage
// test are all derived from this table. The package imports no other package of ptxsan, and must not know syntax trees,
// edits or execution.
//
// To add an opcode: add a row to the table of its manual chapter (table_*.go; form.go has the notation) and a line per
// form to testdata/forms.txt. To add a modifier value: add it to the row's set, with its requirements after an @. A
// special register goes to names.go, a directive to directives.go, a target to target.go; the numbers of registers of
// matrix fragments are in fragment.go. No other change is needed.
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

// Effect is a set of effects of an instruction other than writing registers.
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
	WritesCarry // writes CC.CF: no instruction that changes it may be inserted before the reader
	Agrees      // returns one result to all lanes of its mask, or all threads of its barrier
	Aborts      // ends the whole grid with an error
	Exits       // ends the thread, not only the current function
	Shuffles    // returns what a lane of the warp passes
	Elects      // returns true to one lane of its mask
)

// Has reports whether e includes all of f.
func (e Effect) Has(f Effect) bool { return e&f == f }

// Role is the use of an operand by an instruction.
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
	Requirement        // of the opcode; forms and modifiers may require more
	Ref         string // sections of the PTX ISA manual, numbered as in 8.7
	Doc         string // half a line of description
	Forms       []*Form

	unemulated unemulatedForms
	cache      decodeCache
}

// Form is one syntax line of the manual, parsed.
type Form struct {
	Mods     []ModSlot
	Operands []OperandSpec
	Effects  Effect     // without the effects of modifiers; see Decoded.Effects
	Access   AccessKind // of the first operand with an access; AccessNone if there is none
	Requirement
	// Note says where the manual and other sources differ and which one this form follows, or a property that its
	// notation does not show; "" for most.
	Note string

	opcode, head string // the modifiers as written in the table
	excluded     []exclusion
	vectorLimit  int // bytes, 0 if the syntax determines all vectors
}

// ModSlot is one modifier position of a form.
type ModSlot struct {
	Set      string   // name of the set ("type", "sem", "scope", ...); "" for a literal modifier
	Values   []string // accepted spellings, without the leading dot
	Optional bool
	Tied     bool          // present exactly when the slot before is: {.sem.scope}
	needed   []Requirement // of each value; nil if no value has requirements
	absent   Requirement   // of a spelling without the modifier
}

// needs returns the requirement of one of the slot's values.
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
	Needs    string // modifier that an optional operand requires, "" for none
	Pair     string // second name of d|p, "" when there is none
	PairType string
	// PairOptional says that |p may be omitted: d{|p}.
	PairOptional bool
	// Constant says which values the operand may have, which must be a constant; nil for other operands.
	Constant *Constant

	access *operandAccess // of an address operand; nil for no access
}

// Values of OperandSpec.Elems other than a count.
const (
	ElemsVec      = 0  // scalar, or as many as .vec of the form
	ElemsAny      = -1 // as many as written (texture coordinates)
	ElemsPacked   = -2 // as many as written, together as wide as the type (mov.b64 {a, b}, d)
	ElemsFragment = -3 // a thread's part of a matrix, determined by shape and types
)

// Version is a PTX ISA version: major*10 + minor (8.7 is 87).
type Version uint16

// Decoded is the table's description of one spelling of an instruction with a given number of operands. It is shared by
// all occurrences: do not modify.
type Decoded struct {
	Instr *Instr
	Form  *Form
	// Mods holds the matched modifier of each Form.Mods slot, "" when absent.
	Mods []string
	// Types holds the type modifiers in order of appearance (cvt has two).
	Types []Type
	Space Space // SpaceNone when the instruction names none (generic for memory operations)
	// Scope and Sem are as spelled. For fences and barriers without them, they are the defaults (PTX ISA 9.7.13).
	// Otherwise they are None. Volatile and mmio count as semantics.
	Scope Scope
	Sem   Sem
	Vec   int // 1, 2, 4 or 8 elements
	// Access describes the access at the address that an operand gives; for an instruction that copies memory, the
	// load. Access.Kind is AccessNone for other instructions.
	Access Access
	// Copy describes the store or reduction of an instruction that copies memory (cp.async); Copy.Kind is AccessNone
	// for others.
	Copy Access
	// Accesses lists all memory accesses of the instruction, in the order of its operands: Access and Copy, those
	// through tensor maps, textures and surfaces, and the completion signal to a barrier object.
	Accesses []Access
	// Requirement combines those of the opcode, the form and the modifiers.
	Requirement
	// Operands has one entry per operand that is present.
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
	Type Type // element type of vectors; type of the whole when Spec.Elems is ElemsPacked
	// Vec is the number of elements expected in a vector operand, 1 for scalars, 0
	// for as many as written. A fragment of one register is written with or
	// without braces.
	Vec int
	// PairType is the type of the second half of d|p.
	PairType Type
	// Single is the type of a single register or constant that may replace a fragment, a matrix descriptor; TypeNone if
	// none may.
	Single Type
}

// Whole returns the type of an operand that is written as one register or constant.
func (o *OperandInfo) Whole() Type {
	if o.Single != TypeNone {
		return o.Single
	}
	return o.Type
}

// AccessKind is the kind of a memory access.
type AccessKind uint8

// Access kinds.
const (
	AccessNone AccessKind = iota
	AccessLoad
	AccessStore
	AccessAtomic // atom, mbarrier.arrive: read-modify-write with result
	AccessReduce // red, mbarrier.expect_tx: read-modify-write without result
)

// Access describes a memory access: the address operand and the number of bytes.
type Access struct {
	Kind   AccessKind
	AtomOp string // "add", "cas", "exch", ..., and "arrive", ... for barrier objects
	Space  Space  // SpaceNone for generic; SpaceTex for textures and surfaces
	Addr   int    // index of the address operand
	// Indirect says that the operand is not an address but a tensor map, a texture or a surface with coordinates, which
	// determine the addresses.
	Indirect bool
	// Replicas says that the address may stand for several: those of the replicas behind a multicast address.
	Replicas bool
	// Value is the index of the operand that is loaded or stored, -1 if there is none; for atomics, of the first source
	// operand (cas: the compared value, followed by the new one).
	Value    int
	ElemSize int // bytes of one element, in a register of its own
	// Scalar is the number of bytes of one operation of the memory model: an access to a vector or to packed values is
	// an operation on each of the scalars, in any order (PTX ISA, "Memory Operations on Vector Data Types", "... on
	// Packed Data Types"). 0 where Size is.
	Scalar int
	// Size is the total number of bytes; 0 when an operand, a tensor map or the shape of a matrix determines it
	// (cp.async, tex, wmma).
	Size int
}

// Single reports whether the access is one operation of the memory model, of a known size.
func (a Access) Single() bool { return a.Size > 0 && a.Size == a.Scalar }

// Writes reports whether the access may change memory.
func (a Access) Writes() bool { return a.Kind >= AccessStore }

// Atomic reports whether the access is a read-modify-write.
func (a Access) Atomic() bool { return a.Kind >= AccessAtomic }
