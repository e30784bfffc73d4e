// Renaming of a function's registers, labels and variables.

package rewrite

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// localRename is a queued renaming of a symbol declared by a function, or of a whole range of registers.
type localRename struct {
	f       *Func
	sym     Symbol
	name    string
	isRange bool // name is a prefix, sym one register of the range
}

// RenameIn renames a register, label, target list, prototype, parameter or variable of a function, in the scope that
// declares it and wherever it is mentioned: in instructions with their guards, vectors and components, in lists of
// targets, and as a label in debug sections. Registers of the same name in other scopes keep theirs. One register of a
// range %r<10> gets a declaration of its own.
//
// It is an error if the function mentions the new name anywhere, or if the name has a meaning already: names cannot be
// swapped. Text inserted by this editor must use the old name, since renaming follows all other edits. Debug sections
// encode registers as numbers, which stay: a debugger no longer finds variables in a renamed register.
func (e *Editor) RenameIn(f *Func, s Symbol, name string) error {
	return e.renameLocal(localRename{f: f, sym: s, name: name})
}

// RenameRange gives the range of registers that declares r another prefix: %r<10> becomes %x<10> and its %r3 becomes
// %x3. The prefix must not end in a digit, which ptxas would take for a part of the number. Otherwise it is like
// RenameIn.
func (e *Editor) RenameRange(f *Func, r *Reg, prefix string) error {
	return e.renameLocal(localRename{f: f, sym: r, name: prefix, isRange: true})
}

func (e *Editor) renameLocal(r localRename) error {
	if r.f.Module != e.m || !r.f.Defined() {
		panic("BUG: renaming in " + r.f.Name + ", which is not defined in the module being edited")
	}
	old := r.sym.SymbolName()
	d, ok := r.f.declarations().of(r.sym)
	switch {
	case !ok:
		return fmt.Errorf("%s: %q is not declared in %s", symbolPosition(e.m, r.f), old, r.f.Name)
	case r.isRange && d.count == 0:
		return fmt.Errorf("%s: %q is not one of a range of registers", e.m.AST.File.Position(d.at), old)
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s: %q cannot be renamed to %q%s", e.m.AST.File.Position(d.at), old, r.name,
			fmt.Sprintf(format, args...))
	}
	if !validName().MatchString(r.name) {
		return fail(", which is not a PTX name")
	}
	if r.isRange && isDigit(r.name[len(r.name)-1]) {
		return fail(": with a digit at the end of the prefix, ptxas does not find the registers")
	}
	if strings.Contains(r.name, e.names.stem) {
		return fail(": names with %q are the editor's own", e.names.stem)
	}
	for _, o := range e.locals {
		if o.f != r.f {
			continue
		}
		od, _ := r.f.declarations().of(o.sym)
		if od.at == d.at && (o.isRange || r.isRange || o.sym == r.sym) {
			return fail(": it is renamed to %q already", o.name)
		}
		if r.overlaps(d.count, o, od.count) {
			return fail(": %q gets that name", o.sym.SymbolName())
		}
	}
	if why := e.taken(r, d.count); why != "" {
		return fail("%s", why)
	}
	e.locals = append(e.locals, r)
	return nil
}

// covers reports whether a renaming of count registers declares a name.
func (r localRename) covers(name string, count int) bool {
	if !r.isRange {
		return name == r.name
	}
	return inRange(name, r.name, count)
}

// inRange reports whether a range of count registers with a prefix contains a name.
func inRange(name, prefix string, count int) bool {
	for p, n := range numbers(name) {
		if p == prefix && n < uint64(count) {
			return true
		}
	}
	return false
}

// overlaps reports whether two renamings would declare the same name. If two ranges share a name, one contains the
// first name of the other.
func (r localRename) overlaps(count int, o localRename, others int) bool {
	first := func(x localRename) string {
		if x.isRange {
			return x.name + "0"
		}
		return x.name
	}
	return r.covers(first(o), count) || o.covers(first(r), others)
}

// taken returns why a new name cannot be used, "" if it can.
func (e *Editor) taken(r localRename, count int) string {
	a := e.m.AST
	if why := e.reserved(r.name); why != "" && !r.isRange {
		return why
	}
	if word, at, used := e.localWord(r, count); used {
		return fmt.Sprintf(": %q is in use at line %d", word, a.File.Line(at))
	}
	for _, d := range r.f.declarations().list {
		if d.count > 0 && r.overlaps(count, localRename{name: d.name, isRange: true}, d.count) {
			return fmt.Sprintf(": the registers %s<%d> declared at line %d have that name", d.name, d.count,
				a.File.Line(d.at))
		}
	}
	for _, s := range e.moduleSymbols(r) {
		if r.covers(s.SymbolName(), count) {
			return fmt.Sprintf(": the module has %q, at %s", s.SymbolName(), symbolPosition(e.m, s))
		}
	}
	if _, reg := r.sym.(*Reg); reg {
		return ""
	}
	for i := range a.Directives {
		if d := &a.Directives[i]; d.Name == ".section" && mentions(a.Text(d.Range), r.name) {
			return fmt.Sprintf(": the debug section at line %d has it", a.File.Line(d.Start))
		}
	}
	return ""
}

// moduleSymbols returns the symbols that a renaming may collide with.
func (e *Editor) moduleSymbols(r localRename) []Symbol {
	if r.isRange {
		var list []Symbol
		for _, name := range e.m.names() {
			list = append(list, e.m.symbols[name])
		}
		return list
	}
	if s, ok := e.m.symbols[r.name]; ok {
		return []Symbol{s}
	}
	return nil
}

// localWord returns the first name in a function that a renaming would declare.
func (e *Editor) localWord(r localRename, count int) (word string, at uint32, used bool) {
	known := e.within[r.f]
	if known == nil {
		known = make(map[string]uint32)
		if e.within == nil {
			e.within = make(map[*Func]map[string]uint32)
		}
		e.within[r.f] = known
		for at, word := range words(e.m.AST.Text(r.f.AST.Range)) {
			if _, again := known[word]; !again {
				known[word] = r.f.AST.Start + uint32(at)
			}
		}
	}
	if !r.isRange {
		at, used = known[r.name]
		return r.name, at, used
	}
	for name, where := range known {
		if r.covers(name, count) && (!used || where < at) {
			word, at, used = name, where, true
		}
	}
	return word, at, used
}

// reserved returns the meaning that a name has everywhere or will have in the module.
func (e *Editor) reserved(name string) string {
	_, special := isa.Special(name)
	switch {
	case special || name == warpSize:
		return ", which PTX predefines"
	case e.newNames[name] != nil:
		return fmt.Sprintf(": %q gets that name", e.newNames[name].SymbolName())
	case e.vars[name] != nil:
		return ": a variable of that name is added"
	}
	return ""
}

// localDeclaration is one declaration of a function: of a name or of a range of registers.
type localDeclaration struct {
	name  string
	at    uint32 // of the name, or of the statement for lists and prototypes
	count int    // number of registers of a range, 0 for a name
	start uint32 // of the statement
	end   uint32
}

// declarations holds the declarations of a function's symbols.
type declarations struct {
	list  []localDeclaration
	byVar map[*ptxgrammar.Var]int // index into list
	byReg map[uint32]int          // by Reg.at
	other map[Symbol]int          // labels, lists and prototypes
}

// declarations finds where the symbols of a function are declared.
func (f *Func) declarations() *declarations {
	return memo(f, declarationsKey{}, f.findDeclarations)
}

func (f *Func) findDeclarations() *declarations {
	d := &declarations{byVar: make(map[*ptxgrammar.Var]int), byReg: make(map[uint32]int), other: make(map[Symbol]int)}
	a := f.Module.AST
	vars := func(list []ptxgrammar.Var, stmt ptxgrammar.Range) {
		for i := range list {
			v := &list[i]
			d.byVar[v], d.byReg[v.Start] = len(d.list), len(d.list)
			d.list = append(d.list, localDeclaration{v.Name, v.NameAt.Start, v.Count, stmt.Start, stmt.End})
		}
	}
	vars(f.AST.Returns, f.AST.Range)
	vars(f.AST.Params, f.AST.Range)
	labels := 0
	for _, s := range a.Stmts(f.AST) {
		switch s.Kind {
		case ptxgrammar.StmtDecl:
			vars(a.Decls[s.Index].Vars, a.Decls[s.Index].Range)
		case ptxgrammar.StmtLabel:
			l := &a.Labels[s.Index]
			d.other[f.Labels[labels]] = len(d.list)
			d.list = append(d.list, localDeclaration{l.Name, l.Start, 0, l.Start, l.End})
			labels++
		}
	}
	for _, p := range f.Protos {
		d.other[p] = len(d.list)
		d.list = append(d.list, localDeclaration{p.Name, p.AST.Start, 0, p.AST.Start, p.AST.End})
	}
	return d
}

// of returns the declaration of a symbol of the function.
func (d *declarations) of(s Symbol) (localDeclaration, bool) {
	i, ok := 0, false
	switch s := s.(type) {
	case *Var:
		i, ok = d.byVar[s.AST]
	case *Reg:
		i, ok = d.byReg[s.at]
	default:
		i, ok = d.other[s]
	}
	if !ok {
		return localDeclaration{}, false
	}
	return d.list[i], true
}
