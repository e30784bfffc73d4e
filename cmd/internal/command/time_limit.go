// Time limits of commands.

package command

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
)

// Overtime is the time for a command to finish its report after its time limit. Reports of fewer than ten thousand
// findings take less than a second.
const Overtime = 5 * time.Second

// timeLimit is the state of a command with a time limit.
type timeLimit struct {
	running atomic.Bool   // kernels have begun to run: there may be findings to report
	ended   chan struct{} // is closed when the command has ended
}

// timeLimitKey is the context key of a command's timeLimit.
type timeLimitKey struct{}

// WithTimeout returns a context that ends after a time, with a cause. The command calls cancel when it has written its
// output. If it does not do so, because reading and analysing files do not check the context, the process exits: Grace
// after the time limit, or Overtime after it if Running has been called.
func WithTimeout(ctx context.Context, d time.Duration, cause error) (_ context.Context, cancel context.CancelFunc) {
	t := &timeLimit{ended: make(chan struct{})}
	inner, stop := context.WithTimeoutCause(context.WithValue(ctx, timeLimitKey{}, t), d, cause)
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

// TimeoutFlag is the flag --timeout.
func TimeoutFlag() cli.Flag {
	return &TimeFlag{cli.DurationFlag{Name: "timeout", Value: limits.Timeout, Usage: "stop after `TIME`, such as 30 (seconds) or 5m, or 0 for no limit; a run stopped by it is not reproducible", Category: CatExecution}}
}

// Timeout returns a context that ends after the time of --timeout, with an error that says so. Commands call it before
// they read files, which counts towards the time.
func Timeout(c *cli.Context) (context.Context, context.CancelFunc) {
	d := c.Duration("timeout")
	if d == 0 {
		return context.WithCancel(c.Context)
	}
	what := TimeoutCause(d)
	if !c.IsSet("timeout") {
		what = fmt.Errorf("%s by default (--timeout TIME allows more, 0 any)", limits.TimeText(d))
	}
	return WithTimeout(c.Context, d, what)
}

// TimeoutCause is the error of what ends after a time that the user has chosen.
func TimeoutCause(d time.Duration) error { return fmt.Errorf("%s (--timeout)", d) }

// Timed returns a command's action that cancels its context when the time limit of the command (--timeout) has passed.
func Timed(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := CheckTimeout(c); err != nil {
			return err
		}
		ctx, cancel := Timeout(c)
		defer cancel()
		c.Context = ctx
		return action(c)
	}
}

// CheckTimeout returns an error if the time of --timeout is negative.
func CheckTimeout(c *cli.Context) error {
	if c.Duration("timeout") < 0 {
		return Usagef("--timeout: expected a positive time, found %s", c.Duration("timeout"))
	}
	return nil
}

// Running says that kernels begin to run in the command with that context: it may have findings to report from now on.
func Running(ctx context.Context) {
	if t, ok := ctx.Value(timeLimitKey{}).(*timeLimit); ok {
		t.running.Store(true)
	}
}
