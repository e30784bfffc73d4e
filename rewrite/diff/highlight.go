// Classes of tokens, for colours.

package diff

import (
	"html"
	"io"
	"strings"

	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// highlighter writes PTX as HTML, line by line; a comment may continue in the next line.
type highlighter struct {
	comment bool
	buf     []piece
}

// piece is a token with its class in the style sheet; "" for none.
type piece struct {
	text, class string
	marked      bool
}

// pieces splits a line into tokens. The result is valid until the next call.
func (h *highlighter) pieces(line string) []piece {
	out := h.buf[:0]
	at := 0
	if h.comment {
		at = upTo(line, "*/", 2)
		h.comment = !strings.HasSuffix(line[:at], "*/")
		out = append(out, piece{text: line[:at], class: "c"})
	}
	for at < len(line) {
		kind, end := scan(line, at)
		tok := line[at:end]
		out = append(out, piece{text: tok, class: class(kind, tok)})
		if kind == tokComment && strings.HasPrefix(tok, "/*") {
			h.comment = len(tok) < 4 || !strings.HasSuffix(tok, "*/")
		}
		at = end
	}
	opcode(out)
	h.buf = out
	return out
}

// skip advances over a line that is not written.
func (h *highlighter) skip(line string) {
	if h.comment || strings.Contains(line, "/*") {
		h.pieces(line)
	}
}

func class(kind tokenKind, tok string) string {
	switch kind {
	case tokComment:
		return "c"
	case tokString:
		return "s"
	case tokNumber:
		return "n"
	case tokDot:
		return "d"
	case tokName:
		if tok[0] == '%' {
			return "r"
		}
	}
	return ""
}

// opcode sets the class of an instruction's first word, after a guard.
func opcode(line []piece) {
	guard := false
	for i, p := range line {
		switch {
		case strings.TrimSpace(p.text) == "", p.class == "c", p.text == "{", p.text == "}":
		case p.text == "@":
			guard = true
		case guard && p.text == "!":
		case guard:
			guard = false
		default:
			label := i+1 < len(line) && line[i+1].text == ":"
			if _, ok := isa.Lookup(p.text); ok && !label {
				line[i].class = "o"
			}
			return
		}
	}
}

// markChanges marks the tokens that two versions of a line do not share. A name of A counts as shared if it was renamed
// in B.
func markChanges(a, b []piece, renamed map[string]string) {
	ids := make(map[string]uint32)
	numbers := func(ps []piece, renamed map[string]string) []uint32 {
		out := make([]uint32, len(ps))
		for i := range ps {
			ps[i].marked = strings.TrimSpace(ps[i].text) != ""
			name := ps[i].text
			if to := renamed[name]; to != "" {
				name = to
			}
			out[i] = number(ids, name)
		}
		return out
	}
	for i, j := range each(align(numbers(a, renamed), numbers(b, nil))) {
		a[i].marked, b[j].marked = false, false
	}
}

// writePieces writes tokens as HTML. Errors come out when the writer is flushed.
func writePieces(w io.StringWriter, ps []piece) {
	write := func(s string) { _, _ = w.WriteString(s) }
	for _, p := range ps {
		if p.class != "" {
			write(`<span class="`)
			write(p.class)
			write(`">`)
		}
		if p.marked {
			write("<mark>")
		}
		write(html.EscapeString(output.VisibleLines(p.text)))
		if p.marked {
			write("</mark>")
		}
		if p.class != "" {
			write("</span>")
		}
	}
}
