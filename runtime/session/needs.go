// What a kernel needs of its launch, as far as the code shows it: for launch files to start from.

package session

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// KernelParams describes a kernel's parameters, with a guess at which are pointers.
func KernelParams(k *rewrite.Func) []launch.Param {
	flows := pointerFlows(k)
	var out []launch.Param
	for _, v := range k.Params {
		p := ParamOf(v)
		elem, used := flows[v]
		p.Pointer = !p.Array && p.Size == 8 && !p.Type.Float() && (used || v.AST.Ptr != nil)
		p.Elem = elem
		out = append(out, p)
	}
	return out
}

// pointerFlows finds the parameters whose value reaches the base of an address or
// a cvta, and the type accessed there when it is plain. The flow is that of the
// registers through moves, conversions and additions, in any order.
func pointerFlows(k *rewrite.Func) map[*rewrite.Var]launch.Type {
	from := paramFlows(k)
	out := make(map[*rewrite.Var]launch.Type)
	for _, in := range k.Insts {
		for i := range in.Operands {
			o := &in.Operands[i]
			isAddress := o.Kind == rewrite.OperandAddr && o.Reg != nil && in.Instr.Class != isa.ClassTexture
			if !isAddress && in.Instr.Calc != isa.CalcConvertAddress || o.Reg == nil || from[o.Reg] == nil {
				continue
			}
			v := from[o.Reg]
			if t := out[v]; t == launch.TypeNone {
				out[v] = launch.TypeNone
				if isAddress {
					out[v] = typeOf(in.Type(0))
				}
			}
		}
	}
	return out
}

// paramFlows are the registers that a parameter's value reaches through moves, conversions and
// additions.
func paramFlows(k *rewrite.Func) map[*rewrite.Reg]*rewrite.Var {
	from := make(map[*rewrite.Reg]*rewrite.Var)
	for changed := true; changed; {
		changed = false
		for _, in := range k.Insts {
			src := sourceParam(in, from)
			if src == nil {
				continue
			}
			in.Defs(func(r *rewrite.Reg) {
				if from[r] == nil {
					from[r] = src
					changed = true
				}
			})
		}
	}
	return from
}

// sourceParam is the parameter whose value an instruction passes on, nil when it
// passes on none.
func sourceParam(in *rewrite.Inst, from map[*rewrite.Reg]*rewrite.Var) *rewrite.Var {
	switch in.Instr.Calc {
	case isa.CalcLoad, isa.CalcCopy, isa.CalcConvertAddress, isa.CalcConvert, isa.CalcAdd, isa.CalcSub, isa.CalcMulAdd:
	default:
		return nil
	}
	for i := range in.Operands {
		o := &in.Operands[i]
		if v, ok := o.Sym.(*rewrite.Var); ok && o.Kind == rewrite.OperandAddr && in.Space == isa.SpaceParam && v.Space == isa.SpaceParam {
			return v
		}
		if i > 0 && o.Kind == rewrite.OperandReg && from[o.Reg] != nil && o.Reg.Type.Size() == 8 {
			return from[o.Reg]
		}
	}
	return nil
}

// RequiredBlock is the block extent that .reqntid demands, zero without it.
func RequiredBlock(k *rewrite.Func) (block [3]uint32) {
	for _, p := range k.AST.Perf {
		if p.Name != ".reqntid" || len(p.Args) == 0 {
			continue
		}
		block = [3]uint32{1, 1, 1}
		for i, v := range p.Args[:min(len(p.Args), 3)] {
			block[i] = uint32(v)
		}
	}
	return block
}

// UsesDynamicShared reports whether the kernel's module declares shared memory
// whose size comes with the launch.
func UsesDynamicShared(k *rewrite.Func) bool {
	for _, v := range k.Module.Globals {
		if v.Space == isa.SpaceShared && v.Size == 0 {
			return true
		}
	}
	return false
}
