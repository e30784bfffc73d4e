// The linker: the symbols that the roots need.

package rewrite

import (
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// reach collects the symbols that the roots refer to, directly or indirectly.
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

// refs returns the module-scope symbols that the definition of s mentions.
func (k *linker) refs(s Symbol) []Symbol {
	var out []Symbol
	r := &refs{m: k.lib, visit: func(_ *ptxgrammar.Operand, s Symbol, _ bool) { out = append(out, s) }}
	switch s := s.(type) {
	case *Var:
		r.init(s.AST.Init)
	case *Func:
		r.function(s)
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
