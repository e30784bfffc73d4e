// What orders the accesses of grids that may overlap, and what does not.

package order_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/order"
)

// launched adds a grid with the name of its label, which may overlap the one before it.
func (s *scene) launched(name string) *order.Grid { return s.Launch(1, name, true) }

// touch makes a part of a grid touch the 4 bytes at 64.
func (s *scene) touch(o *order.Operation, kind bool) { s.Touch(o, plain, 64, 4, kind) }

// TestGrids: accesses of the grids of a stream, each of which may depend on the one before. Part(waited, let) is the
// part of threads that have waited, or of blocks that have let dependent grids begin.
func TestGrids(t *testing.T) {
	for _, c := range []struct {
		name    string
		want    int
		missing any // the label of the grid between the two whose wait is missing
		play    func(*scene)
	}{
		{"a read without a wait", 1, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.touch(s.launched("b").Part(false, true), read)
		}},
		{"a read before the wait of another thread", 1, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			b := s.launched("b")
			b.Wait()
			s.touch(b.Part(true, false), read)
			s.touch(b.Part(false, false), read)
		}},
		{"a read after a wait", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.touch(s.launched("b").Part(true, true), read)
		}},
		{"a grid that does not depend on the one before", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.touch(s.Launch(1, "b", false).Part(false, true), read)
		}},
		{"a copy after grids that do not wait", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.launched("b")
			s.do(1, write)
		}},
		{"a grid after a copy", 0, nil, func(s *scene) { s.do(1, write); s.touch(s.launched("b").Part(false, true), read) }},
		{"a copy between two grids", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.Begin(1, "copy")
			s.touch(s.launched("b").Part(false, true), read)
		}},
		{"a copy in the default stream between two grids", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.Begin(0, "copy")
			s.touch(s.launched("b").Part(false, true), read)
		}},
		{"the host waits between two grids", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.SynchronizeStream(1)
			s.touch(s.launched("b").Part(false, true), read)
		}},
		{"an event after both grids", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.launched("b")
			s.Record(7, 1)
			s.Wait(3, 7)
			s.do(3, write)
		}},
		{"a write before the block lets dependent grids begin", 1, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, false), write)
			s.touch(s.launched("b").Part(false, true), read)
		}},
		{"the same with a fence between", 0, nil, func(s *scene) {
			a := s.launched("a")
			s.touch(a.Part(false, false), write)
			a.Fence(true)
			s.touch(s.launched("b").Part(false, true), read)
		}},
		{"a fence before the write", 1, nil, func(s *scene) {
			a := s.launched("a")
			s.Touch(a.Part(false, false), plain, 128, 4, write)
			a.Fence(true)
			s.touch(a.Part(false, false), write)
			s.touch(s.launched("b").Part(false, true), read)
		}},
		{"a read of a grid that let dependent grids begin, and a write", 1, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), read)
			s.touch(s.launched("b").Part(false, true), write)
		}},
		{"a read before that, and a write", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, false), read)
			s.touch(s.launched("b").Part(false, true), write)
		}},
		{"reads of two blocks, one before and one after that, and a write", 1, nil, func(s *scene) {
			a := s.launched("a")
			s.touch(a.Part(false, true), read)
			s.touch(a.Part(false, false), read)
			s.touch(s.launched("b").Part(false, true), write)
		}},
		{"a grid between that does not wait", 1, "b", func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.launched("b")
			s.touch(s.launched("c").Part(true, true), read)
		}},
		{"a grid between that waits", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.launched("b").Wait()
			s.touch(s.launched("c").Part(true, true), read)
		}},
		{"two grids between, of which the last waits", 1, "b", func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			s.launched("b")
			s.launched("c").Wait()
			s.touch(s.launched("d").Part(true, true), read)
		}},
		{"a grid between that waits after it has let the third begin", 1, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			b := s.launched("b")
			b.Let(false)
			b.Wait()
			s.touch(s.launched("c").Part(false, true), read)
		}},
		{"a grid between that waits before it lets the third begin", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			b := s.launched("b")
			b.Wait()
			b.Let(true)
			s.touch(s.launched("c").Part(false, true), read)
		}},
		{"strong accesses", 0, nil, func(s *scene) {
			s.Touch(s.launched("a").Part(false, true), strong, 64, 4, write)
			s.Touch(s.launched("b").Part(false, true), strong, 64, 4, write)
		}},
		{"a device executes 128 grids", 0, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			for range 127 {
				s.launched("b")
			}
			s.touch(s.launched("c").Part(false, true), read)
		}},
		{"and no fewer", 1, nil, func(s *scene) {
			s.touch(s.launched("a").Part(false, true), write)
			for range 126 {
				s.launched("b")
			}
			s.touch(s.launched("c").Part(false, true), read)
		}},
	} {
		s := newScene()
		c.play(s)
		if len(s.found) != c.want {
			t.Errorf("%s: %d conflicts, want %d", c.name, len(s.found), c.want)
			continue
		}
		for _, f := range s.found {
			if missing, ok := f.Overlaps(); !ok || missing != c.missing {
				t.Errorf("%s: overlaps %v, the wait of %v is missing, want %v", c.name, ok, missing, c.missing)
			}
		}
	}
}

// TestLetEvents: a grid that awaits an event of another stream's grid, which has written with a fence behind before it
// let dependent grids begin. The event represents that it has, that it had begun, or that one cannot wait for its end.
func TestLetEvents(t *testing.T) {
	recordLet := func(atStart bool) func(*scene) { return func(s *scene) { s.RecordLet(7, 1, atStart) } }
	for _, c := range []struct {
		name     string
		record   func(*scene)
		waited   bool
		want     int
		overlaps bool // a wait of the second grid would order them
	}{
		{"let", recordLet(false), false, 0, false},
		{"let at the start", recordLet(true), false, 1, true},
		{"let at the start, and a wait", recordLet(true), true, 0, false},
		{"begun", func(s *scene) { s.RecordBegun(7, 1) }, false, 1, false},
		{"begun, and a wait", func(s *scene) { s.RecordBegun(7, 1) }, true, 1, false},
		{"both ways", func(s *scene) {
			s.RecordLet(7, 1, true)
			s.Wait(2, 7)
			s.RecordLet(7, 1, false)
		}, false, 0, false},
	} {
		s := newScene()
		s.Create(2, false)
		s.Touch(s.Launch(1, "before", false).Part(false, false), plain, 128, 4, write)
		a := s.Launch(1, "a", false)
		s.touch(a.Part(false, false), write)
		a.Fence(true)
		a.Let(false)
		c.record(s)
		s.Wait(2, 7)
		b := s.Launch(2, "b", false)
		s.Touch(b.Part(c.waited, false), plain, 128, 4, read) // of what precedes the beginning of a
		s.touch(b.Part(c.waited, false), read)
		if len(s.found) != c.want {
			t.Errorf("%s: %d conflicts, want %d", c.name, len(s.found), c.want)
			continue
		}
		for _, f := range s.found {
			if _, overlaps := f.Overlaps(); overlaps != c.overlaps {
				t.Errorf("%s: overlaps: %v, want %v", c.name, overlaps, c.overlaps)
			}
		}
	}
}

// TestSignals: a grid that finds what an overlapping one has written with a strong access has been signalled.
func TestSignals(t *testing.T) {
	s := newScene()
	a := s.launched("a")
	s.Touch(a.Part(false, true), strong, 64, 4, write)
	b := s.launched("b")
	if s.Touch(b.Part(false, true), strong, 128, 4, read); b.Signalled() {
		t.Error("signalled by another word")
	}
	if s.Touch(b.Part(false, true), strong, 64, 4, read); !b.Signalled() || a.Signalled() {
		t.Errorf("signalled: %v and %v, want only the second", a.Signalled(), b.Signalled())
	}
}
