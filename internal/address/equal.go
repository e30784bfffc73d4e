// Equality of addresses at two points of one path.

package address

import (
	"hash/fnv"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// samples is the number of inputs for which two addresses are compared. Expressions in masks, shifts and sums that
// differ do so for a good part of them: see input.
const samples = 48

// equalDepth limits the number of instructions between an address and its inputs.
const equalDepth = 32

// sameAlong reports whether the access at the end of a path has the address that another one has at its beginning. The
// path is a list of blocks that starts with the block of the first access and ends with that of the last. Only these
// two blocks may be equal. The phis of the path take the values of its edges, so that the loop-carried copy of an
// address is recognised.
//
// The addresses are compared as polynomial identities are: evaluated for random inputs (Schwartz, "Fast probabilistic
// algorithms for verification of polynomial identities"). Instructions that this file does not interpret are functions
// of which only their operands are known, and what they read from memory is an input.
func sameAlong(path []*rewrite.Block, first, last *rewrite.Inst) bool {
	for seed := range uint64(samples) {
		e := evaluation{v: first.Func.SSA(), path: path, seed: seed, known: map[valueAt]uint64{}}
		if e.address(first, 0) != e.address(last, len(path)-1) {
			return false
		}
	}
	return true
}

// evaluation is the evaluation of values on a path, for one choice of the inputs.
type evaluation struct {
	v     *rewrite.SSA
	path  []*rewrite.Block
	seed  uint64
	known map[valueAt]uint64
	depth int
}

// valueAt is a value as it is when the path has got to the block with a number.
type valueAt struct {
	value int32
	at    int
}

// address returns the address of an access in the block with a number.
func (e *evaluation) address(in *rewrite.Inst, at int) uint64 {
	o := &in.Operands[in.Access.Addr]
	t := isa.B64
	if o.Reg != nil {
		t = o.Reg.Type
	} else if in.Func.Module.AST.AddressSize == 32 {
		t = isa.B32
	}
	return t.Truncate(e.operand(in, o, at))
}

// operand returns the value of an operand that an instruction reads in the block with a number.
func (e *evaluation) operand(in *rewrite.Inst, o *rewrite.Operand, at int) uint64 {
	var value uint64
	switch o.Kind {
	case rewrite.OperandImm:
		value = o.Imm
	case rewrite.OperandSpecial:
		if value = e.mix(hashOf(o.Special.Name + o.Member)); o.Special.Volatile {
			value = e.mix(value, uint64(in.Index), uint64(at))
		}
	case rewrite.OperandReg, rewrite.OperandAddr, rewrite.OperandSymbol:
		if o.Sym != nil {
			value = e.mix(hashOf(o.Sym.SymbolName()))
		}
		if o.Reg != nil {
			value += e.register(in, o.Reg, at)
		}
		if o.Member != "" && o.Kind == rewrite.OperandReg {
			value = e.mix(value, hashOf(o.Member))
		}
		value += uint64(o.Off)
	default:
		value = e.mix(uint64(in.Index), uint64(at))
	}
	switch {
	case o.Neg:
		return -value
	case o.Not:
		return e.mix(value)
	}
	return value
}

// register returns the value of a register that an instruction reads in the block with a number.
func (e *evaluation) register(in *rewrite.Inst, r *rewrite.Reg, at int) uint64 {
	n := e.v.Use(in, r)
	if n == rewrite.NoValue {
		return e.mix(uint64(in.Index), uint64(at))
	}
	return e.value(n, at)
}

// value returns a value as it is in the block with a number.
func (e *evaluation) value(n int32, at int) uint64 {
	v := &e.v.Values[n]
	for at > 0 && e.path[at] != v.Block {
		at--
	}
	key := valueAt{n, at}
	if found, ok := e.known[key]; ok {
		return found
	}
	e.depth++
	out := v.Reg.Type.Truncate(e.input(uint64(n), uint64(at)))
	switch {
	case e.depth > equalDepth:
	case v.Kind == rewrite.SSAPhi && at > 0:
		if from := v.In[slices.Index(v.Block.Preds, e.path[at-1])]; from != rewrite.NoValue {
			out = e.value(from, at-1)
		}
	case v.Kind == rewrite.SSAWrite && v.Old == rewrite.NoValue && v.Reg.Vec <= 1 && isFunction(v.Inst):
		out = v.Reg.Type.Truncate(e.result(v.Inst, at))
	}
	e.depth--
	e.known[key] = out
	return out
}

// isFunction reports whether an instruction computes one result, which depends on its operands alone.
func isFunction(in *rewrite.Inst) bool {
	results := 0
	in.Defs(func(*rewrite.Reg) { results++ })
	calc := in.Instr.Calc
	return calc != isa.CalcNone && calc < isa.CalcAddress && calc != isa.CalcLoad && in.Effects() == 0 &&
		len(in.Accesses) == 0 &&
		results == 1 && len(in.Operands) > 1 && in.Operands[0].Kind == rewrite.OperandReg
}

// interpreted are the functions that differ for a good part of the inputs if they are not equal. The upper half of a
// product is excluded: it may be a quotient, such as that by 1000, which two numbers in succession have in common
// nearly always.
var interpreted = []isa.Calc{
	isa.CalcCopy, isa.CalcConvertAddress, isa.CalcConvert, isa.CalcAdd, isa.CalcSub, isa.CalcMul, isa.CalcMulAdd,
	isa.CalcAnd,
	isa.CalcOr, isa.CalcXor, isa.CalcNot, isa.CalcNegate, isa.CalcShiftLeft, isa.CalcShiftRight,
}

// result returns what an instruction computes in the block with a number.
func (e *evaluation) result(in *rewrite.Inst, at int) uint64 {
	var sources []uint64
	for n := 1; n < len(in.Operands); n++ {
		sources = append(sources, e.operand(in, &in.Operands[n], at))
	}
	if slices.Contains(interpreted, in.Instr.Calc) && !in.Has("hi") && !shiftsByRegister(in) {
		if value, ok := query.Evaluate(in, sources); ok {
			return value
		}
	}
	return e.mix(append(sources, hashOf(in.Opcode()))...)
}

// shiftsByRegister reports whether an instruction shifts by a number that is not constant: nearly all numbers shift
// everything out.
func shiftsByRegister(in *rewrite.Inst) bool {
	calc := in.Instr.Calc
	return (calc == isa.CalcShiftLeft || calc == isa.CalcShiftRight) && in.Operands[2].Kind != rewrite.OperandImm
}

// input returns the value of an input: a random number for a third of the choices; with a random number of lower bits
// set, or cleared, for the others. So a sum carries into the bits that a shift or mask leaves in a good part of the
// choices.
func (e *evaluation) input(words ...uint64) uint64 {
	value := e.mix(words...)
	lower := uint64(1)<<(e.mix(append(words, 1)...)%64) - 1
	switch e.seed % 3 {
	case 1:
		return value | lower
	case 2:
		return value &^ lower
	}
	return value
}

// mix returns a random function of some numbers, another one for each choice of the inputs.
func (e *evaluation) mix(words ...uint64) uint64 {
	h := e.seed + 1
	for _, w := range words {
		h = (h ^ w) * 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
		h ^= h >> 29
		h *= 0xd6e8feb86659fd93 // odd, so that nothing is lost
		h ^= h >> 32
	}
	return h
}

func hashOf(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
