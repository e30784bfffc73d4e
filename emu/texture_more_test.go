package emu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

func bitsOf(v ...float32) []uint32 {
	out := make([]uint32, len(v))
	for i, f := range v {
		out[i] = math.Float32bits(f)
	}
	return out
}

// one is the result of the body for one record.
func (s sampler) one(t *testing.T, body string, in ...uint32) [4]uint32 {
	t.Helper()
	out, fault, _ := s.run(t, body, [][]uint32{in})
	if fault != nil {
		t.Fatalf("%s: %v", body, fault)
	}
	return out[0]
}

// TestTextureSamples: samples of a texel lie next to each other; the sample number comes
// before the coordinates, the layer before that (PTX ISA, tex.2dms, tex.a2dms).
func TestTextureSamples(t *testing.T) {
	s := sampler{tex: Texture{Dims: 2, Width: 3, Height: 2, Samples: 4, Format: isa.U32, Channels: 1}}
	for i := range uint32(2 * 3 * 2 * 4) {
		s.texels = binary.LittleEndian.AppendUint32(s.texels, i)
	}
	if got := s.one(t, "tex.2dms.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r13}];", 3, 2, 1, 99); got != [4]uint32{(1*3+2)*4 + 3, 0, 0, 1} {
		t.Errorf("2dms: got %d", got)
	}
	if got := s.one(t, "txq.num_samples.b32 %r20, [%rd2];", 0); got[0] != 4 {
		t.Errorf("num_samples: got %d", got[0])
	}
	s.tex.Layers = 2
	if got := s.one(t, "tex.a2dms.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r13}];", 1, 2, 0, 1); got[0] != ((1*2+1)*3+0)*4+2 {
		t.Errorf("a2dms: got %d", got)
	}
	_, fault, _ := s.run(t, "tex.a2d.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r13}];", [][]uint32{{0, 0, 0, 0}})
	if fault == nil || !strings.Contains(fault.Message, "4 samples") {
		t.Errorf("a plain fetch from a multi-sample texture: %v", fault)
	}
}

// mipmap has the levels 4x4, 2x2 and 1x1, of which each texel is 100*level + number.
func mipmap() sampler {
	s := sampler{tex: Texture{Dims: 2, Width: 4, Height: 4, Levels: 3, Format: isa.F32, Channels: 1, Normalized: true}}
	for level, n := range []int{16, 4, 1} {
		for i := range n {
			s.texels = append(s.texels, floats(float32(100*level+i))...)
		}
	}
	return s
}

// TestTextureLevels: .base and plain tex read the first level, .level the nearest or a
// mixture of two, .grad that of the gradients.
func TestTextureLevels(t *testing.T) {
	const get = " {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}]"
	at := bitsOf(0.9, 0.9) // the last texel of every level
	for _, c := range []struct {
		linear bool
		body   string
		more   []uint32
		want   float32
	}{
		{false, "tex.2d.v4.f32.f32" + get, nil, 15},
		{false, "tex.base.2d.v4.f32.f32" + get, nil, 15},
		{false, "tex.level.2d.v4.f32.f32" + get + ", %r12", bitsOf(0.5), 15},
		{false, "tex.level.2d.v4.f32.f32" + get + ", %r12", bitsOf(0.75), 103},
		{false, "tex.level.2d.v4.f32.f32" + get + ", %r12", bitsOf(2), 200},
		{false, "tex.level.2d.v4.f32.f32" + get + ", %r12", bitsOf(77), 200},
		{false, "tex.level.2d.v4.f32.f32" + get + ", %r12", bitsOf(-3), 15},
		{true, "tex.level.2d.v4.f32.f32" + get + ", %r12", bitsOf(0.25), 15*0.75 + 103*0.25},
		{true, "tex.level.2d.v4.f32.f32" + get + ", %r12", bitsOf(1.5), 103*0.5 + 200*0.5},
		// 0.5 of a width of 4 texels is 2 texels: level 1; sqrt(8) texels: level 1.5.
		{true, "tex.grad.2d.v4.f32.f32" + get + ", {%r12,%r13}, {%r14,%r15}", bitsOf(0.5, 0, 0, 0.25), 103},
		{true, "tex.grad.2d.v4.f32.f32" + get + ", {%r12,%r13}, {%r14,%r15}", bitsOf(0, 0.1, 0.5, 0.5), 103*0.5 + 200*0.5},
		{false, "tex.grad.2d.v4.f32.f32" + get + ", {%r12,%r13}, {%r14,%r15}", bitsOf(0, 0, 0, 0), 15},
	} {
		s := mipmap()
		s.tex.MipLinear = c.linear
		if got := s.one(t, c.body+";", append(at, c.more...)...); got[0] != math.Float32bits(c.want) {
			t.Errorf("%s %v: got %v, want %v", c.body, c.more, math.Float32frombits(got[0]), c.want)
		}
	}
	s := mipmap()
	if got := s.one(t, "tex.level.2d.v4.f32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}], %r12;", 1, 0, 1); got[0] != math.Float32bits(101) {
		t.Errorf("integer coordinates: got %v", math.Float32frombits(got[0]))
	}
	body := "txq.num_mipmap_levels.b32 %r20, [%rd2]; txq.level.width.b32 %r21, [%rd2], %r10; txq.width.b32 %r22, [%rd2];"
	if got := s.one(t, body, 1); got != [4]uint32{3, 2, 4, 0} {
		t.Errorf("queries: got %d", got)
	}
}

// TestTextureDepth: every comparison of the operand with the texels 1 2 3 4, and
// filtering of the results.
func TestTextureDepth(t *testing.T) {
	for mode, passes := range map[CompareMode]func(f, texel float32) bool{
		CompareNever:        func(_, _ float32) bool { return false },
		CompareLess:         func(f, v float32) bool { return f < v },
		CompareEqual:        func(f, v float32) bool { return f == v },
		CompareLessEqual:    func(f, v float32) bool { return f <= v },
		CompareGreater:      func(f, v float32) bool { return f > v },
		CompareNotEqual:     func(f, v float32) bool { return f != v },
		CompareGreaterEqual: func(f, v float32) bool { return f >= v },
		CompareAlways:       func(_, _ float32) bool { return true },
	} {
		s := plane()
		s.tex.Compare = mode
		for x := range 4 {
			want := float32(0)
			if passes(2, float32(x+1)) {
				want = 1
			}
			got := s.one(t, "mov.f32 %f2, 0f40000000; tex.2d.v4.f32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}], %f2;", bitsOf(float32(x), 0)...)
			if got[0] != math.Float32bits(want) {
				t.Errorf("mode %d, texel %d: got %v, want %v", mode, x+1, math.Float32frombits(got[0]), want)
			}
		}
	}
	s := plane()
	s.tex.Compare, s.tex.Linear = CompareLess, true
	// Position 1.75 is a quarter of the way from texel 2 to texel 3: 0.75*(2 < 2) + 0.25*(2 < 3).
	if got := s.one(t, "mov.f32 %f2, 0f40000000; tex.2d.v4.f32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}], {%r12,%r12}, %f2;", append(bitsOf(1.75, 0.5), 0)...); got[0] != math.Float32bits(0.25) {
		t.Errorf("filtered: got %v", math.Float32frombits(got[0]))
	}
	if got := s.one(t, "mov.f32 %f2, 0f40000000; tld4.r.2d.v4.f32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}], %f2;", bitsOf(2, 1)...); fmt.Sprint(got) != fmt.Sprint(bitsOf(1, 1, 1, 0)) {
		t.Errorf("tld4: got %x", got)
	}
	if _, fault, _ := s.run(t, fetch2D, [][]uint32{bitsOf(0, 0)}); fault == nil || !strings.Contains(fault.Message, "without a depth to compare") {
		t.Errorf("no operand: %v", fault)
	}
	s.tex.Compare = CompareNone
	if _, fault, _ := s.run(t, "mov.f32 %f2, 0f40000000; tex.2d.v4.f32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}], %f2;", [][]uint32{bitsOf(0, 0)}); fault == nil || !strings.Contains(fault.Message, "no depth texture") {
		t.Errorf("no depth texture: %v", fault)
	}
}

// TestTextureSRGB: all 256 values of a channel against the formula of IEC 61966-2-1, and
// alpha, which is linear.
func TestTextureSRGB(t *testing.T) {
	s := sampler{tex: Texture{Dims: 1, Width: 256, Format: isa.U8, Channels: 4, Fraction: true, SRGB: true}}
	for i := range 256 {
		s.texels = append(s.texels, byte(i), 0, 255, byte(i))
	}
	for i := range uint32(256) {
		got := s.one(t, "tex.1d.v4.f32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10}];", i)
		c := float64(i) / 255
		want := c / 12.92
		if c > 0.04045 {
			want = math.Pow((c+0.055)/1.055, 2.4)
		}
		if v := float64(math.Float32frombits(got[0])); math.Abs(v-want) > 1e-6 || got[1] != 0 || got[2] != math.Float32bits(1) || got[3] != math.Float32bits(float32(c)) {
			t.Errorf("%d: got %x, want %v", i, got, want)
		}
	}
}

// TestSurfaceFormatted: sust.p converts to the format of the surface, sured.p computes in
// its type; x counts texels.
func TestSurfaceFormatted(t *testing.T) {
	pair := func(format isa.Type, channels int, fraction bool) sampler {
		size := 2 * channels * format.Size()
		return sampler{tex: Texture{Dims: 1, Width: 2, Format: format, Channels: channels, Fraction: fraction}, texels: []byte(strings.Repeat("\xff", size))}
	}
	const store = "sust.p.1d.v4.b32.trap [%rd2, {%r10}], {%r11,%r12,%r13,%r14};"
	for _, c := range []struct {
		name string
		s    sampler
		body string
		in   []uint32
		want []byte
	}{
		{"u8", pair(isa.U8, 4, false), store, []uint32{1, 1, 2, 3, 0x104}, []byte{255, 255, 255, 255, 1, 2, 3, 4}},
		{"s16", pair(isa.S16, 2, false), store, []uint32{0, 0xfffffffe, 5, 9, 9}, []byte{0xfe, 0xff, 5, 0, 255, 255, 255, 255}},
		{"unorm", pair(isa.U8, 4, true), store, append([]uint32{1}, bitsOf(0, 0.5, 2, -1)...), []byte{255, 255, 255, 255, 0, 128, 255, 0}},
		{"snorm", pair(isa.S8, 4, true), store, append([]uint32{0}, bitsOf(-1, 1, 0.25, -9)...), []byte{0x81, 0x7f, 32, 0x81, 255, 255, 255, 255}},
		{"f16", pair(isa.F16, 2, false), store, append([]uint32{1}, bitsOf(1.5, -2, 0, 0)...), []byte{255, 255, 255, 255, 0, 0x3e, 0, 0xc0}},
		{"f32", pair(isa.F32, 1, false), "sust.p.1d.b32.trap [%rd2, {%r10}], %r11;", append([]uint32{1}, bitsOf(1)...), []byte{255, 255, 255, 255, 0, 0, 0x80, 0x3f}},
		{"missing", pair(isa.U8, 4, false), "sust.p.1d.v2.b32.trap [%rd2, {%r10}], {%r11,%r12};", []uint32{0, 7, 8}, []byte{7, 8, 0, 0, 255, 255, 255, 255}},
		{"clamp", pair(isa.U8, 4, false), "sust.p.1d.v4.b32.clamp [%rd2, {%r10}], {%r11,%r11,%r11,%r11};", []uint32{9, 7}, []byte{255, 255, 255, 255, 7, 7, 7, 7}},
		{"zero", pair(isa.U8, 4, false), "sust.p.1d.v4.b32.zero [%rd2, {%r10}], {%r11,%r11,%r11,%r11};", []uint32{2, 7}, []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"signed minimum", pair(isa.S32, 1, false), "sured.p.min.1d.b32.trap [%rd2, {%r10}], %r11;", []uint32{1, 5}, []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"unsigned minimum", pair(isa.U32, 1, false), "sured.p.min.1d.b32.trap [%rd2, {%r10}], %r11;", []uint32{1, 5}, []byte{255, 255, 255, 255, 5, 0, 0, 0}},
		{"sum", pair(isa.U32, 1, false), "sured.p.add.1d.b32.trap [%rd2, {%r10}], %r11;", []uint32{0, 5}, []byte{4, 0, 0, 0, 255, 255, 255, 255}},
	} {
		_, fault, m := c.s.run(t, c.body, [][]uint32{c.in})
		if fault != nil {
			t.Errorf("%s: %v", c.name, fault)
			continue
		}
		got := make([]byte, len(c.want))
		for _, tex := range m.state.Dev.Textures {
			if err := m.Read(tex.Addr, got); err != nil {
				t.Fatal(err)
			}
		}
		if string(got) != string(c.want) {
			t.Errorf("%s: got %x, want %x", c.name, got, c.want)
		}
	}
	for body, want := range map[string]string{
		"sust.p.1d.b32.trap [%rd2, {%r10}], %r11;":      "outside the surface",
		"sured.p.add.1d.b32.trap [%rd2, {%r11}], %r11;": "reduction of 4 bytes on a surface with 4 channels of type .u8",
	} {
		s := pair(isa.U8, 4, false)
		if _, fault, _ := s.run(t, body, [][]uint32{{0x80000000, 0}}); fault == nil || !strings.Contains(fault.Message, want) {
			t.Errorf("%s: got %v, want %s", body, fault, want)
		}
	}
}

// TestTextureRefusedMore: descriptions that no driver takes.
func TestTextureRefusedMore(t *testing.T) {
	for _, c := range []struct {
		change func(t *Texture)
		want   string
	}{
		{func(t *Texture) { t.Samples = 3 }, "3 samples, expected 1, 2, 4, 8 or 16"},
		{func(t *Texture) { t.Samples, t.Levels = 2, 2 }, "2 levels with 2 samples"},
		{func(t *Texture) { t.Levels = 4 }, "with 4 levels of detail, expected no more than halving gives"},
		{func(t *Texture) { t.Levels, t.Pitch = 2, 64 }, "levels of detail and a pitch"},
		{func(t *Texture) { t.Levels = 3 }, "reaches"},
		{func(t *Texture) { t.SRGB = true }, "as sRGB, expected fractions of u8"},
		{func(t *Texture) { t.Compare, t.Channels = CompareLess, 2 }, "with 2 channels, expected 1 of f32 or fractions"},
		{func(t *Texture) { t.Format, t.MipLinear = isa.U32, true }, "with linear filtering"},
	} {
		s := plane()
		c.change(&s.tex)
		m := &Machine{Device: NewDevice(Config{MemoryLimit: 1 << 20})}
		addr, err := m.Alloc("texels", uint64(len(s.texels)))
		if err != nil {
			t.Fatal(err)
		}
		s.tex.Addr = addr
		if _, err := m.NewTexture(s.tex); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestTextureForms reads a texel of three dimensions by integer and floating-point coordinates, and one of a cube.
func TestTextureForms(t *testing.T) {
	volume := sampler{tex: Texture{Dims: 3, Width: 2, Height: 2, Depth: 2, Format: isa.F32, Channels: 1}}
	for i := range 8 {
		volume.texels = binary.LittleEndian.AppendUint32(volume.texels, math.Float32bits(float32(i)))
	}
	const zeros = "{0f00000000, 0f00000000, 0f00000000, 0f00000000}"
	for mip, more := range map[string]string{"": "", ".base": "", ".level": ", 0", ".grad": ", " + zeros + ", " + zeros} {
		for ctype, at := range map[string][]uint32{"s32": {1, 0, 1}, "f32": bitsOf(1, 0, 1)} {
			if mip == ".level" && ctype == "f32" {
				more = ", 0f00000000"
			} else if mip == ".level" {
				more = ", 0"
			}
			const place = ", [%rd2, {%r10,%r11,%r12,%r12}]"
			four := "tex" + mip + ".3d.v4.f32." + ctype + " {%r20,%r21,%r22,%r23}" + place + more + ";"
			if got, want := volume.one(t, four, at...), [4]uint32{math.Float32bits(5), 0, 0, math.Float32bits(1)}; got != want {
				t.Errorf("%s: got %x, want %x", four, got, want)
			}
			two := "tex" + mip + ".3d.v2.f16x2." + ctype + " {%r20,%r21}" + place + more + ";\nmov.u32 %r22, 0;\nmov.u32 %r23, 0;"
			if got, want := volume.one(t, two, at...), [4]uint32{0x4500, 0x3c000000}; got != want {
				t.Errorf("%s: got %x, want %x", two, got, want)
			}
		}
	}
	cube := sampler{tex: Texture{Dims: 2, Width: 2, Height: 2, Layers: 6, Cube: true, Format: isa.U8, Channels: 1}, texels: bytes.Repeat([]byte{7}, 24)}
	gather := "tld4.r.cube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];"
	if got := cube.one(t, gather, bitsOf(4, 1, -2)...); got != [4]uint32{7, 7, 7, 7} {
		t.Errorf("%s: got %d", gather, got)
	}
}
