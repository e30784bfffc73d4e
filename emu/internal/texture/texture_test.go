package texture

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// memory is bytes at address 0x1000.
type memory []byte

const base = 0x1000

func (m memory) Texel(addr, n uint64) ([]byte, error) {
	if addr < base || addr+n > base+uint64(len(m)) {
		return nil, errors.New("outside")
	}
	return m[addr-base:][:n], nil
}

// make1 initialises a texture over the bytes and returns both.
func make1(t *testing.T, x Texture, bytes ...byte) (*Texture, memory) {
	t.Helper()
	x.Addr = base
	if x.Channels == 0 {
		x.Channels = 1
	}
	size, err := x.Init()
	if err != nil {
		t.Fatal(err)
	}
	m := make(memory, size)
	copy(m, bytes)
	return &x, m
}

func f32(v uint32) float32 { return math.Float32frombits(v) }

// Address modes (CUDA C++ Programming Guide, "Texture Memory"): wrap and mirror hold for
// normalised coordinates only, and are clamp for others.
func TestAddressModes(t *testing.T) {
	for _, c := range []struct {
		mode       AddressMode
		normalized bool
		at         []int64
		want       []uint32
	}{
		{AddressClamp, false, []int64{-5, -1, 0, 3, 4, 100}, []uint32{10, 10, 10, 13, 13, 13}},
		{AddressWrap, true, []int64{-5, -1, 0, 3, 4, 9}, []uint32{13, 13, 10, 13, 10, 11}},
		{AddressMirror, true, []int64{-5, -4, -1, 0, 3, 4, 7, 8}, []uint32{13, 13, 10, 10, 13, 13, 10, 10}},
		{AddressWrap, false, []int64{-1, 4}, []uint32{10, 13}},
		{AddressMirror, false, []int64{-1, 4}, []uint32{10, 13}},
		{AddressBorder, false, []int64{-1, 0, 4}, []uint32{0, 10, 0}},
	} {
		x, m := make1(t, Texture{Dims: 1, Width: 4, Format: isa.U8, Normalized: c.normalized, Address: [3]AddressMode{c.mode}}, 10, 11, 12, 13)
		for i, at := range c.at {
			v, err := x.Fetch(m, Place{At: [3]int64{at}})
			if err != nil || v[0] != c.want[i] {
				t.Errorf("mode %d, normalised %t, at %d: %d, %v; expected %d", c.mode, c.normalized, at, v[0], err, c.want[i])
			}
		}
	}
}

// Outside, a floating-point texture reads as its border, a buffer as 0.
func TestOutside(t *testing.T) {
	border := Texture{Dims: 1, Width: 1, Format: isa.F32, Address: [3]AddressMode{AddressBorder}, Border: [4]float32{1, 2, 3, 4}}
	x, m := make1(t, border)
	if v, _ := x.Fetch(m, Place{At: [3]int64{1}}); f32(v[0]) != 1 || f32(v[3]) != 4 {
		t.Errorf("border: %x", v)
	}
	x, m = make1(t, Texture{Dims: 1, Width: 1, Format: isa.F32, Buffer: true})
	if v, _ := x.Fetch(m, Place{At: [3]int64{1}}); v != (Texel{}) {
		t.Errorf("buffer: %x", v)
	}
}

// Channels: missing ones are 0 and alpha is 1; fractions run from 0 or -1 to 1 (CUDA C++
// Programming Guide, cudaReadModeNormalizedFloat), where the least two numbers are both -1.
func TestChannels(t *testing.T) {
	x, m := make1(t, Texture{Dims: 1, Width: 1, Format: isa.S8, Channels: 2}, 0x80, 0x7f)
	if v, _ := x.Fetch(m, Place{}); int32(v[0]) != -128 || v[1] != 127 || v[2] != 0 || v[3] != 1 {
		t.Errorf("s8: %x", v)
	}
	for _, c := range []struct {
		format isa.Type
		bytes  []byte
		want   float32
	}{
		{isa.U8, []byte{255}, 1},
		{isa.U8, []byte{51}, 0.2},
		{isa.U16, []byte{0xff, 0xff}, 1},
		{isa.S8, []byte{0x7f}, 1},
		{isa.S8, []byte{0x80}, -1},
		{isa.S8, []byte{0x81}, -1},
	} {
		one, memory := make1(t, Texture{Dims: 1, Width: 1, Format: c.format, Fraction: true}, c.bytes...)
		if v, _ := one.Fetch(memory, Place{}); f32(v[0]) != c.want || f32(v[3]) != 1 {
			t.Errorf("%s %x: %g, alpha %g", c.format, c.bytes, f32(v[0]), f32(v[3]))
		}
	}
	x, m = make1(t, Texture{Dims: 1, Width: 1, Format: isa.F16}, 0x00, 0x3c)
	if v, _ := x.Fetch(m, Place{}); f32(v[0]) != 1 {
		t.Errorf("f16: %g", f32(v[0]))
	}
	x, m = make1(t, Texture{Dims: 1, Width: 1, Format: isa.U8, Channels: 4, Fraction: true, SRGB: true}, 255, 0, 188, 128)
	if v, _ := x.Fetch(m, Place{}); f32(v[0]) != 1 || f32(v[1]) != 0 || math.Abs(float64(f32(v[2]))-0.5029) > 1e-4 || f32(v[3]) != 128./255 {
		t.Errorf("sRGB: %g %g %g %g", f32(v[0]), f32(v[1]), f32(v[2]), f32(v[3]))
	}
}

// Encode is the inverse of Fetch; fractions are clamped, NaN is 0, and writing what is there
// changes nothing.
func TestEncode(t *testing.T) {
	x, m := make1(t, Texture{Dims: 1, Width: 1, Format: isa.S8, Fraction: true})
	for _, c := range []struct {
		v    float32
		want byte
	}{{1, 0x7f}, {-1, 0x81}, {7, 0x7f}, {-7, 0x81}, {0, 0}, {float32(math.NaN()), 0}, {0.5, 64}} {
		m[0] = c.want + 1
		if !x.Encode(m, Texel{math.Float32bits(c.v)}) || m[0] != c.want {
			t.Errorf("%g: %#x, expected %#x", c.v, m[0], c.want)
		}
		if x.Encode(m, Texel{math.Float32bits(c.v)}) {
			t.Errorf("%g changes memory that holds it", c.v)
		}
	}
	x, m = make1(t, Texture{Dims: 1, Width: 1, Format: isa.U16, Channels: 2})
	x.Encode(m, Texel{0x12345, 0x6789})
	if v, _ := x.Fetch(m, Place{}); v[0] != 0x2345 || v[1] != 0x6789 {
		t.Errorf("u16: %x", v)
	}
}

// Linear filtering (CUDA C++ Programming Guide, "Linear Filtering"): weights have 8 bits behind
// the point, texel i has its centre at i + 0.5.
func TestLinear(t *testing.T) {
	x, m := make1(t, Texture{Dims: 1, Width: 2, Format: isa.U8, Fraction: true, Linear: true}, 0, 255)
	for at, want := range map[float32]float32{0: 0, 0.5: 0, 0.75: 0.25, 1: 0.5, 1.5: 1, 2: 1, 0.5 + 1./1024: 0} {
		v, err := x.Sample(m, [3]float32{at}, [3]int64{}, Place{})
		if err != nil || f32(v[0]) != want {
			t.Errorf("at %g: %g, %v; expected %g", at, f32(v[0]), err, want)
		}
	}
	x.Linear = false
	for at, want := range map[float32]float32{0.9: 0, 1: 1, float32(math.NaN()): 0, float32(math.Inf(1)): 1, -5: 0} {
		if v, _ := x.Sample(m, [3]float32{at}, [3]int64{}, Place{}); f32(v[0]) != want {
			t.Errorf("nearest at %g: %g, expected %g", at, f32(v[0]), want)
		}
	}
}

// Gather (PTX ISA, tld4): one channel of the four texels, counter-clockwise from the lower left.
func TestGather(t *testing.T) {
	x, m := make1(t, Texture{Dims: 2, Width: 2, Height: 2, Format: isa.U8}, 1, 2, 3, 4)
	v, err := x.Gather(m, [3]float32{1, 1}, [3]int64{}, Place{}, 0)
	if want := (Texel{3, 4, 2, 1}); err != nil || v != want {
		t.Errorf("%v, %v; expected %v", v, err, want)
	}
}

// Depth comparisons: the operand with the texel.
func TestCompare(t *testing.T) {
	for mode, want := range map[CompareMode][3]float32{ // of 0.25, 0.5 and 0.75 with 0.5
		CompareNever: {0, 0, 0}, CompareLess: {1, 0, 0}, CompareEqual: {0, 1, 0}, CompareLessEqual: {1, 1, 0},
		CompareGreater: {0, 0, 1}, CompareNotEqual: {1, 0, 1}, CompareGreaterEqual: {0, 1, 1}, CompareAlways: {1, 1, 1},
	} {
		x, m := make1(t, Texture{Dims: 1, Width: 1, Format: isa.F32, Compare: mode}, 0, 0, 0, 0x3f)
		for i, depth := range []float32{0.25, 0.5, 0.75} {
			if v, _ := x.Fetch(m, Place{Depth: depth}); f32(v[0]) != want[i] {
				t.Errorf("mode %d, %g: %g", mode, depth, f32(v[0]))
			}
		}
	}
}

// Faces of cubes (CUDA C++ Programming Guide, "Cubemap Textures"): the axis of greatest
// magnitude chooses +x, -x, +y, -y, +z, -z; the middle of a face is at (0.5, 0.5).
func TestFace(t *testing.T) {
	x, _ := make1(t, Texture{Dims: 2, Width: 2, Height: 2, Layers: 12, Cube: true, Format: isa.U8})
	for i, dir := range [][3]float32{{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}} {
		_, at, index := x.Face(dir, 1)
		if index != int64(6+i) || at[0] != 0.5 || at[1] != 0.5 {
			t.Errorf("%v: face %d at %v", dir, index, at)
		}
	}
	if _, at, _ := x.Face([3]float32{1, -1, -1}, 0); at[0] != 1 || at[1] != 1 { // s = -z/|x|, t = -y/|x|
		t.Errorf("corner of +x: %v", at)
	}
}

// Levels of detail: each half as large, one after the other; nearest and linear between them.
func TestLevels(t *testing.T) {
	x, m := make1(t, Texture{Dims: 1, Width: 4, Levels: 3, Format: isa.U8, Fraction: true, MipLinear: true}, 0, 0, 0, 0, 255, 255, 0)
	if len(m) != 7 || x.Level(1).Width != 2 || x.Level(2).Addr != base+6 || x.Level(9).Width != 1 || x.Level(-1).Width != 4 {
		t.Fatalf("%d bytes, %+v", len(m), x)
	}
	read := func(l *Texture) (Texel, error) { return l.Fetch(m, Place{}) }
	for lod, want := range map[float64]float32{0: 0, 0.25: 0.25, 1: 1, 1.5: 0.5, 2: 0, 99: 0, -1: 0, math.NaN(): 0} {
		if v, err := x.SampleLevel(lod, read); err != nil || f32(v[0]) != want {
			t.Errorf("level %g: %g, %v; expected %g", lod, f32(v[0]), err, want)
		}
	}
	x.MipLinear = false
	for lod, want := range map[float64]float32{0.5: 0, 0.75: 1, 1.5: 1, 1.75: 0} {
		if v, _ := x.SampleLevel(lod, read); f32(v[0]) != want {
			t.Errorf("nearest level %g: %g, expected %g", lod, f32(v[0]), want)
		}
	}
	if got := x.GradientLevel([3]float32{4}, [3]float32{1}); got != 2 {
		t.Errorf("gradient of 4 texels: level %g", got)
	}
}

// Queries (PTX ISA, "txq", "Channel Data Type and Channel Order Fields").
func TestQuery(t *testing.T) {
	x, _ := make1(t, Texture{Dims: 2, Width: 8, Height: 8, Layers: 12, Cube: true, Format: isa.U8, Channels: 4, Fraction: true, Normalized: true, Address: [3]AddressMode{AddressBorder, AddressMirror}})
	for what, want := range map[string]uint32{
		"width": 8, "height": 8, "depth": 1, "array_size": 2, "channel_data_type": 0x10d2, "channel_order": 0x10b5,
		"normalized_coords": 1, "num_mipmap_levels": 1, "num_samples": 1, "filter_mode": 0, "addr_mode_0": 4, "addr_mode_1": 1, "addr_mode_2": 3,
	} {
		if got := x.Query(what); got != want {
			t.Errorf("%s: %#x, expected %#x", what, got, want)
		}
	}
}

// TestLOD: the bias is added to a level of detail before it is clamped.
func TestLOD(t *testing.T) {
	x := Texture{Dims: 1, Width: 8, Levels: 4, Format: isa.F32, Channels: 1, MipLinear: true}
	if _, err := x.Init(); err != nil {
		t.Fatal(err)
	}
	widths := func(l *Texture) (Texel, error) { return Texel{math.Float32bits(float32(l.Width))}, nil }
	for _, c := range []struct {
		lod  *LOD
		at   float64
		want float32
	}{
		{nil, 1.5, 3},
		{&LOD{Most: 3}, 1.5, 3},
		{&LOD{}, 1.5, 8},
		{&LOD{Bias: 1, Most: 3}, 0.5, 3},
		{&LOD{Bias: -9, Least: 2, Most: 3}, 1, 2},
		{&LOD{Most: 0.5}, 9, 6},
		{&LOD{Least: -1, Most: 9}, 9, 1},
	} {
		x.LOD = c.lod
		got, err := x.SampleLevel(c.at, widths)
		if v := math.Float32frombits(got[0]); err != nil || v != c.want {
			t.Errorf("%+v at level %v: %v (%v), expected %v", c.lod, c.at, v, err, c.want)
		}
	}
}

// What a driver would refuse.
func TestInitRefuses(t *testing.T) {
	for want, x := range map[string]Texture{
		"4 dimensions":                 {Dims: 4},
		"1 dimensions with extent":     {Dims: 1, Height: 2},
		"array of 3 dimensions":        {Dims: 3, Layers: 1},
		"cube of 2 dimensions":         {Dims: 2, Width: 2, Layers: 6, Cube: true},
		"the limit is":                 {Dims: 1, Width: maxTextureExtent + 1},
		"3 channels":                   {Dims: 1, Channels: 3},
		"format .f64":                  {Dims: 1, Format: isa.F64},
		"read as fractions":            {Dims: 1, Format: isa.U32, Fraction: true},
		"as sRGB":                      {Dims: 1, SRGB: true},
		"3 samples":                    {Dims: 2, Samples: 3},
		"5 levels of detail":           {Dims: 1, Width: 8, Levels: 5},
		"a pitch, or in linear memory": {Dims: 1, Width: 8, Levels: 2, Buffer: true},
		"depth texture":                {Dims: 1, Compare: CompareLess},
		"address modes":                {Dims: 1, Address: [3]AddressMode{9}},
		"with linear filtering":        {Dims: 1, Linear: true},
		"a pitch of 1":                 {Dims: 2, Width: 2, Height: 2, Pitch: 1},
	} {
		if x.Format == isa.TypeNone {
			x.Format = isa.U8
		}
		if x.Channels == 0 {
			x.Channels = 1
		}
		if _, err := x.Init(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}
