package gmem

import (
	"math/rand/v2"
	"testing"
)

// TestShadow compares a shadow with one bool for each byte.
func TestShadow(t *testing.T) {
	const size = 300
	r := rand.New(rand.NewPCG(1, 2))
	s, model := NewShadow(size), [size]bool{}
	for range 5000 {
		off := r.IntN(size)
		n := r.IntN(min(size-off, 200)) + 1
		mark := r.IntN(2) == 0
		if mark {
			s.Set(uint64(off), uint64(n))
		} else {
			s.Unset(uint64(off), uint64(n))
		}
		for i := range n {
			model[off+i] = mark
		}
		from := r.IntN(size)
		missing := 0
		for _, b := range model[from:] {
			if !b {
				missing++
			}
		}
		if got := s.Missing(uint64(from), uint64(size-from)); got != missing {
			t.Fatalf("%d bytes from %d on are missing, expected %d", got, from, missing)
		}
	}
	s.Set(size-1, 1000) // what is outside is ignored
	if Shadow(nil).Missing(0, 8) != 0 {
		t.Error("memory without a shadow is not initialised")
	}
}
