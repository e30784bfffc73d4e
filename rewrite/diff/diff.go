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

// Cell is what one side has in a row: a piece of that side's text, from offset
// Start to offset End. Line is where it starts, from 1, or 0 for an empty cell.
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

// Section is a part of a comparison: a function, what stands outside of functions
// (Name is ""), or for a comparison by lines the whole text.
type Section struct {
	Name string
	Rows []Row // nil when the two sides have the same text
	Stat Stat

	names map[string]string // what A's names of registers and the like are in B
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

// Diff is a comparison of A with B.
type Diff struct {
	A, B     Text
	Sections []Section

	semantic bool // rows are statements
	origin   func(line int) Origin
}

// Same reports whether A and B do not differ in what was compared.
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

// Origin says where a line of B came from, as rewrite.Origin does.
type Origin struct {
	Line int    // the line of A, 0 when a pass or library made it
	Pass string // the pass that inserted it, "" for a line of A
	For  int    // the line of A that it was inserted for, 0 when none
}

// textA and textB are the texts of cells: a line as it stands, or a statement in
// one line.
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

// longLine is the length in bytes above which only the beginning of a statement is
// shown, and on a page of any line: initial values may take megabytes.
const longLine = 4096

func shortened(s string) string {
	if len(s) <= longLine {
		return s
	}
	return strings.ToValidUTF8(s[:longLine], "") + " …"
}
