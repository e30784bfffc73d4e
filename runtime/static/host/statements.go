// The parser of statements.

package host

import "strings"

// block reads { … } at the position.
func (p *parser) block() []*stmt {
	last := p.closing(p.pos)
	p.pos++
	var list []*stmt
	for p.pos < last {
		start := p.pos
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
		if p.pos == start {
			p.pos++
		}
	}
	p.pos = min(last+1, len(p.ts))
	return list
}

// branch parses the statement of a branch or a loop.
func (p *parser) branch() []*stmt {
	if p.peek().is("{") {
		return p.nested(p.block)
	}
	if s := p.statement(); s != nil {
		return []*stmt{s}
	}
	return nil
}

// nested calls read for a nested construct, and skips one that is nested too deep.
func (p *parser) nested(read func() []*stmt) []*stmt {
	if p.depth >= maxNesting {
		p.pos = min(p.closing(p.pos)+1, len(p.ts))
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	return read()
}

// statement parses a statement; nil for one without effect.
func (p *parser) statement() *stmt {
	if p.depth >= maxNesting {
		p.toSemicolon()
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	t := *p.peek()
	if t.kind == tokName {
		if s, ok := p.keyword(t); ok {
			return s
		}
		if p.ahead(1).is(":") && !p.ahead(2).is(":") {
			p.pos += 2
			return &stmt{kind: stLabel, at: t}
		}
	}
	switch {
	case t.is("{"):
		return &stmt{kind: stBlock, body: p.block(), at: t}
	case t.is(";"):
		p.pos++
		return nil
	}
	start := p.pos
	if t.kind == tokName || t.is("::") {
		if s := p.declaration(); s != nil {
			return s
		}
		p.pos = start
	}
	x := p.expression()
	p.toSemicolon()
	if x == nil {
		return nil
	}
	return &stmt{kind: stExpr, x: x, at: t}
}

// keyword reads a statement that begins with a keyword.
func (p *parser) keyword(t token) (*stmt, bool) {
	s := &stmt{at: t}
	switch t.text {
	case "if":
		p.pos++
		p.accept("constexpr")
		s.kind = stIf
		s.init, s.x = p.header()
		s.body = p.branch()
		if p.accept("else") {
			s.other = p.branch()
		}
	case "while":
		p.pos++
		s.kind = stWhile
		_, s.x = p.header()
		s.body = p.branch()
	case "do":
		p.pos++
		s.kind = stDo
		s.body = p.branch()
		if p.accept("while") {
			_, s.x = p.header()
		}
		p.accept(";")
	case "for":
		p.pos++
		p.forLoop(s)
	case "switch":
		p.pos++
		s.kind = stSwitch
		_, s.x = p.header()
		s.body = p.branch()
	case "case", "default":
		p.pos++
		s.kind = stCase
		if t.text == "case" {
			s.x = p.conditional()
		}
		p.accept(":")
	case "return", "throw":
		p.pos++
		s.kind = stReturn
		if !p.peek().is(";") {
			s.x = p.expression()
		}
		p.toSemicolon()
	case "break", "continue":
		s.kind, s.op = stBreak, t.text
		p.toSemicolon()
	case "goto":
		s.kind = stGoto
		p.jumps = true
		p.toSemicolon()
	case "try":
		p.pos++
		s.kind = stTry
		s.body = p.branch()
		for p.accept("catch") {
			if p.peek().is("(") {
				p.pos = p.closing(p.pos) + 1
			}
			s.other = append(s.other, p.branch()...)
		}
	case "using", "typedef", "asm", "__asm__", "static_assert":
		if t.text == "typedef" {
			p.typedef()
		} else {
			p.toSemicolon()
		}
		return nil, true
	case "struct", "class", "union":
		return nil, p.structure(nil)
	case "else":
		p.pos++
		return nil, true
	default:
		return nil, false
	}
	return s, true
}

// header reads ( condition ) with an optional declaration before or in it.
func (p *parser) header() (*stmt, *node) {
	if !p.peek().is("(") {
		return nil, nil
	}
	last := p.closing(p.pos)
	p.pos++
	defer func() { p.pos = min(last+1, len(p.ts)) }()
	start := p.pos
	for i := p.pos; i < last; i++ {
		if p.ts[i].is(";") {
			first := p.statement()
			return first, p.expression()
		}
		if p.ts[i].is("(") {
			i = p.closing(i)
		}
	}
	if d := p.declaration(); d != nil && len(d.decls) == 1 && d.decls[0].init != nil {
		return d, &node{kind: exName, op: d.decls[0].name, at: d.at, from: start, to: last}
	}
	p.pos = start
	return nil, p.expression()
}

// forLoop reads ( init ; condition ; step ) body, or ( declaration : range ) body.
func (p *parser) forLoop(s *stmt) {
	s.kind = stFor
	if !p.peek().is("(") {
		return
	}
	last := p.closing(p.pos)
	p.pos++
	ranged := true
	for i := p.pos; i < last; i++ {
		if p.ts[i].is(";") {
			ranged = false
		}
		if p.ts[i].is("(") || p.ts[i].is("{") {
			i = p.closing(i)
		}
	}
	if ranged {
		s.kind = stRange
		if t, ok := p.parseType(); ok && p.peek().kind == tokName {
			s.decls = []*decl{{typ: t, name: p.peek().text, at: *p.peek()}}
		}
	} else {
		s.init = p.statement()
		if !p.peek().is(";") {
			s.x = p.expression()
		}
		p.accept(";")
		if p.pos < last {
			s.post = p.expression()
		}
	}
	p.pos = min(last+1, len(p.ts))
	s.body = p.branch()
}

// declaration reads a declaration with its semicolon; nil when there is none.
func (p *parser) declaration() *stmt {
	at := *p.peek()
	base, ok := p.parseType()
	if !ok || p.peek().kind != tokName || strings.HasPrefix(p.peek().text, "operator") {
		return nil
	}
	s := &stmt{kind: stDecl, at: at}
	for {
		d := &decl{typ: base, name: p.peek().text, at: *p.peek()}
		p.pos++
		for p.peek().is("[") {
			d.array = true
			p.pos = p.closing(p.pos) + 1
		}
		switch t := p.peek(); {
		case t.is("="):
			p.pos++
			d.init = p.assignment()
		case t.is("("), t.is("{"):
			d.brace = t.is("{")
			d.args = p.list()
			if d.args == nil {
				d.args = []*node{}
			}
		case t.is(";"), t.is(","), t.is(":"), t.is(")"):
		default:
			return nil
		}
		s.decls = append(s.decls, d)
		if !p.accept(",") {
			break
		}
		base.ptr, base.ref = 0, false
		for p.peek().is("*") || p.peek().is("&") {
			base.ptr += boolInt(p.peek().is("*"))
			p.pos++
		}
		if p.peek().kind != tokName {
			return nil
		}
	}
	if !p.accept(";") && !p.peek().is(")") && !p.peek().is(":") {
		return nil
	}
	return s
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
