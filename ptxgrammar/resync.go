// Recovery of the parser after a syntax error.

package ptxgrammar

import (
	"bytes"

	"github.com/antlr4-go/antlr/v4"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
)

// The recovery part of diagnoser: where to continue after an error, so that one mistake gives one message.

// Sync is called before every decision. At the head of the statement and item loops, it enables messages again and
// skips tokens that begin neither. Among the modifiers of an instruction, it ends the instruction before a directive at
// the start of a line.
func (d *diagnoser) Sync(antlr.Parser) {
	switch d.p.GetParserRuleContext().GetRuleIndex() {
	case antlrgen.PTXParserRULE_stmt:
		if isDirective(d.kind()) && d.pos() > 0 && d.lineBreak(d.pos()) && d.amongModifiers() {
			d.missingSemicolon(d.pos())
			d.p.SetError(antlr.NewInputMisMatchException(d.p))
		}
	case antlrgen.PTXParserRULE_block:
		if k := d.kind(); k == tokRBRACE || k == tokEOF || beginsItem(k) {
			return
		}
		for !d.starts() {
			d.unexpected()
			if d.skipStatement(d.pos()); d.kind() == tokRBRACE || d.kind() == tokEOF || beginsItem(d.kind()) {
				return
			}
			d.quiet = false
		}
		d.quiet = false
	case antlrgen.PTXParserRULE_module:
		if d.quiet && d.abandoned() {
			d.skipItem(d.pos())
		}
		for d.kind() != tokEOF && !d.starts() {
			d.unexpected()
			d.skipToItem()
		}
		d.quiet = false
	}
}

// amongModifiers reports whether the current token follows an opcode and its modifiers.
func (d *diagnoser) amongModifiers() bool {
	at, start := d.pos(), d.p.GetParserRuleContext().GetStart().GetTokenIndex()
	if k := d.toks[start].Kind(); at == start || k != tokID && k != tokAT {
		return false
	}
	for at--; at > start && isModifier(d.toks[at].Kind()); {
		at--
	}
	return d.toks[at].Kind() == tokID && (at == start || d.toks[at-1].Kind() == tokID)
}

// abandoned reports whether the item before the current token was abandoned: a function header with an error in its
// parameter list looks complete to the grammar.
func (d *diagnoser) abandoned() bool {
	at := d.pos()
	if at == 0 || d.ended == at {
		return false
	}
	k := d.toks[at-1].Kind()
	return k != tokSEMI && k != tokRBRACE && d.kind() != tokEOF
}

// starts reports whether the grammar accepts the current token here.
func (d *diagnoser) starts() bool { return contains(d.p.GetExpectedTokens(), int(d.kind())) }

// beginsItem reports whether a token inside a function body shows that the body's closing brace is missing.
func beginsItem(kind uint8) bool {
	switch kind {
	case tokENTRY, tokFUNC, tokVISIBLE, tokVERSION, tokTARGET, tokADDRESSSIZE:
		return true
	}
	return false
}

// RecoverInline is called when the current token is not the required one. It assumes a missing ';' and a missing
// closing brace.
func (d *diagnoser) RecoverInline(antlr.Parser) antlr.Token {
	want := d.p.GetExpectedTokens()
	switch {
	case contains(want, tokSEMI) && d.startsLine():
		d.unexpected()
		return d.p.GetCurrentToken()
	case contains(want, tokRBRACE) && (d.kind() == tokEOF || beginsItem(d.kind())):
		d.unclosed()
		d.ended = d.pos()
		return d.p.GetCurrentToken()
	}
	d.p.SetError(antlr.NewInputMisMatchException(d.p))
	return nil
}

// unclosed reports a missing closing brace at the current token.
func (d *diagnoser) unclosed() {
	t, begin := d.toks[d.pos()], d.p.GetParserRuleContext().GetStart()
	line := d.file.Line(uint32(begin.GetStart()))
	d.report(t.Off, "unexpected %s, expected '}' to close what begins in line %d", d.describe(t), line)
}

// startsLine reports whether the current token is the first of its line, or ends a
// block or the file.
func (d *diagnoser) startsLine() bool {
	k := d.kind()
	return k == tokRBRACE || k == tokEOF || d.lineBreak(d.pos())
}

// lineBreak reports whether a line ends before a token.
func (d *diagnoser) lineBreak(at int) bool {
	return bytes.IndexByte(d.file.Src[d.toks[at-1].End():d.toks[at].Off], '\n') >= 0
}

// ReportError is called when a rule fails.
func (d *diagnoser) ReportError(antlr.Parser, antlr.RecognitionException) { d.unexpected() }

// Recover is called when a rule has failed. Rules inside a statement or item leave the recovery to that.
func (d *diagnoser) Recover(antlr.Parser, antlr.RecognitionException) {
	ctx := d.p.GetParserRuleContext()
	from := ctx.GetStart().GetTokenIndex()
	switch ctx.GetRuleIndex() {
	case antlrgen.PTXParserRULE_stmt:
		if d.ended > from {
			d.p.GetTokenStream().Seek(d.ended)
			return
		}
		d.skipStatement(from)
	case antlrgen.PTXParserRULE_function, antlrgen.PTXParserRULE_item:
		if d.ended != d.pos() {
			d.skipItem(from)
		}
	}
}

// ReportMatch and InErrorRecoveryMode complete antlr.ErrorStrategy.
func (d *diagnoser) ReportMatch(antlr.Parser)              {}
func (d *diagnoser) InErrorRecoveryMode(antlr.Parser) bool { return d.quiet }

// depth returns the number of open braces at the current token, counted from a token.
func (d *diagnoser) depth(from int) int {
	n := 0
	for _, t := range d.toks[from:max(from, d.pos())] {
		switch t.Kind() {
		case tokLBRACE:
			n++
		case tokRBRACE:
			n--
		}
	}
	return n
}

// skipStatement skips the rest of the statement that begins at from: up to and including its ';', or up to the brace
// that closes the enclosing block.
func (d *diagnoser) skipStatement(from int) {
	depth := d.depth(from)
	for {
		switch k := d.kind(); {
		case k == tokEOF || beginsItem(k):
			return
		case k == tokSEMI:
			d.p.Consume()
			return
		case k == tokLBRACE:
			depth++
		case k == tokRBRACE:
			if depth--; depth < 0 {
				return
			}
		}
		d.p.Consume()
	}
}

// skipItem skips the rest of the top-level item that begins at from: up to its ';' or closing brace, or up to a token
// that can only begin another item.
func (d *diagnoser) skipItem(from int) {
	depth := d.depth(from)
	for first := d.pos() == from; ; first = false {
		switch k := d.kind(); {
		case k == tokEOF || beginsItem(k) && !first:
			return
		case k == tokSEMI && depth <= 0:
			d.p.Consume()
			return
		case k == tokLBRACE:
			depth++
		case k == tokRBRACE:
			if depth--; depth <= 0 {
				d.p.Consume()
				return
			}
		}
		d.p.Consume()
	}
}

// skipToItem skips tokens that begin no top-level item, most often the rest of a function body after a superfluous
// brace: up to a token that begins an item and is no modifier of an instruction or part of a body's declarations.
func (d *diagnoser) skipToItem() {
	for {
		d.p.Consume()
		switch k := d.kind(); k {
		case tokEOF:
			return
		case tokEXTERN, tokWEAK, tokCOMMON, tokGLOBAL, tokCONST, tokSECTION, tokALIAS, tokFILE:
			if d.toks[d.pos()].Off > d.toks[d.pos()-1].End() {
				return
			}
		default:
			if beginsItem(k) {
				return
			}
		}
	}
}
