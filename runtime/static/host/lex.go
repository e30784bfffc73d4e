// The lexer: tokens of C++ with their places.

package host

import "strings"

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokNumber
	tokString // and character constants
	tokPunct
)

// token is a token with its position. space says that white space precedes it, line that it is the first one of a line.
type token struct {
	text  string
	kind  tokenKind
	space bool
	first bool
	file  int32
	line  int32
	col   int32
	hide  *hidden // macros that made it, which are not expanded in it again
}

// hidden is a list of names of macros.
type hidden struct {
	name string
	next *hidden
}

func (h *hidden) has(name string) bool {
	for ; h != nil; h = h.next {
		if h.name == name {
			return true
		}
	}
	return false
}

func (t *token) is(text string) bool { return t.text == text && t.kind != tokString }

// puncts lists the operators of more than one character, the longest first.
var puncts = []string{
	"<<<", ">>>", "<<=", ">>=", "...", "->*",
	"::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
}

// lexer reads one file.
type lexer struct {
	src       string
	pos       int
	file      int32
	line      int32
	lineStart int
	first     bool
	space     bool
}

func newLexer(src string, file int32) *lexer {
	return &lexer{src: src, file: file, line: 1, first: true}
}

// skip skips white space and comments. Inside a directive it stops at the end of the line.
func (l *lexer) skip(directive bool) {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch {
		case rest[0] == '\n':
			if directive {
				return
			}
			l.newline(1)
			l.first = true
		case strings.HasPrefix(rest, "\\\n"):
			l.newline(2)
		case strings.HasPrefix(rest, "\\\r\n"):
			l.newline(3)
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\f' || rest[0] == '\v':
			l.pos++
		case strings.HasPrefix(rest, "//"):
			for l.pos < len(l.src) && l.src[l.pos] != '\n' {
				l.pos++
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				end = len(rest) - 4
			}
			for i := l.pos; i < l.pos+end+4 && i < len(l.src); i++ {
				if l.src[i] == '\n' {
					l.line++
					l.lineStart = i + 1
				}
			}
			l.pos = min(l.pos+max(end, -2)+4, len(l.src))
		default:
			return
		}
		l.space = true
	}
}

func (l *lexer) newline(n int) {
	l.pos += n
	l.line++
	l.lineStart = l.pos
}

// next returns the next token. Inside a directive, the end of the line is the end.
func (l *lexer) next(directive bool) token {
	l.space = false
	l.skip(directive)
	t := token{space: l.space, first: l.first, file: l.file, line: l.line, col: int32(l.pos-l.lineStart) + 1}
	if l.pos >= len(l.src) || directive && l.src[l.pos] == '\n' {
		return t
	}
	l.first = false
	start := l.pos
	c := l.src[l.pos]
	switch {
	case isLetter(c):
		for l.pos < len(l.src) && (isLetter(l.src[l.pos]) || isDigit(l.src[l.pos])) {
			l.pos++
		}
		t.kind = tokName
		if l.pos < len(l.src) && l.src[l.pos] == '"' && strings.HasSuffix(l.src[start:l.pos], "R") && l.pos-start <= 3 {
			l.raw()
			t.kind = tokString
		}
	case isDigit(c) || c == '.' && l.pos+1 < len(l.src) && isDigit(l.src[l.pos+1]):
		l.number()
		t.kind = tokNumber
	case c == '"' || c == '\'':
		l.quoted(c)
		t.kind = tokString
	default:
		t.kind = tokPunct
		l.pos++
		for _, p := range puncts {
			if strings.HasPrefix(l.src[start:], p) {
				l.pos = start + len(p)
				break
			}
		}
	}
	t.text = l.src[start:l.pos]
	return t
}

func (l *lexer) number() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		exponent := (c == '+' || c == '-') && strings.ContainsRune("eEpP", rune(l.src[l.pos-1])) && !strings.HasPrefix(l.src[l.pos-1:], "0x")
		separator := c == '\'' && l.pos+1 < len(l.src) && isDigit(l.src[l.pos+1])
		if !isLetter(c) && !isDigit(c) && c != '.' && !exponent && !separator {
			return
		}
		l.pos++
	}
}

func (l *lexer) quoted(quote byte) {
	l.pos++
	for l.pos < len(l.src) && l.src[l.pos] != quote && l.src[l.pos] != '\n' {
		if l.src[l.pos] == '\\' {
			l.pos++
		}
		l.pos++
	}
	l.pos = min(l.pos+1, len(l.src))
}

// raw skips R"x(...)x".
func (l *lexer) raw() {
	rest := l.src[l.pos+1:]
	open := strings.IndexByte(rest, '(')
	if open < 0 || open > 16 {
		l.quoted('"')
		return
	}
	closing := ")" + rest[:open] + "\""
	end := strings.Index(rest, closing)
	if end < 0 {
		l.pos = len(l.src)
		return
	}
	l.line += int32(strings.Count(rest[:end], "\n"))
	l.pos += 1 + end + len(closing)
}

func isLetter(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
