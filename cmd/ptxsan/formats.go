// The formats of reports, which --format names.

package main

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/report/sarif"
)

// reportWriters are the formats of reports.
var reportWriters = map[string]func(*cli.Context, io.Writer, *report.Report) error{
	"text":  func(c *cli.Context, w io.Writer, r *report.Report) error { return r.WriteText(w, textOptions(c)) },
	"json":  func(_ *cli.Context, w io.Writer, r *report.Report) error { return r.WriteJSON(w) },
	"sarif": func(_ *cli.Context, w io.Writer, r *report.Report) error { return sarif.Write(w, r) },
}

// reportFormat is a format of a report and the file to write, "" for that of --output.
type reportFormat struct{ name, file string }

// reportFormats reads --format: NAME or NAME=FILE, separated by commas.
func reportFormats(text string) (list []reportFormat, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, file, named := strings.Cut(part, "=")
		f := reportFormat{name, file}
		switch {
		case reportWriters[name] == nil:
			return nil, usagef("--format: expected text, json or sarif, found %q", name)
		case named && file == "":
			return nil, usagef("--format %s: expected a file after =", part)
		case slices.ContainsFunc(list, func(other reportFormat) bool { return other.file == f.file }):
			return nil, usagef("--format %s: two formats cannot be written to one file", text)
		}
		list = append(list, f)
	}
	return list, nil
}

// writeReport writes the report in the formats asked for.
func writeReport(c *cli.Context, rep *report.Report) error {
	list, err := reportFormats(c.String("format"))
	if err != nil {
		return err
	}
	for _, f := range list {
		file := f.file
		if file == "" {
			file = c.String("output")
		}
		err = writeOutput(c, file, func(w io.Writer) error { return reportWriters[f.name](c, w, rep) })
		if err != nil {
			return err
		}
	}
	return nil
}
