package static

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// launchOf is one block of 32 threads, with a number for the parameter n.
func launchOf(n int64) *facts.Given {
	g := &facts.Given{Disjoint: true}
	for _, d := range []struct {
		x *expr.Int
		k int64
	}{{facts.Dim("ntid", 'x'), 32}, {facts.Dim("ntid", 'y'), 1}, {facts.Dim("ntid", 'z'), 1}, {facts.Dim("nctaid", 'x'), 1}, {facts.ParamVar(2, 0, 32), n}} {
		g.Facts = append(g.Facts, facts.Fact{Name: d.x.String(), Class: facts.Values, Var: d.x.String(), Value: expr.Const(d.k), Formula: expr.Eq(d.x, expr.Const(d.k))})
	}
	return g
}

// TestBitCounts: threads store to the element that instructions give which count or reverse bits, or compare numbers
// (PTX ISA, "Integer Arithmetic Instructions").
func TestBitCounts(t *testing.T) {
	const store = "mul.wide.u32 %rd3, %r6, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2;"
	tests := []struct {
		name, body string
		n          int64
		want       Verdict
	}{
		{"equal counts", "popc.b32 %r6, %r2", 0, Racy},
		{"the count of the bits below one", "popc.b32 %r7, %r1; add.s32 %r7, %r7, 1; mul.lo.s32 %r6, %r7, %r2", 255, Clean},
		{"as many bits as there are", "popc.b32 %r7, %r1; sub.s32 %r7, 32, %r7; mul.lo.s32 %r6, %r7, %r2", -1, Racy},
		{"the least of two numbers, negative ones as 0", "add.s32 %r7, %r2, -8; min.relu.s32 %r6, %r7, 1000", 0, Racy},
		{"the greatest of two numbers, negative ones as 0", "add.s32 %r7, %r2, -8; max.relu.s32 %r6, %r7, -1000", 0, Racy},
		{"the least of two numbers of which none is negative", "min.relu.s32 %r6, %r2, 1000", 0, Clean},
		{"leading zeros of a bit for each thread", "shl.b32 %r7, 1, %r2; clz.b32 %r6, %r7", 0, Clean},
		{"leading zeros of the index", "clz.b32 %r6, %r2", 0, Racy},
		{"the highest bit of a bit for each thread", "shl.b32 %r7, 1, %r2; bfind.u32 %r6, %r7", 0, Clean},
		{"the highest bit of a negative number", "bfind.s32 %r7, %r1; mul.lo.s32 %r6, %r7, %r2", -5, Clean}, // bit 2
		{"the highest bit of -2", "bfind.s32 %r7, %r1; mul.lo.s32 %r6, %r7, %r2", -2, Racy},                 // bit 0
		{"an unsigned number is not negative", "bfind.u32 %r7, %r1; mul.lo.s32 %r6, %r7, %r2", -2, Clean},   // bit 31
		{"no highest bit", "bfind.u32 %r7, %r1; add.s32 %r7, %r7, 1; mul.lo.s32 %r6, %r7, %r2", 0, Racy},
		{"a highest bit", "bfind.u32 %r7, %r1; add.s32 %r7, %r7, 1; mul.lo.s32 %r6, %r7, %r2", 1, Clean},
		{"no shift amount", "bfind.shiftamt.u32 %r7, %r1; add.s32 %r7, %r7, 1; mul.lo.s32 %r6, %r7, %r2", 0, Racy},
		{"a shift amount of 0", "bfind.shiftamt.u32 %r7, %r1; mul.lo.s32 %r6, %r7, %r2", -1, Racy},
		{"a shift amount of 1", "bfind.shiftamt.u32 %r7, %r1; mul.lo.s32 %r6, %r7, %r2", 1 << 30, Clean},
		{"division by a power of two", "brev.b32 %r7, %r1; bfind.shiftamt.u32 %r7, %r7; shl.b32 %r8, %r2, 3; shr.u32 %r6, %r8, %r7", 8, Clean},
		{"division by a greater power", "brev.b32 %r7, %r1; bfind.shiftamt.u32 %r7, %r7; shl.b32 %r8, %r2, 3; shr.u32 %r6, %r8, %r7", 16, Racy},
		{"reversed indices", "brev.b32 %r6, %r2; shr.u32 %r6, %r6, 27", 0, Clean},
		{"indices without the highest reversed bit", "brev.b32 %r6, %r2; shr.u32 %r6, %r6, 28", 0, Racy},
	}
	for _, test := range tests {
		r := analyzeText(t, kernelText(test.body+";"+store), launchOf(test.n), Options{})
		if r.Verdict != test.want {
			t.Errorf("%s: %s, want %s\n%s", test.name, r.Verdict, test.want, describe(r))
		}
	}
}
