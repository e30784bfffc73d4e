// Events of two threads that cannot be ordered.

package static

import (
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/replay"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// unordered reports whether nothing in the two threads can order two of their events, for threads of a kind of race:
// there is no barrier between them, and neither thread can release anything that the other acquires.
func unordered(m *kernel.Model, traces [2]*replay.Trace, i, k int, kind kernel.Kind) bool {
	e, f := &traces[0].Events[i], &traces[1].Events[k]
	if e.Inst.Scope == isa.ScopeCluster || f.Inst.Scope == isa.ScopeCluster {
		return false
	}
	if kind != kernel.InterBlock && (e.Blocks != f.Blocks || partial(traces[0]) || partial(traces[1])) {
		return false
	}
	if kind == kernel.IntraWarp && e.Warps != f.Warps {
		return false
	}
	if traces[0].Waited || traces[1].Waited || m.Traits.Peers != nil || m.Traits.Async != nil {
		return false
	}
	if !m.Traits.Fences {
		return true
	}
	return !mayOrder(traces[0], i, traces[1], k, kind) && !mayOrder(traces[1], k, traces[0], i, kind)
}

// partial reports whether a thread reached barriers in which only some threads take part.
func partial(t *replay.Trace) bool {
	for i := range t.Events {
		if _, ok := t.Events[i].Inst.Barrier(); ok && !t.Events[i].Certain {
			return true
		}
	}
	return false
}

// mayOrder reports whether a release after an event of one thread may be acquired before an event of the other.
func mayOrder(from *replay.Trace, i int, to *replay.Trace, k int, kind kernel.Kind) bool {
	released := !from.Ended
	for n := i + 1; n < len(from.Events); n++ {
		in := from.Events[n].Inst
		_, barrier := in.Barrier()
		released = released || releases(in, kind) || barrier && kind == kernel.InterBlock
	}
	acquired := false
	for n := range k {
		in := to.Events[n].Inst
		_, barrier := in.Barrier()
		acquired = acquired || acquires(in, kind) || barrier && kind == kernel.InterBlock
	}
	return released && acquired
}

// releases reports whether an instruction may be part of a release that reaches threads of a kind of race; acquires is
// the same for an acquire.
func releases(in *rewrite.Inst, kind kernel.Kind) bool {
	return orders(in, kind) && (in.Instr.Class == isa.ClassFence || in.Sem.Releases())
}

func acquires(in *rewrite.Inst, kind kernel.Kind) bool {
	return orders(in, kind) && (in.Instr.Class == isa.ClassFence || in.Sem.Acquires())
}

func orders(in *rewrite.Inst, kind kernel.Kind) bool {
	return kind != kernel.InterBlock || in.Scope != isa.ScopeCTA
}
