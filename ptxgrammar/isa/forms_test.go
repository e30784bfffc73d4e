package isa_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestForms decodes at least one spelling of every form and compares all facts with the manual's.
func TestForms(t *testing.T) {
	seen := map[*isa.Form]bool{}
	for _, l := range readLines(t, "testdata/forms.txt") {
		inst, want, ok := strings.Cut(l.text, "=>")
		if !ok {
			t.Fatalf("%s: no =>", l.at)
		}
		opcode, operands, _ := strings.Cut(strings.TrimSpace(inst), " ")
		d, err := decode(opcode, countOperands(operands))
		if err != nil {
			t.Errorf("%s: %v", l.at, err)
			continue
		}
		seen[d.Form] = true
		want = strings.Join(strings.Fields(want), " ")
		if got := describe(d); got != want {
			t.Errorf("%s: %s\n got %s\nwant %s", l.at, opcode, got, want)
		}
	}
	for _, in := range isa.All() {
		for _, f := range in.Forms {
			if !seen[f] {
				t.Errorf("no line for %s", f.Syntax())
			}
		}
	}
}

type line struct{ at, text string }

// readLines returns the lines that are neither empty nor comments.
func readLines(t testing.TB, name string) []line {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for i, l := range strings.Split(string(text), "\n") {
		if l != "" && l[0] != '#' {
			lines = append(lines, line{fmt.Sprintf("%s:%d", name, i+1), l})
		}
	}
	return lines
}

func decode(opcode string, operands int) (*isa.Decoded, error) {
	words := strings.Split(opcode, ".")
	in, ok := isa.Lookup(words[0])
	if !ok {
		return nil, fmt.Errorf("no opcode %q", words[0])
	}
	return in.Decode(words[1:], operands)
}

func mustDecode(t *testing.T, opcode string, operands int) *isa.Decoded {
	t.Helper()
	d, err := decode(opcode, operands)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// countOperands counts what commas outside brackets separate.
func countOperands(s string) int {
	if strings.TrimSpace(s) == "" {
		return 0
	}
	depth, n := 0, 1
	for _, c := range s {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			depth--
		case c == ',' && depth == 0:
			n++
		}
	}
	return n
}

// describe returns the notation of forms.txt.
func describe(d *isa.Decoded) string {
	var words, facts []string
	for _, o := range d.Operands {
		words = append(words, describeOperand(o))
	}
	fact := func(name string, value any) {
		if s := fmt.Sprint(value); s != "" {
			facts = append(facts, name+"="+s)
		}
	}
	var types []string
	for _, t := range d.Types {
		types = append(types, t.String())
	}
	fact("types", strings.Join(types, ","))
	if d.Space != isa.SpaceNone {
		fact("space", d.Space)
	}
	fact("scope", d.Scope)
	fact("sem", d.Sem)
	if d.Vec != 1 {
		fact("vec", d.Vec)
	}
	fact("access", describeAccess(d.Access))
	if d.Access.Kind != isa.AccessNone && d.Access.Space != d.Space {
		fact("accessspace", d.Access.Space)
	}
	fact("copy", describeAccess(d.Copy))
	for _, a := range d.Accesses {
		if a != d.Access && a != d.Copy {
			fact("also", describeAccess(a))
		}
	}
	fact("effects", strings.ReplaceAll(d.Effects().String(), " ", ","))
	if len(facts) > 0 {
		words = append(append(words, "|"), facts...)
	}
	return strings.Join(words, " ")
}

func describeOperand(o isa.OperandInfo) string {
	s := cmp.Or(o.Role.String(), "any")
	if o.Spec.Reads {
		s += "+"
	}
	s += ":" + o.Type.String()
	switch {
	case o.Spec.Elems == isa.ElemsPacked:
		s += "x+"
	case o.Vec == 0:
		s += "x*"
	case o.Vec > 1:
		s += fmt.Sprintf("x%d", o.Vec)
	}
	switch {
	case o.Spec.PairOptional:
		s += "{|" + o.PairType.String() + "}"
	case o.Spec.Pair != "":
		s += "|" + o.PairType.String()
	}
	return strings.TrimSuffix(s, ":")
}

func describeAccess(a isa.Access) string {
	if a.Kind == isa.AccessNone {
		return ""
	}
	s := fmt.Sprintf("%s:%d@%d=%d", a.Kind, a.Size, a.Addr, a.Value)
	if a.AtomOp != "" {
		s += ":" + a.AtomOp
	}
	if a.Indirect {
		s += "~" + a.Space.String()
	}
	return s
}
