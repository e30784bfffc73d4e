package diff

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// pair is two texts to compare.
type pair struct{ name, a, b string }

// generate makes programs of about the given size in bytes: functions of a few
// hundred instructions. In "instrumented" a call stands before every tenth
// instruction, as passes insert it; "renumbered" is the same with all registers
// numbered anew; "unrelated" has nothing in common but the form.
func generate(size int) []pair {
	a := generated{rnd: rand.New(rand.NewPCG(1, 1))}
	instrumented := generated{rnd: rand.New(rand.NewPCG(1, 1)), calls: true}
	renumbered := generated{rnd: rand.New(rand.NewPCG(1, 1)), calls: true, shift: 1000}
	unrelated := generated{rnd: rand.New(rand.NewPCG(2, 2))}
	for i := 0; a.out.Len() < size; i++ {
		for _, g := range []*generated{&a, &instrumented, &renumbered, &unrelated} {
			g.function(i)
		}
	}
	text := a.text()
	return []pair{
		{"instrumented", text, instrumented.text()},
		{"renumbered", text, renumbered.text()},
		{"unrelated", text, unrelated.text()},
	}
}

// generated is a program being made.
type generated struct {
	rnd   *rand.Rand
	out   strings.Builder
	calls bool
	shift int // of register numbers
}

func (g *generated) text() string {
	return header + ".func note(.param .b64 address) { ret; }\n" + g.out.String()
}

func (g *generated) function(n int) {
	insts := 100 + g.rnd.IntN(400)
	fmt.Fprintf(&g.out, ".visible .entry kernel%d(\n\t.param .u64 p\n)\n{\n\t.reg .b32 %%r<3000>;\n\t.reg .b64 %%rd<3000>;\n\n", n)
	for i := range insts {
		r := func() int { return g.rnd.IntN(i+2) + g.shift }
		if g.calls && i%10 == 5 {
			fmt.Fprintf(&g.out, "\t{\n\t.param .b64 arg;\n\tst.param.b64 [arg], %%rd%d;\n\tcall note, (arg);\n\t}\n", i+g.shift)
		}
		switch g.rnd.IntN(6) {
		case 0:
			fmt.Fprintf(&g.out, "\tld.global.u32 \t%%r%d, [%%rd%d+%d];\n", i+g.shift, r(), 4*g.rnd.IntN(64))
		case 1:
			fmt.Fprintf(&g.out, "\tst.global.u32 \t[%%rd%d+%d], %%r%d;\n", r(), 4*g.rnd.IntN(64), r())
		case 2:
			fmt.Fprintf(&g.out, "\tmul.wide.u32 \t%%rd%d, %%r%d, %d;\n", i+g.shift, r(), g.rnd.IntN(1000))
		case 3:
			fmt.Fprintf(&g.out, "\t.loc\t1 %d 0\n\tmov.u32 \t%%r%d, %d;\n", i, i+g.shift, g.rnd.IntN(1<<20))
		default:
			fmt.Fprintf(&g.out, "\tadd.s32 \t%%r%d, %%r%d, %%r%d;\n", i+g.shift, r(), r())
		}
	}
	g.out.WriteString("\tret;\n\n}\n")
}

var sizes = []struct {
	name  string
	bytes int
}{{"1MB", 1 << 20}, {"10MB", 10 << 20}, {"50MB", 50 << 20}}

// benchmark measures comparisons; MB/s counts both texts.
func benchmark(b *testing.B, prepare func(p pair) func()) {
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			for _, p := range generate(s.bytes) {
				b.Run(p.name, func(b *testing.B) {
					f := prepare(p)
					b.SetBytes(int64(len(p.a) + len(p.b)))
					b.ReportAllocs()
					for b.Loop() {
						f()
					}
				})
			}
		})
	}
}

func BenchmarkLines(b *testing.B) {
	benchmark(b, func(p pair) func() {
		return func() { Lines(Text{"a", p.a}, Text{"b", p.b}) }
	})
}

// BenchmarkSemantic does not count parsing.
func BenchmarkSemantic(b *testing.B) {
	benchmark(b, func(p pair) func() {
		pa, pb := program(b, "a", p.a), program(b, "b", p.b)
		return func() { Semantic(pa, pb) }
	})
}

func BenchmarkHTML(b *testing.B) {
	benchmark(b, func(p pair) func() {
		d := Lines(Text{"a", p.a}, Text{"b", p.b})
		return func() {
			if err := d.HTML(io.Discard, HTMLOptions{Context: 3}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The programs of the benchmarks are what they are said to be.
func TestGenerate(t *testing.T) {
	pairs := generate(1 << 16)
	calls := strings.Count(pairs[0].b, "call note")
	for _, p := range pairs[:2] {
		got := compare(t, p.a, p.b).Total()
		if want := (Stat{Inserted: 2 * calls, Calls: calls}); got.Inserted != want.Inserted || got.Calls != want.Calls || got.Removed+got.Changed > 0 {
			t.Errorf("%s: %+v, want %+v", p.name, got, want)
		}
	}
}
