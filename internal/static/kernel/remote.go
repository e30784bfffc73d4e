// Accesses to the shared memory of other blocks of a cluster: which ones may be such, and how they differ from those to
// the own block's.

package kernel

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// The shared memory of the blocks of a cluster is one window: the rank of a block is above bit rankBit, and its memory
// is smaller than mostShared bytes (docs/faults.md, "Clusters").
const (
	rankBit    = 24
	mostShared = 1 << 18
)

// nearest is the distance from an address in the shared memory of a block below which there is no other block's.
const nearest = 1<<rankBit - mostShared

// findRemote finds the accesses that may be to the shared memory of another block. They are those of instructions that
// can make such accesses at addresses that are not provably near a variable of the block, in a kernel that deals with
// clusters. A generic address from elsewhere may be one if the kernel makes addresses of other blocks' memory, or
// stores those of its own where other blocks find them.
func (b *Builder) findRemote() {
	if !b.dealsWithClusters() {
		return
	}
	one := b.OneBlockClusters()
	source := slices.ContainsFunc(b.Kernel.Frames, makesPeerAddress) || slices.ContainsFunc(b.Items, b.storesShared)
	var generic []*Item
	for _, it := range b.Items {
		switch far := it.Access.Inst.Multicast(); {
		case !it.Access.Remote || it.Object.Space != isa.SpaceShared && it.Object.Space != isa.SpaceNone:
		case it.Object.Space == isa.SpaceNone && !far:
			generic = append(generic, it)
		case far || it.Object.Base == "" || !b.nearOwn(it, one != nil):
			it.Remote, source = true, source || !far
		}
	}
	for _, it := range generic {
		it.Remote = source
	}
	for _, it := range b.Items {
		switch {
		case it.Remote && one != nil:
			it.Remote, b.LocalBy = false, append(b.LocalBy, one...)
		case it.Remote:
			b.Traits.Peers = it.Access.Inst
		}
	}
}

// nearOwn reports whether an access is too near to a variable of its block to be to another block's memory. If the
// facts exclude clusters anyway, only the range of the offset counts.
func (b *Builder) nearOwn(it *Item, excluded bool) bool {
	if it.Offset.IsUnknown() {
		return false
	}
	far := expr.Any(expr.Le(it.Offset, expr.Const(-nearest)), expr.Ge(it.Offset, expr.Const(nearest)))
	if far == expr.False || excluded {
		return far == expr.False
	}
	r := b.Solve(append(append(it.Formulas(1), b.Ranges(1)...), far.Instance(1)), nil, query.Cheap|query.NoModel)
	if r.Unsat {
		b.LocalBy = append(append(b.LocalBy, r.Core...), it.Needs()...)
	}
	return r.Unsat
}

// dealsWithClusters reports whether the kernel names clusters, or the facts give it one of several blocks.
func (b *Builder) dealsWithClusters() bool {
	for _, p := range b.Kernel.Func.AST.Perf {
		if strings.Contains(p.Name, "cluster") {
			return true
		}
	}
	for _, d := range query.Dims {
		if x := b.Definitions[facts.Dim("cluster_nctaid", d).String()]; x != nil && !x.Equal(expr.Const(1)) {
			return true
		}
	}
	return slices.ContainsFunc(b.Kernel.Frames, func(f *symbolic.Frame) bool {
		return slices.ContainsFunc(f.Func.Insts,
			namesCluster)
	})
}

// namesCluster reports whether an instruction is about clusters.
func namesCluster(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCluster || in.Clustered() || in.Multicast() ||
		slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
			return o.Kind == rewrite.OperandSpecial && strings.Contains(o.Special.Name, "cluster")
		})
}

// makesPeerAddress reports whether a function makes addresses of other blocks' shared memory.
func makesPeerAddress(f *symbolic.Frame) bool {
	return slices.ContainsFunc(f.Func.Insts,
		func(in *rewrite.Inst) bool { return in.Instr.Calc == isa.CalcPeerAddress && f.Reached(in) })
}

// storesShared reports whether an access stores an address of the block's shared memory where other blocks may find it.
func (b *Builder) storesShared(it *Item) bool {
	n := it.Access.Value
	if !it.Access.Writes() || it.Object.Space == isa.SpaceShared && !it.Access.Remote || n < 0 ||
		n >= len(it.Access.Inst.Operands) || it.Access.ElemSize < 8 {
		return false
	}
	return slices.ContainsFunc(it.Access.Frame.Operand(it.Access.Inst, n).Vars(), func(v expr.Variable) bool {
		return strings.HasPrefix(v.Name, symbolic.SharedBase)
	})
}

// BetweenRanks returns the distance of two addresses in shared memory without the ranks of their blocks.
func BetweenRanks(distance *expr.Int) *expr.Int { return expr.Wrap(distance, rankBit, true) }
