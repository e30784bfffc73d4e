// The parser of types: structs, enumerations, names for types, and types in declarations.

package host

// structure reads a struct with its fields and the bodies of its functions.
func (p *parser) structure(template []string) bool {
	i := p.pos + 1
	for i < len(p.ts) && (p.ts[i].is("__attribute__") || p.ts[i].is("__align__") || p.ts[i].is("alignas")) {
		i = p.closing(i+1) + 1
	}
	if i >= len(p.ts) || p.ts[i].kind != tokName && !p.ts[i].is("{") {
		return false
	}
	name := ""
	if p.ts[i].kind == tokName {
		name = p.ts[i].text
		i++
	}
	for i < len(p.ts) && !p.ts[i].is("{") {
		if p.ts[i].is(";") || p.ts[i].is("(") || p.ts[i].is("=") || p.ts[i].is("*") || p.ts[i].is(")") {
			return false
		}
		if i > p.pos+2 && p.ts[i].kind == tokName && p.ts[i-1].kind == tokName && !p.ts[i].is("final") && p.ts[i-1].text == name {
			return false // a variable of that type
		}
		i++
	}
	last := p.closing(i)
	p.pos = i + 1
	s := &structure{name: name}
	p.inStruct++
	defer func() { p.inStruct-- }()
	for p.pos < last {
		start := p.pos
		p.member(s, template)
		if p.pos == start {
			p.pos++
		}
	}
	p.pos = last + 1
	if name != "" {
		p.structs[name] = s
	}
	if p.peek().kind == tokName && p.ahead(1).is(";") && name == "" { // typedef struct {…} NAME
		p.structs[p.peek().text] = s
	}
	p.toSemicolon()
	return true
}

// member reads a field or a function of a struct.
func (p *parser) member(s *structure, template []string) {
	t := p.peek()
	if (t.is("public") || t.is("private") || t.is("protected")) && p.ahead(1).is(":") {
		p.pos += 2
		return
	}
	if (t.is("struct") || t.is("class") || t.is("union")) && p.structure(template) {
		return
	}
	st := p.external(template)
	if st != nil && st.kind == stDecl {
		for _, d := range st.decls {
			s.fields = append(s.fields, *d)
		}
		p.globals = p.globals[:len(p.globals)-1]
	}
}

func (p *parser) typedef() {
	p.pos++
	if (p.peek().is("struct") || p.peek().is("union")) && p.structure(nil) {
		return
	}
	if t, ok := p.parseType(); ok && p.peek().kind == tokName && p.ahead(1).is(";") {
		p.aliases[p.peek().text] = t
	}
	p.toSemicolon()
}

func (p *parser) alias() {
	p.pos++
	if p.peek().kind == tokName && p.ahead(1).is("=") {
		name := p.peek().text
		p.pos += 2
		if t, ok := p.parseType(); ok {
			p.aliases[name] = t
		}
	}
	p.toSemicolon()
}

// enum reads an enumeration as constants.
func (p *parser) enum() {
	for p.more() && !p.peek().is("{") {
		if p.peek().is(";") || p.peek().is(")") {
			return
		}
		p.pos++
	}
	last := p.closing(p.pos)
	p.pos++
	var previous *node
	for p.pos < last {
		t := *p.peek()
		p.pos++
		if t.kind != tokName {
			continue
		}
		value := &node{kind: exNumber, op: "0", at: t}
		if previous != nil {
			value = &node{kind: exBinary, op: "+", x: previous, y: &node{kind: exNumber, op: "1", at: t}, at: t}
		}
		if p.accept("=") {
			value = p.assignment()
		}
		previous = &node{kind: exName, op: t.text, at: t}
		d := &decl{typ: ctype{name: "int", konst: true}, name: t.text, init: value, at: t}
		p.globals = append(p.globals, &stmt{kind: stDecl, decls: []*decl{d}, at: t})
	}
	p.pos = last + 1
	p.accept(";")
}

// typeWords are words in types that are not part of their names.
var typeWords = map[string]bool{
	"const": true, "volatile": true, "static": true, "extern": true, "inline": true, "register": true, "constexpr": true, "mutable": true, "typename": true,
	"struct": true, "class": true, "union": true, "enum": true, "__restrict__": true, "__restrict": true, "restrict": true, "__forceinline__": true,
	"__host__": true, "__device__": true, "__global__": true, "__shared__": true, "__constant__": true, "__managed__": true, "__noinline__": true, "__grid_constant__": true, "virtual": true, "explicit": true, "friend": true, "thread_local": true,
}

// attributes are words of declarations that an argument list follows (CUDA C++ Programming Guide, "C++ Language Extensions").
var attributes = map[string]bool{
	"__launch_bounds__": true, "__maxnreg__": true, "__cluster_dims__": true, "__block_size__": true, "__attribute__": true, "alignas": true, "__align__": true, "__declspec": true,
}

// numberWords are words in names of integer and floating-point types.
var numberWords = map[string]bool{"unsigned": true, "signed": true, "int": true, "long": true, "short": true, "char": true, "float": true, "double": true}

// parseType parses a type with its pointers; if there is none, the position is undefined.
func (p *parser) parseType() (ctype, bool) {
	var t ctype
	var words []string
	for p.more() {
		x := p.peek()
		if x.kind != tokName && !x.is("::") {
			break
		}
		switch {
		case x.is("const") || x.is("constexpr"):
			t.konst = true
		case attributes[x.text]:
			p.pos = p.closing(p.pos + 1)
		case typeWords[x.text]:
		case numberWords[x.text]:
			words = append(words, x.text)
		case len(words) > 0 || t.name != "" && !x.is("::") && !p.ts[p.pos-1].is("::"):
			return p.pointers(t, words)
		case x.is("::"):
		default:
			t.name = x.text
			if p.ahead(1).is("<") {
				last := p.closingAngle(p.pos + 1)
				if last < 0 {
					return t, false
				}
				p.pos = last
			}
		}
		p.pos++
	}
	return p.pointers(t, words)
}

func (p *parser) pointers(t ctype, words []string) (ctype, bool) {
	if len(words) > 0 {
		t.name = numberType(words)
	}
	for p.more() {
		switch x := p.peek(); {
		case x.is("*"):
			t.ptr++
		case x.is("&"), x.is("&&"):
			t.ref = true
		case t.ptr > 0 && (x.is("const") || x.is("volatile") || x.is("__restrict__") || x.is("__restrict") || x.is("restrict")):
		default:
			return t, t.name != ""
		}
		p.pos++
	}
	return t, t.name != ""
}

// numberType returns the type named by words such as unsigned long long int.
func numberType(words []string) string {
	count := make(map[string]int)
	for _, w := range words {
		count[w]++
	}
	switch {
	case count["float"] > 0:
		return "float"
	case count["double"] > 0:
		return "double"
	}
	bits := "32"
	switch {
	case count["char"] > 0:
		bits = "8"
	case count["short"] > 0:
		bits = "16"
	case count["long"] > 0:
		bits = "64"
	}
	if count["unsigned"] > 0 {
		return "u" + bits
	}
	return "s" + bits
}
