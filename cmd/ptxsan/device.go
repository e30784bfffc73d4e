package main

import (
	"context"
	"errors"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// device is an emulated GPU set up as a launch file says.
type device struct {
	*emu.Machine
	file    *launch.File
	mod     *rewrite.Module // the module that runs
	address map[string]uint64
	stats   emu.Stats
	longest uint64 // warp instructions of the longest launch
	done    int    // launches that ended, by themselves or by a fault
}

// newDevice loads a module and allocates and fills the buffers and globals of the
// launch file.
func newDevice(mod *rewrite.Module, file *launch.File, cfg emu.Config) (*device, error) {
	m, err := emu.New(mod, cfg)
	if err != nil {
		return nil, badInput(err)
	}
	d := &device{Machine: m, file: file, mod: mod, address: make(map[string]uint64)}
	for i := range file.Buffers {
		if err := d.allocate(&file.Buffers[i]); err != nil {
			return nil, badInput(err)
		}
	}
	for i := range file.Launches {
		if l := &file.Launches[i]; l.Cooperative {
			if err := m.AllocWorkspace(); err != nil {
				return nil, badInput(l.Errorf("%v", err))
			}
		}
	}
	for i := range file.Textures {
		if err := d.setTexture(&file.Textures[i]); err != nil {
			return nil, badInput(err)
		}
	}
	for i := range file.TensorMaps {
		if err := d.setTensorMap(&file.TensorMaps[i]); err != nil {
			return nil, badInput(err)
		}
	}
	for i := range file.Globals {
		if err := d.setGlobal(&file.Globals[i]); err != nil {
			return nil, badInput(err)
		}
	}
	return d, nil
}

func (d *device) allocate(b *launch.Buffer) error {
	addr, err := d.Alloc(b.Name, b.Size())
	if err != nil {
		return b.Errorf("buffer %s: %v", b.Name, err)
	}
	d.address[b.Name] = addr
	if b.Initialised {
		d.SetInitialised(addr)
	}
	return b.Fill(func(off uint64, p []byte) error { return d.Write(addr+off, p) })
}

// setGlobal overrides a module-scope variable.
func (d *device) setGlobal(g *launch.Global) error {
	sym, _ := d.mod.Lookup(g.Name)
	v, ok := sym.(*rewrite.Var)
	if !ok || v.Func != nil || v.Space != isa.SpaceGlobal && v.Space != isa.SpaceConst {
		return g.Errorf("the module has no .global or .const variable %q", g.Name)
	}
	addr, size, ok := d.Symbol(g.Name)
	t, known := launch.TypeOf(v.Type.String())
	if !ok || !known || size == 0 {
		return g.Errorf("variable %s of type %s cannot be set", g.Name, v.Type)
	}
	return g.Fill(t, size/uint64(t.Size()), func(off uint64, p []byte) error { return d.Write(addr+off, p) })
}

// paramOf describes a parameter to the launch package.
func paramOf(v *rewrite.Var) launch.Param {
	t, _ := launch.TypeOf(v.Type.String())
	return launch.Param{Name: v.Name, Type: t, Size: v.Size, Align: v.Align, Array: len(v.Dims) > 0 || v.Vec > 1}
}

// launchConfig converts launch l of the file for its kernel; planLaunches has
// matched its arguments with the parameters.
func (d *device) launchConfig(l *launch.Launch, kernel string) (emu.LaunchConfig, error) {
	cfg := emu.LaunchConfig{Kernel: kernel, Grid: dim3(l.Grid), Block: dim3(l.Block), Shared: l.Shared, Cooperative: l.Cooperative}
	if l.Cluster != [3]uint32{1, 1, 1} { // else what the kernel requires
		cfg.Cluster = dim3(l.Cluster)
	}
	params, size, err := d.Params(kernel)
	if err != nil {
		return cfg, l.Errorf("%v", err)
	}
	cfg.Params = make([]byte, size)
	for i, p := range params {
		b, err := d.argument(&l.Args[i], paramOf(p.Var))
		if err != nil {
			return cfg, err
		}
		copy(cfg.Params[p.Offset:p.Offset+p.Size], b)
	}
	return cfg, nil
}

func dim3(d [3]uint32) emu.Dim3 { return emu.Dim3{X: d[0], Y: d[1], Z: d[2]} }

func array3(d emu.Dim3) [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }

// run performs one launch.
func (d *device) run(ctx context.Context, p planned) ([]*emu.Fault, error) {
	cfg, err := d.launchConfig(p.Launch, p.kernel.Name)
	if err != nil {
		return nil, badInput(err)
	}
	res, err := d.Launch(ctx, cfg)
	if res != nil {
		d.stats.WarpInstructions += res.Stats.WarpInstructions
		d.stats.ThreadInstructions += res.Stats.ThreadInstructions
		d.longest = max(d.longest, res.Stats.WarpInstructions)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return nil, interrupted()
	case errors.Is(err, emu.ErrRedundant):
		return nil, err
	case err != nil:
		return nil, badInput(p.Errorf("kernel %s cannot be launched: %v", p.Kernel, err))
	}
	d.done++
	return res.Faults, nil
}

// readBuffer reads part of a buffer of the launch file.
func (d *device) readBuffer(name string) func(off uint64, p []byte) error {
	return func(off uint64, p []byte) error { return d.Read(d.address[name]+off, p) }
}
