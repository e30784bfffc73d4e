// The shared memory of a kernel, and the variables in it.

package ldetector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// sharedVars returns the variables in shared memory that functions name, in the order of first use.
func sharedVars(funcs []*rewrite.Func) []*rewrite.Var {
	var list []*rewrite.Var
	var visit func(ops []rewrite.Operand)
	visit = func(ops []rewrite.Operand) {
		for i := range ops {
			if v, ok := ops[i].Sym.(*rewrite.Var); ok && v.Space == isa.SpaceShared && !slices.Contains(list, v) {
				list = append(list, v)
			}
			if elems := ops[i].Elems; elems != nil {
				visit(elems)
			}
		}
	}
	for _, f := range funcs {
		for _, in := range f.Insts {
			visit(in.Operands)
		}
	}
	return list
}

// lift moves shared variables of called functions to module scope where possible: the start of a kernel has to name
// them.
func lift(ctx *passes.Context) error {
	ed := ctx.Edit()
	var done []*rewrite.Var
	for _, f := range ctx.Module.Funcs {
		if !expandable(f) {
			continue
		}
		for _, v := range sharedVars(calledBy(f.Insts)) {
			if v.Func != nil && !slices.Contains(done, v) && ed.Lift(v) == nil {
				done = append(done, v)
			}
		}
	}
	if len(done) == 0 {
		return nil
	}
	m, err := ed.Apply() // also for plans alone, which need the result
	if err == nil {
		ctx.SetModule(m)
	}
	return err
}

// dynamic reports whether a variable is a name of dynamic shared memory, whose size the launch gives.
func dynamic(v *rewrite.Var) bool { return v.Size == 0 }

// readsSharedSize reports whether an instruction reads the size of the launch's shared memory.
func readsSharedSize(in *rewrite.Inst) bool {
	return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		switch o.Special.Name {
		case "%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size":
			return o.Kind == rewrite.OperandSpecial
		}
		return false
	})
}

// outermost returns the instructions of a function in the outermost braces.
func outermost(f *rewrite.Func) map[*rewrite.Inst]bool {
	ast := f.Module.AST
	top := map[*ptxgrammar.Inst]bool{}
	for _, s := range ast.Blocks[f.AST.Body].Stmts {
		if s.Kind == ptxgrammar.StmtInst {
			top[&ast.Insts[s.Index]] = true
		}
	}
	out := map[*rewrite.Inst]bool{}
	for _, in := range f.Insts {
		if top[in.AST] {
			out[in] = true
		}
	}
	return out
}

// sharedLimit returns the bytes of shared memory that a block can have on a module's target (CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability").
func sharedLimit(m *rewrite.Module) uint64 {
	const kib = 1 << 10
	limit := uint64(48 * kib)
	for _, word := range m.AST.Target {
		sm, err := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(word, "sm_"), "af"))
		switch {
		case err != nil:
		case sm == 86, sm == 89, sm >= 120:
			limit = 99 * kib
		case sm >= 90:
			limit = 227 * kib
		case sm >= 80:
			limit = 163 * kib
		case sm == 75:
			limit = 64 * kib
		case sm >= 70:
			limit = 96 * kib
		}
	}
	return limit
}
