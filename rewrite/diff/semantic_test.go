package diff

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

const header = ".version 7.0\n.target sm_70\n.address_size 64\n"

func program(t testing.TB, name, src string) Program {
	t.Helper()
	tree, err := ptxgrammar.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return Program{Name: name, Tree: tree}
}

// compare compares two texts as programs.
func compare(t testing.TB, a, b string) *Diff {
	t.Helper()
	return Semantic(program(t, "a.ptx", a), program(t, "b.ptx", b))
}

// described is the rows that differ.
func described(d *Diff) []string {
	var out []string
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			a, b := strings.TrimSpace(d.textA(r.A)), strings.TrimSpace(d.textB(r.B))
			switch r.Kind {
			case Same:
			case Removed:
				out = append(out, "- "+a)
			case Added:
				out = append(out, "+ "+b)
			case Changed:
				out = append(out, a+" => "+b)
			}
		}
	}
	return out
}

func TestSemantic(t *testing.T) {
	kernel := func(body string) string { return header + ".entry k(.param .u64 p)\n{\n" + body + "\n}\n" }
	tests := []struct {
		name, a, b string
		want       []string
	}{
		{"layout and comments", kernel(".reg .b32 %a; mov.u32 %a, 1; ret;"), kernel("// x\n.reg .b32\t%a;\n\n mov.u32 /* y */\n%a,1\n;ret;"), nil},
		{"declarations of registers", kernel(".reg .b32 %a, %b; mov.u32 %a, 1; ret;"), kernel(".reg .u32 %a; mov.u32 %a, 1; ret;"), nil},
		{"a register renamed", kernel(".reg .b32 %a<3>; mov.u32 %a1, 1; add.u32 %a2, %a1, %a1; ret;"), kernel(".reg .b32 %x, %y; mov.u32 %y, 1; add.u32 %x, %y, %y; ret;"), nil},
		{"two registers become one", kernel(".reg .b32 %a<3>; mov.u32 %a1, 1; mov.u32 %a2, 2; add.u32 %a2, %a1, %a1; ret;"), kernel(".reg .b32 %a<3>; mov.u32 %a1, 1; mov.u32 %a1, 2; add.u32 %a1, %a1, %a1; ret;"), []string{
			"mov.u32 %a2, 2; => mov.u32 %a1, 2;", "add.u32 %a2, %a1, %a1; => add.u32 %a1, %a1, %a1;",
		}},
		{"registers swapped in one place", kernel(".reg .b32 %a<4>; add.u32 %a1, %a2, %a3; sub.u32 %a1, %a2, %a3; mul.lo.u32 %a1, %a2, %a3; ret;"), kernel(".reg .b32 %a<4>; add.u32 %a1, %a2, %a3; sub.u32 %a1, %a3, %a2; mul.lo.u32 %a1, %a2, %a3; ret;"), []string{
			"sub.u32 %a1, %a2, %a3; => sub.u32 %a1, %a3, %a2;",
		}},
		{"labels renamed", kernel("bra L; bra M; L: ret; M: ret;"), kernel("bra X; bra Y; X: ret; Y: ret;"), nil},
		{"labels swapped", kernel(".reg .pred %p; @%p bra L; bra M; L: exit; M: ret;"), kernel(".reg .pred %p; @%p bra M; bra L; L: exit; M: ret;"), []string{
			"@%p bra L; => @%p bra M;", "bra M; => bra L;",
		}},
		{"a label that nothing refers to", kernel("here: ret;"), kernel("ret;"), nil},
		{"parameter renamed", header + ".entry k(.param .u64 p) { .reg .b64 %r; ld.param.u64 %r, [p]; ret; }", header + ".entry k(.param .u64 q) { .reg .b64 %r; ld.param.u64 %r, [q]; ret; }", nil},
		{"parameter of another type", header + ".entry k(.param .u64 p) { ret; }", header + ".entry k(.param .u32 p) { ret; }", []string{
			".entry k(.param .u64 p) => .entry k(.param .u32 p)",
		}},
		{"guard removed", kernel(".reg .pred %p; @%p st.global.u32 [0], 1; ret;"), kernel(".reg .pred %p; st.global.u32 [0], 1; ret;"), []string{
			"@%p st.global.u32 [0], 1; => st.global.u32 [0], 1;",
		}},
		{"integers in another base", kernel(".reg .b32 %a; mov.u32 %a, 16; ret;"), kernel(".reg .b32 %a; mov.u32 %a, 0x10; ret;"), nil},
		{"another integer", kernel(".reg .b32 %a; mov.u32 %a, 16; ret;"), kernel(".reg .b32 %a; mov.u32 %a, 0x11; ret;"), []string{"mov.u32 %a, 16; => mov.u32 %a, 0x11;"}},
		{"a modifier", kernel("membar.cta; ret;"), kernel("membar.gl; ret;"), []string{"membar.cta; => membar.gl;"}},
		{"insertion", kernel("ret;"), kernel("membar.gl; ret;"), []string{"+ membar.gl;"}},
		{"removal", kernel("membar.gl; ret;"), kernel("ret;"), []string{"- membar.gl;"}},
		{"the better version", kernel(".reg .b32 %a; ld.global.u32 %a, [0]; ret;"), kernel(".reg .b32 %a; ld.param.u64 %a, [p]; ld.global.u32 %a, [4]; ret;"), []string{
			"+ ld.param.u64 %a, [p];", "ld.global.u32 %a, [0]; => ld.global.u32 %a, [4];",
		}},
		{"one name in two scopes", kernel("{ .param .b32 x; st.param.b32 [x], 1; } { .param .b32 x; st.param.b32 [x], 2; } ret;"), kernel("{ .param .b32 y; st.param.b32 [y], 1; } { .param .b32 z; st.param.b32 [z], 2; } ret;"), nil},
		{"a scope inserted before one like it", kernel("{ .param .b32 x; st.param.b32 [x], 2; } ret;"), kernel("{ .param .b32 x; st.param.b32 [x], 1; } { .param .b32 x; st.param.b32 [x], 2; } ret;"), []string{
			"+ .param .b32 x;", "+ st.param.b32 [x], 1;",
		}},
		{"debug information", kernel(".loc 1 2 3\nret;") + ".file 1 \"a.cu\"\n", kernel("ret;"), nil},
		{"the version", header, strings.Replace(header, "7.0", "7.1", 1), []string{".version 7.0 => .version 7.1"}},
		{"a variable", header + ".global .u32 x;", header + ".global .u32 y;", []string{".global .u32 x; => .global .u32 y;"}},
		{"functions in another order", header + ".func f() { ret; }\n.func g() { exit; }", header + ".func g() { exit; }\n.func f() { ret; }", nil},
		{"a function removed and one added", header + ".func f() { ret; }\n.func h() { ret; }", header + ".func g() { ret; }\n.func h() { ret; }", []string{
			"- .func f()", "- ret;", "+ .func g()", "+ ret;",
		}},
		{"a declaration", header + ".func f();\n.func f() { ret; }", header + ".func f() { ret; }", []string{"- .func f();"}},
		{"a parameter of a declaration renamed", header + ".func f(.param .b32 a);", header + ".func f(.param .b32 b);", nil},
		{"an opcode and a label of one name", kernel("bra add; add: ret;"), kernel(".reg .b32 %a; bra L; L: ret;"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := compare(t, tt.a, tt.b)
			if got := described(d); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			if d.Same() != (len(tt.want) == 0) {
				t.Errorf("Same is %v", d.Same())
			}
		})
	}
}

// corpus calls f for PTX files of other packages.
func corpus(t *testing.T, f func(t *testing.T, src string)) {
	var paths []string
	for _, pattern := range []string{"../testdata/corpus/*.ptx", "../../ptxgrammar/testdata/corpus/*.ptx"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatal("no corpus", err)
		}
		paths = append(paths, more...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f(t, string(src))
		})
	}
}

var (
	rangeDecl = regexp.MustCompile(`(%[a-z]+)<(\d+)>`)
	regName   = regexp.MustCompile(`(%[a-z]+)(\d+)\b`)
	labelName = regexp.MustCompile(`\$L_*(BB|tmp|callseq)?\w+`)
	locLine   = regexp.MustCompile(`(?m)^\s*\.loc\b.*$`)
)

// disguise renames the registers of compiler-made PTX, numbers them backwards,
// renames labels, and changes the layout.
func disguise(src string) string {
	counts := make(map[string]int)
	for _, m := range rangeDecl.FindAllStringSubmatch(src, -1) {
		n, _ := strconv.Atoi(m[2])
		counts[m[1]] = max(counts[m[1]], n)
	}
	src = locLine.ReplaceAllString(src, "")
	src = rangeDecl.ReplaceAllStringFunc(src, func(s string) string {
		m := rangeDecl.FindStringSubmatch(s)
		return "%new_" + m[1][1:] + "<" + strconv.Itoa(counts[m[1]]) + ">"
	})
	src = regName.ReplaceAllStringFunc(src, func(s string) string {
		m := regName.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2])
		if n >= counts[m[1]] {
			return s
		}
		return "%new_" + m[1][1:] + strconv.Itoa(counts[m[1]]-1-n)
	})
	src = labelName.ReplaceAllString(src, "${0}_moved")
	src = strings.ReplaceAll(src, ", ", " ,\t")
	return strings.ReplaceAll(src, ";\n", " ; // made so\n\n")
}

// A program in disguise is the same program.
func TestDisguise(t *testing.T) {
	corpus(t, func(t *testing.T, src string) {
		b := disguise(src)
		if b == src {
			t.Fatal("the disguise changes nothing")
		}
		d := compare(t, src, b)
		if !d.Same() {
			t.Errorf("differs:\n%s", strings.Join(described(d), "\n"))
		}
		if got := d.Total(); got != (Stat{}) {
			t.Errorf("counts %+v", got)
		}
	})
}

// In a program in disguise with one instruction more or less, that one is found.
func TestDisguiseOneChange(t *testing.T) {
	corpus(t, func(t *testing.T, src string) {
		tree := program(t, "a.ptx", src).Tree
		var at []ptxgrammar.Range
		for i := range tree.Insts {
			at = append(at, tree.InstRange(&tree.Insts[i]))
		}
		if len(at) == 0 {
			return
		}
		for _, k := range []int{0, len(at) / 3, len(at) / 2, len(at) - 1} {
			more := src[:at[k].Start] + "membar.sys;\n" + src[at[k].Start:]
			if got := described(compare(t, src, disguise(more))); len(got) != 1 || !strings.HasPrefix(got[0], "+ membar.sys") {
				t.Errorf("inserted before instruction %d:\n%s", k, strings.Join(got, "\n"))
			}
			if got := described(compare(t, disguise(more), src)); len(got) != 1 || !strings.HasPrefix(got[0], "- membar.sys") {
				t.Errorf("removed before instruction %d:\n%s", k, strings.Join(got, "\n"))
			}
		}
	})
}

// What would show a quadratic step.
func TestLarge(t *testing.T) {
	const n = 30_000
	many := func(f func(b *strings.Builder, i int)) string {
		var b strings.Builder
		b.WriteString(header + ".entry k() {\n.reg .b32 %r, %s;\n")
		for i := range n {
			f(&b, i)
		}
		return b.String() + "ret; }\n"
	}
	for name, src := range map[string]string{
		"one line": many(func(b *strings.Builder, i int) { fmt.Fprintf(b, "add.u32 %%r, %%s, %d;", i) }),
		"the same": many(func(b *strings.Builder, _ int) { b.WriteString("add.u32 %r, %s, 1;\n") }),
		"ranges": many(func(b *strings.Builder, i int) {
			fmt.Fprintf(b, ".reg .b32 %%r%d_<2>; mov.u32 %%r%d_1, %%tid.x;\n", i, i)
		}),
		"labels":         many(func(b *strings.Builder, i int) { fmt.Fprintf(b, "L%d: bra L%d;\n", i, i) }),
		"scopes":         many(func(b *strings.Builder, _ int) { b.WriteString("{ .reg .b32 %t; mov.u32 %t, 1; }\n") }),
		"call sequences": many(func(b *strings.Builder, i int) { fmt.Fprintf(b, "{ .param .b32 x; st.param.b32 [x], %d; }\n", i%7) }),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			other := strings.Replace(disguise(src), "ret;", "membar.gl; ret;", 1)
			if got := described(compare(t, src, other)); len(got) != 1 {
				t.Errorf("%d differences", len(got))
			}
			a, b := program(t, "a", src), program(t, "b", strings.Replace(src, "ret;", "exit;", 1))
			b.Origin = func(line int) Origin { return Origin{Line: line} }
			if got := described(Semantic(a, b)); !slices.Equal(got, []string{"- ret;", "+ exit;"}) {
				t.Errorf("by origin: %d differences", len(got))
			}
			if d := time.Since(start); d > time.Minute {
				t.Errorf("took %v", d)
			}
		})
	}
}

// The layout of another printer makes no difference.
func TestCanonical(t *testing.T) {
	corpus(t, func(t *testing.T, src string) {
		p := program(t, "a.ptx", src)
		d := compare(t, src, string(ptxgrammar.Canonical(p.Tree)))
		if !d.Same() {
			t.Errorf("differs:\n%s", strings.Join(described(d), "\n"))
		}
	})
}

// The unified diff of programs applies to the first and makes the second.
func TestUnifiedCorpus(t *testing.T) {
	corpus(t, func(t *testing.T, src string) {
		for _, other := range []string{disguise(src), locLine.ReplaceAllString(src, ""), strings.ReplaceAll(src, "mov", "membar.cta;\n\tmov")} {
			for _, n := range []int{0, 3} {
				patch := Unified("a", src, "b", other, n)
				if got, err := applyPatch(src, patch); err != nil || got != other {
					t.Errorf("%v: the patch makes another text", err)
				}
			}
		}
	})
}
