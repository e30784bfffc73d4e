package static

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// TestChosenAddresses: an access at an address that is chosen from several is one of each, where it is chosen.
func TestChosenAddresses(t *testing.T) {
	const (
		byNumber = "setp.eq.u32 %p1, %r1, 0; selp.b64 %rd9, %rd1, %rd2, %p1;"
		byThread = "setp.lt.u32 %p1, %r5, 8; selp.b64 %rd9, %rd1, %rd2, %p1;"
		branched = "mov.u64 %rd9, %rd1; setp.eq.u32 %p1, %r1, 0; @%p1 bra A; mov.u64 %rd9, %rd2; A:"
		at       = "mul.wide.s32 %rd3, %r5, 4; add.s64 %rd3, %rd9, %rd3;"
		own      = index + "ld.global.u32 %r7, [%rd3];"
	)
	tests := []struct {
		name, body string
		want       Verdict
	}{
		{"own element of either", byNumber + at + "st.global.u32 [%rd3], %r2;", Clean},
		{"own element of either, by a branch", branched + at + "st.global.u32 [%rd3], %r2;", Clean},
		{"own element of either, by thread", byThread + at + "st.global.u32 [%rd3], %r2;" + own, Clean},
		{"one element of either", byNumber + "st.global.u32 [%rd9], %r2;", Racy},
		{"neighbour in either", byNumber + at + "ld.global.u32 %r7, [%rd3+4]; st.global.u32 [%rd3], %r7;", Racy},
		{"neighbour in the second", byNumber + at + "st.global.u32 [%rd3], %r2; mul.wide.s32 %rd3, %r5, 4; add.s64 %rd3, %rd2, %rd3; ld.global.u32 %r7, [%rd3+4];", Racy},
		{"neighbour in the first for the last of eight", byThread + at + "st.global.u32 [%rd3], %r2; mul.wide.s32 %rd3, %r5, 4; add.s64 %rd3, %rd1, %rd3; ld.global.u32 %r7, [%rd3+-4];", Racy},
		{"a third address", byNumber + "setp.eq.u32 %p2, %r1, 1; mov.u64 %rd8, tile; cvta.shared.u64 %rd8, %rd8; selp.b64 %rd9, %rd8, %rd9, %p2; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd3, %rd9, %rd3; st.u32 [%rd3], %r2;", Racy},
	}
	for _, test := range tests {
		r := analyzeText(t, kernelText(test.body), &facts.Given{Disjoint: true}, Options{NoWrap: true})
		if r.Verdict != test.want {
			t.Errorf("%s: %s, want %s", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}
