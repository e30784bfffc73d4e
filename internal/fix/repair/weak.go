// Weak outcomes: fences between two accesses of a thread that other threads see out of order, and stronger accesses.

package repair

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Order is two accesses of one thread, in program order, that are to take effect in it for all threads in a scope.
type Order struct {
	First, Second *rewrite.Inst
	Scope         isa.Scope
	SC            bool // only a fence.sc between them orders them
}

// Ordering returns edits that may order the two accesses, cheapest first: a stronger or wider fence between them, or
// one more.
func Ordering(o *Order) []*Edit {
	p := &proposer{r: &Race{First: o.First, Second: o.Second}, at: newPlaces(o.First.Func), seen: make(map[string]bool)}
	cost := costFence
	if o.Scope > isa.ScopeCTA {
		cost *= wider
	}
	advice, text := "__threadfence()", o.fenceText()
	if o.Scope == isa.ScopeCTA {
		advice = "__threadfence_block()"
	}
	same := o.First.Func == o.Second.Func
	for _, in := range p.at.f.Insts {
		if !same || in.Instr.Class != isa.ClassFence || in.Sem == isa.SemNone || !p.at.leads(o.First, in) ||
			!p.at.leads(in, o.Second) {
			continue
		}
		switch {
		case o.SC && in.Sem != isa.SemSC:
			p.add(WidenFence, cost-2*unnamed, "the fence becomes "+advice,
				Change{At: in, Place: Instead, Text: guardText(in) + text})
		case in.Scope < o.Scope:
			p.add(WidenFence, cost-2*unnamed, "__threadfence_block() to __threadfence()",
				Change{At: in, Place: Strengthen, Scope: o.Scope})
		}
	}
	p.add(Fence, cost, advice, Change{At: o.Second, Place: Before, Text: text})
	p.add(Fence, cost, advice, Change{At: o.First, Place: After, Text: text})
	for _, exit := range p.at.exits(o.First) {
		if same && p.at.leads(exit, o.Second) {
			p.add(Fence, cost+unnamed, advice, Change{At: exit, Place: Before, Text: text})
		}
	}
	Sort(p.list)
	return p.list
}

// fenceText returns the fence. Before sm_70 and PTX 6.0 there is only membar, which newer targets take for fence.sc.
func (o *Order) fenceText() string {
	m := o.First.Func.Module
	sm, kind := isa.ModuleTarget(m.AST.Target).SM, "acq_rel."
	if o.SC {
		kind = "sc."
	}
	if sm == 0 || sm >= 70 && m.AST.Version >= 60 || o.Scope == isa.ScopeCluster {
		return "fence." + kind + o.Scope.String() + ";"
	}
	if o.Scope == isa.ScopeCTA {
		return "membar.cta;"
	}
	return "membar.gl;"
}

// Stronger returns the edit that makes an access a relaxed one of a scope at least, nil if it is one or cannot be made
// one.
func Stronger(in *rewrite.Inst, scope isa.Scope) *Edit {
	p := &proposer{at: newPlaces(in.Func), seen: make(map[string]bool)}
	c := Change{At: in, Place: Strengthen, Sem: isa.SemRelaxed, Scope: scope}
	switch {
	case weak(in):
		return p.add(Strong, costStrong*wider, "cuda::atomic_ref, relaxed", c)
	case synchronises(in) && in.MemoryScope() < scope && in.MemoryScope() != isa.ScopeNone:
		return p.add(WidenScope, costStrong*wider, "scope "+scope.String()+" (without _block)", c)
	}
	return nil
}

// Join widens an order to the scope and strength of another order of the same accesses, and reports whether that has
// changed it.
func (o *Order) Join(with *Order) bool {
	was := *o
	o.Scope, o.SC = max(o.Scope, with.Scope), o.SC || with.SC
	return *o != was
}
