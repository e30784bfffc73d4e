package barracuda

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

func run(t testing.TB, ops []Op) []detect.Race {
	t.Helper()
	return runAs(t, testLaunch, ops)
}

func runAs(t testing.TB, l detect.Launch, ops []Op) []detect.Race {
	t.Helper()
	return runWith(t, Options{Paper: true}, l, ops)
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

// TestPages: a race on bytes that lie in two pages is found there, and counts once
// for each.
func TestPages(t *testing.T) {
	op := func(block uint64, kind Kind) Op {
		o := Op{Kind: kind, Site: uint32(block) + 1, Block: block, Cluster: block, Mask: 1, Space: abi.SpaceGlobal, Bytes: 16}
		o.Addr[0] = 3*pageBytes - 8
		return o
	}
	races := run(t, []Op{op(0, Write), op(1, Read)})
	if len(races) != 1 || races[0].Count != 2 || races[0].Address != 3*pageBytes-8 || races[0].Size != 16 {
		t.Errorf("%+v", races)
	}
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
		d := newDetector(t, Options{})
		d.Op(&s.ops[0])
		p := d.check.grids[0].global.pages.Find(s.ops[0].Addr[0] >> pageBits)
		if p.arrays != 1 || c.array(p) == nil {
			t.Errorf("kind %d, scope %d: %d arrays, that of the kind is %v", c.kind, c.reach, p.arrays, c.array(p))
		}
	}
}
