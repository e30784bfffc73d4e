// Linking several modules into one.

package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// LinkAll makes one module of several, like a linker of object files. The result has the text of the first, with the
// others' variables before its functions and the others' functions after them.
//
// Names that are .visible or .weak, and those of kernels, are common to all modules. Of several definitions the one
// that is not .weak or .common is used, else the largest .common one, else the first .weak one. Declarations without a
// definition are kept. Two strong definitions, and two different declarations, are errors that name both places. Other
// names are local to their module and are renamed if they collide.
//
// Source locations are kept: source files are renumbered, and the names of inlined functions are merged into one
// section. The first module's debug sections are kept; those of the others are dropped, with a note for each that is
// not empty. The version and target are the highest. Lines of the others have their file's name in Origin.File. Device
// libraries are linked afterwards, by Link.
func LinkAll(modules ...*Module) (linked *Module, notes ptxgrammar.ErrorList, err error) {
	switch len(modules) {
	case 0:
		return nil, nil, fmt.Errorf("no modules to link")
	case 1:
		return modules[0], nil, nil
	}
	if linked, notes, err = linkAll(modules); err != nil {
		return nil, nil, err
	}
	return linked, notes, nil
}

func linkAll(modules []*Module) (*Module, ptxgrammar.ErrorList, error) {
	for _, m := range modules[1:] {
		if err := sameAddressSize(m, modules[0]); err != nil {
			return nil, nil, err
		}
	}
	modules, err := renameLocals(modules)
	if err != nil {
		return nil, nil, err
	}
	k := &merger{
		modules: modules, winner: make(map[string]Symbol), owner: make(map[Symbol]*Module),
		w: &editWriter{m: modules[0]}, debug: newDebugMerger(modules),
	}
	for _, m := range modules {
		for _, s := range m.symbols {
			k.owner[s] = m
		}
	}
	if err = k.resolve(); err != nil {
		return nil, nil, err
	}
	out, err := k.merge()
	return out, k.debug.notes, err
}

// binding ranks definitions of the same name.
type binding uint8

const (
	bindUndefined binding = iota // a declaration
	bindLocal
	bindWeak
	bindCommon
	bindStrong
)

func bindingOf(s Symbol) binding {
	var linkage ptxgrammar.Linkage
	entry := false
	switch s := s.(type) {
	case *Func:
		linkage, entry = s.AST.Linkage, s.Entry
	case *Var:
		linkage = s.AST.Linkage
	}
	switch {
	case declaration(s):
		return bindUndefined
	case linkage&ptxgrammar.Weak != 0:
		return bindWeak
	case linkage&ptxgrammar.Common != 0:
		return bindCommon
	case linkage&ptxgrammar.Visible != 0 || entry:
		return bindStrong
	}
	return bindLocal
}

// names lists the module-scope symbols in order of their names.
func (m *Module) names() []string { return slices.Sorted(maps.Keys(m.symbols)) }

// renameLocals renames a local symbol whose name another module uses, except in the first module that has it and uses
// it alone.
func renameLocals(modules []*Module) ([]*Module, error) {
	exported := make(map[string]bool)
	var texts [][]byte
	for _, m := range modules {
		texts = append(texts, m.Source())
		for name, s := range m.symbols {
			if bindingOf(s) != bindLocal {
				exported[name] = true
			}
		}
	}
	names := newNamer(texts...)
	taken := make(map[string]bool)
	out := slices.Clone(modules)
	for i, m := range modules {
		e := NewEditor(m, "link")
		for _, name := range m.names() {
			s := m.symbols[name]
			if bindingOf(s) != bindLocal {
				continue
			}
			if !exported[name] && !taken[name] {
				taken[name] = true
				continue
			}
			if err := e.Rename(s, names.symbol(name)); err != nil {
				return nil, err
			}
		}
		var err error
		if out[i], err = e.Apply(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// merger merges modules without common local names.
type merger struct {
	modules []*Module
	winner  map[string]Symbol // the definition, or first declaration, of every name
	owner   map[Symbol]*Module
	w       *editWriter
	debug   *debugMerger
}

// resolve chooses the definition of every name.
func (k *merger) resolve() error {
	for _, m := range k.modules {
		for _, name := range m.names() {
			s := m.symbols[name]
			was := k.winner[name]
			if was == nil {
				k.winner[name] = s
				continue
			}
			if err := k.compare(was, s); err != nil {
				return err
			}
			if k.beats(s, was) {
				k.winner[name] = s
			}
		}
	}
	return nil
}

func (k *merger) position(s Symbol) ptxgrammar.Position { return symbolPosition(k.owner[s], s) }

// compare checks that two symbols of one name are compatible.
func (k *merger) compare(a, b Symbol) error {
	x, y := bindingOf(a), bindingOf(b)
	name := a.SymbolName()
	if x == bindStrong && y == bindStrong {
		return fmt.Errorf("%s: %q is defined here and at %s", k.position(b), name, k.position(a))
	}
	if !sameSignature(a, b) && (x != bindCommon || y != bindCommon) {
		return fmt.Errorf("%s: %q is declared differently here and at %s", k.position(b), name, k.position(a))
	}
	return nil
}

// beats reports whether definition s replaces was.
func (k *merger) beats(s, was Symbol) bool {
	x, y := bindingOf(s), bindingOf(was)
	if x == bindCommon && y == bindCommon {
		return s.(*Var).Size > was.(*Var).Size
	}
	return x > y
}

// stays reports whether a symbol of a module is the chosen one.
func (k *merger) stays(s Symbol) bool { return k.winner[s.SymbolName()] == s }

// merge writes the result.
func (k *merger) merge() (*Module, error) {
	first := k.modules[0]
	k.dropLosers(first)
	k.raise()
	k.insert(k.topPlace(), func(m *Module) []piecesOf { return k.debug.files(m) })
	early := k.early()
	k.insert(k.topPlace(), func(m *Module) []piecesOf { return k.variables(m, early, true) })
	place := k.w.firstFunc(func(*ptxgrammar.Func) bool { return true })
	k.insert(place, func(m *Module) []piecesOf { return k.forwards(m) })
	k.insert(place, func(m *Module) []piecesOf { return k.variables(m, early, false) })
	k.insert(k.endPlace(), func(m *Module) []piecesOf { return k.functions(m) })
	if len(k.debug.strings) > 0 {
		k.insert(k.debug.stringsPlace(), k.debug.stringsOf)
	}
	out, err := k.w.finish("link")
	if err != nil {
		return nil, err
	}
	for _, m := range k.modules {
		if m.linked != nil && out.linked == nil {
			out.linked = make(map[linkedSymbol]string)
		}
		maps.Copy(out.linked, m.linked)
	}
	return out, nil
}

// piecesOf is text to insert, with the line of its module on which it begins; 0 for new text.
type piecesOf struct {
	text string
	line int
}

// insert inserts pieces of all modules but the first at a position.
func (k *merger) insert(at uint32, pieces func(*Module) []piecesOf) {
	src := k.modules[0].Source()
	if start := k.w.lineStart(at); blank(src[start:at]) {
		at = start
	} else {
		k.w.add(at, at, "\n", 0)
	}
	for _, m := range k.modules[1:] {
		for _, p := range pieces(m) {
			for i, line := range strings.Split(strings.TrimRight(p.text, "\n"), "\n") {
				o := Origin{Pass: "link"}
				if p.line > 0 {
					o = m.Origin(p.line + i)
				}
				if o.Pass == "" && o.File == "" {
					o.File = m.AST.File.Name
				}
				if k.w.foreign == nil {
					k.w.foreign = make(map[int]Origin)
				}
				k.w.foreign[len(k.w.edits)] = o
				k.w.add(at, at, strings.TrimRight(line, " \t\r")+"\n", 0)
			}
		}
	}
}

// topPlace returns the position of the first declaration or function of the first module.
func (k *merger) topPlace() uint32 {
	a := k.modules[0].AST
	for _, it := range a.Items {
		if it.Kind == ptxgrammar.ItemDecl || it.Kind == ptxgrammar.ItemFunc {
			return a.ItemRange(it).Start
		}
	}
	return uint32(len(a.File.Src))
}

// endPlace returns the position after the last function of the first module.
func (k *merger) endPlace() uint32 {
	a, end := k.modules[0].AST, k.topPlace()
	for _, it := range a.Items {
		if it.Kind == ptxgrammar.ItemFunc || it.Kind == ptxgrammar.ItemDecl {
			end = a.ItemRange(it).End
		}
	}
	at, _ := k.w.afterText(end, nil, "")
	return at
}
