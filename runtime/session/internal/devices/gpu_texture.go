// Textures and tensor maps on a real GPU, as far as the driver supports the emulator's.

package devices

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// driverTextures makes objects for the texture units. A GPU in another process does not implement it.
type driverTextures interface {
	EncodeTensorMap(t *gpu.TensorMap) ([]byte, error)
	NewTexture(t *gpu.Texture) (uint64, error)
	NewArray(a *gpu.Array) error
	NewSurface(a *gpu.Array) (uint64, error)
	FillArray(a *gpu.Array) error
	EmptyArray(a *gpu.Array) error
}

// NewTensorMap makes the driver encode a tensor map.
func (d gpuDevice) NewTensorMap(t emu.TensorMap) (uint64, error) {
	driver, ok := d.Runner.(driverTextures)
	if !ok {
		return 0, notOnGPU("tensor maps of an application's")
	}
	numbers, err := numberTensorMap(&t)
	if err != nil {
		return 0, err
	}
	bytes, err := driver.EncodeTensorMap(numbers)
	if err != nil {
		return 0, err
	}
	addr, err := d.Alloc("tensor map", uint64(len(bytes)))
	if err != nil {
		return 0, err
	}
	return addr, d.Write(addr, bytes)
}

// Flags of textures (CUDA Driver API, CU_TRSF_READ_AS_INTEGER and others).
const (
	flagIntegers   = 1
	flagNormalized = 2
	flagSRGB       = 16
)

// textureFormats gives the number of each channel type (CUarray_format).
var textureFormats = map[isa.Type]uint32{
	isa.U8: 1, isa.U16: 2, isa.U32: 3, isa.S8: 8, isa.S16: 9, isa.S32: 10,
	isa.F16: 16, isa.F32: 32,
}

// textureModes gives the number of each address mode (CUaddress_mode).
var textureModes = map[emu.AddressMode]uint32{
	emu.AddressWrap: 0, emu.AddressClamp: 1, emu.AddressMirror: 2,
	emu.AddressBorder: 3,
}

// NewTexture makes a texture over memory, or over an array if the driver requires one.
func (d gpuDevice) NewTexture(t emu.Texture, surface bool) (uint64, error) {
	driver, ok := d.Runner.(driverTextures)
	format, known := textureFormats[t.Format]
	switch {
	case !ok, !known:
		return 0, notOnGPU("such textures")
	case t.Cube || t.Levels > 1 || t.Samples > 1 || t.Compare != emu.CompareNone || t.LOD != nil:
		return 0, notOnGPU("textures with faces, levels, samples or comparisons")
	}
	if _, err := t.Init(); err != nil {
		return 0, err
	}
	texel := uint64(t.Format.Size()) * uint64(t.Channels)
	n := &gpu.Texture{
		Address: t.Addr, Width: uint64(t.Width), Format: format, Channels: uint32(t.Channels),
		Texel: texel, Linear: t.Linear, Border: t.Border, Flags: textureFlags(&t),
	}
	for i, m := range t.Address {
		n.Mode[i] = textureModes[m]
	}
	if !t.Buffer && (surface || t.Dims > 2 || t.Layers > 0 || t.Dims == 1 && (t.Linear || t.Normalized)) {
		return d.arrayTexture(driver, n, &t, surface)
	}
	if t.Dims == 2 {
		n.Height, n.Pitch = uint64(t.Height), t.Pitch
	}
	return driver.NewTexture(n)
}

// textureFlags returns the flags of a texture.
func textureFlags(t *emu.Texture) (flags uint32) {
	for flag, set := range map[uint32]bool{
		flagIntegers:   !t.Fraction && t.Format != isa.F32 && t.Format != isa.F16,
		flagNormalized: t.Normalized, flagSRGB: t.SRGB,
	} {
		if set {
			flags |= flag
		}
	}
	return flags
}
