// The linker: choice among several definitions, and forward declarations.

package rewrite

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// dropLosers removes from the first module the symbols that another module defines: definitions, and declarations,
// which the result has elsewhere.
func (k *merger) dropLosers(m *Module) {
	for _, it := range m.AST.Items {
		if r := m.AST.ItemRange(it); k.dropped(m, it) {
			k.w.add(r.Start, r.End, "", 0)
		}
	}
}

// dropped reports whether an item of a module is not in the result because another module defines its symbol.
func (k *merger) dropped(m *Module, it ptxgrammar.Item) bool {
	switch it.Kind {
	case ptxgrammar.ItemFunc:
		return !k.stays(m.symbols[m.AST.Funcs[it.Index].Name])
	case ptxgrammar.ItemDecl:
		for _, v := range m.AST.Decls[it.Index].Vars {
			if k.stays(m.symbols[v.Name]) {
				return false
			}
		}
		return true
	}
	return false
}

// raise sets .version and .target to the highest of all modules.
func (k *merger) raise() {
	a := k.modules[0].AST
	version, target := a.Version, slices.Clone(a.Target)
	for _, m := range k.modules[1:] {
		version = max(version, m.AST.Version)
		i, j := architecture(target), architecture(m.AST.Target)
		if i >= 0 && j >= 0 && newer(m.AST.Target[j], target[i]) {
			target[i] = m.AST.Target[j]
		}
	}
	if version != a.Version {
		k.w.add(a.VersionAt.Start, a.VersionAt.End, versionText(version), 0)
	}
	if !slices.Equal(target, a.Target) {
		k.w.add(a.TargetAt.Start, a.TargetAt.End, strings.Join(target, ", "), 0)
	}
}

// early returns the variables of other modules that initialisers of the first module's variables name, directly or
// indirectly.
func (k *merger) early() map[Symbol]bool {
	set := make(map[Symbol]bool)
	var need func(m *Module, v *Var)
	need = func(m *Module, v *Var) {
		r := &refs{m: m, visit: func(_ *ptxgrammar.Operand, s Symbol, _ bool) {
			w := k.winner[s.SymbolName()]
			if k.owner[w] == k.modules[0] || set[w] {
				return
			}
			set[w] = true
			if other, ok := w.(*Var); ok {
				need(k.owner[w], other)
			}
		}}
		r.init(v.AST.Init)
	}
	for _, v := range k.modules[0].Globals {
		need(k.modules[0], v)
	}
	return set
}

// variables returns the retained variable declarations of a module: the early ones if wanted, else the others.
func (k *merger) variables(m *Module, early map[Symbol]bool, wanted bool) []piecesOf {
	var out []piecesOf
	for _, it := range m.AST.Items {
		if it.Kind != ptxgrammar.ItemDecl || k.dropped(m, it) {
			continue
		}
		vars := m.AST.Decls[it.Index].Vars
		isEarly := slices.ContainsFunc(vars, func(v ptxgrammar.Var) bool { return early[m.symbols[v.Name]] })
		if isEarly == wanted {
			r := m.AST.ItemRange(it)
			out = append(out, piecesOf{m.AST.Text(r), m.AST.File.Line(r.Start)})
		}
	}
	if wanted {
		for _, f := range m.Funcs {
			if early[f] && f.Defined() {
				out = append(out, piecesOf{forwardText(m, f), 0})
			}
		}
	}
	return out
}

// forwardText declares a defined function. Declarations of kernels have no tuning directives: ptxas refuses them there.
func forwardText(m *Module, f *Func) string {
	head := ptxgrammar.Range{Start: f.AST.Start, End: m.AST.Blocks[f.AST.Body].Start}
	if f.Entry && len(f.AST.Perf) > 0 {
		head.End = f.AST.Perf[0].Start
	}
	return strings.TrimSpace(m.AST.Text(head)) + ";"
}

// forwards declares the functions of a module that earlier modules call, the kernels that these launch, and those named
// by variables before all functions; with those of the second module also the first one's.
func (k *merger) forwards(m *Module) []piecesOf {
	named := k.named()
	var out []piecesOf
	if first := k.modules[0]; m == k.modules[1] {
		for _, f := range first.Funcs {
			if named[f] && f.Defined() {
				out = append(out, piecesOf{forwardText(first, f), 0})
			}
		}
	}
	for _, f := range m.Funcs {
		if !f.Defined() || !k.stays(f) {
			continue
		}
		called := false
		for _, o := range k.modules[:slices.Index(k.modules, m)] {
			called = called || o.symbols[f.Name] != nil
		}
		if called || named[f] {
			out = append(out, piecesOf{forwardText(m, f), 0})
		}
	}
	return out
}

// named returns the symbols named by the initialisers of all modules but the first.
func (k *merger) named() map[Symbol]bool {
	set := make(map[Symbol]bool)
	for _, m := range k.modules[1:] {
		r := &refs{m: m, visit: func(_ *ptxgrammar.Operand, s Symbol, _ bool) { set[k.winner[s.SymbolName()]] = true }}
		for _, v := range m.Globals {
			r.init(v.AST.Init)
		}
	}
	return set
}

// functions returns the retained functions of a module, including declarations, and its aliases and pragmas.
func (k *merger) functions(m *Module) []piecesOf {
	var out []piecesOf
	for _, it := range m.AST.Items {
		r := m.AST.ItemRange(it)
		line := m.AST.File.Line(r.Start)
		switch it.Kind {
		case ptxgrammar.ItemFunc:
			if !k.dropped(m, it) {
				out = append(out, piecesOf{k.functionText(m, &m.AST.Funcs[it.Index]), line})
			}
		case ptxgrammar.ItemDirective:
			if d := &m.AST.Directives[it.Index]; d.Name == ".alias" || d.Name == ".pragma" {
				out = append(out, piecesOf{m.AST.Text(r), line})
			}
		}
	}
	return out
}

// functionText returns a function with the result's source locations, without labels for debug information. Line breaks
// are kept.
func (k *merger) functionText(m *Module, a *ptxgrammar.Func) string {
	text := m.AST.Text(a.Range)
	f := m.Func(a.Name)
	if f.AST != a || !f.Defined() {
		return text
	}
	edits := (&Editor{m: m}).debugLabels(f)
	for _, s := range m.AST.Stmts(a) {
		if s.Kind != ptxgrammar.StmtLoc {
			continue
		}
		l := &m.AST.Locs[s.Index]
		edits = append(edits, ptxgrammar.Edit{
			Start: l.Start - a.Start, End: l.End - a.Start,
			Text: k.debug.loc(m, l),
		})
	}
	out, _, err := ptxgrammar.Apply([]byte(text), edits)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return string(out)
}
