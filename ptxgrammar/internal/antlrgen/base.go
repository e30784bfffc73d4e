// Package antlrgen holds what the ANTLR 4.13.1 tool generates from PTXLexer.g4 and
// PTXParser.g4 (ptx_lexer.go, ptx_parser.go; regenerate with ptxgrammar/generate.sh),
// and the class that the generated parser is derived from. It knows rules and tokens
// and must not know the syntax tree.
package antlrgen

import (
	"github.com/antlr4-go/antlr/v4"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// Events receives the rules of a parse in fast mode: rule is a PTXParserRULE constant,
// tok the index of the rule's first token on entry, one past its last on exit.
type Events interface {
	Enter(rule, tok int)
	Exit(rule, tok int)
}

// SyntaxError is what the fast mode panics with at the first token that fits no rule.
type SyntaxError struct{ Tok int }

// PTXBase is the superclass of PTXParser, embedded by value, so that the generated
// code calls these methods directly.
//
// In fast mode (Events is set) it matches the token array, reports rules to Events,
// keeps no contexts, and panics with SyntaxError on bad input. In slow mode it is the
// runtime's parser and, for messages, notes where it stood after the last token.
type PTXBase struct {
	*antlr.BaseParser
	Events Events
	stream *Stream
	rules  []uint8 // fast mode: the rules entered

	after      int // slow mode: token position that afterState belongs to
	afterState int
	afterCtx   antlr.ParserRuleContext
}

// NewFastParser is a parser of the tokens in fast mode.
func NewFastParser(toks []lex.Tok, ev Events) *PTXParser {
	p := newParser(toks, nil)
	p.Events = ev
	p.SetErrorHandler(fastErrors{antlr.NewDefaultErrorStrategy(), p.stream})
	return p
}

// NewSlowParser is a parser of the tokens in slow mode with the given error strategy.
func NewSlowParser(src []byte, toks []lex.Tok, errs antlr.ErrorStrategy) *PTXParser {
	p := newParser(toks, src)
	p.RemoveErrorListeners()
	p.BuildParseTrees = false
	p.SetErrorHandler(errs)
	return p
}

func newParser(toks []lex.Tok, src []byte) *PTXParser {
	s := &Stream{src: src, toks: toks}
	p := NewPTXParser(s)
	p.stream = s
	p.after = -1
	return p
}

// Expected is the set of token kinds that could follow the last consumed token (slow
// mode).
func (p *PTXBase) Expected() *antlr.IntervalSet {
	state, ctx := p.GetState(), p.BaseParser.GetParserRuleContext()
	if p.after == p.stream.pos {
		p.BaseParser.SetState(p.afterState)
		p.SetParserRuleContext(p.afterCtx)
	}
	set := p.GetExpectedTokens()
	p.BaseParser.SetState(state)
	p.SetParserRuleContext(ctx)
	return set
}

// SetState is called by the generated code before each step.
func (p *PTXBase) SetState(v int) {
	if p.Events != nil {
		return
	}
	p.BaseParser.SetState(v)
	if p.after != p.stream.pos {
		p.after, p.afterState, p.afterCtx = p.stream.pos, v, p.BaseParser.GetParserRuleContext()
	}
}

// HasError is false in fast mode: the first error has ended the parse.
func (p *PTXBase) HasError() bool { return p.Events == nil && p.BaseParser.HasError() }

// SetError notes a syntax error.
func (p *PTXBase) SetError(e antlr.RecognitionException) {
	if p.Events != nil && e != nil {
		panic(SyntaxError{p.stream.pos})
	}
	p.BaseParser.SetError(e)
}

// Match consumes a token of kind t.
func (p *PTXBase) Match(t int) antlr.Token {
	if p.Events == nil {
		return p.BaseParser.Match(t)
	}
	if p.stream.LA(1) != t {
		panic(SyntaxError{p.stream.pos})
	}
	p.stream.Consume()
	return nil
}

// Consume consumes the current token.
func (p *PTXBase) Consume() antlr.Token {
	if p.Events == nil {
		return p.BaseParser.Consume()
	}
	p.stream.Consume()
	return nil
}

// GetParserRuleContext is nil in fast mode.
func (p *PTXBase) GetParserRuleContext() antlr.ParserRuleContext {
	if p.Events != nil {
		return nil
	}
	return p.BaseParser.GetParserRuleContext()
}

// EnterOuterAlt does nothing in fast mode.
func (p *PTXBase) EnterOuterAlt(ctx antlr.ParserRuleContext, alt int) {
	if p.Events == nil {
		p.BaseParser.EnterOuterAlt(ctx, alt)
	}
}

// EnterRule begins a rule.
func (p *PTXBase) EnterRule(ctx antlr.ParserRuleContext, state, rule int) {
	if p.Events != nil {
		p.rules = append(p.rules, uint8(rule))
		p.Events.Enter(rule, p.stream.pos)
		return
	}
	p.BaseParser.EnterRule(ctx, state, rule)
}

// ExitRule ends the innermost rule.
func (p *PTXBase) ExitRule() {
	if p.Events != nil {
		n := len(p.rules) - 1
		rule := int(p.rules[n])
		p.rules = p.rules[:n]
		p.Events.Exit(rule, p.stream.pos)
		return
	}
	p.BaseParser.ExitRule()
}

// fastErrors is the error strategy of the fast mode: there is no recovery. (The
// runtime's BailErrorStrategy 4.13.1 does not bail.)
type fastErrors struct {
	*antlr.DefaultErrorStrategy
	stream *Stream
}

func (fastErrors) Sync(antlr.Parser)                     {}
func (fastErrors) ReportMatch(antlr.Parser)              {}
func (fastErrors) InErrorRecoveryMode(antlr.Parser) bool { return false }
func (f fastErrors) fail()                               { panic(SyntaxError{f.stream.pos}) }
func (f fastErrors) RecoverInline(antlr.Parser) antlr.Token {
	f.fail()
	return nil
}
func (f fastErrors) Recover(antlr.Parser, antlr.RecognitionException)     { f.fail() }
func (f fastErrors) ReportError(antlr.Parser, antlr.RecognitionException) { f.fail() }

// LexerATN is the lexer grammar in the tool's serialized form, for internal/lexgen.
func LexerATN() []int32 {
	PTXLexerInit()
	return PTXLexerLexerStaticData.serializedATN
}
