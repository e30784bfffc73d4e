package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// newDataTrace returns a random trace of four warps of two blocks, which read two arrays for some time, strongly and in loops, now and
// then weakly if weak is set, while they exchange flags, pass fences, wait for each other and access other words weakly, and then write the arrays, too.
func newDataTrace(seed uint64, length int, weak bool) (events []abi.Event) {
	r := rand.New(rand.NewPCG(seed, 13))
	t := &tracer{Rand: r}
	fences, flags, narrow := 4*r.IntN(3), r.IntN(3), r.IntN(3) == 0
	writes, words, one := r.IntN(length), pick[uint64](t, 1, 2, 12), r.IntN(2) == 0
	for len(events) < length {
		block := r.Uint64N(2)
		ev := abi.Event{
			Kind: abi.EventAccess, Block: block, Cluster: block, Warp: r.Uint32N(2), Live: 0xff, Mask: pick[uint32](t, 0xff, 0xff, 1, 6, 0x80, r.Uint32()&0xff|1),
			Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Access: abi.AccessLoad, Sem: pick(t, abi.SemVolatile, abi.SemRelaxed), Scope: abi.ScopeGPU, Site: 2 + r.Uint32N(3),
		}
		rounds, at, step := 1, (1+r.Uint64N(2))<<40, pick[uint64](t, 0, 4, 4, 8)
		switch n := r.IntN(16 + fences + flags); {
		case n < 2 && len(events) > writes:
			ev.Access, ev.Wrote, ev.Site = pick(t, abi.AccessStore, abi.AccessStore, abi.AccessRMW), ev.Mask, ev.Site+4
		case n < 4 && weak:
			ev.Sem, ev.Scope, ev.Site = abi.SemWeak, abi.ScopeNone, 10+r.Uint32N(3)
		case n < 7: // other words
			ev.Sem, ev.Scope, ev.Mask, at, ev.Site = abi.SemWeak, abi.ScopeNone, 1<<r.IntN(8), 4<<40, 13+r.Uint32N(3)
			if r.IntN(2) == 0 {
				ev.Access, ev.Wrote, ev.Site = abi.AccessStore, ev.Mask, ev.Site+3
			}
		case n >= 16+fences: // a flag
			ev.Access, ev.Mask, at, ev.Site = abi.AccessKind(r.IntN(2)), 1<<r.IntN(8), 3<<40, 20+r.Uint32N(2)
			if ev.Access == abi.AccessStore {
				ev.Wrote, ev.Sem, ev.Site = ev.Mask, pick(t, abi.SemRelease, abi.SemRelaxed), 22
			} else {
				ev.Sem = pick(t, abi.SemAcquire, abi.SemRelaxed)
			}
		case n >= 16:
			ev = abi.Event{
				Kind: pick(t, abi.EventFence, abi.EventFence, abi.EventWarpSync), Block: block, Cluster: block, Warp: ev.Warp, Live: ev.Live, Site: 30,
				Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: pick(t, abi.ScopeCTA, abi.ScopeGPU, abi.ScopeGPU), Mask: ev.Mask,
			}
		default:
			rounds = 1 + r.IntN(6)
		}
		if narrow && ev.Sem == abi.SemRelaxed && ev.Site < 20 && r.IntN(2) == 0 {
			ev.Scope, ev.Site = abi.ScopeCTA, ev.Site+40
		}
		if one {
			ev.Mask &= -ev.Mask
			ev.Wrote &= ev.Mask
		}
		offset, gap := 4*r.Uint64N(words), pick[uint64](t, 0, 0, 4, 4, 8)
		for round := range uint64(rounds) {
			for lane := range uint64(8) {
				ev.Addr[lane], ev.New[lane] = at+offset+round*step+lane*gap, r.Uint64N(3)
				if at == 3<<40 {
					ev.Addr[lane] = at + offset%8
				}
			}
			neighbours(&ev)
			events = append(events, ev)
		}
	}
	return events
}

// TestDeferredStrongReads: reports are the same whether strong reads are deferred or not, when journals are full, and when contexts that
// no access needs are dropped all the time. With weak reads of the same words, the pairs are compared, and these reads count as one: which of
// those of a thread are named may differ.
func TestDeferredStrongReads(t *testing.T) {
	defer precise.LimitContexts(4)()
	warned := 0
	for seed := range uint64(*traces) {
		weak := seed%4 == 0
		events := newDataTrace(seed, 20+int(seed%80), weak)
		report := func(journals uintptr) string {
			d := newDetector(t)
			d.LimitJournals(journals)
			d.SetDecisions(map[uint32]bool{4: seed%3 == 0, 21: true})
			races, pairs := play(d, events), make(map[race]bool)
			site := func(n uint32) uint32 {
				if n >= 10 && n < 13 {
					return 10
				}
				return n
			}
			for i := range races {
				r := &races[i]
				if r.Severity == detect.Warning {
					warned++
				}
				r.Count = 0 // what takes one entry in one of these takes two in another
				pairs[race{site(r.First.Site), site(r.Second.Site)}] = true
			}
			if weak {
				return fmt.Sprintf("%v", pairs)
			}
			return fmt.Sprintf("%+v", races)
		}
		for _, journals := range []uintptr{200, 1 << 20} {
			got := report(journals)
			undo := precise.ReadAtOnce()
			want := report(journals)
			undo()
			if got != want {
				t.Fatalf("seed %d, %d bytes: got %s\nwant %s\n%s", seed, journals, got, want, traceText(events))
			}
		}
	}
	if warned < *traces/4 {
		t.Errorf("%d warnings in %d traces: too few to tell", warned, *traces)
	}
}

// TestDeferredReadsKeepFences: a lane writes data and executes fence.sc before a strong read that is deferred; another thread writes what
// has been read, executes fence.sc and reads the data, which the two fences order after the write. The lane reads with others that
// have executed no fence, or another one, and so much happens in between that contexts are dropped. An earlier weak read has the word keep
// its accesses in a location, else in a cell.
func TestDeferredReadsKeepFences(t *testing.T) {
	defer precise.LimitContexts(4)()
	const data, flag = 1 << 40, 2 << 40
	for _, lane := range []int{0, 3} {
		for n := range 6 {
			fenced, weakly := []uint32{0, 1 << lane, 0xff}[n/2], n%2 == 1 // lanes that execute a fence; there is an earlier weak read
			var events []abi.Event
			emit := func(block uint64, ev abi.Event, at uint64) {
				ev.Block, ev.Cluster, ev.Live, ev.Space, ev.Bytes, ev.Valued = block, block, 0xff, abi.SpaceGlobal, 4, true
				for i := range ev.Addr {
					ev.Addr[i] = at
				}
				neighbours(&ev)
				events = append(events, ev)
			}
			access := func(block uint64, mask uint32, kind abi.AccessKind, sem abi.Semantics, at uint64) {
				ev := abi.Event{Kind: abi.EventAccess, Mask: mask, Access: kind, Sem: sem, Scope: abi.ScopeGPU, Site: 10*uint32(block) + 2 + uint32(sem)}
				if kind == abi.AccessStore {
					ev.Wrote, ev.Site = mask, ev.Site+5
				}
				emit(block, ev, at)
			}
			fence := func(block uint64, mask uint32) {
				if mask != 0 {
					emit(block, abi.Event{Kind: abi.EventFence, Mask: mask, Sem: abi.SemSC, Scope: abi.ScopeGPU, Site: 30}, 0)
				}
			}
			if weakly {
				access(1, 1, abi.AccessLoad, abi.SemWeak, flag)
			}
			access(0, 1<<lane, abi.AccessStore, abi.SemWeak, data)
			fence(0, fenced)
			access(0, 0xff, abi.AccessLoad, abi.SemVolatile, flag)
			for n := range uint64(8) {
				fence(0, 0xff)
				access(0, 0xff, abi.AccessLoad, abi.SemVolatile, 3<<40+4*n)
			}
			access(1, 1, abi.AccessStore, abi.SemVolatile, flag)
			fence(1, 1)
			access(1, 1, abi.AccessLoad, abi.SemWeak, data)
			racy := false
			for _, r := range play(newDetector(t), events) {
				racy = racy || r.Severity != detect.Warning
			}
			if want := fenced == 0; racy != want {
				t.Errorf("lane %d, fences of %#x, weak read %t: race %t, want %t", lane, fenced, weakly, racy, want)
			}
		}
	}
}
