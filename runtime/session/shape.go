// The shape of a launch: its extents, and the memory that detectors must cover.

package session

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/profile"
)

// shape is what detectors know of a launch before it begins, with or without the extent of the device's memory,
// which takes time for each object.
func (l *loaded) shape(b *boundLaunch, extent bool) (shape detect.LaunchShape, err error) {
	shape = detect.LaunchShape{Grid: array3(b.Grid), Block: array3(b.Block), Cluster: b.cluster(), Backoff: l.run.s.opts.GPU != nil}
	if extent {
		l.extent(&shape)
	}
	shape.Shared, err = l.machine.SharedSize(b.kernel.Name, b.Shared)
	return shape, err
}

// extent adds to a shape what the detectors' address tables must cover: the largest offset in
// a 4 GiB address slot at which a buffer or variable ends, the number of slots, the
// bytes in all, in whole pages of 4 KiB, whether offsets tell the objects apart, and how
// many slots are between them.
func (l *loaded) extent(shape *detect.LaunchShape) {
	const page = 1 << 12
	var spans []span
	var begins []uint64 // slots
	add := func(addr, size uint64) {
		shape.Memory += (addr%page + size + page - 1) / page * page
		from := addr & (1<<32 - 1)
		spans, begins = append(spans, span{from, from + size}), append(begins, addr>>32)
		shape.LargestAllocation = max(shape.LargestAllocation, min(from+size, 1<<32))
		shape.Slots = max(shape.Slots, (addr+max(size, 1)-1)>>32+1)
	}
	for addr, o := range l.run.buffers {
		add(addr, o.size)
	}
	for _, other := range l.run.order {
		for _, v := range other.program.Module.Globals { // detectors do not check their own
			if addr, size, ok := other.machine.Symbol(v.Name); ok {
				add(addr, size)
			}
		}
	}
	// Functions of the system may allocate memory, of which nothing is known.
	system := slices.ContainsFunc(l.module.Funcs, func(f *rewrite.Func) bool { return !f.Defined() })
	shape.SlotStep = slotStep(begins, spans)
	shape.Apart = !system && apart(spans)
	if l.run.s.opts.MoreMemory { // nothing tells all objects apart
		shape.Slots, shape.SlotStep, shape.Apart = 0, 0, false
		shape.LargestAllocation = max(shape.Memory, leastMemory)
	}
}

// leastMemory is the bytes of a program's memory of which there may be more than is known.
const leastMemory = 1 << 20

// slotStep is the number of slots from one memory object to the next: the largest power of
// two of which the numbers of all their slots, in which they begin and end, are multiples.
func slotStep(begins []uint64, spans []span) uint64 {
	all := uint64(1) << maxSlotStep
	for i, slot := range begins {
		if all |= slot; spans[i].to > 1<<32 {
			return 1
		}
	}
	return all & -all
}

// maxSlotStep is log2 of the largest step that is of use.
const maxSlotStep = 16

// span is the offsets in its slot that a memory object takes, the end excluded.
type span struct{ from, to uint64 }

// apart reports whether objects have no offset in common, each being in one slot.
func apart(spans []span) bool {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	end := uint64(0)
	for _, s := range spans {
		if s.from < end || s.to > 1<<32 {
			return false
		}
		end = s.to
	}
	return true
}

// allocations are the memory that the user's program may access: the session's buffers, in
// the order of their addresses, and the variables of the user's module.
func (l *loaded) allocations() []profile.Allocation {
	var list []profile.Allocation
	for addr, o := range l.run.buffers {
		list = append(list, profile.Allocation{Name: o.name, Base: addr, Size: o.size})
	}
	slices.SortFunc(list, func(a, b profile.Allocation) int { return cmp.Compare(a.Base, b.Base) })
	for _, v := range l.program.Module.Globals {
		if addr, size, ok := l.machine.Symbol(v.Name); ok {
			list = append(list, profile.Allocation{Name: v.Name, Base: addr, Size: size})
		}
	}
	return list
}
