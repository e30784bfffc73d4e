// Building declarations and directives.

package ptxgrammar

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// header sets the fields for .version, .target and .address_size, from the first directive of each kind.
func (b *builder) header(tok, end uint32) {
	m := b.m
	switch b.kind(tok) {
	case tokVERSION:
		if m.Version == 0 {
			m.Version, m.VersionAt = b.version(tok+1), b.tokRange(tok+1)
		}
	case tokTARGET:
		if m.Target == nil {
			m.Target, m.TargetAt = b.names(tok+1, end), b.span(tok+1, end)
		}
	case tokADDRESSSIZE:
		size := b.small(tok + 1)
		if size != 32 && size != 64 {
			b.errorf(tok+1, "address size %s, expected 32 or 64", b.show(tok+1))
		}
		if m.AddressSize == 0 {
			m.AddressSize, m.AddressSizeAt = int(size), b.tokRange(tok+1)
		}
	}
}

// version returns the value of the number after .version.
func (b *builder) version(tok uint32) isa.Version {
	major, minor, ok := strings.Cut(b.text(tok), ".")
	x, err1 := strconv.ParseUint(major, 10, 8)
	y, err2 := strconv.ParseUint(minor, 10, 8)
	if !ok || err1 != nil || err2 != nil || x == 0 || y > 9 {
		b.errorf(tok, "%s is not a PTX ISA version, expected a number such as 8.5", b.show(tok))
		return 0
	}
	return isa.Version(x*10 + y)
}

// names returns the identifiers in a token range.
func (b *builder) names(from, to uint32) []string {
	var out []string
	for i := from; i < to; i++ {
		if b.kind(i) == tokID {
			out = append(out, b.text(i))
		}
	}
	return out
}

// show returns a token's text for an error message.
func (b *builder) show(tok uint32) string { return quote(b.text(tok)) }

// quote shortens and quotes source text for an error message.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:37] + "..."
	}
	clean := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}
	return `"` + strings.Map(clean, s) + `"`
}

// small returns the value of an INT token, which must fit 31 bits.
func (b *builder) small(tok uint32) int64 {
	v := b.integer(tok)
	if v > 1<<31-1 {
		b.errorf(tok, "%s is too large", b.show(tok))
		return 0
	}
	return int64(v)
}

// unquote returns the text of a STRING token without quotes and escapes.
func (b *builder) unquote(tok uint32) string {
	s := b.text(tok)
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s[1 : len(s)-1]
}

// file adds .file index "name" [, timestamp, size].
func (b *builder) file(tok, end uint32) int {
	b.m.Files = push(b.m.Files, FileDirective{b.span(tok, end), int(b.small(tok + 1)), b.unquote(tok + 2)})
	return len(b.m.Files) - 1
}

// loc adds .loc.
func (b *builder) loc(tok, end uint32) int {
	l := Loc{Range: b.span(tok, end)}
	l.File, l.Line, l.Col = int(b.small(tok+1)), int(b.small(tok+2)), int(b.small(tok+3))
	if tok += 4; tok < end {
		b.word(tok+1, "function_name")
		l.Function = b.text(tok + 2)
		if tok += 3; b.kind(tok) == tokPLUS {
			l.FunctionOffset = int(b.small(tok + 1))
			tok += 2
		}
		b.word(tok+1, "inlined_at")
		l.InlinedAt = &LocAt{int(b.small(tok + 2)), int(b.small(tok + 3)), int(b.small(tok + 4))}
	}
	b.m.Locs = push(b.m.Locs, l)
	return len(b.m.Locs) - 1
}

// word checks a token that must be a particular word and is no keyword of the grammar.
func (b *builder) word(tok uint32, want string) {
	if b.text(tok) != want {
		b.errorf(tok, "unexpected %s, expected '%s'", b.show(tok), want)
	}
}

// directive adds a directive that is kept as text.
func (b *builder) directive(tok, end uint32) int {
	d := Directive{Range: b.span(tok, end), Name: b.text(tok)}
	switch b.kind(tok) {
	case tokPRAGMA:
		for i := tok + 1; i < end; i += 2 {
			d.Names = append(d.Names, b.unquote(i))
		}
	case tokSECTION:
		d.Names = []string{b.text(tok + 1)}
	case tokSOURCE:
		d.Name = d.Name[:strings.IndexAny(d.Name, "{ \t\r\n\f")]
	case tokALIAS, tokTARGET:
		d.Names = b.names(tok+1, end)
	case tokDOTID:
		d.Unknown = true
		b.misplaced(tok)
	}
	b.m.Directives = push(b.m.Directives, d)
	return len(b.m.Directives) - 1
}

// misplaced reports a word that the tables contain but not as a directive, such as a type or .maxntid.
func (b *builder) misplaced(tok uint32) {
	word := b.text(tok)[1:]
	_, directive := isa.DirectiveOf(word)
	_, isType := isa.TypeOf(word)
	switch {
	case !directive && !isType:
	case len(b.open) > 0:
		b.errorf(tok, "unexpected %s, expected a statement or '}'", b.show(tok))
	default:
		b.errorf(tok, "unexpected %s, expected a directive, declaration or function", b.show(tok))
	}
}

// labelled adds .branchtargets, .calltargets or .callprototype with its label.
func (b *builder) labelled(tok, end uint32) int {
	d := Directive{Range: b.span(tok, end), Label: b.text(tok), Name: b.text(tok + 2)}
	if b.kind(tok+2) == tokCALLPROTOTYPE {
		d.Prototype = new(Prototype)
		d.Prototype.Returns, d.Prototype.Params = b.signature(tok + 2)
		d.Prototype.Perf = b.perfs(tok+3, end)
	} else {
		d.Names = b.names(tok+3, end)
	}
	b.m.Directives = push(b.m.Directives, d)
	return len(b.m.Directives) - 1
}

// decl adds the declaration statement of the variables that have just been finished.
func (b *builder) decl(f frame, end uint32) int {
	l := b.linkage(f.tok)
	vars := slices.Clone(b.vars[f.vars:])
	b.vars = b.vars[:f.vars]
	for i := range vars {
		vars[i].Linkage = l
	}
	b.m.Decls = push(b.m.Decls, Decl{b.span(f.tok, end), vars})
	return len(b.m.Decls) - 1
}

// variables handles the end of the declarators of one declaration, or of a parameter.
func (b *builder) variables(f frame, end uint32) {
	from := f.tok
	if b.kind(from) == tokDOTID {
		from++
	}
	v := Var{Space: spaceOf(b.kind(from)), Bank: b.bank(from), Vec: 1, Init: -1}
	if from > f.tok {
		b.prefix(&v, f.tok)
	}
	at := b.typing(&v, from+1, end)
	if v.Type == isa.TypeNone {
		b.errorf(min(at, end), "unexpected %s, expected a type", b.orEnd(at))
	}
	if at == end {
		v.Range = b.span(f.tok, end)
		b.vars = push(b.vars, v)
		return
	}
	init := b.roots[f.roots:]
	for at < end {
		d := v
		at = b.declarator(&d, at, end, &init)
		b.vars = push(b.vars, d)
		at++ // the comma
	}
	b.roots = b.roots[:f.roots]
}

// prefix parses the word before the state space of a parameter.
func (b *builder) prefix(v *Var, tok uint32) {
	word := b.text(tok)
	if word != ".hidden" {
		b.errorf(tok, "unexpected %s, expected a state space such as .param", b.show(tok))
	}
	v.Attrs = append(v.Attrs, word)
}

// maxBank is the last bank of the banked .const state space (PTX ISA "Banked Constant
// State Space").
const maxBank = 10

// bank returns the number in ".const[2]", 0 for other tokens.
func (b *builder) bank(tok uint32) int {
	s := b.text(tok)
	if s[len(s)-1] != ']' {
		return 0
	}
	n, err := strconv.ParseUint(s[len(".const["):len(s)-1], 10, 32)
	if err != nil || n > maxBank {
		b.errorf(tok, "constant bank %s, expected 0 to %d", b.show(tok), maxBank)
	}
	return int(n)
}

// orEnd returns a token's text for an error message, which at the end of the file says so.
func (b *builder) orEnd(tok uint32) string {
	if b.toks[tok].Kind() == tokEOF {
		return "end of file"
	}
	return b.show(tok)
}

// typing parses alignment, type, vector size and attributes. It returns the token after them.
func (b *builder) typing(v *Var, at, end uint32) uint32 {
	for at < end {
		switch k := b.kind(at); k {
		case tokALIGN:
			n := b.small(at + 1)
			if n == 0 || n&(n-1) != 0 {
				b.errorf(at+1, "alignment %s is not a power of two", b.show(at+1))
			}
			if v.Ptr != nil {
				v.Ptr.Align = int(n)
			} else {
				v.Align = int(n)
			}
			at += 2
		case tokATTRIBUTE:
			after := b.closing(at + 1)
			for i := at; i < after; i++ {
				if b.kind(i) == tokDOTID {
					v.Attrs = append(v.Attrs, b.text(i))
				}
			}
			at = after
		case tokDOTID:
			b.typeWord(v, at)
			at++
		case tokGLOBAL, tokCONST, tokSHARED, tokLOCAL, tokPARAM:
			if v.Ptr == nil {
				b.errorf(at, "unexpected %s, expected a type", b.show(at))
			} else {
				v.Ptr.Space = spaceOf(k)
			}
			at++
		default:
			return at
		}
	}
	return at
}

// typeWord parses a dotted word of a declaration.
func (b *builder) typeWord(v *Var, tok uint32) {
	switch s := b.text(tok)[1:]; s {
	case "v2":
		v.Vec = 2
	case "v4":
		v.Vec = 4
	case "ptr":
		v.Ptr = &PtrInfo{}
	default:
		t, ok := isa.TypeOf(s)
		switch {
		case !ok:
			b.errorf(tok, "unexpected %s, expected a type", b.show(tok))
			v.Type = isa.B8 // the declaration has an error already: no second message about a missing type
		case v.Type != isa.TypeNone:
			b.errorf(tok, "unexpected %s: the type is .%s already", b.show(tok), v.Type)
		default:
			v.Type = t
		}
	}
}

// declarator parses name<count>[dims] = init. It returns the token after it. Sizes and initialiser are the next
// elements of init.
func (b *builder) declarator(v *Var, at, end uint32, init *[]root) uint32 {
	from := at
	v.Name, v.NameAt = b.text(at), b.tokRange(at)
	at++
	if at < end && b.kind(at) == tokLT {
		v.Count = int(b.small(at + 1))
		at += 3
	}
	for at < end && b.kind(at) == tokLBRACK {
		if at++; b.kind(at) == tokRBRACK {
			v.Dims = append(v.Dims, -1)
			at++
			continue
		}
		r := shift(init)
		v.Dims = append(v.Dims, b.dimension(r))
		at = r.to + 1
	}
	if at < end && b.kind(at) == tokASSIGN {
		r := shift(init)
		v.Init = len(b.m.Operands)
		b.m.Operands = push(b.m.Operands, r.Operand)
		at = r.to
	}
	v.Range = b.span(from, at)
	return at
}

func shift(rs *[]root) root {
	r := (*rs)[0]
	*rs = (*rs)[1:]
	return r
}

// dimension returns the value of an array size.
func (b *builder) dimension(r root) int64 {
	v, ok := b.m.Eval(&r.Operand)
	if !ok || int64(v) < 0 {
		b.errorf(r.from, "array size %s is not a constant of zero or more", quote(b.m.Text(b.span(r.from, r.to))))
	}
	return int64(v)
}
