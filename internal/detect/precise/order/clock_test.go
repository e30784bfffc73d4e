package order

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// plain is a vector clock without any structure.
type plain map[Thread]Stamp

func (p plain) join(q plain) plain {
	out := maps.Clone(p)
	for t, at := range q {
		out[t] = max(out[t], at)
	}
	return out
}

func (p plain) includes(q plain) bool {
	for t, at := range q {
		if p[t] < at {
			return false
		}
	}
	return true
}

// clocked is a clock, and what it should include.
type clocked struct {
	clock *Clock
	plain plain
}

// check compares a clock with what it should include, and with what another one includes.
func (c *clocked) check(t *testing.T, m *Merges, of *clocked) {
	t.Helper()
	for x := range c.plain.join(of.plain) {
		at := c.plain[x]
		if at > 0 && !c.clock.Includes(x.Unit, int(x.Lane), at) || c.clock.Includes(x.Unit, int(x.Lane), at+1) {
			t.Fatalf("thread %v is known up to %d, but the clock says another time", x, at)
		}
	}
	switch want := c.plain.includes(of.plain); {
	case c.clock.covers(of.clock) && !want:
		t.Fatal("a clock covers one that it does not include")
	case m.Includes(c.clock, of.clock) != want:
		t.Fatalf("a clock includes another one: %t, expected %t", !want, want)
	}
}

// TestJoinsOfReleases: threads release at some locations what they know and acquire it there, as they do by fences and
// atomic operations. Their clocks and those of the locations include what plain vector clocks do, whether trees have
// been made or not.
func TestJoinsOfReleases(t *testing.T) {
	for _, lanes := range []int{1, 8, Radix} { // with 8 and more there are arrays of times
		r := rand.New(rand.NewPCG(21, uint64(lanes)))
		m := Merges{Beside: true, Lazy: JoinTuning{Longest: 64, Nodes: 8}}
		threads := make(map[Thread]*clocked)
		var list []Thread
		for u := range Unit(14) {
			for lane := range lanes {
				x := Thread{Radix + u%7 + u/7*Radix, uint8(lane)}
				threads[x], list = &clocked{&Clock{}, plain{}}, append(list, x)
			}
		}
		locations := make([]clocked, 20)
		shared, covers, beside := 0, 0, 0
		for now := Stamp(1); now < 4000; now++ {
			x, loc := list[r.IntN(len(list))], &locations[r.IntN(len(locations))]
			me := threads[x]
			seen := *loc
			by := clocked{m.OfLanes(Snapshot{me.clock, now}, x.Unit, 1<<x.Lane), me.plain.join(plain{x: now})}
			if r.IntN(8) == 0 {
				by.clock.Tree()
			}
			switch {
			case loc.clock == nil || r.IntN(4) == 0:
				*loc = by
			default:
				loc.clock, loc.plain = m.MergeReleased(loc.clock, by.clock), loc.plain.join(by.plain)
			}
			if seen.clock != nil && r.IntN(4) > 0 {
				before := m.pair(me.clock, seen.clock)
				if before.a == me.clock && before.b == seen.clock {
					shared++
				}
				me.clock, me.plain = m.Merge(me.clock, seen.clock), me.plain.join(seen.plain)
				me.clock.IsKnownTo(x, now+1)
				if me.clock.isBeside() {
					beside++
				}
			}
			for i := range locations {
				other := &locations[i]
				if other.clock == nil {
					continue
				}
				if me.clock.At != 0 && other.clock.covers(me.clock) {
					covers++
				}
				if now%8 == 0 {
					me.check(t, &m, other)
					loc.check(t, &m, me)
				}
			}
		}
		if shared < 100 || covers < 100 || beside < 100 {
			t.Errorf("%d joins were made with the release before, %d clocks cover another one, %d have no tree: too few to tell", shared, covers, beside)
		}
	}
}

// TestReplaced: what a thread has known for long is joined with later releases of another thread in place of the
// earlier ones, and is left out when the other thread has learned it.
func TestReplaced(t *testing.T) {
	m := Merges{Beside: true, Lazy: JoinTuning{Longest: 64}}
	me, other := Thread{Radix, 0}, Thread{2 * Radix, 1}
	mine := m.OfLanes(Snapshot{&Clock{}, 3}, Radix+1, 1)
	mine.IsKnownTo(me, 4)
	theirs := m.OfLanes(Snapshot{&Clock{}, 4}, 2*Radix+1, 1)
	mine.Tree()
	theirs.Tree()
	first := m.OfLanes(Snapshot{theirs, 5}, other.Unit, 1<<other.Lane)
	second := m.OfLanes(Snapshot{theirs, 7}, other.Unit, 1<<other.Lane)
	one := m.Merge(mine, first)
	if !one.isBeside() || one.Before != first {
		t.Fatal("the tree of a join has been made at once")
	}
	two := m.Merge(one, second)
	if !two.isBeside() || two.Before != second || two.Known != one.Known {
		t.Fatal("a later release does not replace the earlier one")
	}
	if !two.Includes(Radix+1, 0, 3) || !two.Includes(other.Unit, int(other.Lane), 7) || two.Includes(me.Unit, int(me.Lane), 1) {
		t.Error("a join lacks something, or has too much")
	}
	if second.covers(two) || !two.covers(second) {
		t.Error("a release covers what its thread did not know, or a join does not cover the release")
	}
	learned := m.Merge(theirs, m.OfLanes(Snapshot{mine, 8}, me.Unit, 1<<me.Lane))
	learned = m.Merge(learned, second)
	third := m.OfLanes(Snapshot{learned, 9}, other.Unit, 1<<other.Lane)
	if m.Merge(two, third) != third {
		t.Error("a thread keeps beside what the other thread has learned from it")
	}
	if m.Includes(second, two) || !m.Includes(third, two) {
		t.Error("a release includes what its thread did not know, or not what it has learned")
	}
	if two.Tree(); two.isBeside() || !two.Includes(Radix+1, 0, 3) || !two.Includes(other.Unit, int(other.Lane), 7) {
		t.Error("the tree of a join lacks something")
	}
}

// TestCoversMore: a clock that has more than what a thread had to release is covered only by one that includes the
// rest, too.
func TestCoversMore(t *testing.T) {
	var m Merges
	a, b, c := Thread{Radix, 0}, Thread{Radix, 1}, Thread{Radix, 2}
	first := m.OfLanes(Snapshot{&Clock{}, 5}, a.Unit, 1<<a.Lane)
	mine := m.OfLanes(Snapshot{&Clock{}, 6}, b.Unit, 1<<b.Lane)
	second := m.OfLanes(Snapshot{mine, 7}, c.Unit, 1<<c.Lane)
	both := m.MergeReleased(first, second)
	if !both.Includes(a.Unit, int(a.Lane), 5) || !both.Includes(b.Unit, int(b.Lane), 6) || !both.Includes(c.Unit, int(c.Lane), 7) {
		t.Fatal("a join lacks something")
	}
	if second.covers(both) {
		t.Error("a release covers the join with what its thread did not know")
	}
	knows := m.Merge(mine, first)
	if knows != both.Before {
		t.Error("the releasing thread joins again what was joined with its release")
	}
	if knows.At != 0 {
		t.Fatal("a join is the clock of some thread before one has it")
	}
	knows.IsKnownTo(c, 9)
	if later := m.OfLanes(Snapshot{knows, 9}, c.Unit, 1<<c.Lane); !later.covers(both) {
		t.Error("the release of a thread that has acquired a join does not cover it")
	}
	if second.covers(both) {
		t.Error("an earlier release of that thread covers the join")
	}
	if m.Includes(second, both) || !m.Includes(both, second) {
		t.Error("a release includes the join with what its thread did not know, or is not included in it")
	}
	if both.Tree(); second.covers(both) {
		t.Error("the tree of the join has been made, and a release that does not include it covers it")
	}
}
