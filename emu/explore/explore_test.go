package explore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
)

// TestRoundRobinOrder: the order of the threads, their turns of one store each.
func TestRoundRobinOrder(t *testing.T) {
	body := `st.volatile.global.u32 [%base], %r4; st.volatile.global.u32 [%base+4], %r4; ret;`
	for seed, want := range []string{"3 3", "0 0", "3 3", "0 0"} {
		e := exploreAll(t, kernel(body), explore.Seeds(explore.Run{Policy: emu.RoundRobin, Seed: uint64(seed)}, 1), explore.Bounds{}, 4, 1, 2)
		if e.String() != "["+want+"]" {
			t.Errorf("variant %d: %s, want %s", seed, e, want)
		}
	}
}

// guarded: thread 0 writes x and counts in y under a lock; thread 1 counts under the lock, and reads x if it was
// second. If thread 0 has the lock first, as in the fair run, the conflict on x is hidden.
const guarded = `
	setp.ne.u32 %p3, %r4, 0; @%p3 bra LOCK;
	st.global.u32 [%base+8], 1;
LOCK:	atom.global.cas.b32 %r5, [%base], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra LOCK;
	ld.volatile.global.u32 %r6, [%base+4]; add.u32 %r7, %r6, 1; st.volatile.global.u32 [%base+4], %r7;
	membar.gl; atom.global.exch.b32 %r8, [%base], 0;
	@!%p3 bra END;
	ld.global.u32 %r9, [%base+8]; add.u32 %r9, %r9, 1; st.global.u32 [%base+12], %r9;
END:	ret;`

// TestDirected: a conflict that the order of a lock hides is reversed within ten runs; fair runs never do this.
func TestDirected(t *testing.T) {
	for _, shape := range [][2]uint32{{2, 1}, {1, 2}} {
		e := exploreAll(t, kernel(guarded), explore.NewDirected(nil), explore.Bounds{Runs: 10, Workers: 2}, shape[0], shape[1], 4)
		if want := "[0 2 1 1 0 2 1 2]"; e.String() != want {
			t.Errorf("%v: %s in %d runs, want %s", shape, e, e.runs, want)
		}
		fair := exploreAll(t, kernel(guarded), explore.Seeds(explore.Run{Policy: emu.ITS}, 3), explore.Bounds{}, shape[0], shape[1], 4)
		if len(fair.states) != 1 {
			t.Errorf("%v: fair runs differ: %s", shape, fair)
		}
	}
}

// TestDirectedAvoidsBarriers: accesses that a barrier orders are not reversed: after the first two runs none are left.
func TestDirectedAvoidsBarriers(t *testing.T) {
	body := `st.global.u32 [%out], 1; bar.sync 0;
		xor.b32 %r5, %r1, 1; mad.wide.u32 %rd1, %r5, 4, %base; ld.global.u32 %r6, [%rd1]; ret;`
	e := exploreAll(t, kernel(body), explore.NewDirected(nil), explore.Bounds{}, 1, 64, 64)
	if e.runs != 2 {
		t.Errorf("%d runs, want 2", e.runs)
	}
}

// TestExploreWorkers: the explored runs, and the order in which they are reported, do not depend on the number of
// workers.
func TestExploreWorkers(t *testing.T) {
	strategies := map[string]func() explore.Strategy{
		"all":      func() explore.Strategy { return explore.NewAll(0) },
		"directed": func() explore.Strategy { return explore.NewDirected(nil) },
		"mixed": func() explore.Strategy {
			return explore.Mix(explore.NewDirected(nil), explore.Seeds(explore.Run{Policy: emu.Random}, 40), explore.Seeds(explore.Run{Policy: emu.PCT, Length: 20}, -1))
		},
	}
	for name, s := range strategies {
		for _, body := range []string{lostUpdate, guarded} {
			var want string
			for workers := 1; workers <= 3; workers++ {
				e := exploreAll(t, kernel(body), s(), explore.Bounds{Runs: 100, Workers: workers}, 3, 1, 4)
				got := fmt.Sprint(e.states, e.runs, e.redundant)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s: with %d workers %s, with one %s", name, workers, got, want)
				}
			}
		}
	}
}

// TestExploreReplay: a run that a strategy guides is repeated by its schedule.
func TestExploreReplay(t *testing.T) {
	once := func(cfg emu.Config) string {
		m := load(t, kernel(guarded), cfg)
		out, err := m.Alloc("out", 16)
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(2), Block: dim(1), Params: args(out)})
		if err != nil && !errors.Is(err, explore.ErrRedundant) {
			t.Fatal(err)
		}
		words := make([]byte, 16)
		if failed := m.Read(out, words); failed != nil {
			t.Fatal(failed)
		}
		return fmt.Sprint(string(words), err)
	}
	for _, s := range []explore.Strategy{explore.NewAll(0), explore.NewDirected(nil)} {
		results := map[*explore.Run]string{}
		_, err := explore.Explore(context.Background(), s, explore.Bounds{Runs: 30}, func(_ int, r *explore.Run) error {
			cfg := emu.Config{Listener: r.Listener()}
			r.Configure(&cfg)
			results[r] = once(cfg)
			return nil
		}, func(r *explore.Run) bool {
			if got := once(emu.Config{Replay: r.Schedule()}); !r.Redundant() && got != results[r] {
				t.Errorf("the replay ends with %s, the run did with %s", got, results[r])
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestExploreErrors: the first error ends an exploration.
func TestExploreErrors(t *testing.T) {
	for workers := 1; workers <= 2; workers++ {
		n, err := explore.Explore(context.Background(), explore.Seeds(explore.Run{}, -1), explore.Bounds{Workers: workers}, func(_ int, r *explore.Run) error {
			if r.Seed >= 40 {
				return fmt.Errorf("run %d", r.Seed)
			}
			return nil
		}, func(*explore.Run) bool { return true })
		if n != 40 || err == nil || err.Error() != "run 40" {
			t.Errorf("%d workers: %d runs, %v", workers, n, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	none := func(int, *explore.Run) error { return nil }
	if n, err := explore.Explore(ctx, explore.Seeds(explore.Run{}, -1), explore.Bounds{}, none, func(*explore.Run) bool { return true }); n != 0 || !errors.Is(err, context.Canceled) {
		t.Error(n, err)
	}
}

// TestExploreEnough: after took returns false, no further run is begun, not even in the round, except by workers that
// are ahead.
func TestExploreEnough(t *testing.T) {
	for workers := 1; workers <= 2; workers++ {
		var begun atomic.Int64
		n, err := explore.Explore(context.Background(), explore.Seeds(explore.Run{}, -1), explore.Bounds{Workers: workers}, func(int, *explore.Run) error {
			begun.Add(1)
			return nil
		}, func(r *explore.Run) bool { return r.Seed < 34 })
		if err != nil || n != 35 || workers == 1 && begun.Load() != int64(n) {
			t.Errorf("%d workers: %d runs taken, %d begun, %v", workers, n, begun.Load(), err)
		}
	}
}

// TestAllLimits: an exploration that was cut off does not claim to be complete.
func TestAllLimits(t *testing.T) {
	for _, c := range []struct {
		steps, runs int
		body        string
		want        string
	}{
		{0, 3, lostUpdate, "the limit on runs was reached"},
		{4, 0, lostUpdate, "runs of more than 4 steps were cut off"},
	} {
		s := explore.NewAll(c.steps)
		e := exploreAll(t, ".shared .align 4 .b8 pad[64];\n"+kernel(c.body), s, explore.Bounds{Runs: c.runs}, 3, 1, 1)
		if ok, why := s.Complete(); ok || !slices.Contains(why, c.want) {
			t.Errorf("%v %q after %d runs: %v", ok, why, e.runs, slices.Sorted(maps.Keys(e.states)))
		}
	}
}

// TestAhead: a run that is made ahead comes first and is one of the runs; those of the other strategy follow as without
// it.
func TestAhead(t *testing.T) {
	first := explore.Run{Policy: emu.PCT, Seed: 9, Depth: 2, Length: 30}
	for _, bound := range []int{1, 2, 40} {
		var seeds []uint64
		s := explore.Ahead(first, explore.Mix(explore.Seeds(explore.Run{Policy: emu.Random}, 20), explore.Seeds(explore.Run{Policy: emu.Random, Seed: 100}, -1)))
		_, err := explore.Explore(context.Background(), s, explore.Bounds{Runs: bound}, func(int, *explore.Run) error { return nil }, func(r *explore.Run) bool {
			if len(seeds) == 0 && (r.Policy != first.Policy || r.Depth != first.Depth || r.Length != first.Length) {
				t.Errorf("the first run is %+v", r)
			}
			seeds = append(seeds, r.Seed)
			return true
		})
		if want := []uint64{9, 0, 100, 1, 101}[:min(bound, 5)]; err != nil || len(seeds) != bound || !slices.Equal(seeds[:len(want)], want) {
			t.Errorf("%d runs: seeds %v, %v", bound, seeds, err)
		}
	}
}
