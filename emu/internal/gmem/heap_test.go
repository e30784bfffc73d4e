package gmem

import "testing"

// TestHeap: kernels reach regions of a heap, and what is in no heap; a message says what is near, or was there.
func TestHeap(t *testing.T) {
	mm := New(1 << 20)
	a, err := mm.Alloc("a", 4096, false)
	if err != nil {
		t.Fatal(err)
	}
	mm.Divide(a.Base+1024, 2048, "pool")
	if !mm.Region(a.Base+1024, 100, "") || !mm.Region(a.Base+1536, 512, "x") || mm.Region(a.Base+2048, 2000, "") || mm.Region(a.Base, 4, "") {
		t.Fatal("regions")
	}
	if !mm.Region(a.Base+2560, 64, "y") || !mm.EndRegion(a.Base+2560) || mm.EndRegion(a.Base+2560) {
		t.Fatal("a region that ends")
	}
	for _, c := range []struct {
		off, n     uint64
		kind, want string
	}{
		{0, 4, "", ""},
		{1020, 4, "", ""},
		{1020, 8, "out-of-bounds", "is 1020 bytes into the allocation a of size 4096 and reaches 4 bytes into a heap beyond regions of it"},
		{1024, 100, "", ""},
		{1120, 8, "out-of-bounds", `is 1120 bytes into the allocation a of size 4096, in region at +0x400 of size 100 of the heap "pool", and reaches 4 bytes beyond its end`},
		{1124, 4, "out-of-bounds", `is 1124 bytes into the allocation a of size 4096, 0 bytes after region at +0x400 of size 100 of the heap "pool"`},
		{1540, 4, "", ""},
		{2056, 4, "out-of-bounds", `is 2056 bytes into the allocation a of size 4096, 8 bytes after region "x" of size 512 of the heap "pool"`},
		{2564, 4, "use-after-free", `is 2564 bytes into the allocation a of size 4096, in the former region "y" of size 64 of the heap "pool"`},
		{3072, 4, "", ""},
	} {
		kind, text := "", ""
		if _, v := mm.Check(a.Base+c.off, c.n); v != nil {
			kind, text = v.Class, v.Msg
		}
		if kind != c.kind || text != c.want {
			t.Errorf("%d bytes at %d: %s: %q, expected %s: %q", c.n, c.off, kind, text, c.kind, c.want)
		}
		s, data := AllocCache{}, a.Data
		if c.kind == "" {
			if mm.Fill(&s, a, data, a.Base+c.off, c.n); a.Base+c.off-s.Base >= s.Lim {
				t.Errorf("%d bytes at %d are not cached", c.n, c.off)
			}
		}
	}
	mm.Undivide(a.Base + 1024)
	if _, v := mm.Check(a.Base+1000, 2000); v != nil {
		t.Error(v)
	}
}
