// Package gc delays Go's garbage collector while the heap is small, for commands that run for
// milliseconds.
package gc

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

// The heap begins to grow while packages are initialised, those of libraries after this one.
var _ = hugepage.Growing()

// leastHeap is the size in bytes up to which the heap grows before it is collected. Go
// begins at 4 MiB and lets the heap double, so that a check of a small kernel would spend a
// good part of its milliseconds on collections that free little.
const leastHeap = 64 << 20

// With several workers, none of them has a processor to spare for collections: the heap grows to workerHeap for each, mostHeap at most.
const (
	workerHeap = 128 << 20
	mostHeap   = 2 << 30
)

var workers atomic.Int64

// Workers says that so many tasks run at a time from now on, each with a heap of its own as it were.
func Workers(n int) {
	workers.Store(int64(n))
	if late() {
		setPercent()
	}
}

// least is up to what the heap grows, in bytes.
func least() uint64 {
	if n := workers.Load(); n > 1 {
		return min(uint64(n)*workerHeap, mostHeap)
	}
	return leastHeap
}

// CollectLate has the garbage collector wait for leastHeap, unless GOGC is set.
func CollectLate() {
	if late() {
		adjustCollector()
	}
}

// Collect collects garbage at once, gives the memory back to the system, and has the collector wait from there as
// CollectLate does, for measurements that all begin alike.
func Collect() {
	debug.FreeOSMemory()
	if late() {
		setPercent()
	}
}

// late reports whether the user leaves it to this package.
func late() bool { return os.Getenv("GOGC") == "" }

// adjustCollector sets how far the heap grows before the next collection, and comes back
// after that.
func adjustCollector() {
	setPercent()
	type collected struct{ _ *int } // not so small that it shares its place with others
	runtime.AddCleanup(new(collected), func(int) { adjustCollector() }, 0)
}

func setPercent() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(collectorPercent(live[0].Value.Uint64(), least()))
}

// collectorPercent is what the heap may grow by, of the bytes live in it, in percent: up
// to least, or as usual.
func collectorPercent(live, least uint64) int {
	const usual, begin = 100, 4 << 20 // Go takes less for begin
	live = max(live, begin)
	return max(usual, int(100*(least-min(live, least))/live))
}
