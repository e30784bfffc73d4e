// Elements of matrices as numbers in double precision, and rounding of numbers to elements.

package vector

import (
	"math"
	"unsafe"
)

// Format is an element format.
type Format uint8

// Formats.
const (
	NoFormat Format = iota
	F16
	BF16
	TF32
	F32
)

// Widen converts elements of a format, which are consecutive at from, to numbers. It returns how many it has converted,
// from the first on; the caller converts the others. Without assembly it returns 0.
func Widen(to []float64, from unsafe.Pointer, f Format) int {
	n := len(to) &^ 3
	if n == 0 || !Available() {
		return 0
	}
	p := (*byte)(from)
	switch f {
	case F16:
		widenF16(&to[0], p, uint64(n))
	case BF16:
		widenBF16(&to[0], p, uint64(n))
	case TF32:
		widenTF32(&to[0], p, uint64(n))
	case F32:
		widenF32(&to[0], p, uint64(n))
	default:
		return 0
	}
	return n
}

// nan32 is the result of rounding NaN.
const nan32 = 0x7fffffff

func rounded(v float64) uint32 {
	if v != v {
		return nan32
	}
	return math.Float32bits(float32(v))
}

// Narrow rounds numbers to the bits of floats.
func Narrow(to []uint32, from []float64) {
	to = to[:len(from)]
	done := 0
	if Available() {
		if done = len(from) &^ 3; done > 0 {
			narrowF32((*byte)(unsafe.Pointer(&to[0])), &from[0], uint64(done))
		}
	}
	for i, v := range from[done:] {
		to[done+i] = rounded(v)
	}
}

// Two registers of a warp may hold eight rows of eight floats: lane i those of row i/4 in columns i%4*2 and i%4*2+1.
const pairRows, pairColumns = 8, 8

// WidenPairs converts two registers of floats.
func WidenPairs(to Numbers, even, odd *[Lanes]uint32) {
	_ = to.V[to.last(pairRows, pairColumns)]
	if Available() {
		widenPairs(&to.V[0], uint64(to.Stride), even, odd)
		return
	}
	for lane := range even {
		at := lane/4*to.Stride + lane%4*2
		to.V[at], to.V[at+1] = float64(math.Float32frombits(even[lane])), float64(math.Float32frombits(odd[lane]))
	}
}

// NarrowPairs rounds numbers to two registers of floats.
func NarrowPairs(even, odd *[Lanes]uint32, from Numbers) {
	_ = from.V[from.last(pairRows, pairColumns)]
	if Available() {
		narrowPairs(even, odd, &from.V[0], uint64(from.Stride))
		return
	}
	for lane := range even {
		at := lane/4*from.Stride + lane%4*2
		even[lane], odd[lane] = rounded(from.V[at]), rounded(from.V[at+1])
	}
}

// Transpose writes rows by columns numbers as columns by rows.
func Transpose(to, from Numbers, rows, columns int) {
	if rows <= 0 || columns <= 0 {
		return
	}
	_, _ = to.V[to.last(columns, rows)], from.V[from.last(rows, columns)]
	if Available() && rows%4 == 0 && columns%4 == 0 {
		transpose(&to.V[0], &from.V[0], uint64(rows), uint64(columns), uint64(to.Stride), uint64(from.Stride))
		return
	}
	for row := range rows {
		for column, v := range from.Row(row, columns) {
			to.V[column*to.Stride+row] = v
		}
	}
}
