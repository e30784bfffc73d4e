package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// recorder keeps what it is given.
type recorder struct {
	events  []abi.Event
	batches []abi.Batch
	order   []bool        // of events (false) and batches
	pause   time.Duration // after each hundredth of them
}

func (r *recorder) Event(ev *abi.Event) {
	var e abi.Event
	if b := ev.Brief(); b != nil {
		e.SetBrief(b)
	} else {
		e = *ev
	}
	r.events = append(r.events, e)
	r.add(false)
}

func (r *recorder) Accesses(b *abi.Batch) {
	list := make([]abi.Access, len(b.List))
	for i, a := range b.List {
		for _, p := range []**row{&a.Addr, &a.New, &a.Old} {
			if *p != nil {
				values := **p
				*p = &values
			}
		}
		list[i] = a
	}
	kept := *b
	kept.List = list
	r.batches = append(r.batches, kept)
	r.add(true)
}

func (r *recorder) add(batch bool) {
	if r.order = append(r.order, batch); len(r.order)%100 == 0 {
		time.Sleep(r.pause)
	}
}

// tell passes events and batches to a receiver, and changes each afterwards.
func tell(rng *rand.Rand, to abi.Receiver, number int) {
	var ev abi.Event
	var b abi.Batch
	var rows [3]row
	class := &abi.AccessClass{Site: 7}
	for i := range number {
		if rng.IntN(3) == 0 {
			ev.Kind, ev.Block, ev.Mask, ev.Phases = abi.EventKind(rng.IntN(int(abi.EventTensorAfter)+1)), rng.Uint64(), rng.Uint32(), uint32(i)
			ev.Addr[rng.IntN(abi.WarpLanes)], ev.Pending[rng.IntN(abi.WarpLanes)] = rng.Uint64(), uint32(i)
			to.Event(&ev)
			continue
		}
		b.Block, b.Warp, b.Op = rng.Uint64(), uint32(i), rng.Uint64()
		b.List = b.List[:0]
		accesses := rng.IntN(8)
		if rng.IntN(1000) == 0 {
			accesses = rng.IntN(2000)
		}
		for range accesses {
			a := abi.Access{AccessClass: class, Mask: rng.Uint32(), Base: rng.Uint64(), Step: 4}
			for k, p := range []**row{&a.Addr, &a.New, &a.Old} {
				if rng.IntN(3) == 0 {
					rows[k][rng.IntN(abi.WarpLanes)] = rng.Uint64()
					*p = &rows[k]
				}
			}
			b.List = append(b.List, a)
		}
		to.Accesses(&b)
	}
}

// TestRelay: the receiver gets the same events in the same order as without a relay, whichever side is slower.
func TestRelay(t *testing.T) {
	for _, c := range []struct {
		name            string
		receiver, maker time.Duration
		waits           int
		number          int
	}{
		{"as fast as they can", 0, 0, 3, 10_000},
		{"a slow receiver", time.Millisecond, 0, 2, 10_000},
		{"a slow producer", 0, 2 * time.Millisecond, 2, 3_000},
		{"short launches", 0, 0, 300, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := &recorder{}
			r := To(got)
			for i := range c.waits {
				want := &recorder{}
				*got = recorder{pause: c.receiver}
				seed := func() *rand.Rand { return rand.New(rand.NewPCG(uint64(i), 1)) }
				tell(seed(), want, c.number)
				tell(seed(), &slow{r, c.maker, 0}, c.number)
				r.Wait()
				if !reflect.DeepEqual(want.order, got.order) || !reflect.DeepEqual(want.events, got.events) || !reflect.DeepEqual(want.batches, got.batches) {
					t.Fatalf("%d: %d events and %d batches, expected %d and %d, or others", i, len(got.events), len(got.batches), len(want.events), len(want.batches))
				}
			}
			if c.number > 1000 && r.sent.Load() < chunks {
				t.Errorf("%d chunks were sent: too few to tell", r.sent.Load())
			}
		})
	}
}

// slow is a producer that pauses after each thousandth thing.
type slow struct {
	abi.Receiver
	pause time.Duration
	count int
}

func (s *slow) Event(ev *abi.Event) {
	s.Receiver.Event(ev)
	if s.count++; s.count%1000 == 0 {
		time.Sleep(s.pause)
	}
}

// TestRelayPanics: a panic of the receiver is passed on to Wait, which does not block.
func TestRelayPanics(t *testing.T) {
	for _, number := range []int{10, 10_000} {
		r := To(broken{})
		got := func() (p any) {
			defer func() { p = recover() }()
			tell(rand.New(rand.NewPCG(1, 1)), r, number)
			r.Wait()
			return nil
		}()
		if !strings.HasPrefix(fmt.Sprint(got), "broken") {
			t.Errorf("%d events: panic %v", number, got)
		}
	}
}

// broken panics.
type broken struct{}

func (broken) Event(*abi.Event)    { panic("broken") }
func (broken) Accesses(*abi.Batch) {}

// BenchmarkRelay measures what a relay costs the producer, when the receiver does nothing.
func BenchmarkRelay(b *testing.B) {
	for _, c := range []struct {
		name string
		addr *row
	}{{"even", nil}, {"scattered", new(row)}} {
		b.Run(c.name, func(b *testing.B) {
			batch := abi.Batch{List: []abi.Access{{AccessClass: &abi.AccessClass{}, Mask: 1, Addr: c.addr}}}
			r := To(nothing{})
			for b.Loop() {
				r.Accesses(&batch)
			}
			r.Wait()
		})
	}
}

type nothing struct{}

func (nothing) Event(*abi.Event)    {}
func (nothing) Accesses(*abi.Batch) {}

// stopping is a receiver that ends a context when it gets its third batch.
type stopping struct {
	events, batches int
	stop            func()
}

func (s *stopping) Event(*abi.Event) { s.events++ }

func (s *stopping) Accesses(*abi.Batch) {
	if s.batches++; s.batches == 3 {
		s.stop()
	}
}

// TestUntil: accesses are dropped when the launch's context is done, and events are not.
func TestUntil(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	got := &stopping{stop: stop}
	r := To(got)
	r.Until(ctx)
	const n = 3000 // many chunks
	send := func() {
		for range n {
			r.Accesses(&abi.Batch{})
			r.Event(&abi.Event{})
		}
		r.Wait()
	}
	if send(); got.batches != 3 || got.events != n {
		t.Errorf("%d batches and %d events after the context was done at the third batch", got.batches, got.events)
	}
	r.Until(t.Context())
	if send(); got.batches != 3+n || got.events != 2*n {
		t.Errorf("%d batches and %d events after the next launch", got.batches, got.events)
	}
}
