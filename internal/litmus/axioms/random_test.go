package axioms

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/litmus"
)

// TestInterleavingsAreAllowed: every final state of an interleaving is one that the axioms allow, and a race of an
// interleaving is a race of an allowed execution. The two computations share the definition of causality order and
// nothing else.
func TestInterleavingsAreAllowed(t *testing.T) {
	weak, racy, n := 0, 0, 1000
	for seed := range uint64(n) {
		text := Random(seed)
		test, err := litmus.Parse("random", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		allowed, err := Check(t.Context(), test, 1)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		sc, err := Interleave(test, 1)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for k := range sc.Outcomes {
			if _, ok := allowed.Outcomes[k]; !ok {
				t.Errorf("the axioms forbid %s, to which an interleaving comes\n%s", k, text)
			}
		}
		if sc.Racy && !allowed.Racy {
			t.Errorf("only an interleaving has a race\n%s", text)
		}
		if len(allowed.Outcomes) > len(sc.Outcomes) {
			weak++
		}
		if allowed.Racy {
			racy++
		}
	}
	if weak < n/8 || weak > n*3/4 || racy < n/4 || racy > n*9/10 {
		t.Errorf("of %d tests %d have weak outcomes and %d races: expected some of both kinds", n, weak, racy)
	}
}
