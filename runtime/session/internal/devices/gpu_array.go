// Arrays on a real GPU. The driver supports surfaces, and some textures, only in arrays. So buffers are copied to
// arrays before each launch, and back after it if the kernel writes through a surface.

package devices

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// gpuArrays holds the arrays of a GPU. Textures with the same texels share one.
type gpuArrays struct {
	list     []*gpuArray
	textures map[uint64]*gpuArray // by texture object
}

// gpuArray is an array with its description and its surface object, 0 for none.
type gpuArray struct {
	*gpu.Array
	asked   gpu.Array
	surface uint64
}

// arrayTexture makes a texture over an array.
func (d gpuDevice) arrayTexture(driver driverTextures, n *gpu.Texture, t *emu.Texture, surface bool) (uint64, error) {
	a, err := d.array(driver, n, t, surface)
	if err != nil {
		return 0, err
	}
	n.Array = a.Array
	object, err := driver.NewTexture(n)
	if err == nil {
		d.arrays.textures[object] = a
	}
	return object, err
}

// array returns an array for a texture, filled before each launch.
func (d gpuDevice) array(driver driverTextures, n *gpu.Texture, t *emu.Texture, surface bool) (*gpuArray, error) {
	want := gpu.Array{
		Address: t.Addr, Width: n.Width, Layers: uint64(t.Layers), Pitch: t.Pitch,
		Format: n.Format, Channels: n.Channels, Texel: n.Texel, Surface: surface,
	}
	if t.Dims > 1 {
		want.Height = uint64(t.Height)
	}
	if t.Dims > 2 {
		want.Depth = uint64(t.Depth)
	}
	for _, a := range d.arrays.list {
		if a.asked == want {
			return a, nil
		}
	}
	a := &gpuArray{Array: &want, asked: want}
	if err := driver.NewArray(a.Array); err != nil {
		return nil, err
	}
	if surface {
		object, err := driver.NewSurface(a.Array)
		if err != nil {
			return nil, err
		}
		a.surface = object
	}
	d.arrays.list = append(d.arrays.list, a)
	return a, nil
}

// Free frees memory. Arrays are no longer filled from it.
func (d gpuDevice) Free(addr uint64) error {
	var kept []*gpuArray
	for _, a := range d.arrays.list {
		if _, offset, ok := d.Describe(a.Address); !ok || a.Address-offset != addr {
			kept = append(kept, a)
		}
	}
	if err := d.Runner.Free(addr); err != nil {
		return err
	}
	d.arrays.list = kept
	maps.DeleteFunc(d.arrays.textures, func(_ uint64, a *gpuArray) bool { return !slices.Contains(kept, a) })
	return nil
}

// withArrays launches a kernel that may access arrays. Parameters that it uses as surfaces get surface objects instead
// of texture objects; elsewhere a texture object stands for both.
func (m *gpuMachine) withArrays(kernel string, params []byte, launch func(params []byte) error) error {
	driver, ok := m.Runner.(driverTextures)
	if !ok || len(m.arrays.list) == 0 {
		return launch(params)
	}
	params, written, err := m.surfaces(kernel, params)
	if err != nil {
		return err
	}
	for _, a := range m.arrays.list {
		if err := driver.FillArray(a.Array); err != nil {
			return err
		}
	}
	if err := launch(params); err != nil {
		return err
	}
	for _, a := range m.arrays.list {
		if !written[a] {
			continue
		}
		if err := driver.EmptyArray(a.Array); err != nil {
			return err
		}
	}
	return nil
}

// surfaces replaces parameters of a kernel by surface objects, and returns the arrays that it may write.
func (m *gpuMachine) surfaces(kernel string, params []byte) (out []byte, written map[*gpuArray]bool, err error) {
	k := m.source.Func(kernel)
	if k == nil {
		return params, nil, nil
	}
	pieces, err := surfacePieces(k)
	if err != nil || len(pieces) == 0 {
		return params, nil, err
	}
	places, _, err := m.layout.Params(kernel)
	if err != nil {
		return nil, nil, err
	}
	out, written = slices.Clone(params), make(map[*gpuArray]bool)
	for from, writes := range pieces {
		i := slices.IndexFunc(places, func(p emu.Param) bool { return p.Var == from.Param })
		if i < 0 || from.Off < 0 || uint64(from.Off)+8 > places[i].Size {
			return nil, nil, notOnGPU("surfaces that are no parameter of the kernel")
		}
		handle := out[places[i].Offset+uint64(from.Off):]
		a := m.arrays.textures[binary.LittleEndian.Uint64(handle)]
		if a == nil || a.surface == 0 {
			return nil, nil, notOnGPU("surfaces in linear memory")
		}
		binary.LittleEndian.PutUint64(handle, a.surface)
		written[a] = written[a] || writes
	}
	return out, written, nil
}

// surfacePieces returns the pieces of a kernel's parameters that are surfaces, with whether the kernel writes to each.
// For a driver, a surface and a texture are different objects: one parameter cannot be both.
func surfacePieces(k *rewrite.Func) (map[kernelcode.Piece]bool, error) {
	w, out := kernelcode.FlowsOf(k), make(map[kernelcode.Piece]bool)
	textures := make(map[kernelcode.Piece]bool)
	for _, f := range w.Funcs {
		for _, in := range f.Insts {
			o := kernelcode.TextureHandle(in)
			if o == nil {
				continue
			}
			from, known := w.Regs[o.Reg]
			switch {
			case !kernelcode.IsSurface(in):
				textures[from] = true
			case !known || o.Off != 0:
				return nil, notOnGPU("surfaces that are no parameter of the kernel")
			default:
				out[from] = out[from] || slices.ContainsFunc(in.Accesses, isa.Access.Writes)
			}
		}
	}
	for from := range out {
		if textures[from] {
			return nil, badinput.Errorf("the parameter %s of kernel %s is a texture and a surface, which to a GPU's driver are two objects: expected a parameter for each, or --device emu", from.Param.Name, k.Name)
		}
	}
	return out, nil
}
