// Writing reports in the formats of --format, and the command report.

package app

import (
	"cmp"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

// writeReport writes the report in the formats of --format.
func writeReport(c *cli.Context, rep *report.Report) error {
	return writeForms(c, rep, func(command.Format) bool { return true })
}

// writeForms writes the report in those formats of --format that are selected.
func writeForms(c *cli.Context, rep *report.Report, selected func(command.Format) bool) error {
	list, err := command.ReportFormats(c.String("format"))
	if err != nil {
		return err
	}
	options := textOptions(c, rep)
	rep.Quote(options.Excerpt)
	base, err := pathBase(c)
	if err != nil {
		return err
	}
	if base != "" {
		rep.RelativeTo(base)
	}
	for _, f := range list {
		if !selected(f) {
			continue
		}
		file := cmp.Or(f.File, c.String("output"))
		if err = command.WriteOutput(c, file, func(w io.Writer) error { return f.Write(w, rep, options) }); err != nil {
			return err
		}
	}
	return nil
}

// pathBase returns the folder to which names of files are relative: that of --path-base, or for CUDA source the working
// directory; "" for none.
func pathBase(c *cli.Context) (string, error) {
	base := c.String("path-base")
	if base == "" && source.Is(c.Args().First()) {
		base = "."
	}
	if base == "" {
		return "", nil
	}
	base, err := filepath.Abs(base)
	if err == nil {
		base, err = filepath.EvalSymlinks(base)
	}
	if err != nil {
		return "", command.Usagef("--path-base: %w", err)
	}
	return base, nil
}

// writeDifference writes the differences of two reports in the formats of --format. Text has a line for each change.
// The other formats contain the second report, with unchanged findings marked.
func writeDifference(c *cli.Context, before, after *report.Report) error {
	list, err := command.ReportFormats(c.String("format"))
	if err != nil {
		return err
	}
	d := report.Compare(before, after)
	after.Against(before)
	for _, f := range list {
		file := cmp.Or(f.File, c.String("output"))
		write := func(w io.Writer) error { return f.Write(w, after, textOptions(c, after)) }
		if f.Name() == "text" {
			write = d.WriteText
		}
		if err = command.WriteOutput(c, file, write); err != nil {
			return err
		}
	}
	if d.Worse(c.String("error-level")) {
		return command.Exit(command.Findings)
	}
	return nil
}

// readReport reads a saved report.
func readReport(c *cli.Context, name string) (*report.Report, error) {
	text, err := command.ReadInput(c, name, limits.ReportBytes)
	if err != nil {
		return nil, err
	}
	rep, err := report.Read(command.DisplayName(name), text)
	return rep, command.BadInput(err)
}

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Category:  "Execution",
		Usage:     "convert saved reports, merge them, or compare two",
		ArgsUsage: "convert|merge|diff FILE.json ...",
		Description: `Reads reports that --format json has written.

convert writes a report in other formats. merge makes one report of several, for
example of the parts of a divided run. Their exit code is that of the verdict. diff
compares the second report with the first, the baseline: text has a line for each
finding that is new or gone, other formats have the new findings, and list the others
separately. Its exit code is 1 when a finding of --error-level or a fault is new.
check --baseline does the same.

Examples:
   ptxsan report --format html=r.html,text convert r.json
   ptxsan report --format junit merge r.json s.json
   ptxsan report diff s.json r.json`,
		Flags: []cli.Flag{
			command.ReportFlag(), command.PathBaseFlag(), command.OutputFlag(), command.ColorFlag(),
			command.DemangleFlag(), command.RootFlag(), command.ErrorLevelFlag(), command.RequireFlag(),
			command.SchedulesFlag(), command.AllowFlag(),
		},
		Action: reportAction,
	}
}

func reportAction(c *cli.Context) error {
	what, names := c.Args().First(), c.Args().Tail()
	if n := len(names); !strings.Contains(" convert merge diff ", " "+what+" ") || n == 0 ||
		what == "convert" && n != 1 || what == "diff" && n != 2 {
		return command.Usagef("report: expected convert and a file, merge and files, or diff and two files, found %q and %d files", what, n)
	}
	var list []*report.Report
	for _, name := range names {
		rep, err := readReport(c, name)
		if err != nil {
			return err
		}
		list = append(list, rep)
	}
	if what == "diff" {
		return writeDifference(c, list[0], list[1])
	}
	rep := report.MergeAll(list)
	require(c, rep)
	if err := writeReport(c, rep); err != nil {
		return err
	}
	return command.Exit(findingCode(c, rep))
}
