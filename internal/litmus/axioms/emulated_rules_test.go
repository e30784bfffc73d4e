package axioms_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/internal/litmus/axioms"
	"github.com/ptxsan/ptxsan/internal/litmus/emulated"
)

// TestRules runs the tests of the manual's rules. A sequentially consistent run comes to no state that the rules
// forbid; precise reports a race where an interleaving has one.
func TestRules(t *testing.T) {
	files, err := filepath.Glob("../../../examples/litmus/rules/*.litmus")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d rules, %v", len(files), err)
	}
	for _, name := range files {
		test := load(t, name)
		r, err := emulated.Run(context.Background(), test, emulated.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if test.Condition.Quantifier != litmus.Exists && !r.Holds() || !r.Complete || len(r.Faults) > 0 {
			t.Errorf("%s: %s %s does not hold", name, test.Condition.Quantifier, test.Condition.Text)
		}
		v, err := axioms.Interleave(test, 2)
		if err != nil {
			t.Fatal(err)
		}
		if races(r) != v.Racy {
			t.Errorf("%s: race: %v, want %v", name, races(r), v.Racy)
		}
	}
}

func load(t *testing.T, name string) *litmus.Test {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	test, err := litmus.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return test
}
