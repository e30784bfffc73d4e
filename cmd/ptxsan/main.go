// Command ptxsan rewrites PTX, runs it on an emulated GPU and reports the data
// races that it finds.
//
// This package joins the layers: it reads files and flags, runs a pipeline of
// passes, sets up the emulator as a launch file says, gives the detector's races
// the names and lines of the user's program, and chooses the exit code. What the
// layers know, they know themselves.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/build"
	"github.com/ptxsan/ptxsan/cmd/internal/gc"
	"github.com/ptxsan/ptxsan/cmd/internal/habits"
	"github.com/ptxsan/ptxsan/runtime/output"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Exit codes.
const (
	exitClean    = 0 // no findings; no difference
	exitFindings = 1 // races found; texts differ
	exitUsage    = 2 // bad flags or bad input
	exitFault    = 3 // the kernel faulted
	exitFailure  = 4 // internal failure, output not written, interrupted, or an expectation not met

	exitPipe = 141 // the reader of the output has closed it; what a shell shows for SIGPIPE
)

// codeError is an error that decides the exit code. With a nil err there is
// nothing more to say: the code is the message.
type codeError struct {
	code int
	err  error
}

func (e *codeError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *codeError) Unwrap() error { return e.err }

// exit ends a command with a code and no message.
func exit(code int) error {
	if code == exitClean {
		return nil
	}
	return &codeError{code: code}
}

// usagef is an error about flags or input.
func usagef(format string, a ...any) error {
	return &codeError{exitUsage, fmt.Errorf(format, a...)}
}

// badInput gives an error in the input the exit code for it.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return &codeError{exitUsage, err}
}

// onUsage is for errors about flags: it names the flag that a misspelt one is like.
func onUsage(c *cli.Context, err error, _ bool) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown || c.Command == nil {
		return usagef("%w", err)
	}
	name = strings.TrimLeft(name, "-")
	var flags []string
	for _, f := range c.Command.Flags {
		flags = append(flags, f.Names()...)
	}
	return usagef("%s has no flag --%s%s; ptxsan help %[1]s lists its flags", c.Command.Name, name, habits.DidYouMean("--", name, flags))
}

// newApp is the command line of ptxsan.
func newApp(in io.Reader, out, errw io.Writer) *cli.App {
	app := &cli.App{
		Name:                      "ptxsan",
		Usage:                     "find data races in PTX, without a GPU",
		Version:                   build.Describe(session.Version),
		Description:               appDescription,
		HideHelpCommand:           true,
		Suggest:                   true,
		Reader:                    in,
		Writer:                    out,
		ErrWriter:                 errw,
		ExitErrHandler:            func(*cli.Context, error) {}, // run decides
		OnUsageError:              onUsage,
		DisableSliceFlagSeparator: true,
		Action: func(c *cli.Context) error {
			switch name := c.Args().First(); name {
			case "":
				return cli.ShowAppHelp(c)
			case "help":
				return help(c, c.Args().Get(1))
			default:
				return unknownCommand(c, name)
			}
		},
		Commands: []*cli.Command{
			checkCommand(), analyzeCommand(), exploreCommand(), emulateCommand(), execCommand(), newCommand(), devicesCommand(), reportCommand(),
			rewriteCommand(), fixCommand(), diffCommand(), extractCommand(), embedCommand(),
			fmtCommand(), inspectCommand(), isaCommand(), passesCommand(),
		},
	}
	for _, cmd := range app.Commands {
		cmd.HideHelpCommand = true
		cmd.OnUsageError = onUsage
	}
	return app
}

const appDescription = `Flags may stand before or after files; "-" is standard input or output.

Exit codes: 0 clean or same, 1 races found or different, 2 usage or bad input,
3 the kernel faulted, 4 internal failure, output that cannot be written, an
interrupt or an expectation that was not met; 141, without a message, when nobody
reads the output any more, as with "| head".`

// help is what `ptxsan help` and `ptxsan help COMMAND` do: the same as --help.
func help(c *cli.Context, name string) error {
	if name == "" {
		return cli.ShowAppHelp(c)
	}
	if c.App.Command(name) == nil {
		return unknownCommand(c, name)
	}
	return cli.ShowCommandHelp(c, name)
}

func unknownCommand(c *cli.Context, name string) error {
	var names []string
	for _, cmd := range c.App.Commands {
		names = append(names, cmd.Name)
	}
	return usagef("unknown command %q%s; commands: %s", name, habits.DidYouMean("", name, names), strings.Join(names, ", "))
}

// run executes one command line and returns its exit code. The only output that
// it adds to that of the command is one line for an error.
func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) int {
	return guard(ctx, out, errw, func(ctx context.Context, out, errw io.Writer) error {
		app := newApp(in, out, errw)
		return app.RunContext(ctx, ordered(app, args))
	})
}

// ordered is a command line with flags before files. The arguments of exec are another program's.
func ordered(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	cmd := app.Command(args[1])
	if cmd == nil || cmd.Name == execName {
		return args
	}
	return append(args[:2:2], habits.Order(args[2:], func(name string) (value, known bool) {
		for _, f := range cmd.Flags {
			if slices.Contains(f.Names(), name) {
				d, ok := f.(cli.DocGenerationFlag)
				return ok && d.TakesValue(), true
			}
		}
		return false, false
	})...)
}

// guard does what is the same for every command around its action, and returns the exit
// code: an output that cannot be written cancels the context, and a panic is an error.
func guard(ctx context.Context, out, errw io.Writer, action func(ctx context.Context, out, errw io.Writer) error) (code int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = context.WithValue(ctx, stop{}, cancel)
	stdout, stderr := output.NewStream(out, cancel), output.NewStream(errw, nil)
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "ptxsan: internal error: %v\n%s", r, debug.Stack())
			code = exitFailure
		}
	}()
	return conclude(action(ctx, stdout, stderr), stdout, stderr)
}

func main() {
	gc.CollectLate()
	signal.Ignore(syscall.SIGPIPE) // writes fail, and run cleans up
	os.Exit(run(interruptible(), os.Args, os.Stdin, os.Stdout, os.Stderr))
}
