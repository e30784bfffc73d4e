// Package texture holds textures and surfaces: addresses of texels, address modes, filtering, levels of detail, cubes,
// and texel formats. It does not depend on threads; memory is an interface of one method.
package texture

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// AddressMode determines the result outside of a texture (CUDA C++ Programming Guide, "Texture Memory"; PTX ISA,
// "Texture, Sampler and Surface Types").
type AddressMode uint8

// Address modes. Wrap and mirror act as clamp if coordinates are not normalised.
const (
	AddressClamp AddressMode = iota
	AddressBorder
	AddressWrap
	AddressMirror
)

// Texture is memory that kernels sample with tex, or access as a surface with suld, sust and sured. Its texels are in
// an allocation, row by row, slice by slice and layer by layer.
type Texture struct {
	Dims                 int    // 1, 2 or 3
	Width, Height, Depth uint32 // texels; 0 means 1
	Layers               uint32 // of a texture array (1 or 2 dimensions); 0 for none
	// Samples is the number of samples per texel of a multi-sample texture: 1, 2, 4, 8 or 16; they are adjacent in
	// memory. 0 means 1.
	Samples uint32
	// Levels is the number of levels of detail of a mipmap; they follow each other without gaps, each half as large as
	// the previous one. 0 means 1.
	Levels uint32
	// Cube makes six layers of a square texture the faces of a cube, in the order +x, -x, +y, -y, +z, -z; more layers
	// are an array of cubes.
	Cube bool
	// Format is the type of a channel: u8, u16, u32, s8, s16, s32, f16 or f32.
	Format   isa.Type
	Channels int    // 1, 2 or 4
	Addr     uint64 // generic address of the first texel
	Pitch    uint64 // distance of rows in bytes; 0 for rows without gaps
	// Buffer says that the texture is a plain buffer (tex1Dfetch): reading outside of it gives 0.
	Buffer bool

	Address    [3]AddressMode
	Border     [4]float32 // texel outside of floating-point textures with AddressBorder
	Linear     bool       // filter linearly when coordinates are floating-point
	Normalized bool       // coordinates range from 0 to 1
	// Fraction makes 8- and 16-bit integers read as floating-point numbers from 0 or -1 to 1.
	Fraction bool
	// SRGB converts the first three channels of 8-bit fractions to linear light.
	SRGB bool
	// MipLinear filters linearly between levels of detail.
	MipLinear bool
	// LOD modifies the level of detail of instructions; nil for no change.
	LOD *LOD
	// Compare makes the texture a depth texture: it is the comparison of the instruction's operand with a texel; the
	// result is read as 1 if it holds.
	Compare CompareMode

	levels []Texture // all levels; nil if there is one
}

// LOD modifies the level of detail of an instruction: the bias is added, and the sum is clamped to the range from Least
// to Most.
type LOD struct{ Bias, Least, Most float32 }

// CompareMode is a depth comparison.
type CompareMode uint8

// Comparisons of the instruction's operand with the texel.
const (
	CompareNone CompareMode = iota
	CompareNever
	CompareLess
	CompareEqual
	CompareLessEqual
	CompareGreater
	CompareNotEqual
	CompareGreaterEqual
	CompareAlways
)

// maxTextureExtent limits width, height, depth and layers.
const maxTextureExtent = 1 << 27

// Init fills in defaults and returns an error for textures that a driver would refuse. It returns the size in bytes of
// all levels of detail.
func (t *Texture) Init() (uint64, error) {
	t.Width, t.Height, t.Depth = max(t.Width, 1), max(t.Height, 1), max(t.Depth, 1)
	t.Samples, t.Levels = max(t.Samples, 1), max(t.Levels, 1)
	switch {
	case t.Dims < 1 || t.Dims > 3:
		return 0, fmt.Errorf("texture of %d dimensions, expected 1, 2 or 3", t.Dims)
	case t.Dims < 2 && t.Height > 1 || t.Dims < 3 && t.Depth > 1:
		return 0, fmt.Errorf("texture of %d dimensions with extent %dx%dx%d", t.Dims, t.Width, t.Height, t.Depth)
	case t.Layers > 0 && t.Dims == 3:
		return 0, fmt.Errorf("texture array of 3 dimensions, expected 1 or 2")
	case t.Cube && (t.Dims != 2 || t.Width != t.Height || t.Layers == 0 || t.Layers%6 != 0):
		return 0, fmt.Errorf("cube of %d dimensions, %dx%d texels and %d layers, expected 2, a square and a multiple of 6", t.Dims, t.Width, t.Height, t.Layers)
	case max(t.Width, t.Height, t.Depth, t.Layers) > maxTextureExtent:
		return 0, fmt.Errorf("texture of extent %dx%dx%d with %d layers, the limit is %d", t.Width, t.Height, t.Depth,
			t.Layers, maxTextureExtent)
	case t.Channels != 1 && t.Channels != 2 && t.Channels != 4:
		return 0, fmt.Errorf("texture with %d channels, expected 1, 2 or 4", t.Channels)
	case !texelFormats[t.Format].known:
		return 0, fmt.Errorf("texture of format .%s, expected u8, u16, u32, s8, s16, s32, f16 or f32", t.Format)
	case t.Fraction && (t.Format.Float() || t.Format.Bits() == 32):
		return 0, fmt.Errorf("texture of format .%s read as fractions, expected integers of 8 or 16 bits", t.Format)
	case t.SRGB && (!t.Fraction || t.Format != isa.U8):
		return 0, fmt.Errorf("texture of format .%s as sRGB, expected fractions of u8", t.Format)
	case t.Samples > 16 || t.Samples&(t.Samples-1) != 0 || t.Samples > 1 && (t.Dims != 2 || t.Cube || t.Levels > 1):
		return 0, fmt.Errorf("texture of %d dimensions and %d levels with %d samples, expected 1, 2, 4, 8 or 16 in 2 dimensions and 1 level", t.Dims, t.Levels, t.Samples)
	case t.Levels > uint32(bits.Len32(max(t.Width, t.Height, t.Depth))):
		return 0, fmt.Errorf("texture of extent %dx%dx%d with %d levels of detail, expected no more than halving gives",
			t.Width, t.Height, t.Depth, t.Levels)
	case t.Levels > 1 && (t.Pitch != 0 || t.Buffer):
		return 0, errors.New("texture with levels of detail and a pitch, or in linear memory")
	case t.Compare > CompareAlways || t.Compare != CompareNone &&
		(t.Format != isa.F32 && !t.Fraction || t.Channels != 1):
		return 0, fmt.Errorf("depth texture of format .%s with %s, expected 1 of f32 or fractions", t.Format,
			diag.Plural(t.Channels, "channel"))
	case max(t.Address[0], t.Address[1], t.Address[2]) > AddressMirror:
		return 0, fmt.Errorf("texture with address modes %d, expected 0 to %d", t.Address, AddressMirror)
	case (t.Linear || t.MipLinear) && !t.Floating():
		return 0, fmt.Errorf("texture of format .%s with linear filtering, expected floating point or fractions",
			t.Format)
	}
	size, err := t.extent()
	if err != nil {
		return 0, err
	}
	for k := uint32(1); k < t.Levels; k++ {
		size += t.addLevel(size)
	}
	return size, nil
}

// extent returns the size in bytes of the first level.
func (t *Texture) extent() (uint64, error) {
	row := uint64(t.Width) * t.TexelSize() * uint64(t.Samples)
	if t.Pitch == 0 {
		t.Pitch = row
	}
	rows := uint64(t.Height) * uint64(t.Depth) * uint64(max(t.Layers, 1))
	if t.Pitch < row || t.Pitch > 1<<40 || rows > 1<<47/t.Pitch {
		return 0, fmt.Errorf("texture with rows of %d bytes: a pitch of %d is not possible", row, t.Pitch)
	}
	return t.Pitch*(rows-1) + row, nil
}

// texelFormats has the codes of formats for txq and suq (PTX ISA, "Channel Data Type and Channel Order Fields"),
// without and with Fraction.
var texelFormats = map[isa.Type]struct {
	known              bool
	integral, fraction uint32
}{
	isa.S8: {true, 0x10d7, 0x10d0}, isa.S16: {true, 0x10d8, 0x10d1}, isa.S32: {true, 0x10d9, 0},
	isa.U8: {true, 0x10da, 0x10d2}, isa.U16: {true, 0x10db, 0x10d3}, isa.U32: {true, 0x10dc, 0},
	isa.F16: {true, 0x10dd, 0}, isa.F32: {true, 0x10de, 0},
}

// channelOrders are the codes of 1, 2 and 4 channels: R, RG and RGBA.
var channelOrders = map[int]uint32{1: 0x10b0, 2: 0x10b2, 4: 0x10b5}

// TexelSize returns the size of a texel in bytes.
func (t *Texture) TexelSize() uint64 { return uint64(t.Format.Size() * t.Channels) }

// Floating reports whether reads return floating-point numbers.
func (t *Texture) Floating() bool { return t.Format.Float() || t.Fraction }

// Size returns the extent in a dimension.
func (t *Texture) Size(dim int) int64 {
	return int64([3]uint32{t.Width, t.Height, t.Depth}[dim])
}

// Offset returns the offset of a texel from Addr; x is the byte offset in its row.
func (t *Texture) Offset(x uint64, y, z, layer int64) uint64 {
	row := (uint64(layer)*uint64(t.Depth)+uint64(z))*uint64(t.Height) + uint64(y)
	return row*t.Pitch + x
}

// Query returns the attribute for txq or suq.
func (t *Texture) Query(what string) uint32 {
	format := texelFormats[t.Format]
	switch what {
	case "width":
		return t.Width
	case "height":
		return t.Height
	case "depth":
		return t.Depth
	case "array_size":
		if t.Cube {
			return t.Layers / 6
		}
		return t.Layers
	case "channel_data_type":
		if t.Fraction {
			return format.fraction
		}
		return format.integral
	case "channel_order":
		return channelOrders[t.Channels]
	case "normalized_coords":
		return boolean(t.Normalized)
	case "num_mipmap_levels":
		return t.Levels
	case "num_samples":
		return t.Samples
	case "filter_mode": // nearest, linear
		return boolean(t.Linear)
	case "memory_layout": // 1 for linear memory
		return boolean(t.Buffer)
	case "addr_mode_0", "addr_mode_1", "addr_mode_2": // wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border
		mode := t.Address[what[len(what)-1]-'0']
		return [...]uint32{AddressWrap: 0, AddressMirror: 1, AddressClamp: 3, AddressBorder: 4}[mode]
	}
	return 0 // force_unnormalized_coords
}

// boolean returns 1 for true, else 0.
func boolean(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
