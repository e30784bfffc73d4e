package emu

// Spin detection. A group that comes back to the same instruction with the same
// registers while no memory changed in between will do so for ever, unless
// another thread changes something: it is parked until exec.progress moves. When
// every group is parked or waits, the kernel provably never ends.
//
// The state is compared in full, not hashed: registers live at the loop header,
// of the lanes in the group. Callers' registers cannot change during one
// activation, memory is covered by exec.progress, and which activation it is by
// frame.serial. Snapshots are taken at visits 1, 2, 4, 8... (Brent), so a loop that
// does work pays almost nothing, and a loop around another one is found as well.

// spinState is a group's last snapshot.
type spinState struct {
	progress uint64 // exec.progress since which visits are counted
	visits   uint64
	next     uint64 // visit at which the next snapshot is taken
	pc       int32  // place of the snapshot, -1 when there is none
	mask     lanes
	serial   uint64 // of the frame
	data     []uint64
	// The word of the register file at offset witness differed from the snapshot when
	// they were last compared: as far as bits go, it was value then. While it differs,
	// all need not be compared. bits is 0 when there is no such word.
	witness, value, bits uint32
}

// reset forgets the snapshot.
func (s *spinState) reset() { s.pc, s.visits, s.next, s.progress = -1, 0, 1, ^uint64(0) }

// spinning reports whether g, which has just jumped backwards to g.pc, is in the
// state of an earlier visit with nothing changed since.
func (x *exec) spinning(g *group) bool {
	s := &g.spin
	if s.progress != x.progress {
		s.reset()
		s.progress = x.progress
		return false
	}
	s.visits++
	if s.pc == g.pc && s.mask == g.mask && s.serial == g.frame.serial && g.sameAs(s) {
		return true
	}
	if s.visits >= s.next {
		s.next = 2 * s.visits
		s.pc, s.mask, s.serial = g.pc, g.mask, g.frame.serial
		s.data = g.snapshot(s.data[:0])
		s.bits = 0
	}
	return false
}

// snapshot appends the registers live at g.pc, lane by lane: predicates first.
func (g *group) snapshot(dst []uint64) []uint64 {
	f, live := g.frame, g.frame.fn.live[g.pc]
	for _, s := range live.preds {
		dst = append(dst, uint64(*f.p(s)&g.mask))
	}
	for m := g.mask; m != 0; m &= m - 1 {
		for _, s := range live.r32 {
			dst = append(dst, uint64(f.r32(s)[m.first()]))
		}
		for _, s := range live.r64 {
			dst = append(dst, f.r64(s)[m.first()])
		}
	}
	return dst
}

// sameAs reports whether a snapshot taken now would equal the last one. A loop that
// counts is found out at the first lane.
func (g *group) sameAs(snap *spinState) bool {
	f, live, old := g.frame, g.frame.fn.live[g.pc], snap.data
	for i, s := range live.preds {
		if old[i] != uint64(*f.p(s)&g.mask) {
			snap.differs(s, uint32(old[i]), uint32(g.mask))
			return false
		}
	}
	old = old[len(live.preds):]
	for m := g.mask; m != 0; m &= m - 1 {
		for i, s := range live.r32 {
			if old[i] != uint64(f.r32(s)[m.first()]) {
				snap.differs(s+slot(4*m.first()), uint32(old[i]), ^uint32(0))
				return false
			}
		}
		old = old[len(live.r32):]
		for i, s := range live.r64 {
			if v := f.r64(s)[m.first()]; old[i] != v {
				high := pick(uint32(v) == uint32(old[i]), 1, 0)
				snap.differs(s+slot(8*m.first()+4*high), uint32(old[i]>>(32*high)), ^uint32(0))
				return false
			}
		}
		old = old[len(live.r64):]
	}
	return true
}

// differs remembers where the registers differ from the snapshot.
func (s *spinState) differs(at slot, value, bits uint32) {
	s.witness, s.value, s.bits = uint32(at), value, bits
}
