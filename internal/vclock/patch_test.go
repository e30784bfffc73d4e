package vclock

import (
	"math/rand/v2"
	"testing"
)

// denseBlock returns a clock of six units of a block in which all threads have different times from at least on, and
// these times.
func denseBlock(r *rand.Rand, least Time) (*Clock, plainClock) {
	rows := make([][Radix]Time, 6)
	p := plainClock{}
	for i, x := range r.Perm(len(rows) * Radix) {
		u, lane := Unit(i/Radix), i%Radix
		rows[u][lane] = least + Time(x)
		p[thread{u, uint8(lane)}] = rows[u][lane]
	}
	return &Clock{level: blockLevel, which: 1<<6 - 1, top: least + Time(6*Radix), lanes: &rows[0]}, p
}

// with returns the clock with later times for some threads, by joins with one thread each, and these times.
func (p plainClock) with(r *rand.Rand, c *Clock, threads int) (*Clock, plainClock) {
	q := p.merge(nil)
	for range threads {
		x := thread{Unit(r.IntN(6)), uint8(r.IntN(Radix))}
		q[x] += Time(1 + r.IntN(300))
		c = (*Builder)(nil).Add(c, Entry{x.unit, int(x.lane), q[x]})
	}
	return c, q
}

// TestPatches: a dense block with later times for a few threads shares the arrays of the block before, one with more
// has its own.
func TestPatches(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		c, p := denseBlock(r, 1000)
		few, q := p.with(r, c, 1+r.IntN(maxPatches))
		if few.lanes != c.lanes {
			t.Fatal("a block with few later times has arrays of its own")
		}
		if got := few.Bytes(1) + c.Bytes(1); got >= c.Bytes(2)*3/2 {
			t.Fatalf("%d bytes, of which the arrays are counted twice", got)
		}
		many, s := p.with(r, c, 6*maxPatches)
		if many.lanes == c.lanes {
			t.Fatal("a block with many later times shares arrays")
		}
		q.sameAs(t, few)
		s.sameAs(t, many)
		p.sameAs(t, c)
		if few.Covers(many) != q.covers(s) || many.Covers(few) != s.covers(q) || !few.Covers(c) || c.Covers(few) {
			t.Fatal("Covers is wrong")
		}
		if got := few.Unit(3); few.At(3, 5) != got[5] || few.Beyond(0, few.top) || !few.Beyond(0, 999) {
			t.Fatal("the times of a unit are wrong")
		}
	}
}

// TestJoinPatched: joins of blocks with patches have the times of both operands, whether these share arrays or not, and
// are an operand when it includes the other one.
func TestJoinPatched(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var b Builder
	shared, operands := 0, 0
	for range 2000 {
		c, p := denseBlock(r, 1000)
		d, q := c, p
		if r.IntN(2) > 0 {
			d, q = denseBlock(r, 1000)
			if r.IntN(2) > 0 {
				d, q = Join(c, d), p.merge(q)
			}
		}
		c, p = p.with(r, c, r.IntN(30))
		d, q = q.with(r, d, r.IntN(30))
		all, both := p.merge(q), Join(c, d)
		all.sameAs(t, both)
		if both.lanes == c.lanes || both.lanes == d.lanes {
			shared++
		}
		if both == c || both == d {
			operands++
		}
		if (both == c) != p.covers(q) && (both == d) != q.covers(p) {
			t.Fatal("a join is made anew, or one of its operands that does not include the other one")
		}
		made := b.Join(b.Join(nil, c), d)
		for range 3 {
			e, s := all.with(r, both, r.IntN(12))
			made, all = b.Join(made, e), all.merge(s)
			x := Entry{Unit(r.IntN(8)), r.IntN(Radix), Time(1000 + r.IntN(600))}
			made = b.Add(made, x)
			all[thread{x.Unit, uint8(x.Lane)}] = max(all[thread{x.Unit, uint8(x.Lane)}], x.At)
		}
		b.Finish()
		all.sameAs(t, made)
		p.sameAs(t, c)
		q.sameAs(t, d)
	}
	if shared < 200 || operands < 50 {
		t.Errorf("%d joins share arrays, %d are an operand: too few to tell", shared, operands)
	}
}

// TestJoinKept: a join with some times added is the second operand if the first one has nothing that this operand and
// these times do not include, and has all times otherwise.
func TestJoinKept(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	var b Builder
	kept := 0
	for range 2000 {
		d, q := denseBlock(r, 1000)
		c, p := d, q
		if r.IntN(2) > 0 {
			rows := d.copyRows(nil)
			c = &Clock{level: blockLevel, which: d.which, top: d.top, lanes: &rows[0]}
		}
		all := q.merge(nil)
		for range 1 + r.IntN(4) {
			x := Entry{Unit(r.IntN(6)), r.IntN(Radix), Time(1200 + r.IntN(100))}
			b.Keep(x)
			k := thread{x.Unit, uint8(x.Lane)}
			all[k] = max(all[k], x.At)
			if r.IntN(4) > 0 {
				p = p.merge(plainClock{k: x.At + 1 - Time(r.IntN(8))})
				c = Join(c, Threads(x.Unit, 1<<x.Lane, p[k]))
			}
		}
		if r.IntN(3) == 0 {
			c, p = p.with(r, c, 1)
		}
		d, q = q.with(r, d, r.IntN(3))
		all = all.merge(q)
		got := b.JoinKept(c, d)
		b.Finish()
		if all.covers(p) != (got == d) {
			t.Fatalf("the join is the second operand: %v, expected %v", got == d, all.covers(p))
		}
		if got == d {
			kept++
			continue
		}
		all.merge(p).sameAs(t, got)
		p.sameAs(t, c)
		q.sameAs(t, d)
	}
	if kept < 200 || kept > 1800 {
		t.Errorf("%d joins are the second operand: too few of one kind to tell", kept)
	}
}

// TestArrays: the operations on several arrays do the same in assembly and in Go.
func TestArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 500 {
		n := 1 + r.IntN(Radix)
		a, b := make([][Radix]Time, n), make([][Radix]Time, n)
		for i := range a {
			for lane := range a[i] {
				a[i][lane] = Time(r.Uint32() >> r.IntN(32))
				if b[i][lane] = a[i][lane]; r.IntN(8) == 0 {
					b[i][lane] = Time(r.Uint32() >> r.IntN(32))
				}
			}
		}
		var gotA, gotB, wantA, wantB laterLanes
		exceedRows(a, b, &gotA, &gotB)
		exceedingRows(a, b, &wantA, &wantB)
		if gotA != wantA || gotB != wantB {
			t.Fatal("the threads with later times differ")
		}
		got, want := append([][Radix]Time(nil), a...), append([][Radix]Time(nil), a...)
		raiseRows(got, b)
		raisingRows(want, b)
		for i := range a {
			for lane, at := range got[i] {
				if at != want[i][lane] || at != max(a[i][lane], b[i][lane]) {
					t.Fatalf("array %d lane %d is raised to %d", i, lane, at)
				}
				if gotA[i]>>lane&1 == 1 != (a[i][lane] > b[i][lane]) || gotB[i]>>lane&1 == 1 != (b[i][lane] > a[i][lane]) {
					t.Fatalf("array %d lane %d: the later time is wrong", i, lane)
				}
			}
		}
	}
}
