// Textures, tensor maps and endpoints of devices.

package emu

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// SetEndpoint makes or changes the logical endpoint of a number, as cuLogicalEndpointCreate and
// cuLogicalEndpointBindMem of the CUDA driver do; nil destroys it.
func (d *Device) SetEndpoint(id uint32, e *Endpoint) {
	if e == nil {
		delete(d.state.Endpoints, id)
		return
	}
	if d.state.Endpoints == nil {
		d.state.Endpoints = make(map[uint32]*Endpoint)
	}
	d.state.Endpoints[id] = e
}

// NewTensorMap writes a tensor map to a new allocation of device memory and returns its generic address. Its bytes may
// also be passed to a kernel as a parameter.
func (d *Device) NewTensorMap(t TensorMap) (uint64, error) {
	b, err := t.Encode()
	if err != nil {
		return 0, err
	}
	addr, err := d.Alloc("tensor map", TensorMapSize)
	if err != nil {
		return 0, err
	}
	return addr, d.Write(addr, b)
}

// TensorMapAddress returns the offset of the tensor's address in the bytes of a tensor map; false for other bytes.
func TensorMapAddress(b []byte) (offset int, ok bool) {
	if len(b) != TensorMapSize {
		return 0, false
	}
	_, err := tensor.MapAt(b)
	return tensor.AddressOffset, err == nil
}

// MoveTensorMap returns the bytes of a tensor map with another tensor address.
func MoveTensorMap(b []byte, addr uint64) ([]byte, error) {
	p, err := tensor.MapAt(b)
	if err != nil {
		return nil, err
	}
	p.Addr = addr
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p.Bytes(), nil
}

// NewTexture creates a texture object and returns its value, for a kernel's .u64 parameter. The memory must be
// allocated and stay allocated.
func (d *Device) NewTexture(t Texture) (uint64, error) {
	size, err := t.Init()
	if err != nil {
		return 0, err
	}
	if _, err := d.state.Mem.At(t.Addr, size); err != nil {
		return 0, fmt.Errorf("texture: %w", err)
	}
	d.state.Objects++
	h := exec.TextureWindow + 64*d.state.Objects
	d.state.Textures[h] = &t
	return h, nil
}

// BindTexture binds a module-scope .texref or .surfref variable.
func (m *Machine) BindTexture(name string, t Texture) error {
	v := m.state.Symbols[name]
	if v == nil || v.Type != isa.TexRef && v.Type != isa.SurfRef {
		return fmt.Errorf("there is no .texref or .surfref %s in %s", name, m.state.Src.AST.File.Name)
	}
	h, err := m.NewTexture(t)
	if err == nil {
		m.state.Dev.Textures[m.state.Vars[v]] = m.state.Dev.Textures[h]
	}
	return err
}
