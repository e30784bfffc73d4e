// Dense blocks that differ from another one in the times of a few threads.

package vclock

import "slices"

// The join of two dense blocks often has the times of one of them, but for a few threads. Its node is patched then: it
// shares the arrays of that block, and has a list of threads with later times. A node with more than maxPatches of
// these gets arrays of its own.

const maxPatches = 27

// patch is a thread of a block and its time.
type patch struct {
	thread uint16 // slot of the unit times Radix, plus the lane
	at     Time
}

func (p patch) slot() uint32 { return uint32(p.thread) >> RadixBits }

// patches are the threads of a block with later times than in the arrays of a dense node.
type patches struct {
	of    *Clock  // the node, which is not patched itself
	units uint32  // set of slots of the threads
	list  []patch // in the order of the threads
}

// newPatched returns a new node and an empty list with room for n threads, in one allocation.
func newPatched(n int) (*Clock, *patches) {
	switch {
	case n <= 5:
		made := new(struct {
			Clock
			of   patches
			room [5]patch
		})
		made.of.list = made.room[:0]
		return &made.Clock, &made.of
	case n <= 13:
		made := new(struct {
			Clock
			of   patches
			room [13]patch
		})
		made.of.list = made.room[:0]
		return &made.Clock, &made.of
	}
	made := new(struct {
		Clock
		of   patches
		room [maxPatches]patch
	})
	made.of.list = made.room[:0]
	return &made.Clock, &made.of
}

// add adds a thread behind all others.
func (p *patches) add(x patch) {
	p.list, p.units = append(p.list, x), p.units|1<<x.slot()
}

// insert adds a thread, or its later time, if there is room for it, and reports whether there is. The list must belong
// to an open node alone.
func (p *patches) insert(x patch) bool {
	at := 0
	for at < len(p.list) && p.list[at].thread < x.thread {
		at++
	}
	switch {
	case at < len(p.list) && p.list[at].thread == x.thread:
		p.list[at] = x
		return true
	case len(p.list) == cap(p.list):
		return false
	}
	p.list, p.units = slices.Insert(p.list, at, x), p.units|1<<x.slot()
	return true
}

// at returns the time of the thread with a slot and a lane, 0 if there is none.
func (p *patches) at(slot uint32, lane int) Time {
	if p == nil || p.units>>slot&1 == 0 {
		return 0
	}
	thread := uint16(slot<<RadixBits | uint32(lane))
	for _, x := range p.list {
		if x.thread >= thread {
			if x.thread == thread {
				return x.at
			}
			break
		}
	}
	return 0
}

// reached returns a mask of the lanes of a unit for which the list has time t or a later one. slot is the unit's number
// in the block.
func (p *patches) reached(slot uint32, t Time) (mask uint32) {
	if p == nil || p.units>>slot&1 == 0 {
		return 0
	}
	for _, x := range p.list {
		if x.slot() == slot && x.at >= t {
			mask |= 1 << (x.thread % Radix)
		}
	}
	return mask
}

// applied returns the times of the threads of a unit, given by its slot in the block: those in row, with the later ones
// of patches. The result is row itself if the unit has no patches, and is written to room otherwise.
func (p *patches) applied(slot uint32, row, room *[Radix]Time) *[Radix]Time {
	if p == nil || p.units>>slot&1 == 0 {
		return row
	}
	*room = *row
	for _, x := range p.list {
		switch s := x.slot(); {
		case s == slot:
			room[x.thread%Radix] = x.at
		case s > slot:
			return room
		}
	}
	return room
}

// bytes returns the size in memory, with what this measurement has not counted yet of the arrays.
func (p *patches) bytes(measurement uint32) uint64 {
	return 40 + 8*uint64(cap(p.list)) + p.of.Bytes(measurement)
}

// patchList returns the patches of a dense node.
func (c *Clock) patchList() []patch {
	if c.patches == nil {
		return nil
	}
	return c.patches.list
}

// patchCount returns the number of patches of a dense node.
func (c *Clock) patchCount() int { return len(c.patchList()) }
