// Values of instructions that compute with integers.

package query

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Evaluate returns the integer that the instruction computes from its sources: the values of its operands after the
// first, in the lower bits of words. The result is in the lower bits too; those above its width have no meaning. Of
// setp, bit 0 is the first predicate and bit 1 the second.
//
// It returns false where the PTX manual leaves the value open, as for a division by zero, and for instructions that it
// does not evaluate: arithmetic of floating-point and packed types, saturation and carries, products of 24 bits,
// accesses to memory, and the functions that isa.CalcNumber stands for.
func Evaluate(in *rewrite.Inst, sources []uint64) (uint64, bool) {
	compute := evaluations[in.Instr.Calc]
	if compute == nil || in.Has("sat") || in.Effects()&(isa.ReadsCarry|isa.WritesCarry) != 0 {
		return 0, false
	}
	e := evaluation{in: in, sources: sources, ok: true}
	value := compute(&e)
	return value, e.ok
}

// evaluation is the evaluation of an instruction.
type evaluation struct {
	in      *rewrite.Inst
	sources []uint64
	ok      bool // the value is defined, and evaluated here
}

var evaluations = map[isa.Calc]func(*evaluation) uint64{
	isa.CalcCopy:           func(e *evaluation) uint64 { return e.word(0) },
	isa.CalcConvertAddress: func(e *evaluation) uint64 { return e.word(0) },
	isa.CalcConvert:        (*evaluation).convert,
	isa.CalcAdd:            func(e *evaluation) uint64 { return e.integer(0) + e.integer(1) },
	isa.CalcSub:            func(e *evaluation) uint64 { return e.integer(0) - e.integer(1) },
	isa.CalcMul:            (*evaluation).product,
	isa.CalcMulAdd:         func(e *evaluation) uint64 { return e.product() + e.word(2) },
	isa.CalcMin:            (*evaluation).minimum,
	isa.CalcMax:            (*evaluation).maximum,
	isa.CalcSelect:         (*evaluation).chosen,
	isa.CalcCompare:        (*evaluation).compare,
	isa.CalcShiftLeft:      (*evaluation).shiftLeft,
	isa.CalcShiftRight:     (*evaluation).shiftRight,
	isa.CalcAnd:            func(e *evaluation) uint64 { return e.word(0) & e.word(1) },
	isa.CalcOr:             func(e *evaluation) uint64 { return e.word(0) | e.word(1) },
	isa.CalcXor:            func(e *evaluation) uint64 { return e.word(0) ^ e.word(1) },
	isa.CalcNot:            func(e *evaluation) uint64 { return e.in.Type(0).Truncate(^e.word(0)) },
	isa.CalcNegate:         func(e *evaluation) uint64 { return -e.integer(0) },
	isa.CalcAbs:            (*evaluation).absolute,
	isa.CalcDivide:         (*evaluation).quotient,
	isa.CalcRemainder:      (*evaluation).remainder,
	isa.CalcExtract:        (*evaluation).extract,
	isa.CalcOnes:           func(e *evaluation) uint64 { return uint64(bits.OnesCount64(e.unsigned())) },
	isa.CalcLeadingZeros:   func(e *evaluation) uint64 { return uint64(e.leadingZeros(e.unsigned())) },
	isa.CalcReverse:        func(e *evaluation) uint64 { return bits.Reverse64(e.unsigned()) >> (64 - e.in.Type(0).Bits()) },
	isa.CalcHighest:        (*evaluation).highest,
}

// undefined records that the instruction has no value that is known.
func (e *evaluation) undefined() uint64 {
	e.ok = false
	return 0
}

// word returns the n-th source as it is.
func (e *evaluation) word(n int) uint64 {
	if n >= len(e.sources) {
		return e.undefined()
	}
	return e.sources[n]
}

// integer returns the n-th source as an integer of the instruction's type.
func (e *evaluation) integer(n int) uint64 { return e.as(n, e.in.Type(0)) }

// as returns the n-th source as an integer of a type.
func (e *evaluation) as(n int, t isa.Type) uint64 {
	if t.Float() || t.Lanes() > 1 {
		return e.undefined()
	}
	return t.Extend(e.word(n))
}

// less compares two integers of the instruction's type.
func (e *evaluation) less(x, y uint64) bool {
	if e.in.Type(0).Signed() {
		return int64(x) < int64(y)
	}
	return x < y
}

func (e *evaluation) convert() uint64 {
	to, from := e.in.Type(0), e.in.Type(1)
	if to.Float() || to.Lanes() > 1 {
		return e.undefined()
	}
	return to.Extend(e.as(0, from))
}

// product returns the product of the first two sources, or its upper half.
func (e *evaluation) product() uint64 {
	x, y, t := e.integer(0), e.integer(1), e.in.Type(0)
	if !e.in.Has("hi") {
		return x * y
	}
	if t.Bits() < 64 {
		return uint64(int64(x*y) >> t.Bits())
	}
	upper, _ := bits.Mul64(x, y)
	if t.Signed() {
		upper -= uint64(int64(x)>>63)&y + uint64(int64(y)>>63)&x
	}
	return upper
}

func (e *evaluation) absolute() uint64 {
	x := e.integer(0)
	if int64(x) < 0 {
		return -x
	}
	return x
}

func (e *evaluation) minimum() uint64 { return e.extremum(true) }

func (e *evaluation) maximum() uint64 { return e.extremum(false) }

// extremum returns the least or the greatest of two numbers, with .relu at least 0 (PTX ISA, "min").
func (e *evaluation) extremum(least bool) uint64 {
	x, y := e.integer(0), e.integer(1)
	if e.less(x, y) != least {
		x = y
	}
	if e.in.Has("relu") {
		return uint64(max(int64(x), 0))
	}
	return x
}

func (e *evaluation) chosen() uint64 {
	if e.word(2)&1 != 0 {
		return e.word(0)
	}
	return e.word(1)
}

func (e *evaluation) quotient() uint64 {
	x, y := e.integer(0), e.integer(1)
	switch {
	case y == 0:
		return e.undefined()
	case e.in.Type(0).Signed():
		return uint64(int64(x) / int64(y))
	}
	return x / y
}

func (e *evaluation) remainder() uint64 {
	x, y := e.integer(0), e.integer(1)
	switch {
	case y == 0:
		return e.undefined()
	case e.in.Type(0).Signed():
		return uint64(int64(x) % int64(y))
	}
	return x % y
}

func (e *evaluation) shiftLeft() uint64 {
	return e.word(0) << e.as(1, isa.U32)
}

func (e *evaluation) shiftRight() uint64 {
	x, n := e.integer(0), e.as(1, isa.U32)
	if e.in.Type(0).Signed() {
		return uint64(int64(x) >> n)
	}
	return x >> n
}

// extract returns a field of bits of the first source. Bits beyond its end are those of its sign.
func (e *evaluation) extract() uint64 {
	x, at, n := e.integer(0), e.as(1, isa.U32)&0xff, e.as(2, isa.U32)&0xff
	unused := 64 - min(n, 64)
	switch {
	case n == 0:
		return 0
	case e.in.Type(0).Signed():
		return uint64(int64(x) >> at << unused >> unused)
	}
	return x >> at << unused >> unused
}

// unsigned returns the first source with the bits of the instruction's type alone.
func (e *evaluation) unsigned() uint64 { return e.in.Type(0).Truncate(e.word(0)) }

// leadingZeros returns how many bits of the instruction's type are above the highest bit of a value.
func (e *evaluation) leadingZeros(x uint64) int { return e.in.Type(0).Bits() - bits.Len64(x) }

// highest returns where the highest bit is that is no sign, or how far it is below the highest of the type; all ones
// for none.
func (e *evaluation) highest() uint64 {
	x := e.unsigned()
	if y := e.integer(0); e.in.Type(0).Signed() && int64(y) < 0 {
		x = ^y
	}
	switch {
	case x == 0:
		return 0xffffffff
	case e.in.Has("shiftamt"):
		return uint64(e.leadingZeros(x))
	}
	return uint64(bits.Len64(x) - 1)
}

// compare returns both predicates of setp.
func (e *evaluation) compare() uint64 {
	how, ok := e.in.Comparison()
	if !ok {
		return e.undefined()
	}
	x, y := e.integer(0), e.integer(1)
	order := 0
	if x != y {
		order = 1
		if e.less(x, y) {
			order = -1
		}
	}
	p := how.Of(order)
	q := !p
	if len(e.sources) > 2 {
		r := e.word(2)&1 != 0
		switch e.in.Mod("BoolOp") {
		case "and":
			p, q = p && r, q && r
		case "or":
			p, q = p || r, q || r
		case "xor":
			p, q = p != r, q != r
		}
	}
	var out uint64
	if p {
		out |= 1
	}
	if q {
		out |= 2
	}
	return out
}
