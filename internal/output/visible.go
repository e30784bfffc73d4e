// Text and JSON of unknown origin, made harmless for a terminal.

package output

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden reports whether a rune controls a terminal or the direction of text instead of being shown: control
// characters, format characters such as U+202E, and separators of lines and paragraphs. A line feed and a tab are text.
func hidden(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' ||
		r == '\u2029')
}

// Visible returns a name of unknown origin in which the number of each character that would control a terminal, line
// feeds and tabs included, stands in its place: <U+001B>, <U+202E>; and of each byte that is no UTF-8: <FF>.
func Visible(s string) string {
	return visible(s, func(r rune) bool { return hidden(r) || r == '\n' || r == '\t' })
}

// VisibleLines returns a text of several lines in which the numbers of such characters stand in their places. Line ends
// and tabs stay.
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
		case escape(r) && (escape('\n') || !strings.HasPrefix(s, "\r\n")):
			fmt.Fprintf(&out, "<%U>", r)
		default:
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
	return out.String()
}

// escapedJSON returns JSON in which such characters are written as \u001b: they can only be in strings.
func escapedJSON(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		switch high, low := utf16.EncodeRune(r); {
		case !hidden(r):
			out.WriteRune(r)
		case high != unicode.ReplacementChar:
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// escapeWriter is a writer that passes text through a function.
type escapeWriter struct {
	w      io.Writer
	escape func(string) string
	tail   []byte // the beginning of a character or line end whose end has not been written yet
}

// Escaping returns a writer that writes text to w with VisibleLines. A character may come in several writes.
func Escaping(w io.Writer) io.Writer { return &escapeWriter{w: w, escape: VisibleLines} }

// JSON returns a writer of JSON to w that escapes what Escaping does in the way of JSON, so that its values stay the
// same.
func JSON(w io.Writer) io.Writer { return &escapeWriter{w: Raw(w), escape: escapedJSON} }

func (e *escapeWriter) Write(p []byte) (int, error) {
	text := append(e.tail, p...)
	end := len(text) - incomplete(text)
	_, err := io.WriteString(e.w, e.escape(string(text[:end])))
	e.tail = append([]byte(nil), text[end:]...)
	return len(p), err
}

// rest is a writer of what an escaping writer holds back.
type rest struct{ *escapeWriter }

func (r rest) Write([]byte) (int, error) {
	tail := string(r.tail)
	r.tail = nil
	return io.WriteString(r.w, r.escape(tail))
}

// incomplete returns the number of bytes at the end of a text that begin a character, or a line end of two characters.
func incomplete(text []byte) int {
	if bytes.HasSuffix(text, []byte("\r")) {
		return 1
	}
	for k := 1; k < utf8.UTFMax && k <= len(text); k++ {
		if tail := text[len(text)-k:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return k
		}
	}
	return 0
}
