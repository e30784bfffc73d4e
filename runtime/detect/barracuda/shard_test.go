package barracuda

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

func run(t testing.TB, ops []Op, workers int) []detect.Race {
	t.Helper()
	return runAs(t, testLaunch, ops, workers)
}

func runAs(t testing.TB, l detect.Launch, ops []Op, workers int) []detect.Race {
	t.Helper()
	return runWith(t, Options{Workers: workers, Paper: true}, l, ops)
}

func runWith(t testing.TB, o Options, l detect.Launch, ops []Op) []detect.Race {
	t.Helper()
	d := newDetector(t, o)
	d.Begin(l)
	for i := range ops {
		d.Op(&ops[i])
	}
	return d.End()
}

// TestConsumers compares what several consumers find with what one does, also for
// accesses to two pages.
func TestConsumers(t *testing.T) {
	for seed := range uint64(300) {
		tr := newTrace(seed, 60)
		for i := range tr.ops {
			o := &tr.ops[i]
			o.Site = o.Site%7 + 1
			for lane := range o.Addr {
				if o.Kind < Read || o.Kind > AtomicRead || o.Order.synchronises() {
					continue
				}
				o.Addr[lane] = o.Addr[lane]%8/4*pageBytes + pageBytes - 64 + o.Addr[lane]
			}
		}
		want := run(t, tr.ops, 1)
		for _, n := range []int{2, 3, 64} {
			if got := run(t, tr.ops, n); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %d consumers:\n%+v\none:\n%+v", seed, n, got, want)
			}
		}
	}
}

// TestPages: a race on bytes that lie in two pages is found there, and counts once
// for each.
func TestPages(t *testing.T) {
	op := func(block uint64, kind Kind) Op {
		o := Op{Kind: kind, Site: uint32(block) + 1, Block: block, Cluster: block, Mask: 1, Space: abi.SpaceGlobal, Bytes: 16}
		o.Addr[0] = 3*pageBytes - 8
		return o
	}
	for _, n := range []int{1, 2} {
		races := run(t, []Op{op(0, Write), op(1, Read)}, n)
		if len(races) != 1 || races[0].Count != 2 || races[0].Address != 3*pageBytes-8 || races[0].Size != 16 {
			t.Errorf("%d consumers: %+v", n, races)
		}
	}
}

// TestRows: accesses of lanes to consecutive words, which are checked together, race as
// they do when the detector is not told that the words are consecutive.
func TestRows(t *testing.T) {
	found := 0
	for seed := range uint64(400) {
		rows, words := rowTrace(seed), rowTrace(seed)
		for i := range rows {
			rows[i].findNext()
		}
		for _, o := range []Options{{Workers: 1}, {Workers: 2}, {Workers: 1, Paper: true}} {
			a, b := runWith(t, o, testLaunch, rows), runWith(t, o, testLaunch, words)
			found += len(a)
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("seed %d:\n%+v\nword by word:\n%+v", seed, a, b)
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d races: too few to tell", found)
	}
}

// rowTrace is random accesses to rows of words, some of which begin in the middle of a
// group, between barriers and releases.
func rowTrace(seed uint64) []Op {
	rnd := rand.New(rand.NewPCG(seed, 11))
	var s script
	kinds, kind, wide := 1+rnd.IntN(4), rnd.IntN(4), rnd.IntN(3)
	for range 60 {
		block, warp := rnd.Uint64N(testBlocks), rnd.Uint32N(testWarps)
		switch k := rnd.IntN(20); {
		case k == 0:
			bar(&s, block)
		case k < 3:
			o := s.on(Atomic, block, warp, 1<<rnd.IntN(32), 4096)
			o.Order = Order{Acquire: true, Release: rnd.IntN(2) == 0, Scope: ScopeGlobal}
		default:
			o := s.on(Read+Kind((kind+rnd.IntN(kinds))%4), block, warp, allOfWarp, 0)
			if o.Reach = ScopeBlock; rnd.IntN(2) < wide {
				o.Reach = ScopeGlobal
			}
			if rnd.IntN(3) == 0 {
				o.Mask = rnd.Uint32() | rnd.Uint32() | 1
			}
			o.Bytes = 4 << max(0, rnd.IntN(5)-2)
			if rnd.IntN(25) == 0 {
				o.Bytes = 1 // from then on there is a cell for each byte
			}
			word := 32 * rnd.Uint64N(3)
			if rnd.IntN(3) == 0 {
				word += 4 * rnd.Uint64N(10)
			}
			if rnd.IntN(6) == 0 {
				o.Site = o.Site%5 + 1
			}
			base := 2*pageBytes - 128 + 4*word
			for lane := range uint64(32) {
				o.Addr[lane] = base + lane*uint64(o.Bytes)
			}
		}
	}
	return s.ops
}

// TestArrays: a page has arrays for the kinds of accesses to it, and for no others.
func TestArrays(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		reach Scope
		array func(p *page) *epochs
	}{
		{Read, ScopeGlobal, func(p *page) *epochs { return p.reads }},
		{Write, ScopeGlobal, func(p *page) *epochs { return p.writes }},
		{Atomic, ScopeGlobal, func(p *page) *epochs { return p.atomics }},
		{Atomic, ScopeBlock, func(p *page) *epochs { return p.narrow.atomics }},
		{AtomicRead, ScopeGlobal, func(p *page) *epochs { return p.polls }},
		{AtomicRead, ScopeBlock, func(p *page) *epochs { return p.narrow.polls }},
	} {
		var s script
		s.on(c.kind, 0, 0, 1, x).Reach = c.reach
		d := newDetector(t, Options{Workers: 1})
		d.Op(&s.ops[0])
		p := d.workers.shards[0].grids[0].global.pages.Find(s.ops[0].Addr[0] >> pageBits)
		if p.arrays != 1 || c.array(p) == nil {
			t.Errorf("kind %d, scope %d: %d arrays, that of the kind is %v", c.kind, c.reach, p.arrays, c.array(p))
		}
	}
}
