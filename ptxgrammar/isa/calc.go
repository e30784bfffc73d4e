// The functions that instructions compute, for analyses.

package isa

// Calc is the function that an opcode computes from its sources, for analyses that follow values and addresses through
// registers. Types, saturation, .hi and .wide, and the carry flag (Effects) come in addition.
type Calc uint8

// Functions of opcodes. CalcNone may give any value.
const (
	CalcNone           Calc = iota
	CalcCopy                // the source
	CalcConvert             // the source as a value of another type
	CalcConvertAddress      // the address, generic instead of in a state space or back
	CalcPeerAddress         // the address in the shared memory of another block
	CalcLoad                // the contents of memory, changed only in width
	CalcStore               // nothing: memory is set to the register's value
	CalcAdd                 // a + b
	CalcSub                 // a - b
	CalcMul                 // a * b
	CalcMulAdd              // a * b + c
	CalcMul24               // a * b, of the low 24 bits of each
	CalcMulAdd24            // a * b + c, of the low 24 bits of a and b
	CalcMin                 // a or b
	CalcMax                 // a or b
	CalcSelect              // a or b, by the predicate c
	CalcCompare             // whether a compares with b as the modifier says
	CalcShiftLeft           // a << b
	CalcShiftRight          // a >> b
	CalcAnd                 // a & b
	CalcOr                  // a | b
	CalcXor                 // a ^ b
	CalcNot                 // ^a
	CalcNegate              // -a
	CalcAbs                 // a or -a
	CalcDivide              // a / b
	CalcRemainder           // a % b
	CalcSquareRoot          // the square root of a
	CalcExtract             // c bits of a from bit b on
	CalcOnes                // how many bits of a are set
	CalcLeadingZeros        // how many bits of a are above the highest that is set
	CalcHighest             // where the highest bit of a is that is no sign
	CalcReverse             // the bits of a in reverse order
	CalcNumber              // another function of the sources alone
	CalcAddress             // an address that does not depend on the sources
)

// Comparison is the set of orders for which a comparison operator for integers is true, by how a compares with b (PTX
// ISA, "Integer Comparisons").
type Comparison struct{ Less, Equal, Greater bool }

// Of returns the result for an order: negative when a is less than b, 0 when equal.
func (c Comparison) Of(order int) bool {
	switch {
	case order < 0:
		return c.Less
	case order > 0:
		return c.Greater
	}
	return c.Equal
}

// comparisons lists the operators for integers; lo, ls, hi and hs are those of unsigned types.
var comparisons = map[string]Comparison{
	"eq": {Equal: true},
	"ne": {Less: true, Greater: true},
	"lt": {Less: true},
	"lo": {Less: true},
	"le": {Less: true, Equal: true},
	"ls": {Less: true, Equal: true},
	"gt": {Greater: true},
	"hi": {Greater: true},
	"ge": {Equal: true, Greater: true},
	"hs": {Equal: true, Greater: true},
}

// Comparison returns the operator of an integer comparison; false for other instructions.
func (d *Decoded) Comparison() (Comparison, bool) {
	c, ok := comparisons[d.Mod("CmpOp")]
	return c, ok
}

// Moves reports whether an instruction only loads registers from memory, at one address, or only stores them there.
func (in *Instr) Moves() bool {
	switch in.Name {
	case "ld", "ldu", "st":
		return true
	}
	return false
}
