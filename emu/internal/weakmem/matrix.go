// Relations between operations.

package weakmem

import "math/bits"

// matrix is a relation between operations, as rows of bits.
type matrix struct {
	words int
	bits  []uint64
}

func newMatrix(n int) matrix {
	words := (n + 63) / 64
	return matrix{words, make([]uint64, n*words)}
}

func (m matrix) row(i int) []uint64 { return m.bits[i*m.words:][:m.words] }
func (m matrix) has(i, j int) bool  { return m.bits[i*m.words+j/64]>>(j%64)&1 != 0 }
func (m matrix) set(i, j int)       { m.bits[i*m.words+j/64] |= 1 << (j % 64) }
func (m matrix) clone() matrix      { return matrix{m.words, append([]uint64(nil), m.bits...)} }
func (m matrix) join(dst, src int)  { orInto(m.row(dst), m.row(src)) }
func orInto(dst, src []uint64) {
	for i, w := range src {
		dst[i] |= w
	}
}

// close makes a relation transitive.
func (m matrix) close(n int) {
	for k := range n {
		for i := range n {
			if m.has(i, k) {
				m.join(i, k)
			}
		}
	}
}

// addClosed adds a pair to a transitive relation and keeps it transitive.
func (m matrix) addClosed(n, a, b int) {
	if m.has(a, b) {
		return
	}
	row := append([]uint64(nil), m.row(b)...)
	row[b/64] |= 1 << (b % 64)
	for i := range n {
		if i == a || m.has(i, a) {
			orInto(m.row(i), row)
		}
	}
}

// each calls f with the members of a row.
func (m matrix) each(i int, f func(j int)) {
	for w, word := range m.row(i) {
		for ; word != 0; word &= word - 1 {
			f(w*64 + bits.TrailingZeros64(word))
		}
	}
}
