// Package app is the command line of ptxsan and of ptxsan-full. It reads flags and files, calls the engine
// (runtime/session) or another layer, prints results, and chooses the exit code. It must not know how the layers work.
package app

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/about"
	"github.com/ptxsan/ptxsan/cmd/internal/build"
	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/compat"
	"github.com/ptxsan/ptxsan/cmd/internal/gc"
	"github.com/ptxsan/ptxsan/cmd/internal/habits"
	"github.com/ptxsan/ptxsan/cmd/internal/inspection"
	"github.com/ptxsan/ptxsan/cmd/internal/litmus"
	"github.com/ptxsan/ptxsan/cmd/internal/rewriting"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// newApp returns the command line of ptxsan.
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
		OnUsageError:              command.OnUsageError,
		DisableSliceFlagSeparator: true,
		EnableBashCompletion:      true,
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
		Commands: slices.Concat(
			[]*cli.Command{
				checkCommand(), analyzeCommand(), verifyCommand(), exploreCommand(), emulateCommand(), execCommand(),
				newCommand(), litmus.Litmus(), devicesCommand(), reportCommand(),
				rewriting.Rewrite(), fixCommand(), syncCommand(), rewriting.Diff(), rewriting.Extract(), rewriting.Embed(),
				rewriting.Fmt(), inspection.Inspect(), inspection.ISA(), inspection.Passes(), about.Explain(),
				about.Skill(), about.Version(),
				about.Completion(),
			}, extraCommands(),
		),
	}
	for _, cmd := range app.Commands {
		cmd.HideHelpCommand = true
		cmd.OnUsageError = command.OnUsageError
		cmd.Before = func(c *cli.Context) error {
			if err := command.RememberNames(c); err != nil {
				return err
			}
			if err := checkDate(c); err != nil {
				return err
			}
			if err := compat.Apply(c); err != nil {
				return err
			}
			if err := command.CheckOutputs(c); err != nil {
				return err
			}
			if extra == nil && needsDriver(c) {
				return becomeFull()
			}
			return nil
		}
	}
	return app
}

const appDescription = `Flags may stand before or after files; "-" is standard input or output.

Exit codes: 0 clean or same, 1 races found or different, 2 usage or bad input,
3 the kernel faulted, 4 internal failure, output that cannot be written, an
interrupt or an expectation that was not met; 141, without a message, when nobody
reads the output any more, as with "| head".

Defaults of flags: those in .ptxsan.yaml ("error-level: warning"), in the folder of
the file or one above, then those of the variable PTXSAN_OPTIONS.`

// help implements `ptxsan help` and `ptxsan help COMMAND`: the same as --help.
func help(c *cli.Context, name string) error {
	if name == "" {
		return cli.ShowAppHelp(c)
	}
	switch cmd := c.App.Command(name); {
	case cmd == nil:
		return unknownCommand(c, name)
	case extra == nil && cmd.SkipFlagParsing:
		return becomeFull()
	}
	return cli.ShowCommandHelp(c, name)
}

func unknownCommand(c *cli.Context, name string) error {
	var names []string
	for _, cmd := range c.App.Commands {
		names = append(names, cmd.Name)
	}
	if _, err := os.Stat(name); err == nil && strings.ContainsRune(name, filepath.Separator) {
		return command.Usagef("%s: expected CUDA source (.cu), PTX (.ptx), a Python program (.py) or an executable",
			name)
	}
	return command.Usagef("unknown command %q%s; commands: %s", name, habits.DidYouMean("", name, names),
		strings.Join(names, ", "))
}

// lineKey is the key of the command line among the application's metadata.
const lineKey = "line"

// run executes one command line and returns its exit code. Its only own output is one line for an error.
func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) int {
	return command.Guard(ctx, out, errw, func(ctx context.Context, out, errw io.Writer) error {
		app := newApp(in, out, errw)
		app.Metadata = map[string]any{lineKey: args}
		given := ordered(app, filled(app, habits.Shorthand(args)))
		line, defaults, err := withDefaults(app, given, os.Getenv(optionsVariable))
		if err != nil {
			return err
		}
		line = filled(app, line)
		keepFlags(app, line)
		return defaults.blame(app.RunContext(ctx, line), given)
	})
}

// ordered returns a command line with flags before files. If a flag requests help, it becomes the only argument, since
// the library would look for a command with the name of the first file. The arguments of exec belong to another program
// and stay.
func ordered(app *cli.App, args []string) []string {
	if len(args) < 3 || args[len(args)-1] == "--"+cli.BashCompletionFlag.Names()[0] {
		return args
	}
	cmd, rest := app.Command(args[1]), args[2:]
	if cmd == nil {
		return args
	}
	if cmd.Name == execName {
		rest = args[2:3]
	}
	helps := false
	rest = habits.Attached(rest, func(name string) bool { return flagOf(cmd, name) != nil })
	takes := takesOf(cmd)
	line := habits.Order(rest, func(name string) (value, known bool) {
		helps = helps || slices.Contains(cli.HelpFlag.Names(), name)
		return takes(name)
	})
	switch {
	case helps:
		return append(args[:2:2], "--help")
	case cmd.Name == execName:
		return args
	}
	return append(args[:2:2], line...)
}

// takesOf returns a function that reports whether a value follows a flag of a command, and whether the flag exists.
func takesOf(cmd *cli.Command) func(name string) (value, known bool) {
	return func(name string) (value, known bool) {
		f := flagOf(cmd, name)
		d, ok := f.(cli.DocGenerationFlag)
		return ok && d.TakesValue(), f != nil
	}
}

// filled gives --time-budget its default if it stands without a value.
func filled(app *cli.App, args []string) []string {
	if len(args) < 3 || app.Command(args[1]) == nil {
		return args
	}
	defaults := map[string]string{budgetFlag: defaultBudget}
	return append(args[:2:2], habits.Filled(args[2:], defaults, takesOf(app.Command(args[1])))...)
}

// keepFlags removes the flags of all commands but the one that the command line begins with, unless that command shows
// them. The library describes the flags of all commands before it runs one, which took 4 % of the time of a short
// check.
func keepFlags(app *cli.App, args []string) {
	if len(args) < 2 {
		return
	}
	asked := app.Command(args[1])
	if asked == nil || about.ShowsFlags(asked.Name) {
		return
	}
	for _, cmd := range app.Commands {
		if cmd != asked {
			cmd.Flags = nil
		}
	}
}

// Main runs the command line of this process and ends the process. more returns the commands that only ptxsan-full has;
// it is nil in ptxsan.
func Main(more func(command.Reports) []*cli.Command) {
	extra = more
	runtime.MemProfileRate = 0 // bytes between two samples; profiled sets it
	gc.CollectLate()
	signal.Ignore(syscall.SIGPIPE) // writes fail, and run cleans up
	os.Exit(run(command.Interruptible(), os.Args, os.Stdin, os.Stdout, os.Stderr))
}
