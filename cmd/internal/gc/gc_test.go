package gc

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/hostmemory"
)

// TestWorkers: with several workers the heap grows further, but not for ever.
func TestWorkers(t *testing.T) {
	defer workers.Store(0)
	for _, c := range []struct{ workers, want int64 }{{0, leastHeap}, {1, leastHeap}, {2, 256 << 20}, {16, 2 << 30}, {64, 2 << 30}} {
		workers.Store(c.workers)
		if got := least(); got != uint64(c.want) {
			t.Errorf("%d workers: %d bytes, expected %d", c.workers, got, c.want)
		}
	}
}

// TestCollectorPercent: a small heap grows to 64 MiB, another one doubles.
func TestCollectorPercent(t *testing.T) {
	for _, c := range []struct {
		live uint64 // MiB
		want int
	}{{0, 1500}, {1, 1500}, {4, 1500}, {8, 700}, {16, 300}, {32, 100}, {64, 100}, {1000, 100}} {
		if got := collectorPercent(c.live<<20, leastHeap); got != c.want {
			t.Errorf("%d MiB: %d %%, expected %d", c.live, got, c.want)
		}
	}
}

// TestCollect tests that the collector's settings after a collection do not depend on the earlier ones.
func TestCollect(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(10)
	defer debug.SetGCPercent(before)
	Collect()
	if got, want := debug.SetGCPercent(10), collectorPercent(0, leastHeap); got != want {
		t.Errorf("%d %%, expected %d", got, want)
	}
}

// TestWatch: after a collection with many live bytes the heap does not grow by more than usual, even if no memory of
// the size of the object is wanted whose end is the signal otherwise.
func TestWatch(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(10)
	defer debug.SetGCPercent(before)
	Collect()
	live := make([]byte, leastHeap)
	runtime.GC()
	for i := 0; watching.Load(); i++ {
		if i == 10_000 {
			t.Fatal("nothing is adjusted after a collection")
		}
		time.Sleep(watchInterval)
	}
	runtime.KeepAlive(live)
	if got := debug.SetGCPercent(10); got != usual {
		t.Errorf("%d %% after a collection with %d live bytes, expected %d", got, len(live), usual)
	}
}

// TestMemoryLimit: the collector knows how much memory the system has, unless the user has set a limit.
func TestMemoryLimit(t *testing.T) {
	if hostmemory.Total() == 0 {
		t.Skip("the memory of the system is not known")
	}
	before := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOGC", "100")
	for limit, want := range map[string]int64{"1GiB": math.MaxInt64, "": int64(hostmemory.Total() / 100 * heapShare)} {
		t.Setenv("GOMEMLIMIT", limit)
		debug.SetMemoryLimit(math.MaxInt64)
		CollectLate()
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("GOMEMLIMIT %q: limit %d, want %d", limit, got, want)
		}
	}
}
