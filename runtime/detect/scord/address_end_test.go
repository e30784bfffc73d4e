package scord

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestEndOfAddresses: what is said of accesses does not depend on where memory lies, also where it ends with the last address. Loops
// that pass the last address end, and take no more metadata than they access.
func TestEndOfAddresses(t *testing.T) {
	const wide = 16 // no access is wider
	races, slides := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 12))
		var batches, loops []*abi.Batch
		first, end := ^uint64(0), uint64(0)
		for range 8 {
			list, period := randomLoop(r)
			b := &abi.Batch{Block: uint64(r.IntN(3)), Warp: r.Uint32N(3), Live: ^uint32(0), List: list}
			l := &abi.Batch{Block: b.Block, Warp: b.Warp, Live: b.Live}
			addLoop(l, list, period, true)
			batches, loops = append(batches, b), append(loops, l)
			for i := range list {
				for m := list[i].Mask; m != 0; m &= m - 1 {
					at := list[i].At(bits.TrailingZeros32(m))
					first, end = min(first, at), max(end, at+wide)
				}
			}
		}
		end &^= wide - 1
		for _, form := range [][]*abi.Batch{batches, loops} {
			want, _ := movedBy(t, form, 0)
			got, _ := movedBy(t, form, -end)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %+v\nat the end of the addresses, elsewhere\n%+v", seed, got, want)
			}
			races += len(got)
			_, s := movedBy(t, form, -((first + end) / 2 &^ (wide - 1)))
			if n := len(s.memory.pages); n > 64 {
				t.Fatalf("seed %d: %d pages", seed, n)
			}
		}
		// A row that slides over the last address.
		x := abi.Access{AccessClass: &abi.AccessClass{Site: 1, Space: abi.SpaceGlobal, Sem: abi.SemWeak, Bytes: 4}, Mask: ^uint32(0), Next: ^uint32(1), Step: 4}
		x.Base = -(4 * r.Uint64N(64))
		var list []abi.Access
		for range 8 {
			list = append(list, x)
			x.Base += 4
		}
		row := &abi.Batch{Live: ^uint32(0)}
		addLoop(row, list, 1, true)
		if _, s := movedBy(t, []*abi.Batch{row}, 0); len(s.memory.pages) > 4 {
			t.Fatalf("seed %d: %d pages of a row", seed, len(s.memory.pages))
		} else if s.walk.columns[0].slides {
			slides++
		}
	}
	if races < 2000 || slides < 50 {
		t.Errorf("%d races and %d rows that slide only", races, slides)
	}
}

// movedBy returns the races of batches whose addresses are so many bytes further on, with the addresses that they have otherwise, and
// the detector.
func movedBy(t *testing.T, batches []*abi.Batch, by uint64) ([]detect.Race, *Detector) {
	t.Helper()
	s, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{96, 1, 1}, Memory: 1 << 14}})
	for _, of := range batches {
		b := *of
		b.List = append([]abi.Access(nil), of.List...)
		for i := range b.List {
			x := &b.List[i]
			if x.Addr == nil {
				x.Base += by
				continue
			}
			addr := *x.Addr
			for lane := range addr {
				addr[lane] += by
			}
			x.Addr = &addr
		}
		s.Accesses(&b)
	}
	races := s.End()
	for i := range races {
		races[i].Address -= by
	}
	return races, s
}
