// The reader of functions: headers, blocks and instructions.

package hostir

import (
	"strconv"
	"strings"
)

// define parses the header of a function.
func (m *module) define(line string) *function {
	r := &reader{m: m, ts: tokens(line)}
	f := &function{byLabel: make(map[string]*block), calls: make(map[string]bool)}
	private := false
	for r.more() && r.peek().kind != tokGlobal {
		switch t := r.next(); {
		case t.is("internal"), t.is("private"):
			f.hidden, private = true, true
		case t.is("linkonce_odr"), t.is("linkonce"), t.is("weak_odr"):
			f.hidden = true
		case t.is("("), t.is("["), t.is("{"), t.is("<"):
			r.i--
			r.group()
		}
	}
	f.name = r.next().text
	if !r.accept("(") || f.name == "" {
		return nil
	}
	if private {
		m.own[f.name] = true
		f.name = m.prefix + f.name
	}
	unnamed := 0
	for r.more() && !r.accept(")") {
		p := param{typ: r.typ()}
		if p.typ == nil {
			r.toComma()
		} else if p.byval = r.attributes(); r.peek().kind == tokLocal {
			p.name = r.next().text
		}
		if p.name == "" || p.name == strconv.Itoa(unnamed) {
			p.name = strconv.Itoa(unnamed)
			unnamed++
		}
		f.params = append(f.params, p)
		r.accept(",")
	}
	_, sub, _ := strings.Cut(line, "!dbg !")
	sub, _, _ = strings.Cut(strings.TrimSpace(sub), " ")
	f.sub = m.prefix + sub
	f.block(strconv.Itoa(unnamed))
	if m.functions[f.name] == nil {
		m.functions[f.name] = f
		m.order = append(m.order, f)
	}
	return f
}

// block begins a block.
func (f *function) block(label string) {
	b := &block{label: label}
	if n := len(f.blocks); n == 1 && len(f.blocks[0].instrs) == 0 { // the first block may have a label of its own
		f.blocks = f.blocks[:0]
	}
	f.blocks = append(f.blocks, b)
	f.byLabel[label] = b
}

// body parses a line of a function.
func (m *module) body(f *function, line string) {
	if line == "" || line[0] == ';' {
		return
	}
	if line[0] != ' ' && line[0] != '\t' {
		label, _, ok := strings.Cut(line, ":")
		if ok {
			f.block(strings.Trim(label, `"`))
		}
		return
	}
	text, debug, _ := strings.Cut(line, ", !dbg !")
	r := &reader{m: m, ts: tokens(text)}
	in := &instr{debug: m.prefix + strings.TrimSpace(strings.SplitN(debug, ",", 2)[0])}
	if r.peek().kind == tokLocal && r.ahead(1).is("=") {
		in.name = r.next().text
		r.next()
	}
	in.op = r.next().text
	for in.op == "tail" || in.op == "musttail" || in.op == "notail" {
		in.op = r.next().text
	}
	r.instr(in)
	if in.callee.kind == opGlobal {
		f.calls[in.callee.name] = true
		m.calls(in.callee.name)
	}
	m.name(in, r.ts)
	b := f.blocks[len(f.blocks)-1]
	b.instrs = append(b.instrs, in)
	m.instrs++
}

// calls notes what calls of a function mean for the program as a whole.
func (m *module) calls(name string) {
	for _, p := range runtimeStarts {
		m.later = m.later || strings.HasPrefix(name, p)
	}
	for _, part := range otherLaunchers {
		m.others = m.others || strings.Contains(name, part)
	}
}

// instr parses what follows the name of an instruction.
func (r *reader) instr(in *instr) {
	switch in.op {
	case "alloca":
		r.accept("inalloca")
		in.typ = r.typ()
		for r.accept(",") {
			if !r.peek().is("align") && !r.peek().is("addrspace") {
				in.args = append(in.args, r.operand())
				continue
			}
			r.toComma()
		}
	case "load":
		in.sync = r.skipWords("volatile", "atomic")
		in.typ = r.typ()
		r.accept(",")
		in.args = append(in.args, r.operand())
	case "getelementptr":
		r.skipWords("inbounds", "nuw", "nusw")
		in.typ = r.typ()
		for r.accept(",") {
			in.args = append(in.args, r.operand())
		}
	case "icmp", "fcmp":
		r.skipWords("samesign", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast")
		in.pred = r.next().text
		r.pair(in)
	case "phi":
		r.phi(in)
	case "br", "switch":
		r.jump(in)
	case "call", "invoke":
		r.call(in)
	case "trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "addrspacecast", "fptosi", "fptoui", "fptrunc",
		"fpext", "sitofp", "uitofp":
		r.skipWords("nuw", "nsw", "nneg")
		in.args = append(in.args, r.operand())
		if r.accept("to") {
			in.typ = r.typ()
		}
	case "extractvalue", "insertvalue":
		r.member(in)
	default:
		r.plain(in)
	}
}

// plain parses operands after flags: arithmetic, store, select, ret and the like.
func (r *reader) plain(in *instr) {
	for r.peek().kind == tokWord && !r.startsType() {
		flag := r.next().text
		in.nsw = in.nsw || flag == "nsw"
		in.inexact = in.inexact || freelyComputed[flag]
	}
	_, ofReals := realArithmetic[in.op]
	if _, binary := arithmetic[in.op]; binary || ofReals {
		r.pair(in)
		return
	}
	for r.more() {
		if r.peek().is("align") || r.peek().kind == tokOther {
			return
		}
		in.args = append(in.args, r.operand())
		if !r.accept(",") {
			return
		}
	}
}

// freelyComputed gives the flags of floating-point instructions by which the result need not be that of the instruction
// (LLVM Language Reference, "Fast-Math Flags"). With contract it is, if neither operation rounds.
var freelyComputed = setOf("fast reassoc arcp afn")

// startsType reports whether a type is next.
func (r *reader) startsType() bool {
	at := r.i
	t := r.typ()
	r.i = at
	return t != nil
}

// pair reads a type and two values of it.
func (r *reader) pair(in *instr) {
	x := r.operand()
	in.typ = x.typ
	if !r.accept(",") || x.typ == nil {
		in.args = []operand{x, {}}
		return
	}
	in.args = []operand{x, r.value(x.typ)}
}

// skipWords skips words, and reports whether there was one.
func (r *reader) skipWords(words ...string) (any bool) {
	for again := true; again; {
		again = false
		for _, w := range words {
			again = r.accept(w) || again
		}
		any = any || again
	}
	return any
}

// phi parses the values of a phi and their predecessors.
func (r *reader) phi(in *instr) {
	r.skipWords("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast")
	if in.typ = r.typ(); in.typ == nil {
		return
	}
	for r.accept("[") {
		in.args = append(in.args, r.value(in.typ))
		r.accept(",")
		in.labels = append(in.labels, r.next().text)
		r.accept("]")
		r.accept(",")
	}
}

// jump reads a branch or a switch: its condition and its targets, the default first.
func (r *reader) jump(in *instr) {
	if !r.peek().is("label") {
		in.args = append(in.args, r.operand())
		r.accept(",")
	}
	for r.more() {
		switch t := r.next(); {
		case t.is("label"):
			in.labels = append(in.labels, r.next().text)
		case t.kind == tokWord && in.op == "switch":
			r.i--
			if r.startsType() {
				in.args = append(in.args, r.operand())
				continue
			}
			r.i++
		}
	}
}

// call reads the result, the callee and the arguments of a call.
func (r *reader) call(in *instr) {
	for r.more() && r.peek().kind == tokWord && !r.startsType() {
		r.next()
		if r.peek().is("(") {
			r.group()
		} else if r.peek().kind == tokNumber {
			r.next()
		}
	}
	in.typ = r.typ()
	if r.peek().is("(") { // the type of the function
		r.group()
	}
	if r.accept("asm") {
		for r.more() && !r.peek().is("(") {
			r.next()
		}
	} else {
		in.callee = r.value(&typ{kind: tyPointer})
	}
	if !r.accept("(") {
		return
	}
	for r.more() && !r.accept(")") {
		in.args = append(in.args, r.operand())
		r.toComma()
		r.accept(",")
	}
	for r.more() {
		if r.next().is("label") {
			in.labels = append(in.labels, r.next().text)
		}
	}
}

// member reads extractvalue and insertvalue.
func (r *reader) member(in *instr) {
	in.args = append(in.args, r.operand())
	for r.accept(",") {
		if t := r.peek(); t.kind == tokNumber {
			k, _ := strconv.Atoi(r.next().text)
			in.index = append(in.index, k)
			continue
		}
		in.args = append(in.args, r.operand())
	}
	if len(in.args) > 0 {
		in.typ = in.args[0].typ
	}
}
