package emu

import "unsafe"

// Spin detection. A group that comes back to the same instruction with the same
// registers while no memory changed in between will do so for ever, unless
// another thread changes something: it is parked until exec.progress moves. When
// every group is parked or waits, the kernel provably never ends.
//
// The state is compared in full, not hashed: registers live at the loop header,
// of the lanes in the group. Callers' registers cannot change during one
// activation, memory is covered by exec.progress, and which activation it is by
// frame.serial. Snapshots are taken at visits 2, 4, 8... (Brent), so a loop that
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
	blind                bool // what the group watches cannot be recorded
}

// reset forgets the snapshot.
func (s *spinState) reset() { s.pc, s.visits, s.next, s.progress = -1, 0, 2, ^uint64(0) }

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
		had := cap(s.data)
		s.data = g.snapshot(s.data[:0])
		if !x.claim(8*uint64(cap(s.data)-had), "registers of threads that spin") {
			x.quantum = 0 // the turn is over
		}
		s.bits = 0
	}
	return false
}

// snapshot appends the registers live at g.pc: of predicates the lanes of g, all lanes
// of others.
func (g *group) snapshot(dst []uint64) []uint64 {
	f, live := g.frame, g.frame.fn.live[g.pc]
	for _, s := range live.preds {
		dst = append(dst, uint64(*f.p(s)&g.mask))
	}
	for _, s := range live.r32 {
		dst = append(dst, (*[warpSize / 2]uint64)(unsafe.Pointer(f.r32(s)))[:]...)
	}
	for _, s := range live.r64 {
		dst = append(dst, f.r64(s)[:]...)
	}
	return dst
}

// sameAs reports whether the lanes of g have the registers of the last snapshot. Of a
// loop that counts, one lane of a register tells.
func (g *group) sameAs(snap *spinState) bool {
	f, live, old := g.frame, g.frame.fn.live[g.pc], snap.data
	for i, s := range live.preds {
		if old[i] != uint64(*f.p(s)&g.mask) {
			snap.differs(s, uint32(old[i]), uint32(g.mask))
			return false
		}
	}
	old = old[len(live.preds):]
	for _, s := range live.r32 {
		if !snap.sameWords(s, f.r32(s)[:], words32(old, warpSize), 0, g.mask) {
			return false
		}
		old = old[warpSize/2:]
	}
	for _, s := range live.r64 {
		if !snap.sameWords(s, words32(f.r64(s)[:], 2*warpSize), words32(old, 2*warpSize), 1, g.mask) {
			return false
		}
		old = old[warpSize:]
	}
	return true
}

// words32 is the first n halves of 64-bit words.
func words32(p []uint64, n int) []uint32 { return unsafe.Slice((*uint32)(unsafe.Pointer(&p[0])), n) }

// sameWords compares the words of a register with those of the snapshot, for the lanes
// in m; there are 1<<shift words for each lane.
func (s *spinState) sameWords(at slot, now, old []uint32, shift uint, m lanes) bool {
	for i, v := range now {
		if v != old[i] && m.has(i>>shift) {
			s.differs(at+slot(4*i), old[i], ^uint32(0))
			return false
		}
	}
	return true
}

// differs remembers where the registers differ from the snapshot.
func (s *spinState) differs(at slot, value, bits uint32) {
	s.witness, s.value, s.bits = uint32(at), value, bits
}
