// Package terminal queries and uses the terminal behind an output stream: colour, width, and a progress line. It must not know
// what is printed.
package terminal

import (
	"fmt"
	"io"

	"golang.org/x/term"

	"github.com/ptxsan/ptxsan/runtime/output"
)

// Is reports whether w is a terminal.
func Is(w io.Writer) bool {
	f := output.FileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// Color reports whether to colour the output to w. The modes always and never decide. In any other mode, environment variables
// decide, NO_COLOR before CLICOLOR_FORCE and FORCE_COLOR; if none is set, output to a terminal is coloured.
func Color(mode string, w io.Writer, getenv func(string) string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	if getenv("NO_COLOR") != "" {
		return false
	}
	for _, name := range []string{"CLICOLOR_FORCE", "FORCE_COLOR"} {
		if v := getenv(name); v != "" && v != "0" {
			return true
		}
	}
	return Is(w)
}

// Width returns the number of columns of the terminal w, or other if w is none.
func Width(w io.Writer, other int) int {
	if f := output.FileOf(w); f != nil {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return other
}

// Progress shows the current activity in one line of a terminal.
type Progress struct{ w io.Writer }

// NewProgress returns the progress line of w. It shows nothing when w is no terminal.
func NewProgress(w io.Writer) *Progress {
	if Is(w) {
		return &Progress{output.Raw(w)}
	}
	return &Progress{io.Discard}
}

// Step replaces the line.
func (p *Progress) Step(what string) { fmt.Fprintf(p.w, "\r\x1b[Kptxsan: %s ...", what) }

// Done clears the line.
func (p *Progress) Done() { fmt.Fprint(p.w, "\r\x1b[K") }
