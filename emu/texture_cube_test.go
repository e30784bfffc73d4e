package emu

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// cubeTexel is the number of the texel that a direction meets in a cube of faces of n by n
// texels, and its face (CUDA C++ Programming Guide, "Cubemap Textures", the table of m, s
// and t).
func cubeTexel(x, y, z float64, n int) (face, texel int) {
	var m, s, t float64
	switch ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z); {
	case ax > ay && ax > az && x >= 0:
		face, m, s, t = 0, x, -z, -y
	case ax > ay && ax > az:
		face, m, s, t = 1, -x, z, -y
	case ay > az && y >= 0:
		face, m, s, t = 2, y, x, z
	case ay > az:
		face, m, s, t = 3, -y, x, -z
	case z >= 0:
		face, m, s, t = 4, z, x, -y
	default:
		face, m, s, t = 5, -z, -x, -y
	}
	at := func(c float64) int { return min(int((c/m+1)/2*float64(n)), n-1) }
	return face, at(t)*n + at(s)
}

// numberedCubes are cubes of two levels, 2x2 and 1x1 to a face, or of one: channel k of
// texel i is i + 100k.
func numberedCubes(cubes, levels int) sampler {
	s := sampler{tex: Texture{Dims: 2, Width: 2, Height: 2, Layers: uint32(6 * cubes), Cube: true, Levels: uint32(levels), Format: isa.F32, Channels: 4}}
	for i := range cubes * 6 * (4 + levels - 1) {
		v := float32(i)
		s.texels = append(s.texels, floats(v, v+100, v+200, v+300)...)
	}
	return s
}

// f16Pair packs two numbers that f16 has.
func f16Pair(lo, hi float64) uint32 {
	f := realFormats[isa.F16]
	return uint32(f.write(realOfFloat(hi), "rn")<<16 | f.write(realOfFloat(lo), "rn"))
}

// readsNumbered reads with tex: the result must be texel want of a numbered texture, as f32 and
// as packed f16.
func (s sampler) readsNumbered(t *testing.T, opcode, coords string, want int, in ...uint32) {
	t.Helper()
	v := float64(want)
	ctype := "f32"
	if strings.HasSuffix(opcode, "ms") {
		ctype = "s32"
	}
	got := s.one(t, fmt.Sprintf("%s.v4.f32.%s {%%r20,%%r21,%%r22,%%r23}, [%%rd2, %s;", opcode, ctype, coords), in...)
	if expected := bitsOf(float32(v), float32(v+100), float32(v+200), float32(v+300)); got != [4]uint32(expected) {
		t.Errorf("%s %v: got %x, want %x", opcode, in, got, expected)
	}
	got = s.one(t, fmt.Sprintf("%s.v2.f16x2.%s {%%r20,%%r21}, [%%rd2, %s; mov.b32 %%r22, 0; mov.b32 %%r23, 0;", opcode, ctype, coords), in...)
	if expected := [4]uint32{f16Pair(v, v+100), f16Pair(v+200, v+300)}; got != expected {
		t.Errorf("%s.f16x2 %v: got %x, want %x", opcode, in, got, expected)
	}
}

// TestCubes reads every face of cubes and arrays of cubes in every way to pick a level. Cubes
// have gradients in a single level only.
func TestCubes(t *testing.T) {
	for _, d := range [][3]float32{
		{4, 1, -2},
		{4, -1, 2},
		{-4, 1, -2},
		{-4, -3, 2},
		{1, 4, -2},
		{-1, 4, 2},
		{1, -4, -2},
		{-1, -4, 2},
		{1, -2, 4},
		{-1, 2, 4},
		{1, -2, -4},
		{-1, 2, -4},
		{0.5, 0.25, 0.125},
		{0, 0, 1},
		{0, -1, 0},
	} {
		x, y, z := float64(d[0]), float64(d[1]), float64(d[2])
		face, texel := cubeTexel(x, y, z, 2)
		lone, cubes := numberedCubes(1, 2), numberedCubes(2, 2)
		in := bitsOf(d[0], d[1], d[2])
		first, second := 4*face+texel, 6*4+face // texels of the two levels
		lone.readsNumbered(t, "tex.cube", "{%r10,%r11,%r12,%r12}]", first, in...)
		lone.readsNumbered(t, "tex.base.cube", "{%r10,%r11,%r12,%r12}]", first, in...)
		lone.readsNumbered(t, "tex.level.cube", "{%r10,%r11,%r12,%r12}], %r13", first, append(in, bitsOf(0)...)...)
		lone.readsNumbered(t, "tex.level.cube", "{%r10,%r11,%r12,%r12}], %r13", second, append(in, bitsOf(1)...)...)
		array := append([]uint32{1}, in...)
		cubes.readsNumbered(t, "tex.base.acube", "{%r10,%r11,%r12,%r13}]", 6*4+first, array...)
		cubes.readsNumbered(t, "tex.level.acube", "{%r10,%r11,%r12,%r13}], %r14", 12*4+6+face, append(array, bitsOf(1)...)...)
		flat := numberedCubes(1, 1)
		flat.readsNumbered(t, "tex.grad.cube", "{%r10,%r11,%r12,%r12}], {%r13,%r14,%r15,%r15}, {%r14,%r13,%r15,%r15}", first, append(in, bitsOf(0.5, 1, 2)...)...)
	}
}

// TestPackedHalves reads levels of detail and samples as pairs of f16.
func TestPackedHalves(t *testing.T) {
	plane := sampler{tex: Texture{Dims: 2, Width: 2, Height: 2, Levels: 2, Format: isa.F32, Channels: 4, Normalized: true}}
	samples := sampler{tex: Texture{Dims: 2, Width: 3, Height: 1, Samples: 2, Format: isa.F32, Channels: 4}}
	for i := range 6 {
		v := float32(i)
		if i < 5 {
			plane.texels = append(plane.texels, floats(v, v+100, v+200, v+300)...)
		}
		samples.texels = append(samples.texels, floats(v, v+100, v+200, v+300)...)
	}
	for i, at := range [][2]float32{{0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}} {
		in := bitsOf(at[0], at[1])
		plane.readsNumbered(t, "tex.base.2d", "{%r10,%r11}]", i, in...)
		plane.readsNumbered(t, "tex.level.2d", "{%r10,%r11}], %r12", i, append(in, bitsOf(0)...)...)
		plane.readsNumbered(t, "tex.level.2d", "{%r10,%r11}], %r12", 4, append(in, bitsOf(1)...)...)
		// Gradients of half a width and of a whole one: 1 texel and 2, levels 0 and 1.
		plane.readsNumbered(t, "tex.grad.2d", "{%r10,%r11}], {%r12,%r13}, {%r13,%r12}", i, append(in, bitsOf(0.5, 0)...)...)
		plane.readsNumbered(t, "tex.grad.2d", "{%r10,%r11}], {%r12,%r13}, {%r13,%r12}", 4, append(in, bitsOf(1, 0)...)...)
	}
	for i := range uint32(6) {
		samples.readsNumbered(t, "tex.2dms", "{%r10,%r11,%r12,%r12}]", int(i), i%2, i/2, 0)
	}
}
