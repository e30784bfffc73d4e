// The preprocessor: local headers, macros, conditions.

package host

import (
	"path"
	"strconv"
	"strings"
)

// Limits on host code, with those of the parser (parse.go) and of the execution (exec.go).
const (
	maxTokens   = 1_000_000 // after preprocessing
	maxIncludes = 500       // headers read
	maxDepth    = 40        // headers in headers, and macros in macros
	maxMacros   = 100_000   // expansions
)

// macro is a macro; params is nil if it has no parameter list.
type macro struct {
	params   []string
	variadic bool
	body     []token
}

// preprocessor converts files to one list of tokens.
type preprocessor struct {
	read       func(name string) ([]byte, error)
	files      []string
	once       map[string]bool
	macros     map[string]*macro
	out        []token
	includes   int
	folders    []string // header folders, besides that of the file
	expansions int
	notes      []string
}

// group is the state of an #if group: whether the current part is taken, and whether one was.
type group struct{ on, done, outer bool }

// file reads one file and those that it includes.
func (p *preprocessor) file(name string, src []byte, depth int) {
	p.files = append(p.files, name)
	l := newLexer(string(src), int32(len(p.files)-1))
	var groups []group
	var text []token // of the file, up to a directive
	flush := func() {
		p.out = append(p.out, p.expand(text, 0)...)
		text = text[:0]
	}
	for len(p.out)+len(text) < maxTokens {
		t := l.next(false)
		if t.kind == tokEnd {
			break
		}
		on := len(groups) == 0 || groups[len(groups)-1].on
		if !t.is("#") || !t.first {
			if on {
				text = append(text, t)
			}
			continue
		}
		d := l.next(true)
		var line []token
		for {
			x := l.next(true)
			if x.kind == tokEnd {
				break
			}
			line = append(line, x)
		}
		switch d.text {
		case "if", "ifdef", "ifndef", "elif", "else", "endif":
			groups = p.conditional(d.text, line, groups)
		default:
			if on {
				flush()
				p.directive(d.text, line, name, depth)
			}
		}
	}
	flush()
}

// conditional opens, changes or closes a group.
func (p *preprocessor) conditional(word string, line []token, groups []group) []group {
	outer := len(groups) == 0 || groups[len(groups)-1].on
	if word == "if" || word == "ifdef" || word == "ifndef" {
		on := outer && p.taken(word, line)
		return append(groups, group{on, on, outer})
	}
	if len(groups) == 0 {
		return groups
	}
	g := &groups[len(groups)-1]
	switch word {
	case "elif":
		g.on = g.outer && !g.done && p.taken("if", line)
		g.done = g.done || g.on
	case "else":
		g.on = g.outer && !g.done
		g.done = true
	case "endif":
		groups = groups[:len(groups)-1]
	}
	return groups
}

// taken reports whether the condition of #if, #ifdef or #ifndef holds.
func (p *preprocessor) taken(word string, line []token) bool {
	if word != "if" {
		return len(line) > 0 && (p.macros[line[0].text] != nil) == (word == "ifdef")
	}
	var plain []token
	for i := 0; i < len(line); i++ {
		if !line[i].is("defined") {
			plain = append(plain, line[i])
			continue
		}
		i++
		paren := i < len(line) && line[i].is("(")
		if paren {
			i++
		}
		value := token{text: "0", kind: tokNumber}
		if i < len(line) && p.macros[line[i].text] != nil {
			value.text = "1"
		}
		if paren {
			i++
		}
		plain = append(plain, value)
	}
	v, ok := constant(p.expand(plain, 0))
	return ok && v != 0
}

func (p *preprocessor) directive(word string, line []token, name string, depth int) {
	if len(line) == 0 {
		return
	}
	switch word {
	case "define":
		p.define(line)
	case "undef":
		delete(p.macros, line[0].text)
	case "pragma":
		if line[0].is("once") {
			p.once[name] = true
		}
	case "include":
		if line[0].kind == tokString {
			p.include(strings.Trim(line[0].text, `"`), name, depth)
		}
	}
}

// include reads a local header; headers in angle brackets are system headers.
func (p *preprocessor) include(header, from string, depth int) {
	files := []string{path.Join(path.Dir(from), header)}
	for _, folder := range p.folders {
		files = append(files, path.Join(folder, header))
	}
	if path.IsAbs(header) {
		files = []string{path.Clean(header)}
	}
	for _, file := range files {
		if p.once[file] || depth >= maxDepth || p.includes >= maxIncludes || p.read == nil {
			return
		}
		p.includes++
		if src, err := p.read(file); err == nil {
			p.file(file, src, depth+1)
			return
		}
	}
	p.notes = append(p.notes, from+": header "+strconv.Quote(header)+" is not there: what it defines is not known")
}

func (p *preprocessor) define(line []token) {
	name, rest := line[0], line[1:]
	if name.kind != tokName {
		return
	}
	m := &macro{body: rest}
	if len(rest) > 0 && rest[0].is("(") && !rest[0].space {
		m.params = []string{}
		i := 1
		for ; i < len(rest) && !rest[i].is(")"); i++ {
			switch {
			case rest[i].is("..."):
				m.variadic = true
				m.params = append(m.params, "__VA_ARGS__")
			case rest[i].kind == tokName:
				m.params = append(m.params, rest[i].text)
			}
		}
		m.body = rest[min(i+1, len(rest)):]
	}
	p.macros[name.text] = m
}

// expand expands macros. Tokens from a macro have the position of its use.
func (p *preprocessor) expand(ts []token, depth int) []token {
	var out []token
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		m := p.macros[t.text]
		if t.kind != tokName || m == nil || t.hide.has(t.text) || depth >= maxDepth || p.expansions >= maxMacros || len(out) > maxTokens {
			out = append(out, t)
			continue
		}
		body := m.body
		if m.params != nil {
			if i+1 >= len(ts) || !ts[i+1].is("(") {
				out = append(out, t)
				continue
			}
			args, end := arguments(ts, i+1)
			body = p.substitute(m, args, depth)
			i = end
		}
		p.expansions++
		hide := &hidden{t.text, t.hide}
		made := make([]token, len(body))
		for k, b := range body {
			b.file, b.line, b.col, b.first = t.file, t.line, t.col, false
			if b.hide == nil {
				b.hide = hide
			}
			made[k] = b
		}
		if len(made) > 0 {
			made[0].space = t.space
		}
		// The following tokens may be the arguments of a macro at the end of the body.
		if n := len(made); n > 0 && made[n-1].kind == tokName && i+1 < len(ts) && ts[i+1].is("(") {
			if last := p.macros[made[n-1].text]; last != nil && last.params != nil && !made[n-1].hide.has(made[n-1].text) {
				_, end := arguments(ts, i+1)
				made = append(made, ts[i+1:min(end+1, len(ts))]...)
				i = end
			}
		}
		out = append(out, p.expand(made, depth+1)...)
	}
	return out
}

// arguments splits the list in parentheses that begins at open; end is the index of the closing one.
func arguments(ts []token, open int) (args [][]token, end int) {
	depth, start := 0, open+1
	for end = open; end < len(ts); end++ {
		switch {
		case ts[end].is("("), ts[end].is("{"), ts[end].is("["):
			depth++
		case ts[end].is(")"), ts[end].is("}"), ts[end].is("]"):
			depth--
			if depth == 0 {
				return append(args, ts[start:end]), end
			}
		case ts[end].is(",") && depth == 1:
			args = append(args, ts[start:end])
			start = end + 1
		}
	}
	return append(args, ts[min(start, len(ts)):]), len(ts) - 1
}

// substitute substitutes arguments in the body of a macro.
func (p *preprocessor) substitute(m *macro, args [][]token, depth int) []token {
	of := func(name string) ([]token, bool) {
		for i, n := range m.params {
			if n != name {
				continue
			}
			if m.variadic && i == len(m.params)-1 {
				var all []token
				for k := i; k < len(args); k++ {
					if k > i {
						all = append(all, token{text: ",", kind: tokPunct})
					}
					all = append(all, args[k]...)
				}
				return all, true
			}
			if i < len(args) {
				return args[i], true
			}
			return nil, true
		}
		return nil, false
	}
	var out []token
	for i := 0; i < len(m.body) && len(out) < maxTokens; i++ {
		t := m.body[i]
		switch arg, ok := of(t.text); {
		case t.is("#") && i+1 < len(m.body):
			i++
			arg, _ = of(m.body[i].text)
			out = append(out, token{text: strconv.Quote(sourceText(arg)), kind: tokString, space: true})
		case t.is("##") && len(out) > 0 && i+1 < len(m.body):
			i++
			next := m.body[i : i+1]
			if a, is := of(m.body[i].text); is {
				next = a
			}
			if len(next) > 0 {
				out[len(out)-1].text += next[0].text
				out = append(out, next[1:]...)
			}
		case ok && i+1 < len(m.body) && m.body[i+1].is("##"):
			out = append(out, arg...)
		case ok:
			out = append(out, p.expand(arg, depth+1)...)
		default:
			out = append(out, t)
		}
	}
	return out
}

// sourceText returns the text of tokens, with single spaces for white space.
func sourceText(ts []token) string {
	var b strings.Builder
	for i, t := range ts {
		if i > 0 && (t.space || t.first) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
