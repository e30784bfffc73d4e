// Textures as objects.

package session

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

var addressModes = map[string]emu.AddressMode{
	"clamp": emu.AddressClamp, "border": emu.AddressBorder, "wrap": emu.AddressWrap, "mirror": emu.AddressMirror,
}

// Texture makes a texture object over a buffer and binds references of that name in the loaded programs. The Addr of
// the description is an offset in the buffer.
func (s *Session) Texture(name string, over *Object, t emu.Texture) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &Object{s: s, name: name, kind: objectTexture}
	offset := t.Addr
	return o, s.add(o, func(r *run) (uint64, error) {
		t.Addr = over.addr + offset
		object, err := r.dev.NewTexture(t, r.usesSurfaces())
		if err != nil {
			return 0, err
		}
		return object, r.bindTexture(name, t)
	})
}

// BindTexture binds a .texref or .surfref variable of a loaded program to a texture over a buffer, instead of its
// current one.
func (s *Session) BindTexture(p *Program, name string, over *Object, t emu.Texture) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.loaded(p) {
		return badinput.Errorf("the program has not been loaded")
	}
	t.Addr += over.addr
	for _, r := range s.runs {
		if err := r.loaded[p].machine.BindTexture(name, t); err != nil {
			return badinput.Wrap(err)
		}
	}
	return nil
}

// bindTexture binds the references of that name.
func (r *run) bindTexture(name string, t emu.Texture) error {
	for _, l := range r.order {
		if r.loaded[l.program] != l {
			continue
		}
		sym, _ := l.program.Module.Lookup(name)
		v, ok := sym.(*rewrite.Var)
		if !ok || v.Type != isa.TexRef && v.Type != isa.SurfRef {
			continue
		}
		if err := l.machine.BindTexture(name, t); err != nil {
			return err
		}
	}
	return nil
}

// setTexture makes the object for a texture of a launch file.
func (s *Session) setTexture(file *launch.File, t *launch.Texture) error {
	format, _ := isa.TypeOf(file.Buffer(t.Buffer).Type.String())
	mode := addressModes[t.Address]
	_, err := s.Texture(t.Name, s.objects[t.Buffer], emu.Texture{
		Dims: t.Dims, Width: t.Size[0], Height: t.Size[1], Depth: t.Size[2], Layers: t.Layers, Cube: t.Cube,
		Format: format, Channels: t.Channels, Pitch: t.Pitch, Buffer: t.Linear,
		Address: [3]emu.AddressMode{mode, mode, mode}, Linear: t.Filter == "linear", Normalized: t.Normalized,
		Fraction: t.Fraction,
		SRGB:     t.SRGB, Samples: t.Samples, Levels: t.Levels, MipLinear: t.MipLinear,
		Compare: emu.CompareMode(slices.Index(launch.Comparisons, t.Compare) + 1),
	})
	if err != nil {
		return t.Errorf("texture %s: %v", t.Name, err)
	}
	return nil
}

// usesSurfaces reports whether a program of the run has surface instructions.
func (r *run) usesSurfaces() bool {
	for p := range r.loaded {
		for _, f := range p.Module.Funcs {
			if slices.ContainsFunc(f.Insts, kernelcode.IsSurface) {
				return true
			}
		}
	}
	return false
}
