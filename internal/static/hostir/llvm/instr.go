// The reader of functions: headers, blocks and instructions.

package llvm

import (
	"strconv"
	"strings"
)

// define parses the header of a function.
func (m *Module) define(line string) *Function {
	r := &reader{m: m, ts: tokens(line)}
	f := &Function{ByLabel: make(map[string]*Block), Calls: make(map[string]bool)}
	private := false
	for r.more() && r.peek().kind != tokGlobal {
		switch t := r.next(); {
		case t.is("internal"), t.is("private"):
			f.Hidden, private = true, true
		case t.is("linkonce_odr"), t.is("linkonce"), t.is("weak_odr"):
			f.Hidden = true
		case t.is("("), t.is("["), t.is("{"), t.is("<"):
			r.i--
			r.group()
		}
	}
	f.Name = r.next().text
	if !r.accept("(") || f.Name == "" {
		return nil
	}
	if private {
		m.own[f.Name] = true
		f.Name = m.prefix + f.Name
	}
	unnamed := 0
	for r.more() && !r.accept(")") {
		p := param{Type: r.typ()}
		if p.Type == nil {
			r.toComma()
		} else if p.Byval = r.attributes(); r.peek().kind == tokLocal {
			p.Name = r.next().text
		}
		if p.Name == "" || p.Name == strconv.Itoa(unnamed) {
			p.Name = strconv.Itoa(unnamed)
			unnamed++
		}
		f.Params = append(f.Params, p)
		r.accept(",")
	}
	_, sub, _ := strings.Cut(line, "!dbg !")
	sub, _, _ = strings.Cut(strings.TrimSpace(sub), " ")
	f.Sub = m.prefix + sub
	f.block(strconv.Itoa(unnamed))
	if m.Functions[f.Name] == nil {
		m.Functions[f.Name] = f
		m.Order = append(m.Order, f)
	}
	return f
}

// block begins a block.
func (f *Function) block(label string) {
	b := &Block{Label: label}
	if n := len(f.Blocks); n == 1 && len(f.Blocks[0].Instrs) == 0 { // the first block may have a label of its own
		f.Blocks = f.Blocks[:0]
	}
	f.Blocks = append(f.Blocks, b)
	f.ByLabel[label] = b
}

// body parses a line of a function.
func (m *Module) body(f *Function, line string) {
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
	in := &Instr{Debug: m.prefix + strings.TrimSpace(strings.SplitN(debug, ",", 2)[0])}
	if r.peek().kind == tokLocal && r.ahead(1).is("=") {
		in.Name = r.next().text
		r.next()
	}
	in.Op = r.next().text
	for in.Op == "tail" || in.Op == "musttail" || in.Op == "notail" {
		in.Op = r.next().text
	}
	r.instr(in)
	if in.Callee.Kind == OpGlobal {
		f.Calls[in.Callee.Name] = true
	}
	m.name(in, r.ts)
	b := f.Blocks[len(f.Blocks)-1]
	b.Instrs = append(b.Instrs, in)
	m.Instrs++
}

// instr parses what follows the name of an instruction.
func (r *reader) instr(in *Instr) {
	switch in.Op {
	case "alloca":
		r.accept("inalloca")
		in.Type = r.typ()
		for r.accept(",") {
			if !r.peek().is("align") && !r.peek().is("addrspace") {
				in.Args = append(in.Args, r.operand())
				continue
			}
			r.toComma()
		}
	case "load":
		in.Sync = r.skipWords("volatile", "atomic")
		in.Type = r.typ()
		r.accept(",")
		in.Args = append(in.Args, r.operand())
	case "getelementptr":
		r.skipWords("inbounds", "nuw", "nusw")
		in.Type = r.typ()
		for r.accept(",") {
			in.Args = append(in.Args, r.operand())
		}
	case "icmp", "fcmp":
		r.skipWords("samesign", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast")
		in.Pred = r.next().text
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
		in.Args = append(in.Args, r.operand())
		if r.accept("to") {
			in.Type = r.typ()
		}
	case "extractvalue", "insertvalue":
		r.member(in)
	default:
		r.plain(in)
	}
}

// plain parses operands after flags: arithmetic, store, select, ret and the like.
func (r *reader) plain(in *Instr) {
	for r.peek().kind == tokWord && !r.startsType() {
		flag := r.next().text
		in.Nsw = in.Nsw || flag == "nsw"
		in.Inexact = in.Inexact || freelyComputed[flag]
	}
	ofReals := realOperations[in.Op]
	if _, binary := Arithmetic[in.Op]; binary || ofReals {
		r.pair(in)
		return
	}
	for r.more() {
		if r.peek().is("align") || r.peek().kind == tokOther {
			return
		}
		in.Args = append(in.Args, r.operand())
		if !r.accept(",") {
			return
		}
	}
}

// freelyComputed gives the flags of floating-point instructions by which the result need not be that of the instruction
// (LLVM Language Reference, "Fast-Math Flags"). With contract it is, if neither operation rounds.
var freelyComputed = map[string]bool{"fast": true, "reassoc": true, "arcp": true, "afn": true}

// realOperations has the instructions that compute a floating-point number from two.
var realOperations = map[string]bool{"fadd": true, "fsub": true, "fmul": true, "fdiv": true}

// startsType reports whether a type is next.
func (r *reader) startsType() bool {
	at := r.i
	t := r.typ()
	r.i = at
	return t != nil
}

// pair reads a type and two values of it.
func (r *reader) pair(in *Instr) {
	x := r.operand()
	in.Type = x.Type
	if !r.accept(",") || x.Type == nil {
		in.Args = []Operand{x, {}}
		return
	}
	in.Args = []Operand{x, r.value(x.Type)}
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
func (r *reader) phi(in *Instr) {
	r.skipWords("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast")
	if in.Type = r.typ(); in.Type == nil {
		return
	}
	for r.accept("[") {
		in.Args = append(in.Args, r.value(in.Type))
		r.accept(",")
		in.Labels = append(in.Labels, r.next().text)
		r.accept("]")
		r.accept(",")
	}
}

// jump reads a branch or a switch: its condition and its targets, the default first.
func (r *reader) jump(in *Instr) {
	if !r.peek().is("label") {
		in.Args = append(in.Args, r.operand())
		r.accept(",")
	}
	for r.more() {
		switch t := r.next(); {
		case t.is("label"):
			in.Labels = append(in.Labels, r.next().text)
		case t.kind == tokWord && in.Op == "switch":
			r.i--
			if r.startsType() {
				in.Args = append(in.Args, r.operand())
				continue
			}
			r.i++
		}
	}
}

// call reads the result, the callee and the arguments of a call.
func (r *reader) call(in *Instr) {
	for r.more() && r.peek().kind == tokWord && !r.startsType() {
		r.next()
		if r.peek().is("(") {
			r.group()
		} else if r.peek().kind == tokNumber {
			r.next()
		}
	}
	in.Type = r.typ()
	if r.peek().is("(") { // the type of the function
		r.group()
	}
	if r.accept("asm") {
		for r.more() && !r.peek().is("(") {
			r.next()
		}
	} else {
		in.Callee = r.value(&Type{Kind: PointerType})
	}
	if !r.accept("(") {
		return
	}
	for r.more() && !r.accept(")") {
		in.Args = append(in.Args, r.operand())
		r.toComma()
		r.accept(",")
	}
	for r.more() {
		if r.next().is("label") {
			in.Labels = append(in.Labels, r.next().text)
		}
	}
}

// member reads extractvalue and insertvalue.
func (r *reader) member(in *Instr) {
	in.Args = append(in.Args, r.operand())
	for r.accept(",") {
		if t := r.peek(); t.kind == tokNumber {
			k, _ := strconv.Atoi(r.next().text)
			in.Index = append(in.Index, k)
			continue
		}
		in.Args = append(in.Args, r.operand())
	}
	if len(in.Args) > 0 {
		in.Type = in.Args[0].Type
	}
}
