package gmem

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/ptxsan/ptxsan/internal/hostmemory"
)

// missing returns how many of n bytes are unwritten. Bytes that Set has marked are no evidence of padding.
func missing(s *Shadow, off, n uint64) int {
	_, count := s.Unwritten(off, n)
	return int(count)
}

// TestShadow compares a shadow with one bool for each byte.
func TestShadow(t *testing.T) {
	const size = 300
	r := rand.New(rand.NewPCG(1, 2))
	s, model := NewShadow(size), [size]bool{}
	check := func(off, n int) {
		t.Helper()
		want := 0
		for _, b := range model[off : off+n] {
			if !b {
				want++
			}
		}
		if got := missing(s, uint64(off), uint64(n)); got != want {
			t.Fatalf("%d of %d bytes from %d on are missing, expected %d", got, n, off, want)
		}
		if n == size && s.Complete() != (want == 0) {
			t.Fatalf("complete: %t, with %d bytes missing", s.Complete(), want)
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
	if got := missing(s, 0, size); got != size || s.Complete() {
		t.Errorf("%d of %d bytes are missing after Reset", got, size)
	}
	var all *Shadow
	if all.Set(0, 8); missing(all, 0, 8) != 0 || !all.Complete() {
		t.Error("memory without a shadow is not initialised")
	}
}

// TestShadowAround: every byte of what Around returns has been written. It contains the page of the byte that it was
// asked for, or if that page has unwritten bytes the group of 64 bytes, unless that has unwritten bytes, too.
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
		if n := missing(s, lo, hi-lo); n != 0 || hi > size {
			t.Fatalf("from %d to %d around %d: %d bytes were never written", lo, hi, off, n)
		}
		page, group := missing(s, off/pageBytes*pageBytes, pageBytes) == 0, missing(s, off/64*64, 64) == 0
		if page && !contains(off, pageBytes) || group && !contains(off, 64) || !group && lo != hi {
			t.Fatalf("from %d to %d around %d (page written: %t, group written: %t)", lo, hi, off, page, group)
		}
	}
	if lo, hi := s.Around(size - 1); missing(s, lo, hi-lo) != 0 {
		t.Errorf("from %d to %d around the last byte", lo, hi)
	}
}

// TestShadowWiden: rows keep what was written of them when they become longer.
func TestShadowWiden(t *testing.T) {
	s := NewShadow(3 * 64)
	s.Set(64+8, 8)
	s.Set(128, 64)
	wide := s.Widen(3, 64, 128)
	for off, want := range map[uint64]int{0: 128, 128: 120, 256: 64} {
		if got := missing(wide, off, 128); got != want {
			t.Errorf("%d bytes of the row at %d are missing, expected %d", got, off, want)
		}
	}
	if missing(wide, 128+8, 8) != 0 || missing(wide, 0, 3*128) != 3*128-72 {
		t.Error("other bytes are written than before")
	}
	if wide.Set(0, 3*128); !wide.Complete() {
		t.Error("a shadow all of whose bytes are written is not complete")
	}
}

// TestShadowOfLarge: the shadow of memory of which little is written takes little memory.
func TestShadowOfLarge(t *testing.T) {
	before := hostmemory.Used()
	if before == 0 {
		t.Skip("it is not known here how much memory the process uses")
	}
	const size, at = 32 << 30, 20 << 30
	s := NewShadow(size)
	s.Set(at, 3*pageBytes)
	if lo, hi := s.Around(at + pageBytes); lo != at || hi != at+3*pageBytes {
		t.Errorf("written from %#x to %#x, expected %#x to %#x", lo, hi, uint64(at), uint64(at+3*pageBytes))
	}
	s.Unset(at+pageBytes, 1)
	if first, n := s.Unwritten(at, 3*pageBytes); first != at+pageBytes || n != 1 {
		t.Errorf("%d bytes are unwritten from %#x on, expected one at %#x", n, first, uint64(at+pageBytes))
	}
	if after := hostmemory.Used(); after > before+64<<20 {
		t.Errorf("%d bytes used after, %d before", after, before)
	}
	runtime.KeepAlive(s)
}
