// Scopes of arrivals on mbarriers and of waits for them.

package repair

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// wideMbarriers proposes cluster scope for the arrivals on an mbarrier, and the waits for it, through which threads of
// different blocks communicate: without a scope, and with .cta, they order only threads of one block.
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

// moveSignals proposes that a thread arrives, or writes what the second thread waits for, after the first access of the
// race, if it does so before: a reader that hands memory back too early, a holder of a lock that releases it too early.
func (p *proposer) moveSignals() {
	if in := p.r.Fence; in != nil && arrives(in) && p.r.Cause == detect.MissingBarrier {
		p.moveBehind(in, "the arrival moved", "")
	}
	if in := p.r.Publish; in != nil && in.Access.Writes() && p.at.unused(in) {
		p.moveBehind(in, "the write moved", "")
		p.moveBehind(in, "the write moved, with a fence before it,", p.fenceText(p.r.Scope())+"\n")
	}
}

// moveBehind proposes to move an instruction behind the first access of the race and its copies, and behind further
// text.
func (p *proposer) moveBehind(in *rewrite.Inst, advice, further string) {
	after := p.r.First
	if in.Func != p.at.f || after.Func != p.at.f {
		return
	}
	for _, x := range p.at.f.Insts {
		if x.Index > after.Index && p.at.g.BlockOf[x.Index] == p.at.g.BlockOf[after.Index] &&
			x.Opcode() == after.Opcode() && p.origins.Same(x, p.r.First) {
			after = x
		}
	}
	if p.at.precedes(in, after) {
		text := further + guardText(in) + in.Text() + ";"
		p.add(Move, costStrong+len(further), advice, Change{At: in, Place: Instead},
			Change{At: after, Place: After, Text: text}).Named = true
	}
}

// unused reports whether no instruction reads what one writes to registers.
func (p *places) unused(in *rewrite.Inst) bool {
	used := false
	in.Defs(func(r *rewrite.Reg) { used = used || p.uses(r) > 0 })
	return !used
}

// arrives reports whether an instruction arrives at a barrier or mbarrier, and does not wait.
func arrives(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return in.Mbarrier() == isa.MbarrierArrive || ok && b.Step == isa.BarrierArrive
}

// precedes reports whether a thread executes one instruction, then another, in the same rounds of the same loop.
func (p *places) precedes(a, b *rewrite.Inst) bool {
	x, y := p.g.BlockOf[a.Index], p.g.BlockOf[b.Index]
	return p.loops[x.Index] == p.loops[y.Index] && (x == y && a.Index < b.Index ||
		x != y && p.g.Dominates(x, y) && p.g.PostDominates(y, x))
}
