package vclock

import (
	"math/rand/v2"
	"testing"
)

// TestBuilder: a Builder joins many clocks to what Join makes of them one by one. It changes neither these clocks nor what it has
// made before Finish.
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
