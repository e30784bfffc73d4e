// Interrupts by the user.

package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// errInterrupted is the error of a command after an interrupt: its context was cancelled.
var errInterrupted = session.ErrInterrupted

// interrupted is errInterrupted with its exit code.
func interrupted() error { return &codeError{exitFailure, errInterrupted} }

// grace is how long a command may take to stop after an interrupt before the process
// ends without it: parsing, for one, does not look at the context.
const grace = time.Second

// interruptible is a context that the first interrupt, or a request to terminate,
// cancels. The process ends at the second one, or grace after the first.
func interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		select {
		case <-signals:
		case <-time.After(grace):
		}
		outputFiles.Abandon()
		fmt.Fprintf(os.Stderr, "ptxsan: %v\n", errInterrupted)
		os.Exit(exitFailure)
	}()
	return ctx
}
