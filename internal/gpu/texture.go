// Textures over linear memory and arrays: objects of the driver that kernels fetch from.

package gpu

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Texture describes a texture over an array, a row of texels, or several rows, with CUDA's numbers (CUDA Driver API,
// CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC).
type Texture struct {
	Array            *Array // nil for a texture over linear memory, which the fields Address to Texel describe
	Address          uint64
	Width            uint64 // texels
	Height, Pitch    uint64 // rows, and bytes from row to row; a height of 0 for one dimension
	Format, Channels uint32 // of a channel, and of a texel
	Texel            uint64 // bytes
	Mode             [3]uint32
	Linear           bool // filter
	Flags            uint32
	Border           [4]float32
}

// resourceDesc is CUDA_RESOURCE_DESC.
type resourceDesc struct {
	kind uint32
	_    uint32
	data struct {
		address          uint64 // or the array
		format, channels uint32
		size             [3]uint64 // bytes; or width, height and pitch
		_                [11]uint64
	}
	flags uint32
	_     uint32
}

// textureDesc is CUDA_TEXTURE_DESC.
type textureDesc struct {
	mode    [3]uint32
	filter  uint32
	flags   uint32
	_, _    uint32 // anisotropy, filter between levels
	_, _, _ float32
	border  [4]float32
	_       [12]int32
}

// Kinds of resources.
const (
	resourceArray   = 0
	resourceLinear  = 2
	resourcePitched = 3
)

// resource returns the description of the texture's memory.
func (t *Texture) resource() *resourceDesc {
	r := &resourceDesc{kind: resourceLinear}
	if t.Array != nil {
		r.kind, r.data.address = resourceArray, uint64(t.Array.handle)
		return r
	}
	r.data.address, r.data.format, r.data.channels = t.Address, t.Format, t.Channels
	r.data.size[0] = t.Width * t.Texel
	if t.Height > 0 {
		r.kind, r.data.size = resourcePitched, [3]uint64{t.Width, t.Height, t.Pitch}
	}
	return r
}

// NewTexture creates a texture object.
func (dev *Device) NewTexture(t *Texture) (uint64, error) {
	r := t.resource()
	d := &textureDesc{mode: t.Mode, flags: t.Flags, border: t.Border}
	if t.Linear {
		d.filter = 1
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(r)
	pin.Pin(d)
	var object uint64
	err := dev.do(func() error {
		return dev.d.check("cuTexObjectCreate", dev.d.texObjectCreate(&object, unsafe.Pointer(r), unsafe.Pointer(d),
			nil))
	})
	if err != nil {
		return 0, fmt.Errorf("texture: %w", err)
	}
	return object, nil
}
