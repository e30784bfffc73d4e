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
	last := ^uint64(0)
	for m := ev.Mask &^ ev.Same; m != 0; {
		lane := bits.TrailingZeros32(m)
		n := bits.TrailingZeros32(^(ev.Next >> 1 >> lane)) // that follow
		m &= ^uint32(0) << lane << n << 1
		addr := ev.Addr[lane]
		r := scordRow{addr: addr, lane: lane, next: addr >> s.shift}
		end := (addr + uint64(n+1)*uint64(ev.Bytes) - 1) >> s.shift
		if r.next == last {
			r.next++
		}
		if r.next == end && !s.single {
			s.granule(ev, &a, &r)
			r.next++
		}
		for r.next <= end {
			r.next += s.granules(ev, &a, &r, end-r.next+1)
		}
		last = end
	}
	if ev.Atomic != abi.AtomicOther && ev.Access == abi.AccessRMW {
		s.inferLock(ev, w)
	}
}

// scordRow is consecutive bytes that consecutive lanes access.
type scordRow struct {
	addr uint64 // of the first lane
	lane int    // the first
	next uint64 // granule to be checked
}

// laneOf is the first lane that accesses a granule.
func (r *scordRow) laneOf(g uint64, shift uint, size uint32) int {
	if off := g<<shift - r.addr; int64(off) > 0 {
		return r.lane + int(uint32(off)/size)
	}
	return r.lane
}

// describe is what the SM sends along with an access.
func (s *ScoRD) describe(ev *abi.Event, w uint32) scordAccess {
	f, block := s.fences[w], uint32(ev.Block)&blockMask
	a := scordAccess{
		store: ev.Access.Writes(), atomic: ev.Access == abi.AccessRMW, device: deviceScope(ev.Scope),
		strong:   ev.Sem > abi.SemWeak || !s.opts.Strong,
		its:      s.opts.ITS,
		diverged: s.diverged[w],
		block:    block, warp: ev.Warp & warpMask, barrier: s.barriers[block],
		blkFence: f.blk, devFence: f.dev, bloom: s.locks[w].summary(block),
	}
	if s.opts.Release && ev.Sem >= abi.SemRelaxed {
		a.atomic = true
	}
	a.who, a.mark = a.identity(), markOf(ev)
	return a
}

// granule is granules for granule r.next alone, with no option that wants more.
func (s *ScoRD) granule(ev *abi.Event, a *scordAccess, r *scordRow) {
	page, i := s.memory.lookup(r.next)
	md := page.diffs[i] ^ scordFresh
	if conflicting(md, a) && !harmless(md, a) {
		s.check(ev, a, r, page, i, 1)
	}
	if !md.keeps(a) {
		page.marks[i] = a.mark + scordMark(r.laneOf(r.next, s.shift, ev.Bytes))
	}
	page.diffs[i] = md.update(a) ^ scordFresh
}

// granules checks an access to granule r.next, and to as many of the n from there on as
// are in the same state, and updates their metadata. It returns how many.
func (s *ScoRD) granules(ev *abi.Event, a *scordAccess, r *scordRow, n uint64) uint64 {
	page, i := s.memory.lookup(r.next)
	if n = min(n, 1<<scordPageBits-i); s.single {
		n = 1
	}
	if s.traffic != nil {
		s.traffic.metadata(s.memory.index)
	}
	if s.opts.ITS {
		a.thread = uint32(r.laneOf(r.next, s.shift, ev.Bytes))
		a.who = a.identity()
	}
	n = page.alike(i, n)
	md := page.diffs[i] ^ scordFresh
	if conflicting(md, a) && !harmless(md, a) {
		s.check(ev, a, r, page, i, n)
	}
	if s.opts.Release {
		if now, ok := s.releases.access(ev, r.next, md, a); ok {
			s.memory.counters[s.memory.counter()] = now
		}
	}
	if !md.keeps(a) {
		s.mark(ev, a, r, page, i, n)
	}
	e := s.memory.tagged(md.update(a)) ^ scordFresh
	row := page.diffs[i : i+n]
	for k := range row {
		row[k] = e
	}
	return n
}

// check looks for the race of an access that may do harm with the n entries from i on,
// which are the same.
func (s *ScoRD) check(ev *abi.Event, a *scordAccess, r *scordRow, page *scordPage, i, n uint64) {
	md := page.diffs[i] ^ scordFresh
	f, synced := s.fencesSince(md), false
	if s.opts.Release {
		synced = s.releases.ordered(md, s.memory.counters[s.memory.counter()], a)
	}
	rule := checkScoRD(md, a, f, synced)
	if rule == 0 {
		return
	}
	for k := range n {
		c := page.cell(i + k)
		if x := s.found.add(s.grid(), rule, ev, r.laneOf(r.next+k, s.shift, ev.Bytes), &c, a, f); x != nil && s.tell != nil {
			race := x.race(s.opts.Granularity)
			s.tell(&race)
		}
	}
}

// mark makes the n entries from i on name the access.
func (s *ScoRD) mark(ev *abi.Event, a *scordAccess, r *scordRow, page *scordPage, i, n uint64) {
	mark := a.mark
	marks := page.marks[i : i+n]
	if ev.Bytes == 1<<s.shift && r.next<<s.shift >= r.addr { // a lane for each
		mark += scordMark(r.laneOf(r.next, s.shift, ev.Bytes))
		for k := range marks {
			marks[k] = mark + scordMark(k)
		}
		return
	}
	for k := range marks {
		marks[k] = mark + scordMark(r.laneOf(r.next+uint64(k), s.shift, ev.Bytes))
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
