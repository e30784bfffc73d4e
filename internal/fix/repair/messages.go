// Messages: fences, releases and acquires, and scopes.

package repair

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// messages proposes edits that turn a write and a read through which threads communicate into a message: fences,
// release and acquire, and wider fences.
func (p *proposer) messages() {
	p.widenFences()
	for _, in := range p.at.f.Insts {
		if in.Access.Kind == isa.AccessNone || in.Instr.Class != isa.ClassMemory && in.Instr.Class != isa.ClassAtomic {
			continue
		}
		named := in == p.r.Publish || in == p.r.Observe
		if !in.Strong() && !named {
			continue
		}
		extra := 0
		if !named {
			extra = unnamed
		}
		if in.Access.Writes() && (in.Access.Atomic() || in != p.r.Observe) {
			p.release(in, extra)
		}
		if in.Access.Kind == isa.AccessAtomic || in.Access.Kind == isa.AccessLoad && in != p.r.Publish {
			p.acquire(in, extra)
		}
	}
}

// release proposes to order earlier accesses before a write.
func (p *proposer) release(in *rewrite.Inst, extra int) {
	p.strengthen(Release, isa.SemRelease, in, extra)
	p.fence(extra, Change{At: in, Place: Before})
}

// acquire proposes to order later accesses after a read: after it, after the loops around it, or before the second
// access.
func (p *proposer) acquire(in *rewrite.Inst, extra int) {
	p.strengthen(Acquire, isa.SemAcquire, in, extra)
	for _, exit := range p.at.exits(in) {
		p.fence(extra, Change{At: exit, Place: Before})
	}
	p.fence(extra, Change{At: in, Place: After})
	if in.Func == p.r.Second.Func && p.at.leads(in, p.r.Second) {
		p.fence(extra, Change{At: p.r.Second, Place: Before})
	}
}

// strengthen proposes semantics for an access, with its scope, if that suffices.
func (p *proposer) strengthen(op Op, sem isa.Sem, in *rewrite.Inst, extra int) {
	if in.Instr.Class == isa.ClassMemory && len(in.Accesses) != 1 {
		return
	}
	cost := p.scaled(costOrder) + extra
	if in.Sem == isa.SemVolatile {
		cost *= 2 // for system scope
	}
	scope := p.r.Scope()
	p.add(op, cost, "cuda::memory_order_"+sem.String(), Change{At: in, Place: Strengthen, Sem: sem, Scope: scope})
}

// fence proposes a fence.
func (p *proposer) fence(extra int, c Change) {
	scope := p.r.Scope()
	c.Text = p.fenceText(scope)
	advice := "__threadfence()"
	if scope == isa.ScopeCTA {
		advice = "__threadfence_block()"
	}
	p.add(Fence, p.scaled(costFence)+extra, advice, c)
}

// fenceText returns a fence in the spelling of the kernel's other fences.
func (p *proposer) fenceText(scope isa.Scope) string {
	for _, in := range p.at.f.Insts {
		if in.Instr.Class == isa.ClassFence && in.Sem == isa.SemAcqRel {
			return "fence.acq_rel." + scope.String() + ";"
		}
	}
	switch scope {
	case isa.ScopeCTA:
		return "membar.cta;"
	case isa.ScopeGPU:
		return "membar.gl;"
	}
	return "fence.acq_rel." + scope.String() + ";"
}

// widenFences proposes a wider scope for each fence whose scope excludes a thread of the race.
func (p *proposer) widenFences() {
	for _, in := range p.at.f.Insts {
		if in.Instr.Class != isa.ClassFence || in.Proxy() != isa.ProxyGeneric || in.Scope >= p.r.Scope() {
			continue
		}
		cost := costFence * (wider - 1)
		if in != p.r.Fence {
			cost += unnamed
		}
		p.add(WidenFence, cost, "__threadfence_block() to __threadfence()",
			Change{At: in, Place: Strengthen, Scope: p.r.Scope()})
	}
}

// scopes proposes a wider scope for each strong access whose scope excludes a thread of the race.
func (p *proposer) scopes() {
	for _, in := range p.at.f.Insts {
		if !synchronises(in) || in.MemoryScope() >= p.r.Scope() || in.MemoryScope() == isa.ScopeNone {
			continue
		}
		cost := costStrong * wider
		races := in == p.r.First || in == p.r.Second
		if !races && in != p.r.Publish && in != p.r.Observe {
			cost += unnamed
		}
		e := p.add(WidenScope, cost, "scope "+p.r.Scope().String()+" (without _block)",
			Change{At: in, Place: Strengthen, Scope: p.r.Scope()})
		e.Named = races && p.r.Cause == detect.InsufficientAtomicScope
	}
}
