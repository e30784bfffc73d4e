// Operands of linear forms: registers, special registers, variables and parameters.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// operand returns the form of a source operand.
func (l *LinearAddresses) operand(in *rewrite.Inst, n int) linear {
	if n >= len(in.Operands) {
		return linearTop
	}
	switch o := &in.Operands[n]; o.Kind {
	case rewrite.OperandReg:
		return l.reg(in, o)
	case rewrite.OperandImm:
		if !o.Float {
			return linearConst(int64(o.Imm))
		}
	case rewrite.OperandSpecial:
		return l.special(o)
	case rewrite.OperandSymbol:
		if v, ok := o.Sym.(*rewrite.Var); ok {
			return addLinear(l.variable(v), linearConst(o.Off))
		}
	}
	return linearTop
}

// reg returns the form of a register operand.
func (l *LinearAddresses) reg(in *rewrite.Inst, o *rewrite.Operand) linear {
	if v := l.v.Use(in, o.Reg); v != rewrite.NoValue && o.Member == "" && !o.Neg {
		return l.vals[v]
	}
	return linearTop
}

// special returns the form of a special register: linear if it is an index or an extent.
func (l *LinearAddresses) special(o *rewrite.Operand) linear {
	if len(o.Member) != 2 || o.Member[1] < 'x' || o.Member[1] > 'z' {
		return linearTop
	}
	k := o.Member[1] - 'x'
	var form Linear
	switch o.Special.Name {
	case "%tid":
		form.Tid[k] = 1
	case "%ctaid":
		form.Cta[k] = 1
	case "%ntid":
		form.Const = int64(l.launch.Block[k])
	case "%nctaid":
		form.Const = int64(l.launch.Grid[k])
	default:
		return linearTop
	}
	return linear{kind: linearForm, form: form}
}

func (l *LinearAddresses) variable(v *rewrite.Var) linear {
	if a, ok := l.launch.Address(v); ok {
		return linearConst(int64(a))
	}
	if l.launch.shared && v.Space == isa.SpaceShared {
		return l.sharedObject(v)
	}
	return linearTop
}

// parameter returns the form that a load of a parameter writes to a register of that many bits.
func (l *LinearAddresses) parameter(in *rewrite.Inst, bits int) linear {
	o := &in.Operands[in.Access.Addr]
	v, ok := o.Sym.(*rewrite.Var)
	if !ok || in.Access.Space != isa.SpaceParam || in.Access.Size*8 != bits || !l.f.Formal(v) {
		return linearTop
	}
	n, ok := l.launch.Param(v, o.Off, in.Access.Size)
	switch {
	case ok && bits == 32 && n.Object == 0:
		return linearConst(int64(int32(n.Number))) // it may be signed
	case ok && bits == 64:
		return linear{kind: linearForm, form: Linear{Object: n.Object, Const: int64(n.Number)}}
	}
	return linearTop
}
