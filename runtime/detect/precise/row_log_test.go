package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// exchanger makes a random trace of warps whose lanes exchange values in volatile shared memory, as scans and reductions do.
type exchanger struct {
	*rand.Rand
	events []abi.Event
	steps  []abi.Event // the instructions of the program, with Addr[0] the offset from the warp's row in words
	lanes  int
	size   uint32
	block  uint64
	live   uint32
}

// newExchangeTrace is such a trace: rounds of few instructions, by the warps of some blocks, with a barrier after each.
func newExchangeTrace(seed uint64) []abi.Event {
	t := &exchanger{Rand: rand.New(rand.NewPCG(seed, 17))}
	t.lanes, t.size = pick(t.tracer(), 3, 8, 32), pick(t.tracer(), uint32(4), 4, 8)
	t.live = uint32(1<<t.lanes - 1)
	odd := pick(t.tracer(), 0, 0, 4, 12, 30) // of 100 instructions, those other than volatile accesses side by side
	for site := range uint32(3 + t.IntN(8)) {
		t.steps = append(t.steps, t.step(site+1, odd))
	}
	if t.IntN(3) == 0 { // some lanes learn what the others do not
		t.steps = append(t.steps, abi.Event{Kind: abi.EventWarpSync, Site: 99, Mask: t.Uint32() | 3, Sem: abi.SemAcqRel})
	}
	for t.block = range uint64(1 + t.IntN(traceBlocks)) {
		for range 1 + t.IntN(6) {
			t.round()
		}
		for w := range uint32(traceWarps) {
			t.events = append(t.events, abi.Event{Kind: abi.EventConverge, Block: t.block, Cluster: t.block, Warp: w})
		}
	}
	return t.events
}

func (t *exchanger) tracer() *tracer { return &tracer{Rand: t.Rand} }

// step is a random instruction of the program.
func (t *exchanger) step(site uint32, odd int) abi.Event {
	p := t.tracer()
	ev := abi.Event{
		Kind: abi.EventAccess, Site: site, Mask: pick(p, t.live, t.live, t.live, t.Uint32()|1), Space: abi.SpaceShared, Bytes: t.size, Sem: abi.SemVolatile,
		Access: pick(p, abi.AccessLoad, abi.AccessStore), Valued: t.IntN(8) > 0,
	}
	ev.Addr[0] = pick(p, uint64(0), 0, 1, 2, 4, uint64(t.lanes))
	ev.Addr[1] = pick(p, uint64(1), 1, 1, 1, 1, 0) // step in words
	if t.IntN(100) >= odd {
		return ev
	}
	switch t.IntN(9) {
	case 0:
		ev.Sem = abi.SemWeak
	case 1:
		ev.Access, ev.Sem = abi.AccessRMW, abi.SemRelaxed
	case 2:
		ev.Access, ev.Sem, ev.Atomic = abi.AccessRMW, abi.SemRelaxed, abi.AtomicCAS
	case 3:
		ev.Sem = abi.SemAcquire
		if ev.Access == abi.AccessStore {
			ev.Sem = abi.SemRelease
		}
	case 4:
		ev.Bytes = 12 - ev.Bytes // 4 or 8
	case 5:
		ev = abi.Event{Kind: abi.EventFence, Site: site, Mask: ev.Mask, Sem: pick(p, abi.SemAcqRel, abi.SemSC), Scope: abi.ScopeGPU}
	case 6:
		ev.Sem, ev.Scope = abi.SemRelaxed, pick(p, abi.ScopeCTA, abi.ScopeGPU)
	case 7:
		ev.Site = 100 // decides
	default:
		ev = abi.Event{Kind: abi.EventWarpSync, Site: site, Mask: ev.Mask, Sem: abi.SemAcqRel}
	}
	return ev
}

// round is the instructions between two barriers, in a random order of warps.
func (t *exchanger) round() {
	var at [traceWarps]int
	from, length := t.IntN(len(t.steps)), 1+t.IntN(24)
	if t.IntN(20) == 0 {
		length = 90 // more than a log holds
	}
	for left := traceWarps * length; left > 0; {
		w := t.IntN(traceWarps)
		if at[w] == length || t.IntN(6) == 0 {
			w = traceWarps - 1 - w
		}
		for range 1 + t.IntN(8) {
			if at[w] < length {
				t.execute(t.steps[(from+at[w])%len(t.steps)], uint32(w))
				at[w]++
				left--
			}
		}
	}
	barrier := abi.Event{Mask: t.live}
	for _, x := range []struct {
		kind abi.EventKind
		warp uint32
	}{{abi.EventBarrierArrive, 0}, {abi.EventBarrierArrive, 1}, {abi.EventBarrierComplete, 1}, {abi.EventBarrierPass, 0}, {abi.EventBarrierPass, 1}} {
		barrier.Kind = x.kind
		t.emit(barrier, x.warp)
	}
}

// execute is an instruction by a warp.
func (t *exchanger) execute(ev abi.Event, w uint32) {
	first, step, size := ev.Addr[0], ev.Addr[1], uint64(ev.Bytes)
	if ev.Kind == abi.EventAccess {
		base := 0x400 + uint64(w)*pick(t.tracer(), uint64(t.lanes), uint64(t.lanes), uint64(t.lanes), 0)*size
		for lane := range uint64(t.lanes) {
			ev.Addr[lane], ev.New[lane], ev.Old[lane] = base+(first+lane*step)*size, t.Uint64N(3), t.Uint64N(3)
		}
	}
	switch {
	case ev.Access == abi.AccessLoad:
	case ev.Atomic == abi.AtomicCAS:
		ev.Wrote = t.Uint32() & ev.Mask & t.live
	default:
		ev.Wrote = ev.Mask & t.live
	}
	t.emit(ev, w)
}

func (t *exchanger) emit(ev abi.Event, w uint32) {
	ev.Block, ev.Cluster, ev.Warp, ev.Live = t.block, t.block, w, t.live
	ev.Mask &= t.live
	neighbours(&ev)
	t.events = append(t.events, ev)
}

// TestRowLogs: what is reported is the same with logs and without, in short logs, and when every warning is examined. Logs that begin with
// accesses from cells change nothing where cells alone change nothing.
func TestRowLogs(t *testing.T) {
	warned, raced, celled := 0, 0, 0
	for seed := range uint64(*traces) / 12 {
		events := newExchangeTrace(seed)
		reports := func(settings ...func() func()) (string, []detect.Race) {
			for _, change := range settings {
				defer change()()
			}
			d := newDetector(t)
			d.SetDecisions(map[uint32]bool{100: true})
			if seed%3 == 0 {
				d.SetAbsent(absentFrom(events))
			}
			races := playIn(d, events, batching(seed%3))
			return fmt.Sprintf("%+v", races), races
		}
		noLogs, shortLogs := func() func() { return precise.LimitLogs(0) }, func() func() { return precise.LimitLogs(3) }
		want, races := reports(precise.AvoidSharedCells, noLogs)
		for _, r := range races {
			if r.Severity == detect.Warning {
				warned++
			} else {
				raced++
			}
		}
		same := func(name string, settings ...func() func()) {
			if got, _ := reports(settings...); got != want {
				t.Fatalf("seed %d, %s: got %s\nwant %s\n%s", seed, name, got, want, traceText(events))
			}
		}
		same("in logs", precise.AvoidSharedCells)
		same("in short logs", precise.AvoidSharedCells, shortLogs)
		same("in logs, examined", precise.AvoidSharedCells, precise.ExamineAll)
		if got, _ := reports(noLogs); got == want {
			celled++
			same("in cells and logs")
			same("in cells and short logs", shortLogs)
		}
	}
	if warned < *traces/6 || raced < *traces/48 || celled < *traces/12*9/10 {
		t.Errorf("%d warnings and %d races, %d traces with cells: too few to tell", warned, raced, celled)
	}
}

// TestRowLogOfFencedWords: lanes that read, side by side, flags which others have stored after a fence acquire what these have released.
func TestRowLogOfFencedWords(t *testing.T) {
	tr := &tracer{alone: newAloneTracer()}
	access := func(warp, base uint64, kind abi.AccessKind, sem abi.Semantics) {
		ev := abi.Event{Kind: abi.EventAccess, Mask: traceLanes, Space: abi.SpaceShared, Bytes: 4, Access: kind, Sem: sem, Valued: true}
		for lane := range uint64(3) {
			ev.Addr[lane] = base + 4*lane
		}
		if kind == abi.AccessStore {
			ev.Wrote = ev.Mask
		}
		tr.emit([2]uint64{0, warp}, ev)
	}
	fence := func(warp uint64) {
		tr.emit([2]uint64{0, warp}, abi.Event{Kind: abi.EventFence, Mask: traceLanes, Sem: abi.SemAcqRel, Scope: abi.ScopeGPU})
	}
	access(0, 0x400, abi.AccessStore, abi.SemWeak)
	fence(0)
	access(0, 0x800, abi.AccessStore, abi.SemVolatile)
	access(1, 0x800, abi.AccessLoad, abi.SemVolatile)
	fence(1)
	access(1, 0x400, abi.AccessLoad, abi.SemWeak)
	for _, how := range []batching{together, oneByOne, asEvents} {
		for _, r := range playIn(newDetector(t), tr.events, how) {
			t.Errorf("%+v", r)
		}
	}
}

// TestLanesOfAWord: where all lanes of an instruction store to one word, what the lanes before its owner race with is reported, too.
func TestLanesOfAWord(t *testing.T) {
	tr := &tracer{alone: newAloneTracer()}
	for site, step := range []uint64{4, 0} {
		ev := abi.Event{Kind: abi.EventAccess, Site: uint32(1 + site), Mask: traceLanes, Wrote: traceLanes, Space: abi.SpaceShared, Bytes: 4, Access: abi.AccessStore, Sem: abi.SemVolatile, Valued: true}
		for lane := range uint64(3) {
			ev.Addr[lane], ev.New[lane] = 0x408-step*(2-lane), lane
		}
		tr.emit([2]uint64{0, 0}, ev)
	}
	want := []race{{1, 2}, {2, 2}}
	for _, how := range []batching{together, oneByOne, asEvents} {
		got, d := make(map[race]bool), newDetector(t)
		d.SetDecisions(map[uint32]bool{100: true})
		for _, r := range playIn(d, tr.events, how) {
			got[race{r.First.Site, r.Second.Site}] = r.Severity == detect.Warning
		}
		if len(got) != len(want) || !got[want[0]] || !got[want[1]] {
			t.Errorf("%v: warnings about %v, expected %v", how, got, want)
		}
	}
}
