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
