// Loads whose values only decide branches, found by following def-use chains.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Deciding returns the strong loads and atomic operations of f whose values only affect branches and predicates,
// directly or through arithmetic and comparisons. Their values never reach memory that other threads can access, an
// address, a call or a result. Values stored to local memory are followed there. Polls of flags are such loads. A load
// whose value is unused is not returned, nor one that reads back what the thread has just stored. Weak loads are
// returned only when they poll: when they are in a loop that does not change their address.
func Deciding(f *rewrite.Func) map[*rewrite.Inst]bool {
	d := &loadFlow{f: f, du: f.DefUse()}
	out := make(map[*rewrite.Inst]bool)
	for _, in := range f.Insts {
		a := in.Access
		if a.Kind != isa.AccessLoad && a.Kind != isa.AccessAtomic || a.Space == isa.SpaceParam ||
			a.Space == isa.SpaceLocal || a.Space == isa.SpaceConst {
			continue
		}
		strong := in.Sem != isa.SemNone && in.Sem != isa.SemWeak || a.Kind == isa.AccessAtomic
		if !strong && !d.polls(in) || d.readsBack(in) {
			continue
		}
		if decides, data := d.follow(in); decides && !data {
			out[in] = true
		}
	}
	return out
}

// Consulted returns the strong loads and atomic operations of f whose values affect branches or predicates, whatever
// other uses they have. A thread that executes one may wait for a value, or do something only because of it.
func Consulted(f *rewrite.Func) map[*rewrite.Inst]bool {
	return f.Memo(consultedKey{}, func() any {
		d := &loadFlow{f: f, du: f.DefUse()}
		out := make(map[*rewrite.Inst]bool)
		for _, in := range f.Insts {
			if a := in.Access.Kind; a == isa.AccessAtomic || a == isa.AccessLoad && in.Strong() {
				if decides, _ := d.follow(in); decides {
					out[in] = true
				}
			}
		}
		return out
	}).(map[*rewrite.Inst]bool)
}

// Stored returns the loads of f from global and shared memory whose value, or a value computed from it, the thread
// stores to global or shared memory.
func Stored(f *rewrite.Func) map[*rewrite.Inst]bool {
	return f.Memo(storedKey{}, func() any {
		d := &loadFlow{f: f, du: f.DefUse()}
		out := make(map[*rewrite.Inst]bool)
		for _, in := range f.Insts {
			if in.Access.Kind == isa.AccessLoad && ofThreads(in.Access.Space) && d.isStored(in) {
				out[in] = true
			}
		}
		return out
	}).(map[*rewrite.Inst]bool)
}

// storedKey is the key under which a function caches its Stored.
type storedKey struct{}

// isStored reports whether a store to memory of several threads stores the value of a load, or one computed from it.
func (d *loadFlow) isStored(load *rewrite.Inst) (stored bool) {
	for in := range d.flow(load) {
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range d.du.Uses(in, r) {
				value := u.Value()
				stored = stored || value != nil && u.Access.Kind == isa.AccessStore && ofThreads(u.Access.Space) &&
					d.reads(value, r)
			}
		})
	}
	return stored
}

// Unheeded reports whether nothing uses what an instruction writes to registers.
func Unheeded(in *rewrite.Inst) bool {
	used := false
	in.Defs(func(r *rewrite.Reg) { used = used || len(in.Func.DefUse().Uses(in, r)) > 0 })
	return !used
}

// consultedKey is the key under which a function caches its Consulted.
type consultedKey struct{}

// loadFlow follows the values of loads through a function.
type loadFlow struct {
	f    *rewrite.Func
	du   *rewrite.DefUse
	refs []MemRef        // the references to local memory, valid when all is set
	all  bool            // refs has been filled
	in   []*rewrite.Loop // by block, the innermost loop; filled on first use
	swap bool            // what a compare-and-swap expects counts as control flow
	most int             // unless 0, a value from which more instructions compute counts as data
}

// loop returns the innermost loop with an instruction, nil if there is none.
func (d *loadFlow) loop(in *rewrite.Inst) *rewrite.Loop {
	g := d.f.CFG()
	if d.in == nil {
		d.in = g.Innermost()
	}
	return d.in[g.BlockOf[in.Index].Index]
}

// polls reports whether a loop repeats a load at one address until its value is as wanted. A loop whose threads meet at
// a barrier in each round does something else there than to wait for the value.
func (d *loadFlow) polls(load *rewrite.Inst) bool {
	return d.again(load) && d.leaves(load) && !d.meetsInLoop(load)
}

// meetsInLoop reports whether the innermost loop with an instruction contains a barrier.
func (d *loadFlow) meetsInLoop(in *rewrite.Inst) bool {
	return slices.ContainsFunc(d.loop(in).Blocks, func(b *rewrite.Block) bool {
		return slices.ContainsFunc(d.f.Insts[b.Start:b.End], func(x *rewrite.Inst) bool {
			_, ok := x.Barrier()
			return ok
		})
	})
}

// again reports whether a load is in a loop that does not change the load's address. It may compute the address anew,
// from what it does not change.
func (d *loadFlow) again(load *rewrite.Inst) bool {
	loop, base := d.loop(load), load.Operands[load.Access.Addr].Reg
	if loop == nil || base == nil {
		return loop != nil
	}
	for _, b := range loop.Blocks {
		for _, in := range d.f.Insts[b.Start:b.End] {
			if in.Writes(base) && !d.recomputes(loop, in, 0) {
				return false
			}
		}
	}
	return true
}

// recomputes reports whether an instruction of a loop computes the same in each round. depth is the number of
// instructions that compute from its result.
func (d *loadFlow) recomputes(loop *rewrite.Loop, in *rewrite.Inst, depth int) bool {
	const most = 4
	const others = isa.ReadsMemory | isa.WritesMemory | isa.Orders | isa.Calls | isa.Shuffles
	if depth == most || in.Guard != nil || in.Access.Kind != isa.AccessNone || in.Effects()&others != 0 {
		return false
	}
	same := true
	in.Uses(func(r *rewrite.Reg) {
		for _, def := range d.within(loop, in, r) {
			same = same && d.recomputes(loop, def, depth+1)
		}
	})
	return same
}

// readsBack reports whether a load follows, in its basic block, a store of the thread to the same place: it finds out
// whether another thread has stored there, too, and waits for none.
func (d *loadFlow) readsBack(load *rewrite.Inst) bool {
	b := d.f.CFG().BlockOf[load.Index]
	return slices.ContainsFunc(d.f.Insts[b.Start:load.Index], func(in *rewrite.Inst) bool { return storesTo(in, load) })
}

// storesTo reports whether an instruction is a store, other than an atomic operation, to the place of a load.
func storesTo(in, load *rewrite.Inst) bool {
	return in.Access.Kind == isa.AccessStore && SamePlace(in, load)
}

// follow reports whether the value of a load reaches branches and predicates, and whether it reaches anything else.
func (d *loadFlow) follow(load *rewrite.Inst) (decides, data bool) {
	seen := map[*rewrite.Inst]bool{load: true}
	for work := []*rewrite.Inst{load}; len(work) > 0; {
		if d.most > 0 && len(seen) > d.most {
			return decides, true
		}
		in := work[len(work)-1]
		work = work[:len(work)-1]
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range d.du.Uses(in, r) {
				next, ok := d.through(u, r)
				data, decides = data || !ok, decides || ok && next == nil
				for _, n := range next {
					if !seen[n] {
						seen[n] = true
						work = append(work, n)
					}
				}
			}
		})
	}
	return decides, data
}

// through returns the instructions that use the result of in, an instruction that reads register r and whose result
// depends on r. The list is empty when in uses r only for control flow. ok is false when in uses r as data.
func (d *loadFlow) through(in *rewrite.Inst, r *rewrite.Reg) (next []*rewrite.Inst, ok bool) {
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
	case d.swap && swaps(in):
		return nil, !slices.ContainsFunc(in.Operands[in.Access.Value+1:],
			func(o rewrite.Operand) bool { return d.reads(&o, r) }) && !d.reads(&in.Operands[in.Access.Addr], r)
	case effects&leaves != 0:
		return nil, false
	}
	return []*rewrite.Inst{in}, true
}

// reads reports whether an operand reads a register.
func (d *loadFlow) reads(o *rewrite.Operand, r *rewrite.Reg) (found bool) {
	o.EachReg(func(x *rewrite.Reg) { found = found || x == r })
	return found
}

// stored returns the loads that may read what a store of register r has written. ok is false
// unless the store goes to local memory at a known offset, and r is not its address.
func (d *loadFlow) stored(in *rewrite.Inst, r *rewrite.Reg) (loads []*rewrite.Inst, ok bool) {
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
