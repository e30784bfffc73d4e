// Package crew runs functions side by side, on goroutines that stay awake for a moment when they are done. A launch of a
// tenth of a millisecond that runs in parts would otherwise spend as much again on waking a processor. The package must not
// know what the functions do.
package crew

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// awake is how long a goroutine looks for another job before it ends, and how long Do waits for other goroutines before it
// sleeps. Waking a thread takes about as long.
const awake = 100 * time.Microsecond

// Do calls f(0) to f(n-1), each on a goroutine of its own, of which one is the caller's, and returns when all have returned.
func Do(n int, f func(i int)) {
	if n <= 0 {
		return
	}
	c := &call{f: f}
	c.left.Store(int64(n - 1))
	c.done.Add(n - 1)
	looks := n <= runtime.GOMAXPROCS(0) // else a goroutine that waits keeps another one from working
	for i := range n - 1 {
		idle.start(job{c, i, looks})
	}
	f(n - 1)
	if looks {
		Soon(func() bool { return c.left.Load() == 0 })
	}
	c.done.Wait()
}

// call is what one Do waits for.
type call struct {
	f    func(i int)
	left atomic.Int64 // of the functions that other goroutines execute, how many have not returned
	done sync.WaitGroup
}

// job is one function of a call.
type job struct {
	*call
	i     int
	looks bool // whether the goroutine looks for another job afterwards
}

func (j job) run() {
	j.f(j.i)
	j.left.Add(-1)
	j.done.Done()
}

// idle are the goroutines of the process that look for jobs.
var idle = goroutines{jobs: make(chan job, 1<<10)}

// goroutines look for jobs. The number is of those that are free. Whoever starts a job claims a free goroutine by taking one from
// the number, and then sends the job. A goroutine that stops looking takes one from the number, too; if none is left, it has
// been claimed itself, and waits for the job.
type goroutines struct {
	number atomic.Int64 // of goroutines that no job has been started for
	jobs   chan job
}

// take takes one from the number, if it can.
func (g *goroutines) take() bool {
	for n := g.number.Load(); n > 0; n = g.number.Load() {
		if g.number.CompareAndSwap(n, n-1) {
			return true
		}
	}
	return false
}

// start has a goroutine execute a job: one that looks for more to do, or a new one.
func (g *goroutines) start(j job) {
	if g.take() {
		g.jobs <- j
		return
	}
	go g.work(j)
}

// work executes a job, and those that come within a moment after it.
func (g *goroutines) work(j job) {
	for more := true; more; {
		j.run()
		more = j.looks
		if more {
			j, more = g.next()
		}
	}
}

// next looks for a job.
func (g *goroutines) next() (j job, ok bool) {
	g.number.Add(1)
	Soon(func() bool {
		select {
		case j = <-g.jobs:
			ok = true
		default:
		}
		return ok
	})
	if ok || g.take() {
		return j, ok
	}
	return <-g.jobs, true
}

// Soon calls f until it returns true, for a moment at most: as long as a goroutine stays awake. It reports whether f has returned true.
func Soon(f func() bool) bool {
	for start := time.Now(); !f(); {
		if time.Since(start) >= awake {
			return false
		}
	}
	return true
}
