// Insertions on edges of the control-flow graph.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// InsertOnEdge inserts statements on an edge of the control-flow graph: they execute only in lanes that go from one
// block to the other. If other edges share both ends of the edge, it is split. It is an error that names the branch if
// control cannot take the edge (from a call that does not return to the exit) or the branch has unknown targets; in
// this case nothing is queued, and the editor can be used further.
func (e *Editor) InsertOnEdge(from, to *Block, text string) error {
	places, err := edgePlaces(from, to)
	if err != nil {
		return err
	}
	for _, p := range places {
		p.insert(e, statements(text))
	}
	return nil
}

// edgePlace is one of the places in the text that make up an edge.
type edgePlace struct {
	in    *Inst // the last of the source block
	after bool
	taken bool     // only in lanes that take the branch
	brx   []*Label // targets of an indirect branch that are this edge
}

func (p edgePlace) insert(e *Editor, lines []string) {
	switch {
	case p.brx != nil:
		e.detour(p.in, p.brx, lines)
	case p.after:
		e.after(p.in, piece{lines: lines})
	case p.taken:
		e.before(p.in, piece{lines: lines, guard: p.in})
	default:
		e.before(p.in, piece{lines: lines})
	}
}

// edgePlaces finds the places of an edge.
func edgePlaces(from, to *Block) (places []edgePlace, err error) {
	g := from.graph
	f := g.Func
	if !slices.Contains(from.Succs, to) {
		return nil, fmt.Errorf("%s has no edge from block %d to block %d", f.Name, from.Index, to.Index)
	}
	if from.Start == from.End {
		return nil, fmt.Errorf("%s has no instructions", f.Name)
	}
	last := f.Insts[from.End-1]
	falls := last.fallsThrough() && g.at(from.End) == to
	targets, known := last.targets()
	_, call := last.Call()
	switch {
	case last.Branches() && !known:
		return nil, positioned(last, "no place on the edges of %q: its targets are unknown", last.Text())
	case last.Branches():
		targets = slices.DeleteFunc(slices.Clone(targets), func(l *Label) bool { return g.at(l.Inst) != to })
		slices.SortFunc(targets, func(a, b *Label) int { return strings.Compare(a.Name, b.Name) })
		places = last.takenEdge(slices.Compact(targets))
	case last.leaves() && to == g.Exit && !call:
		places = []edgePlace{{in: last, taken: true}}
	}
	if falls {
		places = append(places, edgePlace{in: last, after: true})
	}
	if len(places) == 2 && places[0].brx == nil {
		places = []edgePlace{{in: last}} // for both outcomes of the branch
	}
	if places == nil {
		return nil, positioned(last, "nothing executes after %q", last.Text())
	}
	return places, nil
}

// takenEdge returns the places that lanes pass when they branch to one of the labels.
func (i *Inst) takenEdge(labels []*Label) []edgePlace {
	switch {
	case len(labels) == 0:
		return nil
	case i.indirect():
		return []edgePlace{{in: i, brx: labels}}
	}
	return []edgePlace{{in: i, taken: true}}
}

// indirect reports whether the instruction branches through a list of targets.
func (i *Inst) indirect() bool { return i.Branches() && i.targetList() != nil }

// targetList returns the list of an indirect branch, nil when it has none.
func (i *Inst) targetList() *Proto {
	for n := range i.Operands {
		if p, ok := i.Operands[n].Sym.(*Proto); ok {
			return p
		}
	}
	return nil
}

// detour redirects the lanes that an indirect branch takes to some labels through statements after the branch, by a new
// list of targets.
func (e *Editor) detour(in *Inst, labels []*Label, lines []string) {
	fe := e.fn(in.Func)
	if fe.detours == nil {
		fe.detours = make(map[int]map[*Label][]string)
	}
	if fe.detours[in.Index] == nil {
		fe.detours[in.Index] = make(map[*Label][]string)
	}
	e.at(in)
	for _, l := range labels {
		fe.detours[in.Index][l] = append(fe.detours[in.Index][l], lines...)
	}
}

// writeDetours turns the detours of indirect branches into changes and insertions.
func (e *Editor) writeDetours(fe *funcEdit) {
	for _, in := range fe.f.Insts {
		paths := fe.detours[in.Index]
		if paths == nil {
			continue
		}
		proto, list := in.targetList(), fe.names.label("targets")
		stubs := make(map[*Label]string)
		var names, stub []string
		for _, l := range proto.Labels {
			if paths[l] != nil && stubs[l] == "" {
				stubs[l] = fe.names.label("edge")
				stub = append(append(append(stub, stubs[l]+":"), paths[l]...), "bra "+l.Name+";")
			}
			if stubs[l] != "" {
				names = append(names, stubs[l])
			} else {
				names = append(names, l.Name)
			}
		}
		s := e.at(in)
		s.inner = append(s.inner, list+": .branchtargets "+strings.Join(names, ", ")+";")
		for i := range in.Operands {
			if in.Operands[i].Sym == Symbol(proto) {
				e.change(e.m.AST.OperandRange(in.Operands[i].AST), list, "InsertOnEdge")
			}
		}
		if in.fallsThrough() {
			skip := fe.names.label("skip")
			stub = append(append([]string{"bra " + skip + ";"}, stub...), skip+":")
		}
		s.after = append([]piece{{lines: stub}}, s.after...)
	}
}

// plainCall returns the statements of a call before an instruction, with arguments that do not depend on it.
func (e *Editor) plainCall(in *Inst, hook *Hook, args []Arg) ([]string, error) {
	if err := placeless(args); err != nil {
		return nil, err
	}
	c := &callWriter{e: e, fe: e.fn(in.Func), s: e.at(in)}
	lines, err := c.build(hook, args)
	if err != nil {
		return nil, err
	}
	return c.keepCarry(append(c.pre, lines...), c.fe.carryReader(in, false)), nil
}

// CallAtConvergence calls hook where the lanes that diverge at a branch reconverge: at the start of the immediate
// post-dominator of the branch (Func.ConvergencePoints). Arguments can be constants, RegArg and AddrOf.
func (e *Editor) CallAtConvergence(f *Func, hook *Hook, args ...Arg) error {
	for _, b := range f.ConvergencePoints() {
		in := f.Insts[b.Start]
		lines, err := e.plainCall(in, hook, args)
		if err != nil {
			return e.errorf(in, "call of %s where lanes meet: %v", hook.Func.Name, err)
		}
		s := e.at(in)
		s.before = append(s.before, piece{lines: lines})
	}
	return nil
}

// ConvergencePoints returns the blocks at whose start the lanes of a divergent branch reconverge, in source order: the
// immediate post-dominators of all branches that are not warp-uniform, without the exit.
func (f *Func) ConvergencePoints() []*Block {
	g, u := f.CFG(), f.Uniformity()
	meets := make([]bool, len(g.Blocks))
	for _, in := range u.DivergentBranches() {
		if in.Branches() {
			meets[g.BlockOf[in.Index].IPDom.Index] = true
		}
	}
	var out []*Block
	for i, b := range g.Blocks[:g.Exit.Index] {
		if meets[i] {
			out = append(out, b)
		}
	}
	return out
}

// InsertAtExits inserts statements before every ret and exit of f, in lanes that leave there, and at the end of the
// body if control may fall off it. Traps and calls that do not return are not exits.
func (e *Editor) InsertAtExits(f *Func, text string) {
	fe := e.fn(f)
	for _, in := range f.Insts {
		if in.exits() {
			e.InsertBeforeGuarded(in, text)
		}
	}
	if f.fallsOff() {
		fe.end = append(fe.end, statements(text)...)
	}
}

// InsertAtEnd inserts statements at the end of f's body if control may fall off it.
func (e *Editor) InsertAtEnd(f *Func, text string) {
	if fe := e.fn(f); f.fallsOff() {
		fe.end = append(fe.end, statements(text)...)
	}
}

// CallAtExits calls hook where InsertAtExits inserts. Arguments can be constants, RegArg and AddrOf.
func (e *Editor) CallAtExits(f *Func, hook *Hook, args ...Arg) error {
	for _, in := range f.Insts {
		if !in.exits() {
			continue
		}
		lines, err := e.plainCall(in, hook, args)
		if err != nil {
			return e.errorf(in, "call of %s before %q: %v", hook.Func.Name, in.Text(), err)
		}
		s := e.at(in)
		s.before = append(s.before, piece{lines, in})
	}
	if !f.fallsOff() {
		return nil
	}
	lines, err := e.bareCall(f, hook, args)
	if err != nil {
		return fmt.Errorf("call of %s at the end of %s: %w", hook.Func.Name, f.Name, err)
	}
	e.fn(f).end = append(e.fn(f).end, lines...)
	return nil
}

// exits reports whether the instruction is a regular exit of the function.
func (i *Inst) exits() bool {
	_, call := i.Call()
	return !call && i.leaves() && !i.Effects().Has(isa.Aborts)
}

// fallsOff reports whether control may reach the end of the body.
func (f *Func) fallsOff() bool {
	n := len(f.Insts)
	if n == 0 || f.Insts[n-1].fallsThrough() {
		return true
	}
	for _, in := range f.Insts {
		if !in.Branches() {
			continue
		}
		targets, _ := in.targets()
		for _, t := range targets {
			if t.Inst == n {
				return true
			}
		}
	}
	return false
}
