// Pointers into one allocation.

package static_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestParts: two pointers into one allocation of 8 n bytes, of which the kernel reads n elements of the first and
// writes as many of the second. They are apart if the second begins where those end, and one that need not lead there
// shows no race.
func TestParts(t *testing.T) {
	program, err := session.Parse("k.ptx", []byte(smallKernel(toAny, "", "setp.ge.s32 %p1, %r1, %n; @%p1 bra A; add.s64 %rd3, %rd1, %rd9; ld.global.u32 %r3, [%rd3]; add.s64 %rd4, %rd2, %rd9; st.global.u32 [%rd4], %r3; A:")))
	if err != nil {
		t.Fatal(err)
	}
	n := facts.NewVar("n", "s32")
	all := expr.Mul(expr.Const(4), n.Int())
	for _, c := range []struct {
		name   string
		offset *expr.Int
		lost   bool
		want   static.Verdict
	}{
		{"behind it", all, false, static.Clean},
		{"at its last element", expr.Sub(all, expr.Const(4)), false, static.Racy},
		{"one element behind", expr.Add(all, expr.Const(4)), false, static.Clean},
		{"before it", expr.Neg(all), false, static.Clean},
		{"at the next element, perhaps", expr.Const(4), true, static.Possible},
		{"at the next element", expr.Const(4), false, static.Racy},
		{"the same", expr.Const(0), false, static.Clean},
	} {
		l := &facts.Launch{
			Kernel: "k", Vars: []facts.Var{n},
			Grid:    [3]*expr.Int{expr.Const(1), expr.Const(1), expr.Const(1)},
			Block:   [3]*expr.Int{expr.Const(64), expr.Const(1), expr.Const(1)},
			Args:    []facts.Arg{{Buffer: "x", Offset: all}, {Buffer: "x", Offset: expr.Add(all, c.offset), Lost: c.lost}, {Int: n.Int(), Type: "s32"}},
			Buffers: []facts.Buffer{{Name: "x", Size: expr.Mul(expr.Const(16), n.Int())}},
		}
		r, err := static.Analyze(t.Context(), program.Module.Func("k"), l.Given(nil, []int{64, 64, 32}), static.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Verdict, c.want)
		}
		if need := "identity: x, to byte 4 * n of which parameter 1 points, is an allocation of its own"; r.Verdict == static.Clean && !slices.Contains(r.Needed, need) {
			t.Errorf("%s: needs %q", c.name, r.Needed)
		}
	}
}
