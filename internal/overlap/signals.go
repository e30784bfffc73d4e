// Signals: values by which a kernel lets another one go on that runs beside it.

package overlap

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A strong write to global memory of device scope or wider is a signal if it releases what its thread has done before:
// by its semantics, or because the thread has executed a fence since its last weak write. The writes of other threads
// count as released, too: they are ordered before by barriers of the block, which are not followed here.

// warpOfGrid is a warp of the grid that the host has launched.
type warpOfGrid struct {
	block uint64
	warp  uint32
}

// fence records a fence of lanes.
func (l *launch) fence(ev *abi.Event) {
	if ev.Sem.Releases() && ev.Scope >= abi.ScopeGPU {
		l.fenced[warpOfGrid{ev.Block, ev.Warp}] |= ev.Mask
	}
}

// wrote records a weak write of lanes.
func (l *launch) wrote(b *abi.Batch, lanes uint32) {
	if len(l.fenced) > 0 {
		if by := (warpOfGrid{b.Block, b.Warp}); l.fenced[by]&lanes != 0 {
			l.fenced[by] &^= lanes
		}
	}
}

// releases reports whether a strong write is a signal.
func (l *launch) releases(b *abi.Batch, a *abi.Access) bool {
	return a.Sem.Releases() || a.Mask&^l.fenced[warpOfGrid{b.Block, b.Warp}] == 0
}

// awaits reports whether an access may be repeated until its value is as wanted: by a loop (address.Awaited), or
// because its value decides a branch and it may follow itself without a write of the thread in between.
func (p *places) awaits(in *rewrite.Inst) bool {
	list, known := p.awaited[in.Func]
	if !known {
		list = address.Awaited(in.Func)
		p.awaited[in.Func] = list
	}
	return list[in] || address.Consulted(in.Func)[in] && repeats(in)
}

// repeats reports whether there is a path from an instruction to itself without a write or a call.
func repeats(in *rewrite.Inst) bool {
	g, insts := in.Func.CFG(), in.Func.Insts
	own := g.BlockOf[in.Index]
	silent := func(from, to int) bool {
		return !slices.ContainsFunc(insts[from:to], func(i *rewrite.Inst) bool {
			return i.Access.Writes() || i.Effects()&isa.Calls != 0
		})
	}
	if !silent(own.Start, in.Index) || !silent(in.Index+1, own.End) {
		return false
	}
	seen := map[*rewrite.Block]bool{}
	for work := slices.Clone(own.Succs); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		switch {
		case b == own:
			return true
		case !seen[b] && silent(b.Start, b.End):
			work = append(work, b.Succs...)
		}
		seen[b] = true
	}
	return false
}

// mayRelease reports whether an access may be a signal: a strong write of device scope or wider.
func mayRelease(in *rewrite.Inst) bool {
	return in.Strong() && in.StrongScope() >= isa.ScopeGPU && in.Access.Writes()
}
