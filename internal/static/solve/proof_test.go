package solve

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// TestProofs proves the queries of the race detector, and checks the proofs: they hold for their own formulas, and for
// no others that have a model.
func TestProofs(t *testing.T) {
	steps, proofs := 0, 0
	for _, q := range raceQueries() {
		if q.hosted != Unsat {
			continue
		}
		r, err := Solve(context.Background(), Query{Goal: q.goal, Facts: q.facts}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var fs []*Bool
		for _, f := range q.facts {
			if slices.Contains(r.Core, f.Name) {
				fs = append(fs, f.Formula)
			}
		}
		fs = append(fs, q.goal...)
		p, err := Prove(context.Background(), fs, DefaultBudget)
		if err != nil {
			t.Errorf("%s: %v", q.name, err)
			continue
		}
		if err = Check(fs, p); err != nil {
			t.Errorf("%s: %v", q.name, err)
		}
		proofs, steps = proofs+1, steps+len(p.Steps)
		if q.alone == Sat {
			if err = Check(q.goal, p); err == nil {
				t.Errorf("%s: the proof is accepted without the facts", q.name)
			}
		}
		for i := range p.Steps {
			cut := &Proof{Method: p.Method, Steps: p.Steps[:i]}
			if err = Check(fs, cut); err == nil && i > 0 {
				t.Errorf("%s: accepted without its last steps", q.name)
				break
			}
		}
	}
	t.Logf("%d proofs, %d steps", proofs, steps)
	if proofs < 20 {
		t.Errorf("%d queries are proved", proofs)
	}
}

// change makes a random change of a proof: a number, a word or a step.
func change(g *rand.Rand, p *Proof) *Proof {
	out := &Proof{Method: p.Method, Steps: slices.Clone(p.Steps)}
	if len(out.Steps) == 0 {
		return out
	}
	i := g.IntN(len(out.Steps))
	if g.IntN(4) == 0 {
		out.Steps = slices.Delete(out.Steps, i, i+1)
		return out
	}
	words := strings.Fields(out.Steps[i])
	if len(words) == 0 {
		return out
	}
	w := g.IntN(len(words))
	digits := strings.IndexAny(words[w], "0123456789")
	if g.IntN(3) == 0 || digits < 0 {
		words = slices.Delete(words, w, w+1)
	} else {
		words[w] = words[w][:digits] + strconv.Itoa(g.IntN(40)) + words[w][digits+1:]
	}
	out.Steps[i] = strings.Join(words, " ")
	return out
}

// TestProofsOfRandom proves random formulas of small ranges, and tries the proofs, changed and unchanged, on formulas
// with a model: parts of the proved ones.
func TestProofsOfRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	methods := make(map[string]int)
	refused := 0
	for seed := range uint64(400) {
		g := newGenerator(seed, 11, 12)
		fs := g.query().formulas()
		p, err := Prove(context.Background(), fs, 400_000)
		if err != nil {
			if !errors.Is(err, ErrNoProof) {
				t.Fatal(err)
			}
			continue
		}
		methods[p.Method]++
		if err = Check(fs, p); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range fs {
			part := slices.Delete(slices.Clone(fs), i, i+1)
			if !exists(part, g.vars, expr.NewModel()) {
				continue
			}
			for range 20 {
				q := p
				if g.IntN(5) > 0 {
					q = change(g.Rand, p)
				}
				if refused++; Check(part, q) == nil {
					t.Fatalf("seed %d: %v is called unsatisfiable by %v", seed, part, q)
				}
			}
		}
	}
	t.Logf("%v, %d refused", methods, refused)
	if methods[Bounds] < 60 || methods[Bits] < 1 || methods[Parity] < 50 || refused < 1000 {
		t.Errorf("too few: %v, %d refused", methods, refused)
	}
}

// TestProofTexts: texts that are no proof are refused with a reason.
func TestProofTexts(t *testing.T) {
	x := Var("x", 0, 9)
	fs := []*Bool{Gt(x, Const(3)), Lt(Mul(x, x), Const(9))}
	if p, err := Prove(context.Background(), fs, DefaultBudget); err != nil || Check(fs, p) != nil {
		t.Fatalf("%v, %v", p, err)
	}
	for _, c := range []struct{ method, steps, want string }{
		{"magic", "", `unknown method "magic"`},
		{Bounds, "", "do not end in a contradiction"},
		{Bounds, "0 c99", "there is no constraint c99"},
		{Bounds, "0 k1", "there is no constraint k1"},
		{Bounds, "0 l99", "there is no constraint l99"},
		{Bounds, "0 p99", "there is no constraint p99"},
		{Bounds, "0 r0*0", "no term"},
		{Bounds, "0 r0*1", "does not follow from the definitions"},
		{Bounds, "0 r99999*1", "no term"},
		{Bounds, "0 r", `"" is no term`},
		{Bounds, "0 z", `unknown constraint "z"`},
		{Bounds, "0 c-1", `"c-1" is no constraint`},
		{Bounds, "q", `unknown kind "q"`},
		{Bounds, "k0 :", "is no number of a clause"},
		{Bounds, "k1 5", `"5" is no bound`},
		{Bounds, "k1 0<=3", "expected ':'"},
		{Bounds, "k1 99<=3 :", "there is no variable 99"},
		{Bounds, "k1 :", "do not contradict"},
		{Bounds, "m 0", "a lemma"},
		{Bounds, "m 0 99", "formulas do not have"},
		{Bounds, "m 0 -1", "formulas do not have"},
		{Bounds, "f 0 0 0 99999999999999", "formulas do not have"},
		{Bounds, "o 0 1 x", `"x" is no number`},
		{Bounds, "o 0 1 2", "formulas do not have"},
		{Bits, "", "do not end in a contradiction"},
		{Bits, "99999", `"99999" is no literal`},
		{Bits, "4", "does not follow"},
	} {
		p := &Proof{Method: c.method}
		if c.steps != "" {
			p.Steps = []string{c.steps}
		}
		if err := Check(fs[:1], p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %q", c.method, c.steps, err, c.want)
		}
	}
}
