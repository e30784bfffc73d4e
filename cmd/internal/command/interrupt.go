// Interrupts by the user.

package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// ErrInterrupted is the error of a command after an interrupt: its context was cancelled.
var ErrInterrupted = session.ErrInterrupted

// Interrupted is ErrInterrupted with its exit code.
func Interrupted() error { return &Error{Failed, ErrInterrupted} }

// Grace is the time for a command to stop after an interrupt, and after its time limit while there is nothing to
// report. After that, the process exits: parsing, for example, does not check the context.
const Grace = time.Second

// Interruptible returns a context that the first interrupt, or a request to terminate, cancels. The process exits at
// the second one, or Grace after the first; Overtime after it if Concluding has been called.
func Interruptible() context.Context {
	concludes := new(atomic.Bool)
	ctx := context.WithValue(context.WithValue(context.Background(), process{}, endProcess), resultsKey{}, concludes)
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		grace := Grace
		if concludes.Load() {
			grace = Overtime
		}
		select {
		case <-signals:
		case <-time.After(grace):
		}
		endProcess(ErrInterrupted)
	}()
	return ctx
}

// resultsKey is the context key of whether a command has its results, and ends by itself after an interrupt.
type resultsKey struct{}

// Concluding says that the command with that context has its results: after an interrupt, it has Overtime to write
// them.
func Concluding(ctx context.Context) {
	if b, ok := ctx.Value(resultsKey{}).(*atomic.Bool); ok {
		b.Store(true)
	}
}

// HoldInterrupts disables the handling of interrupts for a command that leaves it to others, such as an application,
// until the command calls ended. Interrupts that arrive before that, or up to Grace after it, are ignored: an interrupt
// may arrive twice, since "timeout" sends one to a process and then to its group, and users may press the key twice. A
// later interrupt ends the process.
func HoldInterrupts() (ended func()) {
	signals, begin := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-begin
		for grace := time.After(Grace); grace != nil; {
			select {
			case <-signals:
			case <-grace:
				grace = nil
			}
		}
		<-signals
		endProcess(ErrInterrupted)
	}()
	return func() { close(begin) }
}

// process is the context key of the function that ends the process; contexts of commands inside a test have none.
type process struct{}

// endProcess ends the process with an error, without writing its pending output.
func endProcess(why error) {
	outputFiles.Abandon()
	fmt.Fprintf(os.Stderr, "ptxsan: %v\n", why)
	os.Exit(Failed)
}
