// The mbarrier objects of a block: which parts of its shared memory they occupy, and since when.

package mbar

import (
	"cmp"
	"slices"
)

// Size is the size of an object in bytes, which is its alignment too (PTX ISA, "Size and alignment of the mbarrier
// object").
const Size = 8

// Entry is the life of the objects at one place. P is what the caller knows of the places where they were made and
// ended.
type Entry[P any] struct {
	off   uint64
	Valid bool // from mbarrier.init to mbarrier.inval
	Used  bool // an operation has changed the object since mbarrier.init; set by the caller
	Init  P    // the latest mbarrier.init
	Inval P    // the latest mbarrier.inval, if the object is not valid
}

// Objects holds the entries of one block's shared memory. Its zero value is that of a block that has made no object.
// The memory of a valid object must not be used for anything else, another object included, until it is invalidated
// (PTX ISA, "Lifecycle of the mbarrier object", "mbarrier.init").
type Objects[P any] struct {
	entries []Entry[P] // by offset
	largest [2]uint64  // the result of Largest, for the given size
	size    uint64
	known   bool // largest is valid
}

// Reset forgets all objects: their lives end with the block.
func (o *Objects[P]) Reset() { o.entries, o.known = o.entries[:0], false }

// find returns the index of the first entry that ends after an offset.
func (o *Objects[P]) find(off uint64) int {
	i, _ := slices.BinarySearchFunc(o.entries, off, func(e Entry[P],
		off uint64,
	) int {
		return cmp.Compare(e.off+Size-1, off)
	})
	return i
}

// At returns the entry of the object at an offset, nil if there never was one.
func (o *Objects[P]) At(off uint64) *Entry[P] {
	if i := o.find(off); i < len(o.entries) && o.entries[i].off == off {
		return &o.entries[i]
	}
	return nil
}

// Make makes the object at an offset valid, which must not be valid.
func (o *Objects[P]) Make(off uint64, at P) {
	e := o.At(off)
	if e == nil {
		i := o.find(off)
		o.entries = slices.Insert(o.entries, i, Entry[P]{off: off})
		e = &o.entries[i]
	}
	e.Valid, e.Used, e.Init, o.known = true, false, at, false
}

// End invalidates the object at an offset.
func (o *Objects[P]) End(off uint64, at P) {
	if e := o.At(off); e != nil {
		e.Valid, e.Inval, o.known = false, at, false
	}
}

// Overlaps returns the entry of the first valid object that shares bytes with the n bytes from an offset on, nil for
// none.
func (o *Objects[P]) Overlaps(off, n uint64) *Entry[P] {
	for i := o.find(off); n > 0 && i < len(o.entries) && o.entries[i].off < off+n; i++ {
		if o.entries[i].Valid {
			return &o.entries[i]
		}
	}
	return nil
}

// Around returns the range without valid objects around an offset of memory of size bytes. It does not contain the
// offset if a valid object does.
func (o *Objects[P]) Around(off, size uint64) (from, to uint64) {
	i := o.find(off)
	for to = size; i < len(o.entries); i++ {
		if e := &o.entries[i]; e.Valid {
			to = e.off
			break
		}
	}
	for i = min(i, len(o.entries)) - 1; i >= 0; i-- {
		if e := &o.entries[i]; e.Valid {
			from = e.off + Size
			break
		}
	}
	return from, max(from, to)
}

// Largest returns the largest range without valid objects in memory of size bytes.
func (o *Objects[P]) Largest(size uint64) (from, to uint64) {
	if len(o.entries) == 0 {
		return 0, size
	}
	if !o.known || o.size != size {
		o.largest, o.size, o.known = o.search(size), size, true
	}
	return o.largest[0], o.largest[1]
}

func (o *Objects[P]) search(size uint64) (best [2]uint64) {
	from := uint64(0)
	for i := range o.entries {
		if e := &o.entries[i]; e.Valid {
			if e.off-from > best[1]-best[0] {
				best = [2]uint64{from, e.off}
			}
			from = e.off + Size
		}
	}
	if size-from > best[1]-best[0] {
		best = [2]uint64{from, size}
	}
	return best
}
