package axioms_test

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

	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/internal/litmus/axioms"
	"github.com/ptxsan/ptxsan/internal/litmus/emulated"
	"github.com/ptxsan/ptxsan/runtime/report"
)

var (
	random = flag.Int("litmus.n", 200, "number of random litmus tests")
	seed   = flag.Uint64("litmus.seed", 1, "seed of the first random litmus test")
)

// TestRandom compares random litmus tests with computations that are independent of the emulator and of precise: the
// final states are those of all interleavings, and precise reports a race exactly if one of the interleavings has one
// by the manual's definition. make litmus N=1000 SEED=1 runs more.
func TestRandom(t *testing.T) {
	var racy, done atomic.Int64
	each(t, func(test *litmus.Test, _ string) error {
		want, err := axioms.Interleave(test, 1)
		if err != nil {
			return err
		}
		got, err := emulate(test)
		if err != nil {
			return err
		}
		done.Add(1)
		if want.Racy {
			racy.Add(1)
		}
		a, b := slices.Sorted(maps.Keys(states(test, got))), slices.Sorted(maps.Keys(want.Outcomes))
		switch {
		case !slices.Equal(a, b):
			return fmt.Errorf("final states\n%s\nwant\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
		case (len(got.Faults) > 0) != want.Hangs:
			return fmt.Errorf("hangs: %v, want %v", got.Faults, want.Hangs)
		case races(got) != want.Racy:
			return fmt.Errorf("race: %v, want %v: %v", races(got), want.Racy, got.Races)
		}
		return nil
	})
	t.Logf("%d tests, %d with a race", done.Load(), racy.Load())
	if n := done.Load(); n > 100 && (racy.Load() < n/10 || racy.Load() > n*9/10) {
		t.Errorf("%d of %d tests have a race: expected some of both kinds", racy.Load(), n)
	}
}

// each runs a check for the tests of all seeds and their texts, on all processors.
func each(t *testing.T, check func(test *litmus.Test, text string) error) {
	var wg sync.WaitGroup
	seeds := make(chan uint64)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for s := range seeds {
				text := axioms.Random(s)
				test, err := litmus.Parse("random", []byte(text))
				if err == nil {
					err = check(test, text)
				}
				if err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			}
		})
	}
	tests := *random
	if testing.Short() {
		tests /= 4
	}
	for i := range tests {
		seeds <- *seed + uint64(i)
	}
	close(seeds)
	wg.Wait()
}

func emulate(test *litmus.Test) (*emulated.Result, error) {
	r, err := emulated.Run(context.Background(), test, emulated.Options{Workers: 1})
	if err == nil && !r.Complete {
		err = fmt.Errorf("incomplete: %v", r.Limits)
	}
	return r, err
}

// states returns the final states of a result by their names.
func states(test *litmus.Test, r *emulated.Result) map[string]litmus.State {
	m := map[string]litmus.State{}
	for _, s := range r.States {
		m[axioms.Key(test, s.Values)] = s.Values
	}
	return m
}

// races reports whether precise has found a race by the manual's model. Its warnings are of volatile accesses, which
// are strong.
func races(r *emulated.Result) bool {
	return slices.ContainsFunc(r.Races, func(x emulated.Race) bool { return x.Severity == report.Error })
}
