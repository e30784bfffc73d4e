// The linker: adds a library's functions to a module.

package rewrite

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// Link adds to m the functions and variables of lib that roots need, before the user's first function body; without
// roots, all device functions and variables.
//
// Extern declarations in m are replaced by lib's definitions. If m defines a symbol itself, lib's is renamed; for a
// root, which others call by name, that is an error. A symbol that is already linked is not linked again. .version and
// .target are raised to lib's if those are higher. Source locations and debug sections of lib are dropped. New lines
// have lib's file name as Origin.Pass.
func Link(m, lib *Module, roots ...string) (*Module, error) { return link(m, lib, false, roots) }

// LinkCalled is Link for an editor that inserts calls of the linked functions. The result has the text and the
// parameters of the library's functions but not their instructions, which saves half of the time; the module that
// Editor.Apply makes has all.
func LinkCalled(m, lib *Module, roots ...string) (*Module, error) { return link(m, lib, true, roots) }

// link is Link, or LinkCalled if called is set.
func link(m, lib *Module, called bool, roots []string) (*Module, error) {
	k, err := newLinker(m, lib, roots)
	if err != nil {
		return nil, err
	}
	text, err := k.text()
	if err != nil {
		return nil, err
	}
	if text != "" {
		k.insert(text)
	}
	k.raise()
	if len(k.w.edits) == 0 {
		return m, nil
	}
	if called {
		k.w.unread = make(map[string]bool)
		for _, s := range k.take {
			k.w.unread[k.nameOf(s)] = true
		}
	}
	out, err := k.w.finish(lib.AST.File.Name)
	if err != nil {
		return nil, err
	}
	out.linked = maps.Clone(m.linked)
	if out.linked == nil {
		out.linked = make(map[linkedSymbol]string)
	}
	for _, s := range k.take {
		out.linked[linkedSymbol{lib.AST.File.Name, s.SymbolName()}] = k.nameOf(s)
	}
	return out, nil
}

// Linkable returns the error that Link would return because modules or symbols are incompatible.
func Linkable(m, lib *Module, roots ...string) error {
	_, err := newLinker(m, lib, roots)
	return err
}

// newLinker returns a linker that has chosen the symbols to add and their names.
func newLinker(m, lib *Module, roots []string) (*linker, error) {
	if err := sameAddressSize(m, lib); err != nil {
		return nil, err
	}
	k := &linker{m: m, lib: lib, w: &editWriter{m: m}, names: newNamer(m.Source(), lib.Source())}
	if err := k.reach(roots); err != nil {
		return nil, err
	}
	return k, k.choose(roots)
}

// sameAddressSize returns an error, at the directive of m, when modules cannot be linked because
// their addresses differ in size.
func sameAddressSize(m, other *Module) error {
	if m.AST.AddressSize == other.AST.AddressSize {
		return nil
	}
	return fmt.Errorf("%s: the module has %d-bit addresses, %s has %d-bit ones; expected .address_size %d",
		m.AST.File.Position(m.AST.AddressSizeAt.Start), m.AST.AddressSize, other.AST.File.Name, other.AST.AddressSize,
		other.AST.AddressSize)
}

// linkedSymbol is a symbol of a library that was linked; Module.linked has its
// name in the module.
type linkedSymbol struct{ lib, name string }

// linker links one library.
type linker struct {
	m, lib *Module
	w      *editWriter
	names  *namer
	need   map[Symbol]bool
	take   []Symbol          // symbols that are needed and not in m, in source order
	late   []*Func           // needed, but defined by m after the place where lib goes
	rename map[Symbol]string // new names of symbols of lib
}

// nameOf returns the name of a symbol of lib in the result.
func (k *linker) nameOf(s Symbol) string {
	if n := k.rename[s]; n != "" {
		return n
	}
	return s.SymbolName()
}

// choose decides for every needed symbol, in the library's source order, whether it is added, under which name, and
// what it replaces in m.
func (k *linker) choose(roots []string) error {
	k.rename = make(map[Symbol]string)
	for _, it := range k.lib.AST.Items {
		for _, s := range k.declares(it) {
			if !k.need[s] {
				continue
			}
			if err := k.chooseSymbol(s, roots); err != nil {
				return err
			}
		}
	}
	return nil
}

// declares returns the symbols whose defining item this is.
func (k *linker) declares(it ptxgrammar.Item) []Symbol {
	a := k.lib.AST
	var out []Symbol
	switch it.Kind {
	case ptxgrammar.ItemFunc:
		if f, ok := k.lib.symbols[a.Funcs[it.Index].Name].(*Func); ok && f.AST == &a.Funcs[it.Index] {
			out = append(out, f)
		}
	case ptxgrammar.ItemDecl:
		vars := a.Decls[it.Index].Vars
		for i := range vars {
			if v, ok := k.lib.symbols[vars[i].Name].(*Var); ok && v.AST == &vars[i] {
				out = append(out, v)
			}
		}
	}
	return out
}

func (k *linker) chooseSymbol(s Symbol, roots []string) error {
	name := s.SymbolName()
	if as, done := k.m.linked[linkedSymbol{k.lib.AST.File.Name, name}]; done {
		if as != name {
			k.rename[s] = as
		}
		return nil
	}
	old, exists := k.m.symbols[name]
	switch {
	case !exists:
		k.take = append(k.take, s)
	case declaration(s) && sameSignature(old, s):
		if k.after(old) {
			k.take = append(k.take, s) // m declares it too late for lib
		}
	case declaration(old) && sameSignature(old, s):
		k.dropDeclarations(name)
		k.take = append(k.take, s)
	case k.sameText(old, s):
		// linked by an earlier run
		if f, ok := old.(*Func); ok && k.after(old) {
			k.late = append(k.late, f)
		}
	case slices.Contains(roots, name):
		return fmt.Errorf("%s: %q is defined by the program and by %s", k.position(old), name, k.lib.AST.File.Name)
	default:
		k.rename[s] = k.names.symbol(name)
		k.take = append(k.take, s)
	}
	return nil
}

// declaration reports whether s has no definition.
func declaration(s Symbol) bool {
	switch s := s.(type) {
	case *Func:
		return !s.Defined() && s.Alias == nil
	case *Var:
		return s.AST.Linkage&ptxgrammar.Extern != 0
	}
	return false
}

// sameSignature reports whether the symbols can replace each other.
func sameSignature(a, b Symbol) bool {
	switch a := a.(type) {
	case *Func:
		b, ok := b.(*Func)
		return ok && a.Entry == b.Entry && sameParams(a.Params, b.Params) && sameParams(a.Returns, b.Returns)
	case *Var:
		b, ok := b.(*Var)
		return ok && sameVar(a, b)
	}
	return false
}

func sameParams(a, b []*Var) bool {
	return slices.EqualFunc(a, b, func(x, y *Var) bool { return x.Size == y.Size && x.Space == y.Space })
}

// astRange returns the text of a symbol's declaration.
func astRange(m *Module, s Symbol) ptxgrammar.Range {
	switch s := s.(type) {
	case *Func:
		return s.AST.Range
	case *Var:
		for i := range m.AST.Decls {
			d := &m.AST.Decls[i]
			for j := range d.Vars {
				if &d.Vars[j] == s.AST {
					return d.Range
				}
			}
		}
	}
	panic("BUG: " + s.SymbolName() + " has no declaration")
}

func (k *linker) position(s Symbol) ptxgrammar.Position {
	return k.m.AST.File.Position(astRange(k.m, s).Start)
}

// after reports whether m declares s only after the place where lib goes.
func (k *linker) after(s Symbol) bool { return astRange(k.m, s).Start >= k.place() }

// place returns the position for lib: before the user's first function body, after what was linked earlier.
func (k *linker) place() uint32 {
	return k.w.firstFunc(func(f *ptxgrammar.Func) bool {
		return f.Body >= 0 && k.m.Origin(k.m.AST.File.Line(f.NameAt.Start)).Pass == ""
	})
}

// sameText reports whether m already has exactly the text of s.
func (k *linker) sameText(old, s Symbol) bool {
	was := bytes.Fields([]byte(k.m.AST.Text(astRange(k.m, old))))
	text, err := k.item(astRange(k.lib, s), s)
	return err == nil && slices.EqualFunc(was, bytes.Fields([]byte(text)), bytes.Equal)
}

// dropDeclarations removes m's extern declarations of a symbol.
func (k *linker) dropDeclarations(name string) {
	a := k.m.AST
	for _, it := range a.Items {
		switch it.Kind {
		case ptxgrammar.ItemFunc:
			if f := &a.Funcs[it.Index]; f.Name == name {
				k.w.add(f.Start, f.End, "", 0)
			}
		case ptxgrammar.ItemDecl:
			if d := &a.Decls[it.Index]; len(d.Vars) == 1 && d.Vars[0].Name == name {
				k.w.add(d.Start, d.End, "", 0)
			}
		}
	}
}

// text returns what goes into m: the chosen items, renamed.
func (k *linker) text() (string, error) {
	var b, aliases strings.Builder
	for _, f := range k.late {
		if k.mentioned(f.Name) {
			head := ptxgrammar.Range{Start: f.AST.Start, End: k.m.AST.Blocks[f.AST.Body].Start}
			b.WriteString(strings.TrimSpace(k.m.AST.Text(head)) + ";\n")
		}
	}
	for _, it := range k.lib.AST.Items {
		b.WriteString(k.forward(it))
		for _, s := range k.declares(it) {
			if !slices.Contains(k.take, s) {
				continue
			}
			item, err := k.item(astRange(k.lib, s), s)
			if err != nil {
				return "", err
			}
			b.WriteString(item)
			b.WriteByte('\n')
			if f, ok := s.(*Func); ok && f.Alias != nil {
				fmt.Fprintf(&aliases, ".alias %s, %s;\n", k.nameOf(f), k.nameOf(f.Alias))
			}
		}
	}
	return b.String() + aliases.String(), nil
}

// mentioned reports whether an added symbol refers to a function of m.
func (k *linker) mentioned(name string) bool {
	return slices.ContainsFunc(k.take, func(s Symbol) bool {
		return slices.ContainsFunc(k.refs(s), func(r Symbol) bool { return k.nameOf(r) == name })
	})
}

// forward returns the text of a declaration of lib that precedes the definition of an added function, "" for other
// items: functions must be declared before use.
func (k *linker) forward(it ptxgrammar.Item) string {
	if it.Kind != ptxgrammar.ItemFunc {
		return ""
	}
	a := &k.lib.AST.Funcs[it.Index]
	f, ok := k.lib.symbols[a.Name].(*Func)
	if !ok || f.AST == a || f.AST.Start < a.Start || !slices.Contains(k.take, Symbol(f)) {
		return ""
	}
	head := ptxgrammar.Range{Start: a.Start, End: a.NameAt.Start}
	tail := ptxgrammar.Range{Start: a.NameAt.End, End: a.End}
	return k.lib.AST.Text(head) + k.nameOf(f) + k.lib.AST.Text(tail) + "\n"
}

// item returns the text of one declaration of lib with new names and without .loc.
func (k *linker) item(r ptxgrammar.Range, s Symbol) (string, error) {
	var edits []ptxgrammar.Edit
	add := func(at ptxgrammar.Range, text string) {
		edits = append(edits, ptxgrammar.Edit{Start: at.Start - r.Start, End: at.End - r.Start, Text: text})
	}
	names := &refs{m: k.lib, visit: func(o *ptxgrammar.Operand, s Symbol, _ bool) {
		if n := k.rename[s]; n != "" {
			add(k.lib.AST.OperandRange(o), n)
		}
	}}
	switch s := s.(type) {
	case *Var:
		if n := k.rename[s]; n != "" {
			add(s.AST.NameAt, n)
		}
		names.init(s.AST.Init)
	case *Func:
		if n := k.rename[s]; n != "" {
			add(s.AST.NameAt, n)
		}
		names.function(s)
		k.targetLists(r, add)
		for i := range k.lib.AST.Locs {
			if at := k.lib.AST.Locs[i].Range; at.Start >= r.Start && at.End <= r.End {
				add(k.wholeLine(at), "")
			}
		}
	}
	out, _, err := ptxgrammar.Apply([]byte(k.lib.AST.Text(r)), edits)
	return string(out), err
}

// targetLists renames functions in the lists of targets inside a range.
func (k *linker) targetLists(r ptxgrammar.Range, add func(ptxgrammar.Range, string)) {
	for i := range k.lib.AST.Directives {
		d := &k.lib.AST.Directives[i]
		if d.Name != ".calltargets" || d.Start < r.Start || d.End > r.End {
			continue
		}
		for at, word := range words(k.lib.AST.Text(d.Range)) {
			n := k.rename[k.lib.symbols[word]]
			if n != "" && slices.Contains(d.Names, word) {
				start := d.Start + uint32(at)
				add(ptxgrammar.Range{Start: start, End: start + uint32(len(word))}, n)
			}
		}
	}
}

// wholeLine extends a range to its line if only white space and a comment share the line.
func (k *linker) wholeLine(r ptxgrammar.Range) ptxgrammar.Range {
	w := &editWriter{m: k.lib}
	start := w.lineStart(r.Start)
	end := bytes.IndexByte(k.lib.Source()[r.End:], '\n')
	if end < 0 || !blank(k.lib.Source()[start:r.Start]) {
		return r
	}
	rest := bytes.TrimSpace(k.lib.Source()[r.End : r.End+uint32(end)])
	if len(rest) == 0 || bytes.HasPrefix(rest, []byte("//")) {
		return ptxgrammar.Range{Start: start, End: r.End + uint32(end) + 1}
	}
	return r
}

// insert inserts the library's text into m.
func (k *linker) insert(text string) {
	at := k.place()
	if start := k.w.lineStart(at); blank(k.m.Source()[start:at]) {
		at = start
	} else {
		text = "\n" + text
	}
	k.w.add(at, at, text, 0)
}
