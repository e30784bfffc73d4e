// Code as sequences of words and statements, for the semantic comparison.

package diff

import (
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// code is a function, or the text outside of functions, in the form that Semantic compares: statements made of words.
type code struct {
	scopes
	stmts []stmt
	words []word
}

// stmt is a statement, declaration or function header.
type stmt struct {
	cell       Cell
	first, end uint32 // in code.words
	opcode     uint32 // number of an instruction's first word; the kind of other statements
	spelling   uint32 // number of the opcode with its modifiers
	inst, call bool
	label      int // symbol that a label declares, -1 for other statements
}

// word is a token of a statement: an even number for a token compared by spelling, an odd number for a symbol of the
// function.
type word uint32

func literal(id uint32) word  { return word(id << 1) }
func symbolWord(n int) word   { return word(n<<1 | 1) }
func (w word) isSymbol() bool { return w&1 != 0 }
func (w word) value() int     { return int(w >> 1) }
func (c *code) of(s *stmt) []word {
	return c.words[s.first:s.end]
}

// reader converts syntax trees to code. literals numbers the spellings of both sides.
type reader struct {
	m        *ptxgrammar.Module
	literals map[string]uint32
	c        *code
}

// module reads the text outside of functions, without debug information.
func (r *reader) module() *code {
	r.c = &code{}
	for _, it := range r.m.Items {
		switch it.Kind {
		case ptxgrammar.ItemDecl:
			r.add(r.m.ItemRange(it), "declaration", 0)
		case ptxgrammar.ItemDirective:
			if d := &r.m.Directives[it.Index]; d.Name != ".section" {
				r.add(d.Range, d.Name, 0)
			}
		case ptxgrammar.ItemFunc:
			if f := &r.m.Funcs[it.Index]; f.Body < 0 {
				r.header(f, f.Range)
				r.c.pop()
			}
		}
	}
	return r.c
}

// function reads a function that is defined.
func (r *reader) function(f *ptxgrammar.Func) *code {
	r.c = &code{}
	body := &r.m.Blocks[f.Body]
	header := strings.TrimRight(r.m.Text(ptxgrammar.Range{Start: f.Start, End: body.Start}), " \t\r\n")
	r.header(f, ptxgrammar.Range{Start: f.Start, End: f.Start + uint32(len(header))})
	r.block(body, 1)
	r.c.pop()
	r.c.dropLabels()
	return r.c
}

// header reads the header of a function and opens the scope of its parameters.
func (r *reader) header(f *ptxgrammar.Func, at ptxgrammar.Range) {
	r.c.push()
	for _, list := range [][]ptxgrammar.Var{f.Returns, f.Params} {
		for i := range list {
			r.c.declareVar(&list[i])
		}
	}
	r.add(at, "function", 0)
}

// block reads the statements of a block. Braces are no statements: their effect is in the resolution of names.
func (r *reader) block(b *ptxgrammar.Block, depth int) {
	r.c.push()
	for _, s := range b.Stmts {
		switch s.Kind {
		case ptxgrammar.StmtLabel:
			r.c.declare(r.m.Labels[s.Index].Name, classLabel)
		case ptxgrammar.StmtDirective:
			if d := &r.m.Directives[s.Index]; d.Label != "" {
				r.c.declare(d.Label, classLabel)
			}
		}
	}
	for _, s := range b.Stmts {
		r.stmt(s, depth)
	}
	r.c.pop()
}

func (r *reader) stmt(s ptxgrammar.Stmt, depth int) {
	switch s.Kind {
	case ptxgrammar.StmtInst:
		r.inst(&r.m.Insts[s.Index], depth)
	case ptxgrammar.StmtDecl:
		r.decl(&r.m.Decls[s.Index], depth)
	case ptxgrammar.StmtLabel:
		l := &r.m.Labels[s.Index]
		n := r.c.lookup(l.Name)
		r.add(l.Range, "label", depth-1)
		r.c.stmts[len(r.c.stmts)-1].label = n
		r.c.symbols[n].used--
	case ptxgrammar.StmtBlock:
		r.block(&r.m.Blocks[s.Index], depth+1)
	case ptxgrammar.StmtDirective:
		if d := &r.m.Directives[s.Index]; d.Name != ".section" {
			r.add(d.Range, d.Name, depth)
		}
	}
}

// decl reads a declaration. Registers have no statement: only their uses are compared.
func (r *reader) decl(d *ptxgrammar.Decl, depth int) {
	for i := range d.Vars {
		r.c.declareVar(&d.Vars[i])
	}
	if len(d.Vars) > 0 && d.Vars[0].Space == isa.SpaceReg {
		return
	}
	n := len(r.c.words)
	r.add(d.Range, "declaration", depth)
	for _, w := range r.c.words[n:] {
		if w.isSymbol() {
			r.c.symbols[w.value()].used--
		}
	}
}

func (r *reader) inst(in *ptxgrammar.Inst, depth int) {
	op := r.m.OpcodeRange(in)
	at := r.m.InstRange(in)
	spelling := dense(r.m.Text(op))
	r.begin(at, depth)
	r.scan(ptxgrammar.Range{Start: at.Start, End: op.Start})
	r.literal(spelling)
	r.scan(ptxgrammar.Range{Start: op.End, End: at.End})
	s := r.finish(r.m.Opcode(in), spelling)
	s.inst = true
	if row, ok := isa.Lookup(r.m.Opcode(in)); ok {
		s.call = row.Effects&isa.Calls != 0
	}
}

// add reads a statement all of whose tokens are compared.
func (r *reader) add(at ptxgrammar.Range, kind string, depth int) {
	r.begin(at, depth)
	r.scan(at)
	r.finish(kind, kind)
}

func (r *reader) begin(at ptxgrammar.Range, depth int) {
	line := r.m.File.Line(at.Start)
	r.c.stmts = append(r.c.stmts, stmt{
		cell:  Cell{Line: int32(line), Start: at.Start, End: at.End, Depth: uint8(min(depth, 100))},
		first: uint32(len(r.c.words)), label: -1,
	})
}

func (r *reader) finish(opcode, spelling string) *stmt {
	s := &r.c.stmts[len(r.c.stmts)-1]
	s.end = uint32(len(r.c.words))
	s.opcode, s.spelling = number(r.literals, opcode), number(r.literals, spelling)
	return s
}

// scan appends the tokens of a range.
func (r *reader) scan(at ptxgrammar.Range) {
	text := r.m.Text(at)
	for i := 0; i < len(text); {
		kind, end := scan(text, i)
		switch tok := text[i:end]; kind {
		case tokBlank, tokComment:
		case tokName:
			r.name(tok)
		case tokNumber:
			r.literal(canonicalNumber(tok))
		default:
			r.literal(tok)
		}
		i = end
	}
}

func (r *reader) literal(s string) {
	r.c.words = append(r.c.words, literal(number(r.literals, s)))
}

func (r *reader) name(s string) {
	n := r.c.lookup(s)
	if n < 0 {
		r.literal(s)
		return
	}
	r.c.symbols[n].used++
	r.c.words = append(r.c.words, symbolWord(n))
}

// canonicalNumber returns integers in decimal and other numbers in lower case.
func canonicalNumber(s string) string {
	if len(s) == 1 {
		return s
	}
	if n, err := strconv.ParseUint(strings.TrimSuffix(s, "U"), 0, 64); err == nil {
		return strconv.FormatUint(n, 10)
	}
	return strings.ToLower(s)
}

// dropLabels removes labels that nothing refers to: they mark places for a
// debugger.
func (c *code) dropLabels() {
	kept := c.stmts[:0]
	for _, s := range c.stmts {
		if s.label < 0 || c.symbols[s.label].used > 0 {
			kept = append(kept, s)
		}
	}
	c.stmts = kept
}
