package static

import "testing"

// TestRaceInCase: a halving distance that starts from a number of the host. Without a barrier between the rounds,
// threads race with typical numbers; with one they do not, whatever the number.
func TestRaceInCase(t *testing.T) {
	rounds := func(barrier string) string {
		return kernelText("mul.wide.u32 %rd5, %r2, 4; add.s64 %rd2, %rd1, %rd5; shr.s32 %r7, %r1, 1; " +
			"loop: setp.lt.s32 %p1, %r7, 1; @%p1 bra done; " + barrier + " setp.ge.s32 %p2, %r2, %r7; @%p2 bra next; " +
			"mul.wide.s32 %rd6, %r7, 4; add.s64 %rd7, %rd2, %rd6; ld.global.u32 %r8, [%rd7]; st.global.u32 [%rd2], %r8; " +
			"next: shr.s32 %r7, %r7, 1; bra loop; done:")
	}
	g := launchOf(0)
	g.Facts = g.Facts[:len(g.Facts)-1] // the number is not known
	if r := analyzeText(t, rounds(""), g, Options{}); r.Verdict != Racy {
		t.Errorf("without a barrier: %s\n%s", r.Verdict, describe(r))
	}
	if r := analyzeText(t, rounds("bar.sync 0;"), g, Options{}); r.Verdict == Racy {
		t.Errorf("with a barrier: %s\n%s", r.Verdict, describe(r))
	}
	for n, want := range map[int64]Verdict{2: Possible, 3: Possible, 4: Racy, 64: Racy} { // of 2, a single thread takes part
		r := analyzeText(t, rounds(""), launchOf(n), Options{})
		if (r.Verdict == Racy) != (want == Racy) {
			t.Errorf("of %d without a barrier: %s\n%s", n, r.Verdict, describe(r))
		}
	}
}
