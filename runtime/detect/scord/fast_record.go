// Records: states of metadata that many granules share.

package scord

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

// record is the metadata that granules with the same history share: the entry, and the mark of the access that the entry
// describes.
type record struct {
	entry entry
	mark  mark
}

// records is the table of records. A granule keeps the number of its record, which is smaller than the record. There are few
// records: warps mostly access many granules in the same way.
//
// A granule whose word is accessed by itself, such as a lock, has a different record after each access. It may own its record,
// one of the first ones of the table, which then changes in place. Records that granules share never change.
type records struct {
	entries []entry
	marks   []mark
	known   [1 << knownBits]uint32 // indices of shared records, by hash
	most    int                    // number of shared records from which on unused ones are dropped
	limit   int                    // number of used ones from which on all metadata are forgotten

	owned uint32   // owned records before this one have been taken
	free  []uint32 // those of them that no granule owns any more
}

const (
	knownBits = 12
	fewOwned  = 1 << 14 // number of records that granules may own
	fewShared = 1 << 16

	mostRecords = 1<<26 - 1<<22       // almost the range of a cell: 1 GiB
	mostNumbers = mostRecords + 1<<21 // leaves room for the records of a batch
)

// number is the number of a record: twice its index in the table, and openRecord.
type number = uint32

// openRecord is set if the record's entry has all flags in openAtom.
const openRecord number = 1

// Numbers of records of granules that have not been accessed. A cell with none is not in use.
const (
	none       number = 0
	unaccessed number = fewOwned << 1
)

// numberOf returns the number of a record with an index and an entry.
func numberOf(index uint32, e entry) number {
	n := index << 1
	if e&openAtom == openAtom {
		n |= openRecord
	}
	return n
}

// owned reports whether one granule owns the record.
func owned(n number) bool { return n < unaccessed && n != none }

// reset drops all records.
func (r *records) reset() {
	if r.entries == nil {
		r.entries, r.marks = make([]entry, fewOwned, 2*fewOwned), make([]mark, fewOwned, 2*fewOwned)
	}
	r.entries, r.marks = append(r.entries[:fewOwned], fresh), append(r.marks[:fewOwned], 0)
	r.entries[none] = fresh
	clear(r.known[:])
	r.most = fewShared
	r.owned, r.free = 1, r.free[:0]
}

// at returns a record.
func (r *records) at(n number) record { return record{r.entries[n>>1], r.marks[n>>1]} }

// entry returns the entry of a record.
func (r *records) entry(n number) entry { return r.entries[n>>1] }

// shared returns the number of shared records.
func (r *records) shared() int { return len(r.entries) - fewOwned }

// number returns the number of a shared record. Equal records usually have the same number.
func (r *records) number(e entry, m mark) number {
	known := &r.known[(uint64(e)*0x9e3779b97f4a7c15^uint64(m))*0xd6e8feb86659fd93>>(64-knownBits)]
	if i := *known; r.entries[i] != e || r.marks[i] != m {
		*known = uint32(len(r.entries))
		if len(r.entries) == cap(r.entries) {
			r.grow()
		}
		r.entries, r.marks = append(r.entries, e), append(r.marks, m)
	}
	return numberOf(*known, e)
}

// own copies a record for a granule that then owns it. It returns the number of the copy without openRecord, none if there are too
// many.
func (r *records) own(n number) number {
	i := r.owned
	if last := len(r.free) - 1; last >= 0 {
		i, r.free = r.free[last], r.free[:last]
	} else if i == fewOwned {
		return none
	} else {
		r.owned++
	}
	r.entries[i], r.marks[i] = r.entries[n>>1], r.marks[n>>1]
	return i << 1
}

// grow doubles the capacity: append would grow large tables by a quarter, and copy them often.
func (r *records) grow() {
	n := len(r.entries)
	r.entries, r.marks = hugepage.Slice(slices.Grow(r.entries, n)), hugepage.Slice(slices.Grow(r.marks, n))
}

// keep drops the unused records, those with 0 in used, by index. It replaces used by the new indices of the others.
func (r *records) keep(used []uint32) {
	r.free = r.free[:0]
	for i := range r.owned {
		if used[i] == 0 && i != 0 {
			r.free = append(r.free, i)
		}
		used[i] = i
	}
	kept := uint32(fewOwned)
	used[kept] = kept
	for i := kept; int(i) < len(r.entries); i++ {
		if used[i] != 0 {
			used[i] = kept
			r.entries[kept], r.marks[kept] = r.entries[i], r.marks[i]
			kept++
		}
	}
	r.entries, r.marks = r.entries[:kept], r.marks[:kept]
	clear(r.known[:])
}
