package precise

import (
	"math/rand/v2"
	"testing"
)

// plainClock is what is known of each thread of a few units, without any structure.
type plainClock map[thread]stamp

// clockUnits are far apart and close together.
var clockUnits = []unit{0, 1, 31, 32, 33, 64, 1023, 1024, 5 << 10, 1 << 20, 1<<30 - 1}

func (p plainClock) join(q plainClock) plainClock {
	out := plainClock{}
	for _, u := range clockUnits {
		for lane := range uint8(radix) {
			t := thread{u, lane}
			out[t] = max(p[t], q[t])
		}
	}
	return out
}

// TestJoin: trees of knowledge say what stamps that are kept thread by thread do.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	nodes, plain := []*node{nil}, []plainClock{{}}
	for range 4000 {
		n, p := randomKnowledge(r)
		if i := r.IntN(len(nodes)); r.IntN(3) > 0 {
			j := r.IntN(len(nodes))
			n, p = join(nodes[i], nodes[j]), plain[i].join(plain[j])
		}
		for _, u := range clockUnits {
			least := stamp(1<<32 - 1)
			for lane := range radix {
				want := p[thread{u, uint8(lane)}]
				if got := n.known(u, lane); got != want {
					t.Fatalf("unit %d lane %d is known up to %d, want %d", u, lane, got, want)
				}
				least = min(least, want)
			}
			if got := n.knownUnit(u); got > least {
				t.Fatalf("unit %d is known up to %d, want no more than %d", u, got, least)
			}
		}
		if len(nodes) < 64 {
			nodes, plain = append(nodes, n), append(plain, p)
			continue
		}
		i := r.IntN(len(nodes))
		nodes[i], plain[i] = n, p
	}
}

// randomKnowledge is knowledge of some threads of a unit, or of all of a block.
func randomKnowledge(r *rand.Rand) (*node, plainClock) {
	u, s, p := clockUnits[r.IntN(len(clockUnits))], stamp(1+r.IntN(5)), plainClock{}
	if r.IntN(4) == 0 {
		for _, v := range clockUnits {
			for lane := range uint8(radix) {
				if v>>radixBits == u>>radixBits {
					p[thread{v, lane}] = s
				}
			}
		}
		return knowBlock(uint32(u>>radixBits), s), p
	}
	mask := r.Uint32() | r.Uint32()>>r.IntN(32)
	for lane := range uint8(radix) {
		if mask>>lane&1 != 0 {
			p[thread{u, lane}] = s
		}
	}
	return knowUnit(u, mask, s), p
}

// TestJoinSame: who learns nothing keeps the very tree that he has.
func TestJoinSame(t *testing.T) {
	var n *node
	var parts []*node
	for i, u := range clockUnits {
		parts = append(parts, knowUnit(u, 1<<i|7, stamp(10+i)), knowBlock(uint32(u>>radixBits), stamp(1+i%2)))
	}
	for _, p := range parts {
		n = join(n, p)
	}
	for i, p := range parts {
		if join(n, p) != n || join(p, n) != n {
			t.Errorf("part %d is made anew", i)
		}
	}
}
