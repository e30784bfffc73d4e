// Package antlrgen holds the parser and lexer that the ANTLR 4.13.1 tool generates from
// PTXLexer.g4 and PTXParser.g4 (ptx_lexer.go, ptx_parser.go and the automata, *.json; regenerate with
// ptxgrammar/generate.sh), and the base class of the generated parser. It knows rules and tokens,
// and must not know the syntax tree.
package antlrgen

import (
	_ "embed"
	"encoding/json"

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
// code calls these methods directly; those that it calls for every token are short
// enough to be inlined.
//
// In fast mode it matches the token array, reports rules to Events, makes no contexts
// (see generate.sh), and panics with SyntaxError on
// bad input. In slow mode it is the runtime's parser and, for messages, notes where it
// stood after the last token.
type PTXBase struct {
	*antlr.BaseParser
	fast   bool
	events Events
	stream *Stream
	errs   strategy
	rules  []uint8 // fast mode: the rules entered

	after      int // slow mode: token position that afterState belongs to
	afterState int
	afterCtx   antlr.ParserRuleContext
}

// NewFastParser is a parser in fast mode of the tokens [from, to). It has no transition network, since one token
// decides every choice of the generated code and fast mode does not recover from errors: reading the network took 2 %
// of a short check.
func NewFastParser(toks []lex.Tok, from, to int, ev Events) *PTXParser {
	s := newStream(nil, toks[:to], from)
	p := &PTXParser{}
	p.BaseParser = antlr.NewBaseParser(s)
	p.on(s)
	p.fast, p.events = true, ev
	p.errs = strategy{antlr.NewDefaultErrorStrategy(), s}
	return p
}

// NewSlowParser is a parser of the tokens in slow mode with the given error strategy.
func NewSlowParser(src []byte, toks []lex.Tok, errs antlr.ErrorStrategy) *PTXParser {
	s := newStream(src, toks, 0)
	p := NewPTXParser(s)
	p.on(s)
	p.RemoveErrorListeners()
	p.BuildParseTrees = false
	p.errs = strategy{ErrorStrategy: errs}
	p.SetErrorHandler(errs)
	return p
}

// on has the parser take its tokens from the stream.
func (p *PTXBase) on(s *Stream) { p.stream, p.after = s, -1 }

// Expected is the set of token kinds that could follow the last consumed token (slow
// mode).
func (p *PTXBase) Expected() *antlr.IntervalSet {
	state, ctx := p.GetState(), p.GetParserRuleContext()
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
	if !p.fast {
		p.setState(v)
	}
}

func (p *PTXBase) setState(v int) {
	p.BaseParser.SetState(v)
	if p.after != p.stream.pos {
		p.after, p.afterState, p.afterCtx = p.stream.pos, v, p.GetParserRuleContext()
	}
}

// takesPragma decides the loop over the directives of a function header: 1 to go on, 2
// to end. A .pragma after a prototype without ';' could also be an item of the module.
// The runtime would choose the header too, after a look at all the tokens to come.
func (p *PTXBase) takesPragma() int {
	switch p.stream.next {
	case PTXParserDOTID, PTXParserPRAGMA:
		return 1
	}
	return 2
}

// GetTokenStream hides that the stream is an interface to the runtime.
func (p *PTXBase) GetTokenStream() antlr.TokenStream { return p.stream }

// GetErrorHandler hides that the strategy is an interface to the runtime.
func (p *PTXBase) GetErrorHandler() antlr.ErrorStrategy { return &p.errs }

// HasError is false in fast mode: the first error has ended the parse.
func (p *PTXBase) HasError() bool { return !p.fast && p.BaseParser.HasError() }

// SetError notes a syntax error.
func (p *PTXBase) SetError(e antlr.RecognitionException) {
	if p.fast && e != nil {
		panic(SyntaxError{p.stream.pos})
	}
	p.BaseParser.SetError(e)
}

// Match consumes a token of kind t.
func (p *PTXBase) Match(t int) antlr.Token {
	if !p.fast {
		return p.BaseParser.Match(t)
	}
	if p.stream.next != t {
		panic(SyntaxError{p.stream.pos})
	}
	p.stream.Consume()
	return nil
}

// Consume consumes the current token.
func (p *PTXBase) Consume() antlr.Token {
	if !p.fast {
		return p.BaseParser.Consume()
	}
	p.stream.Consume()
	return nil
}

// EnterOuterAlt does nothing in fast mode.
func (p *PTXBase) EnterOuterAlt(ctx antlr.ParserRuleContext, alt int) {
	if !p.fast {
		p.BaseParser.EnterOuterAlt(ctx, alt)
	}
}

// enterRule begins a rule, and returns its context, which is nil in fast mode.
func (p *PTXBase) enterRule(state, rule int) antlr.ParserRuleContext {
	if p.fast {
		p.rules = append(p.rules, uint8(rule))
		p.events.Enter(rule, p.stream.pos)
		return nil
	}
	ctx := antlr.NewBaseParserRuleContext(p.GetParserRuleContext(), p.GetState())
	ctx.RuleIndex = rule
	p.EnterRule(ctx, state, rule)
	return ctx
}

// ExitRule ends the innermost rule.
func (p *PTXBase) ExitRule() {
	if !p.fast {
		p.BaseParser.ExitRule()
		return
	}
	n := len(p.rules) - 1
	rule := int(p.rules[n])
	p.rules = p.rules[:n]
	p.events.Exit(rule, p.stream.pos)
}

// The generated code calls these methods where the tool writes their bodies out (see generate.sh).

// lacks consumes a token of kind t in a state of the grammar, and reports a syntax error.
func (p *PTXParser) lacks(state, t int) bool {
	if p.fast && p.stream.next == t {
		p.stream.Consume()
		return false
	}
	return p.mismatches(state, t)
}

func (p *PTXParser) mismatches(state, t int) bool {
	p.SetState(state)
	p.Match(t)
	return p.HasError()
}

// strays enters a state in which the next token decides, and reports a syntax error.
func (p *PTXParser) strays(state int) bool { return !p.fast && p.unsynced(state) }

func (p *PTXParser) unsynced(state int) bool {
	p.SetState(state)
	p.GetErrorHandler().Sync(p)
	return p.HasError()
}

// take consumes the current token, if it is one of those expected.
func (p *PTXParser) take(expected bool) {
	if !expected {
		p.GetErrorHandler().RecoverInline(p)
		return
	}
	p.GetErrorHandler().ReportMatch(p)
	p.Consume()
}

// leave ends a rule, and reports a syntax error in it.
func (p *PTXParser) leave(ctx antlr.ParserRuleContext) antlr.ParserRuleContext {
	if p.HasError() {
		err := p.GetError()
		ctx.SetException(err)
		p.GetErrorHandler().ReportError(p, err)
		p.GetErrorHandler().Recover(p, err)
		p.SetError(nil)
	}
	p.ExitRule()
	return ctx
}

// strategy is the error strategy that the generated code sees. In fast mode (it has
// the stream then) there is no recovery; the runtime's BailErrorStrategy 4.13.1 does
// not bail. In slow mode it forwards.
type strategy struct {
	antlr.ErrorStrategy
	stream *Stream
}

func (s *strategy) Sync(p antlr.Parser) {
	if s.stream == nil {
		s.ErrorStrategy.Sync(p)
	}
}

func (s *strategy) ReportMatch(p antlr.Parser) {
	if s.stream == nil {
		s.ErrorStrategy.ReportMatch(p)
	}
}

func (s *strategy) RecoverInline(p antlr.Parser) antlr.Token {
	s.fail()
	return s.ErrorStrategy.RecoverInline(p)
}

func (s *strategy) Recover(p antlr.Parser, e antlr.RecognitionException) {
	s.fail()
	s.ErrorStrategy.Recover(p, e)
}

func (s *strategy) ReportError(p antlr.Parser, e antlr.RecognitionException) {
	s.fail()
	s.ErrorStrategy.ReportError(p, e)
}

// fail ends a parse in fast mode.
func (s *strategy) fail() {
	if s.stream != nil {
		panic(SyntaxError{s.stream.pos})
	}
}

// The automata of the grammars in the tool's serialized form, each a list of numbers.
var (
	//go:embed PTXLexer.json
	lexerATN []byte
	//go:embed PTXParser.json
	parserATN []byte
)

// numbers returns the list of numbers of an automaton.
func numbers(text []byte) (list []int32) {
	if err := json.Unmarshal(text, &list); err != nil {
		panic("BUG: antlrgen: " + err.Error())
	}
	return list
}

// LexerATN is the lexer grammar in the tool's serialized form, for internal/lexgen.
func LexerATN() []int32 {
	PTXLexerInit()
	return PTXLexerLexerStaticData.serializedATN
}
