package isa_test

import (
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

func ExampleInstr_Decode() {
	atom, _ := isa.Lookup("atom")
	d, err := atom.Decode([]string{"acquire", "gpu", "global", "cas", "b32"}, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Form.Syntax())
	fmt.Println(d.Space, d.Scope, d.Sem, d.Type(0))
	fmt.Println(d.Access.Kind, d.Access.AtomOp, d.Access.Size, "bytes at operand", d.Access.Addr)
	fmt.Println(d.Effects())
	// Output:
	// atom{.sem}{.scope}{.space}.cas.type d, [a], b, c
	// global gpu acquire b32
	// atomic cas 4 bytes at operand 1
	// reads writes orders
}
