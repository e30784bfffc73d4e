// The linker: renames symbols in a module's text.

package rewrite

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// moduleRenamer renames module-scope symbols.
type moduleRenamer struct {
	w     *editWriter
	names map[Symbol]string // new names, by symbol of the module being written
}

// write queues the edits.
func (n *moduleRenamer) write() {
	if len(n.names) == 0 {
		return
	}
	m := n.w.m
	a := m.AST
	for i := range a.Funcs {
		n.rename(a.Funcs[i].NameAt, m.symbols[a.Funcs[i].Name])
	}
	for _, it := range a.Items {
		if it.Kind == ptxgrammar.ItemDecl {
			vars := a.Decls[it.Index].Vars
			for i := range vars {
				n.rename(vars[i].NameAt, m.symbols[vars[i].Name])
			}
		}
	}
	r := &refs{m: m, visit: func(o *ptxgrammar.Operand, s Symbol, _ bool) { n.rename(a.OperandRange(o), s) }}
	r.all()
	for i := range a.Directives {
		n.directive(&a.Directives[i])
	}
}

// rename changes one occurrence of a symbol.
func (n *moduleRenamer) rename(at ptxgrammar.Range, s Symbol) {
	if name := n.names[s]; name != "" {
		n.w.add(at.Start, at.End, name, n.w.m.AST.File.Line(at.Start))
	}
}

// directive renames the symbols in a directive.
func (n *moduleRenamer) directive(d *ptxgrammar.Directive) {
	switch d.Name {
	case ".alias", ".calltargets", ".section":
	default:
		return
	}
	text := n.w.m.AST.Text(d.Range)
	for at, word := range words(text) {
		s := n.w.m.symbols[word]
		directive := at > 0 && text[at-1] == '.'
		if s == nil || directive || d.Name != ".section" && !slices.Contains(d.Names, word) {
			continue
		}
		start := d.Start + uint32(at)
		n.rename(ptxgrammar.Range{Start: start, End: start + uint32(len(word))}, s)
	}
}
