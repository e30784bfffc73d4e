// What instructions compute, for analyses.

package isa

// Calc is what an opcode computes from its sources, for those who follow values and
// addresses through registers. Types, saturation, .hi and .wide, and the carry flag
// (Effects) come on top of it.
type Calc uint8

// What opcodes compute. Those that are none of it may give anything.
const (
	CalcNone           Calc = iota
	CalcCopy                // the source
	CalcConvert             // the source as a value of another type
	CalcConvertAddress      // the address, generic instead of in a state space or back
	CalcPeerAddress         // the address in the shared memory of another block
	CalcLoad                // what memory holds, changed by nothing but the width
	CalcStore               // nothing: memory becomes what the register holds
	CalcAdd                 // a + b
	CalcSub                 // a - b
	CalcMul                 // a * b
	CalcMulAdd              // a * b + c
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
	CalcExtract             // c bits of a from b on
	CalcNumber              // something else that is computed from the sources alone
	CalcAddress             // an address, whatever the sources are
)

// Comparison is the outcome of a comparison operator for integers, by how a compares
// with b (PTX ISA, "Integer Comparisons").
type Comparison struct{ Less, Equal, Greater bool }

// Of is the outcome for an order: negative when a is less than b, 0 when equal.
func (c Comparison) Of(order int) bool {
	switch {
	case order < 0:
		return c.Less
	case order > 0:
		return c.Greater
	}
	return c.Equal
}

// comparisons are the operators for integers; lo, ls, hi and hs are those of unsigned
// types.
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

// Comparison is the operator that a comparison of integers spells; false when it
// spells none.
func (d *Decoded) Comparison() (Comparison, bool) {
	c, ok := comparisons[d.Mod("CmpOp")]
	return c, ok
}

// Moves reports whether all that an instruction does is to load registers from memory, at one
// address, or to store them there.
func (in *Instr) Moves() bool {
	switch in.Name {
	case "ld", "ldu", "st":
		return true
	}
	return false
}
