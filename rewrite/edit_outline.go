// Outlining: instructions are moved to a new function.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Outline moves the instructions first to last into a new device function, replaces them by a call and returns the
// function's name, which is derived from hint. The registers that they read become its parameters; those needed
// afterwards are returned in one aggregate.
//
// The region must be a run of whole statements of one scope with one entry, at first, and one exit, behind last:
// branches inside go to labels inside or to the instruction after last, and no branch from elsewhere goes inside. It
// may include nested scopes. It must not declare anything used afterwards, return, exit, trap, branch or call through a
// register, name parameters or variables of the function, use vector registers or those of 128 bits, move the stack
// pointer, or cut a chain of carries. The error says what is wrong. Nothing may be inserted inside.
func (e *Editor) Outline(first, last *Inst, hint string) (name string, err error) {
	o := &outliner{e: e, f: first.Func, first: first, last: last, in: make(map[*Reg]bool), out: make(map[*Reg]bool)}
	if first.Func != last.Func || last.Index < first.Index {
		return "", fmt.Errorf("%s: the region to outline does not end in the same function behind its start",
			first.Position())
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
	e.changes = append(e.changes, change{
		at: o.at, text: strings.Join(call, "\n"+w.indent(o.at.Start)), what: "Outline",
		moves: true,
	})
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
	ends        []string // labels of the place after the region
}

func (o *outliner) errorf(in *Inst, format string, args ...any) error {
	return positioned(in, "cannot be outlined: "+format, args...)
}

// region finds the statements of the region: in the smallest scope that contains all of them, one must begin at first
// and one must end at last.
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
		case s.Kind == ptxgrammar.StmtDecl, s.Kind == ptxgrammar.StmtDirective, s.Kind == ptxgrammar.StmtFile,
			s.Kind == ptxgrammar.StmtEmpty:
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
		if q := seqs[in.Index]; q != nil && (!o.inside(q.first) || !o.inside(q.last)) {
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

// checkOutside checks that no branch enters the region other than at its start.
func (o *outliner) checkOutside(in *Inst) error {
	if !in.Branches() {
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
	if in.Branches() {
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

// registers finds the parameters and results of the new function.
func (o *outliner) registers() error {
	live := o.f.Liveness()
	var after RegSet
	if next := o.last.Index + 1; next < len(o.f.Insts) {
		after = live.Before(o.f.Insts[next])
	} else {
		after = NewRegSet(len(o.f.Regs))
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

// ordered returns registers sorted by index.
func ordered(set map[*Reg]bool) []*Reg {
	var list []*Reg
	for r := range set {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *Reg) int { return a.Index - b.Index })
	return list
}
