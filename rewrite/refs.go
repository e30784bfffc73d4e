// References to symbols in the text of a module.

package rewrite

import (
	"iter"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// refs visits the places where instructions and initialisers of a module name module-scope symbols. call is set for the
// callee of a direct call.
type refs struct {
	m     *Module
	visit func(o *ptxgrammar.Operand, s Symbol, call bool)
}

// all visits the whole module.
func (r *refs) all() {
	for _, v := range r.m.Globals {
		r.init(v.AST.Init)
	}
	for _, f := range r.m.Funcs {
		r.function(f)
	}
}

// function visits a body.
func (r *refs) function(f *Func) {
	for _, in := range f.Insts {
		c, call := in.Call()
		for i := range in.Operands {
			o := &in.Operands[i]
			r.operand(o, call && o.Sym != nil && o.Sym == Symbol(c.Func))
		}
	}
	for _, v := range f.Locals {
		r.init(v.AST.Init)
	}
}

func (r *refs) operand(o *Operand, call bool) {
	if s := o.Sym; s != nil && r.m.symbols[s.SymbolName()] == s {
		if leaf := nameLeaf(r.m.AST, o.AST, s.SymbolName()); leaf != nil {
			r.visit(leaf, s, call)
		}
	}
	for i := range o.Elems {
		r.operand(&o.Elems[i], false)
	}
}

// init visits an initialiser, given as an index into the tree's operands.
func (r *refs) init(init int) {
	if init < 0 {
		return
	}
	a := r.m.AST
	a.WalkOperand(&a.Operands[init], func(o *ptxgrammar.Operand) bool {
		if o.Kind == ptxgrammar.OperandName {
			if s := r.m.symbols[a.Name(o)]; s != nil {
				r.visit(o, s, false)
			}
		}
		return true
	})
}

// nameLeaf returns the node of a name in an operand.
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

// words yields the names in a piece of PTX with their offsets, without those in comments and strings.
func words(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := 0; i < len(text); {
			switch {
			case strings.HasPrefix(text[i:], "//"):
				i += indexOr(text[i:], "\n")
			case strings.HasPrefix(text[i:], "/*"):
				i = min(i+2+indexOr(text[i+2:], "*/")+2, len(text))
			case text[i] == '"':
				i++
				for i < len(text) && text[i] != '"' {
					if text[i] == '\\' {
						i++
					}
					i++
				}
				i++
			case wordByte(text[i]):
				start := i
				for i < len(text) && wordByte(text[i]) {
					i++
				}
				if !yield(start, text[start:i]) {
					return
				}
			default:
				i++
			}
		}
	}
}

// wordByte reports whether a byte can be part of a name.
func wordByte(c byte) bool {
	return c == '_' || c == '$' || c == '%' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
