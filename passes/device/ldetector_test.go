package device_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// The operations of LDetector's library on memory of any size, compared with Go's.

// operations has a kernel for each operation: of a segment, an argument, and the results of
// the threads.
func operations() string {
	var b strings.Builder
	b.WriteString(".version 6.3\n.target sm_70\n.address_size 64\n")
	for _, op := range []struct {
		name                 string
		conflict, limit, out bool
	}{
		{name: "copy_in"},
		{name: "region_diff", conflict: true},
		{name: "region_union"},
		{name: "region_combine"},
		{name: "region_merge", limit: true},
		{name: "compare_output", out: true},
		{name: "compare_merged", limit: true, out: true},
		{name: "region_commit"},
	} {
		args, decl := "a64", ".param .b64 s"
		if op.conflict {
			args, decl = "a64, b64", decl+", .param .b64 conflict"
		}
		if op.limit {
			args, decl = "a64, b32", decl+", .param .b32 limit"
		}
		call, result := "call "+library(op.name)+", ("+args+");", ""
		if op.out {
			call, result = "call (r32), "+library(op.name)+", ("+args+");\n\tld.param.b32 %r2, [r32];", "(.param .b32 result) "
		}
		fmt.Fprintf(&b, `.extern .func %s%s (%s);
.visible .entry %s(.param .u64 segment, .param .u64 out, .param .u32 limit)
{
	.param .b64 a64; .param .b64 b64; .param .b32 b32; .param .b32 r32;
	.reg .b32 %%r<4>; .reg .b64 %%rd<4>;
	ld.param.u64 %%rd1, [segment];
	ld.param.u64 %%rd2, [out];
	ld.param.u32 %%r1, [limit];
	st.param.b64 [a64], %%rd1;
	st.param.b64 [b64], %%rd2;
	st.param.b32 [b32], %%r1;
	mov.u32 %%r2, 0;
	%s
	mov.u32 %%r3, %%tid.x;
	mul.wide.u32 %%rd3, %%r3, 4;
	add.s64 %%rd2, %%rd2, %%rd3;
	@!%%p st.global.u32 [%%rd2+8], %%r2;
	ret;
}
`, result, library(op.name), decl, op.name, call)
	}
	return strings.ReplaceAll(b.String(), "@!%p ", "")
}

func library(name string) string { return "__ptxsan_ldetector_" + name }

// segment is memory as the operations have it: what is expanded are the bytes from first to
// end of the original.
type segment struct {
	g                                          *gpu
	memory                                     uint64
	original, copies, united, bitmap, owners   int // offsets in memory
	first, end, stride, threads, warps, padded int
}

const segmentRoom = 1 << 16

// place lays out a segment: offsets are multiples of 16 with anything between.
func (s *segment) place(rnd *rand.Rand) {
	at := 0
	next := func(size int) int {
		at += 16 * (1 + rnd.IntN(4))
		begin := at
		at += (size + 15) / 16 * 16
		return begin
	}
	s.padded = (s.end + 127) / 128 * 128
	s.stride = s.padded + 128*rnd.IntN(2)
	s.original, s.united, s.bitmap, s.owners = next(s.end), next(s.padded), next(s.padded/8), next(s.padded)
	s.copies = next(s.stride * s.warps)
	if at > segmentRoom {
		s.g.Fatal("no room: ", at)
	}
}

// run runs an operation on memory and returns memory and the threads' results.
func (s *segment) run(op string, memory []byte, limit int) ([]byte, []uint32) {
	s.g.Helper()
	var header []byte
	for _, at := range []int{s.original, s.copies, s.united, s.bitmap, s.owners} {
		header = binary.LittleEndian.AppendUint64(header, s.memory+64+uint64(at))
	}
	for _, v := range []int{s.first, s.end, s.stride, s.warps} {
		header = binary.LittleEndian.AppendUint32(header, uint32(v))
	}
	out := s.memory + 64 + segmentRoom
	s.g.write(s.memory, header)
	s.g.write(s.memory+64, memory)
	s.g.write(out, binary.LittleEndian.AppendUint32(nil, ^uint32(0)))
	params := binary.LittleEndian.AppendUint64(nil, s.memory)
	params = binary.LittleEndian.AppendUint64(params, out)
	params = binary.LittleEndian.AppendUint32(params, uint32(limit))
	s.g.launch(emu.LaunchConfig{Kernel: op, Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: uint32(s.threads), Y: 1, Z: 1}, Params: params})
	results := s.g.read(out, 8+4*s.threads)
	list := make([]uint32, 2+s.threads)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(results[4*i:])
	}
	return s.g.read(s.memory+64, len(memory)), list
}

// TestLDetectorOperations: sizes of 1 to 300 bytes, at any offset, of 1 to 32 warps, the last
// of them not whole.
func TestLDetectorOperations(t *testing.T) {
	g := newGPU(t, operations())
	memory := g.alloc(64 + segmentRoom + 8 + 4*1024)
	for size := 1; size <= 300; size++ {
		if testing.Short() && size%10 != 3 {
			continue
		}
		rnd := rand.New(rand.NewPCG(uint64(size), 0x6c646574))
		s := &segment{g: g, memory: memory, threads: 1 + rnd.IntN(1024)}
		if size%3 == 0 {
			s.threads = 1 + rnd.IntN(100)
		}
		s.warps = (s.threads + 31) / 32
		s.first = rnd.IntN(16)
		s.end = s.first + size
		s.place(rnd)
		s.check(rnd)
		if t.Failed() {
			t.Fatalf("%d bytes from %d on, %d threads", size, s.first, s.threads)
		}
	}
}

// check runs the operations of a region with two passes, and of a search, and compares each with its expected result.
func (s *segment) check(rnd *rand.Rand) {
	m := make([]byte, segmentRoom)
	for i := range m {
		m[i] = byte(rnd.IntN(256))
	}
	want := bytes.Clone(m)
	for w := range s.warps {
		clear(want[s.copy(w) : s.copy(w)+(s.end+15)/16*16])
		copy(want[s.copy(w)+s.first:], m[s.original+s.first:s.original+s.end])
	}
	m, _ = s.run("copy_in", m, 0)
	s.same("copy_in", m, want)

	s.modify(rnd, m, rnd.IntN(2) == 0)
	want = bytes.Clone(m)
	conflict := s.diff(want)
	m, got := s.run("region_diff", m, 0)
	s.same("region_diff", m, want)
	if got[0] != uint32(conflict) {
		s.g.Errorf("region_diff: first conflict at %d, want %d", int32(got[0]), conflict)
	}

	want = bytes.Clone(m)
	s.union(want)
	m, _ = s.run("region_union", m, 0)
	s.same("region_union", m, want)

	want = bytes.Clone(m)
	for w := range s.warps {
		s.merge(want, w, s.end, false)
	}
	combined, _ := s.run("region_combine", m, 0)
	s.same("region_combine", combined, want)

	limit := rnd.IntN(s.end + 1)
	want = bytes.Clone(m)
	for w := range s.warps {
		s.merge(want, w, limit, true)
	}
	merged, _ := s.run("region_merge", m, limit)
	s.same("region_merge", merged, want)

	s.compare(rnd, combined, merged, limit)

	want = bytes.Clone(m)
	copy(want[s.original+s.first:], m[s.united+s.first:s.united+s.end])
	m, _ = s.run("region_commit", m, 0)
	s.same("region_commit", m, want)
}

func (s *segment) copy(w int) int { return s.copies + w*s.stride }

// same compares memory, less the padding.
func (s *segment) same(op string, got, want []byte) {
	s.g.Helper()
	for i := range got {
		if got[i] != want[i] {
			s.g.Errorf("%s: byte %d is %#x, want %#x (original %d, united %d, bitmap %d, owners %d, copies %d)", op, i, got[i], want[i], s.original, s.united, s.bitmap, s.owners, s.copies)
			return
		}
	}
}

// modify changes bytes of the copies, each of one warp or of any.
func (s *segment) modify(rnd *rand.Rand, m []byte, conflicts bool) {
	for i := s.first; i < s.end; i++ {
		if rnd.IntN(3) == 0 {
			continue
		}
		m[s.copy(rnd.IntN(s.warps))+i] += byte(rnd.IntN(4))
		if conflicts && rnd.IntN(40) == 0 {
			m[s.copy(rnd.IntN(s.warps))+i]++
		}
	}
}

// modifiers returns the warps that have modified a byte.
func (s *segment) modifiers(m []byte, i int) (warps []int) {
	for w := range s.warps {
		if i >= s.first && i < s.end && m[s.copy(w)+i] != m[s.original+i] {
			warps = append(warps, w)
		}
	}
	return warps
}

// diff is region_diff.
func (s *segment) diff(m []byte) (conflict int) {
	conflict = -1
	for i := range (s.end + 15) / 16 * 16 {
		warps := s.modifiers(m, i)
		if conflict < 0 && len(warps) > 1 {
			conflict = i
		}
		s.setBit(m, i, len(warps) > 0)
		m[s.owners+i] = 0
		if len(warps) > 0 {
			m[s.owners+i] = byte(warps[0] + 1)
		}
	}
	return conflict
}

func (s *segment) setBit(m []byte, i int, on bool) {
	m[s.bitmap+i/8] &^= 1 << (i % 8)
	if on {
		m[s.bitmap+i/8] |= 1 << (i % 8)
	}
}

func (s *segment) bit(m []byte, i int) bool { return m[s.bitmap+i/8]>>(i%8)&1 == 1 }

// union is region_union.
func (s *segment) union(m []byte) {
	for i := range (s.end + 15) / 16 * 16 {
		warps := s.modifiers(m, i)
		m[s.united+i] = 0
		if i >= s.first && i < s.end {
			m[s.united+i] = m[s.original+i]
		}
		if len(warps) > 0 {
			m[s.united+i] = m[s.copy(warps[len(warps)-1])+i]
		}
		s.setBit(m, i, len(warps) > 1)
	}
}

// merge returns a warp's copy after region_merge, which reads the map of owners, or region_combine: bytes that the warp
// has not modified itself are those of the union below the limit.
func (s *segment) merge(m []byte, w, limit int, owners bool) {
	for i := range (s.end + 15) / 16 * 16 {
		var v byte
		if i >= s.first && i < s.end {
			v = m[s.original+i]
		}
		own := m[s.copy(w)+i] != v
		if owners {
			own = int(m[s.owners+i]) == w+1
		}
		if !own && i < limit {
			v = m[s.united+i]
		}
		m[s.copy(w)+i] = v
	}
}

// compare changes copies of merged segments to what they should be at the end of the pass, or
// to something else, and compares them.
func (s *segment) compare(rnd *rand.Rand, combined, merged []byte, limit int) {
	first, differs := make([]uint32, s.warps), make([]bool, s.warps)
	for w := range s.warps {
		first[w] = ^uint32(0)
		for i := s.first; i < s.end; i++ {
			a, b := &combined[s.copy(w)+i], &merged[s.copy(w)+i]
			*a = combined[s.united+i]
			if int(merged[s.owners+i]) == w+1 {
				*b = merged[s.united+i]
			}
			if rnd.IntN(200*s.warps) != 0 {
				continue
			}
			*a, *b = *a+1, *b+1
			if !s.bit(combined, i) {
				first[w], differs[w] = min(first[w], uint32(i)), true
			}
		}
	}
	_, outputs := s.run("compare_output", combined, 0)
	_, any := s.run("compare_merged", merged, limit)
	for w := range s.warps {
		got, found := ^uint32(0), false
		for thread := 32 * w; thread < min(32*w+32, s.threads); thread++ {
			got, found = min(got, outputs[2+thread]), found || any[2+thread] != 0
		}
		if got != first[w] {
			s.g.Errorf("compare_output: warp %d differs at %d, want %d", w, int32(got), int32(first[w]))
		}
		if found != differs[w] {
			s.g.Errorf("compare_merged: warp %d: %v, want %v", w, found, differs[w])
		}
	}
}

// TestLDetectorAssembles: ptxas takes the library with a kernel for each operation.
func TestLDetectorAssembles(t *testing.T) {
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("needs ptxas of the CUDA toolkit")
	}
	dir := t.TempDir()
	src := filepath.Join(dir, "k.ptx")
	if err := os.WriteFile(src, linked(t, operations()+region).Source(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(ptxas, "-arch=sm_70", "-o", filepath.Join(dir, "k.cubin"), src).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
