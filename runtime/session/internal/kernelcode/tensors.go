// Tensor maps of kernels, as far as their instructions show them.

package kernelcode

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TensorRanks returns the parameters that instructions use as tensor maps in tiled modes, by name, with the number of
// dimensions.
func TensorRanks(k *rewrite.Func) map[string]int {
	w := FlowsOf(k)
	out := make(map[string]int)
	for _, f := range w.Funcs {
		for _, in := range f.Insts {
			rank := tensorRank(in)
			i := slices.IndexFunc(in.Operands, func(o rewrite.Operand) bool {
				return o.Kind == rewrite.OperandAddr && len(o.Elems) > 0
			})
			if rank == 0 || i < 0 {
				continue
			}
			if v := w.object(&in.Operands[i]); v != nil && out[v.Name] == 0 {
				out[v.Name] = rank
			}
		}
	}
	return out
}

// object returns the parameter that is, or that points to, the object that an operand names; nil if it is no parameter.
func (w *flows) object(o *rewrite.Operand) *rewrite.Var {
	if v, ok := o.Sym.(*rewrite.Var); ok && v.Space == isa.SpaceParam {
		return v
	}
	for _, known := range []map[*rewrite.Reg]Piece{w.Regs, w.bases} {
		if at, ok := known[o.Reg]; ok && at.Off == 0 && o.Off == 0 {
			return at.Param
		}
	}
	return nil
}

// tensorRank returns the number of dimensions of a tiled tensor copy, 0 for other instructions.
func tensorRank(in *rewrite.Inst) int {
	if mode := in.Mod("load_mode"); in.Mod("dim") == "" || !in.Has("tensor") || mode != "" && mode != "tile" {
		return 0
	}
	return int(in.Mod("dim")[0] - '0')
}

// ExpectedBytes returns the numbers of bytes that mbarriers of a kernel are told to expect, where they are constants,
// in the order of the text.
func ExpectedBytes(k *rewrite.Func) (list []uint64) {
	for _, f := range Reached(k) {
		constants := make(map[*rewrite.Reg]uint64)
		for _, in := range f.Insts {
			o := in.Operands
			if in.Instr.Calc == isa.CalcCopy && len(o) == 2 && o[1].Kind == rewrite.OperandImm && o[0].Reg != nil {
				constants[o[0].Reg] = o[1].Imm
			}
		}
		for _, in := range f.Insts {
			if !in.Has("expect_tx") || len(in.Operands) == 0 {
				continue
			}
			o := in.Operands[len(in.Operands)-1]
			n := constants[o.Reg]
			if o.Kind == rewrite.OperandImm {
				n = o.Imm
			}
			if n > 0 && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}
