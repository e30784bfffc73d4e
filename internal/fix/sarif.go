// Results as SARIF, with the repair as a fix.

package fix

import (
	"fmt"
	"io"
	"strings"

	"github.com/ptxsan/ptxsan/internal/formats/sarif"
	"github.com/ptxsan/ptxsan/rewrite/diff"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// WriteSARIF writes the report of the original module as a SARIF log. If there is a repair, each race contains it as
// its fix: the edits of the PTX and, if all of them are possible there, of the CUDA source.
func (r *Result) WriteSARIF(w io.Writer, source *SourceFix) error {
	r.Advise(r.Report)
	if !r.Mended() {
		return sarif.Write(w, r.Report)
	}
	old := r.Original.AST.File
	f := &sarif.Fix{Text: r.description(), Files: []sarif.FileChange{
		{File: old.Name, Replacements: replacements(string(old.Src), string(r.Module.AST.File.Src))},
	}}
	if source != nil {
		if left := source.Left; len(left) > 0 && source.Verdict != Checked {
			return fmt.Errorf("%s: %s has no simple form in CUDA C++", source.Name,
				r.describe(left[0], &left[0].Changes[0]))
		}
		f.Files = append(f.Files, sarif.FileChange{
			File:         source.Name,
			Replacements: replacements(string(source.Old), source.Text),
		})
	}
	return sarif.WriteFixed(w, r.Report, f)
}

// description describes all edits.
func (r *Result) description() string {
	if r.revised != nil {
		return r.revised.statements()
	}
	var words []string
	for _, e := range r.Edits {
		for _, c := range e.Changes {
			words = append(words, r.changePlace(&c)+": "+r.describe(e, &c))
		}
	}
	return strings.Join(words, "; ")
}

// replacements returns the replacements of lines that turn old into text.
func replacements(old, text string) (list []report.Replacement) {
	line := 1 // next line of old
	for _, s := range diff.Lines(diff.Text{Text: old}, diff.Text{Text: text}).Sections {
		open := false
		for _, row := range s.Rows {
			if row.Kind == diff.Same {
				open = false
				line++
				continue
			}
			if !open {
				list = append(list, report.Replacement{Line: line})
				open = true
			}
			x := &list[len(list)-1]
			if row.A.Line > 0 {
				x.Count++
				line++
			}
			if row.B.Line > 0 {
				x.Text += text[row.B.Start:row.B.End]
			}
		}
	}
	return list
}
