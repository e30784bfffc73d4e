package emu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// tensorCase is a product by tcgen05.mma.
type tensorCase struct {
	kind, a, b, d  string // types
	m, n           int
	inA, inB       placing
	tensorA        bool // A in tensor memory
	sparse, ws     bool
	blocks         int    // that take part; 0 is 1
	scale          string // type of scale factors
	vec            string // modifier that says how many
	idA, idB       int    // of the scale factors
	negA, negB     bool
	zero           bool // D is not added,
	scaleD         int  // or scaled
	disable        bool // some lanes of D are not written
	saturate       bool
	selector       int
	zeroMask       uint64
	lane           int // of D
	collector      string
	wantMask       func(col int) bool // columns of B that count as zero
	shift          int
	wide, lateness bool
	long           bool // K is 96
	down           bool // .ashift
}

// tensorTypes are the types of multiplicands: bits, the number in instruction descriptors, and how a
// value is written.
var tensorTypes = map[string]struct {
	bits   int
	number uint32
	encode func(x float64) uint64
}{
	"f16":  {16, 0, func(x float64) uint64 { return num.F16.FromFloat64(x, num.RN) }},
	"bf16": {16, 1, func(x float64) uint64 { return num.BF16.FromFloat64(x, num.RN) }},
	"tf32": {32, 2, func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) | 0xfff }}, // low bits are ignored
	"e4m3": {8, 0, func(x float64) uint64 { return num.E4M3.FromFloat64(x, num.RN) }},
	"e5m2": {8, 1, func(x float64) uint64 { return num.E5M2.FromFloat64(x, num.RN) }},
	"e2m3": {6, 3, func(x float64) uint64 { return num.E2M3.FromFloat64(x, num.RN) }},
	"e3m2": {6, 4, func(x float64) uint64 { return num.E3M2.FromFloat64(x, num.RN) }},
	"e2m1": {4, 5, func(x float64) uint64 { return num.E2M1.FromFloat64(x, num.RN) }},
	"u8":   {8, 0, func(x float64) uint64 { return uint64(uint8(int(x))) }},
	"s8":   {8, 1, func(x float64) uint64 { return uint64(uint8(int(x))) }},
}

// narrow reports whether elements of 4 and 6 bits stand in containers.
func (c *tensorCase) narrow() bool { return strings.HasSuffix(c.kind, "f8f6f4") }

// k is that of the product.
func (c *tensorCase) k() int {
	k := map[string]int{"f16": 16, "tf32": 8, "i8": 32, "f8f6f4": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}[c.kind]
	if c.long {
		return 96
	}
	return k * (1 + pick(c.sparse, 1))
}

func (c *tensorCase) stored() int { return c.k() / (1 + pick(c.sparse, 1)) }

func (c *tensorCase) pair() bool { return c.blocks == 2 }

// place is where an element of D is: block, lane, column (PTX ISA, "Data Path Layout Organization").
func (c *tensorCase) place(row, col int) (block, lane, column int) {
	if c.pair() {
		block, row = row/(c.m/2), row%(c.m/2)
	}
	switch {
	case c.ws && c.m == 32: // layout G
		return block, row + col/(c.n/4)*32, col % (c.n / 4)
	case c.ws && c.m == 64: // layout E
		return block, row + col/(c.n/2)*64, col % (c.n / 2)
	case c.pair() && c.m == 128 && !c.sparse: // layout B
		return block, row + col/(c.n/2)*64, col % (c.n / 2)
	case c.m == 64, c.pair() && c.m == 128: // layouts F and C
		return block, row%16 + row/16*32, col
	}
	return block, row, col // layouts A and D
}

// copies are the lanes, with their block, that hold what belongs to a row, once for each group of
// columns.
func (c *tensorCase) copies(row int) (block int, lanes []int) {
	for col := range c.n {
		b, lane, _ := c.place(row, col)
		if block = b; !slices.Contains(lanes, lane) {
			lanes = append(lanes, lane)
		}
	}
	return block, lanes
}

// Columns of tensor memory: of D, A, metadata and scale factors.
const (
	columnD = 0
	columnA = 256
	columnE = 320
	columnS = 384 // of A's factors
	columnT = 400 // of B's
)

// tensorMatrix is random multiples of a half, or integers.
func (c *tensorCase) matrix(rng *rand.Rand, rows, k int, t string) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		for range k {
			v := float64(rng.IntN(7) - 3)
			switch t {
			case "u8":
				v += 3
			case "s8":
			default:
				v /= 2
			}
			m[i] = append(m[i], v)
		}
	}
	return m
}

// write lays a matrix out in shared memory.
func (c *tensorCase) write(image []byte, p *placing, m [][]float64, t string) {
	f := tensorTypes[t]
	for row := range m {
		for k, v := range m[row] {
			y, x := row, k
			if p.trans {
				y, x = k, row
			}
			at, bit := x*f.bits/8, x*f.bits%8
			if c.narrow() { // 16 elements in 16 bytes, and padding behind them
				at, bit = x/16*16+x%16*f.bits/8, x%16*f.bits%8
			}
			for i := range f.bits {
				b := bit + i
				image[p.at(y, at+b/8)] |= byte(f.encode(v)>>i&1) << (b % 8)
			}
		}
	}
}

// tensorCases are all kinds, in all layouts.
func tensorCases() []tensorCase {
	rows, narrowRows := rowMajor(128, 0), rowMajor(64, 0)
	plain := cores(128, 256)
	cases := []tensorCase{
		{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 64, inA: rows, inB: rows},
		{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 256, inA: rowMajor(128, 64), inB: rowMajor(128, 32), lateness: true},
		{kind: "f16", a: "bf16", b: "bf16", d: "f32", m: 64, n: 8, inA: plain, inB: plain, lane: 16},
		{kind: "f16", a: "f16", b: "f16", d: "f16", m: 64, n: 24, inA: rowMajor(64, 32), inB: rowMajor(32, 0)},
		{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 32, inA: acrossCores(2048, 128), inB: acrossCores(512, 128)},
		{kind: "f16", a: "bf16", b: "bf16", d: "f32", m: 128, n: 64, inA: columnMajor(128), inB: columnMajor(64), negA: true},
		{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 64, inA: columnMajor(64), inB: columnMajor(32), negA: true, negB: true},
		{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 40, tensorA: true, inB: rows, zero: true},
		{kind: "f16", a: "f16", b: "f16", d: "f32", m: 64, n: 16, tensorA: true, inB: shifted(5), lane: 16},
		{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 16, inA: shifted(3), inB: plain, scaleD: 3, disable: true},
		{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 128, n: 32, inA: rows, inB: rowMajor(128, 32), scaleD: 1},
		{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 64, n: 8, tensorA: true, inB: plain, negB: true},
		{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 128, n: 64, inA: wideAtoms(), inB: wideAtoms(), wide: true},
		{kind: "i8", a: "s8", b: "u8", d: "s32", m: 128, n: 48, inA: rows, inB: rowMajor(64, 32)},
		{kind: "i8", a: "u8", b: "s8", d: "s32", m: 64, n: 24, tensorA: true, inB: narrowRows, saturate: true},
		{kind: "i8", a: "u8", b: "u8", d: "s32", m: 128, n: 32, inA: columnMajor(128), inB: columnMajor(32)},
		{kind: "f8f6f4", a: "e4m3", b: "e4m3", d: "f16", m: 128, n: 128, inA: columnMajor(128), inB: columnMajor(128)},
	}
	for i, a := range []string{"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"} {
		for j, b := range []string{"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"} {
			cases = append(cases,
				tensorCase{kind: "f8f6f4", a: a, b: b, d: "f32", m: 64 << (j & 1), n: 8 + 8*i, inA: rows, inB: narrowRows, tensorA: j == 2},
				tensorCase{kind: "mxf8f6f4", a: a, b: b, d: "f32", m: 128, n: 8 + 40*i, inA: rows, inB: rowMajor(32, 0), tensorA: j == 3, scale: "ue8m0", vec: []string{"", ".block32", ".scale_vec::1X"}[j%3], idA: j % 4, idB: i % 4})
		}
	}
	cases = append(cases,
		tensorCase{kind: "mxf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 64, inA: rows, inB: rows, scale: "ue8m0", vec: ".block32", long: true},
		tensorCase{kind: "mxf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 24, tensorA: true, inB: rows, scale: "ue8m0", vec: "", long: true, idA: 1, idB: 2},
		tensorCase{kind: "mxf4", a: "e2m1", b: "e2m1", d: "f32", m: 256, n: 144, inA: rows, inB: rows, blocks: 2, scale: "ue8m0", vec: ".block32", long: true, idA: 2, idB: 3},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 104, inA: rows, inB: rows, scale: "ue4m3", vec: ".block16", long: true, idB: 2},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 256, inA: rows, inB: rows, scale: "ue8m0", vec: ".block16", long: true, idA: 2, negA: true},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 256, n: 32, inA: inTwo(1), inB: inTwo(2), blocks: 2, scale: "ue4m3", vec: ".block16", long: true, idA: 2, idB: 2},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 16, inA: inTwo(2), inB: rows, scale: "ue8m0", vec: ".block32", long: true, idB: 3},

		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 32, tensorA: true, inB: rows, down: true},
		tensorCase{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 128, n: 16, tensorA: true, inB: rows, down: true, sparse: true, selector: 1, scaleD: 2},
		tensorCase{kind: "i8", a: "s8", b: "u8", d: "s32", m: 128, n: 16, tensorA: true, inB: rows, down: true, collector: ".collector::a::lastuse"},
		tensorCase{kind: "i8", a: "s8", b: "s8", d: "s32", m: 256, n: 32, tensorA: true, inB: rows, blocks: 2, down: true, sparse: true},
		tensorCase{kind: "f8f6f4", a: "e3m2", b: "e4m3", d: "f32", m: 256, n: 32, tensorA: true, inB: rows, blocks: 2, down: true, disable: true, lateness: true},
		tensorCase{kind: "f16", a: "bf16", b: "bf16", d: "f32", m: 128, n: 8, tensorA: true, inB: rows, down: true, scaleD: 1},
		tensorCase{kind: "f8f6f4", a: "e2m1", b: "e5m2", d: "f32", m: 128, n: 8, tensorA: true, inB: rows, down: true, sparse: true},
	)
	return append(cases,
		tensorCase{kind: "mxf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 64, inA: rows, inB: rows, scale: "ue8m0", idA: 2},
		tensorCase{kind: "mxf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 200, tensorA: true, inB: rows, scale: "ue8m0", vec: ".block32", idB: 2, negA: true},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 32, inA: rows, inB: rows, scale: "ue4m3", vec: ".scale_vec::4X"},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 136, inA: rows, inB: rows, scale: "ue8m0", vec: ".block16"},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 16, inA: rows, inB: rows, scale: "ue8m0", vec: ".scale_vec::2X"},

		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 32, inA: rows, inB: rows, sparse: true, selector: 1},
		tensorCase{kind: "f16", a: "bf16", b: "bf16", d: "f32", m: 64, n: 16, tensorA: true, inB: rows, sparse: true, scaleD: 2, collector: ".collector::a::fill"},
		tensorCase{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 128, n: 16, inA: rows, inB: rows, sparse: true},
		tensorCase{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 64, n: 64, inA: rows, inB: rows, sparse: true, selector: 1, lane: 16},
		tensorCase{kind: "i8", a: "s8", b: "s8", d: "s32", m: 128, n: 16, inA: rows, inB: rows, sparse: true},
		tensorCase{kind: "f8f6f4", a: "e4m3", b: "e2m1", d: "f32", m: 64, n: 16, inA: rows, inB: rows, sparse: true},
		tensorCase{kind: "f8f6f4", a: "e2m1", b: "e5m2", d: "f32", m: 128, n: 16, tensorA: true, inB: rows, sparse: true, disable: true},
		tensorCase{kind: "mxf8f6f4", a: "e3m2", b: "e4m3", d: "f32", m: 128, n: 16, inA: rows, inB: rows, sparse: true, scale: "ue8m0", idA: 1},
		tensorCase{kind: "mxf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 64, inA: rows, inB: rows, sparse: true, scale: "ue8m0"},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 128, n: 64, inA: rows, inB: rows, sparse: true, scale: "ue4m3", vec: ".block16"},

		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 32, n: 64, inA: rows, inB: rows, ws: true},
		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f16", m: 64, n: 128, inA: rows, inB: rows, ws: true, collector: ".collector::b1::fill"},
		tensorCase{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 128, n: 64, inA: rows, inB: rows, ws: true},
		tensorCase{kind: "i8", a: "s8", b: "s8", d: "s32", m: 32, n: 128, tensorA: true, inB: rows, ws: true},
		tensorCase{kind: "f8f6f4", a: "e5m2", b: "e4m3", d: "f32", m: 64, n: 64, tensorA: true, inB: rows, ws: true, sparse: true},
		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 32, n: 64, inA: rows, inB: rows, ws: true, sparse: true, selector: 1},
		// {skip, use} = {3 columns of zeros, 4 that count}, as in the manual's examples
		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 64, inA: rows, inB: rows, ws: true, zeroMask: 3<<48 | 2<<40 | 1<<39, wantMask: func(col int) bool { return col%7 >= 4 }},
		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 64, n: 64, inA: rows, inB: rows, ws: true, zeroMask: 3<<48 | 2<<40 | 1<<39 | 1<<32, wantMask: func(col int) bool {
			if col < 32 {
				return col%7 < 3
			}
			return (col-32)%7 >= 4
		}},
		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 32, n: 128, inA: rows, inB: rows, ws: true, shift: 2, zeroMask: 2<<56 | 3<<48 | 2<<40 | 1<<39 | 0b0011<<32 | 1<<24 | 2<<16 | 1<<8, wantMask: func(col int) bool {
			at := col % 32
			switch col / 32 {
			case 0: // 111 0000 111 ...
				return at%7 < 3
			case 1: // 11 0000 111 ...
				return (at+1)%7 < 3
			case 2: // 00 111 0000 ...
				return (at+2)%7 >= 4
			}
			return (at+1)%7 >= 4 // 000 111 ...
		}},

		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 256, n: 64, inA: rows, inB: rows, blocks: 2, lateness: true},
		tensorCase{kind: "f16", a: "bf16", b: "bf16", d: "f32", m: 128, n: 32, inA: rows, inB: rows, blocks: 2},
		tensorCase{kind: "f16", a: "f16", b: "f16", d: "f32", m: 128, n: 32, inA: rows, inB: rows, blocks: 2, sparse: true},
		tensorCase{kind: "tf32", a: "tf32", b: "tf32", d: "f32", m: 256, n: 16, tensorA: true, inB: rows, blocks: 2, disable: true},
		tensorCase{kind: "f8f6f4", a: "e4m3", b: "e4m3", d: "f32", m: 128, n: 32, tensorA: true, inB: rows, blocks: 2},
		tensorCase{kind: "i8", a: "s8", b: "s8", d: "s32", m: 256, n: 32, inA: rows, inB: rows, blocks: 2},
		tensorCase{kind: "mxf8f6f4", a: "e4m3", b: "e4m3", d: "f32", m: 256, n: 48, inA: rows, inB: rows, blocks: 2, scale: "ue8m0"},
		tensorCase{kind: "mxf8f6f4", a: "e4m3", b: "e4m3", d: "f32", m: 128, n: 64, inA: rows, inB: rows, blocks: 2, scale: "ue8m0", idA: 3},
		tensorCase{kind: "mxf4nvf4", a: "e2m1", b: "e2m1", d: "f32", m: 256, n: 256, inA: rows, inB: rows, blocks: 2, scale: "ue4m3", vec: ".block16", sparse: true},
	)
}

// inTwo is rows of 48 bytes at the end of lines of 128 bytes, swizzled, of which so many slices of 16 bytes are there
// and the others at the beginning of those of a second buffer.
func inTwo(slices int) placing {
	p := rowMajor(128, 0)
	p.start, p.next = 128-16*slices, tensorShared/4
	p.at = func(row, b int) int {
		if b/16 < slices {
			return chunkOf(128, row, 8-slices+b/16) + b%16
		}
		return tensorShared/4 + chunkOf(128, row, b/16-slices) + b%16
	}
	return p
}

// wideAtoms is rows along M of 128 bytes, four of which make a piece: 32 bytes of them change places.
func wideAtoms() placing {
	return placing{leading: 1024, stride: 512, trans: true, at: func(k, b int) int {
		return k/4*512 + k%4*128 + b/128*1024 + (b%128/32^k%4)*32 + b%32
	}}
}

// TestTensorProducts compares D with a product computed here, and expects all else to be unchanged.
func TestTensorProducts(t *testing.T) {
	for i, c := range tensorCases() {
		c.blocks = max(c.blocks, 1)
		t.Run(fmt.Sprintf("%d.%s.%s.%s.%dx%d", i, c.kind, c.a, c.b, c.m, c.n), func(t *testing.T) { c.test(t) })
	}
}

func (c *tensorCase) test(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	k := c.k()
	a, b := c.matrix(rng, c.m, c.stored(), c.a), c.matrix(rng, c.n+c.shift, k, c.b)
	r := tensorRun{cfg: emu.Config{LateAsync: c.lateness}, target: map[bool]string{true: "sm_103a"}[c.long]}
	for i := range c.blocks {
		image := make([]byte, tensorShared)
		rows, cols := c.m/c.blocks, (c.n+c.shift)/c.blocks
		if !c.tensorA {
			c.write(image[:tensorShared/2], &c.inA, a[i*rows:][:rows], c.a)
		}
		c.write(image[tensorShared/2:], &c.inB, b[i*cols:][:cols], c.b)
		r.shared, r.cells = append(r.shared, image), append(r.cells, randomCells(rng))
	}
	if c.tensorA {
		c.storeA(&r, a)
	}
	wide := a
	if c.sparse {
		wide = c.spread(rng, &r, a)
	}
	scalesA := c.scales(rng, &r, c.m, columnS, c.idA, func(row int, put func(block, lane, column int)) {
		block, _ := c.copies(row)
		for quarter := range 4 {
			put(block, quarter*32+row%32, row%(c.m/c.blocks)/32)
		}
	}, 4)
	scalesB := c.scales(rng, &r, c.n, columnT, c.idB, func(col int, put func(block, lane, column int)) {
		_, first, column := c.place(0, col)
		for block := range c.blocks {
			for quarter := range 4 {
				if c.pair() && c.m == 128 && quarter/2 != first/64 {
					continue // the other half of the lanes has other columns
				}
				put(block, quarter*32+column%32, column/32)
			}
		}
	}, 4+4*pick(c.n > 128, 1))
	acc := c.storeD(rng, &r)
	want := make([][]uint32, c.blocks)
	for i := range want {
		want[i] = slices.Clone(r.cells[i])
	}
	for row := range c.m {
		for col := range c.n {
			block, lane, column := c.place(row, col)
			if c.disable && lane%3 == 0 {
				continue
			}
			sum := 0.0
			for i := range k {
				y := b[col+c.shift][i]
				if c.wantMask != nil && c.wantMask(col) {
					y = 0
				}
				product := wide[row][i] * y
				if c.scale != "" {
					product *= scalesA[row][i*len(scalesA[row])/k] * scalesB[col][i*len(scalesB[col])/k]
				}
				sum += product
			}
			if c.negA != c.negB {
				sum = -sum
			}
			if !c.zero {
				sum += acc[row][col] / float64(int(1)<<c.scaleD)
			}
			want[block][(c.lane+lane)*tensorColumns+columnD+column] = c.encodeD(sum)
		}
	}
	if c.down { // all of the next lane's, once it has been multiplied
		for i := range want {
			for lane := range tensorLanes - 1 {
				copy(want[i][lane*tensorColumns+columnA:][:c.stored()*c.width()/32], r.cells[i][(lane+1)*tensorColumns+columnA:])
			}
		}
	}
	r.op = c.instructions()
	for i, got := range r.run(t) {
		compareCells(t, got, want[i])
	}
}

func (c *tensorCase) encodeD(x float64) uint32 {
	switch c.d {
	case "f32":
		return math.Float32bits(float32(x))
	case "f16":
		return uint32(num.F16.FromFloat64(x, num.RN))
	}
	if c.saturate {
		x = min(x, math.MaxInt32)
	}
	return uint32(int64(x))
}

// storeD fills D with multiples of a quarter, or with integers.
func (c *tensorCase) storeD(rng *rand.Rand, r *tensorRun) [][]float64 {
	acc := make([][]float64, c.m)
	for row := range acc {
		for col := range c.n {
			v := float64(rng.IntN(31)-15) / 4
			if c.d == "s32" {
				if v *= 4; c.saturate {
					v += math.MaxInt32 - 20
				}
			}
			acc[row] = append(acc[row], v)
			block, lane, column := c.place(row, col)
			r.cells[block][(c.lane+lane)*tensorColumns+columnD+column] = c.encodeD(v)
		}
	}
	return acc
}

// width is how many bits an element of A takes in tensor memory.
func (c *tensorCase) width() int {
	if c.narrow() {
		return 8
	}
	return tensorTypes[c.a].bits
}

// storeA puts A into tensor memory: words full of elements, those of 4 and 6 bits in the middle of
// bytes.
func (c *tensorCase) storeA(r *tensorRun, a [][]float64) {
	f := tensorTypes[c.a]
	width := c.width()
	up := (width - f.bits) / 2
	for row := range a {
		block, lanes := c.copies(row)
		for _, lane := range lanes {
			for k, v := range a[row] {
				cell := &r.cells[block][(c.lane+lane)*tensorColumns+columnA+k*width/32]
				if k*width%32 == 0 {
					*cell = 0
				}
				*cell |= uint32(f.encode(v)) << (up + k*width%32)
			}
		}
	}
}

// spread is what the stored columns of A stand for; the metadata goes to tensor memory.
func (c *tensorCase) spread(rng *rand.Rand, r *tensorRun, a [][]float64) [][]float64 {
	width, bits := 4, tensorTypes[c.a].bits
	switch c.kind {
	case "tf32":
		width = 2
	case "mxf4", "mxf4nvf4":
		width = 8
	}
	wide := make([][]float64, c.m)
	for row := range wide {
		wide[row] = make([]float64, c.k())
		for chunk := range c.k() / width {
			nibble, cols := randomChunk(rng, width)
			for i, col := range cols {
				wide[row][chunk*width+col] = a[row][chunk*width/2+i]
			}
			of, column, bit := row, chunk/8, chunk%8*4
			if bits >= 16 { // as mma.sp has it: 16 bits of rows eight apart, and the second half of K eight lanes below
				of, column, bit = row/16*16+row%8+chunk/4*8, c.selector, chunk%4*4+row/8%2*16
			}
			block, lanes := c.copies(of)
			for _, lane := range lanes {
				cell := &r.cells[block][(c.lane+lane)*tensorColumns+columnE+column]
				*cell = *cell&^(15<<bit) | nibble<<bit
			}
		}
	}
	return wide
}

// scales makes scale factors, and puts them where each says: four of a row in a column, and more so many columns on.
func (c *tensorCase) scales(rng *rand.Rand, r *tensorRun, n, first, id int, places func(i int, put func(block, lane, column int)), over int) [][]float64 {
	if c.scale == "" {
		return nil
	}
	per := 2
	switch {
	case c.kind == "mxf8f6f4":
		per = 1
	case c.vec == ".block16", c.vec == ".scale_vec::4X":
		per = 4
	}
	if c.long {
		per += per / 2
	}
	out := make([][]float64, n)
	for i := range out {
		for j := range per {
			v := math.Ldexp(1, rng.IntN(4)-1)
			code := uint32(127 + math.Log2(v))
			if c.scale == "ue4m3" {
				v *= 1.5
				code = uint32(num.E4M3.FromFloat64(v, num.RN))
			}
			out[i] = append(out[i], v)
			places(i, func(block, lane, column int) {
				bit := (id + j) % 4 * 8
				cell := &r.cells[block][lane*tensorColumns+first+column+(id+j)/4*over]
				*cell = *cell&^(0xff<<bit) | code<<bit
			})
		}
	}
	return out
}

// descriptor is the instruction descriptor.
func (c *tensorCase) descriptor() uint32 {
	bit := func(b bool, at int) uint32 { return uint32(pick(b, 1)) << at }
	a, b := tensorTypes[c.a].number, tensorTypes[c.b].number
	if c.kind == "mxf4" || c.kind == "mxf4nvf4" {
		a, b = 1, 1
	}
	v := bit(c.sparse, 2) | a<<7 | b<<10 | bit(c.negA, 13) | bit(c.negB, 14) | bit(c.inA.trans && !c.tensorA, 15) | bit(c.inB.trans, 16) | uint32(c.n/8)<<17
	if c.scale != "" {
		return v | bit(c.long, 31) | uint32(c.idB)<<4 | bit(c.scale == "ue8m0", 23) | uint32(c.m/128)<<27 | uint32(c.idA)<<29
	}
	return v | uint32(c.selector) | bit(c.saturate, 3) | map[string]uint32{"f16": 0, "f32": 1, "s32": 2}[c.d]<<4 | uint32(c.m/16)<<24
}

// instructions are the operands and the instruction.
func (c *tensorCase) instructions() string {
	var s strings.Builder
	mode := func(p *placing, text string) string {
		if c.wide {
			return strings.Replace(text, "or.b64 %q10, %q10, ", "or.b64 %q10, %q10, 0x2000000000000000; or.b64 %q10, %q10, ", 1)
		}
		return text
	}
	if !c.tensorA {
		fmt.Fprintln(&s, mode(&c.inA, c.inA.tensorDescriptor(0)), "mov.b64 %q11, %q10;")
	}
	fmt.Fprintln(&s, mode(&c.inB, c.inB.tensorDescriptor(tensorShared/2)))
	fmt.Fprintf(&s, "mov.b32 %%r30, 0x%x; add.u32 %%r31, %%r7, %d; add.u32 %%r32, %%r7, %d; add.u32 %%r33, %%r7, %d; add.u32 %%r34, %%r7, %d; add.u32 %%r35, %%r7, %d; setp.eq.u32 %%p5, 0, %d;\n",
		c.descriptor(), c.lane<<16+columnD, c.lane<<16+columnA, c.lane<<16+columnE, columnS, columnT, pick(c.zero, 1))
	ops := []string{"[%r31]", "%q11", "%q10"}
	if c.tensorA {
		ops[1] = "[%r32]"
	}
	mods := ""
	if c.ws {
		mods += ".ws"
	}
	if c.sparse {
		mods += ".sp"
		ops = append(ops, "[%r33]")
	}
	ops = append(ops, "%r30")
	mods += fmt.Sprintf(".cta_group::%d.kind::%s", c.blocks, c.kind)
	if c.scale != "" {
		mods += ".block_scale" + c.vec
		ops = append(ops, "[%r34]", "[%r35]")
	}
	if c.disable {
		var masks [4]uint32
		for lane := range 128 {
			masks[lane/32] |= uint32(pick(lane%3 == 0, 1)) << (lane % 32)
		}
		list := ""
		for i := range 4 * c.blocks {
			fmt.Fprintf(&s, "mov.b32 %%r%d, 0x%x;\n", 40+i, masks[i%4])
			list += fmt.Sprintf(", %%r%d", 40+i)
		}
		ops = append(ops, "{"+list[2:]+"}")
	} else if c.scaleD != 0 { // it stands behind masks only
		fmt.Fprintln(&s, "mov.b32 %r40, 0;")
		ops = append(ops, "{%r40, %r40, %r40, %r40}")
	}
	ops = append(ops, "%p5")
	switch {
	case c.scaleD != 0:
		ops = append(ops, fmt.Sprint(c.scaleD))
	case c.zeroMask != 0:
		fmt.Fprintf(&s, "mov.b64 %%q12, 0x%x;\n", c.zeroMask)
		ops = append(ops, "%q12")
	}
	if c.down {
		mods += ".ashift"
	}
	fmt.Fprintf(&s, "tcgen05.mma%s%s %s;", mods, c.collector, strings.Join(ops, ", "))
	return s.String()
}
