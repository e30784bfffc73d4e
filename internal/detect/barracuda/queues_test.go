package barracuda_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// fakeDevice is memory from address 0x100, with the library's state in front.
type fakeDevice struct {
	memory []byte
	next   uint64
}

func newFakeDevice() *fakeDevice {
	d := &fakeDevice{memory: make([]byte, 2<<20), next: 0x200}
	state := abi.BarracudaStateVar{Version: abi.BarracudaVersion}
	copy(d.memory[0x100:], state.Encode())
	return d
}

func (d *fakeDevice) Alloc(_ string, size uint64) (uint64, error) {
	d.next += size
	return d.next - size, nil
}
func (d *fakeDevice) Read(addr uint64, p []byte) error  { copy(p, d.memory[addr:]); return nil }
func (d *fakeDevice) Write(addr uint64, p []byte) error { copy(d.memory[addr:], p); return nil }
func (d *fakeDevice) Symbol(name string) (addr, size uint64, ok bool) {
	return 0x100, abi.BarracudaStateBytes, name == abi.BarracudaState
}

func (d *fakeDevice) word(addr uint64) uint64 { return binary.LittleEndian.Uint64(d.memory[addr:]) }

func (d *fakeDevice) setWord(addr uint64, v uint64) {
	binary.LittleEndian.PutUint64(d.memory[addr:], v)
}

// queue is where a queue is.
func (d *fakeDevice) queue(i int) uint64 { return d.word(0x100) + uint64(i)*d.word(0x108) }

func (d *fakeDevice) half(addr uint64) uint32 { return binary.LittleEndian.Uint32(d.memory[addr:]) }

// reserve takes the next place of a queue, if there is room.
func (d *fakeDevice) reserve(queue int) (record uint64, ok bool) {
	q := d.queue(queue)
	head, last := d.half(q+abi.BarracudaQueueHead), d.half(q+abi.BarracudaQueueLast)
	if head-d.half(q+abi.BarracudaQueueRead) > last {
		return 0, false
	}
	binary.LittleEndian.PutUint32(d.memory[q+abi.BarracudaQueueHead:], head+1)
	return q + abi.BarracudaQueueBytes + uint64(head&last)*abi.BarracudaRecordBytes, true
}

// complete writes a record as the library does.
func (d *fakeDevice) complete(record, ticket uint64) {
	d.setWord(record, uint64(abi.BarracudaFenced))
	d.setWord(record+8, 1) // mask
	d.setWord(record+16, ticket%64)
	d.setWord(record+abi.BarracudaRecordTicket, ticket)
}

// commit does both in the first queue.
func (d *fakeDevice) commit(ticket uint64) {
	record, _ := d.reserve(0)
	d.complete(record, ticket)
}

// tornDevice is a GPU whose first copy of records has their tickets, and has read what else they say before the kernel
// wrote it.
type tornDevice struct {
	*fakeDevice
	torn bool
}

func (d *tornDevice) Read(addr uint64, p []byte) error {
	err := d.fakeDevice.Read(addr, p)
	if d.torn || len(p) < abi.BarracudaRecordBytes {
		return err
	}
	d.torn = true
	for ; len(p) > 0; p = p[abi.BarracudaRecordBytes:] {
		ticket := binary.LittleEndian.Uint64(p[abi.BarracudaRecordTicket:])
		clear(p[:abi.BarracudaRecordBytes])
		binary.LittleEndian.PutUint64(p[abi.BarracudaRecordTicket:], ticket)
	}
	return err
}

func (d *tornDevice) Distant() bool { return true }

// TestQueueTorn: a record is read after its ticket. The queues of a GPU are larger than those of the emulator.
func TestQueueTorn(t *testing.T) {
	n := 0
	q, err := barracuda.NewQueues(1, 4, func(r *abi.BarracudaRecord) error {
		if n++; r.Mask != 1 || r.Ticket != uint64(n) {
			t.Errorf("record %d: ticket %d, lanes %#x", n, r.Ticket, r.Mask)
		}
		return nil
	})
	dev := &tornDevice{fakeDevice: newFakeDevice()}
	if err == nil {
		err = q.Prepare(dev)
	}
	for ticket := range uint64(3) {
		dev.commit(ticket + 1)
	}
	if err == nil {
		_, err = q.Poll(dev)
	}
	if err != nil || n != 3 || !dev.torn {
		t.Errorf("%d records: %v", n, err)
	}
	if last := dev.half(dev.queue(0) + abi.BarracudaQueueLast); last != 1<<12-1 {
		t.Errorf("the queue has %d records", last+1)
	}
}

// TestQueueOrder: whatever queues records come through, and whatever the order there,
// they are consumed by ticket, in this launch and the next.
func TestQueueOrder(t *testing.T) {
	const queues, capacity, n = 3, 4, 5000
	var got, before uint64 // tickets are given on and on
	q, err := barracuda.NewQueues(queues, capacity, func(r *abi.BarracudaRecord) error {
		if got++; r.Ticket != before+got {
			t.Fatalf("record %d has ticket %d", got, r.Ticket)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dev, rng := newFakeDevice(), rand.New(rand.NewPCG(1, 2))
	for range 2 {
		before, got = before+got, 0
		dev.setWord(0x100+16, before+1)
		if err := q.Prepare(dev); err != nil {
			t.Fatal(err)
		}
		type drawn struct{ record, ticket uint64 }
		var open []drawn // and not completed
		for next := uint64(1); next <= n || len(open) > 0; {
			switch i := rng.IntN(50); {
			case next <= n && i < 24:
				if record, ok := dev.reserve(i % queues); ok {
					open = append(open, drawn{record, before + next})
					next++
				}
			case i < 26:
				if _, err := q.Poll(dev); err != nil {
					t.Fatal(err)
				}
			case len(open) > 0:
				i %= len(open)
				dev.complete(open[i].record, open[i].ticket)
				open[i] = open[len(open)-1]
				open = open[:len(open)-1]
			}
		}
		if err := q.Finish(dev); err != nil {
			t.Fatal(err)
		}
		if got != n {
			t.Errorf("%d records, want %d", got, n)
		}
	}
}

// TestQueueGap: a kernel that has died may have drawn tickets that no record has, and
// reserved places.
func TestQueueGap(t *testing.T) {
	var got []uint64
	q, _ := barracuda.NewQueues(1, 4, func(r *abi.BarracudaRecord) error { got = append(got, r.Ticket); return nil })
	dev := newFakeDevice()
	if err := q.Prepare(dev); err != nil {
		t.Fatal(err)
	}
	for _, ticket := range []uint64{1, 5, 0, 3} {
		dev.commit(ticket)
	}
	if err := q.Finish(dev); err != nil || !reflect.DeepEqual(got, []uint64{1, 3, 5}) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestQueueDamage: what no library writes is an error.
func TestQueueDamage(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(*fakeDevice)
	}{
		{"a record of kind 0 with lanes 0x0 is damaged", func(d *fakeDevice) {
			record, _ := d.reserve(0)
			d.setWord(record+abi.BarracudaRecordTicket, 1)
		}},
		{"queue 0: two records have ticket 2", func(d *fakeDevice) { d.commit(2); d.commit(2) }},
		{"queue 0: a record has ticket 1152921504606846976 while 1 is awaited", func(d *fakeDevice) { d.commit(1 << 60) }},
	} {
		q, _ := barracuda.NewQueues(1, 4, func(*abi.BarracudaRecord) error { return nil })
		dev := newFakeDevice()
		if err := q.Prepare(dev); err != nil {
			t.Fatal(err)
		}
		c.spoil(dev)
		if _, err := q.Poll(dev); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	dev := newFakeDevice()
	dev.memory[0x100+32]++
	q, _ := barracuda.NewQueues(1, 4, nil)
	if err := q.Prepare(dev); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("another version: %v", err)
	}
	if _, err := barracuda.NewQueues(0, 4, nil); err == nil {
		t.Error("no queues are accepted")
	}
}

// TestFromRecords: what follows from records beside the operation that they are.
func TestFromRecords(t *testing.T) {
	shape := detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{40, 1, 1}}
	var got []string
	f := barracuda.NewFromRecords(shape, func(op *barracuda.Op) {
		got = append(got, fmt.Sprintf("%d %d/%d %x", op.Kind, op.Block, op.Warp, op.Mask))
	})
	tell := func(thread uint64, kind abi.BarracudaKind, mask, extra uint32) {
		t.Helper()
		r := abi.BarracudaRecord{BarracudaInfo: abi.BarracudaInfo{Kind: kind}, Thread: thread, Mask: mask, Extra: extra}
		if err := f.Record(&r); err != nil {
			t.Fatal(err)
		}
	}
	op := func(kind barracuda.Kind, where string) string { return fmt.Sprintf("%d %s", kind, where) }
	tell(40, abi.BarracudaStarted, ^uint32(0), 0)
	tell(40, abi.BarracudaIf, 0xff, 0x0f)
	tell(40, abi.BarracudaLanes, 1, 7) // lanes 0, 1 and 2 wait for each other
	tell(40, abi.BarracudaLanes, 2, 7)
	tell(40, abi.BarracudaExited, 4, 0) // lane 2 does not come
	tell(40, abi.BarracudaExited, ^uint32(4), 0)
	tell(72, abi.BarracudaExited, 0xff, 0)
	want := []string{
		op(barracuda.BlockBegin, "1/0 0"), op(barracuda.If, "1/0 ff"), op(barracuda.Else, "1/0 f0"),
		op(barracuda.Exit, "1/0 4"), op(barracuda.WarpSync, "1/0 3"), op(barracuda.Exit, "1/0 fffffffb"),
		op(barracuda.Exit, "1/1 ff"), op(barracuda.BlockEnd, "1/1 0"),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if err := f.Record(&abi.BarracudaRecord{Thread: 80}); err == nil {
		t.Error("a thread beyond the launch is accepted")
	}
}
