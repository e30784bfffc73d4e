// Vector clocks over streams, of all processes that share an order.

package order

import (
	"cmp"
	"slices"
)

// track is the number of a stream among those of all processes that share an order.
type track uint32

// clock is a vector clock: for each stream, the number of its operations that happen before. Entries ascend by stream.
// They never change, since operations, events and streams share them: an application may have issued a million
// operations to a hundred streams before it waits for any.
type clock []tick

// tick is an entry of a clock.
type tick struct {
	track  track
	number uint32
}

// find returns the place of a stream's entry, and whether there is one.
func (c clock) find(s track) (int, bool) {
	return slices.BinarySearchFunc(c, s, func(e tick, s track) int { return cmp.Compare(e.track, s) })
}

// of returns the number of a stream's operations that happen before.
func (c clock) of(s track) uint32 {
	if i, ok := c.find(s); ok {
		return c[i].number
	}
	return 0
}

// same reports whether two clocks share their entries.
func (c clock) same(o clock) bool { return len(c) == len(o) && (len(c) == 0 || &c[0] == &o[0]) }

// with returns the clock that also has the first n operations of a stream.
func (c clock) with(s track, n uint32) clock {
	i, ok := c.find(s)
	switch {
	case n == 0 || ok && c[i].number >= n:
		return c
	case !ok:
		return slices.Insert(slices.Clip(c), i, tick{s, n})
	}
	made := slices.Clone(c)
	made[i].number = n
	return made
}

// includes reports whether c has all operations of o.
func (c clock) includes(o clock) bool {
	if len(o) > len(c) {
		return false
	}
	i := 0
	for _, e := range o {
		for i < len(c) && c[i].track < e.track {
			i++
		}
		if i == len(c) || c[i].track != e.track || c[i].number < e.number {
			return false
		}
	}
	return true
}

// union returns the clock with the operations of both: one of them, if it includes the other.
func (c clock) union(o clock) clock {
	switch {
	case len(o) == 0 || c.same(o) || c.includes(o):
		return c
	case o.includes(c):
		return o
	}
	made := make(clock, 0, len(c)+len(o))
	for len(c) > 0 && len(o) > 0 {
		switch a, b := c[0], o[0]; {
		case a.track < b.track:
			made, c = append(made, a), c[1:]
		case a.track > b.track:
			made, o = append(made, b), o[1:]
		default:
			made, c, o = append(made, tick{a.track, max(a.number, b.number)}), c[1:], o[1:]
		}
	}
	return slices.Clip(append(append(made, c...), o...))
}

// without returns the clock without the entries of some streams.
func (c clock) without(gone func(track) bool) clock {
	if !slices.ContainsFunc(c, func(e tick) bool { return gone(e.track) }) {
		return c
	}
	return slices.DeleteFunc(slices.Clone(c), func(e tick) bool { return gone(e.track) })
}
