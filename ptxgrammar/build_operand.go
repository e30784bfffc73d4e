// Building operands and constant expressions.

package ptxgrammar

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
)

// operators lists operators by code: Operand.op is an index.
var operators = [...]string{
	"", "=", "?", "||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+",
	"-", "*", "/", "%", "!", "~",
}

// binding is the precedence of a binary operator, by code (PTX ISA "Constant Expressions", table of operator
// precedence); 0 for other operators.
var binding = [len(operators)]int{
	1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 8, 10: 9, 11: 9, 12: 9, 13: 9, 14: 10, 15: 10, 16: 11, 17: 11,
	18: 12, 19: 12, 20: 12,
}

const (
	opConditional = 2 // "?" in operators
	opMinus       = 17
)

// operatorCode returns the code of a token, 0 when it is no operator.
func (b *builder) operatorCode(tok uint32) uint8 {
	switch b.kind(tok) {
	case tokPLUS, tokMINUS, tokPIPE, tokLT, tokGT, tokOP, tokASSIGN, tokQUESTION, tokBANG, tokTILDE:
		s := b.text(tok)
		for i, op := range operators {
			if op == s {
				return uint8(i)
			}
		}
	}
	return 0
}

// continues reports whether the operand that begins at tok is part of the operator chain of the enclosing rule: the
// grammar nests chains to the right, and the tree does not.
func (b *builder) continues(tok int) bool {
	switch b.rules[len(b.rules)-1].rule {
	case antlrgen.PTXParserRULE_operand, antlrgen.PTXParserRULE_paren, antlrgen.PTXParserRULE_braces:
	default:
		return false
	}
	switch b.kind(uint32(tok) - 1) {
	case tokLBRACE, tokLPAREN, tokLBRACK, tokCOMMA:
		return false
	}
	return true
}

// operand handles the end of an operand that is not part of a larger chain.
func (b *builder) operand(f frame, end uint32) {
	c := chain{b: b, at: f.tok, end: end, nested: f.roots, base: f.roots}
	inStmt := b.rules[len(b.rules)-1].rule == antlrgen.PTXParserRULE_stmt
	var o Operand
	switch {
	case end == f.tok+1:
		o = c.primary()
	case inStmt && b.kind(f.tok) == tokLPAREN && c.closing() == end:
		o = c.list()
	default:
		o = c.expr(0)
	}
	b.roots = push(b.roots[:f.roots], root{o, f.tok, end})
}

// braces handles the end of a vector or initialiser list.
func (b *builder) braces(f frame, end uint32) {
	c := chain{b: b, at: f.tok + 1, end: end - 1, nested: f.roots, base: f.roots}
	if n := b.flat(c.at, c.end); n > 0 {
		first := uint32(len(b.m.Operands))
		b.m.Operands = slices.Grow(b.m.Operands, n)
		for ; c.at < c.end; c.at++ {
			b.m.Operands = append(b.m.Operands, c.primary())
		}
		b.roots = push(b.roots, root{
			Operand{Kind: OperandVector, tok: f.tok, end: end, first: first, n: uint32(n)},
			f.tok, end,
		})
		return
	}
	before := len(b.roots)
	for c.at < c.end {
		o := c.expr(0)
		b.roots = push(b.roots, root{Operand: o})
		if c.at < c.end {
			c.at++ // the comma
		}
	}
	first, n := b.adopt(uint32(before))
	o := Operand{Kind: OperandVector, tok: f.tok, end: end, first: first, n: n}
	b.roots = push(b.roots[:f.roots], root{o, f.tok, end})
}

// flat returns the number of elements in a token range if each is one token, else 0. Large tables are flat: their
// elements are added directly.
func (b *builder) flat(from, end uint32) int {
	for at := from; at < end; at += 2 {
		if !isAtom(b.kind(at)) || at+1 < end && b.kind(at+1) != tokCOMMA {
			return 0
		}
	}
	return int(end-from+1) / 2
}

// chain resolves the operators of a token range. Bracketed parts are finished already, and are taken, in order, from
// the roots of the builder.
type chain struct {
	b       *builder
	at, end uint32
	base    uint32 // first of the roots inside this range
	nested  uint32 // next root to take
}

// expr parses an expression with operators of at least the precedence least.
func (c *chain) expr(least int) Operand {
	from := c.at
	left := c.unary()
	for c.at < c.end {
		op := c.b.operatorCode(c.at)
		prec := binding[op]
		if prec == 0 || prec < least {
			break
		}
		c.at++
		if op == opConditional {
			left = c.conditional(left, from, prec)
			continue
		}
		right := c.expr(prec + 1)
		left = c.node(Operand{Kind: OperandBinary, op: op, tok: from}, left, right)
	}
	return left
}

// conditional parses the rest of a ? b : c, which associates to the right.
func (c *chain) conditional(cond Operand, from uint32, prec int) Operand {
	yes := c.expr(prec)
	c.at++ // the colon
	no := c.expr(prec)
	return c.node(Operand{Kind: OperandCond, op: opConditional, tok: from}, cond, yes, no)
}

// node sets the children and the end of an operand.
func (c *chain) node(o Operand, children ...Operand) Operand {
	m := c.b.m
	o.end, o.first, o.n = c.at, uint32(len(m.Operands)), uint32(len(children))
	for i := range children {
		m.Operands = push(m.Operands, children[i])
	}
	return o
}

func (c *chain) unary() Operand {
	tok := c.at
	switch c.b.kind(tok) {
	case tokMINUS, tokPLUS, tokBANG, tokTILDE:
		c.at++
		child := c.unary()
		return c.node(Operand{Kind: OperandUnary, op: c.b.operatorCode(tok), tok: tok}, child)
	case tokLPAREN:
		if c.b.kind(tok+1) == tokDOTID {
			c.at += 3
			child := c.unary()
			return c.node(Operand{Kind: OperandCast, tok: tok}, child)
		}
		return c.parenthesised()
	}
	return c.primary()
}

// take returns the next finished part.
func (c *chain) take() root {
	r := c.b.roots[c.nested]
	c.nested++
	c.at = r.to
	return r
}

// parenthesised parses (expression).
func (c *chain) parenthesised() Operand {
	open := c.at
	c.at++
	if c.b.kind(c.at) == tokRPAREN {
		c.at++
		c.b.errorf(open, "empty parentheses, expected an expression")
		return Operand{Kind: OperandList, tok: open, end: c.at}
	}
	o := c.take().Operand
	for c.b.kind(c.at) == tokCOMMA {
		c.b.errorf(c.at, `unexpected ",", expected ')': only call takes lists in parentheses`)
		c.at++
		c.take()
	}
	c.at++
	return o
}

// closing returns the token after the parenthesis that closes the one at c.at, 0 when the
// parenthesis opens a cast.
func (c *chain) closing() uint32 {
	if c.b.kind(c.at+1) == tokDOTID {
		return 0
	}
	at := c.at + 1
	for i := c.nested; c.b.kind(at) != tokRPAREN; {
		if c.b.kind(at) == tokCOMMA {
			at++
			continue
		}
		at = c.b.roots[i].to
		i++
	}
	return at + 1
}

// list parses (a, b) or [a, b]: all finished parts up to the closing bracket.
func (c *chain) list() Operand {
	o := Operand{Kind: OperandList, tok: c.at}
	if c.b.kind(c.at) == tokLBRACK {
		o.Kind = OperandAddr
	}
	c.at++
	m := c.b.m
	for {
		switch c.b.kind(c.at) {
		case tokRPAREN, tokRBRACK:
			c.at++
			if o.Kind == OperandAddr && c.at < c.end && c.b.kind(c.at) == tokDOTID {
				c.at++ // .unified
			}
			o.end = c.at
			return o
		case tokCOMMA:
			c.at++
		default:
			if o.n == 0 {
				o.first = uint32(len(m.Operands))
			}
			m.Operands = push(m.Operands, c.take().Operand)
			o.n++
		}
	}
}

func (c *chain) primary() Operand {
	b, tok := c.b, c.at
	switch b.kind(tok) {
	case tokLBRACE:
		return c.take().Operand
	case tokLBRACK:
		return c.list()
	case tokSTRING:
		c.at++
		return Operand{Kind: OperandString, tok: tok, end: c.at}
	case tokFLOAT, tokHEXFLOAT:
		c.at++
		v, single := b.float(tok)
		return Operand{Kind: OperandFloat, Single: single, Value: v, tok: tok, end: c.at}
	case tokINT:
		c.at++
		o := Operand{Kind: OperandInt, Value: b.integer(tok), tok: tok, end: c.at}
		return c.suffix(o)
	}
	c.at++
	for c.at < c.end && b.kind(c.at) == tokDOTID {
		c.at++
	}
	return c.suffix(Operand{Kind: OperandName, tok: tok, end: c.at})
}

// suffix parses the argument of generic(x) and 0xff(x), or the index of array[x], if there is one.
func (c *chain) suffix(o Operand) Operand {
	if c.at >= c.end {
		return o
	}
	open := c.b.kind(c.at)
	if open != tokLPAREN && open != tokLBRACK {
		return o
	}
	c.at++
	arg := c.take().Operand
	c.at++
	if open == tokLBRACK {
		return c.node(Operand{Kind: OperandIndex, tok: o.tok}, o, arg)
	}
	o.Kind = OperandCall
	return c.node(o, arg)
}

// integer returns the value of an INT token (PTX ISA "Integer Constants").
func (b *builder) integer(tok uint32) uint64 {
	s := b.text(tok)
	if n := len(s); s[n-1] == 'U' {
		s = s[:n-1]
	}
	base := 10
	switch {
	case len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'b':
		s, base = s[2:], 2
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	v, err := strconv.ParseUint(s, base, 64)
	if err == nil {
		return v
	}
	if base == 8 && errors.Is(err, strconv.ErrSyntax) {
		b.errorf(tok, "%s: a number that begins with 0 is octal", b.show(tok))
	} else {
		b.errorf(tok, "%s does not fit 64 bits", b.show(tok))
	}
	return 0
}

// float returns the value of a FLOAT or HEXFLOAT token (PTX ISA "Floating-Point
// Constants"): the bits of a float64, or of a float32 when single.
func (b *builder) float(tok uint32) (bits uint64, single bool) {
	s := b.text(tok)
	if b.kind(tok) == tokHEXFLOAT {
		digits := 16
		if single = s[1]|0x20 == 'f'; single {
			digits = 8
		}
		v, err := strconv.ParseUint(s[2:], 16, 64)
		if err != nil || len(s) != digits+2 {
			b.errorf(tok, "%s must have %d hexadecimal digits after %q", b.show(tok), digits, s[:2])
		}
		return v, single
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		b.errorf(tok, "%s is out of range for double precision", b.show(tok))
	}
	return math.Float64bits(v), false
}
