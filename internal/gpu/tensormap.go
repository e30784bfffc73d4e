// Tensor maps: objects that describe tensors for asynchronous copies, which the driver encodes.

package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Sizes of tensor maps.
const (
	TensorMapBytes = 128
	MaxTensorRank  = 5
)

// TensorMap describes a tensor and the part that one instruction copies, with CUDA's numbers (CUDA Driver API,
// cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col, cuTensorMapEncodeIm2colWide).
type TensorMap struct {
	Address                   uint64
	Dims                      [MaxTensorRank]uint64
	Strides                   [MaxTensorRank - 1]uint64 // of all dimensions but the first
	Type, Rank                uint32
	Box, Steps                [MaxTensorRank]uint32
	Lower, Upper              [MaxTensorRank - 2]int32
	Columns                   uint32 // 0 for boxes, 1 for im2col, 2 for im2col::w, 3 for im2col::w::128
	Spatial                   uint32 // elements of Lower and Upper
	Channels, Pixels          uint32
	Interleave, Swizzle, Fill uint32
}

// EncodeTensorMap returns the bytes of a tensor map, in the form for kernels.
func (dev *Device) EncodeTensorMap(t *TensorMap) ([]byte, error) {
	d := dev.d
	switch {
	case t.Columns > 1:
		return nil, errors.New("tensor maps of the wide modes of im2col are not supported on a GPU")
	case d.tensorMapTiled == nil || d.tensorMapIm2col == nil:
		return nil, errors.New("tensor maps need a driver of CUDA 12 or newer")
	}
	raw := make([]byte, TensorMapBytes+tensorMapAlign) // the driver requires this alignment
	at := tensorMapAlign - int(uintptr(unsafe.Pointer(&raw[0]))%tensorMapAlign)
	out := unsafe.Pointer(&raw[at])
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&raw[0])
	copied := *t
	pin.Pin(&copied)
	err := dev.do(func() error {
		m := &copied
		if m.Columns == 0 {
			return d.check("cuTensorMapEncodeTiled", d.tensorMapTiled(out, m.Type, m.Rank, m.Address, &m.Dims[0],
				&m.Strides[0], &m.Box[0], &m.Steps[0], m.Interleave, m.Swizzle, 0, m.Fill))
		}
		return d.check("cuTensorMapEncodeIm2col", d.tensorMapIm2col(out, m.Type, m.Rank, m.Address, &m.Dims[0],
			&m.Strides[0], &m.Lower[0], &m.Upper[0], m.Channels, m.Pixels, &m.Steps[0], m.Interleave, m.Swizzle, 0,
			m.Fill))
	})
	if err != nil {
		return nil, fmt.Errorf("tensor map: %w", err)
	}
	return raw[at : at+TensorMapBytes], nil
}

// tensorMapAlign is the alignment of a CUtensorMap.
const tensorMapAlign = 64
