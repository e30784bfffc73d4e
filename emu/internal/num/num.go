// Package num holds the arithmetic of PTX as pure scalar functions: one lane of one instruction, on the bits of
// registers. Integers and floating-point numbers are passed as uint16, uint32 or uint64 bit patterns, so that the
// host's conversions never affect NaN payloads and signed zeros.
//
// The package does not depend on registers, masks, memory, instructions or their spelling. It imports only the standard
// library.
//
// Where the manual leaves a choice, the package defines:
//
//   - A NaN result is canonical: 0x7fff for f16 and bf16, 0x7fffffff for f32 and tf32, 0xfff8000000000000 for f64
//     (CUDART_NAN). abs, neg and copysign change only the sign bit.
//   - Integer division by zero gives all ones, the remainder gives the dividend; the most negative number divided by -1
//     is itself with remainder 0.
//   - The .approx functions are computed in double precision and rounded once: their error is at most 1 ulp, which is
//     within every bound of the manual.
//   - .ftz flushes subnormal inputs before, and subnormal results after, rounding.
package num

// Rounding is a rounding mode.
type Rounding uint8

// Rounding modes (PTX ISA, "Rounding Modifiers"): the integer modes .rni, .rzi,
// .rmi and .rpi are the same four directions.
const (
	RN  Rounding = iota // to nearest, ties to even
	RZ                  // towards zero
	RM                  // towards minus infinity
	RP                  // towards plus infinity
	RNA                 // to nearest, ties away from zero
)

// Mode is the rounding, flushing and saturation of a floating-point instruction.
type Mode struct {
	Round Rounding
	Ftz   bool // flush subnormal inputs and results to zero of the same sign
	Sat   bool // clamp the result to [0, 1], NaN to +0
}
