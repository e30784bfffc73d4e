package emu_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// packedBox is a tensor of 256 by 6 elements of four or six bits, of which a box of 128 by 4 is copied.
type packedBox struct {
	packing emu.TensorPacking
	bits    int
	unit    int // bytes of 16 elements in a tile
	counted int // bytes of a tile that complete on the mbarrier
}

var packedBoxes = []packedBox{
	{emu.TensorPacked4, 4, 8, 256},
	{emu.TensorPacked4Apart, 4, 16, 256},
	{emu.TensorPacked6Apart, 6, 16, 384},
}

const packedRows, packedWidth = 6, 256

// element is number k of a row of the tensor.
func (b *packedBox) element(row, k int) int { return (row*37 + k*11 + k/16) % (1 << b.bits) }

// tensor is the bytes of the tensor: elements without gaps, the first in the lowest bits.
func (b *packedBox) tensor() []byte {
	out := make([]byte, packedRows*packedWidth*b.bits/8)
	for i := range packedRows * packedWidth {
		for bit := range b.bits {
			at := i*b.bits + bit
			out[at/8] |= byte(b.element(i/packedWidth, i%packedWidth) >> bit & 1 << (at % 8))
		}
	}
	return out
}

// tile is byte number i of the row of a tile that begins with element first, and whether the copy writes it.
func (b *packedBox) tile(row, first, i int) (byte, bool) {
	var v byte
	for bit := range 8 {
		at := i%b.unit*8 + bit // in 16 elements
		if at >= 16*b.bits {
			return 0, false
		}
		k := first + i/b.unit*16 + at/b.bits
		if row >= 0 && row < packedRows && k >= 0 && k < packedWidth {
			v |= byte(b.element(row, k)>>(at%b.bits)&1) << bit
		}
	}
	return v, true
}

func (b *packedBox) put(t *testing.T, m *emu.Machine, swizzle emu.TensorSwizzle, room int) (buf, tensor uint64) {
	t.Helper()
	data := b.tensor()
	tensor = alloc(t, m, "tensor", len(data)/4)
	if err := m.Write(tensor, data); err != nil {
		t.Fatal(err)
	}
	buf = alloc(t, m, "buf", 2+room/4)
	putMap(t, m, buf, emu.TensorMap{Packing: b.packing, Addr: tensor, Dims: []uint32{packedWidth, packedRows}, Box: []uint32{128, 4}, Swizzle: swizzle})
	return buf, tensor
}

// TestTensorPacked loads elements of four and six bits (PTX ISA, "Sub-byte Types"), with and without swizzling, inside
// the tensor and beyond it. The mbarrier waits for the bytes of the elements; the padding keeps what was there.
func TestTensorPacked(t *testing.T) {
	for _, b := range packedBoxes {
		size := 128 / 16 * b.unit * 4
		for _, swizzle := range []emu.TensorSwizzle{emu.SwizzleNone, emu.Swizzle128} {
			if swizzle != emu.SwizzleNone && b.unit != 16 {
				continue
			}
			for _, at := range [][2]int{{0, 0}, {128, 1}, {128, 4}, {-128, 0}} {
				name := fmt.Sprintf("packing %d, swizzle %d, at %v", b.packing, swizzle, at)
				text := strings.Replace(tileLoad(fmt.Sprintf("%d, %d", at[0], at[1]), size), fmt.Sprintf("_, [bar], %d;", size), fmt.Sprintf("_, [bar], %d;", b.counted), 1)
				m := load(t, text, emu.Config{})
				buf, _ := b.put(t, m, swizzle, size)
				clean(t, launch(t, m, 1, 32, buf))
				got := words(t, m, buf, 2+size/4)[2:]
				for i := range size {
					row, in := i/(size/4), i%(size/4)
					want, written := b.tile(at[1]+row, at[0], in)
					place := i
					if swizzle == emu.Swizzle128 {
						place = row*128 + (in/16^row%8)*16 + in%16
					}
					if have := byte(got[place/4] >> (place % 4 * 8)); have != want || !written && have != 0 {
						t.Fatalf("%s: byte %d is 0x%x, want 0x%x", name, i, have, want)
					}
				}
			}
		}
	}
}

// TestTensorPackedStore stores elements: those of six bits stand in the low bits of a byte each (.b6p2x16).
func TestTensorPackedStore(t *testing.T) {
	store := func(bytes int) string {
		return fmt.Sprintf(".shared .align 1024 .b8 tile[%d];\n", bytes) + kernel(fmt.Sprintf(`
	setp.eq.u32 %%p1, %%r1, 0; mov.u32 %%r5, tile; ld.global.u64 %%rd1, [%%base]; mov.u32 %%r6, %%r1;
FILL:	add.u32 %%r7, %%r5, %%r6; mul.lo.u32 %%r8, %%r6, 29; add.u32 %%r8, %%r8, 3; st.shared.u8 [%%r7], %%r8;
	add.u32 %%r6, %%r6, 32; setp.lt.u32 %%p2, %%r6, %d; @%%p2 bra FILL;
	fence.proxy.async.shared::cta;
	bar.sync 0;
	@!%%p1 ret;
	cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%%rd1, {128, 1}], [%%r5];
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
	ret;`, bytes))
	}
	for _, b := range []packedBox{packedBoxes[0], packedBoxes[2]} {
		size := 128 / 16 * b.unit * 4
		for _, late := range []bool{false, true} {
			m := load(t, store(size), emu.Config{LateAsync: late})
			buf, tensor := b.put(t, m, emu.SwizzleNone, 8)
			clean(t, launch(t, m, 1, 32, buf))
			want := b.tensor()
			for i := range packedRows * packedWidth {
				row, k := i/packedWidth-1, i%packedWidth-128
				if row < 0 || row >= 4 || k < 0 {
					continue
				}
				v := byte((row*size/4+k)*29 + 3) // a byte each
				if b.bits == 4 {
					at := row*size/4 + k/2
					v = byte(at*29+3) >> (k % 2 * 4)
				}
				for bit := range b.bits {
					at := i*b.bits + bit
					want[at/8] = want[at/8]&^(1<<(at%8)) | v>>bit&1<<(at%8)
				}
			}
			got := make([]byte, len(want))
			if err := m.Read(tensor, got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("packing %d, late %v: got %x, want %x", b.packing, late, got, want)
			}
		}
	}
}

// TestTensorPackedFaults: what the manual does not have of packed elements ("Restriction on Tensor Copy instructions").
func TestTensorPackedFaults(t *testing.T) {
	box := packedBoxes[1]
	for _, c := range []struct {
		text   string
		change func(tm *emu.TensorMap)
		want   string
	}{
		{tileLoad("64, 0", 512), nil, "first coordinate 64, expected a multiple of 128 for elements of type .b4x16_p64"},
		{tileLoad("1, 0", 256), func(tm *emu.TensorMap) { tm.Packing = emu.TensorPacked4 }, "first coordinate 1, expected a multiple of 2 for elements of type .b4x16"},
		{tileStore("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"), func(tm *emu.TensorMap) { tm.Box[1] = 1 }, "first coordinate -2"},
		{strings.Replace(tileStore("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"), "{-2, 10}", "{0, 0}", 1), func(tm *emu.TensorMap) { tm.Box[1] = 1 }, "a store of elements of type .b4x16_p64"},
		{strings.Replace(tileStore("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group"), "{-2, 10}", "{0, 0}", 1), func(tm *emu.TensorMap) { tm.Box[1] = 1 }, "a reduction of elements of type .b4x16_p64"},
	} {
		m := load(t, c.text, emu.Config{})
		buf, tensor := box.put(t, m, emu.SwizzleNone, 512)
		tm := emu.TensorMap{Packing: box.packing, Addr: tensor, Dims: []uint32{packedWidth, packedRows}, Box: []uint32{128, 4}}
		if c.change != nil {
			c.change(&tm)
		}
		putMap(t, m, buf, tm)
		r := launch(t, m, 1, 32, buf)
		if len(r.Faults) != 1 || r.Faults[0].Class != "unsupported" || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("got %v, want unsupported: %s", r.Faults, c.want)
		}
	}
}

// TestTensorPackedMaps: maps of packed elements that no driver makes.
func TestTensorPackedMaps(t *testing.T) {
	m := load(t, kernel("ret;"), emu.Config{})
	for _, c := range []struct {
		change func(tm *emu.TensorMap)
		want   string
	}{
		{func(tm *emu.TensorMap) {}, ""},
		{func(tm *emu.TensorMap) { tm.Swizzle = emu.Swizzle128Atom64 }, ""},
		{func(tm *emu.TensorMap) { tm.Box[0] = 64 }, "a box with rows of 64 elements of type .b6x16_p32, expected 128"},
		{func(tm *emu.TensorMap) { tm.Dims[0], tm.Strides = 192, []uint64{192} }, "rows of 192 elements of type .b6x16_p32, expected a multiple of 128"},
		{func(tm *emu.TensorMap) { tm.Addr = 1<<16 + 16 }, "expected a multiple of 32"},
		{func(tm *emu.TensorMap) { tm.Strides = []uint64{208} }, "dimension 1: stride of 208 bytes, expected a multiple of 32"},
		{func(tm *emu.TensorMap) { tm.Swizzle = emu.Swizzle64 }, "with swizzle mode 2"},
		{func(tm *emu.TensorMap) { tm.Swizzle = emu.Swizzle128Atom32Flip8 }, "without flips"},
		{func(tm *emu.TensorMap) { tm.Swizzle = emu.Swizzle96 }, "the 96-byte swizzle with elements that have gaps"},
		{func(tm *emu.TensorMap) { tm.FillNaN = true }, "elements of type .b6x16_p32 outside the tensor cannot be NaNs"},
		{func(tm *emu.TensorMap) {
			tm.Packing, tm.Dims[0], tm.Box[0], tm.Strides = emu.TensorPacked4, 65, 32, []uint64{48}
		}, "65 elements of type .b4x16 in a row of the tensor"},
		{func(tm *emu.TensorMap) { tm.Packing, tm.Box[0] = emu.TensorPacked4, 16 }, "rows of 8 bytes, expected a multiple of 16"},
		{func(tm *emu.TensorMap) { tm.Ftz = true }, "a packing and elements of type"},
	} {
		tm := emu.TensorMap{Packing: emu.TensorPacked6Apart, Addr: 1 << 16, Dims: []uint32{256, 6}, Box: []uint32{128, 4}}
		c.change(&tm)
		_, err := m.NewTensorMap(tm)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
