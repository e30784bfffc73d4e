// Scopes by which the operations on a word order threads.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// scopeFor returns the scope that the operations on a word need to order threads of a kind of race. Operations of two
// threads are morally strong if the scope of each includes the other thread (PTX ISA, "Morally Strong Operations"): the
// scope of the block is enough for two threads of one block where only threads of this block write to the word. Else an
// operation of another block may come between two of one block, and these order nothing unless their scope includes it.
func (y *synchronisation) scopeFor(it *kernel.Item, kind kernel.Kind) isa.Scope {
	if kind != kernel.InterBlock && (it.Object.Space == isa.SpaceShared || y.withinBlock(it)) {
		return isa.ScopeCTA
	}
	return isa.ScopeGPU
}

// withinBlock reports whether no thread of another block writes to what a thread accesses, as the launch has one block
// or each block has words of its own.
func (y *synchronisation) withinBlock(it *kernel.Item) bool {
	return keep(y.within, it, func() bool {
		return !slices.ContainsFunc(y.Items, func(w *kernel.Item) bool {
			if !w.Access.Writes() {
				return false
			}
			needs, apart := y.neverMeet(it, w, kernel.InterBlock)
			if apart {
				y.uses(needs...)
			}
			return !apart
		})
	})
}
