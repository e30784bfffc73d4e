package static

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// A sum over a block: %r9 is the distance, %r10 the address of the thread's own element, which is the first of two
// that it adds. ways replaces labels by such at the start of a line.
var ways = strings.NewReplacer("A:", "A:\n", "B:", "B:\n", "C:", "C:\n", "D:", "D:\n")

const (
	sum   = "shl.b32 %r12, %r9, 2; add.s32 %r12, %r10, %r12; ld.shared.u32 %r6, [%r12]; st.shared.u32 [%r10], %r6;"
	halve = own32 + "st.shared.u32 [%r10], 1; bar.sync 0; ld.param.u32 %r14, [n]; and.b32 %r14, %r14, 511; setp.lt.u32 %p2, %r14, 2; @%p2 bra C; shr.u32 %r9, %r14, 1;" +
		"A: setp.ge.u32 %p1, %r2, %r9; @%p1 bra B;" + sum + "B: bar.sync 0; setp.gt.u32 %p2, %r9, 65; shr.u32 %r9, %r9, 1; @%p2 bra A;"
	behind = "C: setp.gt.u32 %p3, %r2, 31; @%p3 bra D; ld.shared.u32 %r7, [%r10+128]; D:"
	double = own32 + "st.shared.u32 [%r10], 1; bar.sync 0; mov.u32 %r13, %ntid.x; mov.u32 %r9, 1;" +
		"A: shl.b32 %r11, %r9, 1; rem.u32 %r12, %r2, %r11; setp.ne.s32 %p1, %r12, 0; @%p1 bra B;" + sum + "B: bar.sync 0; setp.lt.u32 %p2, %r11, %r13; mov.u32 %r9, %r11; @%p2 bra A;"
	// nested has a distance that is halved from one that doubles: the network of a bitonic sort.
	nested = own32 + "st.shared.u32 [%r10], 1; mov.u32 %r13, %ntid.x; mov.u32 %r9, 2;" +
		"A: shr.u32 %r14, %r9, 1;" +
		"B: bar.sync 0; xor.b32 %r15, %r2, %r14; setp.le.u32 %p1, %r15, %r2; @%p1 bra C;" +
		"shl.b32 %r12, %r15, 2; mov.u32 %r11, tile; add.s32 %r12, %r11, %r12; ld.shared.u32 %r6, [%r12]; ld.shared.u32 %r7, [%r10]; st.shared.u32 [%r10], %r6; st.shared.u32 [%r12], %r7;" +
		"C: shr.u32 %r14, %r14, 1; setp.ne.u32 %p2, %r14, 0; @%p2 bra B; shl.b32 %r9, %r9, 1; setp.le.u32 %p2, %r9, %r13; @%p2 bra A;"
)

// A scan of 512 elements by 256 threads: %r9 is the distance, %r14 the number of threads that work. The way down starts
// from the distance that the way up ended with.
const (
	sweep     = "shl.b32 %r15, %r2, 1; add.s32 %r15, %r15, 1; mul.lo.s32 %r15, %r15, %r9; add.s32 %r16, %r15, %r9; shl.b32 %r15, %r15, 2; shl.b32 %r16, %r16, 2; mov.u32 %r11, tile; add.s32 %r15, %r11, %r15; add.s32 %r16, %r11, %r16; ld.shared.u32 %r6, [%r15+-4]; ld.shared.u32 %r7, [%r16+-4]; st.shared.u32 [%r16+-4], %r6;"
	sweepUp   = "mov.u32 %r13, %ntid.x; mov.u32 %r14, %r13; mov.u32 %r9, 1; A: bar.sync 0; setp.ge.u32 %p1, %r2, %r14; @%p1 bra B;" + sweep + "B: shl.b32 %r9, %r9, 1; shr.u32 %r14, %r14, 1; setp.ne.u32 %p2, %r14, 0; @%p2 bra A;"
	sweepDown = "mov.u32 %r14, 1; C: bar.sync 0; shr.u32 %r9, %r9, 1; setp.ge.u32 %p1, %r2, %r14; @%p1 bra D;" + sweep + "st.shared.u32 [%r15+-4], %r7; D: shl.b32 %r14, %r14, 1; setp.le.u32 %p2, %r14, %r13; @%p2 bra C;"
)

// TestLoopsWithBarriers: where threads are that have come to one barrier, and values that double and halve.
func TestLoopsWithBarriers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	exchange := "st.shared.u32 [%r10], %r2; bar.sync 0; setp.ge.u32 %p1, %r2, 100; @%p1 bra B; ld.shared.u32 %r6, [%r10+4]; B:"
	rounds := own32 + "ld.param.u32 %r14, [n]; mov.u32 %r9, 0; A:" + exchange + "%s add.s32 %r9, %r9, 1; setp.lt.s32 %p2, %r9, %r14; @%p2 bra A; st.shared.u32 [%r10], 7;"
	for _, c := range []struct {
		name, body string
		want       Verdict
	}{
		{"read behind a loop that all leave in one round", halve + behind, Clean},
		{"read behind a loop whose last round has no barrier", strings.Replace(halve, "B: bar.sync 0;", "bar.sync 0; B:", 1) + behind, Possible},
		{"read behind a loop that threads leave in different rounds", strings.Replace(halve, "%p2, %r9, 65", "%p2, %r9, %r2", 1) + behind, Possible},
		{"write behind a loop, and a read behind a barrier at its end", strings.Replace(rounds, "%s", "bar.sync 0;", 1), Clean},
		{"write behind a loop, and a read of its last round", strings.Replace(rounds, "%s", "", 1), Racy},
		{"read of threads that leave a loop to their end", own32 + "mov.u32 %r9, 0; A: st.shared.u32 [%r10], %r9; bar.sync 0; setp.eq.u32 %p1, %r2, %r9; @%p1 bra D; add.s32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 8; @%p2 bra A; ret; D: ld.shared.u32 %r6, [%r10+4];", Racy},
		{"read of all threads behind a loop", own32 + "mov.u32 %r9, 0; A: st.shared.u32 [%r10], %r9; bar.sync 0; setp.eq.u32 %p1, %r2, %r9; @%p1 bra B; add.s32 %r6, %r6, 1; B: add.s32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 8; @%p2 bra A; ld.shared.u32 %r6, [%r10+4];", Clean},
		{"distance that doubles", double, Clean},
		{"distance that doubles, threads of a round too dense", strings.Replace(double, "rem.u32 %r12, %r2, %r11", "rem.u32 %r12, %r2, %r9", 1), Racy},
		{"index times a distance that doubles", strings.Replace(double32, "A:", "bar.sync 0; A:", 1), Clean},
		{"distances of a bitonic sort", nested, Clean},
		{"distances of a bitonic sort, without the barrier", strings.Replace(nested, "bar.sync 0;", "", 1), Racy},
		{"scan, up", sweepUp, Clean},
		{"scan, up and down", sweepUp + sweepDown, Clean},
		{"scan, up, without the barrier", strings.Replace(sweepUp, "bar.sync 0;", "", 1), Racy},
		{"scan, up, elements too dense", strings.Replace(sweepUp, "add.s32 %r16, %r15, %r9;", "mad.lo.s32 %r16, %r2, %r9, %r9; add.s32 %r16, %r16, %r9;", 1), Racy},
		{"scan, up and down, without the barrier on the way down", sweepUp + strings.Replace(sweepDown, "bar.sync 0;", "", 1), Racy},
		{"scan, up and down, with a distance that two threads share", sweepUp + strings.Replace(sweepDown, "mul.lo.s32 %r15, %r15, %r9;", "shr.u32 %r15, %r15, 2; mad.lo.s32 %r15, %r15, %r9, %r9;", 1), Racy},
	} {
		r := analyzeText(t, kernelText(ways.Replace(c.body)), oneLaunch(), Options{})
		if r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Verdict, c.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}

// TestRounds: an index that grows with the rounds of a loop which host code bounds does not wrap around when host code
// allocates what it is an index of; a proof says so. A number that is made from the rounds otherwise may.
func TestRounds(t *testing.T) {
	n := expr.NewVar(expr.Variable{Name: "h.n", Uniform: true, Lo: big.NewInt(1), Hi: big.NewInt(1<<31 - 1)})
	strided := "setp.lt.s32 %p2, %r1, 1; @%p2 bra B; mov.u32 %r9, 0; A: add.s32 %r10, %r5, %r9; setp.ge.s32 %p1, %r10, %r1; @%p1 bra C; INDEX st.global.u32 [%rd4], %r5; C: add.s32 %r9, %r9, 1536; setp.lt.s32 %p2, %r9, %r1; @%p2 bra A; B:"
	for _, c := range []struct {
		name, index string
		size        *expr.Int
		want        Verdict
	}{
		{"index", "mul.wide.s32 %rd4, %r10, 4; add.s64 %rd4, %rd1, %rd4;", expr.Mul(expr.Const(4), n), Clean},
		{"index, of memory of which nothing is known", "mul.wide.s32 %rd4, %r10, 4; add.s64 %rd4, %rd1, %rd4;", nil, Possible},
		{"masked", "mul.lo.s32 %r11, %r10, 40503; and.b32 %r11, %r11, 255; mul.wide.s32 %rd4, %r11, 4; add.s64 %rd4, %rd1, %rd4;", expr.Mul(expr.Const(4), n), Racy},
	} {
		g := oneLaunch()
		p := g.Pointers[facts.Param{}]
		p.Size = c.size
		g.Pointers[facts.Param{}] = p
		v := facts.ParamVar(2, 0, 32)
		g.Facts = append(g.Facts, facts.Fact{Name: "n", Class: facts.Relations, Var: v.String(), Value: n, Formula: expr.Eq(v, n)})
		r := analyzeText(t, kernelText(ways.Replace(strings.Replace(strided, "INDEX", c.index, 1))), g, Options{})
		if r.Verdict != c.want || c.want == Clean && !strings.Contains(strings.Join(r.Needed, "\n"), "no-wrap: ") {
			t.Errorf("%s: %s, needed %q\n%s", c.name, r.Verdict, r.Needed, describe(r))
		}
	}
}
