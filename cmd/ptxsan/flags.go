// Flags that several commands share.

package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/report/formats"
)

// Categories of flags in the help.
const (
	catInput     = "Input"
	catOutput    = "Output"
	catExecution = "Execution"
	catPasses    = "Passes"
)

func launchFlag() cli.Flag {
	return &cli.StringFlag{Name: "launch", Aliases: []string{"l"}, Usage: "launch `FILE`: buffers, launches and expectations (YAML)", Category: catInput}
}

func rootFlag() cli.Flag {
	return &cli.StringFlag{Name: "root", Usage: "let the launch file read files in `DIR` and below it only, and reports show lines of such files only", DefaultText: "the folder of the launch file; any for reports", Category: catInput}
}

func errorLevelFlag() cli.Flag {
	return &cli.StringFlag{Name: "error-level", Value: report.Error, Usage: "least `SEVERITY` of a finding that makes the exit code 1: error, warning or info", Category: catOutput, Action: oneOf("error-level", report.Error, report.Warning, report.Info)}
}

func suppressionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "suppressions", Usage: "do not report the races that `FILE` (YAML, or XML of compute-sanitizer) names; entries that match none are reported", Category: catInput}
}

func outputFlag() cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o", "log-file"}, Usage: "write to `FILE` in place of standard output", Category: catOutput}
}

func noCheckFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-check", Usage: "do not compare the input with the rules of the PTX manual beyond what is needed to make sense of it; instructions, directives and targets of a newer PTX release are kept as they are, and refused where they are executed", Category: catInput}
}

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "`FORMAT` of the report: text or json", Category: catOutput, Action: oneOf("format", "text", "json")}
}

// reportFlag is --format of a command that writes a report.
func reportFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "format", Value: "text", Category: catOutput,
		Usage:  "`FORMATS` of the report: " + formats.Names() + "; several as sarif=r.sarif,html=r.html, of which one may be without a file",
		Action: func(_ *cli.Context, v string) error { _, err := reportFormats(v); return err },
	}
}

func demangleFlag() cli.Flag {
	return &cli.StringFlag{Name: "demangle", Value: report.NameFull, Usage: "show names of functions in text `AS`: full, with their parameters, simple, without them, or no, as they are in the PTX", Category: catOutput, Action: oneOf("demangle", report.Names...)}
}

func colorFlag() cli.Flag {
	return &cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to use colour: auto, always or never", Category: catOutput, Action: oneOf("color", "auto", "always", "never")}
}

func passesFlag(value string) cli.Flag {
	return &cli.StringFlag{Name: "passes", Aliases: []string{"p"}, Value: value, Usage: "`PIPELINE` of passes, such as acqrel,iguard<granularity=8>; '' is the identity", Category: catPasses}
}

// oneOf is a flag action that accepts the listed values.
func oneOf(name string, values ...string) func(*cli.Context, string) error {
	return func(_ *cli.Context, v string) error {
		if !slices.Contains(values, v) {
			return usagef("--%s: expected %s, found %q", name, strings.Join(values, ", "), v)
		}
		return nil
	}
}
