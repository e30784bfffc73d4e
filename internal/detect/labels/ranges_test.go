// Accesses of loops against the same accesses one by one.

package labels

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestLoops: a loop that loads what only some words contain, and stores it elsewhere, leaves the same labels as its
// accesses one by one.
func TestLoops(t *testing.T) {
	const from, to, size, rounds = 0x10000, 0x40000, 0x8000, 12
	table := &Table{Sites: 3, Stores: map[uint32][]Source{2: {{Site: 1}}}}
	begin := func() *Listener {
		d := New(NewMemory(), func(string) *Table { return table })
		d.Begin(detect.Launch{Regions: []detect.Region{{Name: "a", Base: from, Size: size}}})
		return d
	}
	read := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		bytes, mask := uint32(1)<<r.IntN(4), r.Uint32()|1<<r.IntN(abi.WarpLanes)
		access := func(site uint32, s abi.Space, k abi.AccessKind, base uint64) abi.Access {
			return abi.Access{
				AccessClass: &abi.AccessClass{Site: site, Bytes: bytes, Space: s, Access: k, Sem: abi.SemWeak}, Mask: mask,
				Base: base + 0x1000, Step: uint64(bytes) * []uint64{0, 1, 2, 33}[r.IntN(4)],
			}
		}
		round := []abi.Access{
			access(1, abi.SpaceGlobal, abi.AccessLoad, from), access(2, abi.SpaceShared, abi.AccessStore, to),
		}
		steps := [2]uint64{uint64(bytes) * r.Uint64N(5), uint64(bytes) * r.Uint64N(5)}
		b := abi.Batch{Loops: []abi.Loop{{Period: 2, Listed: 4, More: 2*rounds - 4}}}
		flat := abi.Batch{}
		for n := range uint64(rounds) {
			for i, a := range round {
				a.Base += n * steps[i]
				if flat.List = append(flat.List, a); n < 2 {
					b.List = append(b.List, a)
				}
			}
		}
		together, alone := begin(), begin()
		together.Accesses(&b)
		alone.Accesses(&flat)
		if together.site[1] != alone.site[1] {
			t.Fatalf("seed %d: the load has label %x, one by one %x", seed, together.site[1], alone.site[1])
		}
		for addr := uint64(to); addr < to+size; addr++ {
			l, _, own := together.grid().of(0).shared.read(addr, 1)
			if want, _, also := alone.grid().of(0).shared.read(addr, 1); l != want || own != also {
				t.Fatalf("seed %d: 0x%x has label %x %t, one by one %x %t", seed, addr, l, own, want, also)
			} else if l != 0 {
				read++
			}
		}
	}
	if read < 1000 {
		t.Errorf("%d bytes have labels: too few to tell", read)
	}
}
