// Edits that copy functions.

package rewrite

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// funcCopy is a copy of a function, to be written before another function.
type funcCopy struct {
	before *Func
	lines  []string
	from   []int // for each line: the line of the module that it was made for
}

func (c *funcCopy) add(line string, from int) {
	c.lines, c.from = append(c.lines, line), append(c.from, from)
}

// CloneFunc adds a copy of f under a fresh name derived from hint, before f's definition, and returns the name. It
// copies f as it is, without the queued edits; calls of f in it remain calls of f, and nothing calls the copy. Copies of device functions are not visible outside the module. The copy lacks the instructions of f that
// are given.
//
// A function with a .shared, .global or .const variable of its own is not copied, since the copy would have another
// variable. The .shared variables of a kernel are an exception: a kernel and its copies never run in the same launch.
func (e *Editor) CloneFunc(f *Func, hint string, without ...*Inst) (name string, err error) {
	if f.Module != e.m || !f.Defined() {
		panic("BUG: CloneFunc of " + f.Name + ", which is not defined in the module being edited")
	}
	for _, v := range f.Locals {
		if v.Space == isa.SpaceGlobal || v.Space == isa.SpaceConst || v.Space == isa.SpaceShared && !f.Entry {
			return "", fmt.Errorf("%s: %s cannot be copied: its variable %q would not be shared",
				symbolPosition(e.m, f), f.Name, v.Name)
		}
	}
	name = e.FreshSymbol(hint)
	r := f.AST.Range
	edits := []ptxgrammar.Edit{{Start: f.AST.NameAt.Start - r.Start, End: f.AST.NameAt.End - r.Start, Text: name}}
	edits = append(edits, e.unlinked(f)...)
	edits = append(edits, e.debugLabels(f)...)
	for _, in := range without {
		at := e.m.AST.InstRange(in.AST)
		edits = append(edits, ptxgrammar.Edit{Start: at.Start - r.Start, End: at.End - r.Start})
	}
	text, origins, err := ptxgrammar.Apply([]byte(e.m.AST.Text(r)), edits)
	if err != nil {
		return "", err
	}
	c := &funcCopy{before: f}
	first := e.m.AST.File.Line(r.Start)
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			c.add(line, first+max(origins[i].Line, 1)-1)
		}
	}
	c.lines[0] = strings.TrimLeft(c.lines[0], " ")
	e.declareCopy(f, name)
	names := &refs{m: e.m, visit: func(_ *ptxgrammar.Operand, s Symbol, _ bool) {
		if s == Symbol(f) {
			e.declare(f, f.AST.Start) // f calls itself, so the copy calls f
		}
	}}
	names.function(f)
	e.copies = append(e.copies, c)
	return name, nil
}

// declareCopy declares the copy of a device function before all functions, so that functions before the copy can call
// it.
func (e *Editor) declareCopy(f *Func, name string) {
	first := (&editWriter{m: e.m}).firstFunc(func(*ptxgrammar.Func) bool { return true })
	if f.Entry || f.AST.Start == first {
		return
	}
	a := e.m.AST
	head := a.Text(ptxgrammar.Range{Start: f.AST.Start, End: f.AST.NameAt.Start})
	tail := a.Text(ptxgrammar.Range{Start: f.AST.NameAt.End, End: a.Blocks[f.AST.Body].Start})
	unlinked, _, err := ptxgrammar.Apply([]byte(head), e.unlinked(f))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	e.AddGlobal(oneLine(string(unlinked)+name+tail) + ";")
}

// unlinked removes the linking directive of a device function.
func (e *Editor) unlinked(f *Func) []ptxgrammar.Edit {
	if f.Entry {
		return nil
	}
	var edits []ptxgrammar.Edit
	head := e.m.AST.Text(ptxgrammar.Range{Start: f.AST.Start, End: f.AST.NameAt.Start})
	for at, word := range words(head) {
		if word == "visible" || word == "weak" {
			edits = append(edits, ptxgrammar.Edit{Start: uint32(at) - 1, End: uint32(at + len(word))})
		}
	}
	return edits
}

// debugLabels removes the labels that no instruction of f names: they are for debug information, which belongs to the
// original.
func (e *Editor) debugLabels(f *Func) []ptxgrammar.Edit {
	used := make(map[string]bool)
	var visit func(o *Operand)
	visit = func(o *Operand) {
		if o.Sym != nil {
			used[o.Sym.SymbolName()] = true
		}
		for i := range o.Elems {
			visit(&o.Elems[i])
		}
	}
	for _, in := range f.Insts {
		for i := range in.Operands {
			visit(&in.Operands[i])
		}
	}
	for _, p := range f.Protos {
		for _, name := range p.Targets {
			used[name] = true
		}
	}
	var edits []ptxgrammar.Edit
	for _, s := range e.m.AST.Stmts(f.AST) {
		if s.Kind != ptxgrammar.StmtLabel || used[e.m.AST.Labels[s.Index].Name] {
			continue
		}
		r := e.m.AST.Labels[s.Index].Range
		edits = append(edits, ptxgrammar.Edit{Start: r.Start - f.AST.Start, End: r.End - f.AST.Start})
	}
	return edits
}
