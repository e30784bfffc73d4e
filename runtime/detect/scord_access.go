package detect

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Accesses implements Batching.
func (s *ScoRD) Accesses(b *abi.Batch) {
	w := warpIndex(uint32(b.Block), b.Warp)
	for i := range b.List {
		x := &b.List[i]
		if x.Space != abi.SpaceGlobal || x.Bytes == 0 || x.Mask == 0 {
			continue
		}
		a := s.describe(b, x, w)
		if s.traffic != nil {
			s.traffic.data(x)
		}
		if s.single || !s.regular(a) {
			s.irregular(a)
		}
		if x.Access == abi.AccessRMW && x.Atomic != abi.AtomicOther {
			s.inferLock(x, w)
		}
	}
}

// scordEvent is a batch of one access, which came as an event.
type scordEvent struct {
	abi.Batch
	list [1]abi.Access
	sort abi.Sort
}

// of is the batch that says what an event does. It is good until the next one.
func (e *scordEvent) of(ev *abi.Event) *abi.Batch {
	e.sort = abi.Sort{
		Site: ev.Site, Bytes: ev.Bytes, Space: ev.Space, Access: ev.Access, Atomic: ev.Atomic, Sem: ev.Sem, Scope: ev.Scope,
	}
	e.list[0] = abi.Access{Sort: &e.sort, Mask: ev.Mask, Next: ev.Next, Same: ev.Same, Wrote: ev.Wrote, Addr: &ev.Addr}
	if ev.Valued {
		e.list[0].New, e.list[0].Old = &ev.New, &ev.Old
	}
	e.Block, e.Warp, e.List = ev.Block, ev.Warp, e.list[:]
	return &e.Batch
}

// describe is what the SM sends along with an access. Who accesses is looked up again
// after an event only.
func (s *ScoRD) describe(b *abi.Batch, x *abi.Access, w uint32) *scordAccess {
	a := &s.self
	if !s.known || warpIndex(a.block, a.warp) != w || s.opts.ITS {
		f, block := s.fences[w], w>>5
		a.its, a.diverged, a.block, a.warp, a.barrier = s.opts.ITS, s.diverged[w], block, w&warpMask, s.barriers[block]
		a.blkFence, a.devFence, a.bloom = f.blk, f.dev, s.locks[w].summary(block)
		a.identify()
		s.known = true
	}
	a.batch, a.of = b, x
	a.store, a.atomic, a.device = x.Access.Writes(), x.Access.Atomic(x.Sem), deviceScope(x.Scope)
	a.strong = x.Sem > abi.SemWeak || !s.opts.Strong
	if s.opts.Release && x.Sem >= abi.SemRelaxed {
		a.atomic = true
	}
	a.mark = markOf(b.Block, x.Sort)
	a.classify()
	return a
}

// line checks an access to the granules in set of line n, which get that mark, and
// updates their metadata.
func (s *ScoRD) line(a *scordAccess, n uint64, set uint32, mark scordMark) {
	line := s.memory.line(n)
	if line.whole() {
		to := a.step(line.entry)
		next := to.cell(line, mark)
		switch {
		case !to.safe:
			s.cells(a, line, n, set, mark)
		case set == scordAll:
			*line = next
		case next != *line:
			s.memory.divide(line, set, next)
		}
		return
	}
	if line.entry == scordDivided {
		if l := s.memory.divided.at(uint32(line.mark)); l.update(a, set, mark) {
			s.memory.unite(line, l)
			return
		}
	}
	s.cells(a, line, n, set, mark)
}

// one checks an access of one lane to granule g.
func (s *ScoRD) one(a *scordAccess, g uint64, lane int) {
	const granules = 1 << scordLineBits
	mark := a.mark + scordMark(lane)
	line := s.memory.line(g / granules)
	switch line.entry {
	case scordSpread:
		cells := s.memory.spread.at(uint32(line.mark))
		c := &cells[g%granules]
		if to := a.step(c.entry); to.safe {
			*c = to.cell(c, mark)
			if g%granules == granules-1 && *c == cells[granules-2] { // the end of a walk along the line
				s.memory.gather(line)
			}
			return
		}
	case scordDivided:
		l, set := s.memory.divided.at(uint32(line.mark)), uint32(1)<<(g%granules)
		i := l.find(set)
		c := &l.kind[i]
		if to := a.step(c.entry); to.safe && l.change(i, set, to.cell(c, mark)) {
			s.memory.unite(line, l)
			return
		}
	default:
		if to := a.step(line.entry); to.safe {
			if c := to.cell(line, mark); c != *line {
				s.memory.divide(line, 1<<(g%granules), c)
			}
			return
		}
	}
	s.cells(a, line, g/granules, 1<<(g%granules), mark)
}

// cells is line with a cell for each granule.
func (s *ScoRD) cells(a *scordAccess, line *scordCell, n uint64, set uint32, mark scordMark) {
	cells := s.memory.cells(line)
	for m := set; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(m)
		c := &cells[k]
		to := a.step(c.entry)
		if !to.safe {
			s.check(a, n<<scordLineBits+uint64(k), c, mark)
		}
		*c = to.cell(c, mark)
	}
	if bits.OnesCount32(set) >= len(cells)/2 {
		s.memory.gather(line)
	}
}

// granule checks an access to granule r.next alone, with the options that want to know of
// each.
func (s *ScoRD) granule(a *scordAccess, r *scordRow) {
	c := s.memory.lookup(r.next)
	if s.traffic != nil {
		s.traffic.metadata(s.memory.index)
	}
	lane := r.laneOf(r.next)
	if s.opts.ITS {
		a.thread = uint32(lane)
		a.identify()
		a.classify()
	}
	to, mark := a.step(c.entry), a.mark+scordMark(lane)
	if !to.safe {
		s.check(a, r.next, c, mark)
	}
	if s.opts.Release {
		if now, ok := s.releases.access(a, r.next, c.entry); ok {
			s.memory.counters[s.memory.counter()] = now
		}
	}
	*c = to.cell(c, mark)
	c.entry = s.memory.tagged(c.entry)
}

// check looks for the race of an access, by mark, that may do harm with the one that the
// cell of granule g describes.
func (s *ScoRD) check(a *scordAccess, g uint64, c *scordCell, mark scordMark) {
	md := c.entry
	f, synced := s.fencesSince(md), false
	if s.opts.Release {
		synced = s.releases.ordered(md, s.memory.counters[s.memory.counter()], a)
	}
	rule := checkScoRD(md, a, f, synced)
	if rule == 0 {
		return
	}
	first := scordCell{md, c.mark.alone(g)}
	if x := s.found.add(s.grid(), rule, &first, a, mark.alone(g).lane(), f); x != nil && s.tell != nil {
		race := x.race(s.opts.Granularity)
		s.tell(&race)
	}
}

// fencesSince is the fence file's entry for the warp that md names. A fence is
// cumulative: with the option, one after a barrier counts for all warps of the block.
func (s *ScoRD) fencesSince(md scordEntry) scordFence {
	f := s.fences[warpIndex(md.block(), md.warp())]
	width := barrierWidth(s.opts.ITS)
	if after := (s.covered[md.block()] - md.barrier(s.opts.ITS)) & width; s.opts.Cumulative && after > 0 && after <= width/2 {
		f.dev = (md.devFence() + 1) & fenceMask
	}
	return f
}
