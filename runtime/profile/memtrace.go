package profile

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// MemTrace collects the records of the memtrace pass, launch by launch.
type MemTrace struct {
	capacity uint64
	buffer   uint64 // address, 0 before the first launch
	launches []TracedLaunch
}

// TracedLaunch is the trace of one launch.
type TracedLaunch struct {
	Kernel  string
	Grid    [3]uint32
	Records []abi.MemTraceRecord
	Dropped uint64 // records that did not fit
}

// DefaultTraceRecords is the number of records that a launch can leave.
const DefaultTraceRecords = 1 << 20

// NewMemTrace makes a collector with room for so many records per launch.
func NewMemTrace(capacity uint64) *MemTrace { return &MemTrace{capacity: capacity} }

// Prepare provides the buffer. Call it before each launch.
func (t *MemTrace) Prepare(dev abi.Device) error {
	addr, _, err := t.state(dev)
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

// state reads the library's variable.
func (t *MemTrace) state(dev abi.Device) (uint64, abi.MemTraceStateVar, error) {
	addr, size, ok := dev.Symbol(abi.MemTraceState)
	if !ok {
		return 0, abi.MemTraceStateVar{}, fmt.Errorf("memtrace: the module has no %s: it is not instrumented", abi.MemTraceState)
	}
	data := make([]byte, min(size, abi.MemTraceStateBytes))
	if err := dev.Read(addr, data); err != nil {
		return 0, abi.MemTraceStateVar{}, fmt.Errorf("memtrace: %w", err)
	}
	s, err := abi.DecodeMemTraceState(data)
	if err == nil && s.Version != abi.MemTraceVersion {
		err = fmt.Errorf("memtrace: the module was instrumented by version %d of the pass, not %d", s.Version, abi.MemTraceVersion)
	}
	return addr, s, err
}

// Collect reads the records of the launch that Prepare was called for.
func (t *MemTrace) Collect(dev abi.Device, kernel string, grid [3]uint32) error {
	_, s, err := t.state(dev)
	if err != nil {
		return err
	}
	n := min(s.Next, t.capacity)
	data := make([]byte, n*abi.MemTraceRecordBytes)
	if err = dev.Read(t.buffer, data); err != nil {
		return fmt.Errorf("memtrace: %w", err)
	}
	records, err := abi.DecodeMemTraceRecords(data)
	if err != nil {
		return err
	}
	t.launches = append(t.launches, TracedLaunch{kernel, grid, records, s.Next - n})
	return nil
}

// Launches are the traces so far.
func (t *MemTrace) Launches() []TracedLaunch { return t.launches }

// WriteText writes one line per record. Runs of addresses with a common distance
// are written first..last/distance; name translates an address, "" when it cannot.
func (t *MemTrace) WriteText(w io.Writer, sites []abi.Site, name func(addr uint64) string) error {
	out := newLines(w)
	for i, l := range t.launches {
		out.printf("launch %d: %s, %d records, %d dropped", i+1, l.Kernel, len(l.Records), l.Dropped)
		for j := range l.Records {
			r := &l.Records[j]
			out.printf("%8d  block %s warp %d lanes %08x  %s  %s", j+1, triple(abi.Index3(uint64(r.Block), l.Grid)), r.Warp, r.Lanes, site(sites, r.Site), addresses(r, name))
		}
	}
	return out.w.Flush()
}

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

// runLength is the number of addresses from the first on with a common distance.
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
