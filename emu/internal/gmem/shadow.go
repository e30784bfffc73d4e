// Shadow bits: which bytes have been written.

package gmem

// Shadow has a bit for each byte of some memory, set when it has been written.
type Shadow []uint64

// NewShadow is the shadow of n bytes.
func NewShadow(n uint64) Shadow { return make(Shadow, (n+63)/64) }

// Set marks n bytes from off on. What is outside is ignored.
func (s Shadow) Set(off, n uint64) {
	for ; n > 0 && off>>6 < uint64(len(s)); n, off = n-1, off+1 {
		if off&63 == 0 && n >= 64 {
			s[off>>6] = ^uint64(0)
			n, off = n-63, off+63
			continue
		}
		s[off>>6] |= 1 << (off & 63)
	}
}

// Unset forgets n bytes from off on.
func (s Shadow) Unset(off, n uint64) {
	for ; n > 0 && off>>6 < uint64(len(s)); n, off = n-1, off+1 {
		s[off>>6] &^= 1 << (off & 63)
	}
}

// Missing is how many of the n bytes from off on are not marked.
func (s Shadow) Missing(off, n uint64) int {
	count := 0
	for ; n > 0 && off>>6 < uint64(len(s)); n, off = n-1, off+1 {
		if s[off>>6]>>(off&63)&1 == 0 {
			count++
		}
	}
	return count
}
