package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
)

// smem puts the address of the tile's element %r2 into %rd4.
const smem = "mov.u64 %rd5, tile; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd5, %rd4;"

const (
	take  = "A: atom.global.cas.b32 %r10, [%rd2], 0, 1; setp.ne.s32 %p1, %r10, 0; @%p1 bra A; membar.gl;"
	give  = "membar.gl; atom.global.exch.b32 %r11, [%rd2], 0;"
	count = "ld.global.u32 %r12, [%rd1]; add.s32 %r12, %r12, 1; st.global.u32 [%rd1], %r12;"
	set   = "membar.gl; atom.global.exch.b32 %r11, [%rd2], 1; bra B;"
	await = "A: ld.volatile.global.u32 %r10, [%rd2]; setp.ne.s32 %p1, %r10, 1; @%p1 bra A; membar.gl;"
	roles = "setp.eq.u32 %p2, %r5, 0; setp.eq.u32 %p3, %r5, 1;"
)

// own32 puts the address of the tile's element %r2 into %r10. halve32 and double32 are trees of sums in the tile.
const (
	own32    = "mov.u32 %r10, tile; shl.b32 %r11, %r2, 2; add.s32 %r10, %r10, %r11;"
	halve32  = "mov.u32 %r9, 128; A: setp.ge.u32 %p1, %r2, %r9; @%p1 bra B; shl.b32 %r12, %r9, 2; add.s32 %r12, %r10, %r12; ld.shared.u32 %r6, [%r12]; st.shared.u32 [%r10], %r6; B: bar.sync 0; shr.u32 %r9, %r9, 1; setp.ne.u32 %p2, %r9, 0; @%p2 bra A;"
	double32 = "mov.u32 %r9, 1; mov.u32 %r13, %ntid.x; mov.u32 %r10, tile; A: mul.lo.s32 %r7, %r9, %r2; shl.b32 %r7, %r7, 1; setp.ge.u32 %p1, %r7, %r13; @%p1 bra B; shl.b32 %r12, %r7, 2; add.s32 %r11, %r10, %r12; shl.b32 %r12, %r9, 2; add.s32 %r12, %r11, %r12; ld.shared.u32 %r6, [%r12]; st.shared.u32 [%r11], %r6; B: bar.sync 0; shl.b32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, %r13; @%p2 bra A;"
)

// TestSynchronization: barriers of blocks and warps, in loops and under conditions, locks and
// flags.
func TestSynchronization(t *testing.T) {
	tests := []struct {
		name, body string
		want       Verdict
		kinds      []kernel.Kind
	}{
		{"barrier between", smem + "st.shared.u32 [%rd4], %r2; bar.sync 0; ld.shared.u32 %r6, [tile];", Clean, nil},
		{"no barrier", smem + "st.shared.u32 [%rd4], %r2; ld.shared.u32 %r6, [tile];", Racy, []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp}},
		{"warp barrier for threads of a block", smem + "st.shared.u32 [%rd4], %r2; bar.warp.sync -1; ld.shared.u32 %r6, [tile];", Racy, []kernel.Kind{kernel.IntraBlock}},
		{"warp barrier for some lanes", smem + "st.shared.u32 [%rd4], %r2; bar.warp.sync 3; ld.shared.u32 %r6, [tile];", Possible, nil},
		{"barrier at the end of a loop only", smem + "mov.u32 %r9, 0; A: ld.shared.u32 %r6, [tile]; st.shared.u32 [%rd4], %r6; bar.sync 0; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 4; @%p1 bra A;", Racy, []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp}},
		{"two barriers in a loop", smem + "mov.u32 %r9, 0; A: ld.shared.u32 %r6, [tile]; bar.sync 0; st.shared.u32 [%rd4], %r6; bar.sync 0; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 4; @%p1 bra A;", Clean, nil},
		{"write after the barrier, read in the next round", smem + "mov.u32 %r9, 0; A: ld.shared.u32 %r6, [tile]; bar.sync 0; st.shared.u32 [%rd4], %r6; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 4; @%p1 bra A;", Racy, []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp}},
		{"halving", smem + "mov.u32 %r9, 128; A: setp.ge.u32 %p1, %r2, %r9; @%p1 bra B; mul.wide.u32 %rd6, %r9, 4; add.s64 %rd6, %rd4, %rd6; ld.shared.u32 %r6, [%rd6]; st.shared.u32 [%rd4], %r6; B: bar.sync 0; shr.u32 %r9, %r9, 1; setp.ne.u32 %p2, %r9, 0; @%p2 bra A;", Clean, nil},
		{"halving, with addresses in registers of 32 bits", own32 + halve32, Clean, nil},
		{"halving, from beyond the width of a register", own32 + "add.s32 %r10, %r10, -2147483648; add.s32 %r10, %r10, -2147483648;" + halve32, Clean, nil},
		{"halving, one thread too many", own32 + strings.Replace(halve32, "ge.u32", "gt.u32", 1), Racy, []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp}},
		{"halving, next to it", own32 + strings.Replace(halve32, "ld.shared.u32 %r6, [%r12]", "ld.shared.u32 %r6, [%r12+-4]", 1), Racy, []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp}},
		{"halving, without a barrier", own32 + strings.Replace(halve32, "bar.sync 0; ", "", 1), Racy, []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp}},
		{"doubling, one element too far", own32 + strings.Replace(double32, "[%r12]", "[%r12+4]", 1), Racy, []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp}},
		{"barrier that some threads come to", smem + "st.shared.u32 [%rd4], %r2; setp.lt.u32 %p1, %r2, 7; @%p1 bra A; bar.sync 0; A: ld.shared.u32 %r6, [tile];", Racy, []kernel.Kind{kernel.IntraWarp}},
		{"threads end before the barrier", smem + "st.shared.u32 [%rd4], %r2; setp.lt.u32 %p1, %r2, 7; @%p1 bra A; bar.sync 0; ld.shared.u32 %r6, [tile]; A:", Possible, nil},
		{"threads that do nothing end before the barrier", smem + "setp.ge.u32 %p1, %r5, 700; @%p1 bra A; st.shared.u32 [%rd4], %r2; bar.sync 0; ld.shared.u32 %r6, [tile]; A:", Clean, nil},
		{"barriers on both sides", smem + "st.shared.u32 [%rd4], %r2; setp.lt.u32 %p1, %r2, 7; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B: ld.shared.u32 %r6, [tile];", Clean, nil},
		{"lock", take + count + give, Clean, nil},
		{"lock without fences", strings.ReplaceAll(take+count+give, "membar.gl; ", ""), Possible, nil},
		{"lock of block scope", strings.ReplaceAll(take, "atom.global", "atom.cta.global") + count + give, Possible, nil},
		{"one lock per thread", "mul.wide.u32 %rd6, %r5, 4; add.s64 %rd2, %rd2, %rd6;" + take + count + give, Possible, nil},
		{"given back before", take + give + count, Possible, nil},
		{"given back by all", take + count + give + "atom.global.exch.b32 %r11, [%rd2], 0;", Possible, nil},
		{"given back twice, in a loop", take + count + "mov.u32 %r13, 0; membar.gl; B: atom.global.exch.b32 %r11, [%rd2], 0; add.u32 %r13, %r13, 1; setp.lt.u32 %p2, %r13, 2; @%p2 bra B;", Possible, nil},
		{"lock whose values are one word", strings.Replace(take, "0, 1; setp.ne.s32 %p1, %r10, 0;", "-1, 4294967295; setp.ne.s32 %p1, %r10, -1;", 1) + count + strings.Replace(give, "0;", "-1;", 1), Possible, nil},
		{"lock whose values are written in two ways", strings.Replace(take, "0, 1; setp.ne.s32 %p1, %r10, 0;", "-1, 1; setp.ne.s32 %p1, %r10, -1;", 1) + count + strings.Replace(give, "0;", "4294967295;", 1), Clean, nil},
		{"given back with the word behind it", take + count + "membar.gl; st.relaxed.gpu.global.v2.u32 [%rd2], {%r10, %r10};", Possible, nil},
		{"flag", roles + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;" + set + await + "ld.global.u32 %r12, [%rd1]; B:", Clean, nil},
		{"flag that is polled by an addition of nothing", roles + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;" + set + strings.Replace(await, "ld.volatile.global.u32 %r10, [%rd2]", "atom.global.add.u32 %r10, [%rd2], 0", 1) + "ld.global.u32 %r12, [%rd1]; B:", Clean, nil},
		{"flag that is polled by an addition of nothing, of block scope", strings.Replace(roles, "%p3, %r5, 1", "%p3, %r5, 256", 1) + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;" + set + strings.Replace(await, "ld.volatile.global.u32 %r10, [%rd2]", "atom.cta.global.add.u32 %r10, [%rd2], 0", 1) + "ld.global.u32 %r12, [%rd1]; B:", Possible, nil},
		{"flag that is handed on", roles + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;" + set + await + "ld.global.u32 %r12, [%rd1]; atom.global.add.u32 %r13, [%rd2], 1; B:", Clean, nil},
		{"flag that is handed on by a store", roles + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;" + set + strings.Replace(await, "ne.s32 %p1, %r10, 1", "eq.s32 %p1, %r10, 0", 1) + "ld.global.u32 %r12, [%rd1]; st.volatile.global.u32 [%rd2], 2; B:", Possible, nil},
		{"flag that a third thread sets with the word before it", "add.s64 %rd2, %rd2, 4; setp.eq.u32 %p4, %r5, 9; @%p4 st.relaxed.gpu.global.v2.u32 [%rd2+-4], {%r4, %r4};" + roles + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;" + set + strings.Replace(await, "ne.s32 %p1, %r10, 1", "eq.s32 %p1, %r10, 0", 1) + "ld.global.u32 %r12, [%rd1]; B:", Possible, nil},
		{"flag without the producer's fence", strings.Replace(roles+"@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;"+set+await+"ld.global.u32 %r12, [%rd1]; B:", "membar.gl; ", "", 1), Possible, nil},
		{"flag that two threads set", strings.Replace(roles+"@%p2 bra S; @%p3 bra A; bra S; S: st.global.u32 [%rd1], 7;"+set+await+"ld.global.u32 %r12, [%rd1]; B:", "st.global.u32 [%rd1], 7;", "@%p2 st.global.u32 [%rd1], 7;", 1), Possible, nil},
	}
	for _, test := range tests {
		body := strings.NewReplacer("A:", "A:\n", "B:", "B:\n", "S:", "S:\n").Replace(test.body)
		r := analyzeText(t, kernelText(body), oneLaunch(), Options{})
		var kinds []kernel.Kind
		for _, p := range r.Pairs {
			if p.Verdict == r.Verdict && r.Verdict == Racy {
				kinds = append(kinds, p.Kinds...)
			}
		}
		slices.Sort(kinds)
		if kinds = slices.Compact(kinds); r.Verdict != test.want || !slices.Equal(kinds, test.kinds) {
			t.Errorf("%s: %s %v, want %s %v", test.name, r.Verdict, kinds, test.want, test.kinds)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}

// TestLockScopes: a lock in global memory, which threads of other blocks take in between, orders two accesses of one
// block only if its operations and fences have a scope that includes those threads.
func TestLockScopes(t *testing.T) {
	const body = take + "st.shared.u32 [tile], %r2;" + give
	for name, test := range map[string]struct {
		body string
		want Verdict
	}{
		"device":              {body, Clean},
		"taken in the block":  {strings.Replace(body, "atom.global.cas", "atom.cta.global.cas", 1), Possible},
		"given in the block":  {strings.Replace(body, "atom.global.exch", "atom.cta.global.exch", 1), Possible},
		"fences in the block": {strings.ReplaceAll(body, "membar.gl", "membar.cta"), Possible},
	} {
		r := analyzeText(t, kernelText(strings.Replace(test.body, "A:", "A:\n", 1)), oneLaunch(), Options{})
		got := Clean
		for _, p := range r.Pairs {
			if strings.HasPrefix(p.First.Inst.Text(), "st.shared") && p.Verdict != Clean {
				got = p.Verdict
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// oneLaunch is what is known of a launch of 4 blocks of 256 threads with two buffers, of which
// the second starts with zeros.
func oneLaunch() *facts.Given {
	g := &facts.Given{Pointers: map[facts.Param]facts.Pointer{
		{Index: 0}: {Buffer: "p", Offset: expr.Const(0), Size: expr.Const(1 << 20), Bound: "in-bounds: p"},
		{Index: 1}: {Buffer: "q", Offset: expr.Const(0), Size: expr.Const(1 << 20), Bound: "in-bounds: q", Initial: expr.Const(0), Init: "q starts with 0"},
	}}
	for _, d := range []byte("xyz") {
		for name, n := range map[string]int64{"ntid": 256, "nctaid": 4} {
			if d != 'x' {
				n = 1
			}
			v := facts.Dim(name, d)
			g.Facts = append(g.Facts, facts.Fact{Name: v.String(), Class: facts.Dims, Var: v.String(), Value: expr.Const(n), Formula: expr.Eq(v, expr.Const(n))})
		}
	}
	return g
}

// TestDivided: a barrier that a branch may keep threads of a block from is named, and no other.
func TestDivided(t *testing.T) {
	for _, c := range []struct {
		name, body string
		divided    int
	}{
		{"all threads", "bar.sync 0;", 0},
		{"threads of a row", "setp.lt.u32 %p1, %r2, 7; @%p1 bra A; bar.sync 0; A:\n", 1},
		{"all or none of a block", "mov.u32 %r9, %ctaid.x; setp.eq.u32 %p1, %r9, 0; @%p1 bra A; bar.sync 0; A:\n", 0},
		{"guarded", "setp.lt.u32 %p1, %r2, 7; @%p1 bar.sync 0;", 1},
		{"not aligned, in both branches", "setp.lt.u32 %p1, %r2, 7; @%p1 bra A; barrier.sync 0; bra B; A:\n barrier.sync 0; B:\n", 0},
		{"others have ended", "setp.lt.u32 %p1, %r2, 7; @%p1 bra A; bar.sync 0; A:\n ret;", 1},
	} {
		r := analyzeText(t, kernelText(smem+"st.shared.u32 [%rd4], %r2;"+c.body), oneLaunch(), Options{ProofOnly: true})
		if len(r.Divided) != c.divided {
			t.Errorf("%s: divided at %q, want %d", c.name, r.Divided, c.divided)
		}
	}
}

// TestNeeded: a proof names the facts that it takes, and without them there is none.
func TestNeeded(t *testing.T) {
	flag := roles + "@%p2 bra S; @%p3 bra A; bra B; S:\n st.global.u32 [%rd1], 7;" + set + strings.Replace(await, "A:", "A:\n", 1) + "ld.global.u32 %r12, [%rd1]; B:\n"
	r := analyzeText(t, kernelText(flag), oneLaunch(), Options{})
	if !slices.Contains(r.Needed, "q starts with 0") {
		t.Errorf("needs %q", r.Needed)
	}
	g := oneLaunch()
	q := g.Pointers[facts.Param{Index: 1}]
	q.Initial = nil
	g.Pointers[facts.Param{Index: 1}] = q
	if r := analyzeText(t, kernelText(flag), g, Options{}); r.Verdict != Possible {
		t.Errorf("%s without knowing what the flag starts with", r.Verdict)
	}
	ofModule := strings.Replace(strings.Replace(kernelText(flag), ".visible", ".global .u32 ready;\n.visible", 1), "ld.param.u64 %rd2, [q];", "mov.u64 %rd2, ready;", 1)
	for want, given := range map[Verdict]*facts.Given{Clean: {First: true, Changed: []string{"other"}}, Possible: {First: true, Changed: []string{"ready"}}} {
		given.Facts, given.Pointers = g.Facts, g.Pointers
		if r := analyzeText(t, ofModule, given, Options{}); r.Verdict != want {
			t.Errorf("a flag of the module: %s with changed variables %q, want %s", r.Verdict, given.Changed, want)
		}
	}
	two := index + "ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd3], %r6;"
	if r := analyzeText(t, kernelText(two), facts.Nothing(), Options{}); r.Verdict != Possible || !strings.Contains(r.Pairs[0].Reason, "overlap") {
		t.Errorf("%s for pointers of which nothing is known: %s", r.Verdict, r.Pairs[0].Reason)
	}
	own := index + "st.global.u32 [%rd3], %r2;"
	if r := analyzeText(t, kernelText(own), facts.Nothing(), Options{}); r.Verdict != Possible || !strings.Contains(r.Pairs[0].Reason, "wrap") {
		t.Errorf("%s for an index of any size: %s", r.Verdict, r.Pairs[0].Reason)
	}
}

// TestDirectives: what a kernel requires or limits is known of its launches, and witnesses keep to it.
func TestDirectives(t *testing.T) {
	shared := smem + "st.shared.u32 [%rd4], %r2; ld.shared.u32 %r6, [tile+256];"
	inEach := "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd3, %rd1, %rd4; st.global.u32 [%rd3], %r2;"
	for _, c := range []struct {
		directive, body string
		want            Verdict
	}{
		{".maxntid 64, 1, 1", shared, Clean},
		{".maxntid 65", shared, Racy},
		{".reqntid 64", shared, Clean},
		{".reqntid 128, 1, 1", shared, Racy},
		{".reqnctapercluster 2, 1, 1", inEach, Racy},
	} {
		text := strings.Replace(kernelText(c.body), "n)\n{", "n) "+c.directive+"\n{", 1)
		r := analyzeText(t, text, facts.Nothing(), Options{})
		if r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.directive, r.Verdict, c.want)
		}
		for _, p := range r.Pairs {
			w := p.Witness
			if w == nil {
				continue
			}
			threads := w.Block[0] * w.Block[1] * w.Block[2]
			switch name, _, _ := strings.Cut(c.directive, " "); {
			case name == ".maxntid" && threads > 65, name == ".reqntid" && threads != 128, name == ".reqnctapercluster" && (w.Grid[0]%2 != 0 || w.Cluster[0] != 2):
				t.Errorf("%s: a witness of %v blocks of %v threads in clusters of %v", c.directive, w.Grid, w.Block, w.Cluster)
			}
		}
	}
}

// TestVariableStarts: a flag that is a variable of the module holds what that says in the first launch only.
func TestVariableStarts(t *testing.T) {
	body := roles + "@%p2 bra S; @%p3 bra A; bra B; S:\n st.global.u32 [%rd1], 7;" + set + strings.Replace(await, "A:", "A:\n", 1) + "ld.global.u32 %r12, [%rd1]; B:\n"
	for _, c := range []struct {
		variable string
		first    bool
		want     Verdict
	}{
		{".global .u32 flag;", true, Clean},
		{".global .u32 flag;", false, Possible},
		{".global .u32 flag = 1;", true, Possible},
		{".global .u32 flag = 3;", true, Clean},
		{".global .u32 flag[4] = {0, 1};", true, Possible},
	} {
		text := strings.Replace(kernelText("mov.u64 %rd2, flag;"+body), ".visible", c.variable+"\n.visible", 1)
		g := oneLaunch()
		g.First = c.first
		r := analyzeText(t, text, g, Options{})
		if named := slices.ContainsFunc(r.Needed, func(s string) bool { return strings.HasPrefix(s, "flag starts with") }); r.Verdict != c.want || named != (c.want == Clean) {
			t.Errorf("%s, first %t: %s, needs %q; want %s", c.variable, c.first, r.Verdict, r.Needed, c.want)
		}
	}
}

// TestFlagSizes: a fact about what a buffer starts with is about elements of 4 bytes: it says what others start with
// only if all bits are equal.
func TestFlagSizes(t *testing.T) {
	flag := func(size, other, condition string) string {
		typed := strings.NewReplacer("TYPE", size, "OTHER", other, "COND", condition, "S:", "S:\n", "A:", "A:\n", "B:", "B:\n")
		return typed.Replace(".reg .OTHER %x<3>;" + roles + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7; membar.gl; mov.OTHER %x1, 2; st.volatile.global.TYPE [%rd2+8], %x1; bra B;" +
			"A: ld.volatile.global.TYPE %x2, [%rd2+8]; setp.COND.TYPE %p1, %x2, START; @%p1 bra A; membar.gl; ld.global.u32 %r12, [%rd1]; B:")
	}
	for _, test := range []struct {
		name, body, awaited string
		start               int64
		want                Verdict
	}{
		{"a word", flag("u32", "b32", "eq"), "1", 1, Clean},
		{"half a word", flag("u16", "b16", "eq"), "1", 1, Possible},
		{"two words", flag("u64", "b64", "eq"), "1", 1, Possible},
		{"half a word of zeros", flag("u16", "b16", "eq"), "0", 0, Clean},
		{"half a word of ones", flag("u16", "b16", "eq"), "65535", -1, Clean},
		{"two words of ones", flag("u64", "b64", "eq"), "-1", -1, Clean},
		{"a word of ones that is not waited for", flag("u32", "b32", "lt"), "100", -1, Possible},
		{"a word of ones, the greatest number", flag("u32", "b32", "gt"), "100", -1, Clean},
	} {
		g := oneLaunch()
		q := g.Pointers[facts.Param{Index: 1}]
		q.Initial = expr.Const(test.start)
		g.Pointers[facts.Param{Index: 1}] = q
		r := analyzeText(t, kernelText(strings.Replace(test.body, "START", test.awaited, 1)), g, Options{})
		if r.Verdict != test.want {
			t.Errorf("%s: %s, want %s", test.name, r.Verdict, test.want)
		}
	}
}
