// Variables of functions that are moved to module scope.

package rewrite

import (
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Lift declares a shared variable of a function, which has a known size, at module scope under its name, so that other
// functions can name it. The function keeps a variable of another name and of one element, since one statement may
// declare several variables.
//
// It is an error when the module or another function declares something of that name.
func (e *Editor) Lift(v *Var) error {
	if v.Func == nil || v.Func.Module != e.m {
		panic("BUG: Lift of " + v.Name + ", which is not a variable of a function of the module being edited")
	}
	fail := func(why string) error {
		return fmt.Errorf("%s: %q cannot be declared for the module: %s", e.m.AST.File.Position(v.AST.NameAt.Start),
			v.Name, why)
	}
	_, taken := e.m.symbols[v.Name]
	switch {
	case v.Space != isa.SpaceShared || v.Size == 0:
		return fail("it is not shared memory of a known size")
	case taken, e.newNames[v.Name] != nil, e.vars[v.Name] != nil:
		return fail("the name is taken")
	}
	for _, f := range e.m.Funcs {
		if f == v.Func || !f.Defined() {
			continue
		}
		for _, word := range words(e.m.AST.Text(f.AST.Range)) {
			if word == v.Name {
				return fail("the function " + f.Name + " has another thing of that name")
			}
		}
	}
	e.change(v.AST.Range, e.FreshSymbol("unused"), "Lift")
	e.AddGlobal(fmt.Sprintf(".shared .align %d .b8 %s[%d];", v.Align, v.Name, v.Size))
	return nil
}
