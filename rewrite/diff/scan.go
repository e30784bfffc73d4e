// Scanning PTX text into words.

package diff

import "strings"

// tokenKind is the kind of a piece of PTX text.
type tokenKind uint8

const (
	tokBlank   tokenKind = iota // white space
	tokComment                  // also an unclosed one
	tokString
	tokNumber
	tokDot   // .directive or .modifier
	tokName  // identifier
	tokPunct // one character
)

// scan returns the kind and the end of the token at s[at:]. Tokens cover any text: a byte that is not PTX becomes
// tokPunct. Tokens are those of the grammar, but the text need not be PTX.
func scan(s string, at int) (kind tokenKind, end int) {
	rest := s[at:]
	switch c := rest[0]; {
	case blankByte(c):
		return tokBlank, at + span(rest, blankByte)
	case strings.HasPrefix(rest, "//"), c == '#', strings.HasPrefix(rest, "@@"):
		return tokComment, at + upTo(rest, "\n", 0)
	case strings.HasPrefix(rest, "/*"):
		return tokComment, at + 2 + upTo(rest[2:], "*/", 2)
	case c == '"':
		return tokString, at + stringEnd(rest)
	case digit(c), c == '.' && len(rest) > 1 && digit(rest[1]) && !dotWord(rest[1:]):
		return tokNumber, at + numberEnd(rest)
	case c == '.' && len(rest) > 1 && nameByte(rest[1]):
		return tokDot, at + dotEnd(rest)
	case (c == '%' || c == '_' || c == '$') && len(rest) > 1 && nameByte(rest[1]), nameByte(c):
		return tokName, at + 1 + span(rest[1:], nameByte)
	}
	return tokPunct, at + 1
}

func blankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }
func digit(c byte) bool     { return c >= '0' && c <= '9' }
func nameByte(c byte) bool {
	return digit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

// span returns the length of the prefix of s whose bytes are in a class.
func span(s string, class func(byte) bool) int {
	for i := range len(s) {
		if !class(s[i]) {
			return i
		}
	}
	return len(s)
}

// upTo returns the offset of sep in s plus n, the length of s if sep is absent.
func upTo(s, sep string, n int) int {
	if i := strings.Index(s, sep); i >= 0 {
		return i + n
	}
	return len(s)
}

func stringEnd(s string) int {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return upTo(s, "\n", 0)
}

// dotWord distinguishes the modifier .2d from the number .5: it has a letter that is not an exponent.
func dotWord(s string) bool {
	word := s[:span(s, nameByte)]
	rest := strings.TrimLeft(word, "0123456789")
	return rest != "" && rest[0] != 'e' && rest[0] != 'E'
}

func dotEnd(s string) int {
	end := 1 + span(s[1:], nameByte)
	for strings.HasPrefix(s[end:], "::") && len(s) > end+2 && nameByte(s[end+2]) {
		end += 2 + span(s[end+2:], nameByte)
	}
	return end
}

// numberEnd returns the end of a number, including its fraction and the sign of its exponent.
func numberEnd(s string) int {
	hex := len(s) > 1 && s[0] == '0' && strings.IndexByte("xXfFdD", s[1]) >= 0
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case nameByte(c):
		case hex:
			return i
		case c == '.':
		case (c == '+' || c == '-') && (s[i-1] == 'e' || s[i-1] == 'E'):
		default:
			return i
		}
	}
	return len(s)
}

// oneLine joins the lines of a statement: it removes comments and replaces white space by single blanks.
func oneLine(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	gap := false
	for at := 0; at < len(s); {
		kind, end := scan(s, at)
		if kind == tokBlank || kind == tokComment {
			gap = b.Len() > 0
		} else {
			if gap && s[at] != ';' {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteString(s[at:end])
		}
		at = end
	}
	return b.String()
}

// plain reports whether s is already a single line without comments.
func plain(s string) bool {
	return strings.IndexByte(s, '/') < 0 && strings.IndexByte(s, '\n') < 0
}

// dense returns a text without white space and comments.
func dense(s string) string {
	if !strings.ContainsAny(s, " \t\r\n\f/") {
		return s
	}
	var b strings.Builder
	for at := 0; at < len(s); {
		kind, end := scan(s, at)
		if kind != tokBlank && kind != tokComment {
			b.WriteString(s[at:end])
		}
		at = end
	}
	return b.String()
}
