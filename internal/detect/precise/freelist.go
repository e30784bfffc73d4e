// Free lists: objects and memory that are reused, within a launch and by the next one.

package precise

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/internal/slab"
)

// freelists holds objects that are reused, within a launch and by the next one.
type freelists struct {
	freeLocations   *location
	freePages       []*page
	freeWords       []*[lineWords]history
	freeCells       []*cells
	ordered         orderedCells
	freeShadows     []*shadow
	lastGlobal      *shadow // shadow of global memory of the last launch
	chunks          deferred.ChunkPool
	locationSlab    []location // allocated in advance
	lastGlobalBytes uint64     // of lastGlobal and its pages
}

// slabs holds objects allocated in advance.
type slabs struct {
	madeFences slab.Of[madeFences]
	fences     slab.Of[fences]
	releases   slab.Of[release]
	acquired   slab.Of[acquired]
	patterns   slab.Of[patterns]
}

// save keeps memory for the next launch if it is little: programs launch small kernels again and again.
func (d *Detector) save() {
	if d.used > uint64(d.journals) {
		d.freelists, d.slabs = freelists{}, slabs{}
		return
	}
	d.chunks.Trim()
	for _, m := range d.memories {
		d.recycle(m.shadow)
	}
	for _, s := range d.freeShadows {
		s.phase.mode, s.phase.mixes = untouched, false // the next kernel may access it in another way
	}
	d.beginGeneration(d.global)
	d.global.firstGeneration = d.global.generation
	d.lastGlobal, d.lastGlobalBytes = d.global, d.used
}

// newShadow returns an empty shadow of shared memory.
func (d *freelists) newShadow() *shadow {
	if n := len(d.freeShadows); n > 0 {
		s := d.freeShadows[n-1]
		d.freeShadows = d.freeShadows[:n-1]
		return s
	}
	return new(shadow)
}

// newLocation returns a location without accesses.
func (d *Detector) newLocation() *location {
	if loc := d.freeLocations; loc != nil {
		d.freeLocations = loc.next
		return loc
	}
	if len(d.locationSlab) == 0 {
		d.locationSlab = hugepage.Slice(make([]location, 64))
		d.uses(64 * unsafe.Sizeof(location{}))
	}
	loc := &d.locationSlab[0]
	loc.version, d.locationSlab = 1, d.locationSlab[1:]
	return loc
}

// madeFences is a fences and its latest release, allocated together.
type madeFences struct {
	fences
	by release
}

// newCells returns empty cells.
func (d *Detector) newCells() (c *cells) {
	if n := len(d.freeCells); n == 0 {
		c = hugepage.Object(new(cells))
		d.uses(c.bytes())
	} else {
		c = d.freeCells[n-1]
		d.freeCells = d.freeCells[:n-1]
	}
	// Loading from a fresh page before the first store to it takes two page faults instead of one. c has 1 KB and lies
	// in one page.
	c[0].unit = 0
	return c
}

// reused takes an object from a list of free ones, or allocates it.
func reused[T any](d *Detector, free *[]*T) *T {
	if n := len(*free); n > 0 {
		x := (*free)[n-1]
		*free = (*free)[:n-1]
		return x
	}
	x := new(T)
	d.uses(unsafe.Sizeof(*x))
	return x
}
