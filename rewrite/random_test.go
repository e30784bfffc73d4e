package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomKernel writes a structured kernel over a few registers: assignments, guarded
// ones too, branches, loops with a limit and jumps out of them.
func randomKernel(rnd *rand.Rand, statements int, end string) string {
	g := &generator{rnd: rnd, left: statements}
	g.line(".reg .b32 %%r<5>; .reg .b32 %%n<40>; .reg .pred %%p<4>;")
	for i := range 5 {
		g.line("mov.u32 %%r%d, %d;", i, i)
	}
	for i := range 4 {
		g.line("setp.eq.u32 %%p%d, %%r0, %d;", i, i)
	}
	g.line("mov.u32 %%r4, %%tid.x;\nsetp.lt.u32 %%p3, %%r4, 3;")
	g.block(0, "")
	return g.String() + end
}

type generator struct {
	strings.Builder
	rnd           *rand.Rand
	left          int
	labels, loops int
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.Builder, format+"\n", args...)
}

func (g *generator) label() string {
	g.labels++
	return fmt.Sprintf("L%d", g.labels)
}

func (g *generator) reg() string  { return fmt.Sprintf("%%r%d", g.rnd.IntN(5)) }
func (g *generator) pred() string { return fmt.Sprintf("%%p%d", g.rnd.IntN(4)) }

// block writes statements; out is the label behind the innermost loop.
func (g *generator) block(depth int, out string) {
	for range 1 + g.rnd.IntN(4) {
		if g.left--; g.left < 0 {
			return
		}
		switch k := g.rnd.IntN(12); {
		case k < 2:
			g.line("mov.u32 %s, %s;", g.reg(), []string{"%tid.x", "%ctaid.x", "3", "7", "%laneid", "%ntid.x"}[g.rnd.IntN(6)])
		case k < 4:
			g.line("add.u32 %s, %s, %s;", g.reg(), g.reg(), g.reg())
		case k < 5:
			g.line("@%s add.u32 %s, %s, 1;", g.pred(), g.reg(), g.reg())
		case k < 6:
			g.line("and.b32 %s, %s, %d;", g.reg(), g.reg(), 1<<g.rnd.IntN(4)-1)
		case k < 8:
			g.line("setp.lt.u32 %s, %s, %d;", g.pred(), g.reg(), 1+g.rnd.IntN(20))
		case k < 10 && depth < 4:
			g.branch(depth, out)
		case k < 11 && depth < 4 && g.loops < 40:
			g.loop(depth)
		case k < 12 && out != "":
			g.line("@%s bra %s;", g.pred(), out)
		}
	}
}

func (g *generator) branch(depth int, out string) {
	other, end := g.label(), g.label()
	g.line("@%s bra %s;", g.pred(), other)
	g.block(depth+1, out)
	if g.rnd.IntN(2) == 0 {
		g.line("bra %s;", end)
	}
	g.line("%s:", other)
	g.block(depth+1, out)
	g.line("%s:", end)
}

func (g *generator) loop(depth int) {
	top, out, n := g.label(), g.label(), g.loops
	g.loops++
	g.line("mov.u32 %%n%d, 0;", n)
	g.line("%s:", top)
	g.block(depth+1, out)
	g.line("add.u32 %%n%d, %%n%d, 1;", n, n)
	if g.rnd.IntN(2) == 0 {
		g.line("setp.lt.u32 %%p0, %%n%d, %s;", n, g.reg())
		g.line("@!%%p0 bra %s;", out)
	}
	g.line("setp.lt.u32 %%p1, %%n%d, 4;", n)
	g.line("@%%p1 bra %s;", top)
	g.line("%s:", out)
}

// randomKernels calls f for a number of random kernels.
func randomKernels(t *testing.T, count, statements int, f func(t *testing.T, k *Func)) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(11, 13))
	for range count {
		text := randomKernel(rnd, statements, "ret;")
		f(t, kernel(t, text))
		if t.Failed() {
			t.Fatal(text)
		}
	}
}
