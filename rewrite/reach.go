package rewrite

import (
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// reach collects what the roots refer to, directly or not.
func (k *linker) reach(roots []string) error {
	k.need = make(map[Symbol]bool)
	var work []Symbol
	for _, name := range roots {
		s, ok := k.lib.symbols[name]
		if !ok {
			return fmt.Errorf("%s defines no %q", k.lib.AST.File.Name, name)
		}
		work = append(work, s)
	}
	if len(roots) == 0 {
		for _, f := range k.lib.Funcs {
			if f.Defined() && !f.Entry {
				work = append(work, f)
			}
		}
		for _, v := range k.lib.Globals {
			if v.AST.Linkage&ptxgrammar.Extern == 0 {
				work = append(work, v)
			}
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if k.need[s] {
			continue
		}
		k.need[s] = true
		work = append(work, k.refs(s)...)
	}
	return nil
}

// refs are the module-scope symbols that the definition of s mentions.
func (k *linker) refs(s Symbol) []Symbol {
	var out []Symbol
	add := func(_ *ptxgrammar.Operand, s Symbol) { out = append(out, s) }
	switch s := s.(type) {
	case *Var:
		k.initRefs(s.AST.Init, add)
	case *Func:
		k.bodyRefs(s, add)
		for _, p := range s.Protos {
			for _, f := range p.Funcs {
				out = append(out, f)
			}
		}
		if s.Alias != nil {
			out = append(out, s.Alias)
		}
	}
	return out
}

// bodyRefs calls f for the names of module-scope symbols in a function: the name's
// syntax node and what it means.
func (k *linker) bodyRefs(fn *Func, f func(*ptxgrammar.Operand, Symbol)) {
	var visit func(o *Operand)
	visit = func(o *Operand) {
		if s := o.Sym; s != nil && k.lib.symbols[s.SymbolName()] == s {
			if leaf := nameLeaf(k.lib.AST, o.AST, s.SymbolName()); leaf != nil {
				f(leaf, s)
			}
		}
		for i := range o.Elems {
			visit(&o.Elems[i])
		}
	}
	for _, in := range fn.Insts {
		for i := range in.Operands {
			visit(&in.Operands[i])
		}
	}
	for _, v := range fn.Locals {
		k.initRefs(v.AST.Init, f)
	}
}

// initRefs is bodyRefs for an initialiser.
func (k *linker) initRefs(init int, f func(*ptxgrammar.Operand, Symbol)) {
	if init < 0 {
		return
	}
	var visit func(o *ptxgrammar.Operand)
	visit = func(o *ptxgrammar.Operand) {
		if o.Kind == ptxgrammar.OperandName {
			if s := k.lib.symbols[k.lib.AST.Name(o)]; s != nil {
				f(o, s)
			}
		}
		kids := k.lib.AST.Children(o)
		for i := range kids {
			visit(&kids[i])
		}
	}
	visit(&k.lib.AST.Operands[init])
}

// nameLeaf finds the node of a name in an operand.
func nameLeaf(m *ptxgrammar.Module, o *ptxgrammar.Operand, name string) *ptxgrammar.Operand {
	if o.Kind == ptxgrammar.OperandName && m.Name(o) == name {
		return o
	}
	kids := m.Children(o)
	for i := range kids {
		if leaf := nameLeaf(m, &kids[i], name); leaf != nil {
			return leaf
		}
	}
	return nil
}
