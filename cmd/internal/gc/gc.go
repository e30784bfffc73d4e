// Package gc delays Go's garbage collector while the heap is small, for commands that run for
// milliseconds.
package gc

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/ptxsan/ptxsan/internal/hostmemory"
	"github.com/ptxsan/ptxsan/internal/hugepage"
)

// The heap begins to grow while packages are initialised; this package comes before the libraries.
var _ = hugepage.Growing()

// leastHeap is the heap size in bytes below which there is no collection. Go begins at 4 MiB and lets the heap double,
// so that a check of a small kernel, which takes milliseconds, would spend a good part of them on collections that free
// little.
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

// CollectLate delays garbage collections until the heap has leastHeap, unless GOGC is set. It also has the collector
// run more often when Go's memory approaches heapShare of the system's, unless GOMEMLIMIT is set: a large heap would
// otherwise double.
func CollectLate() {
	if late() {
		adjustCollector()
	}
	if all := hostmemory.Total(); all > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(all / 100 * heapShare))
	}
}

const heapShare = 75 // percent

// Collect collects garbage now, returns the memory to the system, and delays the next collections as CollectLate does,
// for measurements with equal starting conditions.
func Collect() {
	debug.FreeOSMemory()
	if late() {
		setPercent()
	}
}

// late reports whether the user has left the collector's settings to this package.
func late() bool { return os.Getenv("GOGC") == "" }

// adjustCollector sets the heap size at which the next collection starts, and runs again after that collection, though
// perhaps late: the collector finds the object when it looks for free memory for others of its size.
func adjustCollector() {
	setPercent()
	type collected struct{ _ *int } // large enough that the allocator does not combine it with others
	runtime.AddCleanup(new(collected), func(int) { adjustCollector() }, 0)
}

// usual is Go's default percentage.
const usual = 100

// setPercent sets the heap size at which the next collection starts. If the heap may grow by more than usual, it has
// the percentage set again right after the next collection: with the live bytes of then it might let the heap grow to
// ten times its size.
func setPercent() {
	if adjust() > usual && watching.CompareAndSwap(false, true) {
		go watch()
	}
}

// adjust sets the percentage for the bytes that were live in the latest collection, and returns it.
func adjust() int {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := collectorPercent(live[0].Value.Uint64(), least())
	debug.SetGCPercent(percent)
	return percent
}

var watching atomic.Bool

// watchInterval is how often watch looks for a collection.
const watchInterval = 5 * time.Millisecond

// watch adjusts the percentage after each collection, until it is usual.
func watch() {
	for before := collections(); ; time.Sleep(watchInterval) {
		if n := collections(); n != before {
			if before = n; adjust() == usual {
				watching.Store(false)
				return
			}
		}
	}
}

// collections returns the number of collections so far.
func collections() uint64 {
	count := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(count)
	return count[0].Value.Uint64()
}

// collectorPercent returns the percentage by which the heap may grow over its live bytes: up to least, or Go's default.
func collectorPercent(live, least uint64) int {
	const begin = 4 << 20 // Go takes less for begin
	live = max(live, begin)
	return max(usual, int(100*(least-min(live, least))/live))
}
