// The canonical layout of a module.

package ptxgrammar

import "slices"

// Canonical returns the text of a module in one layout, that of nvcc and clang: one statement per line, indented by
// tabs, labels at the margin, one parameter per line. It contains the tokens and comments of the source in the same
// order, and differs only in white space; .section data is copied unchanged. Comments stay next to their statement, and
// at most one empty line stays between statements. Parsing the result and printing it again gives the same text.
func Canonical(m *Module) []byte {
	p := canon{m: m, out: make([]byte, 0, len(m.File.Src)+len(m.File.Src)/8)}
	for i, it := range m.Items {
		p.blank = i > 0 && p.separate(m.Items[i-1], it)
		p.item(it)
	}
	p.end()
	return p.out
}

// Limits of the layout.
const (
	canonWidth     = 100 // maximum columns of a wrapped initialiser, a tab counting as one
	canonMaxIndent = 16  // maximum tabs: deeper blocks are not indented further
)

// canon prints tokens in order with new white space between them.
type canon struct {
	m        *Module
	out      []byte
	next     uint32 // the token to print
	depth    int    // of the statement being printed
	blank    bool   // an empty line comes before the next line
	ternary  int    // conditional operators whose ':' has not been printed
	bol      int    // start of the current line in out
	declname bool   // in a declaration before the initialiser, where '<' follows a name
}

// separate reports whether two neighbours at top level always have an empty line between them: functions with a body
// have, and the header has.
func (p *canon) separate(a, b Item) bool {
	return p.hasBody(a) || p.hasBody(b) || p.header(a) && !p.header(b)
}

func (p *canon) hasBody(it Item) bool {
	return it.Kind == ItemFunc && p.m.Funcs[it.Index].Body >= 0
}

func (p *canon) header(it Item) bool {
	return it.Kind == ItemDirective &&
		slices.Contains([]string{".version", ".target", ".address_size"}, p.m.Directives[it.Index].Name)
}

func (p *canon) item(it Item) {
	switch it.Kind {
	case ItemFunc:
		p.function(&p.m.Funcs[it.Index])
	case ItemDecl:
		p.line(0)
		p.decl(&p.m.Decls[it.Index])
	case ItemDirective:
		p.line(0)
		p.directive(&p.m.Directives[it.Index])
	default:
		p.line(0)
		p.lead("\t")
		p.upTo(p.m.ItemRange(it).End)
	}
}

// function prints a function or its declaration.
func (p *canon) function(f *Func) {
	p.line(0)
	p.token()
	p.declname = true
	if f.ParamsAt.End > f.ParamsAt.Start {
		p.upTo(f.ParamsAt.Start)
		p.params(f)
	} else {
		p.upTo(f.NameAt.End)
	}
	for i := range f.Perf {
		if f.Perf[i].Start > f.NameAt.Start {
			p.line(0)
			p.token()
			p.upTo(f.Perf[i].End)
		}
	}
	p.declname = false
	if f.Body >= 0 {
		p.line(0)
		p.block(&p.m.Blocks[f.Body])
	}
	p.upTo(f.End)
}

// params prints a parameter list, one parameter per line.
func (p *canon) params(f *Func) {
	p.space("")
	p.token()
	if len(f.Params) == 0 {
		p.upTo(f.ParamsAt.End)
		return
	}
	nested := 0
	for first := true; p.tok().End() < f.ParamsAt.End; first = false {
		if first || nested == 0 && p.kind(p.next-1) == tokCOMMA {
			p.line(1)
		} else {
			p.space(p.separator())
		}
		switch p.tok().Kind() {
		case tokLPAREN, tokLBRACK:
			nested++
		case tokRPAREN, tokRBRACK:
			nested--
		}
		p.token()
	}
	p.line(0)
	p.token()
}

// block prints a block. Its first line has been started.
func (p *canon) block(b *Block) {
	p.token()
	p.depth++
	for _, s := range b.Stmts {
		p.stmt(s)
	}
	p.depth--
	p.line(p.depth)
	p.token()
}

func (p *canon) stmt(s Stmt) {
	if s.Kind == StmtLabel {
		p.line(0)
		p.token()
		p.upTo(p.m.Labels[s.Index].End)
		return
	}
	p.line(p.depth)
	switch s.Kind {
	case StmtInst:
		p.inst(&p.m.Insts[s.Index])
	case StmtDecl:
		p.decl(&p.m.Decls[s.Index])
	case StmtBlock:
		p.block(&p.m.Blocks[s.Index])
	case StmtDirective:
		p.directive(&p.m.Directives[s.Index])
	case StmtEmpty:
		p.token()
	default: // .loc, .file
		p.lead("\t")
		p.upTo(p.m.StmtRange(s).End)
	}
}

// inst prints an instruction: guard, opcode with modifiers, operands.
func (p *canon) inst(i *Inst) {
	for p.next < i.opcode {
		p.token()
		sep := ""
		if p.next == i.opcode {
			sep = " "
		}
		p.space(sep)
	}
	p.token()
	for p.next <= i.opcode+uint32(i.nMods) {
		p.space("")
		p.token()
	}
	if p.tok().Kind() != tokSEMI {
		p.space(" \t")
		p.token()
	}
	p.upTo(p.m.InstRange(i).End)
}

// directive prints a directive other than .file and .loc.
func (p *canon) directive(d *Directive) {
	switch {
	case d.Name == ".section", d.Name == ".nv_intermediate_source_section":
		p.verbatim(d.Range)
	case d.Label != "":
		p.token()
		p.upTo(d.End)
	default:
		p.lead(" ")
		p.upTo(d.End)
	}
}

// decl prints a declaration. A space separates registers from their type, as in compilers' output.
func (p *canon) decl(d *Decl) {
	p.declname = true
	p.token()
	if len(d.Vars) > 0 {
		p.upTo(d.Vars[0].Start)
		if d.Vars[0].Space == spaceOf(tokREG) {
			p.space(" \t")
			p.token()
		}
	}
	for i := range d.Vars {
		if v := &d.Vars[i]; v.Init >= 0 {
			p.initialiser(v)
		} else {
			p.upTo(v.End)
		}
		p.declname = true
	}
	p.upTo(d.End)
	p.declname = false
}

// initialiser prints a declarator with its initialiser, over several lines if one is too short.
func (p *canon) initialiser(v *Var) {
	for p.kind(p.next-1) != tokASSIGN {
		p.space(p.separator())
		p.token()
	}
	p.declname = false
	if p.tok().Kind() != tokLBRACE || p.column()+p.width(v.End) <= canonWidth {
		p.upTo(v.End)
		return
	}
	p.space(" ")
	p.token()
	for first := true; p.tok().End() < v.End; first = false {
		switch {
		case first, p.kind(p.next-1) == tokCOMMA && p.column()+1+p.elementWidth() > canonWidth:
			p.breakLine(p.depth + 1)
		default:
			p.space(p.separator())
		}
		p.token()
	}
	p.breakLine(p.depth)
	p.token()
}

// width returns the number of columns of the tokens from next up to a byte offset, at
// most a little more than the limit.
func (p *canon) width(end uint32) int {
	n := 1
	for i := p.next; p.m.toks[i].Kind() != tokEOF && p.m.toks[i].Off < end && n <= canonWidth; i++ {
		n += int(p.m.toks[i].Len())
		if p.m.toks[i].Kind() == tokCOMMA {
			n++
		}
	}
	return n
}

// elementWidth returns the number of columns up to the comma after the next element.
func (p *canon) elementWidth() int {
	n := 0
	for i := p.next; n <= canonWidth; i++ {
		n += int(p.m.toks[i].Len())
		if k := p.m.toks[i].Kind(); k == tokCOMMA || k == tokSEMI || k == tokEOF {
			return n
		}
	}
	return n
}

// upTo prints the tokens that begin before a byte offset.
func (p *canon) upTo(end uint32) {
	for p.tok().Kind() != tokEOF && p.tok().Off < end {
		p.space(p.separator())
		p.token()
	}
}

// lead prints the first token of a statement, and the second, if there is one, after
// sep.
func (p *canon) lead(sep string) {
	p.token()
	if p.tok().Kind() != tokSEMI {
		p.space(sep)
		p.token()
	}
}

// verbatim copies a range of the source.
func (p *canon) verbatim(r Range) {
	p.write(string(unixLines(p.m.File.Src[r.Start:r.End])))
	for p.tok().Kind() != tokEOF && p.tok().Off < r.End {
		p.next++
	}
}

// tok returns the token to print next.
func (p *canon) tok() Tok { return p.m.toks[p.next] }

func (p *canon) kind(tok uint32) uint8 { return p.m.toks[tok].Kind() }

// column returns the number of bytes on the line so far.
func (p *canon) column() int { return len(p.out) - p.bol }

// token prints the next token, after the white space before it.
func (p *canon) token() {
	p.out = append(p.out, p.m.tokText(p.next)...)
	p.next++
}
