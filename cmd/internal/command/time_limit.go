// Time limits of commands.

package command

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Overtime is the time for a command to finish its report after its time limit. Reports of fewer than ten thousand findings take
// less than a second.
const Overtime = 5 * time.Second

// timeLimit is the state of a command with a time limit.
type timeLimit struct {
	running atomic.Bool   // kernels have begun to run: there may be findings to report
	ended   chan struct{} // is closed when the command has ended
}

// limited is the context key of a command's timeLimit.
type limited struct{}

// WithTimeout returns a context that ends after a time, with a cause. The command calls cancel when it has written its output. If it
// does not do so, because reading and analysing files do not check the context, the process exits: Grace after the time limit, or
// Overtime after it if Running has been called.
func WithTimeout(ctx context.Context, d time.Duration, cause error) (_ context.Context, cancel context.CancelFunc) {
	t := &timeLimit{ended: make(chan struct{})}
	inner, stop := context.WithTimeoutCause(context.WithValue(ctx, limited{}, t), d, cause)
	if end, ok := ctx.Value(process{}).(func(error)); ok {
		context.AfterFunc(inner, func() {
			if errors.Is(inner.Err(), context.DeadlineExceeded) {
				t.watch(end, cause)
			}
		})
	}
	return inner, sync.OnceFunc(func() {
		stop()
		close(t.ended)
	})
}

// watch ends the process if the command does not end soon.
func (t *timeLimit) watch(end func(error), cause error) {
	if t.wait(Grace) {
		return
	}
	if !t.running.Load() {
		end(fmt.Errorf("not finished in the time allowed, %w", cause))
	}
	if !t.wait(Overtime - Grace) {
		end(fmt.Errorf("not finished in the time allowed, %w: the report took longer than %s", cause, Overtime))
	}
}

// wait waits for the end of the command, at most for some time, and reports whether it has ended.
func (t *timeLimit) wait(d time.Duration) (ended bool) {
	select {
	case <-t.ended:
		return true
	case <-time.After(d):
		return false
	}
}

// Running says that kernels begin to run in the command with that context: it may have findings to report from now on.
func Running(ctx context.Context) {
	if t, ok := ctx.Value(limited{}).(*timeLimit); ok {
		t.running.Store(true)
	}
}
