// The host's end of the record queues in device memory.

package barracuda

import (
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Queues is the host's end of the queues that instrumented kernels write records into (section 4.2), the counterpart of
// the device library. A record stays where the kernel has written it until its ticket is next.
type Queues struct {
	consume  func(*abi.BarracudaRecord) error
	capacity int // log2 of the number of records of a queue

	base   uint64 // address of the first queue in device memory, 0 before the first launch
	queues []queue
	ticket uint64  // last ticket consumed, or drawn before the launch
	known  []place // records that wait for their turn, by ticket modulo length
	record abi.BarracudaRecord
	word   [8]byte
}

// queue is the host's state of a queue. Indices are modulo 2^32, as on the device.
type queue struct {
	read    uint32 // records before this index have been consumed, and their places are free
	commit  uint32 // the commit index: all records before it are complete
	waiting int    // number of records from read to commit that have not been consumed
	records []byte // copies of the records from read to commit, at their places
}

// place is the location of a record: the number of its queue, counted from 1, and the index in it.
type place struct{ queue, at uint32 }

// DefaultQueues is the number of queues, and DefaultCapacity the binary logarithm of the number of records of each.
// They are small, so that the queues stay in the caches. Those of a GPU are larger, since the host looks at them once
// in a millisecond.
const (
	DefaultQueues   = 16
	DefaultCapacity = 8
	distantCapacity = 12
)

// NewQueues makes count queues of 1<<capacity records. It hands records to consume in the order of their tickets;
// consume must not keep them.
func NewQueues(count, capacity int, consume func(*abi.BarracudaRecord) error) (*Queues, error) {
	const most, largest = 1 << 10, 16
	if count < 1 || count > most || capacity < 0 || capacity > largest {
		return nil, fmt.Errorf("barracuda: %d queues of 2^%d records, expected 1 to %d of 2^0 to 2^%d", count, capacity,
			most, largest)
	}
	return &Queues{consume: consume, capacity: capacity, queues: make([]queue, count)}, nil
}

// last returns the number of places of a queue, minus one.
func (q *Queues) last() uint32 { return 1<<q.capacity - 1 }

// stride returns the distance between queues in bytes.
func (q *Queues) stride() uint64 {
	return abi.BarracudaQueueBytes + abi.BarracudaRecordBytes<<q.capacity
}

// addr returns the address of a queue.
func (q *Queues) addr(i int) uint64 { return q.base + uint64(i)*q.stride() }

// at returns the address of a record.
func (q *Queues) at(i int, index uint32) uint64 {
	return q.addr(i) + abi.BarracudaQueueBytes + uint64(index&q.last())*abi.BarracudaRecordBytes
}

// Prepare allocates or empties the queues, and enables the hooks. Call it before each launch of an instrumented kernel.
func (q *Queues) Prepare(dev abi.Device) error {
	addr, state, err := abi.BarracudaLibrary.Find(dev)
	if err != nil {
		return err
	}
	if q.base == 0 {
		if d, ok := dev.(abi.Distant); ok && d.Distant() {
			q.capacity = max(q.capacity, distantCapacity)
		}
		if q.base, err = dev.Alloc("barracuda.queues", uint64(len(q.queues))*q.stride()); err != nil {
			return fmt.Errorf("barracuda: queues: %w", err)
		}
		places := 1
		for places < len(q.queues)<<q.capacity {
			places *= 2
		}
		q.known = make([]place, places)
		for i := range q.queues {
			q.queues[i].records = make([]byte, abi.BarracudaRecordBytes<<q.capacity)
		}
	}
	if err := q.empty(dev); err != nil {
		return err
	}
	clear(q.known)
	next := max(1, abi.BarracudaTicket(state))
	q.ticket = next - 1
	s := abi.BarracudaStateVar{
		Queues: q.base, Stride: q.stride(), Ticket: next, Count: uint32(len(q.queues)),
		Version: abi.BarracudaVersion,
	}
	return dev.Write(addr, s.Encode())
}

// empty drops all records. Indices continue from their current values.
func (q *Queues) empty(dev abi.Device) error {
	for i := range q.queues {
		head, err := q.head(dev, i)
		if err != nil {
			return fmt.Errorf("barracuda: queue %d: %w", i, err)
		}
		q.queues[i] = queue{read: head, commit: head, records: q.queues[i].records}
		if err := q.write(dev, i, abi.BarracudaQueueLast, q.last()); err != nil {
			return err
		}
		if err := q.write(dev, i, abi.BarracudaQueueRead, head); err != nil {
			return err
		}
	}
	return nil
}

// head returns the write head of a queue.
func (q *Queues) head(dev abi.Device, i int) (uint32, error) {
	word := q.word[:4]
	if err := dev.Read(q.addr(i)+abi.BarracudaQueueHead, word); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(word), nil
}

// write writes a word of a queue.
func (q *Queues) write(dev abi.Device, i int, offset uint64, v uint32) error {
	word := q.word[:4]
	binary.LittleEndian.PutUint32(word, v)
	if err := dev.Write(q.addr(i)+offset, word); err != nil {
		return fmt.Errorf("barracuda: queue %d: %w", i, err)
	}
	return nil
}

// Poll consumes the available records whose turn it is, and frees their places. It reports whether there were any.
func (q *Queues) Poll(dev abi.Device) (some bool, err error) {
	if err = q.look(dev, false); err != nil {
		return true, err
	}
	for q.next().queue != 0 {
		if some, err = true, q.take(); err != nil {
			return true, err
		}
	}
	for i := range q.queues {
		if x := &q.queues[i]; x.waiting == 0 && x.read != x.commit {
			x.read = x.commit
			if err = q.write(dev, i, abi.BarracudaQueueRead, x.read); err != nil {
				return true, err
			}
		}
	}
	return some, nil
}

// Finish consumes the remaining records after a launch. If the kernel has ended by a fault, there may be tickets and
// places without a record.
func (q *Queues) Finish(dev abi.Device) error {
	if _, err := q.Poll(dev); err != nil {
		return err
	}
	if err := q.look(dev, true); err != nil {
		return err
	}
	for range len(q.known) {
		if q.next().queue == 0 {
			q.ticket++
		} else if err := q.take(); err != nil {
			return err
		}
	}
	return nil
}

// look finds the records completed since the last call, and notes their places. In each queue it stops at the first
// incomplete one, unless all is set.
func (q *Queues) look(dev abi.Device, all bool) error {
	for i := range q.queues {
		if err := q.lookAt(dev, i, all); err != nil {
			return fmt.Errorf("barracuda: queue %d: %w", i, err)
		}
	}
	return nil
}

// lookAt looks for records in one queue. It reads many at once, since each read from a GPU takes microseconds.
func (q *Queues) lookAt(dev abi.Device, i int, all bool) error {
	head, err := q.head(dev, i)
	if err != nil {
		return err
	}
	x := &q.queues[i]
	from, end := x.commit, x.commit+min(head-x.commit, q.last()+1-(x.commit-x.read)) // records behind the end wait for room
	if from == end {
		return nil
	}
	if complete, err := q.begun(dev, i); err != nil || !complete && !all {
		return err
	}
	if err := q.fetch(dev, i, from, end); err != nil {
		return err
	}
	for index := from; index != end; index++ {
		complete, err := q.note(i, index)
		if err != nil {
			return err
		}
		if complete {
			x.waiting++
		} else if !all {
			break
		}
		x.commit = index + 1
	}
	// A record is complete when its ticket is there, which the kernel writes last. What was read before the ticket may
	// be older.
	return q.fetch(dev, i, from, x.commit)
}

// begun reports whether the first record behind the commit index is complete.
func (q *Queues) begun(dev abi.Device, i int) (bool, error) {
	if err := dev.Read(q.at(i, q.queues[i].commit)+abi.BarracudaRecordTicket, q.word[:]); err != nil {
		return false, err
	}
	return binary.LittleEndian.Uint64(q.word[:]) > q.ticket, nil
}

// fetch copies the records from one index to another.
func (q *Queues) fetch(dev abi.Device, i int, from, to uint32) error {
	for from != to {
		n := min(to-from, q.last()+1-from&q.last()) // the rest is at the beginning of the queue
		if err := dev.Read(q.at(i, from), q.copied(i, from)[:n*abi.BarracudaRecordBytes]); err != nil {
			return err
		}
		from += n
	}
	return nil
}

// copied returns the copies of the record at an index and of those behind it.
func (q *Queues) copied(i int, index uint32) []byte {
	return q.queues[i].records[(index&q.last())*abi.BarracudaRecordBytes:]
}

// note notes the place of a record if the copy is complete: its ticket has not been consumed.
func (q *Queues) note(i int, index uint32) (complete bool, err error) {
	ticket := binary.LittleEndian.Uint64(q.copied(i, index)[abi.BarracudaRecordTicket:])
	if ticket <= q.ticket {
		return false, nil
	}
	if ticket-q.ticket > uint64(len(q.known)) {
		return false, fmt.Errorf("a record has ticket %d while %d is awaited: it is damaged", ticket, q.ticket+1)
	}
	p := &q.known[ticket&uint64(len(q.known)-1)]
	if p.queue != 0 {
		return false, fmt.Errorf("two records have ticket %d: one is damaged", ticket)
	}
	*p = place{uint32(i + 1), index}
	return true, nil
}

// next returns the place of the record whose turn it is.
func (q *Queues) next() *place { return &q.known[(q.ticket+1)&uint64(len(q.known)-1)] }

// take consumes the record whose turn it is.
func (q *Queues) take() error {
	p := q.next()
	i := int(p.queue - 1)
	if err := q.record.Decode(q.copied(i, p.at)[:abi.BarracudaRecordBytes]); err != nil {
		return err
	}
	p.queue = 0
	q.queues[i].waiting--
	q.ticket++
	return q.consume(&q.record)
}
