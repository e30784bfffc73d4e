package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// numbered repeats a format with the numbers 0 to n-1.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// sharedTargets is n labels, each with a branch to one of all.
func sharedTargets(n int) string {
	return ".reg .b32 r;\nts: .branchtargets L0" + numbered(", L%d", n)[len(", L0"):] + ";\n" + numbered("L%d: mov.u32 r, %%tid.x; brx.idx r, ts;\n", n)
}

// TestLargeFunctions has no clock: Load, the verifier and the control flow graph must be
// linear in labels, registers and scopes, or the test does not end in the time it has.
func TestLargeFunctions(t *testing.T) {
	const n = 100_000
	for _, tt := range []struct{ name, body, message string }{
		{"labels", numbered("L%d: ", n), ""},
		{"branches", numbered("L%d: bra L%[1]d;\n", n), ""},
		{"undefined labels", numbered("L%d: ", n) + numbered("bra M%d;\n", n), `undefined label "M0"`},
		{"registers", numbered(".reg .b32 r%d;\n", n) + numbered("mov.b32 r%d, 1;\n", n), ""},
		{"ranges", numbered(".reg .b32 r%da<2>;\n", n) + numbered("mov.b32 r%da1, 1;\n", n), ""},
		{"ranges beside names", numbered(".reg .b32 r%d;\n", n) + numbered(".reg .b32 s%dx<2000000>;\n", n), ""},
		{"ranges that begin alike", numbered(".reg .b32 r1%06dx;\n", n) + numbered(".reg .b32 r2%06d<9>;\n", n), ""},
		{"one large range", ".reg .b32 r<2147483647>; mov.b32 r2147483646, r0;", ""},
		{"undefined registers", numbered(".reg .b32 abcdef%d;\n", n) + numbered("mov.b32 abcdeg%d, 1;\n", n), `undefined name "abcdeg0"`},
		{"scopes", strings.Repeat("{ .reg .b32 a; mov.b32 a, 1; }\n", n), ""},
		{"branches that share a list of targets", sharedTargets(500), ""},
		{"too many branches that share a list", sharedTargets(520), "brx.idx r, ts: branches of this module have more than 262144 edges"},
		{"deep scopes", ".reg .b32 a;" + strings.Repeat("{ .reg .b32 b; ", 900) + strings.Repeat("mov.b32 a, 1;", 2000) + strings.Repeat("}", 900), ""},
	} {
		src := ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n" + tt.body + "\nret;\n}\n"
		ast, err := ptxgrammar.Parse("t.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%s: %.200v", tt.name, err)
		}
		m, err := Load(ast)
		switch {
		case tt.message != "":
			if err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("%s: %.200v, want %s", tt.name, err, tt.message)
			}
			continue
		case err != nil:
			t.Errorf("%s: %.200v", tt.name, err)
			continue
		}
		if err := Verify(m); err != nil {
			t.Errorf("%s: %.200v", tt.name, err)
		}
		for _, f := range m.Funcs {
			buildCFG(f)
			if strings.Contains(tt.body, "brx.idx") {
				newUniformity(f, false)
			}
		}
	}
}
