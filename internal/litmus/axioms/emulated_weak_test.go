package axioms_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/internal/litmus/axioms"
	"github.com/ptxsan/ptxsan/internal/litmus/emulated"
)

// weak runs a test with weak memory.
func weak(test *litmus.Test) (*emulated.Result, error) {
	o := emulated.Options{Workers: 1}
	o.Session.Emulator.Memory = emu.PTX
	r, err := emulated.Run(context.Background(), test, o)
	if err == nil && !r.Complete {
		err = fmt.Errorf("incomplete: %v", r.Limits)
	}
	return r, err
}

// TestRandomWeak compares random litmus tests with the axioms of the memory consistency model: weak memory comes to no
// final state that they forbid and to 99 of 100 that they allow, and precise reports a race exactly if an allowed
// execution has one.
func TestRandomWeak(t *testing.T) {
	var allowed, reached, done, racy atomic.Int64
	each(t, func(test *litmus.Test, text string) error {
		want, err := axioms.Check(t.Context(), test, 1)
		if err != nil {
			return err
		}
		got, err := weak(test)
		if err != nil {
			return err
		}
		have := states(test, got)
		var forbidden, missed []string
		for _, k := range slices.Sorted(maps.Keys(have)) {
			if _, ok := want.Outcomes[k]; !ok {
				forbidden = append(forbidden, k)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(want.Outcomes)) {
			if _, ok := have[k]; !ok {
				missed = append(missed, k)
			}
		}
		done.Add(1)
		allowed.Add(int64(len(want.Outcomes)))
		reached.Add(int64(len(want.Outcomes) - len(missed)))
		var failed []error
		if len(forbidden) > 0 {
			failed = append(failed, fmt.Errorf("forbidden states:\n%s", strings.Join(forbidden, "\n")))
		}
		switch found := races(got); {
		case found && !want.Racy:
			failed = append(failed, fmt.Errorf("race, though no allowed execution has one: %v", got.Races))
		case want.Racy && !found:
			failed = append(failed, errors.New("an allowed execution has a race, which precise does not see"))
		}
		if want.Racy {
			racy.Add(1)
		}
		if len(missed) > 0 {
			t.Logf("%d of %d states missed, such as %s\n%s", len(missed), len(want.Outcomes), missed[0], text)
		}
		return errors.Join(failed...)
	})
	t.Logf("%d tests, %d of %d allowed states reached, %d with a race", done.Load(), reached.Load(), allowed.Load(), racy.Load())
	if reached.Load()*100 < allowed.Load()*99 {
		t.Errorf("%d of %d allowed states reached, expected 99 of 100", reached.Load(), allowed.Load())
	}
}

// TestRandomHistories: random schedules, whose loads return stores of a history, come to no final state that the axioms
// forbid, and to no race that no execution has.
func TestRandomHistories(t *testing.T) {
	var allowed, reached atomic.Int64
	each(t, func(test *litmus.Test, _ string) error {
		want, err := axioms.Check(t.Context(), test, 1)
		if err != nil {
			return err
		}
		o := emulated.Options{Search: "random", Runs: 20, Workers: 1}
		o.Session.Emulator.Memory = emu.PTX
		got, err := emulated.Run(context.Background(), test, o)
		if err != nil {
			return err
		}
		have := states(test, got)
		allowed.Add(int64(len(want.Outcomes)))
		for _, k := range slices.Sorted(maps.Keys(have)) {
			if _, ok := want.Outcomes[k]; !ok {
				return fmt.Errorf("forbidden state: %s", k)
			}
			reached.Add(1)
		}
		if races(got) && !want.Racy {
			return fmt.Errorf("race, though no allowed execution has one: %v", got.Races)
		}
		return nil
	})
	t.Logf("%d of %d allowed states reached", reached.Load(), allowed.Load())
}

// TestRulesWeak: with weak memory every condition of the tests of the manual's rules holds, and precise reports a race
// where an allowed execution has one.
func TestRulesWeak(t *testing.T) {
	files, err := filepath.Glob("../../../examples/litmus/rules/*.litmus")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		test := load(t, name)
		if strings.HasSuffix(name, "proxy-alias.litmus") {
			continue // all names of a memory have one address here, so that there is nothing to be seen
		}
		r, err := weak(test)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !r.Holds() {
			t.Errorf("%s: %s %s does not hold", name, test.Condition.Quantifier, test.Condition.Text)
		}
		v, err := axioms.Check(t.Context(), test, 2)
		if err != nil {
			t.Fatal(err)
		}
		if races(r) != v.Racy {
			t.Errorf("%s: race: %v, want %v", name, races(r), v.Racy)
		}
	}
}

// TestRulesRandom: random searches come to states of loads that return later stores and of stores out of order, and to
// none that the rules forbid.
func TestRulesRandom(t *testing.T) {
	for _, rule := range []string{"causality-load-buffering", "coherence-cycle", "coherence-cycle-fence", "thin-air", "thin-air-control", "sc-per-location-read-write"} {
		test := load(t, "../../../examples/litmus/rules/"+rule+".litmus")
		for _, search := range []string{"random", "pct"} {
			o := emulated.Options{Search: search, Runs: 200, Workers: 1}
			o.Session.Emulator.Memory = emu.PTX
			r, err := emulated.Run(context.Background(), test, o)
			if err != nil {
				t.Fatalf("%s: %v", rule, err)
			}
			if !r.Holds() {
				t.Errorf("%s, %s: %s %s does not hold in %d runs", rule, search, test.Condition.Quantifier, test.Condition.Text, r.Executions)
			}
		}
	}
}
