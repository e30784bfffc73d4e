// Operations of different devices: which grids may overlap, and what strong accesses order.

package order_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/order"
)

// newDevices is a scene with a second device.
func newDevices() *scene {
	s := newScene()
	s.AddDevice(1)
	return s
}

// judged adds a grid to a stream that is judged thread by thread.
func (s *scene) judged(in order.Stream, name string) *order.Grid {
	g := s.Launch(in, name, false)
	s.Judge(g)
	return g
}

// TestGridsOfDevices: which earlier grids the last one may overlap, and whether it follows the first one.
func TestGridsOfDevices(t *testing.T) {
	for _, c := range []struct {
		name    string
		want    []any
		follows bool
		play    func(*scene) (first, last *order.Grid)
	}{
		{"another device", []any{"a"}, false, func(s *scene) (first, last *order.Grid) {
			return s.judged(0, "a"), s.judged(away, "b")
		}},
		{"two streams of one device", nil, false, func(s *scene) (first, last *order.Grid) {
			return s.judged(1, "a"), s.judged(3, "b")
		}},
		{"all grids of another device", []any{"a", "b"}, false, func(s *scene) (first, last *order.Grid) {
			first = s.judged(0, "a")
			s.judged(0, "b")
			return first, s.judged(away, "c")
		}},
		{"a copy between", []any{"a"}, false, func(s *scene) (first, last *order.Grid) {
			first = s.judged(0, "a")
			s.Begin(0, "copy")
			return first, s.judged(away, "b")
		}},
		{"an event", nil, true, func(s *scene) (first, last *order.Grid) {
			first = s.judged(0, "a")
			s.Record(7, 0)
			s.Wait(away, 7)
			return first, s.judged(away, "b")
		}},
		{"an event before the latest grid", []any{"b"}, true, func(s *scene) (first, last *order.Grid) {
			first = s.judged(0, "a")
			s.Record(7, 0)
			s.judged(0, "b")
			s.Wait(away, 7)
			return first, s.judged(away, "c")
		}},
		{"the host waits for the device", nil, true, func(s *scene) (first, last *order.Grid) {
			first = s.judged(0, "a")
			s.Synchronize(0)
			return first, s.judged(away, "b")
		}},
		{"the host waits for the other device", []any{"a"}, false, func(s *scene) (first, last *order.Grid) {
			first = s.judged(0, "a")
			s.Synchronize(1)
			return first, s.judged(away, "b")
		}},
		{"a grid that is not judged", nil, false, func(s *scene) (first, last *order.Grid) {
			return s.Launch(0, "a", false), s.judged(away, "b")
		}},
	} {
		s := newDevices()
		first, last := c.play(s)
		if got := names(last.Overlaps); !slices.Equal(got, c.want) || last.Follows(first) != c.follows {
			t.Errorf("%s: the last grid may overlap %v, and follows the first: %v; want %v, %v", c.name, got, last.Follows(first), c.want, c.follows)
		}
	}
}

// TestApartOnDevices: an earlier grid may overlap later ones of other devices until the host has waited for it.
func TestApartOnDevices(t *testing.T) {
	s := newDevices()
	s.judged(0, "a")
	s.Begin(0, "copy")
	if g := s.judged(0, "b"); s.Apart(g) {
		t.Error("a grid before counts as ended, which a grid of the other device may overlap")
	}
	s.Synchronize(0)
	if g := s.judged(0, "c"); !s.Apart(g) {
		t.Error("grids that the host has waited for count as not ended")
	}
}

// TestRacesOfDevices: what the tracker says of two operations on different devices: nothing of grids that are judged
// thread by thread.
func TestRacesOfDevices(t *testing.T) {
	const system order.Place = 90
	for _, c := range []struct {
		name  string
		place order.Place
		grids bool
		races int
	}{
		{"a copy and a grid", plain, false, 1},
		{"grids", plain, true, 0},
		{"strong at device scope", strong, false, 1},
		{"strong at system scope", system, false, 0},
	} {
		s := newDevices()
		s.Strong(system, 4)
		s.Signals(system)
		first := s.Begin(0, "first")
		if c.grids {
			first = s.judged(0, "first").Operation
		}
		s.Touch(first, c.place, 64, 4, write)
		s.Touch(s.judged(away, "second").Operation, c.place, 64, 4, write)
		if len(s.found) != c.races {
			t.Errorf("%s: %d races, want %d", c.name, len(s.found), c.races)
		}
	}
}

// TestSignalsOfDevices: a copy before a grid whose signal another device has heard, by the scope of the signal and of
// the read.
func TestSignalsOfDevices(t *testing.T) {
	const systemSignal, systemAwait order.Place = 90, 91
	for _, c := range []struct {
		name         string
		signal, wait order.Place
		races        int
	}{
		{"system scope", systemSignal, systemAwait, 0},
		{"a signal of device scope", signal, systemAwait, 1},
		{"a read of device scope", systemSignal, await, 1},
	} {
		s := newDevices()
		for _, p := range []order.Place{signal, await, systemSignal, systemAwait} {
			s.Strong(p, 4)
		}
		s.Signals(systemSignal)
		s.Signals(systemAwait)
		s.Releases(signal)
		s.Releases(systemSignal)
		s.Awaits(await)
		s.Awaits(systemAwait)
		s.do(0, write) // a copy
		first, second := s.judged(0, "first"), s.judged(away, "second")
		s.Touch(first.Operation, c.signal, 128, 4, write)
		s.Touch(second.Operation, c.wait, 128, 4, read)
		s.Touch(second.Operation, plain, 64, 4, read)
		if len(s.found) != c.races {
			t.Errorf("%s: %d races, want %d", c.name, len(s.found), c.races)
		}
	}
}
