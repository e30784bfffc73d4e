// Tensor maps of a process: what cuTensorMapEncodeTiled and the others of the driver API make.

package cuda

import (
	"fmt"
	"math"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TensorMap describes a tensor and what one instruction copies of it, by CUDA's numbers.
type TensorMap struct {
	Address                   uint64
	Dims                      [maxTensorRank]uint64
	Strides                   [maxTensorRank - 1]uint64
	Type, Rank                uint32
	Box, Steps                [maxTensorRank]uint32
	Lower, Upper              [maxTensorRank - 2]int32
	Columns                   uint32 // 0 for boxes; else 1 more than the emu.TensorWide
	Spatial                   uint32 // elements of Lower and Upper
	Channels, Pixels          uint32
	Interleave, Swizzle, Fill uint32
}

const maxTensorRank = 5

// tensorType is a type of elements.
type tensorType struct {
	name    string
	ftz     bool
	packing emu.TensorPacking
}

// tensorTypes are the types of elements by CUDA's numbers (CUtensorMapDataType).
var tensorTypes = []tensorType{
	{name: "u8"}, {name: "u16"}, {name: "u32"}, {name: "s32"}, {name: "u64"}, {name: "s64"}, {name: "f16"}, {name: "f32"}, {name: "f64"}, {name: "bf16"},
	{name: "f32", ftz: true}, {name: "tf32"}, {name: "tf32", ftz: true},
	{packing: emu.TensorPacked4}, {packing: emu.TensorPacked4Apart}, {packing: emu.TensorPacked6Apart},
}

// tensorSwizzles are the swizzles by CUDA's numbers (CUtensorMapSwizzle).
var tensorSwizzles = []emu.TensorSwizzle{
	emu.SwizzleNone, emu.Swizzle32, emu.Swizzle64, emu.Swizzle128, emu.Swizzle128Atom32, emu.Swizzle128Atom32Flip8, emu.Swizzle128Atom64,
}

// EncodeTensorMap is the bytes of a tensor map. The error is an *Error.
func (p *Process) EncodeTensorMap(t *TensorMap) ([]byte, error) {
	described, err := t.describe()
	if err != nil {
		return p.tensorMap(nil, err)
	}
	return p.tensorMap(described.Encode())
}

// MoveTensorMap is the bytes of a tensor map with another address. The error is an *Error.
func (p *Process) MoveTensorMap(bytes []byte, address uint64) ([]byte, error) {
	if len(bytes) != emu.TensorMapSize {
		return nil, errorf(InvalidValue, "a tensor map of %d bytes", len(bytes))
	}
	return p.tensorMap(emu.MoveTensorMap(bytes, address))
}

// tensorMap is a tensor map, or why there is none, which people are told: CUDA has one number for all reasons.
func (p *Process) tensorMap(bytes []byte, err error) ([]byte, error) {
	if err != nil {
		p.note("%v; the application got the error \"invalid value\"", err)
		return nil, errorf(InvalidValue, "%v", err)
	}
	return bytes, nil
}

// describe is the tensor map for the emulator.
func (t *TensorMap) describe() (*emu.TensorMap, error) {
	switch {
	case t.Rank < 1 || t.Rank > maxTensorRank:
		return nil, fmt.Errorf("tensor map: %d dimensions, expected 1 to %d", t.Rank, maxTensorRank)
	case int(t.Type) >= len(tensorTypes) || int(t.Swizzle) >= len(tensorSwizzles) || t.Fill > 1:
		return nil, fmt.Errorf("tensor map: type %d, swizzle %d and fill mode %d: one of them is not known", t.Type, t.Swizzle, t.Fill)
	case t.Interleave != 0:
		return nil, fmt.Errorf("tensor map: interleave layouts are not emulated")
	case t.Columns > 1+uint32(emu.TensorWide128) || int(t.Spatial) > len(t.Lower):
		return nil, fmt.Errorf("tensor map: mode %d with corners of %d dimensions", t.Columns, t.Spatial)
	}
	elem := tensorTypes[t.Type]
	kind, _ := isa.TypeOf(elem.name)
	m := &emu.TensorMap{
		Type: kind, Ftz: elem.ftz, Packing: elem.packing, Addr: t.Address, Strides: t.Strides[:t.Rank-1], Steps: t.Steps[:t.Rank],
		Swizzle: tensorSwizzles[t.Swizzle], FillNaN: t.Fill == 1,
	}
	for i, n := range t.Dims[:t.Rank] {
		if n > math.MaxUint32 {
			return nil, fmt.Errorf("tensor map: dimension %d has %d elements, more than are emulated", i, n)
		}
		m.Dims = append(m.Dims, uint32(n))
	}
	if t.Columns == 0 {
		m.Box = t.Box[:t.Rank]
		return m, nil
	}
	m.Column = &emu.TensorColumn{Lower: t.Lower[:t.Spatial], Upper: t.Upper[:t.Spatial], Channels: t.Channels, Pixels: t.Pixels, Wide: emu.TensorWide(t.Columns - 1)}
	return m, nil
}
