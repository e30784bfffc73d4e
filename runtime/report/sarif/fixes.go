// Repairs as the fixes of results.

package sarif

import (
	"io"

	sarif "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// A Fix is a repair of all races of a report together: what a person reads, and the files that it changes.
type Fix struct {
	Text  string
	Files []FileChange
}

// A FileChange is what a fix changes in one file.
type FileChange struct {
	File         string
	Replacements []Replacement
}

// A Replacement puts Text, which ends with a line break, in the place of Count lines from Line on, which counts from 1.
// It is inserted before Line when Count is 0.
type Replacement struct {
	Line, Count int
	Text        string
}

// WriteFixed writes a report as Write does, with a fix of each race that is not suppressed.
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
