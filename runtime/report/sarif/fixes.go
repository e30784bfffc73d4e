// Repairs as the fixes of SARIF results.

package sarif

import (
	"io"

	sarif "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// A Fix is a repair of all races of a report together: its description, and the files that it changes.
type Fix struct {
	Text  string
	Files []FileChange
}

// A FileChange is the changes of a fix in one file.
type FileChange struct {
	File         string
	Replacements []report.Replacement
}

// WriteFixed writes a report like Write, with a fix for each race that is not suppressed.
func WriteFixed(w io.Writer, r *report.Report, f *Fix) error {
	log := logOf(r)
	f.addTo(log, r)
	return log.PrettyWrite(w)
}

// addTo adds the fix to the races and weak outcomes that are not suppressed.
func (f *Fix) addTo(log *sarif.Report, r *report.Report) {
	for _, x := range log.Runs[0].Results[:len(r.Races)] {
		x.AddFixe(f.fix())
	}
	for _, x := range log.Runs[0].Results[len(r.Races):] {
		if *x.RuleID == report.WeakClass && len(x.Suppressions) == 0 {
			x.AddFixe(f.fix())
		}
	}
}

// fixOf returns the patch of a report as a fix.
func fixOf(p *report.Patch) *Fix {
	return &Fix{Text: p.Text, Files: []FileChange{{File: p.File, Replacements: p.Replacements}}}
}

func (f *Fix) fix() *sarif.Fix {
	out := sarif.NewFix().WithDescription(sarif.NewTextMessage(f.Text))
	for _, c := range f.Files {
		change := sarif.NewArtifactChange().WithArtifactLocation(sarif.NewSimpleArtifactLocation(address(c.File)))
		for _, x := range c.Replacements {
			region := sarif.NewRegion().WithStartLine(x.Line).WithStartColumn(1).WithEndLine(x.Line + x.Count).WithEndColumn(1)
			change.AddReplacement(sarif.NewReplacement().WithDeletedRegion(region).WithInsertedContent(sarif.NewArtifactContent().WithText(x.Text)))
		}
		out.AddArtifactChange(change)
	}
	return out
}
