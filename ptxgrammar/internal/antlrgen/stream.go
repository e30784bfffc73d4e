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
}

// kind is the token kind as the runtime wants it: -1 for the end of input.
func (s *Stream) kind(i int) int { return int(int8(s.toks[i].Kind())) }

// Consume advances past the current token.
func (s *Stream) Consume() {
	if s.pos < len(s.toks)-1 {
		s.pos++
	}
}

// LA is the kind of the k-th token from the current one, which is LA(1).
func (s *Stream) LA(k int) int {
	i := s.pos + k - 1
	if k < 0 {
		i++
	}
	if i < 0 || i >= len(s.toks) {
		return antlr.TokenEOF
	}
	return s.kind(i)
}

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

// The rest of antlr.TokenStream. The text methods serve the runtime's own messages,
// which are not used.

func (s *Stream) Mark() int                                         { return 0 }
func (s *Stream) Release(int)                                       {}
func (s *Stream) Index() int                                        { return s.pos }
func (s *Stream) Seek(i int)                                        { s.pos = i }
func (s *Stream) Size() int                                         { return len(s.toks) }
func (s *Stream) Reset()                                            { s.pos = 0 }
func (s *Stream) GetSourceName() string                             { return "" }
func (s *Stream) GetTokenSource() antlr.TokenSource                 { return nil }
func (s *Stream) SetTokenSource(antlr.TokenSource)                  {}
func (s *Stream) GetAllText() string                                { return string(s.src) }
func (s *Stream) GetTextFromInterval(antlr.Interval) string         { return "" }
func (s *Stream) GetTextFromRuleContext(antlr.RuleContext) string   { return "" }
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
