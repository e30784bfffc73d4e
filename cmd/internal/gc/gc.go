// Package gc has Go's garbage collector wait while the heap is small, for commands that run
// for milliseconds.
package gc

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeap is the size in bytes up to which the heap grows before it is collected. Go
// begins at 4 MiB and lets the heap double, so that a check of a small kernel would spend a
// good part of its milliseconds on collections that free little.
const leastHeap = 64 << 20

// CollectLate has the garbage collector wait for leastHeap, unless GOGC is set.
func CollectLate() {
	if os.Getenv("GOGC") == "" {
		adjustCollector()
	}
}

// adjustCollector sets how far the heap grows before the next collection, and comes back
// after that.
func adjustCollector() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(collectorPercent(live[0].Value.Uint64()))
	type collected struct{ _ *int } // not so small that it shares its place with others
	runtime.AddCleanup(new(collected), func(int) { adjustCollector() }, 0)
}

// collectorPercent is what the heap may grow by, of the bytes live in it, in percent: up
// to leastHeap, or as usual.
func collectorPercent(live uint64) int {
	const usual, begin = 100, 4 << 20 // Go takes less for begin
	live = max(live, begin)
	return max(usual, int(100*(leastHeap-min(live, leastHeap))/live))
}
