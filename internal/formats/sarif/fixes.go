// Repairs as the fixes of SARIF results.

package sarif

import (
	"io"

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
	return log.write(w)
}

// addTo adds the fix to the races and weak outcomes that are not suppressed.
func (f *Fix) addTo(log *sarifLog, r *report.Report) {
	for _, x := range log.Runs[0].Results[:len(r.Races)] {
		x.Fixes = append(x.Fixes, f.fix())
	}
	for _, x := range log.Runs[0].Results[len(r.Races):] {
		if x.RuleID == report.WeakClass && len(x.Suppressions) == 0 {
			x.Fixes = append(x.Fixes, f.fix())
		}
	}
}

// fixOf returns the patch of a report as a fix.
func fixOf(p *report.Patch) *Fix {
	return &Fix{Text: p.Text, Files: []FileChange{{File: p.File, Replacements: p.Replacements}}}
}

func (f *Fix) fix() *change {
	out := &change{Description: message{f.Text}}
	for _, c := range f.Files {
		of := artifactChange{Location: artifact{address(c.File)}}
		for _, x := range c.Replacements {
			deleted := region{StartLine: x.Line, StartColumn: 1, EndLine: x.Line + x.Count, EndColumn: 1}
			of.Replacements = append(of.Replacements, replacement{Deleted: deleted, Inserted: message{x.Text}})
		}
		out.Artifacts = append(out.Artifacts, of)
	}
	return out
}
