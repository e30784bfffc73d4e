// Signals: what an operation has heard of by a value that it waited for, and what not.

package order_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/order"
)

// Places of signals: strong writes after which others may go on, those that say nothing about earlier writes, and reads
// that wait.
const (
	signal order.Place = 60 + iota
	silent
	await
	look
)

// TestSignalsOfGrids: an operation of stream 1 and one of stream 3 access data around a signal of the first.
func TestSignalsOfGrids(t *testing.T) {
	type access struct {
		by, at int // index of the operation, and the address
		place  order.Place
		write  bool
		beside bool // no access: the operations are side by side from here on
	}
	const data, flag = 64, 128
	weak, raises := access{0, data, plain, write, false}, access{0, flag, signal, write, false}
	hears, uses := access{1, flag, await, read, false}, access{1, data, plain, read, false}
	overwrites := access{1, data, plain, write, false}
	for _, c := range []struct {
		name  string
		list  []access
		races int
	}{
		{"a signal", []access{weak, raises, hears, uses}, 0},
		{"a signal, and a write", []access{weak, raises, hears, overwrites}, 0},
		{"nobody waits", []access{weak, raises, uses}, 1},
		{"no release", []access{weak, {0, flag, silent, write, false}, hears, uses}, 1},
		{"no wait", []access{weak, raises, {1, flag, look, read, false}, uses}, 1},
		{"a write after the signal", []access{{beside: true}, raises, weak, hears, uses}, 1},
		{"a write after it was heard", []access{raises, hears, weak, uses}, 1},
		{"heard again", []access{raises, hears, weak, raises, hears, uses}, 0},
		{"a use before", []access{uses, raises, hears, weak}, 1},
		{"an answer", []access{{beside: true}, raises, hears, overwrites, {1, flag + 4, signal, write, false}, {0, flag + 4, await, read, false}, weak}, 0},
		{"no answer", []access{{beside: true}, raises, hears, overwrites, {0, flag + 4, await, read, false}, weak}, 1},
	} {
		s := newScene()
		for _, p := range []order.Place{signal, silent, await, look} {
			s.Strong(p, 4)
		}
		s.Releases(signal)
		s.Awaits(await)
		grids := []*order.Grid{s.Launch(1, 1, false), s.Launch(3, 3, false)}
		for _, a := range c.list {
			if a.beside {
				s.SideBySide(grids[:1])
				continue
			}
			s.Touch(grids[a.by].Operation, a.place, uint64(a.at), 4, a.write)
		}
		if len(s.found) != c.races {
			t.Errorf("%s: %d races, want %d", c.name, len(s.found), c.races)
		}
	}
}

// TestSignalsPassOn: what follows in the stream of an operation that has heard of another follows that, too, and so does
// the host that waits for it.
func TestSignalsPassOn(t *testing.T) {
	for _, host := range []bool{false, true} {
		s := newScene()
		s.Strong(signal, 4)
		s.Strong(await, 4)
		s.Releases(signal)
		s.Awaits(await)
		first, second := s.Begin(1, 1), s.Begin(3, 3)
		s.Touch(first, plain, 64, 4, write)
		s.Touch(first, signal, 128, 4, write)
		s.Touch(second, await, 128, 4, read)
		if host {
			s.SynchronizeStream(3)
			s.do(2, read)
		} else {
			s.do(3, read)
		}
		if len(s.found) > 0 {
			t.Errorf("host %v: races %v", host, s.found)
		}
	}
}

// TestSignalIsNoEnd: a grid that has heard of another one, or follows one that has, does not begin after its end.
func TestSignalIsNoEnd(t *testing.T) {
	s := newScene()
	s.Strong(signal, 4)
	s.Strong(await, 4)
	s.Releases(signal)
	s.Awaits(await)
	first := s.Launch(1, 1, false)
	s.SideBySide([]*order.Grid{first})
	second := s.Launch(3, 3, false)
	s.Touch(first.Operation, signal, 128, 4, write)
	s.Touch(second.Operation, await, 128, 4, read)
	if third := s.Launch(3, 4, false); third.Follows(first) || !third.Follows(second) {
		t.Errorf("after the end of the grid that signals: %v, of the one that waits: %v; want false, true", third.Follows(first), third.Follows(second))
	}
	s.SynchronizeStream(1)
	if last := s.Launch(3, 5, false); !last.Follows(first) {
		t.Error("a grid does not follow one that the host has waited for")
	}
}
