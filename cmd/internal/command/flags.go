// Flags that several commands share.

package command

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/internal/formats"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Categories of flags in the help.
const (
	CatInput     = "Input"
	CatOutput    = "Output"
	CatExecution = "Execution"
	CatPasses    = "Passes"
)

// Categories of commands with many flags.
const (
	CatDaily  = "Daily use"
	CatLimits = "Limits and special runs"
	CatCompat = "With the names of compute-sanitizer"
)

// daily names the flags of CatDaily.
var daily = strings.Fields("launch kernel detector format output color error-level suppressions baseline arch define include schedule schedules seed sweep watch patch no-patch " +
	"initcheck synccheck leak-check search minimise first path-base require-check require-all-schedules timeout jobs timeline stats libraries save device")

// Grouped sets the categories of flags: CatDaily by name, CatCompat where it is set, otherwise CatLimits.
func Grouped(flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		to := CatLimits
		if slices.Contains(daily, f.Names()[0]) {
			to = CatDaily
		}
		if at := category(f); at != nil && *at != CatCompat {
			*at = to
		}
	}
	return flags
}

// category returns the category of a flag, nil for a flag of a kind that no command with groups has.
func category(f cli.Flag) *string {
	switch f := f.(type) {
	case *cli.StringFlag:
		return &f.Category
	case *cli.StringSliceFlag:
		return &f.Category
	case *cli.BoolFlag:
		return &f.Category
	case *cli.IntFlag:
		return &f.Category
	case *cli.Uint64Flag:
		return &f.Category
	case *TimeFlag:
		return &f.Category
	}
	return nil
}

// LaunchFlag returns the flag for the launch file.
func LaunchFlag() cli.Flag {
	return &cli.StringFlag{Name: "launch", Aliases: []string{"l"}, Usage: "launch `FILE`: buffers, launches and expectations (YAML)", Category: CatInput}
}

// RootFlag returns the flag that limits the folders from which files are read.
func RootFlag() cli.Flag {
	return &cli.StringFlag{Name: "root", Usage: "the launch file may read only files in `DIR` and below it, and reports show lines only of such files", DefaultText: "the folder of the launch file; for reports also that of the program", Category: CatInput, Action: Folder("root")}
}

// Folder returns the Action of a flag that accepts only the path of an existing folder. Its error is one of usage.
func Folder(flag string) func(*cli.Context, string) error {
	return func(_ *cli.Context, name string) error {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return Usagef("--%s: %w", flag, err)
		case !info.IsDir():
			return Usagef("--%s: expected a folder, found the file %s", flag, name)
		}
		return nil
	}
}

// KernelFlag returns the flag that selects kernels.
func KernelFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "kernel", Usage: "only kernels whose mangled or demangled name contains `PATTERN` or matches it as a glob; repeatable", Category: CatInput}
}

// ErrorLevelFlag returns the flag that says which findings make the exit code 1.
func ErrorLevelFlag() cli.Flag {
	return &cli.StringFlag{Name: "error-level", Value: report.Error, Usage: "least `SEVERITY` of a finding that makes the exit code 1: error, warning or info", Category: CatOutput, Action: OneOf("error-level", report.Error, report.Warning, report.Info)}
}

// RequireFlag returns the flag for kernels without which a check is not complete.
func RequireFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "require-check", Usage: "exit with 5 unless a kernel was checked whose name contains `PATTERN` or matches it as a glob; repeatable", Category: CatOutput}
}

// SchedulesFlag returns the flag for verdicts that hold for every schedule.
func SchedulesFlag() cli.Flag {
	return &cli.BoolFlag{
		Name: AllSchedules, Category: CatOutput,
		Usage: "exit with 5 unless the verdict about each kernel holds for every schedule (docs/holds.md), also with --allow-unchecked",
	}
}

// AllSchedules is the name of SchedulesFlag.
const AllSchedules = "require-all-schedules"

// AllowFlag returns the flag for scripts in which a run without any check is fine.
func AllowFlag() cli.Flag {
	return &cli.BoolFlag{
		Name: "allow-unchecked", Usage: "exit with 0, not 5, when nothing was checked",
		Category: CatOutput,
	}
}

// SuppressionsFlag returns the flag for the file of races that are not reported.
func SuppressionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "suppressions", Usage: "do not report races that match an entry of `FILE` (YAML, or XML of compute-sanitizer); entries without a match are listed", Category: CatInput}
}

// BaselineFlag returns the flag --baseline FILE: findings that the saved report FILE contains do not affect the verdict
// and the exit code, and are not described.
func BaselineFlag() cli.Flag {
	return &cli.StringFlag{Name: "baseline", Usage: "ignore findings that the report in `FILE`, saved with --format json, already has", Category: CatInput}
}

// OutputFlag returns the flag for the output file.
func OutputFlag() cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` instead of standard output", Category: CatOutput}
}

// NoCheckFlag returns the flag that turns off the rules of the manual.
func NoCheckFlag() cli.Flag {
	return &cli.BoolFlag{
		Name:  "no-check",
		Usage: "do not check the input against the PTX manual beyond what parsing needs; instructions, directives and targets of newer PTX releases are kept as they are, and refused only where they are executed", Category: CatInput,
	}
}

// FormatFlag returns --format of a command that writes text or JSON.
func FormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "text", Usage: "`FORMAT` of the report: text or json", Category: CatOutput, Action: OneOf("format", "text", "json")}
}

// ReportFlag returns --format of a command that writes a report.
func ReportFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "format", Value: "text", Category: CatOutput,
		Usage:  "`FORMATS` of the report: " + formats.Names() + "; several as sarif=r.sarif,html=r.html, of which one may be without a file",
		Action: func(_ *cli.Context, v string) error { _, err := ReportFormats(v); return err },
	}
}

// PathBaseFlag returns the flag for the folder of names of files.
func PathBaseFlag() cli.Flag {
	return &cli.StringFlag{Name: "path-base", Usage: "make names of files in `DIR` relative to it in reports", DefaultText: "the working directory for CUDA source, otherwise none", Category: CatOutput}
}

// DemangleFlag returns the flag for the form of function names.
func DemangleFlag() cli.Flag {
	return &cli.StringFlag{Name: "demangle", Usage: "show function names in text `AS`: full (demangled, with parameters), simple (without parameters) or no (as in the PTX)", DefaultText: "full, simple for names over 160 bytes", Category: CatOutput, Action: OneOf("demangle", report.Names...)}
}

// ColorFlag returns the flag that turns colour on or off.
func ColorFlag() cli.Flag {
	return &cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to use colour: auto, always or never", Category: CatOutput, Action: OneOf("color", "auto", "always", "never")}
}

func passesFlag(value string) cli.Flag {
	return &cli.StringFlag{Name: "passes", Aliases: []string{"p"}, Value: value, Usage: "`PIPELINE` of passes, such as acqrel,iguard<granularity=8>; '' is the identity", Category: CatPasses}
}

// OneOf returns a flag action that accepts the listed values.
func OneOf(name string, values ...string) func(*cli.Context, string) error {
	return func(_ *cli.Context, v string) error {
		if !slices.Contains(values, v) {
			return Usagef("--%s: expected %s, found %q", name, strings.Join(values, ", "), v)
		}
		return nil
	}
}

// Format is one of the formats of --format, and its file.
type Format = formats.Output

// ReportFormats reads --format.
func ReportFormats(text string) ([]Format, error) {
	list, err := formats.Parse(text)
	if err != nil {
		return nil, Usagef("--format: %w", err)
	}
	return list, nil
}

// UseColor reports whether to colour standard output, by --color. A file is coloured only with always.
func UseColor(c *cli.Context) bool {
	if out := c.String("output"); out != "" && out != "-" {
		return c.String("color") == "always"
	}
	return terminal.Color(c.String("color"), c.App.Writer, os.Getenv)
}
