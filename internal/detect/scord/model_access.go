// Accesses: one access of a warp against the metadata of its granules.

package scord

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Accesses implements detect.Detector.
func (s *Detector) Accesses(b *abi.Batch) {
	s.clean = false
	w := warpIndex(uint32(b.Block), b.Warp)
	for i := range b.List {
		x := &b.List[i]
		if x.Space != abi.SpaceGlobal || x.Bytes == 0 {
			continue
		}
		s.access(b, x, w)
		if infersLock(x) {
			s.inferLock(x, w)
		}
	}
}

// access checks an access by warp w: each granule once for consecutive lanes that access it.
func (s *Detector) access(b *abi.Batch, x *abi.Access, w uint32) {
	if s.traffic != nil {
		s.traffic.data(x)
	}
	a := s.describe(b, x, w)
	last := ^uint64(0) // the granule checked last
	for m := x.Mask &^ x.Same; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		addr := x.At(lane)
		for g, end := addr>>s.shift, (addr+uint64(x.Bytes)-1)>>s.shift; g <= end; g++ {
			if g != last {
				s.granule(&a, g, uint32(lane))
				last = g
			}
		}
	}
}

// describe returns the access as the SM sends it to the race detector.
func (s *Detector) describe(b *abi.Batch, x *abi.Access, w uint32) access {
	f := s.fences[w]
	a := access{
		store: x.Access.Writes(), atomic: x.Access.Atomic(x.Sem), device: deviceScope(x.Scope),
		strong: x.Sem > abi.SemWeak || !s.opts.Strong,
		its:    s.opts.ITS, diverged: s.diverged[w],
		block: w >> 5, warp: w & warpMask, barrier: s.barriers[w>>5],
		blkFence: f.blk, devFence: f.dev, bloom: s.locks[w].summary(w >> 5),
		mark: markOf(b.Block, x.AccessClass), batch: b, of: x,
	}
	if s.opts.Release && x.Sem >= abi.SemRelaxed {
		a.atomic = true
	}
	return a
}

// granule checks an access by a lane to granule g, and updates its metadata.
func (s *Detector) granule(a *access, g uint64, lane uint32) {
	r := s.memory.lookup(g)
	if s.traffic != nil {
		s.traffic.metadata(s.memory.index)
	}
	a.by(lane)
	was := *r
	if conflicting(was.entry, a) && !harmless(was.entry, a) {
		s.check(a, &was)
	}
	if s.opts.Release {
		if now, ok := s.releases.access(a, g, was.entry); ok {
			s.memory.counters[s.memory.counter()] = now
		}
	}
	r.entry = s.memory.tagged(was.entry.update(a))
	if !was.entry.keeps(a) {
		r.mark = a.mark
	}
}

// check applies the rules of Table IV to an access and the earlier one that a granule's record describes. Table III has
// not excluded a race.
func (s *Detector) check(a *access, first *record) {
	f, synced := s.fencesSince(first.entry), false
	if s.opts.Release {
		synced = s.releases.ordered(first.entry, s.memory.counters[s.memory.counter()], a)
	}
	rule := brokenRule(first.entry, a, f, synced)
	if rule == 0 {
		return
	}
	found := clash{
		rule: rule, first: *first, since: f, batch: a.batch, of: a.of, lane: a.thread, bloom: a.bloom,
	}
	if x := s.found.add(s.grid(), &found); x != nil && s.report != nil {
		race := x.race(s.opts.Granularity)
		s.report(&race)
	}
}

// fencesSince returns the fence file's entry for the warp of md. With option cumulative, a fence after a barrier counts
// for all warps of the block.
func (s *Detector) fencesSince(md entry) fence {
	f := s.fences[warpIndex(md.block(), md.warp())]
	width := barrierWidth(s.opts.ITS)
	if after := (s.covered[md.block()] - md.barrier(s.opts.ITS)) & width; s.opts.Cumulative && after > 0 &&
		after <= width/2 {
		f.dev = (md.devFence() + 1) & fenceMask
	}
	return f
}
