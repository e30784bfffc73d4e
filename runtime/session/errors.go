// Errors: mistakes of the caller, and the end of a session.

package session

import (
	"errors"
	"fmt"
)

// InputError is an error in the user's input: a program, a launch, or an option. Its text begins with a position in a file if
// there is one.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }

// ErrInterrupted is the error of a launch whose context was cancelled.
var ErrInterrupted = errors.New("interrupted")

// ErrStopped is the error of a launch after one that ended with a fault.
var ErrStopped = errors.New("the session has ended: a kernel has faulted")

// inputError wraps an error in an InputError; nil stays nil.
func inputError(err error) error {
	if err == nil {
		return nil
	}
	return &InputError{err}
}

func inputErrorf(format string, a ...any) error { return &InputError{fmt.Errorf(format, a...)} }
