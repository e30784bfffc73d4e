// Tensor maps as objects.

package session

import (
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

var tensorSwizzles = map[string]emu.TensorSwizzle{
	"none": emu.SwizzleNone, "32B": emu.Swizzle32, "64B": emu.Swizzle64, "128B": emu.Swizzle128,
	"128B-atom32B": emu.Swizzle128Atom32, "128B-atom32B-flip8B": emu.Swizzle128Atom32Flip8, "128B-atom64B": emu.Swizzle128Atom64,
	"96B": emu.Swizzle96,
}

// tensorPackings gives the packed element types by their names in launch files.
var tensorPackings = map[string]emu.TensorPacking{
	"b4x16": emu.TensorPacked4, "b4x16_p64": emu.TensorPacked4Apart,
	"b6x16_p32": emu.TensorPacked6Apart,
}

// TensorMap makes a tensor map over a buffer, from an offset in bytes on. It sets the Addr of the description.
func (s *Session) TensorMap(name string, over *Object, offset uint64, t emu.TensorMap) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &Object{s: s, name: name, kind: objectTensorMap, size: emu.TensorMapSize}
	return o, s.add(o, func(r *run) (uint64, error) {
		t.Addr = over.addr + offset
		return r.dev.NewTensorMap(t)
	})
}

// storeTensorMap copies a tensor map to a buffer at an offset.
func (s *Session) storeTensorMap(o, to *Object, offset uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		b, err := r.tensorMapBytes(o)
		if err == nil {
			err = r.dev.Write(to.addr+offset, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tensorMapBytes returns the contents of a tensor map on the device of the run.
func (r *run) tensorMapBytes(o *Object) ([]byte, error) {
	b := make([]byte, emu.TensorMapSize)
	return b, r.dev.Read(o.addr, b)
}

// tensorModes gives the column modes by their names in launch files.
var tensorModes = map[string]emu.TensorWide{
	"im2col": emu.TensorWideNot, "im2col-w": emu.TensorWideW,
	"im2col-w-128": emu.TensorWide128,
}

// setTensorMap makes the object for a tensor map of a launch file.
func (s *Session) setTensorMap(t *launch.TensorMap) error {
	if t.Interleave != "none" {
		return t.Errorf("tensor map %s: interleave %s is not emulated", t.Name, t.Interleave)
	}
	name, ftz := strings.CutSuffix(t.Type, ".ftz")
	elem, _ := isa.TypeOf(name)
	desc := emu.TensorMap{
		Type: elem, Ftz: ftz, Packing: tensorPackings[name], Dims: t.Dims, Strides: t.Strides,
		Box: t.Box, Steps: t.Steps, Swizzle: tensorSwizzles[t.Swizzle], FillNaN: t.Fill == "nan",
	}
	if t.Columns() {
		desc.Column = &emu.TensorColumn{
			Lower: t.Lower, Upper: t.Upper, Channels: t.Channels, Pixels: t.Pixels,
			Wide: tensorModes[t.Mode],
		}
	}
	o, err := s.TensorMap(t.Name, s.objects[t.Buffer], t.Offset, desc)
	if err != nil {
		return t.Errorf("%s: %v", t.Name, err)
	}
	if t.Store == "" {
		return nil
	}
	if err := s.storeTensorMap(o, s.objects[t.Store], t.StoreAt); err != nil {
		return t.Errorf("tensor map %s cannot be stored in %s: %v", t.Name, t.Store, err)
	}
	return nil
}
