package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// batcher hands accesses to a detector many at a time.
type batcher struct {
	d       abi.Receiver
	classes map[abi.AccessClass]*abi.AccessClass
	batch   abi.Batch
	waiting []abi.Access // to be added to the batch
	loops   abi.Loops
	latest  map[*abi.AccessClass]*int // of the loops' accesses
}

func newBatcher(d abi.Receiver) *batcher {
	return &batcher{d: d, classes: map[abi.AccessClass]*abi.AccessClass{}, latest: map[*abi.AccessClass]*int{}}
}

// add adds the access of an event to the batch, and reports whether it is one for batches.
func (b *batcher) add(ev *abi.Event) bool {
	if ev.Kind != abi.EventAccess || ev.Async != abi.Synchronous {
		return false
	}
	if b.batch.Block != ev.Block || b.batch.Warp != ev.Warp || b.batch.Live != ev.Live {
		b.flush() // as the emulator does, before lanes exit
	}
	s := abi.AccessClass{
		Site: ev.Site, Bytes: ev.Bytes, Scalar: ev.Scalar, Space: ev.Space, Access: ev.Access, Atomic: ev.Atomic, Sem: ev.Sem,
		Scope: ev.Scope, Proxy: ev.Proxy, Wide: ev.Wide, Reduces: ev.Reduces,
	}
	if b.classes[s] == nil {
		b.classes[s], b.latest[&s] = &s, new(int)
	}
	b.batch.Block, b.batch.Cluster, b.batch.Warp, b.batch.Live = ev.Block, ev.Cluster, ev.Warp, ev.Live
	a := abi.Access{AccessClass: b.classes[s], Mask: ev.Mask, Next: ev.Next, Same: ev.Same, Wrote: ev.Wrote, Ages: ev.Ages}
	lanes := lanesOf(ev.Mask)
	if first := lanes[0]; ev.Mask == ev.Next|1<<first {
		a.Base, a.Step = ev.Addr[first]-uint64(first)*uint64(ev.Bytes), uint64(ev.Bytes)
	} else if ev.Mask == ev.Same|1<<first {
		a.Base = ev.Addr[first]
	} else if step, even := evenly(ev, lanes); even {
		a.Base, a.Step = ev.Addr[first]-uint64(first)*step, step
	} else {
		addr := ev.Addr
		a.Addr = &addr
	}
	if ev.Valued && ev.Access != abi.AccessLoad {
		written, found := ev.New, ev.Old
		a.New, a.Old = &written, &found
	}
	b.waiting = append(b.waiting, a)
	return true
}

// Repeats implements abi.Repeats. The batch lists two rounds of the loop, and lacks the access after them.
func (b *batcher) Repeats(period int) (n int) {
	loop := abi.Loop{At: len(b.batch.List) - 2*period, Period: period, Listed: 2 * period}
	var next abi.Access
	for ; n < len(b.waiting); n++ {
		if loop.Nth(&b.batch, loop.Listed+1+n, &next); b.waiting[n] != next {
			break
		}
	}
	b.waiting = b.waiting[n:]
	return n
}

// evenly is the difference between the addresses of neighbours, and whether it is the same for all lanes.
func evenly(ev *abi.Event, lanes []int) (step uint64, even bool) {
	first := lanes[0]
	step = (ev.Addr[lanes[1]] - ev.Addr[first]) / uint64(lanes[1]-first)
	for _, lane := range lanes[1:] {
		if ev.Addr[lane] != ev.Addr[first]+uint64(lane-first)*step {
			return 0, false
		}
	}
	return step, true
}

// flush hands over what there is.
func (b *batcher) flush() {
	for len(b.waiting) > 0 {
		x := b.waiting[0]
		b.batch.List, b.waiting = append(b.batch.List, x), b.waiting[1:]
		var producer abi.Repeats
		if x.Addr == nil && x.New == nil {
			producer = b
		}
		b.loops.Add(&b.batch, b.latest[x.AccessClass], producer)
	}
	if len(b.batch.List) > 0 {
		b.d.Accesses(&b.batch)
	}
	b.batch.List, b.batch.Loops = b.batch.List[:0], b.batch.Loops[:0]
	b.loops.Begin()
}

// newPickedTrace is a random trace of a few weak loads and stores, between barriers: of words, pairs of them and bytes
// that lanes pick, or of one.
func newPickedTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 5)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	words, busy, wide := 3+t.Uint64N(30), t.IntN(4) == 0, t.IntN(3) == 0
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(2), t.Uint64N(traceWarps)}
		if t.waiting[key] != nil {
			continue
		}
		if t.IntN(3) < 2 {
			t.barrier(key)
			continue
		}
		site := pick(t, t.Uint32N(4), t.Uint32N(8))
		ev := abi.Event{Kind: abi.EventAccess, Mask: t.mask(), Space: abi.SpaceGlobal, Sem: abi.SemWeak, Bytes: 4, Access: abi.AccessLoad}
		block := key[0]
		if busy {
			block = t.Uint64N(2)
		}
		for lane := range ev.Addr[:3] {
			ev.Addr[lane] = 0x1000 + 128*block + 4*t.Uint64N(words)
			if site%2 == 0 {
				ev.Addr[lane] = ev.Addr[0]
			}
		}
		if site >= 4 {
			ev.Access, ev.Wrote = abi.AccessStore, ev.Mask
		}
		if site/2%2 == 0 {
			ev.Bytes = 1
			for lane := range ev.Addr[:3] {
				ev.Addr[lane] += t.Uint64N(2) * uint64(site%2)
			}
		} else if wide {
			ev.Bytes = 8
			for lane := range ev.Addr[:3] {
				ev.Addr[lane] &^= 7
			}
		}
		n := len(t.events)
		if t.emit(key, ev); len(t.events) > n {
			t.events[n].Site = site + 1
		}
	}
	return t.events
}

// TestPickedWords: what is known of words that lanes pick, or that several access together, is what the definitions
// say, and the same word for word whether accesses come in batches or not.
func TestPickedWords(t *testing.T) {
	racy := 0
	for seed := range uint64(*traces) {
		events := newPickedTrace(seed, 4+int(seed%60))
		agree(t, seed, events)
		var reports [3]string
		for i, how := range []batching{together, oneByOne, asEvents} {
			reports[i] = fmt.Sprintf("%+v", playIn(newDetector(t), events, how))
		}
		if reports[0] != reports[1] || reports[0] != reports[2] {
			t.Fatalf("seed %d: together\n%s\none by one\n%s\nas events\n%s\n%s", seed, reports[0], reports[1], reports[2], traceText(events))
		}
		if len(detected(t, events)) > 0 {
			racy++
		}
	}
	if racy < *traces/4 || racy > *traces*95/100 {
		t.Errorf("%d of %d traces race: the others, or they, are too rare to tell", racy, *traces)
	}
}

// rowsOfWarps is a random trace in which the warps of two blocks load and store rows of elements of one or two sizes:
// usually their own, which need not begin where a line does, sometimes a part of them, or those of others. Barriers
// order some of them.
func rowsOfWarps(seed uint64) (events []abi.Event) {
	r := rand.New(rand.NewPCG(seed, 8))
	lanes, size, offset := 3+r.IntN(30), uint64(1)<<r.IntN(5), r.Uint64N(40)
	all := uint32(1<<lanes - 1)
	emit := func(block uint64, warp uint32, ev abi.Event) {
		ev.Block, ev.Cluster, ev.Warp, ev.Live = block, block, warp, all
		events = append(events, ev)
	}
	stray := 1 + r.IntN(30)
	for range 10 + r.IntN(80) {
		block, warp := r.Uint64N(2), r.Uint32N(traceWarps)
		if r.IntN(6) == 0 {
			for _, kind := range []abi.EventKind{abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass} {
				for w := range uint32(traceWarps) {
					if w == 0 || kind != abi.EventBarrierComplete {
						emit(block, w, abi.Event{Kind: kind, Mask: all})
					}
				}
			}
			continue
		}
		ev := abi.Event{Kind: abi.EventAccess, Space: abi.SpaceGlobal, Sem: abi.SemWeak, Access: abi.AccessLoad, Bytes: uint32(size), Mask: all, Site: 1 + r.Uint32N(2)}
		place := offset + (2*block+uint64(warp))*uint64(lanes)
		switch n := r.IntN(stray); {
		case n == 0 && stray > 1:
			place += r.Uint64N(5) - 2
		case n == 1:
			ev.Mask &= r.Uint32() | r.Uint32()
		case n == 2:
			ev.Bytes, place, ev.Site = uint32(1)<<r.IntN(5), r.Uint64N(40), 7
		}
		if ev.Mask == 0 {
			continue
		}
		if r.IntN(2) == 0 {
			ev.Access, ev.Wrote, ev.Site = abi.AccessStore, ev.Mask, ev.Site+2
		}
		ev.Site += 10 * ev.Bytes
		for lane := range ev.Addr {
			ev.Addr[lane] = 0x1000 + (place+uint64(lane))*uint64(ev.Bytes)
		}
		neighbours(&ev)
		emit(block, warp, ev)
	}
	return events
}

// TestBatchedRows: rows of elements have the same races whether accesses come in batches or not, and as many races
// after other launches.
func TestBatchedRows(t *testing.T) {
	racy, again := 0, newDetector(t)
	for seed := range uint64(*traces) {
		events := rowsOfWarps(seed)
		var reports [3]string
		for i, how := range []batching{together, oneByOne, asEvents} {
			races := playIn(newDetector(t), events, how)
			reports[i] = fmt.Sprintf("%+v", races)
			racy += min(len(races), 1)
			if later := playIn(again, events, how); len(later) != len(races) {
				t.Fatalf("seed %d: after other launches\n%+v\nelse\n%+v\n%s", seed, later, races, traceText(events))
			}
		}
		if reports[0] != reports[1] || reports[0] != reports[2] {
			t.Fatalf("seed %d: together\n%s\none by one\n%s\nas events\n%s\n%s", seed, reports[0], reports[1], reports[2], traceText(events))
		}
	}
	if racy < 3**traces/4 || racy > 3**traces*95/100 {
		t.Errorf("%d of %d traces race: the others, or they, are too rare to tell", racy/3, *traces)
	}
}
