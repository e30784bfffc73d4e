package detect

// scordRecord is what granules that were accessed alike have in common: the entry, and the
// mark of the access that it describes.
type scordRecord struct {
	entry scordEntry
	mark  scordMark
}

// scordRecords are records by number. There are few as long as few warps access much in
// few ways, so that a granule, which has the number of its record, takes little room.
// Number 0 is that of granules that have not been accessed.
type scordRecords struct {
	list  []scordRecord
	known [1 << scordKnownBits]uint32 // numbers, by hash
	most  int                         // there may be before those that nobody has are looked for
	limit int                         // those that somebody has
}

const (
	scordKnownBits   = 12
	scordFewRecords  = 1 << 16
	scordMostRecords = 1 << 26 // half of what a cell can name: 1 GiB
)

// reset forgets all records.
func (r *scordRecords) reset() {
	r.list = append(r.list[:0], scordRecord{entry: scordFresh})
	clear(r.known[:])
	r.most = scordFewRecords
}

// number is the number of a record, mostly the one that equal ones have.
func (r *scordRecords) number(e scordEntry, m scordMark) uint32 {
	known := &r.known[(uint64(e)*0x9e3779b97f4a7c15^uint64(m))*0xd6e8feb86659fd93>>(64-scordKnownBits)]
	if x := &r.list[*known]; x.entry != e || x.mark != m {
		*known = uint32(len(r.list))
		r.list = append(r.list, scordRecord{e, m})
	}
	return *known
}

// keep drops records of which used says that nobody has them. In used it leaves the new
// numbers of the others.
func (r *scordRecords) keep(used []uint32) {
	kept := r.list[:1]
	for n := 1; n < len(r.list); n++ {
		if used[n] != 0 {
			used[n] = uint32(len(kept))
			kept = append(kept, r.list[n])
		}
	}
	r.list = kept
	clear(r.known[:])
}
