package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// rows16 is a usable map of 2 dimensions but for its address.
func rows16() emu.TensorMap {
	return emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}}
}

// TestTensorMapRefused: maps that a driver would refuse, or that are not emulated.
func TestTensorMapRefused(t *testing.T) {
	m := load(t, kernel("ret;"), emu.Config{})
	for _, c := range []struct {
		change func(tm *emu.TensorMap)
		want   string
	}{
		{func(tm *emu.TensorMap) { tm.Dims = nil }, "0 dimensions, expected 1 to 5"},
		{func(tm *emu.TensorMap) { tm.Dims = make([]uint32, 6) }, "6 dimensions, expected 1 to 5"},
		{func(tm *emu.TensorMap) { tm.Box = tm.Box[:1] }, "a box of 1 dimension, the tensor has 2"},
		{func(tm *emu.TensorMap) { tm.Strides = []uint64{64, 64} }, "2 strides, expected 1"},
		{func(tm *emu.TensorMap) { tm.Steps = []uint32{1} }, "1 element stride, expected 2"},
		{func(tm *emu.TensorMap) { tm.Type = isa.S8 }, "elements of type .s8, expected u8"},
		{func(tm *emu.TensorMap) { tm.Type, tm.Ftz = isa.U32, true }, "elements of type .u32, expected u8"},
		{func(tm *emu.TensorMap) { tm.Type = isa.TypeNone }, "expected u8"},
		{func(tm *emu.TensorMap) { tm.Dims, tm.Box = []uint32{1 << 31, 1 << 31, 1}, []uint32{4, 1, 1} }, "a tensor of extent [2147483648 2147483648 1] has too many elements"},
		{func(tm *emu.TensorMap) { tm.Addr = 8 }, "address 0x8, expected a multiple of 16"},
		{func(tm *emu.TensorMap) { tm.Dims[1] = 0 }, "dimension 1: no elements"},
		{func(tm *emu.TensorMap) { tm.Dims[0] = 15 }, "dimension 1: stride of 60 bytes, expected a multiple of 16"},
		{func(tm *emu.TensorMap) { tm.Strides = []uint64{1 << 40} }, "dimension 1: stride of 1099511627776 bytes"},
		{func(tm *emu.TensorMap) { tm.Box[1] = 257 }, "dimension 1: a box of 257 elements, expected 1 to 256"},
		{func(tm *emu.TensorMap) { tm.Box[0] = 7 }, "rows of 28 bytes, expected a multiple of 16"},
		{func(tm *emu.TensorMap) { tm.Steps = []uint32{1, 9} }, "dimension 1: element stride 9, expected 1 to 8"},
		{func(tm *emu.TensorMap) { tm.Swizzle = 8 }, "swizzle atomicity 5 with swizzle mode 3, expected 0, or 1 to 3 with mode 3"},
		{func(tm *emu.TensorMap) { tm.Swizzle = emu.Swizzle64 }, "rows of 32 bytes, expected 64 with that swizzle"},
		{func(tm *emu.TensorMap) { tm.FillNaN = true }, "elements of type .u32 outside the tensor cannot be NaNs"},
	} {
		tm := rows16()
		c.change(&tm)
		_, err := m.NewTensorMap(tm)
		if err == nil || !strings.Contains(err.Error(), "tensor map: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestTensorColumnRefused: the same for columns of images.
func TestTensorColumnRefused(t *testing.T) {
	m := load(t, kernel("ret;"), emu.Config{})
	for _, c := range []struct {
		change func(tm *emu.TensorMap)
		want   string
	}{
		{func(tm *emu.TensorMap) { tm.Box = []uint32{4, 1, 1, 1} }, "both a box and a column"},
		{func(tm *emu.TensorMap) { tm.Column.Lower = nil }, "corners of 0 and 2 dimensions, the box has 2"},
		{func(tm *emu.TensorMap) { tm.Column.Upper[1] = 128 }, "corners [0 0 0] and [0 128 0], expected numbers from -128 to 127"},
		{func(tm *emu.TensorMap) { tm.Column.Lower[0] = -1 << 20 }, "expected numbers from -128 to 127"},
		{func(tm *emu.TensorMap) { tm.Column.Lower[0] = 5 }, "the box of pixels is empty"},
		{func(tm *emu.TensorMap) { tm.Column.Channels = 257 }, "257 channels of a pixel, expected 1 to 256"},
		{func(tm *emu.TensorMap) { tm.Column.Channels = 3 }, "rows of 12 bytes, expected a multiple of 16"},
		{func(tm *emu.TensorMap) { tm.Column.Pixels = 1025 }, "a column of 1025 pixels, expected 1 to 1024"},
		{func(tm *emu.TensorMap) { tm.Dims, tm.Column.Lower, tm.Column.Upper = tm.Dims[:2], nil, nil }, "images in 2 dimensions, expected 3 to 5"},
	} {
		tm := emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 5, 4, 3}, Column: &emu.TensorColumn{Lower: []int32{0, 0}, Upper: []int32{0, 0}, Channels: 4, Pixels: 8}}
		c.change(&tm)
		_, err := m.NewTensorMap(tm)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestTensorFaults: maps, tiles and tensors that are not there.
func TestTensorFaults(t *testing.T) {
	good := tileLoad("0, 0", 128)
	for _, c := range []struct {
		name, text  string
		prepare     func(t *testing.T, m *emu.Machine, buf, tensor uint64)
		class, want string
	}{
		{"garbage", good, func(t *testing.T, m *emu.Machine, buf, tensor uint64) {
			if err := m.Write(buf, args(tensor)); err != nil {
				t.Fatal(err)
			}
		}, "uninitialised", "there is no tensor map here"},
		{"nowhere", good, func(t *testing.T, m *emu.Machine, buf, _ uint64) {
			if err := m.Write(buf, args(64)); err != nil {
				t.Fatal(err)
			}
		}, "out-of-bounds", "read of 64 bytes at address 0x40"},
		{"rank", tileLoad("0", 128), nil, "out-of-bounds", "1 coordinate in a tensor of 2 dimensions"},
		{"misaligned", strings.Replace(good, "mov.u32 %r5, tile;", "mov.u32 %r5, 64;", 1), nil, "misaligned", "tile at shared address 0x40, expected a multiple of 128"},
		{"small", tileLoad("0, 0", 124), nil, "out-of-bounds", "tile of 128 bytes at shared address"},
		{"beyond", good, func(t *testing.T, m *emu.Machine, buf, tensor uint64) {
			tm := rows16()
			tm.Addr = tensor + 16
			tm.Dims[1], tm.Strides = 1<<30, []uint64{1 << 38}
			putMap(t, m, buf, tm)
		}, "out-of-bounds", "read of 32 bytes at global address 0x"},
		{"freed", good, func(t *testing.T, m *emu.Machine, _, tensor uint64) {
			if err := m.Free(tensor); err != nil {
				t.Fatal(err)
			}
		}, "use-after-free", "read of 32 bytes at global address 0x"},
		{"no mbarrier", strings.Replace(good, "mbarrier.init.shared::cta.b64 [bar], 1", "mov.u32 %r9, 0", 1), nil, "uninitialised", "there is no mbarrier here"},
		{"reduce", tileStore("cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.bulk_group"), func(t *testing.T, m *emu.Machine, buf, tensor uint64) {
			tm := rows16()
			tm.Type, tm.Addr = isa.S32, tensor
			putMap(t, m, buf, tm)
		}, "unsupported", "reduction .inc of elements of type .s32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := tensorBox{m: rows16(), size: 128}
			m := load(t, c.text, emu.Config{})
			buf, tensor := b.put(t, m, 256)
			if c.prepare != nil {
				c.prepare(t, m, buf, tensor)
			}
			r := launch(t, m, 1, 32, buf)
			if len(r.Faults) != 1 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.want) {
				t.Errorf("got %v, want %s: %s", r.Faults, c.class, c.want)
			}
		})
	}
}

// TestTensorBytesMissing: the phase does not end when more bytes are expected than the
// tile has.
func TestTensorBytesMissing(t *testing.T) {
	text := strings.Replace(tileLoad("0, 0", 128), "_, [bar], 128", "_, [bar], 132", 1)
	b := tensorBox{m: rows16(), size: 128}
	m := load(t, text, emu.Config{})
	buf, _ := b.put(t, m, 256)
	if r := launch(t, m, 1, 32, buf); len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "lacks 4 bytes") {
		t.Errorf("got %v, want 4 bytes missing", r.Faults)
	}
}

// TestTensorMulticast: a tile goes to two blocks of four, each with a barrier of its
// own.
func TestTensorMulticast(t *testing.T) {
	text := ".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[128];\n" + kernel(`
	setp.eq.u32 %p1, %r1, 0; mov.u32 %r5, tile; mov.u32 %r6, %cluster_ctarank; ld.global.u64 %rd1, [%base];
	@%p1 mbarrier.init.shared::cta.b64 [bar], 1;
	@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
	barrier.cluster.arrive; barrier.cluster.wait;
	setp.eq.u32 %p2, %r6, 1; and.pred %p2, %p1, %p2; mov.u16 %h1, 9;
	@%p2 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], [%rd1, {4, 2}], [bar], %h1;
	setp.eq.u32 %p3, %r6, 1; setp.eq.u32 %p4, %r6, 2; or.pred %p3, %p3, %p4; @%p3 bra END;
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p4, [bar], 0; @!%p4 bra WAIT;
	mad.lo.u32 %r7, %r1, 4, %r5; ld.shared.u32 %r8, [%r7];
	st.global.u32 [%out+8], %r8;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`)
	text = strings.Replace(text, ".reg .pred", ".reg .b16 %h<4>; .reg .pred", 1)
	for _, late := range []bool{false, true} {
		b := tensorBox{m: rows16(), coords: []int{4, 2}, size: 4 * 128}
		m := load(t, text, emu.Config{LateAsync: late})
		buf, _ := b.put(t, m, 256)
		clean(t, launchCluster(t, m, 4, 32, 4, buf))
		for i, v := range words(t, m, buf, 130)[2:] {
			want := b.word(i % 32)
			if rank := i / 32; rank == 1 || rank == 2 {
				want = 0
			}
			if v != want {
				t.Fatalf("block %d, word %d: got %d, want %d", i/32, i%32, v, want)
			}
		}
	}
}

// loadArch is load for a target of its own.
func loadArch(t *testing.T, target, text string) *emu.Machine {
	t.Helper()
	return loadVersion(t, "8.3", target, text)
}

// loadVersion loads a module of that version of PTX.
func loadVersion(t *testing.T, version, target, text string) *emu.Machine {
	t.Helper()
	ast, err := ptxgrammar.Parse("test.ptx", []byte(".version "+version+"\n.target "+target+"\n.address_size 64\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	m, err := emu.New(mod, emu.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// replaceAll is a kernel that copies the map whose address is in the buffer to shared
// memory, edits it there, publishes it over the one in global memory, and then does
// what tileLoad does.
func replaceAll(edits, coords string, n int) string {
	text := ".shared .align 128 .b8 draft[128];\n" + tileLoad(coords, n)
	return strings.Replace(text, "setp.eq.u32 %p1, %r1, 0; mov.u32 %r5, tile; ld.global.u64 %rd1, [%base];", `
	ld.global.u64 %rd1, [%base]; mov.u32 %r10, draft; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd1, %rd4;
	mad.lo.u32 %r11, %r1, 4, %r10; ld.global.u32 %r12, [%rd4]; st.shared.u32 [%r11], %r12;
	setp.eq.u32 %p1, %r1, 0; mov.u32 %r5, tile; ld.global.u64 %rd6, [%base+8];
	bar.sync 0;
	@!%p1 bra PUBLISH;
	`+edits+`
PUBLISH: bar.warp.sync -1;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%r10], 128;
	fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;`, 1)
}

// TestTensorReplace: every field of a map, in shared and in global memory. Strides are in bytes
// from PTX 8.5 on, and in units of 16 bytes before.
func TestTensorReplace(t *testing.T) {
	for version, stride := range map[string]string{"8.3": "24", "8.4": "24", "8.5": "384", "9.2": "384"} {
		t.Run(version, func(t *testing.T) { tensorReplace(t, version, stride) })
	}
}

func tensorReplace(t *testing.T, version, stride string) {
	const field = "tensormap.replace.tile."
	edits := strings.ReplaceAll(strings.Join([]string{
		field + "global_address$.b64 [%r10], %rd6;",
		field + "rank$.b32 [%r10], 2;", // 3 dimensions
		field + "elemtype$.b32 [%r10], 7;",
		field + "interleave_layout$.b32 [%r10], 0;",
		field + "swizzle_mode$.b32 [%r10], 1;",
		field + "fill_mode$.b32 [%r10], 1;",
		field + "box_dim$.b32 [%r10], 2, 3;",
		field + "global_dim$.b32 [%r10], 2, 4;",
		field + "global_dim$.b32 [%r10], 1, 6;",
		field + "global_stride$.b64 [%r10], 1, " + stride + ";",
		field + "element_stride$.b32 [%r10], 2, 2;",
	}, "\n"), "$", ".shared::cta.b1024")
	b := tensorBox{coords: []int{2, 1, 3}, size: 2 * 4 * 32}
	m := loadVersion(t, version, "sm_90a", replaceAll(edits, b.coordText(), b.size))
	b.m = rows16()
	buf, tensor := b.put(t, m, 512)
	other := alloc(t, m, "other", 512)
	fillWords(t, m, other, 512, func(i int) uint32 { return uint32(i + 1) })
	if err := m.Write(buf+8, args(other)); err != nil {
		t.Fatal(err)
	}
	clean(t, launch(t, m, 1, 32, buf))
	// What the edited map says.
	b.m = emu.TensorMap{Dims: []uint32{16, 6, 4}, Strides: []uint64{64, 384}, Box: []uint32{8, 4, 3}, Steps: []uint32{1, 1, 2}, FillNaN: true}
	for i, v := range words(t, m, buf, 2+b.size/4)[2:] {
		line, unit, word := i/32, i%32/4, i%4
		k := line*32 + unit/2*8 + (unit%2^line%2)*4 + word // as of swizzle 32, 4 rows in a line
		if want := b.word(k); v != want {
			t.Fatalf("word %d: got %#x, want %#x", i, v, want)
		}
	}
	if v := words(t, m, tensor, 1)[0]; v != 1 {
		t.Errorf("the first tensor has changed")
	}
}

// TestTensorReplaceFaults: what there is no such field of, and maps that have become
// unusable.
func TestTensorReplaceFaults(t *testing.T) {
	const field = "tensormap.replace.tile."
	for _, c := range []struct{ edit, class, want string }{
		{field + "box_dim.global.b1024.b32 [%rd1], 5, 1;", "out-of-bounds", "ordinal 5 of a field of a tensor map, expected less than 5"},
		{field + "global_stride.global.b1024.b64 [%rd1], 4, 16;", "out-of-bounds", "ordinal 4 of a field of a tensor map, expected less than 4"},
		{field + "rank.global.b1024.b32 [%base], 1;", "uninitialised", "there is no tensor map here"},
		{field + "rank.global.b1024.b32 [%rd1], -1;", "unsupported", "more than 5 dimensions"},
		{field + "elemtype.global.b1024.b32 [%rd1], 13;", "unsupported", "a box with rows of 4 bytes, expected a multiple of 16"},
		{field + "swizzle_mode.global.b1024.b32 [%rd1], 4;", "unsupported", "a box with rows of 32 bytes, expected 96 with that swizzle"},
		{field + "interleave_layout.global.b1024.b32 [%rd1], 1;", "unsupported", "interleave layout 1 is not emulated"},
		{field + "fill_mode.global.b1024.b32 [%rd1], 2;", "unsupported", "fill mode 2, expected 0 or 1"},
	} {
		text := strings.Replace(tileLoad("0, 0", 128), "bar.sync 0;", "@%p1 "+c.edit+" bar.sync 0;", 1)
		b := tensorBox{m: rows16(), size: 128}
		m := loadArch(t, "sm_90a", text)
		buf, _ := b.put(t, m, 256)
		r := launch(t, m, 1, 32, buf)
		if len(r.Faults) != 1 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("%s: got %v, want %s: %s", c.edit, r.Faults, c.class, c.want)
		}
	}
}
