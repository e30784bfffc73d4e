package static

import (
	"strings"
	"testing"
)

// A thread copies the element %r5 of p to its own of the tile (own32).
const (
	fill  = own32 + "mul.wide.u32 %rd4, %r5, 4; add.s64 %rd4, %rd1, %rd4; cp.async.ca.shared.global [%r10], [%rd4], 4;"
	begin = own32 + "mul.wide.u32 %rd4, %r5, 4; add.s64 %rd4, %rd1, %rd4; ld.param.u32 %r14, [n]; mov.u32 %r9, 0;"
	// twoStages fills one half of the tile while it reads the other; threeStages has two copies in flight.
	twoStages = begin + "cp.async.ca.shared.global [%r10], [%rd4], 4; cp.async.commit_group;" +
		"A: cp.async.wait_group 0; bar.sync 0; add.s32 %r16, %r9, 1; and.b32 %r15, %r16, 1; shl.b32 %r15, %r15, 10; add.s32 %r15, %r10, %r15; cp.async.ca.shared.global [%r15], [%rd4], 4; cp.async.commit_group;" +
		"and.b32 %r15, %r9, 1; shl.b32 %r15, %r15, 10; add.s32 %r15, %r10, %r15; ld.shared.u32 %r6, [%r15]; xor.b32 %r17, %r2, 1; shl.b32 %r17, %r17, 2; and.b32 %r15, %r9, 1; shl.b32 %r15, %r15, 10; add.s32 %r17, %r17, %r15; mov.u32 %r18, tile; add.s32 %r17, %r18, %r17; ld.shared.u32 %r7, [%r17];" +
		"mov.u32 %r9, %r16; setp.lt.u32 %p2, %r9, 100; @%p2 bra A;"
	threeStages = begin + "cp.async.ca.shared.global [%r10], [%rd4], 4; cp.async.commit_group; cp.async.ca.shared.global [%r10+1024], [%rd4], 4; cp.async.commit_group;" +
		"A: cp.async.wait_group 1; bar.sync 0; add.s32 %r16, %r9, 2; rem.u32 %r15, %r16, 3; shl.b32 %r15, %r15, 10; add.s32 %r15, %r10, %r15; cp.async.ca.shared.global [%r15], [%rd4], 4; cp.async.commit_group;" +
		"rem.u32 %r15, %r9, 3; shl.b32 %r15, %r15, 10; add.s32 %r15, %r10, %r15; ld.shared.u32 %r6, [%r15]; ld.shared.u32 %r7, [%r15+4];" +
		"add.s32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 100; @%p2 bra A;"
)

// TestCopies: where an asynchronous copy may be made.
func TestCopies(t *testing.T) {
	whole := "setp.eq.u32 %p1, %r2, 255; @!%p1 ld.shared.u32 %r6, [%r10+4];"
	// the last thread of a block does not read the next half
	threeStages := strings.Replace(threeStages, "ld.shared.u32 %r7, [%r15+4];", "setp.ne.u32 %p1, %r2, 255; @%p1 ld.shared.u32 %r7, [%r15+4];", 1)
	// neighbours reads of other threads what was copied in the round before
	neighbours := strings.NewReplacer("ld.shared.u32 %r6, [%r15];", "", "cp.async.ca.shared.global [%r10+1024], [%rd4], 4; ", "", "%r9, 2;", "%r9, 1;", "wait_group 1", "wait_group 0").Replace(threeStages)
	// before copies before a loop what others read in its second round
	before := begin + "cp.async.ca.shared.global [%r10+1024], [%rd4], 4; cp.async.commit_group;" +
		"A: cp.async.wait_group 1; bar.sync 0; cp.async.commit_group; setp.lt.u32 %p1, %r9, 2; @!%p1 bra B; setp.ne.u32 %p1, %r2, 255; shl.b32 %r15, %r9, 10; add.s32 %r15, %r10, %r15; @%p1 ld.shared.u32 %r7, [%r15+4];" +
		"B: add.s32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 100; @%p2 bra A;"
	for _, c := range []struct {
		name, body string
		want       Verdict
	}{
		{"wait and barrier", fill + "cp.async.wait_all; bar.sync 0;" + whole, Clean},
		{"group, wait and barrier", fill + "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;" + whole, Clean},
		{"wait for a group that is not closed", fill + "cp.async.wait_group 0; bar.sync 0;" + whole, Possible},
		{"wait for all groups but the one", fill + "cp.async.commit_group; cp.async.wait_group 1; bar.sync 0;" + whole, Possible},
		{"wait for all groups but a later one", fill + "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1; bar.sync 0;" + whole, Clean},
		{"wait behind the barrier", fill + "bar.sync 0; cp.async.wait_all;" + whole, Possible},
		{"wait of some threads", fill + "setp.lt.u32 %p1, %r2, 7; @%p1 cp.async.wait_all; bar.sync 0;" + whole, Possible},
		{"no barrier", fill + "cp.async.wait_all;" + whole, Possible},
		{"own element behind the wait", fill + "cp.async.wait_all; ld.shared.u32 %r6, [%r10];", Clean},
		{"own element before the wait", fill + "ld.shared.u32 %r6, [%r10]; cp.async.wait_all;", Possible},
		{"source changed before the wait", fill + "st.global.u32 [%rd4], 1; cp.async.wait_all;", Possible},
		{"source changed behind the wait", fill + "cp.async.wait_all; st.global.u32 [%rd4], 1;", Clean},
		{"two copies to one place", fill + "cp.async.ca.shared.global [%r10], [%rd4], 4; cp.async.wait_all;", Possible},
		{"two stages", twoStages, Clean},
		{"two stages, without the barrier", strings.Replace(twoStages, "bar.sync 0;", "", 1), Possible},
		{"two stages, copy to the one that is read", strings.Replace(twoStages, "add.s32 %r16, %r9, 1; and.b32 %r15, %r16, 1;", "add.s32 %r16, %r9, 1; and.b32 %r15, %r9, 1;", 1), Possible},
		{"two stages, one copy too many in flight", strings.Replace(twoStages, "wait_group 0", "wait_group 1", 1), Possible},
		{"three stages", threeStages, Clean},
		{"three stages, one copy too many in flight", strings.Replace(threeStages, "wait_group 1", "wait_group 2", 1), Possible},
		{"copy before a loop, read in its second round", before, Clean},
		{"copy before a loop, read in its second round, before the wait", strings.Replace(before, "wait_group 1", "wait_group 2", 1), Possible},
		{"neighbours read what is copied", neighbours, Clean},
		{"neighbours read what is copied, with one copy too many in flight", strings.Replace(neighbours, "wait_group 0", "wait_group 1", 1), Possible},
		{"three stages in the space of two", strings.ReplaceAll(strings.ReplaceAll(threeStages, "%r9, 3", "%r9, 2"), "%r16, 3", "%r16, 2"), Possible},
	} {
		r := analyzeText(t, strings.Replace(kernelText(ways.Replace(c.body)), ".align 4 ", ".align 16 ", 1), oneLaunch(), Options{})
		if r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Verdict, c.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}

// TestReadOnly: loads of read-only data, which nothing orders with a write of the kernel.
func TestReadOnly(t *testing.T) {
	const element = "mul.wide.u32 %rd4, %r5, 4; add.s64 %rd4, %rd1, %rd4; mul.wide.u32 %rd5, %r5, 4; add.s64 %rd5, %rd2, %rd5;"
	const first = "setp.ne.u32 %p1, %r3, 0; @%p1 bra A;"
	for _, c := range []struct {
		name, body string
		want       Verdict
	}{
		{"stored by the thread, then loaded", "st.global.u32 [%rd4], 1; ld.global.nc.u32 %r6, [%rd4];", Possible},
		{"loaded by the thread, then stored", "ld.global.nc.u32 %r6, [%rd4]; st.global.u32 [%rd4], %r6;", Possible},
		{"loaded ordinarily", "ld.global.u32 %r6, [%rd4]; st.global.u32 [%rd4], %r6;", Clean},
		{"another buffer", "ld.global.nc.u32 %r6, [%rd5]; st.global.u32 [%rd4], %r6;", Clean},
		{"another part of the buffer", "ld.global.nc.u32 %r6, [%rd4+8192]; st.global.u32 [%rd4], %r6;", Clean},
		{"a barrier between", first + "st.global.u32 [%rd4], 1; bar.sync 0; xor.b32 %r6, %r5, 1; mul.wide.u32 %rd4, %r6, 4; add.s64 %rd4, %rd1, %rd4; ld.global.nc.u32 %r6, [%rd4]; A:", Possible},
		{"a barrier between, loaded ordinarily", first + "st.global.u32 [%rd4], 1; bar.sync 0; xor.b32 %r6, %r5, 1; mul.wide.u32 %rd4, %r6, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r6, [%rd4]; A:", Clean},
		{"an atomic operation", "red.global.add.u32 [%rd4], 1; ldu.global.u32 %r6, [%rd4];", Possible},
	} {
		r := analyzeText(t, kernelText(ways.Replace(element+c.body)), oneLaunch(), Options{})
		if r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Verdict, c.want)
		}
		for _, p := range r.Pairs {
			if p.Verdict == Possible && p.Cause != "not-read-only" {
				t.Errorf("%s: the cause is %s", c.name, p.Cause)
			}
		}
	}
}
