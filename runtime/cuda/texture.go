// Textures and surfaces over memory of a process.

package cuda

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// ChannelKind is the kind of number in a channel of a texture (cudaChannelFormatKind).
type ChannelKind uint32

// Kinds of channels.
const (
	ChannelSigned ChannelKind = iota
	ChannelUnsigned
	ChannelFloat
)

// AddressMode says what lies outside a texture (cudaTextureAddressMode).
type AddressMode uint32

// modes are the address modes by CUDA's numbers: wrap, clamp, mirror, border.
var modes = []emu.AddressMode{emu.AddressWrap, emu.AddressClamp, emu.AddressMirror, emu.AddressBorder}

// Texture describes a texture or surface over memory of the device.
type Texture struct {
	Address, Pitch               uint64 // bytes; a pitch of 0 for rows without gaps
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
	Levels                       uint32 // of detail, one after the other; 0 for one
	MipLinear                    bool
	// Reference is the name, as in C++, of the texture references that are bound to the texture; empty
	// for none.
	Reference string
}

// format is the type of a channel.
func (t *Texture) format() (isa.Type, bool) {
	letter := map[ChannelKind]string{ChannelSigned: "s", ChannelUnsigned: "u", ChannelFloat: "f"}[t.Kind]
	return isa.TypeOf(fmt.Sprint(letter, t.Bits))
}

// Texture makes a texture or surface object and returns its number.
func (p *Process) Texture(t *Texture) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	format, ok := t.format()
	if !ok {
		return 0, errorf(InvalidValue, "a texture with channels of %d bits of kind %d", t.Bits, t.Kind)
	}
	out := emu.Texture{
		Dims: t.Dims, Width: t.Width, Height: t.Height, Depth: t.Depth, Layers: t.Layers, Cube: t.Cube, Format: format, Channels: t.Channels,
		Pitch: t.Pitch, Buffer: t.Buffer, Border: t.Border, Linear: t.Linear, Normalized: t.Normalized, Fraction: t.Fraction, SRGB: t.SRGB,
		Levels: t.Levels, MipLinear: t.MipLinear,
	}
	for i, m := range t.Modes {
		if int(m) >= len(modes) {
			return 0, errorf(InvalidValue, "a texture with the address mode %d", m)
		}
		out.Address[i] = modes[m]
	}
	r, err := p.span(t.Address, 1)
	if err != nil {
		return 0, err
	}
	out.Addr = r.offset
	o, err := p.session.Texture(cmp.Or(mangled(t.Reference), fmt.Sprintf("texture %d", p.handle())), r.object, out)
	if err != nil {
		p.note("texture: %v", err)
		return 0, errorf(InvalidValue, "%v", err)
	}
	return o.Address(), nil
}

// mangled is the name in PTX of a variable of C++: of one in a namespace, by the rules of the Itanium
// ABI.
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
