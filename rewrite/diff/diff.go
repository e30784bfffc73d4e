// The result of a comparison: sections of rows.

package diff

import "strings"

// Kind says how the two sides of a row compare.
type Kind uint8

// Kinds of rows.
const (
	Same    Kind = iota
	Removed      // in A only
	Added        // in B only
	Changed      // in both, different
)

// Cell is one side of a row: the text of that side from offset Start to End. Line is the line of its start, from 1, or
// 0 for an empty cell.
type Cell struct {
	Line       int32
	Start, End uint32
	Depth      uint8 // indentation, in tabs, of a statement
}

// Row is one line, or one statement, of the two sides.
type Row struct {
	Kind Kind
	A, B Cell
}

// Section is a part of a comparison: a function, the text outside of functions (Name is ""), or the whole text for a
// comparison by lines.
type Section struct {
	Name string
	Rows []Row // nil if the two sides have the same text
	Stat Stat

	names map[string]string // maps names of A's registers and other symbols to those of B
}

// Same reports whether no row differs.
func (s *Section) Same() bool {
	for i := range s.Rows {
		if s.Rows[i].Kind != Same {
			return false
		}
	}
	return true
}

// Diff is the comparison of A with B.
type Diff struct {
	A, B     Text
	Sections []Section

	semantic bool // rows are statements
	origin   func(line int) Origin
}

// Same reports whether the comparison found no difference.
func (d *Diff) Same() bool {
	for i := range d.Sections {
		if !d.Sections[i].Same() {
			return false
		}
	}
	return true
}

// Text is a named text.
type Text struct{ Name, Text string }

// Origin is the origin of a line of B, as in rewrite.Origin.
type Origin struct {
	Line int    // the line of A, 0 for a line made by a pass or library
	Pass string // the pass that inserted it, "" for a line of A
	For  int    // the line of A that it was inserted for, 0 for none
}

// textA and textB return the texts of cells: a line as it is, or a statement joined to one line.
func (d *Diff) textA(c Cell) string { return d.cell(d.A.Text, c) }
func (d *Diff) textB(c Cell) string { return d.cell(d.B.Text, c) }

func (d *Diff) cell(text string, c Cell) string {
	if c.Line == 0 {
		return ""
	}
	if !d.semantic {
		return text[c.Start:c.End]
	}
	return strings.Repeat("\t", int(c.Depth)) + oneLine(shortened(text[c.Start:c.End]))
}

// longLine is the length in bytes above which only the beginning of a statement, or of any line in HTML, is shown:
// initial values may take megabytes.
const longLine = 4096

func shortened(s string) string {
	if len(s) <= longLine {
		return s
	}
	return strings.ToValidUTF8(s[:longLine], "") + " …"
}
