package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Outline moves the instructions first to last into a new device function, puts a
// call in their place and returns the function's name, which reads like hint. The
// registers that they read are its parameters; those that are needed afterwards
// come back in one aggregate.
//
// What can be moved is a run of whole statements of one scope with one entry, at
// first, and one exit, behind last: branches inside go to labels inside or to the
// instruction after last, and no branch from elsewhere goes inside. Nested scopes
// may be part of it. It must not declare what is used afterwards, return, exit,
// trap, branch or call through a register, name parameters or variables of the
// function, use vector registers or such of 128 bits, move the stack pointer, or
// cut a chain of carries. The error says which. Nothing may be inserted inside.
func (e *Editor) Outline(first, last *Inst, hint string) (name string, err error) {
	o := &outliner{e: e, f: first.Func, first: first, last: last, in: make(map[*Reg]bool), out: make(map[*Reg]bool)}
	if first.Func != last.Func || last.Index < first.Index {
		return "", fmt.Errorf("%s: the region to outline does not end in the same function behind its start", first.Position())
	}
	if err := o.region(); err != nil {
		return "", err
	}
	if err := o.checkInsts(); err != nil {
		return "", err
	}
	if err := o.registers(); err != nil {
		return "", err
	}
	name = e.FreshSymbol(hint)
	call := o.call(name)
	w := &editWriter{m: e.m}
	e.changes = append(e.changes, change{at: o.at, text: strings.Join(call, "\n"+w.indent(o.at.Start)), what: "Outline", moves: true})
	e.copies = append(e.copies, o.function(name))
	return name, nil
}

// outliner moves one region.
type outliner struct {
	e           *Editor
	f           *Func
	first, last *Inst
	at          ptxgrammar.Range
	in, out     map[*Reg]bool
	ends        []string // labels of the place behind the region
}

func (o *outliner) errorf(in *Inst, format string, args ...any) error {
	return positioned(in, "cannot be outlined: "+format, args...)
}

// region finds the statements: the smallest scope with all of them must begin one
// at first and end one at last.
func (o *outliner) region() error {
	a := o.f.Module.AST
	start, end := a.InstRange(o.first.AST).Start, a.InstRange(o.last.AST).End
	o.at = ptxgrammar.Range{Start: start, End: end}
	body := &a.Blocks[o.f.AST.Body]
	for again := true; again; {
		again = false
		for _, s := range body.Stmts {
			if r := a.StmtRange(s); s.Kind == ptxgrammar.StmtBlock && r.Start < start && r.End > end {
				body, again = &a.Blocks[s.Index], true
			}
		}
	}
	for _, s := range body.Stmts {
		r := a.StmtRange(s)
		if r.End <= start || r.Start >= end {
			continue
		}
		switch {
		case s.Kind == ptxgrammar.StmtBlock && r.Start < start:
			return o.errorf(o.first, "a scope begins before %q and ends inside", o.first.Text())
		case s.Kind == ptxgrammar.StmtBlock && r.End > end:
			o.at.End = r.End
			if o.wholeBlock(r) {
				continue
			}
			return o.errorf(o.last, "a scope ends behind %q", o.last.Text())
		case s.Kind == ptxgrammar.StmtDecl, s.Kind == ptxgrammar.StmtDirective, s.Kind == ptxgrammar.StmtFile:
			return o.errorf(o.first, "there are declarations among the instructions")
		}
	}
	return nil
}

// wholeBlock reports whether the last instruction is the last of a nested scope.
func (o *outliner) wholeBlock(r ptxgrammar.Range) bool {
	next := o.last.Index + 1
	a := o.f.Module.AST
	return next == len(o.f.Insts) || a.InstRange(o.f.Insts[next].AST).Start >= r.End
}

// inside reports whether an instruction index is in the region.
func (o *outliner) inside(i int) bool { return o.first.Index <= i && i <= o.last.Index }

func (o *outliner) checkInsts() error {
	for _, in := range o.f.Insts {
		var err error
		if o.inside(in.Index) {
			err = o.checkInst(in)
		} else {
			err = o.checkOutside(in)
		}
		if err != nil {
			return err
		}
	}
	seqs := callSequences(o.f)
	for _, in := range []*Inst{o.first, o.last} {
		if q := seqs[in.Index]; q != nil && !(o.inside(q.first) && o.inside(q.last)) {
			return o.errorf(in, "the region cuts the call sequence of %q", in.Text())
		}
	}
	flow := carryOf(o.f)
	if r := flow.reader(o.first, false); r != nil {
		return o.errorf(o.first, "%q needs the carry flag from before", r.Text())
	}
	if r := flow.reader(o.last, true); r != nil {
		return o.errorf(o.last, "%q needs the carry flag afterwards", r.Text())
	}
	return nil
}

// checkOutside makes sure that no branch enters the region other than at its start.
func (o *outliner) checkOutside(in *Inst) error {
	if !in.branches() {
		return nil
	}
	targets, known := in.targets()
	for _, t := range targets {
		if o.inside(t.Inst) && t.Inst != o.first.Index {
			return o.errorf(in, "%q goes into the region", in.Text())
		}
	}
	if !known {
		return o.errorf(in, "%q may go into the region", in.Text())
	}
	return nil
}

func (o *outliner) checkInst(in *Inst) error {
	if in.Instr.Effects&isa.Terminates != 0 || in.leaves() {
		return o.errorf(in, "%q leaves the function", in.Text())
	}
	if in.Instr.Class == isa.ClassStack {
		return o.errorf(in, "%q depends on the stack of the function", in.Text())
	}
	if in.branches() {
		targets, known := in.targets()
		if !known || in.indirect() {
			return o.errorf(in, "%q branches through a register", in.Text())
		}
		if err := o.checkTarget(in, targets[0]); err != nil {
			return err
		}
	}
	if c, ok := in.Call(); ok && c.Func == nil {
		return o.errorf(in, "%q calls through a register", in.Text())
	}
	return o.checkNames(in, in.Operands)
}

func (o *outliner) checkTarget(in *Inst, t *Label) error {
	if t.Inst == o.last.Index+1 {
		if !slices.Contains(o.ends, t.Name) {
			o.ends = append(o.ends, t.Name)
		}
		return nil
	}
	if !o.inside(t.Inst) || t.Inst == o.first.Index {
		return o.errorf(in, "%q leaves the region", in.Text())
	}
	return nil
}

// checkNames refuses variables of the function that the region does not declare.
func (o *outliner) checkNames(in *Inst, ops []Operand) error {
	for i := range ops {
		if v, ok := ops[i].Sym.(*Var); ok && v.Func != nil && (v.AST.Start < o.at.Start || v.AST.Start >= o.at.End) {
			return o.errorf(in, "%q is a variable of %s", v.Name, o.f.Name)
		}
		if err := o.checkNames(in, ops[i].Elems); err != nil {
			return err
		}
	}
	return nil
}

// registers finds what goes in and out.
func (o *outliner) registers() error {
	live := o.f.Liveness()
	var after RegSet
	if next := o.last.Index + 1; next < len(o.f.Insts) {
		after = live.Before(o.f.Insts[next])
	} else {
		after = newRegSet(len(o.f.Regs))
	}
	before := live.Before(o.first)
	var bad *Reg
	mention := func(r *Reg, set map[*Reg]bool, among RegSet) {
		if r.Vec > 1 || r.Type.Bits() > 64 {
			bad = r
		} else if among.Has(r) {
			set[r] = true
		}
	}
	for _, in := range o.f.Insts[o.first.Index : o.last.Index+1] {
		in.Uses(func(r *Reg) { mention(r, o.in, before) })
		in.Defs(func(r *Reg) { mention(r, o.in, before); mention(r, o.out, after) })
		if bad != nil {
			return o.errorf(in, "%q is a vector or too wide", bad.Name)
		}
	}
	return nil
}

// ordered lists registers in the order of their index.
func ordered(set map[*Reg]bool) []*Reg {
	var list []*Reg
	for r := range set {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *Reg) int { return a.Index - b.Index })
	return list
}

// passType is the bit type that a register travels in: predicates as a word.
func passType(r *Reg) isa.Type {
	switch t := r.Type; {
	case t == isa.Pred:
		return isa.B32
	case t.Bits() <= 16:
		return isa.B16
	case t.Bits() == 32:
		return isa.B32
	}
	return isa.B64
}

// slots gives every register that comes back its offset in the aggregate.
func slots(regs []*Reg) (offsets []int, size int) {
	for _, r := range regs {
		n := passType(r).Size()
		size = (size + n - 1) &^ (n - 1)
		offsets = append(offsets, size)
		size += n
	}
	return offsets, (size + 7) &^ 7
}

// transfer is how registers go through parameters: stores and loads must stand next
// to the call, so predicates are turned into words before and back after them.
type transfer struct{ before, access, after []string }

// word is the register that carries the i-th predicate.
func (o *outliner) word(i int) string { return fmt.Sprintf("%%%sword%d", o.e.names.stem, i) }

// transfers builds the stores (or loads) of regs to the named places.
func (o *outliner) transfers(regs []*Reg, store bool, place func(i int) string) (t transfer) {
	for i, r := range regs {
		value := r.Name
		if r.Type == isa.Pred {
			value = o.word(i)
		}
		switch {
		case store:
			t.access = append(t.access, fmt.Sprintf("st.param.b%d [%s], %s;", passType(r).Bits(), place(i), value))
		default:
			t.access = append(t.access, fmt.Sprintf("ld.param.b%d %s, [%s];", passType(r).Bits(), value, place(i)))
		}
		switch {
		case r.Type != isa.Pred:
		case store:
			t.before = append(t.before, fmt.Sprintf("selp.b32 %s, 1, 0, %s;", value, r.Name))
		default:
			t.after = append(t.after, fmt.Sprintf("setp.ne.b32 %s, %s, 0;", r.Name, value))
		}
	}
	return t
}

// words declares the registers that carry predicates, if any.
func (o *outliner) words() []string {
	for _, r := range slices.Concat(ordered(o.in), ordered(o.out)) {
		if r.Type == isa.Pred {
			return []string{fmt.Sprintf(".reg .b32 %%%sword<%d>;", o.e.names.stem, max(len(o.in), len(o.out)))}
		}
	}
	return nil
}

func (o *outliner) inName(i int) string { return fmt.Sprintf("%sin%d", o.e.names.stem, i) }

// outNames gives the places of the registers that come back, and declares the
// aggregate; "" when none comes back.
func (o *outliner) outNames() (place func(i int) string, declaration string) {
	offsets, size := slots(ordered(o.out))
	if size > 0 {
		declaration = fmt.Sprintf(".param .align 8 .b8 %sout[%d]", o.e.names.stem, size)
	}
	return func(i int) string { return fmt.Sprintf("%sout+%d", o.e.names.stem, offsets[i]) }, declaration
}

// call is what stands in the place of the region.
func (o *outliner) call(name string) []string {
	ins, outs := ordered(o.in), ordered(o.out)
	lines := append([]string{"{"}, o.words()...)
	var args []string
	for i, r := range ins {
		lines = append(lines, fmt.Sprintf(".param .%s %s;", passType(r), o.inName(i)))
		args = append(args, o.inName(i))
	}
	outName, declaration := o.outNames()
	if declaration != "" {
		lines = append(lines, declaration+";")
	}
	to, from := o.transfers(ins, true, o.inName), o.transfers(outs, false, outName)
	lines = append(append(lines, to.before...), to.access...)
	call := "call " + name
	if declaration != "" {
		call = fmt.Sprintf("call (%sout), %s", o.e.names.stem, name)
	}
	if len(args) > 0 || declaration != "" {
		call += ", (" + strings.Join(args, ", ") + ")"
	}
	lines = append(append(append(lines, call+";"), from.access...), from.after...)
	return append(lines, "}")
}

// function is the new function, with the user's lines in it.
func (o *outliner) function(name string) *funcCopy {
	c := &funcCopy{before: o.f}
	add := func(lines ...string) {
		for _, l := range lines {
			if !strings.HasSuffix(l, ":") {
				l = "\t" + l
			}
			c.add(l, 0)
		}
	}
	ins, outs := ordered(o.in), ordered(o.out)
	var params []string
	for i, r := range ins {
		params = append(params, fmt.Sprintf(".param .%s %s", passType(r), o.inName(i)))
	}
	outName, declaration := o.outNames()
	if declaration != "" {
		declaration = "(" + declaration + ") "
	}
	c.add(fmt.Sprintf(".func %s%s(%s)", declaration, name, strings.Join(params, ", ")), 0)
	c.add("{", 0)
	for _, r := range o.mentioned() {
		add(fmt.Sprintf(".reg .%s %s;", r.Type, r.Name))
	}
	add(o.words()...)
	from, to := o.transfers(ins, false, o.inName), o.transfers(outs, true, outName)
	add(from.access...)
	add(from.after...)
	if loc := o.location(); loc != "" {
		add(loc)
	}
	o.copyRegion(c)
	for _, l := range o.ends {
		add(l + ":")
	}
	add(to.before...)
	add(to.access...)
	add("ret;")
	c.add("}", 0)
	return c
}

// location is the .loc in force where the region starts.
func (o *outliner) location() string {
	a, text := o.f.Module.AST, ""
	for _, s := range a.Stmts(o.f.AST) {
		if s.Kind == ptxgrammar.StmtLoc && a.StmtRange(s).End <= o.at.Start {
			text = a.Text(a.StmtRange(s))
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

// copyRegion copies the user's lines.
func (o *outliner) copyRegion(c *funcCopy) {
	a := o.f.Module.AST
	line := a.File.Line(o.at.Start)
	for i, l := range strings.Split(a.Text(o.at), "\n") {
		if i == 0 {
			l = (&editWriter{m: o.e.m}).indent(o.at.Start) + l
		}
		c.add(strings.TrimRight(l, "\r"), line+i)
	}
}

// mentioned are the registers of the region that it does not declare itself: nested
// scopes declare theirs in the text that is moved.
func (o *outliner) mentioned() []*Reg {
	set := make(map[*Reg]bool)
	for _, in := range o.f.Insts[o.first.Index : o.last.Index+1] {
		note := func(r *Reg) {
			if r.at < o.at.Start || r.at >= o.at.End {
				set[r] = true
			}
		}
		in.Uses(note)
		in.Defs(note)
	}
	return ordered(set)
}
