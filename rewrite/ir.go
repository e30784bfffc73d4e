// The resolved view of a module: functions, variables, registers, instructions, operands.

package rewrite

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Module is a view on a syntax tree with names resolved: variables, functions,
// registers, labels and instruction facts. It holds no text of its own; edits go
// through an Editor.
type Module struct {
	AST     *ptxgrammar.Module
	Globals []*Var  // module-scope variables, in source order
	Funcs   []*Func // in source order; a declaration later defined appears once, defined
	// Reserved stands for the reserved part of a block's shared memory; nil if no special register of the module refers
	// to it.
	Reserved *Var
	symbols  map[string]Symbol
	Files    map[int]string
	origins  []Origin // by line, nil for a module as the user wrote it
	linked   map[linkedSymbol]string
	newer    bool                 // may have what the instruction table lacks
	release  ptxgrammar.ErrorList // its version and targets, if they are newer
	beyond   ptxgrammar.ErrorList // what it has that the table lacks
	memos
}

// OrdersGrids reports whether an instruction of the module orders dependent grids.
func (m *Module) OrdersGrids() bool {
	return m.Memo(ordersGridsKey{}, func() any {
		return slices.ContainsFunc(m.Funcs, func(f *Func) bool {
			return slices.ContainsFunc(f.Insts, (*Inst).OrdersGrids)
		})
	}).(bool)
}

// Symbol is anything a name can refer to: *Var, *Reg, *Func or *Label.
type Symbol interface{ SymbolName() string }

// Func is a kernel or device function.
type Func struct {
	Module  *Module
	AST     *ptxgrammar.Func
	Name    string
	Entry   bool
	Params  []*Var
	Returns []*Var
	Regs    []*Reg  // of all scopes, Reg.Index dense; of a range %r<10> only those that are mentioned somewhere
	Locals  []*Var  // .local, .shared, .param and .global variables declared in the body
	Insts   []*Inst // in source order, Inst.Index dense; nil for a declaration
	Labels  []*Label
	Protos  []*Proto // .callprototype, .calltargets and .branchtargets
	Alias   *Func    // the function that .alias makes this name stand for, nil otherwise

	memos
}

// Defined reports whether the function has a body.
func (f *Func) Defined() bool { return f.AST.Body >= 0 }

// SymbolName implements Symbol.
func (f *Func) SymbolName() string { return f.Name }

// Var is a variable in a state space other than .reg, or a function parameter of
// any space.
type Var struct {
	AST   *ptxgrammar.Var
	Name  string
	Space isa.Space
	Type  isa.Type
	Vec   int
	Dims  []int64 // -1 only for extern arrays
	Align int     // effective alignment in bytes: never 0
	Size  uint64  // bytes; 0 for an unsized extern array
	Func  *Func   // declaring function, nil at module scope
	Reg   *Reg    // the register of a parameter declared in .reg space, else nil
}

// SymbolName implements Symbol.
func (v *Var) SymbolName() string { return v.Name }

// Managed reports whether a variable is in memory shared with the host (PTX ISA, section "Variable and Function
// Attribute Directive: .attribute").
func (v *Var) Managed() bool { return slices.Contains(v.AST.Attrs, ".managed") }

// TileIR reports whether a kernel was compiled from Tile IR: tileiras marks it by .language 7.
func (f *Func) TileIR() bool {
	const tileIR = 7
	return slices.ContainsFunc(f.AST.Perf, func(p ptxgrammar.Perf) bool {
		return p.Name == ".language" && slices.Contains(p.Args, tileIR)
	})
}

// Hidden reports whether the host does not pass a parameter: the driver makes its value.
func (v *Var) Hidden() bool { return slices.Contains(v.AST.Attrs, ".hidden") }

// Reg is one virtual register.
type Reg struct {
	Name  string
	Type  isa.Type
	Vec   int
	Index int    // dense within the function
	at    uint32 // where it is declared
}

// SymbolName implements Symbol.
func (r *Reg) SymbolName() string { return r.Name }

// Label is a branch target; Inst is the index of the instruction it stands
// before, len(Insts) at the end of the body.
type Label struct {
	Name string
	Inst int
}

// SymbolName implements Symbol.
func (l *Label) SymbolName() string { return l.Name }

// Proto is a .callprototype (Returns, Params), or a .calltargets or
// .branchtargets list (Targets).
type Proto struct {
	AST             *ptxgrammar.Directive
	Name            string
	Returns, Params []ptxgrammar.Var
	Targets         []string
	Labels          []*Label // of .branchtargets, resolved
	Funcs           []*Func  // of .calltargets, resolved
}

// SymbolName implements Symbol.
func (p *Proto) SymbolName() string { return p.Name }

// Inst is one instruction with its facts from the instruction table.
type Inst struct {
	AST   *ptxgrammar.Inst
	Func  *Func
	Index int // position in Func.Insts
	*isa.Decoded
	Guard    *Reg // nil when unpredicated
	GuardNot bool
	Operands []Operand
	Loc      *SourceLoc // from the .loc in force, nil when none
	Line     int        // line in the PTX file, from 1
}

// SourceLoc is a place in the CUDA source, with the chain of inlining.
type SourceLoc struct {
	File      string
	Line, Col int
	InlinedAt *SourceLoc
}

// OperandKind says which fields of an Operand are set.
type OperandKind uint8

// Operand kinds.
const (
	OperandReg     OperandKind = iota // Reg (Member when a vector register's component is named)
	OperandSpecial                    // Special, Member
	OperandImm                        // Imm (integers sign-extended to 64 bits), Float, Single
	OperandSymbol                     // Sym [+ Off]: address or name of a variable, function, prototype
	OperandLabel                      // Sym is a *Label
	OperandVector                     // Elems
	OperandAddr                       // base Reg or Sym (either may be nil), Off; Elems holds further parts ([tex, {x, y}])
	OperandList                       // Elems: call's parenthesised lists
	OperandPair                       // Elems[0] | Elems[1]
	OperandNone                       // "_"
	OperandSum                        // %r+4, array[%r], array[%r+1]: Reg times Scale plus Off in the width of Reg, plus the address of Sym if there is one
)

// Operand is a resolved operand.
type Operand struct {
	Kind    OperandKind
	Not     bool // !p
	Neg     bool // -%r, on registers only
	Float   bool // the immediate was written as a floating-point literal: Imm holds float64 bits, or float32 bits when Single
	Single  bool
	AST     *ptxgrammar.Operand
	Reg     *Reg
	Special isa.SpecialReg
	Member  string // ".x"
	Sym     Symbol
	Imm     uint64
	Off     int64
	Scale   int64 // of OperandSum; not zero
	Elems   []Operand
}
