// The parser of declarations at file scope and of functions.

package host

import (
	"strings"
)

// Limits of the parser.
const (
	maxNesting   = 200 // of statements and expressions
	maxFunctions = 20_000
)

// parser reads the tokens of a program.
type parser struct {
	ts        []token
	pos       int
	depth     int
	functions []*function
	byName    map[string][]*function
	declared  map[string]bool // names of functions declared without a body
	structs   map[string]*structure
	aliases   map[string]ctype
	globals   []*stmt         // declarations at file scope
	calls     map[string]bool // of the current function
	jumps     bool
	inStruct  int // depth of enclosing structs
	unnamed   int // end of the enclosing unnamed namespace
}

func newParser(ts []token) *parser {
	return &parser{ts: ts, byName: make(map[string][]*function), declared: make(map[string]bool), structs: make(map[string]*structure), aliases: make(map[string]ctype)}
}

func (p *parser) peek() *token { return p.ahead(0) }

var end token

func (p *parser) ahead(n int) *token {
	if p.pos+n < len(p.ts) {
		return &p.ts[p.pos+n]
	}
	return &end
}

func (p *parser) more() bool { return p.pos < len(p.ts) }

func (p *parser) accept(text string) bool {
	if p.more() && p.peek().is(text) {
		p.pos++
		return true
	}
	return false
}

// closing returns the index of the bracket that closes the one at i, or of the end.
func (p *parser) closing(i int) int {
	depth := 0
	for ; i < len(p.ts); i++ {
		switch t := &p.ts[i]; {
		case t.is("("), t.is("["), t.is("{"):
			depth++
		case t.is(")"), t.is("]"), t.is("}"):
			depth--
			if depth <= 0 {
				return i
			}
		}
	}
	return len(p.ts)
}

// closingAngle returns the index of the > that closes the < at i, or -1 if that does not begin a list of template arguments.
func (p *parser) closingAngle(i int) int {
	depth := 0
	for n := 0; i < len(p.ts) && n < 400; i, n = i+1, n+1 {
		switch t := &p.ts[i]; {
		case t.is("<"):
			depth++
		case t.is(">"), t.is(">>"), t.is(">>>"):
			depth -= len(t.text)
			if depth <= 0 {
				return i
			}
		case t.is("("), t.is("["), t.is("{"):
			i = p.closing(i)
		case t.is(";"), t.is("}"), t.is(")"), t.is("&&"), t.is("||"), t.is("<<<"):
			return -1
		}
	}
	return -1
}

// unit parses the whole program.
func (p *parser) unit() {
	var template []string
	for p.more() {
		start := p.pos
		switch t := p.peek(); {
		case t.is("template") && p.ahead(1).is("<"):
			p.pos++
			template = p.templateParams()
			continue
		case t.is("namespace") || t.is("extern") && p.ahead(1).kind == tokString && p.ahead(2).is("{"):
			if p.ahead(1).is("{") {
				p.unnamed = max(p.unnamed, p.closing(p.pos+1))
			}
			for p.more() && !p.peek().is("{") && !p.peek().is(";") && !p.peek().is("=") {
				p.pos++
			}
			if !p.accept("{") {
				p.toSemicolon()
			}
		case t.is("}") || t.is(";"):
			p.pos++
		case (t.is("struct") || t.is("class") || t.is("union")) && p.structure(template):
		case t.is("typedef"):
			p.typedef()
		case t.is("using"):
			p.alias()
		case t.is("enum"):
			p.enum()
		default:
			p.external(template)
		}
		template = nil
		if p.pos == start {
			p.pos++
		}
	}
}

func (p *parser) toSemicolon() {
	for p.more() && !p.peek().is(";") && !p.peek().is("}") {
		switch t := p.peek(); {
		case t.is("("), t.is("["), t.is("{"):
			p.pos = p.closing(p.pos)
		}
		p.pos++
	}
	p.accept(";")
}

// templateParams parses <…> after template, and returns the names.
func (p *parser) templateParams() (names []string) {
	names = []string{}
	last := p.closingAngle(p.pos)
	if last < 0 {
		p.pos++
		return names
	}
	for i := p.pos + 1; i < last; i++ {
		next := &p.ts[i+1]
		if p.ts[i].kind == tokName && (next.is(",") || next.is("=") || i+1 == last) {
			names = append(names, p.ts[i].text)
		}
		if next.is("=") {
			for i < last && !p.ts[i].is(",") {
				i++
			}
		}
	}
	p.pos = last + 1
	return names
}

// external parses a function or a declaration at file scope or in a struct.
func (p *parser) external(template []string) *stmt {
	start := p.pos
	device, hostToo, static := false, false, p.pos < p.unnamed
	paren := -1
	for i := p.pos; i < len(p.ts); i++ {
		t := &p.ts[i]
		switch {
		case t.is("__global__"), t.is("__device__"):
			device = true
		case t.is("__host__"):
			hostToo = true
		case t.is("static"):
			static = static || p.inStruct == 0
		case attributes[t.text]:
			i = p.closing(i + 1)
			continue
		case t.is("<"):
			if c := p.closingAngle(i); c > 0 {
				i = c
				continue
			}
		}
		if t.is("(") {
			paren = i
			break
		}
		if t.is(";") || t.is("=") || t.is("{") || t.is("}") || t.is("[") {
			break
		}
	}
	if paren > start && p.function(start, paren, template, device && !hostToo, static) {
		return nil
	}
	if paren > start && p.ts[paren-1].kind == tokName {
		p.declared[p.ts[paren-1].text] = true
	}
	p.pos = start
	st := p.declaration()
	if st == nil {
		p.pos = start
		p.toSemicolon()
		return nil
	}
	for _, d := range st.decls {
		d.hidden = static
	}
	p.globals = append(p.globals, st)
	return st
}

// function parses a function whose parameters begin at paren; it returns false if there is no body.
func (p *parser) function(start, paren int, template []string, device, static bool) bool {
	name := paren - 1
	for name > start && p.ts[name].is(">") { // a specialisation
		for name > start && !p.ts[name].is("<") {
			name--
		}
		name--
	}
	if name < start || p.ts[name].kind != tokName || len(p.functions) >= maxFunctions {
		return false
	}
	last := p.closing(paren)
	body := last + 1
	for body < len(p.ts) && !p.ts[body].is("{") {
		t := &p.ts[body]
		if t.is(";") || t.is("=") || t.is(",") || t.is("(") && !p.ts[body-1].is("noexcept") && !strings.HasPrefix(p.ts[body-1].text, "__") && !p.initializers(body) {
			return false
		}
		if t.is("(") {
			body = p.closing(body)
		}
		body++
	}
	if body >= len(p.ts) {
		return false
	}
	f := &function{name: p.ts[name].text, template: template, device: device, static: static, at: p.ts[name], calls: make(map[string]bool)}
	p.pos = start
	f.result, _ = p.parseType()
	p.pos = paren + 1
	f.params = p.params(last)
	p.pos = body
	if device {
		p.pos = p.closing(body) + 1
	} else {
		outer, jumps := p.calls, p.jumps
		p.calls, p.jumps = f.calls, false
		f.body = p.block()
		f.jumps = p.jumps
		p.calls, p.jumps = outer, jumps
	}
	f.from, f.to = body, p.pos
	p.functions = append(p.functions, f)
	p.byName[f.name] = append(p.byName[f.name], f)
	return true
}

// initializers reports whether a ( after the parameters belongs to a constructor's initializer.
func (p *parser) initializers(i int) bool {
	for n := 0; i > 0 && n < 200; i, n = i-1, n+1 {
		if p.ts[i].is(":") {
			return true
		}
		if p.ts[i].is(";") || p.ts[i].is("}") {
			return false
		}
	}
	return false
}

func (p *parser) params(last int) (list []decl) {
	for p.pos < last {
		start := p.pos
		t, ok := p.parseType()
		d := decl{typ: t, at: *p.peek()}
		if ok && p.peek().kind == tokName {
			d.name = p.peek().text
			p.pos++
		}
		if p.peek().is("[") {
			d.typ.ptr++
		}
		for p.pos < last && !p.peek().is(",") {
			if p.peek().is("(") || p.peek().is("{") || p.peek().is("[") {
				p.pos = p.closing(p.pos)
			}
			p.pos++
		}
		if d.typ.name != "void" || d.typ.ptr > 0 {
			list = append(list, d)
		}
		p.accept(",")
		if p.pos == start {
			p.pos++
		}
	}
	p.pos = last + 1
	return list
}
