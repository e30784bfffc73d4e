package emu

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// sampler is a machine with a texture of 4 by 2 float32 texels, 1 2 3 4 / 10 20 30 40,
// by default; a test changes the description.
type sampler struct {
	listener Listener
	tex      Texture
	texels   []byte
}

func floats(v ...float32) []byte {
	var b []byte
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

func plane() sampler {
	return sampler{
		tex:    Texture{Dims: 2, Width: 4, Height: 2, Format: isa.F32, Channels: 1},
		texels: floats(1, 2, 3, 4, 10, 20, 30, 40),
	}
}

// run executes the body for 32 lanes: %rd2 is the texture object, %r10 and on the
// words of the lane's input record. What the body leaves in %r20 to %r23 is the
// output.
func (s sampler) run(t *testing.T, body string, in [][]uint32) ([][4]uint32, *Fault, *Machine) {
	t.Helper()
	var b strings.Builder
	for i := range in[0] {
		fmt.Fprintf(&b, "\tld.global.u32 %%r%d, [%%rd0+%d];\n", 10+i, 4*i)
	}
	b.WriteString(body + "\n\tst.global.v4.u32 [%rd1], {%r20, %r21, %r22, %r23};\n")
	src := strings.Replace(warpKernel(b.String()), ".param .u64 out)", ".param .u64 out, .param .u64 tex)", 1)
	src = strings.Replace(src, "mov.u32 %r0, %tid.x;", "ld.param.u64 %rd2, [tex];\n\tmov.u32 %r0, %tid.x;", 1)
	m := machineFor(t, Config{Listener: s.listener}, ".global .texref bound;\n.global .surfref loose;\n"+src)
	data, err := m.Alloc("texels", uint64(len(s.texels)))
	if err != nil {
		t.Fatal(err)
	}
	if err = m.Write(data, s.texels); err != nil {
		t.Fatal(err)
	}
	s.tex.Addr = data
	h, err := m.NewTexture(s.tex)
	if err != nil {
		t.Fatal(err)
	}
	if err = m.BindTexture("bound", s.tex); err != nil {
		t.Fatal(err)
	}
	inBuf, err := m.Alloc("in", 32*recordSize)
	if err != nil {
		t.Fatal(err)
	}
	outBuf, err := m.Alloc("out", 32*recordSize)
	if err != nil {
		t.Fatal(err)
	}
	for i, words := range in {
		var rec []byte
		for _, w := range words {
			rec = binary.LittleEndian.AppendUint32(rec, w)
		}
		if err = m.Write(inBuf+uint64(i*recordSize), rec); err != nil {
			t.Fatal(err)
		}
	}
	var params []byte
	for _, p := range []uint64{inBuf, outBuf, h} {
		params = binary.LittleEndian.AppendUint64(params, p)
	}
	res, err := m.Launch(context.Background(), LaunchConfig{Kernel: "k", Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: uint32(len(in)), Y: 1, Z: 1}, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Faults) > 0 {
		return nil, res.Faults[0], m
	}
	CountResults(m, len(in))
	out := make([][4]uint32, len(in))
	for i := range out {
		rec := make([]byte, 16)
		if err := m.Read(outBuf+uint64(i*recordSize), rec); err != nil {
			t.Fatal(err)
		}
		for k := range out[i] {
			out[i][k] = binary.LittleEndian.Uint32(rec[4*k:])
		}
	}
	return out, nil, m
}

const fetch2D = "\ttex.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd2, {%r10, %r11}];"

// sampled is the first channel at the coordinates x, y.
func (s sampler) sampled(t *testing.T, points [][2]float32) []float32 {
	t.Helper()
	var in [][]uint32
	for _, p := range points {
		in = append(in, []uint32{math.Float32bits(p[0]), math.Float32bits(p[1])})
	}
	out, fault, _ := s.run(t, fetch2D, in)
	if fault != nil {
		t.Fatal(fault)
	}
	var got []float32
	for _, o := range out {
		got = append(got, math.Float32frombits(o[0]))
	}
	return got
}

// TestPointSampling: the texel that holds the coordinate, with each address mode
// outside (CUDA C++ Programming Guide, "Nearest-Point Sampling" and "Texture
// Memory").
func TestPointSampling(t *testing.T) {
	points := [][2]float32{{0, 0}, {0.99, 0.5}, {1, 0}, {3.9, 1.9}, {-1, 0}, {4, 0}, {5.5, 1}, {0, 2}, {0, -3}}
	for _, c := range []struct {
		mode       AddressMode
		normalized bool
		want       []float32
	}{
		{AddressClamp, false, []float32{1, 1, 2, 40, 1, 4, 40, 10, 1}},
		{AddressWrap, false, []float32{1, 1, 2, 40, 1, 4, 40, 10, 1}}, // needs normalised coordinates
		{AddressBorder, false, []float32{1, 1, 2, 40, 7, 7, 7, 7, 7}},
		{AddressClamp, true, []float32{1, 1, 2, 40, 1, 4, 40, 10, 1}},
		{AddressWrap, true, []float32{1, 1, 2, 40, 4, 1, 20, 1, 10}},
		{AddressMirror, true, []float32{1, 1, 2, 40, 1, 4, 30, 10, 10}},
		{AddressBorder, true, []float32{1, 1, 2, 40, 7, 7, 7, 7, 7}},
	} {
		s := plane()
		s.tex.Address = [3]AddressMode{c.mode, c.mode, c.mode}
		s.tex.Border = [4]float32{7, 0, 0, 0}
		s.tex.Normalized = c.normalized
		scaled := points
		if c.normalized {
			scaled = nil
			for _, p := range points {
				scaled = append(scaled, [2]float32{p[0] / 4, p[1] / 2})
			}
		}
		if got := s.sampled(t, scaled); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("mode %d, normalised %t: %v, want %v", c.mode, c.normalized, got, c.want)
		}
	}
}

// TestLinearFiltering: (1-a)(1-b) T[i,j] + a(1-b) T[i+1,j] + ... with i, a the parts
// of x-0.5, in steps of 1/256 ("Linear Filtering").
func TestLinearFiltering(t *testing.T) {
	s := plane()
	s.tex.Linear = true
	points := [][2]float32{{0.5, 0.5}, {1, 0.5}, {1.25, 1}, {0, 0}, {4, 2}, {2.5, 1.25}, {1.5 + 1.0/512 + 1.0/2048, 0.5}}
	want := []float32{
		1, 1.5, // on a centre, and half way
		// x: 0.75 from 1 to 2 (1.75) and 10 to 20 (17.5); y: half way
		(1.75 + 17.5) / 2,
		1, 40, // clamped
		3 + 0.75*27, // 2.5 is the centre of 3 and 30
		2 + 1.0/256,
	}
	if got := s.sampled(t, points); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	s.tex.Address = [3]AddressMode{AddressWrap, AddressWrap}
	s.tex.Normalized = true
	if got := s.sampled(t, [][2]float32{{0, 0.25}, {1, 0.25}, {0.125, 0}}); fmt.Sprint(got) != fmt.Sprint([]float32{2.5, 2.5, 5.5}) {
		t.Errorf("wrapped: %v, want 2.5 (of 4 and 1), the same, 5.5 (of 10 and 1)", got)
	}
}

// TestTexelFormats: channels of every format, as elements and as fractions.
func TestTexelFormats(t *testing.T) {
	one := math.Float32bits(1)
	for _, c := range []struct {
		format   isa.Type
		fraction bool
		channels int
		texels   []byte
		dtype    string
		want     [4]uint32
	}{
		{isa.U8, false, 4, []byte{1, 2, 254, 255}, "u32", [4]uint32{1, 2, 254, 255}},
		{isa.S8, false, 2, []byte{1, 0xfe}, "s32", [4]uint32{1, 0xfffffffe, 0, 1}},
		{isa.U16, false, 1, []byte{0xff, 0xff}, "u32", [4]uint32{0xffff, 0, 0, 1}},
		{isa.S16, false, 1, []byte{0xff, 0xff}, "s32", [4]uint32{0xffffffff, 0, 0, 1}},
		{isa.S32, false, 1, []byte{0xff, 0xff, 0xff, 0x7f}, "s32", [4]uint32{0x7fffffff, 0, 0, 1}},
		{isa.U8, true, 2, []byte{255, 51}, "f32", [4]uint32{one, math.Float32bits(0.2), 0, one}},
		{isa.S8, true, 4, []byte{127, 0x81, 0x80, 0}, "f32", [4]uint32{one, math.Float32bits(-1), math.Float32bits(-1), 0}},
		{isa.U16, true, 1, []byte{0xff, 0xff}, "f32", [4]uint32{one, 0, 0, one}},
		{isa.F16, false, 2, []byte{0x00, 0x3e, 0x01, 0x00}, "f32", [4]uint32{math.Float32bits(1.5), math.Float32bits(0x1p-24), 0, one}},
		{isa.F32, false, 4, floats(1, 2, 3, 4), "f32", [4]uint32{one, math.Float32bits(2), math.Float32bits(3), math.Float32bits(4)}},
	} {
		s := sampler{tex: Texture{Dims: 1, Width: 1, Format: c.format, Channels: c.channels, Fraction: c.fraction}, texels: c.texels}
		for _, from := range []string{"%rd2", "bound"} {
			out, fault, _ := s.run(t, "\ttex.1d.v4."+c.dtype+".s32 {%r20, %r21, %r22, %r23}, ["+from+", {%r10}];", [][]uint32{{0}})
			if fault != nil {
				t.Fatal(fault)
			}
			if out[0] != c.want {
				t.Errorf("%s of %d channels, fraction %t: %x, want %x", c.format, c.channels, c.fraction, out[0], c.want)
			}
		}
	}
}

// TestTextureShapes: arrays, volumes, plain buffers, offsets, packed halves, the
// residence predicate, gathering and queries.
func TestTextureShapes(t *testing.T) {
	volume := sampler{tex: Texture{Dims: 3, Width: 2, Height: 2, Depth: 2, Format: isa.U8, Channels: 1}, texels: []byte{0, 1, 2, 3, 4, 5, 6, 7}}
	layers := sampler{tex: Texture{Dims: 2, Width: 2, Height: 2, Layers: 2, Format: isa.U8, Channels: 1}, texels: []byte{0, 1, 2, 3, 4, 5, 6, 7}}
	rows := sampler{tex: Texture{Dims: 1, Width: 2, Layers: 3, Pitch: 4, Format: isa.U8, Channels: 1}, texels: []byte{0, 1, 99, 99, 2, 3, 99, 99, 4, 5}}
	cube := sampler{tex: Texture{Dims: 2, Width: 2, Height: 2, Layers: 6, Cube: true, Format: isa.U8, Channels: 1}}
	for i := range byte(24) {
		cube.texels = append(cube.texels, i)
	}
	cubes := cube
	cubes.tex.Layers = 12
	for i := range byte(24) {
		cubes.texels = append(cubes.texels, 100+i)
	}
	buffer := sampler{tex: Texture{Dims: 1, Width: 3, Buffer: true, Format: isa.U8, Channels: 1}, texels: []byte{7, 8, 9}}
	bits := math.Float32bits
	for _, c := range []struct {
		s    sampler
		body string
		in   []uint32
		want [4]uint32
	}{
		{cube, "tex.cube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{bits(4), bits(1), bits(-2)}, [4]uint32{1, 0, 0, 1}},
		{cube, "tex.cube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{bits(-4), bits(1), bits(-2)}, [4]uint32{4, 0, 0, 1}},
		{cube, "tex.cube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{bits(1), bits(4), bits(-2)}, [4]uint32{9, 0, 0, 1}},
		{cube, "tex.cube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{bits(1), bits(-4), bits(-2)}, [4]uint32{15, 0, 0, 1}},
		{cube, "tex.cube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{bits(1), bits(-2), bits(4)}, [4]uint32{19, 0, 0, 1}},
		{cube, "tex.cube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{bits(1), bits(-2), bits(-4)}, [4]uint32{22, 0, 0, 1}},
		{cubes, "tex.acube.v4.u32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r13,%r10,%r11,%r12}];", []uint32{bits(1), bits(-2), bits(4), 1}, [4]uint32{119, 0, 0, 1}},
		{volume, "tex.3d.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{1, 0, 1}, [4]uint32{5, 0, 0, 1}},
		{layers, "tex.a2d.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{1, 0, 1}, [4]uint32{6, 0, 0, 1}},
		{layers, "tex.a2d.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11,%r12,%r12}];", []uint32{9, 0, 1}, [4]uint32{6, 0, 0, 1}},
		{rows, "tex.a1d.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}];", []uint32{2, 1}, [4]uint32{5, 0, 0, 1}},
		{buffer, "tex.1d.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10}];", []uint32{2}, [4]uint32{9, 0, 0, 1}},
		{buffer, "tex.1d.v4.u32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10}];", []uint32{3}, [4]uint32{}},
		{plane(), "tex.level.2d.v4.f32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}], 0f00000000, {%r12, %r13};", []uint32{bits(0), bits(0), 2, 1}, [4]uint32{bits(30), 0, 0, bits(1)}},
		{plane(), "tex.2d.v4.f32.f32 {%r20,%r21,%r22,%r23}|%p1, [%rd2, {%r10,%r11}];\nselp.u32 %r21, 5, 6, %p1;", []uint32{bits(1), bits(0)}, [4]uint32{bits(2), 5, 0, bits(1)}},
		{plane(), "tex.2d.v2.f16x2.f32 {%r20,%r21}, [%rd2, {%r10,%r11}];\nmov.u32 %r22, 0;\nmov.u32 %r23, 0;", []uint32{bits(1), bits(0)}, [4]uint32{0x4000, 0x3c000000, 0, 0}},
		{plane(), "tex.2d.v4.f16.f32 {%h0,%h1,%h2,%h3}, [%rd2, {%r10,%r11}];\nmov.b32 %r20, {%h0,%h3};\nmov.u32 %r22, 0;", []uint32{bits(1), bits(0)}, [4]uint32{0x3c004000, 0, 0, 0}},
		{plane(), "tld4.r.2d.v4.f32.f32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}];", []uint32{bits(2), bits(1)}, [4]uint32{bits(20), bits(30), bits(3), bits(2)}},
		{layers, "txq.width.b32 %r20, [%rd2];\ntxq.height.b32 %r21, [%rd2];\ntxq.array_size.b32 %r22, [%rd2];\ntxq.channel_data_type.b32 %r23, [%rd2];", []uint32{0}, [4]uint32{2, 2, 2, 0x10da}},
		{volume, "suq.depth.b32 %r20, [%rd2];\nsuq.channel_order.b32 %r21, [%rd2];\ntxq.addr_mode_0.b32 %r22, [bound];\ntxq.filter_mode.b32 %r23, [bound];", []uint32{0}, [4]uint32{2, 0x10b0, 3, 0}},
		{plane(), "mov.u64 %rd3, bound;\nistypep.texref %p1, %rd3;\nselp.u32 %r20, 1, 0, %p1;\nistypep.surfref %p1, %rd3;\nselp.u32 %r21, 1, 0, %p1;\nmov.u64 %rd3, loose;\nistypep.surfref %p1, %rd3;\nselp.u32 %r22, 1, 0, %p1;\nistypep.texref %p1, %rd1;\nselp.u32 %r23, 1, 0, %p1;", []uint32{0}, [4]uint32{1, 0, 1, 0}},
	} {
		out, fault, _ := c.s.run(t, c.body, [][]uint32{c.in})
		if fault != nil {
			t.Errorf("%s: %v", c.body, fault)
			continue
		}
		if out[0] != c.want {
			t.Errorf("%s with %d: %x, want %x", c.body, c.in, out[0], c.want)
		}
	}
}

// TestSurfaces: byte offsets, the three modes outside, and reductions.
func TestSurfaces(t *testing.T) {
	grid := sampler{tex: Texture{Dims: 2, Width: 2, Height: 2, Format: isa.U32, Channels: 1}, texels: []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}}
	zero := "mov.u32 %r20, 0;\nmov.u32 %r21, 0;\nmov.u32 %r22, 0;\nmov.u32 %r23, 0;\n"
	for _, c := range []struct {
		body  string
		in    []uint32
		want  [4]uint32 // what is read
		after []byte    // first bytes of the four texels
	}{
		{"suld.b.2d.b32.trap %r20, [%rd2, {%r10,%r11}];", []uint32{4, 1}, [4]uint32{4}, []byte{1, 2, 3, 4}},
		{"suld.b.2d.v2.b32.trap {%r20,%r21}, [%rd2, {%r10,%r11}];", []uint32{0, 1}, [4]uint32{3, 4}, []byte{1, 2, 3, 4}},
		{"suld.b.2d.b32.zero %r20, [%rd2, {%r10,%r11}];", []uint32{8, 1}, [4]uint32{0}, []byte{1, 2, 3, 4}},
		{"suld.b.2d.b32.clamp %r20, [%rd2, {%r10,%r11}];", []uint32{100, 9}, [4]uint32{4}, []byte{1, 2, 3, 4}},
		{"suld.b.2d.b32.clamp %r20, [%rd2, {%r10,%r11}];", []uint32{0xffffffff & ^uint32(3), 0}, [4]uint32{1}, []byte{1, 2, 3, 4}},
		{"sust.b.2d.b8.trap [%rd2, {%r10,%r11}], %r12;", []uint32{4, 0, 77}, [4]uint32{}, []byte{1, 77, 3, 4}},
		{"sust.b.2d.b32.zero [%rd2, {%r10,%r11}], %r12;", []uint32{4, 2, 77}, [4]uint32{}, []byte{1, 2, 3, 4}},
		{"sust.b.2d.b32.clamp [%rd2, {%r10,%r11}], %r12;", []uint32{4, 2, 77}, [4]uint32{}, []byte{1, 2, 3, 77}},
		{"sured.b.add.2d.u32.trap [%rd2, {%r10,%r11}], %r12;", []uint32{0, 1, 9}, [4]uint32{}, []byte{1, 2, 12, 4}},
		{"sured.b.min.2d.s32.trap [%rd2, {%r10,%r11}], %r12;", []uint32{0, 1, 0xfffffff0}, [4]uint32{}, []byte{1, 2, 0xf0, 4}},
		{"sured.b.max.2d.u32.trap [%rd2, {%r10,%r11}], %r12;", []uint32{0, 1, 2}, [4]uint32{}, []byte{1, 2, 3, 4}},
		{"sured.b.or.2d.b32.trap [%rd2, {%r10,%r11}], %r12;", []uint32{4, 1, 3}, [4]uint32{}, []byte{1, 2, 3, 7}},
	} {
		out, fault, m := grid.run(t, zero+c.body, [][]uint32{c.in})
		if fault != nil {
			t.Errorf("%s: %v", c.body, fault)
			continue
		}
		texels := make([]byte, 16)
		for _, tex := range m.state.Dev.Textures {
			if err := m.Read(tex.Addr, texels); err != nil {
				t.Fatal(err)
			}
		}
		after := []byte{texels[0], texels[4], texels[8], texels[12]}
		if out[0] != c.want || string(after) != string(c.after) {
			t.Errorf("%s with %d: %d and %d, want %d and %d", c.body, c.in, out[0], after, c.want, c.after)
		}
	}
	for body, want := range map[string]string{
		"suld.b.2d.b32.trap %r20, [%rd2, {%r10,%r11}];":  "out-of-bounds",
		"sust.b.2d.b32.trap [%rd2, {%r10,%r11}], %r20;":  "out-of-bounds",
		"suld.b.2d.b32.zero %r20, [%rd0, {%r10,%r11}];":  "no texture object",
		"suld.b.2d.b32.zero %r20, [loose, {%r10,%r11}];": "loose, which is not bound",
		"suld.b.1d.b32.zero %r20, [%rd2, {%r10}];":       "2 dimensions",
		"suld.b.2d.b32.zero %r20, [%rd2, {%r12,%r11}];":  "misaligned",
	} {
		_, fault, _ := grid.run(t, zero+body, [][]uint32{{8, 0, 2}})
		if fault == nil || !strings.Contains(fault.Error(), want) {
			t.Errorf("%s: fault %v, expected %q", body, fault, want)
		}
	}
}

// TestTextureErrors: descriptions that no driver would take.
func TestTextureErrors(t *testing.T) {
	m := machineFor(t, Config{}, ".global .texref r;\n.global .u32 v;\n.visible .entry k() { ret; }\n")
	a, err := m.Alloc("a", 64)
	if err != nil {
		t.Fatal(err)
	}
	good := Texture{Dims: 1, Width: 16, Format: isa.U32, Channels: 1, Addr: a}
	if _, err := m.NewTexture(good); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Texture){
		"4 dimensions":          func(x *Texture) { x.Dims = 4 },
		"extent 16x2x1":         func(x *Texture) { x.Height = 2 },
		"array of 3 dimensions": func(x *Texture) { x.Dims, x.Layers = 3, 2 },
		"expected 2, a square":  func(x *Texture) { x.Cube = true },
		"the limit is":          func(x *Texture) { x.Width = 1 << 31 },
		"3 channels":            func(x *Texture) { x.Channels = 3 },
		"format .f64":           func(x *Texture) { x.Format = isa.F64 },
		"read as fractions":     func(x *Texture) { x.Fraction = true },
		"address modes [9 0 0]": func(x *Texture) { x.Address[0] = 9 },
		"linear filtering":      func(x *Texture) { x.Linear = true },
		"pitch of 60":           func(x *Texture) { x.Pitch = 60 },
		"reaches 4 bytes":       func(x *Texture) { x.Width = 17 },
	} {
		bad := good
		change(&bad)
		if _, err := m.NewTexture(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q in it", err, want)
		}
	}
	for _, name := range []string{"v", "nobody"} {
		if err := m.BindTexture(name, good); err == nil {
			t.Errorf("bound %s", name)
		}
	}
}

// quietTexels reads texels and tells nobody.
type quietTexels struct{ mem *gmem.Memory }

func (q quietTexels) Texel(addr, n uint64) ([]byte, error) { return q.mem.At(addr, n) }

// TestSamplesStayInside: whatever the description and the coordinates, sampling reads
// within the texture's memory.
func TestSamplesStayInside(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	m := machineFor(t, Config{}, ".visible .entry k() { ret; }\n")
	a, err := m.Alloc("a", 4096)
	if err != nil {
		t.Fatal(err)
	}
	flip := func() bool { return rng.IntN(2) == 0 }
	for range 20000 {
		x := &Texture{
			Dims: 1 + rng.IntN(3), Width: 1 + uint32(rng.IntN(4)), Layers: 6 * uint32(rng.IntN(3)), Channels: 1 << rng.IntN(3),
			Format: isa.F32, Addr: a, Buffer: flip(), Linear: flip(), Normalized: flip(),
			Address: [3]AddressMode{AddressMode(rng.IntN(4)), AddressMode(rng.IntN(4)), AddressMode(rng.IntN(4))},
		}
		if x.Dims > 1 {
			x.Height, x.Cube = x.Width, x.Dims == 2 && x.Layers > 0 && flip()
		}
		h, err := m.NewTexture(*x)
		if err != nil {
			continue // too large, or an array of volumes
		}
		x = m.state.Dev.Textures[h]
		var c [3]float32
		for i := range c {
			if c[i] = rng.Float32()*20 - 10; flip() {
				c[i] = math.Float32frombits(rng.Uint32())
			}
		}
		at, layer := x, int64(rng.Uint32())
		if x.Cube {
			at, c, layer = x.Face(c, layer)
		}
		if _, err := at.Sample(quietTexels{m.state.Dev.Mem}, c, [3]int64{int64(rng.IntN(16) - 8)}, texture.Place{Layer: layer}); err != nil {
			t.Fatalf("%+v at %v: %v", *x, c, err)
		}
		if x.Dims == 2 {
			if _, err := at.Gather(quietTexels{m.state.Dev.Mem}, c, [3]int64{}, texture.Place{Layer: layer}, 0); err != nil {
				t.Fatalf("%+v at %v: %v", *x, c, err)
			}
		}
	}
}
