// Accesses: one access of a warp against the metadata of its granules.

package scord

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Accesses implements detect.Detector.
func (s *Detector) Accesses(b *abi.Batch) {
	if s.memory.records.shared() > s.memory.records.most {
		s.tidy()
	}
	s.clean = false
	w := warpIndex(uint32(b.Block), b.Warp)
	loops := b.Loops
	for i := 0; i < len(b.List); {
		if len(loops) > 0 && loops[0].At == i {
			s.loop(b, &loops[0], w)
			i, loops = i+loops[0].Listed, loops[1:]
			continue
		}
		s.access(b, &b.List[i], w)
		i++
	}
}

// loop checks the accesses of a loop.
func (s *Detector) loop(b *abi.Batch, l *abi.Loop, w uint32) {
	if s.walk.begin(b, l, s.shift) {
		s.walked(b, w)
		return
	}
	for n := range l.Len() {
		var x abi.Access
		l.Nth(b, n, &x)
		s.access(b, &x, w)
	}
}

// mayRace reports whether an access can race.
func mayRace(x *abi.Access) bool {
	return x.Space == abi.SpaceGlobal && x.Bytes != 0 && x.Mask != 0
}

// access checks an access by warp w.
func (s *Detector) access(b *abi.Batch, x *abi.Access, w uint32) {
	if !mayRace(x) {
		return
	}
	a := s.describe(b, x, w)
	if s.traffic != nil {
		s.traffic.data(x)
	}
	if s.single || !s.regular(a) {
		s.irregular(a)
	}
	if infersLock(x) {
		s.inferLock(x, w)
	}
}

// describe returns the access as the SM sends it to the race detector. It recomputes the warp's part only after an event, and the
// instruction's part only if another warp has executed it since.
func (s *Detector) describe(b *abi.Batch, x *abi.Access, w uint32) *access {
	if !s.known || s.self.linear != b.Block || s.self.warp != w&warpMask || s.opts.ITS {
		s.identify(b.Block, w)
	}
	site := x.Site % describedSites
	if int(site) >= len(s.sites) {
		s.sites = append(s.sites, make([]access, int(site)+1-len(s.sites))...)
	}
	a := &s.sites[site]
	if a.class != x.AccessClass {
		s.newClass(a, x.AccessClass)
	}
	if a.turn != s.self.turn {
		a.by(&s.self)
		a.mark = markOf(b.Block, x.AccessClass)
		a.classify()
	}
	a.batch, a.of = b, x
	return a
}

// newClass sets the fields of an access that its class determines.
func (s *Detector) newClass(a *access, of *abi.AccessClass) {
	known := a.memo
	if known == nil {
		known = new(memo)
	}
	*known = memo{}
	*a = access{memo: known, records: &s.memory.records, class: of, its: s.opts.ITS}
	a.store, a.atomic, a.device = of.Access.Writes(), of.Access.Atomic(of.Sem), deviceScope(of.Scope)
	a.strong = of.Sem > abi.SemWeak || !s.opts.Strong
	if s.opts.Release && of.Sem >= abi.SemRelaxed {
		a.atomic = true
	}
}

// by sets the fields of an access that describe its warp at its point of time. It sets them one by one, since the others stay.
func (a *access) by(w *access) {
	a.diverged, a.block, a.warp, a.barrier = w.diverged, w.block, w.warp, w.barrier
	a.blkFence, a.devFence, a.bloom, a.who = w.blkFence, w.devFence, w.bloom, w.who
	a.linear, a.turn = w.linear, w.turn
}

// describedSites is the number of sites for which the last access is cached.
const describedSites = 1 << 12

// identify reads the state of a warp from the tables of its SM.
func (s *Detector) identify(block uint64, w uint32) {
	a, f := &s.self, s.fences[w]
	a.its, a.diverged, a.block, a.warp, a.barrier = s.opts.ITS, s.diverged[w], w>>5, w&warpMask, s.barriers[w>>5]
	a.blkFence, a.devFence, a.bloom = f.blk, f.dev, s.locks[w].summary(w>>5)
	a.identify()
	a.linear = block
	a.turn++
	s.known = true
}

// line checks an access to the granules in set of line n, by the lanes of mine, and updates the metadata.
func (s *Detector) line(a *access, n uint64, set uint32, mine run) {
	line := s.memory.line(n)
	was := *line
	if was.whole() {
		to := a.step(was.record())
		next := to.run(was, mine)
		switch {
		case !to.safe:
			s.cells(a, n, set, mine)
		case set == allGranules:
			*line = next
		case next != was:
			s.memory.divide(line, set, next)
		}
		return
	}
	if was < lineSpread {
		if l := s.memory.divided.at(was.place()); l.update(a, set, mine) {
			s.memory.unite(line, l)
			return
		}
	}
	s.cells(a, n, set, mine)
}

// one checks an access of one lane to granule g.
func (s *Detector) one(a *access, g uint64, lane int) {
	n, k := g>>lineBits, g%(1<<lineBits)
	p := s.memory.page(n)
	line := &p.lines[n%(1<<pageBits)]
	if *line != lineSpread && s.unspread(a, line, n, k, run(lane)) {
		return
	}
	cells := p.of(n)
	cells[k] = s.lone(a, g, cells[k], uint32(lane))
	if k == uint64(len(cells)-1) && cells[k] == cells[k-1] && cells.all() { // the end of a walk along the line
		*line = run(cells[k])
		clear(cells[:])
	}
}

// unspread is one for granule k of line n that is not spread. If the line has to be spread first, it does that and returns false.
func (s *Detector) unspread(a *access, line *run, n, k uint64, mine run) bool {
	if line.whole() {
		s.line(a, n, 1<<k, mine)
		return true
	}
	l := s.memory.divided.at(line.place())
	if !l.one(a, uint(k), mine) {
		s.memory.cells(n)
		return false
	}
	s.memory.unite(line, l)
	return true
}

// lone is touch for a granule that no neighbour is accessed with. If it has been accessed alone before, it owns its record from
// now on.
func (s *Detector) lone(a *access, g uint64, c cell, lane uint32) cell {
	n := c.record()
	if !owned(n) {
		m := a.memo.of(a.turn)
		if m.owns || n <= unaccessed {
			return s.touch(a, g, c, lane)
		}
		own := s.memory.records.own(n)
		if own == none {
			return s.touch(a, g, c, lane)
		}
		m.owns, n = true, own
	}
	r := &s.memory.records
	to := a.change(r.entry(n))
	if !to.safe {
		s.check(a, g, c, lane)
	}
	if r.entries[n>>1] = to.entry; to.kept {
		lane = c.lane()
	} else {
		r.marks[n>>1] = a.mark
	}
	return cell(numberOf(n>>1, to.entry)<<laneBits | lane)
}

// touch checks an access by a lane to granule g with metadata c, and returns the new metadata.
func (s *Detector) touch(a *access, g uint64, c cell, lane uint32) cell {
	to := a.step(c.record())
	if !to.safe {
		s.check(a, g, c, lane)
	}
	return to.cell(c, lane)
}

// cells is line for the spread form.
func (s *Detector) cells(a *access, n uint64, set uint32, mine run) {
	cells, one := s.memory.cells(n), mine.step() == 0
	for m := set; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(m) % len(cells)
		lane := uint32(mine) % (1 << laneBits)
		if !one {
			lane = mine.cell(uint64(k)).lane()
		}
		if to := a.step(cells[k].record()); to.safe {
			cells[k] = to.cell(cells[k], lane)
		} else {
			cells[k] = s.touch(a, n<<lineBits+uint64(k), cells[k], lane)
		}
	}
	if bits.OnesCount32(set) >= len(cells)/2 && !s.walk.merging { // what one lane walks through is often spread again
		s.memory.gather(n)
	}
}

// granule checks an access to granule r.next alone, for options that require it.
func (s *Detector) granule(a *access, r *row) {
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
	was := s.memory.records.at(c.record())
	to, number, by := a.change(was.entry), a.mark, cell(lane)
	if !to.safe {
		s.check(a, r.next, *c, uint32(lane))
	}
	if s.opts.Release {
		if now, ok := s.releases.access(a, r.next, was.entry); ok {
			s.memory.counters[s.memory.counter()] = now
		}
	}
	if to.kept {
		number, by = was.mark, cell(c.lane())
	}
	*c = cell(s.memory.records.number(s.memory.tagged(to.entry), number))<<laneBits | by
}

// check applies the rules of Table IV to an access by a lane to granule g and the access that the cell describes. Table III has
// not excluded a race.
func (s *Detector) check(a *access, g uint64, c cell, lane uint32) {
	first := s.memory.records.at(c.record())
	f, synced := s.fencesSince(first.entry), false
	if s.opts.Release {
		synced = s.releases.ordered(first.entry, s.memory.counters[s.memory.counter()], a)
	}
	rule := brokenRule(first.entry, a, f, synced)
	if rule == 0 {
		return
	}
	found := clash{rule: rule, first: first, by: c.lane(), since: f, batch: a.batch, of: a.of, lane: lane, bloom: a.bloom}
	if s.walk.busy {
		s.walk.note(&found, g)
	} else {
		s.report(&found)
	}
}

// report adds a race, and announces it if it is the first of its kind.
func (s *Detector) report(c *clash) {
	if x := s.found.add(s.grid(), c); x != nil && s.tell != nil {
		race := x.race(s.opts.Granularity)
		s.tell(&race)
	}
}

// fencesSince returns the fence file's entry for the warp of md. With option cumulative, a fence after a barrier counts for all
// warps of the block.
func (s *Detector) fencesSince(md entry) fence {
	f := s.fences[warpIndex(md.block(), md.warp())]
	width := barrierWidth(s.opts.ITS)
	if after := (s.covered[md.block()] - md.barrier(s.opts.ITS)) & width; s.opts.Cumulative && after > 0 && after <= width/2 {
		f.dev = (md.devFence() + 1) & fenceMask
	}
	return f
}
