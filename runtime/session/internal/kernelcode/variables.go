// Variables of the module that code names.

package kernelcode

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Variables returns the variables of the module that the code of a kernel names, or that of functions which it names, in
// the order of the module.
func Variables(kernel *rewrite.Func) []*rewrite.Var {
	return kernel.Memo(variablesKey{}, func() any { return variables(kernel) }).([]*rewrite.Var)
}

type variablesKey struct{}

func variables(kernel *rewrite.Func) []*rewrite.Var {
	seen := make(map[rewrite.Symbol]bool)
	var add func(list []rewrite.Operand)
	read := func(f *rewrite.Func) {
		seen[f] = true
		for _, in := range f.Insts {
			add(in.Operands)
		}
	}
	add = func(list []rewrite.Operand) {
		for i := range list {
			add(list[i].Elems)
			if f, ok := list[i].Sym.(*rewrite.Func); ok && !seen[f] {
				read(f)
			} else if v, ok := list[i].Sym.(*rewrite.Var); ok {
				seen[v] = true
			}
		}
	}
	read(kernel)
	return slices.DeleteFunc(slices.Clone(kernel.Module.Globals), func(v *rewrite.Var) bool { return !seen[v] })
}
