// The detector: its state, options, and the events of a launch.

package scord

import (
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Detector is the state of the race detector and of the SMs.
type Detector struct {
	opts   Options
	launch detect.Launch
	grids  []shape // of the running grids: the host's, and those launched by threads
	shift  uint    // from addresses to granules

	// Of the SMs and the race detector, by the 7-bit block and 5-bit warp number:
	barriers [1 << 7]uint32
	fences   [1 << 12]fence
	locks    [1 << 12]locks
	diverged [1 << 12]bool
	covered  [1 << 7]uint32 // BarrierID at the block's latest device fence
	releases releases       // with the option release

	clean   bool // no event since reset
	memory  memory
	found   races
	report  func(*detect.Race) // nil without Announce
	traffic *traffic           // with the option traffic
}

// Options are the options of ScoRD.
type Options struct {
	Cache       bool // keep one entry for sixteen granules (IV.B)
	Granularity int  // bytes that share an entry: 4, 8 or 16
	Strong      bool // require strong accesses where fences order, condition (c) of Table IV
	LockValues  bool // a lock is taken by a CAS that finds 0 and released by an Exch of 0
	Cumulative  bool // a device fence covers what a barrier of the block has ordered before the warp
	ITS         bool // distinguish threads of a warp that has diverged (VI)
	Release     bool // support acquire and release instructions (VI)
	Traffic     bool // simulate the L2 cache to count accesses to DRAM (Figure 9)
}

// DefaultOptions returns the paper's base design without metadata caching.
func DefaultOptions() Options { return Options{Granularity: 4, Strong: true} }

// New makes a detector.
func New(opts Options) (*Detector, error) {
	switch opts.Granularity {
	case 4, 8, 16:
	default:
		return nil, fmt.Errorf("scord: granularity %d, expected 4, 8 or 16", opts.Granularity)
	}
	s := &Detector{opts: opts, shift: uint(bits.TrailingZeros(uint(opts.Granularity)))}
	if opts.Traffic {
		s.traffic = new(traffic)
	}
	return s, nil
}

// Needs implements detect.Selective.
func (s *Detector) Needs() abi.Needs {
	return abi.Needs{
		Values: s.opts.LockValues, Branches: s.opts.ITS, Lanes: s.opts.ITS, Used: true, NoArrivals: true,
		NoPasses: true,
	}
}

// Begin implements detect.Detector. A kernel boundary orders everything, so that all state is reset.
func (s *Detector) Begin(l detect.Launch) {
	s.clean = s.clean && l.Memory == s.launch.Memory
	s.launch = l
	s.grids = []shape{{l.Grid, l.Block}}
	s.reset()
	s.found = races{}
}

func (s *Detector) reset() {
	if s.clean {
		return
	}
	s.clean = true
	clear(s.barriers[:])
	clear(s.fences[:])
	clear(s.locks[:])
	clear(s.diverged[:])
	clear(s.covered[:])
	s.releases.reset()
	s.memory = newMemory(&s.opts, s.launch.Memory>>s.shift, s.shift)
}

// End implements detect.Detector.
func (s *Detector) End() []detect.Race { return s.found.races(s.opts.Granularity) }

// Announce implements detect.Announcer.
func (s *Detector) Announce(report func(*detect.Race)) { s.report = report }

// warpIndex returns the index of a warp in the fence file and the like.
func warpIndex(block, warp uint32) uint32 { return block&blockMask<<5 | warp&warpMask }

// Event implements detect.Detector.
func (s *Detector) Event(ev *abi.Event) {
	if ev.Kind == abi.EventKernelBegin || ev.Kind == abi.EventKernelEnd {
		// A grid launched by a thread runs between two of its instructions, so its begin and end reset as well: ScoRD
		// has one grid.
		s.reset()
		s.nest(ev)
		return
	}
	s.clean = false
	w := warpIndex(uint32(ev.Block), ev.Warp)
	switch ev.Kind {
	case abi.EventFence:
		if ev.Proxy == abi.ProxyGeneric {
			s.fence(w, deviceScope(ev.Scope))
		}
	case abi.EventBarrierComplete:
		if ev.Expected == 0 || uint64(ev.Expected) == abi.Volume(s.grid().block) {
			b := &s.barriers[ev.Block&blockMask]
			*b = (*b + 1) & barrierWidth(s.opts.ITS)
		}
	case abi.EventClusterArrive: // a release at cluster scope; blocks are compared by device fences
		if ev.Sem.Releases() {
			s.fence(w, true)
		}
	case abi.EventFree:
		s.freed(ev)
	case abi.EventDiverge:
		s.diverged[w] = s.opts.ITS
	case abi.EventConverge, abi.EventWarpSync:
		if ev.Mask == ev.Live {
			s.diverged[w] = false
		}
	}
}

// freed drops the metadata of memory that the kernel frees. Each allocation has 4 GiB of addresses, so that nothing
// else is in its pages of metadata. A simulated cache of metadata keeps its entries, as in hardware.
func (s *Detector) freed(ev *abi.Event) {
	addr := ev.Addr[bits.TrailingZeros32(ev.Mask)]
	if size := uint64(ev.Bytes); size > 0 && s.memory.entries == 0 {
		s.memory.drop(addr>>s.shift, (addr+size-1)>>s.shift)
	}
}

// shape is the shape of a grid.
type shape struct{ grid, block [3]uint32 }

// grid returns the running grid's shape.
func (s *Detector) grid() *shape { return &s.grids[len(s.grids)-1] }

// nest tracks the begin and end of grids.
func (s *Detector) nest(ev *abi.Event) {
	if ev.Kind == abi.EventKernelEnd {
		s.grids = s.grids[:max(len(s.grids)-1, 1)]
		return
	}
	var g shape
	for i := range g.grid {
		g.grid[i], g.block[i] = uint32(ev.Addr[i]), uint32(ev.Addr[3+i])
	}
	s.grids = append(s.grids, g)
}

// deviceScope reports whether a scope is wider than a block. Clusters are newer than the paper; cluster scope counts as
// block scope.
func deviceScope(s abi.Scope) bool { return s >= abi.ScopeGPU }

// fence handles a fence of a warp: it increments the counter and activates locks.
func (s *Detector) fence(w uint32, device bool) {
	f := &s.fences[w]
	if device {
		f.dev = (f.dev + 1) & fenceMask
		s.covered[w>>5] = s.barriers[w>>5]
	} else {
		f.blk = (f.blk + 1) & fenceMask
	}
	s.locks[w].fence(device)
}
