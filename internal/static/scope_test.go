package static

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// blocks returns what is known of a launch like that of oneLaunch with another number of blocks.
func blocks(n int64) *facts.Given {
	g := oneLaunch()
	for i, f := range g.Facts {
		if f.Var == facts.Dim("nctaid", 'x').String() {
			g.Facts[i].Value, g.Facts[i].Formula = expr.Const(n), expr.Eq(facts.Dim("nctaid", 'x'), expr.Const(n))
		}
	}
	return g
}

// TestScopes: operations and fences with the scope of the block order threads of a block by a word of global memory that
// no other block writes to, as the launch has one block or each block has its own word.
func TestScopes(t *testing.T) {
	narrow := strings.NewReplacer("membar.gl", "membar.cta", "atom.global", "atom.cta.global", "ld.volatile", "ld.relaxed.cta", "st.volatile", "st.relaxed.cta").Replace
	lock := narrow(take + count + give)
	flag := narrow(roles + "@%p2 bra S; @%p3 bra A; bra B; S: st.global.u32 [%rd1], 7;" + set + await + "ld.global.u32 %r12, [%rd1]; B:")
	const own = "mul.wide.u32 %rd6, %r3, 4; add.s64 %rd1, %rd1, %rd6; add.s64 %rd2, %rd2, %rd6; "
	last := "mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], 7; membar.cta; atom.cta.global.add.u32 %r22, [%rd2], 1; setp.ne.u32 %p2, %r22, 255; @%p2 bra E; membar.cta; " + sums
	for _, c := range []struct {
		name, body string
		blocks     int64
		want       bool
	}{
		{"a lock", lock, 1, true},
		{"a lock of four blocks", lock, 4, false},
		{"a lock of each block", own + lock, 4, true},
		{"a lock of two blocks each", "shr.u32 %r20, %r3, 1; " + strings.Replace(own, "%r3", "%r20", 1) + lock, 4, false},
		{"a lock that the next block takes away", own + lock + "st.relaxed.gpu.global.u32 [%rd2+4], 0;", 4, false},
		{"a lock without fences", strings.ReplaceAll(lock, "membar.cta; ", ""), 1, false},
		{"a lock taken weakly", strings.ReplaceAll(lock, "atom.cta.global.exch.b32 %r11, [%rd2], 0", "st.global.u32 [%rd2], 0"), 1, false},
		{"a flag", flag, 1, true},
		{"a flag of two blocks", flag, 2, true}, // both threads are of block 0, and no other writes to it
		{"a flag for another block", strings.Replace(flag, "%p3, %r5, 1", "%p3, %r5, 256", 1), 2, false},
		{"a flag that each block sets", strings.Replace(flag, "%p2, %r5, 0", "%p2, %r2, 0", 1), 2, false},
		{"a flag that each block sets for itself", own + strings.NewReplacer("%p2, %r5, 0", "%p2, %r2, 0", "%p3, %r5, 1", "%p3, %r2, 1").Replace(flag), 2, true},
		{"a flag without the first fence", strings.Replace(flag, "membar.cta; ", "", 1), 1, false},
		{"a flag of a weak store", strings.Replace(flag, "atom.cta.global.exch.b32 %r11, [%rd2], 1", "st.global.u32 [%rd2], 1", 1), 1, false},
		{"a flag that is read weakly", strings.Replace(flag, "ld.relaxed.cta.global", "ld.global", 1), 1, false},
		{"the last thread", last, 1, true},
		{"the last thread of two blocks", strings.Replace(last, "255", "511", 1), 2, false},
		{"the last thread but one", strings.Replace(last, "255", "254", 1), 1, false},
		{"the last thread, without the fence before", strings.Replace(last, "membar.cta; ", "", 1), 1, false},
		{"the last thread, without the fence behind", strings.Replace(last, "membar.cta; ld", "ld", 1), 1, false},
	} {
		body := strings.NewReplacer("A:", "A:\n", "B:", "B:\n", "S:", "S:\n").Replace(c.body)
		r := analyzeText(t, kernelText(body), blocks(c.blocks), Options{ProofOnly: true})
		if got := r.Verdict == Clean; got != c.want {
			t.Errorf("%s, %d blocks: %s, proved is to be %t\n%s", c.name, c.blocks, r.Verdict, c.want, describe(r))
		}
	}
}
