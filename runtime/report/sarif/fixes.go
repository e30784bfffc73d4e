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
	Replacements []Replacement
}

// A Replacement replaces Count lines, from Line on (counted from 1), by Text, which ends with a line break. If Count is 0, Text
// is inserted before Line.
type Replacement struct {
	Line, Count int
	Text        string
}

// WriteFixed writes a report like Write, with a fix for each race that is not suppressed.
func WriteFixed(w io.Writer, r *report.Report, f *Fix) error {
	log := logOf(r)
	for _, x := range log.Runs[0].Results[:len(r.Races)] {
		x.AddFixe(f.fix())
	}
	return log.PrettyWrite(w)
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
