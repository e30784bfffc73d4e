// Comparisons as unified patches.

package diff

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ptxsan/ptxsan/internal/output"
)

// Unified returns the unified diff of two texts, by lines with n lines of context; "" if they are equal.
func Unified(aName, a, bName, b string, n int) string {
	var out strings.Builder
	d := Lines(Text{aName, a}, Text{bName, b})
	if err := d.Unified(&out, TextOptions{Context: n}); err != nil {
		panic("BUG: a strings.Builder fails: " + err.Error())
	}
	return out.String()
}

// Patch returns the difference of two texts of a file as a patch, which patch(1) and git apply in the working folder, or
// for a file that is not below it in the file's own: they take no other names.
func Patch(name, old, edited string) string {
	if !filepath.IsLocal(name) {
		name = filepath.Base(name)
	}
	name = filepath.ToSlash(name)
	return Unified("a/"+name, old, "b/"+name, edited, 2)
}

// TextOptions are the options of the renderings as text.
type TextOptions struct {
	Context int  // equal rows shown around differences
	Color   bool // with ANSI escape sequences
}

// Unified writes the differences one after the other, nothing if there are none. A comparison by lines has the format
// of patch(1); one by statements has the line numbers of both sides.
func (d *Diff) Unified(w io.Writer, o TextOptions) error {
	if d.Same() {
		return nil
	}
	out := bufio.NewWriter(w)
	p := &printer{out, palette(o.Color)}
	p.line(p.bold, "--- "+headed(d.A.Name))
	p.line(p.bold, "+++ "+headed(d.B.Name))
	for i := range d.Sections {
		s := &d.Sections[i]
		if d.semantic {
			d.statements(p, s, o.Context)
		} else {
			d.patch(p, s.Rows, o.Context)
		}
	}
	return out.Flush()
}

// headed returns a name as the header of a patch has it: a tab ends one with spaces, as diff -u and git write it, since
// patch(1) takes what follows a space for a date.
func headed(name string) string {
	if strings.ContainsRune(name, ' ') {
		return name + "\t"
	}
	return name
}

// patch writes rows of lines.
func (d *Diff) patch(p *printer, rows []Row, context int) {
	at := 0
	var lineA, lineB int // number of lines before the hunk
	function := ""
	for _, h := range hunks(rows, context) {
		for _, r := range rows[at:h.start] {
			if f := d.textB(r.B); startsFunction(f) {
				function = " " + cut(strings.TrimSpace(f), 60)
			}
			lineA, lineB = lineA+1, lineB+1
		}
		countA, countB := 0, 0
		for _, r := range rows[h.start:h.end] {
			countA += min(1, int(r.A.Line))
			countB += min(1, int(r.B.Line))
		}
		p.line(p.cyan, fmt.Sprintf("@@ -%s +%s @@%s", hunkRange(lineA, countA), hunkRange(lineB, countB), function))
		for i := h.start; i < h.end; {
			end := min(block(rows, i), h.end)
			d.patchBlock(p, rows[i:end])
			for _, r := range rows[i:end] {
				if f := d.textB(r.B); startsFunction(f) {
					function = " " + cut(strings.TrimSpace(f), 60)
				}
			}
			i = end
		}
		lineA, lineB, at = lineA+countA, lineB+countB, h.end
	}
}

// patchBlock writes rows that are all the same, or that all differ: then A's lines first.
func (d *Diff) patchBlock(p *printer, rows []Row) {
	if rows[0].Kind == Same {
		for _, r := range rows {
			p.patchLine("", ' ', d.textA(r.A))
		}
		return
	}
	for _, r := range rows {
		if r.A.Line > 0 {
			p.patchLine(p.red, '-', d.textA(r.A))
		}
	}
	for _, r := range rows {
		if r.B.Line > 0 {
			p.patchLine(p.green, '+', d.textB(r.B))
		}
	}
}

// hunkRange returns the range of a hunk header: an empty range names the line before it.
func hunkRange(before, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", before)
	case 1:
		return fmt.Sprint(before + 1)
	}
	return fmt.Sprintf("%d,%d", before+1, count)
}

// startsFunction reports whether a line is the first of a kernel or function.
func startsFunction(line string) bool {
	return (strings.Contains(line, ".entry") || strings.Contains(line, ".func")) && strings.HasPrefix(line, ".")
}

// statements writes rows of statements under a heading.
func (d *Diff) statements(p *printer, s *Section, context int) {
	at := 0
	for i, h := range hunks(s.Rows, context) {
		if i == 0 {
			p.line(p.cyan, "@@ "+s.title()+" @@")
		} else {
			p.line(p.cyan, fmt.Sprintf("  ... %d the same ...", h.start-at))
		}
		for j := h.start; j < h.end; {
			end := min(block(s.Rows, j), h.end)
			d.statementBlock(p, s.Rows[j:end])
			j = end
		}
		at = h.end
	}
}

// statementBlock writes rows that are all the same, or that all differ. Versions of a statement are written below each
// other.
func (d *Diff) statementBlock(p *printer, rows []Row) {
	var n noter
	for _, r := range rows {
		switch r.Kind {
		case Same:
			p.line("", fmt.Sprintf("  %6d %6d  %s", r.A.Line, r.B.Line, output.VisibleLines(d.textB(r.B))))
			continue
		case Removed, Changed:
			p.line(p.red, fmt.Sprintf("- %6d %6s  %s", r.A.Line, "", output.VisibleLines(d.textA(r.A))))
		}
		if r.Kind != Removed {
			p.line(p.green, fmt.Sprintf("+ %6s %6d  %s%s", "", r.B.Line, output.VisibleLines(d.textB(r.B)),
				n.note(d, r)))
		}
	}
}

// title returns the heading of a section, with the number of differences.
func (s *Section) title() string {
	var counts []string
	for _, c := range []struct {
		n    int
		what string
	}{{s.Stat.Inserted, "inserted"}, {s.Stat.Removed, "removed"}, {s.Stat.Changed, "changed"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(counts) == 0 {
		return s.heading()
	}
	return s.heading() + ": " + strings.Join(counts, ", ")
}
