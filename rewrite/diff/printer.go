// Printing rows with colours.

package diff

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ptxsan/ptxsan/internal/output"
)

// colors are the ANSI sequences that start a colour; all are "" without colour.
type colors struct{ bold, red, green, yellow, cyan, dim, reset string }

func palette(color bool) colors {
	if !color {
		return colors{}
	}
	return colors{
		bold: "\x1b[1m", red: "\x1b[31m", green: "\x1b[32m", yellow: "\x1b[33m",
		cyan: "\x1b[36m", dim: "\x1b[2m", reset: "\x1b[m",
	}
}

// printer writes lines in colour. Errors come out when the writer is flushed.
type printer struct {
	w *bufio.Writer
	colors
}

// paint returns s in a colour. Every line resets the colour, as pagers require. Where there are colours, they are the
// only control sequences: those of s are shown as text.
func (p *printer) paint(color, s string) string {
	if p.reset != "" {
		s = output.VisibleLines(s)
	}
	if color == "" || s == "" {
		return s
	}
	return color + s + p.reset
}

// line writes s and a line end.
func (p *printer) line(color, s string) {
	fmt.Fprintln(p.w, p.paint(color, s))
}

// patchLine writes a line of a patch. It may lack its line end.
func (p *printer) patchLine(color string, mark byte, text string) {
	line, ended := strings.CutSuffix(text, "\n")
	p.line(color, string(mark)+line)
	if !ended {
		p.line("", `\ No newline at end of file`)
	}
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:max(n-1, 0)]) + "…"
}
