package barracuda

import (
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

func run(t testing.TB, ops []Op, workers int) []detect.Race {
	t.Helper()
	d := newTestDetector(t, workers)
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
