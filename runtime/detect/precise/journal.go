// Journals of deferred accesses.

package precise

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// journal holds deferred accesses to one window of addresses, in order of execution. They are examined when that turns out to be
// needed.
type journal struct {
	chunks []*chunk
	taken  uintptr             // bytes in use
	latest [journalTops]uint32 // 1 + index of the latest record, by a hash of unit and instruction
}

// journalTops is the number of instructions for which journal.latest finds the latest record.
const journalTops = 64

// chunk is a block of records of a journal.
type chunk struct {
	clocks  []*clock // of warps at atomic operations; the first field, so that the garbage collector looks at no other
	n       int      // number of records
	used    int      // number of offsets
	records [chunkRecords]record
	offsets [chunkOffsets]uint32 // within the window, of the lanes that begin a run, record by record
}

const (
	chunkRecords = 64
	chunkOffsets = 1024
)

// record is one access of a warp, or several alike by the same lanes. From one to the next, addresses grow by stride, stamps by rise,
// and Detector.events by events.
type record struct {
	unit             unit
	mask, next, same uint32 // as in the event
	wrote            uint32
	access           abi.AccessKind
	atomic           abi.AtomicOp
	reduces          bool
	strong           bool   // a strong read
	changes          bool   // the first lane's atomic operation changes the value
	first            uint16 // index of its first offset
	clock            uint16 // for an atomic operation: index in clocks
	at               stamp
	class            uint32 // index into Detector.classes
	event            uint32 // Detector.events at the first access
	times, stride    uint32 // number of accesses, and their distance modulo 2^32
	rise             stamp
	events           uint32
}

// nth returns access number n of a record.
func (x *record) nth(n uint32) record {
	y := *x
	y.at, y.event = x.at+stamp(n)*x.rise, x.event+n*x.events
	y.times, y.stride, y.rise, y.events = 1, 0, 0, 0
	return y
}

// starts returns the lanes whose addresses do not follow from that of the lane before.
func (x *record) starts() uint32 { return x.mask &^ (x.next | x.same) }

// addresses holds the addresses of lanes: each[i], or base + i*step if each is nil.
type addresses struct {
	base, step uint64
	each       *[radix]uint64
}

func (x *addresses) of(lane int) uint64 {
	if x.each != nil {
		return x.each[lane]
	}
	return x.base + uint64(lane)*x.step
}

// has reports whether one of the lanes accesses an address.
func (x *addresses) has(lanes uint32, addr uint64) bool {
	for ; lanes != 0; lanes &= lanes - 1 {
		if x.of(bits.TrailingZeros32(lanes)) == addr {
			return true
		}
	}
	return false
}

// add appends a record of one access of a warp, or adds the access to an earlier record. The fields first and clock of the record are
// set by add; current is the vector clock of the warp. A weak read is added to the latest record of the same lanes and the same
// instruction, if its addresses continue those of that record. Other accesses keep their order: they are added to the last record of the
// journal only.
func (j *journal) add(d *Detector, x *record, at *addresses, current *clock) {
	starts := x.starts()
	var top *uint32
	switch k := len(j.chunks); {
	case x.strong:
		if k > 0 && j.chunks[k-1].n > 0 && j.chunks[k-1].continues(j.chunks[k-1].n-1, x, at) {
			return
		}
	case x.access == abi.AccessLoad:
		top = &j.latest[(uint32(x.unit)*31+x.class)%journalTops]
		if n := int(*top); n != 0 && j.chunks[(n-1)/chunkRecords].continues((n-1)%chunkRecords, x, at) {
			return
		}
	case k > 0 && j.chunks[k-1].repeats(x, at, current):
		return
	}
	n := bits.OnesCount32(starts)
	c := j.room(d, n)
	x.first = uint16(c.used)
	if x.access != abi.AccessLoad {
		if k := len(c.clocks); k == 0 || c.clocks[k-1] != current {
			c.clocks = append(c.clocks, current)
		}
		x.clock = uint16(len(c.clocks) - 1)
	}
	c.records[c.n] = *x
	to := c.offsets[c.used : c.used+n]
	if n == radix && at.each != nil {
		for i := range to {
			to[i] = uint32(at.each[i])
		}
	} else {
		for i := range to {
			to[i] = uint32(at.of(bits.TrailingZeros32(starts)))
			starts &= starts - 1
		}
	}
	c.n++
	c.used += n
	if top != nil {
		*top = uint32((len(j.chunks)-1)*chunkRecords + c.n)
	}
	j.taken += unsafe.Sizeof(*x) + uintptr(n)*unsafe.Sizeof(to[0])
}

// room returns the last chunk, which has room for a record of n runs.
func (j *journal) room(d *Detector, n int) *chunk {
	if k := len(j.chunks); k > 0 {
		if c := j.chunks[k-1]; c.n < chunkRecords && c.used+n <= chunkOffsets {
			return c
		}
	}
	c := d.newChunk()
	j.chunks = append(j.chunks, c)
	return c
}

// maxRuns is the maximal number of runs of lanes in a record of several accesses.
const maxRuns = 4

// continues extends record i by a later read, and reports whether it can.
func (c *chunk) continues(i int, x *record, at *addresses) bool {
	r := &c.records[i]
	by, ok := c.distance(r, x, at)
	switch {
	case !ok:
		return false
	case r.times == 1 && by == 0 && !x.strong:
		r.at = x.at // a later read by the same lanes subsumes an earlier one
	case r.at != x.at:
		return false
	case r.times == 1:
		r.times, r.stride = 2, by
	case by == r.times*r.stride:
		r.times++
	default:
		return false
	}
	return true
}

// maxRepeats limits the accesses of a record that are not reads, since compact notes something of each.
const maxRepeats = 64

// repeats extends the latest record by an access that differs from those of the record only in what rises evenly, and reports whether
// it can.
func (c *chunk) repeats(x *record, at *addresses, current *clock) bool {
	r := &c.records[c.n-1]
	if r.access != x.access || r.wrote != x.wrote || r.changes != x.changes || c.clocks[r.clock] != current {
		return false
	}
	by, ok := c.distance(r, x, at)
	rise, events := x.at-r.at, x.event-r.event
	switch {
	case !ok, r.times == maxRepeats:
		return false
	case r.times == 1:
		r.stride, r.rise, r.events = by, rise, events
	case by != r.times*r.stride || rise != stamp(r.times)*r.rise || events != r.times*r.events:
		return false
	}
	r.times++
	return true
}

// distance returns by how much the addresses of an access exceed those of the first access of a record. ok is false unless the same
// lanes make both by the same instruction, and all lanes are as far away.
func (c *chunk) distance(r, x *record, at *addresses) (by uint32, ok bool) {
	starts := x.starts()
	if r.unit != x.unit || r.class != x.class || r.mask != x.mask || r.next != x.next || r.same != x.same || bits.OnesCount32(starts) > maxRuns {
		return 0, false
	}
	by = uint32(at.of(bits.TrailingZeros32(starts))) - c.offsets[r.first]
	for i, m := r.first, starts; m != 0; i, m = i+1, m&(m-1) {
		if uint32(at.of(bits.TrailingZeros32(m)))-c.offsets[i] != by {
			return 0, false
		}
	}
	return by, true
}

// clear empties the journal, and keeps some of its memory.
func (j *journal) clear(d *Detector) {
	if len(j.chunks) == 0 {
		return
	}
	d.freeChunks = append(d.freeChunks, j.chunks...)
	j.chunks, j.taken = j.chunks[:0], 0
	clear(j.latest[:])
}

// fill sets ev to the event of access number k of a record in a window of addresses.
func (c *chunk) fill(ev *abi.Event, x *record, class *accessClass, k uint32, window uint64) {
	ev.Access, ev.Site, ev.Sem, ev.Scope, ev.Proxy, ev.Bytes, ev.Scalar = x.access, class.site, class.sem, class.scope, class.proxy, class.size, class.scalar
	ev.Atomic, ev.Reduces, ev.Valued, ev.Space = x.atomic, x.reduces, true, abi.SpaceGlobal
	if class.shared {
		ev.Space = abi.SpaceShared
	}
	ev.Mask, ev.Next, ev.Same, ev.Wrote = x.mask, x.next, x.same, x.wrote
	offsets, wrote := c.offsets[x.first:], uint64(0) // wrote is the new value; the old one counts as 0
	if x.changes {
		wrote = 1
	}
	at := uint64(0)
	for m := x.mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		switch bit := uint32(1) << lane; {
		case x.next&bit != 0:
			at += uint64(class.size)
		case x.same&bit == 0:
			at = window<<windowBits | uint64(offsets[0]+k*x.stride)
			offsets = offsets[1:]
		}
		ev.Addr[lane], ev.New[lane] = at, wrote
	}
}
