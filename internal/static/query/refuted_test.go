package query

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// TestRefutations: a refutation of x > y and y > 3 by the facts "small", x < 4, and "free" holds in queries with these
// among their conjuncts and facts, and in no other.
func TestRefutations(t *testing.T) {
	x, y := expr.Var("x#1", 0, 100), expr.Var("y#2", 0, 100)
	greater, large, other := expr.Gt(x, y), expr.Gt(y, expr.Const(3)), expr.Ne(x, expr.Const(7))
	small, smaller := expr.Lt(x, expr.Const(4)), expr.Lt(x, expr.Const(5))
	fact := func(f *expr.Bool) []solve.Fact {
		return []solve.Fact{{Name: "more", Formula: other}, {Name: "small", Formula: f}}
	}
	r := newRefutations()
	r.add([]*expr.Bool{greater, large}, fact(small), []string{"free", "small"}, []string{"free"}, false)
	r.add(nil, fact(small), []string{"small"}, nil, false) // facts alone contradict each other: of no use
	for _, c := range []struct {
		name  string
		goal  []*expr.Bool
		facts []solve.Fact
		free  []string
		want  bool
	}{
		{"the same", []*expr.Bool{greater, large}, fact(small), []string{"free"}, true},
		{"in conjunctions, with more", []*expr.Bool{other, expr.All(large, expr.Ge(y, expr.Const(1)), greater)}, fact(small), []string{"else", "free"}, true},
		{"a weaker conjunct", []*expr.Bool{expr.Ge(x, y), large}, fact(small), []string{"free"}, false},
		{"another thread", []*expr.Bool{greater, expr.Gt(expr.Var("y#1", 0, 100), expr.Const(3))}, fact(small), []string{"free"}, false},
		{"a conjunct is missing", []*expr.Bool{greater, other}, fact(small), []string{"free"}, false},
		{"one of two", []*expr.Bool{expr.Any(greater, other), large}, fact(small), []string{"free"}, false},
		{"the fact is missing", []*expr.Bool{greater, large}, nil, []string{"free"}, false},
		{"the fact says less", []*expr.Bool{greater, large}, fact(smaller), []string{"free"}, false},
		{"a fact is not free", []*expr.Bool{greater, large}, fact(small), nil, false},
		{"nothing", nil, fact(small), []string{"free"}, false},
	} {
		if found := r.find(Conjuncts(nil, c.goal), c.facts, c.free, false); (found != nil) != c.want {
			t.Errorf("%s: found: %t", c.name, found != nil)
		}
	}
	rough := newRefutations()
	rough.add([]*expr.Bool{greater, large}, nil, nil, nil, true)
	for _, asked := range []bool{false, true} {
		if found := rough.find([]*expr.Bool{greater, large}, nil, nil, asked); (found != nil) != asked {
			t.Errorf("a rough refutation, rough: %t, found: %t", asked, found != nil)
		}
	}
}

// TestNoteRanges: variables with one name and two ranges end the use of refutations in other queries.
func TestNoteRanges(t *testing.T) {
	a := &Session{refuted: newRefutations(), ranged: make(map[string]expr.Variable), rangedFilled: make(map[string]expr.Variable), Launches: &Launches{}, fillings: make(map[*expr.Bool]*Substituted)}
	for _, name := range []string{"x", "y", "x"} {
		a.Fill(expr.Gt(expr.Var(name, 0, 100), expr.Const(3)))
	}
	if a.refuted == nil {
		t.Error("one range each: refutations are not used")
	}
	a.Fill(expr.Gt(expr.Var("y", 0, 99), expr.Const(3)))
	if a.refuted != nil {
		t.Error("two ranges: refutations are used")
	}
}
