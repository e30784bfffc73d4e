package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

// TestFaulting: an access or a call that ends in a fault whenever a thread comes to it is neither proved nor a race.
// One that ends in a fault in some threads or launches is as any other.
func TestFaulting(t *testing.T) {
	sized := func(bytes int64) *facts.Given {
		g := oneLaunch()
		at := facts.Pointer{Buffer: "buf", Offset: expr.Const(0), Size: expr.Const(bytes), Bound: "in-bounds: buf"}
		g.Pointers = map[facts.Param]facts.Pointer{{Index: 0}: at}
		return g
	}
	any := func() *facts.Given { return &facts.Given{Disjoint: true} }
	for _, test := range []struct {
		name, body string
		given      *facts.Given
		want       Verdict
		faults     int
	}{
		{"a store to null", "mov.u64 %rd3, 0; st.u32 [%rd3], %r2;", any(), Possible, 1},
		{"a load from null, which races with nothing", "mov.u64 %rd3, 8; ld.global.u32 %r7, [%rd3];", any(), Possible, 1},
		{"null and an index", "mul.wide.u32 %rd3, %r2, 4; st.global.u32 [%rd3], %r2;", any(), Possible, 1},
		{"null and an index of the grid", "mul.wide.u32 %rd3, %r5, 4; st.global.u32 [%rd3], %r2;", any(), Possible, 0},
		{"null and a parameter", "cvt.u64.u32 %rd3, %r1; st.global.u32 [%rd3], %r2;", any(), Possible, 0},
		{"beyond the null page", "mov.u64 %rd3, 65536; st.global.u32 [%rd3], %r2;", any(), Possible, 0},
		{"before null", "mov.u64 %rd3, -4; st.global.u32 [%rd3], %r2;", any(), Possible, 0},
		{"null in shared memory", "mov.u32 %r7, 4; st.shared.u32 [%r7], %r2;", any(), Racy, 0},
		{"null in one of two ways", index + "setp.eq.u32 %p1, %r1, 3; selp.b64 %rd3, 0, %rd3, %p1; st.global.u32 [%rd3], %r2;", oneLaunch(), Clean, 0},
		{"null in one of two ways, a race in the other", "setp.eq.u32 %p1, %r1, 3; selp.b64 %rd3, 0, %rd1, %p1; st.global.u32 [%rd3], %r2;", oneLaunch(), Racy, 0},
		{"a call of a number", "mov.u64 %rd9, 5;" + callThrough, any(), Possible, 1},
		{"a call of null", "mov.u64 %rd9, 0;" + callThrough, any(), Possible, 1},
		{"a call of null or of a function", "mov.u64 %rd5, f; setp.eq.u32 %p1, %r1, 3; selp.b64 %rd9, 0, %rd5, %p1;" + callThrough, oneLaunch(), Clean, 0},
		{"a call of a computed address", "mov.u64 %rd5, f; add.s64 %rd9, %rd5, 8;" + callThrough, oneLaunch(), Clean, 0},
		{"outside of an allocation", "st.global.u32 [%rd1+8], %r2;", sized(8), Possible, 1},
		{"partly outside of an allocation", "st.global.u32 [%rd1+4], %r2; st.global.u64 [%rd1], %rd2;", sized(4), Possible, 2},
		{"the last element of an allocation", "st.global.u32 [%rd1+8], %r2;", sized(12), Racy, 0},
		{"outside in all threads but the first", index + "st.global.u32 [%rd3], %r2; st.global.u32 [%rd1], %r2;", sized(4), Possible, 1},
		{"outside of a variable", "st.shared.u32 [tile+4096], %r2;", oneLaunch(), Possible, 1},
		{"outside of a variable in some threads", "mul.wide.u32 %rd3, %r2, 8; mov.u64 %rd4, tile; add.s64 %rd3, %rd3, %rd4; st.shared.u32 [%rd3+4092], %r2; st.shared.u32 [tile+4092], %r2;", oneLaunch(), Racy, 0},
	} {
		r := analyzeText(t, callText("st.global.u32 [%rd3], %r1;", "add.u32 %r2, %r1, 1;", test.body), test.given, Options{})
		if len(r.Faults) != test.faults || r.Verdict != test.want && (test.want != Racy || r.Verdict != Possible) {
			t.Errorf("%s: %s with %d faults, want %s with %d: %v", test.name, r.Verdict, len(r.Faults), test.want, test.faults, r.Notes)
		}
		for _, f := range r.Faults {
			if f.Witness == nil {
				t.Errorf("%s: no launch for %s", test.name, f.Why)
			}
		}
		of := func(p *Pair) bool { return p.Fault != 0 && p.Verdict != Possible }
		if slices.ContainsFunc(r.Pairs, of) {
			t.Errorf("%s: a pair of an access that faults is decided", test.name)
		}
		if null := slices.Contains(r.Needed, notNull); r.Verdict == Clean && null != (test.name == "null in one of two ways") {
			t.Errorf("%s: needs %v", test.name, r.Needed)
		}
	}
}

// TestFaultsNotFollowed: what a fact says of a launch that host code was not followed to is no ground for a fault.
func TestFaultsNotFollowed(t *testing.T) {
	g := oneLaunch()
	g.Unfollowed = true
	g.Pointers = map[facts.Param]facts.Pointer{{Index: 0}: {Buffer: "buf", Offset: expr.Const(0), Size: expr.Const(8), Bound: "in-bounds: buf"}}
	if r := analyzeText(t, kernelText("st.global.u32 [%rd1+8], %r2;"), g, Options{}); r.Verdict != Possible || len(r.Faults) != 0 {
		t.Errorf("%s with %d faults", r.Verdict, len(r.Faults))
	}
}

// TestFaultsBefore: two threads race only if those accesses stay in their allocations that they make before. Where one
// leaves it in every launch, the pair is open for that.
func TestFaultsBefore(t *testing.T) {
	const (
		shift  = index + "ld.global.u32 %r7, [%rd3+4]; st.global.u32 [%rd3], %r7;"
		some   = index + "setp.lt.u32 %p1, %r2, 63; @%p1 ld.global.u32 %r7, [%rd3+4]; st.global.u32 [%rd3], %r7;"
		load   = "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd2, %rd4; GUARD ld.global.u32 %r7, [%rd5];"
		store  = "and.b32 %r8, %r2, 7; mul.wide.u32 %rd6, %r8, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], %r2;"
		branch = "setp.lt.u32 %p1, %r2, %r1; @%p1 bra E;"
	)
	for _, test := range []struct {
		name, body string
		p, q       int64 // bytes
		threads    int64 // 0: any number
		want       Verdict
		fault      bool
	}{
		{"the second of two threads leaves", shift, 8, 8, 2, Possible, true},
		{"the last thread leaves, and others race", shift, 256, 256, 64, Racy, false},
		{"there is one element more", shift, 260, 256, 64, Racy, false},
		{"the last thread does not load", some, 256, 256, 64, Racy, false},
		{"in launches in which nobody leaves", load + store, 32, 32, 0, Clean, false},
		{"one element more", load + store, 32, 36, 0, Racy, false},
		{"in every launch", load + store, 32, 32, 64, Possible, true},
		{"some load", branch + load + "E:\n" + store, 32, 32, 0, Racy, false},
		{"a guard", strings.Replace(load, "GUARD", "@%p2", 1) + store, 32, 32, 0, Racy, false},
		{"behind the store", store + load, 32, 32, 0, Racy, false},
	} {
		g := &facts.Given{Pointers: map[facts.Param]facts.Pointer{
			{Index: 0}: {Buffer: "p", Offset: expr.Const(0), Size: expr.Const(test.p), Bound: "in-bounds: p"},
			{Index: 1}: {Buffer: "q", Offset: expr.Const(0), Size: expr.Const(test.q), Bound: "in-bounds: q"},
		}}
		for _, d := range query.Dims {
			for what, n := range map[string]int64{"ntid": test.threads, "nctaid": 1} {
				if d != 'x' {
					n = 1
				}
				v := facts.Dim(what, d)
				if n > 0 {
					g.Facts = append(g.Facts, facts.Fact{Name: v.String(), Class: facts.Dims, Var: v.String(), Value: expr.Const(n), Formula: expr.Eq(v, expr.Const(n))})
				}
			}
		}
		r := analyzeText(t, kernelText(strings.Replace(test.body, "GUARD", "", 1)), g, Options{})
		if r.Verdict != test.want || (len(r.Faults) > 0) != test.fault {
			t.Errorf("%s: %s with %d faults, want %s: %v", test.name, r.Verdict, len(r.Faults), test.want, r.Notes)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Reason)
			}
		}
		for _, p := range r.Pairs {
			if p.Verdict == Possible && (p.Fault != 0) != test.fault {
				t.Errorf("%s: open for %q", test.name, p.Reason)
			}
		}
		if r.Verdict == Clean && !slices.Contains(r.Needed, "in-bounds: q") {
			t.Errorf("%s: needs %v", test.name, r.Needed)
		}
	}
}
