package main

import (
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// launched is how kernels were launched, by name, as "check" knows it from a launch file.
// Pointers in different parameters are to different buffers: device.params checks it.
type launched map[string][]rewrite.LaunchValues

func (l launched) add(kernel string, shape detect.LaunchShape, param values) {
	unknown := func(*rewrite.Var) (uint64, bool) { return 0, false }
	l[kernel] = append(l[kernel], rewrite.LaunchValues{Grid: shape.Grid, Block: shape.Block, Param: param, Address: unknown})
}

// kernel is what is known of how a kernel is launched.
func (l launched) kernel(name string) rewrite.Given {
	if l == nil {
		return rewrite.Given{}
	}
	return rewrite.Given{AliasOptions: rewrite.AliasOptions{Distinct: rewrite.DistinctParams}, Launches: l[name]}
}

// values is the value of a parameter, rewrite.LaunchValues.Param.
type values func(v *rewrite.Var, off int64, size int) (uint64, bool)

// values reads the parameters of a launch.
func (d *device) values(kernel string, params []byte) values {
	layout, _, _ := d.Params(kernel) // params has done it
	return func(v *rewrite.Var, off int64, size int) (uint64, bool) {
		for _, p := range layout {
			if p.Var.Name == v.Name {
				return rewrite.NumberIn(params[p.Offset:][:p.Size], off, size)
			}
		}
		return 0, false
	}
}
