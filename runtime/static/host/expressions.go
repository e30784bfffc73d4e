// The parser of expressions.

package host

import "github.com/ptxsan/ptxsan/runtime/static/expr"

func (p *parser) expression() *node {
	x := p.assignment()
	for x != nil && p.accept(",") {
		y := p.assignment()
		if y == nil {
			break
		}
		x = &node{kind: exBinary, op: ",", x: x, y: y, at: x.at, from: x.from, to: p.pos}
	}
	return x
}

var assignments = map[string]bool{"=": true, "+=": true, "-=": true, "*=": true, "/=": true, "%=": true, "&=": true, "|=": true, "^=": true, "<<=": true, ">>=": true}

// assignment parses an expression without commas; nil if there is none.
func (p *parser) assignment() *node {
	if p.depth >= maxNesting {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	x := p.conditional()
	if t := p.peek(); x != nil && t.kind == tokPunct && assignments[t.text] {
		p.pos++
		y := p.assignment()
		return &node{kind: exAssign, op: t.text, x: x, y: y, at: x.at, from: x.from, to: p.pos}
	}
	return x
}

func (p *parser) conditional() *node {
	if p.depth >= maxNesting {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	x := p.binary(0)
	if x == nil || !p.accept("?") {
		return x
	}
	y := p.expression()
	p.accept(":")
	z := p.assignment()
	return &node{kind: exChoice, x: x, y: y, z: z, at: x.at, from: x.from, to: p.pos}
}

// binary parses operands of binary operators with a level of [expr.Operators] of at least level.
func (p *parser) binary(level int) *node {
	x := p.unary()
	for x != nil {
		op := p.peek().text
		o, ok := expr.Operators[op]
		if !ok || o.Level < level || !p.peek().is(op) {
			break
		}
		p.pos++
		y := p.binary(o.Level + 1)
		if y == nil {
			break
		}
		x = &node{kind: exBinary, op: op, x: x, y: y, at: x.at, from: x.from, to: p.pos}
	}
	return x
}

func (p *parser) unary() *node {
	if p.depth >= maxNesting {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	t := *p.peek()
	start := p.pos
	switch {
	case t.is("!"), t.is("-"), t.is("+"), t.is("~"), t.is("*"), t.is("&"), t.is("++"), t.is("--"):
		p.pos++
		x := p.unary()
		if x == nil {
			return nil
		}
		return &node{kind: exUnary, op: t.text, x: x, at: t, from: start, to: p.pos}
	case t.is("sizeof"):
		return p.sizeOf()
	case t.is("(") && p.isCast():
		p.pos++
		typ, _ := p.parseType()
		p.accept(")")
		x := p.unary()
		if x == nil {
			return nil
		}
		return &node{kind: exCast, typ: typ, x: x, at: t, from: start, to: p.pos}
	}
	return p.postfix()
}

// isCast reports whether the parenthesis at the position holds the type of a cast.
func (p *parser) isCast() bool {
	start := p.pos
	defer func() { p.pos = start }()
	last := p.closing(start)
	p.pos++
	first := p.peek().text
	t, ok := p.parseType()
	if !ok || p.pos != last {
		return false
	}
	next := &end
	if last+1 < len(p.ts) {
		next = &p.ts[last+1]
	}
	if t.ptr > 0 || numberWords[first] || typeWords[first] || p.knownType(t.name) {
		return next.kind == tokName || next.kind == tokNumber || next.kind == tokString || next.is("(") || next.is("-") || next.is("&") || next.is("*") || next.is("~") || next.is("!") || next.is("{")
	}
	return next.kind == tokName || next.kind == tokNumber || next.kind == tokString
}

func (p *parser) knownType(name string) bool {
	_, number := sizes[name]
	_, alias := p.aliases[name]
	return number || alias || p.structs[name] != nil
}

func (p *parser) sizeOf() *node {
	t := *p.peek()
	start := p.pos
	p.pos++
	n := &node{kind: exSize, at: t, from: start}
	if p.peek().is("(") {
		last := p.closing(p.pos)
		p.pos++
		inner := p.pos
		if typ, ok := p.parseType(); ok && p.pos == last && (typ.ptr > 0 || p.knownType(typ.name)) {
			n.kind, n.typ = exSizeType, typ
		} else {
			p.pos = inner
			n.x = p.expression()
		}
		p.pos = min(last+1, len(p.ts))
	} else {
		n.x = p.unary()
	}
	n.to = p.pos
	return n
}

// postfix parses a primary expression with calls, launches, indices and members.
func (p *parser) postfix() *node {
	x := p.primary()
	for x != nil {
		t := *p.peek()
		start := x.from
		switch {
		case t.is("<<<"):
			p.pos++
			l := &node{kind: exLaunch, x: x, at: x.at, from: start}
			for p.more() && !p.peek().is(">>>") && !p.peek().is(";") {
				a := p.launchOperand()
				if a == nil {
					break
				}
				l.config = append(l.config, a)
				p.accept(",")
			}
			p.accept(">>>")
			if p.peek().is("(") {
				l.args = p.list()
			}
			x = l
		case t.is("("):
			if x.kind == exName {
				p.noteCall(x.op)
			}
			x = &node{kind: exCall, x: x, args: p.list(), at: x.at, from: start}
		case t.is("["):
			last := p.closing(p.pos)
			p.pos++
			x = &node{kind: exIndex, x: x, y: p.expression(), at: x.at, from: start}
			p.pos = min(last+1, len(p.ts))
		case (t.is(".") || t.is("->")) && p.ahead(1).kind == tokName:
			x = &node{kind: exMember, op: p.ahead(1).text, x: x, at: x.at, from: start}
			p.pos += 2
		case t.is("++"), t.is("--"):
			p.pos++
			x = &node{kind: exPostfix, op: t.text, x: x, at: x.at, from: start}
		default:
			return x
		}
		x.to = p.pos
	}
	return nil
}

// launchOperand parses an operand of a launch configuration, which >>> ends.
func (p *parser) launchOperand() *node { return p.assignment() }

func (p *parser) noteCall(name string) {
	if p.calls != nil {
		p.calls[name] = true
	}
}

// list parses ( … ) or { … } with expressions.
func (p *parser) list() (args []*node) {
	last := p.closing(p.pos)
	p.pos++
	for p.pos < last {
		start := p.pos
		a := p.assignment()
		if a == nil || p.pos < last && !p.peek().is(",") { // not understood: skip to the comma
			a = &node{kind: exOpaque, at: *p.peek(), from: start}
			for p.pos < last && !p.peek().is(",") {
				if p.peek().is("(") || p.peek().is("{") || p.peek().is("[") {
					p.pos = p.closing(p.pos)
				}
				p.pos++
			}
			a.to = p.pos
		}
		args = append(args, a)
		p.accept(",")
		if p.pos == start {
			p.pos++
		}
	}
	p.pos = min(last+1, len(p.ts))
	return args
}

func (p *parser) primary() *node {
	t := *p.peek()
	start := p.pos
	n := &node{at: t, from: start}
	switch {
	case t.is("("):
		last := p.closing(p.pos)
		p.pos++
		x := p.expression()
		if x == nil || p.pos != last {
			x = &node{kind: exOpaque, at: t}
		}
		p.pos = min(last+1, len(p.ts))
		return x
	case t.is("{"):
		n.kind, n.args = exList, p.list()
	case t.is("["): // a lambda
		n.kind = exOpaque
		p.pos = p.closing(p.pos) + 1
		if p.peek().is("(") {
			p.pos = p.closing(p.pos) + 1
		}
		if p.peek().is("{") {
			p.pos = p.closing(p.pos) + 1
		}
	case t.kind == tokNumber:
		n.kind, n.op = exNumber, t.text
		p.pos++
	case t.kind == tokString:
		n.kind, n.op = exString, t.text
		for p.peek().kind == tokString {
			p.pos++
		}
	case t.is("new") || t.is("delete") || t.is("throw"):
		n.kind = exOpaque
		for p.more() && !p.peek().is(";") && !p.peek().is(",") && !p.peek().is(")") {
			if p.peek().is("(") || p.peek().is("[") || p.peek().is("{") {
				p.pos = p.closing(p.pos)
			}
			p.pos++
		}
	case t.kind == tokName || t.is("::"):
		return p.name()
	default:
		return nil
	}
	n.to = p.pos
	return n
}

// casts lists the cast operators with a type in angle brackets.
var casts = map[string]bool{"static_cast": true, "reinterpret_cast": true, "const_cast": true, "dynamic_cast": true}

// name parses a name with its qualifiers and template arguments, or a cast.
func (p *parser) name() *node {
	start := p.pos
	n := &node{kind: exName, at: *p.peek(), from: start}
	if casts[p.peek().text] && p.ahead(1).is("<") {
		p.pos += 2
		n.kind = exCast
		n.typ, _ = p.parseType()
		p.accept(">")
		if p.peek().is("(") {
			last := p.closing(p.pos)
			p.pos++
			n.x = p.expression()
			p.pos = min(last+1, len(p.ts))
		}
		n.to = p.pos
		if n.x == nil {
			n.kind = exOpaque
		}
		return n
	}
	if numberWords[p.peek().text] { // int(x); float2 is a name
		n.kind = exCast
		n.typ, _ = p.parseType()
		args := []*node(nil)
		if p.peek().is("(") || p.peek().is("{") {
			args = p.list()
		}
		n.to = p.pos
		if len(args) == 1 {
			n.x = args[0]
		} else {
			n.kind = exOpaque
		}
		return n
	}
	for p.more() {
		t := p.peek()
		if t.kind == tokName {
			n.op, n.at = t.text, *t
			p.pos++
		}
		if p.peek().is("<") {
			if last := p.closingAngle(p.pos); last > 0 && p.ts[last].is(">") && last+1 < len(p.ts) && (p.ts[last+1].is("(") || p.ts[last+1].is("<<<") || p.ts[last+1].is("::") || p.ts[last+1].is("{")) {
				n.targs = p.templateArgs(last)
			}
		}
		if !p.accept("::") {
			break
		}
	}
	n.to = p.pos
	if n.op == "" {
		return nil
	}
	return n
}

// templateArgs parses <…> up to last.
func (p *parser) templateArgs(last int) (args []*node) {
	p.pos++
	for p.pos < last {
		start := p.pos
		depth := 0
		for p.pos < last && (depth > 0 || !p.peek().is(",")) {
			switch {
			case p.peek().is("<"):
				depth++
			case p.peek().is(">"):
				depth--
			}
			p.pos++
		}
		inner := &parser{ts: p.ts[start:p.pos], structs: p.structs, aliases: p.aliases, depth: p.depth}
		a := inner.binary(expr.Operators["+"].Level)
		if a == nil || inner.more() {
			a = &node{kind: exOpaque}
		}
		a.from, a.to = start, p.pos
		args = append(args, a)
		p.accept(",")
	}
	p.pos = last + 1
	return args
}
