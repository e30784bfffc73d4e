package emu

import "testing"

// TestSparse: large allocations are zeros when they are made, those of a size that has been
// freed before too, and those freed for good are not read.
func TestSparse(t *testing.T) {
	mm := newMemory(1 << 40)
	const size = sparseFrom + 3
	for round := range 3 {
		var all []*allocation
		for range maxSpare + 2 {
			a, err := mm.alloc("a", size, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, off := range []uint64{0, size / 2, size - 1} {
				if a.data[off] != 0 {
					t.Fatalf("round %d: byte %d is %d", round, off, a.data[off])
				}
				a.data[off] = 7
			}
			all = append(all, a)
		}
		for i, a := range all {
			end := mm.retire
			if i == 0 {
				end = mm.free
			}
			if err := end(a.base); err != nil {
				t.Fatal(err)
			}
			if err := mm.read(a.base, make([]byte, 1)); err == nil {
				t.Error("freed memory can be read")
			}
		}
		if len(mm.spare) != maxSpare {
			t.Errorf("%d spare blocks, want %d", len(mm.spare), maxSpare)
		}
	}
}
