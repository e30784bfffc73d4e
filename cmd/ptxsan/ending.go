// How a command ends: exit codes and the last message.

package main

import (
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/output"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// ending is the exit code and the message, nil for none, of a command that ended
// with err.
func ending(err error) (code int, message error) {
	var ce *codeError
	var input *session.InputError
	switch {
	case err == nil:
		return exitClean, nil
	case !errors.As(err, &ce) && errors.As(err, &input):
		return exitUsage, err
	case ce == nil:
		return exitFailure, err
	case ce.err == nil:
		return ce.code, nil
	}
	return ce.code, err
}

// conclude prints the error of a command, if any, and returns its exit code. Output
// that was lost is an error of its own, but not where it only follows from another. A
// reader of the output that went away, as head does, is no reason for a message.
func conclude(err error, stdout, stderr *output.Stream) int {
	code, message := ending(err)
	if lost := stdout.Err(); lost != nil && (message == nil || errors.Is(message, lost) || errors.Is(message, errInterrupted)) {
		if output.BrokenPipe(lost) {
			return exitPipe
		}
		code, message = exitFailure, fmt.Errorf("standard output cannot be written: %w", output.Reason(lost))
	}
	if message != nil {
		fmt.Fprintf(stderr, "ptxsan: %v\n", message)
	}
	if lost := stderr.Err(); lost != nil {
		if output.BrokenPipe(lost) {
			return exitPipe
		}
		return exitFailure
	}
	return code
}
