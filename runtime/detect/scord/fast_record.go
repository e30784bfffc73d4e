package scord

// record is what granules that were accessed alike have in common: the entry, and the
// mark of the access that it describes.
type record struct {
	entry entry
	mark  mark
}

// records are records by number. There are few as long as few warps access much in
// few ways, so that a granule, which has the number of its record, takes little room.
// Number 0 is that of granules that have not been accessed.
type records struct {
	entries []entry
	marks   []mark
	known   [1 << knownBits]uint32 // numbers, by hash
	most    int                    // there may be before those that nobody has are looked for
	limit   int                    // those that somebody has
}

const (
	knownBits   = 12
	fewRecords  = 1 << 16
	mostRecords = 1 << 26 // half of what a cell can name: 1 GiB
)

// reset forgets all records.
func (r *records) reset() {
	r.entries, r.marks = append(r.entries[:0], fresh), append(r.marks[:0], 0)
	clear(r.known[:])
	r.most = fewRecords
}

// at is a record by its number.
func (r *records) at(n uint32) record { return record{r.entries[n], r.marks[n]} }

// number is the number of a record, mostly the one that equal ones have.
func (r *records) number(e entry, m mark) uint32 {
	known := &r.known[(uint64(e)*0x9e3779b97f4a7c15^uint64(m))*0xd6e8feb86659fd93>>(64-knownBits)]
	if n := *known; r.entries[n] != e || r.marks[n] != m {
		*known = uint32(len(r.entries))
		r.entries, r.marks = append(r.entries, e), append(r.marks, m)
	}
	return *known
}

// keep drops records of which used says that nobody has them. In used it leaves the new
// numbers of the others.
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
