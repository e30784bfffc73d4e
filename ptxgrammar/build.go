// The builder: it converts the parser's calls to the syntax tree.

package ptxgrammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
)

// builder builds the syntax tree from the rules of a parse. Every handler receives a token range that the grammar has
// accepted, so it checks values and not syntax.
type builder struct {
	m     *Module
	toks  []Tok
	errs  ErrorList
	item  int     // first token of the current item
	rules []frame // open rules
	roots []root  // finished operands whose statement or enclosing operand is open
	vars  []Var   // finished variables and parameters, whose declaration or list is open
	lists []varList
	stmts []Stmt // statements of the open blocks
	open  []openBlock
	last  int // index of the block that ended last
}

// frame is an open rule.
type frame struct {
	rule  uint8
	inner bool // an operand that continues the operator chain of the enclosing one
	tok   uint32
	roots uint32 // len(builder.roots) on entry
	vars  uint32 // len(builder.vars) on entry
}

// root is a finished operand with its token range, parentheses included.
type root struct {
	Operand
	from, to uint32
}

// varList is a parameter list.
type varList struct {
	from, to uint32 // tokens, with the parentheses
	vars     []Var
}

// openBlock is an unfinished block: its index, and the start of its statements.
type openBlock struct{ index, stmts int }

// newBuilder returns a builder for the items in toks[from:to].
func newBuilder(f *File, toks []Tok, from, to int) *builder {
	m := &Module{File: f, toks: toks, text: view(f.Src)}
	insts, operands, locs := nodesOf(toks[from:to])
	m.Insts, m.Operands, m.Locs = array[Inst](insts)[:0], array[Operand](operands)[:0], array[Loc](locs)[:0]
	return &builder{m: m, toks: toks}
}

// operandNodes is what tokens of a kind add to the number of operand nodes: 1 for what is a node or begins one, -1 for
// what follows a word that is none, and -3 for .loc, which three integers follow.
var operandNodes = [256]int8{
	tokID: 1, tokINT: 1, tokFLOAT: 1, tokHEXFLOAT: 1, tokSTRING: 1, tokLBRACK: 1, tokLBRACE: 1, tokPLUS: 1, tokPIPE: 1,
	tokBANG:  1,
	tokTILDE: 1, tokSEMI: -1, tokCOLON: -1, tokLOC: -3,
}

// nodesOf estimates how many nodes tokens become; the module of 50 MB of make goals has 6 % fewer. The estimates have
// limits, which PTX of compilers stays below, because a text that is no PTX may consist of one kind of token.
func nodesOf(toks []Tok) (insts, operands, locs uint32) {
	var nodes int
	for _, t := range toks {
		kind := t.Kind()
		nodes += int(operandNodes[kind])
		switch kind {
		case tokSEMI:
			insts++
		case tokLOC:
			locs++
		}
	}
	n := uint32(len(toks))
	return min(insts, n/3), min(uint32(max(nodes, 0)), n/2), min(locs, n/4)
}

// push appends to a list and doubles its room when there is none: append's steps of a quarter copy a large list many
// times.
func push[T any](list []T, v T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(len(list), 16))
	}
	return append(list, v)
}

// errorf records an error at a token.
func (b *builder) errorf(tok uint32, format string, args ...any) {
	b.errorAt(b.toks[tok].Off, nil, format, args...)
}

// errorAt records an error at a byte offset; limit is nil or the exceeded limit.
func (b *builder) errorAt(off uint32, limit error, format string, args ...any) {
	if len(b.errs) < maxErrors {
		b.errs = append(b.errs, &Error{b.m.File.Position(off), fmt.Sprintf(format, args...), limit})
	}
}

func (b *builder) kind(tok uint32) uint8  { return b.toks[tok].Kind() }
func (b *builder) text(tok uint32) string { return b.m.text[b.toks[tok].Off:b.toks[tok].End()] }
func (b *builder) span(from, to uint32) Range {
	return Range{b.toks[from].Off, b.toks[to-1].End()}
}
func (b *builder) tokRange(tok uint32) Range { return b.span(tok, tok+1) }

// Enter implements antlrgen.Events.
func (b *builder) Enter(rule, tok int) {
	f := frame{rule: uint8(rule), tok: uint32(tok), roots: uint32(len(b.roots)), vars: uint32(len(b.vars))}
	switch rule {
	case antlrgen.PTXParserRULE_operand:
		f.inner = b.continues(tok)
	case antlrgen.PTXParserRULE_item:
		b.item = tok
	case antlrgen.PTXParserRULE_block:
		b.open = push(b.open, openBlock{len(b.m.Blocks), len(b.stmts)})
		b.m.Blocks = push(b.m.Blocks, Block{})
	}
	b.rules = push(b.rules, f)
}

// Exit implements antlrgen.Events.
func (b *builder) Exit(rule, tok int) {
	f := b.rules[len(b.rules)-1]
	b.rules = b.rules[:len(b.rules)-1]
	end := uint32(tok)
	switch rule {
	case antlrgen.PTXParserRULE_operand:
		if !f.inner {
			b.operand(f, end)
		}
	case antlrgen.PTXParserRULE_braces:
		b.braces(f, end)
	case antlrgen.PTXParserRULE_stmt:
		b.stmt(f, end)
	case antlrgen.PTXParserRULE_block:
		b.block(f, end)
	case antlrgen.PTXParserRULE_variables, antlrgen.PTXParserRULE_param:
		b.variables(f, end)
	case antlrgen.PTXParserRULE_params:
		vars := append([]Var(nil), b.vars[f.vars:]...) // nil for none
		b.vars = b.vars[:f.vars]
		b.lists = push(b.lists, varList{f.tok, end, vars})
	case antlrgen.PTXParserRULE_function:
		b.function(f, end)
	case antlrgen.PTXParserRULE_item:
		b.endItem(f, end)
	}
}

// endItem adds a top-level node at the end of its rule.
func (b *builder) endItem(f frame, end uint32) {
	m := b.m
	switch b.kind(f.tok) {
	case tokFILE:
		b.addItem(ItemFile, b.file(f.tok, end))
	case tokLOC:
		b.addItem(ItemLoc, b.loc(f.tok, end))
	case tokVERSION, tokTARGET, tokADDRESSSIZE:
		b.header(f.tok, end)
		b.addItem(ItemDirective, b.directive(f.tok, end))
	case tokALIAS, tokPRAGMA, tokSECTION, tokSOURCE, tokDOTID:
		b.addItem(ItemDirective, b.directive(f.tok, end))
	default:
		if len(b.vars) > int(f.vars) {
			b.addItem(ItemDecl, b.decl(f, end))
			return
		}
		fn := &m.Funcs[len(m.Funcs)-1]
		fn.Linkage = b.linkage(f.tok)
		fn.Range = b.span(f.tok, end)
		b.addItem(ItemFunc, len(m.Funcs)-1)
	}
}

func (b *builder) addItem(kind ItemKind, index int) {
	b.m.Items = push(b.m.Items, Item{kind, uint32(index)})
}

// block handles the end of a brace-enclosed statement list.
func (b *builder) block(f frame, end uint32) {
	o := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	b.m.Blocks[o.index] = Block{b.span(f.tok, end), slices.Clone(b.stmts[o.stmts:])}
	b.stmts = b.stmts[:o.stmts]
	b.last = o.index
}

// stmt handles the end of a statement of a function body.
func (b *builder) stmt(f frame, end uint32) {
	add := func(kind StmtKind, index int) { b.stmts = push(b.stmts, Stmt{kind, uint32(index)}) }
	switch b.kind(f.tok) {
	case tokAT:
		b.inst(f, end)
		add(StmtInst, len(b.m.Insts)-1)
	case tokID:
		if b.kind(f.tok+1) != tokCOLON {
			b.inst(f, end)
			add(StmtInst, len(b.m.Insts)-1)
		} else if end > f.tok+2 {
			add(StmtDirective, b.labelled(f.tok, end))
		} else {
			b.m.Labels = push(b.m.Labels, Label{b.span(f.tok, end), b.text(f.tok)})
			add(StmtLabel, len(b.m.Labels)-1)
		}
	case tokLBRACE:
		add(StmtBlock, b.last)
	case tokLOC:
		add(StmtLoc, b.loc(f.tok, end))
	case tokFILE:
		add(StmtFile, b.file(f.tok, end))
	case tokSEMI:
		add(StmtEmpty, int(f.tok))
	case tokPRAGMA, tokSECTION, tokPLACE, tokDOTID:
		add(StmtDirective, b.directive(f.tok, end))
	default:
		add(StmtDecl, b.decl(f, end))
	}
}

// inst handles the end of an instruction.
func (b *builder) inst(f frame, end uint32) {
	in := Inst{First: f.tok, End: end, opcode: f.tok}
	if b.kind(f.tok) == tokAT {
		in.HasGuard = true
		in.GuardNot = b.kind(f.tok+1) == tokBANG
		in.opcode = f.tok + 2
		if in.GuardNot {
			in.opcode++
		}
	}
	in.nMods = b.modifiers(in.opcode)
	in.firstOp, in.nOps = b.adopt(f.roots)
	b.m.Insts = push(b.m.Insts, in)
}

// modifiers returns the number of modifiers of an opcode.
func (b *builder) modifiers(opcode uint32) uint8 {
	at := opcode + 1
	for k := b.kind(at); isModifier(k); k = b.kind(at) {
		switch k {
		case tokDOTID:
		case tokCONST:
			b.bank(at)
			fallthrough
		default:
			if b.startsLine(at) {
				b.errorAt(b.toks[at-1].End(), nil, "missing ';' after %s", b.show(at-1))
				return 0
			}
		}
		at++
	}
	n := at - opcode - 1
	if n > MaxModifiers {
		b.errorAt(b.toks[opcode].Off, ErrTooLong, "instruction of more than %d modifiers", MaxModifiers)
	}
	return uint8(n)
}

// startsLine reports whether a token is the first of its line.
func (b *builder) startsLine(tok uint32) bool {
	return strings.IndexByte(b.m.text[b.toks[tok-1].End():b.toks[tok].Off], '\n') >= 0
}

// adopt moves the finished operands from base on into the module, and returns their position. Without any, first is 0.
func (b *builder) adopt(base uint32) (first, n uint32) {
	n = uint32(len(b.roots)) - base
	if n == 0 {
		return 0, 0
	}
	first = uint32(len(b.m.Operands))
	for i := range b.roots[base:] {
		b.m.Operands = push(b.m.Operands, b.roots[int(base)+i].Operand)
	}
	b.roots = b.roots[:base]
	return first, n
}
