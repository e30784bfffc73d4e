// The code that the pass inserts: countdowns, hooks, and what ends watches.

package collide

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// inserter inserts the code for one function.
type inserter struct {
	ed *rewrite.Editor
	f  *rewrite.Func
	// Registers: the units left until one is sampled, whether the accesses of the current unit pass by their hooks, the watch that
	// the thread holds (one more than its index, 0 for none), whether it holds one, and a result.
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
			ed: ed, f: f, left: ed.FreshReg(f, isa.B32), past: ed.FreshReg(f, isa.Pred), slot: ed.FreshReg(f, isa.B32), held: ed.FreshReg(f, isa.Pred),
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
	x.ed.InsertAtEntry(x.f, fmt.Sprintf("mov.u32 %s, 0;\nsetp.ne.s32 %s, %s, 0;\nsetp.ne.u32 %s, %s, 0;", x.slot, x.past, x.left, x.held, x.slot))
	for _, in := range units(x.f, list) {
		x.ed.InsertBefore(in, fmt.Sprintf("sub.s32 %s, %s, 1;\nsetp.ge.s32 %s, %s, 0;", x.left, x.left, x.past, x.left))
	}
	for len(list) > 0 {
		n := group(x.f, list)
		if err := x.hooks(list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	for _, in := range x.f.Insts {
		if x.ends(in) {
			if err := x.release(in); err != nil {
				return err
			}
		}
	}
	return nil
}

// units returns the first instructions of the units of code of a function that have accesses, but for the one that starts at its
// entry: the headers of the innermost loops of the accesses. If the loops are not known, these are the blocks of the accesses.
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

// group returns how many accesses at the start of a list have their hooks at the first one: they are in one basic block, with no
// synchronisation between, under one guard, and their addresses are known there.
func group(f *rewrite.Func, list []access) int {
	g := f.CFG()
	first := f.Insts[list[0].index]
	if g.Degenerate {
		return 1
	}
	at := first.Index
	for n := 1; n < len(list); n++ {
		in := f.Insts[list[n].index]
		if g.BlockOf[in.Index] != g.BlockOf[first.Index] || in.Guard != first.Guard || in.GuardNot != first.GuardNot {
			return n
		}
		for ; at < in.Index; at++ {
			if separates(f.Insts[at]) {
				return n
			}
		}
		if !list[n].knownAt(f, first.Index) {
			return n
		}
	}
	return len(list)
}

// separates reports whether the hook of a later access must not be in front of an instruction: it may order memory, wait, or not
// come back.
func separates(in *rewrite.Inst) bool {
	const effects = isa.Orders | isa.Synchronises | isa.Calls | isa.Terminates | isa.Convergent
	return in.Effects()&effects != 0 || releases(in) || in.Instr.Class == isa.ClassAtomic || in.Strong()
}

// knownAt reports whether the registers that the hook of an access reads are not written from an instruction on.
func (a *access) knownAt(f *rewrite.Func, from int) bool {
	in := f.Insts[a.index]
	reads := []*rewrite.Reg{in.Guard, in.Operands[a.operand].Reg}
	if a.demand != nil {
		reads = append(reads, a.demand.Reg)
	}
	for _, other := range f.Insts[from:a.index] {
		if slices.ContainsFunc(reads, func(r *rewrite.Reg) bool { return r != nil && other.Writes(r) }) {
			return false
		}
	}
	return true
}

// hooks inserts the hooks of a group in front of its first access.
func (x *inserter) hooks(group []access) error {
	first := x.f.Insts[group[0].index]
	past := x.ed.FreshLabel(x.f)
	x.ed.InsertBeforeGuarded(first, fmt.Sprintf("@%s bra %s;", x.past, past))
	hook := &rewrite.Hook{Func: x.ed.Module().Func(abi.CollideAccess), Result: x.both, Halves: [2]string{x.left, x.slot}}
	held := rewrite.RegArg(&rewrite.Reg{Name: x.slot, Type: isa.B32, Vec: 1})
	for i := range group {
		a, after := &group[i], ""
		if d := a.demand; d != nil {
			after = x.ed.FreshLabel(x.f)
			guard := "@!"
			if d.Not {
				guard = "@"
			}
			x.ed.InsertBeforeGuarded(first, guard+d.Reg.Name+" bra "+after+";")
		}
		addr := rewrite.Addr(a.operand)
		if a.index != first.Index {
			addr = rewrite.AddrOf(x.f.Insts[a.index], a.operand)
		}
		if err := x.ed.CallBefore(first, hook, addr, rewrite.Const32(a.info), rewrite.Const32(a.site), held); err != nil {
			return err
		}
		if after != "" {
			x.ed.InsertBeforeGuarded(first, after+":")
		}
	}
	x.ed.InsertBeforeGuarded(first, fmt.Sprintf("setp.ne.u32 %s, %s, 0;\n%s:", x.held, x.slot, past))
	return nil
}

// ends reports whether watches end before an instruction: at a release, and where a function that is called returns. They stay
// when a thread ends, which orders nothing, except in programs whose kernels launch others: grids end before what follows them.
func (x *inserter) ends(in *rewrite.Inst) bool {
	if releases(in) {
		return true
	}
	if !in.Effects().Has(isa.Terminates) {
		return false
	}
	return !x.f.Entry || launches(x.ed.Module())
}

// launches reports whether kernels of a module may launch others (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism").
func launches(m *rewrite.Module) bool {
	for _, name := range []string{"cudaLaunchDevice", "cudaLaunchDeviceV2"} {
		if _, ok := m.Lookup(name); ok {
			return true
		}
	}
	return false
}

// release inserts what ends the watch of the thread, before an instruction.
func (x *inserter) release(in *rewrite.Inst) error {
	none := x.ed.FreshLabel(x.f)
	x.ed.InsertBeforeGuarded(in, fmt.Sprintf("@!%s bra %s;", x.held, none))
	hook := &rewrite.Hook{Func: x.ed.Module().Func(abi.CollideRelease)}
	if err := x.ed.CallBefore(in, hook, rewrite.RegArg(&rewrite.Reg{Name: x.slot, Type: isa.B32, Vec: 1})); err != nil {
		return err
	}
	x.ed.InsertBeforeGuarded(in, fmt.Sprintf("mov.u32 %s, 0;\nsetp.ne.u32 %s, %s, 0;\n%s:", x.slot, x.held, x.slot, none))
	return nil
}
