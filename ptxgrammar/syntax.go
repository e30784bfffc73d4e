// Diagnosis of syntax errors: one message with what was expected.

package ptxgrammar

import (
	"fmt"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
)

// diagnose parses again from the first token of the item in error, in slow mode, and returns one message per statement
// in error.
func diagnose(f *File, toks []Tok, item int) ErrorList {
	d := &diagnoser{DefaultErrorStrategy: antlr.NewDefaultErrorStrategy(), file: f, toks: toks[item:], ended: -1}
	d.p = antlrgen.NewSlowParser(f.Src, d.toks, d)
	d.run()
	if len(d.errs) == 0 {
		panic("BUG: the slow parser accepts what the fast parser refused")
	}
	d.errs.Sort()
	return d.errs
}

// diagnoser is the error strategy of the slow mode. After a message it suppresses further ones until the parser is back
// at the start of a statement or top-level item: nested rules fail one after another, and only the first failure is
// informative.
//
// It embeds the runtime's strategy only for an unexported method.
type diagnoser struct {
	*antlr.DefaultErrorStrategy
	p     *antlrgen.PTXParser
	file  *File
	toks  []Tok
	errs  ErrorList
	quiet bool
	ended int // token before which a statement without ';' has ended, -1 for none
}

// enough ends a parse that has produced maxErrors messages.
type enough struct{}

func (d *diagnoser) run() {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(enough); !ok {
				panic(e)
			}
		}
	}()
	d.p.Module()
}

// report records a message at a byte offset, unless messages are suppressed.
func (d *diagnoser) report(off uint32, format string, args ...any) {
	if d.quiet {
		return
	}
	d.quiet = true
	d.errs = append(d.errs, &Error{Pos: d.file.Position(off), Msg: fmt.Sprintf(format, args...)})
	if len(d.errs) == maxErrors {
		d.errs = append(d.errs, &Error{Pos: d.file.Position(off), Msg: "too many errors"})
		panic(enough{})
	}
}

func (d *diagnoser) pos() int          { return d.p.GetTokenStream().Index() }
func (d *diagnoser) kind() uint8       { return d.toks[d.pos()].Kind() }
func (d *diagnoser) text(t Tok) string { return string(d.file.Src[t.Off:t.End()]) }

// unexpected reports the current token and the expected tokens.
func (d *diagnoser) unexpected() {
	if d.quiet {
		return
	}
	t := d.toks[d.pos()]
	want := d.p.Expected()
	switch {
	case t.Kind() == tokOPENSTRING:
		d.report(t.Off, "the string is not closed")
	case t.Kind() == tokOPENCOMMENT:
		d.report(t.Off, "the comment is not closed")
	case t.Kind() == tokOPENSOURCE:
		d.report(t.Off, "the source text is not closed")
	case d.kernelResult():
		d.report(t.Off, `unexpected "(" after .entry, expected the kernel's name: a kernel returns no value`)
	case contains(want, tokSEMI) && !contains(want, tokAT) && d.startsLine():
		d.missingSemicolon(d.pos())
	case d.endedBefore() > 0:
		d.missingSemicolon(d.endedBefore())
	default:
		words := expected(want)
		if words != "" {
			words = ", expected " + words
		}
		d.report(t.Off, "unexpected %s%s", d.describe(t), words)
	}
}

// kernelResult reports whether the current token begins a list of results before a kernel's name, as compilers write it
// for a kernel that is declared with a result: .entry has none (PTX ISA, "Kernel and Function Directives: .entry").
func (d *diagnoser) kernelResult() bool {
	at := d.pos()
	if at == 0 || d.toks[at].Kind() != tokLPAREN || d.toks[at-1].Kind() != tokENTRY {
		return false
	}
	for at < len(d.toks)-1 && d.toks[at].Kind() != tokRPAREN && d.toks[at].Kind() != tokLBRACE {
		at++
	}
	return d.toks[at].Kind() == tokRPAREN && at+1 < len(d.toks) && d.toks[at+1].Kind() == tokID
}

// missingSemicolon reports a missing ';' of the statement before token next.
func (d *diagnoser) missingSemicolon(next int) {
	prev := d.toks[next-1]
	d.report(prev.End(), "missing ';' after %s", quote(d.text(prev)))
	d.ended = next
}

// endedBefore finds a missing ';' that the parser has noticed late, because the next line continued like an operand. It
// returns the first token of the line in error if the instruction began on an earlier line and was complete there, else
// 0.
func (d *diagnoser) endedBefore() int {
	start := d.stmtStart()
	if start < 0 {
		return 0
	}
	opcode := start
	for k := d.toks[opcode].Kind(); k == tokAT || k == tokBANG; k = d.toks[opcode].Kind() {
		opcode++
	}
	if opcode > start {
		opcode++ // the guard's register
	}
	line := d.pos()
	for line > opcode && !d.lineBreak(line) {
		line--
	}
	if line <= opcode || line == d.pos() || d.open(opcode, line) {
		return 0
	}
	switch d.toks[line-1].Kind() {
	case tokID, tokDOTID, tokINT, tokFLOAT, tokHEXFLOAT, tokRBRACE, tokRBRACK, tokRPAREN:
		return line
	}
	return 0
}

// stmtStart returns the first token of the innermost statement, -1 outside of all.
func (d *diagnoser) stmtStart() int {
	for ctx := d.p.GetParserRuleContext(); ctx != nil; {
		if ctx.GetRuleIndex() == antlrgen.PTXParserRULE_stmt {
			return ctx.GetStart().GetTokenIndex()
		}
		ctx, _ = ctx.GetParent().(antlr.ParserRuleContext)
	}
	return -1
}

// open reports whether a bracket is open after the tokens [from, to).
func (d *diagnoser) open(from, to int) bool {
	n := 0
	for _, t := range d.toks[from:to] {
		switch t.Kind() {
		case tokLBRACE, tokLPAREN, tokLBRACK:
			n++
		case tokRBRACE, tokRPAREN, tokRBRACK:
			n--
		}
	}
	return n > 0
}

// describe describes a token for people.
func (d *diagnoser) describe(t Tok) string {
	switch t.Kind() {
	case tokEOF:
		return "end of file"
	case tokERRCHAR:
		r, n := utf8.DecodeRune(d.file.Src[t.Off:])
		if r < ' ' || r == utf8.RuneError && n < 2 {
			return fmt.Sprintf("byte 0x%02x", d.file.Src[t.Off])
		}
		return fmt.Sprintf("character %q", r)
	}
	return quote(d.text(t))
}

// contains reports whether a token kind is in a set.
func contains(set *antlr.IntervalSet, kind int) bool {
	for _, iv := range set.GetIntervals() {
		if iv.Start <= kind && kind < iv.Stop {
			return true
		}
	}
	return false
}
