package barracuda

import (
	"encoding/binary"
	"fmt"

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
	early         []early  // records that wait for their turn, by ticket modulo length
	record        abi.BarracudaRecord
	raw           []byte
}

// DefaultQueues and DefaultCapacity are how many queues there are, and the binary
// logarithm of how many records fit into one.
const (
	DefaultQueues   = 16
	DefaultCapacity = 12
)

// chunk is how many records are read at a time.
const chunk = 64

// early is a record that has been read before its turn.
type early struct {
	here   bool
	record abi.BarracudaRecord
}

// Places for early records: a power of two to begin with, and at most. There is one early
// record for each that the kernel commits while some warp has drawn a ticket and waits
// for its turn.
const (
	firstEarly = 1 << 10
	mostEarly  = 1 << 22
)

// NewQueues makes count queues of 1<<capacity records. Records are handed to consume in
// the order of their tickets. It must not keep them.
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
	if err := q.empty(dev); err != nil {
		return err
	}
	q.ticket, q.early = 0, make([]early, firstEarly)
	state := abi.BarracudaStateVar{
		Queues: q.base, Records: q.records, Count: uint32(q.count), Capacity: uint32(q.capacity), Version: abi.BarracudaVersion,
	}
	return dev.Write(addr, state.Encode())
}

// empty forgets all records. Indices go on from where they are, so that sequence
// numbers of records of earlier launches are none of this one's.
func (q *Queues) empty(dev abi.Device) error {
	queue := make([]byte, abi.BarracudaQueueBytes)
	for i := range q.count {
		addr := q.base + uint64(i)*abi.BarracudaQueueBytes
		if err := dev.Read(addr, queue); err != nil {
			return fmt.Errorf("barracuda: queue %d: %w", i, err)
		}
		head := queue[abi.BarracudaQueueHead:][:8]
		q.read[i] = binary.LittleEndian.Uint64(head)
		copy(queue[abi.BarracudaQueueCommit:], head)
		copy(queue[abi.BarracudaQueueRead:], head)
		if err := dev.Write(addr, queue); err != nil {
			return fmt.Errorf("barracuda: queue %d: %w", i, err)
		}
	}
	return nil
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
// whether there were any. A record waits for those with lower tickets, which may be in
// other queues.
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
// have drawn tickets that no record has.
func (q *Queues) Finish(dev abi.Device) error {
	if _, err := q.Poll(dev); err != nil {
		return err
	}
	for range len(q.early) {
		if err := q.wake(); err != nil {
			return err
		}
		q.ticket++
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
		if r.Ticket != q.ticket+1 {
			if err := q.wait(r); err != nil {
				return err
			}
			continue
		}
		q.ticket++
		if err := q.consume(r); err != nil {
			return err
		}
		if err := q.wake(); err != nil {
			return err
		}
	}
	return nil
}

// wait puts a record off until its turn.
func (q *Queues) wait(r *abi.BarracudaRecord) error {
	ahead := r.Ticket - q.ticket // 0 or more than there can be when the ticket was drawn already
	if ahead-1 >= mostEarly {
		return fmt.Errorf("barracuda: a record has ticket %d while %d is awaited: it is damaged", r.Ticket, q.ticket+1)
	}
	for ahead >= uint64(len(q.early)) {
		q.grow()
	}
	e := q.place(r.Ticket)
	if e.here {
		return fmt.Errorf("barracuda: two records have ticket %d: one is damaged", r.Ticket)
	}
	e.here, e.record = true, *r
	return nil
}

// place is where an early record with that ticket is.
func (q *Queues) place(ticket uint64) *early { return &q.early[ticket&uint64(len(q.early)-1)] }

// grow makes room for twice as many early records.
func (q *Queues) grow() {
	old := q.early
	q.early = make([]early, 2*len(old))
	for i := range old {
		if old[i].here {
			*q.place(old[i].record.Ticket) = old[i]
		}
	}
}

// wake consumes the early records whose turn it is.
func (q *Queues) wake() error {
	for {
		e := q.place(q.ticket + 1)
		if !e.here {
			return nil
		}
		e.here = false
		q.ticket++
		if err := q.consume(&e.record); err != nil {
			return err
		}
	}
}
