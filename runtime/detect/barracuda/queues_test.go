package barracuda_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
)

// fakeDevice is memory from address 0x100, with the library's state in front.
type fakeDevice struct {
	memory []byte
	next   uint64
}

func newFakeDevice() *fakeDevice {
	d := &fakeDevice{memory: make([]byte, 1<<20), next: 0x200}
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

// queue and records are where the first queue and the first record are.
func (d *fakeDevice) queue() uint64   { return d.word(0x100) }
func (d *fakeDevice) records() uint64 { return d.word(0x108) }

// commit writes a record as the library does, if there is room.
func (d *fakeDevice) commit(queue, capacity int, ticket uint64) bool {
	q := d.queue() + uint64(queue)*abi.BarracudaQueueBytes
	head := d.word(q + abi.BarracudaQueueHead)
	if head-d.word(q+abi.BarracudaQueueRead) >= 1<<capacity {
		return false
	}
	r := d.records() + (uint64(queue)<<capacity+head&(1<<capacity-1))*abi.BarracudaRecordBytes
	d.setWord(r, uint64(abi.BarracudaFenced))
	d.setWord(r+8, 1) // mask
	d.setWord(r+16, ticket%64)
	d.setWord(r+24, ticket)
	d.setWord(q+abi.BarracudaQueueHead, head+1)
	d.setWord(q+abi.BarracudaQueueCommit, head+1)
	return true
}

// TestQueueOrder: whatever queues records come through, and whatever the order there,
// they are consumed by ticket, in this launch and the next.
func TestQueueOrder(t *testing.T) {
	const queues, capacity, n = 3, 4, 5000
	var got uint64
	q, err := barracuda.NewQueues(queues, capacity, func(r *abi.BarracudaRecord) error {
		if got++; r.Ticket != got {
			t.Fatalf("record %d has ticket %d", got, r.Ticket)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dev, rng := newFakeDevice(), rand.New(rand.NewPCG(1, 2))
	for range 2 {
		got = 0
		if err := q.Prepare(dev); err != nil {
			t.Fatal(err)
		}
		var open []uint64 // tickets drawn and not committed
		for next := uint64(1); next <= n || len(open) > 0; {
			switch {
			case next <= n && len(open) < 40:
				open = append(open, next)
				next++
			case rng.IntN(20) == 0:
				if _, err := q.Poll(dev); err != nil {
					t.Fatal(err)
				}
			default:
				i := rng.IntN(len(open))
				if dev.commit(rng.IntN(queues), capacity, open[i]) {
					open[i] = open[len(open)-1]
					open = open[:len(open)-1]
				}
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

// TestQueueGap: a kernel that has died may have drawn tickets that no record has.
func TestQueueGap(t *testing.T) {
	var got []uint64
	q, _ := barracuda.NewQueues(1, 4, func(r *abi.BarracudaRecord) error { got = append(got, r.Ticket); return nil })
	dev := newFakeDevice()
	if err := q.Prepare(dev); err != nil {
		t.Fatal(err)
	}
	for _, ticket := range []uint64{1, 5, 3} {
		dev.commit(0, 4, ticket)
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
		{"queue 0 is damaged: record 99 is committed, 0 have been read", func(d *fakeDevice) { d.setWord(d.queue()+abi.BarracudaQueueCommit, 99) }},
		{"a record of kind 0 with lanes 0x0 is damaged", func(d *fakeDevice) { d.setWord(d.queue()+abi.BarracudaQueueCommit, 1) }},
		{"a record has ticket 0 while 1 is awaited", func(d *fakeDevice) { d.commit(0, 4, 0) }},
		{"two records have ticket 2", func(d *fakeDevice) { d.commit(0, 4, 2); d.commit(0, 4, 2) }},
		{"a record has ticket 1152921504606846976 while 1 is awaited", func(d *fakeDevice) { d.commit(0, 4, 1<<60) }},
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
