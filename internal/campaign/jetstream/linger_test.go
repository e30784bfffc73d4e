// Contexts of workers that are to end.

package jetstream

import (
	"context"
	"testing"
)

// counting is a context that counts what waits for its end.
type counting struct {
	context.Context
	waiting *int
	done    chan struct{} // of its own, lest the context inside be asked
}

func (c counting) Done() <-chan struct{} { return c.done }

func (c counting) AfterFunc(func()) (stop func() bool) {
	*c.waiting++
	return func() bool {
		*c.waiting--
		return true
	}
}

// TestLingering tests that values that a task leaves in the context of its worker are released with the task.
func TestLingering(t *testing.T) {
	ctx, waiting := counting{t.Context(), new(int), make(chan struct{})}, 0
	for range 10 {
		long, cancel := lingering(ctx)
		if *ctx.waiting != 1 || long.Err() != nil {
			t.Fatalf("%d wait, %v", *ctx.waiting, long.Err())
		}
		if cancel(); long.Err() == nil {
			t.Error("the context goes on")
		}
		waiting += *ctx.waiting
	}
	if waiting != 0 {
		t.Errorf("%d wait still", waiting)
	}
}
