package static

import (
	"fmt"
	"testing"
)

// TestStepsThroughWiderRegisters: an index that each round of a loop moves by the number of threads, also where it is
// converted to a wider type in between, which leaves its lower bits as they are. A narrower type in between cuts it
// off.
func TestStepsThroughWiderRegisters(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	loop := func(through, by string) string {
		return kernelText("mov.u32 %r6, %r5; mov.u32 %r7, %nctaid.x; mul.lo.s32 %r7, %r7, %r4; mov.u32 %r20, 0;\nA:\n setp.ge.u32 %p1, %r6, %r1; @%p1 bra B; " +
			"mul.wide.u32 %rd4, %r6, 4; add.s64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r6; " + through + " add.s32 %r6, %r8, " + by + "; bra A;\nB:")
	}
	for _, c := range []struct {
		name, through, by string
		clean             bool
	}{
		{"unsigned", "cvt.u64.u32 %rd5, %r6; cvt.u32.u64 %r8, %rd5;", "%r7", true},
		{"signed", "cvt.s64.s32 %rd5, %r6; cvt.u32.u64 %r8, %rd5;", "%r7", true},
		{"with a sum in the wider type", "cvt.u64.u32 %rd5, %r6; add.s64 %rd5, %rd5, 0; cvt.u32.u64 %r8, %rd5;", "%r7", true},
		{"with a sum in the wider type that moves it", "cvt.u64.u32 %rd5, %r6; add.s64 %rd5, %rd5, -1; cvt.u32.u64 %r8, %rd5;", "%r7", false},
		{"by one thread too few", "cvt.u64.u32 %rd5, %r6; cvt.u32.u64 %r8, %rd5; add.s32 %r8, %r8, -1;", "%r7", false},
		{"unsigned, of 16 bits", "cvt.u16.u32 %rs1, %r6; cvt.u32.u16 %r8, %rs1;", "%r7", false},
		{"unsigned, of 16 bits in a wider register", "cvt.u16.u32 %r9, %r6; cvt.u32.u16 %r8, %r9;", "%r7", false},
		{"the upper half", "cvt.u64.u32 %rd5, %r6; shr.u64 %rd5, %rd5, 32; cvt.u32.u64 %r8, %rd5;", "%r7", false},
	} {
		r := analyzeText(t, withRegisters(loop(c.through, c.by), ".reg .b16 %rs<3>;"), oneLaunch(), Options{})
		if (r.Verdict == Clean) != c.clean {
			t.Errorf("%s: %s\n%s", c.name, r.Verdict, describe(r))
		}
	}
}

// TestStepsOfSeveralConstants: rounds add one of two constants to the thread's index, as its parity says, and threads
// store at what they have. Constants of one sign, of both and with 0 lead threads to the elements of others, unless
// they are multiples of the stride.
func TestStepsOfSeveralConstants(t *testing.T) {
	for _, c := range []struct {
		stride, even, odd int
		clean             bool
	}{
		{1, 1, 2, false},
		{1, -1, -2, false},
		{1, 0, 1, false},
		{1, -1, 1, false},
		{2, 2, 6, false},
		{2, 3, 5, false},
		{1, 256, 512, true},
		{1, -256, -512, true},
		{1, 0, 256, true},
		{1, -256, 256, true},
		{1, 256, 255, false},
	} {
		body := fmt.Sprintf("mad.lo.s32 %%r6, %%r2, %d, 2048; and.b32 %%r7, %%r2, 1; setp.eq.s32 %%p1, %%r7, 0; mov.u32 %%r20, 0;\nA:\n"+
			"mul.wide.s32 %%rd4, %%r6, 4; add.s64 %%rd4, %%rd1, %%rd4; st.global.u32 [%%rd4], %%r2; @%%p1 bra B; add.s32 %%r6, %%r6, %d; bra C;\nB:\n add.s32 %%r6, %%r6, %d;\nC:\n"+
			"add.s32 %%r20, %%r20, 1; setp.lt.s32 %%p2, %%r20, 4; @%%p2 bra A;", c.stride, c.odd, c.even)
		r := analyzeText(t, kernelText(body), launchOf(0), Options{})
		if (r.Verdict == Clean) != c.clean {
			t.Errorf("%+v: %s\n%s", c, r.Verdict, describe(r))
		}
	}
}
