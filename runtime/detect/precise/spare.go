package precise

import "unsafe"

// spares are space that can be used again, in a launch and by the next one.
type spares struct {
	spare        *location
	spareWords   []*[lineWords]history
	spareShadows []*shadow
	spareGlobal  *shadow // of the last launch
	spareChunks  []*chunk
	unused       []location // made in advance
	unwatched    []watched
	spareBytes   uint64 // of spareGlobal and what belongs to it
}

// maxSpareChunks is how many chunks are kept from one launch to the next: 8 MB.
const maxSpareChunks = 1024

// save keeps space for the next launch, if it is not much: programs launch small kernels
// again and again.
func (d *Detector) save() {
	if d.used > uint64(d.journals) {
		d.spares = spares{}
		return
	}
	if len(d.spareChunks) > maxSpareChunks {
		clear(d.spareChunks[maxSpareChunks:])
		d.spareChunks = d.spareChunks[:maxSpareChunks]
	}
	for _, c := range d.clusters {
		d.recycle(c.memory)
	}
	for _, s := range d.spareShadows {
		s.phase.mode, s.phase.mixes = untouched, false // the next kernel may be another one
	}
	d.begin(d.global)
	d.global.fresh = d.global.era
	d.spareGlobal, d.spareBytes = d.global, d.used
}

// newShadow is an empty shadow of shared memory.
func (d *Detector) newShadow() *shadow {
	if n := len(d.spareShadows); n > 0 {
		s := d.spareShadows[n-1]
		d.spareShadows = d.spareShadows[:n-1]
		return s
	}
	return &shadow{pages: make(map[uint64]*page)}
}

// newLocation is a location that nobody has accessed.
func (d *Detector) newLocation() *location {
	if loc := d.spare; loc != nil {
		d.spare = loc.next
		return loc
	}
	if len(d.unused) == 0 {
		d.unused = make([]location, 64)
	}
	loc := &d.unused[0]
	loc.version, d.unused = 1, d.unused[1:]
	return loc
}

// newWatched is what is known of a scalar that nobody has accessed.
func (d *Detector) newWatched() *watched {
	if len(d.unwatched) == 0 {
		d.unwatched = make([]watched, 32)
	}
	v := &d.unwatched[0]
	d.unwatched = d.unwatched[1:]
	v.writes, v.reads = v.first[:0:1], v.first[1:1:2]
	d.uses(unsafe.Sizeof(*v))
	return v
}

// newChunk is an empty chunk.
func (d *Detector) newChunk() *chunk {
	n := len(d.spareChunks)
	if n == 0 {
		return new(chunk)
	}
	c := d.spareChunks[n-1]
	d.spareChunks = d.spareChunks[:n-1]
	c.n, c.used, c.clocks = 0, 0, c.clocks[:0]
	return c
}
