package slab

import "testing"

// TestNext: each object is zero, and is returned once.
func TestNext(t *testing.T) {
	var s Of[[3]int]
	seen := make(map[*[3]int]bool)
	for i := range 5 * length {
		x := s.Next()
		if seen[x] || *x != [3]int{} {
			t.Fatalf("object %d: returned before: %t, contents %v", i, seen[x], *x)
		}
		seen[x], x[1] = true, i
	}
	if n := testing.AllocsPerRun(10, func() {
		for range length {
			s.Next()
		}
	}); n != 1 {
		t.Errorf("%v allocations for %d objects, expected one", n, length)
	}
}
