package rewrite

import (
	"fmt"
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

func TestEvalConst(t *testing.T) {
	tests := []struct{ expr, want string }{
		{"7", "int 7"},
		{"-7", "int -7"},
		{"(1 << 4) | 3", "int 19"},
		{"WARP_SZ", "int 32"},
		{"0f3F800000", "single 3f800000"},
		{"-0f3F800000", "single bf800000"},
		{"+1.5", "double 1.5"},
		{"-1.5", "double -1.5"},
		{"1.5 + 2.0 * 4.0", "double 9.5"},
		{"(3.0 - 1.0) / 4.0", "double 0.5"},
		{"0f3F800000 + 0.25", "double 1.25"},
		{"2 > 1 ? 1.5 : 2.5", "double 1.5"},
		{"0 ? 1.5 : 2.5", "double 2.5"},
		{"!1.5", "error"},
		{"1.5 % 2.0", "error"},
		{"1.5 + 1", "error"},
		{"1 / 0", "error"},
		{"x", "error"},
		{"x ? 1.5 : 2.5", "error"},
	}
	for _, tt := range tests {
		ast, err := ptxgrammar.Parse("k.ptx", []byte(header+".global .b64 v = "+tt.expr+";\n"))
		if err != nil {
			t.Errorf("%s: %v", tt.expr, err)
			continue
		}
		c, err := EvalConst(ast, &ast.Operands[ast.Decls[0].Vars[0].Init])
		got := fmt.Sprintf("int %d", int64(c.Bits))
		switch {
		case err != nil:
			got = "error"
		case c.Single:
			got = fmt.Sprintf("single %x", c.Bits)
		case c.Float:
			got = fmt.Sprintf("double %v", math.Float64frombits(c.Bits))
		}
		if got != tt.want {
			t.Errorf("%s is %s, want %s", tt.expr, got, tt.want)
		}
	}
}
