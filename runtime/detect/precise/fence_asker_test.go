// What threads of a block that ask a location one after another follow.

package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// fenceTrace builds traces of accesses and of fence.sc. Words are in different lines.
type fenceTrace struct{ tracer }

// access is by lanes of a warp, the second number of key, of a block, the first.
func (t *fenceTrace) access(key [2]uint64, lanes uint32, kind abi.AccessKind, sem abi.Semantics, word uint64) {
	ev := abi.Event{Kind: abi.EventAccess, Mask: lanes, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: sem, Valued: true}
	if sem != abi.SemWeak {
		ev.Scope = abi.ScopeGPU
	}
	if kind == abi.AccessStore {
		ev.Wrote = lanes
	}
	for i := range ev.Addr[:3] {
		ev.Addr[i] = 0x1000 + 0x80*word
	}
	t.emit(key, ev)
}

func (t *fenceTrace) load(block uint64, lanes uint32, word uint64) {
	t.access([2]uint64{block}, lanes, abi.AccessLoad, abi.SemRelaxed, word)
}

func (t *fenceTrace) store(block uint64, lanes uint32, word uint64) {
	t.access([2]uint64{block}, lanes, abi.AccessStore, abi.SemRelaxed, word)
}

func (t *fenceTrace) fence(block uint64, lanes uint32) {
	t.emit([2]uint64{block}, abi.Event{Kind: abi.EventFence, Mask: lanes, Sem: abi.SemSC, Scope: abi.ScopeGPU})
}

// TestAskers: threads with equal clocks that read a location follow, by their next fence.sc, the fences before earlier writes of it, although one
// that has read it before needed less of them.
func TestAskers(t *testing.T) {
	const data, start, asked, other = 0, 1, 2, 3
	// begin has all threads of blocks 0 and 1 start with one clock, and a thread of block 1 write data and then words, which block 4
	// overwrites.
	begin := func(t *fenceTrace, by uint32, words ...uint64) {
		t.fence(3, 1)
		t.store(3, 1, start)
		for _, block := range []uint64{0, 1} {
			t.load(block, traceLanes, start)
			t.fence(block, traceLanes)
		}
		t.access([2]uint64{1}, by, abi.AccessStore, abi.SemWeak, data)
		t.fence(1, by)
		t.fence(4, 1)
		for _, w := range words {
			t.store(1, by, w)
			t.store(4, 1, w)
		}
	}
	end := func(t *fenceTrace) { // of another thread, which asks last
		t.load(0, 0b010, asked)
		t.fence(0, 0b010)
		t.access([2]uint64{0}, 0b010, abi.AccessLoad, abi.SemWeak, data)
	}
	for name, trace := range map[string]func(t *fenceTrace){
		"the first one follows more already": func(t *fenceTrace) {
			begin(t, 1, other, asked)
			t.load(0, 1, other)
			t.load(0, 1, asked)
			end(t)
		},
		"the first one has observed more": func(t *fenceTrace) {
			begin(t, 1, asked)
			t.store(1, 1, other)
			t.load(0, 1, other)
			t.load(0, 1, asked)
			end(t)
		},
		"the first one is of another block": func(t *fenceTrace) {
			begin(t, 0b100, asked)
			t.load(1, 1, asked)
			end(t)
		},
	} {
		for _, barriers := range []bool{false, true} {
			var b fenceTrace
			b.alone = newAloneTracer()
			b.emit([2]uint64{2}, abi.Event{Kind: abi.EventFence, Mask: 1, Sem: abi.SemSC, Scope: abi.ScopeCTA}) // chains of writes are no records
			if barriers {                                                                                       // elsewhere
				b.emit([2]uint64{2}, abi.Event{Kind: abi.EventWarpSync, Mask: traceLanes, Sem: abi.SemAcqRel})
			}
			trace(&b)
			if races := newOracle(b.events).races(); len(races) != 0 {
				t.Errorf("%s, barriers %t: the trace has races: %v", name, barriers, races)
			}
			if text := disagree(t, b.events); text != "" {
				t.Errorf("%s, barriers %t: %s\n%s", name, barriers, text, traceText(b.events))
			}
		}
	}
}
