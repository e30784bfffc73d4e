// Comparisons in two columns.

package diff

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ptxsan/ptxsan/internal/output"
)

// SideBySideOptions are the options of the rendering in two columns.
type SideBySideOptions struct {
	TextOptions
	Width int  // of the terminal, in characters; at least 40
	Cut   bool // long lines are cut; otherwise they are wrapped
}

// tabWidth is the distance of tab stops, in characters.
const tabWidth = 4

// SideBySide writes A on the left and B on the right, with line numbers. Between them is | for two versions of a line,
// < for a line only in A, > for a line only in B.
func (d *Diff) SideBySide(w io.Writer, o SideBySideOptions) error {
	if d.Same() {
		return nil
	}
	out := bufio.NewWriter(w)
	s := &sideBySide{d: d, printer: printer{out, palette(o.Color)}, cut: o.Cut, number: d.numberWidth()}
	s.column = (max(o.Width, 40) - 2*(s.number+1) - 3) / 2
	s.columns(s.bold, "", d.A.Name, ' ', "", d.B.Name)
	for i := range d.Sections {
		s.section(&d.Sections[i], o.Context)
	}
	return out.Flush()
}

// numberWidth returns the number of digits of the largest line number.
func (d *Diff) numberWidth() int {
	n := 1 + max(strings.Count(d.A.Text, "\n"), strings.Count(d.B.Text, "\n"))
	return len(fmt.Sprint(n))
}

// sideBySide writes rows; number and column are widths.
type sideBySide struct {
	printer
	d              *Diff
	notes          noter
	cut            bool
	number, column int
}

func (s *sideBySide) section(sec *Section, context int) {
	at := 0
	for i, h := range hunks(sec.Rows, context) {
		if i == 0 && s.d.semantic {
			s.line(s.cyan, "@@ "+sec.title()+" @@")
		} else if h.start > at {
			s.line(s.cyan, fmt.Sprintf("  ... %d the same ...", h.start-at))
		}
		for _, r := range sec.Rows[h.start:h.end] {
			s.row(r)
		}
		at = h.end
	}
}

// marks holds the characters between the columns.
var marks = [...]byte{Same: ' ', Removed: '<', Added: '>', Changed: '|'}

func (s *sideBySide) row(r Row) {
	color := [...]string{Same: "", Removed: s.red, Added: s.green, Changed: s.yellow}[r.Kind]
	s.columns(color, lineNumber(r.A), s.d.textA(r.A), marks[r.Kind], lineNumber(r.B),
		s.d.textB(r.B)+s.notes.note(s.d, r))
}

func lineNumber(c Cell) string {
	if c.Line == 0 {
		return ""
	}
	return fmt.Sprint(c.Line)
}

// columns writes one row, in as many lines as the longer side needs.
func (s *sideBySide) columns(color, numberA, a string, mark byte, numberB, b string) {
	left, right := s.fold(a), s.fold(b)
	for i := range max(len(left), len(right)) {
		l, r := " ", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		line := fmt.Sprintf("%*s %s%s %c %*s %s", s.number, numberA, l, strings.Repeat(" ", s.column-len([]rune(l))),
			mark, s.number, numberB, r)
		s.line(color, strings.TrimRight(line, " "))
		numberA, numberB = "", ""
	}
}

// fold splits a text into pieces no wider than a column, at a blank if there is one near.
func (s *sideBySide) fold(text string) []string {
	runes := []rune(expandTabs(output.VisibleLines(strings.TrimRight(text, "\r\n"))))
	if s.cut {
		return []string{cut(string(runes), s.column)}
	}
	var out []string
	for len(runes) > s.column {
		n := s.column
		for n > s.column*2/3 && runes[n-1] != ' ' {
			n--
		}
		if runes[n-1] != ' ' {
			n = s.column
		}
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return append(out, string(runes))
}

func expandTabs(s string) string {
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	var b strings.Builder
	col := 0
	for _, r := range s {
		if r != '\t' {
			b.WriteRune(r)
			col++
			continue
		}
		n := tabWidth - col%tabWidth
		b.WriteString(strings.Repeat(" ", n))
		col += n
	}
	return b.String()
}
