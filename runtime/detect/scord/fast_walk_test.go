package scord

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// randomLoop is accesses of a warp in rounds, their addresses some steps apart from lane to
// lane, the same ones or others, and from round to round.
func randomLoop(r *rand.Rand) (list []abi.Access, period int) {
	pick := func(of ...int64) uint64 { return uint64(of[r.IntN(len(of))]) }
	step, delta := pick(0, 4, 8, 64, 200, 1024, -256), pick(4, 4, 8, 16, 136, -4, -12)
	mask := uint32(pick(1, 1<<7, 0x3ffffffe, 0xffffffff, 0xf0f))
	base := 1<<36 + 1<<14 + 4*r.Uint64N(64)
	round := make([]abi.Access, 1+r.IntN(5))
	deltas := make([]uint64, len(round))
	var uneven [abi.WarpLanes]uint64 // added to the addresses of lanes
	if r.IntN(3) == 0 {
		more := pick(4, 64, 200)
		for i := range uneven[1:] {
			uneven[i+1] = uneven[i] + more*r.Uint64N(4)
		}
		if r.IntN(8) == 0 {
			r.Shuffle(len(uneven), func(i, j int) { uneven[i], uneven[j] = uneven[j], uneven[i] })
		}
	}
	for c := range round {
		x := &round[c]
		x.AccessClass = &abi.AccessClass{
			Site: 1 + r.Uint32N(40), Space: abi.SpaceGlobal, Access: abi.AccessKind(r.IntN(3)), Sem: abi.SemWeak, Scope: abi.ScopeNone,
			Bytes: uint32(pick(4, 4, 4, 4, 2, 8)),
		}
		if x.Access == abi.AccessRMW || r.IntN(8) == 0 {
			x.Sem, x.Scope = abi.SemRelaxed, []abi.Scope{abi.ScopeCTA, abi.ScopeGPU}[r.IntN(2)]
		}
		if x.Access == abi.AccessRMW && r.IntN(16) == 0 {
			x.Atomic = abi.AtomicCAS
		}
		x.Base, x.Step, x.Mask, deltas[c] = base+4*r.Uint64N(8)+pick(0, 0, 0, 1<<13), step, mask, delta
		switch r.IntN(16) {
		case 0:
			x.Base, x.Step, deltas[c] = base+4*r.Uint64N(1024), pick(0, 4, 200), pick(0, 4, 128)
		case 1:
			x.Mask = r.Uint32() | 1
		case 2:
			x.Base += 2
		case 3:
			x.Base, x.Step, deltas[c] = base+1<<14+4*r.Uint64N(64), 4, pick(4, -4)
		}
		x.Same, x.Next = 0, 0
		switch x.Step {
		case 0:
			x.Same = x.Mask & (x.Mask << 1)
		case uint64(x.Bytes):
			x.Next = x.Mask & (x.Mask << 1)
		}
	}
	turned, turnedBy := r.IntN(abi.WarpLanes), make([]uint64, len(round)) // a lane in another round of a double buffer
	if r.IntN(3) == 0 {
		for c := range round {
			turnedBy[c] = pick(1<<13, -1<<13)
		}
	}
	even := r.IntN(4) // 0: the first access of a round is as uneven as the others
	for range pick(1, 3, 4, 5, 20, 40) {
		for c := range round {
			list = append(list, round[c])
			var off [abi.WarpLanes]uint64
			if c > 0 || even == 0 {
				off = uneven
			}
			if off[turned] += turnedBy[c]; off != [abi.WarpLanes]uint64{} {
				spreadOut(&list[len(list)-1], &off)
			}
			round[c].Base += deltas[c]
		}
	}
	cut := r.IntN(len(round))
	return list[cut : len(list)-r.IntN(len(round)-cut)], len(round)
}

// spreadOut gives each lane an address of its own, further from that of the access by off.
func spreadOut(x *abi.Access, off *[abi.WarpLanes]uint64) {
	x.Addr, x.Next, x.Same = new([abi.WarpLanes]uint64), 0, 0
	for i := range x.Addr {
		x.Addr[i] = x.Base + uint64(i)*x.Step + off[i]
		if i > 0 && x.Mask>>(i-1)&3 == 3 {
			switch x.Addr[i] - x.Addr[i-1] {
			case uint64(x.Bytes):
				x.Next |= 1 << i
			case 0:
				x.Same |= 1 << i
			}
		}
	}
	x.Base, x.Step = 0, 0
}

// addLoop adds a loop to a batch; if leave is set, without most of its rounds if its addresses are even.
func addLoop(b *abi.Batch, list []abi.Access, period int, leave bool) {
	l := abi.Loop{At: len(b.List), Period: period, Listed: len(list)}
	if leave && !slices.ContainsFunc(list, func(x abi.Access) bool { return x.Addr != nil }) {
		l.Listed, l.More = 2*period, len(list)-2*period
	}
	if len(list) > 2*period {
		b.Loops, list = append(b.Loops, l), list[:l.Listed]
	}
	b.List = append(b.List, list...)
}

// TestWalks: what is found is the same, and the same ones come first, when the accesses
// of loops come one by one, when they come together and when most rounds are left out.
func TestWalks(t *testing.T) {
	found, walks, uneven, turned, slides, left := 0, 0, 0, 0, 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 6))
		opts := DefaultOptions()
		opts.Granularity = []int{4, 4, 8, 16}[r.IntN(4)]
		var dets [3]*Detector
		for i := range dets {
			var err error
			if dets[i], err = New(opts); err != nil {
				t.Fatal(err)
			}
			dets[i].Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{96, 1, 1}, Memory: 1 << 14}})
		}
		for range 12 {
			b := &abi.Batch{Block: uint64(r.IntN(3)), Warp: r.Uint32N(3), Live: ^uint32(0)}
			loops := *b
			for range 1 + r.IntN(2) {
				list, period := randomLoop(r)
				addLoop(b, list, period, false)
				addLoop(&loops, list, period, true)
			}
			var ev abi.Event
			for i := range b.List {
				b.Event(&b.List[i], &ev)
				abi.Deliver(dets[0], &ev)
			}
			dets[1].walk.columns, dets[1].walk.uneven, dets[2].walk.columns = nil, false, nil
			dets[1].Accesses(b)
			dets[2].Accesses(&loops)
			left += len(loops.Loops)
			if dets[1].walk.uneven {
				turned++
			}
			if w := &dets[1].walk; slices.ContainsFunc(w.columns, func(c column) bool { return c.merged }) {
				walks++
				if slices.ContainsFunc(w.list, func(x abi.Access) bool { return x.Addr != nil }) {
					uneven++
				}
			}
			if slices.ContainsFunc(dets[2].walk.columns, func(c column) bool { return c.slides }) {
				slides++
			}
			if r.IntN(2) == 0 {
				ev.Kind, ev.Scope = abi.EventFence, abi.ScopeGPU
				for _, d := range dets {
					d.Event(&ev)
				}
			}
		}
		one, together, without := dets[0].End(), dets[1].End(), dets[2].End()
		if !reflect.DeepEqual(one, together) || !reflect.DeepEqual(one, without) {
			t.Fatalf("seed %d: one by one %+v, together %+v, without most rounds %+v", seed, one, together, without)
		}
		found += len(one)
	}
	if found < 20000 || walks < 800 || uneven < 100 || turned < 80 || slides < 100 || left < 1000 {
		t.Errorf("%d races and %d walks only, %d of uneven addresses, %d of uneven distances, %d of rows that move, %d without most rounds", found, walks, uneven, turned, slides, left)
	}
}

// BenchmarkWalks: a loop in which each lane reads three neighbours and writes one further on,
// with its rounds checked together and one by one (in batches too short for a walk).
func BenchmarkWalks(b *testing.B) {
	classes := make([]*abi.AccessClass, 4) // one for each instruction
	for i := range classes {
		classes[i] = &abi.AccessClass{Site: uint32(1 + i), Bytes: 4, Space: abi.SpaceGlobal, Access: abi.AccessLoad, Sem: abi.SemWeak}
	}
	classes[3].Access = abi.AccessStore
	var list []abi.Access
	for round := range uint64(64) {
		for i, s := range classes {
			at := uint64(1<<36) + 4*round + 4*uint64(i)
			if s.Access == abi.AccessStore {
				at += 1 << 16
			}
			list = append(list, abi.Access{AccessClass: s, Mask: ^uint32(0), Base: at, Step: 512})
		}
	}
	for _, c := range []struct {
		name string
		most int // accesses of a batch
	}{{"together", len(list)}, {"one by one", walkRounds - 1}} {
		b.Run(c.name, func(b *testing.B) {
			d, err := New(DefaultOptions())
			if err != nil {
				b.Fatal(err)
			}
			d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Memory: 1 << 20}})
			for b.Loop() {
				for part := range slices.Chunk(list, c.most) {
					b := &abi.Batch{Live: ^uint32(0)}
					addLoop(b, part, len(classes), false)
					d.Accesses(b)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/access")
		})
	}
}
