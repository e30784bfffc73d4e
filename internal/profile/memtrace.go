// The host part of the pass memtrace.

package profile

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// MemTrace reads the records of the memtrace pass, launch by launch. It does not store them.
type MemTrace struct {
	capacity uint64
	buffer   uint64 // address, 0 before the first launch
}

// TracedLaunch describes the trace of one launch, without its records.
type TracedLaunch struct {
	Kernel  string
	Grid    [3]uint32
	Records uint64
	Dropped uint64 // records that did not fit
}

// TraceSink receives traces: for each launch first Launch, then its records, which are valid only during the call. The
// first error ends the collection.
type TraceSink interface {
	Launch(l *TracedLaunch) error
	Record(r *abi.MemTraceRecord) error
}

// DefaultTraceRecords is the maximum number of records of a launch.
const DefaultTraceRecords = 1 << 20

// NewMemTrace returns a collector with a capacity in records per launch.
func NewMemTrace(capacity uint64) *MemTrace { return &MemTrace{capacity: capacity} }

// Prepare allocates or clears the buffer. Call it before each launch.
func (t *MemTrace) Prepare(dev abi.Device) error {
	addr, _, err := abi.MemTraceLibrary.Find(dev)
	if err != nil {
		return err
	}
	if t.buffer == 0 {
		if t.buffer, err = dev.Alloc("memtrace.records", t.capacity*abi.MemTraceRecordBytes); err != nil {
			return fmt.Errorf("memtrace: %w", err)
		}
	}
	state := abi.MemTraceStateVar{Records: t.buffer, Capacity: t.capacity, Version: abi.MemTraceVersion}
	return dev.Write(addr, state.Encode())
}

// recordsAtOnce is the number of records read at a time: a trace may be larger than memory.
const recordsAtOnce = 1 << 10

// Collect sends the records of the launch that Prepare was called for to a sink.
func (t *MemTrace) Collect(dev abi.Device, kernel string, grid [3]uint32, to TraceSink) error {
	_, state, err := abi.MemTraceLibrary.Find(dev)
	if err != nil {
		return err
	}
	s, err := abi.DecodeMemTraceState(state)
	if err != nil {
		return err
	}
	n := min(s.Next, t.capacity)
	if err = to.Launch(&TracedLaunch{kernel, grid, n, s.Next - n}); err != nil {
		return err
	}
	data := make([]byte, min(n, recordsAtOnce)*abi.MemTraceRecordBytes)
	for at := uint64(0); at < n; at += recordsAtOnce {
		part := data[:min(n-at, recordsAtOnce)*abi.MemTraceRecordBytes]
		if err = dev.Read(t.buffer+at*abi.MemTraceRecordBytes, part); err != nil {
			return fmt.Errorf("memtrace: %w", err)
		}
		if err = passOn(part, to); err != nil {
			return err
		}
	}
	return nil
}

// passOn decodes records and sends them to a sink.
func passOn(data []byte, to TraceSink) error {
	records, err := abi.DecodeMemTraceRecords(data)
	if err != nil {
		return err
	}
	for i := range records {
		if err := to.Record(&records[i]); err != nil {
			return err
		}
	}
	return nil
}

// TraceText writes traces as text, a line per record. Runs of addresses with a common distance are written as
// first..last/distance.
type TraceText struct {
	out     *lines
	sites   []abi.Site
	name    func(addr uint64) string
	grid    [3]uint32
	launch  int // number of the launch
	records int // of the launch, so far
}

// NewTraceText returns a sink that writes to w. The function name names an address, or returns "".
func NewTraceText(w io.Writer, sites []abi.Site, name func(addr uint64) string) *TraceText {
	return &TraceText{out: newLines(w), sites: sites, name: name}
}

// Launch implements TraceSink.
func (t *TraceText) Launch(l *TracedLaunch) error {
	t.launch++
	t.records, t.grid = 0, l.Grid
	return t.out.printf("launch %d: %s, %d records, %d dropped", t.launch, l.Kernel, l.Records, l.Dropped)
}

// Record implements TraceSink.
func (t *TraceText) Record(r *abi.MemTraceRecord) error {
	t.records++
	return t.out.printf("%8d  block %s warp %d lanes %08x  %s  %s", t.records,
		triple(abi.Index3(uint64(r.Block), t.grid)), r.Warp, r.Lanes, site(t.sites, r.Site), addresses(r, t.name))
}

// Flush writes buffered text. The error is the first one of all writes.
func (t *TraceText) Flush() error { return t.out.w.Flush() }

// addresses writes the addresses of a record, lanes ascending.
func addresses(r *abi.MemTraceRecord, name func(uint64) string) string {
	var list []uint64
	for m := r.Lanes; m != 0; m &= m - 1 {
		list = append(list, r.Addresses[bits.TrailingZeros32(m)])
	}
	var words []string
	for len(list) > 0 {
		n := runLength(list)
		word := address(list[0], name)
		switch {
		case n > 2 && list[1] == list[0]:
			word += fmt.Sprintf(" x%d", n)
		case n > 2:
			word += fmt.Sprintf("..%s/%+d", address(list[n-1], name), int64(list[1]-list[0]))
		default:
			n = 1
		}
		words = append(words, word)
		list = list[n:]
	}
	return strings.Join(words, " ")
}

// runLength returns the length of the longest prefix of the addresses with a common distance.
func runLength(list []uint64) int {
	n := min(len(list), 2)
	for n < len(list) && list[n]-list[n-1] == list[1]-list[0] {
		n++
	}
	return n
}

func address(a uint64, name func(uint64) string) string {
	if s := name(a); s != "" {
		return s
	}
	return fmt.Sprintf("%#x", a)
}
