// Comparisons as an HTML page.

package diff

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

// page holds the templates for everything except rows, of which there may be millions.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// maxFold is the number of consecutive equal rows that the page contains, folded; for longer runs it shows only the
// number of rows.
const maxFold = 1000

// HTMLOptions are the options of the page.
type HTMLOptions struct {
	Context int // equal rows shown around differences
}

// HTML writes a self-contained page, without scripts or network access. It shows A and B side by side or one under the
// other, with equal rows folded.
func (d *Diff) HTML(w io.Writer, o HTMLOptions) error {
	out := bufio.NewWriter(w)
	p := &pageWriter{Writer: out, d: d, context: o.Context}
	p.template("head", p.head())
	for i := range d.Sections {
		if s := &d.Sections[i]; !s.Same() {
			p.section(i, s)
		}
	}
	p.template("foot", nil)
	if p.err != nil {
		return p.err
	}
	return out.Flush()
}

type pageWriter struct {
	*bufio.Writer
	d       *Diff
	context int
	a, b    highlighter
	notes   noter
	names   map[string]string // of the section
	err     error             // first error of a template
}

func (p *pageWriter) template(name string, data any) {
	if err := page().ExecuteTemplate(p.Writer, name, data); err != nil && p.err == nil {
		p.err = err
	}
}

// pageHead is the data of the head of the page.
type pageHead struct {
	A, B      string
	Style     template.CSS
	Semantic  bool
	Same, All int // numbers of functions
	Sections  []pageSection
	Total     Stat
}

// pageSection is the data of a section's heading.
type pageSection struct {
	ID   string
	Name string // "" for a text without sections
	Open bool
	Stat
}

func (p *pageWriter) head() pageHead {
	h := pageHead{A: p.d.A.Name, B: p.d.B.Name, Style: template.CSS(pageStyle), Semantic: p.d.semantic}
	for i := range p.d.Sections {
		if s := &p.d.Sections[i]; !s.Same() {
			h.Sections = append(h.Sections, p.heading(i, s))
		}
	}
	h.Total = p.d.Total()
	h.Same, h.All = p.d.sameFuncs()
	return h
}

func (p *pageWriter) heading(i int, s *Section) pageSection {
	name := s.Name
	if name == "" && p.d.semantic {
		name = "module"
	}
	return pageSection{ID: fmt.Sprintf("s%d", i), Name: name, Open: !s.Stat.NewFunc && !s.Stat.GoneFunc, Stat: s.Stat}
}

func (p *pageWriter) section(i int, s *Section) {
	p.names = s.names
	p.template("section", p.heading(i, s))
	at := 0
	for _, h := range append(hunks(s.Rows, p.context), hunk{len(s.Rows), len(s.Rows)}) {
		p.fold(s.Rows[at:h.start])
		for _, r := range s.Rows[h.start:h.end] {
			p.row(r)
		}
		at = h.end
	}
	p.template("end", nil)
}

// fold writes equal rows that are shown on demand.
func (p *pageWriter) fold(rows []Row) {
	switch {
	case len(rows) == 0:
	case len(rows) > maxFold:
		fmt.Fprintf(p, "<p class=\"fold\">%d the same, not in this page</p>\n", len(rows))
		for _, r := range rows {
			p.a.skip(p.d.textA(r.A))
			p.b.skip(p.d.textB(r.B))
		}
	default:
		fmt.Fprintf(p, "<details class=\"fold\"><summary>%d the same</summary>\n", len(rows))
		for _, r := range rows {
			p.row(r)
		}
		p.text("</details>\n")
	}
}

// Classes of rows in the style sheet.
var classes = [...]string{Same: "same", Removed: "del", Added: "add", Changed: "chg"}

func (p *pageWriter) row(r Row) {
	a, b := p.pieces(&p.a, r.A, p.d.textA(r.A)), p.pieces(&p.b, r.B, p.d.textB(r.B))
	if r.Kind == Changed {
		markChanges(a, b, p.names)
	}
	p.text(`<div class="row ` + classes[r.Kind] + `">`)
	if r.A.Line > 0 {
		fmt.Fprintf(p, `<span class="na">%d</span><code class="ca">`, r.A.Line)
		writePieces(p, a)
		p.text("</code>")
	}
	if r.B.Line > 0 {
		fmt.Fprintf(p, `<span class="nb">%d</span><code class="cb">`, r.B.Line)
		writePieces(p, b)
		if note := p.notes.note(p.d, r); note != "" {
			writePieces(p, []piece{{text: note, class: "by"}})
		}
		p.text("</code>")
	}
	p.text("</div>\n")
}

// pieces highlights a cell, or the beginning of a very long one.
func (p *pageWriter) pieces(h *highlighter, c Cell, text string) []piece {
	if c.Line == 0 {
		return nil
	}
	text = strings.TrimRight(text, "\r\n")
	if len(text) <= longLine {
		return h.pieces(text)
	}
	h.skip(text)
	return []piece{{text: shortened(text)}}
}

// text writes HTML. Errors come out when the writer is flushed.
func (p *pageWriter) text(s string) { _, _ = p.WriteString(s) }
