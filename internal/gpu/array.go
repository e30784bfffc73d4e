// Arrays: memory for textures and surfaces in an undocumented layout of the driver, and copies to and from it.

package gpu

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Array describes an array, and the linear memory of its initial contents: rows of texels, one slice or layer after the
// other. Numbers are CUDA's (CUDA Driver API, CUDA_ARRAY3D_DESCRIPTOR).
type Array struct {
	Address              uint64
	Width, Height, Depth uint64 // texels; 0 for unused dimensions
	Layers               uint64 // 0 for none
	Pitch                uint64 // bytes from row to row in linear memory
	Format, Channels     uint32 // of a channel, and of a texel
	Texel                uint64 // bytes
	Surface              bool   // kernels may access it as a surface

	handle uintptr
}

// arrayDesc is CUDA_ARRAY3D_DESCRIPTOR.
type arrayDesc struct {
	width, height, depth    uint64
	format, channels, flags uint32
	_                       uint32
}

// Flags of arrays.
const (
	arrayLayered = 1
	arraySurface = 2
)

// copySide is one side of a CUDA_MEMCPY3D.
type copySide struct {
	_             [4]uint64 // origin of the box, and level of detail
	kind          uint32
	_             uint32
	_             unsafe.Pointer // host
	address       uint64
	array         uintptr
	_             uintptr
	pitch, height uint64
}

// boxCopy is CUDA_MEMCPY3D.
type boxCopy struct {
	from, to             copySide
	width, height, depth uint64 // the width in bytes
}

// Kinds of memory.
const (
	memoryDevice = 2
	memoryArray  = 3
)

// desc returns the array's description for the driver, in which layers are the depth.
func (a *Array) desc() *arrayDesc {
	d := &arrayDesc{width: a.Width, height: a.Height, depth: a.Depth, format: a.Format, channels: a.Channels}
	if a.Layers > 0 {
		d.depth, d.flags = a.Layers, arrayLayered
	}
	if a.Surface {
		d.flags |= arraySurface
	}
	return d
}

// NewArray creates an array. Its contents are undefined until it is filled.
func (dev *Device) NewArray(a *Array) error {
	desc := a.desc()
	err := dev.do(func() error {
		return dev.d.check("cuArray3DCreate", dev.d.array3DCreate(&a.handle, unsafe.Pointer(desc)))
	})
	if err != nil {
		return fmt.Errorf("array: %w", err)
	}
	return nil
}

// NewSurface creates a surface object of an array.
func (dev *Device) NewSurface(a *Array) (uint64, error) {
	r := &resourceDesc{kind: resourceArray}
	r.data.address = uint64(a.handle)
	var object uint64
	err := dev.do(func() error {
		return dev.d.check("cuSurfObjectCreate", dev.d.surfObjectCreate(&object, unsafe.Pointer(r)))
	})
	if err != nil {
		return 0, fmt.Errorf("surface: %w", err)
	}
	return object, nil
}

// FillArray copies the texels from linear memory to the array.
func (dev *Device) FillArray(a *Array) error {
	memory, array := a.sides()
	return dev.copyBox(a, memory, array)
}

// EmptyArray copies the texels from the array to linear memory.
func (dev *Device) EmptyArray(a *Array) error {
	memory, array := a.sides()
	return dev.copyBox(a, array, memory)
}

// sides returns the two sides of a copy of all texels.
func (a *Array) sides() (memory, array copySide) {
	return copySide{kind: memoryDevice, address: a.Address, pitch: a.Pitch, height: max(a.Height, 1)},
		copySide{kind: memoryArray, array: a.handle}
}

// copyBox copies all texels and waits for the copy to complete.
func (dev *Device) copyBox(a *Array, from, to copySide) error {
	c := &boxCopy{
		from: from, to: to, width: a.Width * a.Texel, height: max(a.Height, 1),
		depth: max(a.Depth, a.Layers, 1),
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(c)
	return dev.do(func() error {
		if err := dev.d.check("cuMemcpy3DAsync", dev.d.memcpy3DAsync(unsafe.Pointer(c), dev.copies)); err != nil {
			return err
		}
		return dev.d.check("cuStreamSynchronize", dev.d.streamSynchronize(dev.copies))
	})
}
