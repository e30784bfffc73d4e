// Regions of a kernel: its synchronized blocks (section 4.1, Definition 1).

package ldetector

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// region is a synchronized block of a kernel: what threads may execute from a barrier of the whole block, or from the
// kernel's entry, up to the next barriers or the end. A thread that has passed start passes no other barrier of the
// block before it leaves the region. An instruction is in several regions if several barriers lead to it.
type region struct {
	number uint32        // from 1, in the module
	start  *rewrite.Inst // the barrier before it; nil for the kernel's entry
	// from is the index of the first repeated instruction. After a barrier inside braces it is the first one behind
	// them: labels inside cannot be reached from outside.
	from  int
	insts []*rewrite.Inst
	ends  []*rewrite.Inst // barriers, in source order
	exits bool            // threads may exit the kernel here
	calls []*rewrite.Func // functions called, directly or indirectly, in the order of the module
	skip  *obstacle       // reason why it is not checked; nil if it is
}

// fullBarrier reports whether an instruction is a barrier at which all threads of the
// block wait.
func fullBarrier(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCTA && b.Threads < 0 && (b.Step == isa.BarrierSync || b.Step == isa.BarrierReduce)
}

// leavesKernel reports whether a thread may end normally at an instruction of a kernel.
func leavesKernel(in *rewrite.Inst) bool {
	e := in.Effects()
	return e.Has(isa.Terminates) && !e.Has(isa.Aborts)
}

// regionsOf divides a kernel without unknown edges into regions, in source order.
func regionsOf(f *rewrite.Func, next func() uint32) []*region {
	list := []*region{newRegion(f, nil, next())}
	for _, in := range f.Insts {
		if fullBarrier(in) && f.CFG().Reached(f.CFG().BlockOf[in.Index]) {
			list = append(list, newRegion(f, in, next()))
		}
	}
	return list
}

// newRegion follows all paths from a barrier, or from the entry, to the next barriers.
func newRegion(f *rewrite.Func, start *rewrite.Inst, number uint32) *region {
	r := &region{number: number, start: start}
	g := f.CFG()
	seen := make([]bool, len(f.Insts)+1)
	first := 0
	if start != nil {
		first = start.Index + 1
	}
	r.from = first
	work := []int{first}
	if start != nil && g.BlockOf[start.Index].End == first {
		work = successors(g, g.BlockOf[start.Index])
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[i] {
			work = append(work, r.follow(g, i, seen)...)
		}
	}
	for i, in := range f.Insts {
		if seen[i] && !fullBarrier(in) {
			r.insts = append(r.insts, in)
		}
	}
	slices.SortFunc(r.ends, func(a, b *rewrite.Inst) int { return a.Index - b.Index })
	r.calls = calledBy(r.insts)
	return r
}

// follow walks a basic block from an instruction on, and returns where its paths continue.
func (r *region) follow(g *rewrite.CFG, i int, seen []bool) []int {
	if i == len(g.BlockOf) {
		seen[i], r.exits = true, true
		return nil
	}
	b := g.BlockOf[i]
	for ; i < b.End; i++ {
		if seen[i] {
			return nil
		}
		seen[i] = true
		in := g.Func.Insts[i]
		if leavesKernel(in) {
			r.exits = true
			if in.Guard == nil {
				return nil
			}
		}
		if fullBarrier(in) {
			r.ends = append(r.ends, in)
			if in.Guard == nil {
				return nil
			}
		}
	}
	return successors(g, b)
}

// successors returns the first instructions of the blocks after one. An exit from the kernel by an instruction is none;
// falling off its end is one.
func successors(g *rewrite.CFG, b *rewrite.Block) []int {
	var list []int
	last := g.Func.Insts[b.End-1]
	for _, s := range b.Succs {
		if s != g.Exit || !last.Effects().Has(isa.Terminates) && !endsCall(last) {
			list = append(list, s.Start)
		}
	}
	return list
}

// endsCall reports whether an instruction is a call that does not return.
func endsCall(in *rewrite.Inst) bool {
	c, ok := in.Call()
	return ok && c.Func != nil && c.Func.NoReturn()
}

// calledBy returns the defined functions that instructions call, directly or indirectly, in the order of the module.
func calledBy(insts []*rewrite.Inst) []*rewrite.Func {
	var seen map[*rewrite.Func]bool
	var visit func(insts []*rewrite.Inst)
	visit = func(insts []*rewrite.Inst) {
		for _, in := range insts {
			if c, ok := in.Call(); ok && c.Func != nil && !seen[c.Func] {
				if seen == nil {
					seen = map[*rewrite.Func]bool{}
				}
				seen[c.Func] = true
				visit(c.Func.Insts)
			}
		}
	}
	visit(insts)
	var list []*rewrite.Func
	for f := range seen {
		if f.Defined() {
			list = append(list, f)
		}
	}
	if len(list) > 1 {
		place := placesOf(list[0].Module)
		slices.SortFunc(list, func(a, b *rewrite.Func) int { return place[a] - place[b] })
	}
	return list
}

// placesOf returns the indices of the functions of a module.
func placesOf(m *rewrite.Module) map[*rewrite.Func]int {
	type key struct{}
	return m.Memo(key{}, func() any {
		place := make(map[*rewrite.Func]int, len(m.Funcs))
		for i, f := range m.Funcs {
			place[f] = i
		}
		return place
	}).(map[*rewrite.Func]int)
}

// cyclic reports whether an instruction of the region may execute again before the region ends.
func (r *region) cyclic(in *rewrite.Inst) bool {
	loop := newRegion(in.Func, in, 0)
	return slices.Contains(loop.insts, in) && slices.Contains(r.insts, in)
}
