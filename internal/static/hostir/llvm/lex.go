// The tokens of a line of LLVM IR.

package llvm

import "strings"

type tokenKind uint8

const (
	tokEnd    tokenKind = iota
	tokWord             // an instruction, a type, an attribute
	tokLocal            // %name
	tokGlobal           // @name
	tokNumber           // an integer, or another literal that begins with a digit
	tokString
	tokPunct
	tokOther // metadata, attribute groups, comdats
)

// token is a word of a line; text is without the sigil.
type token struct {
	kind tokenKind
	text string
}

// maxLine is the maximal length of a line in bytes.
const maxLine = 1 << 20

// tokens splits a line; a comment ends it.
func tokens(line string) (list []token) {
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == ';':
			return list
		case c == '"' || c == 'c' && i+1 < len(line) && line[i+1] == '"':
			text, end := quoted(line, i+strings.IndexByte(line[i:], '"')+1)
			list = append(list, token{tokString, text})
			i = end
		case c == '%' || c == '@' || c == '!' || c == '#' || c == '$':
			text, end := named(line, i+1)
			list = append(list, token{sigils[c], text})
			i = end
		case c >= '0' && c <= '9' || c == '-':
			end := i + 1
			for end < len(line) && (nameByte(line[end]) || line[end] == '+') {
				end++
			}
			list = append(list, token{tokNumber, line[i:end]})
			i = end
		case nameByte(c):
			end := i + 1
			for end < len(line) && nameByte(line[end]) {
				end++
			}
			list = append(list, token{tokWord, line[i:end]})
			i = end
		default:
			list = append(list, token{tokPunct, line[i : i+1]})
			i++
		}
	}
	return list
}

// sigils gives the first characters of names.
var sigils = map[byte]tokenKind{'%': tokLocal, '@': tokGlobal, '!': tokOther, '#': tokOther, '$': tokOther}

// named reads a name after its sigil.
func named(line string, i int) (text string, end int) {
	if i < len(line) && line[i] == '"' {
		return quoted(line, i+1)
	}
	end = i
	for end < len(line) && nameByte(line[end]) {
		end++
	}
	return line[i:end], end
}

// quoted reads a string after its quote.
func quoted(line string, i int) (text string, end int) {
	if n := strings.IndexByte(line[i:], '"'); n >= 0 {
		return line[i : i+n], i + n + 1
	}
	return line[i:], len(line)
}

func nameByte(c byte) bool {
	return c == '_' || c == '.' || c == '$' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' ||
		c >= 'A' && c <= 'Z' || c >= 0x80
}
