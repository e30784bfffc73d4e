package mbar

import (
	"math/rand/v2"
	"testing"
)

// TestObjects compares the entries with a list of bytes, for random lives of objects.
func TestObjects(t *testing.T) {
	const size = 160
	rng := rand.New(rand.NewPCG(5, 7))
	for range 200 {
		var o Objects[int]
		var init, inval [size / Size]int // steps
		for step := 1; step < 40; step++ {
			k := rng.IntN(len(init))
			valid := init[k] > inval[k]
			if e := o.At(uint64(k * Size)); (e != nil) != (init[k] > 0) || e != nil && (e.Valid != valid || e.Init != init[k]) {
				t.Fatalf("object %d: %+v, expected %v since %d", k, e, valid, init[k])
			}
			if valid {
				o.End(uint64(k*Size), step)
				inval[k] = step
			} else {
				o.Make(uint64(k*Size), step)
				init[k] = step
			}
			checkRanges(t, &o, size, func(off int) int {
				if k := off / Size; init[k] > inval[k] {
					return init[k]
				}
				return 0
			}, rng)
		}
		o.Reset()
		if from, to := o.Largest(size); from != 0 || to != size || o.At(0) != nil {
			t.Fatalf("after Reset: %d to %d", from, to)
		}
	}
}

// checkRanges compares Overlaps, Around and Largest with since, which returns when the object at an offset was made, 0
// without one.
func checkRanges(t *testing.T, o *Objects[int], size int, since func(off int) int, rng *rand.Rand) {
	t.Helper()
	off, n, want := rng.IntN(size), rng.IntN(40), 0
	for k := off; k < min(off+n, size) && want == 0; k++ {
		want = since(k)
	}
	got := 0
	if e := o.Overlaps(uint64(off), uint64(n)); e != nil {
		got = e.Init
	}
	if got != want {
		t.Fatalf("%d bytes from %d overlap the object of step %d, expected %d", n, off, got, want)
	}
	from, to := off, off
	for from > 0 && since(off) == 0 && since(from-1) == 0 {
		from--
	}
	for to < size && since(off) == 0 && since(to) == 0 {
		to++
	}
	if a, b := o.Around(uint64(off), uint64(size)); since(off) == 0 && (a != uint64(from) || b != uint64(to)) || since(off) != 0 && a < b && a <= uint64(off) && uint64(off) < b {
		t.Fatalf("around %d: %d to %d, expected %d to %d", off, a, b, from, to)
	}
	best, run := 0, 0
	for k := range size {
		if run++; since(k) != 0 {
			run = 0
		}
		best = max(best, run)
	}
	if a, b := o.Largest(uint64(size)); int(b-a) != best || o.Overlaps(a, b-a) != nil {
		t.Fatalf("largest: %d to %d, expected %d bytes", a, b, best)
	}
}
