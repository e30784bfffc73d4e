package pagetable

import (
	"math/rand/v2"
	"testing"
)

// TestTable compares a table with a map, over numbers in a row, a power of two apart, and at random.
func TestTable(t *testing.T) {
	var table Table[int]
	want := map[uint64]*int{}
	r := rand.New(rand.NewPCG(1, 2))
	same := func() {
		t.Helper()
		if table.Len() != len(want) {
			t.Fatalf("%d pages, expected %d", table.Len(), len(want))
		}
		seen := 0
		for n, p := range table.All {
			if seen++; want[n] != p {
				t.Fatalf("page %d is another one", n)
			}
		}
		if seen != len(want) {
			t.Fatalf("%d pages in all, expected %d", seen, len(want))
		}
	}
	for i := range uint64(3000) {
		n := [...]uint64{i, i << 20, i<<52 | 7, r.Uint64()}[r.IntN(4)]
		if got := table.Find(n); got != want[n] {
			t.Fatalf("page %d is %p, expected %p", n, got, want[n])
		}
		if want[n] == nil {
			want[n] = new(int)
			table.Add(n, want[n])
		}
		if table.Find(n) != want[n] {
			t.Fatalf("page %d is not found after it was added", n)
		}
		if i%3 == 0 {
			table.Delete(n)
			delete(want, n)
			if got := table.Find(n); got != nil {
				t.Fatalf("page %d is %p after it was deleted", n, got)
			}
		}
		if i%1000 == 999 {
			same()
			table.Keep(func(n uint64, _ *int) bool { return n%3 != 0 })
			for n := range want {
				if n%3 == 0 {
					delete(want, n)
				}
			}
			same()
		}
	}
}

// TestTrim: the pages of a range are dropped that are not to be kept, whether there are few in the table or few in the
// range. A range may end with the last number that there is.
func TestTrim(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		var table Table[int]
		want := map[uint64]*int{}
		for range 1 + r.IntN(100) {
			if n := ^r.Uint64N(200); want[n] == nil {
				want[n] = new(int)
				table.Add(n, want[n])
			}
		}
		last := ^r.Uint64N(100)
		first, in, visited := last-r.Uint64N(120), 0, 0
		for n := range want {
			if n >= first && n <= last {
				in++
			}
		}
		table.Trim(first, last, func(n uint64, p *int) bool {
			if want[n] != p || n < first || n > last {
				t.Fatalf("seed %d: page %d is another one, or not from %d to %d", seed, n, first, last)
			}
			if visited++; n%3 == 0 {
				delete(want, n)
			}
			return n%3 != 0
		})
		for n, p := range want {
			if table.Find(n) != p {
				t.Fatalf("seed %d: page %d is not found", seed, n)
			}
		}
		if table.Len() != len(want) || visited != in {
			t.Fatalf("seed %d: %d pages are left, expected %d; %d of %d asked about", seed, table.Len(), len(want), visited, in)
		}
	}
}

// TestProbes: pages of arrays are found after two steps on average, and none takes many.
func TestProbes(t *testing.T) {
	for _, apart := range []uint64{1, 2, 64, 1 << 10, 1 << 20} {
		var table Table[int]
		const pages = 1 << 12
		for i := range uint64(pages) {
			table.Add(0x7f_0000_0000+i*apart, new(int))
		}
		steps := 0
		for at := range table.slots {
			if s := &table.slots[at]; s.page != nil {
				steps += (at-table.first(s.number))&(len(table.slots)-1) + 1
			}
		}
		if steps > 2*pages {
			t.Errorf("%d pages %d apart are found after %d steps", pages, apart, steps)
		}
	}
}
