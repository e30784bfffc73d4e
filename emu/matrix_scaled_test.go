package emu_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// mma.sync with kinds, against products of whole matrices. Which lane holds which element is written
// down from the manual's figures of m16n8k32 with 8 bits and m16n8k64 with 4, twice as deep when A is
// sparse (PTX ISA 9.7.14.5, 9.7.14.6); where scale factors are, from "Block Scaling for mma.sync".

// tinyFloat is a format with few numbers: bits of its exponent and mantissa, and its bias.
type tinyFloat struct{ exp, man, bias int }

var tinyFloats = map[string]tinyFloat{"e4m3": {4, 3, 7}, "e5m2": {5, 2, 15}, "e3m2": {3, 2, 3}, "e2m3": {2, 3, 1}, "e2m1": {2, 1, 1}}

func (f tinyFloat) value(code uint32) float64 {
	m, e := float64(code&(1<<f.man-1)), int(code>>f.man)&(1<<f.exp-1)
	if e > 0 {
		m += math.Ldexp(1, f.man)
	}
	v := math.Ldexp(m, max(e, 1)-f.bias-f.man)
	if code>>(f.exp+f.man)&1 != 0 {
		return -v
	}
	return v
}

// random is a code of a number between 1/16 and 16, or 0.
func (f tinyFloat) random(rng *rand.Rand) uint32 {
	for {
		code := uint32(rng.IntN(1 << (1 + f.exp + f.man)))
		if v := math.Abs(f.value(code)); v == 0 || v >= 1./16 && v < 16 {
			return code
		}
	}
}

// narrowCase is a kind with its types.
type narrowCase struct {
	kind, size, dtype, ctype, atype, btype, stype string
	vec                                           int // factors of a row, 0 for none
	sparse                                        bool
}

func (c *narrowCase) packed() bool { return strings.HasPrefix(c.kind, "mxf4") }

// k is the depth of the product.
func (c *narrowCase) k() int { return 32 * (1 + btoi(c.packed())) * (1 + btoi(c.sparse)) }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// held is the bits of a code in its place in a register: 4 bits of their own, or a byte in which
// those of e2m1 stand in the middle.
func (c *narrowCase) held(typ string, code uint32) (bits uint32, width int) {
	switch {
	case c.packed():
		return code, 4
	case typ == "e2m1":
		return code << 2, 8
	}
	return code, 8
}

// factor is the value of a scale factor.
func (c *narrowCase) factor(code uint32) float64 {
	if c.stype == "ue8m0" {
		return math.Ldexp(1, int(code)-127)
	}
	return tinyFloats["e4m3"].value(code & 0x7f)
}

func (c *narrowCase) instruction() string {
	head := "mma.sync.aligned"
	if c.sparse {
		head = "mma.sp::ordered_metadata.sync.aligned"
	}
	s := fmt.Sprintf("%s.m16n8k%d.row.col.kind::%s", head, c.k(), c.kind)
	if c.vec > 0 {
		s += ".block_scale" + c.size
	}
	s += "." + c.dtype + "." + c.atype + "." + c.btype + "." + c.ctype
	if c.vec > 0 {
		s += "." + c.stype
	}
	return s
}

// record is what a lane loads: a at word 0, b at 4, c at 8, metadata at 12, factors at 13 and 14; d is
// stored at 16.
const recordWords = 20

func (c *narrowCase) kernel(firstA, threadA, firstB, threadB int) string {
	regs := func(first, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%%r%d", first+i))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	operands := []string{regs(16, 2+2*btoi(c.dtype == "f32")), regs(0, 4), regs(4, 2+2*btoi(c.sparse)), regs(8, 2+2*btoi(c.ctype == "f32"))}
	if c.sparse {
		operands = append(operands, "%r12", "0")
	}
	if c.vec > 0 {
		operands = append(operands, "%r13", fmt.Sprintf("{%d, %d}", firstA, threadA), "%r14", fmt.Sprintf("{%%h%d, %%h%d}", firstB, threadB))
	}
	var b strings.Builder
	b.WriteString(".version 9.2\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<24>; .reg .b16 %h<4>; .reg .b64 %d<4>;\n")
	fmt.Fprintf(&b, "mov.u16 %%h0, 0; mov.u16 %%h1, 1; mov.u16 %%h2, 2; mov.u16 %%h3, 3;\nmov.u32 %%r20, %%tid.x; mul.wide.u32 %%d1, %%r20, %d; ld.param.u64 %%d0, [p]; add.u64 %%d0, %%d0, %%d1;\n", 4*recordWords)
	for i := range 15 {
		fmt.Fprintf(&b, "ld.global.u32 %%r%d, [%%d0+%d];\n", i, 4*i)
	}
	for i := range 4 {
		fmt.Fprintf(&b, "mov.u32 %%r%d, 0;\n", 16+i)
	}
	fmt.Fprintf(&b, "%s %s;\n", c.instruction(), strings.Join(operands, ", "))
	for i := range 4 {
		fmt.Fprintf(&b, "st.global.u32 [%%d0+%d], %%r%d;\n", 64+4*i, 16+i)
	}
	return b.String() + "ret;\n}\n"
}

// narrowCases are all kinds with their types, dense and sparse.
func narrowCases() []narrowCase {
	var out []narrowCase
	add := func(c narrowCase) {
		out = append(out, c)
		c.sparse = true
		out = append(out, c)
	}
	all := []string{"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}
	for i, a := range all {
		b := all[(i+2)%len(all)]
		add(narrowCase{kind: "f8f6f4", dtype: "f32", ctype: "f32", atype: a, btype: b})
		add(narrowCase{kind: "f8f6f4", dtype: "f16", ctype: "f16", atype: b, btype: a})
		add(narrowCase{kind: "mxf8f6f4", size: []string{"", ".scale_vec::1X"}[i%2], dtype: "f32", ctype: "f32", atype: a, btype: b, stype: "ue8m0", vec: 1})
	}
	for _, c := range []narrowCase{
		{kind: "mxf4", stype: "ue8m0", vec: 2},
		{kind: "mxf4", size: ".scale_vec::2X", stype: "ue8m0", vec: 2},
		{kind: "mxf4nvf4", size: ".scale_vec::2X", stype: "ue8m0", vec: 2},
		{kind: "mxf4nvf4", size: ".scale_vec::4X", stype: "ue4m3", vec: 4},
		{kind: "mxf4nvf4", size: ".scale_vec::4X", stype: "ue8m0", vec: 4},
	} {
		c.dtype, c.ctype, c.atype, c.btype = "f32", "f32", "e2m1", "e2m1"
		add(c)
	}
	return out
}

func TestNarrowMMA(t *testing.T) {
	for _, c := range narrowCases() {
		for round := range 4 {
			firstA, threadA, firstB, threadB := 0, round%2, 0, 3-round
			switch c.vec {
			case 1:
				firstA, firstB = round, (round+1)%4
			case 2:
				firstA, firstB = round%2*2, round/2*2
			}
			t.Run(fmt.Sprintf("%s.%d", c.instruction(), round), func(t *testing.T) {
				c.check(t, rand.New(rand.NewPCG(uint64(round), 5)), firstA, threadA, firstB, threadB)
			})
		}
	}
}

func (c *narrowCase) check(t *testing.T, rng *rand.Rand, firstA, threadA, firstB, threadB int) {
	fa, fb, k := tinyFloats[c.atype], tinyFloats[c.btype], c.k()
	rec := make([][recordWords]uint32, 32)
	full := make([][]float64, 16) // a with its zeros
	var codes [16][]uint32        // what is stored of a
	for row := range full {
		full[row] = make([]float64, k)
		if !c.sparse {
			for col := range k {
				code := fa.random(rng)
				codes[row], full[row][col] = append(codes[row], code), fa.value(code)
			}
			continue
		}
		chunk := 4 * (1 + btoi(c.packed())) // columns, of which half are stored, in pairs when packed
		for at := 0; at < k; at += chunk {
			nibble, cols := randomChunk(rng, chunk)
			for _, col := range cols {
				code := fa.random(rng)
				codes[row], full[row][at+col] = append(codes[row], code), fa.value(code)
			}
			// A quarter of the metadata of a row is in a thread of its quad: the lower row's in the even ones.
			n := at / chunk
			lane := row%8*4 + n/8*2 + row/8
			rec[lane][12] |= nibble << (n % 8 * 4)
		}
	}
	per := 32 / 8 * (1 + btoi(c.packed())) // elements of a register
	for lane := range rec {
		g, th := lane/4, lane%4
		for i := range 4 * per { // a
			row, col := g+i/per%2*8, th*per+i%per+i/(2*per)*4*per
			bits, width := c.held(c.atype, codes[row][col])
			rec[lane][i/per] |= bits << (i % per * width)
		}
	}
	b := make([][8]float64, k)
	for lane := range rec {
		g, th := lane/4, lane%4
		for i := range k / 4 {
			code := fb.random(rng)
			bits, width := c.held(c.btype, code)
			rec[lane][4+i/per] |= bits << (i % per * width)
			b[th*per+i%per+i/per*4*per][g] = fb.value(code)
		}
	}
	acc := c.accumulators(rng, rec)
	c.scale(rng, rec, full, b, [4]int{firstA, threadA, firstB, threadB})
	m := loadWith(t, c.kernel(firstA, threadA, firstB, threadB), emu.Config{})
	buf := alloc(t, m, "buf", 32*recordWords)
	fillWords(t, m, buf, 32*recordWords, func(i int) uint32 { return rec[i/recordWords][i%recordWords] })
	clean(t, launch(t, m, 1, 32, buf))
	out := words(t, m, buf, 32*recordWords)
	for lane := range 32 {
		for i := range 4 {
			row, col := lane/4+i/2*8, lane%4*2+i%2
			sum := acc[row][col]
			for j := range k {
				sum += full[row][j] * b[j][col]
			}
			want, got := math.Float32bits(float32(sum)), out[lane*recordWords+16+i]
			if c.dtype == "f16" {
				want, got = uint32(halfOf(sum)), out[lane*recordWords+16+i/2]>>(16*(i%2))&0xffff
			}
			if got != want {
				t.Fatalf("row %d, column %d: got %#x, want %#x (%g)", row, col, got, want, sum)
			}
		}
	}
}

// accumulators fills in c: numbers that both formats have.
func (c *narrowCase) accumulators(rng *rand.Rand, rec [][recordWords]uint32) (acc [16][8]float64) {
	for lane := range rec {
		for i := range 4 {
			v := float64(rng.IntN(64)-32) / 4
			acc[lane/4+i/2*8][lane%4*2+i%2] = v
			if c.ctype == "f16" {
				rec[lane][8+i/2] |= uint32(halfOf(v)) << (16 * (i % 2))
			} else {
				rec[lane][8+i] = math.Float32bits(float32(v))
			}
		}
	}
	return acc
}

// scale makes scale factors, and multiplies a and b by those that the selectors choose.
func (c *narrowCase) scale(rng *rand.Rand, rec [][recordWords]uint32, a [][]float64, b [][8]float64, ids [4]int) {
	if c.vec == 0 {
		return
	}
	random := func() []byte {
		f := make([]byte, 4)
		for i := range f {
			if f[i] = byte(124 + rng.IntN(7)); c.stype == "ue4m3" {
				f[i] = byte(0x30 + rng.IntN(16))
			}
		}
		return f
	}
	for lane := range rec {
		rec[lane][13], rec[lane][14] = binary.LittleEndian.Uint32(random()), binary.LittleEndian.Uint32(random())
	}
	k := c.k()
	for row := range a {
		lane := row%8*4 + row/8 // of the lower pair of the quad: the upper row's is the odd one
		if ids[1] == 1 {
			lane += 2
		}
		for col := range a[row] {
			a[row][col] *= c.factor(rec[lane][13] >> (8 * (ids[0] + col/(k/c.vec))) & 0xff)
		}
	}
	for row := range b {
		for col := range b[row] {
			b[row][col] *= c.factor(rec[col*4+ids[3]][14] >> (8 * (ids[2] + row/(k/c.vec))) & 0xff)
		}
	}
}

// halfOf is x rounded to f16: here always a normal number or 0.
func halfOf(x float64) uint16 {
	if x == 0 {
		return 0
	}
	frac, exp := math.Frexp(math.Abs(x))
	m := int(math.RoundToEven(math.Ldexp(frac, 11))) // 1024 to 2048
	bits := (exp+14-1)*1024 + m
	if x < 0 {
		bits |= 1 << 15
	}
	return uint16(bits)
}

// TestScaleSelectors: selectors that the manual calls undefined are a fault.
func TestScaleSelectors(t *testing.T) {
	c := narrowCase{kind: "mxf4", dtype: "f32", ctype: "f32", atype: "e2m1", btype: "e2m1", stype: "ue8m0", vec: 2}
	for _, ids := range [][4]int{{1, 0, 0, 0}, {0, 2, 0, 0}, {4, 0, 0, 0}, {0, 0, 3, 0}} {
		m := loadWith(t, c.kernel(ids[0], ids[1], ids[2], ids[3]), emu.Config{})
		r := launch(t, m, 1, 32, alloc(t, m, "buf", 32*recordWords))
		if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "selector {") {
			t.Errorf("%v: %v", ids, r.Faults)
		}
	}
}
