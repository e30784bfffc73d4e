// Stores that store back what the thread has loaded.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// StoresBack returns the load whose values a weak store stores at the same Place, unchanged, where the thread executes
// nothing between the two that writes memory, orders memory or branches; nil for other stores. Such a store changes
// memory only if another thread changes the element at the same time, which is a race of that thread with the load.
func StoresBack(store *rewrite.Inst) *rewrite.Inst {
	if store.Access.Kind != isa.AccessStore || store.Instr.Calc != isa.CalcStore || store.Strong() ||
		store.Value() == nil || !ofThreads(store.Access.Space) {
		return nil
	}
	values := registers(store.Value())
	var load *rewrite.Inst
	for i, r := range values {
		from, of := copied(store, r)
		if from == nil || load != nil && from != load || i >= len(registers(from.Value())) ||
			registers(from.Value())[i] != of {
			return nil
		}
		load = from
	}
	if load == nil || load.Access.ElemSize != store.Access.ElemSize || load.Access.Size != store.Access.Size ||
		load.Strong() || !SamePlace(load, store) || !aside(load, store) {
		return nil
	}
	return load
}

// registers returns the registers of an operand, nil if a part of it is none.
func registers(o *rewrite.Operand) (list []*rewrite.Reg) {
	if o.Reg != nil {
		return []*rewrite.Reg{o.Reg}
	}
	for i := range o.Elems {
		if o.Elems[i].Reg == nil {
			return nil
		}
		list = append(list, o.Elems[i].Reg)
	}
	return list
}

// copied returns the load that has written the value which an instruction reads in a register, and the load's register.
// Only copies of whole registers are between; the load is nil if there is something else.
func copied(in *rewrite.Inst, r *rewrite.Reg) (*rewrite.Inst, *rewrite.Reg) {
	v := in.Func.SSA()
	for range maxSources {
		n := v.Use(in, r)
		if n == rewrite.NoValue {
			return nil, nil
		}
		val := &v.Values[n]
		if val.Kind != rewrite.SSAWrite || val.Old != rewrite.NoValue {
			return nil, nil
		}
		if in = val.Inst; in.Access.Kind == isa.AccessLoad && in.Instr.Calc == isa.CalcLoad {
			return in, val.Reg
		}
		if in.Instr.Calc != isa.CalcCopy || len(in.Operands) != 2 || in.Operands[1].Reg == nil {
			return nil, nil
		}
		r = in.Operands[1].Reg
	}
	return nil, nil
}

// aside reports whether an instruction follows another one in its block, with nothing between but computation and weak
// loads.
func aside(first, last *rewrite.Inst) bool {
	g := first.Func.CFG()
	if g.BlockOf[first.Index] != g.BlockOf[last.Index] || first.Index > last.Index {
		return false
	}
	return !slices.ContainsFunc(first.Func.Insts[first.Index+1:last.Index], func(in *rewrite.Inst) bool {
		return in.Instr.Calc == isa.CalcNone || in.Access.Writes() || in.Access.Kind != isa.AccessNone && in.Strong()
	})
}
