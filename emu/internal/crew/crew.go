// Package crew runs functions in parallel, on goroutines that stay awake for a moment when they are done, and that can
// be woken early. Otherwise a launch of a tenth of a millisecond that runs in parts would spend as much time again on
// waking a processor. The package does not depend on the functions.
package crew

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ptxsan/ptxsan/internal/panics"
)

// awake is the time for which a goroutine polls for another job before it ends, and for which Do polls for other
// goroutines before it sleeps. Waking a thread takes about as long.
const awake = 100 * time.Microsecond

// Do calls f(0) to f(n-1) and returns when all have returned. The caller's goroutine and up to n-1 others each take the
// next function that nobody has taken. Do waits only for functions that have begun: while another processor wakes up,
// the caller's goroutine may call all of them. Do panics with the value and the stack of one of those that panicked.
func Do(n int, f func(i int)) {
	if n <= 0 {
		return
	}
	c := &call{f: f, n: int64(n)}
	c.done.Add(n)
	looks := n <= runtime.GOMAXPROCS(0) // otherwise a polling goroutine would keep another one from working
	for range n - 1 {
		idle.start(job{c, looks})
	}
	c.work()
	if looks {
		Soon(func() bool { return c.ended.Load() == c.n })
	}
	c.done.Wait()
	if p := c.failed.Load(); p != nil {
		panic(*p)
	}
}

// Wake starts goroutines that poll for jobs, so that n-1 other processors are awake if the caller soon calls Do with n
// functions. It does not wait for them.
func Wake(n int) {
	for range int64(min(n, runtime.GOMAXPROCS(0))-1) - idle.number.Load() {
		go idle.poll()
	}
}

// call is the state of one Do.
type call struct {
	f            func(i int)
	n            int64
	taken, ended atomic.Int64 // numbers of functions that have been taken, and that have returned
	done         sync.WaitGroup
	failed       atomic.Pointer[any] // value of a panic
}

// work calls functions until all have been taken.
func (c *call) work() {
	for i := c.taken.Add(1) - 1; i < c.n; i = c.taken.Add(1) - 1 {
		if p := panics.Attempt(func() { c.f(int(i)) }); p != nil {
			c.failed.Store(&p)
		}
		c.ended.Add(1)
		c.done.Done()
	}
}

// job is the work of one goroutine for a call.
type job struct {
	*call
	looks bool // the goroutine polls for another job afterwards
}

// idle are the goroutines of the process that poll for jobs.
var idle = goroutines{jobs: make(chan job, 1<<10)}

// goroutines are goroutines that poll for jobs. number counts the free ones. To start a job, a caller claims a free
// goroutine by decrementing number, and then sends the job, which any goroutine that polls may take. A goroutine that
// stops polling decrements number, too; while number is 0, a job is on its way to each of them.
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

// poll executes the jobs that arrive in time.
func (g *goroutines) poll() {
	if j, ok := g.next(); ok {
		g.work(j)
	}
}

// work executes a job, and then the jobs that arrive in time.
func (g *goroutines) work(j job) {
	for more := true; more; {
		j.work()
		more = j.looks
		if more {
			j, more = g.next()
		}
	}
}

// next polls for a job, for the time awake. A goroutine that has been claimed by then goes on until it has one, or
// until a free one has taken its job and it may end in place of that one.
func (g *goroutines) next() (j job, ok bool) {
	g.number.Add(1)
	arrived := func() bool {
		select {
		case j = <-g.jobs:
			ok = true
		default:
		}
		return ok
	}
	for !Soon(arrived) {
		if g.take() {
			break
		}
	}
	return j, ok
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
