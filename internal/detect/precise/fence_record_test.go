// Locks that threads of several blocks hand on.

package precise_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// newLockTrace is a random trace of lanes in five blocks that hand one or two locks on, with fences of different reach
// around what they do under them. Now and then one forgets a fence, or looks at a lock without taking it.
func newLockTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 3)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	locks, fences := 1+t.Uint64N(2), pick(t, 8, 10)
	reach := func() abi.Scope { return pick(t, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeCTA) }
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(5), t.Uint64N(2)}
		if t.waiting[key] != nil {
			continue
		}
		if t.IntN(8) == 0 {
			t.barrier(key)
			continue
		}
		lane := pick(t, uint32(1), 1, 2)
		access := func(word uint64, kind abi.AccessKind, sem abi.Semantics) {
			ev := abi.Event{Kind: abi.EventAccess, Mask: lane, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: sem, Valued: true}
			if sem != abi.SemWeak {
				ev.Scope = reach()
			}
			if kind != abi.AccessLoad {
				ev.Wrote = lane
			}
			if kind == abi.AccessRMW && t.IntN(4) == 0 {
				ev.Wrote, ev.Atomic = 0, abi.AtomicCAS
			}
			ev.Addr[0], ev.Addr[1] = 0x1000+4*word, 0x1000+4*word
			t.emit(key, ev)
		}
		fence := func() {
			if t.IntN(10) < fences {
				t.emit(key, abi.Event{Kind: abi.EventFence, Mask: lane, Sem: pick(t, abi.SemSC, abi.SemSC, abi.SemSC, abi.SemAcqRel), Scope: reach()})
			}
		}
		lock := t.Uint64N(locks)
		if t.IntN(6) == 0 {
			access(lock, pick(t, abi.AccessLoad, abi.AccessRMW), abi.SemRelaxed)
			continue
		}
		access(lock, abi.AccessRMW, abi.SemRelaxed)
		fence()
		for range t.IntN(3) {
			access(4+lock, pick(t, abi.AccessLoad, abi.AccessStore), pick(t, abi.SemWeak, abi.SemWeak, abi.SemVolatile))
		}
		fence()
		access(lock, pick(t, abi.AccessRMW, abi.AccessStore), pick(t, abi.SemRelaxed, abi.SemVolatile))
	}
	return t.events
}

// TestLocksHandedOn: what a location tells of the fences before its accesses is what the definitions say, however long
// the chain of those who handed a lock on.
func TestLocksHandedOn(t *testing.T) {
	for seed := range uint64(*traces) {
		agree(t, seed, newLockTrace(seed, 6+int(seed%50)))
	}
}

// newRowTrace is a random trace of warps in five blocks whose lanes fence together and access one of a few words
// together, one strongly by each lane, or data that the words guard.
func newRowTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 4)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	words, weak := 1+t.Uint64N(2), pick(t, 1, 3)
	reach := func() abi.Scope { return pick(t, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeSys, abi.ScopeCTA) }
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(5), t.Uint64N(2)}
		if t.waiting[key] != nil {
			continue
		}
		mask := pick(t, uint32(traceLanes), traceLanes, 0b011, 0b110, 0b001, 0b100)
		switch n := t.IntN(10); {
		case n == 0:
			t.barrier(key)
		case n < 4:
			t.emit(key, abi.Event{Kind: abi.EventFence, Mask: mask, Sem: pick(t, abi.SemSC, abi.SemSC, abi.SemSC, abi.SemAcqRel), Scope: reach()})
		default:
			word := t.Uint64N(words)
			ev := abi.Event{
				Kind: abi.EventAccess, Mask: mask, Space: abi.SpaceGlobal, Bytes: 4, Valued: true,
				Access: pick(t, abi.AccessLoad, abi.AccessStore, abi.AccessRMW), Sem: pick(t, abi.SemRelaxed, abi.SemRelaxed, abi.SemAcquire), Scope: reach(),
			}
			switch {
			case t.IntN(10) < weak: // of words of their own, now and then
				ev.Access, ev.Sem, ev.Scope = pick(t, abi.AccessLoad, abi.AccessStore), abi.SemWeak, 0
				word += 8
			case ev.Access == abi.AccessStore:
				ev.Sem = pick(t, abi.SemRelaxed, abi.SemRelease)
			}
			for i := range ev.Addr[:3] {
				ev.Addr[i] = 0x1000 + 4*word
				if ev.Sem == abi.SemWeak {
					ev.Addr[i] += 64 * t.Uint64N(2) * uint64(i)
				}
			}
			if ev.Access != abi.AccessLoad {
				ev.Wrote = mask
			}
			t.emit(key, ev)
		}
	}
	return t.events
}

// TestFenceRows: what lanes that fenced and accessed a word together leave at the location is what the definitions say.
func TestFenceRows(t *testing.T) {
	racy := 0
	for seed := range uint64(*traces) {
		events := newRowTrace(seed, 6+int(seed%50))
		if len(newOracle(events).races()) > 0 {
			racy++
		}
		agree(t, seed, events)
	}
	defer precise.LimitFenceRecords(1)() // others are joined
	for seed := uint64(*traces); seed < 2*uint64(*traces); seed++ {
		agree(t, seed, newRowTrace(seed, 6+int(seed%50)))
	}
	if *traces > 100 && (racy < *traces/10 || racy > *traces*98/100) {
		t.Errorf("%d of %d traces race: the others, or they, are too rare to tell", racy, *traces)
	}
}

// BenchmarkFenceRows is a launch of 32 blocks of 16 warps in which each thread loads a word of its block with
// sequential consistency, and then changes it by a relaxed operation.
func BenchmarkFenceRows(b *testing.B) {
	for b.Loop() {
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			b.Fatal(err)
		}
		d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{32, 1, 1}, Block: [3]uint32{512, 1, 1}}})
		d.Event(&abi.Event{Kind: abi.EventKernelBegin})
		for block := range uint64(32) {
			for warp := range uint32(16) {
				ev := hotStore(block)
				for i := range ev.Addr {
					ev.Addr[i] += 4 * block
				}
				ev.Warp, ev.Same, ev.Scope = warp, ^uint32(1), abi.ScopeSys
				fence := &abi.Event{Kind: abi.EventFence, Mask: ev.Mask, Live: ev.Live, Block: block, Cluster: block, Warp: warp, Sem: abi.SemSC, Scope: abi.ScopeSys}
				load, change := *ev, *ev
				load.Access, load.Sem, load.Wrote, load.Site = abi.AccessLoad, abi.SemAcquire, 0, 2
				change.Access, change.Sem, change.Site = abi.AccessRMW, abi.SemRelaxed, 3
				d.Event(fence)
				abi.Deliver(d, &load)
				abi.Deliver(d, &change)
			}
		}
		if races := d.End(); len(races) > 0 {
			b.Fatal(races)
		}
	}
}
