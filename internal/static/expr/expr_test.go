package expr

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// names resolves the variables of the tests: x, y, z between -40 and 40, n uniform and not
// negative, t in [0, 31], p and q conditions.
func names(name string) (*Int, *Bool, error) {
	switch base, _, _ := strings.Cut(name, "#"); base {
	case "x", "y", "z", "matrix_dim", "p1@8":
		return Var(name, -40, 40), nil, nil
	case "n", "ntid.x":
		return Uniform(name, 0, 40), nil, nil
	case "t":
		return Var(name, 0, 31), nil, nil
	case "u":
		return NewVar(Variable{Name: name}), nil, nil
	case "p", "q":
		return nil, BoolVar(name, base == "q"), nil
	}
	return nil, nil, errors.New("unknown name \"" + name + "\"")
}

// TestPrint compares the text of what was parsed, which is simplified.
func TestPrint(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(matrix_dim/16)-1", "matrix_dim / 16 - 1"},
		{"x + x*2 - 3*x", "0"},
		{"x - y", "x - y"},
		{"0-x-1", "-x - 1"},
		{"16 - t", "16 - t"},
		{"t/32", "0"},
		{"t%32 + 0x10UL", "t + 16"},
		{"(16*n + t%16)/16", "n"},
		{"(16*n + t%16)%16", "t % 16"},
		{"(u - u2(u) - 4)%4", "0"},
		{"(u - u2(u) - 4)%8", "(u - u2(u) - 4) % 8"},
		{"(u - u2(u) - 2)%4", "(u - u2(u) - 2) % 4"},
		{"(x/4)/8", "x / 32"},
		{"(u/4)/8", "u / 32"},
		{"(x*n)/n", "n * x / n"},
		{"t & 15", "u4(t)"},
		{"t & ~15", "t - u4(t)"},
		{"u3(4*x)", "u3(4 * x)"},
		{"u10(512*u + t)", "t + 512 * u1(u)"},
		{"u10(512*u + t + 3)", "t + 512 * u1(u) + 3"},
		{"u10(512*u + 16*t + 511)", "16 * u6(t + 32 * u + 31) + 15"},
		{"u4(16*u + t)", "u4(t)"},
		{"u10(512*u - t)", "u10(512 * u - t)"},
		{"u32(512*u + t)", "u32(t + 512 * u)"},
		{"t ^ 8", "t + 2 * u3(t) - 2 * u4(t) + 8"},
		{"32*x | t", "t + 32 * x"},
		{"u >> 2", "u >> 2"},
		{"t >> 2", "t / 4"},
		{"(4*u + 8) >> 2", "u + 2"},
		{"u << 3", "8 * u"},
		{"u32(t)", "t"},
		{"u32(u32(u) + 4294967295)", "u32(u - 1)"},
		{"s32(u64(u) * 3)", "s32(3 * u)"},
		{"min(t, 40)", "t"},
		{"max(t, 3)", "max(3, t)"},
		{"max(t, x+n)", "max(t, n + x)"},
		{"p ? x : y", "p ? x : y"},
		{"(p ? x : y) + 1", "(p ? x : y) + 1"},
		{"-(x*y)*3", "-3 * (x * y)"},
		{"-(x/y)", "-(x / y)"},
		{"(x > 3) + 1", "(x >= 4 ? 1 : 0) + 1"},
		{"unknown() * 0 + x", "unknown()"},
		{"x / y * z", "z * (x / y)"},
	} {
		x, err := ParseInt(c.text, names)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := x.String(); got != c.want {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
}

// TestPrintBool compares the text of conditions.
func TestPrintBool(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x < y - 16", "x < y - 16"},
		{"x < y", "x < y"},
		{"x >= n*4", "4 * n <= x"},
		{"x > 0", "x > 0"},
		{"t < 16", "t < 16"},
		{"t <= 16", "t <= 16"},
		{"t < 32", "true"},
		{"t == 40", "false"},
		{"2*x == 4*y + 1", "false"},
		{"2*x <= 7", "x < 4"},
		{"2*x <= 4*y + 1", "x <= 2 * y"},
		{"!(x < y)", "y <= x"},
		{"!(p && x == 3)", "!p || x != 3"},
		{"p && !p", "false"},
		{"n & n - 1 == 0", "u1(n) != 0 && n == 1"},
		{"(x < 3) & (y > 4)", "x <= 2 && y >= 5"},
		{"(x & y < 3) == 1", "(u1(x) != 0 && y <= 2 ? 1 : 0) == 1"},
		{"p || maybe()", "p || maybe()"},
		{"p || true || maybe()", "true"},
		{"x", "x != 0"},
		{"!x", "x == 0"},
		{"x == 1 || y == x || x == y", "x == 1 || x == y"},
		{"p ? q : x == 0", "p && q || !p && x == 0"},
		{"unknown() < 3 && p", "maybe() && p"},
	} {
		f, err := ParseBool(c.text, names)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := f.String(); got != c.want {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
}

// TestParseErrors compares messages and columns.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `column 1: unexpected end of text; expected an operand`},
		{"x +", `column 4: unexpected end of text; expected an operand`},
		{"x y", `column 3: unexpected "y"; expected an operator or the end`},
		{"(x", `column 3: unexpected end of text; expected ")"`},
		{"x + w", `column 5: unknown name "w"`},
		{"x = 3", `column 3: unexpected character '='`},
		{"1.5 * x", `column 1: "1.5" is no integer`},
		{"12ab", `column 1: "12ab" is no integer`},
		{"0x", `column 1: "0x" is no integer`},
		{"min(x)", `column 1: min has 1 arguments; expected 2`},
		{"f(x)", `column 1: unknown function "f"; expected min, max, u1 to u64, s1 to s64, len1 to len64, ones1 to ones64 or flip1 to flip64`},
		{"u65(x)", `column 1: unknown function "u65"; expected min, max, u1 to u64, s1 to s64, len1 to len64, ones1 to ones64 or flip1 to flip64`},
		{"p ? x", `column 6: unexpected end of text; expected ":"`},
		{"é", `column 1: unexpected character 'é'`},
		{strings.Repeat("(", 300) + "x", `column 201: the expression nests deeper than 200 levels`},
		{strings.Repeat("-", 300) + "x", `column 201: the expression nests deeper than 200 levels`},
		{strings.Repeat(" ", 70000), `column 1: the expression has 70000 bytes; at most 65536 are allowed`},
	} {
		if _, err := ParseBool(c.text, names); err == nil || err.Error() != c.want {
			t.Errorf("%.20q: %v, want %s", c.text, err, c.want)
		}
	}
}

// random makes an expression of the test's variables through the constructors f of a table, and
// the same computation on the values.
type random struct {
	*rand.Rand
	m *Model
}

// value is what a computation gave: nil when it is undefined.
type valued struct {
	x *Int
	v *big.Int
}

// leaf returns a constant or variable.
func (r random) leaf() valued {
	if r.IntN(3) == 0 {
		k := r.Int64N(20) - 10
		return valued{Const(k), big.NewInt(k)}
	}
	name := []string{"x", "y", "z", "n", "t", "u"}[r.IntN(6)]
	x, _, _ := names(name)
	return valued{x, r.m.Ints[name]}
}

// expression returns a random computation, with operands of smaller depth.
func (r random) expression(depth int) valued {
	if depth == 0 {
		return r.leaf()
	}
	a, b := r.expression(r.IntN(depth)), r.expression(r.IntN(depth))
	z := new(big.Int)
	defined := a.v != nil && b.v != nil
	compute := func(x *Int, f func() *big.Int) valued {
		if !defined {
			return valued{x, nil}
		}
		return valued{x, f()}
	}
	switch r.IntN(14) {
	case 0, 1:
		return compute(Add(a.x, b.x), func() *big.Int { return z.Add(a.v, b.v) })
	case 2:
		return compute(Sub(a.x, b.x), func() *big.Int { return z.Sub(a.v, b.v) })
	case 3, 4:
		return compute(Mul(a.x, b.x), func() *big.Int { return z.Mul(a.v, b.v) })
	case 5, 6:
		defined = defined && b.v.Sign() != 0
		if r.IntN(2) == 0 {
			return compute(Div(a.x, b.x), func() *big.Int { return z.Quo(a.v, b.v) })
		}
		return compute(Rem(a.x, b.x), func() *big.Int { return z.Rem(a.v, b.v) })
	case 7:
		return compute(And(a.x, b.x), func() *big.Int { return z.And(a.v, b.v) })
	case 8:
		return compute(Or(a.x, b.x), func() *big.Int { return z.Or(a.v, b.v) })
	case 9:
		return compute(Xor(a.x, b.x), func() *big.Int { return z.Xor(a.v, b.v) })
	case 10:
		defined = defined && b.v.Sign() >= 0 && b.v.Cmp(big.NewInt(20)) < 0
		if r.IntN(2) == 0 {
			return compute(Shl(a.x, b.x), func() *big.Int { return z.Lsh(a.v, uint(b.v.Int64())) })
		}
		return compute(Shr(a.x, b.x), func() *big.Int { return z.Rsh(a.v, uint(b.v.Int64())) })
	case 11:
		bits, signed := 1+r.IntN(8), r.IntN(2) == 0
		return compute(Wrap(a.x, bits, signed), func() *big.Int { return wrapBig(a.v, bits, signed) })
	case 12:
		return compute(Min(a.x, b.x), func() *big.Int {
			if a.v.Cmp(b.v) < 0 {
				return a.v
			}
			return b.v
		})
	}
	return compute(Ite(Le(a.x, b.x), Max(a.x, b.x), a.x), func() *big.Int {
		if a.v.Cmp(b.v) > 0 {
			return a.v
		}
		return b.v
	})
}

// TestSimplificationIsExact compares the values of expressions as they were simplified with those
// of the computation that made them, their intervals with their values, and their text with what
// the parser makes of it.
func TestSimplificationIsExact(t *testing.T) {
	defined := 0
	for seed := range uint64(5_000) {
		r := random{rand.New(rand.NewPCG(seed, 1)), NewModel()}
		for _, name := range []string{"x", "y", "z", "u"} {
			r.m.Ints[name] = big.NewInt(r.Int64N(81) - 40)
		}
		r.m.Ints["n"], r.m.Ints["t"] = big.NewInt(r.Int64N(41)), big.NewInt(r.Int64N(32))
		e := r.expression(5)
		if e.v == nil {
			continue
		}
		defined++
		v, err := e.x.Eval(r.m)
		if err != nil || v.Cmp(e.v) != 0 {
			t.Fatalf("seed %d: %s under %s is %v (%v), want %s", seed, e.x, r.m, v, err, e.v)
		}
		if lo, hi := e.x.Range(); lo != nil && lo.Cmp(v) > 0 || hi != nil && hi.Cmp(v) < 0 {
			t.Fatalf("seed %d: %s = %s is not in [%v, %v]", seed, e.x, v, lo, hi)
		}
		y, err := ParseInt(e.x.String(), names)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, e.x, err)
		}
		if w, err := y.Eval(r.m); err != nil || w.Cmp(v) != 0 {
			t.Fatalf("seed %d: %s parsed is %s: %v, want %s", seed, e.x, y, w, v)
		}
		two := e.x.Instance(2)
		if n := two.Instance(1); !n.Equal(two) && !two.IsUnknown() {
			t.Fatalf("seed %d: instances are numbered twice: %s", seed, n)
		}
	}
	if defined < 1_500 {
		t.Errorf("only %d expressions were defined", defined)
	}
}

// TestComparisonsAreExact compares conditions, and their negations, with the values they compare.
func TestComparisonsAreExact(t *testing.T) {
	for seed := range uint64(5_000) {
		r := random{rand.New(rand.NewPCG(seed, 2)), NewModel()}
		for _, name := range []string{"x", "y", "z", "u"} {
			r.m.Ints[name] = big.NewInt(r.Int64N(81) - 40)
		}
		r.m.Ints["n"], r.m.Ints["t"] = big.NewInt(r.Int64N(41)), big.NewInt(r.Int64N(32))
		a, b := r.expression(3), r.expression(3)
		if a.v == nil || b.v == nil {
			continue
		}
		c := a.v.Cmp(b.v)
		for _, f := range []struct {
			f    *Bool
			want bool
		}{
			{Eq(a.x, b.x), c == 0},
			{Ne(a.x, b.x), c != 0},
			{Lt(a.x, b.x), c < 0},
			{Le(a.x, b.x), c <= 0},
			{Gt(a.x, b.x), c > 0},
			{Not(All(Ge(a.x, b.x), Eq(a.x, a.x))), c < 0},
			{Iff(Ge(a.x, b.x), Lt(a.x, b.x)), false},
		} {
			if got, err := f.f.Eval(r.m); err != nil || got != f.want {
				t.Fatalf("seed %d: %s under %s is %t (%v), want %t", seed, f.f, r.m, got, err, f.want)
			}
			g, err := ParseBool(f.f.String(), names)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, f.f, err)
			}
			if got, err := g.Eval(r.m); err != nil || got != f.want {
				t.Fatalf("seed %d: %s parsed is %s: %t (%v), want %t", seed, f.f, g, got, err, f.want)
			}
		}
	}
}

// TestLimits builds expressions without end: they become unknown, and stay small.
func TestLimits(t *testing.T) {
	x := Var("x", 0, 5)
	y, z := x, x
	for range 100 {
		y = Div(Add(y, x), Xor(y, x))
		if y.Size() < 2000 && !y.IsUnknown() {
			z = y
		}
	}
	if !y.IsUnknown() {
		t.Errorf("an expression of %d nodes is not unknown", y.Size())
	}
	k := Const(3)
	for range 20 {
		k = Mul(k, k)
	}
	if !k.IsUnknown() {
		t.Errorf("a constant of 2^20 bits is not unknown")
	}
	f := True
	for i := range int64(700) {
		f = All(f, Eq(z, Var("w"+strconv.FormatInt(i, 10), -1000, 1000)))
	}
	if f.Size() > MaxBoolSize || f.Kind() != KindMaybe && f.Parts()[0].Kind() != KindMaybe {
		t.Errorf("a condition of %d nodes is not Maybe", f.Size())
	}
	m := NewModel()
	m.Ints["x"] = big.NewInt(3)
	if _, err := Shl(Const(1), Shl(x, x)).Eval(m); err != nil {
		t.Error(err)
	}
	if _, err := Shl(x, Shl(x, Shl(x, x))).Eval(m); !errors.Is(err, ErrUndefined) {
		t.Errorf("a shift by a huge count: %v", err)
	}
	if _, err := Div(x, Sub(x, Const(3))).Eval(m); !errors.Is(err, ErrUndefined) {
		t.Errorf("a division by zero: %v", err)
	}
	if _, err := Unknown().Eval(m); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown value: %v", err)
	}
	if _, err := Var("w", 0, 3).Eval(m); !errors.Is(err, ErrUnbound) {
		t.Errorf("a variable without value: %v", err)
	}
}

// TestKleene evaluates connectives with parts that have no value.
func TestKleene(t *testing.T) {
	m := NewModel()
	m.Bools["p"] = true
	m.Ints["x"] = new(big.Int)
	p, x := BoolVar("p", false), Var("x", 0, 3)
	undefined := Eq(Div(Const(1), x), Const(1))
	for _, c := range []struct {
		f    *Bool
		want string
	}{
		{All(undefined, Not(p)), "false <nil>"},
		{Any(undefined, p), "true <nil>"},
		{All(undefined, p), "undefined"},
		{Any(Maybe(), Not(p)), "unknown"},
		{Not(All(Maybe(), Not(p))), "true <nil>"},
	} {
		v, err := c.f.Eval(m)
		got := "false <nil>"
		switch {
		case errors.Is(err, ErrUndefined):
			got = "undefined"
		case errors.Is(err, ErrUnknown):
			got = "unknown"
		case v:
			got = "true <nil>"
		}
		if got != c.want {
			t.Errorf("%s is %s, want %s", c.f, got, c.want)
		}
	}
}

// TestInstance renames the variables of a thread, and only those.
func TestInstance(t *testing.T) {
	f, err := ParseBool("x < n && p && q && x#1 == t", names)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Instance(2).String(), "x#2 < n && p#2 && q && t#2 == x#1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var vars []string
	for _, v := range f.Vars() {
		vars = append(vars, v.Name)
	}
	if got := strings.Join(vars, " "); got != "n p q t x x#1" {
		t.Errorf("variables: %s", got)
	}
	if f.Uniform() || !Lt(Uniform("n", 0, 3), Uniform("m", 0, 3)).Uniform() {
		t.Error("uniform conditions are confused with others")
	}
}

// FuzzParse parses text: what is accepted prints as text that means the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"(matrix_dim/16)-1", "x < y - 16 && p", "u32(u*3)^5", "p ? x : -y%3", "min(x, max(y, 3))", "1<<t>>2", "~x|y&z"} {
		f.Add(seed)
	}
	m := NewModel()
	for i, name := range []string{"x", "y", "z", "n", "t", "u", "matrix_dim", "ntid.x", "p1@8"} {
		m.Ints[name] = big.NewInt(int64(3*i + 1))
	}
	m.Bools["p"], m.Bools["q"] = true, false
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseBool(text, names)
		if err != nil {
			return
		}
		printed := a.String()
		b, err := ParseBool(printed, names)
		if err != nil {
			if len(printed) > maxText || strings.Contains(err.Error(), "nests") {
				return
			}
			t.Fatalf("%q printed is %q: %v", text, printed, err)
		}
		v, err1 := a.Eval(m)
		w, err2 := b.Eval(m)
		if err1 == nil && err2 == nil && v != w {
			t.Fatalf("%q printed is %q: %t, then %t", text, printed, v, w)
		}
	})
}
