// Control flow of the kernel itself: which instructions a thread executes before or after others.

package kernel

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ExecutedBefore reports whether a thread that executes in, an instruction of the kernel itself, has executed first
// before.
func (m *Model) ExecutedBefore(first, in *rewrite.Inst) bool {
	b, d := m.Kernel.Root.Block(in), m.Kernel.Root.Block(first)
	if b == d {
		return first.Index < in.Index
	}
	return m.Kernel.Func.CFG().Dominates(d, b)
}

// ExecutesLater reports whether a thread that executes in, an instruction of the kernel itself, and ends, executes
// later as well.
func (m *Model) ExecutesLater(in, later *rewrite.Inst) bool {
	if m.Kernel.MayEndInCall() {
		return false
	}
	b, d := m.Kernel.Root.Block(in), m.Kernel.Root.Block(later)
	if b == d {
		return in.Index < later.Index
	}
	return m.Kernel.Func.CFG().PostDominates(d, b)
}

// Again reports whether a thread may reach an instruction of the kernel itself more than once.
func (m *Model) Again(in *rewrite.Inst) bool { return m.Leads(in, in) }

// Leads reports whether a thread may go from one instruction of the kernel itself to another.
func (m *Model) Leads(from, to *rewrite.Inst) bool {
	return m.Kernel.Root.Leads(from, to, func(*rewrite.Inst) bool { return false })
}

// Between reports whether a thread may execute a certain instruction of the kernel itself between its last execution of
// first and the next of second.
func (m *Model) Between(first, second *rewrite.Inst, certain func(*rewrite.Inst) bool) bool {
	root := m.Kernel.Root
	again := func(in *rewrite.Inst) bool { return in == first }
	return slices.ContainsFunc(root.Func.Insts, func(in *rewrite.Inst) bool {
		return root.Reached(in) && certain(in) && root.Leads(first, in, again) && root.Leads(in, second, again)
	})
}

// Stops returns the barriers of the kernel itself that all threads of a block reach once and that separate accesses
// before from accesses after: threads are together at all barriers that are not after one of these.
func (m *Model) Stops() []*rewrite.Inst {
	if m.stopping != nil {
		return m.stopping
	}
	m.stopping = []*rewrite.Inst{}
	root := m.Kernel.Root
	var all []*rewrite.Inst
	for _, f := range m.Kernel.Frames {
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
	if len(m.Blocks.Others) > 0 {
		return m.stopping
	}
	for _, b := range all {
		apart := func(in *rewrite.Inst) bool { return !m.ExecutedBefore(b, in) && !root.Together(in) }
		if root.Together(b) && !m.Again(b) && !slices.ContainsFunc(all, apart) {
			m.stopping = append(m.stopping, b)
		}
	}
	return m.stopping
}
