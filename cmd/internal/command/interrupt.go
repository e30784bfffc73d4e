// Interrupts by the user.

package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// ErrInterrupted is the error of a command after an interrupt: its context was cancelled.
var ErrInterrupted = session.ErrInterrupted

// Interrupted is ErrInterrupted with its exit code.
func Interrupted() error { return &Error{Failed, ErrInterrupted} }

// Grace is how long a command may take to stop after an interrupt before the process
// ends without it: parsing, for one, does not look at the context.
const Grace = time.Second

// Interruptible is a context that the first interrupt, or a request to terminate,
// cancels. The process ends at the second one, or Grace after the first.
func Interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		select {
		case <-signals:
		case <-time.After(Grace):
		}
		outputFiles.Abandon()
		fmt.Fprintf(os.Stderr, "ptxsan: %v\n", ErrInterrupted)
		os.Exit(Failed)
	}()
	return ctx
}
