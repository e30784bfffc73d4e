// Which grids may overlap, and what the tracker says of the others.

package order_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/order"
)

// launched adds a grid with the name of its label, which may overlap the one before it.
func (s *scene) launched(name string) *order.Grid { return s.Launch(1, name, true) }

// names returns the labels of grids.
func names(list []*order.Grid) (out []any) {
	for _, g := range list {
		out = append(out, g.Label)
	}
	return out
}

// TestOverlaps: which earlier grids the last one may overlap.
func TestOverlaps(t *testing.T) {
	for _, c := range []struct {
		name string
		want []any
		play func(*scene) *order.Grid
	}{
		{"the grid before", []any{"a"}, func(s *scene) *order.Grid { s.launched("a"); return s.launched("b") }},
		{"a chain", []any{"a", "b"}, func(s *scene) *order.Grid { s.launched("a"); s.launched("b"); return s.launched("c") }},
		{"a grid that does not depend on the one before", nil, func(s *scene) *order.Grid {
			s.launched("a")
			return s.Launch(1, "b", false)
		}},
		{"a chain after such a grid", []any{"b"}, func(s *scene) *order.Grid {
			s.launched("a")
			s.Launch(1, "b", false)
			return s.launched("c")
		}},
		{"a copy between", nil, func(s *scene) *order.Grid { s.launched("a"); s.Begin(1, "copy"); return s.launched("b") }},
		{"a copy in the default stream between", nil, func(s *scene) *order.Grid {
			s.launched("a")
			s.Begin(0, "copy")
			return s.launched("b")
		}},
		{"the host waits between", nil, func(s *scene) *order.Grid {
			s.launched("a")
			s.SynchronizeStream(1)
			return s.launched("b")
		}},
		{"the host waits for the first of a chain", []any{"b"}, func(s *scene) *order.Grid {
			s.launched("a")
			s.Record(7, 1)
			s.launched("b")
			s.SynchronizeEvent(7)
			return s.launched("c")
		}},
		{"an event that the grid before has let dependent grids begin", []any{"a"}, func(s *scene) *order.Grid {
			s.launched("a")
			s.RecordLet(7, 1, false)
			s.Wait(3, 7)
			return s.Launch(3, "b", false)
		}},
		{"the same after a chain", []any{"a", "b"}, func(s *scene) *order.Grid {
			s.launched("a")
			s.launched("b")
			s.RecordLet(7, 1, false)
			s.Wait(3, 7)
			return s.Launch(3, "c", false)
		}},
		{"an ordinary event", nil, func(s *scene) *order.Grid {
			s.launched("a")
			s.Record(7, 1)
			s.Wait(3, 7)
			return s.Launch(3, "b", false)
		}},
		{"both events", nil, func(s *scene) *order.Grid {
			s.launched("a")
			s.RecordLet(7, 1, false)
			s.Record(8, 1)
			s.Wait(3, 7)
			s.Wait(3, 8)
			return s.Launch(3, "b", false)
		}},
	} {
		s := newScene()
		if got := names(c.play(s).Overlaps); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestBegun: what awaits that the blocks of a grid have begun follows what precedes the grid, and does not depend on it.
func TestBegun(t *testing.T) {
	s := newScene()
	s.touch(s.Launch(1, "before", false), write)
	s.Touch(s.Launch(1, "a", false).Operation, plain, 128, 4, write)
	s.RecordBegun(7, 1)
	s.Wait(3, 7)
	b := s.Launch(3, "b", false)
	s.touch(b, read)
	if s.Touch(b.Operation, plain, 128, 4, read); b.Prerequisites != nil || len(s.found) != 1 {
		t.Errorf("prerequisites %v, %d conflicts, want none and 1", b.Prerequisites, len(s.found))
	}
}

// TestMostGrids: a device executes 128 grids at a time.
func TestMostGrids(t *testing.T) {
	s := newScene()
	for i := range 130 {
		g := s.launched(fmt.Sprint(i))
		if got := len(g.Overlaps); got != min(i, 127) {
			t.Errorf("grid %d may overlap %d others", i, got)
		}
	}
}

// TestPrerequisites: what griddepcontrol.wait waits for.
func TestPrerequisites(t *testing.T) {
	s := newScene()
	a, b := s.launched("a"), s.Launch(2, "b", false)
	s.RecordLet(7, 2, true)
	s.Wait(1, 7)
	c := s.launched("c")
	want := []order.Prerequisite{{On: b, AtStart: true}, {On: a}}
	if !slices.Equal(c.Prerequisites, want) || a.Prerequisites != nil {
		t.Errorf("%v, want %v", c.Prerequisites, want)
	}
}

// TestGrids: to the tracker, grids that may overlap follow each other.
func TestGrids(t *testing.T) {
	for _, c := range []struct {
		name string
		want int
		play func(s *scene, a *order.Grid)
	}{
		{"a grid that may overlap it", 0, func(s *scene, _ *order.Grid) { s.touch(s.launched("b"), read) }},
		{"a copy after a grid that may overlap it", 0, func(s *scene, _ *order.Grid) { s.launched("b"); s.do(1, write) }},
		{"another stream", 1, func(s *scene, _ *order.Grid) { s.do(3, write) }},
		{"another stream after an event", 0, func(s *scene, _ *order.Grid) {
			s.launched("b")
			s.Record(7, 1)
			s.Wait(3, 7)
			s.do(3, write)
		}},
		{"a grid that waits for an event that dependent grids may begin", 0, func(s *scene, _ *order.Grid) {
			s.RecordLet(7, 1, false)
			s.Wait(3, 7)
			s.touch(s.Launch(3, "b", false), read)
		}},
		{"a copy that waits for it", 1, func(s *scene, _ *order.Grid) {
			s.RecordLet(7, 1, false)
			s.Wait(3, 7)
			s.do(3, write)
		}},
		{"a copy after a grid that waits for it, whose threads have not waited", 1, func(s *scene, _ *order.Grid) {
			s.RecordLet(7, 1, false)
			s.Wait(3, 7)
			s.Launch(3, "b", false)
			s.do(3, write)
		}},
		{"the same with threads that have waited", 0, func(s *scene, _ *order.Grid) {
			s.RecordLet(7, 1, false)
			s.Wait(3, 7)
			s.Launch(3, "b", false).Waited()
			s.do(3, write)
		}},
	} {
		s := newScene()
		a := s.launched("a")
		s.touch(a, write)
		if c.play(s, a); len(s.found) != c.want {
			t.Errorf("%s: %d conflicts, want %d", c.name, len(s.found), c.want)
		}
	}
}

// touch makes a grid touch the 4 bytes at 64.
func (s *scene) touch(g *order.Grid, kind bool) { s.Touch(g.Operation, plain, 64, 4, kind) }

// TestApart: whether earlier grids matter to a grid and to those after it.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		name string
		want bool
		play func(*scene) *order.Grid
	}{
		{"a grid that does not depend on the one before", true, func(s *scene) *order.Grid {
			s.launched("a")
			return s.Launch(1, "b", false)
		}},
		{"one that does", false, func(s *scene) *order.Grid { s.launched("a"); return s.launched("b") }},
		{"a grid of another stream", false, func(s *scene) *order.Grid { s.launched("a"); return s.Launch(3, "b", false) }},
		{"the same after the host has waited", true, func(s *scene) *order.Grid {
			s.launched("a")
			s.SynchronizeStream(1)
			return s.Launch(3, "b", false)
		}},
		{"an event that dependent grids may begin", false, func(s *scene) *order.Grid {
			s.launched("a")
			s.RecordLet(7, 1, false)
			s.Begin(1, "copy")
			return s.Launch(1, "b", false)
		}},
	} {
		s := newScene()
		if got := s.Apart(c.play(s)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
