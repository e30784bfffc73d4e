// Tokens of the text form.

package expr

import (
	"fmt"
	"math/big"
	"strings"
)

// maxText limits the length of a text to parse, in bytes.
const maxText = 1 << 16

// A SyntaxError is an error in a text, with its position.
type SyntaxError struct {
	Column  int // in bytes, from 1
	Message string
}

// Error returns the message with its column.
func (e *SyntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Message) }

// A token is a name, a number (with k), an operator, or the end of the text (with an empty text).
type token struct {
	text   string
	column int
	k      *big.Int
	name   bool
}

// String returns the token for messages.
func (t token) String() string {
	if t.text == "" {
		return "end of text"
	}
	return fmt.Sprintf("%q", t.text)
}

// operators lists the operators, longer ones before their prefixes.
var operators = []string{
	"&&", "||", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "(", ")", ",", "?", ":",
}

// scan splits a text into tokens; the last is the end.
func scan(text string) ([]token, error) {
	if len(text) > maxText {
		return nil, &SyntaxError{1, fmt.Sprintf("the expression has %d bytes; at most %d are allowed", len(text),
			maxText)}
	}
	var tokens []token
	for pos := 0; pos < len(text); {
		c := text[pos]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			pos++
			continue
		case isLetter(c):
			n := prefix(text[pos:], func(c byte) bool {
				return isLetter(c) || isDigit(c) || c == '.' || c == '@' ||
					c == '#'
			})
			tokens = append(tokens, token{text: text[pos : pos+n], column: pos + 1, name: true})
		case isDigit(c):
			t, err := number(text[pos:], pos+1)
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, t)
		default:
			op := operatorAt(text[pos:])
			if op == "" {
				return nil, &SyntaxError{pos + 1, fmt.Sprintf("unexpected character %q", []rune(text[pos:])[0])}
			}
			tokens = append(tokens, token{text: op, column: pos + 1})
		}
		pos += len(tokens[len(tokens)-1].text)
	}
	return append(tokens, token{column: len(text) + 1}), nil
}

// operatorAt returns the operator at the beginning of a text, "" if there is none.
func operatorAt(text string) string {
	for _, op := range operators {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}

// number reads a decimal or hexadecimal integer with the suffixes of C.
func number(text string, column int) (token, error) {
	n := prefix(text, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' })
	word := text[:n]
	digits, base := strings.TrimRight(strings.ToLower(word), "ul"), 10
	if rest, ok := strings.CutPrefix(digits, "0x"); ok {
		digits, base = rest, 16
	}
	if k, ok := new(big.Int).SetString(digits, base); ok && digits[0] != '+' && digits[0] != '-' &&
		len(digits) < MaxBits/4 && !strings.Contains(digits, "_") {
		return token{text: word, column: column, k: k}, nil
	}
	return token{}, &SyntaxError{column, fmt.Sprintf("%q is no integer", word)}
}

// prefix returns the length in bytes of a text's prefix whose bytes are in a class.
func prefix(text string, class func(byte) bool) int {
	n := 0
	for n < len(text) && class(text[n]) {
		n++
	}
	return n
}

// isLetter reports whether a name may begin with c.
func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

// isDigit reports whether c is a decimal digit.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
