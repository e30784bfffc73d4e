// Package lex splits PTX text into tokens, with the table that internal/lexgen compiles from PTXLexer.g4. Token kinds
// are numbers here; the package must not know their meaning. The ANTLR lexer generated from the same grammar is its
// test oracle.
package lex

import (
	"bytes"
	"slices"

	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/internal/panics"
)

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

// MakeTok returns the token of the given place and kind. Lengths above MaxLen are cut.
func MakeTok(off, length uint32, kind uint8) Tok {
	return Tok{off, min(length, MaxLen)<<8 | uint32(kind)}
}

// Kind returns the token's kind: a PTXLexer constant of package antlrgen, or EOF.
func (t Tok) Kind() uint8 { return uint8(t.lenKind) }

// Len returns the token's length in bytes.
func (t Tok) Len() uint32 { return t.lenKind >> 8 }

// End returns the offset of the first byte after the token.
func (t Tok) End() uint32 { return t.Off + t.lenKind>>8 }

// minChunk is the minimum size in bytes of a part for a worker.
const minChunk = 1 << 16

// Scan returns the tokens of src, an EOF token last. It always succeeds: bytes that begin no token become tokens of the
// grammar's error kinds. src must be smaller than 4 GiB. Scan takes time linear in len(src). It scans up to workers
// parts of a large text concurrently; the result does not depend on their number.
func Scan(src []byte, workers int) []Tok { return scanParts(src, cutLines(src, workers, minChunk)) }

// cutLines divides src into parts of at least size bytes. Each part begins after white space with a line end, so that
// only a comment can extend across its beginning. It returns the ends of the parts; the last part ends with src.
func cutLines(src []byte, workers, size int) (ends []int) {
	size = max(size, len(src)/workers+1)
	for at := size; at < len(src); at += size {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			break
		}
		at += n
		for at < len(src) && isSpace(src[at]) {
			at++
		}
		ends = append(ends, at)
	}
	if n := len(ends); n == 0 || ends[n-1] != len(src) {
		ends = append(ends, len(src))
	}
	return ends
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' }

// scanParts scans the parts of src that end at the given places, assuming that no token or comment extends from one
// part to the next, and scans again where one does: the tokens from a place on do not depend on the text before it.
func scanParts(src []byte, ends []int) []Tok {
	type part struct {
		toks []Tok
		end  int
	}
	parts := make([]part, len(ends))
	var wg panics.Group
	for i := 1; i < len(ends); i++ {
		wg.Go(func() { parts[i].toks, parts[i].end = scan(src, ends[i-1], ends[i], room(ends[i]-ends[i-1])) })
	}
	all := room(ends[0])
	if len(ends) > 1 { // the tokens of other parts are put behind these if there are about as many as usual
		all = max(all, len(src)*2/11)
	}
	parts[0].toks, parts[0].end = scan(src, 0, ends[0], all)
	wg.Wait()

	at, n := parts[0].end, len(parts[0].toks)
	for i := 1; i < len(parts); i++ {
		p := &parts[i]
		if at != ends[i-1] {
			p.toks, p.end = scan(src, at, ends[i], room(ends[i]-at))
		}
		at = p.end
		n += len(p.toks)
	}
	toks := parts[0].toks
	if cap(toks) < n+1 || cap(toks) > n+n/8 {
		toks = hugepage.Slice(make([]Tok, 0, n+1))
		toks = append(toks, parts[0].toks...)
	}
	n = len(toks)
	for _, p := range parts[1:] {
		to := toks[n : n+len(p.toks)]
		wg.Go(func() { copy(to, p.toks) })
		n += len(p.toks)
	}
	wg.Wait()
	return append(toks[:n], MakeTok(uint32(len(src)), 0, EOF))
}

// room returns the number of tokens for which memory is allocated before a text is scanned. Most PTX has fewer.
func room(text int) int { return max(text, 0)/5 + 16 }

// scan returns the tokens that begin in src[at:to], and the end of the last token or of the skipped text after it,
// which is to or greater. It allocates memory for size tokens at first.
func scan(src []byte, at, to, size int) ([]Tok, int) {
	toks := hugepage.Slice(make([]Tok, 0, size))
	for at < to {
		kind, end := next(src, at)
		if kind < firstSkipped || kind > lastSkipped {
			if len(toks) == cap(toks) { // append grows a large list in small steps, and copies it each time
				toks = slices.Grow(toks, len(toks)+1)
			}
			toks = append(toks, MakeTok(uint32(at), uint32(end-at), kind))
		}
		at = end
	}
	return toks, at
}

// next returns the longest match at src[start:], and the first rule among several of this length.
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
