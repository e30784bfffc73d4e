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
		exitInterrupted()
	}()
	return ctx
}

// HoldInterrupts is for a command that has others decide what interrupts do, until it calls ended: they have come to their end. What
// comes until then, and Grace later, does nothing here: an interrupt comes twice, as "timeout" sends one to a process and then to its
// group, or is typed twice. The process ends at a later one.
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
		exitInterrupted()
	}()
	return func() { close(begin) }
}

// exitInterrupted ends the process without what it was about to write.
func exitInterrupted() {
	outputFiles.Abandon()
	fmt.Fprintf(os.Stderr, "ptxsan: %v\n", ErrInterrupted)
	os.Exit(Failed)
}
