package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	hosthalf "github.com/ptxsan/ptxsan/runtime/detect/iguard"
)

//go:embed kernels/kernels.ptx
var kernelSource []byte

// program is the kernels, as they are or instrumented.
type program struct {
	mod     *rewrite.Module
	options *abi.IGuardOptions // nil when not instrumented
	given   *rewrite.Program   // how the kernels will be launched, nil when that is not known
}

// programs are the kernels as they are, and with a check of every access.
type programs struct{ plain, every *program }

// loadKernels reads the kernels, and makes instrumented ones of them.
func loadKernels() (p programs, err error) {
	mod, err := load("kernels.ptx", kernelSource)
	if err != nil {
		return p, err
	}
	p.plain = &program{mod: mod}
	p.every, err = instrument(mod, "iguard<elide=false>", nil)
	return p, err
}

// instrument runs a pass, for kernels that are launched in given ways.
func instrument(mod *rewrite.Module, with string, given *rewrite.Program) (*program, error) {
	pipeline, err := passes.ParsePipeline(with, all.Passes)
	if err != nil {
		return nil, err
	}
	out, err := pipeline.RunWith(mod, passes.Driver{Given: given.Given})
	if err != nil {
		return nil, err
	}
	instrumented, err := load("kernels.ptx", out.Module.AST.File.Src)
	if err != nil {
		return nil, err
	}
	options := out.Results[iguard.Pass.Name].(*iguard.Result).Options
	return &program{mod: instrumented, options: &options}, nil
}

func load(name string, text []byte) (*rewrite.Module, error) {
	tree, err := ptxgrammar.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return rewrite.Load(tree)
}

// device is an emulated GPU with the buffers of a problem.
type device struct {
	*emu.Machine
	ctx       context.Context
	addresses []uint64
	detector  *hosthalf.Detector // nil when the program is not instrumented
	listener  detect.Detector    // nil when none listens
	shape     detect.LaunchShape
	stats     emu.Stats
	time      time.Duration // of the processor in launches, without what prepares them
	wall      time.Duration // of the same
	races     int
	launched  []rewrite.KernelLaunch // so far, as "check" knows them from a launch file
}

// newDevice makes a device and copies the problem's buffers to it.
func newDevice(ctx context.Context, prog *program, pr *problem, cfg emu.Config) (*device, error) {
	m, err := emu.New(prog.mod, cfg)
	if err != nil {
		return nil, err
	}
	d := &device{Machine: m, ctx: ctx, shape: detect.LaunchShape{Apart: true}} // few buffers of less than 4 GiB together
	for i, words := range pr.buffers {
		if err = d.allocate(fmt.Sprint("buffer", i), words); err != nil {
			return nil, err
		}
	}
	if prog.options != nil {
		d.detector, err = hosthalf.New(*prog.options)
	}
	return d, err
}

// allocate makes a buffer with contents.
func (d *device) allocate(name string, words []uint32) error {
	size := uint64(4 * len(words))
	addr, err := d.Alloc(name, size)
	if err != nil {
		return err
	}
	d.addresses = append(d.addresses, addr)
	d.shape.Slots = max(d.shape.Slots, addr>>32+1)
	d.shape.LargestAllocation = max(d.shape.LargestAllocation, addr&(1<<32-1)+size)
	return d.Write(addr, encode(words))
}

func encode(words []uint32) []byte {
	out := make([]byte, 0, 4*len(words))
	for _, v := range words {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

// launch runs a kernel and adds its time.
func (d *device) launch(kernel string, grid, block emu.Dim3, args ...any) error {
	params, err := d.params(kernel, args)
	if err != nil {
		return err
	}
	d.shape.Grid, d.shape.Block = [3]uint32{grid.X, grid.Y, grid.Z}, [3]uint32{block.X, block.Y, block.Z}
	d.launched = append(d.launched, rewrite.KernelLaunch{Kernel: kernel, Grid: d.shape.Grid, Block: d.shape.Block, Args: d.arguments(kernel, params, args)})
	if d.shape.Shared, err = d.SharedSize(kernel, 0); err != nil {
		return err
	}
	if d.detector != nil {
		if err = d.detector.Prepare(d, d.shape); err != nil {
			return err
		}
	}
	start, wall := processorTime(), time.Now()
	if d.listener != nil {
		d.listener.Begin(detect.Launch{Kernel: kernel, LaunchShape: d.shape})
	}
	r, err := d.Launch(d.ctx, emu.LaunchConfig{Kernel: kernel, Grid: grid, Block: block, Params: params})
	if d.listener != nil {
		d.listener.End()
	}
	d.time += processorTime() - start
	d.wall += time.Since(wall)
	if err != nil {
		return err
	}
	if len(r.Faults) > 0 {
		return fmt.Errorf("%s: %s", kernel, r.Faults[0].Message)
	}
	d.stats.WarpInstructions += r.Stats.WarpInstructions
	d.stats.ThreadInstructions += r.Stats.ThreadInstructions
	if d.detector == nil {
		return nil
	}
	races, err := d.detector.Collect(d)
	d.races += len(races)
	return err
}

// params lays out arguments.
func (d *device) params(kernel string, args []any) ([]byte, error) {
	layout, size, err := d.Params(kernel)
	if err != nil {
		return nil, err
	}
	out := make([]byte, size)
	for i, a := range args {
		if b, ok := a.(buffer); ok {
			if slices.Contains(args[:i], a) {
				return nil, fmt.Errorf("%s: buffer %d is given twice", kernel, b)
			}
			a = d.addresses[b]
		}
		if _, err := binary.Encode(out[layout[i].Offset:], binary.LittleEndian, a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// arguments are the parameters of a kernel as the proofs see them: with the numbers of
// buffers, from 1 on, in place of their addresses.
func (d *device) arguments(kernel string, params []byte, args []any) map[string]rewrite.Argument {
	layout, _, _ := d.Params(kernel) // params has done it
	out := make(map[string]rewrite.Argument)
	for i, p := range layout {
		a := rewrite.Argument{Bytes: params[p.Offset:][:p.Size]}
		if b, ok := args[i].(buffer); ok {
			a = rewrite.Argument{Bytes: make([]byte, p.Size), Objects: map[int64]uint64{0: uint64(b) + 1}}
		}
		out[p.Var.Name] = a
	}
	return out
}

func (d *device) word(b buffer) (uint32, error) {
	var p [4]byte
	err := d.Read(d.addresses[b], p[:])
	return binary.LittleEndian.Uint32(p[:]), err
}

func (d *device) setWord(b buffer, v uint32) error {
	return d.Write(d.addresses[b], binary.LittleEndian.AppendUint32(nil, v))
}

// verify compares the result with what is expected. The kernels have no races.
func (d *device) verify(pr *problem) error {
	got := make([]byte, 4*len(pr.want))
	if err := d.Read(d.addresses[pr.out], got); err != nil {
		return err
	}
	for i, want := range pr.want {
		if v := binary.LittleEndian.Uint32(got[4*i:]); v != want {
			return fmt.Errorf("result %d is %#x, expected %#x", i, v, want)
		}
	}
	if d.races > 0 {
		return fmt.Errorf("the detector reports %d races", d.races)
	}
	return nil
}
