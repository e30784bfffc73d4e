// Package formats is the table of report formats by name, and writes one report in several of
// them. It must not know where reports come from and go to.
package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/formats/github"
	"github.com/ptxsan/ptxsan/internal/formats/html"
	"github.com/ptxsan/ptxsan/internal/formats/junit"
	"github.com/ptxsan/ptxsan/internal/formats/sarif"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// format is a format with its writer.
type format struct {
	name  string
	write func(io.Writer, *report.Report, report.TextOptions) error
}

var all = []format{
	{"text", func(w io.Writer, r *report.Report, o report.TextOptions) error { return r.WriteText(w, o) }},
	{"json", func(w io.Writer, r *report.Report, _ report.TextOptions) error { return r.WriteJSON(w) }},
	{"sarif", func(w io.Writer, r *report.Report, _ report.TextOptions) error { return sarif.Write(w, r) }},
	{"junit", func(w io.Writer, r *report.Report, _ report.TextOptions) error { return junit.Write(w, r.Visible()) }},
	{"html", func(w io.Writer, r *report.Report, o report.TextOptions) error {
		return html.Write(w, r.Visible(), o.Visible())
	}},
	{"github", func(w io.Writer, r *report.Report, _ report.TextOptions) error { return github.Write(w, r.Visible()) }},
}

// Names returns the names of the formats as an enumeration.
func Names() string {
	var names []string
	for _, f := range all {
		names = append(names, f.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Output is a format of a report and the file to write, "" for the default output.
type Output struct {
	File   string
	format format
}

// Parse parses a comma-separated list of NAME or NAME=FILE. At most one may lack a file.
func Parse(text string) (list []Output, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, file, named := strings.Cut(part, "=")
		i := slices.IndexFunc(all, func(f format) bool { return f.name == name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("expected %s, found %q", Names(), name)
		case named && file == "":
			return nil, fmt.Errorf("%s: expected a file after =", part)
		case slices.ContainsFunc(list, func(o Output) bool { return o.File == file }):
			return nil, fmt.Errorf("%s: two formats cannot be written to one file", text)
		}
		list = append(list, Output{file, all[i]})
	}
	return list, nil
}

// Name returns the name of the format.
func (o Output) Name() string { return o.format.name }

// Write writes a report after report.Report.Finish.
func (o Output) Write(w io.Writer, r *report.Report, options report.TextOptions) error {
	return o.format.write(w, r, options)
}
