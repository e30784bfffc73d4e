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

// The heap begins to grow while packages are initialised; this package comes before the libraries.
var _ = hugepage.Growing()

// leastHeap is the heap size in bytes below which there is no collection. Go begins at 4 MiB and lets the heap double, so that
// a check of a small kernel, which takes milliseconds, would spend a good part of them on collections that free little.
const leastHeap = 64 << 20

// With several workers, no processor is idle for collections: the heap grows to workerHeap for each worker, at most to
// mostHeap.
const (
	workerHeap = 128 << 20
	mostHeap   = 2 << 30
)

var workers atomic.Int64

// Workers sets the number of concurrent tasks, each of which has its own data on the heap.
func Workers(n int) {
	workers.Store(int64(n))
	if late() {
		setPercent()
	}
}

// least returns the heap size in bytes below which there is no collection.
func least() uint64 {
	if n := workers.Load(); n > 1 {
		return min(uint64(n)*workerHeap, mostHeap)
	}
	return leastHeap
}

// CollectLate delays garbage collections until the heap has leastHeap, unless GOGC is set. It also has the collector run more
// often when Go's memory approaches heapShare of the system's, unless GOMEMLIMIT is set: a large heap would otherwise double.
func CollectLate() {
	if late() {
		adjustCollector()
	}
	if all := systemMemory(); all > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(all / 100 * heapShare))
	}
}

const heapShare = 75 // percent

// Collect collects garbage now, returns the memory to the system, and delays the next collections as CollectLate does, for
// measurements with equal starting conditions.
func Collect() {
	debug.FreeOSMemory()
	if late() {
		setPercent()
	}
}

// late reports whether the user has left the collector's settings to this package.
func late() bool { return os.Getenv("GOGC") == "" }

// adjustCollector sets the heap size at which the next collection starts, and runs again after that collection.
func adjustCollector() {
	setPercent()
	type collected struct{ _ *int } // large enough that the allocator does not combine it with others
	runtime.AddCleanup(new(collected), func(int) { adjustCollector() }, 0)
}

func setPercent() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(collectorPercent(live[0].Value.Uint64(), least()))
}

// collectorPercent returns the percentage by which the heap may grow over its live bytes: up to least, or Go's default.
func collectorPercent(live, least uint64) int {
	const usual, begin = 100, 4 << 20 // Go takes less for begin
	live = max(live, begin)
	return max(usual, int(100*(least-min(live, least))/live))
}
