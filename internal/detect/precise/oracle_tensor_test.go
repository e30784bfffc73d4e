package precise_test

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// What the oracle knows of tensor memory: which operations of tcgen05 are ordered (PTX ISA, "Memory Consistency Model
// for 5th generation of TensorCore operations"), of any two found out from the operations between them.

// oracleTensor is the operations of tcgen05 among those of the oracle.
type oracleTensor struct {
	ops     []int                   // on tensor memory
	commits map[uint64]tensorCommit // by number
	fences  []int                   // and commits, which are fences before synchronisation
	known   [][]uint64              // by operation: what is before it in base causality order or by fences of tcgen05
}

// tensorCommit is a tcgen05.commit and the operations that it is about.
type tensorCommit struct {
	at  int
	ops []int
}

// tensorPart is what an operation on tensor memory is beside an access.
type tensorPart struct {
	of            abi.AsyncKind
	pipe          abi.Pipe
	before, after bool // fences
	synchronous   bool // dealloc
	waited        []int
}

func (o *oracle) tensorFence(i int, ev *abi.Event) {
	for _, lane := range lanesOf(ev.Mask) {
		n, op := o.add(i, ev, lane)
		op.tensor = &tensorPart{before: ev.Kind == abi.EventTensorBefore, after: ev.Kind == abi.EventTensorAfter}
		o.tensor.fences = append(o.tensor.fences, n)
	}
}

// tensorAccess is an access of a lane to tensor memory; n is its number.
func (o *oracle) tensorAccess(ev *abi.Event, n int) {
	op := o.ops[n]
	op.tensor = &tensorPart{of: ev.Async, pipe: ev.Pipe, synchronous: ev.Async == abi.Synchronous}
	op.memory = false // the rules of other memory do not hold
	o.tensor.ops = append(o.tensor.ops, n)
}

// tensorGroup notes a commit, and which operations a wait is for.
func (o *oracle) tensorGroup(ev *abi.Event, n int) {
	op := o.ops[n]
	switch {
	case ev.Async == abi.AsyncTensor && ev.Kind == abi.EventAsyncCommit:
		if o.tensor.commits == nil {
			o.tensor.commits = map[uint64]tensorCommit{}
		}
		op.tensor = &tensorPart{before: true}
		o.tensor.fences = append(o.tensor.fences, n)
		o.tensor.commits[ev.Op] = tensorCommit{n, slices.Concat(o.groupsOf(op.thread, ev.Async).closed...)}
	case ev.Async >= abi.AsyncTensorLoads && ev.Kind == abi.EventAsyncWait:
		op.tensor = &tensorPart{}
		for _, m := range o.edges[n] {
			if o.ops[m].async {
				op.tensor.waited = append(op.tensor.waited, m)
			}
		}
	}
}

// closeTensor adds what fences of tcgen05 order to base causality order: a fence before synchronisation, which an
// arrival at an mbarrier follows, and one after it, which follows the wait for the phase, whatever the semantics of
// both are.
func (o *oracle) closeTensor() {
	edges := make([][]int, len(o.edges))
	for n := range o.edges {
		edges[n] = slices.Clone(o.edges[n])
	}
	for _, p := range o.passes {
		for _, f := range o.tensor.fences {
			if !o.ops[f].tensor.after || o.ops[f].thread != o.ops[p.op].thread || f < p.op {
				continue
			}
			for _, c := range p.phase {
				edges[f] = append(edges[f], c.ended...)
				for _, b := range o.tensor.fences {
					if c.arrival >= 0 && o.ops[b].tensor.before && o.ops[b].thread == o.ops[c.arrival].thread && b < c.arrival {
						edges[f] = append(edges[f], b)
					}
				}
			}
		}
	}
	o.tensor.known = closure(edges, func(n int) bool { return o.ops[n].async })
}

// piped: PTX ISA, "Pipelined tcgen05 Instructions".
func piped(x, y abi.Pipe) bool {
	type pair struct{ first, second abi.PipeKind }
	switch p := (pair{x.Kind, y.Kind}); p {
	case pair{abi.PipeMultiply, abi.PipeMultiply}:
		return x.Pair == y.Pair && x.Shape == y.Shape
	case pair{abi.PipeCopy, abi.PipeMultiply}, pair{abi.PipeCopyRows, abi.PipeMultiply}, pair{abi.PipeShift, abi.PipeMultiply},
		pair{abi.PipeShift, abi.PipeCopyRows}, pair{abi.PipeMultiply, abi.PipeShift}:
		return x.Pair == y.Pair
	}
	return false
}

// tensorOrdered reports whether operation e on tensor memory is ordered before t.
func (o *oracle) tensorOrdered(e, t int) bool {
	x, y := o.ops[e], o.ops[t]
	own := x.thread == y.thread
	switch {
	case y.tensor.synchronous:
		return o.precedesWarp(e, t) || own && x.tensor.synchronous
	case x.tensor.synchronous:
		return o.precedes(e, t) || own
	}
	known := func(int) bool { return false }
	for _, f := range o.tensor.fences {
		if o.ops[f].tensor.after && o.ops[f].thread == y.thread && f < t {
			known = func(n int) bool { return contains(o.tensor.known[f], n) }
		}
	}
	fenced := func(from int) bool { // the thread of e has executed a fence since that is known, or one of those with it
		return slices.ContainsFunc(o.tensor.fences, func(b int) bool {
			z := o.ops[b]
			return z.tensor.before && z.thread == x.thread && b > from && slices.ContainsFunc(o.tensor.fences, func(c int) bool {
				return o.ops[c].event == z.event && known(c)
			})
		})
	}
	if piped(x.tensor.pipe, y.tensor.pipe) && (own || fenced(e)) {
		return true
	}
	if x.tensor.of == abi.AsyncTensor {
		return known(e)
	}
	for w := e + 1; w < t; w++ {
		if z := o.ops[w]; z.thread == x.thread && z.tensor != nil && slices.Contains(z.tensor.waited, e) && (own || known(w) && fenced(w)) {
			return true
		}
	}
	return false
}

// precedesWarp reports whether operation e is before one that all threads of a warp execute together: before the
// operation t of the thread that stands for them, or what one of the others has executed until then.
func (o *oracle) precedesWarp(e, t int) bool {
	last := o.ops[t].thread
	for z, op := range o.ops[:t] {
		if op.thread.block == last.block && op.thread.warp == last.warp && o.precedes(e, z) {
			return true
		}
	}
	return o.precedes(e, t)
}

// tensorRaces are the pairs of operations that access one cell, one of which writes, and that are in no order, nor by
// way of others that access it.
func (o *oracle) tensorRaces() map[race]bool {
	o.closeTensor()
	out := map[race]bool{}
	cells := map[uint64][]int{}
	for _, n := range o.tensor.ops {
		at := o.ops[n].addr
		cells[at] = append(cells[at], n)
	}
	for _, ops := range cells {
		for j, t := range ops {
			ordered := map[int]bool{t: true}
			for i := j - 1; i >= 0; i-- {
				e := ops[i]
				x, y := o.ops[e], o.ops[t]
				for _, m := range ops[i+1 : j+1] {
					ordered[e] = ordered[e] || ordered[m] && o.tensorOrdered(e, m)
				}
				if !ordered[e] && (x.writes || y.writes) && (x.thread != y.thread || x.number != y.number) {
					out[race{x.site, y.site}] = true
				}
			}
		}
	}
	return out
}
