// The hooks that the pass inserts, instruction by instruction.

package iguard

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// plan decides which hooks are called where, in source order, and enters the
// accesses in the table of sites.
func plan(ctx *passes.Context, opts *options) (*planner, error) {
	p := &planner{
		ctx: ctx, opts: opts, redundant: map[*rewrite.Inst]*rewrite.Inst{},
		invariant: map[*rewrite.Inst]*rewrite.Loop{},
		known:     map[*rewrite.Inst]isa.Space{}, keeps: map[string][numKept]bool{}, counting: map[string]bool{},
		exempt: exempt(ctx, opts),
	}
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() {
			continue
		}
		for _, ref := range address.MemRefsOf(f) {
			if ref.Operand == ref.Inst.Access.Addr {
				p.known[ref.Inst] = ref.Space
			}
		}
		policy := covering(checkedSpaces)
		if !opts.Unused {
			policy = policy.Demanded()
		}
		if opts.Prune {
			maps.Copy(p.redundant, instrument.Redundant(f, policy))
		}
		if opts.Hoist {
			maps.Copy(p.invariant, instrument.Invariant(f, policy))
		}
	}
	for in := range instrument.Insts(ctx.Module) {
		p.arrivals = p.arrivals || arrives(in)
		p.infers = p.infers || opts.Locks && takesLocks(in)
	}
	for in := range instrument.Insts(ctx.Module) {
		p.inst(in)
	}
	if n := p.sites; n > abi.IGuardMaxSites {
		return nil, fmt.Errorf("%d accesses to instrument; at most %d are supported", n, abi.IGuardMaxSites)
	}
	p.afterCalls(ctx.Module)
	return p, nil
}

// planner plans the hook calls of one module.
type planner struct {
	ctx   *passes.Context
	opts  *options
	calls instrument.Calls
	sites int
	// known maps accesses at generic addresses to their state spaces, if known.
	known map[*rewrite.Inst]isa.Space
	// exempt holds the accesses that can never race.
	exempt map[*rewrite.Inst]address.Exemption
	// redundant maps accesses that need no check to the access that covers each.
	redundant map[*rewrite.Inst]*rewrite.Inst
	// invariant maps accesses that need only one check per entry of a loop to that loop.
	invariant map[*rewrite.Inst]*rewrite.Loop
	// arrivals says that some thread arrives at a barrier without waiting. The partial barrier hook cannot repeat such
	// an arrival.
	arrivals bool
	// infers says that some access may take a lock.
	infers bool
	// keeps says which values a function keeps for its hook calls, counting which functions call hooks that count; both
	// by function name.
	keeps    map[string][numKept]bool
	counting map[string]bool
}

// arrives reports whether an instruction arrives at a block barrier without waiting.
func arrives(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCTA && b.Step == isa.BarrierArrive
}

func (p *planner) before(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	p.note(in.Func, hook)
	p.calls.Before(in, hook, args...)
}

func (p *planner) after(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	p.note(in.Func, hook)
	p.calls.After(in, hook, args...)
}

// note records which values a function must keep because of a hook call.
func (p *planner) note(f *rewrite.Func, hook string) {
	for _, k := range takes(hook) {
		p.needs(f, k)
	}
	if counts(hook) {
		p.counting[f.Name] = true
	}
}

// instruments returns whether a form is instrumented, as far as the form alone shows it. Accesses are checked only if
// to global memory.
func instruments(in *isa.Instr, f *isa.Form) bool {
	switch in.Class {
	case isa.ClassFence, isa.ClassBarrier:
		return true
	case isa.ClassMemory, isa.ClassAtomic:
		return f.Effects&(isa.ReadsMemory|isa.WritesMemory) != 0
	}
	return false
}

// inst plans the hooks of one instruction.
func (p *planner) inst(in *rewrite.Inst) {
	switch {
	case in.Instr.Class == isa.ClassFence:
		p.fence(in)
	case in.Instr.Class == isa.ClassBarrier:
		p.barrier(in)
	case in.Access.Kind == isa.AccessNone || in.Copy.Kind != isa.AccessNone:
		p.unchecked(in)
	case slices.Contains(checkedSpaces, p.space(in)):
		p.access(in)
	case p.space(in) == isa.SpaceShared, in.Space == isa.SpaceNone:
		p.ordering(in, func() {})
	}
}

// checkedSpaces are the state spaces whose accesses are checked; SpaceNone is that of generic addresses.
var checkedSpaces = []isa.Space{isa.SpaceNone, isa.SpaceGlobal}

// unchecked reports instructions whose memory accesses the instruction table does not describe as one access.
func (p *planner) unchecked(in *rewrite.Inst) {
	const memory = isa.ReadsMemory | isa.WritesMemory
	if in.Instr.Effects&memory == 0 || !slices.Contains(checkedSpaces, in.Space) || in.Instr.Class == isa.ClassControl {
		return
	}
	p.ctx.Count("not checked", 1)
	p.ctx.Report(in.Position(), "%s: its accesses are not checked", in.Opcode())
}

// ordering plans the fence hooks for the semantics of an access, around the hooks of the access itself.
func (p *planner) ordering(in *rewrite.Inst, access func()) {
	scope := in.MemoryScope()
	if in.Sem.Releases() {
		p.fenceHook(in, scope, p.before)
	}
	access()
	if in.Sem.Acquires() {
		p.fenceHook(in, scope, p.after)
	}
}

// fenceHook plans the hooks of a fence at an instruction.
func (p *planner) fenceHook(in *rewrite.Inst, scope isa.Scope, at func(*rewrite.Inst, string, ...rewrite.Arg)) {
	hook := abi.IGuardDeviceFence
	if blockScope(scope) {
		hook = abi.IGuardBlockFence
	}
	at(in, hook)
}

// access plans the access hook, between the fence hooks for the access's semantics.
func (p *planner) access(in *rewrite.Inst) {
	if p.exempt[in] != address.ExemptNot {
		p.elide(in)
		return
	}
	if by := p.redundant[in]; by != nil && p.exempt[by] == address.ExemptNot {
		p.ctx.Count("pruned", 1)
		return
	}
	scope := in.MemoryScope()
	name := "stores"
	switch {
	case in.Access.Atomic():
		name = "atomics"
	case !in.Access.Writes():
		name = "loads"
	}
	p.ctx.Count(name, 1)
	p.sites++
	site, info := p.ctx.AddSite(sites.Of(in)), p.info(in, scope)
	hook := accessHook(in, info)
	args := []rewrite.Arg{rewrite.Addr(in.Access.Addr), rewrite.Const32(site), rewrite.Const32(info)}
	p.ordering(in, func() {
		p.note(in.Func, hook)
		l := p.invariant[in]
		demand, some := instrument.Demand(in)
		switch {
		case l != nil:
			p.ctx.Count("hoisted", 1)
			p.calls.BeforeOnce(in, l, hook, args...)
		case some && !p.opts.Unused:
			p.calls.BeforeDemanded(in, demand, hook, args...)
		default:
			p.calls.Before(in, hook, args...)
		}
	})
}

// accessHook returns the hook for an access. Common kinds of access have faster hooks.
func accessHook(in *rewrite.Inst, info uint32) string {
	atomic, writes := info&abi.IGuardInfoAtomic != 0, in.Access.Writes()
	unusual := info & abi.IGuardInfoUnusual
	if unusual != 0 && info&(abi.IGuardInfoCAS|abi.IGuardInfoExch) == 0 {
		if hook := quickHook(unusual, atomic, writes); hook != "" {
			return hook
		}
	}
	switch {
	case unusual != 0 && writes:
		return abi.IGuardAnyStore
	case unusual != 0:
		return abi.IGuardAnyLoad
	case info&abi.IGuardInfoCAS != 0:
		return abi.IGuardCAS
	case info&abi.IGuardInfoExch != 0:
		return abi.IGuardExch
	case atomic && writes:
		return abi.IGuardAtomic
	case atomic:
		return abi.IGuardAtomicLoad
	case writes:
		return abi.IGuardStore
	}
	return abi.IGuardLoad
}

// quickHook returns the fast hook for an access that is unusual in only one way, if there is such a hook.
func quickHook(unusual uint32, atomic, writes bool) string {
	load, store, update := "", "", ""
	switch unusual {
	case abi.IGuardInfoGeneric:
		load, store, update = abi.IGuardGenericLoad, abi.IGuardGenericStore, abi.IGuardGenericAtomic
	case abi.IGuardInfoWide:
		load, store, update = abi.IGuardWideLoad, abi.IGuardWideStore, abi.IGuardWideAtomic
	}
	switch {
	case atomic && writes:
		return update
	case atomic:
		return ""
	case writes:
		return store
	}
	return load
}

// info packs the properties of an instruction that the access hooks need. If an operand or the shape of a matrix
// determines the size of the access, the hooks check its first element.
func (p *planner) info(in *rewrite.Inst, scope isa.Scope) uint32 {
	size := in.Access.Size
	if size == 0 {
		size = max(in.Access.ElemSize, 1)
	}
	info := uint32(size)
	if p.atomic(in) {
		info |= abi.IGuardInfoAtomic
	}
	for bit, on := range map[uint32]bool{
		abi.IGuardInfoGeneric: p.space(in) != isa.SpaceGlobal,
		abi.IGuardInfoWide:    size > p.opts.Granularity,
		abi.IGuardInfoAlone:   !p.opts.Contention,
	} {
		if on {
			info |= bit
		}
	}
	if info&abi.IGuardInfoAtomic != 0 && blockScope(scope) {
		info |= abi.IGuardInfoBlockScope
	}
	switch in.Access.AtomOp {
	case "cas":
		info |= abi.IGuardInfoCAS
	case "exch":
		info |= abi.IGuardInfoExch
	}
	return info
}

// space returns the state space of an access, or SpaceNone if unknown.
func (p *planner) space(in *rewrite.Inst) isa.Space {
	if in.Space != isa.SpaceNone {
		return in.Space
	}
	return p.known[in]
}

// atomic reports whether an access is atomic in the PTX sense.
func (p *planner) atomic(in *rewrite.Inst) bool {
	switch in.Sem {
	case isa.SemRelaxed, isa.SemAcquire, isa.SemRelease, isa.SemAcqRel, isa.SemMMIO:
		return true
	case isa.SemVolatile:
		return p.opts.Volatile
	}
	return in.Access.Atomic()
}

func blockScope(s isa.Scope) bool { return s == isa.ScopeCTA || s == isa.ScopeCluster }

func (p *planner) fence(in *rewrite.Inst) {
	if in.Scope == isa.ScopeNone { // proxy fences order proxies, not threads
		return
	}
	p.ctx.Count("fences", 1)
	p.fenceHook(in, in.Scope, p.before)
}

func (p *planner) barrier(in *rewrite.Inst) {
	b, _ := in.Barrier()
	switch b.Of {
	case isa.BarrierOfWarp:
		p.ctx.Count("warp barriers", 1)
		p.before(in, abi.IGuardWarpBarrier, rewrite.Value(b.ID))
		return
	case isa.BarrierOfCluster:
		if in.Sem.Releases() {
			p.ctx.Count("fences", 1)
			p.fenceHook(in, isa.ScopeGPU, p.before)
		}
		return
	}
	p.ctx.Count("barriers", 1)
	switch {
	case b.Threads >= 0 && p.arrivals:
		p.before(in, abi.IGuardArrival)
	case b.Threads >= 0:
		p.before(in, abi.IGuardPartialBarrier, rewrite.Value(b.ID), rewrite.Value(b.Threads))
	default:
		p.before(in, abi.IGuardBlockBarrier)
	}
}
