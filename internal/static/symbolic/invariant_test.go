package symbolic

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// holds evaluates a condition for a value of the variable v.
func holds(t *testing.T, c *expr.Bool, at int64) bool {
	t.Helper()
	k, err := expr.Ite(c, expr.Const(1), expr.Const(0)).Eval(&expr.Model{Ints: map[string]*big.Int{"v": big.NewInt(at)}})
	if err != nil {
		t.Fatal(err)
	}
	return k.Sign() != 0
}

// TestTrimmed: a range loses no value that satisfies the condition, and the next value that there is when the
// condition holds is in the range of the next values.
func TestTrimmed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	narrower := 0
	for range 3000 {
		v := expr.Variable{Name: "v", Lo: big.NewInt(-40), Hi: big.NewInt(40)}
		x := expr.NewVar(v)
		values := []*expr.Int{
			expr.Wrap(expr.Mul(expr.Const(2), x), 6, true), expr.Wrap(expr.Add(x, expr.Const(r.Int64N(20)-10)), 5, true), expr.Div(x, expr.Const(2)),
			expr.Wrap(expr.Shr(expr.Wrap(x, 6, false), expr.Const(1)), 6, true), x, expr.Mul(expr.Const(3), x), expr.Max(x, expr.Const(3)),
		}
		val := values[r.IntN(len(values))]
		var tests []*expr.Bool
		for range 1 + r.IntN(3) {
			y, k := []*expr.Int{x, val}[r.IntN(2)], expr.Const(r.Int64N(60)-30)
			test := []*expr.Bool{expr.Lt(y, k), expr.Ge(y, k), expr.Ne(y, k), expr.Any(expr.Lt(y, expr.Const(0)), expr.Gt(y, k)), expr.Eq(y, k)}
			tests = append(tests, test[r.IntN(len(test))])
		}
		c := expr.All(tests...)
		lo := r.Int64N(60) - 30
		now := span{big.NewInt(lo), big.NewInt(lo + r.Int64N(30))}
		kept, got := trimmed(v, now, c), joined(now, []next{{val, c}}, v)
		for at := now.lo.Int64(); at <= now.hi.Int64(); at++ {
			if !holds(t, c, at) {
				continue
			}
			if kept == nil || big.NewInt(at).Cmp(kept.lo) < 0 || big.NewInt(at).Cmp(kept.hi) > 0 {
				t.Fatalf("%s for %d to %d is %v, without %d", c, now.lo, now.hi, kept, at)
			}
			n, err := val.Eval(&expr.Model{Ints: map[string]*big.Int{"v": big.NewInt(at)}})
			if err != nil || got == nil || n.Cmp(got.lo) < 0 || n.Cmp(got.hi) > 0 {
				t.Fatalf("%s where %s for %d to %d is in %v, and %d for %d (%v)", val, c, now.lo, now.hi, got, n, at, err)
			}
		}
		if kept != nil && (kept.lo.Cmp(now.lo) > 0 || kept.hi.Cmp(now.hi) < 0) {
			narrower++
		}
	}
	if narrower < 500 {
		t.Errorf("only %d ranges were narrowed", narrower)
	}
}

// TestThresholds: the index of a ring of three stages stays in the ring, whether it is tested before or after it is
// raised. One that is tested too late does not.
func TestThresholds(t *testing.T) {
	v := expr.Variable{Name: "v", Lo: big.NewInt(-1 << 31), Hi: big.NewInt(1<<31 - 1)}
	x := expr.NewVar(v)
	up := expr.Wrap(expr.Add(x, expr.Const(1)), 32, true)
	for _, c := range []struct {
		next *expr.Int
		hi   int64
	}{
		{expr.Ite(expr.Ge(up, expr.Const(3)), expr.Const(0), up), 2},
		{expr.Wrap(expr.Ite(expr.Gt(x, expr.Const(1)), expr.Const(0), up), 32, true), 2},
		{expr.Ite(expr.Gt(x, expr.Const(4)), expr.Const(0), up), 5},
	} {
		got := settled(v, span{big.NewInt(-1), big.NewInt(-1)}, []next{{c.next, expr.True}})
		if got == nil || got.lo.Int64() != -1 || got.hi.Int64() != c.hi {
			t.Errorf("%s stays in %v, expected -1 to %d", c.next, got, c.hi)
		}
	}
	if got := settled(v, span{big.NewInt(0), big.NewInt(0)}, []next{{up, expr.True}}); got != nil && got.hi.Int64() < 1<<31-1 {
		t.Errorf("%s stays in %v", up, got)
	}
}

// TestFromBase: two addresses that registers of 32 bits hold are equal exactly when their distances from the
// variable are.
func TestFromBase(t *testing.T) {
	base := expr.Uniform(SharedBase+"tile", 0, 1<<31-1)
	r := rand.New(rand.NewPCG(3, 4))
	a, b := expr.Var("a", -1<<31, 1<<31-1), expr.Var("b", -1<<31, 1<<31-1)
	first := expr.Add(expr.Wrap(expr.Add(base, expr.Mul(expr.Const(4), a)), 32, false), expr.Const(8))
	second := expr.Wrap(expr.Add(base, expr.Const(-4), b), 32, false)
	x, y := fromBase(first), fromBase(second)
	if x.Equal(first) || y.Equal(second) {
		t.Fatalf("%s and %s", x, y)
	}
	equal := 0
	for range 20_000 {
		k := r.Int64N(1<<32) - 1<<31
		n := 4*k + 12 + int64(r.IntN(2))
		n = int64(int32(n))
		m := &expr.Model{Ints: map[string]*big.Int{SharedBase + "tile": big.NewInt(r.Int64N(1 << 20)), "a": big.NewInt(k), "b": big.NewInt(n)}}
		value := func(e *expr.Int) *big.Int {
			v, err := e.Eval(m)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		low := func(e *expr.Int) uint64 { return new(big.Int).And(value(e), big.NewInt(1<<32-1)).Uint64() }
		if same := low(first) == low(second); same != (value(x).Cmp(value(y)) == 0) {
			t.Fatalf("%v: %s and %s, %s and %s", m.Ints, first, second, x, y)
		} else if same {
			equal++
		}
	}
	if equal < 5000 {
		t.Errorf("%d of 20000 are equal", equal)
	}
}
