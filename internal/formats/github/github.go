// Package github writes reports as workflow commands of GitHub Actions, which annotate the lines of
// a pull request (docs.github.com, "Workflow commands for GitHub Actions"). It must not know who made
// the report, nor where the output goes.
package github

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// commands gives the command for each severity.
var commands = map[string]string{report.Error: "error", report.Warning: "warning", report.Info: "notice"}

// Write writes a command for each finding of a report, after report.Report.Finish, and notices about what was not
// checked and what proofs depend on. The verdict is plain text for the log.
func Write(w io.Writer, r *report.Report) error {
	b := bufio.NewWriter(w)
	for _, x := range r.Races {
		file, line := x.Where()
		command(b, x.Severity, file, line, x.Headline(), x.Lines())
	}
	weak := 0 // findings that have stopped nothing
	for _, f := range r.Faults {
		if f.Class == report.WeakClass {
			weak++
		}
		file, line := f.Where()
		command(b, f.Severity, file, line, f.Headline(), f.Lines())
	}
	for _, note := range append(r.CoverageNotes(), r.Notes...) {
		command(b, report.Info, "", 0, "Not checked", []string{note})
	}
	for _, line := range r.ClaimLines(report.Demangle) {
		title, text, _ := strings.Cut(line, ": ")
		command(b, report.Info, "", 0, title, []string{text})
	}
	for _, p := range r.Proofs {
		if lines := p.Lines(); lines != nil {
			command(b, report.Info, "", 0, p.Headline(), lines)
		}
	}
	fmt.Fprintf(b, "ptxsan: %s, %d findings, %d faults\n", r.Verdict, len(r.Races)+weak, len(r.Faults)-weak)
	return b.Flush()
}

func command(w io.Writer, severity, file string, line int, title string, text []string) {
	var properties []string
	if file != "" {
		properties = append(properties, "file="+property.Replace(path.Clean(strings.ReplaceAll(file, `\`, "/"))))
		if line > 0 {
			properties = append(properties, "line="+strconv.Itoa(line))
		}
	}
	properties = append(properties, "title="+property.Replace("ptxsan: "+title))
	fmt.Fprintf(w, "::%s %s::%s\n", commands[severity], strings.Join(properties, ","),
		message.Replace(strings.Join(text, "\n")))
}

// Characters to be escaped in a message, and in a property.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
