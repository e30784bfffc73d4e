package main

import (
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

var tensorSwizzles = map[string]emu.TensorSwizzle{
	"none": emu.SwizzleNone, "32B": emu.Swizzle32, "64B": emu.Swizzle64, "128B": emu.Swizzle128,
}

// setTensorMap makes the object of a tensor map in the launch file.
func (d *device) setTensorMap(t *launch.TensorMap) error {
	if t.Interleave != "none" {
		return t.Errorf("tensor map %s: interleave %s is not emulated", t.Name, t.Interleave)
	}
	name, ftz := strings.CutSuffix(t.Type, ".ftz")
	elem, _ := isa.TypeOf(name)
	desc := emu.TensorMap{
		Type: elem, Ftz: ftz, Addr: d.address[t.Buffer] + t.Offset, Dims: t.Dims, Strides: t.Strides,
		Box: t.Box, Steps: t.Steps, Swizzle: tensorSwizzles[t.Swizzle], FillNaN: t.Fill == "nan",
	}
	if t.Im2col {
		desc.Column = &emu.TensorColumn{Lower: t.Lower, Upper: t.Upper, Channels: t.Channels, Pixels: t.Pixels}
	}
	addr, err := d.NewTensorMap(desc)
	if err != nil {
		return t.Errorf("%s: %v", t.Name, err)
	}
	d.address[t.Name] = addr
	if t.Store == "" {
		return nil
	}
	object, err := d.tensorMapBytes(t.Name)
	if err == nil {
		err = d.Write(d.address[t.Store]+t.StoreAt, object)
	}
	if err != nil {
		return t.Errorf("tensor map %s cannot be stored in %s: %v", t.Name, t.Store, err)
	}
	return nil
}

// tensorMapBytes is the object of a tensor map.
func (d *device) tensorMapBytes(name string) ([]byte, error) {
	b := make([]byte, emu.TensorMapSize)
	return b, d.Read(d.address[name], b)
}

// argument is an argument as it stands in the parameter block.
func (d *device) argument(a *launch.Arg, p launch.Param) ([]byte, error) {
	if a.TensorMapByValue(p) {
		return d.tensorMapBytes(a.Buffer)
	}
	return a.Bytes(p, func(name string) uint64 { return d.address[name] })
}
