// Answers about small kernels.

package syncs_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/syncs"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// planOf returns the plan of a kernel k with one argument, a buffer out of 64 words. %r1 is the number of the thread,
// %r2 that of the block, %rd1 the buffer, %rd2 the thread's word of it, and %r3 the thread's word of the array s.
func planOf(t *testing.T, target, body, shape string) *session.Plan {
	t.Helper()
	text := ".version 8.0\n.target " + target + "\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" +
		".reg .pred %p<9>;\n.reg .b32 %r<19>;\n.reg .b64 %rd<9>;\n.shared .align 16 .b8 s[4096];\n.shared .align 8 .b64 m;\n" +
		"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd2, %r1, 4;\n" +
		"add.u64 %rd2, %rd1, %rd2;\nmov.u32 %r3, s;\nshl.b32 %r4, %r1, 2;\nadd.u32 %r3, %r3, %r4;\n" + body + "\nret;\n}\n"
	p, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	yaml := "buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, " + shape + ", args: [out]}]\n"
	f, err := launch.Parse("k.yaml", []byte(yaml), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(p, f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// ask answers for all synchronisation of a plan.
func ask(t *testing.T, plan *session.Plan) *syncs.Result {
	t.Helper()
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	r, err := syncs.Run(context.Background(), syncs.Options{
		Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: dets}, Workers: 2}, Sets: 12,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// answers returns the verdicts, with what will do.
func answers(r *syncs.Result) (list []string) {
	for _, a := range r.Answers {
		opcode, _, _ := strings.Cut(a.To, " ")
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s", a.Verdict, opcode)))
	}
	return list
}

// reverse is an exchange by the words of the block: each thread reads the word of the thread with the number 63 - t.
const reverse = "sub.u32 %r5, 63, %r1;\nshl.b32 %r5, %r5, 2;\nmov.u32 %r6, s;\nadd.u32 %r6, %r6, %r5;\n" +
	"ld.shared.u32 %r7, [%r6];\nst.global.u32 [%rd2], %r7;"

// message is one of thread 0 to thread 32, with statements before and behind the flag, which is initialised.
func message(space, release, store, load, acquire string) string {
	data, flag := "[s]", "[s+4]"
	if space == "global" {
		data, flag = "[%rd1]", "[%rd1+4]"
	}
	return "setp.ne.u32 %p1, %r1, 0;\n@!%p1 st." + space + ".u32 " + flag + ", 0;\nbar.sync 0;\n@%p1 bra READ;\n" +
		"st." + space + ".u32 " + data + ", 7;\n" + release + "\n" + store + " " + flag + ", 1;\nbra END;\n" +
		"READ:\nsetp.ne.u32 %p2, %r1, 32;\n@%p2 bra END;\nWAIT:\n" + load + " %r8, " + flag + ";\nsetp.eq.u32 %p3, %r8, 0;\n" +
		"@%p3 bra WAIT;\n" + acquire + "\nld." + space + ".u32 %r9, " + data + ";\nst.global.u32 [%rd1+128], %r9;\nEND:"
}

// TestAnswers: each synchronisation of a kernel has the right answer.
func TestAnswers(t *testing.T) {
	const block = "grid: 1, block: 64"
	for _, c := range []struct{ name, target, body, shape, want string }{
		{"a barrier", "sm_80", "st.shared.u32 [%r3], %r1;\nbar.sync 0;\n" + reverse, block, "needed"},
		{
			"two barriers", "sm_80", "st.shared.u32 [%r3], %r1;\nbar.sync 0;\nbar.sync 0;\n" + reverse, block,
			"not-needed-here, not-needed-here",
		},
		{
			"a barrier for lanes", "sm_80",
			"st.shared.u32 [%r3], %r1;\nbar.sync 0;\nxor.b32 %r5, %r4, 4;\nmov.u32 %r6, s;\nadd.u32 %r6, %r6, %r5;\n" +
				"ld.shared.u32 %r7, [%r6];\nst.global.u32 [%rd2], %r7;", block, "weaker bar.warp.sync",
		},
		{
			"a wide fence", "sm_80",
			message("shared", "membar.gl;", "st.relaxed.cta.shared.u32", "ld.relaxed.cta.shared.u32", "membar.gl;"), block,
			"needed, weaker membar.cta, needed, needed, weaker membar.cta",
		},
		{
			"a fence of the system", "sm_80",
			message("global", "fence.acq_rel.sys;", "st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32", ""), block,
			"needed, not-decided, weaker st.relaxed.cta.global.u32, weaker ld.acquire.cta.global.u32",
		},
		{
			"Dekker", "sm_80", "and.b32 %r5, %r1, 31;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra END;\nshr.u32 %r5, %r1, 3;\n" +
				"cvt.u64.u32 %rd3, %r5;\nadd.u64 %rd3, %rd1, %rd3;\nxor.b32 %r6, %r5, 4;\ncvt.u64.u32 %rd4, %r6;\n" +
				"add.u64 %rd4, %rd1, %rd4;\nst.relaxed.cta.global.u32 [%rd3], 1;\nfence.sc.cta;\n" +
				"ld.relaxed.cta.global.u32 %r7, [%rd4];\nst.global.u32 [%rd3+64], %r7;\nEND:", block,
			"needed, needed, needed",
		},
		{
			"Dekker with data", "sm_80", "and.b32 %r5, %r1, 31;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra END;\n" +
				"shr.u32 %r5, %r1, 3;\ncvt.u64.u32 %rd3, %r5;\nadd.u64 %rd3, %rd1, %rd3;\nxor.b32 %r6, %r5, 4;\n" +
				"cvt.u64.u32 %rd4, %r6;\nadd.u64 %rd4, %rd1, %rd4;\nst.relaxed.cta.global.u32 [%rd3], 1;\nfence.sc.cta;\n" +
				"ld.relaxed.cta.global.u32 %r7, [%rd4];\nsetp.ne.u32 %p1, %r7, 0;\n@%p1 bra END;\n" +
				"st.global.u32 [%rd1+64], 7;\nEND:", block,
			"needed, needed, needed",
		},
		{
			"copies", "sm_80", "cp.async.ca.shared.global [%r3], [%rd2], 4;\ncp.async.commit_group;\n" +
				"cp.async.wait_group 0;\nbar.sync 0;\ncp.async.wait_group 0;\n" + reverse,
			"grid: 1, block: 64", "needed, needed, not-needed-here",
		},
		{
			"a producer", "sm_80", "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra TAKE;\nst.shared.u32 [%r3], %r1;\n" +
				"bar.arrive 1, 64;\nbra END;\nTAKE:\nbar.sync 1, 64;\nld.shared.u32 %r7, [%r3+-128];\n" +
				"st.global.u32 [%rd2], %r7;\nEND:", block, "needed, needed",
		},
		{
			"a producer of nothing", "sm_80", "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra TAKE;\n" +
				"bar.arrive 1, 64;\nbra END;\nTAKE:\nbar.sync 1, 64;\nst.global.u32 [%rd2], %r1;\nEND:", block,
			"not-needed-here, not-needed-here",
		},
		{
			"arrivals of two lines", "sm_90", "setp.ne.u32 %p1, %r1, 0;\n@!%p1 mbarrier.init.shared.b64 [m], 128;\nbar.sync 0;\n" +
				"st.shared.u32 [%r3], %r1;\nmbarrier.arrive.shared.b64 _, [m];\nmbarrier.arrive.shared.b64 _, [m];\nWAIT:\n" +
				"mbarrier.try_wait.parity.shared.b64 %p2, [m], 0;\n@!%p2 bra WAIT;\n" + reverse, "grid: 1, block: 64",
			"needed, not-needed-here, not-needed-here, needed",
		},
		{
			"not executed", "sm_80", "setp.gt.u32 %p1, %r1, 100;\n@%p1 bar.warp.sync 0xffffffff;\nst.global.u32 [%rd2], %r1;",
			block, "not-decided",
		},
	} {
		if got := strings.Join(answers(ask(t, planOf(t, c.target, c.body, c.shape))), ", "); got != c.want {
			t.Errorf("%s:\ngot      %s\nexpected %s", c.name, got, c.want)
		}
	}
}

// TestHost: without the host, a fence of the system can be narrower.
func TestHost(t *testing.T) {
	plan := planOf(t, "sm_80", message("global", "fence.acq_rel.sys;", "st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32", ""), "grid: 1, block: 64")
	plan.File.NoHost = true
	if got := answers(ask(t, plan)); got[1] != "weaker fence.acq_rel.cta" {
		t.Errorf("without the host: %q", got[1])
	}
}

// TestSets: of two barriers of which each can go, one stays, and the answer names the other.
func TestSets(t *testing.T) {
	r := ask(t, planOf(t, "sm_80", "st.shared.u32 [%r3], %r1;\nbar.sync 0;\nbar.sync 0;\n"+reverse, "grid: 1, block: 64"))
	if len(r.Set) != 1 || !r.Answers[0].Chosen || r.Answers[1].Or != r.Answers[0].Site {
		t.Errorf("%d changes; %v; %v", len(r.Set), r.Answers[0].Chosen, r.Answers[1].Or)
	}
	again := ask(t, planOf(t, "sm_80", "st.shared.u32 [%r3], %r1;\nbar.sync 0;\n"+reverse, "grid: 1, block: 64"))
	if len(again.Set) != 0 || again.Answers[0].Because == nil || again.Answers[0].Because.Race == nil {
		t.Errorf("%d changes; %+v", len(again.Set), again.Answers[0].Because)
	}
}

// TestElsewhere: a barrier that only other sizes of blocks need is no part of the set.
func TestElsewhere(t *testing.T) {
	r := ask(t, planOf(t, "sm_80", "st.shared.u32 [%r3], %r1;\nbar.sync 0;\nxor.b32 %r5, %r4, 128;\nmov.u32 %r6, s;\n"+
		"add.u32 %r6, %r6, %r5;\nsetp.lt.u32 %p1, %r1, 0;\n@%p1 bra END;\nmov.u32 %r8, %ntid.x;\nsetp.lt.u32 %p1, %r8, 64;\n"+
		"@%p1 bra END;\nld.shared.u32 %r7, [%r6];\nst.global.u32 [%rd2], %r7;\nEND:", "grid: 1, block: 32"))
	a := r.Answers[0]
	if a.Verdict != syncs.NotNeededHere || a.Chosen || !strings.Contains(a.Elsewhere, "blocks of 64 threads") {
		t.Errorf("%s, in the set: %t, elsewhere: %q", a.Verdict, a.Chosen, a.Elsewhere)
	}
}

// TestRefused: a program with a race is not asked about.
func TestRefused(t *testing.T) {
	r := ask(t, planOf(t, "sm_80", "st.shared.u32 [%r3], %r1;\n"+reverse, "grid: 1, block: 64"))
	if !strings.Contains(r.Refused, "races") || len(r.Answers) > 0 {
		t.Errorf("refused: %q, %d answers", r.Refused, len(r.Answers))
	}
}

// TestRepeated: the answers do not depend on the number of goroutines, nor on what was asked before.
func TestRepeated(t *testing.T) {
	plan := planOf(t, "sm_80", message("shared", "membar.gl;", "st.relaxed.cta.shared.u32", "ld.relaxed.cta.shared.u32", "membar.gl;"), "grid: 1, block: 64")
	if first, second := answers(ask(t, plan)), answers(ask(t, plan)); !slices.Equal(first, second) {
		t.Errorf("%v, then %v", first, second)
	}
}
