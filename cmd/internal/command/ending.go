// How a command ends: exit codes and the last message.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/ptxsan/ptxsan/runtime/output"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Guard does what is the same for every command around its action, and returns the exit
// code: an output that cannot be written cancels the context, and a panic is an error.
func Guard(ctx context.Context, out, errw io.Writer, action func(ctx context.Context, out, errw io.Writer) error) (code int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = context.WithValue(ctx, stop{}, cancel)
	stdout, stderr := output.NewStream(out, cancel), output.NewStream(errw, nil)
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "ptxsan: internal error: %v\n%s", r, debug.Stack())
			code = Failed
		}
	}()
	return Conclude(action(ctx, stdout, stderr), stdout, stderr)
}

// ending is the exit code and the message, nil for none, of a command that ended
// with err.
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

// Conclude prints the error of a command, if any, and returns its exit code. Output
// that was lost is an error of its own, but not where it only follows from another. A
// reader of the output that went away, as head does, is no reason for a message.
func Conclude(err error, stdout, stderr *output.Stream) int {
	code, message := ending(err)
	if lost := stdout.Err(); lost != nil && (message == nil || errors.Is(message, lost) || errors.Is(message, ErrInterrupted)) {
		if output.BrokenPipe(lost) {
			return NoReader
		}
		code, message = Failed, fmt.Errorf("standard output cannot be written: %w", output.Reason(lost))
	}
	if message != nil {
		fmt.Fprintf(stderr, "ptxsan: %v\n", message)
	}
	if lost := stderr.Err(); lost != nil {
		if output.BrokenPipe(lost) {
			return NoReader
		}
		return Failed
	}
	return code
}
