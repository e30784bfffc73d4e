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
	check := func(off, n int) {
		t.Helper()
		missing := 0
		for _, b := range model[off : off+n] {
			if !b {
				missing++
			}
		}
		if got := s.Missing(uint64(off), uint64(n)); got != missing {
			t.Fatalf("%d of %d bytes from %d on are missing, expected %d", got, n, off, missing)
		}
		if n == size && s.Complete() != (missing == 0) {
			t.Fatalf("complete: %t, with %d bytes missing", s.Complete(), missing)
		}
	}
	for i := range 5000 {
		off := r.IntN(size)
		n := r.IntN(min(size-off, 200)) + 1
		mark := r.IntN(8) != 0
		if i%100 == 0 {
			off, n, mark = 0, size, i%200 == 0
		}
		if mark {
			s.Set(uint64(off), uint64(n))
		} else {
			s.Unset(uint64(off), uint64(n))
		}
		for i := range n {
			model[off+i] = mark
		}
		from := r.IntN(size)
		check(from, r.IntN(size-from)+1)
		check(0, size)
	}
	s.Set(size-1, 1000) // what is outside is ignored
	model[size-1] = true
	check(0, size)
	s.Unset(size, 10)
	check(0, size)
	s.Reset()
	if got := s.Missing(0, size); got != size || s.Complete() {
		t.Errorf("%d of %d bytes are missing after Reset", got, size)
	}
	var all *Shadow
	if all.Set(0, 8); all.Missing(0, 8) != 0 || !all.Complete() {
		t.Error("memory without a shadow is not initialised")
	}
}

// TestShadowAround: every byte of what Around returns has been written. It contains the page of the byte that it was asked for,
// or if that page has unwritten bytes the group of 64 bytes, unless that has unwritten bytes, too.
func TestShadowAround(t *testing.T) {
	const size = 200*pageBytes + 100
	r := rand.New(rand.NewPCG(3, 4))
	s := NewShadow(size)
	s.Set(0, size)
	for range 100 {
		s.Unset(r.Uint64N(size), 1)
	}
	contains := func(off, unit uint64) bool {
		lo, hi := s.Around(off)
		begin := off / unit * unit
		return lo <= begin && begin+unit <= hi
	}
	for range 10000 {
		off := r.Uint64N(size - 100)
		lo, hi := s.Around(off)
		if missing := s.Missing(lo, hi-lo); missing != 0 || hi > size {
			t.Fatalf("from %d to %d around %d: %d bytes were never written", lo, hi, off, missing)
		}
		page, group := s.Missing(off/pageBytes*pageBytes, pageBytes) == 0, s.Missing(off/64*64, 64) == 0
		if page && !contains(off, pageBytes) || group && !contains(off, 64) || !group && lo != hi {
			t.Fatalf("from %d to %d around %d (page written: %t, group written: %t)", lo, hi, off, page, group)
		}
	}
	if lo, hi := s.Around(size - 1); s.Missing(lo, hi-lo) != 0 {
		t.Errorf("from %d to %d around the last byte", lo, hi)
	}
}

// TestShadowWiden: rows keep what was written of them when they become longer.
func TestShadowWiden(t *testing.T) {
	s := NewShadow(3 * 64)
	s.Set(64+8, 8)
	s.Set(128, 64)
	wide := s.Widen(3, 64, 128)
	for off, missing := range map[uint64]int{0: 128, 128: 120, 256: 64} {
		if got := wide.Missing(off, 128); got != missing {
			t.Errorf("%d bytes of the row at %d are missing, expected %d", got, off, missing)
		}
	}
	if wide.Missing(128+8, 8) != 0 || wide.Missing(0, 3*128) != 3*128-72 {
		t.Error("other bytes are written than before")
	}
	if wide.Set(0, 3*128); !wide.Complete() {
		t.Error("a shadow all of whose bytes are written is not complete")
	}
}
