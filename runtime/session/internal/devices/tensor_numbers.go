// Tensor maps in the numbers of CUDA's driver API, to and from the emulator's description.

package devices

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// tensorType is an element type.
type tensorType struct {
	name    string
	ftz     bool
	packing emu.TensorPacking
}

// tensorTypes lists the element types by number (CUtensorMapDataType).
var tensorTypes = []tensorType{
	{name: "u8"},
	{name: "u16"},
	{name: "u32"},
	{name: "s32"},
	{name: "u64"},
	{name: "s64"},
	{name: "f16"},
	{name: "f32"},
	{name: "f64"},
	{name: "bf16"},
	{name: "f32", ftz: true},
	{name: "tf32"},
	{name: "tf32", ftz: true},
	{packing: emu.TensorPacked4},
	{packing: emu.TensorPacked4Apart},
	{packing: emu.TensorPacked6Apart},
}

// numberedSwizzles lists the swizzles by number (CUtensorMapSwizzle).
var numberedSwizzles = []emu.TensorSwizzle{
	emu.SwizzleNone, emu.Swizzle32, emu.Swizzle64, emu.Swizzle128, emu.Swizzle128Atom32, emu.Swizzle128Atom32Flip8,
	emu.Swizzle128Atom64,
}

// DescribeTensorMap returns the emulator's description of a tensor map in numbers.
func DescribeTensorMap(t *gpu.TensorMap) (*emu.TensorMap, error) {
	switch {
	case t.Rank < 1 || t.Rank > gpu.MaxTensorRank:
		return nil, fmt.Errorf("tensor map: %d dimensions, expected 1 to %d", t.Rank, gpu.MaxTensorRank)
	case int(t.Type) >= len(tensorTypes) || int(t.Swizzle) >= len(numberedSwizzles) || t.Fill > 1:
		return nil, fmt.Errorf("tensor map: type %d, swizzle %d and fill mode %d: one of them is not known", t.Type,
			t.Swizzle, t.Fill)
	case t.Interleave != 0:
		return nil, fmt.Errorf("tensor map: interleave layouts are not emulated")
	case t.Columns > 1+uint32(emu.TensorWide128) || int(t.Spatial) > len(t.Lower):
		return nil, fmt.Errorf("tensor map: mode %d with corners of %d dimensions", t.Columns, t.Spatial)
	}
	elem := tensorTypes[t.Type]
	kind, _ := isa.TypeOf(elem.name)
	m := &emu.TensorMap{
		Type: kind, Ftz: elem.ftz, Packing: elem.packing, Addr: t.Address, Strides: t.Strides[:t.Rank-1],
		Steps:   t.Steps[:t.Rank],
		Swizzle: numberedSwizzles[t.Swizzle], FillNaN: t.Fill == 1,
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
	m.Column = &emu.TensorColumn{
		Lower: t.Lower[:t.Spatial], Upper: t.Upper[:t.Spatial], Channels: t.Channels,
		Pixels: t.Pixels, Wide: emu.TensorWide(t.Columns - 1),
	}
	return m, nil
}

// numberTensorMap returns a tensor map in numbers for the emulator's description.
func numberTensorMap(m *emu.TensorMap) (*gpu.TensorMap, error) {
	strides, err := m.AllStrides()
	if err != nil {
		return nil, err
	}
	kind := slices.IndexFunc(tensorTypes, func(t tensorType) bool {
		named, _ := isa.TypeOf(t.name)
		return t.packing == m.Packing && t.ftz == m.Ftz && (t.packing != emu.TensorPackedNot || named == m.Type)
	})
	swizzle := slices.Index(numberedSwizzles, m.Swizzle)
	if kind < 0 || swizzle < 0 {
		return nil, notOnGPU("tensor maps of that type or swizzle")
	}
	t := &gpu.TensorMap{
		Address: m.Addr, Type: uint32(kind), Rank: uint32(len(m.Dims)), Swizzle: uint32(swizzle),
		Steps: [gpu.MaxTensorRank]uint32{1, 1, 1, 1, 1},
	}
	for i, n := range m.Dims {
		t.Dims[i] = uint64(n)
	}
	copy(t.Strides[:], strides)
	copy(t.Box[:], m.Box)
	copy(t.Steps[:], m.Steps)
	if m.FillNaN {
		t.Fill = 1
	}
	if c := m.Column; c != nil {
		t.Columns, t.Spatial, t.Channels, t.Pixels = 1+uint32(c.Wide), uint32(len(c.Lower)), c.Channels, c.Pixels
		copy(t.Lower[:], c.Lower)
		copy(t.Upper[:], c.Upper)
	}
	return t, nil
}
