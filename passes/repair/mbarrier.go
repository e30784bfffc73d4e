// Scopes of arrivals on mbarriers and of waits for them.

package repair

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// wideMbarriers proposes cluster scope for the arrivals on an mbarrier, and the waits for it, through which threads of different
// blocks communicate: without a scope, and with .cta, they order only threads of one block.
func (p *proposer) wideMbarriers() {
	if p.r.Scope() != isa.ScopeCluster {
		return
	}
	for _, arrival := range p.at.f.Insts {
		if arrival.Mbarrier() != isa.MbarrierArrive {
			continue
		}
		on := p.at.variables(arrival)
		var changes []Change
		for _, in := range p.at.f.Insts {
			if in == arrival || in.Mbarrier().Waits() && p.unrelatedCost(on, p.at.variables(in)) == 0 {
				changes = append(changes, wideMbarrier(in)...)
			}
		}
		if len(changes) > 0 {
			e := p.add(WidenScope, costStrong*wider*len(changes), "scope cluster", changes...)
			e.Named = p.r.Cause == detect.InsufficientFenceScope
		}
	}
}

// wideMbarrier returns an operation on an mbarrier with cluster scope; nothing for one that has it.
func wideMbarrier(in *rewrite.Inst) []Change {
	word, operands, _ := strings.Cut(in.Text(), " ")
	words := strings.Split(word, ".")
	sem := isa.SemAcquire
	if words[1] == "arrive" {
		sem = isa.SemRelease
	}
	for _, w := range words {
		if s, ok := isa.ScopeOf(w); ok && s >= isa.ScopeCluster {
			return nil
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool {
		_, scope := isa.ScopeOf(w)
		_, order := isa.SemOf(w)
		return scope || order
	})
	at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "shared") || w == "b64" })
	words = slices.Insert(words, at, sem.String(), isa.ScopeCluster.String())
	return []Change{{At: in, Place: Instead, Text: guardText(in) + strings.Join(words, ".") + " " + operands + ";"}}
}

// moveArrival proposes that a thread arrives after the first access of the race, if the second thread waits for the arrival and the
// first one arrives before its access: a reader that hands memory back too early.
func (p *proposer) moveArrival() {
	in, after := p.r.Fence, p.r.First
	if in == nil || in.Func != p.at.f || after.Func != p.at.f || !arrives(in) || !p.at.precedes(in, after) {
		return
	}
	p.add(Move, costStrong, "the arrival at line "+sourceLine(in)+" moved", Change{At: in, Place: Instead}, Change{At: after, Place: After, Text: guardText(in) + in.Text() + ";"}).Named = true
}

// arrives reports whether an instruction arrives at a barrier or mbarrier, and does not wait.
func arrives(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return in.Mbarrier() == isa.MbarrierArrive || ok && b.Step == isa.BarrierArrive
}

// precedes reports whether a thread executes one instruction, then another, in the same rounds of the same loop.
func (p *places) precedes(a, b *rewrite.Inst) bool {
	x, y := p.g.BlockOf[a.Index], p.g.BlockOf[b.Index]
	return p.loops[x.Index] == p.loops[y.Index] && (x == y && a.Index < b.Index || x != y && p.g.Dominates(x, y) && p.g.PostDominates(y, x))
}
