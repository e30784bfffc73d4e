// Tests of shapes, places and reductions of surfaces.

package texture

import (
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

func TestShapes(t *testing.T) {
	flat := &Texture{Dims: 2, Samples: 1}
	array := &Texture{Dims: 2, Samples: 1, Layers: 3}
	cube := &Texture{Dims: 2, Samples: 1, Layers: 6, Cube: true}
	many := &Texture{Dims: 2, Samples: 4}
	for name, fits := range map[string]*Texture{"2d": flat, "a2d": array, "cube": cube, "2dms": many} {
		for _, x := range []*Texture{flat, array, cube, many} {
			want := x == fits || name == "2dms" && x == flat // one sample is a number of samples
			if got := Shapes[name].Fits(x); got != want {
				t.Errorf("%s on %+v: %v, want %v", name, x, got, want)
			}
		}
	}
}

func TestClamp(t *testing.T) {
	x := &Texture{Width: 4, Height: 2, Depth: 1, Dims: 2, Channels: 2, Format: isa.U32} // rows of 32 bytes
	for _, c := range []struct {
		c       []int32
		size    uint64
		at      [3]int64
		outside bool
	}{
		{[]int32{24, 1}, 8, [3]int64{24, 1}, false},
		{[]int32{28, 1}, 8, [3]int64{24, 1}, true},
		{[]int32{-8, 0}, 8, [3]int64{0, 0}, true},
		{[]int32{0, 2}, 4, [3]int64{0, 1}, true},
	} {
		if at, _, outside := x.Clamp(c.c, 0, c.size); at != c.at || outside != c.outside {
			t.Errorf("%v: %v %v, want %v %v", c.c, at, outside, c.at, c.outside)
		}
	}
	if _, layer, outside := x.Clamp([]int32{0, 0}, 1, 4); layer != 0 || !outside {
		t.Errorf("layer 1 of a surface without layers: %d %v", layer, outside)
	}
	for in, want := range map[int32]int32{3: 24, math.MaxInt32: math.MaxInt32 &^ 7, math.MinInt32: math.MinInt32} {
		if got := x.ByteOf(in); got != want {
			t.Errorf("byte of texel %d: %d, want %d", in, got, want)
		}
	}
}

func TestReduce(t *testing.T) {
	minus := uint64(math.MaxUint32) // -1 as .s32
	for _, c := range []struct {
		op   string
		t    isa.Type
		want uint64
	}{
		{"min", isa.S32, minus}, {"max", isa.S32, 5}, {"min", isa.U32, 5}, {"max", isa.U32, minus}, {"and", isa.U32, 5}, {"or", isa.U32, minus}, {"add", isa.U32, 5 + minus},
	} {
		if got := Reduce(c.op, c.t, minus, 5); got != c.want {
			t.Errorf("%s.%s: %#x, want %#x", c.op, c.t, got, c.want)
		}
	}
}
