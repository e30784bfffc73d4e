package precise_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newLockedTrace is a random trace of lanes that read a word weakly and change it by atomic operations, most of them
// between an acquire and a release of a lock, of which some are left out, and between barriers; now and then other
// lanes read, too.
func newLockedTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 12)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	wrong, reads := pick(t, 0, 3, 15), pick(t, 2, 2, 40) // of 100 operations on the lock, how many are left out; one of how many accesses reads
	at := func(mask uint32, addr uint64, access abi.AccessKind, sem abi.Semantics) abi.Event {
		ev := abi.Event{Kind: abi.EventAccess, Mask: mask, Space: abi.SpaceGlobal, Bytes: 4, Access: access, Sem: sem, Valued: true}
		if sem != abi.SemWeak {
			ev.Scope = abi.ScopeGPU
		}
		for i := range uint64(3) {
			ev.Addr[i], ev.New[i] = addr, t.Uint64N(9)
		}
		if access.Writes() {
			ev.Wrote = mask
		}
		return ev
	}
	for len(t.events) < length {
		key, mask := [2]uint64{t.Uint64N(2), t.Uint64N(traceWarps)}, uint32(1)<<t.lane()
		if t.waiting[key] != nil || t.IntN(8) == 0 {
			if t.waiting[key] == nil {
				t.barrier(key)
			}
			continue
		}
		unlocked := t.IntN(100) < wrong
		if !unlocked && t.IntN(100) >= wrong {
			t.emit(key, at(mask, 0x2000, abi.AccessRMW, abi.SemAcquire))
		}
		for range 1 + t.IntN(3) {
			ev := at(mask, 0x1000, abi.AccessRMW, abi.SemRelaxed)
			if t.IntN(reads) == 0 {
				lanes := mask
				if t.IntN(200) < wrong {
					lanes = t.mask()
				}
				ev = at(lanes, 0x1000, abi.AccessLoad, abi.SemWeak)
			}
			t.emit(key, ev)
		}
		if !unlocked && t.IntN(100) >= wrong {
			t.emit(key, at(mask, 0x2000, abi.AccessStore, abi.SemRelease))
		}
	}
	return t.events
}

// TestPreceding: reads of words that many threads change are what the definitions say, also where a list of writes
// keeps a read that they precede from the first one on.
func TestPreceding(t *testing.T) {
	defer precise.LimitPreceding(1)()
	racy := 0
	for seed := range uint64(*traces / 2) {
		events := newLockedTrace(seed, 10+int(seed%60)*int(1+seed%7))
		agree(t, seed, events)
		if len(detected(t, events)) > 0 {
			racy++
		}
	}
	if racy < *traces/20 || racy > *traces*9/20 {
		t.Errorf("%d of %d traces race: the others, or they, are too rare to tell", racy, *traces/2)
	}
}
