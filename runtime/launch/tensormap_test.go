package launch

import (
	"reflect"
	"strings"
	"testing"
)

// TestTensorMaps reads every key of a tensor map, and the defaults.
func TestTensorMaps(t *testing.T) {
	f, err := Parse("L.yaml", []byte(`
buffers: {a: {type: f16, count: 96}, b: {type: b64, count: 32}}
tensormaps:
  plain: {buffer: a, dims: [8, 4], box: [8, 2]}
  all: {buffer: a, offset: 32, type: f32.ftz, dims: [4, 2, 2], strides: [16, 32], steps: [1, 2, 1], swizzle: 32B, interleave: 16B,
        l2: 256B, fill: nan, mode: im2col, lower: [-1], upper: [2], channels: 4, pixels: 8, store: {buffer: b, offset: 128}}
launches: [{kernel: k, grid: 1, block: 1, args: [all, [plain]]}]
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []TensorMap{
		{
			Pos: Pos{File: "L.yaml", Line: 4, Col: 3}, Name: "plain", Buffer: "a", Type: "f16", Dims: []uint32{8, 4}, Box: []uint32{8, 2},
			Swizzle: "none", Interleave: "none", Fill: "zero", Mode: "tiled",
		},
		{
			Pos: Pos{File: "L.yaml", Line: 5, Col: 3}, Name: "all", Buffer: "a", Offset: 32, Type: "f32.ftz", Dims: []uint32{4, 2, 2}, Strides: []uint64{16, 32},
			Steps: []uint32{1, 2, 1}, Swizzle: "32B", Interleave: "16B", Fill: "nan", Mode: "im2col", Lower: []int32{-1}, Upper: []int32{2},
			Channels: 4, Pixels: 8, Store: "b", StoreAt: 128,
		},
	} {
		if got := f.TensorMap(want.Name); got == nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", want.Name, got, want)
		}
	}
	if f.TensorMap("a") != nil {
		t.Error("a buffer is a tensor map")
	}
}

// TestTensorMapErrors: one message, at its place.
func TestTensorMapErrors(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{"dims: [8], box: [8]", "L.yaml:2:17: tensor map m has no buffer; expected buffer: NAME"},
		{"buffer: a, box: [8]", "L.yaml:2:17: tensor map m has no dims"},
		{"buffer: a, dims: [8]", "L.yaml:2:17: tensor map m has no box"},
		{"buffer: a, dims: [], box: [8]", "L.yaml:2:35: dims has 0 numbers, expected 1 to 5"},
		{"buffer: a, dims: [1, 1, 1, 1, 1, 1], box: [8]", "L.yaml:2:35: dims has 6 numbers, expected 1 to 5"},
		{"buffer: a, dims: [0], box: [8]", `L.yaml:2:36: expected a number of elements (an integer from 1 to 4294967295), found "0"`},
		{"buffer: a, dims: 8, box: [8]", `L.yaml:2:35: expected dims (a list of 1 to 5 numbers), found "8"`},
		{"buffer: a, type: s8", `L.yaml:2:35: expected a type of elements (one of: u8, u16,`},
		{"buffer: a, swizzle: 16B", `L.yaml:2:38: expected a swizzle (one of: none, 32B, 64B, 128B, 128B-atom32B, 128B-atom32B-flip8B, 128B-atom64B, 96B), found "16B"`},
		{"buffer: a, dims: [8], box: [8], pixels: 3", "L.yaml:2:17: tensor map m: lower, upper, channels and pixels are for mode: im2col"},
		{"buffer: a, dims: [8], box: [8], mode: im2col", "L.yaml:2:17: tensor map m has a box; mode: im2col has"},
		{"buffer: a, dims: [8], mode: im2col, lower: [1]", "L.yaml:2:17: tensor map m lacks one of lower, upper, channels and pixels"},
		{"buffer: a, lower: [-32769]", `L.yaml:2:37: expected an offset in pixels (an integer from -32768 to 32767), found "-32769"`},
		{"buffer: a, lower: [32768]", `L.yaml:2:37: expected an offset in pixels`},
		{"buffer: a, lower: [1.5]", `L.yaml:2:37: expected an offset in pixels`},
		{"buffer: b, dims: [8], box: [8]", `L.yaml:2:14: tensor map m is of the buffer "b", which is not declared; buffers: a`},
		{"buffer: a, dims: [8], box: [8], store: {buffer: c}", `L.yaml:2:14: tensor map m is stored in the buffer "c", which is not declared`},
		{"buffer: a, dims: [8], box: [8], boxes: 1", `L.yaml:2:50: unknown key "boxes" in tensor map m`},
	} {
		_, err := Parse("L.yaml", []byte("buffers: {a: {type: u8, count: 24}}\ntensormaps: {m: {"+c.fields+"}}\nlaunches: [{kernel: k, grid: 1, block: 1}]\n"), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.fields, err, c.want)
		}
	}
	_, err := Parse("L.yaml", []byte("buffers: {a: {type: u8, count: 24}}\ntensormaps: {a: {buffer: a, dims: [8], box: [8]}}\nlaunches: [{kernel: k, grid: 1, block: 1}]\n"), Options{})
	if want := "L.yaml:2:14: tensor map a has the name of a buffer or texture"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestEndpoints: endpoints are numbered from 1 on, in file order, and an argument is the number.
func TestEndpoints(t *testing.T) {
	f, err := Parse("L.yaml", []byte("buffers: {a: {type: u8, count: 1}}\nendpoints: {x: a, y: a}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [y, a]}]\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, _ := NumberOf(2)
	if a := f.Launches[0].Args; a[0].Kind != ArgNumber || a[0].Value != two || a[1].Kind != ArgBuffer {
		t.Errorf("arguments %+v", a)
	}
	for text, want := range map[string]string{
		"{x: b}":    "L.yaml:2:13: endpoint x is of the buffer \"b\", which is not declared; ",
		"{a: a}":    "L.yaml:2:13: endpoint a has the name of a buffer, texture or tensor map",
		"{\"\": a}": "L.yaml:2:13: expected a name for the endpoint",
		"{x: [1]}":  "L.yaml:2:16: expected the buffer of the endpoint",
	} {
		_, err := Parse("L.yaml", []byte("buffers: {a: {type: u8, count: 1}}\nendpoints: "+text+"\nlaunches: [{kernel: k, grid: 1, block: 1}]\n"), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
