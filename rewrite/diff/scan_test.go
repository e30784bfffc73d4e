package diff

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

func TestScan(t *testing.T) {
	tests := []struct{ text, want string }{
		{"ld.global.u32 %r1, [%rd2+4];", "name:ld dot:.global dot:.u32 name:%r1 punct:, punct:[ name:%rd2 punct:+ number:4 punct:] punct:;"},
		{"tex.2d.v4.f32.f32 {a}", "name:tex dot:.2d dot:.v4 dot:.f32 dot:.f32 punct:{ name:a punct:}"},
		{"ld.L2::128B.level::eviction [a]", "name:ld dot:.L2::128B dot:.level::eviction punct:[ name:a punct:]"},
		{"0x1F 0b101 17U 0f3F800000 0dBFF0000000000000 1.5 .5 1e+9 2.5E-3", "number:0x1F number:0b101 number:17U number:0f3F800000 number:0dBFF0000000000000 number:1.5 number:.5 number:1e+9 number:2.5E-3"},
		{"4+4", "number:4 punct:+ number:4"},
		{"0x1E+4", "number:0x1E punct:+ number:4"},
		{`.file 1 "a\"//b"`, `dot:.file number:1 string:"a\"//b"`},
		{"a // b\nc", "name:a comment:// b name:c"},
		{"a /* b\n* / */ c /* d", "name:a comment:/* b\n* / */ name:c comment:/* d"},
		{"$L__BB0_1: %tid.x _", "name:$L__BB0_1 punct:: name:%tid dot:.x name:_"},
		{"%r<10>", "name:%r punct:< number:10 punct:>"},
		{"\"open\nret", "string:\"open name:ret"},
		{"é%", "punct:\xc3 punct:\xa9 punct:%"},
		{"@!%p bra L;", "punct:@ punct:! name:%p name:bra name:L punct:;"},
	}
	names := [...]string{tokComment: "comment", tokString: "string", tokNumber: "number", tokDot: "dot", tokName: "name", tokPunct: "punct"}
	for _, tt := range tests {
		var got []string
		for at := 0; at < len(tt.text); {
			kind, end := scan(tt.text, at)
			if kind != tokBlank {
				got = append(got, names[kind]+":"+tt.text[at:end])
			}
			at = end
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, g, tt.want)
		}
	}
}

// The scanner cuts where the grammar does.
func TestScanAsGrammar(t *testing.T) {
	corpus(t, func(t *testing.T, src string) {
		ends := make([]bool, len(src)+1)
		for at := 0; at < len(src); {
			_, at = scan(src, at)
			ends[at] = true
		}
		m := program(t, "a.ptx", src).Tree
		check := func(r ptxgrammar.Range) {
			if !ends[r.Start] || !ends[r.End] {
				t.Errorf("%v: %q is cut elsewhere", m.File.Position(r.Start), m.Text(r))
			}
		}
		for i := range m.Insts {
			check(m.OpcodeRange(&m.Insts[i]))
		}
		for i := range m.Operands {
			check(m.OperandRange(&m.Operands[i]))
		}
	})
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"ret;":                             "ret;",
		"call.uni (a),\n\tf, // x\n\t(b);": "call.uni (a), f, (b);",
		"ret /* now */ ;":                  "ret;",
		"/* a */ ret;":                     "ret;",
		"mov.u32  %r1,\t4;":                "mov.u32  %r1,\t4;",
	} {
		if got := oneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzDiff compares any two texts: the patch makes the second of the first, the
// pages are well-formed, and what is parsed can be compared as programs.
func FuzzDiff(f *testing.F) {
	f.Add(header+".entry k() { ret; }", header+".entry k() { exit; }\n")
	f.Add(header+".func f(.param .b32 a);\n", header)
	f.Add("a\r\nb\n\n", "b\x00\nb /*\n")
	f.Add(header+".entry k() {\n.reg .b32 %r<3>;\nL: mov.u32 %r1, 0x10; bra L; }", header+".entry k() {\n.reg .b32 %x;\nmov.u32 %x, 16; }")
	f.Fuzz(func(t *testing.T, a, b string) {
		patch := Unified("a", a, "b", b, 2)
		if got, err := applyPatch(a, patch); err != nil || got != b {
			t.Fatalf("%v: the patch makes %q of %q, want %q:\n%s", err, got, a, b, patch)
		}
		ds := []*Diff{Lines(Text{"a", a}, Text{"b", b})}
		ta, errA := ptxgrammar.Parse("a", []byte(a))
		tb, errB := ptxgrammar.Parse("b", []byte(b))
		if errA == nil && errB == nil {
			pa, pb := Program{Name: "a", Tree: ta}, Program{Name: "b", Tree: tb}
			d, reverse := Semantic(pa, pb), Semantic(pb, pa)
			if d.Same() != reverse.Same() {
				t.Errorf("same is %v one way and %v the other", d.Same(), reverse.Same())
			}
			if !slices.Equal(described(d), described(Semantic(pa, pb))) {
				t.Error("another result the second time")
			}
			ds = append(ds, d)
		}
		for _, d := range ds {
			var page, columns strings.Builder
			if err := d.HTML(&page, HTMLOptions{}); err != nil {
				t.Fatal(err)
			}
			readPage(t, page.String())
			if err := d.SideBySide(&columns, SideBySideOptions{Width: 60}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
