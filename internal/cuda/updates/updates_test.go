// Which bytes of a page are read before they are written.

package updates

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestTouch: bytes count as updated if they are read before they are written, across pages and words of the set, and the
// first instructions are named.
func TestTouch(t *testing.T) {
	w := New(nil, nil)
	w.Begin()
	load, store, again, add := new(rewrite.Inst), new(rewrite.Inst), new(rewrite.Inst), new(rewrite.Inst)
	const base = 10*PageSize - 100
	w.touch(load, abi.AccessLoad, base, 200)
	w.touch(store, abi.AccessStore, base+50, 100)
	w.touch(again, abi.AccessStore, base+60, 8)
	w.touch(store, abi.AccessStore, base+300, 8)
	w.touch(load, abi.AccessLoad, base+300, 8) // after the write
	w.touch(add, abi.AccessRMW, base+400, 4)
	u := w.End()
	var got []uint64
	for page, bytes := range u.Pages() {
		for at := range bytes.All() {
			got = append(got, page+at-base)
		}
	}
	var want []uint64
	for at := uint64(50); at < 150; at++ {
		want = append(want, at)
	}
	if want = append(want, 400, 401, 402, 403); !slices.Equal(got, want) {
		t.Errorf("updated: %v, want %v", got, want)
	}
	for at, in := range map[uint64][2]*rewrite.Inst{50: {load, store}, 62: {load, store}, 149: {load, store}, 402: {add, add}} {
		if read, write := u.At(base + at); read != in[0] || write != in[1] {
			t.Errorf("byte %d: other instructions", at)
		}
	}
}

// TestMostPages: pages beyond the limit are ignored.
func TestMostPages(t *testing.T) {
	w := New(nil, nil)
	w.Begin()
	in := new(rewrite.Inst)
	for i := range uint64(mostPages + 2) {
		w.touch(in, abi.AccessRMW, i*PageSize, 4)
	}
	n := 0
	for range w.End().Pages() {
		n++
	}
	if n != mostPages {
		t.Errorf("%d pages, want %d", n, mostPages)
	}
}
