package emulated_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/litmus"
	"github.com/ptxsan/ptxsan/runtime/litmus/axioms"
	"github.com/ptxsan/ptxsan/runtime/litmus/emulated"
	"github.com/ptxsan/ptxsan/runtime/report"
)

var (
	random = flag.Int("litmus.n", 200, "number of random litmus tests")
	seed   = flag.Uint64("litmus.seed", 1, "seed of the first random litmus test")
)

// TestRandom compares random litmus tests with computations that are independent of the emulator and of precise: the final states
// are those of all interleavings, and precise reports a race exactly if one of the interleavings has one by the manual's
// definition. make litmus N=1000 SEED=1 runs more.
func TestRandom(t *testing.T) {
	var racy, done atomic.Int64
	each(t, func(t *testing.T, seed uint64) {
		text, test := parsed(t, seed)
		want, err := axioms.Interleave(test, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := emulate(t, test, text)
		compare(t, text, states(test, got), want.Outcomes)
		if (len(got.Faults) > 0) != want.Hangs {
			t.Errorf("hangs: %v, want %v\n%s", got.Faults, want.Hangs, text)
		}
		if race := races(got); race != want.Racy {
			t.Errorf("race: %v, want %v\n%s\n%v", race, want.Racy, text, got.Races)
		}
		if want.Racy {
			racy.Add(1)
		}
		done.Add(1)
	})
	t.Logf("%d tests, %d with a race", done.Load(), racy.Load())
	if n := done.Load(); n > 100 && (racy.Load() < n/10 || racy.Load() > n*9/10) {
		t.Errorf("%d of %d tests have a race: expected some of both kinds", racy.Load(), n)
	}
}

// each runs a check for all seeds, on all processors.
func each(t *testing.T, check func(t *testing.T, seed uint64)) {
	var wg sync.WaitGroup
	seeds := make(chan uint64)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for s := range seeds {
				t.Run(fmt.Sprint(s), func(t *testing.T) { check(t, s) })
			}
		})
	}
	for i := range *random {
		seeds <- *seed + uint64(i)
	}
	close(seeds)
	wg.Wait()
}

func parsed(t *testing.T, seed uint64) (string, *litmus.Test) {
	t.Helper()
	text := axioms.Random(seed)
	test, err := litmus.Parse("random", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return text, test
}

func emulate(t *testing.T, test *litmus.Test, text string) *emulated.Result {
	t.Helper()
	r, err := emulated.Run(context.Background(), test, emulated.Options{Workers: 1})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !r.Complete {
		t.Fatalf("incomplete: %v\n%s", r.Limits, text)
	}
	return r
}

// states returns the final states of a result by their names.
func states(test *litmus.Test, r *emulated.Result) map[string]litmus.State {
	m := map[string]litmus.State{}
	for _, s := range r.States {
		m[axioms.Key(test, s.Values)] = s.Values
	}
	return m
}

func compare(t *testing.T, text string, got, want map[string]litmus.State) {
	t.Helper()
	a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))
	if !slices.Equal(a, b) {
		t.Errorf("final states\n%s\nwant\n%s\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"), text)
	}
}

// races reports whether precise has found a race by the manual's model. Its warnings are of volatile accesses, which are strong.
func races(r *emulated.Result) bool {
	return slices.ContainsFunc(r.Races, func(x emulated.Race) bool { return x.Severity == report.Error })
}
