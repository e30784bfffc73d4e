// The parser of the text form: C expressions over names that the caller resolves.

package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNesting limits how deep a text may nest.
const maxNesting = 200

// A Resolver returns the meaning of a name: an integer or a condition, the other being nil.
type Resolver func(name string) (*Int, *Bool, error)

// ParseInt parses an integer expression. A condition in it is 1 or 0. Errors are [SyntaxError].
func ParseInt(text string, resolve Resolver) (*Int, error) {
	v, err := parse(text, resolve)
	if err != nil {
		return nil, err
	}
	return v.int(), nil
}

// ParseBool parses a condition. An integer in its place is compared with 0. Errors are [SyntaxError].
func ParseBool(text string, resolve Resolver) (*Bool, error) {
	v, err := parse(text, resolve)
	if err != nil {
		return nil, err
	}
	return v.bool(), nil
}

// parse parses a whole text.
func parse(text string, resolve Resolver) (value, error) {
	tokens, err := scan(text)
	if err != nil {
		return value{}, err
	}
	p := &parser{tokens: tokens, resolve: resolve}
	v, err := p.choice()
	if err == nil && p.peek().text != "" {
		err = p.unexpected("an operator or the end")
	}
	return v, err
}

// A value is the meaning of a part of a text: an integer or a condition.
type value struct {
	i *Int
	b *Bool
}

// int returns the value as an integer.
func (v value) int() *Int {
	if v.i == nil {
		return Ite(v.b, one, zero)
	}
	return v.i
}

// bool returns the value as a condition.
func (v value) bool() *Bool {
	if v.b == nil {
		return Ne(v.i, zero)
	}
	return v.b
}

// odd returns whether the lowest bit of the value is 1.
func (v value) odd() *Bool {
	if v.b == nil {
		return Ne(And(v.i, one), zero)
	}
	return v.b
}

// A parser parses tokens.
type parser struct {
	tokens  []token
	resolve Resolver
	depth   int
}

// peek returns the next token.
func (p *parser) peek() token { return p.tokens[0] }

// accept skips the next token if it is an operator.
func (p *parser) accept(op string) bool {
	if p.peek().text != op || op == "" {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

// expect skips an operator that must be next.
func (p *parser) expect(op string) error {
	if !p.accept(op) {
		return p.unexpected(fmt.Sprintf("%q", op))
	}
	return nil
}

// unexpected returns the error of a token that is not what was expected.
func (p *parser) unexpected(expected string) error {
	t := p.peek()
	return &SyntaxError{t.column, fmt.Sprintf("unexpected %s; expected %s", t, expected)}
}

// choice parses c ? x : y, or an expression of higher precedence.
func (p *parser) choice() (value, error) {
	if p.depth++; p.depth > maxNesting {
		return value{}, &SyntaxError{p.peek().column, fmt.Sprintf("the expression nests deeper than %d levels",
			maxNesting)}
	}
	defer func() { p.depth-- }()
	c, err := p.level(0)
	if err != nil || !p.accept("?") {
		return c, err
	}
	x, err := p.choice()
	if err != nil {
		return value{}, err
	}
	if err = p.expect(":"); err != nil {
		return value{}, err
	}
	y, err := p.choice()
	if err != nil {
		return value{}, err
	}
	if x.b != nil && y.b != nil {
		return value{b: Any(All(c.bool(), x.b), All(Not(c.bool()), y.b))}, nil
	}
	return value{i: Ite(c.bool(), x.int(), y.int())}, nil
}

// level parses operands of operators with a precedence of at least n.
func (p *parser) level(n int) (value, error) {
	x, err := p.unary()
	for err == nil {
		o, found := Operators[p.peek().text]
		if !found || o.Level < n {
			break
		}
		p.accept(p.peek().text)
		var y value
		if y, err = p.level(o.Level + 1); err == nil {
			x = o.apply(x, y)
		}
	}
	return x, err
}

// operator skips the next token if it is one of some operators.
func (p *parser) operator(ops []string) (string, bool) {
	for _, op := range ops {
		if p.accept(op) {
			return op, true
		}
	}
	return "", false
}

// unary parses an operand with the operators before it.
func (p *parser) unary() (value, error) {
	op, found := p.operator([]string{"-", "+", "!", "~"})
	if !found {
		return p.operand()
	}
	if p.depth++; p.depth > maxNesting {
		return value{}, &SyntaxError{p.peek().column, fmt.Sprintf("the expression nests deeper than %d levels",
			maxNesting)}
	}
	defer func() { p.depth-- }()
	x, err := p.unary()
	if err != nil {
		return value{}, err
	}
	switch op {
	case "-":
		x = value{i: Neg(x.int())}
	case "+":
		x = value{i: x.int()}
	case "!":
		x = value{b: Not(x.bool())}
	case "~":
		x = value{i: Complement(x.int())}
	}
	return x, nil
}

// operand parses a number, a name, a call, or a parenthesis.
func (p *parser) operand() (value, error) {
	t := p.peek()
	switch {
	case t.k != nil:
		p.tokens = p.tokens[1:]
		return value{i: Big(t.k)}, nil
	case t.name:
		p.tokens = p.tokens[1:]
		if p.accept("(") {
			return p.call(t)
		}
		return p.named(t)
	case p.accept("("):
		x, err := p.choice()
		if err != nil {
			return value{}, err
		}
		return x, p.expect(")")
	}
	return value{}, p.unexpected("an operand")
}

// named returns the meaning of a name.
func (p *parser) named(t token) (value, error) {
	switch t.text {
	case "true", "false":
		return value{b: Truth(t.text == "true")}, nil
	}
	i, b, err := p.resolve(t.text)
	if err != nil {
		return value{}, &SyntaxError{t.column, err.Error()}
	}
	return value{i: i, b: b}, nil
}

// call parses the arguments of a function after its parenthesis.
func (p *parser) call(t token) (value, error) {
	var args []value
	for !p.accept(")") {
		if len(args) > 0 {
			if err := p.expect(","); err != nil {
				return value{}, err
			}
		}
		x, err := p.choice()
		if err != nil {
			return value{}, err
		}
		args = append(args, x)
	}
	want, f := function(t.text)
	if f == nil {
		return value{}, &SyntaxError{
			t.column,
			fmt.Sprintf("unknown function %q; expected min, max, u1 to u64, s1 to s64, len1 to len64, ones1 to ones64 or flip1 to flip64", t.text),
		}
	}
	if len(args) != want {
		return value{}, &SyntaxError{t.column, fmt.Sprintf("%s has %d arguments; expected %d", t.text, len(args), want)}
	}
	return f(args), nil
}

// function returns the number of arguments of a function, and its meaning; nil for an unknown name.
func function(name string) (int, func(args []value) value) {
	switch name {
	case "min", "max":
		return 2, func(args []value) value {
			if name == "min" {
				return value{i: Min(args[0].int(), args[1].int())}
			}
			return value{i: Max(args[0].int(), args[1].int())}
		}
	case "unknown":
		return 0, func([]value) value { return value{i: unknown} }
	case "maybe":
		return 0, func([]value) value { return value{b: maybe} }
	}
	for op, prefix := range countNames {
		bits, err := strconv.Atoi(strings.TrimPrefix(name, prefix))
		if strings.HasPrefix(name, prefix) && err == nil && bits >= 1 && bits <= 64 && name[len(prefix)] != '+' {
			return 1, func(args []value) value { return value{i: counted(op, args[0].int(), bits)} }
		}
	}
	bits, err := strconv.Atoi(name[1:])
	if err != nil || bits < 1 || bits > 64 || name[1] == '+' || name[0] != 'u' && name[0] != 's' {
		return 0, nil
	}
	return 1, func(args []value) value { return value{i: Wrap(args[0].int(), bits, name[0] == 's')} }
}
