// Package lifetime determines where in a function the values of registers may still be read, and which copies of
// registers can share the place of their source. It does not depend on the meaning of places.
package lifetime

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Range is a range of instructions of a function, by index: it contains all places at which the value of a register may
// still be read. For an unused register, From is the number of instructions and To is -1.
type Range struct {
	From, To int
	Shared   bool // the register shares the place of another one, or of a special register
	passed   bool // the register is loaded from a parameter or stored to a result
}

// Ranges are the ranges of all registers of a function, by their index.
type Ranges []Range

// Of returns the ranges of the registers of a function. uses are the indices of the instructions that name each .param
// variable, ascending. A register that is a parameter or a result is live everywhere.
//
// Loads and stores of .param variables may be omitted: then registers are written at the beginning of the function, or
// read at its end or at the call, and the ranges contain these places.
func Of(f *rewrite.Func, uses map[*rewrite.Var][]int) Ranges {
	lives := make(Ranges, len(f.Regs))
	for i := range lives {
		lives[i] = Range{From: len(f.Insts), To: -1}
	}
	for i, in := range f.Insts {
		touch := func(r *rewrite.Reg) { lives.extend(r.Index, i) }
		in.Defs(touch)
		in.Uses(touch)
	}
	live := f.Liveness()
	for _, b := range f.CFG().Blocks {
		eachReg(live.In(b), func(i int) { lives.extend(i, b.Start) })
		eachReg(live.Out(b), func(i int) { lives.extend(i, max(b.Start, b.End-1)) })
	}
	for _, v := range slices.Concat(f.Params, f.Returns) {
		if v.Reg != nil {
			lives.extend(v.Reg.Index, 0)
			lives.pass(v.Reg.Index, len(f.Insts))
		}
	}
	for v, at := range uses { // in any order
		lives.extendPassed(f, v, at)
	}
	return lives
}

func (l Ranges) extend(reg, at int) {
	l[reg].From, l[reg].To = min(l[reg].From, at), max(l[reg].To, at)
}

func (l Ranges) pass(reg, at int) {
	l.extend(reg, at)
	l[reg].passed = true
}

// extendPassed extends the ranges of the registers that are stored to a .param variable or loaded from it. Instructions
// that are executed before the load of a parameter may come after it in the text.
func (l Ranges) extendPassed(f *rewrite.Func, v *rewrite.Var, uses []int) {
	switch {
	case f.Entry && slices.Contains(f.Params, v):
	case slices.Contains(f.Params, v):
		for _, i := range uses {
			f.Insts[i].Defs(func(r *rewrite.Reg) {
				l.extend(r.Index, 0)
				l.pass(r.Index, len(f.Insts))
			})
		}
	case slices.Contains(f.Returns, v):
		for _, i := range uses {
			f.Insts[i].Uses(func(r *rewrite.Reg) { l.pass(r.Index, len(f.Insts)) })
		}
	default:
		for _, i := range uses {
			f.Insts[i].Uses(func(r *rewrite.Reg) { l.extend(r.Index, uses[len(uses)-1]) })
		}
	}
}

// Copy is an instruction, by its index in the function, that copies a register, or a special register if From is nil,
// to a register that needs no place of its own.
type Copy struct {
	At       int
	To, From *rewrite.Reg
	Special  *rewrite.Operand
}

// Copies returns the copies of a function that can share the place of their source, in instruction order: neither
// register is written while the copy may still be read. The range of the source is extended to that of the copy.
// identity reports whether an instruction only copies its second operand, a register or a special register that never
// changes, to the first.
func (l Ranges) Copies(f *rewrite.Func, identity func(*rewrite.Inst) bool) (copies []Copy) {
	writes, last := make([]int, len(f.Regs)), make([]int, len(f.Regs))
	for i, in := range f.Insts {
		in.Defs(func(r *rewrite.Reg) {
			writes[r.Index]++
			last[r.Index] = i
		})
	}
	roots := map[*rewrite.Reg]*rewrite.Reg{} // for copies of copies, the original source
	for i, in := range f.Insts {
		if !identity(in) {
			continue
		}
		c := Copy{At: i, To: in.Operands[0].Reg, From: in.Operands[1].Reg}
		life := &l[c.To.Index]
		if writes[c.To.Index] != 1 || life.From != i || life.passed {
			continue
		}
		if c.From == nil {
			c.Special = &in.Operands[1]
		} else {
			if r := roots[c.From]; r != nil {
				c.From = r
			}
			n, at := writes[c.From.Index], last[c.From.Index]
			if n > 1 || n == 1 && i < at && at <= life.To {
				continue
			}
			l.extend(c.From.Index, life.To)
			roots[c.To] = c.From
		}
		life.Shared = true
		copies = append(copies, c)
	}
	return copies
}

// eachReg calls f for the indices of the registers in a set.
func eachReg(set rewrite.RegSet, f func(i int)) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			f(64*i + bits.TrailingZeros64(w))
		}
	}
}
