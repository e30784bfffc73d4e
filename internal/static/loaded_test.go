package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// loadedCase is a body of the kernel of kernelText, and whether it is to be proved for disjoint pointers and indices
// that do not wrap.
type loadedCase struct {
	name, body string
	want       bool
}

// checkLoaded analyses cases, and returns the results by name.
func checkLoaded(t *testing.T, cases []loadedCase) map[string]*Result {
	t.Helper()
	out := make(map[string]*Result)
	for _, test := range cases {
		r := analyzeText(t, kernelText(test.body), &facts.Given{Disjoint: true}, Options{NoWrap: true})
		if got := r.Verdict == Clean; got != test.want {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
		out[test.name] = r
	}
	return out
}

// replaceIn returns a text in which old, which it has, is replaced.
func replaceIn(t *testing.T, text, old, by string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q is not in %q", old, text)
	}
	return strings.ReplaceAll(text, old, by)
}

// persistent is the loop of persistent threads: the first thread of each block draws the number of a piece of work and
// tells it.
const persistent = "L: bar.sync 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra S; atom.global.add.u32 %r6, [%rd2], 1; st.shared.u32 [tile], %r6; S: bar.sync 1;" +
	"ld.shared.u32 %r7, [tile]; setp.ge.u32 %p2, %r7, %r1; @%p2 bra E; mad.lo.u32 %r8, %r7, %r4, %r2; mul.wide.u32 %rd5, %r8, 4; add.s64 %rd5, %rd1, %rd5;" +
	"st.global.u32 [%rd5], %r2; bra L; E:"

// perThread draws as many elements for a block as it has threads.
const perThread = "add.u32 %r12, %r4, -1; setp.ne.u32 %p1, %r2, 0; @%p1 bra S; atom.global.add.u32 %r6, [%rd2], %r4; st.shared.u32 [tile], %r6; S: bar.sync 1;" +
	"ld.shared.u32 %r7, [tile]; add.u32 %r8, %r7, %r2; mul.wide.u32 %rd5, %r8, 4; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r2;"

// TestToldValues: what the first thread of each block stores for the others is what it makes of the index of the block
// and of what is the same in the launch.
func TestToldValues(t *testing.T) {
	const body = "setp.ne.u32 %p1, %r2, 0; @%p1 bra S; shl.b32 %r6, %r3, 8; st.shared.u32 [tile], %r6; S: bar.sync 0;" +
		"ld.shared.u32 %r7, [tile]; add.s32 %r8, %r7, %r2; mul.wide.u32 %rd5, %r8, 4; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r2;"
	change := func(old, by string) string { return replaceIn(t, body, old, by) }
	for _, c := range []loadedCase{
		{"the first element of the block", body, true},
		{"an index of the first thread", change("%r6, %r3, 8;", "%r6, %r3, 8; add.u32 %r6, %r6, %r2;"), true},
		{"half of it", change("%r6, %r3, 8;", "%r6, %r3, 8; shr.u32 %r6, %r6, 1;"), false},
		{"no barrier", change("bar.sync 0;", ""), false},
		{"stored by two threads", change("setp.ne.u32 %p1, %r2, 0;", "setp.gt.u32 %p1, %r2, 1;"), false},
		{"stored by a thread that may not exist", change("setp.ne.u32 %p1, %r2, 0;", "setp.ne.u32 %p1, %r2, 3;"), false},
		{"stored in some blocks", change("setp.ne.u32 %p1, %r2, 0;", "or.b32 %r11, %r2, %r1; setp.ne.u32 %p1, %r11, 0;"), false},
		{"another value is stored, too", change("bar.sync 0;", "setp.ne.u32 %p4, %r2, 1; @%p4 bra T; st.shared.u32 [tile], 7; T: bar.sync 0;"), false},
		{"another word is loaded", change("%r7, [tile];", "%r7, [tile+4];"), false},
		{"a half of the word is stored", change("st.shared.u32", "st.shared.u16"), false},
		{"in each round, of the round", "mov.u32 %r20, 0; L: " + change("%r6, %r3, 8;", "%r6, %r3, 8; add.u32 %r6, %r6, %r20;") + "bar.sync 0; add.u32 %r20, %r20, 1; setp.lt.u32 %p9, %r20, 3; @%p9 bra L;", false},
		{"in each round", "mov.u32 %r20, 0; L: " + body + "bar.sync 0; add.u32 %r20, %r20, 1; setp.lt.u32 %p9, %r20, 3; @%p9 bra L;", true},
		{"in each round, with a barrier less", "mov.u32 %r20, 0; L: " + body + "add.u32 %r20, %r20, 1; setp.lt.u32 %p9, %r20, 3; @%p9 bra L;", false},
	} {
		g := blocks(4)
		g.Pointers, g.Disjoint = nil, true
		if r := analyzeText(t, kernelText(c.body), g, Options{ProofOnly: true}); (r.Verdict == Clean) != c.want {
			t.Errorf("%s: %s, proved is to be %t\n%s", c.name, r.Verdict, c.want, describe(r))
		}
	}
}

// TestToldTickets: what one thread of each block draws and stores for the others is different in all blocks.
func TestToldTickets(t *testing.T) {
	change := func(old, by string) string { return replaceIn(t, persistent, old, by) }
	const draw = "atom.global.add.u32 %r6, [%rd2], 1;"
	results := checkLoaded(t, []loadedCase{
		{"persistent threads", persistent, true},
		{"without a loop", replaceIn(t, replaceIn(t, persistent, "bra L;", ""), "L:", ""), true},
		{"steps of four", replaceIn(t, change(draw, "atom.global.add.u32 %r6, [%rd2], 4;"), "%r8, %r7, %r4, %r2;", "%r8, %r7, %r4, %r2; shl.b32 %r9, %r4, 1; add.u32 %r9, %r9, %r8;"), true},
		{"no barrier before the store", change("bar.sync 0;", ""), false},
		{"no barrier before the load", change("bar.sync 1;", ""), false},
		{"the counter is set again", change(draw, draw+"@%p3 atom.global.exch.b32 %r10, [%rd2], 0;"), false},
		{"another writer of the counter", change("E:", "E: st.global.u32 [%rd2], %r2;"), false},
		{"nothing is added", change(draw, "atom.global.add.u32 %r6, [%rd2], 0;"), false},
		{"a scope of the block", change(draw, "atom.cta.global.add.u32 %r6, [%rd2], 1;"), false},
		{"half of the ticket", change("st.shared.u32 [tile], %r6;", "shr.u32 %r6, %r6, 1; st.shared.u32 [tile], %r6;"), false},
		{"the ticket modulo 16", change("st.shared.u32 [tile], %r6;", "and.b32 %r6, %r6, 15; st.shared.u32 [tile], %r6;"), false},
		{"another value is stored, too", change("bar.sync 1;", "setp.ne.u32 %p4, %r2, 1; @%p4 bra T; st.shared.u32 [tile], 7; T: bar.sync 1;"), false},
		{"two threads draw", change("setp.ne.u32 %p1, %r2, 0;", "setp.gt.u32 %p1, %r2, 1;"), false},
		{"the thread that draws may not exist", change("setp.ne.u32 %p1, %r2, 0;", "setp.ne.u32 %p1, %r2, 3;"), false},
		{"some blocks do not draw", change("setp.ne.u32 %p1, %r2, 0;", "or.b32 %r11, %r2, %r3; setp.ne.u32 %p1, %r11, 0;"), false},
		{"a ticket for each thread of a block", perThread, true},
		{"a ticket for each thread of a block, less the last", replaceIn(t, perThread, "[%rd2], %r4;", "[%rd2], %r12;"), false},
		{"a ticket for each thread of a block, also drawn by one", perThread + "atom.global.add.u32 %r13, [%rd2], 1;", false},
		{"one element for all threads", change("%r8, %r7, %r4, %r2;", "%r8, %r7, %r4, 0;"), false},
		{"also the next element", change("[%rd5], %r2;", "[%rd5], %r2; st.global.u32 [%rd5+4], %r2;"), false},
		{"a counter of each block", change(draw, "mul.wide.u32 %rd6, %r3, 4; add.s64 %rd6, %rd2, %rd6; atom.global.add.u32 %r6, [%rd6], 1;"), false},
		{"what the launch found in shared memory", change("@%p1 bra S;", "@%p1 bra S; setp.eq.u32 %p5, %r1, 7; @%p5 bra S;"), false},
	})
	if needs := results["persistent threads"].Needed; !slices.ContainsFunc(needs, func(n string) bool { return strings.HasPrefix(n, "tickets: ") }) {
		t.Errorf("needs %v", needs)
	}
}

// TestAgreedLoads: a load that all threads of a block make between the same barriers, at one address into which nobody
// writes there, has one value; a loop that it ends ends for all threads.
func TestAgreedLoads(t *testing.T) {
	const loop = "shl.b32 %r6, %r2, 2; mov.u32 %r7, tile; add.u32 %r7, %r7, %r6;" +
		"L: st.shared.u32 [%r7+64], %r2; setp.ne.u32 %p1, %r2, 0; @%p1 bra S; atom.global.exch.b32 %r8, [%rd2], 0; st.shared.u32 [tile], %r8; S: bar.sync 0;" +
		"ld.shared.u32 %r9, [tile]; ld.shared.u32 %r10, [%r7+68]; bar.sync 1; setp.ne.u32 %p2, %r9, 0; @%p2 bra L;"
	given := &facts.Given{Disjoint: true}
	tests := []loadedCase{
		{"a told end", loop, true},
		{"each thread's own end", replaceIn(t, loop, "ld.shared.u32 %r9, [tile];", "ld.shared.u32 %r9, [%r7+128];"), false},
		{"no barrier behind the load", replaceIn(t, loop, "bar.sync 1;", ""), false},
		{"a volatile load", replaceIn(t, loop, "ld.shared.u32 %r9", "ld.volatile.shared.u32 %r9"), false},
		{"a flag in global memory", replaceIn(t, loop, "ld.shared.u32 %r9, [tile];", "ld.global.u32 %r9, [%rd1];"), true},
		{"a flag in global memory that is written", replaceIn(t, loop, "ld.shared.u32 %r9, [tile];", "ld.global.u32 %r9, [%rd1]; st.global.u32 [%rd1], 0;"), false},
	}
	for _, test := range tests {
		r := analyzeText(t, kernelText(test.body), given, Options{NoWrap: true})
		if got := r.Verdict == Clean && len(r.Divided) == 0; got != test.want {
			t.Errorf("%s: %s, divided at %v, proved is to be %t", test.name, r.Verdict, r.Divided, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}

// TestEqualLoads: weak loads from one address of memory that the kernel does not write return one value in all threads.
func TestEqualLoads(t *testing.T) {
	const (
		flag = "ld.global.u32 %r6, [%rd2]; setp.eq.u32 %p1, %r6, 0; @%p1 bra Z;" + index + "st.global.u32 [%rd3], %r2; bra E; Z:" + index + "st.global.u32 [%rd3+4], %r2; E:"
		map4 = "shr.u32 %r7, %r5, 2; mul.wide.u32 %rd6, %r7, 4; add.s64 %rd6, %rd2, %rd6; ld.global.u32 %r6, [%rd6]; and.b32 %r8, %r5, 3; mad.lo.u32 %r9, %r6, 4, %r8;" +
			"mul.wide.u32 %rd5, %r9, 4; add.s64 %rd5, %rd1, %rd5; ld.global.u32 %r10, [%rd5];"
	)
	checkLoaded(t, []loadedCase{
		{"a flag of the launch", flag, true},
		{"a flag that the kernel writes", flag + "st.global.u32 [%rd2], 1;", false},
		{"a flag that may change", replaceIn(t, flag, "ld.global.u32 %r6", "ld.volatile.global.u32 %r6"), false},
		{"a flag for each thread", replaceIn(t, flag, "ld.global.u32 %r6, [%rd2];", "mul.wide.s32 %rd7, %r5, 4; add.s64 %rd7, %rd2, %rd7; ld.global.u32 %r6, [%rd7];"), false},
		{"only reads", map4, true},
		{"an element of a mapped group", map4 + "st.global.u32 [%rd5], 1;", false}, // two groups may be mapped to one
	})
}

// TestOwnElements: loads of one thread of bytes that only it writes return one value until it writes them.
func TestOwnElements(t *testing.T) {
	const (
		start = "setp.gt.u32 %p9, %r4, 8; @%p9 bra E; shl.b32 %r6, %r2, 2; mov.u32 %r7, tile; add.u32 %r7, %r7, %r6; mul.wide.s32 %rd5, %r5, 4; add.s64 %rd5, %rd2, %rd5;" +
			"ld.global.u32 %r8, [%rd5]; st.shared.u32 [%r7], %r8; bar.sync 0;"
		own   = "ld.shared.u32 %r9, [%r7]; setp.ne.u32 %p1, %r9, 0; @%p1 bra E;"
		pivot = "ld.shared.u32 %r10, [tile+8]; setp.eq.u32 %p2, %r10, 0; @%p2 bra E;"
		write = "st.shared.u32 [%r7], 5; E:"
	)
	checkLoaded(t, []loadedCase{
		{"the owner of the pivot does not write", start + own + pivot + write, true}, // own is 0, and the pivot is not
		{"it writes", start + own + replaceIn(t, pivot, "setp.eq", "setp.ne") + write, false},
		{"it has written in between", start + own + "st.shared.u32 [%r7], 1;" + pivot + write, false},
		{"others write it in between", start + own + "st.shared.u32 [%r7+4], 1;" + pivot + write, false},
		{"a barrier is in between", start + own + "bar.sync 1;" + pivot + write, false},
		{"a volatile load", start + own + replaceIn(t, pivot, "ld.shared", "ld.volatile.shared") + write, false},
	})
}

// TestOrderedElements: facts say that the elements of a buffer are different, or ascending.
func TestOrderedElements(t *testing.T) {
	const (
		at      = "setp.ge.u32 %p1, %r5, %r1; @%p1 bra E; mul.wide.u32 %rd5, %r5, 4; add.s64 %rd5, %rd2, %rd5;"
		mapped  = at + "ld.global.u32 %r6, [%rd5]; mul.wide.u32 %rd6, %r6, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], %r5; E:"
		row     = "mov.u32 %r8, %r6; L: mul.wide.s32 %rd6, %r8, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], %r5; add.s32 %r8, %r8, 1; setp.lt.s32 %p3, %r8, %r7; @%p3 bra L; E:"
		rows    = at + "ld.global.u32 %r6, [%rd5]; ld.global.u32 %r7, [%rd5+4]; setp.ge.s32 %p2, %r6, %r7; @%p2 bra E;" + row
		written = "st.global.u32 [%rd5], 0;"
	)
	tests := []struct {
		name, body string
		order      facts.Order
		want       bool
	}{
		{"a permutation", mapped, facts.Distinct, true},
		{"a permutation of bytes", strings.NewReplacer("mul.wide.u32 %rd5, %r5, 4;", "cvt.u64.u32 %rd5, %r5;", "ld.global.u32", "ld.global.u8").Replace(mapped), facts.Distinct, true},
		{"unknown elements", mapped, "", false},
		{"ascending elements, which may be equal", mapped, facts.Ascending, false},
		{"a permutation, and the next element", strings.Replace(mapped, "st.global.u32 [%rd6]", "st.global.u32 [%rd6+4], 1; st.global.u32 [%rd6]", 1), facts.Distinct, false},
		{"a permutation of pairs", strings.Replace(mapped, "ld.global.u32 %r6, [%rd5];", "ld.global.u32 %r6, [%rd5]; shr.u32 %r6, %r6, 1;", 1), facts.Distinct, false},
		{"one element of a permutation for two threads", "shr.u32 %r5, %r5, 1;" + mapped, facts.Distinct, false},
		{"a permutation that the kernel writes", strings.Replace(mapped, "E:", written+"E:", 1), facts.Distinct, false},
		{"rows", rows, facts.Ascending, true},
		{"rows of unknown starts", rows, "", false},
		{"rows of different starts", rows, facts.Distinct, false},
		{"two rows for each thread", strings.Replace(rows, "[%rd5+4]", "[%rd5+8]", 1), facts.Ascending, false},
		{"rows with their ends", strings.Replace(rows, "setp.lt.s32 %p3", "setp.le.s32 %p3", 1), facts.Ascending, false},
		{"rows that the kernel moves", strings.Replace(rows, "E:", written+"E:", 1), facts.Ascending, false},
	}
	for _, test := range tests {
		given := &facts.Given{Pointers: map[facts.Param]facts.Pointer{
			{Index: 0}: {Buffer: "out", Offset: expr.Const(0)},
			{Index: 1}: {Buffer: "in", Offset: expr.Const(0), Order: test.order, Ordered: "in is ordered"},
		}}
		r := analyzeText(t, kernelText(test.body), given, Options{NoWrap: true})
		if got := r.Verdict == Clean; got != test.want || r.Verdict == Racy {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
		need := "in is ordered, of size 4"
		if strings.Contains(test.body, "ld.global.u8") {
			need = "in is ordered, of size 1"
		}
		if r.Verdict == Clean && !slices.Contains(r.Needed, need) {
			t.Errorf("%s: needs %v", test.name, r.Needed)
		}
	}
}

// TestToldFits: an index of which a told ticket is a factor does not wrap around when a test of the ticket bounds it.
func TestToldFits(t *testing.T) {
	const pixels = "L: bar.sync 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra S; atom.global.add.u32 %r6, [%rd2], 1; st.shared.u32 [tile], %r6; rem.u32 %r7, %r6, 25; div.u32 %r8, %r6, 25; st.shared.u32 [tile+4], %r7; st.shared.u32 [tile+8], %r8; S: bar.sync 1;" +
		"ld.shared.u32 %r9, [tile]; setp.ge.u32 %p2, %r9, 475; @%p2 bra E; ld.shared.u32 %r10, [tile+4]; ld.shared.u32 %r11, [tile+8]; mad.lo.s32 %r12, %r10, 32, %r2;" +
		"mad.lo.s32 %r14, %r11, 800, %r12; mul.wide.s32 %rd5, %r14, 4; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r2; bra L; E:"
	for _, c := range []struct {
		name, old, now string
		want           bool
	}{
		{"pixels", "", "", true},
		{"without the test", "@%p2 bra E;", "", false},
		{"a test for more pieces than there are indices", "%r9, 475;", "%r9, 4000000000;", false},
		{"the test is of another value", "setp.ge.u32 %p2, %r9, 475", "setp.ge.u32 %p2, %r3, 475", false},
		{"rows that overlap", "%r11, 800, %r12", "%r11, 700, %r12", false},
		{"a store to a part of what is told", "S: bar.sync 1;", "st.shared.u8 [tile+7], %r6; S: bar.sync 1;", false},
		{"another divisor", "div.u32 %r8, %r6, 25", "div.u32 %r8, %r6, 26", false},
	} {
		body := pixels
		if c.old != "" {
			body = replaceIn(t, pixels, c.old, c.now)
		}
		g := oneLaunch()
		g.Pointers, g.Disjoint = nil, true
		for i, f := range g.Facts {
			if f.Var == "ntid.x" {
				g.Facts[i].Value, g.Facts[i].Formula = expr.Const(32), expr.Eq(facts.Dim("ntid", 'x'), expr.Const(32))
			}
		}
		if r := analyzeText(t, kernelText(body), g, Options{}); (r.Verdict == Clean) != c.want {
			t.Errorf("%s: %s, proved is to be %t\n%s", c.name, r.Verdict, c.want, describe(r))
		}
	}
}

// TestEqualInBlock: a value on which all threads of a block agree is equal in any two of them; where nobody may write to
// it between the same barriers, it may be by the extents that facts give.
func TestEqualInBlock(t *testing.T) {
	const told = "setp.ne.u32 %p1, %r2, 0; @%p1 bra S; ld.global.u32 %r6, [%rd2]; st.shared.u32 [told], %r6; S: bar.sync 0;" +
		"ld.shared.u32 %r7, [told]; add.s32 %r8, %r7, %r2; mul.wide.s32 %rd5, %r8, 4; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r2;"
	const rounds = "shl.b32 %r9, %r2, 2; mov.u32 %r10, tile; add.u32 %r9, %r9, %r10; setp.ne.u32 %p1, %r2, 0; @%p1 bra S; ld.global.u32 %r6, [%rd2]; st.shared.u32 [told], %r6; S: bar.sync 0;" +
		"ld.shared.u32 %r7, [told]; st.shared.u32 [%r9], %r2; mov.u32 %r11, 0; L: bar.sync 0; ld.shared.u32 %r12, [%r9+4]; bar.sync 0; st.shared.u32 [%r9], %r12;" +
		"add.u32 %r11, %r11, 1; setp.lt.u32 %p2, %r11, %r7; @%p2 bra L;"
	const again = "mov.u32 %r11, 0; L: " + told + "bar.sync 0; add.u32 %r11, %r11, 1; setp.lt.u32 %p2, %r11, 2; @%p2 bra L;"
	for _, c := range []struct {
		name, body, old, now string
		want                 bool
	}{
		{"a told index", told, "", "", true},
		{"no barrier", told, "bar.sync 0;", "", false},
		{"written again", told, "bar.sync 0;", "bar.sync 0; @%p3 st.shared.u32 [told], %r2;", false},
		{"a word of each thread", told, "%r7, [told];", "%r7, [told]; xor.b32 %r7, %r7, %r2;", false},
		{"one element", told, "%r7, %r2;", "%r7, 0;", false},
		{"told in each round", again, "", "", true},
		{"told in each round, with a barrier less", again, "bar.sync 0; add", "add", false},
		{"told rounds", rounds, "", "", true},
		{"told rounds, past the end of the array", rounds, "shl.b32 %r9, %r2, 2;", "shl.b32 %r9, %r2, 3;", false},
		{"told rounds, with a barrier less", rounds, "%r12, [%r9+4]; bar.sync 0;", "%r12, [%r9+4];", false},
		{"told rounds that change", rounds, "L: bar.sync 0;", "L: bar.sync 0; st.shared.u32 [told], %r2;", false},
	} {
		body := c.body
		if c.old != "" {
			body = replaceIn(t, body, c.old, c.now)
		}
		text := strings.Replace(kernelText(strings.NewReplacer("S:", "S:\n", "L:", "L:\n").Replace(body)), ".b8 tile[4096]", ".b8 tile[1028]; .shared .align 4 .u32 told", 1)
		g := blocks(1)
		g.Pointers, g.Disjoint = nil, true
		r := analyzeText(t, text, g, Options{NoWrap: true, ProofOnly: true})
		if got := r.Verdict == Clean; got != c.want {
			t.Errorf("%s: %s, proved is to be %t\n%s", c.name, r.Verdict, c.want, describe(r))
		}
	}
}
