// Copies of edits: a compiler duplicates the code of a source line, and an edit of the source changes all copies.

package repair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Origin is the place of an instruction in the source, by numbers: its line, its column in this line, and the chain of inlined calls
// that leads there. They are 0 if the place is unknown.
type Origin struct{ Line, Column, Call int }

// Origins has the places of instructions.
type Origins map[*rewrite.Inst]Origin

// places returns the relations by which instructions are copies of each other, the narrowest first.
func (o Origins) places() []func(*rewrite.Inst) int {
	return []func(*rewrite.Inst) int{
		func(in *rewrite.Inst) int { return o[in].Call },
		func(in *rewrite.Inst) int { return o[in].Column },
	}
}

// Same reports whether two instructions were compiled from one line and column of the source.
func (o Origins) Same(a, b *rewrite.Inst) bool {
	return a == b || o[a].Line != 0 && o[a].Column == o[b].Column
}

// spread returns edits that change all copies of their instructions, once for those of the same inlined calls and once for those
// of the line, where these differ.
func (p *proposer) spread(edits []*Edit) (list []*Edit) {
	seen := make(map[string]bool)
	for _, e := range edits {
		for _, place := range p.origins.places() {
			x := *e
			x.Changes = p.spreadBy(place, e.Changes)
			if k := x.Key(); !seen[k] {
				seen[k] = true
				list = append(list, &x)
			}
		}
	}
	return list
}

// spreadBy adds to changes those of the copies of their instructions, if the text of all is the same at each copy.
func (p *proposer) spreadBy(place func(*rewrite.Inst) int, changes []Change) []Change {
	if slices.ContainsFunc(changes, func(c Change) bool { return !c.portable() }) {
		return changes
	}
	list := slices.Clone(changes)
	for _, c := range changes {
		for _, in := range p.copies(place, &c) {
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
	return c.Place != Cut && !strings.ContainsAny(c.Text, "%$@{}[]") && !(c.Place == Instead && c.Text == "")
}

// copies returns the other instructions that a change of the source at the place of a change would change, too. A statement for all
// threads goes only where they arrive together.
func (p *proposer) copies(place func(*rewrite.Inst) int, c *Change) (list []*rewrite.Inst) {
	if place(c.At) == 0 {
		return nil
	}
	nth := ordinal(place, c.At)
	all := collective(c.Text) && p.placesIn(c.At.Func).uniform(c.At)
	for _, f := range c.At.Func.Module.Funcs {
		for _, in := range f.Insts {
			same := in != c.At && place(in) == place(c.At) && in.Opcode() == c.At.Opcode() && ordinal(place, in) == nth
			if same && (c.Place != Instead || in.Text() == c.At.Text()) && (!all || p.placesIn(f).uniform(in)) {
				list = append(list, in)
			}
		}
	}
	return list
}

// ordinal counts the instructions with the same opcode that the same execution of a source line has before an instruction: back to
// the start of its basic block, or to an access or barrier of another line.
func ordinal(place func(*rewrite.Inst) int, in *rewrite.Inst) (n int) {
	f := in.Func
	for i := in.Index - 1; i >= f.CFG().BlockOf[in.Index].Start; i-- {
		x := f.Insts[i]
		_, barrier := x.Barrier()
		switch same := place(x) == place(in); {
		case same && x.Opcode() == in.Opcode():
			n++
		case !same && (barrier || x.Access.Kind != isa.AccessNone || x.Copy.Kind != isa.AccessNone):
			return n
		}
	}
	return n
}

// collective reports whether statements wait for other threads at a barrier.
func collective(text string) bool {
	return slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return strings.HasPrefix(line, "bar") })
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
func byLine(e *Edit, origins Origins) (list []*Edit) {
	for _, c := range e.Changes {
		i := slices.IndexFunc(list, func(x *Edit) bool {
			at := origins[c.At].Line
			return x.Changes[0].Place == c.Place && at != 0 && at == origins[x.Changes[0].At].Line
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
