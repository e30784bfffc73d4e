package main

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestPatterns runs every pattern, as it is and under a detector.
func TestPatterns(t *testing.T) {
	for _, p := range patterns() {
		prog, err := session.Parse("pattern.ptx", []byte(p.text()))
		if err != nil {
			t.Fatalf("%s, %s, %s: %v", p.name, p.operation, p.space, err)
		}
		for _, det := range []string{"", "scord"} {
			if _, _, err := p.run(t.Context(), prog, det, firstScale, &processor); err != nil {
				t.Errorf("%s, %s, %s, %s: %v", p.name, p.operation, p.space, det, err)
			}
		}
	}
}

// TestScale measures a pattern, badly, and looks at the document.
func TestScale(t *testing.T) {
	doc := filepath.Join(t.TempDir(), "doc.md")
	if err := os.WriteFile(doc, []byte("before\n"+scaleBegin+"old\n"+scaleEnd+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(context.Background(), []string{"-scale", "-only", "row/store/global", "-threads", "12", "-o", doc}, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(text); !strings.HasPrefix(s, "before\n") || !strings.HasSuffix(s, "after\n") || !strings.Contains(s, "| row | global |") || !strings.Contains(out.String(), "| row | store | global |") {
		t.Errorf("got %s", s)
	}
}

// TestRowExponent reads exponents from rows of a table, and nothing from other text.
func TestRowExponent(t *testing.T) {
	if e, err := rowExponent("| row | load, store | global | 1.07, 199.2 | 0.98, 3.0 |\n| row | store | global | 2.00, 1.0 |\n"); e != 1.07 || err != nil {
		t.Errorf("got %v, %v", e, err)
	}
	for _, text := range []string{"", "bench: no such flag\n", "| row | store | global |\n", "| row | store | global | precise |\n"} {
		if e, err := rowExponent(text); err == nil {
			t.Errorf("%q: got %v", text, e)
		}
	}
}

// TestGrowth: exponents are those of the latest factor of 16, where they can be measured.
func TestGrowth(t *testing.T) {
	g := growth{meter: &processor, work: []float64{1, 4, 16}, cost: []float64{0.01, 0.04, 0.16}}
	if e := g.latest(); e < 0.999 || e > 1.001 {
		t.Errorf("exponent %v of linear growth", e)
	}
	g.cost[2] *= 16
	if e := g.latest(); e < 1.999 || e > 2.001 {
		t.Errorf("exponent %v of quadratic growth", e)
	}
	g.cost[2] = 0.9 * processor.least
	if e := g.latest(); e != 0 {
		t.Errorf("exponent %v of noise", e)
	}
}

// TestPlantedGrowth: growth that is faster than the work is found, and a machine that is slow at times is not taken for
// it.
func TestPlantedGrowth(t *testing.T) {
	threads := func(n int) float64 { return math.Exp2(float64(n)) }
	linear := func(n int) float64 { return 1000 * threads(n) }
	for _, c := range []struct {
		name  string
		cost  func(n int) float64                // of a launch, in ns
		slow  func(r *rand.Rand, at int) float64 // how many times slower the machine is at a launch
		grows bool
	}{
		{"linear", linear, nil, false},
		{"linear with a fixed cost", func(n int) float64 { return linear(n) + 1e6 }, nil, false},
		{"linear with a log factor", func(n int) float64 { return linear(n) * float64(n) }, nil, true},
		{"power of 1.2", func(n int) float64 { return linear(n) * math.Exp2(0.2*float64(n)) }, nil, true},
		{"power of 1.2 with a fixed cost", func(n int) float64 { return linear(n)*math.Exp2(0.2*float64(n)) + 1e6 }, nil, true},
		{"power of 1.2 on a noisy machine", func(n int) float64 { return linear(n) * math.Exp2(0.2*float64(n)) }, noise, true},
		{"linear on a noisy machine", linear, noise, false},
		{"linear on a machine that becomes slow", linear, func(_ *rand.Rand, at int) float64 { return 1 + float64(min(at/12, 1)) }, false},
		{"a step of 1.5", func(n int) float64 { return linear(n) * (1 + float64(n/18)/2) }, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, at := rand.New(rand.NewPCG(1, 2)), 0
			g := &growth{meter: &processor}
			err := g.measure(18, func(n int) (float64, error) { return threads(n), nil }, func(n int) (float64, error) {
				took := c.cost(n)
				if c.slow != nil {
					took *= c.slow(r, at)
				}
				at++
				return took / 1e9, nil
			})
			if err != nil || g.worst > growthLimit != c.grows {
				t.Errorf("exponent %.3f, error %v", g.worst, err)
			}
		})
	}
}

// noise returns a machine that other work slows down by up to 15 percent.
func noise(r *rand.Rand, _ int) float64 { return 1 + 0.15*r.Float64() }
