// The tokens of litmus tests.

package litmus

import (
	"strings"
)

// token is a word, a number, or a symbol of one or two characters; empty at the end.
type token struct {
	pos  Pos
	text string
}

func (t token) word() bool { return t.text != "" && isWord(t.text[0]) && !t.number() }

func (t token) number() bool {
	return t.text != "" && (isDigit(t.text[0]) || len(t.text) > 1 && t.text[0] == '-' && isDigit(t.text[1]))
}

// shown returns the token for a message.
func (t token) shown() string {
	if t.text == "" {
		return "the end of the file"
	}
	return `"` + t.text + `"`
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '.' || c == '$'
}

// lexer splits text into tokens. Comments are "// to the end of the line" and "(* anything *)".
type lexer struct {
	text string
	at   int
	pos  Pos // of at
}

func (x *lexer) advance(n int) {
	for range n {
		if x.text[x.at] == '\n' {
			x.pos.Line, x.pos.Col = x.pos.Line+1, 0
		}
		x.at++
		x.pos.Col++
	}
}

// symbols are those of two characters.
var symbols = []string{`/\`, `\/`, "==", "!=", "<=", ">=", "&&", "||", "<>"}

// next returns the next token.
func (x *lexer) next() (token, error) {
	if err := x.skip(); err != nil {
		return token{}, err
	}
	t := token{pos: x.pos}
	rest := x.text[x.at:]
	n := 0
	switch {
	case rest == "":
		return t, nil
	case isWord(rest[0]) || rest[0] == '-' && len(rest) > 1 && isDigit(rest[1]):
		for n = 1; n < len(rest) && isWord(rest[n]); n++ {
		}
	default:
		n = 1
		for _, s := range symbols {
			if strings.HasPrefix(rest, s) {
				n = 2
			}
		}
	}
	t.text = rest[:n]
	x.advance(n)
	return t, nil
}

// skip skips blanks and comments.
func (x *lexer) skip() error {
	for x.at < len(x.text) {
		rest := x.text[x.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			x.advance(1)
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			x.advance(n)
		case strings.HasPrefix(rest, "(*"):
			n := strings.Index(rest, "*)")
			if n < 0 {
				return errorAt(x.pos, `the comment does not end, expected "*)"`)
			}
			x.advance(n + 2)
		default:
			return nil
		}
	}
	return nil
}
