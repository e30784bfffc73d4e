package profile_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// fakeDevice is memory without a processor: symbols and allocations are at i<<32.
type fakeDevice struct {
	memory  [][]byte
	symbols map[string]int
	failing bool // Alloc fails
}

func newFakeDevice(symbols map[string][]byte) *fakeDevice {
	d := &fakeDevice{memory: [][]byte{nil}, symbols: map[string]int{}}
	for name, data := range symbols {
		d.symbols[name] = len(d.memory)
		d.memory = append(d.memory, data)
	}
	return d
}

func (d *fakeDevice) Alloc(_ string, size uint64) (uint64, error) {
	if d.failing {
		return 0, errors.New("out of memory")
	}
	d.memory = append(d.memory, make([]byte, size))
	return uint64(len(d.memory)-1) << 32, nil
}

func (d *fakeDevice) at(addr uint64, n int) ([]byte, error) {
	slot, off := addr>>32, addr&(1<<32-1)
	if slot >= uint64(len(d.memory)) || off+uint64(n) > uint64(len(d.memory[slot])) {
		return nil, fmt.Errorf("no memory at %#x", addr)
	}
	return d.memory[slot][off:][:n], nil
}

func (d *fakeDevice) Read(addr uint64, p []byte) error {
	m, err := d.at(addr, len(p))
	copy(p, m)
	return err
}

func (d *fakeDevice) Write(addr uint64, p []byte) error {
	m, err := d.at(addr, len(p))
	copy(m, p)
	return err
}

func (d *fakeDevice) Symbol(name string) (addr, size uint64, ok bool) {
	i, ok := d.symbols[name]
	return uint64(i) << 32, uint64(len(d.memory[i])), ok
}

func counters(values ...uint64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// TestLineCounts: a line of several blocks has the largest count, a line of no
// block is not mentioned, and files come in alphabetical order.
func TestLineCounts(t *testing.T) {
	b1, b2 := abi.Line{File: "b.cu", Line: 1}, abi.Line{File: "b.cu", Line: 2}
	m := &abi.CoverageMap{Counters: 3, Functions: []abi.CoveredFunction{{Name: "f", Line: b1, Blocks: []abi.CoveredBlock{
		{Counter: 0, Lines: []abi.Line{b1, b2}, Branches: []abi.CoveredBranch{{Line: b1, Counter: 1}, {Line: b1, Counter: -1}}},
		{Counter: 2, Lines: []abi.Line{{File: "a.h", Line: 9}, b1}},
	}}}}
	c, err := profile.ReadCoverage(newFakeDevice(map[string][]byte{abi.CoverageCounters: counters(5, 2, 7)}), m)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := c.WriteLCOV(&got); err != nil {
		t.Fatal(err)
	}
	const want = "TN:\nSF:a.h\nDA:9,7\nLF:1\nLH:1\nend_of_record\n" +
		"SF:b.cu\nFN:1,f\nFNDA:5,f\nFNF:1\nFNH:1\nBRDA:1,0,0,2\nBRDA:1,0,1,3\nBRF:2\nBRH:2\nDA:1,7\nDA:2,5\nLF:2\nLH:2\nend_of_record\n"
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}

func TestInstCountText(t *testing.T) {
	line := abi.Line{File: "k.cu", Line: 3}
	m := &abi.InstMap{Counters: 2, Insts: []abi.CountedInst{
		{Line: line, Class: "Memory", Opcode: "ld.global.u32", Issued: 0, Guarded: 1},
		{Line: line, Class: "Control flow", Opcode: "ret", Issued: 0, Guarded: -1},
	}}
	c, err := profile.ReadInstCount(newFakeDevice(map[string][]byte{abi.InstCounters: counters(10, 4)}), m)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := c.WriteText(&got); err != nil {
		t.Fatal(err)
	}
	const want = `instructions executed by threads: 20, of which 6 did nothing because of their guard

    executed   share   guarded off  by class
          10   50.0%             0  Control flow
          10   50.0%             6  Memory

    executed   share   guarded off  by opcode
          10   50.0%             6  ld.global.u32
          10   50.0%             0  ret

    executed   share   guarded off  by line
          20  100.0%             6  k.cu:3
`
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}

// TestErrors tests the errors of a module that is not instrumented, or by another version, and of a device without free
// memory.
func TestErrors(t *testing.T) {
	state := func(version byte) []byte { b := make([]byte, 32); b[24], b[28] = version, version; return b }
	none := newFakeDevice(nil)
	full := newFakeDevice(map[string][]byte{abi.MemTraceState: state(1), abi.BoundsState: state(1)})
	full.failing = true
	old := newFakeDevice(map[string][]byte{abi.MemTraceState: state(9), abi.BoundsState: state(9), abi.CoverageCounters: counters(1)})
	_, e1 := profile.ReadCoverage(none, &abi.CoverageMap{})
	_, e2 := profile.ReadCoverage(old, &abi.CoverageMap{Counters: 2})
	_, e3 := profile.ReadInstCount(none, &abi.InstMap{})
	bounds := func() *profile.BoundsCheck { return profile.NewBoundsCheck(nil, nil) }
	for _, tc := range []struct {
		err  error
		want string
	}{
		{e1, "the module has no __ptxsan_coverage: it is not instrumented"},
		{e2, "__ptxsan_coverage has 8 bytes, too few for 2 counters"},
		{e3, "the module has no __ptxsan_instcount: it is not instrumented"},
		{profile.NewMemTrace(1).Prepare(none), "memtrace: the module has no __ptxsan_memtrace_state: it is not instrumented by the memtrace pass"},
		{profile.NewMemTrace(1).Prepare(old), "memtrace: the module was instrumented by another version of the pass: __ptxsan_memtrace_state has 32 bytes and version 9, not 32 and 1"},
		{profile.NewMemTrace(1).Prepare(full), "memtrace: out of memory"},
		{bounds().Prepare(none), "boundscheck: the module has no __ptxsan_boundscheck_state: it is not instrumented by the boundscheck pass"},
		{bounds().Prepare(old), "boundscheck: the module was instrumented by another version of the pass: __ptxsan_boundscheck_state has 32 bytes and version 9, not 32 and 1"},
		{bounds().Prepare(full), "boundscheck: out of memory"},
	} {
		if tc.err == nil || tc.err.Error() != tc.want {
			t.Errorf("error %v, want %s", tc.err, tc.want)
		}
	}
}

// TestBounds: the table that the device code reads, and the words for a fault.
func TestBounds(t *testing.T) {
	state := make([]byte, abi.BoundsStateBytes)
	state[28] = abi.BoundsVersion
	dev := newFakeDevice(map[string][]byte{abi.BoundsState: state})
	b := profile.NewBoundsCheck([]profile.Allocation{{Name: "allocation 2", Base: 0x2000, Size: 16}, {Name: "x", Base: 0x1000, Size: 8}}, make([]abi.Site, 5))
	if err := b.Prepare(dev); err != nil {
		t.Fatal(err)
	}
	addr := func(at int) uint64 { return binary.LittleEndian.Uint64(state[at:]) }
	table, err := dev.at(addr(0), 32)
	if err != nil || string(table) != string(counters(0x1000, 0x1008, 0x2000, 0x2010)) || addr(8) != 2 {
		t.Errorf("table % x, %v", table, err)
	}
	records, err := dev.at(addr(16), 6*abi.BoundsRecordBytes)
	if err != nil {
		t.Fatal(err)
	}
	for id, address := range map[int]uint64{1: 0x0ffc, 2: 0x1008, 3: 0x2010 + 4, 4: 0x2008, 5: 1 << 60} {
		r := records[id*abi.BoundsRecordBytes:]
		binary.LittleEndian.PutUint32(r, uint32(id))
		binary.LittleEndian.PutUint32(r[4:], 5)
		binary.LittleEndian.PutUint32(r[8:], 7)
		binary.LittleEndian.PutUint64(r[16:], address)
	}
	faults, err := b.Collect(dev, [3]uint32{2, 2, 2}, [3]uint32{4, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	near := []string{
		"is 4 bytes before allocation x of size 8 bytes", "is 0 bytes after allocation x of size 8 bytes",
		"is 4 bytes after allocation 2 of size 16 bytes", "begins in and ends after allocation 2 of size 16 bytes", "is in no allocation",
	}
	for i, f := range faults {
		want := profile.BoundsFault{Site: uint32(i + 1), Count: uint32(i + 1), Thread: [3]uint32{1, 1, 0}, Block: [3]uint32{1, 1, 1}, Address: f.Address, Near: near[i]}
		if f != want {
			t.Errorf("%+v, want %+v", f, want)
		}
	}
	if err = b.Prepare(dev); err != nil {
		t.Fatal(err)
	}
	if faults, err = b.Collect(dev, [3]uint32{}, [3]uint32{}); err != nil || len(faults) != 0 {
		t.Errorf("after the next Prepare: %v, %v", faults, err)
	}
}
