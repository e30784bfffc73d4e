package isa_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

var refPattern = regexp.MustCompile(`^9\.7\.[0-9.]+[0-9](, 9\.7\.[0-9.]+[0-9])*$`)

// TestRows checks that every row is complete and consistent with itself.
func TestRows(t *testing.T) {
	names := map[string]bool{}
	for i, in := range isa.All() {
		if int(in.Op) != i || in.Op.String() != in.Name {
			t.Errorf("%s: Op %d names %q, row %d", in.Name, in.Op, in.Op, i)
		}
		if names[in.Name] {
			t.Errorf("%s: two rows", in.Name)
		}
		names[in.Name] = true
		if in.Class == isa.ClassNone || in.Doc == "" || in.Since < 10 || len(in.Forms) == 0 {
			t.Errorf("%s: class %d, doc %q, since %s, %d forms", in.Name, in.Class, in.Doc, in.Since, len(in.Forms))
		}
		if !refPattern.MatchString(in.Ref) {
			t.Errorf("%s: manual section %q", in.Name, in.Ref)
		}
		if len(in.Doc) > 80 || strings.HasSuffix(in.Doc, ".") {
			t.Errorf("%s: doc is to be half a line without a full stop: %q", in.Name, in.Doc)
		}
		if got, ok := isa.Lookup(in.Name); !ok || got != in {
			t.Errorf("Lookup(%q) is another row", in.Name)
		}
		checkForms(t, in)
	}
}

func checkForms(t *testing.T, in *isa.Instr) {
	syntaxes := map[string]bool{}
	for _, f := range in.Forms {
		key := f.Syntax()
		for _, m := range f.Mods {
			key += " " + strings.Join(m.Values, "|")
			if len(m.Values) == 0 || slices.Contains(m.Values, "") {
				t.Errorf("%s: empty set %q", f.Syntax(), m.Set)
			}
			if sorted := slices.Sorted(slices.Values(m.Values)); len(slices.Compact(sorted)) != len(m.Values) {
				t.Errorf("%s: set %q names a value twice", f.Syntax(), m.Set)
			}
		}
		if syntaxes[key] {
			t.Errorf("%s: form listed twice", f.Syntax())
		}
		syntaxes[key] = true
		if f.Since < in.Since || f.MinSM < in.MinSM || f.Since > 99 {
			t.Errorf("%s: since %s sm_%d, but the opcode since %s sm_%d", f.Syntax(), f.Since, f.MinSM, in.Since, in.MinSM)
		}
		if !in.Effects.Has(f.Effects) {
			t.Errorf("%s: effects %q not among the opcode's %q", f.Syntax(), f.Effects, in.Effects)
		}
		for i, o := range f.Operands {
			if o.Role == isa.RoleDst && i > 2 {
				t.Errorf("%s: operand %s is written", f.Syntax(), o.Name)
			}
		}
	}
}

// TestSets catches forms that use a set which their row does not define: the
// name would pass for a literal modifier.
func TestSets(t *testing.T) {
	sets := map[string]bool{}
	for _, in := range isa.All() {
		for _, f := range in.Forms {
			for _, m := range f.Mods {
				sets[m.Set] = true
			}
		}
	}
	for _, in := range isa.All() {
		for _, f := range in.Forms {
			for _, m := range f.Mods {
				// The manual has .level for both (tex.level, membar.level), and .query (tensormap.query, txq).
				if m.Set == "" && !slices.Contains([]string{"level", "query"}, m.Values[0]) && sets[m.Values[0]] {
					t.Errorf("%s: .%s is a set elsewhere and a literal here", f.Syntax(), m.Values[0])
				}
			}
		}
	}
}

// TestFormsDecode spells every form with the first value of every slot, with and
// without its optional parts, and expects the form itself or one before it.
func TestFormsDecode(t *testing.T) {
	for _, in := range isa.All() {
		for i, f := range in.Forms {
			for _, optional := range []bool{false, true} {
				mods, operands := spell(f, optional)
				d, err := in.Decode(mods, operands)
				if err != nil {
					t.Errorf("%s: %v", f.Syntax(), err)
				} else if slices.Index(in.Forms, d.Form) > i {
					t.Errorf("%s decodes as %s", f.Syntax(), d.Form.Syntax())
				}
			}
		}
	}
}

// spell writes a form with the least or the most that it may have, with the first modifiers that go together.
func spell(f *isa.Form, optional bool) (mods []string, operands int) {
	found := false
	for _, some := range f.Spellings() {
		n := 0
		for _, o := range f.Operands {
			needed := slices.ContainsFunc(some, func(m string) bool { return m == o.Needs || strings.HasPrefix(m, o.Needs+"::") })
			if !o.Optional || o.Needs == "" && optional || o.Needs != "" && needed {
				n++
			}
		}
		if found && (optional && len(some) <= len(mods) || !optional && len(some) >= len(mods)) {
			continue
		}
		if _, err := f.Decode(some, n); err == nil {
			mods, operands, found = some, n, true
		}
	}
	return mods, operands
}

// TestSpellings decodes what compilers emit with any number of operands.
func TestSpellings(t *testing.T) {
	for _, l := range readLines(t, "testdata/spellings.txt") {
		var err error
		found := false
		for n := range 12 {
			var d *isa.Decoded
			if d, err = decode(l.text, n); err == nil {
				found = true
				checkFacts(t, l.text, d)
			}
		}
		if !found {
			t.Errorf("%s: %v", l.at, err)
		}
	}
}

// checkFacts checks what holds for every decoded instruction.
func checkFacts(t *testing.T, spelling string, d *isa.Decoded) {
	t.Helper()
	words := strings.Split(spelling, ".")[1:]
	slices.Sort(words)
	matched := slices.DeleteFunc(slices.Clone(d.Mods), func(m string) bool { return m == "" })
	slices.Sort(matched)
	if !slices.Equal(words, matched) {
		t.Errorf("%s: modifiers matched %v", spelling, d.Mods)
	}
	if len(d.Mods) != len(d.Form.Mods) {
		t.Errorf("%s: %d modifiers for %d slots", spelling, len(d.Mods), len(d.Form.Mods))
	}
	a := d.Access
	if a.Kind == isa.AccessNone {
		return
	}
	if d.Operands[a.Addr].Role != isa.RoleAddr {
		t.Errorf("%s: operand %d is no address", spelling, a.Addr)
	}
	if a.Atomic() && a.AtomOp == "" {
		t.Errorf("%s: no atomic operation", spelling)
	}
	switch d.Instr.Name {
	case "ld", "st", "atom", "red", "ldu":
		if a.Size == 0 && !d.Has("bulk") || a.Size != a.ElemSize*d.Vec {
			t.Errorf("%s: size %d of %d elements of %d", spelling, a.Size, d.Vec, a.ElemSize)
		}
	}
}

// TestScalars: a vector, and packed values, are accessed scalar by scalar (PTX ISA 8.2.4, 8.2.5).
func TestScalars(t *testing.T) {
	for _, c := range []struct {
		text         string
		operands     int
		size, scalar int
	}{
		{"ld.global.b32", 2, 4, 4},
		{"ld.global.v4.u16", 2, 8, 2},
		{"ld.b128", 2, 16, 16},
		{"st.global.v2.f64", 2, 16, 8},
		{"atom.global.add.f32", 3, 4, 4},
		{"atom.global.cas.b128", 4, 16, 16},
		{"atom.global.add.noftz.f16", 3, 2, 2},
		{"atom.global.add.noftz.f16x2", 3, 4, 2},
		{"red.shared.add.noftz.bf16x2", 2, 4, 2},
		{"red.global.add.v4.f32", 2, 16, 4},
		{"red.global.max.noftz.v8.bf16", 2, 16, 2},
		{"red.global.min.noftz.v4.f16x2", 2, 16, 2},
		{"multimem.red.add.v2.bf16x2", 2, 8, 2},
		{"multimem.st.weak.v4.e4m3x4", 2, 16, 1},
		{"multimem.ld_reduce.weak.add.v8.e5m2x2", 2, 16, 1},
		{"discard.global.L2", 2, 128, 128},
		{"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", 4, 0, 0},
	} {
		words := strings.Split(c.text, ".")
		in, _ := isa.Lookup(words[0])
		d, err := in.Decode(words[1:], c.operands)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if a := d.Access; a.Size != c.size || a.Scalar != c.scalar || a.Single() != (c.size > 0 && c.size == c.scalar) {
			t.Errorf("%s: size %d, scalars of %d, single %v; want %d and %d", c.text, a.Size, a.Scalar, a.Single(), c.size, c.scalar)
		}
	}
}

func TestEnumsHaveNames(t *testing.T) {
	for c := isa.ClassInteger; c <= isa.ClassMisc; c++ {
		if c.String() == "" {
			t.Errorf("class %d has no title", c)
		}
		if !slices.ContainsFunc(isa.All(), func(in *isa.Instr) bool { return in.Class == c }) {
			t.Errorf("class %s has no opcode", c)
		}
	}
	for e := isa.ReadsMemory; e <= isa.WritesCarry; e <<= 1 {
		if e.String() == "" {
			t.Errorf("effect %d has no name", e)
		}
	}
	for r := isa.RoleDst; r <= isa.RoleSymbol; r++ {
		if r.String() == "" {
			t.Errorf("role %d has no name", r)
		}
	}
}

// formLine is a line of forms, without remarks: opcode, common modifiers, those that differ, common modifiers.
var formLine = regexp.MustCompile(`(?m)^([a-z_0-9.]+) ([^\s(]*)(?:\(([^)]*)\)(\S*))?(?: //.*)?$`)

// shownForms returns opcode and modifiers of all forms in the document.
func shownForms(text string) map[string]bool {
	forms := make(map[string]bool)
	for _, m := range formLine.FindAllStringSubmatch(text, -1) {
		for alternative := range strings.SplitSeq(m[3], " | ") {
			forms[m[1]+m[2]+alternative+m[4]] = true
		}
	}
	return forms
}

func TestMarkdown(t *testing.T) {
	column := isa.Column{Title: "mine", Cell: func(in *isa.Instr) string { return "with " + in.Name }}
	text := isa.Markdown(column)
	remarked := column
	remarked.Form = func(*isa.Instr, *isa.Form) string { return "mine" }
	shown := shownForms(isa.Markdown(remarked))
	for _, in := range isa.All() {
		if !strings.Contains(text, "| `"+in.Name+"` | "+in.Since.String()+" |") || !strings.Contains(text, "| with "+in.Name+" |") {
			t.Errorf("%s is missing", in.Name)
		}
		for _, f := range in.Forms {
			if form, _, _ := strings.Cut(f.Syntax(), " "); !shown[form] {
				t.Errorf("%s is missing", f.Syntax())
			}
			if !strings.Contains(text, f.Note) {
				t.Errorf("the note of %s is missing", f.Syntax())
			}
		}
	}
	for _, row := range []string{"| 1.0 | all | `%tid.x` thread within the block (.u32); ", "`%pm0..7_64` ", "| 6.3 | sm_30 | `.alias` second name of a function (11.2.3)", "| mine |\n|---|---|---|---|\n"} {
		if !strings.Contains(text, row) {
			t.Errorf("%s is missing", row)
		}
	}
	if again := isa.Markdown(column); again != text {
		t.Error("two runs differ")
	}
}
