// Which accesses get a hook, and what the hook has to know of them.

package collide

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// access is an access that gets a hook, by function and index, which linking does not change.
type access struct {
	fn         string
	index      int
	operand    int // with the address
	site, info uint32
	demand     *query.Condition // under which the loaded value is used; nil for always
	distant    bool             // it may be to the shared memory of another block
}

// strong reports whether the access is strong.
func (a *access) strong() bool { return a.info&(abi.CollideInfoNarrow|abi.CollideInfoWide) != 0 }

// planner finds the accesses of a module that get a hook.
type planner struct {
	ctx    *passes.Context
	exempt map[*rewrite.Inst]bool
	known  map[*rewrite.Inst]isa.Space // spaces of generic addresses
	list   []access
	// clusters says that the module reaches the shared memory of other blocks.
	clusters bool
}

// plan enters the accesses that get a hook in the table of sites, in source order.
func plan(ctx *passes.Context) ([]access, error) {
	p := &planner{ctx: ctx, exempt: make(map[*rewrite.Inst]bool), known: make(map[*rewrite.Inst]isa.Space)}
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() {
			continue
		}
		for _, ref := range address.MemRefsOf(f) {
			if ref.Operand == ref.Inst.Access.Addr {
				p.known[ref.Inst] = ref.Space
			}
		}
		if f.Entry {
			for in, why := range address.Exempt(f, ctx.Given(f)) {
				p.exempt[in] = why != address.ExemptNot
			}
		}
	}
	for in := range instrument.Insts(ctx.Module) {
		p.clusters = p.clusters || in.Clustered()
	}
	for in := range instrument.Insts(ctx.Module) {
		p.inst(in)
	}
	if len(p.list) > abi.CollideMaxSites {
		return nil, fmt.Errorf("%d accesses to instrument; at most %d are supported", len(p.list), abi.CollideMaxSites)
	}
	return p.list, nil
}

// inst plans the hook of an instruction.
func (p *planner) inst(in *rewrite.Inst) {
	space := in.Space
	if space == isa.SpaceNone {
		space = p.known[in]
	}
	switch {
	case in.Copy.Kind != isa.AccessNone && in.CopiesInGroup():
		p.copies(in)
	case space != isa.SpaceNone && space != isa.SpaceGlobal && space != isa.SpaceShared:
	case in.Access.Kind == isa.AccessNone || in.Copy.Kind != isa.AccessNone || in.Access.Size == 0 ||
		in.Access.Size > 32:
		if in.Instr.Effects&(isa.ReadsMemory|isa.WritesMemory) != 0 && in.Space != isa.SpaceNone &&
			in.Instr.Class != isa.ClassControl {
			p.ctx.Count("not checked", 1)
			p.ctx.Report(in.Position(), "%s: its accesses are not checked", in.Opcode())
		}
	case p.exempt[in]:
		p.ctx.Count("elided", 1)
	default:
		p.ctx.Count("accesses", 1)
		a := access{
			fn: in.Func.Name, index: in.Index, operand: in.Access.Addr, site: p.ctx.AddSite(sites.Of(in)),
			info: info(in),
		}
		a.distant = p.clusters && (space == isa.SpaceNone || in.Clustered())
		if d, some := instrument.Demand(in); some {
			a.demand = &d
		}
		p.list = append(p.list, a)
	}
}

// copies plans the hooks of an asynchronous copy that is part of a group: of the store, and of the load if all its
// bytes are read.
func (p *planner) copies(in *rewrite.Inst) {
	size := &in.Operands[in.CopySize()]
	if p.exempt[in] || size.Kind != rewrite.OperandImm || size.Imm == 0 || size.Imm > 32 {
		return
	}
	p.ctx.Count("accesses", 1)
	site := p.ctx.AddSite(sites.Of(in))
	p.list = append(p.list, access{
		fn: in.Func.Name, index: in.Index, operand: in.Copy.Addr, site: site,
		info: uint32(size.Imm) | abi.CollideInfoWrites,
	})
	if in.CopySize() == len(in.Operands)-1 {
		p.list = append(p.list, access{
			fn: in.Func.Name, index: in.Index, operand: in.Access.Addr, site: site,
			info: uint32(size.Imm),
		})
	}
}

// info packs what the hook has to know of an access. The watches of weak loads and stores alone may stay: threads can
// synchronise by a strong access that they do not order, as after a fence, and asynchronous ones end without an
// instruction of their thread.
func info(in *rewrite.Inst) uint32 {
	info := uint32(in.Access.Size)
	if in.Access.Writes() {
		info |= abi.CollideInfoWrites
	}
	switch {
	case !in.Strong():
	case in.StrongScope() == isa.ScopeCTA:
		info |= abi.CollideInfoNarrow
	default:
		info |= abi.CollideInfoWide
	}
	if in.Strong() || in.Has("async") || in.Mbarrier() != isa.MbarrierNone ||
		in.Proxy() != isa.ProxyGeneric && in.Proxy() != isa.ProxyReadOnly {
		info |= abi.CollideInfoPassing
	}
	return info
}

// releases reports whether an instruction may order what its thread did before what other threads do: fences, barriers,
// accesses with release, operations on barrier objects, calls. A function that returns may be called before a release.
func releases(in *rewrite.Inst) bool {
	if step, _ := in.CopyGroups(); step != isa.CopyGroupsNone {
		return false
	}
	if _, call := in.Call(); call {
		return true
	}
	if in.Access.Kind == isa.AccessLoad && len(in.Accesses) == 1 && in.Instr.Class != isa.ClassBarrier &&
		in.Instr.Class != isa.ClassFence {
		return false // acquires at most
	}
	return in.Effects().Has(isa.Orders) || in.Mbarrier() != isa.MbarrierNone || in.OrdersGrids() ||
		in.Has("mbarrier") || in.Proxy() == isa.ProxyAsync
}
