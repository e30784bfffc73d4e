// Sets of threads.

package causality

// ThreadSet is a set of threads. It may contain threads that were not added.
type ThreadSet [8]uint64

// bit returns a thread's word and bit in the set. Threads of two blocks of up to 256 threads have bits of their own.
func (s *ThreadSet) bit(u unit, lane int) (word *uint64, bit uint64) {
	at := uint32(u>>radixBits)*256 + uint32(u)%radix*radix + uint32(lane)
	return &s[at/64%uint32(len(s))], 1 << (at % 64)
}

// Add adds lanes of a unit.
func (s *ThreadSet) Add(u unit, lanes uint32) {
	word, bit := s.bit(u, 0)
	*word |= bit * uint64(lanes)
}

// Has reports whether a thread may be in the set.
func (s *ThreadSet) Has(u unit, lane int) bool {
	word, bit := s.bit(u, lane)
	return *word&bit != 0
}
