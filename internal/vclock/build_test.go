package vclock

import (
	"math/rand/v2"
	"testing"
)

// TestBuilder: a Builder joins many clocks to what Join makes of them one by one. It changes neither these clocks nor
// what it has made before Finish.
func TestBuilder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var b Builder
	nodes, plain := []*Clock{nil}, []plainClock{{}}
	for round := range 500 {
		at := r.IntN(len(nodes))
		n, p := nodes[at], plain[at]
		for range r.IntN(8) {
			c, q := randomKnowledge(r)
			if i := r.IntN(len(nodes)); r.IntN(3) > 0 {
				c, q = nodes[i], plain[i]
			}
			if n, p = b.Join(n, c), p.join(q); !n.Covers(c) {
				t.Fatalf("round %d: a clock that was joined is not included", round)
			}
		}
		b.Finish()
		if len(nodes) < 24 {
			nodes, plain = append(nodes, n), append(plain, p)
		} else {
			nodes[at], plain[at] = n, p
		}
		for i, n := range nodes {
			for _, u := range clockUnits {
				for lane := range Radix {
					if got, want := n.At(u, lane), plain[i][thread{u, uint8(lane)}]; got != want {
						t.Fatalf("round %d, clock %d: unit %d lane %d is known up to %d, expected %d", round, i, u, lane, got, want)
					}
				}
			}
		}
	}
}

// TestBuilderNodes: joining a hundred threads one by one makes each node of the result once.
func TestBuilderNodes(t *testing.T) {
	var b Builder
	var c *Clock
	parts := make([]*Clock, 100)
	for i := range parts {
		parts[i] = Threads(Unit(i)<<RadixBits, 1, 2)
	}
	for _, p := range parts {
		c = b.Join(c, p)
	}
	if n := len(b.made); n > 8 { // the root, and what is below it for each 32 blocks
		t.Errorf("%d nodes are made", n)
	}
	b.Finish()
	for range 100 {
		c = b.Join(c, Threads(77<<RadixBits, 2, 2))
	}
	if n := len(b.made); n != 3 {
		t.Errorf("%d nodes are made for one more thread, expected those above it", n)
	}
	b.Finish()
}

// TestBuilderRanges: a Builder joins what a clock has about a block, with what it has about one unit of that.
func TestBuilderRanges(t *testing.T) {
	for _, times := range [][2]Time{{9, 7}, {7, 9}} {
		var b Builder
		c := b.Join(Threads(5, 1<<Radix-1, times[0]), Threads(1<<20, 1, 1))
		c = b.Join(c, Join(Block(0, times[1]), Threads(1<<20, 2, 1)))
		b.Finish()
		if one, others := c.At(5, 3), c.At(6, 3); one != 9 || others != times[1] {
			t.Errorf("%v: the unit is known up to %d, the others of the block up to %d", times, one, others)
		}
	}
}

// BenchmarkBuilder joins clocks that know each unit of two blocks into one clock, one after the other: each
// knows a later time of other lanes.
func BenchmarkBuilder(b *testing.B) {
	var parts []*Clock
	for i := range Time(13) {
		var c *Clock
		for u := range Unit(16) {
			c = Join(c, WithinTwo(u+u/8*24, 100, 101, 31<<(2*i), 0))
		}
		parts = append(parts, c)
	}
	var to Builder
	for b.Loop() {
		var c *Clock
		for _, p := range parts {
			c = to.Join(c, p)
		}
		to.Finish()
	}
}

// BenchmarkAt looks up a thread of each unit of two blocks.
func BenchmarkAt(b *testing.B) {
	var c *Clock
	for u := range Unit(16) {
		c = Join(c, WithinTwo(u+u/8*24, 100, 101, 0xffff, 0))
	}
	for b.Loop() {
		for u := range Unit(16) {
			if c.At(u+u/8*24, 3) != 101 {
				b.Fatal(c)
			}
		}
	}
}
