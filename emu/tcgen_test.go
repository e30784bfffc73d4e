package emu_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// The tensor memory of a block: 128 lanes of 512 cells.
const (
	tensorLanes   = 128
	tensorColumns = 512
	tensorShared  = 65536 // bytes of shared memory of a block in tensorKernel
)

// tensorKernel fills shared and tensor memory of its blocks, has one thread execute something, and
// writes the tensor memory back.
const tensorKernel = `.version 8.8
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 s[];
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2) {
	.reg .pred %%p<8>; .reg .b16 %%h<4>; .reg .b32 %%r<64>; .reg .b64 %%q<16>;
	.shared .align 8 .b64 bar; .shared .align 4 .b32 slot;
	mov.u32 %%r0, %%tid.x; shr.u32 %%r1, %%r0, 5; mov.u32 %%r2, %%cluster_ctarank; mov.u32 %%r3, s;
	ld.param.u64 %%q0, [p0]; mad.wide.u32 %%q0, %%r2, 65536, %%q0;
	ld.param.u64 %%q1, [p1]; mad.wide.u32 %%q1, %%r2, 262144, %%q1; mad.wide.u32 %%q1, %%r0, 2048, %%q1;
	ld.param.u64 %%q2, [p2]; mad.wide.u32 %%q2, %%r2, 262144, %%q2; mad.wide.u32 %%q2, %%r0, 2048, %%q2;
	shl.b32 %%r4, %%r0, 2;
IMAGE:
	cvt.u64.u32 %%q3, %%r4; add.u64 %%q3, %%q0, %%q3; ld.global.b32 %%r5, [%%q3];
	add.u32 %%r6, %%r3, %%r4; st.shared.b32 [%%r6], %%r5;
	add.u32 %%r4, %%r4, 512; setp.lt.u32 %%p0, %%r4, 65536; @%%p0 bra IMAGE;
	setp.ne.u32 %%p1, %%r1, 0; setp.ne.u32 %%p2, %%r0, 0;
	@%%p2 bra NOBAR; mbarrier.init.shared.b64 [bar], 1; NOBAR:
	@%%p1 bra NOALLOC; tcgen05.alloc.cta_group::%[2]d.sync.aligned.shared::cta.b32 [slot], 512; NOALLOC:
	fence.proxy.async; bar.sync 0;
	ld.shared.b32 %%r7, [slot]; shl.b32 %%r8, %%r1, 21; add.u32 %%r8, %%r7, %%r8;
	mov.u32 %%r9, 0;
FILL:
	mad.wide.u32 %%q3, %%r9, 4, %%q1; ld.global.b32 %%r10, [%%q3]; add.u32 %%r11, %%r8, %%r9;
	tcgen05.st.sync.aligned.32x32b.x1.b32 [%%r11], {%%r10};
	add.u32 %%r9, %%r9, 1; setp.lt.u32 %%p0, %%r9, 512; @%%p0 bra FILL;
	tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync;
	barrier.cluster.arrive; barrier.cluster.wait; tcgen05.fence::after_thread_sync;
	setp.ne.u32 %%p3, %%r2, 0; or.pred %%p3, %%p2, %%p3; @%%p3 bra AFTER;
	%[1]s
	tcgen05.commit.cta_group::%[2]d.mbarrier::arrive::one.shared::cluster.b64 [bar];
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %%p4, [bar], 0; @!%%p4 bra WAIT;
AFTER:
	barrier.cluster.arrive; barrier.cluster.wait; tcgen05.fence::after_thread_sync;
	%[3]s
	mov.u32 %%r9, 0;
READ:
	add.u32 %%r11, %%r8, %%r9; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%r10}, [%%r11]; tcgen05.wait::ld.sync.aligned;
	mad.wide.u32 %%q3, %%r9, 4, %%q2; st.global.b32 [%%q3], %%r10;
	add.u32 %%r9, %%r9, 1; setp.lt.u32 %%p0, %%r9, 512; @%%p0 bra READ;
	tcgen05.fence::before_thread_sync; bar.sync 0;
	@%%p1 bra END; tcgen05.relinquish_alloc_permit.cta_group::%[2]d.sync.aligned; tcgen05.dealloc.cta_group::%[2]d.sync.aligned.b32 %%r7, 512; END: ret;
}
`

// tensorRun is a run of tensorKernel by one block, or a pair.
type tensorRun struct {
	op, warps string   // of one thread; of all warps after it
	shared    [][]byte // of each block
	cells     [][]uint32
	cfg       emu.Config
	target    string // sm_100a if empty
}

// run returns the cells of the blocks afterwards.
func (c *tensorRun) run(t *testing.T) [][]uint32 {
	t.Helper()
	n := len(c.shared)
	text := fmt.Sprintf(tensorKernel, c.op, n, c.warps)
	if c.target != "" {
		text = strings.Replace(text, "sm_100a", c.target, 1)
	}
	m := loadWith(t, text, c.cfg)
	var image, cells []byte
	for i := range n {
		image = append(image, c.shared[i]...)
		for _, v := range c.cells[i] {
			cells = binary.LittleEndian.AppendUint32(cells, v)
		}
	}
	bufs := writeAll(t, m, image, cells, make([]byte, len(cells)))
	clean(t, launchShared(t, m, uint32(n), 128, tensorShared, bufs...))
	all := words(t, m, bufs[2], n*tensorLanes*tensorColumns)
	var got [][]uint32
	for i := range n {
		got = append(got, all[i*tensorLanes*tensorColumns:][:tensorLanes*tensorColumns])
	}
	return got
}

// launchShared launches a cluster of blocks with dynamic shared memory.
func launchShared(t *testing.T, m *emu.Machine, blocks, threads uint32, shared uint64, params ...uint64) *emu.Result {
	t.Helper()
	r, err := m.Launch(context.Background(), emu.LaunchConfig{
		Kernel: "k", Grid: dim(blocks), Block: dim(threads), Cluster: dim(blocks), Shared: shared, Params: args(params...),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// randomCells is a tensor memory full of something.
func randomCells(rng *rand.Rand) []uint32 {
	cells := make([]uint32, tensorLanes*tensorColumns)
	for i := range cells {
		cells[i] = rng.Uint32()
	}
	return cells
}

// tensorMoves are cells that a thread and a register of it stand for, by the manual's figures: for a
// register of 32 bits, of a warp whose lanes begin at 0.
var tensorMoves = []struct {
	shape string
	per   int // registers for x1
	most  int
	cell  func(thread, reg int) (lane, column int)
}{
	{"32x32b", 1, 128, func(thread, reg int) (int, int) { return thread, reg }},
	{"16x64b", 1, 128, func(thread, reg int) (int, int) { // T0 has the first row, T1 the ninth, T2 what is right of T0's
		rows := []int{0, 8, 0, 8}
		return thread/4 + rows[thread%4], []int{0, 0, 1, 1}[thread%4] + 2*reg
	}},
	{"16x128b", 2, 64, func(thread, reg int) (int, int) { return thread/4 + []int{0, 8}[reg&1], thread%4 + reg/2*4 }},
	{"16x256b", 4, 32, func(thread, reg int) (int, int) {
		return thread/4 + []int{0, 0, 8, 8}[reg&3], thread%4*2 + reg&1 + reg/4*8
	}},
	{"16x32bx2", 1, 128, func(thread, reg int) (int, int) { return thread % 16, reg + thread/16*128 }},
}

// TestTensorLoadsAndStores: each shape with every repetition, packed and not, loads what the figures
// say, and stores it elsewhere.
func TestTensorLoadsAndStores(t *testing.T) {
	for _, c := range tensorMoves {
		for num := 1; num <= c.most; num *= 2 {
			for _, packed := range []bool{false, true} {
				if packed && num*c.per > 64 {
					continue // the columns are not so many
				}
				t.Run(fmt.Sprintf("%s.x%d.%v", c.shape, num, packed), func(t *testing.T) {
					regs := list("%v", num*c.per)
					pack, unpack, split, wide := "", "", "", 1
					if packed {
						pack, unpack, wide = ".pack::16b", ".unpack::16b", 2
					}
					if c.shape == "16x32bx2" {
						split = ", 128"
					}
					lane := 0
					if c.shape != "32x32b" {
						lane = 16
					}
					// from column 0 to column 256
					op := fmt.Sprintf(`.reg .b32 %%v<%d>; add.u32 %%r20, %%r8, %d; add.u32 %%r21, %%r8, %d;
	tcgen05.ld.sync.aligned.%s.x%d%s.b32 %s, [%%r20]%s; tcgen05.wait::ld.sync.aligned;
	tcgen05.st.sync.aligned.%s.x%d%s.b32 [%%r21]%s, %s; tcgen05.wait::st.sync.aligned;`, num*c.per, lane<<16, lane<<16+256, c.shape, num, pack, regs, split, c.shape, num, unpack, split, regs)
					rng := rand.New(rand.NewPCG(5, 6))
					cells := randomCells(rng)
					want := append([]uint32(nil), cells...)
					for warp := range 4 {
						for thread := range 32 {
							for reg := range num * c.per {
								row, column := c.cell(thread, reg)
								if packed && c.shape == "16x32bx2" {
									column += reg // the halves stay where they are
								} else if packed {
									column *= 2
								}
								for k := range wide {
									from := (32*warp+lane+row)*tensorColumns + column + k
									want[from+256] = cells[from]
									if packed {
										want[from+256] &= 0xffff
									}
								}
							}
						}
					}
					r := tensorRun{warps: op, shared: [][]byte{make([]byte, tensorShared)}, cells: [][]uint32{cells}, cfg: emu.Config{LateAsync: num == 4}}
					compareCells(t, r.run(t)[0], want)
				})
			}
		}
	}
}

func compareCells(t *testing.T, got, want []uint32) {
	t.Helper()
	for i, v := range got {
		if v != want[i] {
			t.Fatalf("lane %d, column %d: got 0x%x, want 0x%x", i/tensorColumns, i%tensorColumns, v, want[i])
		}
	}
}

// sharedDescriptor is a descriptor of tcgen05 for a matrix at a byte of the image.
func (p *placing) tensorDescriptor(at int) string {
	mode := map[uint64]uint64{0: 0, 1: 2, 2: 4, 3: 6}[p.mode]
	rest := mode<<61 | p.base<<49 | 1<<46 | uint64(p.stride/16)<<32
	if p.next == 0 {
		rest |= uint64(p.leading/16) << 16
	}
	text := fmt.Sprintf("add.u32 %%r20, %%r3, %d; bfe.u32 %%r20, %%r20, 4, 14; cvt.u64.u32 %%q10, %%r20; or.b64 %%q10, %%q10, 0x%x;", at+p.start, rest)
	if p.next > 0 {
		text += fmt.Sprintf("add.u32 %%r20, %%r3, %d; bfe.u32 %%r20, %%r20, 4, 14; cvt.u64.u32 %%q13, %%r20; shl.b64 %%q13, %%q13, 16; or.b64 %%q10, %%q10, %%q13; or.b64 %%q10, %%q10, 0x%x;", at+p.next, uint64(1)<<52)
	}
	return text
}

// TestTensorCopies: every shape and multicast of tcgen05.cp, with decompression and without, by one
// block and by two.
func TestTensorCopies(t *testing.T) {
	for _, c := range []struct {
		shape string
		rows  int
		bytes int // of a row
		lanes func(row int) []int
	}{
		{"128x256b", 128, 32, func(row int) []int { return []int{row} }},
		{"128x128b", 128, 16, func(row int) []int { return []int{row} }},
		{"4x256b", 4, 32, func(row int) []int { return []int{32 * row} }},
		{"64x128b.warpx2::02_13", 64, 16, func(row int) []int { return []int{row, row + 64} }},
		{"64x128b.warpx2::01_23", 64, 16, func(row int) []int { return []int{row%32 + row/32*64, row%32 + row/32*64 + 32} }},
		{"32x128b.warpx4", 32, 16, func(row int) []int { return []int{row, row + 32, row + 64, row + 96} }},
	} {
		for _, format := range []string{"", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32"} {
			for blocks := 1; blocks <= 2; blocks++ {
				t.Run(fmt.Sprint(c.shape, format, blocks), func(t *testing.T) {
					p := rowMajor(32, 0)
					if c.bytes == 16 {
						p = cores(128, 256)
					}
					rng := rand.New(rand.NewPCG(7, 8))
					var r tensorRun
					var want [][]uint32
					for range blocks {
						image, cells := make([]byte, tensorShared), randomCells(rng)
						for i := range image {
							image[i] = byte(rng.Uint32())
						}
						after := append([]uint32(nil), cells...)
						for row := range c.rows {
							for b := range c.bytes {
								v := image[p.at(row, b)]
								if format != "" {
									bits := int(format[8] - '0')
									at := b % 16 * bits
									v = 0
									for k := range bits { // of the element, which stands in the middle of a byte
										bit := image[p.at(row, b/16*16+(at+k)/8)] >> ((at + k) % 8) & 1
										v |= bit << (k + (8-bits)/2)
									}
								}
								for _, lane := range c.lanes(row) {
									cell := &after[lane*tensorColumns+40+b/4]
									*cell = *cell&^(0xff<<(b%4*8)) | uint32(v)<<(b%4*8)
								}
							}
						}
						r.shared, r.cells, want = append(r.shared, image), append(r.cells, cells), append(want, after)
					}
					r.op = p.tensorDescriptor(0) + fmt.Sprintf("add.u32 %%r21, %%r7, 40; tcgen05.cp.cta_group::%d.%s%s [%%r21], %%q10;", blocks, c.shape, format)
					r.cfg.LateAsync = format == ""
					for i, got := range r.run(t) {
						compareCells(t, got, want[i])
					}
				})
			}
		}
	}
}

// TestTensorReductions: tcgen05.ld.red loads, and each lane reduces the values that it has loaded.
func TestTensorReductions(t *testing.T) {
	const minus, nan = 1 << 31, 0x7fc00000
	f := math.Float32bits
	for _, c := range []struct {
		op   string
		in   [4]uint32
		want uint32
	}{
		{"min.u32", [4]uint32{7, 3, 1 << 31, 5}, 3},
		{"min.s32", [4]uint32{7, 3, 1 << 31, 5}, 1 << 31},
		{"max.u32", [4]uint32{7, 3, 1 << 31, 5}, 1 << 31},
		{"max.s32", [4]uint32{7, 3, 1 << 31, 5}, 7},
		{"min.f32", [4]uint32{f(1), f(-2), nan, f(.5)}, f(-2)},
		{"max.f32", [4]uint32{f(1), f(-2), nan, f(.5)}, f(1)},
		{"max.abs.f32", [4]uint32{f(1), f(-2), nan, f(.5)}, f(2)},
		{"min.abs.NaN.f32", [4]uint32{f(1), f(-2), nan | minus, f(.5)}, 0x7fffffff},
	} {
		for _, shape := range []string{"32x32b", "16x32bx2"} {
			split := ""
			if shape == "16x32bx2" {
				split = ", 4"
			}
			cells := randomCells(rand.New(rand.NewPCG(13, 14)))
			for lane := range tensorLanes {
				for i, v := range c.in {
					cells[lane*tensorColumns+(i+lane)%4] = v
					cells[lane*tensorColumns+4+(i+lane)%4] = v
				}
			}
			op := fmt.Sprintf("tcgen05.ld.red.sync.aligned.%s.x4.%s {%%r20, %%r21, %%r22, %%r23}, %%r24, [%%r8]%s; tcgen05.wait::ld.sync.aligned; tcgen05.st.sync.aligned.32x32b.x1.b32 [%%r8], {%%r24}; tcgen05.wait::st.sync.aligned;",
				shape, c.op, split)
			if strings.HasSuffix(c.op, "f32") {
				op = ".reg .f32 %f; " + strings.Replace(op, "%r24, [", "%f, [", 1)
				op = strings.Replace(op, "; tcgen05.st", "; mov.b32 %r24, %f; tcgen05.st", 1)
			}
			r := tensorRun{warps: op, target: "sm_103a", shared: [][]byte{make([]byte, tensorShared)}, cells: [][]uint32{cells}}
			got := r.run(t)[0]
			for lane := range tensorLanes {
				if v := got[lane*tensorColumns]; v != c.want {
					t.Fatalf("%s %s, lane %d: got 0x%x, want 0x%x", shape, c.op, lane, v, c.want)
				}
			}
		}
	}
}

// TestTensorShift: each lane of a quarter except the last receives the next lane's contents of eight columns.
func TestTensorShift(t *testing.T) {
	cells := randomCells(rand.New(rand.NewPCG(9, 10)))
	want := append([]uint32(nil), cells...)
	for row := range 31 {
		copy(want[(64+row)*tensorColumns+16:][:8], cells[(64+row+1)*tensorColumns+16:])
	}
	r := tensorRun{op: "add.u32 %r21, %r7, 0x400010; tcgen05.shift.cta_group::1.down [%r21];", shared: [][]byte{make([]byte, tensorShared)}, cells: [][]uint32{cells}}
	compareCells(t, r.run(t)[0], want)
}

// tensorProgram is a kernel of one warp around some instructions of tcgen05.
func tensorProgram(body string) string {
	return `.version 8.8
.target sm_100a
.address_size 64
.visible .entry k() {
	.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %q<4>; .shared .align 8 .b64 bar; .shared .align 4 .b32 slot, other;
	mov.u32 %r0, %tid.x; mov.b32 %r2, 0; mov.b64 %q0, 0x400000000000; setp.eq.u32 %p0, %r0, 0; setp.lt.u32 %p1, %r0, 32;
` + body + "\nret; }"
}

// TestTensorMemoryOwnQuarter: an address with a lane of the first quarter is one in the quarter of the warp that loads
// or stores, with which each of four warps copies its lanes to the next column, and lanes 16 to 31 of them from two
// columns to the next two.
func TestTensorMemoryOwnQuarter(t *testing.T) {
	cells := randomCells(rand.New(rand.NewPCG(1, 2)))
	run := tensorRun{shared: [][]byte{make([]byte, tensorShared)}, cells: [][]uint32{cells}, warps: `
	add.u32 %r20, %r7, 1;
	tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r21}, [%r7]; tcgen05.wait::ld.sync.aligned;
	tcgen05.st.sync.aligned.32x32b.x1.b32 [%r20], {%r21}; tcgen05.wait::st.sync.aligned;
	add.u32 %r22, %r7, 0x100008; add.u32 %r23, %r7, 0x10000a;
	tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r24}, [%r22]; tcgen05.wait::ld.sync.aligned;
	tcgen05.st.sync.aligned.16x64b.x1.b32 [%r23], {%r24}; tcgen05.wait::st.sync.aligned;`}
	got := run.run(t)[0]
	want := slices.Clone(cells)
	for lane := range tensorLanes {
		row := want[lane*tensorColumns:]
		if row[1] = row[0]; lane%32 >= 16 {
			row[10], row[11] = row[8], row[9]
		}
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("lane %d, column %d: %#x, expected %#x", i/tensorColumns, i%tensorColumns, got[i], want[i])
		}
	}
}

// TestTensorMemoryFaults: faults in the use of tensor memory.
func TestTensorMemoryFaults(t *testing.T) {
	const (
		alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 64; ld.shared.b32 %r1, [slot];\n"
		free  = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;\n"
		load  = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r4}, [%r3]; tcgen05.wait::ld.sync.aligned;\n"
	)
	for _, c := range []struct {
		name, body string
		threads    uint32
		class, msg string
	}{
		{"fine", alloc + "mov.b32 %r3, %r1;" + load + free, 32, "", ""},
		{"not allocated", "mov.b32 %r3, 64;" + load, 32, "out-of-bounds", "tensor memory at column 64, which has not been allocated"},
		{"beyond", alloc + "add.u32 %r3, %r1, 64;" + load + free, 32, "out-of-bounds", "tensor memory at column 64, which has not been allocated"},
		{"out of range", alloc + "add.u32 %r3, %r1, 512;" + load, 32, "out-of-bounds", "tensor memory has 128 lanes of 512 columns"},
		{"freed", alloc + free + "mov.b32 %r3, %r1;" + load, 32, "use-after-free", "tensor memory at column 0, which has been deallocated"},
		{"wrong warp", alloc + "add.u32 %r3, %r1, 0x200000;" + load, 32, "tensor-memory", "lanes 32 to 63 of tensor memory, of which warp 0 of a warpgroup can access 0 to 31"},
		{"misaligned", alloc + "add.u32 %r3, %r1, 0x80000;" + load, 32, "misaligned", "lane 8 of tensor memory"},
		{"freed twice", alloc + free + free, 32, "use-after-free", "tensor memory at column 0 has been deallocated already"},
		{"freed in part", alloc + "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;", 32, "tensor-memory", "deallocation of 32 columns at column 0, where 64 have been allocated"},
		{"freed elsewhere", alloc + "add.u32 %r1, %r1, 32;" + free, 32, "tensor-memory", "0x20 is not that of an allocation"},
		{"not freed", alloc, 32, "tensor-memory", "64 columns of tensor memory not deallocated when the block ends"},
		{"count", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 48;", 32, "tensor-memory", "48 columns, expected a power of two from 32 to 512"},
		{"larger", alloc + "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 128;", 32, "tensor-memory", "allocation of 128 columns after one of 64"},
		{"two groups", alloc + "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [bar];", 32, "tensor-memory", ".cta_group::2 after .cta_group::1 in line 7: all instructions of tcgen05 of a kernel must have one"},
		{"relinquished", "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" + alloc, 32, "tensor-memory", "after the block has relinquished the right to allocate"},
		{"full", strings.Repeat(alloc, 9), 32, "deadlock", "wait for tensor memory"},
		{"no peer", strings.ReplaceAll(alloc, "cta_group::1", "cta_group::2"), 32, "tensor-memory", "there is no peer, or it has ended"},
		{"address", alloc + "add.u32 %r3, %r1, %r0;" + load, 32, "unsupported", "the address in tensor memory is 0x0 in lane 0 and 0x1 in lane 1"},
		{"copy", "tcgen05.cp.cta_group::1.128x128b [%r2], %q0;", 1, "out-of-bounds", "which has not been allocated"},
		{"descriptor", "mov.b64 %q0, 0; tcgen05.cp.cta_group::1.128x128b [%r2], %q0;", 1, "unsupported", "matrix descriptor 0x0: bits 46 to 48 are not 0b001"},
		{"shift", "mov.b32 %r2, 0x100000; tcgen05.shift.cta_group::1.down [%r2];", 1, "misaligned", "expected a multiple of 32"},
		{"instruction descriptor", "mov.b32 %r3, 0; tcgen05.mma.cta_group::1.kind::f16 [%r2], %q0, %q0, %r3, %p0;", 1, "unsupported", "instruction descriptor 0x0: M = 0"},
		{"D", "mov.b32 %r3, 0x8040010; tcgen05.mma.cta_group::1.kind::f16 [%r2], %q0, %q0, %r3, %p0;", 1, "out-of-bounds", "D: tensor memory at column 0"},
		{"lane of D", "mov.b32 %r2, 0x100000; mov.b32 %r3, 0x8040010; tcgen05.mma.cta_group::1.kind::f16 [%r2], %q0, %q0, %r3, %p0;", 1, "misaligned", "D at lane 16 of tensor memory, for M = 128"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := loadText(t, tensorProgram(c.body))
			r := launch(t, m, 1, c.threads)
			switch {
			case c.class == "":
				clean(t, r)
			case len(r.Faults) == 0:
				t.Error("no fault")
			case r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Error(), c.msg):
				t.Errorf("got %s, want %s: %s", r.Faults[0], c.class, c.msg)
			}
		})
	}
}

// TestTensorMemoryWaits: an allocation waits until another warp has deallocated.
func TestTensorMemoryWaits(t *testing.T) {
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		m := loadWith(t, tensorProgram(`
	@!%p1 bra SECOND;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512; ld.shared.b32 %r1, [slot]; bar.sync 0;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 512; bra END;
SECOND:	bar.sync 0; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [other], 512; ld.shared.b32 %r1, [other];
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 512; END:`), cfg)
		clean(t, launch(t, m, 1, 64))
	})
}

// TestTensorLateStore: a store is in flight until tcgen05.wait::st, and a store in flight when the memory is freed is
// dropped.
func TestTensorLateStore(t *testing.T) {
	m := loadWith(t, tensorProgram(`
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32; ld.shared.b32 %r1, [slot];
	tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r0};
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32; tcgen05.wait::st.sync.aligned;`), emu.Config{LateAsync: true})
	r := launch(t, m, 1, 32)
	if len(r.Faults) != 1 || r.Faults[0].Class != "use-after-free" || r.Faults[0].Inst.Instr.Name != "tcgen05" {
		t.Errorf("%v", r.Faults)
	}
}
