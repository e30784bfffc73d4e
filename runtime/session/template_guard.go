// What a kernel's instructions say about the sizes it is for: whether it compares the places of its threads with
// numbers that it is given, and whether it asks how large its blocks are.

package session

import (
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// origin is what a value depends on.
type origin uint8

const (
	ofThread origin = 1 << iota // which thread or block computes it
	ofNumber                    // a parameter
)

// guards reports whether a kernel compares a value that depends on the thread with one that depends on a parameter, as
// in if (i < n). Kernels that call functions may do so there. A kernel without such a comparison is for sizes that its
// threads fill.
func guards(k *rewrite.Func) bool {
	if len(kernelcode.Reached(k)) > 1 {
		return true
	}
	origins := make(map[*rewrite.Reg]origin)
	for changed := true; changed; {
		changed = false
		for _, in := range k.Insts {
			from := originOf(in, origins)
			in.Defs(func(r *rewrite.Reg) {
				if from&^origins[r] != 0 {
					origins[r] |= from
					changed = true
				}
			})
		}
	}
	return slices.ContainsFunc(k.Insts, func(in *rewrite.Inst) bool {
		return in.Instr.Calc == isa.CalcCompare && originOf(in, origins) == ofThread|ofNumber
	})
}

// originOf returns what the result of an instruction depends on. Contents of memory depend on nothing here.
func originOf(in *rewrite.Inst, origins map[*rewrite.Reg]origin) (from origin) {
	if in.Access.Kind != isa.AccessNone {
		if in.Access.Space == isa.SpaceParam {
			return ofNumber
		}
		return 0
	}
	in.Uses(func(r *rewrite.Reg) { from |= origins[r] })
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == rewrite.OperandSpecial && (o.Special.PerLane || o.Special.PerBlock) {
			from |= ofThread
		}
	}
	return from
}

// comparedReals returns the finite floating-point numbers that a kernel, or a function that it calls, compares values
// with, in the order of the text.
func comparedReals(k *rewrite.Func) (list []float64) {
	for _, f := range kernelcode.Reached(k) {
		for _, in := range f.Insts {
			if in.Instr.Calc != isa.CalcCompare {
				continue
			}
			for _, o := range in.Operands {
				if c, ok := realOf(&o); ok && !slices.Contains(list, c) {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// realOf returns a finite floating-point immediate.
func realOf(o *rewrite.Operand) (float64, bool) {
	if o.Kind != rewrite.OperandImm || !o.Float {
		return 0, false
	}
	c := math.Float64frombits(o.Imm)
	if o.Single {
		c = float64(math.Float32frombits(uint32(o.Imm)))
	}
	return c, !math.IsInf(c, 0) && !math.IsNaN(c) && math.Abs(c) < math.MaxFloat32/4
}

// anyBlock reports whether a kernel is for blocks of any size, or shows by its shared memory for which: it reads how
// large they are, or it has shared memory.
func anyBlock(k *rewrite.Func) bool {
	for _, f := range kernelcode.Reached(k) {
		for _, in := range f.Insts {
			if in.Access.Kind != isa.AccessNone && in.Access.Space == isa.SpaceShared ||
				slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
					return o.Kind == rewrite.OperandSpecial && o.Special.Name == "%ntid"
				}) {
				return true
			}
		}
	}
	return false
}
