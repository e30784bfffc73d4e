// Reachability between instructions of a function along its control flow.

package symbolize

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// operationKind is a kind of instructions that advice and the order of accesses depend on.
type operationKind uint8

const (
	narrowFences  operationKind = iota // fences of block scope, which must be wider if another block is to observe an access before them
	publications                       // accesses that can signal another block that it may continue
	blockBarriers                      // barriers at which threads of a block wait for each other, but those of a warp
	allBarriers                        // barriers at which threads of a block or warp wait for each other
)

// includes reports whether an instruction is of a kind.
func (k operationKind) includes(in *rewrite.Inst) bool {
	switch k {
	case narrowFences:
		return in.Instr.Class == isa.ClassFence && in.Scope == isa.ScopeCTA
	case publications: // an atomic operation, or a store that is volatile or stronger
		global := in.Space == isa.SpaceNone || in.Space == isa.SpaceGlobal
		return global && in.Access.Writes() && in.Strong()
	}
	b, ok := in.Barrier()
	return ok && b.Step != isa.BarrierArrive && (b.Of != isa.BarrierOfWarp || k == allBarriers)
}

// positions are indices of instructions of a function, in ascending order.
type positions []int

// positionsOf returns the positions of a function's instructions of a kind. Each function is searched once, however
// many races ask for it.
func positionsOf(f *rewrite.Func, kind operationKind) positions {
	return f.Memo(kind, func() any {
		var at positions
		for i, in := range f.Insts {
			if kind.includes(in) {
				at = append(at, i)
			}
		}
		return at
	}).(positions)
}

// within returns the first position of at least start and less than end, and end if there is none.
func (p positions) within(start, end int) int {
	if i, _ := slices.BinarySearch(p, start); i < len(p) {
		return min(p[i], end)
	}
	return end
}

// leads reports whether a thread may get from one instruction to another without executing one at stops.
func leads(from, to *rewrite.Inst, stops positions) bool {
	return reachable(from, positions{to.Index}, stops) != nil
}

// reachable returns the nearest instruction after from that is at one of the positions wanted, nil when there is none.
// It searches block by block along the control flow, and not beyond instructions at stops.
func reachable(from *rewrite.Inst, wanted, stops positions) *rewrite.Inst {
	if len(wanted) == 0 {
		return nil
	}
	g, insts := from.Func.CFG(), from.Func.Insts
	search := func(start, end int) (found *rewrite.Inst, stopped bool) {
		at, stop := wanted.within(start, end), stops.within(start, end)
		if at < end && at <= stop {
			return insts[at], true
		}
		return nil, stop < end
	}
	first := g.BlockOf[from.Index]
	if in, stopped := search(from.Index+1, first.End); stopped {
		return in
	}
	seen := make([]bool, len(g.Blocks)) // by index
	for queue := first.Succs; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		if seen[b.Index] {
			continue
		}
		seen[b.Index] = true
		in, stopped := search(b.Start, b.End)
		if in != nil {
			return in
		}
		if !stopped {
			queue = append(queue, b.Succs...)
		}
	}
	return nil
}
