package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Deciding returns the strong loads and atomic operations that do nothing but choose which
// way control goes: their values reach branches and predicates through arithmetic and comparisons, and
// never memory that other threads may see, an address, a call or a result. A value that
// is put in local memory is followed there. Polls of flags are such loads; one whose
// value is not used is none. Of weak loads, it returns those that poll: that are in a loop
// which does not change their address.
func Deciding(f *rewrite.Func) map[*rewrite.Inst]bool {
	d := &deciding{f: f, du: f.DefUse()}
	out := make(map[*rewrite.Inst]bool)
	for _, in := range f.Insts {
		a := in.Access
		if a.Kind != isa.AccessLoad && a.Kind != isa.AccessAtomic || a.Space == isa.SpaceParam || a.Space == isa.SpaceLocal || a.Space == isa.SpaceConst {
			continue
		}
		strong := in.Sem != isa.SemNone && in.Sem != isa.SemWeak || a.Kind == isa.AccessAtomic
		if (strong || d.again(in)) && d.decides(in) {
			out[in] = true
		}
	}
	return out
}

type deciding struct {
	f    *rewrite.Func
	du   *rewrite.DefUse
	refs []MemRef        // of local memory, found when needed
	all  bool            // they have been looked for
	in   []*rewrite.Loop // by block, the innermost loop; made when needed
}

// again reports whether a load is in a loop that does not change its address.
func (d *deciding) again(load *rewrite.Inst) bool {
	g := d.f.CFG()
	if d.in == nil {
		d.in = g.Innermost()
	}
	loop, base := d.in[g.BlockOf[load.Index].Index], load.Operands[load.Access.Addr].Reg
	if loop == nil || base == nil {
		return loop != nil
	}
	for _, b := range loop.Blocks {
		for _, in := range d.f.Insts[b.Start:b.End] {
			if in.Writes(base) {
				return false
			}
		}
	}
	return true
}

// decides follows what a load writes to its registers.
func (d *deciding) decides(load *rewrite.Inst) bool {
	seen, decided := map[*rewrite.Inst]bool{load: true}, false
	for work := []*rewrite.Inst{load}; len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		data := false
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range d.du.Uses(in, r) {
				next, ok := d.through(u, r)
				data, decided = data || !ok, decided || next == nil
				for _, n := range next {
					if !seen[n] {
						seen[n] = true
						work = append(work, n)
					}
				}
			}
		})
		if data {
			return false
		}
	}
	return decided
}

// through is where the value of a register goes on to from an instruction that reads it:
// nowhere when it decides what is executed. It reports whether it is no use as data.
func (d *deciding) through(in *rewrite.Inst, r *rewrite.Reg) (next []*rewrite.Inst, ok bool) {
	const leaves = isa.ReadsMemory | isa.WritesMemory | isa.Orders | isa.Calls | isa.Terminates | isa.Branches
	operand := false
	for i := range in.Operands {
		o := &in.Operands[i]
		operand = operand || in.Role(i) != isa.RoleDst && d.reads(o, r)
	}
	switch effects := in.Effects(); {
	case !operand || effects&isa.Branches != 0 && effects&isa.Calls == 0:
		return nil, true // a guard, or an index of branch targets
	case in.Access.Kind == isa.AccessStore:
		return d.stored(in, r)
	case effects&leaves != 0:
		return nil, false
	}
	return []*rewrite.Inst{in}, true
}

// reads reports whether an operand reads a register.
func (d *deciding) reads(o *rewrite.Operand, r *rewrite.Reg) (found bool) {
	o.EachReg(func(x *rewrite.Reg) { found = found || x == r })
	return found
}

// stored is the loads that may find what an instruction stores, which must be in local
// memory at a known place.
func (d *deciding) stored(in *rewrite.Inst, r *rewrite.Reg) (loads []*rewrite.Inst, ok bool) {
	if d.reads(&in.Operands[in.Access.Addr], r) {
		return nil, false
	}
	if !d.all {
		d.all = true
		for _, ref := range MemRefsOf(d.f) {
			if ref.Space == isa.SpaceLocal && ref.Root.Exact {
				d.refs = append(d.refs, ref)
			}
		}
	}
	for _, to := range d.refs {
		if to.Inst != in {
			continue
		}
		for _, from := range d.refs {
			if from.Inst.Access.Kind == isa.AccessLoad && MayAlias(to, from, AliasOptions{}) {
				loads = append(loads, from.Inst)
			}
		}
		return loads, true
	}
	return nil, false
}
