// Package badinput has the error about what the caller of a session gave it: a program, a launch, or an option. Rooms
// of runtime/session return it; session.InputError is another name for it. It must not know what is refused.
package badinput

import "fmt"

// Error is an error in the user's input: a program, a launch, or an option. Its text begins with a position in a file
// if there is one.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Wrap wraps an error in an Error; nil stays nil.
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	return &Error{err}
}

// Errorf makes an Error with that text.
func Errorf(format string, a ...any) error { return &Error{fmt.Errorf(format, a...)} }
