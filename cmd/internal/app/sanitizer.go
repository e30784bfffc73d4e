// Flags shared with compute-sanitizer.

package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// sanitizerFlags returns flags for the text of reports and the exit code: docs/compute-sanitizer.md.
func sanitizerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.UintFlag{Name: "print-limit", Usage: "print `N` findings as text, 0 for all", Category: command.CatOutput},
		&cli.BoolFlag{
			Name: "fidelity", Category: command.CatOutput,
			Usage: "end the text report with what of the run was not exact: instructions that were approximated or refused, " +
				"libraries that the host computes, the memory model",
		},
		&cli.StringFlag{Name: "racecheck-report", Value: report.HazardModes[0], Usage: "`WHAT` the text report shows of races: analysis (one finding for each pair of lines), hazard (each race) or all", Category: command.CatOutput, Action: command.OneOf("racecheck-report", report.HazardModes...)},
		command.DemangleFlag(),
	}
}

// mostPadding leaves room for 65,536 allocations.
const mostPadding = 1 << 40

func paddingLimit(_ *cli.Context, text string) error {
	n, err := limits.ParseBytes(text)
	if err == nil && n > mostPadding {
		err = fmt.Errorf("expected at most 1T, found %s", text)
	}
	if err != nil {
		return command.Usagef("--padding: %w", err)
	}
	return nil
}

func leakFlag(usage string) *cli.StringFlag {
	return &cli.StringFlag{
		Name: "leak-check", Value: "no", Usage: usage, Category: command.CatExecution,
		Action: command.OneOf("leak-check", "full", "no"),
	}
}

// noLeaks returns the leak flag for commands without an application.
func noLeaks() cli.Flag {
	f := leakFlag("only no is accepted, since a launch file cannot leak memory; see exec")
	f.Action = func(_ *cli.Context, value string) error {
		if value == "no" {
			return nil
		}
		return command.Usagef("--leak-check %s: the buffers of a launch file last as long as the check, so that none can leak: expected an application, ptxsan exec --leak-check full -- ./app", value)
	}
	return f
}

func errorExitFlag() cli.Flag {
	return &cli.IntFlag{Name: "error-exitcode", Usage: "exit with `N` instead of 1 or 3 when there are findings", Category: command.CatOutput, Action: func(_ *cli.Context, n int) error {
		if n < 1 || n > 255 {
			return command.Usagef("--error-exitcode: expected a number from 1 to 255, found %d", n)
		}
		return nil
	}}
}

// findingCode returns the exit code of a report; for findings, that of --error-exitcode. A static analysis that could
// not decide counts as a warning.
func findingCode(c *cli.Context, rep *report.Report) int {
	code := verdictCodes[rep.Verdict]
	switch {
	case rep.Verdict != report.Unknown:
	case !rep.Unchecked():
		if c.String("error-level") != report.Error {
			code = command.Findings
		}
	case c.Bool("allow-unchecked") && (!c.Bool(command.AllSchedules) || len(rep.Narrow()) == 0):
		return command.Clean
	default:
		return command.Nothing
	}
	if code != command.Clean && c.IsSet("error-exitcode") {
		return c.Int("error-exitcode")
	}
	return code
}
