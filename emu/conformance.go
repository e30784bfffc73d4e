package emu

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// conformanceText has a line for each form with conformance tests: opcode, number of the
// form in the instruction table, cases. The tests of the package fail when they have fewer;
// with -update they write it.
//
//go:embed conformance.txt
var conformanceText string

// ConformanceCases is, for each form of the instruction table that has any, the number of
// cases that the tests of this package compare with results computed from the manual's
// definition: operands of one thread and the result.
func ConformanceCases() map[*isa.Form]int {
	cases := map[*isa.Form]int{}
	for line := range strings.Lines(conformanceText) {
		var name string
		var form, n int
		if _, err := fmt.Sscan(line, &name, &form, &n); err != nil {
			panic("BUG: emu: conformance.txt: " + line)
		}
		if in, ok := isa.Lookup(name); ok && form < len(in.Forms) {
			cases[in.Forms[form]] = n
		}
	}
	return cases
}

// HasResult reports whether a form leaves something that the manual defines, which tests can
// compare. It does not when it only orders, hints, waits or stops, makes a cache policy, or
// leaves memory undefined.
func HasResult(in *isa.Instr, f *isa.Form) bool {
	if in.Name == "createpolicy" || in.Name == "discard" {
		return false
	}
	return f.Effects&isa.WritesMemory != 0 || slices.ContainsFunc(f.Operands, func(o isa.OperandSpec) bool { return o.Role == isa.RoleDst })
}
