package gmem

import "testing"

// TestSparse: large allocations are zeros when they are made, those of a size that has been
// freed before too, and those freed for good are not read.
func TestSparse(t *testing.T) {
	mm := New(1 << 40)
	const size = sparseFrom + 3
	for round := range 3 {
		var all []*Allocation
		for range maxSpare + 2 {
			a, err := mm.Alloc("a", size, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, off := range []uint64{0, size / 2, size - 1} {
				if a.Data[off] != 0 {
					t.Fatalf("round %d: byte %d is %d", round, off, a.Data[off])
				}
				a.Data[off] = 7
			}
			all = append(all, a)
		}
		for i, a := range all {
			end := mm.Retire
			if i == 0 {
				end = mm.Free
			}
			if err := end(a.Base); err != nil {
				t.Fatal(err)
			}
			if err := mm.Read(a.Base, make([]byte, 1)); err == nil {
				t.Error("freed memory can be read")
			}
		}
		if len(mm.spare) != maxSpare {
			t.Errorf("%d spare blocks, want %d", len(mm.spare), maxSpare)
		}
	}
}

// TestZero: Zero zeroes just the bytes that it is asked to, of allocations of either sort, and refuses what is beyond.
func TestZero(t *testing.T) {
	mm := New(1 << 40)
	for _, size := range []uint64{100, sparseFrom + 3} {
		a, err := mm.Alloc("a", size, false)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Data {
			a.Data[i] = 1
		}
		if err := mm.Zero(a.Base+10, size-20); err != nil {
			t.Fatal(err)
		}
		for i, v := range a.Data {
			if in := i >= 10 && uint64(i) < size-10; in != (v == 0) {
				t.Fatalf("%d bytes: byte %d is %d", size, i, v)
			}
		}
		if err := mm.Zero(a.Base+10, size); err == nil {
			t.Errorf("%d bytes: zeroed beyond the end", size)
		}
	}
}
