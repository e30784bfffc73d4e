// Package lex turns PTX text into tokens with the table that internal/lexgen makes
// from PTXLexer.g4. It knows token kinds as numbers only and must not know what they
// mean; the ANTLR lexer generated from the same grammar is its test oracle.
package lex

// Tok is a token: byte offset, length and kind, in 8 bytes. White space and comments
// are not tokens; they are the bytes between one token's end and the next one's offset.
type Tok struct {
	Off     uint32
	lenKind uint32 // length<<8 | kind
}

// EOF is the kind of the token that ends every token list.
const EOF = 0xff

// MaxLen is the length in bytes of the longest token that Tok can express.
const MaxLen = 1<<24 - 1

// MakeTok is the token of the given place and kind. Lengths above MaxLen are cut.
func MakeTok(off, length uint32, kind uint8) Tok {
	return Tok{off, min(length, MaxLen)<<8 | uint32(kind)}
}

// Kind is the token's kind: a PTXLexer constant of package antlrgen, or EOF.
func (t Tok) Kind() uint8 { return uint8(t.lenKind) }

// Len is the token's length in bytes.
func (t Tok) Len() uint32 { return t.lenKind >> 8 }

// End is the offset of the first byte after the token.
func (t Tok) End() uint32 { return t.Off + t.lenKind>>8 }

// Scan returns the tokens of src, an EOF token last. It always succeeds: bytes that
// begin no token become tokens of the grammar's error kinds. src must be smaller than
// 4 GiB. It takes time linear in len(src).
func Scan(src []byte) []Tok {
	toks := make([]Tok, 0, len(src)/5+16)
	for i := 0; i < len(src); {
		kind, end := next(src, i)
		if kind < firstSkipped || kind > lastSkipped {
			toks = append(toks, MakeTok(uint32(i), uint32(end-i), kind))
		}
		i = end
	}
	return append(toks, MakeTok(uint32(len(src)), 0, EOF))
}

// next is the longest match at src[start:], of the first rule when several match it.
func next(src []byte, start int) (kind uint8, end int) {
	state := uint32(startState)
	for i := start; i < len(src); i++ {
		state = uint32(trans[state*numClasses+uint32(class[src[i]])])
		if state == 0 {
			break
		}
		if k := accept[state]; k != 0 {
			kind, end = k, i+1
		}
	}
	if kind == 0 {
		panic("BUG: the lexer table has a dead start state")
	}
	return kind, end
}
