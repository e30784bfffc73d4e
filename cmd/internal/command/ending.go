// The end of a command: exit codes and the last message.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Guard runs an action of a command and returns the exit code. It handles what is common to all commands: an output
// that cannot be written cancels the context, and a panic becomes an error.
func Guard(ctx context.Context, out, errw io.Writer,
	action func(ctx context.Context, out, errw io.Writer) error,
) (code int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = context.WithValue(ctx, stop{}, cancel)
	stdout, stderr := output.NewEscapingStream(out, cancel), output.NewEscapingStream(errw, nil)
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "ptxsan: internal error: %v\n%s", r, debug.Stack())
			code = Failed
		}
	}()
	return Conclude(action(ctx, stdout, stderr), stdout, stderr)
}

// ending returns the exit code and the message (nil for none) of a command that ended with err.
func ending(err error) (code int, message error) {
	var ce *Error
	var input *session.InputError
	switch {
	case err == nil:
		return Clean, nil
	case !errors.As(err, &ce) && errors.As(err, &input):
		return BadUsage, err
	case ce == nil:
		return Failed, err
	case ce.Err == nil:
		return ce.Code, nil
	}
	return ce.Code, err
}

// Conclude prints the error of a command, if any, and returns its exit code. Lost output is an error of its own, unless
// it follows from another error. If the reader of the output has gone away, as head does, there is no message.
func Conclude(err error, stdout, stderr *output.Stream) int {
	code, message := ending(err)
	if lost := stdout.Close(); lost != nil && (message == nil || errors.Is(message, lost) ||
		errors.Is(message, ErrInterrupted)) {
		if output.BrokenPipe(lost) {
			return NoReader
		}
		code, message = Failed, fmt.Errorf("standard output cannot be written: %w", output.Reason(lost))
	}
	if message != nil {
		fmt.Fprintf(stderr, "ptxsan: %v\n", message)
	}
	if lost := stderr.Close(); lost != nil {
		if output.BrokenPipe(lost) {
			return NoReader
		}
		return Failed
	}
	return code
}
