// Ranks of threads and blocks: numbers that kernels, such as those with cooperative groups, make of all coordinates
// together. They are no sign of a grid or block of more than one dimension.

package session

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// coordinates is a set of dimensions: bit d is dimension d.
type coordinates uint8

// whole reports whether the set has, with a dimension, all lower ones. A rank is a number of a whole set.
func (c coordinates) whole() bool { return c&(c+1) == 0 }

// ranks follows the dimensions of one special register through a function.
type ranks struct {
	name   string // of the register, such as %tid
	extent string // of the register that ranks multiply it with
	of     map[*rewrite.Reg]coordinates
	mixed  map[*rewrite.Reg]bool // registers that depend on something else as well
	alone  coordinates           // dimensions that are used otherwise than in ranks
	ranked coordinates           // dimensions that are used in ranks
}

// ranksOf follows a special register through functions, with the one of its extents.
func ranksOf(funcs []*rewrite.Func, name, extent string) *ranks {
	r := &ranks{name: name, extent: extent, of: make(map[*rewrite.Reg]coordinates), mixed: make(map[*rewrite.Reg]bool)}
	for changed := true; changed; {
		changed = false
		for _, f := range funcs {
			for _, in := range f.Insts {
				changed = r.pass(in) || changed
			}
		}
	}
	for _, f := range funcs {
		for _, in := range f.Insts {
			r.use(in)
		}
	}
	return r
}

// rankCalcs are the functions of which ranks are made.
var rankCalcs = []isa.Calc{
	isa.CalcCopy, isa.CalcConvert, isa.CalcAdd, isa.CalcSub, isa.CalcMul, isa.CalcMulAdd, isa.CalcShiftLeft,
	isa.CalcOr, isa.CalcNegate, isa.CalcCompare,
}

// sources returns the dimensions in the sources of an instruction, and whether it depends on nothing else.
func (r *ranks) sources(in *rewrite.Inst) (dims coordinates, pure bool) {
	pure = slices.Contains(rankCalcs, in.Instr.Calc) && in.Access.Kind == isa.AccessNone
	in.Uses(func(reg *rewrite.Reg) {
		dims |= r.of[reg]
		pure = pure && !r.mixed[reg]
	})
	for i := range in.Operands {
		o := &in.Operands[i]
		switch {
		case o.Kind == rewrite.OperandSpecial && o.Special.Name == r.name:
			dims |= 1 << dimension(o)
		case o.Kind == rewrite.OperandSpecial && o.Special.Name != r.extent, o.Sym != nil:
			pure = false
		case o.Kind == rewrite.OperandImm && in.Instr.Calc != isa.CalcCompare: // a row of fixed length
			pure = false
		}
	}
	return dims, pure
}

// pass propagates dimensions through an instruction.
func (r *ranks) pass(in *rewrite.Inst) (changed bool) {
	dims, pure := r.sources(in)
	in.Defs(func(reg *rewrite.Reg) {
		if !pure && !r.mixed[reg] {
			r.mixed[reg], changed = true, true
		}
		if pure && dims&^r.of[reg] != 0 {
			r.of[reg] |= dims
			changed = true
		}
	})
	return changed
}

// use records how an instruction uses dimensions: it makes a rank, or a part of one, or it uses registers for something
// else. A comparison with a number, as with 0 for the first thread, says nothing of them.
func (r *ranks) use(in *rewrite.Inst) {
	dims, pure := r.sources(in)
	compares := in.Instr.Calc == isa.CalcCompare
	number := len(in.Operands) > 2 && in.Operands[2].Kind == rewrite.OperandImm
	switch {
	case pure && dims.whole():
		r.ranked |= dims
	case pure && (!compares || number):
	default:
		in.Uses(func(reg *rewrite.Reg) {
			if c := r.of[reg]; c.whole() {
				r.ranked |= c
			} else {
				r.alone |= c
			}
		})
	}
}

// only reports whether a dimension is used in ranks only.
func (r *ranks) only(d int) bool { return d > 0 && r.ranked&^r.alone&(1<<d) != 0 }

// shapes are the ranks of a kernel by the special registers that say of which shape its grids and blocks are.
type shapes map[string]*ranks

func shapesOf(funcs []*rewrite.Func) shapes {
	s := make(shapes)
	for name, extent := range map[string]string{"%tid": "%ntid", "%ntid": "%tid", "%ctaid": "%nctaid"} {
		s[name] = ranksOf(funcs, name, extent)
	}
	return s
}

// needs reports whether reading a special register shows that its dimension matters.
func (s shapes) needs(o *rewrite.Operand) bool {
	r := s[o.Special.Name]
	return r == nil || !r.only(dimension(o))
}
