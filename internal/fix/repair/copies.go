// Copies of edits: a compiler duplicates the code of a source line, and an edit of the source changes all copies.

package repair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Origin is the place of an instruction in the source, by numbers: its line, its column in this line, and the chain of
// inlined calls that leads there. They are 0 if the place is unknown.
type Origin struct{ Line, Column, Call int }

// Origins has the places of the instructions of a module.
type Origins struct {
	of           map[*rewrite.Inst]Origin
	column, call place
}

// place has the instructions of one place of the source, in the order of the module, by numbers.
type place struct {
	of    func(*rewrite.Inst) int
	insts map[int][]*rewrite.Inst
}

// NewOrigins returns the places of the instructions of a module.
func NewOrigins(m *rewrite.Module, of func(*rewrite.Inst) Origin) *Origins {
	o := &Origins{of: make(map[*rewrite.Inst]Origin)}
	o.column = place{func(in *rewrite.Inst) int { return o.of[in].Column }, make(map[int][]*rewrite.Inst)}
	o.call = place{func(in *rewrite.Inst) int { return o.of[in].Call }, make(map[int][]*rewrite.Inst)}
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			x := of(in)
			o.of[in] = x
			o.column.insts[x.Column] = append(o.column.insts[x.Column], in)
			o.call.insts[x.Call] = append(o.call.insts[x.Call], in)
		}
	}
	return o
}

// Same reports whether two instructions were compiled from one line and column of the source.
func (o *Origins) Same(a, b *rewrite.Inst) bool {
	return a == b || o.of[a].Line != 0 && o.of[a].Column == o.of[b].Column
}

// spread returns edits that change all copies of their instructions, once for those of the same inlined calls and once
// for those of the line, where these differ.
func (p *proposer) spread(edits []*Edit) (list []*Edit) {
	seen := make(map[string]bool)
	for _, e := range edits {
		for _, at := range []*place{&p.origins.call, &p.origins.column} {
			x := *e
			x.Changes = p.spreadBy(at, e.Changes)
			if k := x.Key(); !seen[k] {
				seen[k] = true
				list = append(list, &x)
			}
		}
	}
	return list
}

// spreadBy adds to changes those of the copies of their instructions, if the text of all is the same at each copy.
func (p *proposer) spreadBy(at *place, changes []Change) []Change {
	if slices.ContainsFunc(changes, func(c Change) bool { return !c.portable() }) {
		return changes
	}
	list := slices.Clone(changes)
	for _, c := range changes {
		for _, in := range p.copies(at, &c) {
			copied := c
			copied.At = in
			if !slices.Contains(list, copied) {
				list = append(list, copied)
			}
		}
	}
	return list
}

// portable reports whether a change has the same text at another instruction: it names no register, label or guard.
func (c *Change) portable() bool {
	return c.Place != Cut && !strings.ContainsAny(c.Text, "%$@{}[]") && (c.Place != Instead || c.Text != "")
}

// copies returns the other instructions that a change of the source at the place of a change would change, too. A
// statement for all threads goes only where they arrive together.
func (p *proposer) copies(at *place, c *Change) (list []*rewrite.Inst) {
	number := at.of(c.At)
	if number == 0 {
		return nil
	}
	nth := at.ordinal(c.At)
	all := collective(c.Text) && p.placesIn(c.At.Func).uniform(c.At)
	for _, in := range at.insts[number] {
		same := in != c.At && in.Opcode() == c.At.Opcode() && at.ordinal(in) == nth
		if same && (c.Place != Instead || in.Text() == c.At.Text()) && (!all || p.placesIn(in.Func).uniform(in)) {
			list = append(list, in)
		}
	}
	return list
}

// ordinal counts the instructions with the same opcode that the same execution of a source line has before an
// instruction: back to the start of its basic block, or to an access or barrier of another line.
func (x *place) ordinal(in *rewrite.Inst) (n int) {
	f := in.Func
	for i := in.Index - 1; i >= f.CFG().BlockOf[in.Index].Start; i-- {
		y := f.Insts[i]
		_, barrier := y.Barrier()
		switch same := x.of(y) == x.of(in); {
		case same && y.Opcode() == in.Opcode():
			n++
		case !same && (barrier || y.Access.Kind != isa.AccessNone || y.Copy.Kind != isa.AccessNone):
			return n
		}
	}
	return n
}

// collective reports whether statements wait for other threads at a barrier.
func collective(text string) bool {
	return slices.ContainsFunc(strings.Split(text, "\n"),
		func(line string) bool { return strings.HasPrefix(line, "bar") })
}

// placesIn returns the places of a function.
func (p *proposer) placesIn(f *rewrite.Func) *places {
	if f == p.at.f {
		return p.at
	}
	if p.others[f] == nil {
		p.others[f] = newPlaces(f)
	}
	return p.others[f]
}

// byLine returns the changes of an edit as edits of one source line each.
func byLine(e *Edit, origins *Origins) (list []*Edit) {
	for _, c := range e.Changes {
		i := slices.IndexFunc(list, func(x *Edit) bool {
			at := origins.of[c.At].Line
			return x.Changes[0].Place == c.Place && at != 0 && at == origins.of[x.Changes[0].At].Line
		})
		if i < 0 {
			one := *e
			one.Changes = nil
			i, list = len(list), append(list, &one)
		}
		list[i].Changes = append(list[i].Changes, c)
	}
	return list
}

// sorted returns changes in the order of the module, so that edits with the same changes are equal.
func sorted(changes []Change) []Change {
	order := func(c Change) int { return slices.Index(c.At.Func.Module.Funcs, c.At.Func) }
	list := slices.Clone(changes)
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.At.Index, b.At.Index))
	})
	return list
}
