package emu

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Textures of the device, and operands that name one.

// Texture is memory that kernels sample with tex, or access as a surface with suld, sust and
// sured.
type Texture = texture.Texture

// AddressMode says what lies outside a texture.
type AddressMode = texture.AddressMode

// CompareMode is a comparison of depths.
type CompareMode = texture.CompareMode

// Address modes. Wrap and mirror are clamp when coordinates are not normalised.
const (
	AddressClamp  = texture.AddressClamp
	AddressBorder = texture.AddressBorder
	AddressWrap   = texture.AddressWrap
	AddressMirror = texture.AddressMirror
)

// Comparisons: of the instruction's operand with the texel.
const (
	CompareNone         = texture.CompareNone
	CompareNever        = texture.CompareNever
	CompareLess         = texture.CompareLess
	CompareEqual        = texture.CompareEqual
	CompareLessEqual    = texture.CompareLessEqual
	CompareGreater      = texture.CompareGreater
	CompareNotEqual     = texture.CompareNotEqual
	CompareGreaterEqual = texture.CompareGreaterEqual
	CompareAlways       = texture.CompareAlways
)

// textureWindow is the value of the first texture object; none is an address.
const textureWindow = 9 << 32

// NewTexture makes a texture object and returns its value, for a kernel's .u64
// parameter. The memory must be allocated and stay so.
func (d *Device) NewTexture(t Texture) (uint64, error) {
	size, err := t.Init()
	if err != nil {
		return 0, err
	}
	if _, err := d.mem.At(t.Addr, size); err != nil {
		return 0, fmt.Errorf("texture: %w", err)
	}
	h := textureWindow + 64*uint64(len(d.textures)+1)
	d.textures[h] = &t
	return h, nil
}

// BindTexture binds a module-scope .texref or .surfref variable.
func (m *Machine) BindTexture(name string, t Texture) error {
	v := m.symbols[name]
	if v == nil || v.Type != isa.TexRef && v.Type != isa.SurfRef {
		return fmt.Errorf("there is no .texref or .surfref %s in %s", name, m.src.AST.File.Name)
	}
	h, err := m.NewTexture(t)
	if err == nil {
		m.textures[m.vars[v]] = m.textures[h]
	}
	return err
}

// texture is the one that lane i names, nil after a fault.
func (x *exec) texture(in *inst, i int, ref *textureRef) *Texture {
	h := x.frame.r64(ref.base)[i] + uint64(ref.off)
	if t := x.m.textures[h]; t != nil {
		return t
	}
	name := fmt.Sprintf("0x%x, which is no texture object", h)
	if ref.variable != nil {
		name = ref.variable.Name + ", which is not bound"
	}
	x.raise(in, i, "out-of-bounds", 0, "access to the texture or surface %s", name)
	return nil
}

// textureRef is the texture operand of an instruction: a register, or a variable.
type textureRef struct {
	base     slot
	off      int64
	variable *rewrite.Var
}
