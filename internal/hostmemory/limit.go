// Package hostmemory finds out how much memory of the host there is and how much of it this process uses, and watches a
// limit: beyond it the process is asked to give up its work, before the operating system ends some process for want of
// memory.
package hostmemory

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Limit is a limit on the memory that this process uses.
type Limit struct {
	Bytes     uint64
	available uint64 // at the start, of which Bytes are a part; 0 if the user has set the limit
}

// NewLimit returns a limit of some bytes, or for 0 of three quarters of what is available; of 0 bytes, which is none, if
// that is unknown.
func NewLimit(bytes uint64) *Limit {
	if bytes > 0 {
		return &Limit{Bytes: bytes}
	}
	free := Available()
	return &Limit{Bytes: free / 4 * 3, available: free}
}

// Exceeded is the error that the limit is exceeded, or that other processes have left too little for it.
type Exceeded struct {
	Limit
	Used, Heap, Free uint64 // by this process; of that by Go's heap; by nobody
}

// Error implements error.
func (e *Exceeded) Error() string {
	limit := "the limit of " + gibibytes(e.Bytes)
	if e.available > 0 {
		limit += fmt.Sprintf(", three quarters of the %s that were available at the start", gibibytes(e.available))
	}
	if e.Used < e.Bytes {
		limit = fmt.Sprintf("and nobody has left more than %s; it is less than %s", gibibytes(e.Free), limit)
	}
	return fmt.Sprintf("ptxsan uses %s of the host's memory, %s: %s for memory of the device and tables about it, "+
		"%s for detectors and everything else",
		gibibytes(e.Used), limit, gibibytes(e.Used-min(e.Used, e.Heap)), gibibytes(e.Heap))
}

func gibibytes(n uint64) string { return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30)) }

// Memory grows by at most growth bytes in a second. The process is looked at often enough that it exceeds the limit by
// little.
const (
	growth       = 16 << 30
	leastSeconds = 0.002
	mostSeconds  = 0.2
)

// Watch calls beyond, once, when the limit is exceeded, or when a sixteenth of it is not available to anybody any more,
// unless that is the work of others. It returns then, or when done is closed. Go's collector works harder as the memory
// that is left for its heap gets less, unless the user has set its limit.
func (l *Limit) Watch(done <-chan struct{}, beyond func(*Exceeded)) {
	adjusts := os.Getenv("GOMEMLIMIT") == ""
	for heapLimit := uint64(math.MaxInt64); l.Bytes > 0; {
		e := l.look()
		if e.exceeds() {
			beyond(&e)
			return
		}
		left := (l.Bytes - e.Used + e.Heap) / 16 * 15
		if adjusts && e.Used > l.Bytes/2 && (left < heapLimit/8*7 || heapLimit < left/8*7) {
			heapLimit = left
			debug.SetMemoryLimit(int64(left))
		}
		room := min(l.Bytes-e.Used, e.Free-l.Bytes/16)
		seconds := min(max(float64(room)/growth, leastSeconds), mostSeconds)
		select {
		case <-done:
			return
		case <-time.After(time.Duration(seconds * float64(time.Second))):
		}
	}
}

// look returns the present state. What is free is looked up only if the process uses a good part of its limit.
func (l *Limit) look() Exceeded {
	e := Exceeded{Limit: *l, Used: Used(), Heap: heap(), Free: math.MaxUint64}
	if e.Used > l.Bytes/2 {
		e.Free = Available()
	}
	return e
}

// exceeds reports whether the process must end its work.
func (e *Exceeded) exceeds() bool { return e.Used > e.Bytes || e.Free < e.Bytes/16 }

// heap returns the memory in bytes that Go's runtime occupies.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
