// Package crew runs functions in parallel, on goroutines that stay awake for a moment when they are done. Otherwise a launch of a
// tenth of a millisecond that runs in parts would spend as much time again on waking a processor. The package does not depend on
// the functions.
package crew

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// awake is the time for which a goroutine polls for another job before it ends, and for which Do polls for other goroutines
// before it sleeps. Waking a thread takes about as long.
const awake = 100 * time.Microsecond

// Do calls f(0) to f(n-1), each on a separate goroutine, one of which is the caller's, and returns when all have returned.
func Do(n int, f func(i int)) {
	if n <= 0 {
		return
	}
	c := &call{f: f}
	c.left.Store(int64(n - 1))
	c.done.Add(n - 1)
	looks := n <= runtime.GOMAXPROCS(0) // otherwise a polling goroutine would keep another one from working
	for i := range n - 1 {
		idle.start(job{c, i, looks})
	}
	f(n - 1)
	if looks {
		Soon(func() bool { return c.left.Load() == 0 })
	}
	c.done.Wait()
}

// call is the state of one Do.
type call struct {
	f    func(i int)
	left atomic.Int64 // number of functions on other goroutines that have not returned
	done sync.WaitGroup
}

// job is one function of a call.
type job struct {
	*call
	i     int
	looks bool // the goroutine polls for another job afterwards
}

func (j job) run() {
	j.f(j.i)
	j.left.Add(-1)
	j.done.Done()
}

// idle are the goroutines of the process that poll for jobs.
var idle = goroutines{jobs: make(chan job, 1<<10)}

// goroutines are goroutines that poll for jobs. number counts the free ones. To start a job, a caller claims a free goroutine by
// decrementing number, and then sends the job. A goroutine that stops polling decrements number, too; if number is 0, the
// goroutine has been claimed, and waits for the job.
type goroutines struct {
	number atomic.Int64 // free goroutines
	jobs   chan job
}

// take decrements number, if it is positive, and reports whether it has.
func (g *goroutines) take() bool {
	for n := g.number.Load(); n > 0; n = g.number.Load() {
		if g.number.CompareAndSwap(n, n-1) {
			return true
		}
	}
	return false
}

// start executes a job on another goroutine: a polling one, or a new one.
func (g *goroutines) start(j job) {
	if g.take() {
		g.jobs <- j
		return
	}
	go g.work(j)
}

// work executes a job, and then the jobs that arrive in time.
func (g *goroutines) work(j job) {
	for more := true; more; {
		j.run()
		more = j.looks
		if more {
			j, more = g.next()
		}
	}
}

// next polls for a job.
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

// Soon calls f until it returns true, for at most the time awake. It reports whether f has returned true.
func Soon(f func() bool) bool {
	for start := time.Now(); !f(); {
		if time.Since(start) >= awake {
			return false
		}
	}
	return true
}
