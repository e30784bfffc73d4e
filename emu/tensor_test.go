package emu_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// tileLoad copies one tile of n bytes at constant coordinates to shared memory, waits
// for exactly n bytes, and then every thread of the block copies words of it out. The
// parameter is a buffer of the map's address and then room for the tile.
func tileLoad(coords string, n int) string {
	return fmt.Sprintf(".shared .align 8 .b64 bar; .shared .align 1024 .b8 tile[%d];\n", n) + kernel(fmt.Sprintf(`
	setp.eq.u32 %%p1, %%r1, 0; mov.u32 %%r5, tile; ld.global.u64 %%rd1, [%%base];
	@%%p1 mbarrier.init.shared::cta.b64 [bar], 1;
	bar.sync 0;
	@!%%p1 bra WAIT;
	cp.async.bulk.prefetch.tensor.%[1]dd.L2.global [%%rd1, {%[2]s}];
	prefetch.tensormap [%%rd1];
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %[3]d;
	cp.async.bulk.tensor.%[1]dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%r5], [%%rd1, {%[2]s}], [bar];
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %%p2, [bar], 0; @!%%p2 bra WAIT;
	mov.u32 %%r6, %%r1; mul.lo.u32 %%r9, %%r3, 4;
	mad.lo.u32 %%r5, %%r1, 4, %%r5; mad.wide.u32 %%rd2, %%r1, 4, %%base;
	cvt.u64.u32 %%rd3, %%r9;
COPY:	setp.ge.u32 %%p3, %%r6, %[4]d; @%%p3 ret;
	ld.shared.u32 %%r7, [%%r5]; st.global.u32 [%%rd2+8], %%r7;
	add.u32 %%r6, %%r6, %%r3; add.u32 %%r5, %%r5, %%r9; add.u64 %%rd2, %%rd2, %%rd3;
	bra COPY;`, strings.Count(coords, ",")+1, coords, n, n/4))
}

// tensorBox is a tensor of words, numbered from 1 on in memory, and a box of it.
type tensorBox struct {
	name   string
	m      emu.TensorMap // without Addr
	coords []int
	size   int // bytes of the tile
}

// word is word number k of the tile, found dimension by dimension: element
// coords + k*step, with everything outside zero or a NaN.
func (b *tensorBox) word(k int) uint32 {
	at, stride := 0, 1
	for d, dim := range b.m.Dims {
		step, count := 1, int(b.m.Box[d])
		if d > 0 && b.m.Steps != nil {
			step = int(b.m.Steps[d])
			count = (count + step - 1) / step
		}
		i := b.coords[d] + k%count*step
		k /= count
		if i < 0 || i >= int(dim) {
			if b.m.FillNaN {
				return 0xffffffff
			}
			return 0
		}
		at += i * stride
		if stride *= int(dim); d < len(b.m.Strides) {
			stride = int(b.m.Strides[d]) / 4
		}
	}
	return uint32(at + 1)
}

func (b *tensorBox) coordText() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(b.coords), " ", ", "), "[]")
}

// put makes a tensor of n words, its map, and a buffer for tileLoad.
func (b *tensorBox) put(t *testing.T, m *emu.Machine, n int) (buf, tensor uint64) {
	t.Helper()
	tensor = alloc(t, m, "tensor", n)
	fillWords(t, m, tensor, n, func(i int) uint32 { return uint32(i + 1) })
	b.m.Addr = tensor
	buf = alloc(t, m, "buf", 2+b.size/4)
	putMap(t, m, buf, b.m)
	return buf, tensor
}

// putMap makes a map and stores its address.
func putMap(t *testing.T, m *emu.Machine, at uint64, tm emu.TensorMap) uint64 {
	t.Helper()
	addr, err := m.NewTensorMap(tm)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Write(at, args(addr)); err != nil {
		t.Fatal(err)
	}
	return addr
}

var tensorBoxes = []tensorBox{
	{"1d", emu.TensorMap{Type: isa.U32, Dims: []uint32{100}, Box: []uint32{32}}, []int{7}, 128},
	{"1d before and beyond", emu.TensorMap{Type: isa.U32, Dims: []uint32{20}, Box: []uint32{32}}, []int{-5}, 128},
	{"1d far outside", emu.TensorMap{Type: isa.S32, Dims: []uint32{20}, Box: []uint32{32}}, []int{-2147483648}, 128},
	{"2d inside", emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}}, []int{3, 5}, 128},
	{"2d low corner", emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}}, []int{-3, -1}, 128},
	{"2d high corner", emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}}, []int{11, 10}, 128},
	{"2d NaN", emu.TensorMap{Type: isa.F32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}, FillNaN: true}, []int{11, 10}, 128},
	{"2d gaps", emu.TensorMap{Type: isa.U32, Dims: []uint32{13, 12}, Strides: []uint64{64}, Box: []uint32{8, 4}}, []int{9, 5}, 128},
	{"2d tall", emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 4}, Box: []uint32{8, 256}}, []int{0, -100}, 8192},
	{"3d", emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 5, 4}, Box: []uint32{4, 3, 2}}, []int{6, 3, -1}, 96},
	{"3d steps", emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 7, 5}, Box: []uint32{4, 5, 4}, Steps: []uint32{2, 2, 3}}, []int{1, 4, 1}, 96},
	{"5d", emu.TensorMap{Type: isa.U32, Dims: []uint32{4, 3, 3, 3, 2}, Box: []uint32{4, 2, 2, 2, 2}}, []int{0, 1, 2, -1, 1}, 256},
}

// TestTensorLoad: tiles inside tensors and over their edges; the bytes of the whole
// tile, those outside included, complete the phase.
func TestTensorLoad(t *testing.T) {
	for _, b := range tensorBoxes {
		t.Run(b.name, func(t *testing.T) {
			for _, cfg := range []emu.Config{{}, {LateAsync: true}, {Uninitialised: true}, {Policy: emu.Random, Seed: 3}} {
				m := load(t, tileLoad(b.coordText(), b.size), cfg)
				buf, _ := b.put(t, m, 512)
				clean(t, launch(t, m, 1, 32, buf))
				for k, v := range words(t, m, buf, 2+b.size/4)[2:] {
					if want := b.word(k); v != want {
						t.Fatalf("word %d: got %#x, want %#x", k, v, want)
					}
				}
			}
		})
	}
}

// TestTensorElements: small elements, cut at both ends of the tensor.
func TestTensorElements(t *testing.T) {
	for _, c := range []struct {
		elem isa.Type
		dim  uint32
		nan  bool
		want string // 16 bytes of the tile, in hex
	}{
		{isa.U8, 9, false, "00000001020304050607080900000000"},
		{isa.F16, 5, false, "00000000000001020304050607080900"},
		{isa.F16, 4, true, "ffffffffffff0102030405060708ffff"},
		{isa.BF16, 4, true, "ffffffffffff0102030405060708ffff"},
	} {
		m := load(t, tileLoad("-3", 16), emu.Config{})
		buf, tensor := alloc(t, m, "buf", 6), alloc(t, m, "tensor", 4)
		if err := m.Write(tensor, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0xa, 0xb}); err != nil {
			t.Fatal(err)
		}
		size := uint32(c.elem.Size())
		putMap(t, m, buf, emu.TensorMap{Type: c.elem, Addr: tensor, Dims: []uint32{c.dim}, Box: []uint32{16 / size}, FillNaN: c.nan})
		clean(t, launch(t, m, 1, 32, buf))
		got := make([]byte, 16)
		if err := m.Read(buf+8, got); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%x", got) != c.want {
			t.Errorf("%s: got %x, want %s", c.elem, got, c.want)
		}
	}
}

// TestTensorSwizzle: the tables of the manual's "Swizzling Modes", where unit j of
// row i lies.
func TestTensorSwizzle(t *testing.T) {
	for _, c := range []struct {
		mode  emu.TensorSwizzle
		units int // of 16 bytes in a row
		place func(row, unit int) int
	}{
		{emu.SwizzleNone, 8, func(_, unit int) int { return unit }},
		{emu.Swizzle32, 2, func(row, unit int) int { return unit ^ row/4%2 }},
		{emu.Swizzle64, 4, func(row, unit int) int { return unit ^ row/2%4 }},
		{emu.Swizzle128, 8, func(row, unit int) int { return unit ^ row%8 }},
		{emu.Swizzle96, 6, func(row, unit int) int { return unit ^ (6*row+unit)/8%2 }},
	} {
		width := uint32(4 * c.units)
		b := tensorBox{m: emu.TensorMap{Type: isa.U32, Dims: []uint32{width, 64}, Box: []uint32{width, 32}, Swizzle: c.mode}, size: int(width) * 32 * 4}
		m := load(t, tileLoad("0, 8", b.size), emu.Config{})
		buf, _ := b.put(t, m, int(width)*64)
		clean(t, launch(t, m, 1, 32, buf))
		got := words(t, m, buf, 2+b.size/4)[2:]
		for row := range 32 {
			for unit := range c.units {
				want := uint32((row+8)*int(width) + unit*4 + 1)
				if v := got[row*int(width)+c.place(row, unit)*4]; v != want {
					t.Fatalf("swizzle %d, row %d, unit %d: got %d, want %d", c.mode, row, unit, v, want)
				}
			}
		}
	}
}

// tileStore fills a tile of 8 by 4 words with 1000, 1001, ... and stores it with op.
func tileStore(op string) string {
	return ".shared .align 128 .b8 tile[128];\n" + kernel(fmt.Sprintf(`
	setp.eq.u32 %%p1, %%r1, 0; mov.u32 %%r5, tile; ld.global.u64 %%rd1, [%%base];
	mad.lo.u32 %%r6, %%r1, 4, %%r5; add.u32 %%r7, %%r1, 1000; st.shared.u32 [%%r6], %%r7;
	fence.proxy.async.shared::cta;
	bar.sync 0;
	@!%%p1 ret;
	%s [%%rd1, {-2, 10}], [%%r5];
	cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
	st.shared.u32 [%%r5+8], 7;
	cp.async.bulk.wait_group 0;
	ret;`, op))
}

// TestTensorStore: what is outside the tensor is not written; sources are read by the
// time that wait_group.read ends.
func TestTensorStore(t *testing.T) {
	for op, combine := range map[string]func(old, v uint32) uint32{
		"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group":       func(_, v uint32) uint32 { return v },
		"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group": func(old, v uint32) uint32 { return old + v },
		"cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.bulk_group": func(old, v uint32) uint32 { return min(old, v) },
		"cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.bulk_group": func(old, v uint32) uint32 { return old ^ v },
	} {
		for _, late := range []bool{false, true} {
			b := tensorBox{m: emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}}}
			m := load(t, tileStore(op), emu.Config{LateAsync: late})
			buf, tensor := b.put(t, m, 256)
			clean(t, launch(t, m, 1, 32, buf))
			for i, v := range words(t, m, tensor, 256) {
				want, x, y := uint32(i+1), i%16+2, i/16-10
				if x < 8 && y >= 0 && y < 2 {
					want = combine(want, uint32(1000+8*y+x))
				}
				if v != want {
					t.Fatalf("%s, late %v: word %d: got %d, want %d", op, late, i, v, want)
				}
			}
		}
	}
}

// TestTensorParam: a map that is a parameter of the kernel, read at its place there.
func TestTensorParam(t *testing.T) {
	text := ".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[128];\n" + `
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {
	.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	mov.u64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [out];
	mbarrier.init.shared::cta.b64 [bar], 1;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
	mov.u32 %r1, 4; mov.u32 %r2, tile;
	cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1, {%r1}], [bar];
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra WAIT;
	ld.shared.u32 %r3, [tile+124]; st.global.u32 [%rd2], %r3;
	ret;
}`
	m := load(t, text, emu.Config{})
	out, tensor := alloc(t, m, "out", 2), alloc(t, m, "tensor", 64)
	fillWords(t, m, tensor, 64, func(i int) uint32 { return uint32(i) })
	at := putMap(t, m, out, emu.TensorMap{Type: isa.U32, Addr: tensor, Dims: []uint32{64}, Box: []uint32{32}})
	params := make([]byte, emu.TensorMapSize)
	if err := m.Read(at, params); err != nil {
		t.Fatal(err)
	}
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1), Params: binary.LittleEndian.AppendUint64(params, out)})
	if err != nil {
		t.Fatal(err)
	}
	clean(t, r)
	if v := words(t, m, out, 1)[0]; v != 4+31 {
		t.Errorf("got %d, want 35", v)
	}
}
