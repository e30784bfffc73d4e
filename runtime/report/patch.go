// Patches of sources, as parts of reports.

package report

// Patch is a repair of all races as edits of a CUDA source.
type Patch struct {
	File    string `json:"file"`
	Verdict string `json:"verdict"` // checked: the edited source was compiled and run; not checked
	Why     string `json:"why"`     // what the verdict is based on
	Text    string `json:"text"`    // what is to be done, in words
	Diff    string `json:"diff"`    // unified
	// Replacements are the edits of Diff, from top to bottom, in lines of the source before.
	Replacements []Replacement `json:"replacements"`
}

// Replacement replaces Count lines, from Line on (counted from 1), by Text, which ends with a line break. If Count is
// 0, Text is inserted before Line.
type Replacement struct {
	Line  int    `json:"line"`
	Count int    `json:"count"`
	Text  string `json:"text"`
}
