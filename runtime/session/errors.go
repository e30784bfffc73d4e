// Errors: mistakes of the caller, and the end of a session.

package session

import (
	"context"
	"errors"

	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// InputError is an error in the user's input: a program, a launch, or an option. Its text begins with a position in a
// file if there is one.
type InputError = badinput.Error

// ErrInterrupted is the error of a launch whose context was cancelled.
var ErrInterrupted = errors.New("interrupted")

// Ended returns why a context ended: ErrInterrupted, or the cause of a limit of time.
func Ended(ctx context.Context) error {
	if why := context.Cause(ctx); !errors.Is(why, context.Canceled) {
		return why
	}
	return ErrInterrupted
}

// ErrStopped is the error of a launch after one that ended with a fault.
var ErrStopped = errors.New("the session has ended: a kernel has faulted")
