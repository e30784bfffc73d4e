// What tests see of generators.

package library

// MarsagliaXorwow returns the first numbers of xorwow from the state that its publication has.
func MarsagliaXorwow(n int) (list []uint32) {
	g := xorwow{x: [5]uint32{123456789, 362436069, 521288629, 88675123, 5783321}, d: 6615241}
	for range n {
		list = append(list, g.next())
	}
	return list
}

// EcuyerMRG returns the first number of mrg32k3a in (0, 1), from the state that L'Ecuyer's package begins with.
func EcuyerMRG() float64 {
	g := mrg32k3a{a: [3]uint64{12345, 12345, 12345}, b: [3]uint64{12345, 12345, 12345}}
	return float64(g.combined()) / (mrgFirst + 1)
}

// Encode returns a number as an element.
func Encode(t Type, v complex128) []byte {
	b := make([]byte, t.Size())
	encode(t, []complex128{v}, b)
	return b
}

// Decode returns the number that the first bytes have.
func Decode(t Type, b []byte) complex128 {
	var out [1]complex128
	decode(t, b, out[:])
	return out[0]
}
