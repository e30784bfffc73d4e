// The registers that a function keeps for hooks: identity of the thread and block.

package barracuda

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/passes/internal/uniqtid"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Functions that log accesses keep in registers what hooks need to know of a thread: its index, the queue of its block,
// and whether the function's own branches have separated it from other lanes. Lanes that have not diverged need no
// reconvergence.

// self holds the registers of a function. last says whether the last branch has separated the lane from others, before
// whether an earlier branch has. There are two registers since the emulator does not keep results in registers that are
// arguments. Both are nil if no lanes reconverge in the function. lanes meet in the function.
type self struct{ thread, queue, last, before *rewrite.Reg }

// surround makes the registers, and the edits that do not belong to instructions.
func (p *planner) surround(ed *rewrite.Editor) (instrument.Complete, error) {
	tid, err := uniqtid.Add(p.ctx, ed)
	if err != nil {
		return nil, err
	}
	kept := map[*rewrite.Func]*self{}
	for _, f := range ed.Module().Funcs {
		meet := len(f.ConvergencePoints())
		if tid.Regs[f.Name] == "" || !f.Entry && meet == 0 && !p.logs[f.Name] {
			continue
		}
		p.ctx.Count("convergence points", meet)
		s := &self{thread: &rewrite.Reg{Name: tid.Regs[f.Name], Type: isa.B64, Vec: 1}, queue: newReg(ed, f, isa.B64)}
		if meet > 0 {
			s.last, s.before = newReg(ed, f, isa.B32), newReg(ed, f, isa.B32)
		}
		if err := s.keep(ed, f, p.parts[f.Name]); err != nil {
			return nil, err
		}
		kept[f] = s
	}
	return func(f *rewrite.Func, hook *rewrite.Hook, args []rewrite.Arg) []rewrite.Arg {
		s := kept[f]
		if name := hook.Func.Name; s.last != nil && (name == abi.BarracudaBranch || name == abi.BarracudaSwitch) {
			hook.Result = s.last.Name
		}
		return slices.Concat(s.args(), args)
	}, nil
}

// args returns the first arguments of all hooks.
func (s *self) args() []rewrite.Arg {
	return []rewrite.Arg{rewrite.RegArg(s.thread), rewrite.RegArg(s.queue)}
}

func newReg(ed *rewrite.Editor, f *rewrite.Func, t isa.Type) *rewrite.Reg {
	return &rewrite.Reg{Name: ed.FreshReg(f, t), Type: t, Vec: 1}
}

// keep sets the registers at the entry of f, which has hooks before the branches with these indices, and uses them
// where lanes reconverge and threads end.
func (s *self) keep(ed *rewrite.Editor, f *rewrite.Func, branches []int) error {
	hook := func(name string) *rewrite.Hook { return &rewrite.Hook{Func: ed.Module().Func(name)} }
	begin := hook(abi.BarracudaQueue)
	if f.Entry {
		begin = hook(abi.BarracudaBegin)
	}
	begin.Result = s.queue.Name
	if err := ed.CallAtEntry(f, begin); err != nil {
		return err
	}
	if s.last != nil {
		for _, i := range branches {
			ed.InsertBefore(f.Insts[i], fmt.Sprintf("or.b32 %[1]s, %[1]s, %[2]s;", s.before.Name, s.last.Name))
		}
		ed.InsertAtEntry(f, fmt.Sprintf("mov.b32 %s, 0;\nmov.b32 %s, 0;", s.last.Name, s.before.Name))
		if err := ed.CallAtConvergence(f, hook(abi.BarracudaConverge),
			append(s.args(), rewrite.RegArg(s.last), rewrite.RegArg(s.before))...); err != nil {
			return err
		}
	}
	if !f.Entry {
		return nil
	}
	return ed.CallAtExits(f, hook(abi.BarracudaEnd), s.args()...)
}
