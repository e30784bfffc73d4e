// Loops whose iterations are executed one by one, as those that read the command line, and unreachable code.

package hostir

import (
	"slices"
	"strings"
)

// maxCounted limits the iterations of a loop that are executed separately, and maxOpen those of them that may be the
// last.
const (
	maxCounted = 200
	maxOpen    = 8
)

// reads reports whether a loop reads strings or options of the command line.
func (x *executor) reads(l *loop) bool {
	for _, b := range l.blocks {
		for _, in := range b.instrs {
			if strings.HasPrefix(in.callee.name, "getopt") {
				return true
			}
			for _, a := range in.args {
				if a.kind == opLocal && x.leadsToArgs(x.frame.regs[a.name]) {
					return true
				}
			}
		}
	}
	return false
}

// leadsToArgs reports whether a pointer points to the command line, or to a variable with such a pointer.
func (x *executor) leadsToArgs(p value) bool {
	if p.to == nil || p.to.args {
		return p.to != nil
	}
	for _, c := range x.st.mem[p.to] {
		if c.v.to != nil && c.v.to.args {
			return true
		}
	}
	return false
}

// launchesIn reports whether a loop launches a kernel, directly or by calls.
func (x *executor) launchesIn(l *loop) bool {
	for _, b := range l.blocks {
		for _, in := range b.instrs {
			name := in.callee.name
			if f := x.functions[name]; f != nil && x.reach[f] || strings.HasPrefix(name, "cudaLaunch") {
				return true
			}
		}
	}
	return false
}

// counted executes the iterations of a loop separately, and returns the paths that leave it. ok is false if their
// number is unknown, or if the loop launches.
func (x *executor) counted(l *loop, entry edge) (outs []way, ok bool) {
	x.st = entry.st
	if !x.separate(l) {
		return nil, false
	}
	m, left := x.mark(), len(x.frame.left)
	backs, open := []edge{entry}, 0
	for n := 0; n < maxCounted && open < maxOpen && x.steps < maxSteps; n++ {
		e := x.joinEdges(backs, len(phis(l.header)))
		x.st = e.st
		for i, in := range phis(l.header) {
			x.frame.regs[in.name] = e.vals[i]
		}
		r := &region{blocks: l.blocks, in: map[*block][]edge{}, loop: l}
		x.body(r, l)
		if len(r.outs) > 0 && len(r.backs) > 0 {
			open++
		}
		outs = append(outs, r.outs...)
		if backs = r.backs; len(backs) == 0 {
			if open > 0 {
				x.forgetRegisters(l)
			}
			return outs, true
		}
	}
	x.undo(m, nil)
	x.frame.left = x.frame.left[:left]
	l.long = true
	return nil, false
}

// separate reports whether the iterations of a loop are executed separately: of one that reads the command line, and in
// an example of any that is short, as long as there are steps left for the rest of the program.
func (x *executor) separate(l *loop) bool {
	if x.partial && !l.long && x.args != nil && x.steps < maxSteps/2 {
		return true
	}
	return x.args != nil && x.reads(l) && !x.launchesIn(l)
}

// forgetRegisters makes the results of a loop unknown that is left after different iterations.
func (x *executor) forgetRegisters(l *loop) {
	for _, b := range l.blocks {
		for _, in := range b.instrs {
			delete(x.frame.regs, in.name)
		}
	}
}

// reached is the executed part of a function: its blocks, and in each the last instruction. Nil: unknown.
type reached map[*block]int

// without reports whether an instruction is not executed.
func (r reached) without(b *block, i int) bool {
	last, ok := r[b]
	return r != nil && (!ok || i > last)
}

// live returns the blocks of a function that its executed branches reach.
func (x *executor) live(f *function) reached {
	if x.cut || !x.done[f] || len(f.blocks) == 0 || f.shape().tangled {
		return nil
	}
	seen := make(reached)
	work := []*block{f.blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if _, again := seen[b]; again {
			continue
		}
		end := len(b.instrs) - 1
		last, ok := x.last[b]
		if !ok {
			last = end
		}
		if seen[b] = last; last < end || end < 0 {
			continue
		}
		jump := b.instrs[end]
		for i, label := range jump.labels {
			if to := f.byLabel[label]; to != nil && (!x.taken[arm{jump, -1}] || x.taken[arm{jump, i}]) {
				work = append(work, to)
			}
		}
	}
	return seen
}

// unused reports whether a function is never called: only unreachable code names it.
func (x *executor) unused(f *function, seen map[*function]bool) bool {
	if x.cut || x.open || x.done[f] || x.mentioned[unprefixed(f.name)] {
		return false
	}
	if seen[f] {
		return true
	}
	seen[f] = true
	for _, g := range x.order {
		if !g.names(f, x.live(g)) {
			continue
		}
		if !x.unused(g, seen) {
			return false
		}
	}
	return true
}

// names reports whether the executed part of a function names another function.
func (f *function) names(other *function, part reached) bool {
	for _, b := range f.blocks {
		for i, in := range b.instrs {
			if part.without(b, i) {
				break
			}
			if in.callee.kind == opGlobal && in.callee.name == other.name ||
				slices.ContainsFunc(in.args, func(a operand) bool {
					return a.kind == opGlobal &&
						a.name == other.name
				}) {
				return true
			}
		}
	}
	return false
}
