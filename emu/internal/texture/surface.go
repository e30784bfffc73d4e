// Surfaces: the shape that an instruction names, the place of an access, and reductions.

package texture

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Shape is the shape of the textures and surfaces that an instruction can access.
type Shape struct {
	Dims    int // number of coordinates
	Array   bool
	Cube    bool
	Samples bool
}

// Shapes has the shapes by the modifier that names them.
var Shapes = map[string]Shape{
	"1d": {Dims: 1}, "2d": {Dims: 2}, "3d": {Dims: 3}, "a1d": {Dims: 1, Array: true}, "a2d": {Dims: 2, Array: true},
	"2dms": {Dims: 2, Samples: true}, "a2dms": {Dims: 2, Array: true, Samples: true},
	"cube": {Dims: 3, Cube: true}, "acube": {Dims: 3, Array: true, Cube: true},
}

// Fits reports whether a texture has the shape.
func (s Shape) Fits(t *Texture) bool {
	if s.Cube {
		return t.Cube && (t.Layers > 6) == s.Array
	}
	return !t.Cube && t.Dims == s.Dims && (t.Layers > 0) == s.Array && (s.Samples || t.Samples == 1)
}

// RowSize returns the number of bytes of a row of texels.
func (t *Texture) RowSize() int64 { return t.Size(0) * int64(t.TexelSize()) }

// ByteOf returns the coordinate in bytes of texel x of a row. Beyond 32 bits it saturates, to a multiple of the texel
// size.
func (t *Texture) ByteOf(x int32) int32 {
	size := int64(t.TexelSize())
	return int32(max(math.MinInt32, min(int64(x)*size, math.MaxInt32)) &^ (size - 1))
}

// Clamp returns the coordinates and the layer of an access of size bytes moved into the surface, and whether they were
// outside. The first coordinate counts bytes.
func (t *Texture) Clamp(c []int32, layer int64, size uint64) (at [3]int64, inLayer int64, outside bool) {
	layers := int64(max(t.Layers, 1))
	outside, inLayer = layer >= layers, min(layer, layers-1)
	for d, v := range c {
		limit := t.Size(d) - 1
		if d == 0 {
			limit = (t.RowSize() - int64(size)) &^ int64(size-1)
		}
		at[d] = max(0, min(int64(v), limit))
		outside = outside || at[d] != int64(v)
	}
	return at, inLayer, outside
}

// Reduce returns the result of operation op of sured on the old value a and the operand b, of type t.
func Reduce(op string, t isa.Type, a, b uint64) uint64 {
	less := a < b
	if t.Signed() {
		less = scalar.Integer(a, t) < scalar.Integer(b, t)
	}
	switch {
	case op == "add":
		return a + b
	case op == "and":
		return a & b
	case op == "or":
		return a | b
	case (op == "min") == less:
		return a
	}
	return b
}
