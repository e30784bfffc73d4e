package ldetector_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/ldetector"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// memory is a device with one variable, at address 16.
type memory struct {
	name string
	b    []byte
	sums map[string]uint64 // bytes allocated, by name
}

func newMemory(name string, size int) *memory {
	m := &memory{name: name, b: make([]byte, 16+size), sums: map[string]uint64{}}
	binary.LittleEndian.PutUint32(m.b[16:], abi.LDetectorVersion)
	return m
}

func (m *memory) Alloc(name string, size uint64) (uint64, error) {
	addr := uint64(len(m.b))
	m.b = append(m.b, make([]byte, size)...)
	m.sums[name] += size
	return addr, nil
}
func (m *memory) Read(addr uint64, p []byte) error  { copy(p, m.b[addr:]); return nil }
func (m *memory) Write(addr uint64, p []byte) error { copy(m.b[addr:], p); return nil }
func (m *memory) Symbol(name string) (addr, size uint64, ok bool) {
	switch {
	case name != m.name:
		return 0, 0, false
	case name == abi.LDetectorGlobals:
		return 16, abi.LDetectorGlobalsBytes, true
	}
	return 16, abi.LDetectorStateBytes, true
}

func (m *memory) word(off int) uint32 { return binary.LittleEndian.Uint32(m.b[16+off:]) }

func program(o abi.LDetectorOptions) *abi.LDetectorProgram {
	return &abi.LDetectorProgram{
		Options: o, SharedLimit: 48 << 10,
		Kernels: map[string]*abi.LDetectorKernel{"k": {}, "sized": {Sized: true}, "refused": {Refused: "clusters"}},
		Regions: []abi.LDetectorRegion{{Kernel: "k", Where: "from the entry", Accesses: []abi.LDetectorTouching{{Site: 4, Writes: true}, {Site: 5}}}},
	}
}

var shape = detect.LaunchShape{Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{80, 1, 1}, Shared: 1000}

// TestLayout: where the copies are, and how much memory they take up.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		kernel  string
		options abi.LDetectorOptions
		shared  uint64
		want    string
	}{
		{"k", abi.LDetectorOptions{}, 1000, "3 warps of 1024 bytes, union 0, bitmap 1024, owners -1, copies 1152, 4224 bytes of shared memory added"},
		{"k", abi.LDetectorOptions{Locate: true}, 1000, "3 warps of 1024 bytes, union 0, bitmap 1024, owners 1152, copies 2176, 5248 bytes of shared memory added"},
		{"k", abi.LDetectorOptions{}, 20000, "3 warps of 20096 bytes, union 0, bitmap 20096, owners -1, copies 22608, 0 bytes of shared memory added"},
		{"k", abi.LDetectorOptions{Global: true}, 1000, "3 warps of 1024 bytes, union 0, bitmap 1024, owners -1, copies 1152, 0 bytes of shared memory added"},
		{"sized", abi.LDetectorOptions{}, 1000, "3 warps of 1024 bytes, union 0, bitmap 1024, owners -1, copies 1152, 0 bytes of shared memory added"},
	} {
		d, err := ldetector.New(program(c.options))
		if err != nil {
			t.Fatal(err)
		}
		m, s := newMemory(abi.LDetectorState, abi.LDetectorStateBytes), shape
		s.Shared = c.shared
		if err := d.Launching(c.kernel, 96); err != nil {
			t.Fatal(err)
		}
		if err := d.Prepare(m, s); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%d warps of %d bytes, union %d, bitmap %d, owners %d, copies %d, %d bytes of shared memory added",
			m.word(64), m.word(40), m.word(44), m.word(48), int32(m.word(52)), m.word(56), d.DynamicShared()-96)
		if got != c.want {
			t.Errorf("%s, %+v, %d bytes:\n%s\nexpected\n%s", c.kernel, c.options, c.shared, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	d, err := ldetector.New(program(abi.LDetectorOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Launching("refused", 0); err == nil || err.Error() != "ldetector cannot check the kernel refused: clusters" {
		t.Errorf("a refused kernel: %v", err)
	}
	if err := d.Launching("other", 64); err != nil || d.DynamicShared() != 64 || d.Prepare(newMemory("", 16), shape) != nil {
		t.Errorf("a kernel without shared memory: %v", err)
	}
	if err := d.Launching("k", 0); err != nil {
		t.Fatal(err)
	}
	if err := d.Prepare(newMemory("", 16), shape); err == nil || !strings.Contains(err.Error(), "not instrumented") {
		t.Errorf("a module without the library: %v", err)
	}
	m := newMemory(abi.LDetectorState, abi.LDetectorStateBytes)
	m.b[16]++
	if err := d.Prepare(m, shape); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("another version: %v", err)
	}
	if _, err := ldetector.New(nil); err == nil {
		t.Error("no program")
	}
}

// TestCollect: records become races between all accesses that were found, or between the first
// that may be meant.
func TestCollect(t *testing.T) {
	d, err := ldetector.New(program(abi.LDetectorOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	m := newMemory(abi.LDetectorState, abi.LDetectorStateBytes)
	if err = d.Launching("k", 0); err != nil {
		t.Fatal(err)
	}
	if err = d.Prepare(m, shape); err != nil {
		t.Fatal(err)
	}
	record := func(at int, words ...uint32) {
		table := binary.LittleEndian.Uint64(m.b[16+80:])
		for i, w := range words {
			binary.LittleEndian.PutUint32(m.b[int(table)+at*abi.LDetectorRaceBytes+4*i:], w)
		}
	}
	record(3, 1, 1, 1, 2, 0, 1, 8, 4, 0, 0, 1, 7, 5, 70, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 10, 11)
	record(5, 2, 1, 1, 0, abi.LDetectorNone, 2, 0, 0, 6, 64, 2, 1)
	binary.LittleEndian.PutUint32(m.b[16+92:], 3) // one more than there was room for
	races, err := d.Collect(m)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range races {
		got = append(got, fmt.Sprintf("%d %s %v, %d %s %v, at %d, %d bytes, %d times: %s", r.First.Site, r.First.Access, r.First.Thread, r.Second.Site, r.Second.Access, r.Second.Thread, r.Address, r.Size, r.Count, r.Detail))
	}
	want := `9 write [5 0 0], 10 write [70 0 0], at 8, 4 bytes, 7 times: LDetector write-write, warps 0 and 1; region from the entry, bytes 0x8 to 0xb of shared memory
9 write [5 0 0], 11 write [70 0 0], at 8, 4 bytes, 7 times: LDetector write-write, warps 0 and 1; region from the entry, bytes 0x8 to 0xb of shared memory
4 write [0 0 0], 5 read [64 0 0], at 0, 0 bytes, 1 times: LDetector read-write, warp 2 reads; it leaves other registers and stores; region from the entry, bytes not known; the accesses are the first of the region that may be meant`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nexpected\n%s", strings.Join(got, "\n"), want)
	}
	if d.Dropped() != 1 {
		t.Errorf("%d dropped", d.Dropped())
	}
}

// TestGlobal: blocks as the unit, with a kernel that the test plays.
func TestGlobal(t *testing.T) {
	const base, size = 4096, 16
	for _, c := range []struct {
		name string
		play func(block int, p []byte) // on a block's copy
		want []string
		left byte // in byte 0
	}{
		{"apart", func(b int, p []byte) { p[b] = byte(b + 1) }, nil, 1},
		{"write-write", func(b int, p []byte) { p[0], p[1] = byte(b+1), byte(b+1) }, []string{"4 write [0 0 0], 4 write [1 0 0] at 4096, 2 bytes"}, 3},
		{"read-write", func(b int, p []byte) { p[b+1] = p[b] + 1 }, []string{"4 write [0 0 0], 5 read [1 0 0] at 4098, 1 bytes"}, 0},
	} {
		host, err := ldetector.For(program(abi.LDetectorOptions{Expand: 1 << 10, Outputs: true}))
		if err != nil {
			t.Fatal(err)
		}
		d := host.(*ldetector.Global)
		m := newMemory(abi.LDetectorGlobals, abi.LDetectorGlobalsBytes)
		m.b = append(m.b, make([]byte, 2*base)...)
		d.Objects([]detect.Region{{Name: "a", Base: base, Size: size}, {Name: "large", Base: 6000, Size: 2000}})
		if err = d.Launching("k", 0); err != nil {
			t.Fatal(err)
		}
		if err = d.Prepare(m, shape); err != nil {
			t.Fatal(err)
		}
		for again := true; again; {
			copies := binary.LittleEndian.Uint64(m.b[16+32+16:])
			for b := range 3 {
				c.play(b, m.b[int(copies)+b*size:][:size])
			}
			if again, err = d.Repeat(m); err != nil {
				t.Fatal(err)
			}
		}
		races, err := d.Collect(m)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range races {
			got = append(got, fmt.Sprintf("%d %s %v, %d %s %v at %d, %d bytes", r.First.Site, r.First.Access, r.First.Block, r.Second.Site, r.Second.Access, r.Second.Block, r.Address, r.Size))
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") || m.b[base] != c.left {
			t.Errorf("%s: %v, byte 0 is %d; expected %v, %d", c.name, got, m.b[base], c.want, c.left)
		}
		if n := d.Notes(); len(n) != 1 || !strings.Contains(n[0], "1 objects") {
			t.Errorf("%s: notes %v", c.name, n)
		}
	}
}
