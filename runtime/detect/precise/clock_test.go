package precise

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// plain is a vector clock without any structure.
type plain map[thread]stamp

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
	clock *clock
	plain plain
}

// check compares a clock with what it should include, and with what another one includes.
func (c *clocked) check(t *testing.T, m *merges, of *clocked) {
	t.Helper()
	for x := range c.plain.join(of.plain) {
		at := c.plain[x]
		if at > 0 && !c.clock.includes(x.unit, int(x.lane), at) || c.clock.includes(x.unit, int(x.lane), at+1) {
			t.Fatalf("thread %v is known up to %d, but the clock says another time", x, at)
		}
	}
	switch want := c.plain.includes(of.plain); {
	case c.clock.covers(of.clock) && !want:
		t.Fatal("a clock covers one that it does not include")
	case m.includes(c.clock, of.clock) != want:
		t.Fatalf("a clock includes another one: %t, expected %t", !want, want)
	}
}

// TestJoinsOfReleases: threads release at some locations what they know and acquire it there, as they do by fences and atomic operations.
// Their clocks and those of the locations include what plain vector clocks do, whether trees have been made or not.
func TestJoinsOfReleases(t *testing.T) {
	for _, lanes := range []int{1, 8, radix} { // with 8 and more there are arrays of times
		r := rand.New(rand.NewPCG(21, uint64(lanes)))
		m := merges{beside: true, lazy: standard.joins}
		threads := make(map[thread]*clocked)
		var list []thread
		for u := range unit(14) {
			for lane := range lanes {
				x := thread{radix + u%7 + u/7*radix, uint8(lane)}
				threads[x], list = &clocked{&clock{}, plain{}}, append(list, x)
			}
		}
		locations := make([]clocked, 20)
		shared, covers, beside := 0, 0, 0
		for now := stamp(1); now < 4000; now++ {
			x, loc := list[r.IntN(len(list))], &locations[r.IntN(len(locations))]
			me := threads[x]
			seen := *loc
			by := clocked{m.ofLanes(snapshot{me.clock, now}, x.unit, 1<<x.lane), me.plain.join(plain{x: now})}
			if r.IntN(8) == 0 {
				by.clock.tree()
			}
			switch {
			case loc.clock == nil || r.IntN(4) == 0:
				*loc = by
			default:
				loc.clock, loc.plain = m.mergeReleased(loc.clock, by.clock), loc.plain.join(by.plain)
			}
			if seen.clock != nil && r.IntN(4) > 0 {
				before := m.pair(me.clock, seen.clock)
				if before.a == me.clock && before.b == seen.clock {
					shared++
				}
				me.clock, me.plain = m.merge(me.clock, seen.clock), me.plain.join(seen.plain)
				me.clock.isKnownTo(x, now+1)
				if me.clock.isBeside() {
					beside++
				}
			}
			for i := range locations {
				other := &locations[i]
				if other.clock == nil {
					continue
				}
				if me.clock.at != 0 && other.clock.covers(me.clock) {
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

// TestReplaced: what a thread has known for long is joined with later releases of another thread in place of the earlier ones, and is
// left out when the other thread has learned it.
func TestReplaced(t *testing.T) {
	m := merges{beside: true, lazy: joinTuning{longest: 64}}
	me, other := thread{radix, 0}, thread{2 * radix, 1}
	mine := m.ofLanes(snapshot{&clock{}, 3}, radix+1, 1)
	mine.isKnownTo(me, 4)
	theirs := m.ofLanes(snapshot{&clock{}, 4}, 2*radix+1, 1)
	mine.tree()
	theirs.tree()
	first := m.ofLanes(snapshot{theirs, 5}, other.unit, 1<<other.lane)
	second := m.ofLanes(snapshot{theirs, 7}, other.unit, 1<<other.lane)
	one := m.merge(mine, first)
	if !one.isBeside() || one.before != first {
		t.Fatal("the tree of a join has been made at once")
	}
	two := m.merge(one, second)
	if !two.isBeside() || two.before != second || two.known != one.known {
		t.Fatal("a later release does not replace the earlier one")
	}
	if !two.includes(radix+1, 0, 3) || !two.includes(other.unit, int(other.lane), 7) || two.includes(me.unit, int(me.lane), 1) {
		t.Error("a join lacks something, or has too much")
	}
	if second.covers(two) || !two.covers(second) {
		t.Error("a release covers what its thread did not know, or a join does not cover the release")
	}
	learned := m.merge(theirs, m.ofLanes(snapshot{mine, 8}, me.unit, 1<<me.lane))
	learned = m.merge(learned, second)
	third := m.ofLanes(snapshot{learned, 9}, other.unit, 1<<other.lane)
	if m.merge(two, third) != third {
		t.Error("a thread keeps beside what the other thread has learned from it")
	}
	if m.includes(second, two) || !m.includes(third, two) {
		t.Error("a release includes what its thread did not know, or not what it has learned")
	}
	if two.tree(); two.isBeside() || !two.includes(radix+1, 0, 3) || !two.includes(other.unit, int(other.lane), 7) {
		t.Error("the tree of a join lacks something")
	}
}

// TestCoversMore: a clock that has more than what a thread had to release is covered only by one that includes the rest, too.
func TestCoversMore(t *testing.T) {
	var m merges
	a, b, c := thread{radix, 0}, thread{radix, 1}, thread{radix, 2}
	first := m.ofLanes(snapshot{&clock{}, 5}, a.unit, 1<<a.lane)
	mine := m.ofLanes(snapshot{&clock{}, 6}, b.unit, 1<<b.lane)
	second := m.ofLanes(snapshot{mine, 7}, c.unit, 1<<c.lane)
	both := m.mergeReleased(first, second)
	if !both.includes(a.unit, int(a.lane), 5) || !both.includes(b.unit, int(b.lane), 6) || !both.includes(c.unit, int(c.lane), 7) {
		t.Fatal("a join lacks something")
	}
	if second.covers(both) {
		t.Error("a release covers the join with what its thread did not know")
	}
	knows := m.merge(mine, first)
	if knows != both.before {
		t.Error("the releasing thread joins again what was joined with its release")
	}
	if knows.at != 0 {
		t.Fatal("a join is the clock of some thread before one has it")
	}
	knows.isKnownTo(c, 9)
	if later := m.ofLanes(snapshot{knows, 9}, c.unit, 1<<c.lane); !later.covers(both) {
		t.Error("the release of a thread that has acquired a join does not cover it")
	}
	if second.covers(both) {
		t.Error("an earlier release of that thread covers the join")
	}
	if m.includes(second, both) || !m.includes(both, second) {
		t.Error("a release includes the join with what its thread did not know, or is not included in it")
	}
	if both.tree(); second.covers(both) {
		t.Error("the tree of the join has been made, and a release that does not include it covers it")
	}
}
