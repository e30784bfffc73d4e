// Tokens of the lexer as the generated parser reads them.

package antlrgen

import (
	"github.com/antlr4-go/antlr/v4"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// Stream presents a token array as an antlr.TokenStream. Token objects are made on
// demand: the fast mode never asks for one.
type Stream struct {
	src  []byte
	toks []lex.Tok
	pos  int
	next int // kind of the token at pos
}

// newStream is a stream of toks that stands at pos. The array need not end with an EOF
// token: beyond its end there is nothing else.
func newStream(src []byte, toks []lex.Tok, pos int) *Stream {
	s := &Stream{src: src, toks: toks}
	s.Seek(pos)
	return s
}

// kind is the token kind as the runtime wants it: -1 for the end of input.
func (s *Stream) kind(i int) int {
	if uint(i) >= uint(len(s.toks)) {
		return antlr.TokenEOF
	}
	return int(int8(s.toks[i].Kind()))
}

// Consume advances past the current token.
func (s *Stream) Consume() {
	if s.next != antlr.TokenEOF {
		s.pos++
		s.next = s.kind(s.pos)
	}
}

// LA is the kind of the k-th token from the current one, which is LA(1).
func (s *Stream) LA(k int) int {
	if k == 1 {
		return s.next
	}
	if k < 0 {
		k++
	}
	return s.kind(s.pos + k - 1)
}

// Seek makes the i-th token the current one.
func (s *Stream) Seek(i int) { s.pos, s.next = i, s.kind(i) }

// Reset goes back to the first token.
func (s *Stream) Reset() { s.Seek(0) }

// LT is the k-th token; LT(-1) is the one before the current.
func (s *Stream) LT(k int) antlr.Token {
	i := s.pos + k - 1
	if k < 0 {
		i++
	}
	if i < 0 {
		return nil
	}
	return s.Get(min(i, len(s.toks)-1))
}

// Get is the i-th token.
func (s *Stream) Get(i int) antlr.Token { return &streamToken{s, i} }

// Mark is of no use: nothing is released.
func (s *Stream) Mark() int { return 0 }

// Release undoes Mark.
func (s *Stream) Release(int) {}

// Index is the number of the current token.
func (s *Stream) Index() int { return s.pos }

// Size is the number of tokens.
func (s *Stream) Size() int { return len(s.toks) }

// GetSourceName is empty: positions are the caller's business.
func (s *Stream) GetSourceName() string { return "" }

// GetTokenSource is nil: there is no lexer behind the array.
func (s *Stream) GetTokenSource() antlr.TokenSource { return nil }

// SetTokenSource does nothing.
func (s *Stream) SetTokenSource(antlr.TokenSource) {}

// GetAllText is the whole source.
func (s *Stream) GetAllText() string { return string(s.src) }

// GetTextFromInterval serves the runtime's own messages, which are not used.
func (s *Stream) GetTextFromInterval(antlr.Interval) string { return "" }

// GetTextFromRuleContext is not used either.
func (s *Stream) GetTextFromRuleContext(antlr.RuleContext) string { return "" }

// GetTextFromTokens is not used either.
func (s *Stream) GetTextFromTokens(antlr.Token, antlr.Token) string { return "" }

// streamToken is one token of a Stream.
type streamToken struct {
	s *Stream
	i int
}

func (t *streamToken) tok() lex.Tok { return t.s.toks[t.i] }

func (t *streamToken) GetTokenType() int  { return t.s.kind(t.i) }
func (t *streamToken) GetTokenIndex() int { return t.i }
func (t *streamToken) GetStart() int      { return int(t.tok().Off) }
func (t *streamToken) GetStop() int       { return int(t.tok().End()) - 1 }
func (t *streamToken) GetText() string    { return string(t.s.src[t.tok().Off:t.tok().End()]) }
func (t *streamToken) String() string     { return t.GetText() }

func (t *streamToken) GetChannel() int                             { return antlr.TokenDefaultChannel }
func (t *streamToken) GetLine() int                                { return 0 }
func (t *streamToken) GetColumn() int                              { return 0 }
func (t *streamToken) SetText(string)                              {}
func (t *streamToken) SetTokenIndex(int)                           {}
func (t *streamToken) GetSource() *antlr.TokenSourceCharStreamPair { return nil }
func (t *streamToken) GetTokenSource() antlr.TokenSource           { return nil }
func (t *streamToken) GetInputStream() antlr.CharStream            { return nil }
