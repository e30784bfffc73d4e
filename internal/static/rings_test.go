// Rings of mbarriers and of named barriers, and what their phases order in loops.

package static

import (
	"strings"
	"testing"
)

const (
	// ringed initialises three mbarriers full and three mbarriers empty for a ring of three stages of 128 words.
	ringed = ".shared .align 8 .b64 full[3]; .shared .align 8 .b64 empty[3];" +
		"setp.ne.u32 %p1, %r2, 0; @%p1 bra Made;" +
		"mbarrier.init.shared.b64 [full], PRODUCERS; mbarrier.init.shared.b64 [full+8], PRODUCERS; mbarrier.init.shared.b64 [full+16], PRODUCERS;" +
		"mbarrier.init.shared.b64 [empty], CONSUMERS; mbarrier.init.shared.b64 [empty+8], CONSUMERS; mbarrier.init.shared.b64 [empty+16], CONSUMERS; fence.proxy.async;" +
		"Made: bar.sync 0; mov.u32 %r20, tile; mov.u32 %r21, full; mov.u32 %r22, empty; and.b32 %r23, %r2, 127;" +
		"mov.u32 %r30, 0; mov.u32 %r31, 0; setp.ge.u32 %p2, %r2, 128; @%p2 bra Consumer;"
	// at computes the addresses of the mbarriers of stage %r31, and of the stage.
	at = "shl.b32 %r34, %r31, 3; add.s32 %r33, %r21, %r34; add.s32 %r34, %r22, %r34; mad.lo.u32 %r35, %r31, 512, %r20;"
	// next goes on to the next stage, and begins another iteration.
	next = "add.u32 %r31, %r31, 1; setp.eq.u32 %p4, %r31, 3; selp.u32 %r31, 0, %r31, %p4; selp.u32 %r36, 1, 0, %p4; xor.b32 %r32, %r32, %r36;" +
		"add.u32 %r30, %r30, 1; setp.lt.s32 %p5, %r30, %r1;"
	awaitEmpty = "PW: mbarrier.try_wait.parity.shared.b64 %p3, [%r34], %r32; @!%p3 bra PW;"
	awaitFull  = "CW: mbarrier.try_wait.parity.shared.b64 %p3, [%r33], %r32; @!%p3 bra CW;"
	load       = "xor.b32 %r38, %r23, 127; mad.lo.u32 %r35, %r38, 4, %r35; ld.shared.u32 %r37, [%r35];"
	release    = "mbarrier.arrive.shared.b64 %rd8, [%r34];"
	producer   = "mov.u32 %r32, 1; P:" + at + awaitEmpty + "mad.lo.u32 %r35, %r23, 4, %r35; st.shared.u32 [%r35], %r30;" +
		"mbarrier.arrive.shared.b64 %rd7, [%r33];" + next + "@%p5 bra P; bra End;"
	consumer = "Consumer: mov.u32 %r32, 0; C:" + at + awaitFull + load + release + next + "@%p5 bra C; End:"
	// copied is a producer of which one thread copies each stage.
	copied = "setp.ne.u32 %p6, %r2, 0; @%p6 bra End; mov.u32 %r32, 1; P:" + at + awaitEmpty +
		"mbarrier.arrive.expect_tx.shared.b64 %rd7, [%r33], 512;" +
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r35], [%rd1], 512, [%r33];" + next + "@%p5 bra P; bra End;"
	// byWarp is a release by the first lane of each warp.
	byWarp = "bar.warp.sync -1; and.b32 %r39, %r2, 31; setp.ne.u32 %p7, %r39, 0; @%p7 bra N;" + release + "N:"
	// named has named barriers 1 for full and 2 for empty, of one stage.
	named = "mov.u32 %r20, tile; and.b32 %r23, %r2, 127; mad.lo.u32 %r35, %r23, 4, %r20; mov.u32 %r30, 0; setp.ge.u32 %p2, %r2, 128; @%p2 bra Consumer;" +
		"P: bar.sync 2, 256; st.shared.u32 [%r35], %r30; bar.arrive 1, 256; add.u32 %r30, %r30, 1; setp.lt.s32 %p5, %r30, %r1; @%p5 bra P; bra End;" +
		"Consumer: xor.b32 %r35, %r35, 4; bar.arrive 2, 256;" +
		"C: bar.sync 1, 256; ld.shared.u32 %r37, [%r35]; bar.arrive 2, 256; add.u32 %r30, %r30, 1; setp.lt.s32 %p5, %r30, %r1; @%p5 bra C; End:"
)

// changed is a kernel in which one text is replaced, each time that it occurs.
type changed struct{ name, old, new string }

// TestRings: a ring is proved for every number of iterations, and not with a part left out.
func TestRings(t *testing.T) {
	counts := strings.NewReplacer("PRODUCERS", "128", "CONSUMERS", "128")
	one := strings.NewReplacer("PRODUCERS", "1", "CONSUMERS", "128")
	warps := strings.NewReplacer("PRODUCERS", "1", "CONSUMERS", "4", release, byWarp)
	common := []changed{
		{"no wait for full", awaitFull, ""},
		{"no wait for empty", awaitEmpty, ""},
		{"another parity of the consumer", "Consumer: mov.u32 %r32, 0;", "Consumer: mov.u32 %r32, 1;"},
		{"two stages of memory", "mad.lo.u32 %r35, %r31, 512, %r20;", "and.b32 %r36, %r31, 1; mad.lo.u32 %r35, %r36, 512, %r20;"},
		{"an early release", load + release, release + load},
		{"a relaxed release", "mbarrier.arrive.shared.b64 %rd8", "mbarrier.arrive.relaxed.cta.shared.b64 %rd8"},
		{"a relaxed wait", "CW: mbarrier.try_wait.parity.shared", "CW: mbarrier.try_wait.parity.relaxed.cta.shared"},
		{"fewer releases", "[empty+8], CONSUMERS", "[empty+8], 1"},
		{"a store to an mbarrier", "Consumer: ", "Consumer: st.shared.u32 [full+8], 0;"},
	}
	for _, c := range []struct {
		name, body string
		counts     *strings.Replacer
		changes    []changed
	}{
		{"threads", ringed + producer + consumer, counts, append(common, []changed{
			{"fewer arrivals", "[full], PRODUCERS", "[full], 127"},
			{"a producer too many", "setp.ge.u32 %p2, %r2, 128;", "setp.ge.u32 %p2, %r2, 129;"},
		}...)},
		{"copies", ringed + copied + consumer, one, append(common, []changed{
			{"fewer bytes expected", "[%r33], 512;", "[%r33], 496;"},
			{"fewer iterations of the consumer", "@%p5 bra C;", "setp.lt.s32 %p5, %r30, 2; @%p5 bra C;"},
		}...)},
		{"releases by warps", ringed + copied + consumer, warps, append(common, []changed{
			{"no barrier of the warp", "bar.warp.sync -1;", ""},
			{"another lane", "@%p7 bra N;", "@!%p7 bra N;"},
		}...)},
		{"named barriers", named, counts, []changed{
			{"no wait for full", "bar.sync 1, 256;", ""},
			{"no wait for empty", "bar.sync 2, 256;", ""},
			{"an early release", "ld.shared.u32 %r37, [%r35]; bar.arrive 2, 256;", "bar.arrive 2, 256; ld.shared.u32 %r37, [%r35];"},
			{"fewer threads", "256", "224"},
			{"one name", "bar.sync 2", "bar.sync 1"},
		}},
	} {
		body := c.counts.Replace(c.body)
		if !rings(t, body) {
			t.Errorf("%s: not proved", c.name)
		}
		for _, x := range c.changes {
			edited := strings.ReplaceAll(body, c.counts.Replace(x.old), c.counts.Replace(x.new))
			if edited == body {
				t.Fatalf("%s, %s: nothing is changed", c.name, x.name)
			}
			if rings(t, edited) {
				t.Errorf("%s, %s: proved", c.name, x.name)
			}
		}
	}
}

// rings reports whether a kernel is proved.
func rings(t *testing.T, body string) bool {
	t.Helper()
	text := strings.Replace(kernelText(body), "sm_80", "sm_90", 1)
	return analyzeText(t, strings.Replace(text, ".align 4 ", ".align 128 ", 1), oneLaunch(), Options{ProofOnly: true}).Verdict == Clean
}
