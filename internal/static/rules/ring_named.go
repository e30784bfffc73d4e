// Rings of barriers of a block for some of its threads, by which producers and consumers wait for each other:
// bar.arrive and bar.sync with a number of threads.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// namedRings returns the rings of the barriers of a block that some thread only arrives at. A barrier for n threads
// completes when n/32 warps have arrived, and bar.sync waits for the phase for which it arrives (PTX ISA, "barrier").
func (y *synchronisation) namedRings() (out []*ring) {
	if !y.hasArrivals() {
		return nil
	}
	of := make(map[int64]*ring)
	var steps []*step
	for _, p := range y.Parts {
		if p.Barrier.Of != isa.BarrierOfCTA {
			continue
		}
		s := y.namedStep(p)
		if s == nil {
			return nil
		}
		steps = append(steps, s)
		for _, id := range s.turn {
			r := of[id]
			if r == nil {
				r = &ring{synchronisation: y, warps: true, count: expr.Const(p.Count / isa.WarpSize), words: []int64{id}}
				of[id], out = r, append(out, r)
			}
			r.failed = r.failed || p.Count == 0 || p.Count%isa.WarpSize != 0 ||
				!r.count.Equal(expr.Const(p.Count/isa.WarpSize))
		}
	}
	for _, s := range steps {
		out = s.join(of, out)
	}
	for _, s := range steps {
		r := of[s.turn[0]]
		s.ring, r.arrivals = r, append(r.arrivals, s)
		if bar, _ := s.Access.Inst.Barrier(); bar.Step == isa.BarrierSync || bar.Step == isa.BarrierReduce {
			r.waits = append(r.waits, &step{
				Item: s.Item, body: s.body, turn: s.turn, ring: r, state: s, passed: executing(s.Access.Inst),
			})
		}
	}
	return slices.DeleteFunc(out, func(r *ring) bool { return r.failed || r.whole() })
}

// hasArrivals reports whether threads arrive at a barrier of the block without waiting.
func (y *synchronisation) hasArrivals() bool {
	return slices.ContainsFunc(y.Parts, func(p *kernel.PartBarrier) bool {
		return p.Barrier.Of == isa.BarrierOfCTA && p.Barrier.Step == isa.BarrierArrive
	})
}

// namedStep returns the arrival at a barrier; nil if it is not known at which, or whether all threads of a warp make
// it.
func (y *synchronisation) namedStep(p *kernel.PartBarrier) *step {
	in := p.Access.Inst
	loops := p.Access.Frame.LoopsAround(p.Access.Frame.Block(in))
	if !p.Barrier.Aligned || in.Guard != nil || len(loops) > 1 {
		return nil
	}
	s := &step{Item: p.Item, body: body{synchronisation: y}}
	if len(loops) == 1 {
		s.loop = loops[0]
		s.rounds, s.least = s.mostRounds(), s.leastRound()
	}
	if s.turn = s.turnOf(y.Kernel.Turned(p.Addr)); s.turn == nil {
		return nil
	}
	return s
}

// whole reports whether all threads of the block wait at a barrier of the ring as well.
func (r *ring) whole() bool {
	return slices.ContainsFunc(r.Kernel.Root.Func.Insts, func(in *rewrite.Inst) bool {
		bar, ok := in.Barrier()
		if !ok || bar.Of != isa.BarrierOfCTA || bar.Threads >= 0 || !r.Kernel.Root.Reached(in) {
			return false
		}
		id := int64(0)
		if bar.ID >= 0 && bar.ID < len(in.Operands) {
			id, ok = expr.Wrap(r.Kernel.Root.Operand(in, bar.ID), 32, false).Int64()
		}
		return !ok || slices.Contains(r.words, id)
	})
}
