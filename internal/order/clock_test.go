package order

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// entries returns the entries of a clock by stream.
func (c clock) entries() map[track]uint32 {
	m := make(map[track]uint32)
	for _, e := range c {
		m[e.track] = e.number
	}
	return m
}

// TestClock compares clocks with maps. Operations leave the clocks alone that they are of.
func TestClock(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	clocks, want := []clock{nil}, []map[track]uint32{{}}
	shared := 0
	for range 5000 {
		i, j := r.IntN(len(clocks)), r.IntN(len(clocks))
		c, m := clocks[i], maps.Clone(want[i])
		switch s, n := track(r.IntN(12)), r.Uint32N(6); r.IntN(6) {
		case 0:
			c = c.without(func(o track) bool { return o == s })
			delete(m, s)
		case 1, 2:
			c = c.with(s, n)
			if m[s] < n {
				m[s] = n
			}
		default:
			c = c.union(clocks[j])
			for s, n := range want[j] {
				m[s] = max(m[s], n)
			}
			if len(c) > 0 && (c.same(clocks[i]) || c.same(clocks[j])) {
				shared++
			}
		}
		if !slices.IsSortedFunc(c, func(a, b tick) int { return int(a.track) - int(b.track) }) {
			t.Fatalf("the entries do not ascend: %v", c)
		}
		for s := range track(12) {
			if c.of(s) != m[s] {
				t.Fatalf("%d operations of stream %d, expected %d", c.of(s), s, m[s])
			}
		}
		if len(clocks) < 40 {
			clocks, want = append(clocks, c), append(want, m)
		} else {
			k := r.IntN(len(clocks))
			clocks[k], want[k] = c, m
		}
	}
	for i, c := range clocks {
		if !maps.Equal(c.entries(), want[i]) {
			t.Errorf("a clock has changed: %v, expected %v", c, want[i])
		}
	}
	if shared < 100 {
		t.Errorf("%d unions shared their entries with an operand", shared)
	}
}
