// The layout and the size of the memory of a launch.

package ldetector

import (
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// The memory that the device library works in.
const (
	regionBlocks = iota
	regionLog
	regionRaces
	regionFlags
	regionEnd
)

var regionNames = [regionEnd]string{"ldetector.blocks", "ldetector.log", "ldetector.races", "ldetector.regions"}

type region struct{ addr, size uint64 }

// Limits of race records, and of the total size of logs in bytes. If a launch has too many warps, each has fewer rows.
const (
	maxRaces = 256
	maxLog   = 1 << 30
)

// layout is the layout of the memory of a launch.
type layout struct {
	state  abi.LDetectorStateVar // without addresses
	sizes  [regionEnd]uint64
	shared uint64 // dynamic shared memory to add, in bytes
	total  uint64 // size of the workspace in bytes: copies, union, bitmap, owners
}

// padded returns size, rounded up to a multiple of n.
func padded(size, n uint64) uint64 { return (size + n - 1) / n * n }

// workspaceAlign is the alignment of the workspace and of dynamic shared memory.
const workspaceAlign = 16

// lay lays out the memory of a launch. A copy has room for all shared memory of a block, rounded up to the library's
// words. The copies are in shared memory if they fit there beside the original (4.1, Initialization), else in global
// memory.
func (d *Detector) lay(l *detect.LaunchShape) layout {
	o := &d.program.Options
	threads, blocks := l.Threads(), l.Blocks()
	warps := (threads + abi.WarpLanes - 1) / abi.WarpLanes
	segment := padded(l.Shared+workspaceAlign, abi.LDetectorPad)
	s := abi.LDetectorStateVar{
		Options: d.optionBits(), DynamicBytes: uint32(d.dynamic), SegmentBytes: uint32(segment),
		DigestsAt: abi.LDetectorBlockBytes, Threads: uint32(threads), Warps: uint32(warps), MaxRaces: maxRaces,
		UnionAt: 0, BitmapAt: uint32(segment), OwnersAt: abi.LDetectorNone, WorkspaceAt: abi.LDetectorNone,
	}
	at := segment + segment/8
	if o.Locate {
		s.OwnersAt = uint32(at)
		at += segment
	}
	s.CopiesAt = uint32(at)
	out := layout{total: at + warps*segment}
	block := padded(abi.LDetectorBlockBytes+abi.LDetectorDigestBytes*threads, abi.LDetectorPad)
	before := padded(d.dynamic, workspaceAlign)
	sized := d.program.Kernels[d.kernel].Sized
	speculates := d.program.Kernels[d.kernel].Speculates
	if add := before - d.dynamic + out.total; !o.Global && !sized && !speculates &&
		l.Shared+add <= d.program.SharedLimit {
		out.shared, s.SharedAt = add, uint32(before)
	} else {
		s.WorkspaceAt = uint32(block)
		block += padded(out.total, abi.LDetectorPad)
	}
	s.Slots = 1
	if speculates {
		block = d.laySlots(&s, block)
	}
	s.BlockStride = block
	s.LogRows = uint32(min(uint64(o.LogRows), maxLog/abi.LDetectorLogRowBytes/(blocks*warps)))
	out.state = s
	out.sizes = [regionEnd]uint64{
		regionBlocks: block * blocks,
		regionLog:    max(uint64(s.LogRows)*abi.LDetectorLogRowBytes*blocks*warps, 1),
		regionRaces:  maxRaces * abi.LDetectorRaceBytes,
		regionFlags:  4 * uint64(len(d.program.Regions)+1),
	}
	return out
}

// slots is the number of environments of a block with speculation: the region that the block executes uses one, child
// grids the others.
const slots = 4

// laySlots turns the memory of a block into one of its environments, adds what child grids need, and returns the size
// of all.
func (d *Detector) laySlots(s *abi.LDetectorStateVar, size uint64) uint64 {
	s.RegistersAt, s.RegisterBytes = uint32(size), uint32(8*(1+d.program.ChildRegisters))
	size = padded(size+uint64(s.RegisterBytes)*uint64(s.Threads), abi.LDetectorPad)
	s.KeptAt = uint32(size)
	size += uint64(s.SegmentBytes)
	s.Slots, s.SlotStride = slots, uint32(size)
	return slots * size
}

// optionBits returns the options in the form that the device library reads.
func (d *Detector) optionBits() (set uint32) {
	o := &d.program.Options
	for _, x := range []struct {
		on  bool
		bit uint32
	}{
		{o.Continue, abi.LDetectorOptionContinue},
		{o.Stop, abi.LDetectorOptionStop},
		{o.Outputs, abi.LDetectorOptionOutputs},
		{o.Locate, abi.LDetectorOptionLocate},
		{o.Sites, abi.LDetectorOptionSites},
	} {
		if x.on {
			set |= x.bit
		}
	}
	return set
}

// place returns text that says where the copies of a launch are, and how large.
func (l *layout) place() string {
	where := "global"
	if l.shared > 0 {
		where = "shared"
	}
	text := fmt.Sprintf("copies in %s memory, for each block %d of %d bytes, %d bytes with the union, bitmap and owners",
		where, l.state.Warps, l.state.SegmentBytes, l.total)
	if l.state.Slots > 1 {
		text += fmt.Sprintf(", in each of %d environments of %d bytes", l.state.Slots, l.state.SlotStride)
	}
	return text
}

// provide makes region i at least size bytes long, and zero unless it is the log.
func (d *Detector) provide(dev abi.Device, i int, size uint64) error {
	r := &d.memory[i]
	if r.size >= size && i == regionLog {
		return nil
	}
	if r.size > 0 {
		if freer, ok := dev.(abi.Freer); ok {
			if err := freer.Free(r.addr); err != nil {
				return err
			}
		} else if r.size >= size {
			return dev.Write(r.addr, make([]byte, size))
		}
	}
	addr, err := dev.Alloc(regionNames[i], size)
	if err != nil {
		return err
	}
	*r = region{addr, size}
	return nil
}
