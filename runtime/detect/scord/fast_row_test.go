package scord

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// randomAccess is an access of a warp to a row, one word, two rows, a word for each lane,
// evenly apart or anywhere, some of it racing with others.
func randomAccess(r *rand.Rand) *abi.Event {
	ev := &abi.Event{
		Kind: abi.EventAccess, Site: 1 + r.Uint32N(4), Block: uint64(r.IntN(3)), Warp: r.Uint32N(3), Live: ^uint32(0), Mask: ^uint32(0),
		Space: abi.SpaceGlobal, Access: abi.AccessKind(r.IntN(3)), Sem: abi.SemWeak, Scope: abi.ScopeNone,
		Bytes: []uint32{1, 2, 4, 8, 16, 12}[r.IntN(6)],
	}
	if ev.Access == abi.AccessRMW {
		ev.Sem, ev.Scope = abi.SemRelaxed, []abi.Scope{abi.ScopeCTA, abi.ScopeGPU}[r.IntN(2)]
	}
	if r.IntN(3) == 0 {
		ev.Mask = r.Uint32()
	}
	size := uint64(ev.Bytes)
	base := 1<<36 + 1<<12 - 256 + size*r.Uint64N(64) // about the end of a page of metadata
	if r.IntN(8) == 0 {
		base += r.Uint64N(16) // misaligned
	}
	kind, apart := r.IntN(6), size*uint64(r.IntN(9)-4)
	for i := range ev.Addr {
		switch l := uint64(i); kind {
		case 0:
			ev.Addr[i] = base + l*size
		case 1:
			ev.Addr[i] = base
		case 2:
			ev.Addr[i] = base + l%8*size + l/16*64
		case 3:
			ev.Addr[i] = base + 4*l
		case 4:
			ev.Addr[i] = base + 32*size + l*apart
		default:
			ev.Addr[i] = base&^(size-1) + size*r.Uint64N(64)
		}
		if i > 0 && ev.Mask>>(i-1)&3 == 3 {
			if ev.Addr[i] == ev.Addr[i-1] {
				ev.Same |= 1 << i
			}
			if ev.Addr[i] == ev.Addr[i-1]+size {
				ev.Next |= 1 << i
			}
		}
	}
	return ev
}

// classes gives accesses of one instruction one class, as those of a program have.
var classes = map[abi.AccessClass]*abi.AccessClass{}

// shared returns a batch of one access, with the class that others like it have.
func shared(b *abi.Batch) *abi.Batch {
	x := &b.List[0]
	if classes[*x.AccessClass] == nil {
		classes[*x.AccessClass] = x.AccessClass
	}
	x.AccessClass = classes[*x.AccessClass]
	return b
}

// batchOf is the batch that says what the event of an access says, its addresses as the
// first and how far they are apart when they are even.
func batchOf(ev *abi.Event) *abi.Batch {
	b := abi.BatchOf(ev)
	x := &b.List[0]
	first := bits.TrailingZeros32(ev.Mask)
	rest := ev.Mask & (ev.Mask - 1)
	if rest == 0 {
		return b
	}
	second := bits.TrailingZeros32(rest)
	step := (ev.Addr[second] - ev.Addr[first]) / uint64(second-first)
	for m := ev.Mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m); ev.Addr[i] != ev.Addr[first]+uint64(i-first)*step {
			return b
		}
	}
	x.Base, x.Step, x.Addr = ev.Addr[first]-uint64(first)*step, step, nil
	return b
}

// TestRows: an access checked by rows, as an event or in a batch, is checked like one
// checked granule by granule, which simulating caches needs.
func TestRows(t *testing.T) {
	found := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		opts := DefaultOptions()
		opts.Granularity = []int{4, 8, 16}[r.IntN(3)]
		opts.Strong, opts.Cumulative = r.IntN(2) == 0, r.IntN(2) == 0
		opts.Cache, opts.ITS, opts.Release = r.IntN(8) == 0, r.IntN(8) == 0, r.IntN(8) == 0
		var dets [3]*Detector
		for i := range dets {
			opts.Traffic = i == 0
			var err error
			if dets[i], err = New(opts); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			found += len(sameRaces(t, r, dets))
		}
	}
	if found < 6000 {
		t.Errorf("%d races only", found)
	}
}

// sameRaces is the races that all detectors find in one random launch, the last one of
// batches.
func sameRaces(t *testing.T, r *rand.Rand, dets [3]*Detector) []detect.Race {
	t.Helper()
	for _, d := range dets {
		d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{96, 1, 1}, Memory: 1 << 14}})
	}
	calm := r.IntN(2) == 0 // mostly reads of rows, so that lines stay in few kinds
	for range 200 {
		ev := randomAccess(r)
		if calm && r.IntN(8) != 0 {
			ev.Access, ev.Sem, ev.Scope = abi.AccessLoad, abi.SemWeak, abi.ScopeNone
		}
		switch r.IntN(8) {
		case 0:
			ev.Kind, ev.Scope = abi.EventFence, []abi.Scope{abi.ScopeCTA, abi.ScopeGPU}[r.IntN(2)]
		case 1:
			ev.Kind = abi.EventBarrierComplete
		}
		for i, d := range dets {
			if i == 1 && r.IntN(4) == 0 {
				d.memory.records.most = 0 // so that records are dropped
			}
			switch {
			case ev.Kind != abi.EventAccess:
				d.Event(ev)
			case i == 2 && ev.Mask != 0:
				d.Accesses(shared(batchOf(ev)))
			default:
				d.Accesses(shared(abi.BatchOf(ev)))
			}
		}
	}
	granules, rows, batches := dets[0].End(), dets[1].End(), dets[2].End()
	if !reflect.DeepEqual(rows, granules) || !reflect.DeepEqual(batches, granules) {
		t.Fatalf("%+v: %d races by granules, %d by rows, %d of batches", dets[1].opts, len(granules), len(rows), len(batches))
	}
	return rows
}

// TestScatteredAtomics: atomic operations of several warps on scattered words, with a few loads between, are checked like granules
// one by one.
func TestScatteredAtomics(t *testing.T) {
	found := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 8))
		var dets [2]*Detector
		for i := range dets {
			opts := DefaultOptions()
			opts.Traffic = i == 0
			var err error
			if dets[i], err = New(opts); err != nil {
				t.Fatal(err)
			}
			dets[i].Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{200, 1, 1}, Block: [3]uint32{96, 1, 1}, Memory: 1 << 14}})
		}
		for range 100 {
			ev := &abi.Event{
				Kind: abi.EventAccess, Site: 1 + r.Uint32N(2), Block: 128 * uint64(r.IntN(2)), Warp: r.Uint32N(2), Live: ^uint32(0), Mask: ^uint32(0),
				Space: abi.SpaceGlobal, Access: abi.AccessRMW, Sem: abi.SemRelaxed, Scope: abi.ScopeGPU, Bytes: 4,
			}
			if r.IntN(8) == 0 {
				ev.Site, ev.Access, ev.Sem, ev.Scope, ev.Mask = 3, abi.AccessLoad, abi.SemWeak, abi.ScopeNone, r.Uint32()
			}
			for i, at := range r.Perm(len(ev.Addr)) {
				ev.Addr[i] = 1<<36 + 8*uint64(at)
			}
			for _, d := range dets {
				d.Accesses(shared(abi.BatchOf(ev)))
			}
		}
		granules, rows := dets[0].End(), dets[1].End()
		if !reflect.DeepEqual(rows, granules) {
			t.Fatalf("seed %d: by granules %+v, by rows %+v", seed, granules, rows)
		}
		found += len(rows)
	}
	if found < 500 {
		t.Errorf("%d races only", found)
	}
}

// TestForgets: when too many records are in use, earlier accesses are forgotten.
func TestForgets(t *testing.T) {
	for _, c := range []struct{ limit, races, forgot int }{{mostRecords, 1, 0}, {1, 0, 1}} {
		s, err := New(DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		s.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{32, 1, 1}, Memory: 1 << 14}})
		store := &abi.Event{Kind: abi.EventAccess, Mask: 1, Live: 1, Space: abi.SpaceGlobal, Access: abi.AccessStore, Sem: abi.SemWeak, Bytes: 4}
		abi.Deliver(s, store)
		s.memory.records.most, s.memory.records.limit = 0, c.limit
		store.Block = 1
		abi.Deliver(s, store)
		if n := len(s.End()); n != c.races || s.forgot != c.forgot {
			t.Errorf("limit %d: %d races, forgotten %d times; expected %d and %d", c.limit, n, s.forgot, c.races, c.forgot)
		}
		if said := strings.Contains(strings.Join(s.Statistics(), "\n"), "forgotten"); said != (c.forgot > 0) {
			t.Errorf("limit %d: statistics say so: %v", c.limit, said)
		}
	}
}
