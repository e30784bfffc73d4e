package emu_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// placing is a way to lay a matrix out in shared memory for wgmma. "Row" is a row of
// A or a column of B.
type placing struct {
	mode            uint64 // of swizzling, as in descriptors
	leading, stride int    // bytes
	start           int    // bytes from the beginning of the area
	trans           bool
	base            uint64                  // base offset
	next            int                     // bytes from the beginning of the area to where rows go on, 0 when they do behind each other
	at              func(row, byte int) int // of a byte of a row; of a transposed one, row is k
}

const area = 16384 // of A, and of B behind it

// cores is no swizzling: core matrices of 8 by 16 bytes, those of a row of them
// distance bytes apart.
func cores(leading, stride int) placing {
	return placing{leading: leading, stride: stride, at: func(row, b int) int {
		return row/8*stride + b/16*leading + row%8*16 + b%16
	}}
}

// chunkOf is where 16-byte chunk x of row y is in an array of rows of width bytes
// that is swizzled (CUDA programming guide, "Swizzle modes": int4
// smem[8][y][x ^ ...]).
func chunkOf(width, y, x int) int {
	switch width {
	case 32:
		return y*width + 16*(y/4%2^x)
	case 64:
		return y*width + 16*(y/2%4^x)
	}
	return y*width + 16*(y%8^x)
}

var swizzling = map[int]uint64{128: 1, 64: 2, 32: 3}

// rowMajor is rows of width bytes, swizzled, of which the multiplicand starts skip
// bytes from the left.
func rowMajor(width, skip int) placing {
	return placing{mode: swizzling[width], leading: 16, stride: 8 * width, start: skip, at: func(row, b int) int {
		return chunkOf(width, row, (b+skip)/16) + b%16
	}}
}

// shifted is rowMajor that begins lines of 128 bytes behind a multiple of what the
// pattern repeats after.
func shifted(lines int) placing {
	p := rowMajor(128, 0)
	p.start, p.base = 128*lines, uint64(lines)
	p.at = func(row, b int) int { return 128*lines + chunkOf(128, row, b/16) + b%16 }
	return p
}

// acrossCores is no swizzling, transposed: core matrices of 8 k by 16 bytes.
func acrossCores(leading, stride int) placing {
	return placing{leading: leading, stride: stride, trans: true, at: func(k, b int) int {
		return k/8*leading + b/16*stride + k%8*16 + b%16
	}}
}

// columnMajor is stripes of width bytes and 16 k, swizzled.
func columnMajor(width int) placing {
	return placing{mode: swizzling[width], leading: 16 * width, stride: 8 * width, trans: true, at: func(k, b int) int {
		return b/width*16*width + chunkOf(width, k, b%width/16) + b%16
	}}
}

// write lays m, whose elements have bits bits, out.
func (p *placing) write(image []byte, m [][]int, f format) {
	for row := range m {
		for k, v := range m[row] {
			y, x := row, k
			if p.trans {
				y, x = k, row
			}
			bit := x * f.bits
			at, word := p.at(y, bit/8), f.encode(v)<<(bit%8)
			for i := range (f.bits + 7) / 8 {
				image[at+i] |= byte(word >> (8 * i))
			}
		}
	}
}

// descriptor is the upper bits of the descriptor.
func (p *placing) descriptor() uint64 {
	return p.mode<<62 | p.base<<49 | uint64(p.stride/16)<<32 | uint64(p.leading/16)<<16
}

// groupCase is a product of matrices by wgmma.
type groupCase struct {
	types          string // d.a.b
	n, k           int
	a, b           placing
	aRegs          bool // A in registers
	scaleA, scaleB int  // 0 where there is none
	zero           bool // no accumulator
	c              int  // added to it
	sparse         bool // A is, and k counts all of its columns
	selector       int  // of metadata
}

var groupCases = []groupCase{
	{types: "f32.f16.f16", n: 8, k: 16, a: cores(128, 256), b: cores(128, 256), scaleA: 1, scaleB: 1},
	{types: "f32.f16.f16", n: 32, k: 16, a: cores(1024, 128), b: cores(512, 128), scaleA: 1, scaleB: -1},
	{types: "f32.f16.f16", n: 64, k: 16, a: rowMajor(128, 0), b: rowMajor(128, 64), scaleA: 1, scaleB: 1},
	{types: "f32.f16.f16", n: 64, k: 16, aRegs: true, b: rowMajor(128, 96), scaleA: -1, scaleB: 1},
	{types: "f32.f16.f16", n: 256, k: 16, aRegs: true, b: rowMajor(32, 0), scaleA: 1, scaleB: 1},
	{types: "f16.f16.f16", n: 24, k: 16, a: rowMajor(64, 32), b: rowMajor(32, 0), scaleA: -1, scaleB: -1},
	{types: "f32.bf16.bf16", n: 16, k: 16, aRegs: true, b: cores(128, 256), scaleA: 1, scaleB: 1, zero: true},
	{types: "f32.f16.f16", n: 16, k: 16, a: shifted(3), b: shifted(5), scaleA: 1, scaleB: 1},
	{types: "f32.f16.f16", n: 32, k: 16, a: acrossCores(1024, 128), b: acrossCores(128, 256), scaleA: 1, scaleB: 1},
	{types: "f32.f16.f16", n: 128, k: 16, a: columnMajor(128), b: columnMajor(128), scaleA: 1, scaleB: 1},
	{types: "f32.bf16.bf16", n: 64, k: 16, a: columnMajor(64), b: columnMajor(32), scaleA: 1, scaleB: 1},
	{types: "f16.f16.f16", n: 64, k: 16, aRegs: true, b: columnMajor(64), scaleA: 1, scaleB: 1},
	{types: "f32.f16.f16", n: 64, k: 16, a: rowMajor(128, 32), b: columnMajor(128), scaleA: 1, scaleB: 1},
	{types: "f32.tf32.tf32", n: 16, k: 8, a: rowMajor(128, 32), b: cores(128, 256), scaleA: 1, scaleB: 1},
	{types: "f32.tf32.tf32", n: 16, k: 8, aRegs: true, b: rowMajor(64, 0), scaleA: -1, scaleB: 1},
	{types: "f32.e4m3.e5m2", n: 40, k: 32, a: cores(128, 256), b: rowMajor(128, 0), scaleA: 1, scaleB: 1},
	{types: "f16.e5m2.e4m3", n: 8, k: 32, aRegs: true, b: rowMajor(32, 0), scaleA: 1, scaleB: 1},
	{types: "s32.s8.u8", n: 16, k: 32, a: rowMajor(128, 96), b: rowMajor(64, 32)},
	{types: "satfinite.s32.u8.s8", n: 16, k: 32, aRegs: true, b: cores(128, 256), c: math.MaxInt32 - 20},
	{types: "s32.b1.b1", n: 24, k: 256, a: cores(128, 256), b: rowMajor(128, 0)},
	{types: "s32.b1.b1", n: 8, k: 256, aRegs: true, b: rowMajor(32, 0), zero: true},
	{types: "f32.f16.f16", n: 16, k: 32, sparse: true, a: cores(128, 256), b: cores(128, 512), scaleA: 1, scaleB: -1},
	{types: "f16.f16.f16", n: 64, k: 32, sparse: true, selector: 1, a: acrossCores(1024, 128), b: rowMajor(128, 64), scaleA: 1, scaleB: 1},
	{types: "f32.bf16.bf16", n: 24, k: 32, sparse: true, selector: 1, aRegs: true, b: rowMajor(64, 0), scaleA: 1, scaleB: 1},
	{types: "f32.f16.f16", n: 16, k: 32, sparse: true, aRegs: true, b: rowMajor(64, 0), scaleA: 1, scaleB: 1},
	{types: "f32.bf16.bf16", n: 16, k: 32, sparse: true, a: cores(128, 256), b: cores(128, 512), scaleA: 1, scaleB: -1},
	{types: "f32.tf32.tf32", n: 16, k: 16, sparse: true, selector: 1, a: rowMajor(128, 32), b: cores(128, 512), scaleA: 1, scaleB: 1},
	{types: "f32.tf32.tf32", n: 8, k: 16, sparse: true, aRegs: true, b: rowMajor(64, 0), scaleA: 1, scaleB: 1, zero: true},
	{types: "f32.e4m3.e5m2", n: 40, k: 64, sparse: true, a: cores(128, 256), b: rowMajor(128, 0), scaleA: 1, scaleB: 1},
	{types: "f16.e5m2.e4m3", n: 8, k: 64, sparse: true, aRegs: true, b: rowMajor(64, 0), scaleA: 1, scaleB: 1},
	{types: "s32.s8.u8", n: 16, k: 64, sparse: true, a: rowMajor(128, 96), b: rowMajor(64, 0)},
	{types: "satfinite.s32.u8.s8", n: 32, k: 64, sparse: true, aRegs: true, b: cores(128, 512), c: math.MaxInt32 - 20},
}

// groupFormat is how elements of the multiplicands are made: halves, or integers.
func groupFormat(t string) format {
	switch t {
	case "bf16":
		return format{16, func(v int) uint64 { return uint64(math.Float32bits(float32(v)/2) >> 16) }}
	case "b1":
		return format{1, func(v int) uint64 { return uint64(v & 1) }}
	}
	return formats[t]
}

// accumulatorFormat is how elements of the accumulator are made: quarters, or
// integers.
func accumulatorFormat(t string) format {
	if t == "f16" {
		return format{16, func(v int) uint64 { return num.F16.FromFloat64(float64(v)/4, num.RN) }}
	}
	return formats[t]
}

// groupA is the manual's fragment of A for elements of some bits: registers of
// neighbours, by turns of rows row and row+8.
func groupA(bits, warp int) element {
	per := 32 / bits
	return func(l, i int) (int, int) {
		return 16*warp + group(l) + pick(i/per%2 == 1, 8), inGroup(l)*per + i%per + pick(i >= 2*per, 4*per)
	}
}

// groupD is the manual's fragment of the accumulator.
func groupD(warp int) element {
	return func(l, i int) (int, int) {
		return 16*warp + group(l) + pick(i%4 >= 2, 8), i/4*8 + inGroup(l)*2 + i%2
	}
}

// TestWgmma multiplies small integers (halves, for floating point) in layouts of
// shared memory and registers, and compares with the product computed here.
func TestWgmma(t *testing.T) {
	for i, c := range groupCases {
		t.Run(fmt.Sprintf("%d.%s.n%d", i, c.types, c.n), func(t *testing.T) { c.test(t) })
	}
}

func (c *groupCase) test(t *testing.T) {
	types := strings.Split(strings.TrimPrefix(c.types, "satfinite."), ".")
	fd, fa, fb := accumulatorFormat(types[0]), groupFormat(types[1]), groupFormat(types[2])
	rng := rand.New(rand.NewPCG(3, 4))
	a, b, acc := numbers(rng, 64, c.stored()), numbers(rng, c.n, c.k), numbers(rng, 64, c.n)
	for _, row := range acc {
		for i := range row {
			row[i] += c.c
		}
	}
	image := make([]byte, 2*area)
	if !c.aRegs {
		c.a.write(image[:area], a, fa)
	}
	c.b.write(image[area:], b, fb)
	var aRegs, dRegs []byte
	for warp := range 4 {
		_, p := pack(16*c.stored()/32, fa, a, groupA(fa.bits, warp))
		_, q := pack(16*c.n/32, fd, acc, groupD(warp))
		aRegs, dRegs = append(aRegs, p...), append(dRegs, q...)
	}
	var metadata []byte
	if c.sparse {
		a, metadata = c.spread(rng, a, fa.bits, types[1])
	}
	got := c.run(t, image, aRegs, dRegs, metadata)
	for thread := range 128 {
		for i := range 16 * c.n / 32 {
			row, col := groupD(thread/32)(thread%32, i)
			want := fd.encode(c.sum(types, a[row], b[col], acc[row][col]))
			at := (thread*16*c.n/32 + i) * fd.bits / 8
			var word [8]byte
			copy(word[:], got[at:at+fd.bits/8])
			if v := binary.LittleEndian.Uint64(word[:]); v != want {
				t.Fatalf("thread %d, element %d (row %d, column %d): got %#x, want %#x", thread, i, row, col, v, want)
			}
		}
	}
}

// stored is how many columns of A are stored.
func (c *groupCase) stored() int { return c.k / (1 + pick(c.sparse, 1)) }

// spread is what the stored columns of A stand for, with zeros between them, in a random
// pattern that the metadata for each thread of the group describes.
func (c *groupCase) spread(rng *rand.Rand, a [][]int, bits int, t string) (wide [][]int, metadata []byte) {
	width := 2 + pick(bits < 32, 2) // of a chunk
	wide = make([][]int, len(a))
	meta := make([][]uint32, len(a))
	for row := range a {
		wide[row] = slices.Repeat([]int{-offset(t)}, c.k)
		for chunk := range c.k / width {
			nibble, cols := randomChunk(rng, width)
			meta[row] = append(meta[row], nibble)
			for i, col := range cols {
				wide[row][chunk*width+col] = a[row][chunk*width/2+i]
			}
		}
	}
	for warp := range 4 {
		metadata = append(metadata, packMeta(meta[16*warp:16*warp+16], bits, c.selector)...)
	}
	return wide, metadata
}

// numbers is a matrix of small numbers.
func numbers(rng *rand.Rand, rows, cols int) [][]int {
	m := make([][]int, rows)
	for i := range m {
		m[i] = make([]int, cols)
		for j := range m[i] {
			m[i][j] = rng.IntN(15) - 7
		}
	}
	return m
}

// sum is one element of the result.
func (c *groupCase) sum(types []string, a, b []int, acc int) int {
	sum := 0
	for k := range a {
		if types[1] == "b1" {
			sum += a[k] & b[k] & 1
			continue
		}
		sum += (a[k] + offset(types[1])) * (b[k] + offset(types[2]))
	}
	if c.scaleA*c.scaleB == -1 {
		sum = -sum
	}
	if !c.zero {
		sum += acc
	}
	if strings.HasPrefix(c.types, "satfinite") {
		sum = max(math.MinInt32, min(math.MaxInt32, sum))
	}
	return sum
}

// operands are those of the instruction behind d.
func (c *groupCase) operands() string {
	a := "%da"
	if c.aRegs {
		a = list("%a", 4)
	}
	s := a + ", %db, %scale"
	if c.sparse {
		s = fmt.Sprintf("%s, %%db, %%e, %d, %%scale", a, c.selector)
	}
	if c.scaleA != 0 {
		s += fmt.Sprintf(", %d, %d", c.scaleA, c.scaleB)
	}
	if strings.Contains(c.types, "f16.") && c.stored() == 16 {
		if !c.aRegs {
			s += fmt.Sprintf(", %d", pick(c.a.trans, 1))
		}
		s += fmt.Sprintf(", %d", pick(c.b.trans, 1))
	}
	return s
}

// list is a vector of n registers.
func list(prefix string, n int) string {
	regs := make([]string, n)
	for i := range regs {
		regs[i] = fmt.Sprint(prefix, i)
	}
	return "{" + strings.Join(regs, ", ") + "}"
}

// groupKernel fills shared memory from p0.
const groupKernel = `.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3) {
	.reg .pred %more, %scale; .reg .b32 %t, %i, %s, %e, %a<4>, %d<128>; .reg .b64 %p, %q, %pa, %pd, %da, %db;
	.shared .align 1024 .b8 s[33792];
	mov.u32 %t, %tid.x; mov.u32 %s, s; ld.param.u64 %p, [p0]; shl.b32 %i, %t, 2;
	add.u32 %s, %s, 1024;
again:
	cvt.u64.u32 %q, %i; add.u64 %q, %p, %q; ld.global.b32 %d0, [%q];
	add.u32 %d1, %s, %i; st.shared.b32 [%d1], %d0;
	add.u32 %i, %i, 512; setp.lt.u32 %more, %i, 32768; @%more bra again;
	bar.sync 0;
`

// run executes the case and returns the accumulators.
func (c *groupCase) run(t *testing.T, image, aRegs, dRegs, metadata []byte) []byte {
	t.Helper()
	n := len(dRegs) / 128 / 4
	var body strings.Builder
	sp := ""
	if c.sparse {
		sp = ".sp"
		body.WriteString("ld.param.u64 %pa, [p3]; mad.wide.u32 %pa, %t, 4, %pa; ld.global.b32 %e, [%pa];\n")
	}
	fmt.Fprintf(&body, "ld.param.u64 %%pa, [p1]; mad.wide.u32 %%pa, %%t, 16, %%pa; ld.global.v4.b32 %s, [%%pa];\n", list("%a", 4))
	fmt.Fprintf(&body, "ld.param.u64 %%pd, [p2]; mad.wide.u32 %%pd, %%t, %d, %%pd;\n", 4*n)
	for i := range n {
		fmt.Fprintf(&body, "ld.global.b32 %%d%d, [%%pd+%d];\n", i, 4*i)
	}
	descriptor := func(reg string, at int, layout uint64) {
		fmt.Fprintf(&body, "add.u32 %%i, %%s, %d; bfe.u32 %%i, %%i, 4, 14; cvt.u64.u32 %s, %%i; or.b64 %s, %s, 0x%x;\n", at, reg, reg, reg, layout)
	}
	if !c.aRegs {
		descriptor("%da", c.a.start, c.a.descriptor())
	}
	descriptor("%db", area+c.b.start, c.b.descriptor())
	mods := ""
	types := c.types
	switch {
	case strings.HasPrefix(types, "satfinite."):
		mods, types = ".satfinite", strings.TrimPrefix(types, "satfinite.")
	case strings.HasSuffix(types, "b1"):
		types += ".and.popc"
	}
	fmt.Fprintf(&body, `setp.eq.u32 %%scale, %d, 1;
	wgmma.fence.sync.aligned;
	wgmma.mma_async%s.sync.aligned.m64n%dk%d%s.%s %s, %s;
	wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
`, pick(!c.zero, 1), sp, c.n, c.k, mods, types, list("%d", n), c.operands())
	for i := range n {
		fmt.Fprintf(&body, "st.global.b32 [%%pd+%d], %%d%d;\n", 4*i, i)
	}
	m := load(t, groupKernel+body.String()+"ret; }", emu.Config{})
	out := writeAll(t, m, image, aRegs, dRegs, append(metadata, 0))
	clean(t, launch(t, m, 1, 128, out...))
	got := make([]byte, len(dRegs))
	if err := m.Read(out[2], got); err != nil {
		t.Fatal(err)
	}
	emu.CountResults(m, len(got)/4)
	return got
}

// writeAll makes buffers with the given contents.
func writeAll(t *testing.T, m *emu.Machine, contents ...[]byte) []uint64 {
	t.Helper()
	var addrs []uint64
	for i, b := range contents {
		addr, err := m.Alloc(fmt.Sprint("p", i), uint64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Write(addr, b); err != nil {
			t.Fatal(err)
		}
		addrs = append(addrs, addr)
	}
	return addrs
}
