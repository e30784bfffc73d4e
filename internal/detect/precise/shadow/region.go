// Regions: memory whose accesses may be deferred.

package shadow

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
)

// Deferred accesses. Most memory is only read in a launch, or only updated by relaxed atomic operations on counters.
// Such accesses do not race with each other, and no later access of the memory depends on them for its clock. They are
// recorded in a journal, which is replayed when an access of another kind comes: usually never. The result of a replay
// does not depend on when it is done:
//
//   - A weak read changes only the histories of the bytes it reads. As long as nothing has been written there, it races with
//     nothing, and the journal has all that its entry needs: the time, the instruction, the lanes and their addresses.
//   - A relaxed atomic operation whose scope includes all threads, by lanes that have executed no fence, is morally strong with
//     others like it and releases nothing. A replay makes entries, and observations of each other, in the order of the journal.
//     Observations are needed only by an access of the same location, and messages only to describe a race, which replays all these
//     journals first (package evidence).
//   - A weak store to elements that no other thread accesses races with nothing either (region_modes.go).
//
// A region is one window of addresses. The emulator and devices begin each allocation in a window of its own, so that a
// region usually is one allocation. If it were not, fewer accesses would be deferred, and the results would be the
// same.

// Mode is the kind of access that a region's journal holds.
type Mode uint8

// The modes.
const (
	Untouched Mode = iota
	Reading        // weak reads
	Storing        // weak stores, each to elements that no other thread accesses
	Counting       // relaxed atomic operations of one size, whose scope includes all threads, or all that access the word
	Settled        // no journal: accesses are in the histories of the shadow
)

// Region is memory whose accesses may be deferred.
type Region struct {
	Mode   Mode
	Window uint64 // upper bits of its addresses, unless it is untouched
	Memory *Memory
	Place  int    // one more than its index in Regions.Open; 0 if it is not there
	Size   uint32 // of the atomic operations, in bytes
	// Counter is that of the atomic operations in Record.Counters.
	Counter int
	// For shared memory. written: an access other than a read or an atomic operation has come since the region was
	// settled. mixes: such an access came after deferred ones in an earlier generation, so a journal is of no use.
	Written, Mixes bool
	looked         bool                     // its journal has been examined
	owners         *deferred.Owners         // of the words of a counting region; nil if the scope of all accesses includes all threads
	stored         *deferred.StoredElements // for a storing region
	deferred.Journal
}

// Regions holds the regions of global memory, and all regions with a journal in use.
type Regions struct {
	At     map[uint64]*Region
	recent [8]*Region // by the low bits of the window
	Open   []*Region
	Bytes  uintptr // of all journals
	limit  uintptr
}

// Of returns the region of a window of global memory.
func (r *Regions) Of(window uint64, memory *Memory) *Region {
	x := &r.recent[window%uint64(len(r.recent))]
	if *x != nil && (*x).Window == window {
		return *x
	}
	if *x = r.At[window]; *x == nil {
		*x = &Region{Window: window, Memory: memory}
		r.At[window] = *x
	}
	return *x
}

// Remove removes a region when the allocation in its window is freed. The region's journal must be empty.
func (r *Regions) Remove(x *Region) {
	delete(r.At, x.Window)
	if recent := &r.recent[x.Window%uint64(len(r.recent))]; *recent == x {
		*recent = nil
	}
	if x.Place == 0 {
		return
	}
	last := len(r.Open) - 1
	moved := r.Open[last]
	r.Open[x.Place-1], moved.Place = moved, x.Place
	r.Open[last] = nil
	r.Open, x.Place = r.Open[:last], 0
}

// ReadJournal replays a region's journal and empties it.
func (d *Record) ReadJournal(r *Region) {
	if r.Taken > 0 {
		r.looked = true
	}
	d.replayer.ReplayJournal(r)
	if r.Mode == Counting && r.Taken > 0 {
		d.Evidence.MessagesCameLate()
	}
	d.Drop(r)
}

// Drop empties a region's journal without a replay.
func (d *Record) Drop(r *Region) {
	d.Regions.Bytes -= r.Taken
	d.Used -= accesses.Bytes(r.Taken)
	r.Clear(&d.Chunks)
}
