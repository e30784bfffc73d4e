// How instructions treat undefined bits of their sources.

package undefined

import (
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Flow is what an instruction does with undefined bits of its sources.
type Flow uint8

// Flows.
const (
	Uses     Flow = iota // its effect depends on them
	Moves                // they become bits of the result
	Computes             // the result is undefined
	Loads                // uses those of the address, and loads the result from memory
	Stores               // uses those of the address, and stores the value to memory
	Shuffles             // moves them to other lanes
)

// named has the flows of opcodes for which isa.Calc does not say enough.
var named = map[string]Flow{
	"ld": Loads, "ldu": Loads, "st": Stores, "shfl": Shuffles, "prmt": Moves, "bfi": Moves, "shf": Moves, "lop3": Moves,
}

// FlowOf returns the flow of an instruction.
func FlowOf(in *rewrite.Inst) Flow {
	f, ok := named[in.Instr.Name]
	switch {
	case in.Unknown(), in.Has("async"), in.Has("bulk"):
		return Uses
	case ok:
		return f
	case in.Effects()&^(isa.ReadsCarry|isa.WritesCarry) != 0 || len(in.Accesses) > 0:
		return Uses
	}
	switch in.Instr.Class {
	case isa.ClassInteger, isa.ClassExtended, isa.ClassFloat, isa.ClassCompare, isa.ClassLogic, isa.ClassMove,
		isa.ClassVideo:
		if len(data(in)) > 0 {
			return Moves
		}
		return Computes
	}
	return Uses
}

// data returns the operands of an instruction whose bits become bits of the result, where the other operands are
// defined; nil if the instruction computes.
func data(in *rewrite.Inst) []int {
	switch in.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvert, isa.CalcConvertAddress, isa.CalcShiftLeft, isa.CalcShiftRight, isa.CalcNot,
		isa.CalcExtract:
		return []int{1}
	case isa.CalcSelect, isa.CalcAnd, isa.CalcOr, isa.CalcXor:
		return []int{1, 2}
	}
	switch in.Instr.Name {
	case "prmt", "bfi", "shf":
		return []int{1, 2}
	case "lop3":
		return []int{1, 2, 3}
	}
	return nil
}

// Follow gives the registers that an instruction with flow Moves or Computes writes in a lane the undefined bits that
// follow from those of its sources. value returns the value of an operand in the lane; false if it is not known.
func (u *Registers) Follow(in *rewrite.Inst, lane int, value func(o *rewrite.Operand) (uint64, bool)) {
	var from any
	in.Uses(func(r *rewrite.Reg) {
		if _, origin := u.Get(r, lane); origin != nil {
			from = origin
		}
	})
	if from == nil {
		in.Defs(func(r *rewrite.Reg) { u.Clear(r, 1<<lane) })
		return
	}
	type result struct {
		r *rewrite.Reg
		v Value
	}
	var results []result // set after the last source has been read
	s := sources{value, func(r *rewrite.Reg) Value {
		v, _ := u.Get(r, lane)
		return v
	}}
	s.results(in, func(r *rewrite.Reg, v Value) { results = append(results, result{r, v}) })
	for _, x := range results {
		u.Set(x.r, lane, x.v, from)
	}
}

// sources gives the sources of an instruction in one lane: the value of an operand, unless it is not known, and the
// undefined bits of a register.
type sources struct {
	value     func(o *rewrite.Operand) (uint64, bool)
	undefined func(r *rewrite.Reg) Value
}

// results calls set for each register that an instruction with flow Moves or Computes writes, with its undefined bits.
func (s *sources) results(in *rewrite.Inst, set func(r *rewrite.Reg, v Value)) {
	if in.Instr.Calc == isa.CalcCopy && in.Type(0).Bits() <= 64 {
		s.copies(in, set)
		return
	}
	v, moved := Value{}, false
	if in.Operands[0].Kind == rewrite.OperandReg && FlowOf(in) == Moves {
		v, moved = s.moved(in)
	}
	in.Defs(func(r *rewrite.Reg) {
		switch {
		case moved:
			set(r, Value{v.Bits & width(r), v.Padding & width(r)})
		case s.decided(in):
			set(r, Value{})
		default:
			set(r, Value{Bits: width(r)})
		}
	})
}

// Load calls set for each register that a load writes, with its undefined bits. The bits of the masks stand for
// unwritten bytes of memory, and for those that are padding. It returns false if the registers cannot be followed:
// vectors, and those of 128 bits.
func Load(in *rewrite.Inst, unwritten, padding uint64, set func(r *rewrite.Reg, v Value)) bool {
	list, t, ok := memoryValue(in)
	for i := range list {
		if r := list[i].Reg; ok && r != nil {
			shift := i * t.Size()
			set(r, Loaded(unwritten>>shift, padding>>shift, t.Size(), r.Type.Bits(), t.Signed()))
		}
	}
	return ok
}

// Store returns which bytes of memory have undefined bits after a store, which of these bytes are padding, and the
// origin of one that is not, or else of any.
func (u *Registers) Store(in *rewrite.Inst, lane int) (undefined, padding uint64, from any) {
	list, t, _ := memoryValue(in)
	for i := range list {
		if list[i].Reg == nil {
			continue
		}
		v, origin := u.Get(list[i].Reg, lane)
		bytes, pad := v.Stored(min(t.Size(), 8))
		if bytes != pad && undefined == padding || from == nil {
			from = origin
		}
		undefined |= bytes << (i * t.Size())
		padding |= pad << (i * t.Size())
	}
	return undefined, padding, from
}

// memoryValue returns the registers that a load, a store or an exchange moves between memory and registers, and the
// type of each in memory.
func memoryValue(in *rewrite.Inst) (list []rewrite.Operand, t isa.Type, ok bool) {
	k := 1 - in.Access.Addr
	list, t, ok = elements(&in.Operands[k]), in.Decoded.Operands[k].Type, true
	for i := range list {
		ok = ok && t.Bits() <= 64 && (list[i].Reg == nil || list[i].Reg.Vec <= 1)
	}
	return list, t, ok
}

// Result returns the register that a shuffle writes besides the predicate.
func Result(in *rewrite.Inst) *rewrite.Reg {
	if o := &in.Operands[0]; o.Kind == rewrite.OperandPair {
		return o.Elems[0].Reg
	}
	return in.Operands[0].Reg
}

// LiveAfter returns the registers whose values may be read after an instruction.
func LiveAfter(in *rewrite.Inst) rewrite.RegSet {
	f := in.Func
	if b := f.CFG().BlockOf[in.Index]; in.Index+1 == b.End {
		return f.Liveness().Out(b)
	}
	return f.Liveness().Before(f.Insts[in.Index+1])
}

// width returns all bits of a register.
func width(r *rewrite.Reg) uint64 { return low(r.Type.Bits()) }

// elements returns the elements of an operand of mov.
func elements(o *rewrite.Operand) []rewrite.Operand {
	if o.Kind == rewrite.OperandVector {
		return o.Elems
	}
	return []rewrite.Operand{*o}
}

// copies is results for mov, also between a register and the vector of its parts.
func (s *sources) copies(in *rewrite.Inst, set func(r *rewrite.Reg, v Value)) {
	dst, src := elements(&in.Operands[0]), elements(&in.Operands[1])
	var values []Value
	for i := range src {
		var v Value
		if src[i].Kind == rewrite.OperandReg {
			v = s.undefined(src[i].Reg)
		}
		values = append(values, v)
	}
	if len(src) != len(dst) {
		values = regroup(values, len(dst), in.Type(0).Bits())
	}
	for i := range dst {
		if dst[i].Kind == rewrite.OperandReg {
			set(dst[i].Reg, values[i])
		}
	}
}

// regroup returns the undefined bits of n parts of a value of so many bits, given those of other parts.
func regroup(parts []Value, n, bits int) []Value {
	var whole Value
	for i, p := range parts {
		shift := i * bits / len(parts)
		whole.Bits |= p.Bits << shift
		whole.Padding |= p.Padding << shift
	}
	out := make([]Value, n)
	for i := range out {
		shift, mask := i*bits/n, low(bits/n)
		out[i] = Value{whole.Bits >> shift & mask, whole.Padding >> shift & mask}
	}
	return out
}

// maxMoved is the maximum number of operands that data returns.
const maxMoved = 3

// moved returns the undefined bits of the result of an instruction that moves bits. It returns false if the instruction
// computes with them, such as a shift by an undefined distance.
func (s *sources) moved(in *rewrite.Inst) (v Value, ok bool) {
	var masks [maxMoved]Value
	values := make([]uint64, len(in.Operands)-1)
	moves := data(in)
	for i := range values {
		o := &in.Operands[i+1]
		if values[i], ok = s.value(o); !ok {
			return v, false
		}
		if o.Kind != rewrite.OperandReg {
			continue
		}
		u := s.undefined(o.Reg)
		if i < len(moves) {
			masks[i] = u
		} else if u.Bits != 0 {
			return v, false
		}
	}
	used := func(u Value) uint64 { return u.Used() }
	if v.Bits, ok = differing(in, values, masks[:len(moves)], func(u Value) uint64 { return u.Bits }); !ok {
		return v, false
	}
	others, _ := differing(in, values, masks[:len(moves)], used)
	v.Padding = v.Bits &^ others
	return v, true
}

// differing returns the bits of the result that change if some of the undefined bits of sources do. It returns false
// for an instruction that it cannot evaluate.
func differing(in *rewrite.Inst, values []uint64, masks []Value, of func(Value) uint64) (out uint64, ok bool) {
	result, ok := evaluate(in, values)
	for some := 1; ok && some < 1<<len(masks); some++ { // each set of sources
		changed := append([]uint64(nil), values...)
		for i, u := range masks {
			if some>>i&1 != 0 {
				changed[i] ^= of(u)
			}
		}
		var other uint64
		other, ok = evaluate(in, changed)
		out |= result ^ other
	}
	return out, ok
}

// evaluate returns the result of an instruction that moves bits.
func evaluate(in *rewrite.Inst, v []uint64) (uint64, bool) {
	word := func(i int) uint32 { return uint32(v[i]) }
	switch in.Instr.Name {
	case "prmt":
		mode := num.PrmtIndex
		for _, m := range in.Mods {
			if p, ok := num.PrmtOf(m); ok {
				mode = max(mode, p)
			}
		}
		return uint64(num.Prmt(word(0), word(1), word(2), mode)), true
	case "bfi":
		if in.Type(0).Bits() == 64 {
			return num.Bfi64(v[0], v[1], word(2), word(3)), true
		}
		return uint64(num.Bfi32(word(0), word(1), word(2), word(3))), true
	case "shf":
		return uint64(num.Shf(word(0), word(1), word(2), in.Has("l"), in.Has("wrap"))), true
	case "lop3":
		return uint64(num.Lop3(word(0), word(1), word(2), word(3))), true
	}
	return query.Evaluate(in, v)
}

// decided reports whether the result of a comparison that is combined with a predicate does not depend on the values
// compared.
func (s *sources) decided(in *rewrite.Inst) bool {
	if in.Instr.Calc != isa.CalcCompare || len(in.Operands) < 4 || in.Operands[3].Kind != rewrite.OperandReg {
		return false
	}
	p, known := s.value(&in.Operands[3])
	how := in.Mod("BoolOp")
	return known && s.undefined(in.Operands[3].Reg).Bits == 0 && (how == "and" && p&1 == 0 || how == "or" && p&1 != 0)
}
