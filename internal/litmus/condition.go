// Conditions on final states: parsed, written and evaluated.

package litmus

import (
	"slices"
	"strings"
)

// Quantifier is how a condition speaks of the final states.
type Quantifier uint8

// The quantifiers.
const (
	Exists    Quantifier = iota // some final state satisfies it
	NotExists                   // no final state does
	Forall                      // all do
)

func (q Quantifier) String() string { return []string{"exists", "~exists", "forall"}[q] }

// Condition is a condition on the final states. A state that does not satisfy the filter does not count.
type Condition struct {
	Quantifier Quantifier
	Text       string // of what follows the quantifier
	expr       expr
	filter     expr // nil if there is none
}

// Variable is a register of a thread, or a location if Thread is empty.
type Variable struct{ Thread, Name string }

func (v Variable) String() string {
	if v.Thread == "" {
		return v.Name
	}
	return v.Thread + ":" + v.Name
}

// State holds the final values of variables, which are 0 where it has none.
type State map[Variable]int64

// Counts reports whether a state satisfies the filter.
func (c *Condition) Counts(s State) bool { return c.filter == nil || c.filter.eval(s) != 0 }

// Satisfied reports whether a state satisfies the condition.
func (c *Condition) Satisfied(s State) bool { return c.expr.eval(s) != 0 }

// Holds reports whether the condition holds for a test with the given final states.
func (c *Condition) Holds(states []State) bool {
	some, all := false, true
	for _, s := range states {
		if c.Counts(s) {
			ok := c.Satisfied(s)
			some, all = some || ok, all && ok
		}
	}
	switch c.Quantifier {
	case Exists:
		return some
	case NotExists:
		return !some
	default:
		return all
	}
}

// expr is a condition, or a part of one.
type expr interface {
	eval(State) int64
}

type number int64

func (n number) eval(State) int64 { return int64(n) }

func (v Variable) eval(s State) int64 { return s[v] }

type operation struct {
	op   string
	a, b expr // b is nil for ~
}

func (o operation) eval(s State) int64 {
	a := o.a.eval(s)
	if o.op == "~" {
		return truth(a == 0)
	}
	b := o.b.eval(s)
	switch o.op {
	case "/\\":
		return truth(a != 0 && b != 0)
	case "\\/":
		return truth(a != 0 || b != 0)
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	default:
		return truth(a >= b)
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// condition reads "filter (...) exists (...)".
func (p *parser) condition() {
	c := &p.test.Condition
	if p.is("locations") {
		for p.err == nil && !p.is("]") {
			if p.tok.text == "" {
				p.unexpected(`"]"`)
			}
			p.next()
		}
	}
	if p.is("filter") {
		c.filter = p.either()
	}
	switch {
	case p.is("exists"):
	case p.is("forall"):
		c.Quantifier = Forall
	case p.is("~"), p.is("not"):
		c.Quantifier = NotExists
		p.expect("exists")
	default:
		p.unexpected("a row of instructions, or exists, ~exists or forall")
		return
	}
	start := p.lex.at - len(p.tok.text)
	c.expr = p.either()
	if p.err == nil && p.tok.text != "" {
		p.unexpected("the end of the test")
		return
	}
	c.Text = strings.Join(strings.Fields(p.lex.text[start:]), " ")
}

// maxDepth is the number of parentheses and negations that may enclose a part of a condition.
const maxDepth = 64

func (p *parser) either() expr { return p.chain([]string{"\\/", "||"}, "\\/", p.both) }
func (p *parser) both() expr   { return p.chain([]string{"/\\", "&&"}, "/\\", p.unary) }

// chain reads operands with an operator between each two.
func (p *parser) chain(spellings []string, op string, operand func() expr) expr {
	e := operand()
	for p.err == nil && slices.Contains(spellings, p.tok.text) {
		p.next()
		e = operation{op, e, operand()}
	}
	return e
}

func (p *parser) unary() expr {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.fail(p.tok.pos, "more than %d parentheses and negations, one in the other", maxDepth)
		return number(0)
	}
	switch {
	case p.is("~"), p.is("not"):
		return operation{op: "~", a: p.unary()}
	case p.is("("):
		e := p.either()
		p.expect(")")
		return e
	case p.is("true"):
		return number(1)
	case p.is("false"):
		return number(0)
	}
	return p.comparison()
}

// comparisons are the operators of comparisons, with their other spellings.
var comparisons = map[string]string{
	"=": "==", "==": "==", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">",
	">=": ">=",
}

func (p *parser) comparison() expr {
	first := p.tok.pos
	a := p.atom()
	op := comparisons[p.tok.text]
	if op == "" {
		p.unexpected("a comparison such as ==")
		return number(0)
	}
	p.next()
	second := p.tok.pos
	b := p.atom()
	p.comparable(a, b, second)
	p.comparable(b, a, first)
	return operation{op, a, b}
}

// comparable refuses a constant that a variable never has: final values are signed numbers.
func (p *parser) comparable(variable, constant expr, pos Pos) {
	v, isVariable := variable.(Variable)
	n, isNumber := constant.(number)
	if p.err != nil || !isVariable || !isNumber {
		return
	}
	bits := p.test.registerBits()
	if v.Thread == "" {
		bits = 8 * p.loc[v.Name].Size
	}
	if least := int64(-1) << (bits - 1); int64(n) < least || int64(n) >= -least && bits < 64 {
		p.fail(pos, "%s is never %d: its final value is a signed number of %d bits, expected %d to %d", v, n, bits,
			least, -(least + 1))
	}
}

// atom reads a number, a register such as P0:r1 or 0:r1, or a location.
func (p *parser) atom() expr {
	first := p.tok
	if first.number() {
		n := p.integer("a number")
		if p.tok.text != ":" {
			return number(n)
		}
	} else {
		p.identifier("a register such as P0:r1, a location or a number")
	}
	if !p.is(":") {
		if p.err == nil && p.loc[first.text] == nil {
			p.fail(first.pos, `no location "%s"`, first.text)
		}
		if l := p.loc[first.text]; l != nil { // all names of a memory have one value
			return Variable{Name: l.Memory().Name}
		}
		return Variable{Name: first.text}
	}
	thread, reg := threadName(first.text), p.identifier("a register")
	switch {
	case p.err != nil:
	case p.used[thread] == nil:
		p.fail(first.pos, `no thread "%s"`, thread)
	case !p.used[thread][reg.text]:
		p.fail(reg.pos, `thread %s has no register "%s"`, thread, reg.text)
	}
	return Variable{thread, reg.text}
}
