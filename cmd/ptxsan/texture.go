package main

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

var addressModes = map[string]emu.AddressMode{
	"clamp": emu.AddressClamp, "border": emu.AddressBorder, "wrap": emu.AddressWrap, "mirror": emu.AddressMirror,
}

// setTexture makes the object of a texture in the launch file, and binds the
// module's reference of that name if there is one.
func (d *device) setTexture(t *launch.Texture) error {
	format, _ := isa.TypeOf(d.file.Buffer(t.Buffer).Type.String())
	mode := addressModes[t.Address]
	desc := emu.Texture{
		Dims: t.Dims, Width: t.Size[0], Height: t.Size[1], Depth: t.Size[2], Layers: t.Layers, Cube: t.Cube,
		Format: format, Channels: t.Channels, Addr: d.address[t.Buffer], Pitch: t.Pitch, Buffer: t.Linear,
		Address: [3]emu.AddressMode{mode, mode, mode}, Linear: t.Filter == "linear", Normalized: t.Normalized, Fraction: t.Fraction,
		SRGB: t.SRGB, Samples: t.Samples, Levels: t.Levels, MipLinear: t.MipLinear,
		Compare: emu.CompareMode(slices.Index(launch.Comparisons, t.Compare) + 1),
	}
	object, err := d.NewTexture(desc)
	if err != nil {
		return t.Errorf("texture %s: %v", t.Name, err)
	}
	d.address[t.Name] = object
	sym, _ := d.mod.Lookup(t.Name)
	if v, ok := sym.(*rewrite.Var); ok && (v.Type == isa.TexRef || v.Type == isa.SurfRef) {
		if err := d.BindTexture(t.Name, desc); err != nil {
			return t.Errorf("texture %s: %v", t.Name, err)
		}
	}
	return nil
}
