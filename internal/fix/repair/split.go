// Order of blocks: a kernel that becomes two, launched one after the other.

package repair

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// splits proposes to split the kernel between accesses of different blocks: the end of the first kernel orders all its
// accesses before those of the second (CUDA C++ Programming Guide, "Streams").
func (p *proposer) splits() {
	if !p.blocksInOrder() {
		return
	}
	for _, c := range p.between() {
		if x := p.at.cutAt(c.At); x != nil && slices.Contains(x.behind, p.r.First) != slices.Contains(x.behind,
			p.r.Second) {
			p.add(Split, costSplit, "a second kernel", Change{At: c.At, Place: Cut})
		}
	}
}

// cut is a place at which a kernel can be split.
type cut struct {
	behind  []*rewrite.Inst // what the second kernel does
	dropped []*rewrite.Inst // what it does not do again: all before the place but branches and the calculation of what it needs
}

// cutAt returns the cut before an instruction, nil if there is none: every thread passes the place at most once and
// reaches the instructions behind it only there, except the end of the kernel, and what these need can be calculated
// again from parameters and numbers of threads.
func (p *places) cutAt(at *rewrite.Inst) *cut {
	b := p.g.BlockOf[at.Index]
	later := p.reach(at)
	if !p.f.Entry || p.g.Degenerate || !p.g.Reached(b) || later[b.Index] {
		return nil
	}
	x := &cut{}
	var ahead []*rewrite.Inst
	for _, in := range p.f.Insts {
		own := p.g.BlockOf[in.Index]
		switch {
		case later[own.Index] && !p.g.Dominates(b, own): // both kernels end there
			if !control(in) {
				return nil
			}
		case later[own.Index] || own == b && in.Index >= at.Index:
			x.behind = append(x.behind, in)
		default:
			ahead = append(ahead, in)
		}
	}
	kept, ok := needed(ahead, x.behind)
	if !ok || keepsOwn(ahead, x.behind) {
		return nil
	}
	x.dropped = slices.DeleteFunc(ahead, func(in *rewrite.Inst) bool { return kept[in] })
	return x
}

// needed returns the branches among instructions, and those from which they and others behind are calculated. It is
// false if one of these cannot be executed again.
func needed(ahead, behind []*rewrite.Inst) (kept map[*rewrite.Inst]bool, ok bool) {
	kept = make(map[*rewrite.Inst]bool)
	registers := make(map[*rewrite.Reg]bool)
	use := func(in *rewrite.Inst) { in.Uses(func(r *rewrite.Reg) { registers[r] = true }) }
	for _, in := range behind {
		use(in)
	}
	for more := true; more; {
		more = false
		for _, in := range ahead {
			if kept[in] || !control(in) && !writesOne(in, registers) {
				continue
			}
			if !control(in) && !repeatable(in) {
				return nil, false
			}
			kept[in], more = true, true
			use(in)
		}
	}
	return kept, true
}

// control reports whether an instruction only says where a thread goes on, or that it ends.
func control(in *rewrite.Inst) bool {
	_, calls := in.Call()
	return !calls && (in.Branches() || in.Effects().Has(isa.Terminates))
}

func writesOne(in *rewrite.Inst, registers map[*rewrite.Reg]bool) bool {
	for r := range registers {
		if in.Writes(r) {
			return true
		}
	}
	return false
}

// repeatable reports whether an instruction gives the same result in another kernel with the same launch: it reads
// parameters, or calculates from registers and the numbers of threads and blocks.
func repeatable(in *rewrite.Inst) bool {
	if in.Access.Kind == isa.AccessLoad {
		return in.Access.Space == isa.SpaceParam
	}
	switch in.Instr.Calc {
	case isa.CalcNone, isa.CalcLoad, isa.CalcStore:
		return false
	}
	return in.Access.Kind == isa.AccessNone && in.Copy.Kind == isa.AccessNone &&
		!slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
			return o.Kind == rewrite.OperandSpecial && !ofLaunch(o.Special)
		})
}

// ofLaunch reports whether a special register depends on the launch and the thread alone.
func ofLaunch(s isa.SpecialReg) bool {
	return (s.Dim || s.PerLane || s.PerBlock) && !s.Volatile && !s.Opaque
}

// keepsOwn reports whether instructions may read memory of a block or thread that others ahead have written: it ends
// with the first kernel.
func keepsOwn(ahead, behind []*rewrite.Inst) bool {
	own := func(in *rewrite.Inst, space isa.Space) bool {
		return in.Access.Kind != isa.AccessNone && (in.Access.Space == space || in.Access.Space == isa.SpaceNone) ||
			in.Copy.Kind != isa.AccessNone
	}
	for _, space := range []isa.Space{isa.SpaceShared, isa.SpaceLocal} {
		wrote := slices.ContainsFunc(ahead, func(in *rewrite.Inst) bool {
			return own(in, space) && (in.Access.Writes() || in.Copy.Kind != isa.AccessNone)
		})
		reads := slices.ContainsFunc(behind, func(in *rewrite.Inst) bool {
			_, calls := in.Call()
			return own(in, space) || calls
		})
		if wrote && reads {
			return true
		}
	}
	return false
}

// split makes a kernel two. Other edits of it must be ahead of the cut.
func split(e *rewrite.Editor, at *rewrite.Inst) error {
	x := newPlaces(at.Func).cutAt(at)
	if _, err := e.CloneFunc(at.Func, at.Func.Name+Rest, x.dropped...); err != nil {
		return err
	}
	for _, in := range x.behind {
		if in != at {
			e.Delete(in)
		}
	}
	e.Replace(at, "ret;")
	return nil
}

// Rest is how the name of the second kernel ends, behind that of the first one.
const Rest = "_rest"
