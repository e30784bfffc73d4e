package precise_test

import "github.com/ptxsan/ptxsan/runtime/abi"

// The parts of random traces that are about memory which is accessed in one way for a
// while, and about launches without clusters, where a barrier of a block separates what
// happens in its shared memory.

// traceWindows is how many windows of addresses accesses to global memory are in, as
// allocations are.
const traceWindows = 3

// habit is what most accesses of a window are.
type habit int

const (
	anyAccess habit = iota
	onlyReads
	onlyCounts
	onlyOwn    // strong loads and stores of words, each by one thread
	onlyStores // weak stores, as a rule to words that nobody has accessed
)

// habitual makes an event one that is usual in a window, and reports whether it has.
func (t *tracer) habitual(key [2]uint64, window int, ev *abi.Event) bool {
	if t.habits[window] == anyAccess || t.IntN(16) == 0 {
		return false
	}
	if t.habits[window] == onlyOwn {
		t.own(key, ev)
		moveTo(ev, window)
		return true
	}
	if t.habits[window] == onlyStores {
		t.scatter(ev)
		moveTo(ev, window)
		return true
	}
	ev.Access = abi.AccessLoad
	if t.habits[window] == onlyCounts {
		ev.Access, ev.Sem, ev.Scope, ev.Wrote, ev.Reduces = abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU, ev.Mask, t.IntN(2) == 0
	}
	t.address(ev)
	if ev.Access == abi.AccessRMW {
		ev.Bytes, ev.Scalar = 4, 0
		for i := range ev.Addr {
			ev.Addr[i] &^= 3
		}
	}
	moveTo(ev, window)
	return true
}

// own makes an event a strong load or store by each lane of a word of its own. Four of these words
// are where other accesses are too.
func (t *tracer) own(key [2]uint64, ev *abi.Event) {
	ev.Access = pick(t, abi.AccessLoad, abi.AccessStore, abi.AccessStore)
	ev.Sem, ev.Scope = pick(t, abi.SemVolatile, abi.SemRelaxed), abi.ScopeGPU
	ev.Space, ev.Bytes, ev.Scalar = abi.SpaceGlobal, 4, 0
	if ev.Access == abi.AccessStore {
		ev.Wrote = ev.Mask
	}
	for i := range uint64(3) {
		thread := 3*(traceBlocks*key[1]+key[0]) + i
		ev.Addr[i] = 0x1000 + 128 - 8 + 4*(thread*5%(3*traceBlocks*traceWarps))
	}
}

// scatter makes an event a weak store by each lane of a word, or of two.
func (t *tracer) scatter(ev *abi.Event) {
	ev.Access, ev.Sem, ev.Scope, ev.Wrote = abi.AccessStore, abi.SemWeak, 0, ev.Mask
	ev.Space, ev.Bytes, ev.Scalar = abi.SpaceGlobal, pick[uint32](t, 4, 4, 8), 0
	first, apart := uint64(3*len(t.events)), pick[uint64](t, 1, 5, 7, t.Uint64N(8))
	if t.IntN(16) == 0 {
		first = t.Uint64N(64)
	}
	for i := range uint64(3) {
		ev.Addr[i] = 0x1000 + 128 - 8 + (first+i*apart)%128*uint64(ev.Bytes)
	}
}

// moveTo moves an access to global memory to a window.
func moveTo(ev *abi.Event, window int) {
	if ev.Space != abi.SpaceGlobal {
		return
	}
	for i := range ev.Addr[:3] {
		ev.Addr[i] += uint64(window) << 32
	}
}

// aloneTracer is what traces of launches without clusters have more: which lanes have ended.
type aloneTracer struct {
	ended map[[2]uint64]uint32 // by block and warp
}

func newAloneTracer() *aloneTracer { return &aloneTracer{ended: make(map[[2]uint64]uint32)} }

// lanes are those of a warp that have not ended.
func (t *tracer) lanes(key [2]uint64) uint32 {
	if t.alone == nil {
		return traceLanes
	}
	return traceLanes &^ t.alone.ended[key]
}

// shared is how many quarters of accesses are to shared memory.
func (t *tracer) shared() int {
	if t.alone == nil {
		return 1
	}
	return 3
}

// stepAlone is one instruction of a warp, or a few that belong together, or the end of
// some of its threads.
func (t *tracer) stepAlone(key [2]uint64) {
	switch n := t.IntN(100); {
	case n < 62:
		t.access(key)
	case n < 66:
		t.emit(key, abi.Event{Kind: abi.EventFence, Mask: t.mask(), Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: t.scope()})
	case n < 69:
		t.emit(key, abi.Event{Kind: abi.EventWarpSync, Mask: t.mask(), Sem: abi.SemAcqRel})
	case n < 97:
		t.barrier(key)
	default:
		t.end(key)
	}
}

// end ends some threads of a warp. Those who wait for them go on.
func (t *tracer) end(key [2]uint64) {
	t.alone.ended[key] |= t.mask()
	t.events = append(t.events, abi.Event{Kind: abi.EventConverge, Block: key[0], Warp: uint32(key[1]), Live: t.lanes(key)}) // says who is left
	other := [2]uint64{key[0], 1 - key[1]}
	w := t.waiting[other]
	if t.lanes(key) != 0 || w == nil {
		return
	}
	t.waiting[other] = nil
	for _, kind := range []abi.EventKind{abi.EventBarrierComplete, abi.EventBarrierPass} {
		ev := *w
		ev.Kind = kind
		t.emit(other, ev)
	}
}
