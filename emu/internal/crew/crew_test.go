package crew

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestDo: every function is called once, and functions may wait for each other: there is a goroutine for each.
func TestDo(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 50} {
		for range 200 {
			counts := make([]atomic.Int32, n)
			var meet sync.WaitGroup
			meet.Add(n)
			Do(n, func(i int) {
				counts[i].Add(1)
				meet.Done()
				meet.Wait() // all are under way at a time
			})
			for i := range counts {
				if c := counts[i].Load(); c != 1 {
					t.Fatalf("%d functions: number %d was called %d times", n, i, c)
				}
			}
		}
	}
}

// TestLate: a goroutine calls all functions if no other one comes, and one that comes late calls none.
func TestLate(t *testing.T) {
	var called []int
	c := &call{n: 3, f: func(i int) { called = append(called, i) }}
	c.done.Add(3)
	c.work()
	if want := []int{0, 1, 2}; !slices.Equal(called, want) {
		t.Errorf("called %v, want %v", called, want)
	}
	c.done.Wait()
	c.work()
	if len(called) != 3 {
		t.Errorf("called %v again", called[3:])
	}
}

// TestWake: Wake starts goroutines that poll for jobs, no more than there are other processors, and they end.
func TestWake(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, c := range []struct{ n, want int }{{0, 0}, {1, 0}, {2, 1}, {3, 2}, {9, 2}} {
		started := -1
		for end := time.Now().Add(10 * time.Second); started != c.want; { // one may have ended before it is counted
			ended(t)
			before := runtime.NumGoroutine()
			Wake(c.n)
			started = runtime.NumGoroutine() - before
			if started > c.want || time.Now().After(end) {
				t.Fatalf("Wake(%d) started %d goroutines, want %d", c.n, started, c.want)
			}
		}
	}
	ended(t)
}

// TestJobTaken: a goroutine that has been claimed ends when another one, which has become free since, has taken its
// job.
func TestJobTaken(t *testing.T) {
	g := goroutines{jobs: make(chan job, 1)}
	ended := make(chan bool, 1)
	for claimed := false; !claimed; { // it may end before it is claimed
		go func() {
			_, ok := g.next()
			ended <- ok
		}()
		for !claimed && len(ended) == 0 {
			claimed = g.take()
			runtime.Gosched()
		}
		if !claimed {
			<-ended
		}
	}
	time.Sleep(10 * awake) // it has polled for long enough to end, were it not claimed
	if len(ended) > 0 {
		t.Fatal("it has ended although a job is on its way")
	}
	g.number.Add(1) // as a goroutine does that then takes the job
	select {
	case ok := <-ended:
		if ok || g.number.Load() != 0 {
			t.Errorf("it has a job: %v; %d goroutines are free, want none", ok, g.number.Load())
		}
	case <-time.After(10 * time.Second):
		t.Error("it has not ended")
	}
}

// TestNested: functions may call Do, and several goroutines may at a time.
func TestNested(t *testing.T) {
	var sum atomic.Int64
	Do(4, func(i int) {
		for range 300 {
			Do(2, func(k int) { sum.Add(int64(10*i + k)) })
		}
	})
	if want := int64(300 * (2*(0+10+20+30) + 4)); sum.Load() != want {
		t.Errorf("%d, want %d", sum.Load(), want)
	}
}

// TestEnd: goroutines stop polling for jobs soon.
func TestEnd(t *testing.T) {
	for range 1000 {
		Do(2, func(int) {})
	}
	ended(t)
}

// ended waits until no goroutine polls.
func ended(t *testing.T) {
	t.Helper()
	running := func() bool { // the test and its caller aside
		return runtime.NumGoroutine() > 2 || idle.number.Load() != 0 || len(idle.jobs) != 0
	}
	for end := time.Now().Add(10 * time.Second); running(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, of which %d look for %d jobs", runtime.NumGoroutine(), idle.number.Load(), len(idle.jobs))
		}
	}
}

// BenchmarkDo measures two functions that take 50 microseconds each, one call after the other and with a pause in
// between.
func BenchmarkDo(b *testing.B) {
	for name, pause := range map[string]time.Duration{"close": 10 * time.Microsecond, "apart": time.Millisecond} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Do(2, func(int) { spend(50 * time.Microsecond) })
				spend(pause)
			}
		})
	}
}

// spend keeps a processor busy.
func spend(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

// TestPanic: the panic of a function reaches the caller of Do, whichever goroutine calls the function.
func TestPanic(t *testing.T) {
	for range 20 {
		func() {
			defer func() {
				if p := recover(); !strings.Contains(fmt.Sprint(p), "third") {
					t.Errorf("panic %v, want that of the third function", p)
				}
			}()
			Do(4, func(i int) {
				if i == 2 {
					panic("third")
				}
				time.Sleep(time.Millisecond)
			})
			t.Error("Do returns")
		}()
	}
}
