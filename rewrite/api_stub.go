package rewrite

import "github.com/ptxsan/ptxsan/ptxgrammar"

// Load resolves the names of a syntax tree. The error is a
// ptxgrammar.ErrorList: undefined or duplicate names, unknown instructions,
// wrong operand counts, each with file:line:col.
func Load(m *ptxgrammar.Module) (*Module, error) { panic("stub") }

// Lookup returns the module-scope symbol of that name.
func (m *Module) Lookup(name string) (Symbol, bool) { s, ok := m.symbols[name]; return s, ok }

// Func returns the function of that name, nil when there is none.
func (m *Module) Func(name string) *Func { f, _ := m.symbols[name].(*Func); return f }

// Kernels returns the defined entries in source order.
func (m *Module) Kernels() []*Func { panic("stub") }

// Position is where the instruction stands in the PTX file.
func (i *Inst) Position() ptxgrammar.Position { panic("stub") }

// Text is the instruction as written, without the guard and the semicolon.
func (i *Inst) Text() string { panic("stub") }

// Defs calls f for every register that the instruction writes, Uses for every
// register that it reads (guard and address bases included).
func (i *Inst) Defs(f func(*Reg)) { panic("stub") }
func (i *Inst) Uses(f func(*Reg)) { panic("stub") }

// CFG is the control-flow graph of a function; see Func.CFG.
type CFG struct {
	Blocks     []*Block // in source order; Blocks[0] is the entry
	Exit       *Block   // virtual exit, without instructions, last in Blocks
	Degenerate bool     // an indirect branch without target list: edges unknown
	BlockOf    []*Block // by instruction index
}

// Block is a basic block: Insts[Start:End] of its function.
type Block struct {
	Index      int
	Start, End int
	Succs      []*Block
	Preds      []*Block
	IDom       *Block // nil for the entry and unreachable blocks
	IPDom      *Block // nil for the virtual exit, and for blocks that cannot reach it
}

// CFG returns the graph, built on first use.
func (f *Func) CFG() *CFG { panic("stub") }

// Editor collects edits to one module; Apply performs them together.
type Editor struct{}

// NewEditor starts editing m on behalf of a pass (recorded as provenance).
func NewEditor(m *Module, pass string) *Editor { panic("stub") }

// Several insertions at one place appear in the order of the calls. Text is PTX
// statements, one per line, without indentation.

// InsertBefore puts statements before in (and after its label); a predicated
// instruction is left predicated and the statements are not.
func (e *Editor) InsertBefore(in *Inst, text string) { panic("stub") }

// InsertAfter puts statements after in, on the fall-through path.
func (e *Editor) InsertAfter(in *Inst, text string) { panic("stub") }

// InsertAtEntry puts statements after the declarations of f's outermost scope,
// before its first instruction.
func (e *Editor) InsertAtEntry(f *Func, text string) { panic("stub") }

// Replace replaces the instruction (guard included).
func (e *Editor) Replace(in *Inst, text string) { panic("stub") }

// AddGlobal adds a module-scope declaration.
func (e *Editor) AddGlobal(text string) { panic("stub") }

// Arg is a typed argument of an inserted call.
type Arg struct{}

// Hook is the device function that an inserted call calls; its parameter types
// are checked against the arguments.
type Hook struct{ Func *Func }

// CallBefore calls hook before in executes, only in lanes where in's guard holds:
// a guarded instruction becomes a branch around {call; instruction}.
func (e *Editor) CallBefore(in *Inst, hook *Func, args ...Arg) error { panic("stub") }

// CallAfter is CallBefore's counterpart after in.
func (e *Editor) CallAfter(in *Inst, hook *Func, args ...Arg) error { panic("stub") }

// Const32, Const64 pass an immediate.
func Const32(v uint32) Arg { panic("stub") }
func Const64(v uint64) Arg { panic("stub") }

// Addr passes the effective address of the n-th operand, as a generic 64-bit
// address whatever space the instruction names.
func Addr(operand int) Arg { panic("stub") }

// Value passes the value of the n-th operand, extended to the parameter's width.
func Value(operand int) Arg { panic("stub") }

// RegArg passes a register.
func RegArg(r *Reg) Arg { panic("stub") }

// Apply performs the edits: text, re-parsed and verified, with provenance.
func (e *Editor) Apply() (*Module, error) { panic("stub") }

// Link adds the functions and variables of lib to m: private names are made
// unique, duplicates of extern declarations resolved, .version and .target
// raised to the larger.
func Link(m, lib *Module) (*Module, error) { panic("stub") }

// Origin says where a line of a rewritten module came from.
type Origin struct {
	Line int    // line in the user's file, 0 when a pass or library made it
	Pass string // pass or library that inserted it, "" for the user's own lines
	For  int    // inserted lines: the user's line they were inserted for, 0 when none
}

// Origin returns the provenance of a line (from 1).
func (m *Module) Origin(line int) Origin { panic("stub") }

// Verify checks every invariant of a module and names the first few broken.
func Verify(m *Module) error { panic("stub") }

// Unified is the unified diff of two texts with n lines of context, "" when equal.
func Unified(aName, a, bName, b string, n int) string { panic("stub") }
