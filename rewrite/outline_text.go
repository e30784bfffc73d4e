// The text of outlined functions: parameters, transfers of registers, the call.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// passType returns the bit type in which a register is passed: predicates as a word.
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

// slots returns the offset of every returned register in the aggregate.
func slots(regs []*Reg) (offsets []int, size int) {
	for _, r := range regs {
		n := passType(r).Size()
		size = (size + n - 1) &^ (n - 1)
		offsets = append(offsets, size)
		size += n
	}
	return offsets, (size + 7) &^ 7
}

// transfer passes registers as parameters: stores and loads must be next to the call, so predicates are converted to
// words before it and back after it.
type transfer struct{ before, access, after []string }

// word returns the register that carries the i-th predicate.
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

// outNames returns the places of the returned registers and the declaration of the aggregate, "" if none is returned.
func (o *outliner) outNames() (place func(i int) string, declaration string) {
	offsets, size := slots(ordered(o.out))
	if size > 0 {
		declaration = fmt.Sprintf(".param .align 8 .b8 %sout[%d]", o.e.names.stem, size)
	}
	return func(i int) string { return fmt.Sprintf("%sout+%d", o.e.names.stem, offsets[i]) }, declaration
}

// call returns the statements that replace the region.
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

// function returns the new function, with the user's lines in it.
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

// location returns the .loc in force where the region starts.
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

// mentioned returns the registers of the region that it does not declare itself: nested
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
