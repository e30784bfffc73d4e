// Control-flow paths from one access of a race to the other.

package symbolize

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// prepared sets Prepares. The store comes first on the path where synchronisation is missing: the program reaches the
// other access from it but not vice versa, or vice versa only through a barrier of the threads.
func (n *Symbolizer) prepared(x *report.Race, first, second *abi.Site) {
	from, to := n.pair(first, second)
	if from == nil || from == to || x.Cause != detect.NotStrong {
		return
	}
	forth, back := leads(from, to, nil), leads(to, from, nil)
	if forth && back {
		orders := barriersOf(from.Func, x.Kind)
		forth, back = leads(from, to, orders), leads(to, from, orders)
	}
	x.Prepares = forth && !back && prepares(x, &x.First, &x.Second, to) ||
		back && !forth && prepares(x, &x.Second, &x.First, from)
}

// pair returns the instructions of two sites in one function, nil if they are in different ones.
func (n *Symbolizer) pair(first, second *abi.Site) (from, to *rewrite.Inst) {
	if first == nil || second == nil {
		return nil, nil
	}
	from, to = n.instOf(first), n.instOf(second)
	if from == nil || to == nil || from.Func != to.Func {
		return nil, nil
	}
	return from, to
}

// barriersOf returns the positions in a function of the barriers that order threads of a race of some kind.
func barriersOf(f *rewrite.Func, kind detect.Kind) positions {
	switch kind {
	case detect.IntraBlock:
		return positionsOf(f, blockBarriers)
	case detect.IntraWarp:
		return positionsOf(f, allBarriers)
	}
	return nil
}

// prepares reports whether the first of two accesses is a plain store to an element that the second one updates, for
// example when counters in shared memory are set to zero. Both accesses are by threads of one block.
func prepares(x *report.Race, store, update *report.Access, in *rewrite.Inst) bool {
	if x.Kind != detect.IntraBlock && x.Kind != detect.IntraWarp || store.Access != "write" ||
		update.Access != "atomic" {
		return false
	}
	switch in.Access.AtomOp {
	case "cas", "exch": // as of a lock or flag, which the store gives back
		return false
	}
	return in.Access.Atomic()
}

// checks reports whether one access is a read and the other an atomic operation on the same element that a thread
// executes after it: in a loop, one that stands behind it.
func (n *Symbolizer) checks(x *report.Race, first, second *abi.Site) bool {
	read, update := first, second
	if x.Second.Access == "read" {
		read, update = second, first
	}
	from, to := n.pair(read, update)
	switch {
	case from == nil || read.Access != "read" || update.Access != "atomic":
		return false
	case slices.Contains(address.Looks(from.Func)[from], to):
		return true
	}
	return address.SamePlace(from, to) && leads(from, to, nil) && comesBefore(from, to)
}

// updates returns the load of a thread that updates an element in two steps, if the accesses are that load and the
// store, or both the store.
func (n *Symbolizer) updates(first, second *abi.Site) *rewrite.Inst {
	x, y := n.pair(first, second)
	if x == nil {
		return nil
	}
	updates := address.Updates(x.Func)
	for _, load := range slices.Concat(updates[x], updates[y]) {
		if x == y || x == load || y == load {
			return load
		}
	}
	return nil
}

// unchanged reports whether the accesses are a load of threads and the store that stores it back, or both that store:
// the race changes nothing, unless another thread changes the element, which is a race of its own.
func (n *Symbolizer) unchanged(first, second *abi.Site) bool {
	x, y := n.pair(first, second)
	if x == nil {
		return false
	}
	load := address.StoresBack(y)
	if load == nil {
		load = address.StoresBack(x)
	}
	return load != nil && (x == y || x == load || y == load)
}

// scatters reports whether the accesses are a load and a store, and the address of one of them is computed from what
// the thread has loaded, and that of the other is not.
func (n *Symbolizer) scatters(first, second *abi.Site) bool {
	x, y := n.pair(first, second)
	if x == nil || x.Access.Kind == y.Access.Kind || x.Access.Atomic() || y.Access.Atomic() {
		return false
	}
	return address.Indirect(x) != address.Indirect(y)
}

// again reports whether a thread may get from the instruction of one site to that of another.
func (n *Symbolizer) again(from, to *abi.Site) bool {
	x, y := n.pair(from, to)
	return x != nil && leads(x, y, nil)
}

// comesBefore reports whether an instruction stands before another one: in the source if both are in one function,
// since compilers may place the blocks of a loop in any order; else in the PTX.
func comesBefore(x, y *rewrite.Inst) bool {
	if a, b := SourceOf(x), SourceOf(y); a != nil && b != nil {
		if p, q := report.Apart(a, b); p.File == q.File && p.Line != q.Line {
			return p.Line < q.Line
		}
	}
	return x.Index < y.Index
}

// dimensions are the components of the indices of threads and blocks, and the special registers that hold them.
var dimensions = []struct{ word, index, member string }{
	{"threadIdx.x", "%tid", ".x"},
	{"threadIdx.y", "%tid", ".y"},
	{"threadIdx.z", "%tid", ".z"},
	{"blockIdx.x", "%ctaid", ".x"},
	{"blockIdx.y", "%ctaid", ".y"},
	{"blockIdx.z", "%ctaid", ".z"},
}

// unread returns the dimensions that the program does not read, if the addresses of both accesses differ between
// threads: many may be meant to access an address that is the same for all.
func (n *Symbolizer) unread(first, second *abi.Site) (list []string) {
	from, to := n.pair(first, second)
	if from == nil || !varies(from) || !varies(to) {
		return nil
	}
	return n.unreadDimensions()
}

// unreadDimensions returns the dimensions that the program does not read.
func (n *Symbolizer) unreadDimensions() []string {
	if n.unindexed == nil {
		var list []string
		for _, d := range dimensions {
			if !slices.ContainsFunc(n.User.Funcs, func(f *rewrite.Func) bool {
				return readsIndex(f, d.index,
					d.member)
			}) {
				list = append(list, d.word)
			}
		}
		n.unindexed = &list
	}
	return *n.unindexed
}

// varies reports whether the address of an access differs between threads.
func varies(in *rewrite.Inst) bool {
	u := in.Func.Uniformity()
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == rewrite.OperandAddr && o.Reg != nil {
			return !u.Reg(in, o.Reg)
		}
	}
	return false
}

// readsIndex reports whether a function reads a component of an index, or what follows from that: lanes and warps,
// clusters.
func readsIndex(f *rewrite.Func, index, member string) bool {
	for _, in := range f.Insts {
		for i := range in.Operands {
			o := &in.Operands[i]
			name := o.Special.Name
			switch {
			case o.Kind != rewrite.OperandSpecial:
			case name == index && (o.Member == member || o.Member == ""),
				index == "%tid" && (strings.HasPrefix(name, "%lane") || strings.HasPrefix(name, "%warp")),
				index == "%ctaid" && strings.HasPrefix(name, "%cluster"):
				return true
			}
		}
	}
	return false
}

// differing returns the dimensions in which the threads of a race differ if all of them are unread, otherwise none.
func differing(unread []string, r *detect.Race) (list []string) {
	a, b := append(r.First.Thread[:], r.First.Block[:]...), append(r.Second.Thread[:], r.Second.Block[:]...)
	for i, d := range dimensions {
		switch {
		case a[i] == b[i]:
		case !slices.Contains(unread, d.word) || r.First.Grid != r.Second.Grid:
			return nil
		default:
			list = append(list, d.word)
		}
	}
	return list
}
