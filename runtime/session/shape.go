// The shape of a launch: its extents, and the memory that detectors have to cover.

package session

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// shape returns the shape of a launch, for detectors. extent includes the extent of the device's memory, which takes
// time for each object.
func (l *loadedProgram) shape(b *boundLaunch, extent bool) (shape detect.LaunchShape, err error) {
	shape = detect.LaunchShape{
		Grid: array3(b.Grid), Block: array3(b.Block), Cluster: b.cluster(),
		Backoff: l.run.s.opts.GPU != nil,
	}
	if extent {
		l.extent(&shape)
	}
	shape.Shared, err = l.machine.SharedSize(b.kernel.Name, b.Shared)
	return shape, err
}

// extent sets, in a shape, what the detectors' address tables have to cover: the largest offset in a 4 GiB address slot
// at which a buffer or variable ends, the number of slots, the total size in whole pages of 4 KiB, whether offsets
// alone distinguish the objects, and the distance of slots in use.
func (l *loadedProgram) extent(shape *detect.LaunchShape) {
	const page = 1 << 12
	var spans []span
	var begins []uint64 // slot numbers
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
		for _, v := range other.program.Module.Globals { // detectors do not check their own variables
			if addr, size, ok := other.machine.Symbol(v.Name); ok {
				add(addr, size)
			}
		}
	}
	shape.Heap = l.run.heap
	shape.SlotStep = slotStep(begins, spans)
	shape.Apart = apart(spans)
	if l.run.s.opts.MoreMemory { // nothing distinguishes all objects
		shape.Slots, shape.SlotStep, shape.Apart, shape.Heap = 0, 0, false, false
		shape.LargestAllocation = max(shape.Memory, leastMemory)
	}
}

// leastMemory is the least extent, in bytes, assumed of memory that the session does not manage.
const leastMemory = 1 << 20

// slotStep returns the distance of slots in use: the largest power of two that divides the numbers of all slots in
// which memory objects begin or end.
func slotStep(begins []uint64, spans []span) uint64 {
	all := uint64(1) << maxSlotStep
	for i, slot := range begins {
		if all |= slot; spans[i].to > 1<<32 {
			return 1
		}
	}
	return all & -all
}

// maxSlotStep is the log2 of the largest useful step.
const maxSlotStep = 16

// span is the range of offsets of a memory object in its slot, without to.
type span struct{ from, to uint64 }

// apart reports whether no two objects share an offset, and each is in one slot.
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

// symbols returns the symbolizer of a launch.
func (l *loadedProgram) symbols(b *boundLaunch) *symbolize.Symbolizer {
	return &symbolize.Symbolizer{
		User: l.program.Module, Memory: l, Block: array3(b.Block), Kernel: b.kernel.Name, Launch: b.values(),
		Described: l.described,
	}
}

// VariableAt names the variable of a module at an address, "" for none. Listeners may call it during a launch.
func (s *Session) VariableAt(addr uint64) string {
	for _, l := range s.first().order {
		n := symbolize.Symbolizer{User: l.program.Module, Memory: l}
		if name := n.Symbol(addr); name != "" {
			return name
		}
	}
	return ""
}

// values returns what is known of a launch without the addresses that it is given.
func (b *boundLaunch) values() address.KernelLaunch {
	out := address.KernelLaunch{
		Kernel: b.kernel.Name, Block: array3(b.Block), Grid: array3(b.Grid),
		Args: make(map[string]address.Argument),
	}
	for i, v := range b.kernel.Params {
		if a := &b.args[i].Arg; len(a.Pointers) == 0 {
			out.Args[v.Name] = address.Argument{Bytes: a.Bytes}
		}
	}
	return out
}

// Describe implements symbolize.Memory.
func (l *loadedProgram) Describe(addr uint64) (name string, offset uint64, ok bool) {
	return l.machine.Describe(addr)
}

// DescribeShared implements symbolize.Memory.
func (l *loadedProgram) DescribeShared(kernel string, addr uint64) (name string, offset uint64, ok bool) {
	return l.machine.DescribeShared(kernel, addr)
}

// Element implements symbolize.Memory.
func (l *loadedProgram) Element(base uint64) (size uint64, ok bool) {
	o := l.run.buffers[base]
	if o == nil {
		return 0, false
	}
	return uint64(o.elem.Size()), true
}

// Allocations returns the memory that the user's program may access: the session's buffers, sorted by address, and the
// variables of the user's module.
func (l *loadedProgram) Allocations() []profile.Allocation {
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
