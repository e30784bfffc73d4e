package launch

import "testing"

// TestTextures reads every key of a texture, and the defaults.
func TestTextures(t *testing.T) {
	f, err := Parse("L.yaml", []byte(`
buffers: {a: {type: u8, count: 96}}
textures:
  plain: {buffer: a, size: 5}
  depth: {buffer: a, size: [4, 4], levels: 3, mip: linear, compare: less-equal}
  many: {buffer: a, size: [2, 2], samples: 4, read: srgb, mip: point}
  all: {buffer: a, size: [2, 2], layers: 6, cube: true, channels: 4, pitch: 8, address: mirror, filter: linear,
        coordinates: normalized, read: normalized, memory: linear}
launches: [{kernel: k, grid: 1, block: 1, args: [all, plain]}]
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Texture{
		{Pos: Pos{File: "L.yaml", Line: 4, Col: 3}, Name: "plain", Buffer: "a", Size: [3]uint32{5, 1, 1}, Dims: 1, Channels: 1, Address: "clamp", Filter: "point"},
		{
			Pos: Pos{File: "L.yaml", Line: 5, Col: 3}, Name: "depth", Buffer: "a", Size: [3]uint32{4, 4, 1}, Dims: 2, Channels: 1, Address: "clamp", Filter: "point",
			Levels: 3, MipLinear: true, Compare: "less-equal",
		},
		{
			Pos: Pos{File: "L.yaml", Line: 6, Col: 3}, Name: "many", Buffer: "a", Size: [3]uint32{2, 2, 1}, Dims: 2, Channels: 1, Address: "clamp", Filter: "point",
			Samples: 4, Fraction: true, SRGB: true,
		},
		{
			Pos: Pos{File: "L.yaml", Line: 7, Col: 3}, Name: "all", Buffer: "a", Size: [3]uint32{2, 2, 1}, Dims: 2, Layers: 6, Channels: 4, Pitch: 8,
			Address: "mirror", Filter: "linear", Cube: true, Normalized: true, Fraction: true, Linear: true,
		},
	} {
		if got := f.Texture(want.Name); got == nil || *got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", want.Name, got, want)
		}
	}
	if f.Texture("a") != nil {
		t.Error("a buffer is a texture")
	}
}
