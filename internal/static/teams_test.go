package static

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
)

// Parts of kernels: the warp in %r10 and the lane in %r11, %rd7 is the address of an element for the warp.
const (
	ofWarp   = "shr.u32 %r10, %r2, 5; and.b32 %r11, %r2, 31; mul.wide.u32 %rd7, %r10, 4; add.s64 %rd7, %rd5, %rd7;"
	partner  = "mul.wide.u32 %rd6, %r12, 4; add.s64 %rd6, %rd5, %rd6; ld.shared.u32 %r6, [%rd6];"
	halves   = smem + "shr.u32 %r9, %r2, 7; add.s32 %r9, %r9, 1; st.shared.u32 [%rd4], %r2;"
	voted    = smem + ofWarp + "ld.global.u32 %r6, [%rd1]; setp.gt.s32 %p1, %r6, %r2; vote.sync.ballot.b32 %r7, %p1, -1; brev.b32 %r8, %r7; bfind.shiftamt.u32 %r8, %r8; setp.ne.s32 %p2, %r11, %r8; @%p2 bra A;"
	elected  = smem + ofWarp + "elect.sync %r7|%p1, -1; @!%p1 bra A; st.shared.u32 [%rd7], %r2; A:"
	byLeader = "st.shared.u32 [%rd7], %r2; A:"
	tileOf   = smem + "and.b32 %r9, %r2, 16; mov.u32 %r8, 65535; shl.b32 %r8, %r8, %r9; st.shared.u32 [%rd4], %r2; bar.warp.sync %r8;"
	rounds   = "mov.u32 %r20, 0; B:"
	again    = "add.s32 %r20, %r20, 1; setp.lt.s32 %p9, %r20, %r1; @%p9 bra B;"
	stages   = smem + "mov.u32 %r21, 0; mov.u32 %r22, 1;" + rounds + "shl.b32 %r23, %r22, 10; cvt.u64.u32 %rd8, %r23; add.s64 %rd8, %rd4, %rd8; st.shared.u32 [%rd8], %r20;" +
		"shl.b32 %r24, %r21, 10; cvt.u64.u32 %rd9, %r24; add.s64 %rd9, %rd5, %rd9; ld.shared.u32 %r6, [%rd9]; bar.sync 0;"
	turn = "setp.eq.s32 %p3, %r21, 2; add.s32 %r21, %r21, 1; selp.b32 %r21, 0, %r21, %p3; setp.eq.s32 %p4, %r22, 2; add.s32 %r22, %r22, 1; selp.b32 %r22, 0, %r22, %p4;" + again
)

// TestTeams: what orders the threads of a warp, or of a part of a block that waits at a barrier of its own, and each
// premise of it broken. A block has 256 threads.
func TestTeams(t *testing.T) {
	bar := func(s string) string { return halves + s + "xor.b32 %r12, %r2, 64;" + partner }
	for _, test := range []struct {
		name, body string
		clean      bool
	}{
		{"each half of the block has a barrier", bar("bar.sync %r9, 128;"), true},
		{"the count is computed", bar("shr.u32 %r13, %r4, 1; bar.sync %r9, %r13;"), true},
		{"the halves read each other's", halves + "bar.sync %r9, 128; xor.b32 %r12, %r2, 128;" + partner, false},
		{"another count", bar("bar.sync %r9, 64;"), false},
		{"another thread arrives in place of one", bar("setp.lt.u32 %p1, %r2, 32; @%p1 bar.arrive 2, 128; bar.sync %r9, 128;"), false},
		{"one number for both halves", bar("bar.sync 1, 128;"), false},
		{"numbers that differ within a half", bar("shr.u32 %r9, %r2, 6; bar.sync %r9, 128;"), false},
		{"numbers that warps take in another order", smem + rounds + "st.shared.u32 [%rd4], %r20; shr.u32 %r9, %r2, 5; add.s32 %r9, %r9, %r20; and.b32 %r9, %r9, 1; add.s32 %r9, %r9, 1; bar.sync %r9, 256;" +
			"xor.b32 %r12, %r2, 32;" + partner + "bar.sync 0;" + again, false},
		{"a half of the half comes to it", bar("and.b32 %r13, %r2, 64; setp.ne.s32 %p1, %r13, 0; @%p1 bra A; bar.sync %r9, 128; A:"), false},
		{"halves of a half wait at different places", smem + "shr.u32 %r9, %r2, 7; add.s32 %r9, %r9, 1; and.b32 %r13, %r2, 64; setp.ne.u32 %p1, %r13, 0; and.b32 %r14, %r2, 127; setp.eq.u32 %p2, %r14, 0; mul.wide.u32 %rd6, %r9, 4; add.s64 %rd6, %rd5, %rd6;" +
			"@%p1 bra A; bar.sync %r9, 128; @%p2 st.shared.u32 [%rd6], %r2; A: bar.sync %r9, 128; @!%p1 bra B; ld.shared.u32 %r6, [%rd6]; bar.sync %r9, 128; B:", false},
		{"lanes wait at different places", smem + "setp.ge.u32 %p1, %r2, 32; @%p1 bra B; setp.ge.u32 %p1, %r2, 16; setp.eq.u32 %p2, %r2, 0;" +
			"@%p1 bra A; barrier.sync 1, 32; @%p2 st.shared.u32 [tile], %r2; A: barrier.sync 1, 32; @!%p1 bra B; ld.shared.u32 %r6, [tile]; barrier.sync 1, 32; B:", false},
		{"the number of __syncthreads", bar("sub.s32 %r9, %r9, 1; bar.sync %r9, 128; setp.ge.u32 %p1, %r2, 128; @%p1 bra A; bar.sync 0; A:"), false},
		{"only one half has one", smem + "st.shared.u32 [%rd4], %r2; setp.ge.u32 %p1, %r2, 128; @%p1 bra A; bar.sync 3, 128; sub.s32 %r12, 127, %r2;" + partner + "A:", true},
		{"a half that is not a run", smem + "st.shared.u32 [%rd4], %r2; setp.lt.u32 %p1, %r2, 64; @%p1 bra A; setp.ge.u32 %p2, %r2, 192; @%p2 bra A; bar.sync 3, 128; sub.s32 %r12, 255, %r2;" + partner + "A:", false},

		{"barriers of warps in a branch", smem + ofWarp + "setp.ge.u32 %p1, %r10, 2; @%p1 bra A; st.shared.u32 [%rd4], %r2; bar.warp.sync -1; xor.b32 %r12, %r2, 1;" + partner + "A:", true},
		{"in a branch of lanes", smem + ofWarp + "setp.ge.u32 %p1, %r11, 16; st.shared.u32 [%rd4], %r2; @%p1 bra A; bar.warp.sync -1; A: xor.b32 %r12, %r2, 16;" + partner, false},
		{"other warps read", smem + ofWarp + "st.shared.u32 [%rd4], %r2; bar.warp.sync -1; xor.b32 %r12, %r2, 32;" + partner, false},
		{"tiles of 16 lanes", tileOf + "xor.b32 %r12, %r2, 8;" + partner, true},
		{"the other tile", tileOf + "xor.b32 %r12, %r2, 16;" + partner, false},
		{"lanes of a tile wait at different places", strings.Replace(tileOf, "st.shared.u32 [%rd4], %r2; bar.warp.sync %r8;", "and.b32 %r13, %r2, 8; setp.ne.u32 %p1, %r13, 0; and.b32 %r14, %r2, 15; setp.eq.u32 %p2, %r14, 0; shr.u32 %r12, %r2, 4; mul.wide.u32 %rd6, %r12, 4; add.s64 %rd6, %rd5, %rd6;", 1) +
			"@%p1 bra A; bar.warp.sync %r8; @%p2 st.shared.u32 [%rd6], %r2; A: bar.warp.sync %r8; @!%p1 bra B; ld.shared.u32 %r6, [%rd6]; bar.warp.sync %r8; B:", false},
		{"lanes wait at a barrier with a mask that may be that of all", smem + ofWarp + "setp.ge.u32 %p1, %r11, 16; setp.eq.u32 %p2, %r11, 0;" +
			"@%p1 bra A; bar.warp.sync %r1; @%p2 st.shared.u32 [%rd7], %r2; A: bar.warp.sync -1; @!%p1 bra B; ld.shared.u32 %r6, [%rd7]; bar.warp.sync %r1; B:", false},
		{"lanes wait at a barrier with another mask", smem + ofWarp + "setp.ge.u32 %p1, %r11, 16; setp.eq.u32 %p2, %r11, 0;" +
			"@%p1 bra A; bar.warp.sync 65535; @%p2 st.shared.u32 [%rd7], %r2; A: bar.warp.sync -1; @!%p1 bra B; ld.shared.u32 %r6, [%rd7]; B:", true},
		{"a mask without all lanes of the tile", strings.Replace(tileOf, "65535", "32767", 1) + "xor.b32 %r12, %r2, 8;" + partner, false},

		{"the first lane of a ballot", voted + byLeader, true},
		{"the next lane writes, too", strings.Replace(voted, "setp.ne.s32 %p2, %r11, %r8;", "sub.s32 %r8, %r11, %r8; setp.gt.u32 %p2, %r8, 1;", 1) + byLeader, false},
		{"a ballot of some lanes", strings.Replace(voted, "%p1, -1", "%p1, 65535", 1) + byLeader, false},
		{"of the lanes that are together", strings.Replace(voted, "vote.sync.ballot.b32 %r7, %p1, -1", "activemask.b32 %r7", 1) + byLeader, false},
		{"lanes vote at another place", strings.Replace(voted, "vote", "setp.lt.u32 %p8, %r11, 16; @%p8 vote.sync.ballot.b32 %r14, %p1, -1; vote", 1) + byLeader, false},
		{"leaders of iterations", strings.Replace(voted, "ld.global", rounds+"ld.global", 1) + byLeader + again, false},
		{"with a barrier of the warp", strings.Replace(voted, "ld.global", rounds+"ld.global", 1) + byLeader + "bar.warp.sync -1;" + again, true},
		{"one word for all warps", strings.ReplaceAll(voted+byLeader, "[%rd7]", "[%rd5]"), false},

		{"an elected lane", elected, true},
		{"in iterations", strings.Replace(elected, "elect", rounds+"elect", 1) + again, true},
		{"the elected lane ends", smem + ofWarp + rounds + "elect.sync %r7|%p1, -1; @!%p1 bra A; st.shared.u32 [%rd7], %r2; ret; A:" + again, false},
		{"two elections", strings.Replace(elected, "elect", "setp.lt.u32 %p2, %r11, 1; @%p2 st.shared.u32 [%rd7], 7; elect", 1), false},
		{"of some lanes", strings.Replace(elected, "-1", "%r2", 1), false},

		{"the index of the warp by a shuffle", smem + ofWarp + "shfl.sync.idx.b32 %r12, %r10, 0, 31, -1; mul.wide.u32 %rd7, %r12, 4; add.s64 %rd7, %rd5, %rd7; setp.ne.u32 %p2, %r11, 0; @%p2 bra A;" + byLeader, true},
		{"the index of the lane by a shuffle", smem + ofWarp + "shfl.sync.idx.b32 %r12, %r11, 0, 31, -1; mul.wide.u32 %rd7, %r12, 4; add.s64 %rd7, %rd5, %rd7; setp.ne.u32 %p2, %r11, 0; @%p2 bra A;" + byLeader, false},

		{"stages of a ring", stages + turn, true},
		{"the stage that is read", strings.Replace(stages, "mov.u32 %r22, 1", "mov.u32 %r22, 0", 1) + turn, false},
		{"a ring that is shorter for one of them", stages + strings.Replace(turn, "%p4, %r22, 2", "%p4, %r22, 1", 1), false},
	} {
		body := strings.NewReplacer("A:", "A:\n", "B:", "B:\n").Replace(test.body)
		text := strings.NewReplacer(".version 8.0", ".version 8.5", "sm_80", "sm_90").Replace(kernelText(body))
		r := analyzeText(t, text, oneLaunch(), Options{ProofOnly: true})
		if got := r.Verdict == Clean; got != test.clean {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.clean)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}

// TestWeakest: of alternatives that follow from each other one stays.
func TestWeakest(t *testing.T) {
	x, y := expr.Var("x", 0, 9), expr.Var("y", 0, 9)
	zero := expr.All(expr.Eq(x, expr.Const(0)), expr.Eq(y, expr.Const(0)))
	for _, test := range []struct {
		ways []*expr.Bool
		want int
	}{
		{nil, 0},
		{[]*expr.Bool{zero}, 1},
		{[]*expr.Bool{zero, expr.Eq(x, y)}, 1},
		{[]*expr.Bool{expr.Eq(x, y), zero}, 1},
		{[]*expr.Bool{zero, expr.All(expr.Eq(y, expr.Const(0)), expr.Eq(x, expr.Const(0)))}, 1},
		{[]*expr.Bool{zero, expr.Lt(x, y)}, 2},
		{[]*expr.Bool{expr.Eq(x, expr.Const(0)), expr.Eq(x, y)}, 2},
	} {
		if got := kernel.Weakest(test.ways); len(got) != test.want {
			t.Errorf("%v: %v", test.ways, got)
		}
	}
}

// TestMissed: a barrier of a warp or of some threads is named if a branch may keep threads from it, and no other.
func TestMissed(t *testing.T) {
	const lanes, warps, of = "and.b32 %r11, %r2, 31; setp.lt.u32 %p1, %r11, 7; @%p1 bra A;", "setp.lt.u32 %p1, %r2, 96; @%p1 bra A;", "shr.u32 %r9, %r2, 7; add.s32 %r9, %r9, 1;"
	for _, c := range []struct {
		name, body string
		missed     int
	}{
		{"all lanes", "bar.warp.sync -1;", 0},
		{"some lanes", lanes + "bar.warp.sync -1; A:\n", 1},
		{"lanes of a loaded value", "ld.global.u32 %r9, [%rd1]; setp.eq.u32 %p1, %r9, %r2; @%p1 bra A; bar.warp.sync -1; A:\n", 1},
		{"whole warps", warps + "bar.warp.sync -1; A:\n", 0},
		{"an unknown mask", "bar.warp.sync %r1;", 1},
		{"halves of the block", of + "bar.sync %r9, 128;", 0},
		{"a part of one", of + warps + "bar.sync %r9, 128; A:\n", 1},
		{"more threads than there are", "bar.sync 1, 512;", 1},
		{"arrivals", "bar.arrive 1, 512;", 1},
	} {
		r := analyzeText(t, kernelText(c.body), oneLaunch(), Options{ProofOnly: true})
		if len(r.Missed) != c.missed {
			t.Errorf("%s: missed at %q, want %d", c.name, r.Missed, c.missed)
		}
	}
}
