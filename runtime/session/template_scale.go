// Launches of host code that are too large for a template: smaller ones of the same shape, with the same remainders.

package session

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

const (
	// mostHostThreads and mostHostBytes are the limits of a launch of host code that a template has as it is.
	mostHostThreads = 1 << 20
	mostHostBytes   = 256 << 20
	// mostHalved is the number of halvings after which a launch is given up.
	mostHalved = 24
	// leastScaled is the least number that is scaled without a grid that covers it. Its remainder to scaledUnit stays.
	leastScaled = 1 << 16
	scaledUnit  = 1 << 10
	// mostPerThread is the number of elements of a thread up to which a number counts as one that the grid covers.
	mostPerThread = 64
)

// fitting returns the launch if it is within the limits, otherwise the largest scaled one that is; nil if none is.
func (h *HostLaunch) fitting() *HostLaunch {
	for h != nil && !h.fits() {
		h = h.smaller()
	}
	return h
}

// fits reports whether a launch is within the limits of threads and memory.
func (h *HostLaunch) fits() bool {
	bytes := uint64(0)
	for _, a := range h.allocations() {
		if a != nil {
			bytes += min(a.Size, mostHostBytes+1)
		}
	}
	return bytes <= mostHostBytes && blocksOf(h.Grid)*threads(h.Block) <= mostHostThreads
}

// blocksOf returns the number of blocks of a grid.
func blocksOf(grid [3]uint32) uint64 { return uint64(grid[0]) * uint64(grid[1]) * uint64(grid[2]) }

// smaller returns the launch with half as many blocks in the largest dimension of its grid, and with the numbers and
// buffers that go with them; nil if there is no smaller one.
func (h *HostLaunch) smaller() *HostLaunch {
	if h.halved >= mostHalved {
		return nil
	}
	other := *h
	other.halved++
	d := 0
	for i, extent := range h.Grid {
		if extent > h.Grid[d] {
			d = i
		}
	}
	unit := max(array3(emu.RequiredCluster(h.Kernel))[d], 1)
	if h.Grid[d] >= 4*unit {
		other.Grid[d] = (h.Grid[d]/unit + 1) / 2 * unit
	}
	c := scaleStep{from: h, dim: d, removed: uint64(h.Grid[d] - other.Grid[d])}
	if other.Args = c.args(h.Args); c.removed == 0 && !c.changed {
		return nil
	}
	c.buffers(other.Args)
	return &other
}

// scaleStep is a step to a smaller launch.
type scaleStep struct {
	from    *HostLaunch
	dim     int    // of the grid that has fewer blocks
	removed uint64 // blocks in that dimension
	changed bool   // a number is another one
	numbers [][2]uint64
	made    map[*launch.Allocation]*launch.Allocation
}

// args returns the arguments with smaller numbers.
func (c *scaleStep) args(list []launch.Given) []launch.Given {
	list = slices.Clone(list)
	for i := range list {
		g := &list[i]
		g.Number = c.number(g.Number)
		g.Fields = maps.Clone(g.Fields)
		for _, off := range slices.Sorted(maps.Keys(g.Fields)) {
			f := g.Fields[off]
			f.Number = c.number(f.Number)
			g.Fields[off] = f
		}
	}
	return list
}

// number returns a number for the smaller launch: less by what the removed blocks cover, or half of it.
func (c *scaleStep) number(text string) string {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return text
	}
	now := n
	grid := uint64(c.from.Grid[c.dim])
	tile := c.tile(n)
	switch {
	case c.removed > 0 && tile > 0:
		now = n - c.removed*tile
	case n >= leastScaled && (c.removed > 0 || grid*uint64(c.from.Block[c.dim]) < n):
		now = n/2/scaledUnit*scaledUnit + n%scaledUnit
	}
	c.numbers = append(c.numbers, [2]uint64{n, now})
	c.changed = c.changed || now != n
	return strconv.FormatUint(now, 10)
}

// tile returns how many elements of n a block covers in the dimension, 0 if the grid does not cover n.
func (c *scaleStep) tile(n uint64) uint64 {
	grid, block := uint64(c.from.Grid[c.dim]), uint64(c.from.Block[c.dim])
	if each := (n + grid*block - 1) / (grid * block); each <= mostPerThread && n > (grid-1)*block*each {
		return block * each
	}
	return 0
}

// buffers gives the arguments buffers as large as the numbers make them: a multiple of a number, or of the product of
// two.
func (c *scaleStep) buffers(list []launch.Given) {
	c.made = make(map[*launch.Allocation]*launch.Allocation)
	for i := range list {
		list[i].Buffer = c.buffer(list[i].Buffer)
		for off, f := range list[i].Fields {
			f.Buffer = c.buffer(f.Buffer)
			list[i].Fields[off] = f
		}
	}
}

func (c *scaleStep) buffer(a *launch.Allocation) *launch.Allocation {
	if a == nil || c.made[a] != nil {
		return c.made[a]
	}
	other := *a
	if other.Size = c.bytes(a.Size); other.Size != a.Size {
		other.Bytes = nil
	}
	c.made[a] = &other
	return &other
}

// bytes returns the size of a buffer for the smaller launch. Of the numbers of which it is a multiple, the largest
// decides. A large buffer that is a multiple of none has an unknown size then.
func (c *scaleStep) bytes(size uint64) uint64 {
	best := [2]uint64{1, 1}
	take := func(n, now uint64) {
		if n > best[0] && size%n == 0 {
			best = [2]uint64{n, now}
		}
	}
	for _, a := range c.numbers {
		take(a[0], a[1])
		for _, b := range c.numbers {
			if a[0] < 1<<31 && b[0] < 1<<31 {
				take(a[0]*b[0], a[1]*b[1])
			}
		}
	}
	if best[0] == 1 && size > mostHostBytes/mostPerThread {
		return 0
	}
	return size / best[0] * max(best[1], 1)
}
