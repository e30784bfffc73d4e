// The hooks that the pass inserts, instruction by instruction.

package barracuda

import (
	"maps"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// planner plans the hook calls of one module. The arguments that all hooks share are added later (self.go).
type planner struct {
	ctx       *passes.Context
	calls     instrument.Calls
	logs      map[string]bool  // functions with calls
	parts     map[string][]int // by function: indices of the branches with calls
	orders    *acqrel.Result
	redundant map[*rewrite.Inst]bool // loads that need not be logged
	exempt    map[*rewrite.Inst]address.Exemption
	spaces    map[operand]isa.Space // of generic addresses, if known
	unused    bool                  // Options.Unused
}

// operand is an operand of an instruction.
type operand struct {
	in *rewrite.Inst
	n  int
}

func newPlanner(ctx *passes.Context, o *Options) *planner {
	p := &planner{
		ctx: ctx, orders: ctx.ResultOf[acqrel.Pass].(*acqrel.Result),
		logs: map[string]bool{}, parts: map[string][]int{},
		redundant: map[*rewrite.Inst]bool{}, exempt: map[*rewrite.Inst]address.Exemption{},
		spaces: map[operand]isa.Space{}, unused: o.Unused,
	}
	policy := covering()
	if !o.Unused {
		policy = policy.Demanded()
	}
	for _, k := range ctx.Module.Kernels() {
		if o.Elide {
			maps.Copy(p.exempt, address.Exempt(k, ctx.Given(k)))
		}
	}
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() {
			continue
		}
		for _, ref := range address.MemRefsOf(f) {
			p.spaces[operand{ref.Inst, ref.Operand}] = ref.Space
		}
		if o.Prune {
			for in := range instrument.Redundant(f, policy) {
				p.redundant[in] = true
			}
		}
		if o.Across {
			for in := range instrument.Available(f, policy) {
				p.redundant[in] = true
			}
		}
	}
	return p
}

// plan plans the calls around instructions, in source order.
func (p *planner) plan() {
	n := 0
	for in := range instrument.Insts(p.ctx.Module) {
		p.inst(in)
		n++
	}
	p.ctx.Count("instructions", n)
}

// before plans a call before an instruction, after plans one after it.
func (p *planner) before(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	p.logs[in.Func.Name] = true
	p.calls.Before(in, hook, args...)
}

func (p *planner) after(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	p.logs[in.Func.Name] = true
	p.calls.After(in, hook, args...)
}

// inst plans the hooks of one instruction.
func (p *planner) inst(in *rewrite.Inst) {
	switch {
	case in.Instr.Class == isa.ClassFence:
		p.fence(in)
	case in.Instr.Class == isa.ClassBarrier:
		p.barrier(in)
	case in.Effects().Has(isa.Exits) && !in.Func.Entry:
		p.before(in, abi.BarracudaEnd)
	case in.Effects()&isa.Branches != 0:
		p.branch(in)
	case size(in) > 0:
		p.access(in)
	default:
		p.unchecked(in)
	}
}

// size returns how many bytes each lane accesses, or 0 for an instruction that is not logged.
func size(in *rewrite.Inst) uint32 {
	switch {
	case in.Access.Kind == isa.AccessNone:
	case in.Instr.Class == isa.ClassMemory, in.Instr.Class == isa.ClassAtomic:
		return uint32(in.Access.Size)
	case in.Proxy() == isa.ProxyGeneric && in.CopySize() >= 0: // cp.async [dst], [src], size
		if o := &in.Operands[in.CopySize()]; o.Kind == rewrite.OperandImm {
			return uint32(o.Imm)
		}
	}
	return 0
}

// unchecked reports instructions that access memory in ways that are not logged.
func (p *planner) unchecked(in *rewrite.Inst) {
	const memory = isa.ReadsMemory | isa.WritesMemory
	if in.Effects()&memory == 0 || in.Instr.Class == isa.ClassControl || !visible(in.Space) {
		return
	}
	p.ctx.Count("not checked", 1)
	p.ctx.Report(in.Position(), "%s: its accesses are not checked", in.Opcode())
}

// visible reports whether other threads can access memory of a space.
func visible(s isa.Space) bool {
	return s == isa.SpaceNone || s == isa.SpaceGlobal || s == isa.SpaceShared
}

// space returns the state space of an access, or SpaceNone when it may differ between lanes.
func (p *planner) space(in *rewrite.Inst, a *isa.Access) isa.Space {
	if a.Space != isa.SpaceNone {
		return a.Space
	}
	return p.spaces[operand{in, a.Addr}]
}

// instrumented counts an instruction and enters it in the table of sites.
func (p *planner) instrumented(in *rewrite.Inst, what string) (site uint32) {
	p.ctx.Count(what, 1)
	p.ctx.Count("instrumented", 1)
	return p.ctx.AddSite(sites.Of(in))
}

// about returns the arguments of hooks that give the record's information and site.
func about(i abi.BarracudaInfo, site uint32) []rewrite.Arg {
	return []rewrite.Arg{rewrite.Const32(i.Encode()), rewrite.Const32(site)}
}

var names = map[isa.AccessKind]string{
	isa.AccessLoad: "loads", isa.AccessStore: "stores", isa.AccessAtomic: "atomics", isa.AccessReduce: "reductions",
}

// kindOf returns the kind of an access of an instruction. Relaxed, acquire and release accesses, which did not exist
// when the paper was written, count as atomic.
func kindOf(in *rewrite.Inst, a *isa.Access) abi.BarracudaKind {
	atomic := false
	switch in.Sem {
	case isa.SemRelaxed, isa.SemAcquire, isa.SemRelease, isa.SemAcqRel, isa.SemSC:
		atomic = true
	}
	switch {
	case a.Kind == isa.AccessLoad && atomic:
		return abi.BarracudaAtomicRead
	case a.Kind == isa.AccessLoad:
		return abi.BarracudaRead
	case a.Kind == isa.AccessStore && !atomic:
		return abi.BarracudaWrite
	}
	return abi.BarracudaAtomic
}

// access plans the hooks of an access, and of the other side of a copy.
func (p *planner) access(in *rewrite.Inst) {
	switch {
	case p.exempt[in] != address.ExemptNot && p.orders.At(in) == nil:
		p.ctx.Count("elided", 1)
		return
	case p.redundant[in]:
		p.ctx.Count("pruned", 1)
		return
	}
	if !visible(p.space(in, &in.Access)) {
		return
	}
	site := p.instrumented(in, names[in.Access.Kind])
	for _, a := range []isa.Access{in.Access, in.Copy} {
		if a.Kind != isa.AccessNone && visible(p.space(in, &a)) {
			p.side(in, a, site)
		}
	}
}

// side plans the hooks of one of the accesses of an instruction.
func (p *planner) side(in *rewrite.Inst, a isa.Access, site uint32) {
	info := p.order(in)
	info.Kind, info.Bytes, info.Space = kindOf(in, &a), size(in), p.space(in, &a)
	info.Strong, info.Reach = in.Strong(), in.MemoryScope()
	args := func() []rewrite.Arg {
		return append([]rewrite.Arg{rewrite.Addr(a.Addr)}, about(info, site)...)
	}
	store, values, known := storeHook(in)
	demand, some := instrument.Demand(in)
	switch {
	case info.Acquire && info.Release:
		p.before(in, abi.BarracudaAccess, args()...)
		info.Kind, info.Bytes, info.Release = abi.BarracudaSync, 0, false
		p.after(in, abi.BarracudaAccess, args()...)
	case info.Acquire:
		p.after(in, abi.BarracudaAccess, args()...)
	case known && info.Kind == abi.BarracudaWrite:
		info.Valued = true
		p.before(in, store, append(args(), values...)...)
	case some && !p.unused:
		p.logs[in.Func.Name] = true
		p.calls.BeforeDemanded(in, demand, abi.BarracudaAccess, args()...)
	default:
		p.before(in, abi.BarracudaAccess, args()...)
	}
}

// order returns the acquire and release bits of an instruction's record.
func (p *planner) order(in *rewrite.Inst) (i abi.BarracudaInfo) {
	pattern := p.orders.At(in)
	if pattern == nil {
		return i
	}
	i.Scope, i.Acquire, i.Release = pattern.Scope, pattern.Acquires(), pattern.Releases()
	p.ctx.Count(pattern.Kind.String()+" operations", 1)
	return i
}

// storeHook returns the hook for a store, with the arguments for the low eight bytes that it writes. ok is false when
// no hook exists for the form.
func storeHook(in *rewrite.Inst) (hook string, values []rewrite.Arg, ok bool) {
	n := in.Access.Value
	if in.Access.Kind != isa.AccessStore || in.Copy.Kind != isa.AccessNone || n < 0 ||
		in.Decoded.Operands[n].Type == isa.TypeNone {
		return "", nil, false
	}
	o, bits := &in.Operands[n], in.Decoded.Operands[n].Type.Bits()
	parts, count := []rewrite.Operand{*o}, 1
	switch {
	case o.Kind == rewrite.OperandVector:
		parts, count = o.Elems, len(o.Elems)
	case o.Kind == rewrite.OperandReg && o.Member == "":
		count = o.Reg.Vec
	}
	for i := range parts {
		if k := parts[i].Kind; k != rewrite.OperandReg && k != rewrite.OperandImm || parts[i].Neg {
			return "", nil, false
		}
	}
	switch {
	case bits == 64:
		return abi.BarracudaStore64, []rewrite.Arg{rewrite.Elem(n, 0)}, true
	case bits > 32:
	case count == 1:
		return abi.BarracudaStore32, []rewrite.Arg{rewrite.Elem(n, 0)}, true
	case count == 2 || bits == 32:
		return abi.BarracudaStorePair, []rewrite.Arg{rewrite.Elem(n, 0), rewrite.Elem(n, 1)}, true
	}
	return "", nil, false
}

func (p *planner) fence(in *rewrite.Inst) {
	if in.Scope == isa.ScopeNone { // proxy fences order proxies, not threads
		return
	}
	site := p.instrumented(in, "fences")
	info := abi.BarracudaInfo{Kind: abi.BarracudaFenced, Scope: in.Scope}
	p.before(in, abi.BarracudaFence, about(info, site)...)
}

func (p *planner) barrier(in *rewrite.Inst) {
	value := func(n int) rewrite.Arg {
		if n < 0 {
			return rewrite.Const32(0)
		}
		return rewrite.Value(n)
	}
	b, _ := in.Barrier()
	if b.Of == isa.BarrierOfWarp {
		p.before(in, abi.BarracudaWarpSync, value(b.ID), rewrite.Const32(p.instrumented(in, "warp barriers")))
		return
	}
	step := abi.BarracudaArrive
	switch b.Step {
	case isa.BarrierArrive:
		step = abi.BarracudaGo
	case isa.BarrierWait:
		step = abi.BarracudaPass
	}
	place := p.before
	if step == abi.BarracudaPass {
		place = p.after
	}
	id := value(b.ID)
	if b.Of == isa.BarrierOfCluster {
		id = rewrite.Const32(abi.BarracudaCluster)
	}
	args := []rewrite.Arg{id, value(b.Threads)}
	place(in, abi.BarracudaBarrier, append(args, about(abi.BarracudaInfo{Kind: step},
		p.instrumented(in, "barriers"))...)...)
}

// branch plans the hook of a branch at which lanes of a warp may diverge.
func (p *planner) branch(in *rewrite.Inst) {
	if !in.Func.Uniformity().Divergent(in) {
		return
	}
	p.parts[in.Func.Name] = append(p.parts[in.Func.Name], in.Index)
	site := rewrite.Const32(p.instrumented(in, "branches"))
	if n := in.BranchIndex(); n >= 0 {
		p.before(in, abi.BarracudaSwitch, rewrite.Guard(), rewrite.Value(n), site)
		return
	}
	p.before(in, abi.BarracudaBranch, rewrite.Guard(), site)
}
