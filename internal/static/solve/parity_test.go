package solve

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// parityQueries are conditions of two accesses by addresses of swizzled layouts, and whether no two threads can make
// them.
var parityQueries = []struct {
	name string
	goal string
	none bool
}{
	{"16 bytes, bits exchanged by exclusive or", "x != y && (16*x ^ (x & 7) << 3 & 48) - (16*y ^ (y & 7) << 3 & 48) < 16 && (16*y ^ (y & 7) << 3 & 48) - (16*x ^ (x & 7) << 3 & 48) < 16", true},
	{"32 bytes of 16", "x != y && (16*x ^ (x & 7) << 3 & 48) - (16*y ^ (y & 7) << 3 & 48) < 32 && (16*y ^ (y & 7) << 3 & 48) - (16*x ^ (x & 7) << 3 & 48) < 32", false},
	{"a bit and its neighbour", "x != y && (x ^ x >> 1) == (y ^ y >> 1)", true},
	{"a bit lost", "x != y && (x & 30 ^ x >> 1) == (y & 30 ^ y >> 1)", false},
	{"or of bits in one place", "x != y && ((x & 3) << 4 | (x & 12) << 1 | x & 48) == ((y & 3) << 4 | (y & 12) << 1 | y & 48)", false},
	{"or of bits apart", "x != y && ((x & 3) << 8 | (x & 12) << 1 | (x & 48) << 12) == ((y & 3) << 8 | (y & 12) << 1 | (y & 48) << 12)", true},
	{"another stage", "s == 1 && (16*x ^ x & 48) + 2048 == (16*y ^ y & 48) + 2048*(s > 0 ? 0 : s + 1)", true},
	{"the same stage", "s == 0 && (16*x ^ x & 48) + 2048 == (16*y ^ y & 48) + 2048*(s > 0 ? 0 : s + 1)", false},
	{"a bit and its complement", "((x ^ 5) & 7) == (x & 7)", true},
	{"a sum with a carry", "(x & 7) + (y & 7) == 14", false},
	{"remainder and quotient", "x != y && x % 8 * 8 + x / 8 == y % 8 * 8 + y / 8", true},
	{"quotients alone", "x != y && x / 8 == y / 8 && (x ^ y) < 8", false},
}

// names resolves x and y from 0 to 63, and s.
func names(name string) (*expr.Int, *expr.Bool, error) {
	switch name {
	case "x", "y":
		return expr.Var(name, 0, 63), nil, nil
	case "s":
		return expr.Var(name, 0, 1), nil, nil
	}
	return nil, nil, fmt.Errorf("no variable %s", name)
}

// possible tries all values.
func possible(t *testing.T, f *expr.Bool) bool {
	for n := range int64(64 * 64 * 2) {
		m := expr.NewModel()
		m.Ints["x"], m.Ints["y"], m.Ints["s"] = big.NewInt(n&63), big.NewInt(n>>6&63), big.NewInt(n>>12)
		ok, err := f.Eval(m)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			return true
		}
	}
	return false
}

// TestParity decides conditions on addresses whose bits are sums modulo 2 without a search.
func TestParity(t *testing.T) {
	for _, q := range parityQueries {
		f, err := expr.ParseBool(q.goal, names)
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		if possible(t, f) == q.none {
			t.Errorf("%s: values: %t", q.name, !q.none)
		}
		if found, _, _ := contradict(t.Context(), []tagged{{f, 0}}, 0); found != q.none {
			t.Errorf("%s: refuted: %t, expected %t", q.name, found, q.none)
		}
		if err := Check([]*expr.Bool{f}, &Proof{Method: Parity}); (err == nil) != q.none {
			t.Errorf("%s: checked: %v", q.name, err)
		}
	}
}

// TestParityTags wants the facts that a refutation uses, and only those.
func TestParityTags(t *testing.T) {
	var fs []tagged
	for i, text := range []string{"(x ^ x >> 1) == (y ^ y >> 1)", "x != y", "(x & 3) == s", "(y & 32) == 0"} {
		f, err := expr.ParseBool(text, names)
		if err != nil {
			t.Fatal(err)
		}
		fs = append(fs, tagged{f, uint64(1) << i})
	}
	if found, tag, _ := contradict(t.Context(), fs, 15); !found || tag != 3 {
		t.Errorf("found %t, facts %b, expected the first two", found, tag)
	}
}

// bitTerm returns a random expression of bits of x, y and s.
func bitTerm(g *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"x", "y", "s", "x", "y", fmt.Sprint(g.IntN(64))}[g.IntN(6)]
	}
	a, b := bitTerm(g, depth-1), bitTerm(g, g.IntN(depth))
	return []string{
		"(" + a + " ^ " + b + ")", "(" + a + " | " + b + ")", "(" + a + " & " + b + ")", "(" + a + " + " + b + ")", "(" + a + " - " + b + ")",
		fmt.Sprintf("u%d(%s)", 1+g.IntN(6), a), fmt.Sprintf("s%d(%s)", 1+g.IntN(6), a), fmt.Sprintf("(%s >> %d)", a, g.IntN(4)),
		fmt.Sprintf("(%s * %d)", a, 1<<g.IntN(4)), fmt.Sprintf("(%s & %d)", a, g.IntN(64)), fmt.Sprintf("(%s / %d)", a, 1<<g.IntN(3)),
		fmt.Sprintf("(%s %% %d)", a, 1<<g.IntN(4)), fmt.Sprintf("(%s ? %s : %s)", bitCondition(g, 0), a, b),
	}[g.IntN(13)]
}

func bitCondition(g *rand.Rand, depth int) string {
	op := []string{"==", "==", "!=", "<", "<=", ">"}[g.IntN(6)]
	return "(" + bitTerm(g, depth) + " " + op + " " + bitTerm(g, g.IntN(depth+1)) + ")"
}

// TestParityRandom compares refutations of random conditions with all values.
func TestParityRandom(t *testing.T) {
	g := rand.New(rand.NewPCG(11, 84))
	refuted, none := 0, 0
	for n := range 600 {
		parts := []string{bitCondition(g, 3)}
		for range g.IntN(4) {
			part := bitCondition(g, 2)
			if g.IntN(4) == 0 {
				part = "(" + part + " || " + bitCondition(g, 1) + ")"
			}
			parts = append(parts, part)
		}
		text := strings.Join(parts, " && ")
		f, err := expr.ParseBool(text, names)
		if err != nil {
			t.Fatalf("%d: %s: %v", n, text, err)
		}
		if f.Kind() == expr.KindConst {
			continue
		}
		found, _, _ := contradict(t.Context(), []tagged{{f, 0}}, 0)
		switch some := possible(t, f); {
		case found && some:
			t.Fatalf("%d: %s is refuted, and has values", n, text)
		case found:
			refuted++
			fallthrough
		case !some:
			none++
		}
	}
	t.Logf("%d of %d conditions without values were refuted", refuted, none)
	if refuted < 20 {
		t.Errorf("%d of %d conditions without values were refuted", refuted, none)
	}
}
