package gmem

import (
	"math/rand/v2"
	"testing"
)

// stored is a store of size bytes at an offset.
type stored struct{ off, size uint64 }

// TestHoles: unwritten bytes are like padding where a structure can have it, and elements of arrays are not.
func TestHoles(t *testing.T) {
	repeated := func(n, period uint64, members ...stored) (list []stored) {
		for i := range n {
			for _, m := range members {
				list = append(list, stored{i*period + m.off, m.size})
			}
		}
		return list
	}
	for _, c := range []struct {
		name             string
		size             uint64
		stores           []stored
		missing, padding uint64 // bytes
	}{
		{"char, long long", 64, repeated(4, 16, stored{0, 1}, stored{8, 8}), 28, 28},
		{"double, int", 64, repeated(4, 16, stored{0, 8}, stored{8, 4}), 16, 16},
		{"int, double, int", 48, repeated(2, 24, stored{0, 4}, stored{8, 8}, stored{16, 4}), 16, 16},
		{"one double and one int", 16, repeated(1, 16, stored{0, 8}, stored{8, 4}), 4, 4},
		{"int, float4", 64, repeated(2, 32, stored{0, 4}, stored{16, 16}), 24, 24},
		{"short, char", 16, repeated(4, 4, stored{0, 2}, stored{2, 1}), 4, 4},
		{"char, long long without the second member", 64, repeated(4, 16, stored{0, 1}), 60, 0},
		{"ints but for the last", 64, repeated(15, 4, stored{0, 4}), 4, 0},
		{"every other int", 64, repeated(8, 8, stored{0, 4}), 32, 0},
		{"doubles but for the last", 64, repeated(7, 8, stored{0, 8}), 8, 0},
		{"bytes but for one", 16, repeated(15, 1, stored{0, 1}), 1, 0},
		{"ints by vectors but for the tail", 60, repeated(3, 16, stored{0, 16}), 12, 0},
		{"nothing before the first member", 16, []stored{{8, 8}}, 8, 0},
		{"nothing", 64, nil, 64, 0},
	} {
		s := NewShadow(c.size)
		for _, w := range c.stores {
			s.Store(w.off, w.size)
		}
		var h Holes
		if h = s.Holes(0, c.size); uint64(h.Count()) != c.missing || uint64((Holes{All: h.Padding}).Count()) != c.padding {
			t.Errorf("%s: %d bytes are missing and %d are padding, expected %d and %d", c.name, h.Count(), Holes{All: h.Padding}.Count(), c.missing, c.padding)
		}
		if _, n := s.Unwritten(0, c.size); n != c.missing-c.padding {
			t.Errorf("%s: %d bytes are unwritten and no padding, expected %d", c.name, n, c.missing-c.padding)
		}
		copied := NewShadow(c.size + 16)
		copied.Copy(16, s, 0, c.size)
		if got := copied.Holes(16, c.size); got != h {
			t.Errorf("%s: the copy has %x, expected %x", c.name, got, h)
		}
	}
}

// TestLastMember: padding at the end of a structure is recognised where the copy of the structure ends, not behind an
// array of another type.
func TestLastMember(t *testing.T) {
	s := NewShadow(256)
	s.Store(64, 8)
	s.Store(72, 4)
	for _, c := range []struct{ n, want uint64 }{{16, 0}, {12, 0}, {20, 8}, {24, 12}} {
		if _, n := s.Unwritten(64, c.n); n != c.want {
			t.Errorf("of %d bytes %d are unwritten, expected %d", c.n, n, c.want)
		}
	}
	if h := s.Holes(64, 16); h.Padding != 0 {
		t.Errorf("padding %x where nothing follows", h.Padding)
	}
}

// TestRows: the bytes between the rows of pitched memory are padding, others are not.
func TestRows(t *testing.T) {
	mm := New(1 << 20)
	a, err := mm.Alloc("rows", 3*512, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := mm.SetUnwritten(a.Base); err != nil {
		t.Fatal(err)
	}
	mm.SetRows(a.Base, Rows{Width: 100, Pitch: 512})
	for row := range uint64(3) {
		a.Shadow.Store(row*512, 96)
	}
	if first, n := mm.Unwritten(a.Base, 3*512); n != 12 || first != a.Base+96 {
		t.Errorf("%d bytes from 0x%x on, expected 12 from 0x%x on", n, first, a.Base+96)
	}
}

// TestPattern: of shared memory, those words are written that the host has changed, whatever values it has stored.
func TestPattern(t *testing.T) {
	const words = 3 * pageBytes / wordBytes
	r := rand.New(rand.NewPCG(7, 8))
	mm := New(1 << 20)
	memory := make([]byte, words*wordBytes-2) // the last word is only a part of one
	a, err := mm.AllocShared("shared", memory)
	if err != nil {
		t.Fatal(err)
	}
	if mm.SetUnwritten(a.Base) != nil || a.State(0, a.Size).Holes(0, 64).Count() != 64 {
		t.Fatal("fresh memory is written")
	}
	var written [words]bool
	write := func(i int) {
		written[i] = true
		for k := i * wordBytes; k < min((i+1)*wordBytes, len(memory)); k++ {
			memory[k] = byte(r.Uint32())
			if k%wordBytes == 0 && memory[k] == pattern[k%len(pattern)] { // of all bytes of a word by chance once in 2^32
				memory[k]++
			}
		}
	}
	for range 5 {
		for range 500 {
			write(r.IntN(words))
		}
		write(words - 1)
		for i := range uint64(words) {
			n := min(wordBytes, a.Size-i*wordBytes)
			if got := a.State(i*wordBytes, n).Holes(i*wordBytes, n).Count(); uint64(got) != n && !written[i] || got != 0 && written[i] {
				t.Fatalf("word %d, written: %t, has %d unwritten bytes", i, written[i], got)
			}
		}
	}
	// Text and zeros end at any byte.
	text, err := mm.AllocShared("text", make([]byte, 4096))
	if err != nil || mm.SetUnwritten(text.Base) != nil {
		t.Fatal(err)
	}
	for from := uint64(13); from < 4000; from += 37 {
		clear(text.Data[from : from+from%11])
		copy(text.Data[from+from%11:], "text")
		to := from + from%11 + 4
		for i := from - 5; i < to+5; i++ {
			if got, want := text.State(i, 1).Holes(i, 1).Count(), from <= i && i < to; (got == 0) != want {
				t.Fatalf("from %d to %d: byte %d, written: %t", from, to, i, got == 0)
			}
		}
	}
	b, err := mm.Alloc("copy", a.Size, false)
	if err != nil {
		t.Fatal(err)
	}
	mm.CopyState(b.Base, a.Base, a.Size)
	_, have := mm.Unwritten(b.Base, a.Size)
	if _, want := mm.Unwritten(a.Base, a.Size); have != want || want == 0 {
		t.Errorf("%d bytes of the copy are unwritten, expected %d", have, want)
	}
}
