// The text of renamed registers, labels and variables.

package rewrite

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// rename performs the queued renamings in the module with all other edits made. moved maps an offset in the module
// being edited to one in m.
func (e *Editor) rename(m *Module, moved func(uint32) (uint32, bool)) (*Module, error) {
	if len(e.locals) == 0 && len(e.renamed) == 0 {
		return m, nil
	}
	w := &editWriter{m: m}
	names := make(map[Symbol]string)
	for s, name := range e.renamed {
		names[m.symbols[s.SymbolName()]] = name
	}
	(&moduleRenamer{w, names}).write()
	if err := e.renameLocals(w, moved); err != nil {
		return nil, err
	}
	if len(w.edits) == 0 {
		return m, nil
	}
	return w.finish(e.pass)
}

// renameLocals queues the renamings inside functions.
func (e *Editor) renameLocals(w *editWriter, moved func(uint32) (uint32, bool)) error {
	for _, f := range w.m.Funcs {
		if !f.Defined() {
			continue
		}
		n := &localRenamer{w: w, f: f, symbols: make(map[Symbol]string)}
		for _, r := range e.locals {
			d, _ := r.f.declarations().of(r.sym)
			at, ok := moved(d.at)
			if !ok {
				return fmt.Errorf("%s: %q is renamed, and its declaration is moved by another edit",
					e.m.AST.File.Position(d.at), r.sym.SymbolName())
			}
			if f.AST.Start <= at && at < f.AST.End {
				n.choose(r, at)
			}
		}
		if err := n.write(); err != nil {
			return err
		}
	}
	return nil
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

// localRenamer renames symbols of one function.
type localRenamer struct {
	w       *editWriter
	f       *Func // in the module being written
	chosen  []chosenRename
	symbols map[Symbol]string // new names
}

// chosenRename is a renaming with its declaration in the module being written.
type chosenRename struct {
	localRename
	d    localDeclaration
	syms []Symbol
}

// choose records a renaming of the symbol declared at an offset.
func (n *localRenamer) choose(r localRename, at uint32) {
	c := chosenRename{localRename: r}
	for s := range n.f.localSymbols() {
		d, ok := n.f.declarations().of(s)
		if !ok || d.at != at {
			continue
		}
		old := s.SymbolName()
		switch {
		case r.isRange:
			n.symbols[s] = r.name + strings.TrimPrefix(old, d.name)
		case old == r.sym.SymbolName():
			n.symbols[s] = r.name
		default:
			continue
		}
		c.d, c.syms = d, append(c.syms, s)
	}
	if c.syms != nil { // otherwise no instruction names it any more
		n.chosen = append(n.chosen, c)
	}
}

// write queues the edits.
func (n *localRenamer) write() error {
	if len(n.chosen) == 0 {
		return nil
	}
	a := n.w.m.AST
	for at, word := range words(a.Text(n.f.AST.Range)) {
		for _, c := range n.chosen {
			if c.covers(word, c.d.count) {
				return fmt.Errorf("%s: inserted text says %q, which %q is renamed to",
					a.File.Position(n.f.AST.Start+uint32(at)), word, c.sym.SymbolName())
			}
		}
	}
	for _, c := range n.chosen {
		n.declaration(c)
		if err := n.sections(c); err != nil {
			return err
		}
	}
	for _, in := range n.f.Insts {
		if in.Guard != nil && n.symbols[in.Guard] != "" {
			n.wordIn(a.GuardRange(in.AST), in.Guard.Name, n.symbols[in.Guard])
		}
		for i := range in.Operands {
			n.operand(&in.Operands[i])
		}
	}
	n.targets()
	return nil
}

// edit queues one change of a name.
func (n *localRenamer) edit(at ptxgrammar.Range, text string) {
	n.w.add(at.Start, at.End, text, n.w.m.AST.File.Line(at.Start))
}

// wordIn changes a name in a piece of text.
func (n *localRenamer) wordIn(r ptxgrammar.Range, old, name string) {
	for at, word := range words(n.w.m.AST.Text(r)) {
		if word == old {
			start := r.Start + uint32(at)
			n.edit(ptxgrammar.Range{Start: start, End: start + uint32(len(word))}, name)
		}
	}
}

// declaration changes the declaration, or adds one for a name of a range.
func (n *localRenamer) declaration(c chosenRename) {
	if c.d.count == 0 || c.isRange {
		n.edit(ptxgrammar.Range{Start: c.d.at, End: c.d.at + uint32(len(c.d.name))}, c.name)
		return
	}
	at, text := n.w.afterText(c.d.end, []string{declarationOf(c.syms[0], c.name)}, n.w.indent(c.d.start))
	n.w.add(at, at, text, n.w.m.AST.File.Line(c.d.at))
}

// declarationOf returns a declaration for a single name of a range of registers or variables.
func declarationOf(s Symbol, name string) string {
	var b strings.Builder
	t, vec := isa.TypeNone, 1
	switch s := s.(type) {
	case *Reg:
		b.WriteString(".reg ")
		t, vec = s.Type, s.Vec
	case *Var:
		fmt.Fprintf(&b, ".%s .align %d ", s.Space, s.Align)
		t, vec = s.Type, s.Vec
	}
	if vec > 1 {
		b.WriteString(".v" + strconv.Itoa(vec) + " ")
	}
	fmt.Fprintf(&b, ".%s %s;", t, name)
	return b.String()
}

// operand changes the names in an operand.
func (n *localRenamer) operand(o *Operand) {
	if o.Sym != nil {
		n.name(o, o.Sym)
	}
	if o.Reg != nil {
		n.name(o, o.Reg)
	}
	for i := range o.Elems {
		n.operand(&o.Elems[i])
	}
}

// name changes the name of s in an operand.
func (n *localRenamer) name(o *Operand, s Symbol) {
	if n.symbols[s] == "" {
		return
	}
	if leaf := nameLeaf(n.w.m.AST, o.AST, s.SymbolName()); leaf != nil {
		start := n.w.m.AST.OperandRange(leaf).Start // its end would be that of a component
		n.edit(ptxgrammar.Range{Start: start, End: start + uint32(len(s.SymbolName()))}, n.symbols[s])
	}
}

// targets changes labels in lists of branch targets.
func (n *localRenamer) targets() {
	for _, p := range n.f.Protos {
		seen := make(map[*Label]bool)
		for _, l := range p.Labels {
			if name := n.symbols[l]; name != "" && !seen[l] {
				seen[l] = true
				n.wordIn(p.AST.Range, l.Name, name)
			}
		}
	}
}

// sections changes labels and variables in debug sections. Names there belong to the whole module, so only one function
// may have the name.
func (n *localRenamer) sections(c chosenRename) error {
	if _, reg := c.sym.(*Reg); reg {
		return nil
	}
	a, old := n.w.m.AST, c.sym.SymbolName()
	for i := range a.Directives {
		d := &a.Directives[i]
		if d.Name != ".section" || !mentions(a.Text(d.Range), old) {
			continue
		}
		for _, f := range n.w.m.Funcs {
			for s := range f.localSymbols() {
				if _, reg := s.(*Reg); !reg && s.SymbolName() == old && n.symbols[s] == "" {
					return fmt.Errorf("%s: %q cannot be renamed: a debug section names it, and %s has another %q",
						symbolPosition(n.w.m, n.f), old, f.Name, old)
				}
			}
		}
		n.wordIn(d.Range, old, c.name)
	}
	return nil
}

// mentions reports whether a piece of PTX contains a name.
func mentions(text, name string) bool {
	for _, word := range words(text) {
		if word == name {
			return true
		}
	}
	return false
}

// localSymbols yields what a function declares, in no particular order of kinds.
func (f *Func) localSymbols() iter.Seq[Symbol] {
	return func(yield func(Symbol) bool) {
		_ = each(f.Returns, yield) && each(f.Params, yield) && each(f.Locals, yield) &&
			each(f.Regs, yield) && each(f.Labels, yield) && each(f.Protos, yield)
	}
}

// each yields the elements of a list.
func each[S Symbol](list []S, yield func(Symbol) bool) bool {
	for _, s := range list {
		if !yield(s) {
			return false
		}
	}
	return true
}
