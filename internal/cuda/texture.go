// Textures and surfaces over memory of a process.

package cuda

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// ChannelKind is the kind of number in a channel of a texture (cudaChannelFormatKind).
type ChannelKind uint32

// Kinds of channels.
const (
	ChannelSigned ChannelKind = iota
	ChannelUnsigned
	ChannelFloat
)

// AddressMode says how coordinates outside a texture are handled (cudaTextureAddressMode).
type AddressMode uint32

// modes gives the address modes by CUDA's numbers: wrap, clamp, mirror, border.
var modes = []emu.AddressMode{emu.AddressWrap, emu.AddressClamp, emu.AddressMirror, emu.AddressBorder}

// Texture describes a texture or surface over memory of the device.
type Texture struct {
	Address, Pitch               uint64 // in bytes; a pitch of 0 means rows without gaps
	Dims                         int
	Width, Height, Depth, Layers uint32
	Cube                         bool
	Kind                         ChannelKind
	Bits, Channels               int
	Buffer                       bool // linear memory: tex1Dfetch
	Modes                        [3]AddressMode
	Border                       [4]float32
	Linear, Fraction, SRGB       bool
	Normalized                   bool
	Levels                       uint32 // number of levels of detail, one after the other; 0 for one
	MipLinear                    bool
	LOD                          emu.LOD
	// Module and Reference identify a texture or surface reference to be bound to the texture, by its C++ name; 0 and
	// "" for none.
	Module    uint64
	Reference string
}

// format returns the type of a channel.
func (t *Texture) format() (isa.Type, bool) {
	letter := map[ChannelKind]string{ChannelSigned: "s", ChannelUnsigned: "u", ChannelFloat: "f"}[t.Kind]
	return isa.TypeOf(fmt.Sprint(letter, t.Bits))
}

// describe returns the texture for the emulator.
func (t *Texture) describe() (out emu.Texture, err error) {
	format, ok := t.format()
	if !ok {
		return out, errorf(InvalidValue, "a texture with channels of %d bits of kind %d", t.Bits, t.Kind)
	}
	lod := t.LOD
	out = emu.Texture{
		Dims: t.Dims, Width: t.Width, Height: t.Height, Depth: t.Depth, Layers: t.Layers, Cube: t.Cube, Format: format,
		Channels: t.Channels,
		Pitch:    t.Pitch, Buffer: t.Buffer, Border: t.Border, Linear: t.Linear, Normalized: t.Normalized,
		Fraction: t.Fraction, SRGB: t.SRGB,
		Levels: t.Levels, MipLinear: t.MipLinear, LOD: &lod,
	}
	for i, m := range t.Modes {
		if int(m) >= len(modes) {
			return out, errorf(InvalidValue, "a texture with the address mode %d", m)
		}
		out.Address[i] = modes[m]
	}
	return out, nil
}

// Texture makes a texture or surface object and returns its number, or binds a reference.
func (p *Process) Texture(t *Texture) (object uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out, err := t.describe()
	if err != nil {
		return 0, err
	}
	r, err := p.span(t.Address, 1)
	if err != nil {
		return 0, err
	}
	out.Addr = r.offset
	if t.Module != 0 {
		return 0, p.bind(t, r.object, out)
	}
	o, err := p.session.Texture(fmt.Sprintf("texture %d", p.handle()), r.object, out)
	if err != nil {
		p.opts.note("texture: %v", err)
		return 0, errorf(InvalidValue, "%v", err)
	}
	p.textures[o.Address()] = t
	return o.Address(), nil
}

// bind binds a reference to a texture.
func (p *Process) bind(t *Texture, over *session.Object, out emu.Texture) error {
	m, err := p.modules.of(t.Module)
	if err != nil {
		return err
	}
	name := mangled(t.Reference)
	if m.reference(name) == isa.TypeNone {
		return errorf(NotFound, "module %d has no texture or surface reference %s", t.Module, name)
	}
	if err := p.session.BindTexture(m.program, name, over, out); err != nil {
		p.opts.note("texture reference %s: %v", name, err)
		return errorf(InvalidValue, "%v", err)
	}
	m.bound[name] = t
	return nil
}

// reference returns the type of a texture or surface reference of the module, TypeNone if there is none of that name.
func (m *module) reference(name string) isa.Type {
	sym, _ := m.program.Module.Lookup(name)
	if v, ok := sym.(*rewrite.Var); ok && (v.Type == isa.TexRef || v.Type == isa.SurfRef) {
		return v.Type
	}
	return isa.TypeNone
}

// Reference checks that a module has a texture or surface reference.
func (p *Process) Reference(id uint64, surface bool, name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.modules.of(id)
	if err != nil {
		return err
	}
	if want := map[bool]isa.Type{false: isa.TexRef, true: isa.SurfRef}[surface]; m.reference(name) != want {
		return errorf(NotFound, "module %d has no .%s %s", id, want, name)
	}
	return nil
}

// mangled returns the PTX name of a C++ variable: one in a namespace is mangled by the rules of the Itanium ABI.
func mangled(name string) string {
	name = strings.TrimPrefix(name, "::")
	if !strings.Contains(name, "::") {
		return name
	}
	var out strings.Builder
	out.WriteString("_ZN")
	for part := range strings.SplitSeq(name, "::") {
		fmt.Fprint(&out, len(part), part)
	}
	return out.String() + "E"
}
