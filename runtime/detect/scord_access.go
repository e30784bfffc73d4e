package detect

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// access checks an access of a warp: the rows of consecutive bytes that its lanes
// access, one after the other.
func (s *ScoRD) access(ev *abi.Event, w uint32) {
	if ev.Space != abi.SpaceGlobal || ev.Bytes == 0 {
		return
	}
	a := s.describe(ev, w)
	if s.traffic != nil {
		s.traffic.data(ev)
	}
	last := ^uint64(0) // granule checked
	for m := ev.Mask &^ ev.Same; m != 0; {
		lane := bits.TrailingZeros32(m)
		if g, ok := s.alone(ev, m, lane); ok {
			m &= m - 1
			if g != last {
				s.one(ev, a, g, lane)
			}
			last = g
			continue
		}
		r, lanes := rowAt(ev, m, lane, s.shift)
		m &^= lanes
		if r.next == last {
			r.next++
		}
		last = r.end
		if !s.single {
			s.row(ev, a, &r)
			continue
		}
		for ; r.next <= r.end; r.next++ {
			s.granule(ev, a, &r)
		}
	}
	if ev.Atomic != abi.AtomicOther && ev.Access == abi.AccessRMW {
		s.inferLock(ev, w)
	}
}

// scordRow is consecutive granules that consecutive lanes access: consecutive bytes, or
// each lane some of a granule of its own.
type scordRow struct {
	addr      uint64 // of the first lane
	lane      int    // the first
	next, end uint64 // granules to be checked, end is the last
	shift     uint   // of addresses, to granules
	size      uint64 // bytes of each lane; those of a granule when each lane has one
}

// alone is the granule that a lane accesses, when it is not ok part of a longer row, and
// no option wants rows. The lane is the first in m.
func (s *ScoRD) alone(ev *abi.Event, m uint32, lane int) (g uint64, ok bool) {
	g = ev.Addr[lane] >> s.shift
	follows := m>>lane>>1&1 != 0 && (ev.Next>>lane>>1&1 != 0 || ev.Addr[(lane+1)%len(ev.Addr)]>>s.shift == g+1)
	return g, !follows && (ev.Addr[lane]+uint64(ev.Bytes)-1)>>s.shift == g && !s.single
}

// rowAt is the row that begins with a lane, the first in m, and the lanes that are done
// with it.
func rowAt(ev *abi.Event, m uint32, lane int, shift uint) (r scordRow, lanes uint32) {
	n := bits.TrailingZeros32(^(ev.Next >> 1 >> lane)) // that follow
	r = scordRow{addr: ev.Addr[lane], lane: lane, shift: shift, size: uint64(ev.Bytes)}
	r.next, r.end = r.addr>>shift, (r.addr+uint64(n+1)*r.size-1)>>shift
	if n == 0 && r.end == r.next {
		for k := lane + 1; k < len(ev.Addr) && m>>k&1 != 0 && ev.Addr[k]>>shift == r.end+1 && (ev.Addr[k]+r.size-1)>>shift == r.end+1; k++ {
			n, r.end = n+1, r.end+1
		}
		if n > 0 {
			r.addr, r.size = r.next<<shift, 1<<shift
		}
	}
	return r, (1<<n<<1 - 1) << lane
}

// laneOf is the first lane that accesses a granule.
func (r *scordRow) laneOf(g uint64) int {
	if off := g<<r.shift - r.addr; int64(off) > 0 {
		return r.lane + int(off/r.size)
	}
	return r.lane
}

// step is the step of a mark for a row of aligned accesses; there is none when it is
// not ok.
func (r *scordRow) step() (step scordMark, ok bool) {
	if r.size&(r.size-1) != 0 || r.addr&(r.size-1) != 0 {
		return 0, false
	}
	log := uint(bits.TrailingZeros64(r.size))
	if log <= r.shift {
		return scordMark(scordMarkWord + r.shift - log), r.shift-log <= scordMarkWords-scordMarkWord
	}
	return scordMark(scordMarkWords + log - r.shift), log-r.shift <= 2
}

// row checks an access to a row of granules, line by line.
func (s *ScoRD) row(ev *abi.Event, a *scordAccess, r *scordRow) {
	step, ok := r.step()
	if first := r.addr >> s.shift; ok && r.next == first && r.addr != first<<s.shift {
		s.lines(ev, a, r, 1, a.mark+scordMark(r.lane)) // the first lane is in the middle of it
	}
	for r.next <= r.end {
		n := uint64(1)
		mark := a.mark + scordMark(r.laneOf(r.next))
		if ok {
			n = min(r.end-r.next+1, 1<<scordLineBits-r.next&(1<<scordLineBits-1))
			mark = mark.row(r.next, step)
		}
		s.lines(ev, a, r, n, mark)
	}
}

// describe is what the SM sends along with an access. It is good until the next event.
func (s *ScoRD) describe(ev *abi.Event, w uint32) *scordAccess {
	a := &s.self
	if block := uint32(ev.Block) & blockMask; !s.known || a.block != block || a.warp != ev.Warp&warpMask || s.opts.ITS {
		f := s.fences[w]
		a.its, a.diverged, a.block, a.warp, a.barrier = s.opts.ITS, s.diverged[w], block, ev.Warp&warpMask, s.barriers[block]
		a.blkFence, a.devFence, a.bloom = f.blk, f.dev, s.locks[w].summary(block)
		s.known = true
	}
	a.store, a.atomic, a.device = ev.Access.Writes(), ev.Access == abi.AccessRMW, deviceScope(ev.Scope)
	a.strong = ev.Sem > abi.SemWeak || !s.opts.Strong
	if s.opts.Release && ev.Sem >= abi.SemRelaxed {
		a.atomic = true
	}
	a.mark = markOf(ev)
	a.identify()
	return a
}

// lines checks an access to the n granules from r.next on, which are of one line and
// get that mark, and updates their metadata.
func (s *ScoRD) lines(ev *abi.Event, a *scordAccess, r *scordRow, n uint64, mark scordMark) {
	page, i, k := s.memory.page(r.next), lineOf(r.next), r.next&(1<<scordLineBits-1)
	if page.spread>>i&1 != 0 || !page.lines[i].update(a, uint32(1<<n-1)<<k, mark) {
		s.cells(ev, a, r, page.cellsOf(i)[k:k+n], mark)
		if n == 1<<scordLineBits {
			page.gather(i)
		}
	}
	r.next += n
}

// one checks an access of one lane to granule g.
func (s *ScoRD) one(ev *abi.Event, a *scordAccess, g uint64, lane int) {
	page, i := s.memory.page(g), lineOf(g)
	if page.spread>>i&1 != 0 || page.lines[i].kinds > 1 {
		page.cellsOf(i) // of which one granule is accessed, more are likely to be
		c := &page.cells[i][g&(1<<scordLineBits-1)]
		md := c.entry
		if !conflicting(md, a) || harmless(md, a) {
			if !md.keeps(a) {
				c.mark = a.mark + scordMark(lane)
			}
			c.entry = md.update(a)
			return
		}
	}
	r := scordRow{addr: ev.Addr[lane], lane: lane, next: g, end: g, shift: s.shift, size: uint64(ev.Bytes)}
	s.lines(ev, a, &r, 1, a.mark+scordMark(lane))
}

// cells is lines for a line that is spread.
func (s *ScoRD) cells(ev *abi.Event, a *scordAccess, r *scordRow, row []scordCell, mark scordMark) {
	var was, is scordCell // of the granule before
	risky := false
	for k := range row {
		c := &row[k]
		if k == 0 || *c != was {
			was, is, risky = *c, c.after(a, mark), c.risky(a)
		}
		if risky {
			s.check(ev, a, r, r.next+uint64(k), c)
		}
		*c = is
	}
}

// granule is lines for granule r.next alone, with the options that want to know of each.
func (s *ScoRD) granule(ev *abi.Event, a *scordAccess, r *scordRow) {
	c := s.memory.lookup(r.next)
	if s.traffic != nil {
		s.traffic.metadata(s.memory.index)
	}
	lane := r.laneOf(r.next)
	if s.opts.ITS {
		a.thread = uint32(lane)
		a.identify()
	}
	if c.risky(a) {
		s.check(ev, a, r, r.next, c)
	}
	if s.opts.Release {
		if now, ok := s.releases.access(ev, r.next, c.entry, a); ok {
			s.memory.counters[s.memory.counter()] = now
		}
	}
	*c = c.after(a, a.mark+scordMark(lane))
	c.entry = s.memory.tagged(c.entry)
}

// check looks for the race of an access that may do harm with the one that the cell of
// granule g describes.
func (s *ScoRD) check(ev *abi.Event, a *scordAccess, r *scordRow, g uint64, c *scordCell) {
	md := c.entry
	f, synced := s.fencesSince(md), false
	if s.opts.Release {
		synced = s.releases.ordered(md, s.memory.counters[s.memory.counter()], a)
	}
	rule := checkScoRD(md, a, f, synced)
	if rule == 0 {
		return
	}
	alone := scordCell{md, c.mark.alone(g)}
	if x := s.found.add(s.grid(), rule, ev, r.laneOf(g), &alone, a, f); x != nil && s.tell != nil {
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
