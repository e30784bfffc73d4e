// Text of unknown origin, made harmless for a terminal.

package output

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden reports whether a rune controls a terminal or the direction of text instead of being shown: control characters, format
// characters such as U+202E, and separators of lines and paragraphs. A line feed and a tab are text.
func hidden(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029')
}

// Visible returns a name of unknown origin in which the number of each character that would control a terminal, line feeds and tabs
// included, stands in its place: <U+001B>, <U+202E>; and of each byte that is no UTF-8: <FF>.
func Visible(s string) string {
	return visible(s, func(r rune) bool { return hidden(r) || r == '\n' || r == '\t' })
}

// VisibleLines is Visible for text of several lines: line feeds and tabs stay.
func VisibleLines(s string) string { return visible(s, hidden) }

func visible(s string, escape func(rune) bool) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, escape) {
		return s
	}
	var out strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, "<%02X>", s[0])
		case escape(r):
			fmt.Fprintf(&out, "<%U>", r)
		default:
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
	return out.String()
}

// escaping is a writer that passes text through VisibleLines.
type escaping struct {
	w    io.Writer
	tail []byte // the beginning of a character whose end has not been written yet
}

// Escaping returns a writer that writes text to w with VisibleLines. A character may come in several writes.
func Escaping(w io.Writer) io.Writer { return &escaping{w: w} }

func (e *escaping) Write(p []byte) (int, error) {
	text := append(e.tail, p...)
	end := len(text)
	for k := 1; k < utf8.UTFMax && k <= len(text); k++ {
		if b := text[len(text)-k]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-k:]) {
				end -= k
			}
			break
		}
	}
	_, err := io.WriteString(e.w, VisibleLines(string(text[:end])))
	e.tail = append([]byte(nil), text[end:]...)
	return len(p), err
}
