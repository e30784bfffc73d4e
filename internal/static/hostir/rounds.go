// Loops whose iterations are executed one by one, as those that read the command line, and unreachable code.

package hostir

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// maxCounted limits the iterations of a loop that are executed separately, and maxOpen those of them that may be the
// last, except where the program only ends then, as it does after an error.
const (
	maxCounted = 200
	maxOpen    = 8
	maxFilled  = 16 // of a loop that makes pointers
)

// reads reports whether a loop reads strings or options of the command line.
func (x *executor) reads(l *llvm.Loop) bool {
	for _, b := range l.Blocks {
		for _, in := range b.Instrs {
			if strings.HasPrefix(in.Callee.Name, "getopt") {
				return true
			}
			for _, a := range in.Args {
				if a.Kind == llvm.OpLocal && x.leadsToArgs(x.frame.regs[a.Name]) {
					return true
				}
			}
		}
	}
	return false
}

// leadsToArgs reports whether a pointer points to the command line, or to a variable with such a pointer.
func (x *executor) leadsToArgs(p memory.Value) bool {
	if p.To == nil || p.To.Args {
		return p.To != nil
	}
	for _, c := range x.st.Mem[p.To] {
		if c.Value.To != nil && c.Value.To.Args {
			return true
		}
	}
	return false
}

// launchesIn reports whether a loop launches a kernel, directly or by calls.
func (x *executor) launchesIn(l *llvm.Loop) bool {
	return slices.ContainsFunc(l.Blocks, func(b *llvm.Block) bool { return slices.ContainsFunc(b.Instrs, x.mayLaunch) })
}

// mayLaunch reports whether an instruction launches a kernel, directly or by a call.
func (x *executor) mayLaunch(in *llvm.Instr) bool {
	f := x.Functions[in.Callee.Name]
	return f != nil && x.reach[f] || strings.HasPrefix(in.Callee.Name, "cudaLaunch")
}

// counted executes the iterations of a loop separately, and returns the paths that leave it. ok is false if their
// number is unknown, or if the loop launches.
func (x *executor) counted(l *llvm.Loop, entry edge) (outs []way, ok bool) {
	x.st = entry.st
	if !x.separate(l) {
		return nil, false
	}
	m, left := x.mark(), len(x.frame.left)
	backs, open, most, mostOpen := []edge{entry}, 0, maxCounted, maxOpen
	if !x.readsOrExample(l) {
		most, mostOpen = maxFilled, 1
	}
	for n := 0; n < most && open < mostOpen && x.steps < maxSteps; n++ {
		e := x.joinEdges(backs, len(phis(l.Header)))
		x.st = e.st
		for i, in := range phis(l.Header) {
			x.frame.regs[in.Name] = e.vals[i]
		}
		r := &region{blocks: l.Blocks, in: map[*llvm.Block][]edge{}, loop: l}
		x.body(r, l)
		if backs = r.backs; len(backs) == 0 {
			if len(outs) > 0 {
				x.forgetRegisters(l)
			}
			return append(outs, r.outs...), true
		}
		if len(r.outs) >= x.exits(l) || slices.ContainsFunc(r.outs, func(w way) bool { return x.leadsToLaunch(w.to) }) {
			open++
		}
		outs = append(outs, r.outs...)
	}
	x.undo(m, nil)
	x.frame.left = x.frame.left[:left]
	x.about(l).long = true
	return nil, false
}

// leadsToLaunch reports whether the function launches a kernel from a block on.
func (x *executor) leadsToLaunch(b *llvm.Block) bool {
	work, seen := []*llvm.Block{b}, map[*llvm.Block]bool{b: true}
	for len(work) > 0 {
		b, work = work[0], work[1:]
		if slices.ContainsFunc(b.Instrs, x.mayLaunch) {
			return true
		}
		for _, to := range x.frame.f.Targets(b) {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return false
}

// separate reports whether the iterations of a loop are executed separately: of one that reads the command line, of one
// that fills an array of pointers, and in an example of any that is short, as long as there are steps left for the rest
// of the program.
func (x *executor) separate(l *llvm.Loop) bool {
	return x.readsOrExample(l) || !x.about(l).long && x.steps < maxSteps/2 && x.storesPointers(l) && !x.launchesIn(l)
}

func (x *executor) readsOrExample(l *llvm.Loop) bool {
	if x.partial && !x.about(l).long && x.args != nil && x.steps < maxSteps/2 {
		return true
	}
	return x.args != nil && x.reads(l) && !x.launchesIn(l)
}

// storesPointers reports whether a loop stores pointers, or calls what allocates memory.
func (x *executor) storesPointers(l *llvm.Loop) bool {
	for _, b := range l.Blocks {
		for _, in := range b.Instrs {
			if in.Op == "store" && len(in.Args) > 0 && in.Args[0].Type != nil && in.Args[0].Type.Kind == llvm.PointerType ||
				in.Callee.Kind == llvm.OpGlobal && x.allocates(in.Callee.Name, maxCalls) {
				return true
			}
		}
	}
	return false
}

// allocates reports whether a function allocates memory, in calls as deep as some number.
func (x *executor) allocates(name string, depth int) bool {
	f := x.Functions[name]
	if f == nil || depth == 0 {
		return heapAllocators[name] || strings.HasPrefix(runtimeName(name), "cudaMalloc")
	}
	known, ok := x.allocators[f]
	if ok {
		return known
	}
	x.allocators[f] = false // unless a call below says otherwise
	for called := range f.Calls {
		x.allocators[f] = x.allocators[f] || x.allocates(called, depth-1)
	}
	return x.allocators[f]
}

// forgetRegisters makes the results of a loop unknown that is left after different iterations.
func (x *executor) forgetRegisters(l *llvm.Loop) {
	for _, b := range l.Blocks {
		for _, in := range b.Instrs {
			delete(x.frame.regs, in.Name)
		}
	}
}

// reached is the executed part of a function: its blocks, and in each the last instruction. Nil: unknown.
type reached map[*llvm.Block]int

// without reports whether an instruction is not executed.
func (r reached) without(b *llvm.Block, i int) bool {
	last, ok := r[b]
	return r != nil && (!ok || i > last)
}

// live returns the blocks of a function that its executed branches reach.
func (x *executor) live(f *llvm.Function) reached {
	if x.cut || !x.done[f] || len(f.Blocks) == 0 || f.Shape().Tangled {
		return nil
	}
	seen := make(reached)
	work := []*llvm.Block{f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if _, again := seen[b]; again {
			continue
		}
		end := len(b.Instrs) - 1
		last, ok := x.last[b]
		if !ok {
			last = end
		}
		if seen[b] = last; last < end || end < 0 {
			continue
		}
		jump := b.Instrs[end]
		for i, label := range jump.Labels {
			if to := f.ByLabel[label]; to != nil && (!x.taken[arm{jump, -1}] || x.taken[arm{jump, i}]) {
				work = append(work, to)
			}
		}
	}
	return seen
}

// unused reports whether a function is never called: only unreachable code names it.
func (x *executor) unused(f *llvm.Function, seen map[*llvm.Function]bool) bool {
	if x.cut || x.open || x.done[f] || x.Mentioned[unprefixed(f.Name)] {
		return false
	}
	if seen[f] {
		return true
	}
	seen[f] = true
	for _, g := range x.Order {
		if !names(g, f, x.live(g)) {
			continue
		}
		if !x.unused(g, seen) {
			return false
		}
	}
	return true
}

// names reports whether the executed part of a function names another function.
func names(f *llvm.Function, other *llvm.Function, part reached) bool {
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			if part.without(b, i) {
				break
			}
			if in.Callee.Kind == llvm.OpGlobal && in.Callee.Name == other.Name ||
				slices.ContainsFunc(in.Args, func(a llvm.Operand) bool {
					return a.Kind == llvm.OpGlobal &&
						a.Name == other.Name
				}) {
				return true
			}
		}
	}
	return false
}
