// What orders two operations in two streams, and what does not.

package order_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/order"
)

const (
	write = true
	read  = false
)

// scene is a tracker with two blocking streams and one that is not, and what it has found.
type scene struct {
	*order.Tracker
	found []order.Conflict
}

func newScene() *scene {
	s := &scene{}
	s.Tracker = order.NewTracker(func(c order.Conflict) { s.found = append(s.found, c) })
	s.Create(1, 0, true)
	s.Create(2, 0, true)
	s.Create(3, 0, false)
	s.Strong(strong, 4)
	s.Strong(strongToo, 4)
	s.Strong(strongPair, 8)
	return s
}

// away is the default stream of device 1, which the scene does not create.
var away = order.Default(1)

// plain is the place of a weak access.
const plain = order.FirstPlace

// Places of strong accesses.
const (
	strong order.Place = 50 + iota
	strongToo
	strongPair // of 8 bytes
)

// strongly is an operation with a strong access to the 4 bytes at 64.
func (s *scene) strongly(in order.Stream, at order.Place, kind bool) {
	s.Touch(s.Begin(in, in), at, 64, 4, kind)
}

// do is an operation that touches the 4 bytes at 64.
func (s *scene) do(in order.Stream, kind bool) {
	s.Touch(s.Begin(in, in), plain, 64, 4, kind)
}

// TestOrders: what orders two operations in two streams, and what does not.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		name string
		want int
		play func(*scene)
	}{
		{"one stream", 0, func(s *scene) { s.do(1, write); s.do(1, write) }},
		{"two streams", 1, func(s *scene) { s.do(1, write); s.do(2, write) }},
		{"write and read", 1, func(s *scene) { s.do(1, write); s.do(2, read) }},
		{"read and write", 1, func(s *scene) { s.do(1, read); s.do(2, write) }},
		{"two reads", 0, func(s *scene) { s.do(1, read); s.do(2, read) }},
		{"two readers and a writer", 2, func(s *scene) { s.do(1, read); s.do(2, read); s.do(3, write) }},
		{"told once", 1, func(s *scene) {
			for range 3 {
				s.do(1, write)
				s.do(2, write)
				s.Synchronize(0)
			}
		}},
		{"the default stream waits for blocking ones", 0, func(s *scene) { s.do(1, write); s.do(0, write) }},
		{"blocking streams wait for the default one", 0, func(s *scene) { s.do(0, write); s.do(2, write) }},
		{"the default stream between two", 0, func(s *scene) { s.do(1, write); s.do(0, read); s.do(2, write) }},
		{"a stream that does not block", 1, func(s *scene) { s.do(0, write); s.do(3, write) }},
		{"a reset", 0, func(s *scene) { s.do(1, write); s.Reset(); s.Create(4, 0, false); s.do(4, write) }},
		{"after a reset", 1, func(s *scene) { s.do(1, write); s.Reset(); s.Create(4, 0, false); s.do(4, write); s.do(3, write) }},
		{"the host waits for the stream", 0, func(s *scene) { s.do(1, write); s.SynchronizeStream(1); s.do(2, write) }},
		{"the rest of an operation", 1, func(s *scene) {
			o := s.Begin(1, 1)
			s.do(2, read)
			s.SynchronizeStream(2)
			s.Touch(s.Continue(o), plain, 64, 4, write)
		}},
		{"the rest of an operation after an event", 0, func(s *scene) {
			o := s.Begin(1, 1)
			s.do(2, write)
			s.Record(7, 2)
			s.Touch(s.Continue(o, 7), plain, 64, 4, write)
			s.do(1, write)
		}},
		{"the host waits for another stream", 1, func(s *scene) { s.do(1, write); s.SynchronizeStream(3); s.do(2, write) }},
		{"the host waits for all", 0, func(s *scene) { s.do(3, write); s.Synchronize(0); s.do(2, write) }},
		{"an event", 0, func(s *scene) { s.do(1, write); s.Record(7, 1); s.Wait(2, 7); s.do(2, write) }},
		{"an event from before", 1, func(s *scene) { s.Record(7, 1); s.do(1, write); s.Wait(2, 7); s.do(2, write) }},
		{"the host waits for an event", 0, func(s *scene) { s.do(1, write); s.Record(7, 1); s.SynchronizeEvent(7); s.do(3, write) }},
		{"the host waits for an event of the default stream", 0, func(s *scene) { s.do(1, write); s.Record(7, 0); s.SynchronizeEvent(7); s.do(2, write) }},
		{"an event in the default stream between two", 0, func(s *scene) { s.do(1, write); s.Record(7, 0); s.do(2, write) }},
		{"the default stream waits between two", 0, func(s *scene) { s.Record(7, 3); s.do(1, write); s.Wait(0, 7); s.do(2, write) }},
		{"a function in the default stream", 0, func(s *scene) { s.do(1, write); s.Inform(s.Begin(0, 0)); s.do(3, write) }},
		{"an event behind the default stream", 0, func(s *scene) { s.do(0, write); s.Record(7, 1); s.Wait(3, 7); s.do(3, write) }},
		{"an event of the default stream and a stream that does not block", 1, func(s *scene) { s.do(3, write); s.Record(7, 0); s.SynchronizeEvent(7); s.do(2, write) }},
		{"an event of a stream that does not block", 1, func(s *scene) { s.do(1, write); s.Record(7, 3); s.SynchronizeEvent(7); s.do(2, write) }},
		{"events in a row", 0, func(s *scene) {
			s.do(1, write)
			s.Record(7, 1)
			s.Wait(2, 7)
			s.Record(8, 2)
			s.Wait(3, 8)
			s.do(3, write)
		}},
		{"a stream that is made later", 0, func(s *scene) { s.do(1, write); s.Synchronize(0); s.Create(4, 0, false); s.do(4, write) }},
		{"a stream that ends goes on", 1, func(s *scene) { s.do(1, write); s.End(1); s.do(2, write) }},
		{"a stream that has ended is waited for", 0, func(s *scene) { s.do(1, write); s.End(1); s.Synchronize(0); s.do(2, write) }},
		{"a stream that was waited for ends", 0, func(s *scene) { s.do(1, write); s.SynchronizeStream(1); s.End(1); s.do(2, write) }},
		{"an event of a stream that has ended", 0, func(s *scene) {
			s.do(1, write)
			s.Record(7, 1)
			s.End(1)
			s.Wait(3, 7)
			s.do(3, write)
		}},
		{"an event of a stream that is forgotten", 1, func(s *scene) {
			s.do(1, write)
			s.Record(7, 1)
			s.SynchronizeStream(1)
			s.End(1)
			s.do(2, write)
			s.Wait(3, 7)
			s.do(3, write)
		}},
		{"a stream that is made after another has ended", 1, func(s *scene) {
			s.do(2, write)
			s.SynchronizeStream(1)
			s.End(1)
			s.Create(4, 0, false)
			s.do(4, write)
		}},
		{"the default stream when all others have ended", 1, func(s *scene) {
			for i := order.Stream(1); i <= 3; i++ {
				s.End(i)
			}
			s.do(0, write)
			s.Create(4, 0, false)
			s.do(4, write)
		}},
		{"an event that has ended", 1, func(s *scene) { s.do(1, write); s.Record(7, 1); s.EndEvent(7); s.Wait(2, 7); s.do(2, write) }},
		{"memory that is freed", 0, func(s *scene) { s.do(1, write); s.Forget(60, 8); s.do(2, write) }},
		{"memory that the host frees", 1, func(s *scene) { s.do(1, write); s.ReleasedByHost("h", 60, 8) }},
		{"memory that the host frees after a wait", 0, func(s *scene) { s.do(1, write); s.SynchronizeStream(1); s.ReleasedByHost("h", 60, 8) }},
		{"the host waits for the default stream, which waits for blocking ones", 0, func(s *scene) { s.do(1, write); s.SynchronizeStream(0); s.do(3, write) }},
		{"the host waits for a stream, which waits for the default one", 0, func(s *scene) { s.do(0, write); s.SynchronizeStream(1); s.do(3, write) }},
		{"the host waits for a stream that does not block", 1, func(s *scene) { s.do(0, write); s.SynchronizeStream(3); s.do(3, write) }},
		{"an operation across all streams", 0, func(s *scene) {
			s.do(3, write)
			s.Touch(s.BeginAcross(0, 0, 0), plain, 64, 4, write)
			s.do(3, read)
			s.Create(4, 0, false)
			s.do(4, read)
		}},
		{"across all streams, which the host does not wait for", 1, func(s *scene) {
			s.Touch(s.BeginAcross(0, 0, 0), plain, 64, 4, write)
			s.ReleasedByHost("h", 60, 8)
		}},
		{"default streams of two devices", 1, func(s *scene) { s.do(0, write); s.do(away, write) }},
		{"a stream and the default stream of another device", 1, func(s *scene) { s.do(1, write); s.do(away, write) }},
		{"a stream of another device and its default stream", 0, func(s *scene) {
			s.Create(4, 1, true)
			s.do(4, write)
			s.do(away, write)
		}},
		{"an event of another device", 0, func(s *scene) { s.do(away, write); s.Record(7, away); s.Wait(1, 7); s.do(1, write) }},
		{"the host waits for another device", 0, func(s *scene) { s.do(away, write); s.Synchronize(1); s.do(1, write) }},
		{"the host waits for its device only", 1, func(s *scene) { s.do(away, write); s.Synchronize(0); s.do(1, write) }},
		{"the host waits for all devices", 0, func(s *scene) { s.do(away, write); s.SynchronizeAll(); s.do(1, write) }},
		{"across two devices", 0, func(s *scene) {
			s.do(away, write)
			s.Touch(s.BeginAcross(0, 0, 0, 1), plain, 64, 4, write)
			s.do(away, write)
		}},
		{"across one of two devices", 1, func(s *scene) { s.Touch(s.BeginAcross(0, 0, 0), plain, 64, 4, write); s.do(away, write) }},
		{"branches", 1, func(s *scene) { s.Branch(4, 0); s.Branch(5, 0); s.do(4, write); s.do(5, write) }},
		{"branches that follow a stream, and are followed", 0, func(s *scene) {
			s.do(1, write)
			s.Record(7, 1)
			for _, branch := range []order.Stream{4, 5} {
				s.Branch(branch, 0)
				s.Wait(branch, 7)
			}
			s.do(4, write)
			s.Record(7, 4)
			s.Wait(1, 7)
			s.do(1, write)
		}},
		{"a branch beside a function that the host hears of", 1, func(s *scene) {
			s.Branch(4, 0)
			s.Branch(5, 0)
			s.do(4, write)
			s.Inform(s.Begin(4, "f"))
			s.do(5, write)
		}},
		{"strong accesses", 0, func(s *scene) {
			s.strongly(1, strong, write)
			s.strongly(2, strongToo, write)
			s.strongly(3, strong, read)
		}},
		{"a strong and a weak write", 1, func(s *scene) { s.strongly(1, strong, write); s.do(2, write) }},
		{"a weak and a strong write", 1, func(s *scene) { s.do(1, write); s.strongly(2, strong, write) }},
		{"strong accesses of two sizes", 1, func(s *scene) {
			s.strongly(1, strong, write)
			s.Touch(s.Begin(2, 2), strongPair, 64, 8, write)
		}},
		{"who reads after one of two strong writers", 1, func(s *scene) {
			s.strongly(1, strong, write)
			s.strongly(2, strong, write)
			s.do(2, read)
		}},
		{"who writes after one of two strong writers", 1, func(s *scene) {
			s.strongly(1, strong, write)
			s.strongly(2, strong, write)
			s.do(2, write)
		}},
		{"who reads after both strong writers", 0, func(s *scene) {
			s.strongly(1, strong, write)
			s.strongly(2, strong, write)
			s.SynchronizeStream(1)
			s.do(2, read)
		}},
		{"other bytes of the word", 0, func(s *scene) {
			s.Touch(s.Begin(1, 1), plain, 64, 2, write)
			s.Touch(s.Begin(2, 2), plain, 66, 2, write)
		}},
		{"a range", 1, func(s *scene) {
			s.Touch(s.Begin(1, 1), plain, 0, 10_000, write)
			s.Touch(s.Begin(2, 2), plain, 9_999, 1, read)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene()
			c.play(s)
			if len(s.found) != c.want {
				t.Errorf("%d conflicts, want %d: %+v", len(s.found), c.want, s.found)
			}
		})
	}
}

// TestHost: what orders an operation and an access of the host's, and what the host may do with
// the page afterwards.
func TestHost(t *testing.T) {
	const address, signal = 2 * order.PageBytes, 9
	touch := func(s *scene, in order.Stream, kind bool) { s.Touch(s.Begin(in, in), plain, address, 4, kind) }
	for _, c := range []struct {
		name  string
		want  int
		allow order.Protection
		play  func(*scene)
	}{
		{"nothing before", 0, order.Everything, func(s *scene) { s.Host("h", nil, address, 1, write) }},
		{"a write", 1, order.Nothing, func(s *scene) { touch(s, 1, write); s.Host("h", nil, address, 1, read) }},
		{"a read, and the host writes", 1, order.Reads, func(s *scene) { touch(s, 1, read); s.Host("h", nil, address, 1, write) }},
		{"two reads", 0, order.Reads, func(s *scene) { touch(s, 1, read); s.Host("h", nil, address, 1, read) }},
		{"the default stream", 1, order.Nothing, func(s *scene) { touch(s, 0, write); s.Host("h", nil, address, 1, read) }},
		{"another byte of the page", 0, order.Nothing, func(s *scene) { touch(s, 1, write); s.Host("h", nil, address+4, 1, read) }},
		{"the host has waited", 0, order.Everything, func(s *scene) { touch(s, 1, write); s.SynchronizeStream(1); s.Host("h", nil, address, 1, read) }},
		{"the host has waited for another stream", 1, order.Nothing, func(s *scene) { touch(s, 1, write); s.SynchronizeStream(2); s.Host("h", nil, address, 1, read) }},
		{"one of two readers is left", 0, order.Reads, func(s *scene) { touch(s, 1, write); touch(s, 1, read); s.Synchronize(0); touch(s, 2, read) }},
		{"a signal", 0, order.Everything, func(s *scene) {
			s.Signals(signal)
			o := s.Begin(1, 1)
			s.Touch(o, plain, address+8, 4, write)
			s.Touch(o, signal, address, 4, write)
			s.Host("h", nil, address, 1, read)
			s.Host("h", nil, address+8, 1, read)
		}},
		{"memory that is freed", 0, order.Everything, func(s *scene) {
			touch(s, 1, write)
			s.Forget(address, 4)
			s.Unwatch(address)
			s.Host("h", nil, address, 1, write)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene()
			s.Watch(address, 16)
			c.play(s)
			s.Changes()
			if allow := s.Allowed(address); len(s.found) != c.want || allow != c.allow {
				t.Errorf("%d conflicts, then %d is allowed; want %d, %d", len(s.found), allow, c.want, c.allow)
			}
		})
	}
}

// TestMatters: one stream, and memory of the device alone, cannot race.
func TestMatters(t *testing.T) {
	one := order.NewTracker(func(order.Conflict) {})
	if one.Matters() {
		t.Error("one stream matters")
	}
	one.Watch(order.PageBytes, 1)
	if !one.Matters() {
		t.Error("memory that the host can access does not matter")
	}
	one.Unwatch(order.PageBytes)
	if one.Matters() {
		t.Error("memory that is freed matters")
	}
	if !newScene().Matters() {
		t.Error("several streams do not matter")
	}
}

// TestChanges: neighbouring pages are one range, and nothing is said twice.
func TestChanges(t *testing.T) {
	s := newScene()
	s.Watch(order.PageBytes, 4*order.PageBytes)
	s.Touch(s.Begin(1, 1), plain, order.PageBytes+100, 2*order.PageBytes, write)
	want := order.Range{Address: order.PageBytes, Size: 3 * order.PageBytes, Allow: order.Nothing}
	if got := s.Changes(); len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	s.Touch(s.Begin(1, 1), plain, order.PageBytes, 1, read)
	if got := s.Changes(); len(got) != 0 {
		t.Errorf("%+v, want nothing new", got)
	}
	want.Allow = order.Everything
	s.Synchronize(0)
	if got := s.Changes(); len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestConflict: which bytes, in which order, and where.
func TestConflict(t *testing.T) {
	s := newScene()
	s.Touch(s.Begin(1, "a"), plain+5, 64, 4, write)
	s.Touch(s.Begin(2, "b"), plain+6, 65, 8, read)
	if len(s.found) != 1 {
		t.Fatalf("%d conflicts, want 1", len(s.found))
	}
	c := s.found[0]
	if c.Address != 65 || c.Size != 3 || c.First.Operation.Label != "a" || c.First.Place != plain+5 || !c.First.Write || c.Second.Operation.Label != "b" || c.Second.Place != plain+6 || c.Second.Write {
		t.Errorf("%+v", c)
	}
}

// TestEndsChangeNothing: random operations have the same conflicts whether streams that are not used any
// more end or not.
func TestEndsChangeNothing(t *testing.T) {
	conflicts := 0
	for seed := range uint64(300) {
		if conflicts += playRandomly(t, seed); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if conflicts < 1000 {
		t.Errorf("only %d conflicts", conflicts)
	}
}

// playRandomly performs the same random operations on two trackers, of which only one is told of the
// ends of streams and events, and counts the conflicts.
func playRandomly(t *testing.T, seed uint64) int {
	random := rand.New(rand.NewPCG(seed, 2))
	found := [2][]string{}
	var trackers [2]*order.Tracker
	for i := range trackers {
		trackers[i] = order.NewTracker(func(c order.Conflict) {
			found[i] = append(found[i], fmt.Sprint(c.First.Operation.Label, c.Second.Operation.Label, c.Address, c.Size))
		})
		trackers[i].Watch(0, order.PageBytes)
	}
	live := []order.Stream{0}
	next := order.Stream(1)
	for i := range 200 {
		s, event, address, kind := live[random.IntN(len(live))], random.Uint64N(4), random.Uint64N(16)*4, random.IntN(2) == 0
		what, blocking := random.IntN(14), random.IntN(2) == 0
		for k, tr := range trackers {
			switch what {
			case 0:
				tr.Create(next, 0, blocking)
			case 1:
				tr.SynchronizeStream(s)
			case 2:
				tr.Record(event, s)
			case 3, 4:
				tr.Wait(s, event)
			case 5:
				tr.SynchronizeEvent(event)
			case 6:
				if k == 0 && s != 0 {
					tr.End(s)
				}
			case 7:
				tr.Host(i, nil, address, 4, kind)
			case 8:
				tr.Touch(tr.BeginAcross(s, i, 0), plain, address, 4, kind)
			default:
				tr.Touch(tr.Begin(s, i), plain, address, 4, kind)
			}
		}
		switch {
		case what == 0:
			live = append(live, next)
			next++
		case what == 6 && s != 0:
			live = slices.DeleteFunc(live, func(x order.Stream) bool { return x == s })
		}
		if a, b := trackers[0].Changes(), trackers[1].Changes(); !slices.Equal(a, b) || !slices.Equal(found[0], found[1]) {
			t.Errorf("operation %d: %v and %v, %v and %v", i, a, b, found[0], found[1])
			break
		}
	}
	return len(found[0])
}
