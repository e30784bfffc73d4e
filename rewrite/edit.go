package rewrite

import (
	"fmt"
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
// editor (text after a jump, two replacements) are reported by Apply.
//
// The statements of a call sequence, that is st.param to the arguments, the call
// and ld.param of the results, must follow each other without control flow
// between them (PTX ISA 5.1.6.4, Device Function Parameters). What is inserted
// before or after one of them goes before or after the whole sequence.
type Editor struct {
	m       *Module
	pass    string
	names   *namer
	errs    ptxgrammar.ErrorList
	globals []string
	funcs   map[*Func]*funcEdit
}

// funcEdit is what is to change in one function.
type funcEdit struct {
	f        *Func
	names    funcNames
	entry    []string
	end      []string // before the closing brace, where control falls off the end
	sites    map[int]*site
	replaced map[int][]string // by instruction index
	seqs     map[int]*callSeq // by instruction index
}

// site is a place where statements are inserted: an instruction or a call
// sequence, Insts[first] to Insts[last].
type site struct {
	first, last   int
	before, after []piece
	inUse         [numClasses]int // scratch registers
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

// Module is the module being edited.
func (e *Editor) Module() *Module { return e.m }

// errorf records a mistake at an instruction.
func (e *Editor) errorf(in *Inst, format string, args ...any) error {
	err := &ptxgrammar.Error{Pos: in.Position(), Msg: fmt.Sprintf(format, args...)}
	e.errs = append(e.errs, err)
	return err
}

// fn is the record of a function's edits.
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

// at is the record of the edits around an instruction.
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

// temp is a scratch register that stays taken for all edits of the site.
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
	s := e.at(in)
	s.before = append(s.before, piece{lines: statements(text)})
}

// InsertBeforeGuarded puts statements before in that execute only in lanes where
// in's guard holds.
func (e *Editor) InsertBeforeGuarded(in *Inst, text string) {
	s := e.at(in)
	s.before = append(s.before, piece{lines: statements(text), guard: in})
}

// InsertAfter puts statements after in, on the fall-through path.
func (e *Editor) InsertAfter(in *Inst, text string) {
	if !in.fallsThrough() {
		_ = e.errorf(in, "nothing executes after %q", in.Text())
		return
	}
	s := e.at(in)
	s.after = append(s.after, piece{lines: statements(text)})
}

// InsertAtEntry puts statements after the declarations of f's outermost scope,
// before its first instruction and before a label there: they execute once per call.
func (e *Editor) InsertAtEntry(f *Func, text string) {
	fe := e.fn(f)
	fe.entry = append(fe.entry, statements(text)...)
}

// InsertAtExits puts statements before every ret and exit of f, in lanes that leave
// there, and at the end of the body when control may fall off it. Traps and calls
// that do not return are no exits.
func (e *Editor) InsertAtExits(f *Func, text string) {
	fe := e.fn(f)
	for _, in := range f.Insts {
		if _, call := in.Call(); !call && in.leaves() && !in.traps() {
			e.InsertBeforeGuarded(in, text)
		}
	}
	if f.fallsOff() {
		fe.end = append(fe.end, statements(text)...)
	}
}

// traps reports whether the instruction aborts the kernel.
func (i *Inst) traps() bool { return i.Instr.Name == "trap" }

// fallsOff reports whether control may reach the end of the body.
func (f *Func) fallsOff() bool {
	n := len(f.Insts)
	if n == 0 || f.Insts[n-1].fallsThrough() {
		return true
	}
	for _, in := range f.Insts {
		if !in.branches() {
			continue
		}
		targets, _ := in.targets()
		for _, t := range targets {
			if t.Inst == n {
				return true
			}
		}
	}
	return false
}

// Replace replaces the instruction (guard included). Calls at the same instruction
// are made around the replacement, in lanes where the old guard holds.
func (e *Editor) Replace(in *Inst, text string) {
	fe := e.fn(in.Func)
	if _, twice := fe.replaced[in.Index]; twice {
		_ = e.errorf(in, "%q is replaced twice", in.Text())
		return
	}
	fe.replaced[in.Index] = statements(text)
}

// Delete removes the instruction.
func (e *Editor) Delete(in *Inst) { e.Replace(in, "") }

// SplitBefore starts a new basic block at in and returns the label to branch to.
// Statements inserted before in by earlier calls stay before the label.
func (e *Editor) SplitBefore(in *Inst) (label string) {
	label = e.FreshLabel(in.Func)
	e.InsertBefore(in, label+":")
	return label
}

// AddGlobal adds module-scope declarations, before the first function.
func (e *Editor) AddGlobal(text string) { e.globals = append(e.globals, statements(text)...) }

// FreshReg declares a new register in the outermost scope of f. Registers of one
// width are declared with the bit type of that width, predicates as .pred.
func (e *Editor) FreshReg(f *Func, t isa.Type) string { return e.fn(f).names.reg(classOf(t)) }

// FreshLabel is a label that f does not use.
func (e *Editor) FreshLabel(f *Func) string { return e.fn(f).names.label("L") }

// FreshSymbol is a module-scope name that is not in use and reads like hint.
func (e *Editor) FreshSymbol(hint string) string { return e.names.symbol(hint) }
