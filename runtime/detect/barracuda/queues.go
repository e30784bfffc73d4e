package barracuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Queues is the host's end of the queues that instrumented kernels write records into
// (section 4.2): the mirror image of the device library's.
type Queues struct {
	consume  func(*abi.BarracudaRecord) error
	count    int
	capacity int // log2 of the records of a queue

	base, records uint64   // addresses in device memory, 0 before the first launch
	read          []uint64 // by queue: records read
	ticket        uint64   // last one consumed
	// Records that wait for their turn: by warp, the first with a ticket that is not due and
	// those after it; and the warps by that ticket.
	behind  map[uint64][]abi.BarracudaRecord
	waiting map[uint64]uint64
	record  abi.BarracudaRecord
	raw     []byte
}

// DefaultQueues and DefaultCapacity are how many queues there are, and the binary
// logarithm of how many records fit into one.
const (
	DefaultQueues   = 16
	DefaultCapacity = 12
)

// chunk is how many records are read at a time.
const chunk = 64

// NewQueues makes count queues of 1<<capacity records. Records are handed to consume in
// an order in which they may have been made: those of one block as they were, those that
// order as their tickets say. It must not keep them.
func NewQueues(count, capacity int, consume func(*abi.BarracudaRecord) error) (*Queues, error) {
	const most, largest = 1 << 10, 24
	if count < 1 || count > most || capacity < 0 || capacity > largest {
		return nil, fmt.Errorf("barracuda: %d queues of 2^%d records, expected 1 to %d of 2^0 to 2^%d", count, capacity, most, largest)
	}
	return &Queues{
		consume: consume, count: count, capacity: capacity, read: make([]uint64, count),
		raw: make([]byte, chunk*abi.BarracudaRecordBytes),
	}, nil
}

// Prepare allocates the queues or empties them, and switches the hooks on. Call it
// before each launch of an instrumented kernel.
func (q *Queues) Prepare(dev abi.Device) error {
	addr, err := stateVar(dev)
	if err != nil {
		return err
	}
	if q.base == 0 {
		if q.base, err = dev.Alloc("barracuda.queues", uint64(q.count)*abi.BarracudaQueueBytes); err != nil {
			return fmt.Errorf("barracuda: queues: %w", err)
		}
		if q.records, err = dev.Alloc("barracuda.records", uint64(q.count)<<q.capacity*abi.BarracudaRecordBytes); err != nil {
			return fmt.Errorf("barracuda: records: %w", err)
		}
	}
	clear(q.read)
	q.ticket, q.behind, q.waiting = 0, map[uint64][]abi.BarracudaRecord{}, map[uint64]uint64{}
	state := abi.BarracudaStateVar{
		Queues: q.base, Records: q.records, Count: uint32(q.count), Capacity: uint32(q.capacity), Version: abi.BarracudaVersion,
	}
	return errors.Join(dev.Write(q.base, make([]byte, q.count*abi.BarracudaQueueBytes)), dev.Write(addr, state.Encode()))
}

// stateVar finds the library's state variable and checks that the library is the one
// that this package knows.
func stateVar(dev abi.Device) (uint64, error) {
	addr, size, ok := dev.Symbol(abi.BarracudaState)
	if !ok {
		return 0, fmt.Errorf("barracuda: the module has no %s: it is not instrumented by the barracuda pass", abi.BarracudaState)
	}
	state := make([]byte, abi.BarracudaStateBytes)
	if size == abi.BarracudaStateBytes {
		if err := dev.Read(addr, state); err != nil {
			return 0, fmt.Errorf("barracuda: %s: %w", abi.BarracudaState, err)
		}
	}
	if v := abi.BarracudaStateVersion(state); v != abi.BarracudaVersion {
		return 0, fmt.Errorf("barracuda: the module's library has version %d, expected %d", v, abi.BarracudaVersion)
	}
	return addr, nil
}

// Poll consumes the records that are there, and makes room for others; it reports
// whether there were any. A record with a ticket waits for those with lower ones,
// which may be in other queues; the later ones of its warp wait with it.
func (q *Queues) Poll(dev abi.Device) (some bool, err error) {
	for i := range q.count {
		n, err := q.drain(dev, i)
		if err != nil {
			return true, err
		}
		some = some || n > 0
	}
	return some, nil
}

// Finish consumes what is left after a launch. The kernel may have ended by a fault, and
// have taken tickets that no record has.
func (q *Queues) Finish(dev abi.Device) error {
	if _, err := q.Poll(dev); err != nil {
		return err
	}
	for len(q.waiting) > 0 {
		q.ticket = slices.Min(slices.Collect(maps.Keys(q.waiting))) - 1
		if err := q.wake(); err != nil {
			return err
		}
	}
	return nil
}

// drain consumes the records of a queue, and returns how many there were.
func (q *Queues) drain(dev abi.Device, i int) (uint64, error) {
	queue, word := q.base+uint64(i)*abi.BarracudaQueueBytes, make([]byte, 8)
	if err := dev.Read(queue+abi.BarracudaQueueCommit, word); err != nil {
		return 0, fmt.Errorf("barracuda: queue %d: %w", i, err)
	}
	begin, commit := q.read[i], binary.LittleEndian.Uint64(word)
	n, size := commit-begin, uint64(1)<<q.capacity
	if n > size {
		return 0, fmt.Errorf("barracuda: queue %d is damaged: record %d is committed, %d have been read", i, commit, begin)
	}
	if n == 0 {
		return 0, nil
	}
	for q.read[i] != commit {
		at := q.read[i] & (size - 1)
		part := min(commit-q.read[i], size-at, chunk)
		if err := q.consumePart(dev, q.records+(uint64(i)*size+at)*abi.BarracudaRecordBytes, part); err != nil {
			return 0, fmt.Errorf("barracuda: queue %d: %w", i, err)
		}
		q.read[i] += part
	}
	return n, dev.Write(queue+abi.BarracudaQueueRead, word)
}

// consumePart consumes n records that begin at an address.
func (q *Queues) consumePart(dev abi.Device, addr, n uint64) error {
	raw := q.raw[:n*abi.BarracudaRecordBytes]
	if err := dev.Read(addr, raw); err != nil {
		return err
	}
	for ; len(raw) > 0; raw = raw[abi.BarracudaRecordBytes:] {
		r := &q.record
		if err := r.Decode(raw); err != nil {
			return err
		}
		if list := q.behind[r.Thread]; list != nil || q.early(r) {
			q.wait(r)
			continue
		}
		if err := q.take(r); err != nil {
			return err
		}
		if err := q.wake(); err != nil {
			return err
		}
	}
	return nil
}

// early reports whether a record has to wait for its turn.
func (q *Queues) early(r *abi.BarracudaRecord) bool { return r.Orders() && r.Ticket != q.ticket+1 }

// wait puts a record off: it is early, or behind one of its warp that is.
func (q *Queues) wait(r *abi.BarracudaRecord) {
	list := q.behind[r.Thread]
	if list == nil {
		q.waiting[r.Ticket] = r.Thread
	}
	q.behind[r.Thread] = append(list, *r)
}

// take consumes a record whose turn it is.
func (q *Queues) take(r *abi.BarracudaRecord) error {
	if r.Orders() {
		q.ticket = r.Ticket
	}
	return q.consume(r)
}

// wake consumes the records that wait for the next ticket.
func (q *Queues) wake() error {
	for {
		warp, ok := q.waiting[q.ticket+1]
		if !ok {
			return nil
		}
		delete(q.waiting, q.ticket+1)
		list := q.behind[warp]
		delete(q.behind, warp)
		for i := range list {
			if i > 0 && q.early(&list[i]) {
				q.behind[warp], q.waiting[list[i].Ticket] = list[i:], warp
				break
			}
			if err := q.take(&list[i]); err != nil {
				return err
			}
		}
	}
}
