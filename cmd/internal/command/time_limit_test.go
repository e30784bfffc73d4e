package command

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestTimeLimitEndsProcess: the process ends when the command does not, later if there may be something to report, and
// not at all if the command has ended or its context was cancelled.
func TestTimeLimitEndsProcess(t *testing.T) {
	for _, c := range []struct {
		name    string
		command func(ctx context.Context, cancel context.CancelFunc)
		after   time.Duration // 0: it does not end
		message string
	}{
		{"reads", func(context.Context, context.CancelFunc) {}, Grace, "not finished in the time allowed, too long"},
		{"reports", func(ctx context.Context, _ context.CancelFunc) { Running(ctx) }, Overtime, "the report took longer"},
		{"has ended", func(ctx context.Context, cancel context.CancelFunc) { <-ctx.Done(); cancel(); cancel() }, 0, ""},
		{"ended before", func(_ context.Context, cancel context.CancelFunc) { cancel() }, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ends := make(chan error, 1)
			parent := context.WithValue(t.Context(), process{}, func(why error) { ends <- why })
			longest := 2 * Grace // to see that it does not end
			if c.after != 0 {
				longest = time.Minute
			}
			begin := time.Now()
			ctx, cancel := WithTimeout(parent, time.Millisecond, errors.New("too long"))
			defer cancel()
			c.command(ctx, cancel)
			select {
			case why := <-ends:
				if took := time.Since(begin); c.after == 0 || took < c.after || !strings.Contains(why.Error(), c.message) {
					t.Errorf("the process ends after %s: %v", took, why)
				}
			case <-time.After(longest):
				if c.after != 0 {
					t.Error("the process does not end")
				}
			}
		})
	}
}

// TestTimeLimitOfLibrary: without a process of its own, a time limit ends only the context.
func TestTimeLimitOfLibrary(t *testing.T) {
	want := errors.New("too long")
	ctx, cancel := WithTimeout(t.Context(), time.Millisecond, want)
	defer cancel()
	<-ctx.Done()
	Running(ctx)
	if !errors.Is(context.Cause(ctx), want) {
		t.Errorf("the cause is %v", context.Cause(ctx))
	}
}
