// Words that are entered together, and one by one.

package order_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/order"
)

// TestRanges: words that operations touch together have the conflicts that they have one by one, in the same order.
func TestRanges(t *testing.T) {
	found := 0
	for seed := range uint64(300) {
		together, apart := newScene(), newScene()
		r := rand.New(rand.NewPCG(seed, 1))
		for range 40 {
			step := randomStep(r)
			step(together, together.Touch)
			step(apart, func(o *order.Operation, at order.Place, address, size uint64, kind bool) {
				for end := address + size; address < end; {
					n := min(4-address%4, end-address)
					apart.Touch(o, at, address, n, kind)
					address += n
				}
			})
		}
		got, want := described(together), described(apart)
		if got != want {
			t.Fatalf("seed %d: together\n%sone by one\n%s", seed, got, want)
		}
		found += len(apart.found)
	}
	if found < 1000 {
		t.Errorf("%d conflicts in all, want many more", found)
	}
}

type touch = func(o *order.Operation, at order.Place, address, size uint64, kind bool)

// randomStep is something that an application does: an operation that touches memory, perhaps around the end of a page,
// or something that orders operations.
func randomStep(r *rand.Rand) func(*scene, touch) {
	in, event, what := order.Stream(r.IntN(4)), uint64(r.IntN(2)), r.IntN(12)
	address, size := 4000+uint64(r.IntN(100)), 1+uint64(r.IntN(200))
	if r.IntN(2) == 0 {
		address, size = address&^3, size&^3+4
	}
	at, label, kind := plain+order.Place(r.IntN(3)), r.IntN(1000), r.IntN(2) == 0
	if r.IntN(4) == 0 {
		at = strong
	}
	return func(s *scene, enter touch) {
		switch what {
		case 0:
			s.Record(event, in)
		case 1:
			s.Wait(in, event)
		case 2:
			s.SynchronizeStream(in)
		case 3:
			s.Released(s.Begin(in, label), address, size)
		default:
			enter(s.Begin(in, label), at, address, size, kind)
		}
	}
}

func described(s *scene) (text string) {
	for _, c := range s.found {
		text += fmt.Sprintf("%v at %d and %v at %d: %d bytes at %d\n", c.First.Operation.Label, c.First.Place, c.Second.Operation.Label, c.Second.Place, c.Size, c.Address)
	}
	return text
}

// BenchmarkTouch is memory of 4 MB that each of two streams in turn writes, 128 bytes at a time; ns/word is the time
// for a word.
func BenchmarkTouch(b *testing.B) {
	const bytes = 4 << 20
	s := newScene()
	turns := 0
	for ; b.Loop(); turns++ {
		in := order.Stream(1 + turns%2)
		s.SynchronizeStream(3 - in)
		o := s.Begin(in, turns)
		for at := uint64(0); at < bytes; at += 128 {
			s.Touch(o, plain, at, 128, write)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(turns)/(bytes/4), "ns/word")
	if len(s.found) > 0 {
		b.Errorf("conflicts %+v", s.found)
	}
}
