package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
			if _, _, err := p.run(t.Context(), prog, det, firstScale); err != nil {
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
	if s := string(text); !strings.HasPrefix(s, "before\n") || !strings.HasSuffix(s, "after\n") || !strings.Contains(s, "| row | store | global |") {
		t.Errorf("got %s", s)
	}
}

// TestGrowth: exponents are those of the latest factor of 16, where they can be measured.
func TestGrowth(t *testing.T) {
	g := growth{work: []float64{1, 4, 16}, cost: []float64{0.01, 0.04, 0.16}}
	if e := g.latest(); e < 0.999 || e > 1.001 {
		t.Errorf("exponent %v of linear growth", e)
	}
	g.cost[2] *= 16
	if e := g.latest(); e < 1.999 || e > 2.001 {
		t.Errorf("exponent %v of quadratic growth", e)
	}
	g.cost[2] = measurable.Seconds() - float64(time.Millisecond)/1e9
	if e := g.latest(); e != 0 {
		t.Errorf("exponent %v of noise", e)
	}
}
