package iguard_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/iguard"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// fakeDevice is memory without a processor. Allocation i is at i<<32.
type fakeDevice struct {
	mem    [][]byte
	sizes  map[string][]uint64
	state  uint64 // address of the state variable, 0 without one
	failed string // allocation that fails
}

func newFakeDevice(t *testing.T) *fakeDevice {
	d := &fakeDevice{mem: [][]byte{nil}, sizes: map[string][]uint64{}}
	addr, err := d.Alloc("state", abi.IGuardStateBytes)
	if err != nil {
		t.Fatal(err)
	}
	d.state = addr
	if err := d.Write(addr, (&abi.IGuardStateVar{Version: abi.IGuardVersion}).Encode()); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *fakeDevice) Alloc(name string, size uint64) (uint64, error) {
	if name == d.failed {
		return 0, errors.New("out of memory")
	}
	d.sizes[name] = append(d.sizes[name], size)
	d.mem = append(d.mem, make([]byte, size))
	return uint64(len(d.mem)-1) << 32, nil
}

func (d *fakeDevice) at(addr uint64, n int) ([]byte, error) {
	slot, off := int(addr>>32), int(uint32(addr))
	if slot == 0 || slot >= len(d.mem) || off+n > len(d.mem[slot]) {
		return nil, fmt.Errorf("no memory at %#x", addr)
	}
	return d.mem[slot][off : off+n], nil
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
	if name != abi.IGuardState || d.state == 0 {
		return 0, 0, false
	}
	return d.state, uint64(len(d.mem[d.state>>32])), true
}

// Fields of the state, by their offsets; TestState of package abi compares those with the header.
const (
	stateIndexMask, stateSlotGranules, stateGranuleBits, stateUses = 0, 4, 8, 12
	stateEntries, stateCounters, stateBlockBytes                   = 16, 24, 32
	stateOptions, stateRaces                                       = 36, 72
	stateSlotShift, stateIndexBits                                 = 104, 108
	stateDropped, stateBackoff, stateBlockThreads, stateBlockWarps = 112, 120, 124, 128
	stateFound                                                     = 132
)

func (d *fakeDevice) state64(off int) uint64 {
	return binary.LittleEndian.Uint64(d.mem[d.state>>32][off:])
}

// set32 is what the library does to its state.
func (d *fakeDevice) set32(t *testing.T, off int, v uint32) {
	t.Helper()
	if err := d.Write(d.state+uint64(off), binary.LittleEndian.AppendUint32(nil, v)); err != nil {
		t.Fatal(err)
	}
}

func (d *fakeDevice) state32(off int) uint32 {
	return binary.LittleEndian.Uint32(d.mem[d.state>>32][off:])
}

func detector(t *testing.T, o abi.IGuardOptions) *iguard.Detector {
	t.Helper()
	g, err := iguard.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestPrepare(t *testing.T) {
	dev := newFakeDevice(t)
	g := detector(t, abi.IGuardOptions{Granularity: 8, ITS: true, Counters: abi.PaperIGuardCounters})
	// 3 x 2 blocks of 40 threads: 240 threads, 12 warps. 10 slots of 1000 bytes: 125
	// granules each, 1250 in all.
	shape := detect.LaunchShape{Grid: [3]uint32{3, 2, 1}, Block: [3]uint32{8, 5, 1}, LargestAllocation: 1000, Slots: 10}
	if err := g.Prepare(dev, shape); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint64{
		"iguard.metadata": 2048 * 48, "iguard.counters": 1920, "iguard.block-barriers": 24, "iguard.warp-barriers": 48,
		"iguard.warp-locks": 192, "iguard.thread-locks": 3840, "iguard.races": 1 << 20,
		"iguard.block-fences": 24, "iguard.warp-fences": 96,
	} {
		if got := dev.sizes[name]; !slices.Equal(got, []uint64{want}) {
			t.Errorf("%s: allocated %d, want %d", name, got, want)
		}
	}
	for _, f := range []struct {
		name string
		at   int
		want uint32
	}{
		{"index mask", stateIndexMask, 2047},
		{"index bits", stateIndexBits, 11},
		{"granules of a slot", stateSlotGranules, 125},
		{"slot shift", stateSlotShift, 29},
		{"log2 of the granularity", stateGranuleBits, 3},
		{"uses", stateUses, 0},
		{"threads of a block", stateBlockThreads, 40},
		{"warps of a block", stateBlockWarps, 2},
		{"bytes of a block's counters", stateBlockBytes, 320},
		{"options", stateOptions, abi.IGuardOptionITS},
		{"limit of the back-off", stateBackoff, 0},
	} {
		if got := dev.state32(f.at); got != f.want {
			t.Errorf("%s: %d, want %d", f.name, got, f.want)
		}
	}
	for threads, want := range map[uint32]uint32{1: 32, 40: 32, 1024: 1024 * 6 / 8} {
		other := newFakeDevice(t)
		l := detect.LaunchShape{Grid: shape.Grid, Block: [3]uint32{threads, 1, 1}, LargestAllocation: 64, Backoff: true}
		if err := detector(t, abi.DefaultIGuardOptions()).Prepare(other, l); err != nil || other.state32(stateBackoff) != want {
			t.Errorf("%d threads in a block: the back-off is limited to %d ns, want %d, %v", threads, other.state32(stateBackoff), want, err)
		}
	}

	// Objects whose offsets tell them apart need no more entries than they have granules.
	apart := newFakeDevice(t)
	l := shape
	l.LargestAllocation, l.Apart = 16000, true
	if err := detector(t, abi.IGuardOptions{Granularity: 8, Counters: abi.PaperIGuardCounters}).Prepare(apart, l); err != nil {
		t.Fatal(err)
	}
	granules, shift, mask, uses := apart.state32(stateSlotGranules), apart.state32(stateSlotShift), apart.state32(stateIndexMask), apart.state32(stateUses)
	if granules != 0 || shift != 29 || mask != 2047 || uses != 0 {
		t.Errorf("objects apart: %d granules of a slot, slot shift %d, index mask %#x, uses %#x", granules, shift, mask, uses)
	}

	// Memory that kernels allocate may be in any slot: a tag tells its granules from those of other objects.
	heap := newFakeDevice(t)
	l.Heap = true
	if err := detector(t, abi.DefaultIGuardOptions()).Prepare(heap, l); err != nil {
		t.Fatal(err)
	}
	granules, shift, mask, uses = heap.state32(stateSlotGranules), heap.state32(stateSlotShift), heap.state32(stateIndexMask), heap.state32(stateUses)
	if granules != 1<<30 || shift != 30 || mask != 1<<22-1 || uses != abi.IGuardUsesTags {
		t.Errorf("memory of kernels: %d granules of a slot, slot shift %d, index mask %#x, uses %#x", granules, shift, mask, uses)
	}

	// A second launch finds its memory zeroed, and more of it when it is larger.
	metadata := dev.state64(stateEntries)
	if err := dev.Write(metadata+100, []byte{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	shape.Grid[2] = 2
	if err := g.Prepare(dev, shape); err != nil {
		t.Fatal(err)
	}
	if dev.state64(stateEntries) != metadata {
		t.Errorf("the metadata moved")
	}
	m, _ := dev.at(metadata, 2048*48)
	if slices.Max(m) != 0 {
		t.Errorf("the metadata is not cleared")
	}
	if got := dev.sizes["iguard.counters"]; !slices.Equal(got, []uint64{1920, 3840}) {
		t.Errorf("counters: %d", got)
	}
}

// TestTableLimit: a huge address range is covered by a table of bounded size.
func TestTableLimit(t *testing.T) {
	for _, shape := range []detect.LaunchShape{
		{LargestAllocation: 1 << 50},
		{LargestAllocation: 1 << 40, Slots: 1 << 40},
	} {
		dev := newFakeDevice(t)
		dev.failed = "iguard.metadata"
		err := detector(t, abi.DefaultIGuardOptions()).Prepare(dev, shape)
		if err == nil || err.Error() != "iguard: iguard.metadata: out of memory" {
			t.Errorf("error %v", err)
		}
	}
	dev := newFakeDevice(t)
	if err := detector(t, abi.DefaultIGuardOptions()).Prepare(dev, detect.LaunchShape{LargestAllocation: 1 << 12}); err != nil {
		t.Fatal(err)
	}
	granules, shift, mask := dev.state32(stateSlotGranules), dev.state32(stateSlotShift), dev.state32(stateIndexMask)
	if granules != 0 || shift != 63 || mask != 1<<10-1 || dev.state32(stateUses) != abi.IGuardUsesTags {
		t.Errorf("flat addresses: %d granules of a slot, slot shift %d, index mask %#x, uses %#x", granules, shift, mask, dev.state32(stateUses))
	}
}

func TestPrepareErrors(t *testing.T) {
	g := detector(t, abi.DefaultIGuardOptions())
	dev := newFakeDevice(t)
	state := dev.state
	dev.state = 0
	if err := g.Prepare(dev, detect.LaunchShape{}); err == nil || !strings.Contains(err.Error(), "not instrumented") {
		t.Errorf("without state: %v", err)
	}
	dev.state = state
	for _, size := range []int{8, abi.IGuardStateBytes} {
		dev.mem[state>>32] = make([]byte, size)
		if err := g.Prepare(dev, detect.LaunchShape{}); err == nil || !strings.Contains(err.Error(), "another version") {
			t.Errorf("with a state of %d zeros: %v", size, err)
		}
	}
	dev = newFakeDevice(t)
	if err := g.Prepare(dev, detect.LaunchShape{Grid: [3]uint32{1 << 30, 1, 1}, Block: [3]uint32{4, 1, 1}}); err == nil || err.Error() != "iguard: 4294967296 threads; at most 4294967295 are supported" {
		t.Errorf("many threads: %v", err)
	}
	if _, err := iguard.New(abi.IGuardOptions{Granularity: 5}); err == nil {
		t.Errorf("granularity 5 is accepted")
	}
}

// record is a race record as the device library writes it.
func record(rule, kind, first, second uint64, count, detail uint32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, 1<<63|rule<<50|kind<<48|first<<24|second)
	b = binary.LittleEndian.AppendUint64(b, 0x500000010)
	b = binary.LittleEndian.AppendUint64(b, 9)                    // thread (1,1,0) of (8,5,1)
	b = binary.LittleEndian.AppendUint64(b, 39)                   // (7,4,0)
	for _, v := range []uint32{4, 2, count, detail, 4, 0, 0, 0} { // blocks (1,1,0) and (2,0,0) of (3,2,1)
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func TestCollect(t *testing.T) {
	dev := newFakeDevice(t)
	g := detector(t, abi.DefaultIGuardOptions())
	shape := detect.LaunchShape{Grid: [3]uint32{3, 2, 1}, Block: [3]uint32{8, 5, 1}, LargestAllocation: 64, Slots: 6}
	if err := g.Prepare(dev, shape); err != nil {
		t.Fatal(err)
	}
	table := dev.state64(stateRaces)
	for i, r := range [][]byte{
		5:  record(4, 2, 7, 3, 2, 0),     // the pair of 3, 7 the other way round
		9:  record(4, 2, 3, 7, 5, 0),     // missing-fence
		11: record(4, 2, 3, 7, 1, 1),     // after a block fence: insufficient-fence-scope
		12: record(1, 2, 1, 1, 1, 0),     // insufficient-atomic-scope
		20: record(2, 0, 4, 5, 1, 0),     // missing-warp-sync
		30: record(3, 1, 4, 5, 1, 3),     // missing-barrier
		31: record(5, 1, 4, 5, 1<<31, 0), // missing-lock
	} {
		if r != nil {
			if err := dev.Write(table+uint64(i)*abi.IGuardRaceBytes, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	dev.set32(t, stateFound, 7)
	dev.set32(t, stateDropped, 17)
	races, err := g.Collect(dev)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range races {
		got = append(got, fmt.Sprintf("%d-%d %s %s x%d (%s)", r.First.Site, r.Second.Site, r.Kind, r.Cause, r.Count, r.Detail))
	}
	want := []string{
		"1-1 inter-block insufficient-atomic-scope x1 (iGUARD R1)",
		"3-7 inter-block missing-fence x7 (iGUARD R4)",
		"3-7 inter-block insufficient-fence-scope x1 (iGUARD R4)",
		"4-5 intra-warp missing-warp-sync x1 (iGUARD R2)",
		"4-5 intra-block missing-barrier x1 (iGUARD R3)",
		"4-5 intra-block missing-lock x2147483648 (iGUARD R5)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	r := races[0]
	if r.First.Block != [3]uint32{1, 1, 0} || r.First.Thread != [3]uint32{1, 1, 0} ||
		r.Second.Block != [3]uint32{2, 0, 0} || r.Second.Thread != [3]uint32{7, 4, 0} {
		t.Errorf("threads: %+v", r)
	}
	if r.Space != abi.SpaceGlobal || r.Address != 0x500000010 || r.Size != 4 || g.Dropped() != 17 {
		t.Errorf("%+v, dropped %d", r, g.Dropped())
	}
	// The next launch starts without races, the next but one, too, with one that was not collected.
	for range 2 {
		if err := g.Prepare(dev, shape); err != nil {
			t.Fatal(err)
		}
		if b, _ := dev.at(table, 64*abi.IGuardRaceBytes); slices.Max(b) != 0 {
			t.Errorf("the races are not cleared")
		}
		if races, err := g.Collect(dev); err != nil || len(races) != 0 || g.Dropped() != 17 {
			t.Errorf("after another launch: %v, %v, dropped %d", races, err, g.Dropped())
		}
		if err := g.Prepare(dev, shape); err != nil {
			t.Fatal(err)
		}
		if err := dev.Write(table, record(4, 2, 7, 3, 2, 0)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLocks: what the locks of the two sides say of a race.
func TestLocks(t *testing.T) {
	const block = 1 << 54
	for _, tc := range []struct {
		first, second uint64 // sync words: locks from bit 36
		kind          uint64
		want          detect.LockFault
	}{
		{0, 0, 2, ""},
		{0, 0x0101 << 38, 2, "first-unlocked"},
		{0x0101 << 38, 0, 2, "second-unlocked"},
		{0x0101 << 38, 0x0201 << 38, 2, "different"},
		{0x0101<<38 | block, 0x0101 << 38, 2, "block-scope"},
		{0x0101<<38 | block, 0x0101<<38 | block, 1, ""},
		{0x0101 << 38, 0x0101 << 38, 2, ""},
	} {
		r := record(5, tc.kind, 1, 2, 1, 0)
		binary.LittleEndian.PutUint64(r[16:], tc.first)
		binary.LittleEndian.PutUint64(r[24:], tc.second)
		if got := collectOne(t, abi.DefaultIGuardOptions(), r).Locks; got != tc.want {
			t.Errorf("%#x, %#x: got %q, want %q", tc.first, tc.second, got, tc.want)
		}
	}
}

// TestSecondSide: without pairs, races are told apart by their second access.
func TestSecondSide(t *testing.T) {
	o := abi.PaperIGuardOptions()
	if r := collectOne(t, o, record(4, 2, 3, 7, 5, 0)); r.First.Site != 0 || r.Second.Site != 7 || r.Count != 5 {
		t.Errorf("%+v", r)
	}
}

// TestNeighbours: the detector says when it may have taken neighbours for one
// another.
func TestNeighbours(t *testing.T) {
	for _, tc := range []struct {
		granularity int
		size        uint32
		want        string
	}{
		{4, 4, "iGUARD R3"},
		{4, 8, "iGUARD R3"},
		{1, 1, "iGUARD R3"},
		{4, 1, "iGUARD R3; neighbours within 4 bytes are not told apart unless granularity=1"},
		{4, 2, "iGUARD R3; neighbours within 4 bytes are not told apart unless granularity=1"},
		{16, 8, "iGUARD R3; neighbours within 16 bytes are not told apart unless granularity=8"},
	} {
		o := abi.DefaultIGuardOptions()
		o.Granularity = tc.granularity
		r := record(3, 1, 1, 2, 1, 0)
		binary.LittleEndian.PutUint32(r[48:], tc.size)
		if got := collectOne(t, o, r).Detail; got != tc.want {
			t.Errorf("granularity %d, size %d: got %q, want %q", tc.granularity, tc.size, got, tc.want)
		}
	}
}

// collectOne is the race that one record becomes.
func collectOne(t *testing.T, o abi.IGuardOptions, record []byte) detect.Race {
	t.Helper()
	dev, g := newFakeDevice(t), detector(t, o)
	if err := g.Prepare(dev, detect.LaunchShape{Grid: [3]uint32{3, 2, 1}, Block: [3]uint32{8, 5, 1}, LargestAllocation: 64, Slots: 6}); err != nil {
		t.Fatal(err)
	}
	if err := dev.Write(dev.state64(stateRaces), record); err != nil {
		t.Fatal(err)
	}
	dev.set32(t, stateFound, 1)
	races, err := g.Collect(dev)
	if err != nil || len(races) != 1 {
		t.Fatalf("%v, %v", races, err)
	}
	return races[0]
}
