package ptxgrammar_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

func TestApply(t *testing.T) {
	type edits = []ptxgrammar.Edit
	tests := []struct {
		name, src string
		edits     edits
		out       string
		lines     string // line/edit of each output line
	}{
		{"nothing", "a\nb\n", nil, "a\nb\n", "1/-1 2/-1"},
		{"empty", "", nil, "", ""},
		{"no last line end", "a\nb", nil, "a\nb", "1/-1 2/-1"},
		{"insert line", "a\nb\n", edits{{2, 2, "x\n"}}, "a\nx\nb\n", "1/-1 0/0 2/-1"},
		{"insert with indent", "\ta\n\tb\n", edits{{4, 4, "x;\n\t"}}, "\ta\n\tx;\n\tb\n", "1/-1 0/0 2/0"},
		{"insert after", "\ta;\n\tb;\n", edits{{3, 3, "\n\tx;"}}, "\ta;\n\tx;\n\tb;\n", "1/0 0/0 2/-1"},
		{"append", "a\n", edits{{2, 2, "x\ny\n"}}, "a\nx\ny\n", "1/-1 0/0 0/0"},
		{"replace", "\ta;\n\tb;\n", edits{{1, 3, "x;\n\ty;"}}, "\tx;\n\ty;\n\tb;\n", "0/0 0/0 2/-1"},
		{"replace keeps comment", "\ta; // c\n", edits{{1, 3, "x;"}}, "\tx; // c\n", "1/0"},
		{"delete lines", "a\nb\nc\nd\n", edits{{2, 6, ""}}, "a\nd\n", "1/-1 4/-1"},
		{"same place keeps order", "a", edits{{0, 0, "x"}, {1, 1, "z"}, {0, 0, "y"}}, "xyaz", "1/0"},
		{"insert goes before replacement", "ab", edits{{0, 1, "R"}, {0, 0, "i"}}, "iRb", "1/1"},
		{"replacement goes after insertion", "ab", edits{{0, 0, "i"}, {0, 1, "R"}}, "iRb", "1/0"},
		{"insert after replacement", "ab", edits{{1, 1, "i"}, {0, 1, "R"}}, "Rib", "1/1"},
		{"any order", "a\nb\nc\n", edits{{4, 4, "z\n"}, {0, 0, "x\n"}}, "x\na\nb\nz\nc\n", "0/1 1/-1 2/-1 0/0 3/-1"},
		{"blank line stays", "a\n\nb\n", edits{{3, 3, "x"}}, "a\n\nxb\n", "1/-1 2/-1 3/0"},
	}
	for _, tt := range tests {
		out, lines, err := ptxgrammar.Apply([]byte(tt.src), tt.edits)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for _, l := range lines {
			got = append(got, fmt.Sprintf("%d/%d", l.Line, l.Edit))
		}
		if string(out) != tt.out || strings.Join(got, " ") != tt.lines {
			t.Errorf("%s: %q with lines %s, want %q with %s", tt.name, out, strings.Join(got, " "), tt.out, tt.lines)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	for want, edits := range map[string][]ptxgrammar.Edit{
		"edits 0 and 1 overlap: bytes 0 to 2 and 1 to 3":    {{0, 2, ""}, {1, 3, ""}},
		"edits 1 and 0 overlap: bytes 0 to 3 and 1 to 1":    {{1, 1, "x"}, {0, 3, ""}},
		"edit 0 replaces bytes 2 to 9 of a text of 4 bytes": {{2, 9, ""}},
		"edit 0 replaces bytes 3 to 2 of a text of 4 bytes": {{3, 2, ""}},
		"edits 0 and 2 overlap: bytes 1 to 3 and 2 to 2":    {{1, 3, ""}, {1, 1, "a"}, {2, 2, "b"}},
	} {
		if _, _, err := ptxgrammar.Apply([]byte("abcd"), edits); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestApplyAgainstModel compares with one edit at a time, last place first.
func TestApplyAgainstModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		src := make([]byte, rnd.IntN(30))
		for i := range src {
			src[i] = "ab \n"[rnd.IntN(4)]
		}
		var edits []ptxgrammar.Edit
		for at := 0; at <= len(src) && rnd.IntN(4) > 0; at++ {
			start := at + rnd.IntN(len(src)-at+1)
			end := start + rnd.IntN(len(src)-start+1)
			edits = append(edits, ptxgrammar.Edit{Start: uint32(start), End: uint32(end), Text: strings.Repeat("x\n", rnd.IntN(3))})
			at = end
		}
		want := bytes.Clone(src)
		for i := len(edits) - 1; i >= 0; i-- {
			e := edits[i]
			want = append(append(bytes.Clone(want[:e.Start]), e.Text...), want[e.End:]...)
		}
		out, lines, err := ptxgrammar.Apply(src, edits)
		if err != nil || !bytes.Equal(out, want) {
			t.Fatalf("%q %v: %q, %v; want %q", src, edits, out, err, want)
		}
		checkLines(t, src, out, lines)
	}
}

// applyModel performs edits one at a time, last place first. ok is false when one of
// them lies outside the text or two overlap.
func applyModel(src []byte, edits []ptxgrammar.Edit) (out []byte, ok bool) {
	order := make([]int, len(edits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := edits[i], edits[j]
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(min(a.End-a.Start, 1), min(b.End-b.Start, 1)))
	})
	out, limit := bytes.Clone(src), len(src)
	for _, i := range slices.Backward(order) {
		e := edits[i]
		if e.Start > e.End || int(e.End) > limit {
			return nil, false
		}
		out = slices.Concat(out[:e.Start], []byte(e.Text), out[e.End:])
		limit = int(e.Start)
	}
	return out, true
}

// FuzzApply takes every three bytes of code for one edit.
func FuzzApply(f *testing.F) {
	for _, code := range []string{"", "\x00\x00\x01", "\x01\x02\x02\x04\x00\x03", "\x01\x02\x00\x02\x02\x00", "\x05\x01\x01\x05\x00\x02", "\x03\xff\x01", "\x00\x03\x00\x03\x03\x00"} {
		f.Add([]byte("ret;\n\n\tadd a, b;\n"), []byte(code))
		f.Add([]byte("a"), []byte(code))
	}
	texts := []string{"", "x", "x\n", "\n\tx\n\n", "\r\n"}
	f.Fuzz(func(t *testing.T, src, code []byte) {
		var edits []ptxgrammar.Edit
		for ; len(code) >= 3; code = code[3:] {
			start := uint32(code[0])
			edits = append(edits, ptxgrammar.Edit{Start: start, End: start + uint32(int8(code[1])), Text: texts[int(code[2])%len(texts)]})
		}
		want, ok := applyModel(src, edits)
		got, lines, err := ptxgrammar.Apply(src, edits)
		if ok != (err == nil) || !bytes.Equal(got, want) {
			t.Fatalf("%q %v: %q, %v; want %q", src, edits, got, err, want)
		}
		if ok && !bytes.Contains(src, []byte("x")) {
			checkLines(t, src, got, lines)
		}
	})
}

// checkLines checks that lines said to be unedited are lines of the source.
func checkLines(t *testing.T, src, out []byte, lines []ptxgrammar.LineOrigin) {
	t.Helper()
	from := strings.SplitAfter(string(src), "\n")
	to := strings.SplitAfter(string(out), "\n")
	if to[len(to)-1] == "" {
		to = to[:len(to)-1]
	}
	if len(lines) != len(to) {
		t.Fatalf("%d line origins for %q", len(lines), out)
	}
	for i, l := range lines {
		if strings.Contains(to[i], "x") && l.Edit < 0 {
			t.Fatalf("line %q of %q is from no edit", to[i], out)
		}
		if l.Line > 0 && l.Line > len(from) {
			t.Fatalf("line %d of %q", l.Line, src)
		}
	}
}

// TestApplyToModule inserts before every memory instruction, the way passes do.
func TestApplyToModule(t *testing.T) {
	m := parseFile(t, "testdata/corpus/instructions.ptx")
	var edits []ptxgrammar.Edit
	for in := range m.FuncInsts(&m.Funcs[0]) {
		if op := m.Opcode(in); op == "ld" || op == "st" {
			at := m.InstRange(in).Start
			edits = append(edits, ptxgrammar.Edit{Start: at, End: at, Text: "add.u32 %r1, %r1, 1;\n\t"})
		}
	}
	out, lines, err := ptxgrammar.Apply(m.File.Src, edits)
	if err != nil {
		t.Fatal(err)
	}
	m2, err := ptxgrammar.Parse("out.ptx", out)
	if err != nil {
		t.Fatal(err)
	}
	if len(m2.Insts) != len(m.Insts)+len(edits) {
		t.Errorf("%d instructions, want %d more than %d", len(m2.Insts), len(edits), len(m.Insts))
	}
	var kept []string
	for i, l := range lines {
		if l.Line > 0 {
			kept = append(kept, m2.File.LineText(i+1))
			if got, want := m2.File.LineText(i+1), m.File.LineText(l.Line); got != want {
				t.Errorf("line %d is %q, said to be line %d, %q", i+1, got, l.Line, want)
			}
		}
	}
	if want := strings.Split(strings.TrimSuffix(string(m.File.Src), "\n"), "\n"); !reflect.DeepEqual(kept, want) {
		t.Error("the lines kept are not those of the original")
	}
}
