package panics

import (
	"strings"
	"sync/atomic"
	"testing"
)

// TestPanic: the panic of a goroutine reaches who waits, with its stack, after all others have ended.
func TestPanic(t *testing.T) {
	var ended atomic.Int32
	stopped := make(chan struct{})
	g := Group{Stop: func() { close(stopped) }}
	for range 3 {
		g.Go(func() {
			<-stopped
			ended.Add(1)
		})
	}
	g.Go(func() { faulty(nil) })
	defer func() {
		text, _ := recover().(string)
		if !strings.Contains(text, "index out of range") || !strings.Contains(text, "panics.faulty") || ended.Load() != 3 {
			t.Errorf("%d goroutines ended; panic %q, want that of faulty", ended.Load(), text)
		}
	}()
	g.Wait()
	t.Error("Wait returns")
}

func faulty(list []int) int { return list[len(list)] }

// TestWait: without a panic, Wait returns after all goroutines, and the group can be used again.
func TestWait(t *testing.T) {
	var g Group
	var n atomic.Int32
	for round := range int32(2) {
		for range 5 {
			g.Go(func() { n.Add(1) })
		}
		if g.Wait(); n.Load() != 5*(round+1) {
			t.Errorf("round %d: %d goroutines ended", round, n.Load())
		}
	}
}

// TestBrief: one line has the value of a panic and where it came from.
func TestBrief(t *testing.T) {
	got := Brief(Attempt(func() { faulty(nil) }))
	if !strings.HasPrefix(got, "runtime error: index out of range [0] with length 0 at internal/panics/panics_test.go:") || strings.Contains(got, "\n") {
		t.Errorf("got %q", got)
	}
}
