// Which vectors loads and stores have, by opcode and element size.

package isa

import "fmt"

// The manual's syntax lines show .vec and .type apart, but not every pair exists
// (PTX ISA 9.7.9.8, 9.7.9.11 and 9.7.9.14).

// vectorLimits are the most bytes that a vector of these opcodes has.
var vectorLimits = map[string]int{"ld": 32, "ldu": 16, "st": 32, "multimem": 16}

const oldVectorBytes = 16 // the most before wideVectors

// wideVectors is what vectors of more than 16 bytes or of eight elements need. The
// manual names .v8 with 32-bit types and .v4 with 64-bit types; public tests for
// PTX 8.8 and sm_120 have .v8 with bytes too, and this accepts them.
var wideVectors = Requirement{Since: 88, MinSM: 100}

// vector is the element size and the number of elements of a vector, 0 for
// scalars and where the syntax says all about vectors.
func (f *Form) vector(mods []string) (elem, n int) {
	v, t := f.slot("vec"), f.slot("type")
	if f.vectorLimit == 0 || v < 0 || mods[v] == "" {
		return 0, 0
	}
	typ, _ := TypeOf(mods[t])
	return typ.Size(), vecWidth(mods[v])
}

// vectorFault says why a vector cannot be loaded or stored, "" when it can.
func (f *Form) vectorFault(mods []string) string {
	elem, n := f.vector(mods)
	switch {
	case elem == B128.Size():
		return "128-bit values do not form vectors"
	case elem*n > f.vectorLimit:
		return fmt.Sprintf("%d bytes at once, but no vector here is longer than %d", elem*n, f.vectorLimit)
	}
	return ""
}

// wide reports whether a vector needs wideVectors.
func (f *Form) wide(mods []string) bool {
	elem, n := f.vector(mods)
	return f.vectorLimit > oldVectorBytes && (elem*n > oldVectorBytes || n == 8)
}
