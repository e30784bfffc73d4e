// Log: which threads made the latest accesses, for reports.

package overlap

import "github.com/ptxsan/ptxsan/internal/order"

// mostEntries is the number of accesses of which the threads are kept. Of earlier ones, a report names only the kernel.
const mostEntries = 1 << 19

// log holds the latest accesses of grids that may overlap others.
type log struct {
	entries []entry
	next    int // where the next entry goes, if there are mostEntries
}

// entry is an access of lanes with consecutive addresses.
type entry struct {
	of       *launch
	place    order.Place
	block    uint64 // linear index
	warp     uint32
	first, n uint8 // lanes
	write    bool
	size     uint32 // bytes of a lane
	address  uint64
}

func (l *log) add(e entry) {
	if len(l.entries) < mostEntries {
		l.entries = append(l.entries, e)
		return
	}
	l.entries[l.next] = e
	l.next = (l.next + 1) % mostEntries
}

// find returns the latest entry of one side of a conflict, and the lane that accessed the byte; nil if it is not kept.
func (l *log) find(t *order.Touch, address uint64) (*entry, int) {
	for i := range l.entries {
		e := &l.entries[(l.next+len(l.entries)-1-i)%len(l.entries)]
		if e.place == t.Place && e.write == t.Write && address-e.address < uint64(e.n)*uint64(e.size) &&
			e.of.grid.Has(t.Operation) {
			return e, int(e.first) + int((address-e.address)/uint64(e.size))
		}
	}
	return nil, 0
}
