// Tests of what lanes know of themselves alone.

package causality

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/vclock"
)

// fenced reports whether accesses of a lane through the asynchronous proxy follow those of a lane of a unit up to a time.
func fenced(c *clock, u unit, lane int, at stamp) bool {
	return c != nil && c.Fenced.Includes(u, lane, at)
}

// TestParts: lanes that wait for their copies and execute a proxy fence know of their own alone, whether each has a clock
// or not, and of those of all once they have synchronised.
func TestParts(t *testing.T) {
	const me, copies, lanes = unit(32), unit(64), uint32(0xff)
	var m merges
	w := &Warp{Unit: me, Clock: &clock{Known: vclock.Threads(96, 1, 2)}}
	w.LearnEach(copies, lanes, 9)
	w.fence(&m, lanes, lanes, 5)
	if w.Apart != 0 {
		t.Error("lanes have clocks of their own before they differ for others")
	}
	if !w.SomeKnows(copies, 3, 9) || w.SomeKnows(copies, 8, 9) {
		t.Error("a lane with a part does not know of it, or one without it does")
	}
	for _, mask := range []uint32{1 << 3, lanes} {
		all := w.All(mask)
		for lane := range 9 {
			if want := mask>>lane&1 != 0; all.Includes(copies, lane, 9) != want || fenced(all, copies, lane, 9) != want ||
				fenced(all, me, lane, 5) != want || fenced(all, me, lane, 6) {
				t.Errorf("lanes %#x, lane %d: they have other parts than their own", mask, lane)
			}
		}
		if !fenced(all, 96, 0, 2) {
			t.Error("the fence does not cover what the lanes had learned from others")
		}
	}
	other := *w
	other.parts = slices.Clone(w.parts)
	if other.Learn(&m, lanes, lanes, w.All(lanes)); len(other.parts) != 0 || other.Apart != 0 {
		t.Error("parts are left though all lanes know of them")
	}
	w.Split()
	for lane := range 9 {
		c := w.Of(lane)
		for of := range 9 {
			want := lane == of && lane < 8
			if c.Includes(copies, of, 9) != want || fenced(c, copies, of, 9) != want || fenced(c, me, of, 5) != want {
				t.Errorf("lane %d: whether it knows all of lane %d is not %t", lane, of, want)
			}
		}
	}
}

// TestManyParts: a warp with parts of many units keeps them all.
func TestManyParts(t *testing.T) {
	w := &Warp{Unit: 32}
	for i := range unit(3 * maxParts) {
		w.LearnEach(64+i, 0xf, stamp(i)+1)
	}
	if all := w.All(0xf); len(w.parts) > maxParts || !all.Includes(64, 3, 1) || !all.Includes(64+3*maxParts-1, 0, 3*maxParts) {
		t.Error("a warp has lost parts, or has too many")
	}
}
