// The barrier of the cluster: which accesses follow it, and precede it, in every thread.

package intervals

import (
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ClusterOrder says which accesses the barrier of the cluster orders with the start and the end of the other blocks.
type ClusterOrder struct {
	k      *symbolic.Kernel
	known  bool // all calls are followed, and all branches
	even   bool // all threads of the launch pass the same barriers of the cluster
	before map[place]bool
}

// ClusterOrderOf returns the order by barriers of the cluster.
func ClusterOrderOf(k *symbolic.Kernel) *ClusterOrder {
	c := &ClusterOrder{k: k, known: len(k.Unknown) == 0 && !k.MayEndInCall(), even: true}
	for _, f := range k.Frames {
		c.known = c.known && !f.CFG.Degenerate
		for _, in := range f.Func.Insts {
			if b, ok := in.Barrier(); ok && b.Of == isa.BarrierOfCluster && f.Reached(in) {
				c.even = c.even && in.Guard == nil && f.TogetherIn(symbolic.Grid, in) && !f.EndsEarly(in, symbolic.Grid)
			}
		}
	}
	return c
}

// AfterStart reports whether a thread has waited at the barrier of the cluster whenever it makes an access: all blocks
// of the cluster have started then, whatever the semantics of their arrivals (PTX ISA, "barrier.cluster").
func (c *ClusterOrder) AfterStart(x *symbolic.Access) bool {
	if c.before == nil {
		c.before = make(map[place]bool)
		c.walk(place{c.k.Root, 0}, func(at place, in *rewrite.Inst) bool {
			c.before[at] = true
			return waitsForCluster(in)
		})
	}
	return c.known && !c.before[place{x.Frame, x.Inst.Index}]
}

// BeforeEnd reports whether each other block of the cluster ends after an access: the thread arrives at the barrier of
// the cluster with a release whenever it has made the access, and some thread of each block waits for that phase. That
// holds for all threads if all pass the same barriers of the cluster and each wait after an arrival.
func (c *ClusterOrder) BeforeEnd(x *symbolic.Access) bool {
	if !c.known || !c.even || x.Async || x.Inst.SignalsAt(x.Access) {
		return false
	}
	arrivals := make(map[place]bool)
	ended := c.walk(place{x.Frame, x.Inst.Index + 1}, func(at place, in *rewrite.Inst) bool {
		b, ok := in.Barrier()
		if !ok || b.Of != isa.BarrierOfCluster || b.Step != isa.BarrierArrive || in.Sem == isa.SemRelaxed {
			return false
		}
		arrivals[at] = true
		return true
	})
	for at := range arrivals {
		ended = ended || c.walk(place{at.f, at.at + 1},
			func(_ place, in *rewrite.Inst) bool { return waitsForCluster(in) })
	}
	return !ended
}

// waitsForCluster reports whether a thread that goes on behind an instruction has waited at the barrier of its cluster.
func waitsForCluster(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && in.Guard == nil && b.Of == isa.BarrierOfCluster && b.Step == isa.BarrierWait
}

// walk visits the instructions that a thread may come to from a place on, up to those for which stop returns true. It
// reports whether the thread may end without coming to one of them, or whether the time is over.
func (c *ClusterOrder) walk(from place, stop func(place, *rewrite.Inst) bool) (ended bool) {
	seen := make(map[place]bool)
	for work := []place{from}; len(work) > 0; {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		if len(seen)%symbolic.StepsAtOnce == 0 && c.k.Ended() {
			return true
		}
		next, end := c.follow(p, stop)
		work, ended = append(work, next...), ended || end
	}
	return ended
}

// follow visits the rest of a basic block, and returns the places at which a thread goes on.
func (c *ClusterOrder) follow(p place, stop func(place, *rewrite.Inst) bool) (next []place, ended bool) {
	f := p.f
	if p.at >= len(f.Func.Insts) {
		return behindCall(f)
	}
	blk := f.CFG.BlockOf[p.at]
	for i := p.at; i < blk.End; i++ {
		in := f.Func.Insts[i]
		if stop(place{f, i}, in) {
			return next, ended
		}
		ended = ended || in.Effects().Has(isa.Exits)
		callees := f.Callees(in)
		for _, g := range callees {
			next = append(next, place{g, 0})
		}
		if len(callees) > 0 && in.Guard == nil {
			return next, ended
		}
	}
	for _, s := range blk.Succs {
		if s != f.CFG.Exit {
			next = append(next, place{f, s.Start})
			continue
		}
		behind, end := behindCall(f)
		next, ended = append(next, behind...), ended || end
	}
	return next, ended
}

// behindCall returns where a thread goes on that leaves a frame, or that it ends, if it leaves the kernel.
func behindCall(f *symbolic.Frame) (next []place, ended bool) {
	if f.Parent == nil {
		return nil, true
	}
	return []place{{f.Parent, f.Call.Index + 1}}, false
}
