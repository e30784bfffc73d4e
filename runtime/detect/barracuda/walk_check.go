// Checking of walks, by the detector and by a shard.

package barracuda

import (
	"math"
	"math/bits"
)

// walk checks the accesses of a walk, all of which have the block, warp and lanes of the first one. It returns false if they must
// be checked one by one; it has then done nothing that the first access would not do.
func (d *Detector) walk(k *walk) bool {
	op, n := &k.columns[0].op, k.accesses
	g := d.grids[len(d.grids)-1]
	b := g.blocks[op.Block]
	if b == nil || len(d.workers.shards) != 1 || d.seq+uint64(n) >= d.sampled || !d.workers.shards[0].mayWalk(n*bits.OnesCount32(op.Mask)) {
		return false
	}
	w := b.warp(op.Warp)
	if w == nil || op.Mask&^w.full != 0 || !d.kinds(g, k) {
		return false
	}
	if op.Live != 0 {
		w.live &= op.Live
	}
	p := w.pathOf(op.Mask)
	if p.local > math.MaxUint32-uint32(n) {
		return false
	}
	d.stats.count(p.format(w.full), op.Mask, n)
	before := w.clockOf(p)
	d.releaseAll(g, b, w, p, k)
	d.workers.shards[0].walk(k, &before, d.seq+1)
	p.local = before.local + uint32(n)
	d.seq += uint64(n)
	return true
}

// kinds sets the kind as which each access is checked. It returns false if one acquires something released, or may do so.
func (d *Detector) kinds(g *grid, k *walk) bool {
	acquires, releases := false, false
	for i := range k.columns {
		c := &k.columns[i]
		c.kind = c.op.Kind
		if !c.op.Order.synchronises() {
			continue
		}
		acquires, releases = acquires || c.op.Order.Acquire, releases || c.op.Order.Release
		if c.kind = d.location(&c.op); c.kind == Sync || acquires && releases || acquires && !g.syncs.unreleased(c, k.rounds()) {
			return false
		}
	}
	return true
}

// unreleased reports whether no thread has released at the words of a column.
func (s *syncVars) unreleased(c *column, rounds int) bool {
	if s.others != nil {
		return false
	}
	mask := c.op.Mask
	a, b := c.span(first(mask), rounds), c.span(31-bits.LeadingZeros32(mask), rounds)
	k := keyOf(&c.op, first(mask))
	k.addr = min(a.from, b.from)
	return s.none(k, max(a.from+a.bytes, b.from+b.bytes)-k.addr)
}

// releaseAll performs the releases of a walk.
func (d *Detector) releaseAll(g *grid, b *block, w *warp, p *path, k *walk) {
	for i := range k.columns {
		if k.columns[i].op.Order.Release {
			break
		}
		if i+1 == len(k.columns) {
			return
		}
	}
	for n := range k.accesses {
		if c := &k.columns[n%len(k.columns)]; c.op.Order.Release {
			d.synchronise(g, b, w, p, &c.op)
			c.move(c.delta)
		}
		p.endInsn()
	}
	for i := range k.columns {
		if c := &k.columns[i]; c.op.Order.Release {
			c.move(-uint64(k.roundsOf(i)) * c.delta)
		}
	}
}

// move adds by to the addresses of a column.
func (c *column) move(by uint64) {
	for m := c.op.Mask; m != 0; m &= m - 1 {
		c.op.Addr[first(m)] += by
	}
}

// mayWalk reports whether there is room for that many accesses, each of which may need a page.
func (s *shard) mayWalk(accesses int) bool {
	return s.pages+uint64(accesses) < maxPages/s.shards && len(s.spare.accesses.list)+accesses < s.spare.accesses.most
}

// walk checks the accesses of a walk by threads with clock v. The first access is operation seq.
func (s *shard) walk(k *walk, v *threadClock, seq uint64) {
	s.tidy()
	number := s.number(k, v)
	sh, cluster := s.shadow(&k.columns[0].op)
	a := &s.a
	for _, i := range k.order {
		c, w := &k.columns[i], window{number: nowhere}
		s.begin(a, &work{op: &c.op, kind: c.kind, clock: *v})
		for m := c.op.Mask; m != 0; m &= m - 1 {
			lane := first(m)
			a.lanes, a.local, a.own, a.seq = 1<<lane, v.local+uint32(i), number+uint32(i), seq+uint64(i)
			s.strip(sh, cluster, a, &w, strip{c.op.Addr[lane], c.delta, k.roundsOf(i), uint32(len(k.columns))})
		}
	}
}

// strip is the accesses of one lane by one instruction, over the rounds.
type strip struct {
	addr, delta uint64 // of the first access, and from one to the next
	rounds      int
	operations  uint32 // from one access to the next
}

// strip checks the accesses of a strip, of which a is the first: those in a window together, others one by one.
func (s *shard) strip(sh *shadow, cluster uint64, a *access, w *window, t strip) {
	for t.rounds > 0 {
		n := 0
		if w.holds(a, t.addr) || w.open(a, t.addr) {
			n = w.take(a, &t)
		}
		if n == 0 {
			a.op.Addr[a.me()] = t.addr
			s.lanes(sh, cluster, a, t.addr)
			n = 1
		}
		t.skip(a, n)
	}
}

// skip drops the first rounds, and sets a, their first access, to that of the next round.
func (t *strip) skip(a *access, rounds int) {
	by := uint32(rounds) * t.operations
	a.local, a.own, a.seq = a.local+by, a.own+by, a.seq+uint64(by)
	t.addr, t.rounds = t.addr+uint64(rounds)*t.delta, t.rounds-rounds
}

// number adds the accesses of a walk to the table, and returns the number of the first one.
func (s *shard) number(k *walk, v *threadClock) uint32 {
	t := &s.spare.accesses
	number, local := uint32(len(t.list)), v.local
	for n := range k.accesses {
		t.add(local, v.id, k.columns[n%len(k.columns)].op.Site)
		local++
	}
	return number
}
