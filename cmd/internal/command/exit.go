// Package command contains the parts that the commands of ptxsan share: errors with exit codes, input and output files,
// common flags, pipelines of passes, and the end of a command. It must not know what any command does.
package command

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/habits"
)

// Exit codes.
const (
	Clean    = 0 // no findings; no difference
	Findings = 1 // races found; texts differ
	BadUsage = 2 // bad flags or bad input
	Faulted  = 3 // the kernel faulted
	Failed   = 4 // internal failure, output not written, interrupted, or an expectation not met
	Nothing  = 5 // nothing was checked, or not what --require-check or --require-all-schedules demands

	NoReader = 141 // the reader of the output has closed it; a shell shows this code for SIGPIPE
)

// Error is an error with an exit code. With a nil Err, there is no message.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Exit returns an error that ends a command with a code and no message.
func Exit(code int) error {
	if code == Clean {
		return nil
	}
	return &Error{Code: code}
}

// Usagef returns an error about flags or input.
func Usagef(format string, a ...any) error {
	return &Error{BadUsage, fmt.Errorf(format, a...)}
}

// BadInput wraps an error in the input with its exit code.
func BadInput(err error) error {
	if err == nil {
		return nil
	}
	return &Error{BadUsage, err}
}

// OnUsageError handles errors about flags: it suggests a flag similar to a misspelt one.
func OnUsageError(c *cli.Context, err error, _ bool) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown || c.Command == nil {
		return Usagef("%w", err)
	}
	name = strings.TrimLeft(name, "-")
	var flags []string
	for _, f := range c.Command.Flags {
		flags = append(flags, f.Names()...)
	}
	if c.Command.Name == c.App.Name { // flags are those of a command
		return Usagef("--%s: expected a command before the flag, or a file k.cu or k.ptx after it; ptxsan help lists the commands", name)
	}
	return Usagef("%s has no flag --%s%s; ptxsan help %[1]s lists its flags", c.Command.Name, name,
		habits.DidYouMean("--", name, flags))
}
