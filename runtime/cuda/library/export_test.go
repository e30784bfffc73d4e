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
