package emu

// storage is what the blocks of a launch leave to the next one of the same kernel:
// register files, shared memory and what else would have to be allocated anew. It
// makes no difference to programs.
type storage struct {
	block  Dim3
	shared uint64
	ctas   []*cta
	groups []*group
	joins  []*join
}

// maxStored bounds the bytes that a kernel's storage has.
const maxStored = 32 << 20

// takeStorage has the launch use what the last one of the kernel has left.
func (x *exec) takeStorage() {
	l := x.l
	s := l.kernel.stored
	if s == nil || s.block != l.block || s.shared != l.sharedSize {
		return
	}
	l.kernel.stored = nil
	l.oldCTAs, l.freeGroups, l.freeJoins = s.ctas, s.groups, s.joins
}

// keepStorage leaves what blocks that have ended have to the next launch.
func (x *exec) keepStorage() {
	l := x.l
	if x.fault != nil || len(l.resident) > 0 || x.m.cfg.Uninitialised {
		return
	}
	each := l.sharedSize + (l.block.count()+warpSize-1)/warpSize*uint64(l.kernel.frameSize)
	ctas := append(l.freeCTAs, l.oldCTAs...)
	ctas = ctas[:min(uint64(len(ctas)), maxStored/(each+1))]
	const few = 1024
	l.kernel.stored = &storage{
		block: l.block, shared: l.sharedSize, ctas: ctas,
		groups: l.freeGroups[:min(len(l.freeGroups), few)], joins: l.freeJoins[:min(len(l.freeJoins), few)],
	}
	l.freeCTAs, l.oldCTAs, l.freeGroups, l.freeJoins = nil, nil, nil, nil
}

// renew makes a block of an earlier launch as good as new. Register files are made so
// when they are used.
func (c *cta) renew() *cta {
	*c = cta{shared: c.shared, warps: c.warps}
	clear(c.shared)
	for i, w := range c.warps {
		*w = warp{cta: c, index: i, frames: w.frames, groups: w.groups[:0], joins: w.joins[:0]}
	}
	return c
}
