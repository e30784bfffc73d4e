// Control flow of the kernel itself: which instructions a thread executes before or after others.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// executedBefore reports whether a thread that executes in, an instruction of the kernel itself, has executed first
// before.
func (m *model) executedBefore(first, in *rewrite.Inst) bool {
	b, d := m.kernel.Root.Block(in), m.kernel.Root.Block(first)
	if b == d {
		return first.Index < in.Index
	}
	return m.kernel.Func.CFG().Dominates(d, b)
}

// executesLater reports whether a thread that executes in, an instruction of the kernel itself, and ends, executes
// later as well.
func (m *model) executesLater(in, later *rewrite.Inst) bool {
	if m.kernel.MayEndInCall() {
		return false
	}
	b, d := m.kernel.Root.Block(in), m.kernel.Root.Block(later)
	if b == d {
		return in.Index < later.Index
	}
	return m.kernel.Func.CFG().PostDominates(d, b)
}

// again reports whether a thread may reach an instruction of the kernel itself more than once.
func (m *model) again(in *rewrite.Inst) bool { return m.leads(in, in) }

// leads reports whether a thread may go from one instruction of the kernel itself to another.
func (m *model) leads(from, to *rewrite.Inst) bool {
	return m.kernel.Root.Leads(from, to, func(*rewrite.Inst) bool { return false })
}

// between reports whether a thread may execute a certain instruction of the kernel itself between its last execution of
// first and the next of second.
func (m *model) between(first, second *rewrite.Inst, certain func(*rewrite.Inst) bool) bool {
	root := m.kernel.Root
	again := func(in *rewrite.Inst) bool { return in == first }
	return slices.ContainsFunc(root.Func.Insts, func(in *rewrite.Inst) bool {
		return root.Reached(in) && certain(in) && root.Leads(first, in, again) && root.Leads(in, second, again)
	})
}

// stops returns the barriers of the kernel itself that all threads of a block reach once and that separate accesses
// before from accesses after: threads are together at all barriers that are not after one of these.
func (m *model) stops() []*rewrite.Inst {
	if m.stopping != nil {
		return m.stopping
	}
	m.stopping = []*rewrite.Inst{}
	root := m.kernel.Root
	var all []*rewrite.Inst
	for _, f := range m.kernel.Frames {
		for _, in := range f.Func.Insts {
			if bar, ok := in.Barrier(); !ok || bar.Of != isa.BarrierOfCTA || !f.Reached(in) {
				continue
			}
			if f != root || in.Guard != nil {
				return m.stopping
			}
			all = append(all, in)
		}
	}
	if len(m.blocks.Others) > 0 {
		return m.stopping
	}
	for _, b := range all {
		apart := func(in *rewrite.Inst) bool { return !m.executedBefore(b, in) && !root.Together(in) }
		if root.Together(b) && !m.again(b) && !slices.ContainsFunc(all, apart) {
			m.stopping = append(m.stopping, b)
		}
	}
	return m.stopping
}
