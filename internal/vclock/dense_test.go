package vclock

import (
	"math/rand/v2"
	"testing"
)

// crowd returns a clock with random times for the threads of some units of two blocks.
func crowd(r *rand.Rand) (*Clock, plainClock) {
	var c *Clock
	p := plainClock{}
	floors := [2]Time{Time(r.IntN(3)) * 10, Time(r.IntN(3)) * 10}
	for i := range 12 {
		u := Unit(i/6<<RadixBits + i%6)
		floor := floors[i/6]
		var lanes [Radix]Time
		for lane := range lanes {
			p[thread{u, uint8(lane)}] = floor
		}
		if r.IntN(8) > 0 {
			for lane := range lanes {
				lanes[lane] = Time(r.IntN(40))
				p[thread{u, uint8(lane)}] = max(floor, lanes[lane])
			}
			c = Join(c, ofLanes(u, &lanes))
		}
	}
	for block, floor := range floors {
		if floor > 0 {
			c = Join(c, Block(uint32(block), floor))
		}
	}
	return c, p
}

// sameAs reports whether a clock has the given times.
func (p plainClock) sameAs(t *testing.T, c *Clock) {
	t.Helper()
	for x, want := range p {
		if got := c.At(x.unit, int(x.lane)); got != want {
			t.Fatalf("unit %d lane %d has time %d, expected %d", x.unit, x.lane, got, want)
		}
		if !c.Includes(x.unit, int(x.lane), want) || c.Includes(x.unit, int(x.lane), want+1) {
			t.Fatalf("Includes is wrong for unit %d lane %d, which has time %d", x.unit, x.lane, want)
		}
		if reached := c.Reached(x.unit, want); reached>>x.lane&1 == 0 {
			t.Fatalf("unit %d lane %d has not reached %d, its time", x.unit, x.lane, want)
		}
		if got := c.Most(x.unit); got < want {
			t.Fatalf("unit %d has at most time %d, but lane %d has %d", x.unit, got, x.lane, want)
		}
	}
}

// TestDense: joins of blocks in which most threads have different times are dense, and have the times of both operands.
// Clocks that were joined do not change, and a join that adds nothing is the very clock.
func TestDense(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var b Builder
	dense := 0
	for range 300 {
		var made *Clock
		all := plainClock{}
		for range 1 + r.IntN(4) {
			c, p := crowd(r)
			d, q := crowd(r)
			both, of := Join(c, d), p.merge(q)
			of.sameAs(t, both)
			p.sameAs(t, c)
			q.sameAs(t, d)
			if n := both.blockOf(0); n != nil && n.isDense() {
				dense++
				if both.Bytes(1) < n.Bytes(2) || n.Bytes(3) < 4*Radix*uint64(len(n.rows())) {
					t.Fatalf("%d bytes for a dense block of %d units", n.Bytes(4), len(n.rows()))
				}
			}
			if Join(both, c) != both || Join(c, both) != both || Join(both, d) != both {
				t.Fatal("a clock is made anew by what it includes")
			}
			if got, adds := c.Covers(d), both != c; got && !p.covers(q) || !got && !adds {
				t.Fatalf("Covers is %v of a clock that adds something: %v", got, adds)
			}
			if !both.Covers(c) || !both.Covers(d) || p.covers(of) != c.Covers(both) {
				t.Fatal("a join covers its operands, and they cover it only if it adds nothing")
			}
			made, all = b.Join(b.Join(made, c), both), all.merge(of)
			one := Threads(Unit(r.IntN(6)), r.Uint32(), Time(r.IntN(50)))
			for lane := range uint8(Radix) {
				x := thread{one.base, lane}
				all[x] = max(all[x], one.At(x.unit, int(lane)))
			}
			made = b.Join(made, one)
			all.sameAs(t, made)
			of.sameAs(t, both)
		}
		b.Finish()
		without := made.WithoutBlock(32)
		for x, want := range all {
			if sameBlock(x.unit, 32) {
				want = 0
			}
			if got := without.At(x.unit, int(x.lane)); got != want {
				t.Fatalf("without block 1, unit %d lane %d has time %d, expected %d", x.unit, x.lane, got, want)
			}
		}
	}
	if dense < 300 {
		t.Errorf("%d dense blocks: too few to tell", dense)
	}
}

// merge returns the later time of each thread.
func (p plainClock) merge(q plainClock) plainClock {
	out := plainClock{}
	for _, x := range []plainClock{p, q} {
		for k, at := range x {
			out[k] = max(out[k], at)
		}
	}
	return out
}

// TestDenseUnit: what a dense block has about one unit is compared with the node of a unit, and joined with it.
func TestDenseUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var rows [6][Radix]Time
	for i := range rows {
		for lane := range rows[i] {
			rows[i][lane] = Time(50 + r.IntN(50))
		}
	}
	rows[0][0] = 100
	c := &Clock{level: blockLevel, which: 1<<6 - 1, top: 100, lanes: &rows[0]}
	unit := ofLanes(3, &rows[3])
	switch later := Threads(3, 4, 200); {
	case !c.Covers(unit), Join(c, unit) != c, unit.Covers(c):
		t.Error("a block includes its unit, and not the other way round")
	case c.Covers(later):
		t.Error("a block does not include a later time")
	case Join(c, later).At(3, 2) != 200 || Join(c, later).At(3, 3) != rows[3][3] || Join(later, c).At(4, 3) != rows[4][3]:
		t.Error("a later time of one lane is added, the others stay")
	case c.At(3, 2) != rows[3][2]:
		t.Error("the operand of a join has changed")
	case Join(c, Threads(9, 1, 7)).At(9, 0) != 7 || Join(c, Threads(9, 1, 7)).At(9, 1) != 0:
		t.Error("a unit that the block did not have is added")
	case !Block(0, 100).Covers(c), c.Covers(Block(0, 1)), Join(c, Block(0, 100)).isDense():
		t.Error("a time of the whole block that is as late as all of its threads includes them")
	case c.Beyond(0, 99), !c.Beyond(1, 99):
		t.Error("the latest time is that of unit 0")
	case c.IsSmall(6) || !c.IsSmall(7):
		t.Error("each unit counts as a node")
	}
}

// TestSharing: a join whose units have the times of one operand or the other shares their nodes.
func TestSharing(t *testing.T) {
	var times [2]*Clock
	var units [2][6]*Clock
	for i := range units {
		for u := range units[i] {
			var lanes [Radix]Time
			for lane := range lanes {
				lanes[lane] = Time(10 + lane)
				if u%2 == i {
					lanes[lane] += 30
				}
			}
			units[i][u] = ofLanes(Unit(u), &lanes)
			times[i] = Join(times[i], units[i][u])
		}
	}
	var more [Radix]Time
	for lane := range more {
		more[lane] = Time(75 - lane)
	}
	both := Join(times[0], Join(times[1], ofLanes(0, &more)))
	if both.isDense() {
		t.Fatal("the join is dense although most of its units are those of an operand")
	}
	for u := 1; u < 6; u++ {
		if both.kid(uint32(u)) != units[u%2][u] {
			t.Errorf("unit %d is made anew", u)
		}
	}
	for lane, at := range more {
		if got, want := both.At(0, lane), max(at, Time(40+lane)); got != want {
			t.Errorf("unit 0 lane %d has time %d, expected %d", lane, got, want)
		}
	}
}

// TestRows: the operations on times do the same in assembly and in Go.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		var a, b, got, want [Radix]Time
		for i := range a {
			a[i] = Time(r.Uint32() >> r.IntN(32))
			b[i] = a[i] // usually
		}
		for range r.IntN(3) {
			b[r.IntN(Radix)] = Time(r.Uint32())
		}
		latest(&got, &a, &b)
		latestOf(&want, &a, &b)
		if got != want {
			t.Fatalf("the latest times of %v and %v are %v, expected %v", a, b, got, want)
		}
		gotA, gotB := exceed(&a, &b)
		if wantA, wantB := exceeding(&a, &b); gotA != wantA || gotB != wantB {
			t.Fatalf("%v exceeds %v: %v, and conversely %v, expected %v and %v", a, b, gotA, gotB, wantA, wantB)
		}
	}
}

// BenchmarkRows measures the comparison and the join of the times of one unit, in Go and in assembly where there is.
func BenchmarkRows(b *testing.B) {
	var x, y, to [Radix]Time
	for i := range x {
		x[i], y[i] = Time(i), Time(Radix-i)
	}
	b.Run("Go", func(b *testing.B) {
		for b.Loop() {
			exceeding(&x, &y)
			latestOf(&to, &x, &y)
		}
	})
	b.Run("assembly", func(b *testing.B) {
		for b.Loop() {
			exceed(&x, &y)
			latest(&to, &x, &y)
		}
	})
}

// TestCrowded: two nodes of a block are crowded if at least leastDense units, and half of all that either has, have
// different arrays of times in both.
func TestCrowded(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	count := [2]int{}
	for range 20000 {
		var nodes [2]Clock
		different, all := 0, 0
		used := 1 + r.IntN(Radix)
		for u := range Unit(used) {
			var kids [2]*Clock
			for i := range kids {
				switch r.IntN(12) {
				case 0:
				case 1:
					kids[i] = &Clock{base: u}
				default:
					kids[i] = &Clock{base: u, lanes: new([Radix]Time)}
				}
			}
			if r.IntN(4) == 0 {
				kids[1] = kids[0]
			}
			for i, kid := range kids {
				if kid != nil {
					nodes[i].kids, nodes[i].which = append(nodes[i].kids, kid), nodes[i].which|1<<u
				}
			}
			if kids[0] != nil || kids[1] != nil {
				all++
			}
			if kids[0] != nil && kids[1] != nil && kids[0] != kids[1] && kids[0].lanes != nil && kids[1].lanes != nil {
				different++
			}
		}
		want := different >= leastDense && 2*different >= all
		if got := areCrowded(&nodes[0], &nodes[1]); got != want {
			t.Fatalf("%v for %d different ones of %d units, expected %v", got, different, all, want)
		}
		if want {
			count[1]++
		} else {
			count[0]++
		}
	}
	if min(count[0], count[1]) < 1000 {
		t.Errorf("%d are not crowded, %d are", count[0], count[1])
	}
}
