package tmem

import (
	"strings"
	"testing"
)

// TestAlloc: the first columns that are free are allocated, and what is freed can be allocated again.
func TestAlloc(t *testing.T) {
	var m Memory
	take := func(n uint32, want Addr) {
		t.Helper()
		if a, ok := m.Alloc(n); !ok || a != want {
			t.Errorf("allocation of %d: %d, %v; want %d", n, a, ok, want)
		}
	}
	take(128, 0)
	take(64, 128)
	take(256, 192)
	take(64, 448)
	if _, ok := m.Alloc(32); ok {
		t.Error("allocated from a full memory")
	}
	if bad := m.Free(128, 64); bad != nil {
		t.Error(bad)
	}
	take(32, 128)
	if m.Check(0, 128, 160, 32) == nil || m.Check(0, 128, 128, 32) != nil || m.Check(127, 2, 0, 1) == nil {
		t.Error("Check")
	}
	if n := m.Leaks(); n != 480 {
		t.Errorf("%d columns left", n)
	}
	m.Row(5, 130, 1)[0] = 7
	m.Reset()
	if take(512, 0); m.Row(5, 130, 1)[0] != 0 {
		t.Error("not empty after Reset")
	}
}

// TestDescriptors: descriptors of instructions that the manual does not allow.
func TestDescriptors(t *testing.T) {
	base := uint32(1<<4 | 8<<17 | 8<<24) // f16, D f32, 128 by 64
	for _, c := range []struct {
		form Form
		v    uint32
		want string
	}{
		{Form{Kind: "f16"}, base, ""},
		{Form{Kind: "f16"}, base | 1<<2, "bit 2 (sparsity) is 1, and the instruction has a dense A"},
		{Form{Kind: "f16", Sparse: true}, base, "bit 2 (sparsity) is 0, and the instruction has a sparse A"},
		{Form{Kind: "f16"}, base | 2<<7, "type 2 of A, which .kind::f16 does not have"},
		{Form{Kind: "tf32"}, base, "type 0 of A"},
		{Form{Kind: "f8f6f4"}, base | 2<<10, "type 2 of B"},
		{Form{Kind: "f16"}, base&^(3<<4) | 2<<4, "type 2 of D"},
		{Form{Kind: "f16"}, base&^(3<<4) | 1<<7 | 1<<10, "type 0 of D"},
		{Form{Kind: "f16"}, base | 1<<7, "A is .bf16 and B .f16"},
		{Form{Kind: "f16"}, base | 1<<3, "only integers saturate"},
		{Form{Kind: "i8"}, base | 1<<13, "type 1 of D"},
		{Form{Kind: "i8"}, base&^(3<<4) | 2<<4 | 1<<13, "integers cannot be negated"},
		{Form{Kind: "f16"}, base | 1, "sparsity selector 1 of a dense A"},
		{Form{Kind: "f8f6f4", Sparse: true}, base | 1<<2 | 1, "sparsity selector 1, which must be 0 for .kind::f8f6f4"},
		{Form{Kind: "f16"}, base&^(31<<24) | 16<<24, "M = 256, expected one of [64 128]"},
		{Form{Kind: "f16", Pair: true}, base&^(31<<24) | 4<<24, "M = 64, expected one of [128 256]"},
		{Form{Kind: "f16"}, base &^ (63 << 17), "N = 0"},
		{Form{Kind: "f16"}, base&^(63<<17) | 33<<17, "N = 264"},
		{Form{Kind: "i8"}, base&^(3<<4|63<<17) | 2<<4 | 5<<17, "N = 40"},
		{Form{Kind: "f16", Ws: true}, base&^(63<<17) | 4<<17, "N = 32"},
		{Form{Kind: "f8f6f4"}, base | 5<<7 | 1<<15, "a transposed matrix of elements of fewer than eight bits"},
		{Form{Kind: "mxf4", Scales: 2}, 1<<7 | 1<<10 | 8<<17 | 1<<23 | 1<<27 | 1<<31, "K = 96"},
		{Form{Kind: "mxf4", Scales: 2}, 1<<7 | 1<<10 | 8<<17 | 1<<27, "scale factors of .ue4m3"},
		{Form{Kind: "mxf4", Scales: 2}, 1<<7 | 1<<10 | 8<<17 | 1<<23 | 1<<27 | 1<<4, "scale factor IDs 0 and 1, expected multiples of 2"},
	} {
		_, bad := c.form.Decode(c.v)
		switch {
		case c.want == "" && bad != nil:
			t.Errorf("%+v 0x%x: %v", c.form, c.v, bad.Msg)
		case c.want != "" && (bad == nil || !strings.Contains(bad.Msg, c.want)):
			t.Errorf("%+v 0x%x: got %+v, want %s", c.form, c.v, bad, c.want)
		}
	}
}

// TestAdjacent: the registers of a thread that have neighbouring cells, from each register on until the last.
func TestAdjacent(t *testing.T) {
	for _, c := range []struct {
		move Move
		want []int
	}{
		{Move{Shape: "32x32b", Regs: 4}, []int{4, 3, 2, 1}},
		{Move{Shape: "32x32b", Regs: 2, Packed: true}, []int{2, 1}},
		{Move{Shape: "16x64b", Regs: 2}, []int{1, 1}},
		{Move{Shape: "16x128b", Regs: 4}, []int{1, 1, 1, 1}},
		{Move{Shape: "16x256b", Regs: 4}, []int{2, 1, 2, 1}},
		{Move{Shape: "16x32bx2", Regs: 2, Split: 8}, []int{2, 1}},
	} {
		for r, want := range c.want {
			if got := c.move.Adjacent(r); got != want {
				t.Errorf("%+v: %d adjacent registers from register %d on, want %d", c.move, got, r, want)
			}
		}
	}
}
