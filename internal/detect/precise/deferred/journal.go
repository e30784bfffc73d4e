// Journals of deferred accesses.

package deferred

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// WindowBits is the binary logarithm of the size of a window in bytes.
const WindowBits = 32

// Journal holds deferred accesses to one window of addresses, in order of execution. They are examined when that turns
// out to be needed.
type Journal struct {
	Chunks []*Chunk
	Taken  uintptr             // bytes in use
	latest [journalTops]uint32 // 1 + index of the latest record, by a hash of unit and instruction
}

// journalTops is the number of instructions for which journal.latest finds the latest record.
const journalTops = 64

// Chunk is a block of records of a journal.
type Chunk struct {
	Clocks  []*clock // of warps at atomic operations; the first field, so that the garbage collector looks at no other
	N       int      // number of records
	used    int      // number of offsets
	Records [chunkRecords]Record
	offsets [chunkOffsets]uint32 // within the window, of the lanes that begin a run, record by record
}

const (
	chunkRecords = 64
	chunkOffsets = 1024
)

// Record is one access of a warp, or several alike by the same lanes. From one to the next, addresses grow by stride,
// stamps by rise, and Detector.events by events.
type Record struct {
	Unit             unit
	Mask, Next, Same uint32 // as in the event
	Wrote            uint32
	Access           abi.AccessKind
	Atomic           abi.AtomicOp
	Reduces          bool
	Changes          bool   // the first lane's atomic operation changes the value
	first            uint16 // index of its first offset
	Clock            uint16 // for an atomic operation: index in clocks
	At               stamp
	Class            uint32 // index into Detector.classes
	Event            uint32 // Detector.events at the first access
	Times, stride    uint32 // number of accesses, and their distance modulo 2^32
	Rise             stamp
	Events           uint32
}

// nth returns access number n of a record.
func (x *Record) nth(n uint32) Record {
	y := *x
	y.At, y.Event = x.At+stamp(n)*x.Rise, x.Event+n*x.Events
	y.Times, y.stride, y.Rise, y.Events = 1, 0, 0, 0
	return y
}

// starts returns the lanes whose addresses do not follow from that of the lane before.
func (x *Record) starts() uint32 { return x.Mask &^ (x.Next | x.Same) }

// Addresses holds the addresses of lanes: each[i], or base + i*step if each is nil.
type Addresses struct {
	Base, Step uint64
	Each       *[radix]uint64
}

// Of returns the address of a lane.
func (x *Addresses) Of(lane int) uint64 {
	if x.Each != nil {
		return x.Each[lane]
	}
	return x.Base + uint64(lane)*x.Step
}

// Has reports whether one of the lanes accesses an address.
func (x *Addresses) Has(lanes uint32, addr uint64) bool {
	for ; lanes != 0; lanes &= lanes - 1 {
		if x.Of(bits.TrailingZeros32(lanes)) == addr {
			return true
		}
	}
	return false
}

// Add appends a record of one access of a warp, or adds the access to an earlier record. The fields first and clock of
// the record are set by add, which takes memory from a pool; current is the vector clock of the warp. A weak read is
// added to the latest record of the same lanes and the same instruction, if its addresses continue those of that
// record. Other accesses keep their order: they are added to the last record of the journal only.
func (j *Journal) Add(from *ChunkPool, x *Record, at *Addresses, current *clock) {
	starts := x.starts()
	var top *uint32
	switch k := len(j.Chunks); {
	case x.Access == abi.AccessLoad:
		top = &j.latest[(uint32(x.Unit)*31+x.Class)%journalTops]
		if n := int(*top); n != 0 && j.Chunks[(n-1)/chunkRecords].continues((n-1)%chunkRecords, x, at) {
			return
		}
	case k > 0 && j.Chunks[k-1].repeats(x, at, current):
		return
	}
	n := bits.OnesCount32(starts)
	c := j.room(from, n)
	x.first = uint16(c.used)
	if x.Access != abi.AccessLoad {
		if k := len(c.Clocks); k == 0 || c.Clocks[k-1] != current {
			c.Clocks = append(c.Clocks, current)
		}
		x.Clock = uint16(len(c.Clocks) - 1)
	}
	c.Records[c.N] = *x
	to := c.offsets[c.used : c.used+n]
	if n == radix && at.Each != nil {
		for i := range to {
			to[i] = uint32(at.Each[i])
		}
	} else {
		for i := range to {
			to[i] = uint32(at.Of(bits.TrailingZeros32(starts)))
			starts &= starts - 1
		}
	}
	c.N++
	c.used += n
	if top != nil {
		*top = uint32((len(j.Chunks)-1)*chunkRecords + c.N)
	}
	j.Taken += unsafe.Sizeof(*x) + uintptr(n)*unsafe.Sizeof(to[0])
}

// room returns the last chunk, which has room for a record of n runs.
func (j *Journal) room(from *ChunkPool, n int) *Chunk {
	if k := len(j.Chunks); k > 0 {
		if c := j.Chunks[k-1]; c.N < chunkRecords && c.used+n <= chunkOffsets {
			return c
		}
	}
	c := from.chunk()
	j.Chunks = append(j.Chunks, c)
	return c
}

// maxRuns is the maximal number of runs of lanes in a record of several accesses.
const maxRuns = 4

// continues extends record i by a later read, and reports whether it can.
func (c *Chunk) continues(i int, x *Record, at *Addresses) bool {
	r := &c.Records[i]
	by, ok := c.distance(r, x, at)
	switch {
	case !ok:
		return false
	case r.Times == 1 && by == 0:
		r.At = x.At // a later read by the same lanes subsumes an earlier one
	case r.At != x.At:
		return false
	case r.Times == 1:
		r.Times, r.stride = 2, by
	case by == r.Times*r.stride:
		r.Times++
	default:
		return false
	}
	return true
}

// maxRepeats limits the accesses of a record that are not reads, since compact notes something of each.
const maxRepeats = 64

// repeats extends the latest record by an access that differs from those of the record only in what rises evenly, and
// reports whether it can.
func (c *Chunk) repeats(x *Record, at *Addresses, current *clock) bool {
	r := &c.Records[c.N-1]
	if r.Access != x.Access || r.Wrote != x.Wrote || r.Changes != x.Changes || c.Clocks[r.Clock] != current {
		return false
	}
	by, ok := c.distance(r, x, at)
	rise, events := x.At-r.At, x.Event-r.Event
	switch {
	case !ok, r.Times == maxRepeats:
		return false
	case r.Times == 1:
		r.stride, r.Rise, r.Events = by, rise, events
	case by != r.Times*r.stride || rise != stamp(r.Times)*r.Rise || events != r.Times*r.Events:
		return false
	}
	r.Times++
	return true
}

// distance returns by how much the addresses of an access exceed those of the first access of a record. ok is false
// unless the same lanes make both by the same instruction, and all lanes are as far away.
func (c *Chunk) distance(r, x *Record, at *Addresses) (by uint32, ok bool) {
	starts := x.starts()
	if r.Unit != x.Unit || r.Class != x.Class || r.Mask != x.Mask || r.Next != x.Next || r.Same != x.Same ||
		bits.OnesCount32(starts) > maxRuns {
		return 0, false
	}
	by = uint32(at.Of(bits.TrailingZeros32(starts))) - c.offsets[r.first]
	for i, m := r.first, starts; m != 0; i, m = i+1, m&(m-1) {
		if uint32(at.Of(bits.TrailingZeros32(m)))-c.offsets[i] != by {
			return 0, false
		}
	}
	return by, true
}

// Clear empties the journal, and keeps some of its memory.
func (j *Journal) Clear(to *ChunkPool) {
	if len(j.Chunks) == 0 {
		return
	}
	to.free = append(to.free, j.Chunks...)
	j.Chunks, j.Taken = j.Chunks[:0], 0
	clear(j.latest[:])
}

// ChunkPool holds empty chunks, for journals.
type ChunkPool struct{ free []*Chunk }

// maxFreeChunks is the number of chunks kept from one launch to the next: 8 MB.
const maxFreeChunks = 1024

// Trim keeps few chunks.
func (p *ChunkPool) Trim() {
	if len(p.free) > maxFreeChunks {
		clear(p.free[maxFreeChunks:])
		p.free = p.free[:maxFreeChunks]
	}
}

// chunk returns an empty chunk.
func (p *ChunkPool) chunk() (c *Chunk) {
	if n := len(p.free); n == 0 {
		c = hugepage.Object(new(Chunk))
	} else {
		c = p.free[n-1]
		p.free = p.free[:n-1]
	}
	c.N, c.used, c.Clocks = 0, 0, c.Clocks[:0] // also of a new chunk, so that its first access is a store: loading first takes two page faults
	return c
}

// Window returns the window of addresses that the first lane in mask accesses; one is true if all lanes access it. The
// lanes in starts begin runs of lanes with consecutive addresses.
func (x *Addresses) Window(mask, starts uint32, size uint64) (window uint64, one bool) {
	first := x.Of(bits.TrailingZeros32(mask))
	if x.Each == nil {
		last := x.Of(31 - bits.LeadingZeros32(mask))
		return first >> WindowBits, (first^last|(first+size)^last|first^(last+size))>>WindowBits == 0
	}
	others := uint64(0)
	if starts == 1<<radix-1 {
		for _, at := range x.Each {
			others |= (at ^ first) | (at + size ^ first)
		}
		return first >> WindowBits, others>>WindowBits == 0
	}
	for ; starts != 0; starts &= starts - 1 {
		at := x.Each[bits.TrailingZeros32(starts)]
		others |= (at ^ first) | (at + radix*size ^ first)
	}
	return first >> WindowBits, others>>WindowBits == 0
}
