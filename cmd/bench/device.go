// Sessions with the buffers of a problem.

package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

//go:embed kernels/kernels.ptx
var kernelSource []byte

// loadKernels parses the kernels.
func loadKernels() (*session.Program, error) { return session.Parse("kernels.ptx", kernelSource) }

// setup configures the run of a problem.
type setup struct {
	detector string // a value of check --detector or of listeners; "" for none
	config   emu.Config
	// coming lists the launches of the problem. If it is nil because they are not known yet, the measured time includes
	// preparing them.
	coming []launchPlan
}

// launchPlan is a launch, with buffers by their numbers in the problem.
type launchPlan struct {
	session.Launch
	args []any
}

// device is a session with the buffers of a problem.
type device struct {
	*session.Session
	ctx      context.Context
	buffers  []*session.Object
	stats    emu.Stats
	time     time.Duration // processor time of launches, without preparation
	wall     time.Duration // wall time of launches, without preparation
	races    int
	launched []launchPlan // so far
}

// newDevice opens a session, copies the problem's buffers to it, and prepares the known launches.
func newDevice(ctx context.Context, prog *session.Program, pr *problem, how setup) (*device, error) {
	s, err := open(how)
	if err != nil {
		return nil, err
	}
	d := &device{Session: s, ctx: ctx}
	if err = s.Load(prog); err != nil {
		return nil, err
	}
	for i, words := range pr.buffers {
		b, failed := session.Buffer(s, fmt.Sprint("buffer", i), words)
		if failed != nil {
			return nil, failed
		}
		d.buffers = append(d.buffers, b)
	}
	if how.coming == nil {
		return d, nil
	}
	for _, l := range how.coming {
		if l.Args, err = d.args(l.args); err == nil {
			err = s.Announce(l.Launch)
		}
		if err != nil {
			return nil, err
		}
	}
	return d, s.Ready()
}

// launch runs a kernel and adds its time.
func (d *device) launch(kernel string, grid, block emu.Dim3, args ...any) (err error) {
	l := session.Launch{Kernel: kernel, Grid: grid, Block: block}
	if l.Args, err = d.args(args); err != nil {
		return err
	}
	d.launched = append(d.launched, launchPlan{session.Launch{Kernel: kernel, Grid: grid, Block: block}, args})
	start, wall := processorTime(), time.Now()
	r, err := d.Launch(d.ctx, l)
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
	d.races += len(r.Races)
	return nil
}

// args replaces the numbers of buffers by the buffers. No buffer may occur twice: the kernels require distinct buffers.
func (d *device) args(list []any) ([]any, error) {
	out := slices.Clone(list)
	for i, a := range list {
		b, ok := a.(buffer)
		if !ok {
			continue
		}
		if slices.Contains(list[:i], a) {
			return nil, fmt.Errorf("buffer %d is given twice", b)
		}
		out[i] = d.buffers[b]
	}
	return out, nil
}

func (d *device) word(b buffer) (uint32, error) {
	var p [4]byte
	err := d.buffers[b].Read(0, p[:])
	return binary.LittleEndian.Uint32(p[:]), err
}

func (d *device) setWord(b buffer, v uint32) error {
	return d.buffers[b].Write(0, binary.LittleEndian.AppendUint32(nil, v))
}

// verify compares the result with the expected one. The kernels have no races.
func (d *device) verify(pr *problem) error {
	got, err := session.Values[uint32](d.buffers[pr.out])
	if err != nil {
		return err
	}
	for i, want := range pr.want {
		if got[i] != want {
			return fmt.Errorf("result %d is %#x, expected %#x", i, got[i], want)
		}
	}
	if d.races > 0 {
		return fmt.Errorf("the detector reports %d races", d.races)
	}
	return nil
}
