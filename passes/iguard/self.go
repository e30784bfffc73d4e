// The registers that a function keeps for hooks: identity and counters of the thread.

package iguard

import (
	"slices"

	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The hooks for ordinary accesses, and those that count, need the identity of the thread and its counters each time. So
// functions that call them keep these in registers (kept), which are computed at the entry. The thread's own part of
// its sync word is the result of a hook that counts, and is read again after calls of functions in which one may be
// called.

// kept is a value that a function computes at its entry and passes to its hooks. The constants are in the order of
// computation: each value comes after those from which it is computed.
type kept uint8

const (
	keptBlock    kept = iota // the number of the block
	keptCounters             // address of the thread's counters
	keptSync                 // the thread's own part of its sync word
	keptLow                  // low half of keptSync
	keptHigh                 // high half of keptSync
	keptLocks                // address of the lock table of the thread's warp
	keptEntries              // address of the table of entries
	numKept
)

// keptFrom gives the library functions that compute these values, and the types of the results. The halves come with
// the sync word.
var keptFrom = [numKept]struct {
	hook string
	t    isa.Type
}{
	keptBlock: {abi.IGuardBlock, isa.B32}, keptCounters: {abi.IGuardOwnCounters, isa.B64},
	keptSync: {abi.IGuardSelf, isa.B64}, keptLow: {"", isa.B32}, keptHigh: {"", isa.B32},
	keptLocks: {abi.IGuardWarpLocks, isa.B64}, keptEntries: {abi.IGuardEntries, isa.B64},
}

// takes returns the kept values that a function of the library takes after its other arguments.
func takes(hook string) []kept {
	switch hook {
	case abi.IGuardGenericLoad, abi.IGuardGenericStore, abi.IGuardGenericAtomic, abi.IGuardWideLoad,
		abi.IGuardWideStore, abi.IGuardWideAtomic,
		abi.IGuardLoad, abi.IGuardStore, abi.IGuardAtomicLoad, abi.IGuardAtomic, abi.IGuardCAS, abi.IGuardExch:
		return []kept{keptBlock, keptLow, keptHigh, keptLocks, keptEntries}
	case abi.IGuardLock, abi.IGuardUnlock:
		return []kept{keptBlock, keptSync, keptLocks}
	case abi.IGuardBlockFence, abi.IGuardDeviceFence:
		return []kept{keptBlock, keptSync, keptCounters, keptLocks}
	case abi.IGuardPartialBarrier, abi.IGuardWarpBarrier:
		return []kept{keptBlock, keptSync, keptCounters}
	case abi.IGuardBlockBarrier:
		return []kept{keptSync, keptCounters}
	case abi.IGuardOwnCounters:
		return []kept{keptBlock}
	case abi.IGuardSelf:
		return []kept{keptCounters}
	case abi.IGuardWarpLocks:
		return []kept{keptBlock, keptSync}
	}
	return nil
}

// counts reports whether a hook counts, and so returns the thread's sync word.
func counts(hook string) bool {
	switch hook {
	case abi.IGuardBlockFence, abi.IGuardDeviceFence, abi.IGuardBlockBarrier, abi.IGuardPartialBarrier,
		abi.IGuardWarpBarrier:
		return true
	}
	return false
}

// takesLocks reports whether an instruction may take a lock, as locks are inferred.
func takesLocks(in *rewrite.Inst) bool { return in.Access.AtomOp == "cas" }

// self holds the registers of a function's kept values; "" for values that it does not keep.
type self [numKept]string

// halves returns the registers of the halves of the sync word.
func (s *self) halves() [2]string { return [2]string{s[keptLow], s[keptHigh]} }

// arguments returns the kept values as arguments for a function of the library.
func (s *self) arguments(hook string) (args []rewrite.Arg) {
	for _, k := range takes(hook) {
		if s[k] == "" { // the value is not used
			args = append(args, zero(keptFrom[k].t))
			continue
		}
		args = append(args, rewrite.RegArg(&rewrite.Reg{Name: s[k], Type: keptFrom[k].t, Vec: 1}))
	}
	return args
}

// zero returns a zero argument of a type.
func zero(t isa.Type) rewrite.Arg {
	if t.Bits() == 32 {
		return rewrite.Const32(0)
	}
	return rewrite.Const64(0)
}

// needs records that a function keeps a value, and those from which it is computed.
func (p *planner) needs(f *rewrite.Func, k kept) {
	if k == keptLocks && !p.infers {
		return // no function reads the lock tables
	}
	needed := p.keeps[f.Name]
	needed[k] = true
	p.keeps[f.Name] = needed
	if k == keptLow || k == keptHigh {
		p.needs(f, keptSync)
		return
	}
	for _, from := range takes(keptFrom[k].hook) {
		p.needs(f, from)
	}
}

// keep makes the registers of the functions that need them.
func (p *planner) keep(ed *rewrite.Editor) (instrument.Complete, error) {
	all := map[*rewrite.Func]*self{}
	for _, f := range ed.Module().Funcs {
		s := &self{}
		for k, needed := range p.keeps[f.Name] {
			if needed {
				s[k] = ed.FreshReg(f, keptFrom[k].t)
			}
		}
		for k, from := range keptFrom {
			if s[k] == "" || from.hook == "" {
				continue
			}
			hook := &rewrite.Hook{Func: ed.Module().Func(from.hook), Result: s[k]}
			if kept(k) == keptSync {
				hook.Halves = s.halves()
			}
			if err := ed.CallAtEntry(f, hook, s.arguments(from.hook)...); err != nil {
				return nil, err
			}
		}
		all[f] = s
	}
	return func(f *rewrite.Func, hook *rewrite.Hook, args []rewrite.Arg) []rewrite.Arg {
		s := all[f]
		name := hook.Func.Name
		if counts(name) || name == abi.IGuardSelf {
			hook.Result, hook.Halves = s[keptSync], s.halves()
		}
		return append(slices.Clip(args), s.arguments(name)...)
	}, nil
}

// afterCalls plans a read of the sync word after calls of functions that may count.
func (p *planner) afterCalls(m *rewrite.Module) {
	for in := range instrument.Insts(m) {
		c, ok := in.Call()
		returns := ok && (c.Func == nil || !c.Func.NoReturn())
		if returns && p.keeps[in.Func.Name][keptSync] && p.mayCount(c.Func, map[*rewrite.Func]bool{}) {
			p.after(in, abi.IGuardSelf)
		}
	}
}

// mayCount reports whether a hook that counts may be called in a function, which is nil if unknown.
func (p *planner) mayCount(f *rewrite.Func, seen map[*rewrite.Func]bool) bool {
	switch {
	case f == nil || p.counting[f.Name]:
		return true
	case seen[f] || !f.Defined():
		return false
	}
	seen[f] = true
	for _, in := range f.Insts {
		if c, ok := in.Call(); ok && p.mayCount(c.Func, seen) {
			return true
		}
	}
	return false
}
