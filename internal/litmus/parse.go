// The parser of litmus tests: header, locations and registers, threads, rows.

package litmus

import (
	"strconv"
	"strings"
)

// parser reads a test. The current token is tok.
type parser struct {
	lex  lexer
	tok  token
	test *Test
	err  error // the first one
	loc  map[string]*Location
	regs map[string]map[string]int64 // initial values of registers by thread
	regP map[string]Pos
	init []Value                    // the initial values of registers
	used map[string]map[string]bool // registers by thread

	depth int // of the part of the condition
}

// Parse reads a test. The name of the file is for messages. Errors are *Error.
func Parse(file string, text []byte) (*Test, error) {
	p := &parser{
		lex: lexer{text: string(text), pos: Pos{file, 1, 1}}, test: &Test{}, loc: map[string]*Location{},
		regs: map[string]map[string]int64{}, regP: map[string]Pos{}, used: map[string]map[string]bool{},
	}
	if len(text) > MaxBytes {
		return nil, errorAt(p.lex.pos, "the test has %d bytes, expected at most %d", len(text), MaxBytes)
	}
	for _, part := range []func(){p.header, p.declarations, p.places, p.rows, p.condition} {
		if part(); p.err != nil {
			return nil, p.err
		}
	}
	if err := checkConstants(p.init, p.test.registerBits()); err != nil {
		return nil, err
	}
	if err := p.test.check(); err != nil {
		return nil, err
	}
	return p.test, nil
}

// fail remembers the first error. After it all tokens are empty, so that loops end.
func (p *parser) fail(pos Pos, format string, a ...any) {
	if p.err == nil {
		p.err = errorAt(pos, format, a...)
	}
	p.tok = token{pos: pos}
	p.lex.at = len(p.lex.text)
}

// unexpected says what was expected in place of the current token.
func (p *parser) unexpected(expected string) {
	p.fail(p.tok.pos, "unexpected %s, expected %s", p.tok.shown(), expected)
}

func (p *parser) next() {
	tok, err := p.lex.next()
	if err != nil && p.err == nil {
		p.err = err
	}
	if p.err != nil {
		tok = token{pos: p.tok.pos}
	}
	p.tok = tok
}

// is reports whether the current token is text, and moves on if so.
func (p *parser) is(text string) bool {
	if p.tok.text != text {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(text string) {
	if !p.is(text) {
		p.unexpected(`"` + text + `"`)
	}
}

// identifier reads a name.
func (p *parser) identifier(what string) token {
	t := p.tok
	if !t.word() || strings.ContainsAny(t.text, ".") {
		p.unexpected(what)
		return t
	}
	p.next()
	return t
}

// integer reads a constant.
func (p *parser) integer(what string) int64 {
	t := p.tok
	n, err := strconv.ParseInt(t.text, 0, 64)
	if err != nil {
		p.unexpected(what)
		return 0
	}
	p.next()
	return n
}

// header reads "PTX name" and skips the description up to the brace.
func (p *parser) header() {
	p.next()
	if lang := p.identifier(`"PTX", which a litmus test begins with`); p.err == nil && !strings.EqualFold(lang.text, "ptx") {
		p.fail(lang.pos, `unexpected "%s", expected "PTX": tests of other languages are not supported`, lang.text)
		return
	}
	rest := p.lex.text[p.lex.at:]
	name, _, _ := strings.Cut(p.lex.text[p.lex.at-len(p.tok.text):], "\n")
	p.test.Name = strings.TrimSpace(name)
	brace := strings.IndexByte(rest, '{')
	if p.tok.text == "{" {
		p.fail(p.tok.pos, `unexpected "{", expected the name of the test`)
		return
	}
	if brace < 0 {
		p.fail(p.lex.pos, `no "{" with the initial values follows the name of the test`)
		return
	}
	p.lex.advance(brace)
	p.next()
}

// declarations reads "{ x=0; P0:r0=1; y @ generic aliases x; }".
func (p *parser) declarations() {
	p.expect("{")
	for p.err == nil && p.tok.text != "}" {
		if p.is(";") {
			continue
		}
		p.declaration()
		if p.tok.text != "}" {
			p.expect(";")
		}
	}
	p.expect("}")
	p.is(";")
}

// sizes are the types of accesses and locations, in bytes.
var sizes = map[string]int{
	"u8": 1, "b8": 1, "s8": 1, "u16": 2, "b16": 2, "s16": 2, "u32": 4, "b32": 4, "s32": 4,
	"u64": 8, "b64": 8, "s64": 8,
}

func (p *parser) declaration() {
	name := p.identifier("a location or a thread")
	size := 4
	if n := sizes[name.text]; n != 0 && p.tok.word() { // a type before a location
		if n < 4 {
			p.fail(name.pos, "a location of type %s, expected one of 32 or 64 bits", name.text)
			return
		}
		size, name = n, p.identifier("a location")
	}
	switch {
	case p.is(":"):
		reg := p.identifier("a register")
		value := int64(0)
		if p.is("=") {
			pos := p.tok.pos
			value = p.integer("a number: registers hold no addresses")
			p.init = append(p.init, Value{Pos: pos, Num: value})
		}
		thread := threadName(name.text)
		if p.regs[thread] == nil {
			p.regs[thread] = map[string]int64{}
		}
		p.regs[thread][reg.text], p.regP[thread] = value, name.pos
	case p.is("@"):
		l := p.declare(name, 4)
		proxy := p.identifier("generic, texture, surface or constant")
		l.Proxy = Proxy(4)
		for i, n := range proxyNames[:Alias] {
			if n == proxy.text {
				l.Proxy = Proxy(i)
			}
		}
		if l.Proxy == 4 {
			p.fail(proxy.pos, `unexpected "%s", expected generic, texture, surface or constant`, proxy.text)
		}
		p.expect("aliases")
		p.alias(l)
	default:
		l := p.declare(name, size)
		if !p.is("=") {
			return
		}
		p.is("&")
		if p.tok.word() {
			p.alias(l)
			return
		}
		pos := p.tok.pos
		l.Initial = p.integer("a number or a location")
		if err := checkConstants([]Value{{Pos: pos, Num: l.Initial}}, 8*l.Size); err != nil && p.err == nil {
			p.err = err
		}
	}
}

// alias reads the location that l is another name for.
func (p *parser) alias(l *Location) {
	of := p.identifier("the location that " + l.Name + " is another name for")
	if p.err != nil {
		return
	}
	if l.Of = p.loc[of.text]; l.Of == nil || l.Of == l {
		p.fail(of.pos, `no location "%s" is declared before`, of.text)
		return
	}
	l.Size = l.Of.Size
}

// declare adds a location.
func (p *parser) declare(name token, size int) *Location {
	l := &Location{Pos: name.pos, Name: name.text, Size: size}
	switch {
	case p.err != nil:
	case p.loc[l.Name] != nil:
		p.fail(name.pos, `location "%s" is declared twice`, l.Name)
	case len(p.test.Locations) == MaxLocations:
		p.fail(name.pos, "more than %d locations", MaxLocations)
	}
	p.loc[l.Name] = l
	p.test.Locations = append(p.test.Locations, l)
	return l
}

// threadName returns the name of a thread, which conditions may give as a number.
func threadName(s string) string {
	if s != "" && isDigit(s[0]) {
		return "P" + s
	}
	return s
}

// places reads "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;".
func (p *parser) places() {
	for p.err == nil {
		name := p.identifier("a thread such as P0")
		if name.text != "" && name.text[0] != 'P' {
			p.fail(name.pos, `unexpected "%s", expected a thread such as P0`, name.text)
		}
		t := &Thread{Pos: name.pos, Name: name.text, Cluster: -1, Initial: p.regs[name.text]}
		p.expect("@")
		p.place(t)
		if p.test.thread(t.Name) != nil {
			p.fail(name.pos, `thread "%s" is declared twice`, t.Name)
		}
		if len(p.test.Threads) == MaxThreads {
			p.fail(name.pos, "more than %d threads", MaxThreads)
		}
		p.test.Threads = append(p.test.Threads, t)
		p.used[t.Name] = map[string]bool{}
		for r := range t.Initial {
			p.used[t.Name][r] = true
		}
		if !p.is("|") {
			break
		}
	}
	p.expect(";")
	for name, pos := range p.regP {
		if p.err == nil && p.test.thread(name) == nil {
			p.fail(pos, `a register of thread "%s", which the test does not have`, name)
		}
	}
}

// place reads "cta 0, cluster 0, gpu 0".
func (p *parser) place(t *Thread) {
	for p.err == nil {
		level := p.identifier("cta, cluster or gpu")
		n := int(p.integer("a number"))
		if n < 0 || n > 1<<20 {
			p.fail(level.pos, "%s %d: expected a small number", level.text, n)
		}
		switch level.text {
		case "cta":
			t.CTA = n
		case "cluster":
			t.Cluster = n
		case "gpu":
			t.GPU = n
		default:
			p.fail(level.pos, `unexpected "%s", expected cta, cluster or gpu`, level.text)
		}
		if !p.is(",") {
			return
		}
	}
}

func (t *Test) thread(name string) *Thread {
	for _, x := range t.Threads {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// rows reads one instruction for each thread per row, until the condition.
func (p *parser) rows() {
	for p.err == nil && !p.atCondition() {
		for i := 0; ; i++ {
			if p.tok.text != "|" && p.tok.text != ";" {
				if i >= len(p.test.Threads) {
					p.fail(p.tok.pos, "more columns than the %d threads", len(p.test.Threads))
					return
				}
				p.instruction(p.test.Threads[i])
			}
			if p.err != nil || !p.is("|") {
				break
			}
		}
		p.expect(";")
	}
}

func (p *parser) atCondition() bool {
	switch p.tok.text {
	case "", "exists", "forall", "~", "not", "locations", "filter":
		return true
	}
	return false
}
