// Free lists: space that is used again, in a launch and by the next one.

package precise

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

// freelists hold objects that are used again, in a launch and by the next one.
type freelists struct {
	freeLocations *location
	freeWords     []*[lineWords]history
	freeCells     []*cells
	ordered       orderedCells
	freeShadows   []*shadow
	lastGlobal    *shadow // of the last launch
	freeChunks    []*chunk
	locationSlab  []location // made in advance
	slabs
	lastGlobalBytes uint64 // of spareGlobal and what belongs to it
}

// slabs are objects made in advance.
type slabs struct {
	madeFences slab[madeFences]
	fences     slab[fences]
	releases   slab[release]
	acquired   slab[acquired]
	patterns   slab[patterns]
}

// maxFreeChunks is how many chunks are kept from one launch to the next: 8 MB.
const maxFreeChunks = 1024

// save keeps space for the next launch, if it is not much: programs launch small kernels
// again and again.
func (d *Detector) save() {
	if d.used > uint64(d.journals) {
		d.freelists = freelists{}
		return
	}
	if len(d.freeChunks) > maxFreeChunks {
		clear(d.freeChunks[maxFreeChunks:])
		d.freeChunks = d.freeChunks[:maxFreeChunks]
	}
	for _, c := range d.clusters {
		d.recycle(c.memory)
	}
	for _, s := range d.freeShadows {
		s.phase.mode, s.phase.mixes = untouched, false // the next kernel may be another one
	}
	d.beginGeneration(d.global)
	d.global.firstGeneration = d.global.generation
	d.lastGlobal, d.lastGlobalBytes = d.global, d.used
}

// newShadow is an empty shadow of shared memory.
func (d *freelists) newShadow() *shadow {
	if n := len(d.freeShadows); n > 0 {
		s := d.freeShadows[n-1]
		d.freeShadows = d.freeShadows[:n-1]
		return s
	}
	return new(shadow)
}

// newLocation is a location without accesses.
func (d *freelists) newLocation() *location {
	if loc := d.freeLocations; loc != nil {
		d.freeLocations = loc.next
		return loc
	}
	if len(d.locationSlab) == 0 {
		d.locationSlab = hugepage.Slice(make([]location, 64))
	}
	loc := &d.locationSlab[0]
	loc.version, d.locationSlab = 1, d.locationSlab[1:]
	return loc
}

// madeFences is fences and what the latest of them releases, which are made together.
type madeFences struct {
	fences
	by release
}

// slab is objects that are allocated together. One that is in use keeps the others.
type slab[T any] []T

// slabLength is how many objects are allocated together.
const slabLength = 4

// next is the next object, which is empty.
func (s *slab[T]) next() *T {
	if len(*s) == 0 {
		*s = hugepage.Slice(make([]T, slabLength))
	}
	x := &(*s)[0]
	*s = (*s)[1:]
	return x
}

// newCells is empty cells.
func (d *Detector) newCells() (c *cells) {
	if n := len(d.freeCells); n == 0 {
		d.uses(unsafe.Sizeof(cells{}))
		c = hugepage.Object(new(cells))
	} else {
		c = d.freeCells[n-1]
		d.freeCells = d.freeCells[:n-1]
	}
	// A page of new memory that is loaded from before it is stored to has two page faults, and one if a store comes first. The cells
	// of c have 1 KB and lie in one page.
	c[0].unit = 0
	return c
}

// newChunk is an empty chunk.
func (d *freelists) newChunk() (c *chunk) {
	if n := len(d.freeChunks); n == 0 {
		c = hugepage.Object(new(chunk))
	} else {
		c = d.freeChunks[n-1]
		d.freeChunks = d.freeChunks[:n-1]
	}
	c.n, c.used, c.clocks = 0, 0, c.clocks[:0] // also of a new chunk, so that its first access is a store (newCells)
	return c
}
