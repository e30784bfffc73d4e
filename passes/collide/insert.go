// The code that the pass inserts: countdowns, hooks, and what ends watches.

package collide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// inserter inserts the code for one function.
type inserter struct {
	ed *rewrite.Editor
	f  *rewrite.Func
	// Registers: the units left until one is sampled, whether the accesses of the current unit pass by their hooks, the
	// watch that the thread holds (one more than its index, 0 for none), whether it holds one, and a result.
	left, past, slot, held, both string
}

// insert inserts the code for the accesses of a module, which are in source order.
func insert(ed *rewrite.Editor, list []access) error {
	m := ed.Module()
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(a access) bool { return a.fn != list[0].fn })
		if n < 0 {
			n = len(list)
		}
		f := m.Func(list[0].fn)
		x := &inserter{
			ed: ed, f: f, left: ed.FreshReg(f, isa.B32), past: ed.FreshReg(f, isa.Pred), slot: ed.FreshReg(f, isa.B32),
			held: ed.FreshReg(f, isa.Pred),
			both: ed.FreshReg(f, isa.B64),
		}
		if err := x.function(list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

func (x *inserter) function(list []access) error {
	begin := &rewrite.Hook{Func: x.ed.Module().Func(abi.CollideBegin), Result: x.left}
	if err := x.ed.CallAtEntry(x.f, begin); err != nil {
		return err
	}
	x.ed.InsertAtEntry(x.f, fmt.Sprintf("mov.u32 %s, 0;\nsetp.ne.s32 %s, %s, 0;\nsetp.ne.u32 %s, %s, 0;", x.slot,
		x.past, x.left, x.held, x.slot))
	for _, in := range units(x.f, list) {
		x.ed.InsertBefore(in, fmt.Sprintf("sub.s32 %s, %s, 1;\nsetp.ge.s32 %s, %s, 0;", x.left, x.left, x.past, x.left))
	}
	gs := groups(x.f, list)
	for _, g := range gs {
		if err := x.hooks(g); err != nil {
			return err
		}
	}
	for _, in := range x.holding(gs) {
		if err := x.release(in); err != nil {
			return err
		}
	}
	return nil
}

// units returns the first instructions of the units of code of a function that have accesses, but for the one that
// starts at its entry: the headers of the innermost loops of the accesses. If the loops are not known, these are the
// blocks of the accesses.
func units(f *rewrite.Func, list []access) (first []*rewrite.Inst) {
	g := f.CFG()
	innermost := make(map[*rewrite.Block]*rewrite.Loop)
	for _, l := range g.Loops() {
		for _, b := range l.Blocks {
			if old := innermost[b]; old == nil || l.Depth > old.Depth {
				innermost[b] = l
			}
		}
	}
	seen := make(map[*rewrite.Block]bool)
	for i := range list {
		b := g.BlockOf[list[i].index]
		if !g.Degenerate {
			l := innermost[b]
			if l == nil {
				continue
			}
			b = l.Header
		}
		if !seen[b] {
			seen[b] = true
			first = append(first, f.Insts[b.Start])
		}
	}
	return first
}

// hooks inserts the hooks of a group.
func (x *inserter) hooks(g group) error {
	at, past := x.f.Insts[g.at], x.ed.FreshLabel(x.f)
	x.ed.InsertBefore(at, fmt.Sprintf("@%s bra %s;", x.past, past))
	hook := &rewrite.Hook{
		Func: x.ed.Module().Func(abi.CollideAccess), Result: x.both,
		Halves: [2]string{x.left, x.slot},
	}
	held := rewrite.RegArg(&rewrite.Reg{Name: x.slot, Type: isa.B32, Vec: 1})
	for _, a := range g.list {
		in, without := x.f.Insts[a.index], ""
		if in.Guard != nil {
			without += guard(!in.GuardNot, in.Guard)
		}
		if d := a.demand; d != nil {
			without += guard(!d.Not, d.Reg)
		}
		if without != "" {
			label := x.ed.FreshLabel(x.f)
			x.ed.InsertBefore(at, strings.ReplaceAll(without, "LABEL", label))
			without = label + ":"
		}
		addr, place := rewrite.AddrOf(in, a.operand), rewrite.Const64(0)
		if a.distant {
			if err := x.ed.CallAt(at, &rewrite.Hook{Func: x.ed.Module().Func(abi.CollidePlace), Result: x.both},
				addr); err != nil {
				return err
			}
			place = rewrite.RegArg(&rewrite.Reg{Name: x.both, Type: isa.B64, Vec: 1})
		}
		if err := x.ed.CallAt(at, hook, addr, rewrite.Const32(a.info), rewrite.Const32(a.site), held,
			place); err != nil {
			return err
		}
		if without != "" {
			x.ed.InsertBefore(at, without)
		}
	}
	x.ed.InsertBefore(at, fmt.Sprintf("setp.ne.u32 %s, %s, 0;\n%s:", x.held, x.slot, past))
	return nil
}

// guard returns a branch to LABEL in lanes where a predicate, or its complement, does not hold.
func guard(holds bool, r *rewrite.Reg) string {
	if holds {
		return "@!" + r.Name + " bra LABEL;\n"
	}
	return "@" + r.Name + " bra LABEL;\n"
}

// holding returns the instructions of a function that end watches, and before which a thread may hold one.
func (x *inserter) holding(gs []group) (list []*rewrite.Inst) {
	g := x.f.CFG()
	keeps := make(map[int]bool)
	for i := range gs {
		keeps[gs[i].at] = keeps[gs[i].at] || slices.ContainsFunc(gs[i].list,
			func(a *access) bool { return a.info&abi.CollideInfoPassing == 0 })
	}
	through := func(b *rewrite.Block, held bool, at func(*rewrite.Inst)) bool {
		for _, in := range x.f.Insts[b.Start:b.End] {
			held = held || keeps[in.Index]
			if held && x.ends(in) {
				at(in)
				held = in.Guard != nil
			}
		}
		return held
	}
	before := make([]bool, len(g.Blocks)) // whether a thread may hold a watch there
	for changed := true; changed; {
		changed = false
		for _, b := range g.ReversePostorder() {
			after := through(b, before[b.Index], func(*rewrite.Inst) {})
			for _, next := range b.Succs {
				changed = changed || after && !before[next.Index]
				before[next.Index] = before[next.Index] || after
			}
		}
	}
	for _, b := range g.Blocks {
		through(b, before[b.Index] || g.Degenerate, func(in *rewrite.Inst) { list = append(list, in) })
	}
	return list
}

// ends reports whether watches end before an instruction: at a release, and where a function that is called returns.
// They stay when a thread ends, which orders nothing, except in programs whose kernels launch others: grids end before
// what follows them.
func (x *inserter) ends(in *rewrite.Inst) bool {
	if releases(in) {
		return true
	}
	if !in.Effects().Has(isa.Terminates) {
		return false
	}
	return !x.f.Entry || x.ed.Module().Launches()
}

// release inserts what ends the watch of the thread, before an instruction.
func (x *inserter) release(in *rewrite.Inst) error {
	none := x.ed.FreshLabel(x.f)
	x.ed.InsertBeforeGuarded(in, fmt.Sprintf("@!%s bra %s;", x.held, none))
	hook := &rewrite.Hook{Func: x.ed.Module().Func(abi.CollideRelease)}
	if err := x.ed.CallBefore(in, hook, rewrite.RegArg(&rewrite.Reg{Name: x.slot, Type: isa.B32, Vec: 1})); err != nil {
		return err
	}
	x.ed.InsertBeforeGuarded(in, fmt.Sprintf("mov.u32 %s, 0;\nsetp.ne.u32 %s, %s, 0;\n%s:", x.slot, x.held, x.slot,
		none))
	return nil
}
