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
// records: warps mostly access many granules in the same way. Number 0 is the record of granules that have not been accessed.
type records struct {
	entries []entry
	marks   []mark
	known   [1 << knownBits]uint32 // numbers, by hash
	most    int                    // number of records from which on unused ones are dropped
	limit   int                    // number of used records from which on all metadata are forgotten
}

const (
	knownBits   = 12
	fewRecords  = 1 << 16
	mostRecords = 1 << 26 // half the range of a cell: 1 GiB
)

// reset drops all records.
func (r *records) reset() {
	r.entries, r.marks = append(r.entries[:0], fresh), append(r.marks[:0], 0)
	clear(r.known[:])
	r.most = fewRecords
}

// at returns a record by its number.
func (r *records) at(n uint32) record { return record{r.entries[n], r.marks[n]} }

// number returns the number of a record. Equal records usually have the same number.
func (r *records) number(e entry, m mark) uint32 {
	known := &r.known[(uint64(e)*0x9e3779b97f4a7c15^uint64(m))*0xd6e8feb86659fd93>>(64-knownBits)]
	if n := *known; r.entries[n] != e || r.marks[n] != m {
		*known = uint32(len(r.entries))
		if len(r.entries) == cap(r.entries) {
			r.grow()
		}
		r.entries, r.marks = append(r.entries, e), append(r.marks, m)
	}
	return *known
}

// grow doubles the capacity: append would grow large tables by a quarter, and copy them often.
func (r *records) grow() {
	n := max(len(r.entries), 1)
	r.entries, r.marks = hugepage.Slice(slices.Grow(r.entries, n)), hugepage.Slice(slices.Grow(r.marks, n))
}

// keep drops the unused records, those with 0 in used, and replaces used by the new numbers of the others.
func (r *records) keep(used []uint32) {
	kept := 1
	for n := 1; n < len(r.entries); n++ {
		if used[n] != 0 {
			used[n] = uint32(kept)
			r.entries[kept], r.marks[kept] = r.entries[n], r.marks[n]
			kept++
		}
	}
	r.entries, r.marks = r.entries[:kept], r.marks[:kept]
	clear(r.known[:])
}
