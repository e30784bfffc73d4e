// Free lists: objects and memory that are reused, within a launch and by the next one.

package shadow

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/hugepage"
)

// Freelists holds objects that are reused, within a launch and by the next one.
type Freelists struct {
	freeLocations   *causality.Location
	freePages       []*page
	freeWords       []*Parts
	freeCells       []*Cells
	Ordered         orderedCells
	FreeShadows     []*Memory
	LastGlobal      *Memory // shadow of global memory of the last launch
	Chunks          deferred.ChunkPool
	locationSlab    []causality.Location // allocated in advance
	LastGlobalBytes accesses.Bytes       // of LastGlobal and its pages
}

// newShadow returns an empty shadow of shared memory.
func (d *Freelists) newShadow() *Memory {
	if n := len(d.FreeShadows); n > 0 {
		s := d.FreeShadows[n-1]
		d.FreeShadows = d.FreeShadows[:n-1]
		return s
	}
	return new(Memory)
}

// newLocation returns a location without accesses.
func (d *Record) newLocation() *causality.Location {
	if loc := d.freeLocations; loc != nil {
		d.freeLocations = loc.Next
		return loc
	}
	if len(d.locationSlab) == 0 {
		d.locationSlab = hugepage.Slice(make([]causality.Location, 64))
		d.Used.Add(64 * unsafe.Sizeof(causality.Location{}))
	}
	loc := &d.locationSlab[0]
	loc.Version, d.locationSlab = 1, d.locationSlab[1:]
	return loc
}

// newCells returns empty cells.
func (d *Record) newCells() (c *Cells) {
	if n := len(d.freeCells); n == 0 {
		c = hugepage.Object(new(Cells))
		d.Used.Add(c.bytes())
	} else {
		c = d.freeCells[n-1]
		d.freeCells = d.freeCells[:n-1]
	}
	// Loading from a fresh page before the first store to it takes two page faults instead of one. c has 1 KB and lies
	// in one page.
	c[0].Unit = 0
	return c
}

// reused takes an object from a list of free ones, or allocates it.
func reused[T any](d *Record, free *[]*T) *T {
	if n := len(*free); n > 0 {
		x := (*free)[n-1]
		*free = (*free)[:n-1]
		return x
	}
	x := new(T)
	d.Used.Add(unsafe.Sizeof(*x))
	return x
}
