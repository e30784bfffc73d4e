// The registers that a function keeps for hooks: identity of the thread and counters.

package iguard

import (
	"github.com/ptxsan/ptxsan/passes/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Who a thread is and what it has counted, the hooks for usual accesses and those that count
// need each time. So functions that call them keep it in two registers: the number of the
// block, and the thread's own part of its sync word. Both are computed at the entry; the
// latter is what a hook that counts returns, and is read again after calls of functions in
// which one may be called.

// usual reports whether a hook is one for usual accesses.
func usual(hook string) bool {
	switch hook {
	case abi.IGuardGenericLoad, abi.IGuardGenericStore, abi.IGuardGenericAtomic, abi.IGuardWideLoad, abi.IGuardWideStore, abi.IGuardWideAtomic,
		abi.IGuardLoad, abi.IGuardStore, abi.IGuardAtomicLoad, abi.IGuardAtomic, abi.IGuardCAS, abi.IGuardExch, abi.IGuardLock, abi.IGuardUnlock:
		return true
	}
	return false
}

// counts reports whether a hook counts, and returns the thread's sync word.
func counts(hook string) bool {
	switch hook {
	case abi.IGuardFence, abi.IGuardBlockBarrier, abi.IGuardPartialBarrier, abi.IGuardWarpBarrier:
		return true
	}
	return false
}

// self is the registers of a function.
type self struct{ block, sync string }

// keep makes the registers of the functions that need them.
func (p *planner) keep(ed *rewrite.Editor) (instrument.Complete, error) {
	kept := map[*rewrite.Func]self{}
	for _, f := range ed.Module().Funcs {
		if !p.keeps[f.Name] {
			continue
		}
		regs := self{block: ed.FreshReg(f, isa.B32), sync: ed.FreshReg(f, isa.B64)}
		for _, get := range [][2]string{{abi.IGuardBlock, regs.block}, {abi.IGuardSelf, regs.sync}} {
			if err := ed.CallAtEntry(f, &rewrite.Hook{Func: ed.Module().Func(get[0]), Result: get[1]}); err != nil {
				return nil, err
			}
		}
		kept[f] = regs
	}
	return func(f *rewrite.Func, hook *rewrite.Hook, args []rewrite.Arg) []rewrite.Arg {
		regs := kept[f]
		name := hook.Func.Name
		if counts(name) || name == abi.IGuardSelf {
			hook.Result = regs.sync
		}
		if counts(name) || usual(name) {
			args = append(args[:len(args):len(args)],
				rewrite.RegArg(&rewrite.Reg{Name: regs.block, Type: isa.B32, Vec: 1}),
				rewrite.RegArg(&rewrite.Reg{Name: regs.sync, Type: isa.B64, Vec: 1}))
		}
		return args
	}, nil
}

// afterCalls plans reading the sync word again after calls of functions that may count.
func (p *planner) afterCalls(m *rewrite.Module) {
	for in := range instrument.Insts(m) {
		c, ok := in.Call()
		returns := ok && (c.Func == nil || !c.Func.NoReturn())
		if returns && p.keeps[in.Func.Name] && p.mayCount(c.Func, map[*rewrite.Func]bool{}) {
			p.after(in, abi.IGuardSelf)
		}
	}
}

// mayCount reports whether a hook that counts may be called in a function, nil if it is not
// known which one.
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
