// Valid vectors of loads and stores, by opcode and element size.

package isa

import "fmt"

// The manual's syntax lines show .vec and .type independently, but not every pair exists (PTX ISA 9.7.9.8 and
// 9.7.9.11).

// vectorLimits are the maximum sizes in bytes of vectors of these opcodes.
var vectorLimits = map[string]int{"ld": 32, "ldu": 16, "st": 32}

const oldVectorBytes = 16 // maximum without wideVectors

// wideVectors is the requirement of vectors of more than 16 bytes, which are in global memory. The manual names .v8
// with 32-bit types and .v4 with 64-bit types; ptxas accepts .v8 with smaller ones as it does .v4, and so does this.
var wideVectors = Requirement{Since: 88, MinSM: 100}

// vector returns the element size and the number of elements of a vector, 0 for scalars and if the syntax determines
// all vectors.
func (f *Form) vector(mods []string) (elem, n int) {
	v, t := f.slot("vec"), f.slot("type")
	if f.vectorLimit == 0 || v < 0 || mods[v] == "" {
		return 0, 0
	}
	word := f.ownType()
	if t >= 0 {
		word = mods[t]
	}
	typ, _ := TypeOf(word)
	return typ.Size(), vecWidth(mods[v])
}

// vectorFault says why a vector cannot be loaded or stored, "" if it can.
func (f *Form) vectorFault(mods []string) string {
	elem, n := f.vector(mods)
	switch {
	case elem == B128.Size():
		return "128-bit values do not form vectors"
	case elem*n > f.vectorLimit:
		return fmt.Sprintf("%d bytes at once, but no vector here is longer than %d", elem*n, f.vectorLimit)
	case f.wide(mods):
		if i := f.slot("ss"); i >= 0 && mods[i] != "" && mods[i] != "global" {
			return fmt.Sprintf("%d bytes at once, but only of global memory", elem*n)
		}
	}
	return ""
}

// wide reports whether a vector needs wideVectors.
func (f *Form) wide(mods []string) bool {
	elem, n := f.vector(mods)
	return f.vectorLimit > oldVectorBytes && elem*n > oldVectorBytes
}
