// The Editor: queued edits of a module.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Editor collects edits to one module; Apply performs them together. The module
// does not change.
//
// Several insertions at one place appear in the order of the calls; at a guarded
// instruction those that obey its guard stand next to it, inside the others. Text
// is PTX statements, one per line, without indentation. Mistakes in the use of an
// editor (text after a jump) and edits that contradict each other (two
// replacements of one instruction) are reported by Apply.
//
// The statements of a call sequence, that is st.param to the arguments, the call
// and ld.param of the results, must follow each other without control flow
// between them (PTX ISA 5.1.6.4, Device Function Parameters). What is inserted
// before or after one of them goes before or after the whole sequence.
//
// Between the writer and the reader of the carry flag (add.cc, addc) inserted
// calls save and restore it; inserted text must leave it alone.
type Editor struct {
	m       *Module
	pass    string
	names   *namer
	errs    ptxgrammar.ErrorList
	globals []string
	vars    map[string]*NewVar // by exact name
	funcs   map[*Func]*funcEdit
	changes []change // of existing text, apart from replaced instructions
	params  map[*Func][]newParam
	aliased map[*Func]bool // functions with two names, when there are parameters
	renamed map[Symbol]string
	copies  []*funcCopy
	called  []*Func // functions that the editor declares unchanged
	ranges  []rangeRename

	newNames map[string]Symbol // the renamed symbols by new name
	words    map[string]uint32 // first position of each word in the module; nil until needed
	prepared bool
}

// funcEdit holds the edits of one function.
type funcEdit struct {
	f     *Func
	names funcNames
	entry []string
	// entryResults names the registers that calls at the entry have written.
	entryResults []string
	end          []string // before the closing brace, where control falls off the end
	sites        map[int]*site
	replaced     map[int][]string // by instruction index
	seqs         map[int]*callSeq // by instruction index
	carry        *carryFlow
	detours      map[int]map[*Label][]string // of indirect branches, by instruction index
	passed       int                         // number of .param variables made for call arguments
}

// site is a place where statements are inserted: an instruction or a call
// sequence, Insts[first] to Insts[last].
type site struct {
	first, last   int
	before, after []piece
	inner         []string        // statements that belong to the call sequence, in front of it
	inUse         [numClasses]int // number of scratch registers in use
}

// piece is a group of inserted statements. With guard set it executes only in
// lanes where the guard of that instruction holds.
type piece struct {
	lines []string
	guard *Inst
}

// NewEditor starts editing m on behalf of a pass (recorded as provenance).
func NewEditor(m *Module, pass string) *Editor {
	return &Editor{m: m, pass: pass, names: newNamer(m.Source()), funcs: make(map[*Func]*funcEdit)}
}

// Module returns the module being edited.
func (e *Editor) Module() *Module { return e.m }

// positioned returns an error at an instruction.
func positioned(in *Inst, format string, args ...any) *ptxgrammar.Error {
	return &ptxgrammar.Error{Pos: in.Position(), Msg: fmt.Sprintf(format, args...)}
}

// errorf records a mistake at an instruction.
func (e *Editor) errorf(in *Inst, format string, args ...any) error {
	err := positioned(in, format, args...)
	e.errs = append(e.errs, err)
	return err
}

// fn returns the record of a function's edits.
func (e *Editor) fn(f *Func) *funcEdit {
	if f.Module != e.m || !f.Defined() {
		panic("BUG: edit of function " + f.Name + ", which is not defined in the module being edited")
	}
	fe := e.funcs[f]
	if fe == nil {
		fe = &funcEdit{
			f: f, names: funcNames{stem: e.names.stem},
			sites: make(map[int]*site), replaced: make(map[int][]string), seqs: callSequences(f),
		}
		e.funcs[f] = fe
	}
	return fe
}

// at returns the record of the edits around an instruction.
func (e *Editor) at(in *Inst) *site {
	fe := e.fn(in.Func)
	first, last := in.Index, in.Index
	if q := fe.seqs[in.Index]; q != nil {
		first, last = q.first, q.last
	}
	s := fe.sites[first]
	if s == nil {
		s = &site{first: first, last: last}
		fe.sites[first] = s
	}
	return s
}

// temp returns a scratch register that stays reserved for all edits of the site.
func (fe *funcEdit) temp(s *site, c regClass) string {
	s.inUse[c]++
	return fe.names.temp(c, s.inUse[c]-1)
}

// statements splits inserted text into lines.
func statements(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// InsertBefore puts statements before in (and after its label); a predicated
// instruction is left predicated and the statements are not.
func (e *Editor) InsertBefore(in *Inst, text string) {
	e.before(in, piece{lines: statements(text)})
}

func (e *Editor) before(in *Inst, p piece) {
	s := e.at(in)
	e.checkCarry(in.Func.Insts[s.first], false, p.lines)
	s.before = append(s.before, p)
}

func (e *Editor) after(in *Inst, p piece) {
	s := e.at(in)
	e.checkCarry(in.Func.Insts[s.last], true, p.lines)
	s.after = append(s.after, p)
}

// InsertBeforeGuarded puts statements before in that execute only in lanes where
// in's guard holds.
func (e *Editor) InsertBeforeGuarded(in *Inst, text string) {
	e.before(in, piece{lines: statements(text), guard: in})
}

// InsertAfter puts statements after in, on the fall-through path.
func (e *Editor) InsertAfter(in *Inst, text string) {
	if !in.fallsThrough() {
		_ = e.errorf(in, "nothing executes after %q", in.Text())
		return
	}
	e.after(in, piece{lines: statements(text)})
}

// InsertAtEntry puts statements after the declarations of f's outermost scope,
// before its first instruction and before a label there: they execute once per call.
func (e *Editor) InsertAtEntry(f *Func, text string) {
	fe := e.fn(f)
	fe.entry = append(fe.entry, statements(text)...)
}

// Replace replaces the instruction (guard included). Calls at the same instruction
// are made around the replacement, in lanes where the old guard holds.
func (e *Editor) Replace(in *Inst, text string) { e.replace(in, text, "Replace") }

// Delete removes the instruction.
func (e *Editor) Delete(in *Inst) { e.replace(in, "", "Delete") }

func (e *Editor) replace(in *Inst, text, what string) {
	e.changes = append(e.changes, change{at: e.m.AST.InstRange(in.AST), what: what, known: true})
	e.fn(in.Func).replaced[in.Index] = statements(text)
}

// AddGlobal adds module-scope declarations as they are, before the first function;
// see AddVar.
func (e *Editor) AddGlobal(text string) { e.globals = append(e.globals, statements(text)...) }

// declare declares a function before all others, unless it is already declared before the offset of its first use.
func (e *Editor) declare(callee *Func, before uint32) {
	for i := range e.m.AST.Funcs {
		if a := &e.m.AST.Funcs[i]; a.Name == callee.Name && a.Start < before {
			return
		}
	}
	text := strings.TrimSuffix(e.m.AST.Text(callee.AST.Range), ";") + ";"
	if callee.Defined() {
		text = forwardText(e.m, callee)
	}
	e.called = append(e.called, callee)
	if text = oneLine(text); !slices.Contains(e.globals, text) {
		e.AddGlobal(text)
	}
}

// FreshReg declares a new register in the outermost scope of f. Registers of one
// width are declared with the bit type of that width, predicates as .pred.
func (e *Editor) FreshReg(f *Func, t isa.Type) string { return e.fn(f).names.reg(classOf(t)) }

// FreshLabel returns a label that f does not use.
func (e *Editor) FreshLabel(f *Func) string { return e.fn(f).names.label("L") }

// FreshSymbol returns a module-scope name that is not in use and reads like hint.
func (e *Editor) FreshSymbol(hint string) string { return e.names.symbol(hint) }
