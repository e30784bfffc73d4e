// Arenas: ranges of addresses in which allocations follow one another.

package gmem

import (
	"fmt"
	"slices"
)

// PrivateLimit is the limit on memory that programs do not know of, in bytes.
const PrivateLimit = 8 << 30

// arena is a range of slots.
type arena struct {
	first, end uint64        // slots
	slots      []*Allocation // by slot from the first on; an allocation may fill several
	all        []*Allocation // in order of address
	low        uint32        // low half of the next base
	made       int           // allocations; more than there are after Advance
	last, next uint64        // base of the last one, and the first address behind it
	apart      uint64        // bytes between two allocations, at least
	roomy      int           // as many begin roomySlots apart
	used       uint64        // bytes of live allocations
	limit      uint64
}

// arenaOf is the arena that an address belongs to: that of programs also when the other is
// empty.
func (mm *Memory) arenaOf(addr uint64) *arena {
	if addr>>SlotBits >= privateSlot && len(mm.private.all) > 0 {
		return &mm.private
	}
	return &mm.user
}

// find finds the slot and the low half of the address for an allocation.
func (r *arena) find(a *Allocation, align uint32) (low uint32, slot uint64, err error) {
	if a.Size > r.limit || r.used > r.limit-a.Size {
		return 0, 0, fmt.Errorf("allocation %s of %d bytes exceeds the memory limit of %d bytes (%d in use)", a.Name, a.Size, r.limit, r.used)
	}
	low = (r.low + align - 1) &^ (align - 1)
	slot = r.nextSlot(low)
	switch n := slotsOf(low, a.Size); {
	case slot+n > r.end:
		return 0, 0, fmt.Errorf("allocation %s of %d bytes: the device address space is exhausted", a.Name, a.Size)
	case uint64(r.made) >= max(LeastAllocations, r.limit/RecordBytes):
		return 0, 0, fmt.Errorf("allocation %s of %d bytes: there have been %d allocations; with a memory limit of %d bytes there can be no more", a.Name, a.Size, r.made, r.limit)
	}
	return low, slot, nil
}

// slotsOf is the number of slots that an allocation reaches into.
func slotsOf(low uint32, size uint64) uint64 {
	return (uint64(low) + max(size, 1) - 1 + 1<<SlotBits) >> SlotBits
}

// nextSlot is where the next allocation begins, the low half of whose address is given.
func (r *arena) nextSlot(low uint32) uint64 {
	slot := r.first + uint64(len(r.slots))
	if r.made < r.roomy {
		slot = (slot + roomySlots - 1) &^ (roomySlots - 1)
		if r.made > 0 && slot<<SlotBits|uint64(low) < r.last+roomySlots<<SlotBits {
			slot += roomySlots // the low halves of addresses begin again
		}
	}
	if at, least := slot<<SlotBits|uint64(low), r.next+r.apart; r.made > 0 && at < least {
		slot += (least - at + 1<<SlotBits - 1) >> SlotBits
	}
	return slot
}

// enter adds an allocation whose address find has found.
func (r *arena) enter(a *Allocation) {
	low := uint32(a.Base)
	r.reach(a.Base>>SlotBits - r.first)
	for range slotsOf(low, a.Size) {
		r.slots = append(r.slots, a)
	}
	r.all = append(r.all, a)
	r.low = uint32((uint64(low) + a.Size + 2*allocAlign - 1) &^ (allocAlign - 1))
	r.made, r.last, r.next = r.made+1, a.Base, a.end()
	r.used += a.Size
}

// reach makes the table of slots have n entries at least.
func (r *arena) reach(n uint64) {
	if have := uint64(len(r.slots)); n > have {
		r.slots = append(r.slots, make([]*Allocation, n-have)...)
	}
}

// Position is where the next allocation of a program will lie.
type Position struct {
	slots      uint64
	low        uint32
	made       int
	last, next uint64
}

// Position is where the next allocation will lie.
func (mm *Memory) Position() Position {
	r := &mm.user
	return Position{uint64(len(r.slots)), r.low, r.made, r.last, r.next}
}

// Later is a position that is behind both.
func (p Position) Later(q Position) Position {
	if q.slots > p.slots || q.slots == p.slots && q.low > p.low {
		p, q = q, p
	}
	p.made, p.last, p.next = max(p.made, q.made), max(p.last, q.last), max(p.next, q.next)
	return p
}

// Advance has the next allocation lie at a position, which is not before the memory's own.
func (mm *Memory) Advance(to Position) {
	r := &mm.user
	r.reach(to.slots)
	r.low, r.made, r.last, r.next = to.low, to.made, to.last, to.next
}

// nearest is the allocation closest to addr.
func (r *arena) nearest(addr uint64) *Allocation {
	i, _ := slices.BinarySearchFunc(r.all, addr, func(a *Allocation, addr uint64) int {
		if a.Base <= addr {
			return -1
		}
		return 1
	})
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
