package vclock

import (
	"math/rand/v2"
	"testing"
)

// thread is a thread of a unit.
type thread struct {
	unit Unit
	lane uint8
}

// plainClock is what is known of each thread of a few units, without any structure.
type plainClock map[thread]Time

// clockUnits are far apart and close together.
var clockUnits = []Unit{0, 1, 2, 3, 4, 31, 32, 33, 64, 1023, 1024, 5 << 10, 1 << 20, 1<<30 - 1}

func (p plainClock) join(q plainClock) plainClock {
	out := plainClock{}
	for _, u := range clockUnits {
		for lane := range uint8(Radix) {
			t := thread{u, lane}
			out[t] = max(p[t], q[t])
		}
	}
	return out
}

// knows reports whether a unit is in one of the ranges of which a clock knows something.
func knows(c *Clock, u Unit) (known bool) {
	c.EachKnown(func(first Unit, count uint64) bool {
		known = known || u >= first && uint64(u-first) < count
		return true
	})
	return known
}

// TestJoin: trees of knowledge say what Times that are kept thread by thread do.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	nodes, plain := []*Clock{nil}, []plainClock{{}}
	for range 4000 {
		n, p := randomKnowledge(r)
		if i := r.IntN(len(nodes)); r.IntN(3) > 0 {
			j := r.IntN(len(nodes))
			n, p = Join(nodes[i], nodes[j]), plain[i].join(plain[j])
		}
		for _, u := range clockUnits {
			least, most := Time(1<<32-1), Time(0)
			for lane := range Radix {
				want := p[thread{u, uint8(lane)}]
				if got := n.At(u, lane); got != want {
					t.Fatalf("unit %d lane %d is known up to %d, want %d", u, lane, got, want)
				}
				for at := max(want, 1) - 1; at <= want+1; at++ {
					if n.Includes(u, lane, at) != (want >= at) {
						t.Fatalf("unit %d lane %d is known up to %d, but for time %d that is said to be %v", u, lane, want, at, want < at)
					}
					if n.Reached(u, at)>>lane&1 == 1 != (want >= at) {
						t.Fatalf("unit %d lane %d is known up to %d, but Reached(%d) has %032b", u, lane, want, at, n.Reached(u, at))
					}
				}
				least, most = min(least, want), max(most, want)
			}
			if known := knows(n, u); known != (most > 0) {
				t.Fatalf("EachKnown says %v of unit %d, of which a thread is known up to %d", known, u, most)
			}
			if got := n.Least(u); got > least {
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

// randomKnowledge is knowledge of some threads of a unit, of all of a block, or of both.
func randomKnowledge(r *rand.Rand) (*Clock, plainClock) {
	u, s, p := clockUnits[r.IntN(len(clockUnits))], Time(1+r.IntN(5)), plainClock{}
	whole := r.IntN(3)
	if whole == 0 {
		s = Time(r.IntN(3))
	}
	if whole < 2 {
		for _, v := range clockUnits {
			for lane := range uint8(Radix) {
				if v>>RadixBits == u>>RadixBits {
					p[thread{v, lane}] = s
				}
			}
		}
	}
	switch whole {
	case 0:
		var lanes [Radix]Time
		most := 2 + r.IntN(5)
		for i := range lanes {
			lanes[i] = Time(r.IntN(most))
			p[thread{u, uint8(i)}] = max(s, lanes[i])
		}
		if floor, top, which, two := twoTimes(&lanes); two && r.IntN(2) == 0 {
			return WithinTwo(u, floor, top, which, s), p
		}
		return Within(u, &lanes, s), p
	case 1:
		return Block(uint32(u>>RadixBits), s), p
	}
	mask := r.Uint32() | r.Uint32()>>r.IntN(32)
	for lane := range uint8(Radix) {
		if mask>>lane&1 != 0 {
			p[thread{u, lane}] = s
		}
	}
	return Threads(u, mask, s), p
}

// covers reports whether all threads are known as far as by another clock.
func (p plainClock) covers(q plainClock) bool {
	for t, at := range q {
		if p[t] < at {
			return false
		}
	}
	return true
}

// TestCovers: a clock covers what it has been joined from, and no clock that knows a thread further.
func TestCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	nodes, plain := []*Clock{nil}, []plainClock{{}}
	covered, apart := 0, 0
	for range 4000 {
		n, p := randomKnowledge(r)
		if i, j := r.IntN(len(nodes)), r.IntN(len(nodes)); r.IntN(3) > 0 {
			n, p = Join(nodes[i], nodes[j]), plain[i].join(plain[j])
			if !n.Covers(nodes[i]) || !n.Covers(nodes[j]) {
				t.Fatalf("a join does not cover what it is of: %v of %v and %v", n, nodes[i], nodes[j])
			}
		}
		for i, m := range nodes {
			switch got := n.Covers(m); {
			case got && !p.covers(plain[i]):
				t.Fatalf("%v covers %v, which knows more", n, m)
			case !got && n != nil && Join(n, m) == n:
				t.Fatalf("%v does not cover %v, which adds nothing to it", n, m)
			case got:
				covered++
			default:
				apart++
			}
		}
		if len(nodes) < 64 {
			nodes, plain = append(nodes, n), append(plain, p)
		} else {
			i := r.IntN(len(nodes))
			nodes[i], plain[i] = n, p
		}
	}
	if covered < 1000 || apart < 1000 {
		t.Errorf("%d pairs of clocks are covered, %d are not: too few to tell", covered, apart)
	}
}

// TestJoinSame: who learns nothing keeps the very tree that he has.
func TestJoinSame(t *testing.T) {
	var n *Clock
	var parts []*Clock
	for i, u := range clockUnits {
		parts = append(parts, Threads(u, 1<<i|7, Time(10+i)), Block(uint32(u>>RadixBits), Time(1+i%2)))
	}
	for _, p := range parts {
		n = Join(n, p)
	}
	for i, p := range parts {
		if Join(n, p) != n || Join(p, n) != n {
			t.Errorf("part %d is made anew", i)
		}
	}
}

// TestWithoutBlock: a clock without a block knows of others what it did, and of this one
// nothing; Beyond says whether there was more to know of its other units.
func TestWithoutBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	clocks := []*Clock{nil}
	beyond := 0
	for range 1000 {
		c, _ := randomKnowledge(r)
		c = Join(c, clocks[r.IntN(len(clocks))])
		clocks = append(clocks[max(len(clocks)-40, 0):], c)
		u, at := clockUnits[r.IntN(len(clockUnits))], Time(r.IntN(6))
		without, more := c.WithoutBlock(u), false
		for _, v := range append(inBlock(u), clockUnits...) {
			for lane := range Radix {
				got, want := without.At(v, lane), c.At(v, lane)
				if sameBlock(u, v) {
					more = more || v != u && want > at
					want = 0
				}
				if got != want {
					t.Fatalf("without the block of unit %d, unit %d lane %d is known up to %d, expected %d", u, v, lane, got, want)
				}
			}
		}
		if got := c.Beyond(u, at); got != more {
			t.Fatalf("unit %d, time %d: beyond %v, expected %v", u, at, got, more)
		}
		if more {
			beyond++
		}
	}
	if beyond < 100 {
		t.Errorf("%d clocks only know more of a block", beyond)
	}
}

// TestMostInBlock: no thread of a block has a later time than the bound, which is that of one of them.
func TestMostInBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	clocks := []*Clock{nil}
	for range 1000 {
		c, _ := randomKnowledge(r)
		c = Join(c, clocks[r.IntN(len(clocks))])
		clocks = append(clocks[max(len(clocks)-40, 0):], c)
		for _, u := range clockUnits {
			most := Time(0)
			for _, v := range inBlock(u) {
				for lane := range Radix {
					most = max(most, c.At(v, lane))
				}
			}
			if got := c.MostInBlock(u); got != most {
				t.Fatalf("block of unit %d: at most %d, expected %d", u, got, most)
			}
		}
	}
}

// inBlock is the units of u's block.
func inBlock(u Unit) (list []Unit) {
	for i := range Unit(Radix) {
		list = append(list, u&^(Radix-1)+i)
	}
	return list
}

// TestIsSmall: a clock of three units of a block has four nodes.
func TestIsSmall(t *testing.T) {
	var c *Clock
	if !c.IsSmall(0) {
		t.Error("the empty clock is not small")
	}
	for u := range Unit(3) {
		c = Join(c, Threads(u, 1, 5))
	}
	for n := range 6 {
		if got := c.IsSmall(n); got != (n >= 4) {
			t.Errorf("at most %d nodes: %v", n, got)
		}
	}
}

// TestOfBlock: the times of a block are those of its units alone.
func TestOfBlock(t *testing.T) {
	var all *Clock
	for block := range Unit(70) {
		for k := range Unit(3) {
			all = Join(all, Threads(block<<RadixBits|k, 1<<(block%7), Time(block+k+1)))
		}
	}
	for block := range Unit(70) {
		of := all.OfBlock(uint32(block))
		for other := range Unit(70) {
			for k := range Unit(4) {
				want := other == block && k < 3
				if got := of.Includes(other<<RadixBits|k, int(other%7), Time(other+k+1)); got != want {
					t.Fatalf("the times of block %d include those of unit %d of block %d: %t", block, k, other, got)
				}
			}
		}
	}
	if all.OfBlock(70) != nil || Threads(3, 1, 1).OfBlock(0) == nil || (*Clock)(nil).OfBlock(0) != nil {
		t.Error("a clock has times of a block that it does not know, or none of one that it knows")
	}
}
