// Package litmus contains the command litmus: the outcomes and races of litmus tests. It must not know the other
// commands.
package litmus

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/internal/litmus/emulated"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Litmus returns the command litmus.
func Litmus() *cli.Command {
	return &cli.Command{
		Name:      "litmus",
		Category:  "Execution",
		Usage:     "list all outcomes and races of litmus tests in Dat3M's PTX format",
		ArgsUsage: "FILE.litmus...",
		Description: `Runs each test in every order of the threads' conflicting operations, with --memory ptx
in every execution that the memory consistency model allows, and lists the final states,
those that satisfy the condition (*), whether the condition holds (exists, ~exists,
forall), and the races that the model knows. docs/litmus.md describes the format. With
--memory ptx, tests of several proxies (aliases, textures, surfaces, constants) are not
run: their executions are computed from the axioms.

--print-ptx writes the kernel and the launch that are run. With -o k.ptx, the launch file
is k.yaml, for ptxsan check --launch k.yaml k.ptx.

Exit codes: 0 when no execution has a race and every ~exists and forall holds; 1 when not;
2 for tests that are malformed or have no PTX; 3 when an execution cannot end, as all of
its threads wait for ever; 5 when not all executions were run to their end, because of
--timeout, --schedules or a loop of more than 20,000 steps. An exists is a question and
does not matter.

Examples:
   ptxsan litmus sb.litmus
   ptxsan litmus --memory ptx sb.litmus
   ptxsan litmus --format json sb.litmus
   ptxsan litmus --print-ptx -o sb.ptx sb.litmus`,
		Flags: command.Grouped([]cli.Flag{
			&cli.BoolFlag{
				Name: "print-ptx", Usage: "write the kernel and its launch, and run nothing",
				Category: command.CatOutput,
			},
			&cli.StringFlag{
				Name: "format", Value: "text", Usage: "text or json",
				Action: command.OneOf("format", "text", "json"), Category: command.CatOutput,
			},
			&cli.StringFlag{Name: "memory", Value: "sc", Usage: "memory consistency `MODEL`: sc (a load returns the latest store) or ptx (a load returns any store that the PTX manual's model allows)", Action: command.OneOf("memory", "sc", "ptx"), Category: command.CatExecution},
			&cli.IntFlag{Name: "schedules", Value: session.DefaultExhaustive, Usage: "run at most `N` executions of a test", Category: command.CatExecution},
			&cli.IntFlag{Name: "jobs", Usage: "run `N` executions at a time, 0 for one per processor", Category: command.CatExecution},
			command.OutputFlag(), timeout(),
		}),
		Action: action,
	}
}

// timeout returns the flag --timeout with the limit of explorations.
func timeout() cli.Flag {
	f := command.TimeoutFlag()
	if d, ok := f.(*command.TimeFlag); ok {
		d.Value = limits.Exploration
	}
	return f
}

func action(c *cli.Context) error {
	switch {
	case !c.Args().Present():
		return command.Usagef("litmus: expected litmus tests (or - for standard input)")
	case c.Int("schedules") < 1:
		return command.Usagef("--schedules: expected a number from 1 on, found %d", c.Int("schedules"))
	case c.Int("jobs") < 0:
		return command.Usagef("--jobs: expected 0 or a larger number, found %d", c.Int("jobs"))
	}
	var tests []*namedTest
	for _, name := range c.Args().Slice() {
		text, err := command.ReadInput(c, name, litmus.MaxBytes)
		if err != nil {
			return err
		}
		t, err := litmus.Parse(command.DisplayName(name), text)
		if err != nil {
			return command.BadInput(err)
		}
		tests = append(tests, &namedTest{name: command.DisplayName(name), test: t})
	}
	if c.Bool("print-ptx") {
		return printPTX(c, tests)
	}
	ctx, cancel := command.Timeout(c)
	defer cancel()
	if err := run(ctx, c, tests); err != nil {
		return err
	}
	if err := command.WriteOutput(c, c.String("output"),
		func(w io.Writer) error { return write(w, c.String("format"), tests) }); err != nil {
		return err
	}
	return command.Exit(code(tests))
}

// namedTest is a test of a file, and its result.
type namedTest struct {
	name   string
	test   *litmus.Test
	result *emulated.Result
	axioms bool // the result is computed from the axioms
}

// run runs the tests. A test that PTX cannot express ends it before anything is written.
func run(ctx context.Context, c *cli.Context, tests []*namedTest) (err error) {
	weak := c.String("memory") == "ptx"
	for _, t := range tests {
		t.axioms = weak && t.test.Proxies()
		if t.axioms {
			continue
		}
		if _, err = t.test.Kernel(); err != nil {
			return command.BadInput(err)
		}
	}
	command.Running(ctx)
	for _, t := range tests {
		o := emulated.Options{Runs: c.Int("schedules"), Workers: c.Int("jobs")}
		if weak {
			o.Session.Emulator.Memory = emu.PTX
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.result = emulated.Late(ctx, t.test)
			continue
		}
		if t.axioms {
			t.result, err = compute(ctx, t.test)
		} else {
			t.result, err = emulated.Run(ctx, t.test, o)
		}
		switch {
		case err != nil && t.axioms && ctx.Err() == nil:
			return err
		case err != nil && ctx.Err() != nil:
			return &command.Error{
				Code: command.Failed,
				Err:  fmt.Errorf("%s: not all executions were run: %w", t.name, context.Cause(ctx)),
			}
		case err != nil:
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// code is the exit code for the results.
func code(tests []*namedTest) int {
	code := command.Clean
	for _, t := range tests {
		switch one := codeOf(t.result); {
		case one == command.Faulted || code == command.Faulted:
			code = command.Faulted
		case one == command.Findings || code == command.Findings:
			code = command.Findings
		default:
			code = max(code, one)
		}
	}
	return code
}

func codeOf(r *emulated.Result) int {
	claims := r.Test.Condition.Quantifier != litmus.Exists
	switch {
	case len(r.Faults) > 0:
		return command.Faulted
	case errorsAmong(r.Races) || claims && !r.Holds():
		return command.Findings
	case !r.Complete:
		return command.Nothing
	}
	return command.Clean
}

func errorsAmong(races []emulated.Race) bool {
	for _, x := range races {
		if x.Severity == report.Error {
			return true
		}
	}
	return false
}

// printPTX writes the kernel of the single test, and its launch file: as comments, or beside the file of -o.
func printPTX(c *cli.Context, tests []*namedTest) error {
	if len(tests) > 1 {
		return command.Usagef("--print-ptx: expected one litmus test, found %d", len(tests))
	}
	k, err := tests[0].test.Kernel()
	if err != nil {
		return command.BadInput(err)
	}
	name := c.String("output")
	if name == "" || name == "-" {
		return command.WriteText(c, k.PTX+comment(k.Launch))
	}
	beside := launchName(name)
	if beside == name {
		return command.Usagef("--output %s: the launch file would replace the PTX, as its name is that with .yaml: expected another extension, such as .ptx", name)
	}
	for _, file := range []string{name, beside} {
		if err = command.CheckReplaces(c, file); err != nil {
			return err
		}
	}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, failed := io.WriteString(w, s); return failed }
	}
	if err = command.WriteOutput(c, name, text(k.PTX)); err != nil {
		return err
	}
	return command.WriteOutput(c, beside, text(k.Launch))
}
