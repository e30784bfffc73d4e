// Reasons not to check a region, and not to transform a kernel.

package ldetector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// obstacle is a reason not to check a region, or not to transform a kernel.
type obstacle struct {
	in   *rewrite.Inst // nil for the kernel as a whole
	what string
}

func (o *obstacle) String() string {
	if o.in == nil {
		return o.what
	}
	return fmt.Sprintf("%s: %s", o.in.Opcode(), o.what)
}

// unrepeatable returns why a region with an instruction cannot be executed twice with the same result, or not on
// copies; "" if it can. The method assumes that warps do not communicate inside a region (4.4).
func unrepeatable(in *rewrite.Inst) string {
	e := in.Effects()
	_, call := in.Call()
	b, barrier := in.Barrier()
	switch {
	case call:
		return unrepeatableCall(in)
	case barrier && (b.Of == isa.BarrierOfCTA && !fullBarrier(in)):
		return "a barrier of some threads of the block"
	case barrier:
		return ""
	case e.Has(isa.ReadsClock) || readsVolatile(in.Operands):
		return "its result differs from one execution to the next"
	case e&(isa.ReadsMemory|isa.WritesMemory) == 0:
		return ""
	case in.Access.Atomic():
		return "an atomic operation"
	case len(in.Accesses) != 1 || !plainAccess(in):
		return unusualAccess(in)
	}
	return strong(in)
}

// leaveBraces moves the start of a region that begins inside braces behind them. The instructions in between are
// executed once, so they must be arithmetic; it reports whether they are.
func (r *region) leaveBraces(outer map[*rewrite.Inst]bool) bool {
	f := r.start.Func
	b := f.CFG().BlockOf[r.start.Index]
	for r.from < b.End && !outer[f.Insts[r.from]] {
		e := f.Insts[r.from].Effects()
		if e&(isa.ReadsMemory|isa.WritesMemory|isa.Calls|isa.Branches|isa.Terminates) != 0 {
			return false
		}
		r.from++
	}
	return r.from < b.End && r.start.Guard == nil
}

// unrepeatableCall returns why a call cannot be repeated.
func unrepeatableCall(in *rewrite.Inst) string {
	c, _ := in.Call()
	switch {
	case c.Func == nil:
		return "a call through a register"
	case !c.Func.Defined() && !c.Func.NoReturn():
		return "a call of a function that is defined elsewhere"
	}
	return ""
}

// strong returns why an access to which other threads may react cannot be repeated.
func strong(in *rewrite.Inst) string {
	switch in.Sem {
	case isa.SemRelaxed, isa.SemAcquire, isa.SemRelease, isa.SemAcqRel, isa.SemMMIO:
		return "an operation that synchronises threads"
	case isa.SemVolatile:
		if !in.Access.Writes() && in.Access.Space != isa.SpaceShared {
			return "a volatile load, which may wait for another block"
		}
	}
	return ""
}

// unusualAccess returns why an access other than a load or store of registers cannot be repeated; those of textures and
// parameters can.
func unusualAccess(in *rewrite.Inst) string {
	if in.Effects().Has(isa.WritesMemory) {
		return "it accesses memory otherwise than by a load or a store"
	}
	for _, a := range in.Accesses {
		if a.Space == isa.SpaceShared || a.Space == isa.SpaceNone {
			return "it accesses memory otherwise than by a load or a store"
		}
	}
	return ""
}

// plainAccess reports whether an instruction is a load or a store of registers whose address
// can be replaced.
func plainAccess(in *rewrite.Inst) bool {
	return in.Instr.Moves() && in.Access.Kind != isa.AccessNone && !in.Access.Atomic() && in.Access.Size > 0 &&
		in.Access.Size <= 16 && !slices.Contains(in.Mods, "shared::cluster")
}

// readsVolatile reports whether an operand is a special register whose value changes.
func readsVolatile(ops []rewrite.Operand) bool {
	return slices.ContainsFunc(ops, func(o rewrite.Operand) bool {
		return o.Kind == rewrite.OperandSpecial && o.Special.Volatile || readsVolatile(o.Elems)
	})
}

// judge determines whether a region can be checked.
func (r *region) judge() {
	list := slices.Clone(r.insts)
	for _, f := range r.calls {
		list = append(list, f.Insts...)
	}
	for _, in := range list {
		what := unrepeatable(in)
		if what == "" && in.Sem == isa.SemVolatile && !in.Access.Writes() && (!in.Func.Entry || r.cyclic(in)) {
			what = "a volatile load in a loop or a function, which may wait for another warp"
		}
		if what != "" {
			r.skip = &obstacle{in, what}
			return
		}
	}
}

// refuse returns why a kernel cannot be transformed at all; nil if it can.
func refuse(f *rewrite.Func, regions []*region) *obstacle {
	called := calledBy(f.Insts)
	if by := launcherOf(f.Module); by != nil {
		return &obstacle{nil, "the program launches kernels on the device, with " + by.Name}
	}
	for _, g := range append([]*rewrite.Func{f}, called...) {
		if g.CFG().Degenerate {
			return &obstacle{nil, "not all targets of its branches are known"}
		}
		for _, in := range g.Insts {
			if what := untransformable(in); what != "" {
				return &obstacle{in, what}
			}
		}
	}
	for _, v := range sharedVars(called) {
		if v.Func != nil {
			return &obstacle{
				nil,
				fmt.Sprintf("%s is shared memory of the function %s, which the kernel calls, and not the only thing of its name", v.Name, v.Func.Name),
			}
		}
	}
	return refuseControl(f, regions)
}

// launcherOf returns the function with which kernels of a module launch others, nil if there is none.
func launcherOf(m *rewrite.Module) *rewrite.Func {
	type key struct{}
	return m.Memo(key{}, func() any {
		if i := slices.IndexFunc(m.Funcs, launches); i >= 0 {
			return m.Funcs[i]
		}
		return (*rewrite.Func)(nil)
	}).(*rewrite.Func)
}

// launches reports whether a function launches kernels from kernels (CUDA C++ Programming Guide, "CUDA Dynamic
// Parallelism"): the library supports one grid at a time.
func launches(f *rewrite.Func) bool {
	return !f.Defined() && instrument.OwnFunc(f) && strings.Contains(f.Name, "LaunchDevice")
}

// untransformable returns why no kernel with an instruction can be transformed.
func untransformable(in *rewrite.Inst) string {
	b, barrier := in.Barrier()
	c, call := in.Call()
	switch {
	case in.Unknown():
		return "an instruction that is not known"
	case call && c.Func == nil:
		return "a call through a register"
	case barrier && b.Of == isa.BarrierOfCluster, slices.Contains(in.Mods, "shared::cluster") && plainSpace(in):
		return "clusters are not supported"
	case in.Copy.Kind != isa.AccessNone, in.Instr.Class == isa.ClassAsync:
		return "asynchronous copies and barrier objects are not supported"
	case !in.Func.Entry && fullBarrier(in):
		return "a barrier of the block in a function"
	case !in.Func.Entry && in.Effects().Has(isa.Exits):
		return "the end of a thread in a function"
	}
	return ""
}

// plainSpace reports whether an instruction transfers data between memory and registers.
func plainSpace(in *rewrite.Inst) bool { return in.Copy.Kind == isa.AccessNone }

// refuseControl refuses kernels because of the positions of their barriers.
func refuseControl(f *rewrite.Func, regions []*region) *obstacle {
	outer := outermost(f)
	reduces := slices.IndexFunc(f.Insts, func(in *rewrite.Inst) bool {
		b, ok := in.Barrier()
		return ok && fullBarrier(in) && b.Step == isa.BarrierReduce
	})
	for _, r := range regions {
		if r.start != nil && !outer[r.start] && !r.leaveBraces(outer) {
			return &obstacle{r.start, "a barrier in braces, with other than arithmetic behind it there"}
		}
		if reduces >= 0 && r.exits && len(r.ends) > 0 {
			return &obstacle{f.Insts[reduces], "threads may have left the kernel before it"}
		}
	}
	for _, reg := range f.Regs {
		if reg.Type.Bits() > 64 {
			return &obstacle{nil, fmt.Sprintf("%s has %d bits", reg.Name, reg.Type.Bits())}
		}
	}
	return nil
}
