// Advice is judged by what it leaves: results that do not depend on the schedule, and barriers that all threads reach.

package fix_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// element is the address of the thread's word of shared array s.
const element = `
	.shared .align 4 .b32 s[128];
	mov.u32 %r3, s;
	mad.lo.u32 %r3, %r1, 4, %r3;`

// judged are kernels of which the cheapest edits that leave no race are not what is missing.
var judged = map[string]struct {
	body, shape string
	cause       detect.Cause
	hint        string // how it begins
	missing     string // what it contains
}{
	"a sum that all blocks read": {`
	.file 1 "k.cu"
	.loc 1 4 3
	red.relaxed.gpu.global.add.u32 [%rd1], 1;
	.loc 1 5 3
	bar.sync 0;
	.loc 1 6 3
	ld.global.u32 %r3, [%rd1];
	mad.lo.u32 %r4, %r2, 32, %r1;
	mul.wide.u32 %rd2, %r4, 4;
	add.u64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2+128], %r3;`, "grid: 2, block: 16", detect.MissingBarrier, "no edit has been verified", "any synchronisation between the two blocks"},
	"a message about a sum": {`
	.file 1 "k.cu"
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra WAIT;
	.loc 1 4 3
	red.relaxed.gpu.global.add.u32 [%rd1], 42;
	.loc 1 5 3
	atom.relaxed.gpu.global.exch.b32 %r3, [%rd1+4], 1;
	ret;
WAIT:
	.loc 1 7 3
	ld.acquire.gpu.global.u32 %r3, [%rd1+4];
	setp.eq.u32 %p1, %r3, 0;
	@%p1 bra WAIT;
	.loc 1 8 3
	ld.global.u32 %r4, [%rd1];
	st.global.u32 [%rd1+8], %r4;`, "grid: 2, block: 1", detect.MissingFence, "release at k.cu:5", "a release: "},
	"a counter before all threads of the block are done": {`
	.file 1 "k.cu"
	.shared .b32 last;
	mul.wide.u32 %rd2, %r2, 4;
	add.u64 %rd3, %rd1, %rd2;
	.loc 1 4 3
	red.relaxed.gpu.global.add.u32 [%rd3+1024], 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra MEET;
	.loc 1 6 3
	membar.gl;
	.loc 1 7 3
	atom.relaxed.gpu.global.add.u32 %r3, [%rd1+4], 1;
	membar.gl;
	st.shared.u32 [last], %r3;
MEET:
	.loc 1 10 3
	bar.sync 0;
	ld.shared.u32 %r4, [last];
	setp.ne.u32 %p2, %r4, 3;
	@%p2 bra END;
	.loc 1 12 3
	ld.global.u32 %r5, [%rd1+1024];
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2+8], %r5;
END:`, "grid: 4, block: 64", detect.MissingBarrier, "__syncthreads() after k.cu:4", ""},
	"an arrival for the warp": {element + `
	.file 1 "k.cu"
	.shared .align 8 .b64 full;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra READY;
	mbarrier.init.shared.b64 [full], 2;
READY:
	bar.sync 0;
	setp.gt.u32 %p4, %r1, 31;
	@%p4 bra ARRIVE;
	.loc 1 4 3
	st.shared.u32 [%r3], %r1;
	.loc 1 5 3
	setp.ne.u32 %p2, %r1, 3;
	@%p2 bra END;
	.loc 1 6 3
	mbarrier.arrive.shared.b64 %rd2, [full];
	bra END;
ARRIVE:
	setp.ne.u32 %p2, %r1, 32;
	@%p2 bra END;
	mbarrier.arrive.shared.b64 %rd3, [full];
WAIT:
	mbarrier.test_wait.shared.b64 %p3, [full], %rd3;
	@!%p3 bra WAIT;
	.loc 1 9 3
	ld.shared.u32 %r4, [%r3+-60];
	st.global.u32 [%rd1], %r4;
END:`, "grid: 1, block: 64", detect.MissingWarpSync, "__syncwarp() before k.cu:5", "a warp-level barrier before the arrival at k.cu:6"},
	"a flag for the warp": {element + `
	.file 1 "k.cu"
	setp.gt.u32 %p1, %r1, 31;
	@%p1 bra WAIT;
	.loc 1 4 3
	st.shared.u32 [%r3], %r1;
	.loc 1 5 3
	setp.ne.u32 %p2, %r1, 0;
	@%p2 bra END;
	.loc 1 6 3
	st.release.gpu.global.u32 [%rd1], 1;
	bra END;
WAIT:
	.loc 1 8 3
	ld.acquire.gpu.global.u32 %r4, [%rd1];
	setp.eq.u32 %p3, %r4, 0;
	@%p3 bra WAIT;
	.loc 1 9 3
	ld.shared.u32 %r4, [%r3+-128];
	st.global.u32 [%rd1+4], 1;
END:`, "grid: 1, block: 64", detect.MissingWarpSync, "__syncwarp() before k.cu:5", "a warp-level barrier"},
	"a barrier that parts a branch": {element + `
	.file 1 "k.cu"
	setp.gt.u32 %p1, %r1, 99;
	.loc 1 3 3
	@%p1 bra OTHERS;
	.loc 1 4 5
	st.shared.u32 [%r3], %r1;
	.loc 1 5 5
	mov.u32 %r4, s;
	mad.lo.u32 %r5, %r1, -4, %r4;
	ld.shared.u32 %r6, [%r5+396];
	bra END;
OTHERS:
	.loc 1 7 5
	mov.u32 %r6, 1;
END:
	.loc 1 8 3
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd1, %rd2;
	bar.sync 0;`, "grid: 1, block: 128", detect.MissingBarrier, "__syncthreads() outside of the branch, which ends there and goes on behind it under the same condition: before k.cu:5", "a block barrier"},
	"an unlock before the last store": {`
	.file 1 "k.cu"
TAKE:
	.loc 1 4 3
	atom.global.exch.b32 %r3, [%rd1], 1;
	setp.ne.u32 %p1, %r3, 0;
	@%p1 bra TAKE;
	membar.gl;
	membar.gl;
	.loc 1 6 3
	atom.global.exch.b32 %r4, [%rd1], 0;
	.loc 1 7 3
	st.global.u32 [%rd1+8], %r2;`, "grid: 3, block: 1", detect.MissingLock, "the write moved, with a fence before it, from k.cu:6 to the place after k.cu:7", "which the first writes before its access"},
	"two arrays in one": {`
	.file 1 "k.cu"
	mov.u32 %r3, d;
	mad.lo.u32 %r3, %r1, 4, %r3;
	.loc 1 4 3
	st.shared.u32 [%r3], %r1;
	.loc 1 5 3
	mov.u32 %r4, %ntid.x;
	add.u32 %r4, %r3, %r4;
	st.shared.u32 [%r4], 0;`, "grid: 1, block: 64, shared: 512", detect.MissingBarrier, "begin the second array at byte 256 of the allocation", "k.cu:5 stores to bytes 64 to 319, an element by each thread, and k.cu:4 to 0 to 255"},
	"a wait behind the arrival": {element + `
	.file 1 "k.cu"
	.shared .align 8 .b64 full;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra READY;
	mbarrier.init.shared.b64 [full], 64;
READY:
	bar.sync 0;
	setp.gt.u32 %p4, %r1, 31;
	@%p4 bra WAIT;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd1, %rd2;
	.loc 1 4 3
	cp.async.ca.shared.global [%r3], [%rd2], 4;
	cp.async.commit_group;
	.loc 1 5 3
	mbarrier.arrive.shared.b64 %rd3, [full];
	.loc 1 6 3
	cp.async.wait_group 0;
	bra END;
WAIT:
	mbarrier.arrive.shared.b64 %rd3, [full];
AGAIN:
	mbarrier.test_wait.shared.b64 %p3, [full], %rd3;
	@!%p3 bra AGAIN;
	.loc 1 9 3
	ld.shared.u32 %r4, [%r3+-128];
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2+512], %r4;
END:`, "grid: 1, block: 64", detect.MissingAsyncWait, "wait for ", "a wait for the asynchronous copy before the arrival at k.cu:5, for which the second thread waits"},
	"what two groups store": {element + `
	.file 1 "k.cu"
	shr.u32 %r4, %r1, 5;
	and.b32 %r5, %r1, 31;
	setp.ne.u32 %p1, %r5, 0;
	.loc 1 4 3
	@%p1 bra MEET;
	st.shared.u32 [s], %r4;
MEET:
	add.u32 %r4, %r4, 1;
	barrier.sync %r4, 32;
	.loc 1 6 3
	ld.shared.u32 %r6, [s];
	mul.wide.u32 %rd2, %r4, 4;
	add.u64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2], %r6;`, "grid: 1, block: 64", detect.NotStrong, "no single edit of the kernel", ""},
}

// TestAdviseJudged: what is missing is said, and proposed; what would silence the report alone is not.
func TestAdviseJudged(t *testing.T) {
	for name, c := range judged {
		t.Run(name, func(t *testing.T) {
			rep := advised(t, judgedPlan(t, c.body, c.shape))
			if len(rep.Races) == 0 {
				t.Fatal("no race")
			}
			x := rep.Races[0]
			for _, y := range rep.Races {
				if y.Severity == report.Error {
					x = y
				}
			}
			if x.Cause != c.cause || !strings.HasPrefix(x.Hint, c.hint) || !strings.Contains(x.Missing, c.missing) {
				t.Errorf("%s; missing: %s; fix: %s; expected %s; missing: %s; fix: %s", x.Cause, x.Missing, x.Hint, c.cause, c.missing, c.hint)
			}
		})
	}
}

// judgedPlan returns the plan of a kernel with one argument, a buffer of 512 words. Dynamic shared memory is d.
func judgedPlan(t *testing.T, body, shape string) *session.Plan {
	t.Helper()
	text := ".version 7.1\n.target sm_80\n.address_size 64\n.extern .shared .align 4 .b8 d[];\n.visible .entry k(.param .u64 p)\n{\n" +
		".reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n" + body + "\nret;\n}\n"
	return planText(t, text, "buffers: {out: {type: u32, count: 512, init: 0}}\nlaunches: [{kernel: k, "+shape+", args: [out]}]\n")
}

// TestAdviseOneAtomic: where a release and an acquire meet at one atomic operation, the repair of all races is still
// advice in words.
func TestAdviseOneAtomic(t *testing.T) {
	plan := bodyPlan(t, `
	.file 1 "k.cu"
	mul.wide.u32 %rd2, %r2, 4;
	add.u64 %rd2, %rd1, %rd2;
	.loc 1 4 3
	st.global.u32 [%rd2+16], %r2;
	.loc 1 5 3
	atom.global.add.u32 %r3, [%rd1], 1;
	setp.ne.u32 %p1, %r3, 1;
	@%p1 bra END;
	.loc 1 6 3
	ld.global.u32 %r4, [%rd1+16];
	ld.global.u32 %r5, [%rd1+20];
	add.u32 %r4, %r4, %r5;
	st.global.u32 [%rd1+4], %r4;
END:`, "grid: 2, block: 1")
	rep := advised(t, plan)
	res, err := fix.Run(context.Background(), fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: detectorsOf(t)}}, Schedules: 20})
	if err != nil {
		t.Fatal(err)
	}
	res.Advise(rep)
	for _, x := range rep.Races {
		if !strings.Contains(x.Hint, "release at k.cu:5") || !strings.Contains(x.Hint, "acquire at k.cu:5") || len(x.Advice.Changes) != 1 {
			t.Errorf("%q, %+v", x.Hint, x.Advice)
		}
	}
	if len(rep.Races) == 0 {
		t.Error("no race")
	}
}

// TestAdviseGuessed: the zeros that a template guesses show no lost store; numbers that differ do.
func TestAdviseGuessed(t *testing.T) {
	const text = `.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 best)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [best];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd3, %rd1, %rd3;
	ld.global.u32 %r2, [%rd3];
	and.b32 %r3, %r1, 7;
	mul.wide.u32 %rd4, %r3, 4;
	add.u64 %rd4, %rd2, %rd4;
	st.global.u32 [%rd4], %r2;
	ret;
}
`
	const file = "buffers: {a: {type: u32, count: 64, init: 0}, best: {type: u32, count: 8, init: 0}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [a, best]}]\n"
	for guessed, strong := range map[string]bool{"guessed: true\n": false, "": true} {
		rep := advised(t, planText(t, text, guessed+file))
		if len(rep.Races) != 1 || rep.Races[0].Severity != report.Error {
			t.Fatalf("%d races", len(rep.Races))
		}
		if x := rep.Races[0]; strings.HasPrefix(x.Hint, "a relaxed access") != strong {
			t.Errorf("%q: %s", guessed, x.Hint)
		}
	}
}

// TestOverlappingArrays: no barrier mends two arrays that overlap, of which the second begins in the middle of the
// first: what it overwrites would be lost in every order.
func TestOverlappingArrays(t *testing.T) {
	const text = `.version 7.0
.target sm_80
.address_size 64
.extern .shared .align 4 .b32 s[];
.visible .entry k(.param .u64 p, .param .u32 n)
{
.reg .b32 %r<12>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [p];
ld.param.u32 %r2, [n];
mov.u32 %r1, %tid.x;
mov.u32 %r3, s;
mad.lo.s32 %r4, %r1, 4, %r3;
st.shared.u32 [%r4], 1;
shr.s32 %r5, %r2, 1;
shl.b32 %r6, %r5, 2;
add.s32 %r7, %r4, %r6;
st.shared.u32 [%r7], 2;
bar.sync 0;
ld.shared.u32 %r8, [%r4];
mad.wide.u32 %rd2, %r1, 4, %rd1;
st.global.u32 [%rd2], %r8;
ret;
}
`
	plan := planText(t, text, "buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, grid: 1, block: 64, shared: 512, args: [out, 64]}]\n")
	res := mendPlan(t, plan, 20, 0, 1)
	const hint = "begin the second array at byte 256 of the allocation"
	if len(res.Edits) > 0 || !strings.Contains(res.Why, "two arrays overlap") || !strings.Contains(res.Why, hint) {
		t.Errorf("edits %v: %s", ops(res), res.Why)
	}
}
