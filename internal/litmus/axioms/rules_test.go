package axioms

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/litmus"
)

// TestRules: the litmus tests of examples/litmus/rules, one for each rule of the manual's chapter. Their heads argue
// which outcomes are allowed (exists), forbidden (~exists) or the only ones (forall), and whether there is a data race.
func TestRules(t *testing.T) {
	files, err := filepath.Glob("../../../examples/litmus/rules/*.litmus")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d rules, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		test, err := litmus.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Check(t.Context(), test, 2)
		if err != nil {
			t.Fatal(err)
		}
		if !test.Condition.Holds(slices.Collect(maps.Values(v.Outcomes))) {
			t.Errorf("%s: %s %s does not hold", name, test.Condition.Quantifier, test.Condition.Text)
		}
		if want := strings.Contains(string(text), "\nrace: yes\n"); v.Racy != want {
			t.Errorf("%s: race: %v, want %v", name, v.Racy, want)
		}
	}
}
