// Arenas: address ranges with consecutive allocations.

package gmem

import (
	"fmt"
	"slices"
)

// PrivateLimit is the limit on private memory, in bytes: see AllocPrivate.
const PrivateLimit = 8 << 30

// arena is a range of slots.
type arena struct {
	first, end uint64        // slots
	slots      []*Allocation // by slot from the first on; an allocation may occupy several
	all        []*Allocation // in address order
	low        uint32        // low half of the next base
	made       int           // number of allocations; more than there are after Advance
	last, next uint64        // base of the last allocation, and the first address after it
	apart      uint64        // minimum distance in bytes between two allocations
	roomy      int           // number of allocations that begin roomySlots apart
	phase      uint64        // remainder of the slots of these allocations
	used       uint64        // bytes of live allocations
	skip, to   uint64        // slots from skip to before to belong to another arena
	reuses     bool          // slots of freed allocations are reused when all slots have been used
	cursor     uint64        // start of the next search of freedSlots, counted from the first slot
}

// arenaOf returns the arena that an address belongs to: the program's, unless it is in the range of another arena that
// has allocations.
func (mm *Memory) arenaOf(addr uint64) *arena {
	switch slot := addr >> SlotBits; {
	case slot >= privateSlot && len(mm.private.all) > 0:
		return &mm.private
	case slot >= sharedSlot && slot < sharedEnd && len(mm.shared.all) > 0:
		return &mm.shared
	case len(mm.imported.all) > 0 && mm.imported.holding(slot) != nil:
		return &mm.imported
	}
	return &mm.user
}

// holding returns the allocation that occupies a slot, nil if there is none.
func (r *arena) holding(slot uint64) *Allocation {
	i := r.after(slot<<SlotBits|(1<<SlotBits-1)) - 1
	if i < 0 || slot > (r.all[i].end()-1)>>SlotBits {
		return nil
	}
	return r.all[i]
}

// find returns the slot and the low half of the address for an allocation.
func (r *arena) find(a *Allocation, align uint32) (low uint32, slot uint64, err error) {
	low = (r.low + align - 1) &^ (align - 1)
	slot = r.nextSlot(low)
	n := slotsOf(low, a.Size)
	if slot < r.to && slot+n > r.skip {
		slot = r.to
	}
	if slot+n <= r.end {
		return low, slot, nil
	}
	if r.reuses {
		if freed, ok := r.freedSlots(n); ok {
			return low, freed, nil
		}
	}
	return 0, 0, fmt.Errorf("%s of %d bytes: the device address space is exhausted", a.noun(), a.Size)
}

// slotsOf returns the number of slots that an allocation occupies.
func slotsOf(low uint32, size uint64) uint64 {
	return (uint64(low) + max(size, 1) - 1 + 1<<SlotBits) >> SlotBits
}

// nextSlot returns the slot of the next allocation, given the low half of its address.
func (r *arena) nextSlot(low uint32) uint64 {
	slot := r.first + uint64(len(r.slots))
	if r.made < r.roomy {
		slot = (slot-r.phase+roomySlots-1)&^(roomySlots-1) + r.phase
		if r.made > 0 && slot<<SlotBits|uint64(low) < r.last+roomySlots<<SlotBits {
			slot += roomySlots // the low halves of addresses start over
		}
	}
	if at, least := slot<<SlotBits|uint64(low), r.next+r.apart; r.made > 0 && at < least {
		slot += (least - at + 1<<SlotBits - 1) >> SlotBits
	}
	return slot
}

// freedSlots finds n consecutive slots without a live allocation. The search goes round the arena, so that an address
// is reused as late as possible. It prefers slots with free neighbours.
func (r *arena) freedSlots(n uint64) (slot uint64, ok bool) {
	margin := (r.apart + 1<<SlotBits - 1) >> SlotBits
	if slot, ok = r.freedWithin(n, margin); !ok {
		slot, ok = r.freedWithin(n, 0)
	}
	return slot, ok
}

// freedWithin is freedSlots with at least margin free slots on each side.
func (r *arena) freedWithin(n, margin uint64) (slot uint64, ok bool) {
	size := r.end - r.first
	if n > size {
		return 0, false
	}
	free := uint64(0) // number of consecutive free slots that end before at
	at := r.cursor
	for range 2 * size {
		if at == size { // the last and the first slot are not adjacent
			at, free = 0, 0
		}
		if a := r.at(at); a != nil && !a.Freed() {
			free = 0
		} else {
			free++
		}
		at++
		before := min(margin, at-free) // no margin is needed at the ends of the arena
		if begin := at - free + before; free >= before+n && (at == size || free >= before+n+margin) {
			r.cursor = begin + n
			return r.first + begin, true
		}
	}
	return 0, false
}

// at returns the allocation at a slot, counted from the first.
func (r *arena) at(i uint64) *Allocation {
	if i < uint64(len(r.slots)) {
		return r.slots[i]
	}
	return nil
}

// enter records an allocation at its base, which find has chosen. It drops the records of freed allocations in the same
// slots.
func (r *arena) enter(a *Allocation) {
	low := uint32(a.Base)
	first, n := a.Base>>SlotBits-r.first, slotsOf(low, a.Size)
	r.reach(first + n)
	for i := range n {
		if old := r.slots[first+i]; old != nil {
			r.forget(old)
		}
		r.slots[first+i] = a
	}
	r.all = slices.Insert(r.all, r.after(a.Base), a)
	r.low = uint32((uint64(low) + a.Size + 2*allocAlign - 1) &^ (allocAlign - 1))
	r.made, r.last, r.next = r.made+1, max(r.last, a.Base), max(r.next, a.end())
	r.used += a.charged()
}

// forget drops the record of a freed allocation. Slots of it that are not reused still refer to it, so that accesses
// there are reported as accesses to freed memory.
func (r *arena) forget(old *Allocation) {
	if i := r.after(old.Base) - 1; i >= 0 && r.all[i] == old {
		r.all = slices.Delete(r.all, i, i+1)
	}
}

// reach extends the table of slots to at least n entries.
func (r *arena) reach(n uint64) {
	if have := uint64(len(r.slots)); n > have {
		r.slots = append(r.slots, make([]*Allocation, n-have)...)
	}
}

// Position is the position of a program's next allocation.
type Position struct {
	slots      uint64
	low        uint32
	made       int
	last, next uint64
}

// Position returns the position of the next allocation.
func (mm *Memory) Position() Position {
	r := &mm.user
	return Position{uint64(len(r.slots)), r.low, r.made, r.last, r.next}
}

// Later returns a position that is not before either of the two.
func (p Position) Later(q Position) Position {
	if q.slots > p.slots || q.slots == p.slots && q.low > p.low {
		p, q = q, p
	}
	p.made, p.last, p.next = max(p.made, q.made), max(p.last, q.last), max(p.next, q.next)
	return p
}

// Advance moves the next allocation to a position that is not before the current one.
func (mm *Memory) Advance(to Position) {
	r := &mm.user
	r.reach(to.slots)
	r.low, r.made, r.last, r.next = to.low, to.made, to.last, to.next
}

// after returns the index of the first allocation that starts above addr.
func (r *arena) after(addr uint64) int {
	i, _ := slices.BinarySearchFunc(r.all, addr, func(a *Allocation, addr uint64) int {
		if a.Base <= addr {
			return -1
		}
		return 1
	})
	return i
}

// nearest returns the allocation closest to addr.
func (r *arena) nearest(addr uint64) *Allocation {
	i := r.after(addr)
	switch { // all[i-1] starts at or below addr, all[i] above
	case i == 0 && len(r.all) == 0:
		return nil
	case i == 0:
		return r.all[0]
	case i == len(r.all):
		return r.all[i-1]
	}
	before, after := r.all[i-1], r.all[i]
	if addr >= before.end() && addr-before.end() > after.Base-addr {
		return after
	}
	return before
}
