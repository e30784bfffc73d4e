// Values of a launch: parameters, and which block of which grid a thread is in. What they decide differs between
// launches of a kernel.

package steer

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Launched is the set of values of a launch that decide what the threads of a cluster do.
type Launched struct {
	Params []*rewrite.Var // of the kernel, in its order
	Grid   bool           // the extents of the grid, or which of its blocks a thread is in
	Maps   []*rewrite.Var // parameters with tensor maps or with pointers to them: their boxes decide
	// Unclear says that more may decide: values of the launch in memory, tensor maps at other places, or instructions
	// that may access any memory.
	Unclear bool
}

type launchedKey struct{}

// Decisive returns the values of a launch that decide what the threads of a cluster do, other than whether and where they
// make weak accesses to global memory and load from shared memory, and those that decide that for chosen instructions.
// Two clusters of blocks of one size, of any two launches in which these values are the same, make the same accesses to
// shared and tensor memory, but for such loads, and synchronise in the same ways, if nothing is decided by the contents
// of memory before the launch.
func Decisive(kernel *rewrite.Func, chosen func(*rewrite.Inst) bool) Launched {
	w := kernel.Memo(launchedKey{}, func() any { return newFlow(kernel, true) }).(*Flow)
	own := &Flow{}
	*own = *w
	own.seen.last, own.around.last = make([]uint32, len(w.seen.last)), make([]uint32, len(w.around.last))
	d := &decisive{Flow: own, passed: make(map[isa.Space]bool)}
	d.pass()
	for _, s := range own.steered {
		d.add(s.Sources)
	}
	for _, f := range own.Funcs {
		for _, in := range f.Insts {
			d.described(in)
			if chosen(in) {
				d.add(own.conditions(in))
				d.add(own.where(in))
			}
		}
		d.Unclear = d.Unclear || f.CFG().Degenerate
	}
	d.Unclear = d.Unclear || own.Exceeded()
	d.Params = slices.DeleteFunc(d.Params, func(v *rewrite.Var) bool { return slices.Contains(d.Maps, v) })
	inOrder := func(a, b *rewrite.Var) int {
		return slices.Index(kernel.Params, a) - slices.Index(kernel.Params, b)
	}
	slices.SortFunc(d.Params, inOrder)
	slices.SortFunc(d.Maps, inOrder)
	return d.Launched
}

// decisive collects values of a launch.
type decisive struct {
	*Flow
	Launched
	passed map[isa.Space]bool // memory that may hold what was computed from values of the launch
}

// add adds sources.
func (d *decisive) add(list []Source) {
	for i := range list {
		s := &list[i]
		switch {
		case s.Param != nil && !slices.Contains(d.Params, s.Param):
			d.Params = append(d.Params, s.Param)
		case s.Grid:
			d.Grid = true
		}
		d.Unclear = d.Unclear || d.fromPassed(s)
	}
}

// described adds the tensor map of an instruction.
func (d *decisive) described(in *rewrite.Inst) {
	for i := range in.Accesses {
		a := &in.Accesses[i]
		if !a.Indirect {
			continue
		}
		root := address.RootsOf(in.Func).Address(in, a.Addr)
		switch inParam := root.Kind == address.RootVar && root.Var.Space == isa.SpaceParam; {
		case a.Space != isa.SpaceGlobal || !in.Func.Entry || root.Kind != address.RootParam && !inParam:
			d.Unclear = true
		case !slices.Contains(d.Maps, root.Var):
			d.Maps = append(d.Maps, root.Var)
		}
	}
	effects := in.Effects() & (isa.ReadsMemory | isa.WritesMemory)
	d.Unclear = d.Unclear || in.Unknown() || effects != 0 && len(in.Accesses) == 0 && !in.Wgmma() && !in.Tcgen05()
}

// fromPassed reports whether a source is what an instruction has read from memory that holds values of the launch.
func (d *decisive) fromPassed(s *Source) bool {
	return s.Inst != nil && s.Order == "" && !s.Undefined && !s.Grid &&
		slices.ContainsFunc(spaces(s.Inst, reads), func(x isa.Space) bool { return d.passed[x] })
}

// pass finds the memory that may hold what was computed from values of the launch.
func (d *decisive) pass() {
	for again := true; again; {
		again = false
		for _, f := range d.Funcs {
			for _, in := range f.Insts {
				if !writesShared(in) || !d.carries(in) {
					continue
				}
				for _, x := range spaces(in, isa.Access.Writes) {
					again = again || !d.passed[x]
					d.passed[x] = true
				}
			}
		}
	}
}

// carries reports whether an instruction writes to memory what was computed from values of the launch.
func (d *decisive) carries(in *rewrite.Inst) bool {
	given := func(s Source) bool { return s.Param != nil || s.Grid || d.fromPassed(&s) }
	return slices.ContainsFunc(d.stores[in], given) || slices.ContainsFunc(d.conditions(in), given) ||
		slices.ContainsFunc(spaces(in, reads), func(x isa.Space) bool { return d.passed[x] })
}

// reads reports whether an access reads memory.
func reads(a isa.Access) bool { return a.Kind != isa.AccessStore }

// spaces returns the state spaces of the accesses of an instruction that are chosen; all that threads share if an
// address may lead to any.
func spaces(in *rewrite.Inst, chosen func(isa.Access) bool) (list []isa.Space) {
	if in.Tcgen05() || in.Wgmma() {
		list = append(list, isa.SpaceTensor, isa.SpaceShared)
	}
	for _, a := range in.Accesses {
		switch {
		case !chosen(a):
		case inGlobal(in, &a):
			list = append(list, isa.SpaceGlobal)
		case a.Space == isa.SpaceNone:
			list = append(list, isa.SpaceGlobal, isa.SpaceShared)
		default:
			list = append(list, a.Space)
		}
	}
	return list
}

// InGlobal reports whether an access of an instruction may be to global memory.
func InGlobal(in *rewrite.Inst) bool {
	return slices.Contains(spaces(in, func(isa.Access) bool { return true }), isa.SpaceGlobal)
}

// inGlobal reports whether an access is to global memory.
func inGlobal(in *rewrite.Inst, a *isa.Access) bool {
	if a.Space == isa.SpaceNone && !a.Indirect {
		root := address.RootsOf(in.Func).Address(in, a.Addr)
		return root.Kind == address.RootParam && in.Func.Entry ||
			root.Kind == address.RootVar && root.Var.Space == isa.SpaceGlobal
	}
	return a.Space == isa.SpaceGlobal
}

// globalAddress reports whether an operand is an address in global memory and no other.
func globalAddress(in *rewrite.Inst, n int) bool {
	found := false
	for _, a := range in.Accesses {
		if a.Addr == n {
			if !inGlobal(in, &a) {
				return false
			}
			found = true
		}
	}
	return found
}

// conditions returns the sources of whether an instruction is executed, as far as it is optional.
func (w *Flow) conditions(in *rewrite.Inst) []Source {
	s := w.slicer()
	s.guard(in)
	for _, b := range w.under[in.Func.CFG().BlockOf[in.Index]] {
		s.guard(b)
	}
	return s.sources()
}

// where returns the sources of where an instruction makes its accesses.
func (w *Flow) where(in *rewrite.Inst) []Source {
	s := w.slicer()
	for _, a := range in.Accesses {
		s.operand(in, &in.Operands[a.Addr], false)
	}
	return s.sources()
}

// findOptional finds the branches of a function that decide nothing but whether and where weak accesses to global memory
// and loads from shared memory are made, and what is computed from them.
func (w *Flow) findOptional(f *rewrite.Func) {
	g := f.CFG()
	for _, b := range g.Blocks {
		if len(b.Succs) < 2 || b.IPDom == nil || b.IPDom == g.Exit {
			continue
		}
		branch := f.Insts[b.End-1]
		list := between(b)
		if branch.Guard == nil ||
			slices.ContainsFunc(list, func(n *rewrite.Block) bool { return !plain(f.Insts[n.Start:n.End]) }) {
			continue
		}
		w.optional[branch] = true
		for _, n := range list {
			w.under[n] = append(w.under[n], branch)
		}
		w.behind[b.IPDom] = append(w.behind[b.IPDom], branch)
	}
}

// between returns the blocks that threads may come to behind a branch, before they meet.
func between(b *rewrite.Block) (list []*rewrite.Block) {
	seen := map[*rewrite.Block]bool{b.IPDom: true}
	for work := slices.Clone(b.Succs); len(work) > 0; {
		n := work[len(work)-1]
		if work = work[:len(work)-1]; !seen[n] {
			seen[n] = true
			list, work = append(list, n), append(work, n.Succs...)
		}
	}
	return list
}

// plain reports whether instructions only compute, branch, and make accesses that may be optional.
func plain(list []*rewrite.Inst) bool {
	const others = isa.Orders | isa.Synchronises | isa.Calls | isa.Convergent | isa.Aborts | isa.Terminates | isa.Exits
	return !slices.ContainsFunc(list, func(in *rewrite.Inst) bool {
		e := in.Effects()
		return e&others != 0 || e&(isa.ReadsMemory|isa.WritesMemory) != 0 && !optionalAccess(in)
	})
}

// optionalAccess reports whether an instruction only makes a weak access to global memory, loads from shared memory, or
// accesses memory of the thread.
func optionalAccess(in *rewrite.Inst) bool {
	if len(in.Accesses) != 1 || in.Instr.Class != isa.ClassMemory || in.Strong() || in.Has("async") {
		return false
	}
	switch a := &in.Accesses[0]; a.Space {
	case isa.SpaceLocal, isa.SpaceParam, isa.SpaceConst:
		return true
	case isa.SpaceShared:
		return a.Kind == isa.AccessLoad
	default:
		return inGlobal(in, a)
	}
}
