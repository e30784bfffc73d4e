// Reports: writing them in the formats of --format, and the command report.

package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// writeReport writes the report in the formats asked for.
func writeReport(c *cli.Context, rep *report.Report) error {
	list, err := command.ReportFormats(c.String("format"))
	if err != nil {
		return err
	}
	for _, f := range list {
		file := f.File
		if file == "" {
			file = c.String("output")
		}
		if err = command.WriteOutput(c, file, func(w io.Writer) error { return f.Write(w, rep, textOptions(c)) }); err != nil {
			return err
		}
	}
	return nil
}

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Category:  "Execution",
		Usage:     "convert saved reports, merge them, or compare two",
		ArgsUsage: "convert|merge|diff FILE.json ...",
		Description: `Reads reports that --format json has written.

convert writes one in other formats. merge makes one report of several, of the parts
of a divided run, say. Their exit code is that of the verdict. diff compares the
second report with the first, the baseline: a line for each finding that is new or
gone. Its exit code is 1 when a finding of --error-level or a fault is new.

Examples:
   ptxsan report --format html=r.html,text convert r.json
   ptxsan report --format junit merge r.json s.json
   ptxsan report diff s.json r.json`,
		Flags:  []cli.Flag{command.ReportFlag(), command.OutputFlag(), command.ColorFlag(), command.DemangleFlag(), command.RootFlag(), command.ErrorLevelFlag()},
		Action: reportAction,
	}
}

func reportAction(c *cli.Context) error {
	what, names := c.Args().First(), c.Args().Tail()
	if n := len(names); !strings.Contains(" convert merge diff ", " "+what+" ") || n == 0 || what == "convert" && n != 1 || what == "diff" && n != 2 {
		return command.Usagef("report: expected convert and a file, merge and files, or diff and two files, found %q and %d files", what, n)
	}
	var list []*report.Report
	for _, name := range names {
		text, err := command.ReadInput(c, name, limits.ReportBytes)
		if err != nil {
			return err
		}
		rep, err := report.Read(command.DisplayName(name), text)
		if err != nil {
			return command.BadInput(err)
		}
		list = append(list, rep)
	}
	if what == "diff" {
		d := report.Compare(list[0], list[1])
		if err := command.WriteOutput(c, c.String("output"), d.WriteText); err != nil || !d.Worse(c.String("error-level")) {
			return err
		}
		return command.Exit(command.Findings)
	}
	rep := report.MergeAll(list)
	if err := writeReport(c, rep); err != nil {
		return err
	}
	return command.Exit(findingCode(c, rep.Verdict))
}
