package facts_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// tone is the launch of the paper's Figure 3, with an allocation and a condition.
func tone() *facts.Launch {
	l := &facts.Launch{Kernel: "toneMapping", Site: facts.Pos{File: "tone.cu", Line: 7, Col: 3}, Vars: []facts.Var{facts.NewVar("w", "s32"), facts.NewVar("h", "s32")}}
	w, h := l.Var("w").Int(), l.Var("h").Int()
	tile := expr.Const(16)
	l.Grid = [3]*expr.Int{expr.Div(w, tile), expr.Div(h, tile), expr.Const(1)}
	l.Block = [3]*expr.Int{tile, tile, expr.Const(1)}
	l.Args = []facts.Arg{{Buffer: "out", Offset: expr.Const(0)}, {Int: w}, {Int: expr.Const(4)}, {}}
	l.Buffers = []facts.Buffer{{Name: "out", Size: expr.Mul(w, h, tile), Init: expr.Const(0)}}
	l.Requires = []facts.Condition{{That: expr.Gt(w, expr.Const(0)), Class: facts.Path, Text: "w > 0"}}
	return l
}

func textOf(g *facts.Given) string {
	var b strings.Builder
	for _, f := range g.Facts {
		b.WriteString(string(f.Class) + ": " + f.Formula.String() + "\n")
	}
	for p, ptr := range g.Pointers {
		b.WriteString(ptr.Buffer + " at parameter ")
		b.WriteByte(byte('0' + p.Index))
		if ptr.Size != nil {
			b.WriteString(", size " + ptr.Size.String())
		}
		if ptr.Initial != nil {
			b.WriteString(", initially " + ptr.Initial.String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestGiven(t *testing.T) {
	g := tone().Given(nil, []int{0, 32, 32, 32})
	for _, want := range []string{
		"dims: nctaid.x == h.w / 16\n", "relations: h.w == p1\n", "relations: p2 == 4\n", "path: h.w > 0\n", "out at parameter 0, size 16 * (h.h * h.w), initially 0\n",
	} {
		if !strings.Contains(textOf(g), want) {
			t.Errorf("no %q in\n%s", want, textOf(g))
		}
	}
	if f := g.Facts[0]; f.Var != "nctaid.x" || f.Value.String() != "h.w / 16" {
		t.Errorf("the first fact defines %s as %s", f.Var, f.Value)
	}
}

// TestDrop: each class takes its facts away and leaves the others.
func TestDrop(t *testing.T) {
	widths := []int{0, 32, 32, 32}
	has := func(class facts.Class, drop map[facts.Class]bool) bool {
		for _, f := range tone().Given(drop, widths).Facts {
			if f.Class == class {
				return true
			}
		}
		return false
	}
	for _, c := range []facts.Class{facts.Dims, facts.Path} {
		if !has(c, nil) || has(c, map[facts.Class]bool{c: true}) {
			t.Errorf("class %s is not dropped", c)
		}
	}
	out := facts.Param{Index: 0}
	if _, ok := tone().Given(map[facts.Class]bool{facts.Identity: true}, widths).Pointers[out]; ok {
		t.Error("identity is not dropped")
	}
	if tone().Given(map[facts.Class]bool{facts.InBounds: true}, widths).Pointers[out].Size != nil {
		t.Error("in-bounds is not dropped")
	}
	if tone().Given(map[facts.Class]bool{facts.Values: true}, widths).Pointers[out].Initial != nil {
		t.Error("values are not dropped")
	}
}

// TestWithoutRelations: the width in the grid and the width that is an argument are two
// variables, and a condition on the width holds for both.
func TestWithoutRelations(t *testing.T) {
	text := textOf(tone().Given(map[facts.Class]bool{facts.Relations: true}, []int{0, 32, 32, 32}))
	for _, want := range []string{"h.w@extents", "h.w@p1"} {
		if strings.Count(text, want) < 2 {
			t.Errorf("%q is not both used and restricted in\n%s", want, text)
		}
	}
}

// TestNames: facts with the same text have different names.
func TestNames(t *testing.T) {
	l := tone()
	l.Requires = append(l.Requires, l.Requires[0], l.Requires[0])
	seen := make(map[string]bool)
	for _, f := range l.Given(nil, nil).Facts {
		if seen[f.Name] {
			t.Errorf("two facts %q", f.Name)
		}
		seen[f.Name] = true
	}
}

func TestTypeRange(t *testing.T) {
	for name, want := range map[string]string{"u8": "0 255", "s16": "-32768 32767", "u64": "0 18446744073709551615"} {
		lo, hi, ok := facts.TypeRange(name)
		if got := lo.String() + " " + hi.String(); !ok || got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"", "u", "f32", "s31", "u128"} {
		if _, _, ok := facts.TypeRange(name); ok {
			t.Errorf("%q is a type", name)
		}
	}
}
