package emu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// columnCase is a column of a tensor of words that are numbered from 1 on.
type columnCase struct {
	name    string
	m       emu.TensorMap
	at      []int // channel, pixel, image
	offsets []int
}

var columnCases = []columnCase{
	{
		"signal",
		emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 10, 3}, Column: &emu.TensorColumn{Lower: []int32{-1}, Upper: []int32{-1}, Channels: 4, Pixels: 24}},
		[]int{4, -1, 0},
		[]int{2},
	},
	{
		"3x3 filter",
		emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 5, 4, 3}, Column: &emu.TensorColumn{Lower: []int32{-1, -1}, Upper: []int32{-1, -1}, Channels: 8, Pixels: 32}},
		[]int{0, 1, 2, 1},
		[]int{2, 0},
	},
	{
		"stride",
		emu.TensorMap{Type: isa.U32, Dims: []uint32{4, 7, 6, 4}, Steps: []uint32{1, 2, 3, 1}, Column: &emu.TensorColumn{Lower: []int32{-1, 0}, Upper: []int32{-1, 1}, Channels: 4, Pixels: 20}},
		[]int{0, -1, 3, 0},
		[]int{0, 1},
	},
	{
		"channels beyond",
		emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 3, 3, 2}, Column: &emu.TensorColumn{Lower: []int32{0, 0}, Upper: []int32{0, 0}, Channels: 8, Pixels: 9}},
		[]int{4, 0, 0, 1},
		[]int{0, 0},
	},
	{
		"volume",
		emu.TensorMap{Type: isa.U32, Dims: []uint32{4, 4, 3, 5, 2}, Column: &emu.TensorColumn{Lower: []int32{-1, 0, -2}, Upper: []int32{1, -1, 0}, Channels: 4, Pixels: 64}},
		[]int{0, 3, 1, -1, 0},
		[]int{1, 0, 3},
	},
}

// want is the column: all pixels of the boxes of all images in order, from the first
// one on.
func (c *columnCase) want() []uint32 {
	dims, col := c.m.Dims, c.m.Column
	space := len(dims) - 2
	step := func(d int) int {
		if c.m.Steps == nil {
			return 1
		}
		return int(c.m.Steps[d])
	}
	var out []uint32
	started := false
	var walk func(d int, pixel []int)
	walk = func(d int, pixel []int) {
		if d > 0 {
			low, high := int(col.Lower[d-1]), int(dims[d])-1+int(col.Upper[d-1])
			for i := low; i <= high; i += step(d) {
				pixel[d] = i
				walk(d-1, pixel)
			}
			return
		}
		started = started || fmt.Sprint(pixel[1:]) == fmt.Sprint(c.at[1:])
		if !started || len(out) == int(col.Channels*col.Pixels) {
			return
		}
		for ch := range int(col.Channels) {
			word, stride, inside := c.at[0]+ch, int(dims[0]), c.at[0]+ch < int(dims[0])
			for k := 1; k < len(dims); k++ {
				i := pixel[k]
				if k <= space {
					i += c.offsets[k-1]
				}
				inside = inside && 0 <= i && i < int(dims[k])
				word, stride = word+i*stride, stride*int(dims[k])
			}
			if !inside {
				word = -1
			}
			out = append(out, uint32(word+1))
		}
	}
	pixel := make([]int, len(dims))
	for image := range 100 {
		pixel[len(dims)-1] = image
		walk(space, pixel)
	}
	return out
}

func listOf(v []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ", "), "[]") }

// TestTensorColumn: a column is the pixels of the box in order, moved by the offsets,
// with zeros outside the image.
func TestTensorColumn(t *testing.T) {
	for _, c := range columnCases {
		b := tensorBox{m: c.m, size: int(c.m.Column.Channels*c.m.Column.Pixels) * 4}
		text := tileLoad(listOf(c.at), b.size)
		text = strings.Replace(text, "global.tile.mbarrier", "global.im2col.mbarrier", 1)
		text = strings.Replace(text, "}], [bar];", "}], [bar], {"+listOf(c.offsets)+"};", 1)
		m := load(t, text, emu.Config{})
		n := 1
		for _, d := range c.m.Dims {
			n *= int(d)
		}
		buf, _ := b.put(t, m, n)
		clean(t, launch(t, m, 1, 32, buf))
		got, want := words(t, m, buf, 2+b.size/4)[2:], c.want()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n got %d\nwant %d", c.name, got, want)
		}
	}
}

// TestTensorColumnStore: the pixels that a column covers are written, others and what
// is outside are not.
func TestTensorColumnStore(t *testing.T) {
	for _, op := range []string{
		"cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group",
		"cp.reduce.async.bulk.tensor.4d.global.shared::cta.max.im2col_no_offs.bulk_group",
	} {
		text := strings.Replace(tileStore(op), "{-2, 10}", "{0, -1, 1, 0}", 1)
		b := tensorBox{m: emu.TensorMap{Type: isa.U32, Dims: []uint32{4, 3, 2, 2}, Column: &emu.TensorColumn{Lower: []int32{-1, 0}, Upper: []int32{0, 0}, Channels: 4, Pixels: 8}}, size: 128}
		m := load(t, text, emu.Config{})
		buf, tensor := b.put(t, m, 48)
		clean(t, launch(t, m, 1, 32, buf))
		want := make([]uint32, 48)
		for i := range want {
			want[i] = uint32(i + 1)
		}
		// Pixels -1..2 of row 1 of image 0, then of row 0 of image 1; -1 is outside.
		for k, pixel := range []int{-1, 3, 4, 5, -1, 6, 7, 8} {
			for ch := range 4 {
				if pixel >= 0 {
					want[4*pixel+ch] = uint32(1000 + 4*k + ch)
				}
			}
		}
		if got := words(t, m, tensor, 48); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n got %d\nwant %d", op, got, want)
		}
	}
}

// TestTensorModes: an instruction for boxes refuses a map for columns, and the other way
// round.
func TestTensorModes(t *testing.T) {
	column := columnCases[0].m
	for _, c := range []struct {
		change func(string) string
		m      emu.TensorMap
		coords string
		want   string
	}{
		{func(s string) string { return s }, column, "0, 0, 0", "copies boxes, the tensor map at address"},
		{func(s string) string {
			return strings.Replace(strings.Replace(s, "global.tile.mbarrier", "global.im2col.mbarrier", 1), "}], [bar];", "}], [bar], {0};", 1)
		}, emu.TensorMap{Type: isa.U32, Dims: []uint32{8, 4, 4}, Box: []uint32{4, 2, 2}}, "0, 0, 0", "copies columns of images, the tensor map at address"},
	} {
		b := tensorBox{m: c.m, size: 384}
		m := load(t, c.change(tileLoad(c.coords, b.size)), emu.Config{})
		buf, _ := b.put(t, m, 512)
		r := launch(t, m, 1, 32, buf)
		if len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("got %v, want %s", r.Faults, c.want)
		}
	}
}

// TestTensorRounding: loads round tf32 to 10 bits of mantissa, and flush subnormal
// numbers where the type says so.
func TestTensorRounding(t *testing.T) {
	in := []float32{1, 1 + 0x1p-11, 1 + 0x3p-11, -1 - 0x1p-10, 0x1p-130, -0x1p-140, 3.5, 0x1.fffffep127}
	for _, c := range []struct {
		typ  isa.Type
		ftz  bool
		want []float32
	}{
		{isa.F32, false, in},
		{isa.F32, true, []float32{1, 1 + 0x1p-11, 1 + 0x3p-11, -1 - 0x1p-10, 0, float32(math.Copysign(0, -1)), 3.5, 0x1.fffffep127}},
		{isa.TF32, false, []float32{1, 1, 1 + 0x2p-10, -1 - 0x1p-10, 0x1p-130, float32(math.Copysign(0, -1)), 3.5, float32(math.Inf(1))}},
		{isa.TF32, true, []float32{1, 1, 1 + 0x2p-10, -1 - 0x1p-10, 0, float32(math.Copysign(0, -1)), 3.5, float32(math.Inf(1))}},
	} {
		m := load(t, tileLoad("0", 32), emu.Config{})
		buf, tensor := alloc(t, m, "buf", 10), alloc(t, m, "tensor", 8)
		fillWords(t, m, tensor, 8, func(i int) uint32 { return math.Float32bits(in[i]) })
		putMap(t, m, buf, emu.TensorMap{Type: c.typ, Ftz: c.ftz, Addr: tensor, Dims: []uint32{8}, Box: []uint32{8}})
		clean(t, launch(t, m, 1, 32, buf))
		for i, v := range words(t, m, buf, 10)[2:] {
			if v != math.Float32bits(c.want[i]) {
				t.Errorf("%s, ftz %v, %v: got %v, want %v", c.typ, c.ftz, in[i], math.Float32frombits(v), c.want[i])
			}
		}
	}
}

// TestTensorWideColumn: columns of the wide modes, with the next pixels of the walk as halos. Coordinates and
// positions are as in public kernels that were compared with devices.
func TestTensorWideColumn(t *testing.T) {
	for _, c := range []struct {
		name         string
		wide         emu.TensorWide
		dims         []uint32 // 16 channels, W, more of space, images
		lower, upper int32
		step         uint32
		at           []int
		pixels       int
		halo, offset int
	}{
		{"w", emu.TensorWideW, []uint32{16, 4, 2, 160}, 0, 0, 1, []int{0, 0, 1, 40}, 5, 1, 1},
		{"signal", emu.TensorWideW, []uint32{16, 7, 9}, -1, -1, 1, []int{0, -1, 0}, 20, 0, 2},
		{"left of the box", emu.TensorWideW, []uint32{16, 7, 3, 5}, 1, 0, 1, []int{0, -2, 2, 1}, 12, 3, 0},
		{"stride", emu.TensorWideW, []uint32{16, 67, 4, 9}, -1, 0, 2, []int{0, -1, 2, 0}, 128, 1, 0},
		{"volume", emu.TensorWideW, []uint32{16, 5, 2, 3, 9}, 0, 1, 3, []int{0, 0, 1, 2, 3}, 16, 2, 1},
		{"w128", emu.TensorWide128, []uint32{16, 4, 2, 160}, 0, 0, 1, []int{0, 0, 0, 80}, 128, 2, 0},
		{"w128 halo 3", emu.TensorWide128, []uint32{16, 9, 7, 64}, -1, -1, 1, []int{0, 3, 2, 3}, 128, 3, 2},
		{"w128 without a halo", emu.TensorWide128, []uint32{16, 9, 99}, 0, 0, 2, []int{0, 1, 3}, 128, 0, 1},
	} {
		mode, rows := "im2col::w", c.pixels+c.halo
		var order []int // positions of the walk
		for i := range c.pixels {
			order = append(order, i)
		}
		if c.wide == emu.TensorWide128 {
			mode, rows = "im2col::w::128", 128+4*c.halo
			for h := range c.halo {
				order = append(order, 32+h, 64+h, 96+h, 128+h)
			}
		} else {
			for h := range c.halo {
				order = append(order, c.pixels+h)
			}
		}
		// The walk: along W of the box, then in the next image.
		var walk [][2]int // W and image
		for w, n := c.at[1], c.at[len(c.at)-1]; len(walk) < 200; {
			walk = append(walk, [2]int{w + c.offset, n})
			if w += int(c.step); w > int(c.dims[1])-1+int(c.upper) {
				w, n = int(c.lower), n+1
			}
		}
		steps := make([]uint32, len(c.dims))
		for i := range steps {
			steps[i] = 1
		}
		steps[1] = c.step
		b := tensorBox{size: rows * 64, m: emu.TensorMap{Type: isa.U32, Dims: c.dims, Steps: steps, Swizzle: emu.Swizzle64, Column: &emu.TensorColumn{
			Lower: []int32{c.lower}, Upper: []int32{c.upper}, Channels: 16, Pixels: uint32(c.pixels), Wide: c.wide,
		}}}
		for _, space := range []string{"cta", "cluster"} {
			text := strings.ReplaceAll(tileLoad(listOf(c.at), b.size), "shared::cluster.global.tile.mbarrier", "shared::"+space+".global."+mode+".mbarrier")
			text = strings.Replace(text, "}], [bar];", fmt.Sprintf("}], [bar], {%d, %d};", c.halo, c.offset), 1)
			text = strings.Replace(text, ".L2.global [%rd1, {"+listOf(c.at)+"}];", fmt.Sprintf(".L2.global.%s [%%rd1, {%s}], {%d, %d};", mode, listOf(c.at), c.halo, c.offset), 1)
			eachFlight(t, func(t *testing.T, cfg emu.Config) {
				m := loadWith(t, header100+text, cfg)
				n := 1
				for _, d := range c.dims {
					n *= int(d)
				}
				buf, _ := b.put(t, m, n)
				clean(t, launch(t, m, 1, 32, buf))
				got := words(t, m, buf, 2+b.size/4)[2:]
				for row, position := range order {
					w, image := walk[position][0], walk[position][1]
					index, inside := 0, 0 <= w && w < int(c.dims[1]) && image < int(c.dims[len(c.dims)-1])
					for d := len(c.dims) - 1; d > 0; d-- {
						i := c.at[d]
						switch d {
						case 1:
							i = w
						case len(c.dims) - 1:
							i = image
						}
						index = index*int(c.dims[d]) + i
					}
					for ch := range 16 {
						want := uint32(0)
						if inside {
							want = uint32(16*index + ch + 1)
						}
						at := row*64 + ch*4
						if v := got[(at^at>>7&3<<4)/4]; v != want {
							t.Fatalf("%s, row %d, channel %d: got %d, want %d", c.name, row, ch, v, want)
						}
					}
				}
			})
		}
	}
}

// TestTensorWideMaps: what the wide modes do not go with.
func TestTensorWideMaps(t *testing.T) {
	wide := func(swizzle emu.TensorSwizzle, lower, upper []int32) emu.TensorMap {
		return emu.TensorMap{Type: isa.U32, Dims: []uint32{32, 4, 4, 4}, Swizzle: swizzle, Column: &emu.TensorColumn{Lower: lower, Upper: upper, Channels: 32, Wide: emu.TensorWide128}}
	}
	one := []int32{0}
	for want, m := range map[string]emu.TensorMap{
		"no swizzle, or that of 32-byte":      wide(emu.SwizzleNone, one, one),
		"with which the wide modes do not go": wide(emu.Swizzle128Atom32Flip8, one, one),
		"corners of 2 and 2 dimensions":       wide(emu.Swizzle128, []int32{0, 0}, []int32{0, 0}),
		"the box of pixels is empty":          wide(emu.Swizzle128, []int32{3}, []int32{-3}),
		"":                                    wide(emu.Swizzle128Atom64, one, one),
	} {
		if _, err := emu.NewDevice(emu.Config{}).NewTensorMap(m); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
