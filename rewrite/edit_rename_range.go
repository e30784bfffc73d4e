// Renaming of a function's registers.

package rewrite

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// rangeRename is a queued renaming of a range of registers.
type rangeRename struct {
	f      *Func
	d      *ptxgrammar.Var // the declaration
	prefix string          // the new one
}

// declares reports whether the renamed range declares a name.
func (r rangeRename) declares(name string) bool { return inRange(name, r.prefix, r.d.Count) }

// RenameRange gives the range of registers that declares r another prefix: %r<10> becomes %x<10> and its %r3 becomes
// %x3, in the scope of the declaration. The prefix must not end in a digit, which ptxas would take for a part of the
// number.
//
// It is an error if the function mentions a new name anywhere, or if one has a meaning already: names cannot be
// swapped. Text inserted by this editor must use the old names, since renaming follows all other edits. Debug sections
// encode registers as numbers, which stay: a debugger no longer finds variables in a renamed register.
func (e *Editor) RenameRange(f *Func, r *Reg, prefix string) error {
	if f.Module != e.m || !f.Defined() {
		panic("BUG: renaming in " + f.Name + ", which is not defined in the module being edited")
	}
	d := f.rangeAt(r.at)
	if d == nil {
		return fmt.Errorf("%s: %q is not one of a range of registers of %s", e.m.AST.File.Position(r.at), r.Name, f.Name)
	}
	queued := rangeRename{f, d, prefix}
	if why := e.unusable(queued); why != "" {
		return fmt.Errorf("%s: %q cannot be renamed to %q%s", e.m.AST.File.Position(d.Start), r.Name, prefix, why)
	}
	e.ranges = append(e.ranges, queued)
	return nil
}

// unusable returns why a range cannot have a prefix, "" if it can.
func (e *Editor) unusable(r rangeRename) string {
	switch {
	case !validName().MatchString(r.prefix):
		return ", which is not a PTX name"
	case isDigit(r.prefix[len(r.prefix)-1]):
		return ": with a digit at the end of the prefix, ptxas does not find the registers"
	case strings.Contains(r.prefix, e.names.stem):
		return fmt.Sprintf(": names with %q are the editor's own", e.names.stem)
	}
	for _, o := range e.ranges {
		switch {
		case o.f != r.f:
		case o.d == r.d:
			return fmt.Sprintf(": it is renamed to %q already", o.prefix)
		case o.prefix == r.prefix:
			return fmt.Sprintf(": the registers %s<%d> get that name", o.d.Name, o.d.Count)
		}
	}
	return e.taken(r)
}

// taken returns what has one of the new names already, "" if nothing has.
func (e *Editor) taken(r rangeRename) string {
	a := e.m.AST
	for at, word := range words(a.Text(r.f.AST.Range)) {
		if r.declares(word) {
			return fmt.Sprintf(": %q is in use at line %d", word, a.File.Line(r.f.AST.Start+uint32(at)))
		}
	}
	for d := range r.f.ranges() {
		// Of two ranges that share a name, one contains the first name of the other.
		if r.declares(d.Name+"0") || inRange(r.prefix+"0", d.Name, d.Count) {
			return fmt.Sprintf(": the registers %s<%d> declared at line %d have that name", d.Name, d.Count,
				a.File.Line(d.Start))
		}
	}
	for _, name := range e.m.names() {
		if r.declares(name) {
			return fmt.Sprintf(": the module has %q, at %s", name, symbolPosition(e.m, e.m.symbols[name]))
		}
	}
	for name := range e.newNames {
		if r.declares(name) {
			return ": a symbol of the module gets one of its names"
		}
	}
	return ""
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

// ranges yields the declarations of ranges of names in a function.
func (f *Func) ranges() iter.Seq[*ptxgrammar.Var] {
	return func(yield func(*ptxgrammar.Var) bool) {
		a := f.Module.AST
		for _, s := range a.Stmts(f.AST) {
			if s.Kind != ptxgrammar.StmtDecl {
				continue
			}
			vars := a.Decls[s.Index].Vars
			for i := range vars {
				if vars[i].Count > 0 && !yield(&vars[i]) {
					return
				}
			}
		}
	}
}

// rangeAt returns the range of names declared at an offset, nil if there is none.
func (f *Func) rangeAt(at uint32) *ptxgrammar.Var {
	for d := range f.ranges() {
		if d.Start == at {
			return d
		}
	}
	return nil
}

// rename performs the queued renamings in the module with all other edits made. moved maps an offset in the module
// being edited to one in m.
func (e *Editor) rename(m *Module, moved func(uint32) (uint32, bool)) (*Module, error) {
	if len(e.ranges) == 0 && len(e.renamed) == 0 {
		return m, nil
	}
	w := &editWriter{m: m}
	names := make(map[Symbol]string)
	for s, name := range e.renamed {
		names[m.symbols[s.SymbolName()]] = name
	}
	(&moduleRenamer{w, names}).write()
	for _, r := range e.ranges {
		at, ok := moved(r.d.Start)
		if !ok {
			return nil, fmt.Errorf("%s: the registers %s<%d> are renamed, and their declaration is moved by another edit",
				e.m.AST.File.Position(r.d.Start), r.d.Name, r.d.Count)
		}
		for _, f := range m.Funcs {
			if !f.Defined() || at < f.AST.Start || at >= f.AST.End {
				continue
			}
			if err := w.renameRange(r, f, at); err != nil {
				return nil, err
			}
		}
	}
	if len(w.edits) == 0 {
		return m, nil
	}
	return w.finish(e.pass)
}

// renameRange queues the edits of a renaming in the function of w's module that declares the range at an offset.
func (w *editWriter) renameRange(r rangeRename, f *Func, at uint32) error {
	a := w.m.AST
	for off, word := range words(a.Text(f.AST.Range)) {
		if r.declares(word) {
			return fmt.Errorf("%s: inserted text says %q, which is a name that %s<%d> gets",
				a.File.Position(f.AST.Start+uint32(off)), word, r.d.Name, r.d.Count)
		}
	}
	prefix := func(start uint32) {
		w.add(start, start+uint32(len(r.d.Name)), r.prefix, a.File.Line(start))
	}
	prefix(at)
	for _, in := range f.Insts {
		if in.Guard != nil && in.Guard.at == at {
			guard := a.GuardRange(in.AST)
			for off, word := range words(a.Text(guard)) {
				if word == in.Guard.Name {
					prefix(guard.Start + uint32(off))
				}
			}
		}
		for i := range in.Operands {
			registerNames(a, &in.Operands[i], at, prefix)
		}
	}
	return nil
}

// registerNames calls visit with the offset of each name in an operand of a register declared at an offset.
func registerNames(a *ptxgrammar.Module, o *Operand, at uint32, visit func(start uint32)) {
	if o.Reg != nil && o.Reg.at == at {
		if leaf := nameLeaf(a, o.AST, o.Reg.Name); leaf != nil {
			visit(a.OperandRange(leaf).Start)
		}
	}
	for i := range o.Elems {
		registerNames(a, &o.Elems[i], at, visit)
	}
}

// movedBy returns a function that maps offsets to those after edits; ok is false for text that an edit replaces.
func movedBy(edits []ptxgrammar.Edit) func(uint32) (uint32, bool) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b ptxgrammar.Edit) int { return int(int64(a.Start) - int64(b.Start)) })
	return func(off uint32) (uint32, bool) {
		to := int64(off)
		for _, e := range sorted {
			if e.Start > off {
				break
			}
			if e.End > off {
				return 0, false
			}
			to += int64(len(e.Text)) - int64(e.End-e.Start)
		}
		return uint32(to), true
	}
}
