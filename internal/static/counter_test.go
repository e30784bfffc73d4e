package static

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// The last block sums up what the first threads, or all threads, of all blocks have written; R is the end of what
// thread 0 does.
const (
	ofBlock = "mul.wide.u32 %rd6, %r3, 4; add.s64 %rd6, %rd1, %rd6; "
	leader  = "mov.u32 %r20, %nctaid.x; add.s32 %r21, %r20, -1; setp.ne.u32 %p1, %r2, 0; "
	raised  = "@%p1 bra R; st.global.u32 [%rd6], 7; membar.gl; atom.global.add.u32 %r22, [%rd2], 1; "
	tells   = "setp.eq.u32 %p2, %r22, %r21; selp.u32 %r23, 1, 0, %p2; st.shared.u32 [tile], %r23; membar.gl; R: bar.sync 0; "
	told    = "ld.shared.u32 %r24, [tile]; setp.eq.u32 %p3, %r24, 0; @%p3 bra E; "
	sums    = "ld.global.u32 %r25, [%rd1+4]; st.global.u32 [%rd1+1024], %r25; E:"
	thread0 = "setp.ne.u32 %p2, %r22, %r21; @%p2 bra R; membar.gl; ld.global.u32 %r25, [%rd1+4]; st.global.u32 [%rd1+1024], %r25; R:"
	single  = "setp.ne.u32 %p4, %r2, 0; @%p4 bra E; "
	whole   = ofBlock + leader + raised + tells + told + single + sums
)

// TestCounters: the last block to raise a counter comes behind all others; each case that is not so drops a premise of
// this.
func TestCounters(t *testing.T) {
	change := func(text string, what ...string) string {
		for i := 0; i < len(what); i += 2 {
			if !strings.Contains(text, what[i]) {
				t.Fatalf("no %q in %s", what[i], text)
			}
		}
		return strings.NewReplacer(what...).Replace(text)
	}
	const add = "atom.global.add.u32 %r22, [%rd2], 1; "
	all := change(ofBlock+leader, "%r3, 4", "%r5, 4") + "st.global.u32 [%rd6], 7; bar.sync 0; " + change(raised, "st.global.u32 [%rd6], 7; ", "")
	for _, test := range []struct {
		name, body string
		proved     bool
	}{
		{"told by way of shared memory", whole, true},
		{"the thread itself", ofBlock + leader + raised + thread0, true},
		{"a limit", change(whole, add, "atom.global.inc.u32 %r22, [%rd2], %r20; "), true},
		{"the least limit", change(whole, add, "atom.global.inc.u32 %r22, [%rd2], %r21; "), true},
		{"an acquire and a release", change(whole, "membar.gl; atom", "atom.acq_rel.gpu", "membar.gl; R:", "R:"), true},
		{"at least so many", change(whole, "setp.eq.u32 %p2", "setp.ge.u32 %p2"), true},
		{"all threads write", all + tells + told + single + sums, true},
		{"a loop with barriers before", "mov.u32 %r30, 0; L: bar.sync 0; add.u32 %r30, %r30, 1; setp.lt.u32 %p9, %r30, 4; @%p9 bra L; " + whole, true},
		{"a loop with barriers before, of other rounds in other threads", "mov.u32 %r30, 0; L: bar.sync 0; add.u32 %r30, %r30, 1; setp.lt.u32 %p9, %r30, %r2; @%p9 bra L; " + whole, false},
		{"back to zero", change(whole, "E:", "st.global.u32 [%rd2], 0; E:"), true},
		{"each thread", "mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], 7; membar.gl; " + add + "setp.ne.u32 %p2, %r22, 1023; @%p2 bra E; membar.gl; " + sums, true},
		{"each thread, one too early", "mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], 7; membar.gl; " + add + "setp.ne.u32 %p2, %r22, 1022; @%p2 bra E; membar.gl; " + sums, false},

		{"no fence before", change(whole, "membar.gl; atom", "atom"), false},
		{"a fence of the block before", change(whole, "membar.gl; atom", "membar.cta; atom"), false},
		{"no fence behind", change(whole, "membar.gl; R:", "R:"), false},
		{"a fence of the block behind", change(whole, "membar.gl; R:", "membar.cta; R:"), false},
		{"a fence.sc of another thread behind", change(whole, "membar.gl; R:", "R:", "@%p4 bra E; ", "@%p4 bra E; membar.gl; "), true},
		{"a fence of another thread behind", change(whole, "membar.gl; R:", "R:", "@%p4 bra E; ", "@%p4 bra E; fence.acq_rel.gpu; "), false},
		{"a fence.sc of another thread behind what is not one", change(whole, "membar.gl; atom", "fence.acq_rel.gpu; atom", "membar.gl; R:", "R:", "@%p4 bra E; ", "@%p4 bra E; membar.gl; "), false},
		{"a fence.sc of another thread behind, of the block", change(whole, "membar.gl; R:", "R:", "@%p4 bra E; ", "@%p4 bra E; membar.cta; "), false},
		{"a fence.sc before the load alone", change(whole, "membar.gl; R: bar.sync 0; ", "R: membar.gl; bar.sync 0; "), true},
		{"an atomic operation of the block", change(whole, "atom.global", "atom.cta.global"), false},
		{"no atomic operation", change(whole, add, "ld.global.u32 %r22, [%rd2]; add.u32 %r26, %r22, 1; st.global.u32 [%rd2], %r26; "), false},
		{"a sum in floating point", change(whole, add, "mov.b32 %r26, 1; atom.global.add.f32 %r22, [%rd2], %r26; "), false},
		{"two sums of packed values", change(whole, add, "mov.b32 %r26, 1; atom.global.add.noftz.f16x2 %r22, [%rd2], %r26; "), false},
		{"by two", change(whole, "[%rd2], 1", "[%rd2], 2"), false},
		{"a limit too low", change(whole, add, "atom.global.inc.u32 %r22, [%rd2], 2; "), false},
		{"one too early", change(whole, "%r20, -1", "%r20, -2"), false},
		{"not the last", change(whole, "setp.eq.u32 %p2", "setp.ne.u32 %p2"), false},
		{"two threads raise", change(whole, "setp.ne.u32 %p1, %r2, 0", "setp.gt.u32 %p1, %r2, 1"), false},
		{"a thread raises twice", change(whole, add, add+"atom.global.add.u32 %r27, [%rd2], 1; "), false},
		{"a thread raises in a loop", change(whole, add, "mov.u32 %r30, 0; L: "+add+"add.u32 %r30, %r30, 1; setp.lt.u32 %p9, %r30, 2; @%p9 bra L; "), false},
		{"somebody else writes to it", change(whole, "R: bar.sync 0; ", "R: bar.sync 0; atom.global.exch.b32 %r28, [%rd2], 3; "), false},
		{"a counter for each block", change(whole, leader, "mul.wide.u32 %rd7, %r3, 4; add.s64 %rd2, %rd2, %rd7; "+leader), false},
		{"a write behind the raise", change(whole, "R: bar.sync 0; ", "st.global.u32 [%rd6], 8; R: bar.sync 0; "), false},
		{"no barrier between", change(whole, "R: bar.sync 0; ", "R: "), false},
		{"a barrier of the warp", change(whole, "R: bar.sync 0; ", "R: bar.warp.sync -1; "), false},
		{"all threads write, no barrier", change(all+tells+told+single+sums, "bar.sync 0; "+leaderTail, leaderTail), false},
		{"all threads write, a fence.sc before the barrier", change(all+tells+told+single+sums, "bar.sync 0; "+leaderTail, "membar.gl; bar.sync 0; "+change(leaderTail, "membar.gl; ", "")), true},
		{"all threads write, a fence before the barrier", change(all+tells+told+single+sums, "bar.sync 0; "+leaderTail, "fence.acq_rel.gpu; bar.sync 0; "+change(leaderTail, "membar.gl; ", "")), false},
		{"all threads write, a fence.sc before the barrier, another fence behind", change(all+tells+told+single+sums, "bar.sync 0; "+leaderTail, "membar.gl; bar.sync 0; "+change(leaderTail, "membar.gl; ", ""), "membar.gl; R:", "fence.acq_rel.gpu; R:"), false},
		{"another word is read", change(whole, "%r24, [tile]", "%r24, [tile+4]"), false},
		{"two threads tell", change(whole, "R: bar.sync 0; ", "R: setp.eq.u32 %p8, %r2, 33; @%p8 st.shared.u32 [tile], 1; bar.sync 0; "), false},
		{"the first thread may have ended", change(whole, leader, "setp.eq.u32 %p7, %r2, %r1; @%p7 bra E; "+leader), false},
		{"only some blocks raise", change(whole, "@%p1 bra R; ", "setp.eq.u32 %p7, %r3, 1; or.pred %p1, %p1, %p7; @%p1 bra R; "), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := strings.NewReplacer("R:", "R:\n", "E:", "E:\n", "L:", "L:\n").Replace(test.body)
			if r := analyzeText(t, kernelText(body), oneLaunch(), Options{}); (r.Verdict == Clean) != test.proved {
				t.Errorf("%s, want proved: %t\n%s", r.Verdict, test.proved, describe(r))
			}
		})
	}
}

// TestGridBarriers: what comes before an increment comes before what follows a wait for the increments of all blocks.
func TestGridBarriers(t *testing.T) {
	const (
		own    = "mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], 7; mov.u32 %r20, %nctaid.x; setp.ne.u32 %p1, %r2, 0; bar.sync 0; @%p1 bra R; "
		raise  = "membar.gl; atom.global.add.u32 %r22, [%rd2], 1; "
		wait   = "L: ld.volatile.global.u32 %r23, [%rd2]; setp.lt.u32 %p2, %r23, %r20; @%p2 bra L; membar.gl; "
		read   = "R: bar.sync 0; sub.u32 %r24, 1023, %r5; mul.wide.u32 %rd7, %r24, 4; add.s64 %rd7, %rd1, %rd7; ld.global.u32 %r25, [%rd7]; "
		thread = "setp.ne.u32 %p1, %r2, 0; @%p1 bra R; mul.wide.u32 %rd6, %r3, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], 7; mov.u32 %r20, %nctaid.x; " + raise + wait + "ld.global.u32 %r25, [%rd1+4]; R: "
		each   = "mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], 7; mov.u32 %r20, 1024; " + raise + wait + "ld.global.u32 %r25, [%rd1+4]; "
		whole  = own + raise + wait + read
	)
	for _, c := range []struct {
		name, text, old, now string
		want                 bool
	}{
		{"a barrier of the grid", whole, "", "", true},
		{"until they are as many", whole, "setp.lt.u32", "setp.ne.u32", true},
		{"read by an addition of nothing", whole, "ld.volatile.global.u32 %r23, [%rd2];", "atom.global.add.u32 %r23, [%rd2], 0;", true},
		{"read by an acquire", whole, "@%p2 bra L; membar.gl;", "@%p2 bra L; fence.acq_rel.gpu;", true},
		{"one thread of each block", thread, "", "", true},
		{"each thread", each, "", "", true},
		{"no fence before", whole, "membar.gl; atom", "atom", false},
		{"a fence of the block before", whole, "membar.gl; atom", "membar.cta; atom", false},
		{"no fence behind", whole, "bra L; membar.gl;", "bra L;", false},
		{"a fence of the block behind", whole, "bra L; membar.gl;", "bra L; membar.cta;", false},
		{"a fence in the loop alone", whole, "L: ld.volatile.global.u32 %r23, [%rd2]; setp.lt.u32 %p2, %r23, %r20; @%p2 bra L; membar.gl;", "L: fence.acq_rel.gpu; ld.volatile.global.u32 %r23, [%rd2]; setp.lt.u32 %p2, %r23, %r20; @%p2 bra L;", false},
		{"until one less", whole, "mov.u32 %r20, %nctaid.x;", "mov.u32 %r20, %nctaid.x; add.s32 %r20, %r20, -1;", false},
		{"until any", whole, "setp.lt.u32", "setp.eq.u32", false},
		{"a way out of the wait", whole, "setp.lt.u32", "setp.eq.u32 %p3, %r23, 2; @%p3 bra R; setp.lt.u32", false},
		{"read once", whole, "@%p2 bra L;", "", false},
		{"read weakly", whole, "ld.volatile.global", "ld.global", false},
		{"read with the scope of the block", whole, "ld.volatile.global", "ld.relaxed.cta.global", false},
		{"another word is read", whole, "ld.volatile.global.u32 %r23, [%rd2];", "ld.volatile.global.u32 %r23, [%rd2+4];", false},
		{"raised by two", whole, "[%rd2], 1;", "[%rd2], 2;", false},
		{"raised by two threads", whole, "setp.ne.u32 %p1, %r2, 0;", "setp.gt.u32 %p1, %r2, 1;", false},
		{"raised twice", whole, raise, raise + "atom.global.add.u32 %r26, [%rd2], 1; ", false},
		{"set by another", whole, raise, raise + "setp.eq.u32 %p5, %r3, 1; @%p5 atom.global.exch.b32 %r26, [%rd2], 4; ", false},
		{"no barrier before", whole, "bar.sync 0; @%p1", "@%p1", false},
		{"no barrier behind", whole, "R: bar.sync 0;", "R: ", false},
		{"written again behind", whole, "R: bar.sync 0;", "R: bar.sync 0; st.global.u32 [%rd6], 8;", false},
		{"some blocks do not wait", whole, "L: ld", "setp.eq.u32 %p6, %r3, 1; @%p6 bra R; L: ld", false},
		{"a second round", "mov.u32 %r40, 0; B: " + whole + "add.u32 %r40, %r40, 1; setp.lt.u32 %p9, %r40, 2; @%p9 bra B;", "", "", false},
		{"one thread, until one less", thread, "setp.lt.u32 %p2, %r23, %r20;", "add.u32 %r23, %r23, 1; setp.lt.u32 %p2, %r23, %r20;", false},
		{"each thread, until there is one for each block", each, "mov.u32 %r20, 1024;", "mov.u32 %r20, %nctaid.x;", false},
	} {
		text := c.text
		if c.old != "" {
			text = replaceIn(t, text, c.old, c.now)
		}
		text = strings.NewReplacer("R:", "R:\n", "L:", "L:\n", "B:", "B:\n").Replace(text)
		r := analyzeText(t, kernelText(text), oneLaunch(), Options{ProofOnly: true})
		if got := r.Verdict == Clean; got != c.want {
			t.Errorf("%s: %s, proved is to be %t\n%s", c.name, r.Verdict, c.want, describe(r))
		}
	}
	g := oneLaunch()
	g.Pointers[facts.Param{Index: 1}] = facts.Pointer{Buffer: "q", Offset: expr.Const(0)}
	if r := analyzeText(t, kernelText(strings.NewReplacer("R:", "R:\n", "L:", "L:\n").Replace(whole)), g, Options{ProofOnly: true}); r.Verdict == Clean {
		t.Error("it is not known what the counter starts with, and the barrier counts")
	}
}

// leaderTail is what thread 0 does when all threads have written.
const leaderTail = "@%p1 bra R; membar.gl; atom"

// describe is the pairs that are not proved.
func describe(r *Result) string {
	var out strings.Builder
	for _, p := range r.Pairs {
		if p.Verdict != Clean {
			out.WriteString(p.First.Inst.Text() + " | " + p.Second.Inst.Text() + " " + p.Verdict.String() + " " + p.Reason + "\n")
		}
	}
	return out.String()
}

// TestCounterStarts: what a counter starts with, and how many blocks there may be, are facts.
func TestCounterStarts(t *testing.T) {
	text := kernelText(strings.NewReplacer("R:", "R:\n", "E:", "E:\n").Replace(whole))
	q := facts.Param{Index: 1}
	for name, drop := range map[string]func(g *facts.Given){
		"unknown": func(g *facts.Given) { g.Pointers[q] = facts.Pointer{Buffer: "q", Offset: expr.Const(0)} },
		"one": func(g *facts.Given) {
			p := g.Pointers[q]
			p.Initial = expr.Const(1)
			g.Pointers[q] = p
		},
		"blocks in two dimensions": func(g *facts.Given) {
			for i := range g.Facts {
				if f := &g.Facts[i]; f.Var == "nctaid.y" {
					f.Value, f.Formula = expr.Const(2), expr.Eq(facts.Dim("nctaid", 'y'), expr.Const(2))
				}
			}
		},
	} {
		g := oneLaunch()
		drop(g)
		if r := analyzeText(t, text, g, Options{}); r.Verdict == Clean {
			t.Errorf("%s: %s", name, r.Verdict)
		}
	}
	r := analyzeText(t, text, oneLaunch(), Options{})
	if !strings.Contains(strings.Join(r.Needed, "\n"), "q starts with 0") {
		t.Errorf("needed %q", r.Needed)
	}
}
